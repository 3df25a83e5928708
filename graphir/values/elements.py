"""Functions of nodes, relationships, paths and maps: their labels, types, keys, properties and parts.

They work on entities as values.  An entity that is known by its id alone has none of this: whoever keeps the graph
looks it up first.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphir.values.entities import Edge, Node, Path
from graphir.values.faults import mismatch
from graphir.values.references import EdgeReference, NodeReference, PathReference

_NODES = (Node, NodeReference)
_EDGES = (Edge, EdgeReference)


def labels(value: Any) -> list[str] | None:
    if value is None:
        return None
    if type(value) is not Node:
        raise mismatch("labels()", value, "a node")
    return list(value.labels)


def type_of(value: Any) -> str | None:
    """The type of a relationship."""
    if value is None:
        return None
    if type(value) is not Edge:
        raise mismatch("type()", value, "a relationship")
    return value.type


def _entity(where: str, value: Any) -> Any:
    if not isinstance(value, _NODES + _EDGES):
        raise mismatch(where, value, "a node or a relationship")
    return value


def id_of(value: Any) -> Any:
    return None if value is None else _entity("id()", value).id


def element_id(value: Any) -> str | None:
    """The id as a string, which no two nodes and no two relationships share."""
    return None if value is None else str(_entity("elementId()", value).id)


def properties(value: Any) -> dict[str, Any] | None:
    """The properties of an entity, a map itself."""
    if value is None:
        return None
    if type(value) is dict:
        return value
    if type(value) is not Node and type(value) is not Edge:
        raise mismatch("properties()", value, "a node, a relationship or a map")
    return dict(value.properties)


def keys(value: Any) -> list[str] | None:
    """The names of the properties or entries, those whose value is null in a map too."""
    if value is None:
        return None
    if type(value) is dict:
        return list(value)
    if type(value) is not Node and type(value) is not Edge:
        raise mismatch("keys()", value, "a node, a relationship or a map")
    return list(value.properties)


def length(value: Any) -> int | None:
    """The number of relationships of a path."""
    return None if value is None else len(_path("length()", value).edges)


def _path(where: str, value: Any) -> Path | PathReference:
    if not isinstance(value, (Path, PathReference)):
        raise mismatch(where, value, "a path")
    return value


def nodes(value: Any) -> list[Any] | None:
    if value is None:
        return None
    path = _path("nodes()", value)
    return list(path.nodes) if isinstance(path, Path) else [NodeReference(key) for key in path.nodes]


def relationships(value: Any) -> list[Any] | None:
    if value is None:
        return None
    path = _path("relationships()", value)
    return list(path.edges) if isinstance(path, Path) else [EdgeReference(key) for key in path.edges]


def _end(where: str, end: str) -> Callable[[Any], NodeReference | None]:
    def function(value: Any) -> Any:
        if value is None:
            return None
        if type(value) is not Edge:
            raise mismatch(where, value, "a relationship")
        key = getattr(value, end)
        return NodeReference(key) if type(key) is int else Node(key)

    return function


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "elementId": element_id,
    "endNode": _end("endNode()", "end"),
    "id": id_of,
    "keys": keys,
    "labels": labels,
    "length": length,
    "nodes": nodes,
    "path_length": length,
    "properties": properties,
    "relationships": relationships,
    "startNode": _end("startNode()", "start"),
    "type": type_of,
}
