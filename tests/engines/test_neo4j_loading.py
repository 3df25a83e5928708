"""The graph of a real Neo4j, in the embedded engine: the same nodes, edges and values."""

from __future__ import annotations

import pytest
from neo4j import Driver

import graphir
from graphir.loading.servers import graph_of
from graphir.values.conversions import from_neo4j

GRAPH = """
CREATE (a:LoadPerson:`Odd ``label` {name: 'Ada', born: date('2000-01-01'), tags: ['x'], none: [],
    at: datetime('2020-01-01T10:00:00.5+01:00[Europe/Berlin]'), home: point({x: 1, y: 2}), wait: duration('P1D'),
    shift: time('10:11:12+02:00'), local: localdatetime('2020-01-01T00:00:00.000000001'), f: 1.0})
CREATE (b:LoadPerson {name: 'Bo', mix: 's'}), (c:LoadPerson {name: 'Cy', mix: 2.5})
CREATE (a)-[:`LOAD LIVES` {since: 2010}]->(b)
CREATE (a)-[:LOAD_KNOWS]->(a), (b)-[:LOAD_KNOWS]->(c)
"""
QUERIES = (
    "MATCH (p:LoadPerson) RETURN properties(p) AS found, labels(p) AS labels ORDER BY p.name",
    "MATCH (p:LoadPerson)-[r]->(q) "
    "RETURN p.name AS p, type(r) AS type, properties(r) AS r, q.name AS q ORDER BY p, type",
    "MATCH (p:LoadPerson) RETURN p.mix AS mix, count(*) AS n ORDER BY mix",
)


def test_same_rows_as_there(neo4j: Driver) -> None:
    with neo4j.session() as session, session.begin_transaction() as transaction:
        transaction.run(GRAPH).consume()
        graph = graph_of(transaction)
        there = [[tuple(map(from_neo4j, record)) for record in transaction.run(query)] for query in QUERIES]
        transaction.rollback()
    with graphir.connect("duckdb") as db:
        db.load(graph)
        here = [db.run(query).rows for query in QUERIES]
    assert there[0]
    assert [[tuple(map(_sorted, row)) for row in rows] for rows in here] == [
        [tuple(map(_sorted, row)) for row in rows] for rows in there
    ]


def _sorted(value: object) -> object:
    """Labels come in no order."""
    return sorted(value) if isinstance(value, list) else value


def test_driver_and_address_are_sources(neo4j: Driver) -> None:
    with neo4j.session() as session:
        session.run("CREATE (:LoadOnce {x: 1})-[:LOAD_ONCE]->(:LoadOnce)").consume()
    try:
        with graphir.connect("duckdb") as db:
            loaded = db.load(neo4j)
            assert loaded.nodes >= 2
            [(node,)] = db.run("MATCH (n:LoadOnce {x: 1})-[:LOAD_ONCE]->() RETURN n").rows
            assert isinstance(node.id, str)
    finally:
        with neo4j.session() as session:
            session.run("MATCH (n:LoadOnce) DETACH DELETE n").consume()


def test_server_that_does_not_answer() -> None:
    with graphir.connect("duckdb") as db, pytest.raises(graphir.UsageFault) as caught:
        db.load("bolt://ann:secret@127.0.0.1:1/films")
    assert caught.value.diagnostics[0].code == "G660"
    assert "secret" not in str(caught.value)
