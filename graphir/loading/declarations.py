"""What a schema declares of the properties of a graph that is loaded, and the graph made so.

A schema types what it knows; labels, types and properties that it does not have are kept as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from graphir.diagnostics import GraphirError
from graphir.graphs import PropertyGraph
from graphir.loading.faults import MISTYPED, fault
from graphir.loading.texts import PARSERS
from graphir.schema.model import TYPES, DataType, EdgeType, NodeType, Schema
from graphir.values.dates import Date
from graphir.values.datetimes import DateTime, LocalDateTime
from graphir.values.durations import Duration
from graphir.values.points import Point
from graphir.values.times import LocalTime, Time

Declared = Callable[[str], DataType | None]
"""The type of a property, if it is declared."""

_CLASSES: Mapping[str, type[Any]] = {
    "BOOLEAN": bool,
    "INTEGER": int,
    "FLOAT": float,
    "STRING": str,
    "DATE": Date,
    "LOCAL TIME": LocalTime,
    "ZONED TIME": Time,
    "LOCAL DATETIME": LocalDateTime,
    "ZONED DATETIME": DateTime,
    "DURATION": Duration,
    "POINT": Point,
}


class Declarations:
    """The types that a schema, or none, declares."""

    def __init__(self, schema: Schema | None) -> None:
        self.schema = schema
        self._nodes: dict[frozenset[str], dict[str, DataType | None]] = {}
        self._edges: dict[str, dict[str, DataType | None]] = {}

    def of_node(self, labels: Iterable[str]) -> Declared:
        """For a node with these labels: what all node types agree on whose labels it has."""
        key = frozenset(labels)
        if key not in self._nodes:
            types = self.schema.node_types if self.schema else ()
            self._nodes[key] = _merged(one for one in types if one.labels and key >= {*one.labels, *one.parents})
        return self._nodes[key].get

    def of_edge(self, type_: str) -> Declared:
        if type_ not in self._edges:
            types = self.schema.edge_types if self.schema else ()
            self._edges[type_] = _merged(one for one in types if one.type == type_)
        return self._edges[type_].get

    def texts(self, name: str) -> set[str]:
        """The properties of a label or a type that are no numbers and no booleans, whatever their values look like."""
        found = _merged(self._types_named(name))
        return {key for key, type_ in found.items() if type_ is not None and TYPES[type_.name] not in _LOOKS}

    def end(self, name: str, end: int) -> str | None:
        """The one label at an end (1 or 2) of the edges of a type."""
        types = self.schema.edge_types if self.schema else ()
        found = {one.source if end == 1 else one.target for one in types if one.type == name}
        only = found.pop() if len(found) == 1 else None
        return only[0] if only and len(only) == 1 else None

    def _types_named(self, name: str) -> Iterable[NodeType | EdgeType]:
        if self.schema is not None:
            yield from (one for one in self.schema.node_types if one.labels == (name,))
            yield from (one for one in self.schema.edge_types if one.type == name)


_LOOKS = ("BOOLEAN", "INTEGER", "FLOAT", "ANY", "LIST", "MAP", "VECTOR")


def _merged(types: Iterable[NodeType | EdgeType]) -> dict[str, DataType | None]:
    found: dict[str, DataType | None] = {}
    for one in types:
        for each in one.properties or ():
            agreed = each.name not in found or found[each.name] == each.type
            found[each.name] = each.type if agreed else None
    return found


def conform(graph: PropertyGraph, declarations: Declarations) -> PropertyGraph:
    """The graph with its values of the declared types: integers become floats, texts temporal values and points.

    UsageFault (G661) for a value that is not of its type.
    """
    if declarations.schema is None:
        return graph
    nodes = [
        replace(node, properties=_typed(node.properties, declarations.of_node(node.labels), f"node {node.id!r}"))
        for node in graph.nodes
    ]
    edges = [
        replace(edge, properties=_typed(edge.properties, declarations.of_edge(edge.type), f"edge {edge.id!r}"))
        for edge in graph.edges
    ]
    return PropertyGraph(tuple(nodes), tuple(edges))


def _typed(properties: Mapping[str, Any], declared: Declared, owner: str) -> Mapping[str, Any]:
    return {key: _value(value, declared(key), f"{key} of {owner}") for key, value in properties.items()}


def _value(value: Any, type_: DataType | None, of: str) -> Any:
    """The value in its type.  Recurses on lists."""
    if value is None or type_ is None:
        return value
    kind = TYPES[type_.name]
    if kind == "LIST":
        if not isinstance(value, Sequence) or isinstance(value, str):
            raise _mistyped(value, type_, of)
        return [_value(item, type_.element, of) for item in value]
    wanted = _CLASSES.get(kind)
    if wanted is None or type(value) is wanted:
        return value
    if kind == "FLOAT" and type(value) is int:
        return float(value)
    if kind in PARSERS and type(value) is str:
        try:
            return PARSERS[kind](value)
        except (GraphirError, ValueError):
            raise _mistyped(value, type_, of) from None
    raise _mistyped(value, type_, of)


def _mistyped(value: Any, type_: DataType, of: str) -> GraphirError:
    return fault(MISTYPED, f"{of} is {value!r:.80}, which is no {type_}")
