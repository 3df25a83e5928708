"""Targets that read their tables through a property graph: those of the same database, with graph patterns."""

from __future__ import annotations

from dataclasses import replace

from graphir.backends.sql.graphtables import abilities
from graphir.backends.sql.targets import duckdb, oracle, postgres

POSTGRES = replace(postgres.POSTGRES, name="pgq-postgres", title="SQL/PGQ of PostgreSQL", patterns=abilities.POSTGRES)
DUCKPGQ = replace(duckdb.DUCKDB, name="pgq-duckpgq", title="DuckPGQ", patterns=abilities.DUCKPGQ)
ORACLE_23AI = replace(oracle.ORACLE, name="pgq-oracle-23ai", title="Oracle 23ai", patterns=abilities.ORACLE)
ORACLE_26AI = replace(oracle.ORACLE, name="pgq-oracle-26ai", title="Oracle 26ai", patterns=abilities.ORACLE)
