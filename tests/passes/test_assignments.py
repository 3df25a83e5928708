"""The order of SET: what an item reads of the element that the items beside it change."""

from __future__ import annotations

from typing import Any

import pytest

import graphir

GRAPH = "CREATE (:A {x: 1, y: 10}), (:B {x: 5})"
ONE = "MATCH (n:A) "
TWO = "MATCH (n:A), (m:B) "
CASES: list[tuple[str, list[Any]]] = [
    (ONE + "SET n.x = 2, n.y = n.x RETURN n.x AS x, n.y AS y", [2, 1]),
    (ONE + "SET n.x = 2 SET n.y = n.x RETURN n.x AS x, n.y AS y", [2, 2]),
    (ONE + "SET n.x = 2, n.y = n.x + 1, n.x = n.y RETURN n.x AS x, n.y AS y", [10, 2]),
    (ONE + "SET n.x = 2, n.x = n.x + 10 RETURN n.x AS x, n.y AS y", [11, 10]),
    (ONE + "SET n += {x: 2}, n.y = n.x RETURN n.x AS x, n.y AS y", [2, 2]),
    (ONE + "SET n += {x: 2, y: n.x} RETURN n.x AS x, n.y AS y", [2, 1]),
    (ONE + "SET n.x = 2, n.y = n.x, n += {z: n.x} RETURN n.y AS y, n.z AS z", [1, 2]),
    (ONE + "SET n += {x: 2}, n.z = 3, n.y = n.z RETURN n.x AS x, n.y AS y", [2, None]),
    (TWO + "SET n.x = 2, m.y = n.x RETURN n.x AS x, m.y AS y", [2, 2]),
    (TWO + "SET n.x = 2, m.x = 9, n.y = n.x RETURN n.x AS x, n.y AS y", [2, 2]),
    (ONE + "SET n.x = 2, n:Foo, n.y = n.x RETURN n.x AS x, n.y AS y", [2, 2]),
    (ONE + "SET n.x = 2, n:Foo, n.y = 3, n.z = n.y + n.x RETURN n.y AS y, n.z AS z", [3, 12]),
    (ONE + "WITH n, n AS k SET n.x = 2, k.y = n.x RETURN n.x AS x, n.y AS y", [2, 2]),
    (ONE + "WITH n, n AS k SET n.x = 2, n.z = k.x RETURN n.x AS x, n.z AS z", [2, 1]),
    (ONE + "SET n.x = 2, n.y = properties(n).x RETURN n.x AS x, n.y AS y", [2, 1]),
    (ONE + "SET n.x = 2, n.y = COUNT { MATCH (k {x: 2}) } RETURN n.x AS x, n.y AS y", [2, 0]),
    (ONE + "SET n.x = null, n.y = n.x IS NULL RETURN n.x AS x, n.y AS y", [None, False]),
    (ONE + "SET n.x = 2, n.y = n.x REMOVE n.x RETURN n.x AS x, n.y AS y", [None, 1]),
    (ONE + "FOREACH (i IN [1, 2] | SET n.x = n.x + 1, n.y = n.x) RETURN n.x AS x, n.y AS y", [3, 2]),
    (ONE + "CALL (n) { SET n.x = 2, n.y = n.x } RETURN n.x AS x, n.y AS y", [2, 1]),
    (ONE + "CREATE (n)-[r:R {a: 1}]->(n) SET r.a = 2, r.b = r.a RETURN r.a AS a, r.b AS b", [2, 1]),
    ("MERGE (n:C {y: 10}) ON CREATE SET n.x = 2, n.z = n.x RETURN n.x AS x, n.z AS z", [2, None]),
    ("MERGE (n:C {y: 10}) ON CREATE SET n.x = 2 ON CREATE SET n.z = n.x RETURN n.x AS x, n.z AS z", [2, 2]),
    ("MERGE (n:A {y: 10}) ON MATCH SET n.x = 2, n.y = n.x RETURN n.x AS x, n.y AS y", [2, 1]),
]
"""Queries and the row that Neo4j 2026.08 gives (`tests/engines/test_neo4j_assignments.py` asks it again)."""


def row(query: str, dialect: str) -> list[Any]:
    with graphir.connect() as engine:
        engine.run(GRAPH)
        (found,) = engine.run(query, dialect=dialect).rows
        return list(found)


@pytest.mark.parametrize(("query", "wanted"), CASES)
def test_neo4j_sets_the_items_of_one_element_at_once(query: str, wanted: list[Any]) -> None:
    assert row(query, "neo4j-25") == wanted


SAYABLE = [case for case in CASES if not any(word in case[0] for word in ("CALL", "COUNT", "FOREACH"))]


@pytest.mark.parametrize(("query", "wanted"), SAYABLE)
def test_opencypher_says_it_otherwise(query: str, wanted: list[Any]) -> None:
    written = graphir.translate(query, "neo4j-25", "opencypher-9")
    assert row(written, "opencypher-9") == wanted
    assert row(graphir.translate(written, "opencypher-9", "neo4j-25"), "neo4j-25") == wanted


def test_opencypher_sets_one_item_after_the_other() -> None:
    query = "MATCH (n:A) SET n.x = 2, n.y = n.x, n.z = n.y RETURN n.x AS x, n.y AS y, n.z AS z"
    written = graphir.translate(query, "opencypher-9", "neo4j-5")
    assert "SET n.x = 2, n += {y: n.x}, n.z = n.y" in written
    assert row(query, "opencypher-9") == row(written, "neo4j-5") == [2, 2, 2]


@pytest.mark.parametrize("dialect", ["gql-iso", "gql-neo4j-25"])
def test_gql_sets_at_once(dialect: str) -> None:
    query = "MATCH (n:A) SET n.x = 2, n.y = n.x RETURN n.x AS x, n.y AS y"
    assert row(query, dialect) == [2, 1]
    for target in ("neo4j-25", "opencypher-9"):
        assert row(graphir.translate(query, dialect, target), target) == [2, 1]


@pytest.mark.parametrize(
    ("query", "dialect", "target"),
    [
        ("MATCH (n:A) SET n['x'] = 2, n.y = n.x", "neo4j-25", "gql-iso"),
        ("MATCH (n:A) SET n.x = 2, n['y'] = n.x", "neo4j-25", "gql-iso"),
        ("MATCH (n:A), (m:B) SET n.x = 2, m.y = n.x", "gql-iso", "neo4j-25"),
    ],
)
def test_what_no_map_says_is_refused(query: str, dialect: str, target: str) -> None:
    with pytest.raises(graphir.Unsupported) as caught:
        graphir.translate(query, dialect, target)
    assert caught.value.code == "G594"
