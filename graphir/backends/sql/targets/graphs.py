"""Targets that read their tables through a property graph: those of the same database, with graph patterns."""

from __future__ import annotations

from dataclasses import replace

from graphir.backends.sql.graphtables import abilities
from graphir.backends.sql.graphtables.abilities import Patterns
from graphir.backends.sql.targets import duckdb, oracle, postgres
from graphir.backends.sql.targets.target import Target


def through_graph(target: Target, name: str, title: str, patterns: Patterns) -> Target:
    """A target that reads the tables of another through a property graph."""
    known = replace(target.abilities, steps=abilities.STEPS, either=patterns.undirected, ties=True)
    return replace(target, name=name, title=title, abilities=known, patterns=patterns)


POSTGRES = through_graph(postgres.POSTGRES, "pgq-postgres", "SQL/PGQ of PostgreSQL", abilities.POSTGRES)
DUCKPGQ = through_graph(duckdb.DUCKDB, "pgq-duckpgq", "DuckPGQ", abilities.DUCKPGQ)
ORACLE_23AI = through_graph(oracle.ORACLE, "pgq-oracle-23ai", "Oracle 23ai", abilities.ORACLE_23AI)
ORACLE_26AI = through_graph(oracle.ORACLE, "pgq-oracle-26ai", "Oracle 26ai", abilities.ORACLE_26AI)
