"""The text of surface GQL, for every dialect of it: the printer and the formatter.  What a dialect cannot say has been
rewritten or refused before."""
