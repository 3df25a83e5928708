"""Random graphs on which a query finds something."""

from __future__ import annotations

import pytest

import graphir
from graphir import PropertyGraph
from graphir.loading.declarations import Declarations, conform
from graphir.loading.examples import schema
from graphir.passes.schema.index import index_of
from graphir.proof import Question, samples

QUERIES = (
    "MATCH (a:Person)-[:KNOWS]-(b) WHERE a.age > 30 AND b.name STARTS WITH 'A' RETURN a.name, b.name",
    "MATCH (a:Person {name: 'Tom'})-[:ACTED_IN*1..3]->(m:Movie) WHERE m.released >= 1990 RETURN m",
    "MATCH p = ((a:A)-[:R]->(b:B WHERE b.x > 3)){2,3} RETURN length(p)",
    "MATCH (n) WHERE toLower(n.name) = 'ada' AND n.born < date('1900-01-01') RETURN n",
    "MATCH (a:A&B)<-[r:R|S]-(c:!A) WHERE r.w IN [1, 2] AND c.y <> 'x' RETURN r",
    "MATCH (a:A) OPTIONAL MATCH (a)-[:R]->(b) WHERE b.x = $x RETURN a, b",
    "MATCH (n:A) WHERE 3 < n.x <= 7 AND -1.5 = n.f AND n.ok = true RETURN n",
    "MATCH (n) WHERE 'red' IN n.colours RETURN n",
)
SCHEMATIC = (
    "MATCH (b:Branch)<-[:KEPT_AT]-(c:Copy)-[:COPY_OF]->(t:Title) WHERE t.pages > 300 RETURN b.name, t.name",
    "MATCH (t:Title)<-[:COPY_OF]-(c) RETURN t.name AS name, count(c) AS copies",
)


def rows(query: str, graph: PropertyGraph) -> int:
    with graphir.connect() as db:
        db.load(graph)
        return len(db.run(query, {"x": 5}).rows)


@pytest.mark.parametrize("query", QUERIES)
def test_most_graphs_have_rows(query: str) -> None:
    found = [rows(query, graph) for graph in samples([Question(query, parameters={"x": 5})], 12)]
    assert sum(map(bool, found)) >= 6
    assert not all(found) or "MATCH (a:A) OPTIONAL" in query


def test_a_seed_gives_the_same_graphs() -> None:
    def made(seed: int) -> list[object]:
        return [graph.to_dict() for graph in samples([Question(QUERIES[0])], 8, seed=seed)]

    assert made(3) == made(3)
    assert made(3) != made(4)


def test_sizes() -> None:
    assert max(len(graph.nodes) for graph in samples([Question("MATCH (n:A) RETURN n")], 40, size=2)) <= 2 + 3
    assert max(len(graph.nodes) for graph in samples([Question("MATCH (n:A) RETURN n")], 40, size=30)) > 15


@pytest.mark.parametrize("query", SCHEMATIC)
def test_graphs_conform_to_a_schema(query: str) -> None:
    known = schema("library")
    types = {(edge.type, edge.source, edge.target) for edge in known.edge_types}
    labels = {node.labels for node in known.node_types}
    filled = 0
    for graph in samples([Question(query)], 20, schema=known):
        carried = {node.id: tuple(sorted(node.labels)) for node in graph.nodes}
        assert set(carried.values()) <= labels
        assert {(edge.type, carried[edge.start], carried[edge.end]) for edge in graph.edges} <= types
        assert conform(graph, Declarations(known)).to_dict() == graph.to_dict()
        filled += bool(rows(query, graph))
    assert filled >= 10
    assert index_of(known)


def test_graphs_for_two_queries_fit_both() -> None:
    questions = [Question("MATCH (a:A {x: 4}) RETURN a"), Question("MATCH (b:B {y: 9})-[:R]->() RETURN b")]
    graphs = list(samples(questions, 30))
    assert all(sum(bool(rows(question.text, graph)) for graph in graphs) >= 8 for question in questions)
