"""One module per format that is written: `Schema` to text."""
