"""The schema of a property graph in memory."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from typing import TYPE_CHECKING, Any

from graphir.schema.infer.database import degrees
from graphir.schema.infer.statistics import CATEGORIES, EXAMPLES, ORDERED, is_closed, one_type, plain
from graphir.schema.model import CLOSED, EdgeType, Labels, NodeType, PropertyType, Schema, labels
from graphir.values.ordering import order_key
from graphir.values.valuetypes import value_type

if TYPE_CHECKING:
    from graphir.graphs import PropertyGraph

Records = list[Mapping[str, Any]]


def infer(graph: PropertyGraph) -> Schema:
    """See `graphir.schema.infer.from_graph`."""
    nodes: dict[Labels, Records] = {}
    edges: dict[tuple[str, Labels, Labels], Records] = {}
    ends: dict[Hashable, Labels] = {}
    for node in graph.nodes:
        ends[node.id] = labels(*node.labels)
        nodes.setdefault(ends[node.id], []).append(node.properties)
    for edge in graph.edges:
        edges.setdefault((edge.type, ends[edge.start], ends[edge.end]), []).append(edge.properties)
    guesses: dict[str, None] = {}
    counts = {of: len(found) for of, found in nodes.items()}
    node_types = [
        NodeType(of, _properties(found, ":".join(of), guesses), count=len(found)) for of, found in nodes.items()
    ]
    edge_types = []
    for (type, source, target), found in edges.items():
        one = EdgeType(type, source, target, _properties(found, type, guesses), count=len(found))
        edge_types.append(
            EdgeType(type, source, target, one.properties, count=one.count, degrees=degrees(len(found), one, counts))
        )
    guesses["a property that takes few texts, many times each, is taken to take no other"] = None
    return Schema(tuple(node_types), tuple(edge_types), CLOSED, guesses=tuple(guesses))


def _properties(found: Records, owner: str, guesses: dict[str, None]) -> tuple[PropertyType, ...]:
    by_name: dict[str, list[Any]] = {}
    for record in found:
        for name, value in record.items():
            if value is not None:
                by_name.setdefault(name, []).append(value)
    return tuple(_property(name, values, len(found), owner, guesses) for name, values in by_name.items())


def _property(name: str, values: list[Any], rows: int, owner: str, guesses: dict[str, None]) -> PropertyType:
    words = {value_type(value) for value in values}
    type, several = one_type(words)
    if several:
        guesses[f"{owner}.{name} has values of several types, {', '.join(sorted(words))}: its type is unknown"] = None
    keyed = {order_key(value): value for value in values}
    closed = is_closed(type, len(keyed), len(values))
    simple = type is not None and type.name not in ("LIST", "BOOLEAN", "POINT", "VECTOR", "MAP")
    ordered = type is not None and type.name in ORDERED
    return PropertyType(
        name,
        type,
        nullable=len(values) < rows,
        unique=len(keyed) == len(values),
        values=tuple(sorted(keyed.values())) if closed else None,
        examples=_shown(keyed.values())[:EXAMPLES] if simple and not closed else (),
        sizes=_sizes(values) if type is not None and type.name == "LIST" else None,
        minimum=plain(keyed[min(keyed)]) if ordered else None,
        maximum=plain(keyed[max(keyed)]) if ordered else None,
        distinct=len(keyed),
    )


def _shown(values: Iterable[Any]) -> tuple[Any, ...]:
    return tuple(plain(value) for value, _ in zip(values, range(CATEGORIES), strict=False))


def _sizes(values: list[Any]) -> tuple[int, int]:
    found = [len(value) for value in values]
    return min(found), max(found)
