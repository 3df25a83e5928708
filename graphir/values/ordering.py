"""Sorting keys: bytes that compare as values do in Cypher's global order, equal for equivalent values.

A key begins with the rank of its type and is free of prefixes, so keys can be nested.  A number is its floor among the
doubles, in eight bytes, then what is left of it: integers and floats compare exactly.  `comparison.compare` says the
same in Python.  Knows no database.
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
from graphir.values.points import Point
from graphir.values.references import EdgeReference, NodeReference, PathReference
from graphir.values.times import LocalTime, Time
from graphir.values.vectors import Vector

MAP, NODE, EDGE, LIST, PATH, VECTOR, POINT = (bytes([0x10 + 4 * at]) for at in range(7))
DATETIME, LOCAL_DATETIME, DATE, TIME, LOCAL_TIME, DURATION = (bytes([0x30 + 4 * at]) for at in range(6))
STRING, FALSE, TRUE, UUID_, NUMBER, NULL = b"\x48", b"\x4c", b"\x4d", b"\x50", b"\x54", b"\xf0"
JSON = b"\x52"
"""The ranks of the types; each item of a list begins with one, and its end is less than all."""

END = b"\x00"
NAN = b"\xff" * 10

_BITS = struct.Struct(">d")
_UNSIGNED = struct.Struct(">Q")
_REST = struct.Struct(">H")
_SIZE = struct.Struct(">I")
_SIGN = 1 << 63
_EXACT = 1 << 53
"""Integers up to here are doubles."""

Pieces = list[bytes]


def order_key(value: Any) -> bytes:
    """The sorting key of a value (see the module)."""
    pieces: Pieces = []
    _write(value, pieces)
    return b"".join(pieces)


def _write(value: Any, out: Pieces) -> None:
    writer = _WRITERS.get(type(value))
    if writer is None:
        raise fault("G637", f"{type(value).__name__} is not a type of values")
    writer(value, out)


def double_key(value: float) -> bytes:
    """Eight bytes that compare as doubles do; -0.0 is 0.0.  Not for NaN."""
    bits = _UNSIGNED.unpack(_BITS.pack(value or 0.0))[0]
    return _UNSIGNED.pack(~bits & 0xFFFF_FFFF_FFFF_FFFF if bits & _SIGN else bits | _SIGN)


def long_key(value: int) -> bytes:
    """Eight bytes that compare as 64-bit integers do."""
    return _UNSIGNED.pack(value + _SIGN)


def number_key(value: float) -> bytes:
    """Ten bytes that compare as numbers do, integers and floats alike; NaN is the greatest."""
    if type(value) is float:
        return NAN if value != value else double_key(value) + b"\x00\x00"  # noqa: PLR0124 NaN
    if -_EXACT <= value <= _EXACT:
        return double_key(float(value)) + b"\x00\x00"
    below = float(value)
    if below > value:
        below = math.nextafter(below, -math.inf)
    return double_key(below) + _REST.pack(int(value) - int(below))


def text_key(value: str) -> bytes:
    """Bytes that compare as strings do by code points, with an end of their own."""
    return value.encode("utf-8", "surrogatepass").replace(b"\x00", b"\x00\xff") + b"\x00\x01"


def _write_list(value: list[Any] | tuple[Any, ...], out: Pieces) -> None:
    out.append(LIST)
    for item in value:
        _write(item, out)
    out.append(END)


def _write_map(value: dict[str, Any], out: Pieces) -> None:
    out.append(MAP + _SIZE.pack(len(value)))
    keys = sorted(value)
    out.extend(map(text_key, keys))
    for key in keys:
        _write(value[key], out)


def _id_key(value: int | str) -> bytes:
    """Ids of the engine, else those that were given."""
    return b"\x00" + long_key(value) if type(value) is int else b"\x01" + text_key(str(value))


def _write_path(nodes: Sequence[int | str], edges: Sequence[int | str], out: Pieces) -> None:
    """The first node and the edges tell a path apart."""
    out.append(PATH + _id_key(nodes[0]))
    out.extend(b"\x01" + _id_key(edge) for edge in edges)
    out.append(END)


def _write_datetime(value: DateTime, out: Pieces) -> None:
    second, nano, offset, zone = value.key
    out.append(DATETIME + long_key(second) + _SIZE.pack(nano) + long_key(offset) + text_key(zone))


def _write_vector(value: Vector, out: Pieces) -> None:
    kind, size, coordinates = value.key
    out.append(VECTOR + bytes([kind]) + _SIZE.pack(size) + b"".join(map(number_key, coordinates)))


def _write_point(value: Point, out: Pieces) -> None:
    out.append(POINT + _SIZE.pack(value.srid) + b"".join(map(number_key, value.coordinates)))


_WRITERS: dict[type, Callable[[Any, Pieces], None]] = {
    type(None): lambda _, out: out.append(NULL),
    bool: lambda value, out: out.append(TRUE if value else FALSE),
    int: lambda value, out: out.append(NUMBER + number_key(value)),
    float: lambda value, out: out.append(NUMBER + number_key(value)),
    str: lambda value, out: out.append(STRING + text_key(value)),
    list: _write_list,
    tuple: _write_list,
    dict: _write_map,
    Node: lambda value, out: out.append(NODE + _id_key(value.id)),
    Edge: lambda value, out: out.append(EDGE + _id_key(value.id)),
    Path: lambda value, out: _write_path([node.id for node in value.nodes], [edge.id for edge in value.edges], out),
    NodeReference: lambda value, out: out.append(NODE + _id_key(value.id)),
    EdgeReference: lambda value, out: out.append(EDGE + _id_key(value.id)),
    PathReference: lambda value, out: _write_path(value.nodes, value.edges, out),
    Point: _write_point,
    Vector: _write_vector,
    DateTime: _write_datetime,
    LocalDateTime: lambda value, out: out.append(LOCAL_DATETIME + long_key(value.second) + _SIZE.pack(value.nano)),
    Date: lambda value, out: out.append(DATE + long_key(value.days)),
    Time: lambda value, out: out.append(TIME + long_key(value.utc) + long_key(value.nanos)),
    LocalTime: lambda value, out: out.append(LOCAL_TIME + long_key(value.nanos)),
    Duration: lambda value, out: out.append(DURATION + b"".join(map(long_key, value.key))),
    UUID: lambda value, out: out.append(UUID_ + value.bytes),
    Json: lambda value, out: out.append(JSON + text_key(value.key)),
}
