"""Texts for Oracle on PostgreSQL 17 or newer (`oracle_texts.py`), beside the embedded engine.

They are skipped on an older one, which is asked only where POSTGRES_URI names it or no other can be fetched.
GRAPHIR_CASES says how many generated queries run (150).
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from importlib import import_module
from typing import Any, ClassVar

import pytest

import graphir
from graphir.backends.engines.tables import EdgeTable, NodeTable
from graphir.backends.sql.targets import Statement
from graphir.diagnostics import GraphirError, Unsupported
from graphir.evaluation.comparison import rows_equal
from graphir.generation import case
from graphir.graphs import PropertyGraph
from tests.engines import oracle_texts, sql_cases, sql_constructs, unfolding

psycopg = pytest.importorskip("psycopg", reason="graphir[postgres] is not installed")
driver: Any = import_module("graphir.backends.engines.drivers.postgres")
NEW_ENOUGH = 17
UNUSUAL = "G634"
"""A text may be a number in an unusual spelling, which is a fault."""
CASES = int(os.environ.get("GRAPHIR_CASES", "150"))


@pytest.fixture(scope="module")
def uri(postgres_uri: str) -> Iterator[str]:
    """A server with Oracle's functions in the schema `oracle`."""
    with psycopg.connect(postgres_uri, autocommit=True) as admin:
        version = admin.info.server_version // 10_000
        if version < NEW_ENOUGH:
            pytest.skip(f"JSON_TABLE needs PostgreSQL {NEW_ENOUGH}, this is {version}")
        admin.execute("DROP SCHEMA IF EXISTS oracle CASCADE")
        admin.execute(oracle_texts.FUNCTIONS)
        yield postgres_uri
        admin.execute("DROP SCHEMA oracle CASCADE")


@pytest.mark.parametrize(
    ("dialect", "state"),
    [
        ("sql-oracle", sql_constructs.statement),
        ("pgq-oracle-23ai", unfolding.statement),
        ("pgq-oracle-26ai", unfolding.statement),
    ],
)
def test_constructs_give_the_rows_of_the_embedded_engine(uri: str, dialect: str, state: Any) -> None:
    laid = sql_constructs.tables(dialect)
    with psycopg.connect(uri, autocommit=True) as connection:
        connection.execute("SET search_path = pg_temp")
        for text, rows in oracle_texts.definitions(laid):
            for row in rows if "INSERT" in text else [None]:
                connection.execute(text, row)
        connection.execute(f"SET search_path = {oracle_texts.PATH}")

        def run(made: Statement) -> list[list[Any]]:
            return oracle_texts.values(connection.execute(oracle_texts.translated(made).encode()).fetchall(), made)

        assert sql_constructs.differences(dialect, run, state) == []


# ------------------------------------------------------------------ generated queries


class OnPostgres(driver.Postgres):
    """An Oracle for texts, with tables of PostgreSQL."""

    target: ClassVar[str] = "sql-oracle"

    def _create(self, table: NodeTable | EdgeTable) -> None:
        fixed = ("id",) if isinstance(table, NodeTable) else ("id", "src", "dst")
        columns = [f'"{name}" numeric NOT NULL' for name in fixed]
        columns += [f'"{each.name}" {oracle_texts.type_of(each.rep)}' for each in table.columns.values()]
        named = self._named(table.name).as_string(self._connection)
        self._connection.execute(f"CREATE TABLE {named} ({', '.join(columns)})".encode())

    def fetch(self, statement: Statement) -> list[tuple[Any, ...]]:
        self._connection.execute(f"SET search_path = {oracle_texts.PATH}".encode())
        rows = self._connection.execute(oracle_texts.translated(statement).encode()).fetchall()
        return [tuple(row) for row in oracle_texts.values(rows, statement)]


def held(graph: PropertyGraph) -> PropertyGraph:
    """The graph without what Oracle does not hold: the empty string."""
    document = graph.to_dict()
    for element in (*document["nodes"], *document["edges"]):
        found = element.get("properties", {}).items()
        element["properties"] = {k: v for k, v in found if v != "" and not (isinstance(v, list) and "" in v)}
    return PropertyGraph.from_dict(document)


def answer(engine: Any, query: str, parameters: Any, dialect: str) -> Any:
    """The rows, numbers by their values; or the fault."""
    try:
        rows = engine.run(query, parameters, dialect=dialect).rows
    except Unsupported:
        raise
    except GraphirError as error:
        return error
    return [tuple([float(value) if type(value) is int else value for value in row]) for row in rows]


def test_generated_queries(uri: str) -> None:
    tally: Counter[str] = Counter()
    different = []
    with graphir.connect() as ours, OnPostgres(uri, trusting=True, timeout=sql_cases.PATIENCE) as engine:
        for seed in range(5000, 5000 + CASES):
            made = case(seed, profile=sql_cases.SIMPLE)
            if any(value == "" for value in made.parameters.values()):
                continue
            graph = held(made.graph)
            for each in (ours, engine):
                each.clear()
                each.load(graph)
            asked = made.query, made.parameters, made.dialect
            try:
                found = answer(engine, *asked)
            except Unsupported:
                tally["refused"] += 1
                continue
            wanted = answer(ours, *asked)
            failed = [isinstance(each, GraphirError) for each in (wanted, found)]
            if all(failed) or (failed[1] and UNUSUAL in str(found)):
                tally["faults"] += 1
            elif any(failed) or not rows_equal(wanted, found, ordered=False):
                different.append((seed, made.query, str(wanted), str(found)))
            else:
                tally["same"] += 1
    assert different == []
    assert tally["same"] > CASES / 2
