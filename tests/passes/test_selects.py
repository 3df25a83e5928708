"""SELECT over GRAPH_TABLE as a graph query: the rows that it gives, and what is refused."""

from __future__ import annotations

from typing import Any

import pytest

import graphir
from graphir import ir
from graphir.passes import conditions
from graphir.passes.gql.settling import settle
from graphir.passes.normalize import normalize
from graphir.passes.scope import analyze
from graphir.source import Source
from tests import loaded

GRAPH = """
CREATE (a:P {k: 1, s: 'x'}), (b:P {k: 2, s: 'y'}), (c:P {k: 3, s: 'x'}),
       (a)-[:T {w: 10}]->(b), (a)-[:T {w: 20}]->(c), (b)-[:T {w: 30}]->(c)
"""
NODES = "GRAPH_TABLE(g MATCH (n:P) RETURN n.k, n.s)"
EDGES = "GRAPH_TABLE(g MATCH (n:P)-[e:T]->(m) RETURN n.k AS f, m.k AS t, e.w)"


db = loaded.embedded(GRAPH)


def core(text: str, dialect: str = "pgq-googlesql") -> ir.Query:
    return normalize(graphir.parse(text, dialect), Source(text), dialect)


CASES: list[tuple[str, tuple[str, ...], list[tuple[Any, ...]]]] = [
    (f"SELECT t.k FROM {NODES} AS t WHERE t.s = 'x' ORDER BY 1 DESC", ("k",), [(3,), (1,)]),
    (f"SELECT * FROM {NODES} ORDER BY k LIMIT 1 OFFSET 1", ("k", "s"), [(2, "y")]),
    (f"SELECT k, K FROM {NODES} ORDER BY 1 LIMIT 1", ("k", "k"), [(1, 1)]),
    (f"SELECT COUNT(*), MAX(k) FROM {NODES}", ("", ""), [(3, 3)]),
    (f"SELECT s, SUM(k) AS total FROM {NODES} GROUP BY s HAVING SUM(k) > 2 ORDER BY s", ("s", "total"), [("x", 4)]),
    (f"SELECT *, COUNT(*) AS c FROM {NODES} GROUP BY 1, 2 ORDER BY 2, 1 LIMIT 1", ("k", "s", "c"), [(1, "x", 1)]),
    (f"SELECT k + 1 AS j FROM {NODES} GROUP BY j ORDER BY j LIMIT 1", ("j",), [(2,)]),
    (f"SELECT DISTINCT s FROM {NODES} ORDER BY s", ("s",), [("x",), ("y",)]),
    (f"SELECT s FROM {NODES} ORDER BY -k", ("s",), [("x",), ("y",), ("x",)]),
    (f"SELECT * EXCEPT (s) FROM {NODES} ORDER BY k DESC LIMIT 1", ("k",), [(3,)]),
    (f"SELECT * REPLACE (k * 10 AS k) FROM {NODES} ORDER BY 1 LIMIT 1", ("k", "s"), [(10, "x")]),
    (f"SELECT a.k, b.k FROM {NODES} a, {NODES} b WHERE a.k > b.k ORDER BY 1, 2 LIMIT 2", ("k", "k"), [(2, 1), (3, 1)]),
    (f"SELECT a.k, w FROM {NODES} a JOIN {EDGES} b ON a.k = b.f ORDER BY w", ("k", "w"), [(1, 10), (1, 20), (2, 30)]),
    (
        f"SELECT k, w FROM {NODES} LEFT JOIN {EDGES} ON k = f AND w > 10 ORDER BY k",
        ("k", "w"),
        [(1, 20), (2, 30), (3, None)],
    ),
    (
        f"SELECT w, k FROM {EDGES} RIGHT JOIN {NODES} ON k = f AND w > 10 ORDER BY k",
        ("w", "k"),
        [(20, 1), (30, 2), (None, 3)],
    ),
    (f"SELECT * FROM {NODES} a JOIN {NODES} b USING (k) ORDER BY k LIMIT 1", ("k", "s", "s"), [(1, "x", "x")]),
    (f"SELECT * FROM {NODES} RIGHT JOIN (SELECT 7 AS x) ON FALSE", ("k", "s", "x"), [(None, None, 7)]),
    (f"WITH t AS (SELECT k FROM {NODES}) SELECT a.k FROM t a JOIN t b ON a.k = b.k + 2", ("k",), [(3,)]),
    (f"SELECT k FROM {NODES} UNION ALL SELECT f FROM {EDGES} ORDER BY 1 LIMIT 3", ("k",), [(1,), (1,), (1,)]),
    (f"SELECT k FROM {NODES} EXCEPT DISTINCT SELECT f FROM {EDGES}", ("k",), [(3,)]),
    (f"SELECT k FROM {NODES} AS a WHERE EXISTS (SELECT 1 FROM {EDGES} WHERE f = a.k) ORDER BY k", ("k",), [(1,), (2,)]),
    (
        f"SELECT k, (SELECT MAX(w) FROM {EDGES} WHERE f = k) AS m FROM {NODES} ORDER BY k",
        ("k", "m"),
        [(1, 20), (2, 30), (3, None)],
    ),
    (f"SELECT ARRAY(SELECT k FROM {NODES} ORDER BY k DESC) AS l", ("l",), [([3, 2, 1],)]),
    (f"SELECT k IN (SELECT f FROM {EDGES}) AS i FROM {NODES} ORDER BY k", ("i",), [(True,), (True,), (False,)]),
    ("SELECT x, o FROM UNNEST([5, 6]) AS x WITH OFFSET AS o ORDER BY o", ("x", "o"), [(5, 0), (6, 1)]),
    ("SELECT l, y FROM (SELECT [1, 2] AS l) t, t.l AS y ORDER BY y", ("l", "y"), [([1, 2], 1), ([1, 2], 2)]),
    ("SELECT 1 AS a, 'b'", ("a", ""), [(1, "b")]),
    ("SELECT m.k FROM GRAPH_TABLE(g MATCH (n {k: 1})-[e]->(m)) ORDER BY 1", ("k",), [(2,), (3,)]),
    ("SELECT * FROM GRAPH_TABLE(g MATCH (n) WHERE n.k = 1 COLUMNS (n.k, n.k + 1 AS j))", ("k", "j"), [(1, 2)]),
    (
        "SELECT (SELECT COUNT(*) FROM GRAPH_TABLE(g MATCH (n) WHERE n.k > t.x RETURN n.k)) AS c FROM (SELECT 1 AS x) t",
        ("c",),
        [(2,)],
    ),
    ("SELECT n.k FROM GRAPH_TABLE(g MATCH (n) RETURN n) GROUP BY n ORDER BY n.k LIMIT 1", ("k",), [(1,)]),
    (
        "SELECT z FROM GRAPH_TABLE(g MATCH (n) RETURN n.k AS z, n.s AS y NEXT RETURN * ORDER BY z LIMIT 1)",
        ("z",),
        [(1,)],
    ),
]


@pytest.mark.parametrize(("text", "columns", "rows"), CASES, ids=[text[:60] for text, _, _ in CASES])
def test_rows(db: Any, text: str, columns: tuple[str, ...], rows: list[tuple[Any, ...]]) -> None:
    result = db.run(text, dialect="pgq-googlesql")
    assert [name.lower() for name in result.columns] == list(columns)
    assert [tuple(row) for row in result.rows] == rows
    assert conditions.violations(core(text)) == []


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        (
            "MATCH (n) WHERE EXISTS(SELECT 1 FROM GRAPH_TABLE(g MATCH (m) WHERE m.k = n.k + 2 RETURN m.k)) RETURN n.k",
            [(1,)],
        ),
        ("LET l = [1, 2] RETURN ARRAY(SELECT x * 2 FROM UNNEST(l) AS x ORDER BY x DESC) AS d", [([4, 2],)]),
        ("MATCH (n) RETURN SUM((SELECT x FROM UNNEST([n.k]) AS x)) AS s", [(6,)]),
        ("MATCH (n)-[e]->{2}(m) RETURN (SELECT SUM(x.w) FROM UNNEST(e) AS x) AS s", [(40,)]),
    ],
)
def test_sql_inside_of_gql(db: Any, text: str, rows: list[tuple[Any, ...]]) -> None:
    assert [tuple(row) for row in db.run(f"GRAPH g {text}", dialect="gql-spanner").rows] == rows


@pytest.mark.parametrize(
    ("text", "reason", "column"),
    [
        ("SELECT 1 FROM t", "no part of a graph", 15),
        (f"SELECT 1 FROM {NODES} a FULL JOIN {NODES} b ON a.k = b.k", "FULL JOIN", 15),
        (f"SELECT NTILE(2) OVER (ORDER BY s) AS x FROM {NODES}", "OVER", 8),
        (f"SELECT k, COUNT(*) FROM {NODES}", "neither grouped nor aggregated", 8),
        (f"SELECT k FROM {NODES} ORDER BY 2", "no column 2", 67),
        (f"SELECT k FROM {NODES} UNION ALL SELECT k, s FROM {NODES}", "numbers of columns", 1),
        (f"SELECT k FROM {NODES} TABLESAMPLE BERNOULLI (1 PERCENT)", "TABLESAMPLE", 15),
        ("SELECT n.* FROM GRAPH_TABLE(g MATCH (n) RETURN n)", "fields of a value", 8),
        ("WITH RECURSIVE t AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM t) SELECT x FROM t", "RECURSIVE", 22),
    ],
)
def test_what_is_no_graph_query(text: str, reason: str, column: int) -> None:
    with pytest.raises(graphir.Unsupported) as raised:
        core(text)
    found = raised.value.diagnostics[0]
    assert (found.code, found.column) == ("G580", column)
    assert reason in found.message


@pytest.mark.parametrize(
    ("text", "name", "column"),
    [
        (f"SELECT z FROM {NODES}", "z", 8),
        (f"SELECT k FROM {NODES} t WHERE t.z = 1", "t.z", None),
        (f"SELECT a.k FROM {NODES} b", "a", 8),
        ("SELECT k FROM GRAPH_TABLE(g MATCH (n) RETURN m.k)", "m", 46),
    ],
)
def test_names_that_are_none(text: str, name: str, column: int | None) -> None:
    settled = settle(graphir.parse(text, "pgq-googlesql"), "pgq-googlesql")
    found = analyze(settled, Source(text)).diagnostics
    assert [each.code for each in found] == ["G101"]
    assert f"`{name}`" in found[0].message
    assert found[0].column == (column or text.index(f"{name} ") + 1)
