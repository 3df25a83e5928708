"""The encoding loses nothing, and the sorting keys sort as the values do."""

from __future__ import annotations

import math
from typing import Any
from uuid import UUID

import pytest
from hypothesis import given

import graphir
from graphir.values.codec import (
    decode,
    encode,
    kind,
    order_key,
)
from graphir.values.comparison import compare, equals, equivalent
from graphir.values.conversions import from_neo4j, to_neo4j
from graphir.values.entities import Edge, Node, Path
from graphir.values.json import from_json, to_json
from graphir.values.references import EdgeReference, NodeReference, PathReference
from graphir.values.vectors import Vector
from tests.values.strategies import atoms, numbers, values


def same(one: Any, other: Any) -> bool:
    """Exactly the same value: type by type, NaN like NaN, 0.0 unlike -0.0."""
    if isinstance(one, (list, dict)):
        pairs = zip(one, other, strict=True) if isinstance(one, list) else zip(one.items(), other.items(), strict=True)
        return type(one) is type(other) and all(same(a, b) for a, b in pairs)
    if isinstance(one, tuple):
        return one[0] == other[0] and same(one[1], other[1])
    return type(one) is type(other) and repr(one) == repr(other)


def sign(one: bytes, other: bytes) -> int:
    return (one > other) - (one < other)


@given(values)
def test_what_is_encoded_is_decoded(value: Any) -> None:
    assert same(decode(encode(value)), value)


@given(values, values)
def test_keys_sort_as_values_do(one: Any, other: Any) -> None:
    assert sign(order_key(one), order_key(other)) == compare(one, other)


@given(atoms, atoms)
def test_keys_of_atoms_sort_as_they_do(one: Any, other: Any) -> None:
    assert sign(order_key(one), order_key(other)) == compare(one, other)


@given(numbers, numbers)
def test_numbers_compare_exactly(one: float, other: float) -> None:
    if math.isnan(one) or math.isnan(other):
        assert equivalent(one, other) is (math.isnan(one) and math.isnan(other))
    else:
        assert sign(order_key(one), order_key(other)) == (one > other) - (one < other)


@given(values, values)
def test_equal_values_are_equivalent(one: Any, other: Any) -> None:
    if equals(one, other):
        assert equivalent(one, other)


@given(values, values, values)
def test_lists_sort_by_their_items(one: Any, other: Any, third: Any) -> None:
    assert compare([one, other], [one, third]) == compare(other, third)
    assert order_key([one]) < order_key([one, other])


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (1, 1.0),
        (0.0, -0.0),
        (0, -0.0),
        (math.nan, -math.nan),
        (None, None),
        ([1, None], [1.0, None]),
        ({"a": 1}, {"a": 1.0}),
    ],
)
def test_equivalent(one: Any, other: Any) -> None:
    assert equivalent(one, other)
    assert compare(one, other) == 0


def test_map_entries_have_no_order() -> None:
    assert order_key({"a": 1, "b": 2}) == order_key({"b": 2, "a": 1})


def test_entities_are_kept_by_id() -> None:
    path = Path((Node(1), Node(2)), (Edge(5, "R", 2, 1),))
    assert decode(encode([Node(7), Edge(5, "R", 1, 2), path])) == [
        NodeReference(7),
        EdgeReference(5),
        PathReference((1, 2), (5,)),
    ]
    assert encode(Node(7)) == encode(NodeReference(7))
    assert encode(Edge(5, "R", 1, 2)) == encode(EdgeReference(5))
    assert encode(path) == encode(PathReference((1, 2), (5,)))
    assert decode(encode(Node(-7))) == NodeReference(-7)
    assert order_key(Node(7)) == order_key(NodeReference(7))


def test_entities_are_looked_up() -> None:
    class Graph:
        def node(self, key: int) -> Node:
            return Node(key, ("A",))

        def edge(self, key: int) -> Edge:
            return Edge(key, "R", 0, 1)

        def path(self, nodes: tuple[int, ...], edges: tuple[int, ...]) -> Path:
            return Path(tuple(map(self.node, nodes)), tuple(map(self.edge, edges)))

    found = decode(encode([Node(7), Edge(5, "X", 0, 0), Path((Node(1),))]), Graph())
    assert [found[0].labels, found[1].type, found[2].nodes[0].labels] == [("A",), "R", ("A",)]


@pytest.mark.parametrize(
    ("value", "word"),
    [
        (1, "integer"),
        (1.0, "float"),
        ("a", "string"),
        (None, "null"),
        ([], "list"),
        ({}, "map"),
        (True, "boolean"),
        (Node(1), "node"),
    ],
)
def test_kind(value: Any, word: str) -> None:
    assert kind(encode(value)) == word


@pytest.mark.parametrize(("value", "code"), [(2**63, "G630"), (object(), "G637"), ([{1}], "G637"), (Node("a"), "G637")])
def test_what_cannot_be_encoded(value: Any, code: str) -> None:
    with pytest.raises(graphir.GraphirError) as raised:
        encode(value)
    assert raised.value.diagnostics[0].code == code


@pytest.mark.parametrize(
    "value",
    [Vector("INTEGER8", (1, -2)), Vector("FLOAT32", (0.5,)), Vector("FLOAT64", (0.1, 2.0)), UUID(int=7)],
)
def test_vectors_and_uuids_in_other_forms(value: Any) -> None:
    assert from_json(to_json(value)) == value
    assert decode(encode(value)) == value
    assert from_neo4j(to_neo4j(value)) == value
