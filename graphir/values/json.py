"""Values as JSON documents, and back.

What JSON has is itself; every other value is an object with one key that begins with a dollar sign:

    {"$date": "1984-10-11"}  {"$localtime": ..}  {"$time": ..}  {"$localdatetime": ..}  {"$datetime": ..}
    {"$duration": "P1Y2M"}   {"$point": {"srid": 7203, "x": 1.0, "y": 2.0}}   {"$float": "NaN"}
    {"$uuid": text}          {"$vector": [1, 2], "type": "INTEGER8"}
    {"$node": id}  {"$edge": id}  {"$path": [{"$node": id}, {"$edge": id}, ..]}
    {"$map": {..}}           a map that would be taken for one of these

Entities are their ids, or with `entities="full"` also labels, type, ends and properties beside the id.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal
from uuid import UUID

from graphir.values.dates import Date
from graphir.values.datetimes import DateTime, LocalDateTime
from graphir.values.documents import Json
from graphir.values.durations import Duration
from graphir.values.entities import Edge, Node, Path
from graphir.values.faults import fault, type_name
from graphir.values.numbers import float_text
from graphir.values.points import Point
from graphir.values.times import LocalTime, Time
from graphir.values.vectors import COORDINATES, Vector, vector

Entities = Literal["reference", "full"]

_KEYS: dict[type[Any], str] = {
    Date: "$date",
    LocalTime: "$localtime",
    Time: "$time",
    LocalDateTime: "$localdatetime",
    DateTime: "$datetime",
    Duration: "$duration",
}
_PARSERS: dict[str, Callable[[str], Any]] = {key: type_.parse for type_, key in _KEYS.items()}
_KEYS[UUID] = "$uuid"
_PLAIN = (bool, int, str, type(None))


def to_json(value: Any, entities: Entities = "reference") -> Any:
    """The document of a value.  A fault (G647) for an object that is no value.

    >>> to_json([1, Date.of(1984, 10, 11), Node(7, ("A",), {})])
    [1, {'$date': '1984-10-11'}, {'$node': 7}]
    """
    type_ = type(value)
    if type_ in _PLAIN:
        return value
    if type_ is float:
        return value if math.isfinite(value) else {"$float": float_text(value)}
    if type_ in _KEYS:
        return {_KEYS[type_]: str(value)}
    match value:
        case Mapping():
            row = {key: to_json(item, entities) for key, item in value.items()}
            return {"$map": row} if any(key.startswith("$") for key in row) else row
        case list() | tuple():
            return [to_json(item, entities) for item in value]
        case Point():
            return {"$point": {name: part for name, part in _coordinates(value) if part is not None}}
        case Node() | Edge() | Path():
            return _entity(value, entities)
        case Json():
            return {"$json": value.value}
        case Vector():
            return {"$vector": list(value.coordinates), "type": value.type}
        case _:
            raise fault("G647", f"{type_name(value)} cannot be written as JSON")


def _coordinates(point: Point) -> tuple[tuple[str, Any], ...]:
    return ("srid", point.srid), ("x", point.x), ("y", point.y), ("z", point.z)


def _entity(value: Node | Edge | Path, entities: Entities) -> dict[str, Any]:
    match value:
        case Path():
            steps: list[Node | Edge] = [value.nodes[0]]
            for edge, node in zip(value.edges, value.nodes[1:], strict=True):
                steps += [edge, node]
            return {"$path": [_entity(step, entities) for step in steps]}
        case Node() if entities == "full":
            return {"$node": value.id, "labels": list(value.labels), "properties": _properties(value.properties)}
        case Node():
            return {"$node": value.id}
        case Edge() if entities == "full":
            ends = {"type": value.type, "start": value.start, "end": value.end}
            return {"$edge": value.id, **ends, "properties": _properties(value.properties)}
        case _:
            return {"$edge": value.id}


def _properties(properties: Mapping[str, Any]) -> dict[str, Any]:
    """Under a key of their own no escape is needed."""
    return {key: to_json(item, "full") for key, item in properties.items()}


def from_json(document: Any) -> Any:
    """The value of a document; an id alone is a node without labels or an edge without type and ends.

    A fault (G647) for a document that no value has, and those of the texts in it (G640 and others).

    >>> from_json({"when": {"$date": "1984-10-11"}})["when"].year
    1984
    """
    if type(document) in _PLAIN or type(document) is float:
        return document
    if isinstance(document, list):
        return [from_json(item) for item in document]
    if not isinstance(document, Mapping):
        raise fault("G647", f"{type(document).__name__} is not JSON")
    marks = [key for key in document if isinstance(key, str) and key.startswith("$")]
    if not marks:
        return {_key(key): from_json(item) for key, item in document.items()}
    if len(marks) > 1:
        raise fault("G647", f"an object says {marks[0]} and {marks[1]}")
    return _marked(marks[0], document)


def _key(key: Any) -> str:
    if not isinstance(key, str):
        raise fault("G647", f"the key {key!r} of an object is not a string")
    return key


def _marked(mark: str, document: Mapping[str, Any]) -> Any:
    content = document[mark]
    if mark in _PARSERS or mark == "$float":
        if not isinstance(content, str):
            raise fault("G647", f"{mark} needs a string")
        return _PARSERS[mark](content) if mark in _PARSERS else _float(content)
    match mark:
        case "$map" if isinstance(content, Mapping):
            return {_key(key): from_json(item) for key, item in content.items()}
        case "$point" if isinstance(content, Mapping):
            return _point(content)
        case "$json":
            return Json(content)
        case "$uuid":
            return _uuid(content)
        case "$vector" if isinstance(content, list) and content and document.get("type") in COORDINATES:
            return vector(content, len(content), document["type"])
        case "$node":
            return _node(document, content)
        case "$edge":
            return _edge(document, content)
        case "$path" if isinstance(content, list):
            return _path([from_json(step) for step in content])
        case _:
            raise fault("G647", f"{mark} is not a mark of a value, or its content does not fit")


def _float(content: str) -> float:
    try:
        return float(content)
    except ValueError:
        raise fault("G647", f"{content!r} is not the text of a float") from None


def _uuid(content: Any) -> UUID:
    try:
        return UUID(content)
    except (ValueError, TypeError, AttributeError):
        raise fault("G647", f"{content!r} is not the text of a UUID") from None


def _point(content: Mapping[str, Any]) -> Point:
    srid, x, y, z = (content.get(name) for name in ("srid", "x", "y", "z"))
    numbers = [part for part in (x, y, z) if part is not None]
    if not isinstance(srid, int) or x is None or y is None or not all(_is_number(part) for part in numbers):
        raise fault("G647", "$point needs srid, x and y, and z in three dimensions: numbers")
    return Point(srid, float(x), float(y), None if z is None else float(z))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _id(value: Any, what: str) -> int | str:
    if isinstance(value, bool) or not isinstance(value, int | str):
        raise fault("G647", f"{what} must be an integer or a string, not {value!r}")
    return value


def _read_properties(document: Mapping[str, Any]) -> dict[str, Any]:
    """The properties that are not null."""
    properties = document.get("properties")
    if properties is None:
        return {}
    if not isinstance(properties, Mapping):
        raise fault("G647", f"properties must be an object, not {type(properties).__name__}")
    return {_key(key): from_json(item) for key, item in properties.items() if item is not None}


def _node(document: Mapping[str, Any], id_: Any) -> Node:
    """The node of an object with labels and properties; other keys are ignored."""
    labels = document.get("labels")
    if labels is None:
        labels = ()
    if isinstance(labels, str) or not isinstance(labels, Sequence) or not all(isinstance(one, str) for one in labels):
        raise fault("G647", f"the labels of node {id_!r} must be a list of strings")
    return Node(_id(id_, "the id of a node"), tuple(labels), _read_properties(document))


def _edge(document: Mapping[str, Any], id_: Any) -> Edge:
    """The edge of an object with type, start, end and properties, or of an id alone; other keys are ignored."""
    if not document.keys() & {"type", "start", "end", "properties"}:
        return Edge(_id(id_, "the id of an edge"), "", -1, -1)
    type_ = document.get("type")
    if not isinstance(type_, str):
        raise fault("G647", f"the type of edge {id_!r} must be a string")
    start, end = (_id(document.get(end), f"{end} of edge {id_!r}") for end in ("start", "end"))
    return Edge(_id(id_, "the id of an edge"), type_, start, end, _read_properties(document))


def _path(steps: Sequence[Any]) -> Path:
    nodes, edges = tuple(steps[::2]), tuple(steps[1::2])
    fits = len(nodes) == len(edges) + 1 and all(isinstance(node, Node) for node in nodes)
    if not fits or not all(isinstance(edge, Edge) for edge in edges):
        raise fault("G647", "$path needs a node, an edge, a node, and so on")
    return Path(nodes, edges)
