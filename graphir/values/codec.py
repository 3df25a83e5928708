"""Values of any type as bytes: how columns of mixed types live in a database.

`encode` is self-describing and loses nothing but entities, which are kept by the engine's id and decode to references.
The first byte tells the type.  Sorting and grouping go by `order_key` (see `ordering`).  Knows no database.
"""

from __future__ import annotations

import math
import struct
from collections.abc import Callable, Sequence
from typing import Any
from uuid import UUID

from graphir.values.dates import Date
from graphir.values.datetimes import DateTime, LocalDateTime
from graphir.values.documents import Json
from graphir.values.durations import Duration
from graphir.values.entities import Edge, Node, Path
from graphir.values.faults import fault
from graphir.values.ordering import order_key as order_key  # noqa: PLC0414 a part of this interface
from graphir.values.points import CARTESIAN_3D, WGS_84_3D, Point
from graphir.values.references import EdgeReference, Entities, NodeReference, PathReference
from graphir.values.times import LocalTime, Time
from graphir.values.vectors import COORDINATES, Vector

_LONG = struct.Struct("<q")
_DOUBLE = struct.Struct("<d")
_COUNT = struct.Struct("<I")
_TAGGED_LONG = struct.Struct("<cq")
_TAGGED_DOUBLE = struct.Struct("<cd")
_TAGGED_COUNT = struct.Struct("<cI")
_SECOND = struct.Struct("<qi")
_ZONED = struct.Struct("<qii")
_DURATION = struct.Struct("<qqqi")
_POINT = struct.Struct("<i3d")

Pieces = list[bytes]
SPATIAL = (WGS_84_3D, CARTESIAN_3D)
"""The reference systems of three coordinates."""


# ------------------------------------------------------------------ encoding


def encode(value: Any) -> bytes:
    """The value in bytes.  Integers beyond 64 bits and objects that are no values are faults (G630, G637)."""
    pieces: Pieces = []
    _write(value, pieces)
    return b"".join(pieces)


def _write(value: Any, out: Pieces) -> None:
    writer = _WRITERS.get(type(value))
    if writer is None:
        raise fault("G637", f"{type(value).__name__} is not a type of values")
    writer(value, out)


def _write_integer(value: int, out: Pieces) -> None:
    if not -(1 << 63) <= value < 1 << 63:
        raise fault("G630", f"{value} does not fit 64 bits")
    out.append(_TAGGED_LONG.pack(b"I", value))


def _write_text(value: str, out: Pieces) -> None:
    data = value.encode("utf-8", "surrogatepass")
    out.append(_TAGGED_COUNT.pack(b"S", len(data)) + data)


def _write_document(value: Json, out: Pieces) -> None:
    data = str(value).encode("utf-8", "surrogatepass")
    out.append(_TAGGED_COUNT.pack(b"j", len(data)) + data)


def _write_list(value: list[Any] | tuple[Any, ...], out: Pieces) -> None:
    out.append(_TAGGED_COUNT.pack(b"L", len(value)))
    for item in value:
        _write(item, out)


def _write_map(value: dict[str, Any], out: Pieces) -> None:
    out.append(_TAGGED_COUNT.pack(b"M", len(value)))
    for key, item in value.items():
        _write_text(key, out)
        _write(item, out)


def _write_zoned(value: DateTime, out: Pieces) -> None:
    zone = (value.zone or "").encode()
    out.append(b"Z" + _ZONED.pack(value.second, value.nano, value.offset) + bytes([len(zone)]) + zone)


def _write_duration(value: Duration, out: Pieces) -> None:
    out.append(b"U" + _DURATION.pack(value.months, value.days, value.seconds, value.nanos))


def _write_vector(value: Vector, out: Pieces) -> None:
    letter = "d" if value.type.startswith("FLOAT") else "q"
    size = len(value.coordinates)
    kind = COORDINATES.index(value.type)
    out.append(struct.pack(f"<cBI{size}{letter}", b"v", kind, size, *value.coordinates))


def _write_point(value: Point, out: Pieces) -> None:
    out.append(b"p" + _POINT.pack(value.srid, value.x, value.y, math.nan if value.z is None else value.z))


def _entity(tag: bytes) -> Callable[[Any, Pieces], None]:
    """Writes the engine's id of a node or an edge."""

    def write(value: Any, out: Pieces) -> None:
        if type(value.id) is not int:
            raise fault("G637", f"the id {value.id!r} is not the engine's own")
        out.append(_TAGGED_LONG.pack(tag, value.id))

    return write


def _write_path(nodes: Sequence[int], edges: Sequence[int], out: Pieces) -> None:
    out.append(_TAGGED_COUNT.pack(b"P", len(edges)) + struct.pack(f"<{len(nodes) + len(edges)}q", *nodes, *edges))


_WRITERS: dict[type, Callable[[Any, Pieces], None]] = {
    type(None): lambda _, out: out.append(b"N"),
    bool: lambda value, out: out.append(b"T" if value else b"F"),
    int: _write_integer,
    float: lambda value, out: out.append(_TAGGED_DOUBLE.pack(b"D", value)),
    str: _write_text,
    list: _write_list,
    tuple: _write_list,
    dict: _write_map,
    Node: _entity(b"n"),
    Edge: _entity(b"e"),
    Path: lambda value, out: _write_path([node.id for node in value.nodes], [edge.id for edge in value.edges], out),
    NodeReference: _entity(b"n"),
    EdgeReference: _entity(b"e"),
    PathReference: lambda value, out: _write_path(value.nodes, value.edges, out),
    Date: lambda value, out: out.append(_TAGGED_LONG.pack(b"d", value.days)),
    LocalTime: lambda value, out: out.append(_TAGGED_LONG.pack(b"t", value.nanos)),
    Time: lambda value, out: out.append(b"z" + _SECOND.pack(value.utc, value.offset)),
    LocalDateTime: lambda value, out: out.append(b"l" + _SECOND.pack(value.second, value.nano)),
    DateTime: _write_zoned,
    Duration: _write_duration,
    Point: _write_point,
    Vector: _write_vector,
    UUID: lambda value, out: out.append(b"u" + value.bytes),
    Json: _write_document,
}


# ------------------------------------------------------------------ decoding


def decode(data: bytes, entities: Entities | None = None) -> Any:
    """The value that `encode` wrote.  Entities are looked up in `entities`, or stay references."""
    value, end = _READERS[data[0]](data, 1, entities)
    if end != len(data):
        raise ValueError(f"{len(data) - end} bytes after an encoded value")
    return value


Read = tuple[Any, int]


def _read(data: bytes, at: int, entities: Entities | None) -> Read:
    return _READERS[data[at]](data, at + 1, entities)


def _read_text(data: bytes, at: int, _: Entities | None) -> Read:
    end = at + 4 + _COUNT.unpack_from(data, at)[0]
    return data[at + 4 : end].decode("utf-8", "surrogatepass"), end


def _read_document(data: bytes, at: int, _: Entities | None) -> Read:
    text, end = _read_text(data, at, None)
    return Json.parse(text), end


def _read_list(data: bytes, at: int, entities: Entities | None) -> Read:
    count = _COUNT.unpack_from(data, at)[0]
    at += 4
    items = []
    for _ in range(count):
        item, at = _READERS[data[at]](data, at + 1, entities)
        items.append(item)
    return items, at


def _read_map(data: bytes, at: int, entities: Entities | None) -> Read:
    count = _COUNT.unpack_from(data, at)[0]
    at += 4
    entries = {}
    for _ in range(count):
        key, at = _read_text(data, at + 1, None)
        entries[key], at = _READERS[data[at]](data, at + 1, entities)
    return entries, at


def _read_node(data: bytes, at: int, entities: Entities | None) -> Read:
    key = _LONG.unpack_from(data, at)[0]
    return (entities.node(key) if entities else NodeReference(key)), at + 8


def _read_edge(data: bytes, at: int, entities: Entities | None) -> Read:
    key = _LONG.unpack_from(data, at)[0]
    return (entities.edge(key) if entities else EdgeReference(key)), at + 8


def _read_path(data: bytes, at: int, entities: Entities | None) -> Read:
    length = _COUNT.unpack_from(data, at)[0]
    ids = struct.unpack_from(f"<{2 * length + 1}q", data, at + 4)
    nodes, edges = ids[: length + 1], ids[length + 1 :]
    end = at + 4 + 8 * len(ids)
    return (entities.path(nodes, edges) if entities else PathReference(nodes, edges)), end


def _read_zoned(data: bytes, at: int, _: Entities | None) -> Read:
    second, nano, offset = _ZONED.unpack_from(data, at)
    start = at + _ZONED.size + 1
    end = start + data[start - 1]
    return DateTime(second, nano, offset, data[start:end].decode() or None), end


def _read_point(data: bytes, at: int, _: Entities | None) -> Read:
    srid, x, y, z = _POINT.unpack_from(data, at)
    return Point(srid, x, y, z if srid in SPATIAL else None), at + _POINT.size


def _read_vector(data: bytes, at: int, _: Entities | None) -> Read:
    kind = COORDINATES[data[at]]
    size = _COUNT.unpack_from(data, at + 1)[0]
    coordinates = struct.unpack_from(f"<{size}{'d' if kind.startswith('FLOAT') else 'q'}", data, at + 5)
    return Vector(kind, coordinates), at + 5 + 8 * size


def _fixed(made: Callable[..., Any], layout: struct.Struct) -> Callable[[bytes, int, Entities | None], Read]:
    """Reads a value of a fixed number of fields."""
    return lambda data, at, _: (made(*layout.unpack_from(data, at)), at + layout.size)


_READERS: dict[int, Callable[[bytes, int, Entities | None], Read]] = {
    ord("N"): lambda data, at, _: (None, at),
    ord("T"): lambda data, at, _: (True, at),
    ord("F"): lambda data, at, _: (False, at),
    ord("I"): lambda data, at, _: (_LONG.unpack_from(data, at)[0], at + 8),
    ord("D"): lambda data, at, _: (_DOUBLE.unpack_from(data, at)[0], at + 8),
    ord("S"): _read_text,
    ord("L"): _read_list,
    ord("M"): _read_map,
    ord("n"): _read_node,
    ord("e"): _read_edge,
    ord("P"): _read_path,
    ord("d"): _fixed(Date, _LONG),
    ord("t"): _fixed(LocalTime, _LONG),
    ord("z"): _fixed(Time, _SECOND),
    ord("l"): _fixed(LocalDateTime, _SECOND),
    ord("Z"): _read_zoned,
    ord("U"): _fixed(Duration, _DURATION),
    ord("p"): _read_point,
    ord("v"): _read_vector,
    ord("u"): lambda data, at, _: (UUID(bytes=data[at : at + 16]), at + 16),
    ord("j"): _read_document,
}

# ------------------------------------------------------------------ without decoding

KINDS: dict[int, str] = {
    **{ord("N"): "null", ord("T"): "boolean", ord("F"): "boolean", ord("I"): "integer", ord("D"): "float"},
    **{ord("S"): "string", ord("L"): "list", ord("M"): "map", ord("n"): "node", ord("e"): "edge", ord("P"): "path"},
    **{ord("d"): "date", ord("t"): "localtime", ord("z"): "time", ord("l"): "localdatetime", ord("Z"): "datetime"},
    **{ord("U"): "duration", ord("p"): "point", ord("u"): "uuid", ord("v"): "vector"},
    ord("j"): "json",
}
"""The first byte of an encoded value -> what it is."""


def kind(data: bytes) -> str:
    """What an encoded value is: integer, string, node, local datetime ..., by its first byte."""
    return KINDS[data[0]]
