"""`truncate`: the beginning of the millennium, ..., week, day, ... or microsecond that a temporal value is in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphir.values import civil
from graphir.values.civil import DAY_NANOS, NANOS
from graphir.values.clocks import Clock
from graphir.values.construction import Zone, assemble, current, zone_of
from graphir.values.dates import Date
from graphir.values.datetimes import DateTime, LocalDateTime
from graphir.values.faults import fault, type_name, wrong_argument
from graphir.values.fields import DATE, TIME, Fields, canonical, clock_of, day_of, has_any
from graphir.values.times import LocalTime, Time
from graphir.values.zones import offset_at, parse_zone

_YEARS = {"millennium": 1000, "century": 100, "decade": 10, "year": 1}
_CLOCK_UNITS = {
    "day": DAY_NANOS,
    "hour": 3600 * NANOS,
    "minute": 60 * NANOS,
    "second": NANOS,
    "millisecond": 1_000_000,
    "microsecond": 1_000,
}
_DATE_UNITS = (*_YEARS, "weekYear", "quarter", "month", "week")


def truncate(kind: str, unit: Any, value: Any, overrides: Any, clock: Clock) -> Any:
    """The beginning of the unit as a value of a kind, then the overriding components.

    Faults: a unit that does not exist or is too large or too small for the kind (G645), and those of components.
    """
    if not isinstance(unit, str):
        raise wrong_argument(f"{kind}.truncate()", "the name of a unit", unit)
    if unit not in _DATE_UNITS and unit not in _CLOCK_UNITS:
        raise fault("G645", f"{unit!r} is not a unit for truncation")
    fields = _overrides(kind, overrides)
    if kind in ("localtime", "time"):
        return _truncate_time(kind, unit, value, fields, clock)
    if kind == "date" and unit in _CLOCK_UNITS and unit != "day":
        raise fault("G645", f"a date cannot be truncated to a {unit}")
    days, nanos, zone = _parts(kind, unit, value, clock)
    if unit in _DATE_UNITS:
        days, nanos = _truncate_day(unit, days), 0
    else:
        nanos -= nanos % _CLOCK_UNITS[unit]
    if has_any(fields, DATE):
        days = day_of(fields, days, complete=False)
    return assemble(kind, days, _override_clock(unit, fields, nanos), zone_of(fields) or zone)


def _overrides(kind: str, overrides: Any) -> Fields:
    if overrides is None or overrides == {}:
        return {}
    if not isinstance(overrides, Mapping):
        raise wrong_argument(f"{kind}.truncate()", "a map of components", overrides)
    if all(value is None for value in overrides.values()):
        return {}
    names = {
        "date": DATE,
        "localtime": TIME,
        "time": (*TIME, "timezone"),
        "localdatetime": (*DATE, *TIME),
        "datetime": (*DATE, *TIME, "timezone"),
    }
    return canonical(overrides, kind, names[kind])


def _parts(kind: str, unit: str, value: Any, clock: Clock) -> tuple[int, int, Zone]:
    """Day number, nanoseconds of the day, and zone of a value that has a date."""
    default = parse_zone(clock.zone)
    match value:
        case Date():
            if unit in _CLOCK_UNITS and unit != "day":
                raise fault("G645", f"a date cannot be truncated to a {unit}: it has no time")
            return value.days, 0, default
        case LocalDateTime():
            return value.days, value.nanos, default
        case DateTime():
            return value.days, value.nanos, (value.offset, value.zone)
        case LocalTime() | Time():
            raise fault("G649", f"{kind}.truncate() expects a value with a date, but was given {type_name(value)}")
        case _:
            raise wrong_argument(f"{kind}.truncate()", "a temporal value", value)


def _truncate_day(unit: str, days: int) -> int:
    year, month, _ = civil.date_parts(days)
    if unit in _YEARS:
        size = _YEARS[unit]
        return civil.day_number(year // size * size if year >= 0 else -(-year // size * size), 1, 1)
    if unit == "weekYear":
        return civil.week_year_start(civil.week_parts(days)[0])
    if unit == "week":
        return days - civil.weekday(days) + 1
    return civil.day_number(year, (month - 1) // 3 * 3 + 1 if unit == "quarter" else month, 1)


def _override_clock(unit: str, fields: Fields, nanos: int) -> int:
    """Override components of the time; what is above a smaller unit than the one truncated to stays."""
    if not has_any(fields, TIME):
        return nanos
    if unit == "millisecond" and has_any(fields, ("microsecond", "nanosecond")):
        fields = {"millisecond": nanos // 1_000_000 % 1000, **fields}
    elif unit == "microsecond" and "nanosecond" in fields and "millisecond" not in fields:
        fields = {"microsecond": nanos // 1_000 % 1_000_000, **fields}
    return clock_of(fields, nanos)


def _truncate_time(kind: str, unit: str, value: Any, fields: Fields, clock: Clock) -> LocalTime | Time:
    if unit not in _CLOCK_UNITS:
        raise fault("G645", f"a {kind} cannot be truncated to a {unit}")
    if not isinstance(value, LocalTime | Time | LocalDateTime | DateTime):
        raise wrong_argument(f"{kind}.truncate()", "a value with a time", value)
    nanos = value.nanos - value.nanos % _CLOCK_UNITS[unit]
    nanos = _override_clock(unit, fields, nanos)
    if kind == "localtime":
        return LocalTime(nanos)
    zone = zone_of(fields)
    if zone is None:
        zone = (value.offset, None) if isinstance(value, Time | DateTime) else parse_zone(clock.zone)
    offset = offset_at(zone[1], clock.nanos() // NANOS) if zone[1] is not None else zone[0]
    return Time.of_local(nanos, offset or 0)


def truncate_current(kind: str, unit: Any, clock: Clock) -> Any:
    """The beginning of the current unit."""
    return truncate(kind, unit, current(kind, clock.read()), None, clock)
