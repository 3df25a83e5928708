"""What Google's analyzer refuses in a graph query: names, types, labels and properties, the rules of each clause.

Works on the surface form of GQL as `graphir.grammar.gql` reads it, with a catalog of tables and graphs that comes from
a schema or is empty.  What is not known (no schema, an undeclared parameter, a table) is of unknown type, and nothing
is reported about it.  Knows no engine.
Rules: GoogleSQL's analyzer (ZetaSQL 2025.11), https://github.com/google/zetasql/tree/master/docs.
"""
