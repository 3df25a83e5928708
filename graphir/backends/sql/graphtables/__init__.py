"""Tables of a graph in FROM as GRAPH_TABLE: the lowering over tables, for databases that have property graphs.

`folding.py` makes graph patterns of the scans of a query and of the equalities between their keys, `trails.py` says how
a pattern is written as paths, `printing.py` writes it, `abilities.py` has what the dialects differ in.  Knows no IR:
what a query means was settled when it was lowered to tables, and a GRAPH_TABLE is the join of the tables that it
stands for.
"""
