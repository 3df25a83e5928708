"""GoogleSQL's own parser, analyzer and evaluator in this process: what Spanner makes of a text, and its rows.

Google publishes them as ZetaSQL; the package `zetasql` (pinned: the library inside it is repaired) holds WebAssembly.

    with Database("spanner") as database:
        database.define("CREATE TABLE T (id INT64) PRIMARY KEY (id); CREATE PROPERTY GRAPH g NODE TABLES (T)")
        database.analyze("GRAPH g MATCH (n) RETURN n.id")
        database.query("GRAPH g MATCH (n) RETURN n.id").rows

It is a reference implementation: right and slow, for graphs of about a hundred nodes.
"""
