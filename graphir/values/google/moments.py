"""Dates, moments and intervals of GoogleSQL: parts of them, arithmetic by parts, differences that count bounds."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from graphir.values import civil
from graphir.values.dates import Date
from graphir.values.datetimes import DateTime, LocalDateTime
from graphir.values.durations import Duration
from graphir.values.faults import invalid, mismatch, out_of_range
from graphir.values.google import casts
from graphir.values.google.arguments import Function, checked, integer, strict, text
from graphir.values.times import LocalTime

NANOS = 1_000_000_000
_UNITS = {
    **{"NANOSECOND": 1, "MICROSECOND": 1_000, "MILLISECOND": 1_000_000, "SECOND": NANOS},
    **{"MINUTE": 60 * NANOS, "HOUR": 3600 * NANOS, "DAY": 86_400 * NANOS},
}
_DAY_NAMES = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
_DAYS = {name.upper(): at for at, name in enumerate(_DAY_NAMES)}
_MONTHS = {"MONTH": 1, "QUARTER": 3, "YEAR": 12}

# ------------------------------------------------------------------ parts


def _local(value: Any, zone: str | None = None) -> LocalDateTime | LocalTime | Date:
    return casts.local(value, zone) if isinstance(value, DateTime) else value


@strict
def extract(part: Any, value: Any, *zone: Any) -> Any:
    """EXTRACT(part FROM value AT TIME ZONE zone)."""
    if isinstance(value, Duration):
        return _of_interval(part, value)
    if not isinstance(value, (Date, DateTime, LocalDateTime, LocalTime)):
        raise mismatch("EXTRACT()", value, "a date, a moment, a time or an interval")
    moment = _local(value, *zone)
    if part in ("DATE", "DATETIME", "TIME"):
        made: Function = {"DATE": casts.to_date, "DATETIME": casts.to_datetime, "TIME": casts.to_time}[part]
        return made(moment)
    if not isinstance(moment, Date):
        second, nano = divmod(moment.nanos, NANOS)
        clock = {"HOUR": second // 3600, "MINUTE": second // 60 % 60, "SECOND": second % 60}
        clock |= {"MILLISECOND": nano // 1_000_000, "MICROSECOND": nano // 1000, "NANOSECOND": nano}
        if part in clock:
            return clock[part]
    if not isinstance(moment, LocalTime):
        found = _of_day(part, moment.days)
        if found is not None:
            return found
    raise invalid("EXTRACT()", f"there is no {part} in {value}")


def _of_day(part: str, days: int) -> int | None:
    year, month, day = civil.date_parts(days)
    first = civil.day_number(year, 1, 1)
    match part:
        case "YEAR":
            return year
        case "QUARTER":
            return (month + 2) // 3
        case "MONTH":
            return month
        case "DAY":
            return day
        case "DAYOFYEAR":
            return days - first + 1
        case "DAYOFWEEK":
            return (days + 4) % 7 + 1
        case "ISOYEAR":
            return civil.week_parts(days)[0]
        case "ISOWEEK":
            return civil.week_parts(days)[1]
    start = _week_start(part)
    if start is None:
        return None
    before = (start - (first + 3)) % 7  # the days of the year that come before its first week
    return (days - first - before + 7) // 7


def _week_start(part: str) -> int | None:
    """The day that weeks begin with, Monday is 0: WEEK is WEEK(SUNDAY)."""
    if part == "WEEK":
        return 6
    found = re.fullmatch(r"WEEK\(([A-Z]+)\)", part)
    return _DAYS.get(found[1]) if found else None


def _of_interval(part: str, value: Duration) -> int:
    nanos = value.clock_nanos
    sign = -1 if nanos < 0 else 1
    second, nano = divmod(abs(nanos), NANOS)
    years = abs(value.months) // 12 * (-1 if value.months < 0 else 1)
    found = {"YEAR": years, "MONTH": value.months - 12 * years, "DAY": value.days}
    found |= {"HOUR": sign * (second // 3600), "MINUTE": sign * (second // 60 % 60), "SECOND": sign * (second % 60)}
    found |= {
        "MILLISECOND": sign * (nano // 1_000_000),
        "MICROSECOND": sign * (nano // 1000),
        "NANOSECOND": sign * nano,
    }
    if part not in found:
        raise invalid("EXTRACT()", f"there is no {part} in an interval")
    return found[part]


# ------------------------------------------------------------------ intervals


@strict
def interval(value: Any, part: Any, *to: Any) -> Duration:
    """INTERVAL n PART."""
    if to or type(value) is not int:
        raise invalid("INTERVAL", "an interval from one part to another is not supported")
    if part in ("YEAR", "QUARTER", "MONTH"):
        return Duration(value * _MONTHS[part], 0, 0, 0)
    if part in ("WEEK", "DAY"):
        return Duration(0, value * (7 if part == "WEEK" else 1), 0, 0)
    if part not in _UNITS:
        raise invalid("INTERVAL", f"there is no part {part}")
    second, nano = divmod(value * _UNITS[part], NANOS)
    return Duration(0, 0, second, nano)


def _added(name: str, sign: int) -> Function:
    @strict
    def function(value: Any, by: Any) -> Any:
        if type(by) is not Duration:
            raise mismatch(name, by, "an interval")
        if not isinstance(value, (Date, DateTime, LocalDateTime, LocalTime)):
            raise mismatch(name, value, "a date, a moment or a time")
        duration = by if sign > 0 else -by
        if isinstance(value, DateTime) and duration.months:
            raise invalid(name, "a timestamp has no months")
        if isinstance(value, LocalTime) and (duration.months or duration.days):
            raise invalid(name, "a time has no days")
        return _in_range(name, value.plus(duration))

    return function


def _in_range(name: str, value: Any) -> Any:
    if not isinstance(value, LocalTime):
        days = value.days if isinstance(value, (Date, LocalDateTime)) else value.second // casts.DAY
        if not civil.day_number(1, 1, 1) <= days <= civil.day_number(9999, 12, 31):
            raise out_of_range(name, "the result is not in the years 1 to 9999")
    return value


# ------------------------------------------------------------------ differences


def _nanos(value: Any) -> int:
    if isinstance(value, LocalTime):
        return value.nanos
    if isinstance(value, Date):
        return value.days * _UNITS["DAY"]
    return int(value.second) * NANOS + int(value.nano)


@strict
def date_diff(end: Any, start: Any, part: Any) -> int:
    """How many bounds of the part lie between: of dates and moments without a zone."""
    name = "DATE_DIFF()"
    if not isinstance(end, (Date, LocalDateTime)) or not isinstance(start, (Date, LocalDateTime)):
        return _elapsed(name, end, start, part)
    return _place(name, end, part) - _place(name, start, part)


def _place(name: str, value: Date | LocalDateTime, part: str) -> int:
    """The number of the part that a moment lies in."""
    if part in _UNITS:
        return _nanos(value) // _UNITS[part]
    year, month, _ = civil.date_parts(value.days)
    if part in _MONTHS:
        return (year * 12 + month - 1) // _MONTHS[part]
    if part == "ISOYEAR":
        return civil.week_parts(value.days)[0]
    start = 0 if part == "ISOWEEK" else _week_start(part)
    if start is None:
        raise invalid(name, f"there is no part {part}")
    return (value.days + 3 - start) // 7


def _elapsed(name: str, end: Any, start: Any, part: str) -> int:
    """How many whole parts lie between two instants."""
    if type(end) is not type(start) or not isinstance(end, (DateTime, LocalTime)):
        raise mismatch(name, end, "two values of one type")
    if part not in _UNITS:
        raise invalid(name, f"there is no part {part}")
    difference = _nanos(end) - _nanos(start)
    whole = abs(difference) // _UNITS[part]
    return checked(name, whole if difference >= 0 else -whole)


@strict
def timestamp_diff(end: Any, start: Any, part: Any) -> int:
    return _elapsed("TIMESTAMP_DIFF()", end, start, part)


# ------------------------------------------------------------------ truncation


@strict
def date_trunc(value: Any, part: Any, *zone: Any) -> Any:
    name = "DATE_TRUNC()"
    if isinstance(value, DateTime):
        if part in _UNITS and part != "DAY":
            local = casts.local(value, *zone)
            offset = local.second - value.second
            cut = _cut(local, _UNITS[part])
            return DateTime(cut.second - offset, cut.nano)
        return casts.instant(date_trunc(casts.local(value, *zone), part), *zone)
    if isinstance(value, LocalTime):
        if part not in _UNITS or part == "DAY":
            raise invalid(name, f"there is no part {part}")
        return LocalTime(value.nanos // _UNITS[part] * _UNITS[part])
    if isinstance(value, LocalDateTime):
        if part in _UNITS and part != "DAY":
            return _cut(value, _UNITS[part])
        return LocalDateTime(_first_day(name, value.days, part) * casts.DAY)
    if not isinstance(value, Date):
        raise mismatch(name, value, "a date, a moment or a time")
    return Date(_first_day(name, value.days, part))


def _cut(value: Any, unit: int) -> Any:
    second, nano = divmod(_nanos(value) // unit * unit, NANOS)
    return type(value)(second, nano)


def _first_day(name: str, days: int, part: str) -> int:
    year, month, _ = civil.date_parts(days)
    match part:
        case "DAY":
            return days
        case "MONTH":
            return civil.day_number(year, month, 1)
        case "QUARTER":
            return civil.day_number(year, (month - 1) // 3 * 3 + 1, 1)
        case "YEAR":
            return civil.day_number(year, 1, 1)
        case "ISOYEAR":
            return civil.week_year_start(civil.week_parts(days)[0])
    start = 0 if part == "ISOWEEK" else _week_start(part)
    if start is None:
        raise invalid(name, f"there is no part {part}")
    return days - (days + 3 - start) % 7


@strict
def last_day(value: Any, *part: Any) -> Date:
    if part and part[0] not in ("MONTH", "YEAR"):
        raise invalid("LAST_DAY()", f"the part {part[0]} is not supported")
    year, month, _ = civil.date_parts(casts.to_date(value).days)
    month = 12 if part == ("YEAR",) else month
    return Date(civil.day_number(year, month, civil.month_length(year, month)))


# ------------------------------------------------------------------ construction


@strict
def make_date(value: Any, *rest: Any) -> Date:
    """DATE(year, month, day), or the date of a moment."""
    if len(rest) == 2:
        return Date.of(*[integer("DATE()", each) for each in (value, *rest)])
    made: Date = casts.to_date(value, *rest)
    return made


@strict
def make_timestamp(value: Any, *zone: Any) -> DateTime:
    made: DateTime = casts.to_timestamp(value, *zone)
    return made


@strict
def make_datetime(value: Any, *rest: Any) -> LocalDateTime:
    if len(rest) == 5:
        year, month, day, *clock = [integer("DATETIME()", each) for each in (value, *rest)]
        nanos = LocalTime.of(*clock).nanos
        return LocalDateTime(Date.of(year, month, day).days * casts.DAY + nanos // NANOS, 0)
    if rest and isinstance(rest[0], LocalTime):
        nanos = rest[0].nanos
        return LocalDateTime(casts.to_date(value).days * casts.DAY + nanos // NANOS, nanos % NANOS)
    made: LocalDateTime = casts.to_datetime(value, *rest)
    return made


@strict
def make_time(value: Any, *rest: Any) -> LocalTime:
    if len(rest) == 2:
        return LocalTime.of(*[integer("TIME()", each) for each in (value, *rest)])
    made: LocalTime = casts.to_time(value, *rest)
    return made


@strict
def generate_date_array(start: Any, end: Any, *step: Any) -> list[Date]:
    """By an interval, a day if none is given."""
    name = "GENERATE_DATE_ARRAY()"
    by = step[0] if step else Duration(0, 1, 0, 0)
    if type(by) is not Duration or by in (Duration(0, 0, 0, 0),):
        raise invalid(name, "the step is zero")
    at, last = casts.to_date(start), casts.to_date(end)
    forward = by.months > 0 or by.days > 0
    found: list[Date] = []
    while at <= last if forward else at >= last:
        found.append(at)
        at = at.plus(by)
    return found


# ------------------------------------------------------------------ unix


def _of_unix(name: str, per_second: int) -> Function:
    @strict
    def function(value: Any) -> DateTime:
        second, rest = divmod(integer(name, value), per_second)
        return _in_range(name, DateTime(second, rest * (NANOS // per_second)))  # type: ignore[no-any-return]

    return function


def _to_unix(name: str, per_second: int) -> Function:
    @strict
    def function(value: Any) -> int:
        if not isinstance(value, DateTime):
            raise mismatch(name, value, "a moment")
        return value.second * per_second + value.nano // (NANOS // per_second)

    return function


@strict
def unix_date(value: Any) -> int:
    if not isinstance(value, Date):
        raise mismatch("UNIX_DATE()", value, "a date")
    return value.days


@strict
def date_from_unix_date(value: Any) -> Date:
    return _in_range("DATE_FROM_UNIX_DATE()", Date(integer("DATE_FROM_UNIX_DATE()", value)))  # type: ignore[no-any-return]


# ------------------------------------------------------------------ formats

_MONTH_NAMES = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]


def _elements(days: int, nanos: int) -> dict[str, str]:
    year, month, day = civil.date_parts(days)
    second = nanos // NANOS
    hour, minute, second = second // 3600, second // 60 % 60, second % 60
    weekday, month_name = _DAY_NAMES[(days + 3) % 7], _MONTH_NAMES[month - 1]
    return {
        **{"Y": f"{year}", "y": f"{year % 100:02d}", "m": f"{month:02d}", "d": f"{day:02d}", "e": f"{day:2d}"},
        **{"H": f"{hour:02d}", "M": f"{minute:02d}", "S": f"{second:02d}", "I": f"{(hour + 11) % 12 + 1:02d}"},
        **{"p": "AM" if hour < 12 else "PM", "j": f"{days - civil.day_number(year, 1, 1) + 1:03d}", "%": "%"},
        **{"A": weekday, "a": weekday[:3], "B": month_name, "b": month_name[:3], "h": month_name[:3]},
        **{"F": f"{year:04d}-{month:02d}-{day:02d}", "T": f"{hour:02d}:{minute:02d}:{second:02d}"},
        **{"R": f"{hour:02d}:{minute:02d}", "D": f"{month:02d}/{day:02d}/{year % 100:02d}", "Q": str((month + 2) // 3)},
        **{"u": str((days + 3) % 7 + 1), "w": str((days + 4) % 7), "C": f"{year // 100:02d}", "n": "\n", "t": "\t"},
        **{"G": f"{civil.week_parts(days)[0]:04d}", "V": f"{civil.week_parts(days)[1]:02d}"},
    }


@strict
def format_date(pattern: Any, value: Any, *zone: Any) -> str:
    name = "FORMAT_DATE()"
    moment = _local(value, *zone)
    if isinstance(moment, LocalTime) or not isinstance(moment, (Date, LocalDateTime)):
        raise mismatch(name, value, "a date or a moment")
    known = _elements(moment.days, 0 if isinstance(moment, Date) else moment.nanos)

    def written(found: re.Match[str]) -> str:
        if found[1] not in known:
            raise invalid(name, f"the element %{found[1]} is not supported")
        return known[found[1]]

    return re.sub(r"%(.?)", written, text(name, pattern), flags=re.DOTALL)


@strict
def parse_date(pattern: Any, value: Any) -> Date:
    """Of `%Y`, `%m`, `%d` with what stands between them."""
    name = "PARSE_DATE()"
    parts = {"Y": r"(?P<Y>\d{1,4})", "m": r"(?P<m>\d{1,2})", "d": r"(?P<d>\d{1,2})", "%": "%"}
    out, at, given = [], 0, text(name, pattern)
    while at < len(given):
        if given[at] == "%":
            at += 1
            if given[at : at + 1] not in parts or given.count("%" + given[at]) > 1:
                raise invalid(name, "only %Y, %m and %d are supported, once each")
            out.append(parts[given[at]])
        else:
            out.append(r"\s*" if given[at].isspace() else re.escape(given[at]))
        at += 1
    found = re.fullmatch("".join(out), text(name, value).strip(), re.ASCII)
    if found is None:
        raise invalid(name, "the text is not of that form")
    known = {"Y": "1970", "m": "1", "d": "1", **found.groupdict()}
    return Date.of(int(known["Y"]), int(known["m"]), int(known["d"]))


_SCALES: tuple[tuple[str, int], ...] = (("seconds", 1), ("millis", 1000), ("micros", 1_000_000))
_UNIX: dict[str, Callable[..., Any]] = {
    **{f"timestamp_{unit}": _of_unix(f"TIMESTAMP_{unit.upper()}()", scale) for unit, scale in _SCALES},
    **{f"unix_{unit}": _to_unix(f"UNIX_{unit.upper()}()", scale) for unit, scale in _SCALES},
}

FUNCTIONS: dict[str, Function] = {
    **_UNIX,
    "extract": extract,
    "interval": interval,
    "date_add": _added("DATE_ADD()", 1),
    "date_sub": _added("DATE_SUB()", -1),
    "date_diff": date_diff,
    "timestamp_diff": timestamp_diff,
    "date_trunc": date_trunc,
    "last_day": last_day,
    "make_date": make_date,
    "make_timestamp": make_timestamp,
    "make_datetime": make_datetime,
    "make_time": make_time,
    "generate_date_array": generate_date_array,
    "unix_date": unix_date,
    "date_from_unix_date": date_from_unix_date,
    "format_date": format_date,
    "parse_date": parse_date,
}
