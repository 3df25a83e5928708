"""The embedded engine gives the rows that a real Neo4j gives: random pairs of graph and query, writes among them.

GRAPHIR_PAIRS says how many pairs are compared (200).
"""

from __future__ import annotations

import os

from neo4j import Driver

import graphir
from tests.engines import pairs
from tests.engines.differential import PER_GRAPH, VERSIONS, comparable
from tests.engines.neo4j_server import loaded

PAIRS = int(os.environ.get("GRAPHIR_PAIRS", "200"))

WRITES = (
    "MATCH (a:A) SET a.x = coalesce(a.x, 0) + 1 RETURN a.i AS i, a.x AS x",
    "MATCH (a)-[e:R]->(b) SET e.w = a.i * 10 + b.i RETURN e.k AS k, e.w AS w",
    "MATCH (a:A) WITH count(a) AS n CREATE (c:C {n: n}) WITH c MATCH (d:C) RETURN d.n AS n",
    "MATCH (a) MERGE (m:M {b: coalesce(a.b, false)}) ON CREATE SET m.n = 1 ON MATCH SET m.n = m.n + 1 "
    "WITH DISTINCT m RETURN m.b AS b, m.n AS n",
    "MATCH (a)-[:R]->(b) MERGE (a)-[t:T]->(b) WITH DISTINCT t RETURN startNode(t).i AS a, endNode(t).i AS b",
    "MATCH (a)-[e:S]->() DELETE e WITH count(e) AS n OPTIONAL MATCH ()-[f]->() RETURN n, count(f) AS f",
    "MATCH (a:B) DETACH DELETE a WITH count(a) AS n OPTIONAL MATCH (c) RETURN n, count(c) AS c",
    "MATCH (a:A) SET a:New REMOVE a:A WITH count(a) AS n OPTIONAL MATCH (m:New) RETURN n, count(m) AS m",
    "MATCH (a) WITH collect(a) AS xs FOREACH (a IN xs | SET a.z = a.i) WITH xs UNWIND xs AS a RETURN a.z AS z",
    "MATCH (a) CALL (a) { CREATE (c:Copy {i: a.i}) RETURN c } RETURN c.i AS i",
    "MATCH (a:A) SET a = {q: a.i} RETURN properties(a).q AS q, size(keys(a)) AS n",
)
"""Statements that write and then say what they did."""


def test_reads(neo4j: Driver) -> None:
    different = []
    with graphir.connect() as db:
        for start in range(0, PAIRS, PER_GRAPH):
            graph = pairs.graph(start // PER_GRAPH)
            db.clear()
            db.load(graph)
            with loaded(neo4j, graph) as transaction:
                for seed in range(start, min(start + PER_GRAPH, PAIRS)):
                    pair = pairs.pair(seed)
                    dialect = "neo4j-5" if seed % 2 else "neo4j-25"
                    answer = transaction.run(f"{VERSIONS[dialect]} {pair.query}")
                    wanted = comparable([record.values() for record in answer], pair.ordered)
                    rows = [[_plain(value) for value in row] for row in db.run(pair.query, dialect=dialect).rows]
                    if comparable(rows, pair.ordered) != wanted:
                        different.append((seed, pair.query))
    assert different == []


def test_writes(neo4j: Driver) -> None:
    different = []
    with graphir.connect() as db:
        for number in range(12):
            graph = pairs.graph(number)
            for query in WRITES:
                db.clear()
                db.load(graph)
                with loaded(neo4j, graph) as transaction:
                    answer = transaction.run(f"CYPHER 25 {query}")
                    wanted = comparable([record.values() for record in answer], False)
                found = db.run(query, dialect="neo4j-25").rows
                if comparable(found, False) != wanted:
                    different.append((number, query, wanted, found))
    assert different == []


def _plain(value: object) -> object:
    """Dates as their text, as the comparison has them; also inside of lists."""
    if isinstance(value, list):
        return [_plain(item) for item in value]
    return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)
