"""One module per format: text to `Schema`.  Each has `sniff(text)`, whether a text looks like it, and `read(text)`."""
