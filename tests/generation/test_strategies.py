"""The Hypothesis strategies: they give what they say, need nothing else of graphir, and shrink to what matters."""

from collections.abc import Callable
from random import Random
from typing import Any

from hypothesis import HealthCheck, find, given, settings
from hypothesis import strategies as st

import graphir
from graphir import testing
from graphir.generation import Case
from graphir.graphs import PropertyGraph
from graphir.schema.model import DataType, EdgeType, NodeType, PropertyType, Schema

FEW = settings(max_examples=10, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck))
MANY = settings(max_examples=3000, deadline=None, database=None, suppress_health_check=list(HealthCheck))


@FEW
@given(testing.schemas())
def test_schemas(schema: Schema) -> None:
    assert schema.node_types


@FEW
@given(testing.graphs(testing.schemas(awkward=0.0), nodes=(1, 3), edges=(0, 4)))
def test_graphs(graph: PropertyGraph) -> None:
    assert 1 <= len(graph.nodes) <= 3
    assert len(graph.edges) <= 4


@FEW
@given(st.data())
def test_queries_with_a_row(data: st.DataObject) -> None:
    schema = data.draw(testing.schemas())
    graph = data.draw(testing.graphs(schema, nodes=(1, 4)))
    query = data.draw(testing.queries(schema, dialect="neo4j-5", profile="shared", nonempty_on=graph))
    with graphir.connect() as db:
        db.load(graph)
        assert db.run(query.text, query.parameters, dialect="neo4j-5").rows


@FEW
@given(testing.cases(dialect="opencypher-9", profile="gql"))
def test_cases(case: Case) -> None:
    assert [found for found in graphir.check(case.query, "opencypher-9") if found.severity == "error"] == []


@FEW
@given(testing.parameters({"name": "str", "ages": "ints", "any": "any"}))
def test_parameters(parameters: dict[str, Any]) -> None:
    assert isinstance(parameters["name"], str)
    assert all(isinstance(age, int) for age in parameters["ages"])
    assert set(parameters) == {"name", "ages", "any"}


# ------------------------------------------------------------------ a toy engine with a seeded fault

SCHEMA = Schema(
    (NodeType(("A",), (PropertyType("x", DataType("INTEGER"), nullable=True),)),), (EdgeType("R", ("A",), ("A",)),)
)


@st.composite
def pairs(draw: st.DrawFn) -> tuple[PropertyGraph, testing.Query]:
    graph = draw(testing.graphs(SCHEMA, nodes=(1, 3), edges=(0, 3), ids="numbers"))
    return graph, draw(testing.queries(SCHEMA, profile="pgq", nonempty_on=graph))


def smallest(is_wrong: Callable[[PropertyGraph, testing.Query], bool]) -> tuple[PropertyGraph, testing.Query]:
    return find(pairs(), lambda pair: is_wrong(*pair), settings=MANY, random=Random(1))


def test_a_fault_of_a_clause_shrinks_to_the_clause() -> None:
    """An engine that stumbles over OPTIONAL MATCH."""
    found = find(testing.cases(), lambda case: "OPTIONAL MATCH" in case.features, settings=MANY, random=Random(1))
    assert len(found.graph.nodes) <= 1
    assert found.graph.edges == ()
    assert found.query.count("MATCH") <= 2
    assert len(found.query) < 90


def test_a_fault_of_the_graph_shrinks_to_the_graph() -> None:
    """An engine that loses an edge from a node to itself when a pattern is undirected."""

    def is_wrong(graph: PropertyGraph, query: testing.Query) -> bool:
        return any(edge.start == edge.end for edge in graph.edges) and "undirected" in query.features

    graph, query = smallest(is_wrong)
    assert len(graph.nodes) <= 2
    assert len(graph.edges) <= 2
    assert len(query.text) < 90
