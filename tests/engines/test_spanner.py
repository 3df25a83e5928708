"""The driver of Spanner: Google's own client over gRPC on the loopback address, answered by GoogleSQL's evaluator."""

from __future__ import annotations

import datetime
import math
from collections.abc import Iterator
from decimal import Decimal
from typing import Any

import pytest

import graphir
from graphir import Edge, Node, PropertyGraph
from graphir.backends.engines import registry
from graphir.diagnostics import GraphirError, RunFault, SemanticFault, SyntaxFault, Unsupported, UsageFault
from graphir.values import Date, DateTime
from tests.engines import pairs
from tests.engines.googlesql import database

NAMES = {"project": "p", "instance": "i", "database": "d"}
GRAPH = PropertyGraph(
    (
        Node("ann", ("Person",), {"name": "Ann", "age": 30, "born": Date.parse("1990-02-28"), "tags": ["a", "b"]}),
        Node(7, ("Person", "Admin"), {"name": "Bob", "since": DateTime.parse("2020-02-29T10:00:00.123456789Z")}),
        Node("x", (), {"score": -math.inf, "good": True}),
    ),
    (Edge("e", "KNOWS", "ann", 7, {"w": 3}), Edge("loop", "KNOWS", 7, 7, {})),
)
EXISTING = """
CREATE TABLE Account (id INT64 NOT NULL, nick STRING(MAX), price NUMERIC, data JSON, blob BYTES(MAX)) PRIMARY KEY (id);
CREATE TABLE Transfer (id INT64 NOT NULL, src INT64 NOT NULL, dst INT64 NOT NULL) PRIMARY KEY (id);
CREATE PROPERTY GRAPH FinGraph NODE TABLES (Account) EDGE TABLES (
  Transfer SOURCE KEY (src) REFERENCES Account (id) DESTINATION KEY (dst) REFERENCES Account (id))
"""


@pytest.fixture(scope="module")
def server() -> Iterator[Any]:
    database().clear()
    status = registry.examine(registry.KINDS["spanner"])
    if not status.usable:
        pytest.skip(f"spanner: {status.reason}")
    from tests.engines.spanner_loopback import serving

    with serving() as found:
        yield found


@pytest.fixture(scope="module")
def spanner(server: Any) -> Iterator[Any]:
    with graphir.connect("spanner", **NAMES, endpoint=server.endpoint) as engine:
        engine.load(GRAPH)
        yield engine
        engine.clear()


def test_it_starts_runs_and_stops(server: Any) -> None:
    with graphir.connect("spanner", **NAMES, endpoint=server.endpoint) as engine:
        assert engine.run("RETURN 1 AS one").rows == [(1,)]


def test_elements_come_back_as_they_were_loaded(spanner: Any) -> None:
    ann, bob, nobody = GRAPH.nodes
    found = spanner.run("MATCH (a:Person)-[r:KNOWS]->(b) RETURN a, r, b ORDER BY r.w").rows
    assert found == [(ann, GRAPH.edges[0], bob), (bob, GRAPH.edges[1], bob)]
    assert dict(found[0][2].properties) == dict(bob.properties)
    assert spanner.run("MATCH (a) WHERE NOT a:Person RETURN a").rows == [(nobody,)]
    assert spanner.run("MATCH (a:Person) RETURN a.since AS s, a.born AS b, a.tags AS t ORDER BY a.name").rows == [
        (None, ann["born"], ["a", "b"]),
        (bob["since"], None, None),
    ]
    assert spanner.run("MATCH (a) WHERE a.good RETURN a.score AS s").rows == [(-math.inf,)]


PARAMETERS = [
    ("MATCH (a) WHERE a.age = $p RETURN a.name AS n", 30, "INT64", ["Ann"]),
    ("MATCH (a) WHERE a.age < $p RETURN a.name AS n", 30.5, "FLOAT64", ["Ann"]),
    ("MATCH (a) WHERE a.score < $p RETURN a.good AS n", math.inf, "FLOAT64", [True]),
    ("MATCH (a) WHERE a.name = $p RETURN a.age AS n", "Ann", "STRING", [30]),
    ("MATCH (a) WHERE a.good = $p RETURN a.name AS n", True, "BOOL", [None]),
    ("MATCH (a) WHERE a.born = $p RETURN a.name AS n", datetime.date(1990, 2, 28), "DATE", ["Ann"]),
    (
        "MATCH (a) WHERE a.since = $p RETURN a.name AS n",
        DateTime.parse("2020-02-29T10:00:00.123456789Z"),
        "TIMESTAMP",
        ["Bob"],
    ),
    ("MATCH (a) WHERE a.name IN $p RETURN a.age AS n", ["Ann", None], "ARRAY<STRING>", [30]),
]


@pytest.mark.parametrize(("query", "value", "kind", "found"), PARAMETERS)
def test_parameters_arrive_with_their_types(
    server: Any, spanner: Any, query: str, value: Any, kind: str, found: list[Any]
) -> None:
    from tests.engines.spanner_loopback import type_text

    assert spanner.run(query, {"p": value}).rows == [(each,) for each in found]
    asked = server.log[-1]
    assert asked.sql.startswith("GRAPH graphir")
    assert {name: type_text(of) for name, of in asked.param_types.items()} == {"p": kind}


@pytest.mark.parametrize(("sign", "value"), [("=", None), ("IN", []), ("IN", [None])])
def test_parameters_without_a_type_are_constants(server: Any, spanner: Any, sign: str, value: Any) -> None:
    assert spanner.run(f"MATCH (a) WHERE a.age {sign} $p RETURN a.name AS n", {"p": value}).rows == []
    assert not server.log[-1].param_types


@pytest.mark.parametrize(
    ("query", "kind", "code", "told"),
    [
        ("MATCH (a) RETURN a.age * 9223372036854775807 AS n", RunFault, "G624", "int64 overflow"),
        ("MATCH (a:person) RETURN a.name AS n", Unsupported, "G623", "upper from lower case"),
        ("MATCH (a)-[*0..1]->(b) RETURN a.name AS n", Unsupported, "G623", "not yet implemented"),
        ("MATCH (a) RETURN a.score AS s ORDER BY s", Unsupported, "G625", "NaN"),
        ("MATCH (a) SET a.age = 1", Unsupported, "G520", "only reads"),
    ],
)
def test_faults(spanner: Any, query: str, kind: type[GraphirError], code: str, told: str) -> None:
    with pytest.raises(kind) as caught:
        spanner.run(query)
    assert caught.value.diagnostics[0].code == code
    assert told in str(caught.value)


@pytest.mark.parametrize(
    ("query", "told", "rows"),
    [
        ("MATCH (a:Nope) RETURN a.name AS n", "Label 'Nope' not found. [at 1:", 0),
        ("MATCH (a:Person) RETURN DISTINCT a.zzz AS n", "zzz is not exposed", 1),
    ],
)
def test_names_that_it_does_not_know(spanner: Any, query: str, told: str, rows: int) -> None:
    """They are faults there; in Cypher they match nothing, and so does the translation."""
    with pytest.raises(SemanticFault) as caught:
        spanner.send(f"GRAPH graphir {query}", {}, "gql-spanner")
    assert caught.value.diagnostics[0].code == "G622"
    assert told in str(caught.value)
    assert spanner.run(query).rows == [(None,)] * rows


def test_syntax_that_it_does_not_know(spanner: Any) -> None:
    with pytest.raises(SyntaxFault, match=r"Syntax error: .* \[at 1:"):
        spanner.send("GRAPH graphir MATCH (a RETURN a.name", {}, "gql-spanner")


def test_a_graph_that_is_there(server: Any) -> None:
    server.database.define(EXISTING)
    rows = [[1, "main", Decimal("1.25"), {"a": [1, None]}, b"\x00\xff"], [2, None, None, None, None]]
    server.database.fill("Account", rows)
    server.database.fill("Transfer", [[1, 1, 2]])
    with graphir.connect("spanner", **NAMES, endpoint=server.endpoint, graph="FinGraph") as engine:
        query = "MATCH (a:Account)-[:Transfer]->(b) RETURN a.nick AS nick, a.price AS price, a.data AS data, b.id AS id"
        assert engine.run(query).rows == [("main", 1.25, {"a": [1, None]}, 2)]
        with pytest.raises(RunFault, match="no value: BYTES"):
            engine.run("MATCH (a:Account) RETURN a.blob AS b")
        with pytest.raises(Unsupported, match="a result with a node"):
            engine.run("MATCH (a:Account) RETURN a")
        found = engine.send("SELECT b'ab' AS b, [STRUCT(1 AS x, 'y' AS s)] AS l", {}, "pgq-googlesql")
        assert found.rows == [(b"ab", [{"x": 1, "s": "y"}])]
        engine.clear()
    server.database.define("DROP PROPERTY GRAPH FinGraph; DROP TABLE Transfer; DROP TABLE Account")


def test_what_was_loaded_is_dropped(server: Any) -> None:
    with graphir.connect("spanner", **NAMES, endpoint=server.endpoint, graph="Mine") as engine:
        engine.load(PropertyGraph((Node(1, ("Lone",), {"x": 1}),)))
        assert engine.run("MATCH (n:Lone) RETURN n.x AS x").rows == [(1,)]
        with pytest.raises(Unsupported, match="clear it first"):
            engine.load(GRAPH)
        engine.clear()
        with pytest.raises(SemanticFault):
            engine.run("MATCH (n:Lone) RETURN n.x AS x")


@pytest.mark.parametrize("name", ["a b", "é", "_x", "x" * 129])
def test_names_that_spanner_does_not_have(server: Any, name: str) -> None:
    with graphir.connect("spanner", **NAMES, endpoint=server.endpoint, graph="Named") as engine:
        for node in (Node(1, (name,)), Node(1, ("A",), {name: 1})):
            with pytest.raises(Unsupported) as caught:
                engine.load(PropertyGraph((node,)))
            assert caught.value.diagnostics[0].code == "G626"


def test_random_queries_give_the_rows_of_the_embedded_engine(server: Any) -> None:
    graph = PropertyGraph.from_dict(pairs.graph(3))
    ran = 0
    with (
        graphir.connect("spanner", **NAMES, endpoint=server.endpoint, graph="Random") as engine,
        graphir.connect() as ours,
    ):
        engine.load(graph)
        ours.load(graph)
        for seed in range(36, 48):
            pair = pairs.pair(seed)
            try:
                found = engine.run(pair.query, dialect="neo4j-5" if seed % 2 else "neo4j-25")
            except (Unsupported, SemanticFault):
                continue
            wanted = ours.run(pair.query, dialect="neo4j-5" if seed % 2 else "neo4j-25")
            assert graphir.rows_equal(wanted, found, ordered=pair.ordered), pair.query
            ran += 1
        engine.clear()
    assert ran >= 8


@pytest.mark.parametrize(
    "options",
    [
        {"database": "d"},
        {"database": "a/b", "instance": "i"},
        {"database": "projects/p/instances/i/databases"},
        {},
    ],
)
def test_a_database_that_is_not_named(options: dict[str, str]) -> None:
    if not registry.examine(registry.KINDS["spanner"]).usable:
        pytest.skip("google-cloud-spanner is not installed")
    with pytest.raises(UsageFault) as caught:
        graphir.connect("spanner", **options)
    assert caught.value.diagnostics[0].code == "G620"


def test_a_path_and_an_object_of_the_client(server: Any) -> None:
    from google.auth.credentials import AnonymousCredentials
    from google.cloud import spanner as client

    path = "projects/p/instances/i/databases/d"
    with graphir.connect("spanner", database=path, endpoint=server.endpoint) as engine:
        assert engine.run("RETURN 2 AS x").rows == [(2,)]
    options = {"api_endpoint": server.endpoint}
    made = client.Client("p", AnonymousCredentials(), client_options=options, disable_builtin_metrics=True)
    with graphir.connect("spanner", database=made.instance("i").database("d")) as engine:
        assert engine.run("RETURN 3 AS x").rows == [(3,)]
