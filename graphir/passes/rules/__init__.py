"""The rules of Cypher that need no types: where a construct may stand, and what may stand beside it.

One walk over the query (`walk.py`) calls the rules of each class of node; a family of rules is a module.
"""
