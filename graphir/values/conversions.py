"""Values to and from the types of others: the standard library, Arrow, the neo4j driver.

The others are imported when they are needed.  What they cannot hold raises ValueError or OverflowError on the way out
(years beyond 9999, months in a timedelta); precision below microseconds is cut off for the standard library only.
"""

from __future__ import annotations

import datetime
from collections.abc import Callable, Mapping
from decimal import Decimal
from importlib import import_module
from typing import Any
from uuid import UUID
from zoneinfo import ZoneInfo

from graphir.values import civil
from graphir.values.civil import DAY_SECONDS, NANOS
from graphir.values.dates import Date
from graphir.values.datetimes import DateTime, LocalDateTime
from graphir.values.documents import Json
from graphir.values.durations import Duration
from graphir.values.entities import Edge, Node, Path
from graphir.values.faults import fault
from graphir.values.points import CARTESIAN, CARTESIAN_3D, WGS_84, WGS_84_3D, Point
from graphir.values.times import LocalTime, Time
from graphir.values.vectors import Vector
from graphir.values.zones import zone_rules

_EPOCH = datetime.datetime(1970, 1, 1)


# ------------------------------------------------------------------ the standard library


def to_standard(value: Any) -> Any:
    """Temporal values as those of `datetime`, in lists and maps too; everything else as it is."""
    match value:
        case Date() | LocalTime() | Time() | LocalDateTime() | DateTime() | Duration():
            return value.to_standard()
        case list() | tuple():
            return [to_standard(item) for item in value]
        case dict():
            return {key: to_standard(item) for key, item in value.items()}
        case _:
            return value


def from_standard(value: Any) -> Any:
    """A value of what Python code gives as a parameter: `datetime`, `Decimal`, tuples, sets and mappings, nested.

    A fault (G647) for an object that is no value.
    """
    convert = _FROM_STANDARD.get(type(value))
    if convert is not None:
        return convert(value)
    if _of_driver(value):
        return from_neo4j(value)
    match value:
        case list() | tuple() | set() | frozenset():
            return [from_standard(item) for item in value]
        case Mapping():
            return {str(key): from_standard(item) for key, item in value.items()}
        case datetime.datetime() | datetime.date() | datetime.time():
            return _FROM_STANDARD[_base(value)](value)
        case bool() | int() | float() | str() | None:
            return value
        case _ if type(value) in _OWN:
            return value
    raise fault("G647", f"a Python {type(value).__name__} is not a value")


def _of_driver(value: Any) -> bool:
    """Whether it is of a class of the neo4j driver or below one; its points are tuples, its entities mappings."""
    return any(base.__module__.partition(".")[0] == "neo4j" for base in type(value).__mro__[:-1])


def _base(value: datetime.date | datetime.time) -> type[Any]:
    """The class of the standard library that a subclass (of pandas, say) stands for."""
    for type_ in (datetime.datetime, datetime.date):
        if isinstance(value, type_):
            return type_
    return datetime.time


_OWN = frozenset(
    (Date, LocalTime, Time, LocalDateTime, DateTime, Duration, Point, Node, Edge, Path, UUID, Vector, Json)
)


def _from_datetime(value: datetime.datetime) -> LocalDateTime | DateTime:
    delta = value.replace(tzinfo=None) - _EPOCH
    second, nano = delta.days * DAY_SECONDS + delta.seconds, delta.microseconds * 1000
    offset = value.utcoffset()
    if offset is None:
        return LocalDateTime(second, nano)
    zone = value.tzinfo.key if isinstance(value.tzinfo, ZoneInfo) else None
    return _in_zone(second, nano, _seconds(offset), zone)


def _in_zone(local: int, nano: int, offset: int, zone: Any) -> DateTime:
    """The same instant, in the named zone if it is known: others may have other rules for it."""
    known = zone if isinstance(zone, str) and zone_rules(zone) else None
    return DateTime.at(local - offset, nano, offset, known)


def _from_time(value: datetime.time) -> LocalTime | Time:
    nanos = ((value.hour * 60 + value.minute) * 60 + value.second) * NANOS + value.microsecond * 1000
    offset = value.utcoffset()
    return LocalTime(nanos) if offset is None else Time.of_local(nanos, _seconds(offset))


def _seconds(offset: datetime.timedelta) -> int:
    return offset.days * DAY_SECONDS + offset.seconds


_FROM_STANDARD: dict[type[Any], Callable[[Any], Any]] = {
    datetime.date: lambda value: Date(civil.day_number(value.year, value.month, value.day)),
    datetime.datetime: _from_datetime,
    datetime.time: _from_time,
    datetime.timedelta: lambda value: Duration(0, value.days, value.seconds, value.microseconds * 1000),
    Decimal: float,
}


# ------------------------------------------------------------------ Arrow


def arrow_type(kind: str) -> Any:
    """The Arrow type for a kind of value (see `reps.py`): its own type where there is one, a struct of the parts else.

    Dates are date32, local times time64[ns], local datetimes timestamp[us], datetimes timestamp[us, UTC].
    """
    pyarrow = import_module("pyarrow")

    simple = {
        "date": pyarrow.date32(),
        "localtime": pyarrow.time64("ns"),
        "localdatetime": pyarrow.timestamp("us"),
        "datetime": pyarrow.timestamp("us", tz="UTC"),
        "duration": pyarrow.month_day_nano_interval(),
    }
    if kind in simple:
        return simple[kind]
    parts = {
        "time": [("nanos", pyarrow.int64()), ("offset", pyarrow.int32())],
        "point": [("srid", pyarrow.int32()), *((name, pyarrow.float64()) for name in "xyz")],
    }
    return pyarrow.struct(parts[kind])


def to_arrow(value: Any) -> Any:
    """The value in the form that `pyarrow.array(values, arrow_type(kind))` takes; everything else as it is.

    Names of zones are lost: the instant counts.
    """
    match value:
        case Date():
            return value.days
        case LocalTime():
            return value.nanos
        case LocalDateTime() | DateTime():
            return value.second * 1_000_000 + value.nano // 1000
        case Time():
            return {"nanos": value.nanos, "offset": value.offset}
        case Point():
            return {"srid": value.srid, "x": value.x, "y": value.y, "z": value.z}
        case Duration():
            return value.months, value.days, value.clock_nanos
        case _:
            return value


# ------------------------------------------------------------------ the neo4j driver


def to_neo4j(value: Any) -> Any:
    """The value in the neo4j driver's types, as a parameter of a query; nested.  Entities are no parameters there."""
    from neo4j import spatial, time

    match value:
        case Date():
            return time.Date(*civil.date_parts(value.days))
        case LocalTime() | Time():
            whole, nano = divmod(value.nanos, NANOS)
            zone = _Offset(value.offset) if isinstance(value, Time) else None
            return time.Time(whole // 3600, whole // 60 % 60, whole % 60, nano, tzinfo=zone)
        case LocalDateTime() | DateTime():
            return _neo4j_datetime(value)
        case Duration():
            return time.Duration(months=value.months, days=value.days, seconds=value.seconds, nanoseconds=value.nanos)
        case Point():
            make = spatial.WGS84Point if value.geographic else spatial.CartesianPoint
            return make(value.coordinates)
        case Vector():
            return import_module("neo4j.vector").Vector(value.coordinates, _DRIVER_TYPES[value.type])
        case list() | tuple():
            return [to_neo4j(item) for item in value]
        case dict():
            return {key: to_neo4j(item) for key, item in value.items()}
        case _:
            return value


_DRIVER_TYPES = {
    **{"INTEGER8": "i8", "INTEGER16": "i16", "INTEGER32": "i32", "INTEGER64": "i64"},
    **{"FLOAT32": "f32", "FLOAT64": "f64"},
}
"""Types of coordinates, and the driver's words for them."""


class _Offset(datetime.tzinfo):
    """The driver asks the zone of a time for its offset with something that `datetime.timezone` does not take."""

    def __init__(self, seconds: int) -> None:
        self.offset = _minutes(seconds)

    def utcoffset(self, _: Any) -> datetime.timedelta:
        return self.offset

    def dst(self, _: Any) -> None:
        return None

    def tzname(self, _: Any) -> None:
        return None


def _fixed(offset: int) -> datetime.timezone:
    return datetime.timezone(_minutes(offset))


def _minutes(offset: int) -> datetime.timedelta:
    if offset % 60:
        raise ValueError("the neo4j driver holds no seconds of an offset")
    return datetime.timedelta(seconds=offset)


def _neo4j_datetime(value: LocalDateTime | DateTime) -> Any:
    from neo4j import time

    whole = value.nanos // NANOS
    parts = (*civil.date_parts(value.days), whole // 3600, whole // 60 % 60, whole % 60, value.nano)
    if isinstance(value, LocalDateTime):
        return time.DateTime(*parts)
    zone = _driver_zone(value.zone) if value.zone else None
    if zone is None:
        return time.DateTime(*parts, tzinfo=_fixed(value.offset))
    utc = _neo4j_datetime(LocalDateTime(value.second, value.nano))
    return utc.replace(tzinfo=datetime.UTC).as_timezone(zone)


def _driver_zone(name: str) -> Any:
    """A named zone of pytz, which the driver computes with (zoneinfo crashes on its datetimes); None if unknown."""
    try:
        pytz = import_module("pytz")
    except ModuleNotFoundError:
        return None
    return pytz.timezone(name) if name in pytz.all_timezones_set else None


def from_neo4j(value: Any) -> Any:
    """A value of what the neo4j driver gives; nested.  Entities get their element ids.  A fault (G647) else."""
    if not _of_driver(value):
        return from_standard(value)
    from neo4j import graph, spatial, time

    match value:
        case time.Date():
            return Date(_day_number(value))
        case time.Time():
            offset = value.utcoffset()
            nanos = value.ticks
            return LocalTime(nanos) if offset is None else Time.of_local(nanos, _whole_seconds(offset))
        case time.DateTime():
            return _from_neo4j_datetime(value)
        case time.Duration():
            return Duration(value.months, value.days, value.seconds, value.nanoseconds)
        case spatial.Point():
            flat = {4326: WGS_84, 4979: WGS_84_3D, 9157: CARTESIAN_3D}
            return Point(flat.get(value.srid or 0, CARTESIAN), *(float(part) for part in value))
        case _ if type(value).__name__ == "Vector":
            kinds = {letters: kind for kind, letters in _DRIVER_TYPES.items()}
            return Vector(kinds[value.dtype.value], tuple(value.to_native()))
        case graph.Node():
            return _node(value)
        case graph.Relationship():
            return _edge(value)
        case graph.Path():
            return Path(tuple(map(_node, value.nodes)), tuple(map(_edge, value.relationships)))
        case _:
            raise fault("G647", f"a {type(value).__name__} of the neo4j driver is not a value")


def _whole_seconds(offset: Any) -> int:
    """The driver gives offsets as its own durations or as those of the standard library."""
    return _seconds(offset) if isinstance(offset, datetime.timedelta) else int(offset.seconds)


def _day_number(value: Any) -> int:
    """By the number of the day: the driver has no year, month and day for the one before the year 1."""
    return int(value.to_ordinal()) - datetime.date(1970, 1, 1).toordinal()


def _from_neo4j_datetime(value: Any) -> LocalDateTime | DateTime:
    second = _day_number(value) * DAY_SECONDS + value.hour * 3600 + value.minute * 60 + value.second
    if isinstance(value.tzinfo, ZoneInfo) and zone_rules(value.tzinfo.key):
        return DateTime.of_local(second, value.nanosecond, None, value.tzinfo.key)
    offset = value.utcoffset()
    if offset is None:
        return LocalDateTime(second, value.nanosecond)
    zone = getattr(value.tzinfo, "zone", None)
    zone = None if zone == "UTC" else zone  # the driver gives an offset of zero by that name
    return _in_zone(second, value.nanosecond, _whole_seconds(offset), zone)


def _properties(entity: Any) -> dict[str, Any]:
    return {key: from_neo4j(item) for key, item in entity.items()}


def _node(node: Any) -> Node:
    return Node(node.element_id, tuple(sorted(node.labels)), _properties(node))


def _edge(edge: Any) -> Edge:
    ends = edge.start_node.element_id, edge.end_node.element_id
    return Edge(edge.element_id, edge.type, *ends, _properties(edge))
