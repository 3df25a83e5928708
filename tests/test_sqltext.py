"""SQL text over the tables of a schema: what it looks like, and that DuckDB gives the embedded engine's rows for it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import duckdb
import pytest

import graphir
from graphir.backends.sql import targets
from graphir.backends.sql.reps import DATE, PATH, ListRep, MapRep, Rep
from graphir.backends.sql.targets import Statement
from graphir.backends.sqltext.constructs import PROVED, constructs
from graphir.dialects import DIALECTS
from graphir.graphs import PropertyGraph
from graphir.schema.model import DataType, EdgeType, NodeType, PropertyType, Schema
from graphir.source import Source
from graphir.values.dates import Date
from tests.engines import pairs, sql_constructs, sql_texts
from tests.engines.sql_tables import Laid, laid_out

PAIRS = int(os.environ.get("GRAPHIR_PAIRS", "48"))
"""How many random queries are compared."""

SQL = [name for name, dialect in DIALECTS.items() if dialect.family == "sql"]


# ------------------------------------------------------------------ DuckDB


def filled(laid: Laid, dialect: str = "sql-duckdb") -> duckdb.DuckDBPyConnection:
    """A database with the tables."""
    connection = duckdb.connect()
    types = targets.target(dialect).types
    for table in laid.tables.values():
        columns = ", ".join(f'"{name}" {types(rep)}' for name, rep in table.columns.items())
        connection.execute(f'CREATE TABLE "{table.name}" ({columns})')
        for row in table.rows:
            values = [_sent(row.get(name)) for name in table.columns]
            connection.execute(f'INSERT INTO "{table.name}" VALUES ({", ".join("?" * len(values))})', values)
    return connection


def _sent(value: Any) -> Any:
    return str(value) if isinstance(value, Date) else value


def runner(connection: duckdb.DuckDBPyConnection) -> sql_constructs.Run:
    def run(made: Statement) -> list[tuple[Any, ...]]:
        sent = {each.mark: _sent(each.value) for each in made.parameters}
        rows = connection.execute(made.text, sent or None).fetchall()
        reps = [rep for _, rep in made.columns]
        return [tuple([_read(value, rep) for value, rep in zip(row, reps, strict=True)]) for row in rows]

    return run


def _read(value: Any, rep: Rep) -> Any:
    if value is None:
        return None
    if isinstance(rep, ListRep):
        return [_read(item, rep.element) for item in value]
    if isinstance(rep, MapRep):
        return {
            key: _read(value[f"f{at}"], each) for at, (key, each) in enumerate(zip(rep.keys, rep.values, strict=True))
        }
    if rep == DATE:
        return Date(value.toordinal() - 719163)
    assert rep != PATH or set(value) == {"nodes", "edges"}
    return value


def test_constructs_give_the_rows_of_the_embedded_engine() -> None:
    with closing(filled(sql_constructs.tables("sql-duckdb"))) as connection:
        assert sql_constructs.differences("sql-duckdb", runner(connection)) == []


def pairs_schema() -> Schema:
    """The schema of all graphs of `pairs`, with keys that are the same in several tables."""
    kinds = {"INT64": "INTEGER", "STRING": "STRING", "FLOAT64": "FLOAT", "BOOL": "BOOLEAN", "DATE": "DATE"}

    def properties(listed: dict[str, str]) -> tuple[PropertyType, ...]:
        return tuple([PropertyType(key, DataType(kinds[kind])) for key, kind in listed.items()])

    return Schema(
        tuple([NodeType(labels, properties(pairs.NODE_PROPERTIES)) for labels in pairs.LABELS]),
        tuple(
            [
                EdgeType(type_, one, other, properties(pairs.EDGE_PROPERTIES))
                for type_ in pairs.TYPES
                for one in pairs.LABELS
                for other in pairs.LABELS
            ]
        ),
    )


def random_differences(count: int) -> Iterator[str]:
    """Of random queries, over tables with keys: what differs."""
    known = pairs_schema()
    compared = 0
    for graph, queries in sql_texts.cases(0, count):
        value = PropertyGraph.from_dict(graph)
        laid = laid_out(sql_constructs.catalog_of(known, "sql-duckdb", Source("")), value)
        with closing(filled(laid)) as connection, graphir.connect() as embedded:
            embedded.load(value)
            for _, query, ordered in queries:
                try:
                    made = sql_constructs.statement(query, "sql-duckdb", known, {})
                except graphir.Unsupported:
                    continue
                compared += 1
                found = sql_constructs.difference(query, ordered, made, embedded, laid, runner(connection))
                if found is not None:
                    yield found
    assert compared > count / 2


def test_random_queries_over_tables_with_keys() -> None:
    assert list(random_differences(PAIRS)) == []


def test_random_queries_over_numbered_tables() -> None:
    tally = sql_texts.Tally()
    with closing(sql_texts.PlainDuckDB()) as engine:
        for graph, queries in sql_texts.cases(PAIRS, PAIRS):
            sql_texts.compare(engine, graph, queries, tally)
    assert tally.different == []
    assert tally.equal > PAIRS / 2


# ------------------------------------------------------------------ every target


@pytest.mark.parametrize("dialect", SQL)
def test_every_dialect_is_a_target_and_says_most_constructs(dialect: str) -> None:
    assert targets.target(dialect).name == dialect
    share = 0.6 if dialect in PROVED else 0.4
    assert len(sql_constructs.supported(dialect)) > share * len(constructs())


def test_targets_are_dialects() -> None:
    assert {name for name in targets.TARGETS if name.startswith("sql-")} == set(SQL)
    assert set(PROVED) <= set(SQL)
