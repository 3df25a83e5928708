"""Compact representations: temporal and spatial values as plain numbers, the way columns hold them.

    date           days since 1970-01-01
    localtime      nanoseconds of the day
    time           (utc, offset)                 nanoseconds, seconds
    localdatetime  (second, nano)                seconds since 1970-01-01T00:00
    datetime       (second, nano, offset, zone)  seconds of UTC; zone is null without a name
    duration       (months, days, seconds, nanos)
    point          (srid, x, y, z)               z is null in two dimensions

Knows no database.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from graphir.values.dates import Date
from graphir.values.datetimes import DateTime, LocalDateTime
from graphir.values.durations import Duration
from graphir.values.points import Point
from graphir.values.times import LocalTime, Time

FIELDS: dict[str, tuple[str, ...]] = {
    "date": (),
    "localtime": (),
    "time": ("utc", "offset"),
    "localdatetime": ("second", "nano"),
    "datetime": ("second", "nano", "offset", "zone"),
    "duration": ("months", "days", "seconds", "nanos"),
    "point": ("srid", "x", "y", "z"),
}
"""Kind of value -> the names of its parts; a kind without parts is one integer."""

KINDS: dict[type[Any], str] = {
    Date: "date",
    LocalTime: "localtime",
    Time: "time",
    LocalDateTime: "localdatetime",
    DateTime: "datetime",
    Duration: "duration",
    Point: "point",
}
"""Type -> kind; the kinds are also the names of Cypher's constructors."""

_TYPES: dict[str, Callable[..., Any]] = {kind: type_ for type_, kind in KINDS.items()}

_TO: dict[type[Any], Callable[[Any], Any]] = {
    Date: lambda value: value.days,
    LocalTime: lambda value: value.nanos,
    Time: lambda value: (value.utc, value.offset),
    LocalDateTime: lambda value: (value.second, value.nano),
    DateTime: lambda value: (value.second, value.nano, value.offset, value.zone),
    Duration: lambda value: (value.months, value.days, value.seconds, value.nanos),
    Point: lambda value: (value.srid, value.x, value.y, value.z),
}


def to_rep(value: Any) -> int | tuple[Any, ...]:
    """The compact representation of a temporal or spatial value; KeyError for any other."""
    result: int | tuple[Any, ...] = _TO[type(value)](value)
    return result


def to_struct(value: Any) -> int | dict[str, Any]:
    """The compact representation with the names of the parts."""
    rep = to_rep(value)
    return rep if isinstance(rep, int) else dict(zip(FIELDS[KINDS[type(value)]], rep, strict=True))


def from_rep(kind: str, rep: int | Sequence[Any] | Mapping[str, Any]) -> Any:
    """The value of a compact representation, with or without the names of the parts.  KeyError for an unknown kind."""
    make = _TYPES[kind]
    if isinstance(rep, int):
        return make(rep)
    return make(*(rep[name] for name in FIELDS[kind])) if isinstance(rep, Mapping) else make(*rep)
