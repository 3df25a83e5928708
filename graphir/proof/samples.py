"""Random graphs on which a query has something to find.

What the query names (labels, types, properties, the constants it compares them with) makes a schema where none is
given; `generation` fills that with random elements, and embeddings of the patterns of the query are planted among them.
The same seed gives the same graphs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from graphir.generation.dice import Dice, RandomDice
from graphir.generation.graphs import graph as random_graph
from graphir.generation.graphs import value as random_value
from graphir.generation.kinds import TYPES, kind_of, kind_of_value
from graphir.graphs import PropertyGraph
from graphir.proof.hints import Hints, hints_of
from graphir.proof.planting import Planter
from graphir.proof.questions import Question
from graphir.schema.model import EdgeType, NodeType, PropertyType, Schema, labels
from graphir.values.entities import Edge, Node

SIZE = 6
"""The most random nodes of a graph, beside those that are planted."""
_OTHER, _BESIDES = "Other", "BESIDES"
"""A label and a type that no query names, so that there is something to leave out."""


def samples(
    questions: Sequence[Question], count: int, *, seed: int = 0, schema: Schema | None = None, size: int = SIZE
) -> Iterator[PropertyGraph]:
    """So many graphs for the questions.  With a schema all of them conform to it; without one it is guessed."""
    hints = Hints.joined([hints_of(question) for question in questions])
    known = _filled(schema, hints) if schema is not None else guessed(hints)
    planter = Planter([question.core for question in questions], hints, known, closed=schema is not None)
    for number in range(count):
        dice = RandomDice(f"{seed} {number}")
        yield _graph(dice, known, planter, number, size)


def _graph(dice: Dice, schema: Schema, planter: Planter, number: int, size: int) -> PropertyGraph:
    """The first graphs are small, and each fourth has nothing planted in it."""
    most = min(size, 1 + number)
    noise = random_graph(dice, schema, nodes=(0, most), edges=(0, 2 * most), strange=0.05, missing=0.2, ids="numbers")
    if number % 4 == 3:
        return noise
    nodes, edges = list(noise.nodes), list(noise.edges)
    for _ in range(dice.between(1, 3)):
        planter.plant(dice, nodes, edges)
    return _numbered(nodes, edges)


def _numbered(nodes: Sequence[Node], edges: Sequence[Edge]) -> PropertyGraph:
    """The graph with ids that count from 0."""
    ids = {node.id: at for at, node in enumerate(nodes)}
    joined = [replace(edge, id=at, start=ids[edge.start], end=ids[edge.end]) for at, edge in enumerate(edges)]
    return PropertyGraph(tuple([replace(node, id=ids[node.id]) for node in nodes]), tuple(joined))


# ------------------------------------------------------------------ the schema


def guessed(hints: Hints) -> Schema:
    """What a graph may have for the query to find something: every label and type by itself and as they stand together,
    with every property that is named."""
    carried = [*hints.label_sets, (_OTHER,)] if hints.label_sets else [("Thing",), (_OTHER,)]
    properties = tuple([_property(key, hints.values.get(key, ())) for key in hints.keys])
    types = [*hints.types, _BESIDES] if hints.types else ["LINKS", _BESIDES]
    nodes = [NodeType(labels(*each), properties) for each in dict.fromkeys(carried)]
    return Schema(tuple(nodes), tuple([EdgeType(each, None, None, properties) for each in types]))


def _property(key: str, values: Sequence[Any]) -> PropertyType:
    """A property that has values like those it is compared with."""
    kinds = {kind_of_value(value) for value in values}
    kind = kinds.pop() if len(kinds) == 1 else "any" if kinds else "int"
    return PropertyType(key, TYPES[kind], nullable=True, values=tuple(values) or None)


def _filled(schema: Schema, hints: Hints) -> Schema:
    """The schema, its properties with the values that the query compares them with, where they are of their type."""

    def fill(properties: Sequence[PropertyType] | None) -> tuple[PropertyType, ...] | None:
        return None if properties is None else tuple([_with_values(each, hints.values) for each in properties])

    nodes = tuple([replace(each, properties=fill(each.properties)) for each in schema.node_types])
    edges = tuple([replace(each, properties=fill(each.properties)) for each in schema.edge_types])
    return replace(schema, node_types=nodes, edge_types=edges)


def _with_values(declared: PropertyType, values: Mapping[str, Sequence[Any]]) -> PropertyType:
    if declared.values or declared.unique:
        return declared
    kind = kind_of(declared)
    asked = [value for value in values.get(declared.name, ()) if kind in ("any", kind_of_value(value))]
    if not asked:
        return declared
    dice = RandomDice(declared.name)
    return replace(declared, values=(*asked, *[random_value(dice, kind) for _ in range(2)]))
