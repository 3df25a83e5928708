"""Functions of GQL that look at elements and paths, and aggregates with all that stands in their brackets."""

from __future__ import annotations

from typing import Any

import pytest

import graphir
from graphir import Edge, Node, PropertyGraph
from graphir.backends.engines.duckdb.session import Session
from graphir.values import Date, DateTime, Duration
from graphir.values.documents import Json
from graphir.values.entities import Definition
from tests import loaded

ACCOUNT = Definition("accounts", ("id", "note"))
GRAPH = PropertyGraph(
    (
        Node(1, ("A",), {"x": 1, "s": "ab", "f": 1.5}),
        Node(2, ("b", "A"), {"x": 3, "f": 2.5}),
        Node(3, ("A",), {"s": "z"}),
    ),
    (Edge(7, "R", 1, 2, {"w": 2}),),
)
TABLES = PropertyGraph(
    (
        Node(1, ("Account", "entity"), {"id": 1, "day": Date.of(2020, 1, 2)}, ACCOUNT),
        Node(2, ("Account", "entity"), {"id": 2, "note": "x", "more": Json({"k": [1]})}, ACCOUNT),
    ),
    (Edge(1, "Pays", 1, 2, {"amount": 5}, ("Pays", "Link"), Definition("payments", ("amount", "since"))),),
)


db = loaded.embedded(GRAPH)
tables = loaded.embedded(TABLES)


def row(session: Session, query: str) -> tuple[Any, ...]:
    (found,) = session.run(f"GRAPH g {query}", dialect="gql-spanner").rows
    return tuple(found)


def test_elements(db: Session) -> None:
    edge = "MATCH p = (a)-[e]->(b) RETURN"
    assert row(db, f"{edge} LABELS(b) AS a, LABELS(e) AS b, PROPERTY_NAMES(a) AS c, PROPERTY_EXISTS(a, x) AS d") == (
        ["A", "b"],
        ["R"],
        ["f", "s", "x"],
        True,
    )
    assert row(db, f"{edge} PROPERTY_EXISTS(a, zz) AS a, SOURCE_NODE_ID(e) = ELEMENT_ID(a) AS b, SAME(a, b) AS c") == (
        False,
        True,
        False,
    )
    assert row(db, f"{edge} b IS DESTINATION OF e AS a, ALL_DIFFERENT(a, b) AS b, b IS SOURCE OF e AS c") == (
        True,
        True,
        False,
    )
    assert row(db, f"{edge} TO_JSON(e) AS a, PATH_FIRST(p).x AS b, PATH_LAST(p).x AS c, IS_SIMPLE(p) AS d") == (
        Json(
            {
                "identifier": "7",
                "kind": "edge",
                "labels": ["R"],
                "properties": {"w": 2},
                "source_node_identifier": "1",
                "destination_node_identifier": "2",
            }
        ),
        1,
        3,
        True,
    )


def test_paths(db: Session) -> None:
    edge = "MATCH p = (a)-[e]->(b) RETURN"
    assert row(db, f"{edge} PATH(a, e, b) = p AS a, PATH_LENGTH(PATH(a) || p) AS b, IS_ACYCLIC(p) AS c") == (
        True,
        1,
        True,
    )
    for wrong in ("p || p", "PATH(a, e, a)", "PATH(a, NULL, b)"):
        with pytest.raises(graphir.GraphirError):
            db.run(f"GRAPH g {edge} PATH_LENGTH({wrong}) AS x", dialect="gql-spanner")


def test_nulls_where_none_may_be(db: Session) -> None:
    start = "MATCH (a {x: 1}) OPTIONAL MATCH (a)-[e]->(b {x: 9}) RETURN"
    for function in ("SAME(a, b)", "ALL_DIFFERENT(a, b)", "a IS SOURCE OF e", "b IS DESTINATION OF e"):
        with pytest.raises(graphir.RunFault, match="null"):
            db.run(f"GRAPH g {start} {function} AS x", dialect="gql-spanner")
    assert row(db, f"{start} LABELS(b) AS a, PROPERTY_NAMES(b) AS b, PROPERTY_EXISTS(b, x) AS c") == (None, None, None)


def test_tables_of_a_graph(tables: Session) -> None:
    query = "MATCH (a {id: 1})-[e]->(b) RETURN"
    assert row(tables, f"{query} ELEMENT_DEFINITION_NAME(a) AS a, ELEMENT_DEFINITION_NAME(e) AS b, LABELS(e) AS c") == (
        "accounts",
        "payments",
        ["Link", "Pays"],
    )
    assert row(tables, f"{query} PROPERTY_NAMES(a) AS a, PROPERTY_EXISTS(a, note) AS b, e IS LABELED Link AS c") == (
        ["day", "id", "note"],
        True,
        True,
    )
    assert row(
        tables, f"{query} JSON_QUERY(TO_JSON(e), '$.properties') AS a, b.more.k[0] AS b, a.day < '2020-01-03' AS c"
    ) == (
        Json({"amount": 5, "since": None}),
        Json(1),
        True,
    )
    assert row(tables, "MATCH (a:ENTITY {day: '2020-01-02'}) RETURN a.ID AS id, COUNT(*) AS n GROUP BY id") == (1, 1)


def test_a_graph_that_is_none_over_tables_has_no_definitions(db: Session) -> None:
    with pytest.raises(graphir.Unsupported, match="G650"):
        db.run("GRAPH g MATCH (n) RETURN ELEMENT_DEFINITION_NAME(n) AS t", dialect="gql-spanner")


def test_definitions_stay_in_a_file(tmp_path: Any) -> None:
    with graphir.connect("duckdb", path=tmp_path / "g.db") as session:
        session.load(TABLES)
    with graphir.connect("duckdb", path=tmp_path / "g.db") as session:
        assert row(session, "MATCH -[e:Link]-> RETURN ELEMENT_DEFINITION_NAME(e) AS a, LABELS(e) AS b") == (
            "payments",
            ["Link", "Pays"],
        )


def test_aggregates_of_nothing(db: Session) -> None:
    functions = (
        "SUM(n.x) AS a, ARRAY_AGG(n.x) AS b, STRING_AGG(n.s) AS c, ANY_VALUE(n.x) AS d, LOGICAL_AND(n.x > 1) AS e"
    )
    others = "COUNTIF(n.x > 1) AS f, COUNT(*) AS g, STDDEV(n.x) AS h, MAX(n.x) AS i, BIT_OR(n.x) AS j, SUM(n.zz) AS k"
    assert row(db, f"MATCH (n:Nothing) RETURN {functions}, {others}") == (*[None] * 5, 0, 0, *[None] * 4)
    assert row(db, "MATCH (n) RETURN SUM(n.zz) AS a, LOGICAL_OR(n.zz) AS b, ARRAY_AGG(n.zz) AS c") == (
        None,
        None,
        [None, None, None],
    )


def test_aggregates(db: Session) -> None:
    assert row(
        db, "MATCH (n) RETURN SUM(n.x) AS a, AVG(n.x) AS b, COUNTIF(n.x > 1) AS c, LOGICAL_OR(n.x > 1) AS d"
    ) == (
        4,
        2.0,
        1,
        True,
    )
    assert row(
        db, "MATCH (n) RETURN STDDEV(n.x) AS a, VAR_POP(n.x) AS b, BIT_OR(n.x) AS c, SUM(DISTINCT n.x) AS d"
    ) == (
        2**0.5,
        1.0,
        3,
        4,
    )


def test_what_stands_in_the_brackets(db: Session) -> None:
    def value(call: str) -> Any:
        return row(db, f"MATCH (n) RETURN {call} AS x")[0]

    assert value("ARRAY_AGG(n.x ORDER BY n.x)") == [None, 1, 3]
    assert value("ARRAY_AGG(n.x ORDER BY n.x DESC)") == [3, 1, None]
    assert value("ARRAY_AGG(n.x IGNORE NULLS ORDER BY n.x DESC LIMIT 1)") == [3]
    assert value("ARRAY_AGG(DISTINCT n.x IGNORE NULLS ORDER BY n.x)") == [1, 3]
    assert value("STRING_AGG(n.s, '+' ORDER BY n.s DESC)") == "z+ab"
    assert value("ANY_VALUE(n.s HAVING MIN n.f)") == "ab"
    assert value("SUM(n.x HAVING MAX n.f)") == 3
    assert value("ARRAY_CONCAT_AGG([n.x] ORDER BY n.x DESC)") == [3, 1, None]
    assert value("COUNT(DISTINCT n.x)") == 2


def test_iso(db: Session) -> None:
    def value(expression: str, before: str = "MATCH (n)") -> Any:
        (found,) = db.run(f"{before} RETURN {expression} AS x", dialect="gql-iso").rows
        return found[0]

    assert value("SUM(n.x)") == 4
    assert value("COLLECT_LIST(n.x)", "MATCH (n:A&b)") == [3]
    assert value("STDDEV_SAMP(n.x)", "MATCH (n:A&b)") is None
    assert value("PERCENTILE_CONT(n.x, 0.5)") == 2.0
    edge = "MATCH p = (a)-[e]->(b)"
    assert value("e IS DIRECTED AND a IS SOURCE OF e AND PROPERTY_EXISTS(a, x)", edge) is True
    assert value("CARDINALITY(ELEMENTS(p))", edge) == 3
    assert value("LOG(2, 8)", "LET k = 1") == 3.0
    with pytest.raises(graphir.RunFault):
        value("LN(0)", "LET k = 1")


def test_time_zones() -> None:
    """A moment without a zone is in that of Spanner (America/Los_Angeles), or of BigQuery and ISO GQL (UTC)."""
    graph = PropertyGraph((Node(1, ("A",), {"t": DateTime(1_577_934_245)}),))
    query = (
        "GRAPH g MATCH (n:A) RETURN EXTRACT(HOUR FROM n.t) AS a, CAST(n.t AS STRING) AS b, DATE(n.t) AS c, "
        "n.t > '2020-01-02' AS d, TIMESTAMP '2020-01-02 00:00:00' AS e, FORMAT_TIMESTAMP('%H', n.t, 'UTC') AS f"
    )
    with graphir.connect("duckdb") as session:
        session.load(graph)
        assert session.run(query, dialect="gql-spanner").rows == [
            (19, "2020-01-01 19:04:05-08", Date.of(2020, 1, 1), False, DateTime(1_577_952_000), "03")
        ]
        assert session.run(query, dialect="gql-bigquery").rows == [
            (3, "2020-01-02 03:04:05+00", Date.of(2020, 1, 2), True, DateTime(1_577_923_200), "03")
        ]
        iso = "MATCH (n:A) RETURN CAST(n.t AS STRING) AS a, CAST(n.t AS DATE) AS b"
        assert session.run(iso, dialect="gql-iso").rows == [("2020-01-02 03:04:05+00", Date.of(2020, 1, 2))]


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("DATE '2024-02-29' + INTERVAL 1 DAY", "2024-03-01T00:00"),
        ("INTERVAL 1 MONTH + DATE '2024-01-31'", "2024-02-29T00:00"),
        ("DATE '2024-02-29' - INTERVAL 1 HOUR", "2024-02-28T23:00"),
        ("DATE_ADD(DATE '2024-02-29', INTERVAL 1 DAY)", "2024-03-01"),
        ("DATE '2024-02-29' + $day", "2024-03-01T00:00"),
        ("$day + DATE '2024-02-29'", "2024-03-01T00:00"),
    ],
)
def test_a_date_and_an_interval_make_a_moment(value: str, shown: str, db: Session) -> None:
    """As GoogleSQL's evaluator has it, unlike Cypher."""
    given = {"day": Duration(0, 1)} if "$" in value else {}
    text = f"FOR d IN [{value.replace('$', '@')}] RETURN d"
    ((found,),) = db.run(text, given, dialect="gql-bigquery").rows
    assert str(found) == shown
