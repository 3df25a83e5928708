"""What Google's engines share, without them: a graph as tables with a property graph, and queries for numbers."""

from __future__ import annotations

from typing import Any

import pytest

import graphir
from graphir import Edge, Node, PropertyGraph, ir
from graphir.api import to_core
from graphir.backends import gql
from graphir.backends.engines.google.elements import numbered
from graphir.backends.engines.google.layout import Layout, layout_of
from graphir.backends.engines.google.needs import hinted, missing, without_unlabelled
from graphir.backends.engines.google.values import parameter_type
from graphir.passes.kinds import Kind
from graphir.values import Date, DateTime

GRAPH = PropertyGraph(
    (Node("a", ("A",), {"x": 1}), Node("b", ("A", "B"), {"s": "t", "graphir_id": True}), Node("c")),
    (Edge("r", "R", "a", "b", {"x": 2}), Edge("s", "R", "b", "b")),
)


def layout() -> Layout:
    return layout_of([GRAPH], "test")


def core(query: str) -> ir.Query:
    return to_core(graphir.parse(query), query, "neo4j-25")


def test_tables_of_a_graph() -> None:
    made = layout()
    assert [(element.name, element.labels, element.ends) for element in made.elements()] == [
        ("n_A", ("A",), None),
        ("n_A_B", ("A", "B"), None),
        ("n_", (), None),
        ("e_R", ("R",), ("n_A", "n_A_B")),
        ("e_R_2", ("R",), ("n_A_B", "n_A_B")),
    ]
    assert dict(made.types) == {"x": "INT64", "s": "STRING", "graphir_id": "BOOL"}
    assert made.identity == "graphir_id_2"
    assert [list(made.rows_of(element)) for element in made.elements()] == [
        [(0, 1, None, None)],
        [(1, None, "t", True)],
        [(2, None, None, None)],
        [(0, 0, 1, 2, None, None)],
        [(1, 1, 1, None, None, None)],
    ]


def test_definitions() -> None:
    made = layout_of([PropertyGraph((Node(1, ("A b",), {"x`\\": 1}),), (Edge(1, "R", 1, 1),))], "test")
    ends = "src INT64 NOT NULL, dst INT64 NOT NULL"
    assert [made.create_table(element) for element in made.elements()] == [
        "CREATE TABLE `n_A_b` (id INT64 NOT NULL, `p_x__` INT64) PRIMARY KEY (id)",
        f"CREATE TABLE `e_R` (id INT64 NOT NULL, {ends}, `p_x__` INT64) PRIMARY KEY (id)",
    ]
    assert made.create_graph("g") == (
        r"CREATE PROPERTY GRAPH `g` NODE TABLES (`n_A_b` LABEL `A b` PROPERTIES (id AS `graphir_id`, `p_x__` AS "
        r"`x\`\\`)) EDGE TABLES (`e_R` SOURCE KEY (src) REFERENCES `n_A_b` (id) DESTINATION KEY (dst) REFERENCES "
        r"`n_A_b` (id) LABEL `R` PROPERTIES (id AS `graphir_id`, `p_x__` AS `x\`\\`))"
    )


def test_a_graph_of_nothing_has_a_table_of_each_kind() -> None:
    made = layout_of([PropertyGraph()], "test")
    assert [element.ends is None for element in made.elements()] == [True, False]


@pytest.mark.parametrize(
    ("query", "nodes", "edges", "keys"),
    [
        ("MATCH (n:A)-[:R]->(m:!A) RETURN n.x AS x", [], [], ()),
        ("MATCH (n:C&A)-[:R|S]->() RETURN n.y AS y, n['z'] AS z", [{"C"}, {"A", "C"}], [{"S"}], ("y", "z")),
        ("MATCH (n:B&!A {k: 1}) RETURN n.x AS x", [{"B"}], [], ("k",)),
        ("MATCH (n)-[r]->() WHERE n:C OR r:S RETURN n.x AS x", [{"C"}], [{"S"}], ()),
    ],
)
def test_what_a_query_needs(query: str, nodes: list[Any], edges: list[Any], keys: tuple[str, ...]) -> None:
    needs = missing(core(query), layout(), "test")
    assert needs.nodes == {frozenset(each) for each in nodes}
    assert needs.edges == {frozenset(each) for each in edges}
    assert needs.keys == keys
    extended = layout().extended(needs.nodes, needs.edges, dict.fromkeys(needs.keys, "INT64"))
    assert not missing(core(query), extended, "test")


@pytest.mark.parametrize(
    "query", ["MATCH (n:a) RETURN n.x AS x", "MATCH (n) RETURN n.X AS x", "MATCH (n {X: 1}) RETURN 1"]
)
def test_names_that_differ_in_case(query: str) -> None:
    with pytest.raises(graphir.Unsupported, match="upper from lower case"):
        missing(core(query), layout(), "test")


def test_types_that_a_query_tells() -> None:
    query = (
        "MATCH (n {a: 1, b: $p}) WHERE n.c STARTS WITH 'x' AND 1.5 < n.d AND n.e = date('2020-01-01') RETURN n.f AS f"
    )
    found = hinted(core(query), {"p": "ARRAY<BOOL>"})
    assert found == {"a": "INT64", "b": "ARRAY<BOOL>", "c": "STRING", "d": "FLOAT64", "e": "DATE"}


def test_any_label_is_none_of_ours() -> None:
    asked = without_unlabelled(core("MATCH (n:%)-[r:%]->() WHERE n:% RETURN n.x AS x"), layout())
    assert gql.emit(asked) == (
        "GRAPH g\nMATCH (n:!graphir_unlabelled)-[r:%]->()\nWHERE n IS LABELED !graphir_unlabelled\nRETURN n.x AS x"
    )


@pytest.mark.parametrize(
    ("query", "kinds", "text"),
    [
        ("MATCH (n) RETURN n, n.x AS x", (Kind.NODE, Kind.VALUE), "MATCH (n)\nRETURN n.k AS shown0, n.x AS x"),
        (
            "MATCH (n) RETURN n ORDER BY n.x LIMIT 1",
            (Kind.NODE,),
            "MATCH (n)\nWITH n\nRETURN n.k AS shown0\nORDER BY n.x IS NULL, n.x\nLIMIT 1",
        ),
        ("MATCH (n) WHERE id(n) = 1 RETURN id(n) AS i", (Kind.VALUE,), "MATCH (n)\nWHERE n.k = 1\nRETURN n.k AS i"),
        (
            "MATCH ()-[r]->() RETURN collect(r) AS l",
            (Kind.EDGES,),
            "MATCH ()-[r]->()\nRETURN IFNULL(ARRAY_AGG(r.k IGNORE NULLS), []) AS l",
        ),
    ],
)
def test_elements_by_their_numbers(query: str, kinds: tuple[Kind, ...], text: str) -> None:
    asked, shape = numbered(core(query), "k")
    assert shape.kinds == kinds
    assert gql.emit(asked) == f"GRAPH g\n{text}"


def test_rows_of_numbers() -> None:
    made = layout()
    _, shape = numbered(core("MATCH p = (n)-[r]->() RETURN n, [r] AS l, p, 1 AS x"), "k")
    assert shape.kinds == (Kind.NODE, Kind.EDGES, Kind.PATH, Kind.VALUE)
    assert shape.width == 5
    nodes, edges = GRAPH.nodes, GRAPH.edges
    row = shape.row([0, [0, 1], [0, 1], [0], 7], made.tables)
    assert row == (nodes[0], list(edges), graphir.Path(nodes[:2], edges[:1]), 7)
    assert shape.row([None, None, [], [], None], made.tables) == (None, None, None, None)
    with pytest.raises(LookupError, match="9, which is no node"):
        shape.row([9, [], [], [], 1], made.tables)


@pytest.mark.parametrize(
    ("value", "found"),
    [
        (True, "BOOL"),
        (1, "INT64"),
        (2**63, None),
        (1.0, "FLOAT64"),
        ("\ud800", None),
        (Date(0), "DATE"),
        (Date(10**6 * 4), None),
        (DateTime(0, 0, 0), "TIMESTAMP"),
        (DateTime(0, 0, 3600), None),
        ([None, 1.5], "ARRAY<FLOAT64>"),
        ([[1]], None),
        ({"a": 1}, None),
        (None, None),
    ],
)
def test_types_of_parameters(value: Any, found: str | None) -> None:
    assert parameter_type(value) == found
