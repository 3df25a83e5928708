"""SELECT as what it means for a graph: pipelines in place of tables, joins, grouping and set operations of SQL."""
