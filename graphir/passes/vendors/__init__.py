"""What Oracle, PostgreSQL, DuckPGQ and Hyper refuse of SQL/PGQ, each with its own error.

The rules are asked of the query as it was written, before anything is settled.  What the vendors do not share is data:
`vendors.py` has what each can do, `rules.py` which rule has which code where.  `catalog.py` is what a database holds,
`statements.py` reads definitions, `definitions.py` checks and applies them, and the other modules check queries.
"""
