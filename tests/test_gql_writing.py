"""Writing clauses of Cypher in GQL's terms: INSERT, SET, REMOVE, DELETE; and back, with the same effect."""

from __future__ import annotations

from typing import Any

import pytest

import graphir
from graphir import PropertyGraph, Unsupported

GRAPH = PropertyGraph.from_dict(
    {
        "nodes": [
            {"id": 0, "labels": ["P"], "properties": {"id": 1, "x": 1}},
            {"id": 1, "labels": ["P"], "properties": {"id": 2}},
            {"id": 2, "labels": ["Q"], "properties": {"id": 3, "x": 5}},
        ],
        "edges": [
            {"id": 0, "type": "K", "start": 0, "end": 1, "properties": {"w": 1}},
            {"id": 1, "type": "K", "start": 0, "end": 0, "properties": {}},
        ],
    }
)

TEXTS = [
    ("CREATE (n:P:Q {id: 9, x: null})", "INSERT (n:P&Q {id: 9})"),
    ("MATCH (n:P {id: 1}) SET n += {x: 2, y: 3}", "MATCH (n:P {id: 1})\nSET n.x = 2, n.y = 3"),
    ("MATCH (n:P {id: 1}), (m:Q) SET n.x = 2, m.x = n.x", "MATCH (n:P {id: 1}), (m:Q)\nSET n.x = 2\nSET m.x = n.x"),
    ("MATCH (n:P {id: 1}) SET n.x = 2, n.y = n.x", "MATCH (n:P {id: 1})\nSET n.x = 2, n.y = n.x"),
    ("MATCH (n:P {id: 1}) SET n.x = 2 SET n.y = n.x", "MATCH (n:P {id: 1})\nSET n.x = 2\nSET n.y = n.x"),
    ("MATCH (n:P {id: 1}) SET n += {x: 2, y: n.x}", "MATCH (n:P {id: 1})\nSET n.x = 2, n.y = n.x"),
    (
        "MATCH (n:P {id: 1}) SET n.y = 4, n += {x: 2, y: n.x}",
        "MATCH (n:P {id: 1})\nSET n.y = 4\nSET n.x = 2, n.y = n.x",
    ),
    ("MATCH (n:P {id: 1}) SET n:Q REMOVE n.x, n:P", "MATCH (n:P {id: 1})\nSET n:Q\nREMOVE n.x, n:P"),
    ("MATCH (n:P {id: 1}) SET n = {z: 1}", "MATCH (n:P {id: 1})\nSET n = {z: 1}"),
    ("MATCH (n:P {id: 1}) DETACH DELETE n", "MATCH (n:P {id: 1})\nDETACH DELETE n"),
    ("MATCH (:P)-[r:K]->() DELETE r", None),
    ("MATCH (a:P {id: 1}), (b:Q) CREATE (a)-[:L {w: 1}]->(b)", None),
    ("MERGE (n:P {id: 1}) ON CREATE SET n.x = 7", None),
    ("MERGE (n:P {id: 7}) ON CREATE SET n.x = 7", None),
    ("MATCH (a:P), (b:Q) MERGE (a)-[:L {w: 1}]->(b)", None),
    ("MATCH (a:P), (b:P) MERGE (a)-[:K]->(b)", None),
    ("FOREACH (x IN [1, 2] | CREATE (:R {id: x}))", None),
    ("UNWIND [1, 2] AS x CREATE (n:R {id: x}) SET n.x = x", None),
]


def left(query: str, dialect: str) -> Any:
    """What a query leaves in the graph."""
    with graphir.connect() as engine:
        engine.load(GRAPH)
        engine.run(query, dialect=dialect)
        nodes = engine.run("MATCH (n) RETURN labels(n) AS labels, properties(n) AS properties").rows
        edges = engine.run("MATCH (a)-[r]->(b) RETURN a.id AS a, type(r) AS type, properties(r) AS r, b.id AS b").rows
        return sorted(map(repr, nodes)), sorted(map(repr, edges))


@pytest.mark.parametrize(("query", "text"), TEXTS, ids=[query for query, _ in TEXTS])
def test_it_leaves_the_same_graph(query: str, text: str | None) -> None:
    written = graphir.translate(query, write="gql-iso")
    assert text is None or written == text
    assert left(written, "gql-iso") == left(query, "neo4j-25")


def test_what_is_made_is_read_by_another_clause() -> None:
    """Cypher 5 lets a CREATE read what it makes; an INSERT does not."""
    query = "CREATE (a:P {id: 8}), (a)-[:K {w: a.id * 2}]->(b:P {id: a.id + 1})"
    written = graphir.translate(query, read="neo4j-5", write="gql-iso")
    assert written.count("INSERT") == 3
    assert left(written, "gql-iso") == left(query, "neo4j-5")


@pytest.mark.parametrize(
    "query",
    [
        "MERGE (n:P {id: 1}) ON MATCH SET n.x = 1",
        "MERGE (n:P {id: 1}) RETURN n.x AS x",
        "MERGE (n:P {id: $id})",
        "MERGE (a:P {id: 1})-[:K]->(b:P {id: 2})",
        "MATCH (a:P), (b:P) MERGE (a)-[:K]-(b)",
        "MATCH (n:P) SET n += $values",
        "MATCH (n:P) SET n[$key] = 1",
        "MATCH (n:P) SET n:$($label)",
        "CREATE (n:P $values)",
        "CREATE p = (a:P)-[:K]->(b:P) RETURN length(p) AS n",
        "MATCH p = (a:P)-[:K]->(b) DELETE p",
        "FOREACH (x IN [1] | CREATE (:R {id: x}) CREATE (:R {id: x + 1}))",
    ],
)
def test_what_gql_cannot_do_exactly_is_refused(query: str) -> None:
    with pytest.raises(Unsupported) as caught:
        graphir.translate(query, write="gql-iso")
    assert caught.value.diagnostics[0].code == "G419"
