"""Core IR to SQL over the tables of a property graph.

`lowering.py` lowers a query, `catalog.py` says what the tables are, `reps.py` how values lie in columns.  Knows no
session and no connection: the functions that the SQL calls beyond the target's own are listed with it (`bridges.py`).
"""
