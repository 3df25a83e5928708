"""ISO 8601 texts to plain integers: dates, times of day, zones, durations.

The forms are those of openCypher: extended and compact; calendar, week, quarter and ordinal dates.  Knows no type of
value; what is well-formed but does not exist (30 February) is a fault of `civil.py`.
"""

from __future__ import annotations

import re
from functools import lru_cache

from graphir.values import civil
from graphir.values.faults import fault
from graphir.values.zones import canonical_zone, parse_offset

_DATE = (
    r"(?:(?P<year>\d{4}|[+-]\d{1,9})"
    r"(?:-(?P<month>\d{2}(?!\d)|\d(?=-))(?:-(?P<day>\d{1,2}))?|-W(?P<week>\d{1,2})(?:-(?P<dow>\d))?"
    r"|-Q(?P<quarter>\d)(?:-(?P<doq>\d{1,2}))?|-(?P<ordinal>\d{3}))?"
    r"|(?P<year2>\d{4})(?:(?P<month2>\d{2})(?P<day2>\d{2})?|W(?P<week2>\d{2})(?P<dow2>\d)?"
    r"|Q(?P<quarter2>\d)(?P<doq2>\d{2})?|(?P<ordinal2>\d{3})))"
)
_TIME = (
    r"(?:(?P<hour>\d{1,2})(?::(?P<minute>\d{1,2})(?::(?P<second>\d{1,2})(?:[.,](?P<fraction>\d{1,9}))?)?)?"
    r"|(?P<hour2>\d{2})(?P<minute2>\d{2})(?:(?P<second2>\d{2})(?:[.,](?P<fraction2>\d{1,9}))?)?)"
)
_ZONE = r"(?P<offset>[Zz]|[+-]\d{2}(?::?\d{2}(?::?\d{2})?)?)?(?:\[(?P<name>[A-Za-z0-9~._ /+-]+)\])?"
_DATE_TEXT = re.compile(_DATE + r"\Z", re.ASCII)
_TIME_TEXT = re.compile("[Tt]?" + _TIME + _ZONE + r"\Z", re.ASCII)
_DATETIME_TEXT = re.compile(f"{_DATE}(?:[Tt]{_TIME}{_ZONE})?" + r"\Z", re.ASCII)
_COMMON = re.compile(r"(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,9}))?)?(Z|[+-]\d\d:\d\d)?\Z", re.ASCII)
"""How nearly all datetimes are written; read without trying the other forms."""
_FLAGS = re.ASCII | re.IGNORECASE
_NUMBER = r"([+-]?\d+(?:[.,]\d{1,9})?)"
_DURATION_TEXT = re.compile(
    rf"([+-])?P(?:{_NUMBER}Y)?(?:{_NUMBER}M)?(?:{_NUMBER}W)?(?:{_NUMBER}D)?"
    rf"(?:T(?=[-+\d])(?:{_NUMBER}H)?(?:{_NUMBER}M)?(?:{_NUMBER}S)?)?\Z",
    _FLAGS,
)
_DURATION_AS_DATE = re.compile(
    r"([+-])?P(?:(\d{4})-(\d{2})-(\d{2})|(\d{4})(\d{2})(\d{2}))"
    r"(?:T(?:(\d{2}):(\d{2}):(\d{2})|(\d{2})(\d{2})(\d{2}))(?:[.,](\d{1,9}))?)?\Z",
    _FLAGS,
)
_MAX_TEXT = 80
"""No text of a temporal value is longer; messages quote no more."""


def _malformed(kind: str, text: str) -> Exception:
    shown = text if len(text) <= _MAX_TEXT else text[:_MAX_TEXT] + "..."
    return fault("G640", f"{shown!r} is not the text of a {kind}")


def _number(match: re.Match[str], name: str) -> int | None:
    """A part of a date or time in either of its spellings."""
    text = match[name] or match[name + "2"]
    return None if text is None else int(text)


def _day(match: re.Match[str]) -> int:
    year = _number(match, "year")
    assert year is not None
    week, quarter, ordinal = _number(match, "week"), _number(match, "quarter"), _number(match, "ordinal")
    if week is not None:
        day = _number(match, "dow")
        found = civil.week_day_number(year, week, 1 if day is None else day)
        if week == 53 and civil.week_parts(found)[0] != year:
            raise fault("G641", f"the year {year} has no week 53")
        return found
    if quarter is not None:
        day = _number(match, "doq")
        return civil.quarter_day_number(year, quarter, 1 if day is None else day)
    if ordinal is not None:
        return civil.ordinal_day_number(year, ordinal)
    month, day = _number(match, "month"), _number(match, "day")
    return civil.checked_day_number(year, 1 if month is None else month, 1 if day is None else day)


def _clock(match: re.Match[str]) -> int:
    hour, minute, second = _number(match, "hour"), _number(match, "minute"), _number(match, "second")
    fraction = match["fraction"] or match["fraction2"] or ""
    nano = int(fraction.ljust(9, "0")) if fraction else 0
    return clock_nanos(hour or 0, minute or 0, second or 0, nano)


def clock_nanos(hour: int, minute: int, second: int, nano: int) -> int:
    """Nanoseconds of the day; a fault for parts out of range."""
    if not (0 <= hour <= 23 and 0 <= minute <= 59 and 0 <= second <= 59):
        civil.check_range("hour", hour, 0, 23)
        civil.check_range("minute", minute, 0, 59)
        civil.check_range("second", second, 0, 59)
    return ((hour * 60 + minute) * 60 + second) * civil.NANOS + nano


def _zone(match: re.Match[str]) -> tuple[int | None, str | None]:
    offset = None if match["offset"] is None else parse_offset(match["offset"])
    name = match["name"]
    if name is None:
        return offset, None
    return (offset or 0, None) if name in ("Z", "z") and not offset else (offset, canonical_zone(name))


@lru_cache(maxsize=4096)
def parse_date(text: str) -> int:
    """The day number of the text of a date."""
    match = _DATE_TEXT.match(text)
    if not match:
        raise _malformed("date", text)
    return _day(match)


def parse_local_time(text: str) -> int:
    """Nanoseconds of the day of the text of a time without a zone."""
    match = _TIME_TEXT.match(text)
    if not match or match["offset"] or match["name"]:
        raise _malformed("local time", text)
    return _clock(match)


def parse_time(text: str) -> tuple[int, int | None, str | None]:
    """Nanoseconds of the day, offset, zone name of the text of a time."""
    match = _TIME_TEXT.match(text)
    if not match:
        raise _malformed("time", text)
    return (_clock(match), *_zone(match))


def _common(match: re.Match[str]) -> tuple[int, int]:
    year, month, day, hour, minute, second, fraction, _ = match.groups()
    nano = int(fraction.ljust(9, "0")) if fraction else 0
    days = civil.checked_day_number(int(year), int(month), int(day))
    return days, clock_nanos(int(hour), int(minute), int(second or 0), nano)


def parse_local_datetime(text: str) -> tuple[int, int]:
    """Day number and nanoseconds of the day of the text of a datetime without a zone."""
    common = _COMMON.match(text)
    if common and common[8] is None:
        return _common(common)
    match = _DATETIME_TEXT.match(text)
    if not match or match["offset"] or match["name"]:
        raise _malformed("local datetime", text)
    return _day(match), _clock(match)


def parse_datetime(text: str) -> tuple[int, int, int | None, str | None]:
    """Day number, nanoseconds of the day, offset, zone name of the text of a datetime."""
    common = _COMMON.match(text)
    if common:
        return (*_common(common), None if common[8] is None else parse_offset(common[8]), None)
    match = _DATETIME_TEXT.match(text)
    if not match:
        raise _malformed("datetime", text)
    return (_day(match), _clock(match), *_zone(match))


def _number_of(text: str | None) -> int | float:
    if text is None:
        return 0
    return float(text.replace(",", ".")) if "." in text or "," in text else int(text)


def parse_duration(text: str) -> tuple[int, list[int | float], int]:
    """Sign; years, months, weeks, days, hours, minutes, seconds; nanoseconds of the text of a duration.

    At most one number is a float: the last one, if it is not that of the seconds, whose fraction is the nanoseconds.
    """
    match = _DURATION_TEXT.match(text)
    if not match:
        return _duration_as_date(text)
    given = [part for part in match.groups()[1:] if part is not None]
    if not given or any("." in part or "," in part for part in given[:-1]):
        raise _malformed("duration", text)
    numbers = [_number_of(part) for part in match.groups()[1:-1]]
    seconds, _, fraction = (match[8] or "0").replace(",", ".").partition(".")
    nanos = int(fraction.ljust(9, "0")) if fraction else 0
    sign = -1 if match[1] == "-" else 1
    return sign, [*numbers, int(seconds)], -nanos if seconds.startswith("-") else nanos


def _duration_as_date(text: str) -> tuple[int, list[int | float], int]:
    """As `parse_duration`, of P2012-02-02T14:37:21.5 and its compact form."""
    match = _DURATION_AS_DATE.match(text)
    if not match:
        raise _malformed("duration", text)
    years, months, days, hours, minutes, seconds = (
        int(one or other or 0) for one, other in zip(_dated(match, 0), _dated(match, 1), strict=True)
    )
    limits = (("months", months, 12), ("days", days, 31), ("hours", hours, 23))
    for name, value, high in (*limits, ("minutes", minutes, 59), ("seconds", seconds, 59)):
        civil.check_range(name, value, 0, high)
    nanos = int((match[14] or "").ljust(9, "0"))
    return (-1 if match[1] == "-" else 1), [years, months, 0, days, hours, minutes, seconds], nanos


def _dated(match: re.Match[str], form: int) -> list[str | None]:
    """The six numbers of a duration written as a date, in the extended (0) or the compact (1) form."""
    first = 2 + 3 * form
    return [match[index] for index in (first, first + 1, first + 2, first + 6, first + 7, first + 8)]
