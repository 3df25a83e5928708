"""Graphs as typed tables: which tables and columns there are, what they hold, what is refused, and the way back."""

from __future__ import annotations

import pytest

from graphir.backends.engines.tables import Names, Rule, Tables, tables_of
from graphir.backends.sql.reps import DATE, FLOAT, INTEGER, NULL, SIMPLE, STRING, ListRep, Rep
from graphir.diagnostics import Unsupported
from graphir.graphs import PropertyGraph
from graphir.schema.model import BY_LABEL, DataType, EdgeType, NodeType, PropertyType, Schema
from graphir.values.dates import Date
from graphir.values.entities import Edge, Node


def holds(rep: Rep) -> bool:
    return holds(rep.element) if isinstance(rep, ListRep) else rep in SIMPLE or rep == NULL


RULE = Rule("this engine", holds)
GRAPH = PropertyGraph(
    (
        Node("x", ("A", "B"), {"name": "one", "n": 1}),
        Node(7, (), {}),
        Node("y", ("B", "A"), {"list": [1, 2], "n": None}),
        Node(8, ("A",), {"name": "two"}),
    ),
    (
        Edge("r", "T", "x", "y", {"w": 0.5}),
        Edge(0, "T", 8, 8),
        Edge(1, "U", "y", 7),
        Edge(2, "T", "x", "x", {"since": 3}),
    ),
)


def columns(tables: Tables) -> dict[str, dict[str, str]]:
    return {each.name: {key: str(c.rep) for key, c in each.columns.items()} for each in (*tables.nodes, *tables.edges)}


def test_a_table_for_each_set_of_labels_and_each_type() -> None:
    made = tables_of(GRAPH, RULE)
    assert columns(made) == {
        "n_A_B": {"name": "string", "n": "integer", "list": "list<integer>"},
        "n_": {},
        "n_A": {"name": "string"},
        "e_T": {"w": "float", "since": "integer"},
        "e_U": {},
    }
    assert [list(table.rows()) for table in made.nodes] == [
        [(0, "one", 1, None), (2, None, None, [1, 2])],
        [(1,)],
        [(3, "two")],
    ]
    assert [list(table.rows()) for table in made.edges] == [
        [(0, 0, 2, 0.5, None), (1, 3, 3, None, None), (3, 0, 0, None, 3)],
        [(2, 2, 1)],
    ]


def test_elements_come_back_as_they_were() -> None:
    made = tables_of(GRAPH, RULE)
    assert [made.node(at) is node for at, node in enumerate(GRAPH.nodes)] == [True] * 4
    assert [made.edge(at) is edge for at, edge in enumerate(GRAPH.edges)] == [True] * 4
    for wrong in (-1, 4):
        with pytest.raises(LookupError):
            made.node(wrong)


def test_tables_by_ends() -> None:
    made = tables_of(GRAPH, RULE, by_ends=True)
    assert [(table.name, table.type, table.sources, table.targets) for table in made.edges] == [
        ("e_T", "T", {"n_A_B"}, {"n_A_B"}),
        ("e_T_2", "T", {"n_A"}, {"n_A"}),
        ("e_U", "U", {"n_A_B"}, {"n_"}),
    ]
    assert [table.numbers for table in made.edges] == [[0, 3], [1], [2]]


def test_graphs_side_by_side() -> None:
    made = tables_of([GRAPH, GRAPH], RULE)
    assert made.nodes[0].numbers == [0, 2, 4, 6]
    assert made.edges[1].starts == [2, 6]
    assert made.node(4) is GRAPH.nodes[0]


def test_a_schema_adds_tables_and_columns() -> None:
    name, unknown = PropertyType("name", DataType("STRING")), PropertyType("what")
    born = PropertyType("born", DataType("DATE"))
    schema = Schema(
        (
            NodeType(("A",), (name, unknown)),
            NodeType(("C",), (born,), parents=("A",)),
            NodeType(("D",), None),
        ),
        (
            EdgeType("T", ("A",), ("D",), (PropertyType("w", DataType("FLOAT32")),)),
            EdgeType("V", ("A",), ("A",), (PropertyType("l", DataType("LIST", DataType("STRING"))),)),
            EdgeType("W", None, ("A",)),
        ),
        coverage=BY_LABEL,
    )
    made = tables_of(GRAPH, Rule("any", lambda _: True), schema)
    assert columns(made) == {
        "n_A_B": {"name": "string", "n": "integer", "list": "list<integer>", "what": "null"},
        "n_": {},
        "n_A": {"name": "string", "what": "null"},
        "n_A_C": {"name": "string", "what": "null", "born": "date"},
        "n_D": {},
        "e_T": {"w": "float", "since": "integer"},
        "e_U": {},
        "e_V": {"l": "list<string>"},
    }
    apart = tables_of(GRAPH, Rule("any", lambda _: True), schema, by_ends=True)
    assert [(t.name, t.sources, t.targets) for t in apart.edges if t.type == "T"][2:] == [("e_T_3", {"n_A"}, {"n_D"})]


@pytest.mark.parametrize(
    ("properties", "told"),
    [
        ([{"k": 1}, {"k": "1"}], "several types"),
        ([{"k": 1}, {"k": 1.5}], "several types"),
        ([{"k": True}, {"k": 1}], "several types"),
        ([{"k": [1, "1"]}], "list<dynamic>"),
        ([{"k": Date(0)}], "date"),
        ([{"k": {"a": 1}}], "maps"),
        ([{"k": "a\0b"}], "no NUL"),
    ],
)
def test_what_has_no_column_is_refused(properties: list[dict[str, object]], told: str) -> None:
    def objection(value: object) -> str | None:
        return "takes no NUL in strings" if isinstance(value, str) and "\0" in value else None

    graph = PropertyGraph(tuple([Node(at, ("A",), each) for at, each in enumerate(properties)]))
    with pytest.raises(Unsupported) as caught:
        tables_of(graph, Rule("this engine", holds, objection))
    assert caught.value.diagnostics[0].code == "G626"
    assert "this engine" in str(caught.value)
    assert told in str(caught.value)
    assert "'k'" in str(caught.value)


def test_names_are_safe() -> None:
    wanted = ["p_", "p_''", 'p_"', "p_Ab", "p_aB", "p_" + "x" * 100, "p_" + "x" * 101, "p_ä", "p_Ab_2", "ID"]
    made = [Names(("id",)).free(each) for each in wanted[-1:]]
    names = Names()
    made += [names.free(each) for each in wanted]
    assert made[0] == "ID_2"
    assert made[1:] == [
        "p_",
        "p___",
        "p__",
        "p_Ab",
        "p_aB_2",
        "p_" + "x" * 38,
        "p_" + "x" * 38 + "_2",
        "p___2",
        "p_Ab_2_2",
        "ID",
    ]


def test_the_catalog_knows_the_ends() -> None:
    made = tables_of(GRAPH, RULE).catalog()
    assert [(table.name, table.labels) for table in made.nodes] == [("n_A_B", ("A", "B")), ("n_", ()), ("n_A", ("A",))]
    assert {key: column.rep for key, column in made.edges[0].columns.items()} == {"w": FLOAT, "since": INTEGER}
    assert made.nodes[2].columns["name"].rep == STRING
    assert made.ends(made.edges[0]) == ({"n_A_B", "n_A"}, {"n_A_B", "n_A"})
    assert made.ends(made.edges[1]) == ({"n_A_B"}, {"n_"})


def test_declared_types_without_values_are_refused_alike() -> None:
    schema = Schema((NodeType(("A",), (PropertyType("born", DataType("DATE")),)),))
    with pytest.raises(Unsupported, match="date"):
        tables_of(PropertyGraph(), RULE, schema)
    assert tables_of(PropertyGraph(), Rule("any", lambda _: True), schema).nodes[0].columns["born"].rep == DATE
