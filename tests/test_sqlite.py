"""SQLite: its SQL text and its driver give the embedded engine's rows; what has no value there is no answer."""

from __future__ import annotations

import itertools
import json
import os
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pytest

import graphir
from graphir.backends.engines.drivers.sqlite import SQLite, writer
from graphir.backends.engines.relational import Change
from graphir.backends.sql import reps, targets
from graphir.backends.sql.reps import Rep
from graphir.backends.sql.targets import Statement
from graphir.backends.sql.targets.sqlite_pieces import NO_FLOATS, NOT_A_NUMBER
from graphir.diagnostics import GraphirError
from graphir.graphs import PropertyGraph
from graphir.schema.model import DataType, NodeType, PropertyType, Schema
from graphir.values.dates import Date
from graphir.values.datetimes import LocalDateTime
from graphir.values.entities import Edge, Node
from tests.engines import sql_cases, sql_constructs, sql_texts
from tests.engines.sql_tables import Laid

PAIRS = int(os.environ.get("GRAPHIR_PAIRS", "96"))
"""How many random queries are compared."""

MOST = (1 << 63) - 1
GRAPH = PropertyGraph(
    (
        Node("a", ("A",), {"x": MOST, "f": 0.1, "s": "it's\n\"\\é", "on": True, "born": Date.of(1815, 12, 10)}),
        Node(
            "b", ("A",), {"x": 2, "f": -0.0, "s": "", "on": False, "at": LocalDateTime.parse("2020-01-01T10:11:12.5")}
        ),
        Node(7, ("A", "B"), {"xs": [1, None, -MOST], "ss": ["a", '"b"\t'], "nested": [[1], []], "flags": [True, None]}),
    ),
    (Edge("r", "R", "a", "b", {"w": 1.5}), Edge("l", "R", 7, 7)),
)


@pytest.fixture(scope="module")
def db() -> Iterator[SQLite]:
    with SQLite() as session:
        session.load(GRAPH)
        yield session


ANSWERS: list[tuple[str, list[Any]]] = [
    ("MATCH (n:A) RETURN n.x AS x ORDER BY x", [2, MOST, None]),
    ("MATCH (n:A {s: ''}) RETURN n", [GRAPH.nodes[1]]),
    ("MATCH (n:B) RETURN n.xs AS xs", [[1, None, -MOST]]),
    ("MATCH (n:B) RETURN n.nested AS xs", [[[1], []]]),
    ("MATCH (n:B) RETURN n.flags AS xs", [[True, None]]),
    ("MATCH (n:B) UNWIND n.flags AS x RETURN x", [True, None]),
    ("MATCH (n:B) RETURN [n.xs[0], n.xs[-1], n.xs[3]] AS some", [[1, -MOST, None]]),
    ("MATCH (n:A) WHERE n.on RETURN n.s AS s", ["it's\n\"\\é"]),
    ("MATCH (n:A) WHERE n.on RETURN n.born AS d", [Date.of(1815, 12, 10)]),
    ("MATCH (n:A) WHERE n.at IS NOT NULL RETURN n.at AS t", [LocalDateTime.parse("2020-01-01T10:11:12.5")]),
    ("MATCH (:A)-[r:R]->() RETURN r.w AS w ORDER BY w", [1.5, None]),
    ("MATCH (n:A)-[r:R]->(m) RETURN collect(r) AS rs", [[GRAPH.edges[0], GRAPH.edges[1]]]),
    ("MATCH p = (:A {s: ''})<-[:R]-() RETURN [n IN nodes(p) | n.x] AS xs", [[2, MOST]]),
    ("UNWIND [3, 1, 2] AS x WITH x ORDER BY x DESC RETURN collect(x) AS xs", [[3, 2, 1]]),
    ("UNWIND [3, 1, 2, 4] AS x WITH x ORDER BY x RETURN x % 2 AS k, collect(x) AS xs ORDER BY k", [0, 1]),
    ("UNWIND [[2], [1, 3]] AS x RETURN collect(x) AS xs", [[[2], [1, 3]]]),
    ("UNWIND [1, 2] AS x RETURN COLLECT { UNWIND [3, 1] AS y RETURN x + y ORDER BY y } AS ys", [[2, 4], [3, 5]]),
    ("RETURN range(5, 1, -2) AS xs", [[5, 3, 1]]),
    ("RETURN [x IN [1, 2, 3] WHERE x > 1 | x * 2] AS xs", [[4, 6]]),
    ("RETURN -7 / 2 AS x", [-3]),
    ("RETURN -7 % 3 AS x", [-1]),
    ("RETURN 7 / 2.0 AS x", [3.5]),
    ("RETURN (1 + 2) * (3 + 4) - (5 * 6) AS x", [-9]),
    ("RETURN toString(true) + toString(12) AS s", ["true12"]),
    ("RETURN 'abc' ENDS WITH 'xabc' AS x", [False]),
    ("RETURN 'abc' ENDS WITH '' AS x", [True]),
    ("RETURN 'abc' CONTAINS '' AS x", [True]),
    ("RETURN null STARTS WITH 'a' AS x", [None]),
    ("RETURN 0.1 + 0.2 AS x", [0.1 + 0.2]),
    ("RETURN floor(-1.5) AS x", [-2.0]),
    ("RETURN ceil(1.2) AS x", [2.0]),
    ("RETURN true AS x, count(*) AS c", [True]),
    ("UNWIND [1, 2, 3] AS x RETURN x SKIP 1", [2, 3]),
    ("MATCH (n:A) RETURN count(n.x) > 1 AS many", [True]),
    ("MATCH (x:B)<-[:R]-(y:B), (m)-[q]->{0,2}(o) RETURN count(*) AS c", [4]),
    ("MATCH (n:A) WHERE EXISTS { MATCH (m) RETURN n.x AS x ORDER BY x LIMIT 2 } RETURN count(*) AS c", [3]),
    (
        "MATCH (n:A) RETURN COLLECT { MATCH (m:B) RETURN n.on AS s ORDER BY s } AS c ORDER BY n.x",
        [[False], [True], [None]],
    ),
    ("RETURN date('0001-01-01') AS d", [Date.of(1)]),
    (
        "UNWIND [1, 2] AS x CALL (x) { UNWIND [1, 2, 3] AS y WITH y WHERE y > x RETURN y } RETURN x * 10 + y AS z",
        [12, 13, 23],
    ),
    (
        "MATCH (n:A) CALL (n) { MATCH (n)-[r:R]->(m) RETURN m, [r] AS rs, n.on AS b } RETURN rs",
        [[GRAPH.edges[0]], [GRAPH.edges[1]]],
    ),
    (
        "MATCH (n:A) OPTIONAL CALL (n) { MATCH (n)-->(m:B) RETURN m.ss AS s, true AS b } RETURN s ORDER BY n.x",
        [None, None, ["a", '"b"\t']],
    ),
    (
        "UNWIND [3, 1] AS x CALL (x) { UNWIND [1, 2, 3] AS y WITH x, y ORDER BY y DESC LIMIT 1 RETURN y } RETURN y",
        [3, 3],
    ),
    ("RETURN date('2020-02-29') > date('1999-12-31') AS d", [True]),
    ("RETURN reverse('añ😀b') AS s", ["b😀ña"]),
    ("RETURN reverse('') AS s", [""]),
    ("RETURN split('a,,b,', ',') AS s", [["a", "", "b", ""]]),
    ("RETURN split('', ',') AS s", [[""]]),
    ("RETURN split('a<>b<>', '<>') AS s", [["a", "b", ""]]),
    ("MATCH (n:A) RETURN split(n.s, 'x') IS NULL AS none, reverse(n.s) AS r ORDER BY none", [False, False, True]),
    ("MATCH (n:A) WHERE n.on RETURN toString(n.born) AS s", ["1815-12-10"]),
]
"""Queries and the first column of their rows."""


@pytest.mark.parametrize(("query", "wanted"), ANSWERS)
def test_answers(db: SQLite, query: str, wanted: list[Any]) -> None:
    with graphir.connect() as embedded:
        embedded.load(GRAPH)
        ours = embedded.run(query)
    found = db.run(query)
    assert [repr(row[0]) for row in found.rows] == [repr(value) for value in wanted]
    assert graphir.rows_equal(ours, found)
    assert found.columns == ours.columns


@pytest.mark.parametrize(
    ("query", "code", "told"),
    [
        ("MATCH (n:A) RETURN n.x + 1 AS x", "G624", "integer overflow"),
        ("MATCH (n:A) RETURN n.x * n.x - 1 AS x", "G624", "integer overflow"),
        ("MATCH (n:A) RETURN sum(n.x) AS x", "G624", "integer overflow"),
        ("UNWIND [1, 0] AS x RETURN 1 / x AS y", "G624", "division by zero"),
        ("UNWIND [1, 0] AS x RETURN 1 % x AS y", "G624", "division by zero"),
        ("MATCH (n:A) RETURN 1.5 / n.f AS y", "G626", NOT_A_NUMBER),
        ("MATCH (n:A) RETURN n.f * (1e308 * 10) AS y", "G626", NOT_A_NUMBER),
        ("RETURN 0.0 / 0.0 AS x", "G626", NOT_A_NUMBER),
        ("MATCH (n:A) RETURN collect(n.f) AS fs", "G561", "list<float>"),
        ("RETURN -0.0 AS x", "G561", "-0.0"),
        ("MATCH (n:A) CALL (n) { WITH n RETURN n.f AS f } RETURN f", "G626", NO_FLOATS),
        ("RETURN date('+12345-01-01') AS d", "G560", "date()"),
        ("MATCH (n:A) RETURN toUpper(n.s) AS s", "G561", "upper"),
        ("MATCH (n:A) RETURN n.f % 2.0 AS r", "G561", "remainder of floats"),
        ("MATCH (n:A) SET n.x = 1", "G685", "SET"),
    ],
)
def test_what_has_no_value_is_no_answer(db: SQLite, query: str, code: str, told: str) -> None:
    with pytest.raises(GraphirError) as caught:
        db.run(query)
    first = caught.value.diagnostics[0]
    assert first.code == code
    assert told in first.message


def test_least_integer_divided() -> None:
    with SQLite() as db:
        db.load(PropertyGraph((Node(0, ("A",), {"x": -MOST - 1, "y": -1}),)))
        assert db.run("MATCH (n:A) RETURN n.x AS x, n.x % n.y AS r").rows == [(-MOST - 1, 0)]
        with pytest.raises(graphir.RunFault, match="integer overflow"):
            db.run("MATCH (n:A) RETURN n.x / n.y AS x")


FLOATS = [
    *(
        0.1,
        1e23,
        5e-324,
        1.7976931348623157e308,
        2.2250738585072014e-308,
        123456789.123456789,
        9007199254740993.0,
        1e22,
    ),
    *(0.1 * each for each in range(1, 100)),
    *(1.1 ** (each * 37) for each in range(-180, 180)),
]


def test_floats_in_the_text_are_exact(db: SQLite) -> None:
    wrong = [each for each in FLOATS if db.run(f"RETURN {each!r} AS x, -{each!r} AS y").rows != [(each, -each)]]
    assert wrong == []


def test_properties_of_edges_without_a_name_before_a_repetition() -> None:
    edges = [(0, 1, 1), (1, 0, 2), (0, 0, 3), (0, 0, 4)]
    graph = PropertyGraph(
        (Node(0, ("A",)), Node(1, ("A",))),
        tuple([Edge(k, "T", start, end, {"k": k}) for start, end, k in edges]),
    )
    query = "MATCH (a)-[:T {k: 2}]->(b)<-[r]-(b)-[q]->{0,1}(c:A) RETURN count(*) AS c"
    with SQLite() as db, graphir.connect() as embedded:
        db.load(graph)
        embedded.load(graph)
        assert db.run(query).rows == embedded.run(query).rows == [(6,)]


def test_a_repetition_that_asks_for_what_is_outside_is_refused(db: SQLite) -> None:
    for query in (
        "MATCH (n)-[:R]->(m), (m)((a)-[:R]->(b) WHERE EXISTS { (n)-->() }){1,2}(c) RETURN count(*) AS c",
        "MATCH (n)-[:R]->(m), (m)((a)-[:R]->(b) WHERE a.x > n.x){1,2}(c) RETURN count(*) AS c",
    ):
        with pytest.raises(graphir.Unsupported, match="G560"):
            db.run(query)


PARTS = ("year", "quarter", "month", "week", "day", "ordinalDay", "dayOfWeek")


def test_parts_of_dates() -> None:
    """The turns of years, where weeks belong to the year before or after."""
    days = [Date.of(year, 12, 26).days + at for year in (1, 1899, 2000, 2004, 2020, 9998) for at in range(14)]
    graph = PropertyGraph(tuple([Node(day, ("A",), {"d": Date(day)}) for day in days]))
    query = f"MATCH (n:A) RETURN n.d AS d, {', '.join(f'n.d.{part} AS {part}' for part in PARTS)} ORDER BY d"
    with SQLite() as db, graphir.connect() as embedded:
        db.load(graph)
        embedded.load(graph)
        assert db.run(query).rows == embedded.run(query).rows
        assert len(db.run(query).rows) == len(days)


def test_parameters(db: SQLite) -> None:
    for value in ("it's", MOST, 1.5, True, None, [1, None], ["a\"'"], [[1], []], Date.of(2020, 2, 29)):
        assert db.run("RETURN $v AS v", {"v": value}).rows == [(value,)]
    assert db.run("MATCH (n:A) WHERE n.s IN $s RETURN n.s AS s", {"s": ["", "x"]}).rows == [("",)]
    for value in (float("nan"), "a\0b", "\ud800", Date.of(-1, 1, 1), Date.of(10_000, 1, 1)):
        with pytest.raises(graphir.Unsupported):
            db.run("RETURN $v AS v", {"v": value})


@pytest.mark.parametrize("value", [float("nan"), "a\0b", [1.5], {"a": 1}, Date.of(10_000), [Date.of(-1)]])
def test_what_has_no_column_is_refused_and_nothing_is_lost(value: Any) -> None:
    with SQLite() as db:
        db.load(GRAPH)
        with pytest.raises(graphir.Unsupported, match="G626"):
            db.load(PropertyGraph((Node(0, ("A",), {"v": value}),)))
        assert db.run("MATCH (n) RETURN count(*) AS c").rows == [(3,)]


def test_graphs_are_added_and_cleared() -> None:
    with SQLite() as db:
        assert db.load(GRAPH).nodes == 3
        db.load(GRAPH)
        assert db.run("MATCH (n:A)-[:R]->(m) RETURN count(*) AS c").rows == [(4,)]
        db.clear()
        assert db.run("MATCH (n) RETURN count(*) AS c").rows == [(0,)]


def test_a_schema_adds_labels() -> None:
    schema = Schema((NodeType(("Z",), (PropertyType("z", DataType("LIST", DataType("INTEGER"))),)),))
    with SQLite() as db:
        db.load(PropertyGraph(), schema)
        assert db.run("MATCH (n:Z) RETURN n.z[0] AS z").rows == []
        assert [table.labels for table in db.tables.nodes] == [("Z",)]


def test_a_query_that_takes_too_long_is_stopped() -> None:
    with SQLite(timeout=0.2) as db:
        db.load(PropertyGraph(tuple([Node(at, ("A",), {"x": at}) for at in range(500)])))
        with pytest.raises(graphir.RunFault, match="interrupted"):
            db.run("MATCH (a:A), (b:A), (c:A), (d:A) WHERE a.x + b.x + c.x + d.x < 0 RETURN count(*) AS c")
        assert db.run("RETURN 1 AS x").rows == [(1,)]


# ------------------------------------------------------------------ the embedded engine's rows


class Bare(SQLite):
    """What nodes and edges are in tables of others: their keys."""

    def reader(self, rep: Rep) -> Change | None:
        if rep in (reps.NODE, reps.EDGE):
            return None
        if rep == reps.PATH:
            return lambda value: dict(zip(("nodes", "edges"), json.loads(value), strict=True))
        return super().reader(rep)


def filled(laid: Laid) -> sqlite3.Connection:
    """A database with the tables, with types as users declare them."""
    connection = sqlite3.connect(":memory:")
    types = targets.target("sql-sqlite").types
    for table in laid.tables.values():
        columns = ", ".join(f'"{name}" {types(rep)}' for name, rep in table.columns.items())
        connection.execute(f'CREATE TABLE "{table.name}" ({columns})')
        for row in table.rows:
            values = [_written(row.get(name), rep) for name, rep in table.columns.items()]
            connection.execute(f'INSERT INTO "{table.name}" VALUES ({", ".join("?" * len(values))})', values)
    return connection


def _written(value: Any, rep: Rep) -> Any:
    write = writer(rep)
    return value if value is None or write is None else write(value)


def test_constructs_give_the_rows_of_the_embedded_engine() -> None:
    with closing(filled(sql_constructs.tables("sql-sqlite"))) as connection, Bare() as bare:

        def run(made: Statement) -> list[tuple[Any, ...]]:
            sent = {each.mark: _written(each.value, each.rep) for each in made.parameters}
            readers = [bare.reader(rep) for _, rep in made.columns]
            return [
                tuple([v if v is None or read is None else read(v) for v, read in zip(row, readers, strict=True)])
                for row in connection.execute(made.text, sent)
            ]

        assert sql_constructs.differences("sql-sqlite", run) == []


def test_random_pairs() -> None:
    tally = sql_texts.Tally()
    with SQLite(trusting=True) as engine:
        for graph, queries in sql_texts.cases(2 * PAIRS, PAIRS):
            sql_texts.compare(engine, graph, queries, tally)
    assert tally.different == []
    assert tally.equal > PAIRS / 2


def test_generated_cases() -> None:
    tally: Counter[str] = Counter()
    with SQLite(trusting=True, timeout=sql_cases.PATIENCE) as engine:
        found = sql_cases.differences(engine, range(PAIRS), sql_cases.SIMPLE, tally)
        assert list(map(str, itertools.islice(found, 3))) == []
    assert tally["executed"] > PAIRS / 3
