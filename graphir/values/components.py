"""Components of temporal values, durations and points: `d.year`, `t.offset`, `x.monthsOfYear`, `p.latitude`."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphir.values import civil
from graphir.values.civil import NANOS
from graphir.values.dates import Date
from graphir.values.datetimes import DateTime, LocalDateTime
from graphir.values.durations import Duration
from graphir.values.faults import fault, type_name
from graphir.values.points import Point
from graphir.values.times import LocalTime, Time
from graphir.values.zones import offset_text

Component = Callable[[Any], int | float | str | None]


def _quotient(number: int, divisor: int) -> int:
    """Division towards zero."""
    return number // divisor if number >= 0 else -(-number // divisor)


def _remainder(number: int, divisor: int) -> int:
    """What division towards zero leaves."""
    return number - _quotient(number, divisor) * divisor


def _day_of_quarter(days: int) -> int:
    year, month, _ = civil.date_parts(days)
    return days - civil.day_number(year, (month - 1) // 3 * 3 + 1, 1) + 1


def _duration_nanos(value: Duration, size: int) -> int:
    """The whole units of that many nanoseconds; seconds of a duration are cut downwards."""
    return value.seconds * (NANOS // size) + value.nanos // size


_DATE: dict[str, Component] = {
    "year": lambda v: civil.date_parts(v.days)[0],
    "quarter": lambda v: (civil.date_parts(v.days)[1] - 1) // 3 + 1,
    "month": lambda v: civil.date_parts(v.days)[1],
    "week": lambda v: civil.week_parts(v.days)[1],
    "weekYear": lambda v: civil.week_parts(v.days)[0],
    "dayOfQuarter": lambda v: _day_of_quarter(v.days),
    "quarterDay": lambda v: _day_of_quarter(v.days),
    "day": lambda v: civil.date_parts(v.days)[2],
    "ordinalDay": lambda v: v.days - civil.day_number(civil.date_parts(v.days)[0], 1, 1) + 1,
    "weekDay": lambda v: civil.weekday(v.days),
    "dayOfWeek": lambda v: civil.weekday(v.days),
}
_CLOCK: dict[str, Component] = {
    "hour": lambda v: v.nanos // (3600 * NANOS),
    "minute": lambda v: v.nanos // (60 * NANOS) % 60,
    "second": lambda v: v.nanos // NANOS % 60,
    "millisecond": lambda v: v.nanos // 1_000_000 % 1000,
    "microsecond": lambda v: v.nanos // 1_000 % 1_000_000,
    "nanosecond": lambda v: v.nanos % NANOS,
}
_OFFSET: dict[str, Component] = {
    "timezone": lambda v: offset_text(v.offset),
    "offset": lambda v: offset_text(v.offset),
    "offsetMinutes": lambda v: _quotient(v.offset, 60),
    "offsetSeconds": lambda v: v.offset,
}
_INSTANT: dict[str, Component] = {
    "timezone": lambda v: v.zone_text,
    "epochSeconds": lambda v: v.second,
    "epochMillis": lambda v: v.second * 1000 + v.nano // 1_000_000,
}
_DURATION: dict[str, Component] = {
    "years": lambda v: _quotient(v.months, 12),
    "quarters": lambda v: _quotient(v.months, 3),
    "months": lambda v: v.months,
    "weeks": lambda v: _quotient(v.days, 7),
    "days": lambda v: v.days,
    "hours": lambda v: _quotient(v.seconds, 3600),
    "minutes": lambda v: _quotient(v.seconds, 60),
    "seconds": lambda v: v.seconds,
    "milliseconds": lambda v: _duration_nanos(v, 1_000_000),
    "microseconds": lambda v: _duration_nanos(v, 1_000),
    "nanoseconds": lambda v: _duration_nanos(v, 1),
    "quartersOfYear": lambda v: _remainder(_quotient(v.months, 3), 4),
    "monthsOfQuarter": lambda v: _remainder(v.months, 3),
    "monthsOfYear": lambda v: _remainder(v.months, 12),
    "daysOfWeek": lambda v: _remainder(v.days, 7),
    "minutesOfHour": lambda v: _remainder(_quotient(v.seconds, 60), 60),
    "secondsOfMinute": lambda v: _remainder(v.seconds, 60),
    "millisecondsOfSecond": lambda v: v.nanos // 1_000_000,
    "microsecondsOfSecond": lambda v: v.nanos // 1_000,
    "nanosecondsOfSecond": lambda v: v.nanos,
}
_POINT: dict[str, Component] = {
    "x": lambda v: v.x,
    "y": lambda v: v.y,
    "z": lambda v: v.z,
    "longitude": lambda v: v.x,
    "latitude": lambda v: v.y,
    "height": lambda v: v.z,
    "crs": lambda v: v.crs,
    "srid": lambda v: v.srid,
}

COMPONENTS: dict[type[Any], dict[str, Component]] = {
    Date: _DATE,
    LocalTime: _CLOCK,
    Time: {**_CLOCK, **_OFFSET},
    LocalDateTime: {**_DATE, **_CLOCK},
    DateTime: {**_DATE, **_CLOCK, **_OFFSET, **_INSTANT},
    Duration: _DURATION,
    Point: _POINT,
}
"""Type -> name of the component -> what it is."""

_ANY_CASE: dict[type[Any], dict[str, Component]] = {
    type_: {name.lower(): component for name, component in table.items()} for type_, table in COMPONENTS.items()
}
"""Names of components are matched in any case, as in Neo4j."""


def component(value: Any, key: str) -> int | float | str | None:
    """A component of a temporal or spatial value, a fault (G643) when it has none of that name.

    >>> component(Date.of(2024, 2, 29), "ordinalDay")
    60
    """
    type_ = type(value)
    found = COMPONENTS[type_].get(key) or _ANY_CASE[type_].get(key.lower())
    if found is None or (type_ is Point and not _has(value, key.lower())):
        raise fault("G643", f"{type_name(value)} has no component {key!r}")
    return found(value)


def _has(point: Point, key: str) -> bool:
    """Whether a point of its system has a coordinate of that name."""
    if key in ("z", "height") and point.z is None:
        return False
    return point.geographic or key not in ("longitude", "latitude", "height")
