"""The proleptic Gregorian calendar on plain integers: day numbers, months, ISO weeks.

Day 0 is 1970-01-01.  Years go from -999,999,999 to 999,999,999; the standard library does the work where it can
(years 1 to 9999), arithmetic on 400-year cycles elsewhere.  Knows no type of value.
"""

from __future__ import annotations

import datetime

from graphir.values.faults import fault

MIN_YEAR, MAX_YEAR = -999_999_999, 999_999_999
NANOS = 1_000_000_000
DAY_SECONDS = 86_400
DAY_NANOS = DAY_SECONDS * NANOS
CYCLE_DAYS = 146_097
"""Days in 400 years."""

_LENGTHS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
_ORDINAL_0 = datetime.date(1970, 1, 1).toordinal()
_FIRST_DAY = datetime.date.min.toordinal() - _ORDINAL_0
_LAST_DAY = datetime.date.max.toordinal() - _ORDINAL_0


def is_leap(year: int) -> bool:
    return year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)


def month_length(year: int, month: int) -> int:
    return 29 if month == 2 and is_leap(year) else _LENGTHS[month - 1]


def day_number(year: int, month: int, day: int) -> int:
    """The day number of a date whose parts are in range."""
    if 1 <= year <= 9999:
        return datetime.date(year, month, day).toordinal() - _ORDINAL_0
    cycles, rest = divmod(year - 1, 400)
    return datetime.date(rest + 1, month, day).toordinal() - _ORDINAL_0 + cycles * CYCLE_DAYS


def date_parts(days: int) -> tuple[int, int, int]:
    """Year, month and day of a day number."""
    cycles = 0
    if not _FIRST_DAY <= days <= _LAST_DAY:
        cycles, rest = divmod(days - _FIRST_DAY, CYCLE_DAYS)
        days = rest + _FIRST_DAY
    date = datetime.date.fromordinal(days + _ORDINAL_0)
    return date.year + 400 * cycles, date.month, date.day


MIN_DAY, MAX_DAY = day_number(MIN_YEAR, 1, 1), day_number(MAX_YEAR, 12, 31)


def check_day(days: int) -> int:
    """The day number itself; a fault when its year is out of range."""
    if not MIN_DAY <= days <= MAX_DAY:
        raise fault("G642", "the result is outside the years -999999999 to 999999999")
    return days


def check_range(name: str, value: int, low: int, high: int) -> int:
    """The value of a component; a fault when it is out of its range."""
    if not low <= value <= high:
        raise fault("G641", f"{name} must be between {low} and {high}, but is {value}")
    return value


def checked_day_number(year: int, month: int, day: int) -> int:
    """The day number of a date; a fault when there is no such day."""
    if 1 <= year <= 9999 and 1 <= month <= 12 and 1 <= day <= 28:
        return datetime.date(year, month, day).toordinal() - _ORDINAL_0
    check_range("year", year, MIN_YEAR, MAX_YEAR)
    check_range("month", month, 1, 12)
    check_range("day", day, 1, 31)
    if day > month_length(year, month):
        raise fault("G641", f"month {month} of the year {year} has no day {day}")
    return day_number(year, month, day)


def plus_months(days: int, months: int) -> int:
    """The same day of another month, or the last one it has."""
    year, month, day = date_parts(days)
    carry, index = divmod(month - 1 + months, 12)
    year += carry
    if not MIN_YEAR <= year <= MAX_YEAR:
        raise fault("G642", "the result is outside the years -999999999 to 999999999")
    return day_number(year, index + 1, min(day, month_length(year, index + 1)))


def weekday(days: int) -> int:
    """1 is Monday, 7 is Sunday."""
    return (days + 3) % 7 + 1


def week_year_start(year: int) -> int:
    """The Monday of the first ISO week of a week-year: the week that has the fourth of January."""
    fourth = day_number(year, 1, 4)
    return fourth - weekday(fourth) + 1


def week_parts(days: int) -> tuple[int, int]:
    """ISO week-year and week of a day number."""
    year = date_parts(days - weekday(days) + 4)[0]
    return year, (days - week_year_start(year)) // 7 + 1


def week_day_number(year: int, week: int, day: int) -> int:
    """The day number of an ISO week date; week 53 of a year with 52 weeks is the first of the next, as in Neo4j."""
    check_range("year", year, MIN_YEAR, MAX_YEAR)
    check_range("week", week, 1, 53)
    check_range("dayOfWeek", day, 1, 7)
    return check_day(week_year_start(year) + (week - 1) * 7 + day - 1)


def ordinal_day_number(year: int, day: int) -> int:
    """The day number of the n-th day of a year."""
    check_range("year", year, MIN_YEAR, MAX_YEAR)
    check_range("ordinalDay", day, 1, 366)
    if day == 366 and not is_leap(year):
        raise fault("G641", f"the year {year} has no day 366")
    return day_number(year, 1, 1) + day - 1


def quarter_day_number(year: int, quarter: int, day: int) -> int:
    """The day number of the n-th day of a quarter; days beyond its end run on, as in Neo4j."""
    check_range("year", year, MIN_YEAR, MAX_YEAR)
    check_range("quarter", quarter, 1, 4)
    check_range("dayOfQuarter", day, 1, 92)
    return check_day(day_number(year, quarter * 3 - 2, 1) + day - 1)


def year_text(year: int) -> str:
    """Four digits at least; beyond 9999 with a sign, as ISO 8601 demands."""
    if year > 9999:
        return f"+{year}"
    return f"{year:04d}" if year >= 0 else f"-{-year:04d}"


def date_text(days: int) -> str:
    year, month, day = date_parts(days)
    return f"{year_text(year)}-{month:02d}-{day:02d}"


def clock_text(nanos: int, *, seconds: bool = False) -> str:
    """A time of day without zeros at its end: 12:00, 12:00:01, 12:00:00.5; with `seconds` at least 12:00:00."""
    whole, nano = divmod(nanos, NANOS)
    minutes, second = divmod(whole, 60)
    text = f"{minutes // 60:02d}:{minutes % 60:02d}"
    if nano:
        return f"{text}:{second:02d}." + f"{nano:09d}".rstrip("0")
    return f"{text}:{second:02d}" if second or seconds else text
