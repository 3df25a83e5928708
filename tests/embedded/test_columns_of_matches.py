"""Aggregates in COLUMNS go over one match in Oracle and the standard; rows by hand, on the embedded engine."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import graphir
from graphir import PropertyGraph
from graphir.backends.engines.duckdb.session import Session

GRAPH = PropertyGraph.from_dict(
    {
        "nodes": [{"id": str(n), "labels": ["P"], "properties": {"n": n}} for n in (1, 2, 3)],
        "edges": [
            {"id": "a", "type": "K", "start": "1", "end": "2", "properties": {"w": 1}},
            {"id": "b", "type": "K", "start": "2", "end": "3", "properties": {}},
            {"id": "c", "type": "K", "start": "1", "end": "3", "properties": {"w": 7}},
        ],
    }
)
PATTERN = 'MATCH (a IS P) -[e IS K]->{1,2} (b IS P WHERE b."n" = 3)'


@pytest.fixture(scope="module")
def engine() -> Iterator[Session]:
    with graphir.connect() as session:
        session.load(GRAPH)
        yield session


@pytest.mark.parametrize("dialect", ["pgq-oracle-23ai", "pgq-iso"])
@pytest.mark.parametrize(
    ("columns", "rows"),
    [
        ('COUNT(e."w") AS c, SUM(e."w") AS s', [(0, None), (1, 1), (1, 7)]),
        ('a."n" AS n, COUNT(e."w") + 1 AS c', [(1, 2), (1, 2), (2, 1)]),
        ('a."n" AS n, MAX(e."w") AS m', [(1, 1), (1, 7), (2, None)]),
    ],
)
def test_one_row_of_a_match(engine: Session, dialect: str, columns: str, rows: list[tuple[Any, ...]]) -> None:
    text = f"SELECT * FROM GRAPH_TABLE (g {PATTERN} COLUMNS ({columns}))"
    found = engine.run(text, dialect=dialect).rows
    assert sorted(found, key=str) == sorted(rows, key=str)


def test_rows_are_aggregated_outside(engine: Session) -> None:
    table = f'GRAPH_TABLE (g {PATTERN} COLUMNS (a."n" AS n, COUNT(e."w") AS c))'
    text = f"SELECT n, COUNT(*) AS m, SUM(c) AS c FROM {table} GROUP BY n ORDER BY n"
    assert engine.run(text, dialect="pgq-oracle-23ai").rows == [(1, 2, 2), (2, 1, 0)]


def test_in_cypher_each_match_has_a_query_of_its_own() -> None:
    text = f'SELECT * FROM GRAPH_TABLE (g {PATTERN} COLUMNS (SUM(e."w") AS s))'
    made = graphir.translate(text, read="pgq-oracle-23ai", write="neo4j-25")
    assert "UNWIND E AS" in made
    assert "sum(E.w)" not in made


def test_edges_of_a_way_in_duckpgq() -> None:
    """DuckPGQ finds the ends of a way, and none of its edges."""
    text = "FROM GRAPH_TABLE (g MATCH (a:P)-[e:K]->{1,2}(b:P) COLUMNS (a.n, sum(e.w) AS s))"
    with pytest.raises(graphir.Unsupported, match="G269"):
        graphir.translate(text, read="pgq-duckpgq", write="neo4j-25")
