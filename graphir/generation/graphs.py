"""Random graphs: what translations and engines get wrong, in few elements.

Parallel edges, self-loops and cycles come by themselves where few nodes have many edges; ids of nodes and edges
collide, and may be of types that look alike; properties are missing, not finite, empty, large.  A graph conforms to its
schema: labels, ends, types of properties, and properties that are not nullable.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from graphir.generation.dice import Dice
from graphir.generation.kinds import MIXED, STRANGE, VALUES, kind_of
from graphir.generation.vocabulary import full_labels, full_properties
from graphir.graphs import PropertyGraph
from graphir.schema.model import EdgeType, PropertyType, Schema
from graphir.values import Edge, Node

Id = int | str


def graph(
    dice: Dice,
    schema: Schema,
    *,
    nodes: tuple[int, int] = (0, 5),
    edges: tuple[int, int] = (0, 9),
    strange: float = 0.1,
    missing: float = 0.3,
    ids: str = "any",
) -> PropertyGraph:
    """A graph of the schema.

    `nodes` and `edges` are the least and the greatest number of them.  `strange` is the share of values that are rarely
    thought of, `missing` that of nullable properties that are not there.  `ids`: "numbers" from 0 on for nodes and for
    edges, "texts", "mixed" (1 beside "1"), or "any" of these.
    """
    scheme = dice.pick(("numbers", "numbers", "texts", "mixed", "far")) if ids == "any" else ids
    made: list[Node] = []
    families: list[tuple[str, ...]] = []
    for at in _count(dice, nodes) if schema.node_types else ():
        declared = dice.pick(schema.node_types)
        row = _row(dice, full_properties(declared, schema), declared.key, at, strange, missing)
        made.append(Node(identifier(scheme, at), full_labels(declared, schema), row))
        families.append(declared.labels)
    possible = [
        (e, s, t)
        for e in schema.edge_types
        if (s := _ends(made, families, e.source)) and (t := _ends(made, families, e.target))
    ]
    joined: list[Edge] = []
    for at in _count(dice, edges) if possible else ():
        declared_edge, sources, targets = dice.pick(possible)
        joined.append(_edge(dice, declared_edge, sources, targets, identifier(scheme, at), at, strange, missing))
    return PropertyGraph(tuple(made), tuple(joined))


def identifier(scheme: str, at: int) -> Id:
    """The id of the element at a place; nodes and edges share them."""
    match scheme:
        case "texts":
            return ("", "0", "a", "A", "a b")[at] if at < 5 else str(at)
        case "mixed":
            return at // 2 if at % 2 else str(at // 2)
        case "far":
            return at * 7 - 3 if at % 3 else (1 << 40) + at
        case _:
            return at


def value(dice: Dice, kind: str, strange: float = 0.0) -> Any:
    """A value of a kind of properties."""
    if kind == "any":
        kind = dice.pick(MIXED)
    if kind in STRANGE and dice.chance(strange):
        return dice.pick(STRANGE[kind])
    return dice.pick(VALUES[kind])


def _count(dice: Dice, bounds: tuple[int, int]) -> range:
    """So many that every number is as likely, and that fewer is simpler."""
    least, most = bounds
    return range(dice.between(least, most))


def _ends(made: Sequence[Node], families: Sequence[tuple[str, ...]], end: tuple[str, ...] | None) -> list[Node]:
    return [node for node, family in zip(made, families, strict=True) if end is None or family == end]


def _edge(
    dice: Dice,
    declared: EdgeType,
    sources: Sequence[Node],
    targets: Sequence[Node],
    key: Id,
    at: int,
    strange: float,
    missing: float,
) -> Edge:
    row = _row(dice, declared.properties or (), declared.key, at, strange, missing)
    return Edge(key, declared.type, dice.pick(sources).id, dice.pick(targets).id, row)


def _row(
    dice: Dice, properties: Sequence[PropertyType], key: tuple[str, ...], at: int, strange: float, missing: float
) -> dict[str, Any]:
    """Values for properties; what is unique is the number of the element."""
    row: dict[str, Any] = {}
    for declared in properties:
        kind = kind_of(declared)
        if declared.unique or declared.name in key:
            row[declared.name] = at if kind != "str" else f"k{at}"
        elif declared.nullable is False or not dice.chance(missing):
            row[declared.name] = dice.pick(declared.values) if declared.values else value(dice, kind, strange)
    return row
