"""Reading queries on the embedded engine: what no public data set has."""

from collections.abc import Iterator
from typing import Any

import pytest

import graphir
from graphir.backends.engines.duckdb.session import Session

GRAPH = {
    "nodes": [
        {"id": 0, "labels": ["P"], "properties": {"name": "a", "age": 3}},
        {"id": 1, "labels": ["P", "Q"], "properties": {"name": "b", "age": 5.5}},
        {"id": 2, "labels": ["Q"], "properties": {"name": 1}},
        {"id": 3, "labels": [], "properties": {"Name": "upper", "name": "lower", "id": 7}},
    ],
    "edges": [
        {"id": 0, "type": "K", "start": 0, "end": 1, "properties": {"w": 1.5}},
        {"id": 1, "type": "L", "start": 1, "end": 2, "properties": {}},
        {"id": 2, "type": "K", "start": 2, "end": 2, "properties": {"w": None}},
    ],
}


@pytest.fixture(scope="module")
def db() -> Iterator[Session]:
    with graphir.connect("duckdb") as session:
        session.load(GRAPH)
        yield session


@pytest.mark.parametrize(
    ("query", "rows"),
    [
        ("MATCH (n:P) RETURN n.age + 1 AS x ORDER BY x", [(4,), (6.5,)]),
        ("MATCH (n) RETURN n.name AS x ORDER BY x", [("a",), ("b",), ("lower",), (1,)]),
        ("MATCH (n) WHERE n.id = 7 RETURN n.Name, n.name, id(n)", [("upper", "lower", 3)]),
        ("MATCH (n:P|Q) RETURN count(*)", [(3,)]),
        ("MATCH (n:P&!Q) RETURN n.name", [("a",)]),
        ("MATCH (n) WHERE n:Q AND NOT n:P RETURN n.name", [(1,)]),
        ("MATCH (a)--(b) RETURN id(a), id(b) ORDER BY id(a), id(b)", [(0, 1), (1, 0), (1, 2), (2, 1), (2, 2)]),
        ("MATCH (a)-[*2]->(b) RETURN id(a), id(b) ORDER BY id(a)", [(0, 2), (1, 2)]),
        ("MATCH (a:P) WHERE EXISTS { (a)-->(:Q) } RETURN count(a)", [(2,)]),
        ("MATCH (a) RETURN a.name, COUNT { (a)-->(b) WHERE b.name = 1 } AS c ORDER BY c DESC, id(a) LIMIT 1", [("b", 1)]),  # noqa: E501
        ("MATCH (a) RETURN collect { MATCH (a)-->(b) RETURN a.name + b.name AS t } AS l ORDER BY id(a) LIMIT 1", [(["ab"],)]),  # noqa: E501
        ("UNWIND [1, 1.0, 'x', null, [1], [1.0]] AS x RETURN DISTINCT x", [(1,), ("x",), (None,), ([1],)]),
        ("UNWIND [0.0 / 0.0, 0.0 / 0.0] AS x RETURN count(DISTINCT x)", [(1,)]),
        ("WITH 0.0 / 0.0 AS nan RETURN nan = nan, nan <> nan, nan > 1.0, 1.0 < nan, nan <= nan", [(False, True, False, False, False)]),  # noqa: E501
        ("RETURN 7 / 2, -7 / 2, -7 % 2, 7 / 2.0, 2 ^ 3", [(3, -3, -1, 3.5, 8.0)]),
        ("RETURN -9223372036854775808 AS x", [(-(1 << 63),)]),
        ("UNWIND [2, 0] AS x WITH x WHERE x <> 0 AND 4 / x = 2 RETURN x", [(2,)]),
        ("MATCH (a:P) CALL (a) { MATCH (a)-->(b) RETURN count(b) AS c } RETURN a.name, c ORDER BY a.name", [("a", 1), ("b", 1)]),  # noqa: E501
        ("MATCH (a:P) CALL { MATCH (a)-->(b) RETURN count(b) AS c } RETURN DISTINCT c", [(3,)]),
        ("MATCH (a) OPTIONAL MATCH (a)-[r:L]->(b) RETURN id(a), type(r), b.name ORDER BY id(a)", [(0, None, None), (1, "L", 1), (2, None, None), (3, None, None)]),  # noqa: E501
        ("WITH [3, 1, 2] AS l UNWIND l AS x WITH x ORDER BY x RETURN collect(x)", [([1, 2, 3],)]),
        ("RETURN reduce(t = '', x IN ['a', 'b'] | t + x) AS t, [x IN range(1, 5) WHERE x % 2 = 1 | x * x] AS l", [("ab", [1, 9, 25])]),  # noqa: E501
        ("RETURN any(x IN [1, null] WHERE x > 1) AS a, none(x IN [] WHERE x) AS n", [(None, True)]),
        ("RETURN {a: 1, A: 2} AS m, {a: 1, A: 2}.A AS x", [({"A": 2, "a": 1}, 2)]),
        ("MATCH (n {name: 'a'}) RETURN n {.*, extra: 1} AS m", [({"age": 3, "name": "a", "extra": 1},)]),
        ("MATCH (n) WITH [n, 1] AS l UNWIND l AS x WITH x WHERE x = 1 RETURN count(*)", [(4,)]),
        ("MATCH (n:P) WITH coalesce(n, 1) AS x RETURN x.name ORDER BY x.name", [("a",), ("b",)]),
        ("MATCH (n) RETURN count(n), count(n.age), sum(n.age), avg(n.age), max(n.name)", [(4, 2, 8.5, 4.25, 1)]),
        ("MATCH (n:Missing) RETURN count(n), collect(n.x), sum(n.x), avg(n.x), min(n.x)", [(0, [], 0, None, None)]),
        ("UNWIND range(5, 1, -2) AS x RETURN collect(x)", [([5, 3, 1],)]),
        ("UNWIND range(1, 3) AS x UNWIND range(x, 2) AS y RETURN x, y", [(1, 1), (1, 2), (2, 2)]),
        ("UNWIND [1, 1.0, 2.0, 2] AS x RETURN x, count(*) AS c", [(1, 2), (2.0, 2)]),
        ("CALL db.labels()", [("P",), ("Q",)]),
        ("CALL db.relationshipTypes() YIELD relationshipType AS t WHERE t <> 'K' RETURN t", [("L",)]),
        ("CALL db.propertyKeys() YIELD propertyKey RETURN count(*)", [(5,)]),
        ("MATCH (n:$('P')) RETURN n.name", [("a",), ("b",)]),
        ("UNWIND ['P', 'Q'] AS l MATCH (n:$(l)) RETURN l, count(*)", [("P", 2), ("Q", 2)]),
        ("UNWIND ['K', 'L'] AS t MATCH ()-[r:$(t)]->() RETURN t, count(*)", [("K", 2), ("L", 1)]),
        ("MATCH (n) RETURN n.age AS x NEXT WHEN x > 4 THEN RETURN 1 AS y WHEN x IS NULL THEN RETURN 2 AS y ELSE RETURN 3 AS y", [(3,), (1,), (2,), (2,)]),  # noqa: E501
        ("RETURN 1 IS :: INTEGER | STRING AS a, null IS :: INTEGER NOT NULL AS b, 'a' IS NORMALIZED AS c", [(True, False, True)]),  # noqa: E501
        ("RETURN allReduce(a = 0, x IN [1, 2] | a + x, a < 3) AS a, allReduce(a = 0, x IN [1, 2] | a + x, a < 4) AS b", [(False, True)]),  # noqa: E501
        ("MATCH (n:P) RETURN reduce(a = '', m IN [n, n] | a + m.name) AS t", [("aa",), ("bb",)]),
        ("MATCH (n:P) WHERE properties([n, 1][0]).name = 'a' RETURN keys([n, 1][0]) AS k", [(["age", "name"],)]),
        ("RETURN 1 AS x UNION RETURN 1.0 AS x UNION RETURN 'a' AS x", [(1,), ("a",)]),
    ],
)  # fmt: skip
def test_rows(db: Session, query: str, rows: list[tuple[Any, ...]]) -> None:
    result = db.run(query)
    assert sorted(map(repr, result.rows)) == sorted(map(repr, rows))


def test_entities_have_identity_and_properties(db: Session) -> None:
    path = db.run("MATCH p = (:P {name: 'a'})-[:K]->() RETURN p").rows[0][0]
    assert isinstance(path, graphir.Path)
    assert [node.id for node in path.nodes] == [0, 1]
    assert path.nodes[1].labels == ("P", "Q")
    assert path.edges[0] == graphir.Edge(0, "K", 0, 1)
    assert path.edges[0].properties == {"w": 1.5}


@pytest.mark.parametrize(
    ("query", "code", "place"),
    [
        ("UNWIND [1] AS x RETURN x / (x - 1)", "G631", None),
        ("RETURN 9223372036854775807 + 1", "G630", None),
        ("UNWIND [1, 'a'] AS x RETURN 1, x - 1", "G632", (1, 32)),
        ("RETURN $x", "G604", (1, 8)),
        ("UNWIND [1] AS x RETURN x LIMIT $n", "G604", None),
    ],
)
def test_faults_at_run_time(db: Session, query: str, code: str, place: tuple[int, int] | None) -> None:
    with pytest.raises(graphir.RunFault) as raised:
        db.run(query)
    found = raised.value.diagnostics[0]
    assert found.code == code
    assert place is None or place == (found.line, found.column)


@pytest.mark.parametrize("value", [1, 1.5, "x", True, None, [1, "a", None], [], {"a": [1]}, {}, [{"a": 1}, {"b": 2}]])
def test_parameters_come_back(db: Session, value: Any) -> None:
    assert db.run("RETURN $value AS v", {"value": value}).rows == [(value,)]
    assert db.run("UNWIND [1] AS x WITH x, $value AS v RETURN DISTINCT v", {"value": value}).rows == [(value,)]


@pytest.mark.parametrize("text", ["x OR " * 2000 + "x", "NOT (" * 150 + "x" + ")" * 150, "[" * 200 + "1" + "]" * 200])
def test_long_and_deep_expressions(db: Session, text: str) -> None:
    assert len(db.run(f"UNWIND [true] AS x RETURN {text} AS y").rows) == 1


def test_explain_runs_nothing() -> None:
    with graphir.connect("duckdb") as session:
        session.run("CREATE (:A)")
        assert session.run("EXPLAIN MATCH (n) DETACH DELETE n").rows == []
        assert session.run("PROFILE MATCH (n) RETURN count(n) AS c").rows == [(1,)]
        assert session.run("MATCH (n) FINISH").columns == ()


def test_rows_that_change_the_same_element_see_each_other() -> None:
    with graphir.connect("duckdb") as session:
        session.run("CREATE (:A {c: 0}), (:A {c: 10})")
        session.run("MATCH (n:A) UNWIND [1, 2, 3] AS i SET n.c = n.c * 2 + i")
        assert sorted(session.run("MATCH (n:A) RETURN n.c").rows) == [(11,), (91,)]
        session.run("UNWIND range(1, 9) AS i MERGE (m:M {k: i % 3}) ON CREATE SET m.n = 1 ON MATCH SET m.n = m.n + 1")
        assert session.run("MATCH (m:M) RETURN m.n").rows == [(3,), (3,), (3,)]
