"""Types of values as Cypher names them: valueType(x) and `x IS :: T`.

Knows no IR: the type that is asked for is anything with a name, arguments, a size and whether null is excluded.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol
from uuid import UUID

from graphir.values.dates import Date
from graphir.values.datetimes import DateTime, LocalDateTime
from graphir.values.documents import Json
from graphir.values.durations import Duration
from graphir.values.entities import Edge, Node, Path
from graphir.values.points import Point
from graphir.values.references import EdgeReference, NodeReference, PathReference
from graphir.values.times import LocalTime, Time
from graphir.values.vectors import Vector

NAMES: dict[type, str] = {
    **{bool: "BOOLEAN", str: "STRING", int: "INTEGER", float: "FLOAT", Date: "DATE", LocalTime: "LOCAL TIME"},
    **{Time: "ZONED TIME", LocalDateTime: "LOCAL DATETIME", DateTime: "ZONED DATETIME", Duration: "DURATION"},
    **{Point: "POINT", Node: "NODE", NodeReference: "NODE", Edge: "RELATIONSHIP", EdgeReference: "RELATIONSHIP"},
    **{dict: "MAP", list: "LIST", Path: "PATH", PathReference: "PATH", UUID: "UUID", Vector: "VECTOR"},
    Json: "JSON",
}
"""Class -> name of the type."""

_ORDER = (
    *("BOOLEAN", "STRING", "INTEGER", "FLOAT", "DATE", "LOCAL TIME", "ZONED TIME", "LOCAL DATETIME"),
    *("ZONED DATETIME", "DURATION", "POINT", "NODE", "RELATIONSHIP", "MAP", "LIST", "PATH", "UUID", "VECTOR", "JSON"),
)
"""How the members of a union are sorted."""

_STORED = frozenset(NAMES.values()) - {"NODE", "RELATIONSHIP", "MAP", "LIST", "PATH"}
"""The types of properties, lists of them apart."""


class Wanted(Protocol):
    """A type that is asked for."""

    @property
    def name(self) -> str: ...

    @property
    def arguments(self) -> Sequence[Any]: ...

    @property
    def not_null(self) -> bool: ...

    @property
    def size(self) -> int | None: ...


# ------------------------------------------------------------------ valueType


@dataclass(frozen=True, slots=True)
class Found:
    """The type of a value that is not null; of a list also the types of its items, and whether null is among them."""

    name: str
    members: tuple[Found, ...] = ()
    nullable: bool = False
    detail: str = ""
    """The coordinates of a vector."""

    @property
    def key(self) -> tuple[int, int, str]:
        """Lists of fewer types come first, NULL and NOTHING before all."""
        inner = min((_ORDER.index(m.name) for m in self.members), default=-1)
        return _ORDER.index(self.name), inner, self.text

    @property
    def text(self) -> str:
        if self.name != "LIST":
            return self.name + self.detail
        return f"LIST<{_union_text(self.members, self.nullable)}>"


def _union_text(members: tuple[Found, ...], nullable: bool) -> str:
    if not members:
        return "NULL" if nullable else "NOTHING"
    return " | ".join(member.text + ("" if nullable else " NOT NULL") for member in members)


def _found(value: Any) -> Found:
    name = NAMES[type(value)]
    if type(value) is Vector:
        return Found(name, detail=f"<{_coordinate(value)} NOT NULL>({len(value.coordinates)})")
    if name != "LIST":
        return Found(name)
    members: dict[Found, None] = {}
    for item in value:
        if item is not None:
            members[_found(item)] = None
    kept = [one for one in members if not any(one is not other and _covers(other, one) for other in members)]
    return Found("LIST", tuple(sorted(kept, key=lambda one: one.key)), any(item is None for item in value))


def _coordinate(value: Vector) -> str:
    """The type of the coordinates as Cypher writes it."""
    return value.type.removesuffix("64")


def _covers(wide: Found, narrow: Found) -> bool:
    """Whether every value of a type is one of another."""
    if (wide.name, wide.detail) != (narrow.name, narrow.detail):
        return False
    if wide.name != "LIST":
        return True
    if narrow.nullable and not wide.nullable:
        return False
    return all(any(_covers(one, other) for one in wide.members) for other in narrow.members)


def value_type(value: Any) -> str:
    """The type of a value as Cypher writes it: `LIST<INTEGER NOT NULL> NOT NULL`.

    >>> value_type([1, "a", None])
    'LIST<STRING | INTEGER> NOT NULL'
    """
    return "NULL" if value is None else f"{_found(value).text} NOT NULL"


# ------------------------------------------------------------------ IS ::


def is_typed(value: Any, wanted: Wanted) -> bool:
    """`value IS :: wanted`.  Null is in every type that does not exclude it, and NOTHING is empty."""
    if wanted.name == "UNION":
        return any(is_typed(value, member) for member in wanted.arguments)
    if wanted.name == "NOTHING":
        return False
    if value is None:
        return not wanted.not_null
    if wanted.name == "ANY":
        return True
    if wanted.name == "PROPERTY VALUE":
        return _is_stored(value)
    name = NAMES.get(type(value))
    if name != wanted.name:
        return False
    if type(value) is Vector:
        fits = wanted.size in (None, len(value.coordinates))
        return fits and all(argument.name == _coordinate(value) for argument in wanted.arguments)
    return name != "LIST" or all(is_typed(item, wanted.arguments[0]) for item in value)


def _is_stored(value: Any) -> bool:
    """Whether a value can be a property: a list holds values of one type, and neither null nor lists."""
    if type(value) is list:
        return len({type(item) for item in value}) <= 1 and all(NAMES.get(type(item)) in _STORED for item in value)
    return NAMES[type(value)] in _STORED


FUNCTIONS: dict[str, Callable[..., Any]] = {"valueType": value_type}
