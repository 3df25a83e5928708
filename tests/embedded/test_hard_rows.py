"""Queries that the embedded engine once got wrong or refused, on one small graph; the rows are those of Neo4j."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import graphir
from graphir.backends.engines.duckdb.session import Session

GRAPH = """CREATE (a:A {i: 0, m: 'a', x: 1}), (b:A {i: 1, m: 2, x: 5}), (a)-[:R {k: 0}]->(b), (b)-[:R {k: 1}]->(a)"""
CASES: list[tuple[str, list[tuple[Any, ...]]]] = [
    # DISTINCT of outer variables alone inside of a subquery
    ("MATCH (n) WHERE size(COLLECT { MATCH (n)-->(z) RETURN DISTINCT n.m AS c }) = 1 RETURN n.i ORDER BY n.i",
     [(0,), (1,)]),
    ("MATCH (n) CALL (n) { MATCH (z) RETURN DISTINCT n.m AS c } RETURN n.i, c ORDER BY n.i", [(0, "a"), (1, 2)]),
    ("MATCH (n) CALL (n) { MATCH (z) WITH DISTINCT n.m AS c, n WITH c, count(n.x) AS d RETURN * } "
     "RETURN n.i, c, d ORDER BY n.i", [(0, "a", 1), (1, 2, 1)]),
    ("MATCH (n) RETURN sum(COUNT { MATCH (z) RETURN DISTINCT n.m AS c }) AS x", [(2,)]),
    ("MATCH (n) CALL { WITH n MATCH (z) RETURN DISTINCT n.m AS c } RETURN n.i, c ORDER BY n.i", [(0, "a"), (1, 2)]),
    ("MATCH (n) CALL { WITH n MATCH (z) RETURN sum(n.x) AS c } RETURN n.i, c ORDER BY n.i", [(0, 2), (1, 10)]),
    # predicates of a repetition that speak of nodes of the clause, walked from its other end
    ("MATCH (a) MATCH (b)((c)<-[e:R]-(d) WHERE d.x >= b.x)+(a) RETURN b.i, a.i ORDER BY b.i, a.i", [(0, 0), (0, 1)]),
    # no way of length zero from null
    ("OPTIONAL MATCH (o:Z) RETURN EXISTS { MATCH (o)<-[:R*0..1]-(n) } AS x", [(False,)]),
    ("OPTIONAL MATCH (o:Z) MATCH (o)-[*0..1]-(n) RETURN n.i", []),
    # constant sort keys; a sign makes no negative zero
    ("MATCH (n) RETURN n:% AS c, n.i ORDER BY c, n.i", [(True, 0), (True, 1)]),
    ("MATCH (n) RETURN DISTINCT toString(-(n.x * 0.0)) AS z", [("0.0",)]),
    # no list has an element at the largest integer
    ("UNWIND [0, -2, 9223372036854775807, null] AS i RETURN [1, 2][i] AS a, [1, 2][9223372036854775807] AS b",
     [(1, None), (1, None), (None, None), (None, None)]),
    # a list of one item that is read of a node which is not there
    ("MATCH (n) RETURN [[n][2].x] AS a, 1 IN [[n][2].x] AS b, [head([n, n][3..]).m] AS c, [[n][0].x] AS d ORDER BY n.i",
     [([None], None, [None], [1]), ([None], None, [None], [5])]),
    # what Neo4j computes when it plans divides by the integer zero as by 0.0
    ("RETURN 1.0 / 0 AS a, (1.0 + 1) / (1 - 1) AS b, -1.0 / 0 AS c",
     [(float("inf"), float("inf"), float("-inf"))]),
    # the sum of no durations
    ("MATCH (n) RETURN sum(duration.between(n.t, n.t)) AS s", [(0,)]),
]  # fmt: skip


@pytest.fixture(scope="module")
def db() -> Iterator[Session]:
    with graphir.connect("duckdb") as session:
        session.run(GRAPH)
        yield session


@pytest.mark.parametrize(("query", "rows"), CASES)
def test_rows(db: Session, query: str, rows: list[tuple[Any, ...]]) -> None:
    for dialect in ("neo4j-5", "neo4j-25"):
        found = db.run(query, dialect=dialect).rows
        assert found == rows
        assert [[type(value) for value in row] for row in found] == [[type(value) for value in row] for row in rows]


@pytest.mark.parametrize(
    "query",
    [
        "MATCH (n) RETURN 2.0 / n.i AS x",
        "WITH 0 AS z RETURN 1.0 / z AS x",
        "WITH 1.0 AS z RETURN z / 0 AS x",
        "RETURN 1.0 / ($one - 1) AS x",
        "RETURN [z IN [0] | 1.0 / z] AS x",
    ],
)
def test_a_float_by_the_integer_zero(db: Session, query: str) -> None:
    with pytest.raises(graphir.RunFault) as caught:
        db.run(query, {"one": 1})
    assert caught.value.diagnostics[0].code == "G631"


def test_the_greatest_of_properties_named_by_a_parameter() -> None:
    """The property is looked up by a query, which stands once in the aggregate."""
    with graphir.connect() as db:
        db.run("UNWIND ['2020-02-29T00:00', '2021-01-01T00:00'] AS t CREATE ({m: localdatetime(t)})")
        rows = db.run("MATCH (n) RETURN toString(max(n[$p])) AS a, toString(min(n[$p])) AS b", {"p": "m"}).rows
    assert rows == [("2021-01-01T00:00:00", "2020-02-29T00:00:00")]


@pytest.mark.parametrize("key", ["", "w", "w0", "t1", "c3", "n2", "\0", "id", "ID", 'a"b'])
def test_properties_of_any_name(key: str) -> None:
    """Also of those that statements use for tables: a structure of that name would hide the table."""
    zoned = graphir.connect().run("RETURN datetime('2020-01-01T00:00Z') AS d").rows[0][0]
    graph = graphir.PropertyGraph(
        (graphir.Node(1, ("A",), {key: zoned}), graphir.Node(2, ("A",), {"k": 1})),
        (graphir.Edge(1, "R", 1, 2, {key: zoned}),),
    )
    with graphir.connect() as db:
        db.load(graph)
        query = (
            "MATCH (a)-[x]->(b) SET b.s = 1 WITH count(*) AS c OPTIONAL MATCH (m) RETURN c, properties(m)[$key] AS v"
        )
        assert sorted(db.run(query, {"key": key}).rows, key=repr) == [(1, zoned), (1, None)]
        nested = "MATCH (a) RETURN COUNT { (a)-[r]->(b) WHERE r[$key] = a[$key] AND b.k = 1 } AS c ORDER BY c"
        assert db.run(nested, {"key": key}).rows == [(0,), (1,)]


def test_branches_that_begin_alike_keep_their_rows() -> None:
    """DuckDB 2.0.1 gives 24 of the second query: one of its optimizers is switched off."""
    first = "MATCH (a)-[e WHERE e.w < 1]-(b) MATCH (b)-->(c:A|B) WHERE b.x <= c.x RETURN a.i AS n"
    second = (
        "MATCH (a)-[e WHERE e.w < 1]-(b) MATCH (b)-->(d) MATCH (d)-->(c:A|B) WHERE b.x <= d.x AND d.x <= c.x "
        "RETURN a.i AS n"
    )
    with graphir.connect() as engine:
        engine.run(
            "CREATE (a:A {i: 0, x: 3}), (b:A:B {i: 1, x: 0}), (c:A:B {i: 2, x: 3}), (d:A {i: 3, x: -1}), "
            "(e:A {i: 4, x: 1}), (b)-[:S {w: 1}]->(c), (c)-[:S {w: 2}]->(a), (e)-[:S {w: 0}]->(b), "
            "(b)-[:R {w: 0}]->(e), (a)-[:R {w: 0}]->(e), (a)-[:S {w: 2}]->(e), (e)-[:S {w: 3}]->(e), "
            "(a)-[:S {w: 3}]->(b), (d)-[:S]->(d), (b)-[:R {w: 1}]->(b)"
        )
        counts = [len(engine.run(query).rows) for query in (first, second)]
        both = engine.run(f"CALL () {{ {first} UNION ALL {second} }} RETURN count(*) AS n").rows
    assert counts == [9, 13]
    assert both == [(22,)]
