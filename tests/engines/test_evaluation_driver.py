"""What the published evaluators see of a result is what the neo4j driver makes of it: asked of a real Neo4j."""

from __future__ import annotations

from typing import Any

import pytest
from neo4j import Driver, Record

from graphir.evaluation.driver import data, texts
from graphir.evaluation.rows import table
from graphir.values.conversions import from_neo4j

GRAPH = (
    "CREATE (a:Seen {n: 1, list: [0.5, 1.5]})-[r:R {w: 1}]->(b:Seen {n: 2})-[s:S]->(c:Other {n: 3}) WITH a, r, b, s, c "
)

RESULTS = [
    *("a", "r", "a, r", "r, b", "s, a, r", "[a, r, b] AS l, {k: r} AS m", "null AS x, [null] AS l, {k: null} AS m"),
    "1 AS i, 1.0 AS f, 1e300 AS big, true AS t, 'text' AS s, ['a', 1, [2.5]] AS l",
    "point({x: 1, y: 2}) AS p, point({longitude: 1, latitude: 2, height: 3}) AS q, [point({x: 1, y: 2})] AS l",
]
PATHS = ["p = (a)-[*]->(c)", "p = (c)<-[*]-(a)", "p = (a)"]
TIMES = [
    "date('2020-01-02') AS d, localtime('12:00') AS t, time('12:31:14.645+01:00') AS z, time('12:00Z') AS u",
    "localdatetime('2020-06-01T12:00:01.5') AS l, datetime('2020-06-01T12:00[Europe/Paris]') AS d",
    "duration('P1Y2M3DT4H5M6.5S') AS d, duration('PT0S') AS e, duration('P-1DT-1S') AS f",
]


def records(driver: Driver, text: str) -> tuple[list[str], list[Record]]:
    """The result of a query whose changes are rolled back."""
    with driver.session() as session, session.begin_transaction() as transaction:
        result = transaction.run(GRAPH + text)
        found = list(result.keys()), list(result)
        transaction.rollback()
    return found


def rows_of(keys: list[str], found: list[Record]) -> list[dict[str, Any]]:
    return [dict(zip(keys, map(from_neo4j, record.values()), strict=True)) for record in found]


@pytest.mark.parametrize("text", [f"RETURN {items}" for items in RESULTS] + [f"MATCH {p} RETURN p" for p in PATHS])
def test_data(neo4j: Driver, text: str) -> None:
    keys, found = records(neo4j, text)
    expected = [[repr(from_points(value)) for value in record.data().values()] for record in found]
    assert [[repr(value) for value in row] for row in data(table(rows_of(keys, found)))] == expected


def from_points(value: Any) -> Any:
    """Points as ours, deep within."""
    if isinstance(value, list):
        return [from_points(item) for item in value]
    return from_neo4j(value) if type(value).__module__.startswith("neo4j") else value


@pytest.mark.parametrize(
    "text", [f"RETURN {items}" for items in RESULTS + TIMES] + [f"MATCH {p} RETURN p" for p in PATHS]
)
def test_texts(neo4j: Driver, text: str) -> None:
    keys, found = records(neo4j, text)
    expected = [tuple(map(str, record.values())) for record in found]
    assert texts(table(rows_of(keys, found))) == expected
