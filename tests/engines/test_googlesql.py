"""GoogleSQL as an engine: its library, its driver, and random queries against the embedded engine.

GRAPHIR_GOOGLE_PAIRS says how many random queries are compared (240).
"""

from __future__ import annotations

import datetime
import math
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from decimal import Decimal
from pathlib import Path
from typing import Any

import pytest

import graphir
from graphir import Edge, Node, PropertyGraph
from graphir.backends.engines.googlesql.refusals import CRASHED, Refusal
from graphir.diagnostics import GraphirError, RunFault, SemanticFault, SyntaxFault, Unsupported
from graphir.values import Date, DateTime
from graphir.values import Path as GraphPath
from tests.engines.googlesql import database
from tests.engines.googlesql_pairs import differences, of_elements, of_pairs

PAIRS = int(os.environ.get("GRAPHIR_GOOGLE_PAIRS", "240"))
GRAPH = PropertyGraph(
    (
        Node("ann", ("Person",), {"name": "Ann", "age": 30, "born": Date.parse("1990-02-28"), "tags": ["a", "b"]}),
        Node(7, ("Person", "Admin"), {"name": "Bob", "since": DateTime.parse("2020-02-29T10:00:00.123456789Z")}),
        Node("x", (), {"score": 1.5}),
    ),
    (
        Edge("e", "KNOWS", "ann", 7, {"w": 3}),
        Edge("loop", "KNOWS", 7, 7, {}),
        Edge("like", "Person", 7, "x", {"w": 4}),
    ),
)


@pytest.fixture(scope="module")
def google() -> Iterator[Any]:
    database().clear()
    with graphir.connect("googlesql") as engine:
        engine.load(GRAPH)
        yield engine


def rows(engine: Any, query: str, **parameters: Any) -> list[tuple[Any, ...]]:
    found: list[tuple[Any, ...]] = engine.run(query, parameters).rows
    return found


def refusal(engine: Any, query: str, **parameters: Any) -> GraphirError:
    with pytest.raises(GraphirError) as caught:
        engine.run(query, parameters)
    return caught.value


# ------------------------------------------------------------------ the library


def test_it_starts_runs_and_stops() -> None:
    with database() as empty:
        assert empty.query("SELECT 1 AS one").rows == [(1,)]


def test_two_first_starts_at_once(tmp_path: Path) -> None:
    """With an empty cache both compile, one after the other, and both run."""
    database().clear()
    environment = {**os.environ, "XDG_CACHE_HOME": str(tmp_path)}
    command = [sys.executable, "-m", "tests.engines.googlesql"]
    both = [subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) for _ in range(2)]
    assert [each.communicate()[0] for each in both] == ["[(1,)]\n"] * 2
    assert len(list((tmp_path / "graphir").glob("*.cwasm"))) == 1


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("DATE '2024-02-29'", Date.parse("2024-02-29")),
        ("TIMESTAMP '2024-02-29 10:00:00.000000001+01'", DateTime.parse("2024-02-29T09:00:00.000000001Z")),
        ("CAST('-inf' AS FLOAT64)", -math.inf),
        ("b'ab'", b"ab"),
        ("JSON '{\"a\": [1, null]}'", {"a": [1, None]}),
        ("CAST(NULL AS STRING)", None),
        ("[1, NULL]", [1, None]),
        ("-9223372036854775808", -(2**63)),
    ],
)
def test_values(expression: str, value: Any) -> None:
    with database() as empty:
        assert empty.query(f"SELECT {expression} AS x").rows == [(value,)]


def test_numeric_is_exact() -> None:
    wide = "12345678901234567890123456789.123456789"
    with database("full") as empty:
        found = empty.query(f"SELECT NUMERIC '{wide}' AS n, BIGNUMERIC '{wide}' AS b").rows
    assert found == [(Decimal(wide), Decimal(wide))]


def test_a_fall_leaves_the_database_as_it_was() -> None:
    with database() as filled:
        filled.create_table("T", {"id": "INT64"}, [(1,)], ["id"])
        filled.define("CREATE PROPERTY GRAPH g NODE TABLES (T)")
        with pytest.raises(Refusal) as caught:
            filled.query("SELECT " + "+".join(["1"] * 20_000) + " AS x")
        assert caught.value.code == CRASHED
        assert filled.query("GRAPH g MATCH (n) RETURN n.id").rows == [(1,)]


def test_properties_may_be_expressions() -> None:
    with database() as filled:
        filled.define("CREATE TABLE T (id INT64 NOT NULL, s STRING(MAX)) PRIMARY KEY (id)")
        filled.fill("T", [(1, "a"), (2, None)])
        filled.define("CREATE PROPERTY GRAPH g NODE TABLES (T LABEL T PROPERTIES (id, UPPER(s) AS u))")
        assert sorted(filled.query("GRAPH g MATCH (n) RETURN n.id, n.u").rows) == [(1, "A"), (2, None)]
        filled.define("DROP PROPERTY GRAPH g; DROP TABLE T")
        with pytest.raises(Refusal, match="not found"):
            filled.query("SELECT * FROM T")


@pytest.mark.parametrize(
    ("profile", "text", "right"),
    [
        ("spanner", "GRAPH g MATCH (n) RETURN COUNT(n) AS c", False),
        ("full", "GRAPH g MATCH (n) RETURN COUNT(n) AS c", True),
        ("spanner", "GRAPH g MATCH (n:T) RETURN n.id", True),
        ("spanner", "GRAPH g MATCH (n:U) RETURN n.id", False),
    ],
)
def test_profiles_judge_texts(profile: str, text: str, right: bool) -> None:
    with database(profile) as made:
        made.define("CREATE TABLE T (id INT64) PRIMARY KEY (id); CREATE PROPERTY GRAPH g NODE TABLES (T)")
        if right:
            made.analyze(text)
            return
        with pytest.raises(Refusal, match=r"\[at 1:"):
            made.analyze(text)


# ------------------------------------------------------------------ the driver


def test_elements_come_back_as_they_were_loaded(google: Any) -> None:
    ann, bob, nobody = GRAPH.nodes
    found = rows(google, "MATCH (a:Person)-[r:KNOWS]->(b) RETURN a, r, b ORDER BY r.w")
    assert found == [(ann, GRAPH.edges[0], bob), (bob, GRAPH.edges[1], bob)]
    assert [dict(node.properties) for node, _, _ in found] == [dict(ann.properties), dict(bob.properties)]
    assert rows(google, "MATCH (a) WHERE NOT a:Person RETURN a, id(a) AS i") == [(nobody, 2)]
    assert rows(google, "MATCH (a:Admin) OPTIONAL MATCH (a)<-[r:KNOWS]-(b:Nope) RETURN a, r, b") == [(bob, None, None)]
    assert rows(google, "MATCH (a) RETURN DISTINCT a ORDER BY a.name LIMIT 1") == [(ann,)]
    assert rows(google, "MATCH (a)-[r]->(b) RETURN b, count(*) AS c ORDER BY c DESC LIMIT 1") == [(bob, 2)]
    found = rows(google, "MATCH (a)-->(b) RETURN collect(DISTINCT b) AS all")
    assert {node.id for node in found[0][0]} == {7, "x"}
    both = "MATCH (a:Admin) RETURN a AS n UNION MATCH (a:Person) RETURN a AS n"
    assert sorted([row[0].id for row in rows(google, both)], key=str) == [7, "ann"]


def test_paths_and_their_elements(google: Any) -> None:
    ann, bob, _ = GRAPH.nodes
    knows, loop, _ = GRAPH.edges
    walk = GraphPath((ann, bob, bob), (knows, loop))
    query = "MATCH p = ({name: 'Ann'})-[r:KNOWS*2..2]->(b)"
    assert rows(google, f"{query} RETURN p, r, nodes(p) AS n, [e IN r | e.w] AS w") == [
        (walk, [knows, loop], [ann, bob, bob], [3, None])
    ]
    assert refusal(google, f"{query} WITH p AS q, b RETURN q ORDER BY b.name LIMIT 3").diagnostics[0].code == "G537"
    assert rows(google, "MATCH p = ({name: 'Ann'}) RETURN p") == [(GraphPath((ann,)),)]
    absent = "MATCH (a {name: 'Ann'}) OPTIONAL MATCH p = (a)-[:Person]->() RETURN p, [n IN nodes(p) | n.name] AS l"
    assert rows(google, absent) == [(None, None)]
    again = "MATCH p = ({name: 'Ann'}) MATCH q = ({name: 'Ann'})-[:KNOWS]->(b) RETURN q AS p"
    assert rows(google, again) == [(GraphPath((ann, bob), (knows,)),)]
    assert refusal(google, f"{again} ORDER BY b.name").diagnostics[0].code == "G537"


def test_an_order_by_what_a_column_hides(google: Any) -> None:
    """The names of the result do not hide the elements that the order is about."""
    found = rows(google, "MATCH (a:Person)-[:KNOWS]->(b:Person) RETURN b AS a, a AS b ORDER BY b.name DESC, a.name")
    assert [(a.id, b.id) for a, b in found] == [(7, 7), (7, "ann")]


def test_what_the_graph_does_not_have(google: Any) -> None:
    assert rows(google, "MATCH (a:Nope) RETURN a.zzz AS z") == []
    assert rows(google, "MATCH (a:Admin) RETURN a.zzz AS z, a.w AS w") == [(None, None)]
    assert rows(google, "MATCH (a) WHERE a.yyy = 'text' OR a.yyy IS NULL RETURN count(*) AS c") == [(3,)]
    assert rows(google, "MATCH (a {xxx: 'text', vvv: true}) RETURN a") == []
    assert rows(google, "MATCH (a:Admin&!Person) RETURN a.name AS n") == []
    assert rows(google, "MATCH (a)-[r:Nope]->() RETURN r.w AS w") == []
    assert rows(google, "MATCH (a:%) RETURN count(*) AS c") == [(2,)]
    assert rows(google, "MATCH (a:!%) RETURN count(*) AS c") == [(1,)]
    assert rows(google, "MATCH (:Person)-[r:Person]->() RETURN type(r) AS t") == [("Person",)]


@pytest.mark.parametrize(
    ("query", "value", "found"),
    [
        ("MATCH (a) WHERE a.age = $p RETURN a.name AS n", 30, ["Ann"]),
        ("MATCH (a) WHERE a.age = $p RETURN a.name AS n", None, []),
        ("MATCH (a) WHERE a.age IN $p RETURN a.name AS n", [30, None], ["Ann"]),
        ("MATCH (a) WHERE a.age IN $p RETURN a.name AS n", [], []),
        ("MATCH (a) WHERE a.born = $p RETURN a.name AS n", datetime.date(1990, 2, 28), ["Ann"]),
        (
            "MATCH (a) WHERE a.since < $p RETURN a.name AS n",
            datetime.datetime(2021, 1, 1, tzinfo=datetime.UTC),
            ["Bob"],
        ),
        ("MATCH (a:Admin) RETURN $p AS n", math.inf, [math.inf]),
        ("MATCH (a:Admin) RETURN $p AS n", "it's `quoted`\n", ["it's `quoted`\n"]),
        ("MATCH (a) RETURN a.name AS n ORDER BY n LIMIT $p", 1, ["Ann"]),
    ],
)
def test_parameters(google: Any, query: str, value: Any, found: list[Any]) -> None:
    assert rows(google, query, p=value) == [(each,) for each in found]


def test_values_of_properties(google: Any) -> None:
    found = rows(google, "MATCH (a) RETURN a.tags AS t, a.born AS b, a.since AS s, a.score AS f")
    ann, bob, nobody = GRAPH.nodes
    assert (["a", "b"], ann["born"], None, None) in found
    assert (None, None, bob["since"], None) in found
    assert (None, None, None, nobody["score"]) in found


@pytest.mark.parametrize(
    ("query", "kind", "code", "told"),
    [
        ("MATCH (a) RETURN a.name + 1 AS x", Unsupported, "G536", "values of one type only"),
        ("MATCH (a) RETURN a.age * 9223372036854775807 AS x", RunFault, "G624", "int64 overflow"),
        ("MATCH (a)-[*0..2]->(b) RETURN a.name AS x", Unsupported, "G623", "lower bound of 0"),
        ("MATCH (a) RETURN a.NAME AS x", Unsupported, "G623", "upper from lower case"),
        ("MATCH (a:person) RETURN a", Unsupported, "G623", "upper from lower case"),
        ("MATCH (a) RETURN a.graphir_id AS x", Unsupported, "G623", "graphir_id"),
        ("MATCH (a) RETURN $p AS x", RunFault, "G604", "has no value"),
        ("MATCH (a) RETURN a.score / 0.0 AS x ORDER BY x", Unsupported, "G625", "NaN"),
        ("CREATE (a)", Unsupported, "G520", "only reads"),
    ],
)
def test_faults(google: Any, query: str, kind: type[GraphirError], code: str, told: str) -> None:
    fault = refusal(google, query)
    assert isinstance(fault, kind)
    assert fault.diagnostics[0].code == code
    assert told in str(fault)


def test_texts_are_judged_and_not_run(google: Any) -> None:
    google.analyze("GRAPH graphir MATCH (a:Person) RETURN a.name")
    google.analyze("GRAPH graphir MATCH (a) WHERE a.age = @p RETURN a.name", {"p": ("INT64", 1)})
    with pytest.raises(SemanticFault, match=r"Label 'Nobody' not found. \[at 1:24\]"):
        google.analyze("GRAPH graphir MATCH (a:Nobody) RETURN a.name")
    with pytest.raises(SyntaxFault):
        google.analyze("GRAPH graphir MATCH (a RETURN a.name")


def test_one_dialect() -> None:
    database().clear()
    query = "MATCH (a:Person)-->(b) RETURN a.name AS a, b.name AS b ORDER BY a, b"
    found = []
    for speaks in ("gql-spanner", "pgq-googlesql"):
        with graphir.connect("googlesql", speaks=speaks) as engine:
            engine.load(GRAPH)
            found.append(rows(engine, query))
    assert found == [[("Ann", "Bob"), ("Bob", "Bob"), ("Bob", None)]] * 2
    with pytest.raises(Unsupported, match="cannot be asked in opencypher-9"):
        graphir.connect("googlesql", speaks="opencypher-9")


@pytest.mark.parametrize(
    ("nodes", "told"),
    [
        ([Node(at, ("A",)) for at in range(101)], "104 nodes"),
        ([Node(1, ("A",), {"x": 1}), Node(2, ("B",), {"x": "a"})], "one type in the whole graph"),
        ([Node(1, ("A",), {"x": 1, "X": 1})], "upper from lower case"),
        ([Node(1, ("A", "a"))], "upper from lower case"),
        ([Node(1, ("A",), {"x": DateTime.parse("2020-01-01T10:00+01:00")})], "without offset"),
        ([Node(1, ("A",), {"x": [1, "a"]})], "no column for"),
    ],
)
def test_graphs_that_it_cannot_hold(nodes: list[Node], told: str) -> None:
    database().clear()
    with graphir.connect("googlesql") as engine:
        engine.load(GRAPH)
        with pytest.raises(Unsupported, match=told) as caught:
            engine.load(PropertyGraph(tuple(nodes)))
        assert caught.value.diagnostics[0].code == "G626"
        assert rows(engine, "MATCH (n) RETURN count(*) AS c") == [(3,)]


def test_graphs_may_be_larger_if_that_is_wanted() -> None:
    database().clear()
    with graphir.connect("googlesql", limit=200) as engine:
        engine.load(PropertyGraph(tuple([Node(at, ("A",), {"x": at}) for at in range(150)])))
        assert rows(engine, "MATCH (a) WHERE a.x % 50 = 0 RETURN a.x AS x ORDER BY x") == [(0,), (50,), (100,)]


def test_an_order_where_the_graph_has_nan() -> None:
    database().clear()
    with graphir.connect("googlesql") as engine:
        engine.load(PropertyGraph((Node(1, ("A",), {"x": math.nan}), Node(2, ("A",), {"x": 1.0}))))
        assert len(rows(engine, "MATCH (a) WHERE a.x >= 1 OR a.x < 1 RETURN a")) == 1
        for query in ("MATCH (a) RETURN a.x AS x ORDER BY x", "MATCH (a) RETURN max(a.x) AS x"):
            assert refusal(engine, query).diagnostics[0].code == "G625"
    with graphir.connect("googlesql", trusting=True) as engine:
        engine.load(PropertyGraph((Node(1, ("A",), {"x": math.nan}), Node(2, ("A",), {"x": 1.0}))))
        assert [str(x) for (x,) in rows(engine, "MATCH (a) RETURN a.x AS x ORDER BY x")] == ["nan", "1.0"]
        assert [str(x) for (x,) in rows(engine, "MATCH (a) RETURN min(a.x) AS x")] == ["nan"]


def test_awkward_names() -> None:
    database().clear()
    with graphir.connect("googlesql") as engine:
        names = ("a b", "`", "\\", "'\"", "é", "select", "x" * 300, "\n", "graphir_id")
        graph = PropertyGraph(
            tuple([Node(at, (name,), {name: at}) for at, name in enumerate(names)]),
            tuple([Edge(at, name + "!", at, at) for at, name in enumerate(names)]),
        )
        engine.load(graph)
        for at, name in enumerate(names):
            label = "`" + name.replace("`", "``") + "`"
            query = f"MATCH (a:{label})-[r:{label[:-1]}!`]->() RETURN a, a.{label} AS x, type(r) AS t"
            assert rows(engine, query) == [(graph.nodes[at], at, name + "!")]


def test_random_queries_give_the_rows_of_the_embedded_engine() -> None:
    database().clear()
    tally: Counter[str] = Counter()
    with graphir.connect("googlesql") as engine:
        assert list(differences(engine, of_pairs(range(PAIRS)), tally)) == []
    assert tally["asked"] == PAIRS
    assert tally["ran"] > 0.95 * PAIRS
    assert tally["with rows"] > 0.3 * PAIRS


def test_random_patterns_give_the_elements_of_the_embedded_engine() -> None:
    database().clear()
    tally: Counter[str] = Counter()
    with graphir.connect("googlesql") as engine:
        assert list(differences(engine, of_elements(range(PAIRS // 2)), tally)) == []
    assert tally["ran"] > 0.85 * tally["asked"] > 0.4 * PAIRS
    assert tally["with rows"] > PAIRS // 20
