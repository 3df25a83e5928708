"""Constructors of temporal values: from text, from a map of components, from another temporal value, from the clock."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from graphir.values.civil import NANOS, check_day, check_range
from graphir.values.clocks import Clock
from graphir.values.dates import Date
from graphir.values.datetimes import DateTime, LocalDateTime, local_second
from graphir.values.durations import Duration
from graphir.values.faults import fault, invalid, type_name, wrong_argument
from graphir.values.fields import (
    BASES,
    DATE,
    EPOCH,
    TIME,
    Fields,
    canonical,
    clock_of,
    date_base,
    day_of,
    has_any,
    time_base,
)
from graphir.values.patterns import read
from graphir.values.times import LocalTime, Time
from graphir.values.zones import offset_at, parse_zone

Zone = tuple[int | None, str | None]
_DAY_FIELDS = ("date", *DATE)
_CLOCK_FIELDS = ("time", *TIME)
_LOCAL_FIELDS = (*BASES, *DATE, *TIME)


def zone_of(fields: Fields) -> Zone | None:
    """What `timezone` says, if it is given."""
    value = fields.get("timezone")
    if value is None:
        return None
    if not isinstance(value, str):
        raise fault("G649", f"timezone must be a string, but is {type_name(value)}")
    return parse_zone(value)


def _now(fields: Fields, clock: Clock) -> DateTime | None:
    """The time in the zone of a map that gives nothing but a zone."""
    return clock.read("statement", fields["timezone"]) if set(fields) == {"timezone"} and zone_of(fields) else None


def _no_zone(fields: Fields, kind: str) -> None:
    if "timezone" in fields:
        raise fault("G648", f"a {kind} has no timezone; it can only say where the current {kind} is taken")


def _date(arguments: Mapping[str, Any], clock: Clock) -> Date:
    fields = canonical(arguments, "date", (*_DAY_FIELDS, "timezone"))
    now = _now(fields, clock)
    if now is not None:
        return Date(now.days)
    _no_zone(fields, "date")
    return Date(day_of(fields, date_base(fields, "date"), complete=False))


def _local_time(arguments: Mapping[str, Any], clock: Clock) -> LocalTime:
    fields = canonical(arguments, "local time", (*_CLOCK_FIELDS, "timezone"))
    now = _now(fields, clock)
    if now is not None:
        return LocalTime(now.nanos)
    _no_zone(fields, "local time")
    return LocalTime(clock_of(fields, time_base(fields, "time")[0]))


def _time(arguments: Mapping[str, Any], clock: Clock) -> Time:
    fields = canonical(arguments, "time", (*_CLOCK_FIELDS, "timezone"))
    now = _now(fields, clock)
    if now is not None:
        return Time.of_local(now.nanos, now.offset)
    nanos, offset, _ = time_base(fields, "time")
    wanted = _fixed(zone_of(fields), clock)
    default = wanted if wanted is not None else clock.read("statement").offset
    made = Time.of_local(clock_of(fields, nanos), default if offset is None else offset)
    return made if wanted is None or offset is None else made.with_offset(wanted)


def _fixed(zone: Zone | None, clock: Clock) -> int | None:
    """The offset of a zone at the time of the statement."""
    if zone is None:
        return None
    offset, name = zone
    return offset if name is None else offset_at(name, clock.nanos("statement") // NANOS)


def _parts(fields: Fields) -> tuple[int, int, int | None, str | None]:
    """Day number, nanoseconds of the day, and offset and zone of the base of a map for a date with a time."""
    if "datetime" in fields and ("date" in fields or "time" in fields):
        raise fault("G648", "datetime does not go together with date or time")
    both = "datetime" in fields
    nanos, offset, zone = time_base(fields, "datetime" if both else "time")
    base = date_base(fields, "datetime" if both else "date")
    days = day_of(fields, base, complete=has_any(fields, _CLOCK_FIELDS))
    return days, clock_of(fields, nanos), offset, zone


def _local_datetime(arguments: Mapping[str, Any], clock: Clock) -> LocalDateTime:
    fields = canonical(arguments, "local datetime", (*_LOCAL_FIELDS, "timezone"))
    now = _now(fields, clock)
    if now is not None:
        return now.local
    _no_zone(fields, "local datetime")
    days, nanos, _, _ = _parts(fields)
    return LocalDateTime.of_parts(days, nanos)


def _datetime(arguments: Mapping[str, Any], clock: Clock) -> DateTime:
    fields = canonical(arguments, "datetime", (*_LOCAL_FIELDS, *EPOCH, "timezone"))
    now = _now(fields, clock)
    if now is not None:
        return now
    wanted = zone_of(fields)
    if has_any(fields, EPOCH):
        return _of_epoch(fields, wanted or parse_zone(clock.zone))
    days, nanos, offset, zone = _parts(fields)
    if offset is None:
        return DateTime.of_parts(days, nanos, *(wanted or parse_zone(clock.zone)))
    moment = DateTime.of_parts(days, nanos, offset, zone)
    return moment if wanted is None else moment.with_zone(*wanted)


def _of_epoch(fields: Fields, zone: Zone) -> DateTime:
    """From epochSeconds or epochMillis; other components override those of the instant on its clock."""
    if has_any(fields, BASES):
        raise fault("G648", "epochSeconds and epochMillis do not go together with other values")
    if all(name in fields for name in EPOCH):
        raise fault("G648", "epochSeconds and epochMillis do not go together")
    millis = fields.get("epochMillis")
    made = from_epoch(fields["epochSeconds"], 0) if millis is None else from_epoch_millis(millis)
    moment = made.with_zone(*zone)
    if not has_any(fields, (*DATE, *TIME)):
        return moment
    return DateTime.of_parts(day_of(fields, moment.days, complete=False), clock_of(fields, moment.nanos), *zone)


def from_epoch(second: int, nano: int) -> DateTime:
    """`datetime.fromepoch`: an instant in UTC."""
    check_day(second // 86_400)
    return DateTime(second, check_range("nanosecond", nano, 0, NANOS - 1))


def from_epoch_millis(millis: int) -> DateTime:
    """`datetime.fromepochmillis`: an instant in UTC."""
    second, rest = divmod(millis, 1000)
    return from_epoch(second, rest * 1_000_000)


# ------------------------------------------------------------------ from other values


def to_date(value: Any) -> Date:
    """The date of a temporal value."""
    if isinstance(value, Date | LocalDateTime | DateTime):
        return Date(value.days)
    raise wrong_argument("date()", "a value with a date", value)


def to_local_time(value: Any) -> LocalTime:
    """The time of day of a temporal value, on its clock."""
    if isinstance(value, LocalTime | Time | LocalDateTime | DateTime):
        return LocalTime(value.nanos)
    raise wrong_argument("localtime()", "a value with a time", value)


def to_time(value: Any, default: Zone = (0, None)) -> Time:
    """The time of day of a temporal value with its offset, or the default one."""
    if isinstance(value, Time | DateTime):
        return Time.of_local(value.nanos, value.offset)
    if isinstance(value, LocalTime | LocalDateTime):
        return Time.of_local(value.nanos, default[0] or 0)
    raise wrong_argument("time()", "a value with a time", value)


def to_local_datetime(value: Any) -> LocalDateTime:
    """The date and time of day of a temporal value, on its clock."""
    if isinstance(value, LocalDateTime):
        return value
    if isinstance(value, DateTime):
        return value.local
    raise wrong_argument("localdatetime()", "a value with a date and a time", value)


def to_datetime(value: Any, default: Zone = (0, None)) -> DateTime:
    """A temporal value in its zone, or in the default one."""
    if isinstance(value, DateTime):
        return value
    if isinstance(value, LocalDateTime):
        return DateTime.of_local(value.second, value.nano, *default)
    raise wrong_argument("datetime()", "a value with a date and a time", value)


# ------------------------------------------------------------------ the constructors


_FROM_MAP: dict[str, Callable[[Mapping[str, Any], Clock], Any]] = {
    "date": _date,
    "localtime": _local_time,
    "time": _time,
    "localdatetime": _local_datetime,
    "datetime": _datetime,
}
_FROM_TEXT: dict[str, Callable[[str], Any]] = {
    "date": Date.parse,
    "localtime": LocalTime.parse,
    "time": Time.parse,
    "localdatetime": LocalDateTime.parse,
    "datetime": DateTime.parse,
}


def _in_default_zone(kind: str, value: Any, clock: Clock) -> Any:
    match kind:
        case "date":
            return to_date(value)
        case "localtime":
            return to_local_time(value)
        case "localdatetime":
            return to_local_datetime(value)
    default = parse_zone(clock.zone)
    return to_time(value, default) if kind == "time" else to_datetime(value, default)


def construct(kind: str, argument: Any, clock: Clock) -> Any:
    """A value of a kind (date, localtime, time, localdatetime, datetime) of a text, a map or a temporal value."""
    if isinstance(argument, str):
        return _FROM_TEXT[kind](argument)
    if isinstance(argument, Mapping):
        return _FROM_MAP[kind](argument, clock)
    if isinstance(argument, Date | LocalTime | Time | LocalDateTime | DateTime):
        return _in_default_zone(kind, argument, clock)
    raise wrong_argument(f"{kind}()", "a string, a map or a temporal value", argument)


def read_by_pattern(kind: str, text: Any, pattern: Any, clock: Clock) -> Any:
    """A value of a kind of a text that follows a pattern; without a time it is midnight in the default zone."""
    for argument in (text, pattern):
        if not isinstance(argument, str):
            raise wrong_argument(f"{kind}()", "a text and a pattern", argument)
    reading = read(text, pattern)
    days, nanos = reading.days, reading.nanos
    if (kind not in ("localtime", "time") and days is None) or (kind in ("localtime", "time") and nanos is None):
        raise invalid(f"{kind}()", f"{text!r} does not say enough for it by {pattern!r}")
    zone = parse_zone(clock.zone if reading.zone is None or nanos is None else reading.zone)
    if kind == "localtime":
        return LocalTime(nanos or 0)
    if kind == "time":
        return Time.of_local(nanos or 0, _fixed(zone, clock) or 0)
    return assemble(kind, days or 0, nanos or 0, zone)


def current(kind: str, moment: DateTime) -> Any:
    """What the clock says, as a value of a kind."""
    match kind:
        case "date":
            return Date(moment.days)
        case "localtime":
            return LocalTime(moment.nanos)
        case "time":
            return Time.of_local(moment.nanos, moment.offset)
        case "localdatetime":
            return moment.local
        case _:
            return moment


def assemble(kind: str, days: int, nanos: int, zone: Zone) -> Any:
    """A value of a kind from a day number, the nanoseconds of the day and a zone, as far as the kind has them."""
    if kind == "date":
        return Date(days)
    if kind == "localdatetime":
        return LocalDateTime.of_parts(days, nanos)
    return DateTime.of_local(*local_second(days, nanos), *zone)


# ------------------------------------------------------------------ durations

_UNITS: dict[str, tuple[int, int]] = {
    "years": (0, 12),
    "months": (0, 1),
    "weeks": (1, 7),
    "days": (1, 1),
    "hours": (2, 3600),
    "minutes": (2, 60),
    "seconds": (2, 1),
    "milliseconds": (3, 1_000_000),
    "microseconds": (3, 1_000),
    "nanoseconds": (3, 1),
}
"""Unit -> which part of the duration, and how many of it."""
_UNIT_NAMES = {name.lower(): name for name in _UNITS}


def duration_of(argument: Any) -> Duration:
    """A duration of a text, or of a map of amounts: integers or floats, years to nanoseconds."""
    if isinstance(argument, str):
        return Duration.parse(argument)
    if isinstance(argument, Duration):
        return argument
    if not isinstance(argument, Mapping):
        raise wrong_argument("duration()", "a string or a map", argument)
    amounts = _amounts(argument)
    parts: list[int | float] = [0, 0, 0, 0]
    for name, (part, size) in _UNITS.items():
        parts[part] += amounts.get(name, 0) * size
    if all(isinstance(part, int) for part in parts):
        return Duration(*map(int, parts))
    return Duration.of_floats(*map(float, parts))


def _amounts(argument: Mapping[str, Any]) -> dict[str, int | float]:
    """The units of a map by their own names, without nulls."""
    if not argument:
        raise fault("G648", "a duration needs at least one component")
    amounts: dict[str, int | float] = {}
    for key, value in argument.items():
        name = _UNIT_NAMES.get(key.lower())
        if name is None:
            raise fault("G648", f"{key!r} is not a component of a duration")
        if value is None:
            continue
        if isinstance(value, bool) or not isinstance(value, int | float):
            raise fault("G649", f"{name} must be a number, but is {type_name(value)}")
        amounts[name] = value
    if not amounts:
        raise fault("G648", "a duration needs at least one component that is not null")
    return amounts
