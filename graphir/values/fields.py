"""Maps of components to dates and times of day: `{year: 1984, week: 10}`, `{time: t, second: 42}`.

Names of components are matched in any case.  A null is the least value of its component, as in Neo4j, where a value
to begin with and a timezone cannot be null.  `construction.py` makes values of what comes out here.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from graphir.values import civil
from graphir.values.dates import Date
from graphir.values.datetimes import DateTime, LocalDateTime
from graphir.values.faults import fault, type_name
from graphir.values.parsing import clock_nanos
from graphir.values.times import LocalTime, Time

_CALENDAR, _WEEK, _QUARTER, _ORDINAL = (
    ("month", "day"),
    ("week", "dayOfWeek"),
    ("quarter", "dayOfQuarter"),
    ("ordinalDay",),
)
_FORMS = {"a calendar date": _CALENDAR, "a week date": _WEEK, "a quarter date": _QUARTER, "an ordinal date": _ORDINAL}
DATE = ("year", *_CALENDAR, *_WEEK, *_QUARTER, *_ORDINAL)
SUBSECOND = ("millisecond", "microsecond", "nanosecond")
TIME = ("hour", "minute", "second", *SUBSECOND)
EPOCH = ("epochSeconds", "epochMillis")
BASES = ("date", "time", "datetime")
_NAMES = {name.lower(): name for name in (*DATE, *TIME, *EPOCH, *BASES, "timezone")} | {"weekday": "dayOfWeek"}

Fields = dict[str, Any]


def canonical(arguments: Mapping[str, Any], kind: str, allowed: tuple[str, ...]) -> Fields:
    """The components by their own names.  Faults: unknown (G648), not of this kind, of a wrong type (G649)."""
    fields: Fields = {}
    for key, value in arguments.items():
        name = _NAMES.get(key.lower())
        if name is None:
            raise fault("G648", f"{key!r} is not a component of a {kind}")
        if name not in allowed:
            raise fault("G648", f"a {kind} has no {name}")
        if name in fields:
            raise fault("G648", f"{name} is given twice")
        fields[name] = _least(name) if value is None else value
    if not fields:
        raise fault("G648", f"a {kind} needs at least one component")
    for name in fields:
        if name not in BASES and name != "timezone":
            _integer(fields, name)
    return fields


def _least(name: str) -> int:
    """What a null stands for."""
    if name in BASES or name in EPOCH or name == "timezone":
        raise fault("G649", f"{name} must not be null")
    return 0 if name == "year" or name in TIME else 1


def _integer(fields: Fields, name: str, default: int = 0) -> int:
    value = fields.get(name, default)
    if isinstance(value, bool) or not isinstance(value, int):
        raise fault("G649", f"{name} must be an integer, but is {type_name(value)}")
    return value


def day_of(fields: Fields, base: int | None, *, complete: bool) -> int:
    """The day number of the components of a date over a base date.

    What comes before a component must be given or come from the base; with `complete` (a time follows) all of them.
    """
    names = _form(fields)
    if base is None:
        _check_order(fields, ("year", *names) if complete else ("year", *names[: _depth(fields, names)]))
    year = fields.get("year")
    if names is _WEEK:
        return _week_date(fields, base, year)
    base_year, base_month, base_day = civil.date_parts(base) if base is not None else (0, 1, 1)
    year = base_year if year is None else year
    if names is _ORDINAL:
        return civil.ordinal_day_number(year, fields["ordinalDay"])
    if names is _QUARTER:
        return _quarter_date(fields, base, year)
    return civil.checked_day_number(year, fields.get("month", base_month), fields.get("day", base_day))


def _quarter_date(fields: Fields, base: int | None, year: int) -> int:
    """A quarter without a day moves the base by months, and a day of the month that is too late becomes the last."""
    if base is None or "dayOfQuarter" in fields:
        quarter = 1 if base is None else (civil.date_parts(base)[1] - 1) // 3 + 1
        return civil.quarter_day_number(year, fields.get("quarter", quarter), fields.get("dayOfQuarter", 1))
    quarter = civil.check_range("quarter", fields["quarter"], 1, 4)
    base_year, month, _ = civil.date_parts(base)
    return civil.plus_months(base, (year - base_year) * 12 + (quarter - 1 - (month - 1) // 3) * 3)


def _week_date(fields: Fields, base: int | None, year: int | None) -> int:
    base_year, base_week = civil.week_parts(base) if base is not None else (0, 1)
    day = 1 if base is None else civil.weekday(base)
    return civil.week_day_number(
        base_year if year is None else year, fields.get("week", base_week), fields.get("dayOfWeek", day)
    )


def _form(fields: Fields) -> tuple[str, ...]:
    """How the date is written: as a calendar date unless a component says otherwise."""
    forms = [(form, names) for form, names in _FORMS.items() if any(name in fields for name in names)]
    if len(forms) > 1:
        raise fault("G648", f"components of {forms[0][0]} and of {forms[1][0]} do not go together")
    return forms[0][1] if forms else _CALENDAR


def _depth(fields: Fields, names: tuple[str, ...]) -> int:
    """How many of the names are needed for the last one that is given."""
    return max((at + 1 for at, name in enumerate(names) if name in fields), default=0)


def _check_order(fields: Fields, needed: tuple[str, ...]) -> None:
    for name in needed:
        if name not in fields:
            raise fault("G648", f"{name} must be given")


def clock_of(fields: Fields, base: int | None) -> int:
    """Nanoseconds of the day of the components of a time over a base time."""
    if base is None:
        _check_order(fields, TIME[: min(_depth(fields, TIME), 3)])
    base = base or 0
    whole, nano = divmod(base, civil.NANOS)
    if any(name in fields for name in SUBSECOND):
        nano = _subsecond(fields)
    return clock_nanos(
        fields.get("hour", whole // 3600),
        fields.get("minute", whole // 60 % 60),
        fields.get("second", whole % 60),
        nano,
    )


def _subsecond(fields: Fields) -> int:
    """Nanoseconds of the second: a unit below one that is given counts what is left below that."""
    total, room = 0, civil.NANOS
    for name, size in zip(SUBSECOND, (1_000_000, 1_000, 1), strict=True):
        if name in fields:
            total += civil.check_range(name, fields[name], 0, room // size - 1) * size
            room = size
    return total


def date_base(fields: Fields, name: str) -> int | None:
    """The day number of the value under `date` or `datetime`, if there is one."""
    value = fields.get(name)
    if value is None:
        return None
    if not isinstance(value, Date | LocalDateTime | DateTime):
        raise fault("G649", f"{type_name(value)} has no date")
    return value.days


def time_base(fields: Fields, name: str) -> tuple[int | None, int | None, str | None]:
    """Nanoseconds of the day, offset and zone of the value under `time` or `datetime`, if there is one."""
    value = fields.get(name)
    if value is None:
        return None, None, None
    match value:
        case LocalTime() | LocalDateTime():
            return value.nanos, None, None
        case Time():
            return value.nanos, value.offset, None
        case DateTime():
            return value.nanos, value.offset, value.zone
        case _:
            raise fault("G649", f"{type_name(value)} has no time")


def has_any(fields: Fields, names: tuple[str, ...]) -> bool:
    return any(name in fields for name in names)
