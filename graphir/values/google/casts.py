"""CAST of GoogleSQL: what a value is as one of another type; what it is not is a fault."""

from __future__ import annotations

import math
import re
from typing import Any

from graphir.diagnostics import RunFault
from graphir.values import civil
from graphir.values.dates import Date
from graphir.values.datetimes import DateTime, LocalDateTime
from graphir.values.documents import Json
from graphir.values.durations import Duration
from graphir.values.faults import invalid, mismatch, out_of_range
from graphir.values.google.arguments import Function, checked, strict
from graphir.values.google.texts import float_text, fraction_text, moment_text
from graphir.values.operators import add, subtract
from graphir.values.times import LocalTime
from graphir.values.zones import offset_at, offset_of_local, parse_zone

DEFAULT_ZONE = "America/Los_Angeles"
"""The time zone of a moment that is written without one: Spanner's."""
DAY = 86_400

# ------------------------------------------------------------------ numbers and booleans

_INTEGER = re.compile(r"[+-]?(?:0[xX][0-9a-fA-F]+|[0-9]+)")
_FLOAT = re.compile(r"[+-]?(?:(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?|inf|infinity|nan)", re.IGNORECASE | re.ASCII)
_HEXADECIMAL = re.compile(r"[+-]?0x(?:[0-9a-f]+\.?[0-9a-f]*|\.[0-9a-f]+)(?:p[+-]?[0-9]+)?", re.IGNORECASE | re.ASCII)


@strict
def to_integer(value: Any) -> int:
    """A float to the next integer, halves away from zero."""
    match value:
        case bool():
            return int(value)
        case int():
            return value
        case float():
            if not math.isfinite(value):
                raise out_of_range("CAST()", f"{value} is no integer")
            whole = math.floor(abs(value))
            return checked("CAST()", int(math.copysign(1, value)) * (whole + (abs(value) - whole >= 0.5)))
        case str():
            found = value.strip()
            if _INTEGER.fullmatch(found) is None:
                raise invalid("CAST()", f"{value!r} is no integer")
            digits = found.lstrip("+-")
            number = int(digits, 16 if digits[:2] in ("0x", "0X") else 10)
            return checked("CAST()", -number if found.startswith("-") else number)
    raise mismatch("CAST()", value, "an integer, a float, a string or a boolean")


@strict
def to_even_integer(value: Any) -> int:
    """The same, halves to the even neighbour."""
    if isinstance(value, float) and math.isfinite(value):
        return checked("CAST()", round(value))
    whole: int = to_integer(value)
    return whole


@strict
def to_float(value: Any) -> float:
    match value:
        case int() | float() if type(value) is not bool:
            return float(value)
        case str():
            found = value.strip()
            if _FLOAT.fullmatch(found) is not None:
                return float(found)
            if _HEXADECIMAL.fullmatch(found) is None or len(found) > 30:
                raise invalid("CAST()", f"{value!r} is no float")
            return float.fromhex(found)
    raise mismatch("CAST()", value, "a number or a string")


@strict
def to_boolean(value: Any) -> bool:
    match value:
        case bool():
            return value
        case int():
            return value != 0
        case str():
            found = {"true": True, "false": False}.get(value.lower())
            if found is None:
                raise invalid("CAST()", f"{value!r} is no boolean")
            return found
    raise mismatch("CAST()", value, "a boolean, an integer or a string")


# ------------------------------------------------------------------ texts


@strict
def to_text(value: Any, *zone: Any) -> str:
    match value:
        case bool():
            return "true" if value else "false"
        case int():
            return str(value)
        case float():
            return float_text(value)
        case str():
            return value
        case Date():
            return str(value)
        case LocalDateTime():
            return moment_text(value, " ")
        case LocalTime():
            return clock_text(value)
        case DateTime():
            return timestamp_text(value, zone[0] if zone else DEFAULT_ZONE)
        case Duration():
            return interval_text(value)
        case Json():
            return str(value)
    raise mismatch("CAST()", value, "a value that has a text")


def timestamp_text(value: DateTime, zone: str) -> str:
    """As the clock shows it in a zone, with the offset."""
    offset = offset_in(zone, value.second)
    return moment_text(LocalDateTime(value.second + offset, value.nano), " ") + offset_text(offset)


def clock_text(value: LocalTime) -> str:
    second, nano = divmod(value.nanos, 1_000_000_000)
    return f"{second // 3600:02d}:{second // 60 % 60:02d}:{second % 60:02d}{fraction_text(nano)}"


def offset_text(offset: int) -> str:
    """`-08`, `+05:30`."""
    minutes = abs(offset) // 60
    shown = f"{'-' if offset < 0 else '+'}{minutes // 60:02d}"
    return f"{shown}:{minutes % 60:02d}" if minutes % 60 else shown


def interval_text(value: Duration) -> str:
    """`1-2 3 4:5:6.789`."""
    years, months = divmod(abs(value.months), 12)
    nanos = value.clock_nanos
    second, nano = divmod(abs(nanos), 1_000_000_000)
    clock = f"{second // 3600}:{second // 60 % 60}:{second % 60}{fraction_text(nano)}"
    signs = "-" if value.months < 0 else "", "-" if nanos < 0 else ""
    return f"{signs[0]}{years}-{months} {value.days} {signs[1]}{clock}"


# ------------------------------------------------------------------ moments

_DATE = re.compile(r"(\d{1,5})-(\d{1,2})-(\d{1,2})", re.ASCII)
_ZONE = r"[Zz]|[+-]\d{1,2}(?::\d{2})?|[A-Za-z_/+-]+\S*"
_MOMENT = re.compile(
    rf"(\d{{1,5}}-\d{{1,2}}-\d{{1,2}})(?:[ Tt](\d{{1,2}}:\d{{1,2}}:\d{{1,2}}(?:\.\d{{0,9}})?)?)?\s?(?P<zone>{_ZONE})?",
    re.ASCII,
)
_CLOCK = re.compile(r"(\d{1,2}):(\d{1,2}):(\d{1,2})(?:\.(\d{0,9}))?", re.ASCII)


def _day(text: str) -> int:
    found = _DATE.fullmatch(text)
    if found is None:
        raise invalid("CAST()", f"{text!r} is no date")
    try:
        days = civil.checked_day_number(*map(int, found.groups()))
    except RunFault:
        raise invalid("CAST()", f"{text!r} is no date") from None
    if not 0 < int(found[1]) < 10_000:
        raise invalid("CAST()", f"{text!r} is no date")
    return days


def _clock(text: str) -> int:
    found = _CLOCK.fullmatch(text)
    parts = [int(each) for each in found.groups()[:3]] if found else [24]
    if found is None or parts[0] > 23 or parts[1] > 59 or parts[2] > 60:
        raise invalid("CAST()", f"{text!r} is no time")
    fraction = (found[4] or "").ljust(9, "0")
    return ((parts[0] * 60 + parts[1]) * 60 + parts[2]) * 1_000_000_000 + int(fraction)


def local(moment: DateTime, zone: str | None = None) -> LocalDateTime:
    """What the clock shows in a zone."""
    return LocalDateTime(moment.second + offset_in(zone or DEFAULT_ZONE, moment.second), moment.nano)


def offset_in(zone: str, second: int) -> int:
    offset, name = _zone(zone)
    return offset if name is None else offset_at(name, second)


def instant(moment: LocalDateTime, zone: str | None = None) -> DateTime:
    """When the clock shows that in a zone."""
    offset, name = _zone(zone or DEFAULT_ZONE)
    by = offset if name is None else offset_of_local(name, moment.second)
    return DateTime(moment.second - by, moment.nano)


def _zone(text: str) -> tuple[int, str | None]:
    if text in ("Z", "z", "UTC"):
        return 0, None
    found = re.fullmatch(r"(?:UTC)?([+-])(\d{1,2})(?::(\d{2}))?", text)
    if found is not None:
        seconds = (int(found[2]) * 60 + int(found[3] or 0)) * 60
        return -seconds if found[1] == "-" else seconds, None
    offset, name = parse_zone(text)
    return offset or 0, name


def _moment(text: str) -> tuple[LocalDateTime, str | None]:
    found = _MOMENT.fullmatch(text)
    if found is None:
        raise invalid("CAST()", f"{text!r} is no moment")
    days, nanos = _day(found[1]), _clock(found[2]) if found[2] else 0
    return LocalDateTime(days * DAY + nanos // 1_000_000_000, nanos % 1_000_000_000), found["zone"]


@strict
def to_date(value: Any, *zone: Any) -> Date:
    match value:
        case Date():
            return value
        case LocalDateTime():
            return Date(value.days)
        case DateTime():
            return Date(local(value, *zone).days)
        case str():
            return Date(_day(value))
    raise mismatch("CAST()", value, "a date, a moment or a string")


@strict
def to_timestamp(value: Any, *zone: Any) -> DateTime:
    match value:
        case DateTime():
            return DateTime(value.second, value.nano)
        case Date():
            return instant(LocalDateTime(value.days * DAY), *zone)
        case LocalDateTime():
            return instant(value, *zone)
        case str():
            moment, written = _moment(value)
            return instant(moment, written or (zone[0] if zone else None))
    raise mismatch("CAST()", value, "a date, a moment or a string")


@strict
def to_datetime(value: Any, *zone: Any) -> LocalDateTime:
    match value:
        case LocalDateTime():
            return value
        case Date():
            return LocalDateTime(value.days * DAY)
        case DateTime():
            return local(value, *zone)
        case str():
            return _moment(value)[0]
    raise mismatch("CAST()", value, "a date, a moment or a string")


@strict
def to_time(value: Any, *zone: Any) -> LocalTime:
    match value:
        case LocalTime():
            return value
        case LocalDateTime():
            return LocalTime(value.nanos)
        case DateTime():
            return LocalTime(local(value, *zone).nanos)
        case str():
            return LocalTime(_clock(value))
    raise mismatch("CAST()", value, "a time, a moment or a string")


_LIKE = {Date: to_date, DateTime: to_timestamp, LocalDateTime: to_datetime, LocalTime: to_time}


def midnight(value: Any) -> Any:
    """What an INTERVAL is added to: a date as the moment when it begins, another value as it is."""
    return LocalDateTime(value.days * DAY) if isinstance(value, Date) else value


def moment_add(left: Any, right: Any) -> Any:
    """`+`, under which a date and an INTERVAL make a moment."""
    return add(_moved(left, right), _moved(right, left))


def moment_sub(left: Any, right: Any) -> Any:
    return subtract(_moved(left, right), right)


def _moved(value: Any, by: Any) -> Any:
    return midnight(value) if isinstance(by, Duration) else value


def typed_like(text: Any, other: Any, *zone: Any) -> Any:
    """The text as a value of the type of another: of days, moments and times, else a string."""
    cast = _LIKE.get(type(other))
    return text if cast is None else cast(text, *zone)


FUNCTIONS: dict[str, Function] = {
    "cast_integer": to_integer,
    "cast_even_integer": to_even_integer,
    "cast_float": to_float,
    "cast_boolean": to_boolean,
    "cast_string": to_text,
    "cast_date": to_date,
    "cast_timestamp": to_timestamp,
    "cast_datetime": to_datetime,
    "cast_time": to_time,
    "midnight": midnight,
    "moment_add": moment_add,
    "moment_sub": moment_sub,
    "typed_like": typed_like,
    "untyped": lambda text: text,
}
