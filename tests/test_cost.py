"""Advice on cost: what multiplies, what has no end, what has no limit, and what is none of these."""

from __future__ import annotations

import pytest

import graphir
from graphir.schema import NodeType, Schema


def found(text: str, schema: Schema | None = None) -> list[str]:
    return [d.code for d in graphir.check(text, schema=schema, profile="strict") if d.code.startswith("G24")]


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (a), (b) RETURN count(*) AS n",
        "MATCH (a:A) MATCH (b:B) RETURN count(*) AS n",
        "MATCH (a)-->(c), (b)-->(d) RETURN count(*) AS n",
        "MATCH (a), (b) WHERE a.x < b.x RETURN count(*) AS n",
        "MATCH (a), (b) WHERE a <> b RETURN count(*) AS n",
        "MATCH (a), (b), (c {x: 1}) RETURN count(*) AS n",
        "MATCH (a), (b) WHERE a.x = a.y RETURN count(*) AS n",
        "OPTIONAL MATCH (a) OPTIONAL MATCH (b) RETURN count(*) AS n",
        "MATCH (z) WHERE EXISTS { MATCH (a), (b) } RETURN count(*) AS n",
        "MATCH (z) CALL (z) { MATCH (a)-->(b) MATCH (c)-->(d) RETURN count(*) AS k } RETURN count(*) AS n",
        "MATCH (a), (b) RETURN count(*) AS n UNION MATCH (c) RETURN count(*) AS n",
        "WITH 1 AS x MATCH (a), (b) RETURN count(*) AS n",
    ],
)
def test_products(text: str) -> None:
    assert found(text) == ["G240"]


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (a)-->(b), (b)-->(c) RETURN count(*) AS n",
        "MATCH (a) MATCH (a)-->(b) RETURN count(*) AS n",
        "MATCH (a), (b) MATCH (a)-->(b) RETURN count(*) AS n",
        "MATCH (a), (b) WHERE a.x = b.x RETURN count(*) AS n",
        "MATCH (a), (b) WHERE a.y > 1 AND a.x = b.x RETURN count(*) AS n",
        "MATCH (a), (b) WHERE a.x IN b.xs RETURN count(*) AS n",
        "MATCH (a), (b {x: a.x}) RETURN count(*) AS n",
        "MATCH (a), (b WHERE b.x = a.x) RETURN count(*) AS n",
        "MATCH (a), (b) WHERE (a)-->(b) RETURN count(*) AS n",
        "MATCH (a {id: 1}), (b {id: 2}) CREATE (a)-[:R]->(b)",
        "MATCH (a), (b) WHERE a.id = 1 AND b.id = $id CREATE (a)-[:R]->(b)",
        "MATCH (a), (b) WHERE b.id IN [1, 2] RETURN count(*) AS n",
        "MATCH (a) WITH collect(a) AS list MATCH (b) RETURN count(*) AS n",
        "MATCH (a) UNWIND a.xs AS x MATCH (b {x: x}) RETURN count(*) AS n",
        "MATCH (z) CALL (z) { MATCH (z)-->(a) MATCH (z)-->(b) RETURN count(*) AS k } RETURN count(*) AS n",
        "MATCH (z) WHERE COUNT { (z)-->() } > 1 RETURN count(*) AS n",
        "MATCH (a) RETURN count(*) AS n UNION MATCH (b) RETURN count(*) AS n",
        "MATCH p = (a)-->(b) WHERE length(p) = 1 RETURN count(*) AS n",
    ],
)
def test_no_products(text: str) -> None:
    assert found(text) == []


def test_the_schema_counts() -> None:
    schema = Schema((NodeType(("A",), count=1200), NodeType(("B",), count=30)))
    (told,) = (d for d in graphir.check("MATCH (a:A), (b:B) RETURN count(*) AS n", schema=schema, profile="strict"))
    assert "(1,200 x 30 = 36,000)" in told.message


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("MATCH (a)-[*]->(b) RETURN count(*) AS n", ["G241"]),
        ("MATCH (a)-[:R*2..]->(b) RETURN count(*) AS n", ["G241"]),
        ("MATCH (a)-[:R]->+(b) RETURN count(*) AS n", ["G241"]),
        ("MATCH (a) ((x)-->(y))* (b) RETURN count(*) AS n", ["G241"]),
        ("MATCH (a)-[*..4]->(b) RETURN count(*) AS n", []),
        ("MATCH (a)-[:R]->{1,3}(b) RETURN count(*) AS n", []),
        ("MATCH p = shortestPath((a)-[*]->(b)) RETURN count(*) AS n", []),
        ("MATCH p = SHORTEST 1 (a)-->+(b) RETURN count(*) AS n", []),
        ("MATCH p = ALL SHORTEST (a)-->+(b) RETURN count(*) AS n", []),
    ],
)
def test_paths_without_an_end(text: str, codes: list[str]) -> None:
    assert found(text) == codes


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("MATCH (a) RETURN a", ["G242"]),
        ("MATCH (a) RETURN a.x AS x, count(*) AS n", ["G242"]),
        ("MATCH (a) RETURN *", ["G242"]),
        ("MATCH (a) RETURN a UNION MATCH (a:B) RETURN a LIMIT 3", ["G242"]),
        ("MATCH (a) RETURN a LIMIT 10", []),
        ("MATCH (a) RETURN count(a) AS n, max(a.x) + 1 AS m", []),
        ("UNWIND [1, 2] AS x RETURN x", []),
        ("MATCH (a {id: 1}) SET a.x = 1", []),
        ("CALL db.labels() YIELD label RETURN label", []),
    ],
)
def test_results_without_a_limit(text: str, codes: list[str]) -> None:
    assert found(text) == codes
