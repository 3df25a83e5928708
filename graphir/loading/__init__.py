"""Sources of graphs: documents, lines, folders of tables, scripts, a running server, examples.

`sources.find` says what an argument means; the rest makes a `PropertyGraph` of it, or tells an engine where the tables
or the statements are.  Knows no engine.
"""
