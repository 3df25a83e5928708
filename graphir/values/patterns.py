"""Patterns of letters for temporal values (`dd/MM/yyyy`): writing with `format()`, reading with `date(text, pattern)`.

The letters are those of Java's DateTimeFormatter in American English, as Neo4j has them.  Names of zones (z, v), parts
of the day (B) and padding (p) are refused, and so are patterns of durations.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from graphir.values import civil
from graphir.values.civil import NANOS
from graphir.values.dates import Date
from graphir.values.datetimes import DateTime, LocalDateTime
from graphir.values.durations import Duration
from graphir.values.faults import invalid, type_name, wrong_argument
from graphir.values.times import LocalTime, Time
from graphir.values.zones import offset_text

MONTHS = (
    *("January", "February", "March", "April", "May", "June"),
    *("July", "August", "September", "October", "November", "December"),
)
WEEKDAYS = ("Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday")
_QUARTERS = ("1st quarter", "2nd quarter", "3rd quarter", "4th quarter")
_ERAS = ("Before Christ", "Anno Domini")
_DATE_LETTERS, _TIME_LETTERS, _OFFSET_LETTERS = "cdegquwyDEFGLMQWY", "ahkmnsAHKNS", "OXZx"
LETTERS: dict[type[Any], str] = {
    Date: _DATE_LETTERS,
    LocalTime: _TIME_LETTERS,
    Time: _TIME_LETTERS + _OFFSET_LETTERS,
    LocalDateTime: _DATE_LETTERS + _TIME_LETTERS,
    DateTime: _DATE_LETTERS + _TIME_LETTERS + _OFFSET_LETTERS + "V",
}
"""Type -> the letters that a pattern for it may have."""
_ALL = LETTERS[DateTime]
_COUNTS: dict[str, int] = {
    **dict.fromkeys("dhkmsHKw", 2),
    **dict.fromkeys("ceqGLMQEXxZ", 5),
    **dict.fromkeys("aFW", 1),
    **dict.fromkeys("uyYngAN", 19),
    **{"D": 3, "S": 9, "V": 2, "O": 4},
}
"""Letter -> how often it may stand."""


@dataclass(frozen=True, slots=True)
class Field:
    """A run of one letter."""

    letter: str
    count: int


Part = Field | str
"""A field, a literal text, or one of the brackets of an optional part (`_OPEN`, `_CLOSE`)."""
_OPEN, _CLOSE = "\0[", "\0]"


@lru_cache(maxsize=256)
def parts_of(pattern: str) -> tuple[Part, ...]:
    """The parts of a pattern.  A fault (G633) for a character or a count that is not understood."""
    parts: list[Part] = []
    depth, at = 0, 0
    while at < len(pattern):
        char = pattern[at]
        start = at
        at += 1
        if char == "'":
            text, at = _quoted(pattern, at)
            parts.append(text)
        elif char.isascii() and char.isalpha():
            while at < len(pattern) and pattern[at] == char:
                at += 1
            parts.append(_field(char, at - start))
        elif char in "[]":
            depth += 1 if char == "[" else -1
            parts.append(_OPEN if char == "[" else _CLOSE)
        elif char in "{}#":
            raise invalid("pattern", f"{char!r} has no meaning in a pattern; quote it")
        else:
            parts.append(char)
        if depth < 0:
            raise invalid("pattern", "`]` without `[`")
    return (*parts, *[_CLOSE] * depth)


def _quoted(pattern: str, at: int) -> tuple[str, int]:
    """The text of quotes that were opened, and where it ends; two quotes are one."""
    text = ""
    if pattern[at : at + 1] == "'":
        return "'", at + 1
    while True:
        end = pattern.find("'", at)
        if end < 0:
            raise invalid("pattern", "a quote is not closed")
        text += pattern[at:end]
        if pattern[end + 1 : end + 2] != "'":
            return text, end + 1
        text += "'"
        at = end + 2


def _field(letter: str, count: int) -> Field:
    if letter not in _ALL:
        raise invalid("pattern", f"the letter {letter!r} is not supported")
    if count > _COUNTS[letter] or (letter == "V" and count == 1) or (letter == "O" and count in (2, 3)):
        raise invalid("pattern", f"{letter * count!r} is not a field: the letter stands too often or not often enough")
    if letter == "c" and count == 2:
        raise invalid("pattern", "'cc' is not a field")
    return Field(letter, count)


# ------------------------------------------------------------------ writing


def format_value(value: Any, pattern: Any = None) -> str:
    """`format()`: the text by a pattern, or the whole text (as toString) without one."""
    if not isinstance(value, Date | LocalTime | Time | LocalDateTime | DateTime | Duration):
        raise wrong_argument("format()", "a temporal value", value)
    if pattern is None:
        return str(value) if isinstance(value, Date) else value.long_text()
    if not isinstance(pattern, str):
        raise wrong_argument("format()", "a pattern", pattern)
    if isinstance(value, Duration):
        raise invalid("format()", "patterns for durations are not supported")
    return "".join(_written(value, parts_of(pattern)))


def _written(value: Any, parts: tuple[Part, ...]) -> Iterator[str]:
    for part in parts:
        if isinstance(part, Field):
            if part.letter not in LETTERS[type(value)]:
                raise invalid("format()", f"{type_name(value)} has nothing for the letter {part.letter!r}")
            yield _WRITERS[part.letter](value, part.count)
        elif part not in (_OPEN, _CLOSE):
            yield part


def _year(year: int, count: int) -> str:
    if count == 2:
        return f"{abs(year) % 100:02d}"
    text = f"{abs(year):0{count}d}"
    sign = "-" if year < 0 else "+" if count >= 4 and len(text) > count else ""
    return sign + text


def _era_year(days: int) -> int:
    year = civil.date_parts(days)[0]
    return year if year > 0 else 1 - year


def _named(names: tuple[str, ...], index: int, count: int) -> str:
    """A name: short, long, or its first letter."""
    return names[index] if count == 4 else names[index][:1] if count == 5 else names[index][:3]


def _month(value: Any, count: int) -> str:
    month = civil.date_parts(value.days)[1]
    return f"{month:0{count}d}" if count < 3 else _named(MONTHS, month - 1, count)


def _quarter(value: Any, count: int) -> str:
    quarter = (civil.date_parts(value.days)[1] - 1) // 3 + 1
    if count < 3:
        return f"{quarter:0{count}d}"
    return f"Q{quarter}" if count == 3 else _QUARTERS[quarter - 1] if count == 4 else str(quarter)


def _weekday(value: Any, count: int) -> str:
    """The day of a week that begins on Sunday."""
    day = civil.weekday(value.days) % 7
    return f"{day + 1:0{count}d}" if count < 3 else _named(WEEKDAYS, day, count)


def _week(days: int) -> tuple[int, int]:
    """Year and number of a week that begins on Sunday; the first is the one with the first of January."""
    saturday = days + 6 - civil.weekday(days) % 7
    year = civil.date_parts(saturday)[0]
    return year, (saturday - civil.day_number(year, 1, 1)) // 7 + 1


def _week_of_month(days: int) -> int:
    day = civil.date_parts(days)[2]
    return (day + civil.weekday(days - day + 1) % 7 - 1) // 7 + 1


def _offset(offset: int, count: int, zero: str) -> str:
    if offset == 0 and zero:
        return zero
    minutes, seconds = divmod(abs(offset), 60)
    colon = ":" if count in (3, 5) else ""
    text = f"{'-' if offset < 0 else '+'}{minutes // 60:02d}"
    if count > 1 or minutes % 60:
        text += f"{colon}{minutes % 60:02d}"
    return f"{text}{colon}{seconds:02d}" if count > 3 and seconds else text


def _localized_offset(offset: int, count: int) -> str:
    if offset == 0:
        return "GMT"
    if count == 4:
        return "GMT" + _offset(offset, 5, "")
    minutes, seconds = divmod(abs(offset), 60)
    text = f"GMT{'-' if offset < 0 else '+'}{minutes // 60}"
    if minutes % 60 or seconds:
        text += f":{minutes % 60:02d}"
    return f"{text}:{seconds:02d}" if seconds else text


def _plain_offset(offset: int, count: int) -> str:
    if count == 4:
        return _localized_offset(offset, 4)
    return _offset(offset, 5, "Z") if count == 5 else _offset(offset, 2, "")


def _hour(value: Any) -> int:
    return int(value.nanos // (3600 * NANOS))


_WRITERS: dict[str, Callable[[Any, int], str]] = {
    "G": lambda v, n: _named(_ERAS, civil.date_parts(v.days)[0] > 0, n) if n > 3 else _short_era(v.days),
    "u": lambda v, n: _year(civil.date_parts(v.days)[0], n),
    "y": lambda v, n: _year(_era_year(v.days), n),
    "Y": lambda v, n: _year(_week(v.days)[0], n),
    "D": lambda v, n: f"{v.days - civil.day_number(civil.date_parts(v.days)[0], 1, 1) + 1:0{n}d}",
    "M": _month,
    "L": _month,
    "d": lambda v, n: f"{civil.date_parts(v.days)[2]:0{n}d}",
    "g": lambda v, n: f"{v.days + 40_587:0{n}d}",
    "Q": _quarter,
    "q": _quarter,
    "w": lambda v, n: f"{_week(v.days)[1]:0{n}d}",
    "W": lambda v, _: str(_week_of_month(v.days)),
    "F": lambda v, _: str((civil.date_parts(v.days)[2] - 1) // 7 + 1),
    "E": lambda v, n: _weekday(v, max(n, 3)),
    "e": _weekday,
    "c": _weekday,
    "a": lambda v, _: "AM" if _hour(v) < 12 else "PM",
    "H": lambda v, n: f"{_hour(v):0{n}d}",
    "k": lambda v, n: f"{_hour(v) or 24:0{n}d}",
    "K": lambda v, n: f"{_hour(v) % 12:0{n}d}",
    "h": lambda v, n: f"{_hour(v) % 12 or 12:0{n}d}",
    "m": lambda v, n: f"{v.nanos // (60 * NANOS) % 60:0{n}d}",
    "s": lambda v, n: f"{v.nanos // NANOS % 60:0{n}d}",
    "S": lambda v, n: f"{v.nanos % NANOS:09d}"[:n],
    "n": lambda v, n: f"{v.nanos % NANOS:0{n}d}",
    "A": lambda v, n: f"{v.nanos // 1_000_000:0{n}d}",
    "N": lambda v, n: f"{v.nanos:0{n}d}",
    "V": lambda v, _: v.zone_text,
    "O": lambda v, n: _localized_offset(v.offset, n),
    "X": lambda v, n: _offset(v.offset, n, "Z"),
    "x": lambda v, n: _offset(v.offset, n, ""),
    "Z": lambda v, n: _plain_offset(v.offset, n),
}


def _short_era(days: int) -> str:
    return "AD" if civil.date_parts(days)[0] > 0 else "BC"


# ------------------------------------------------------------------ reading


def _names(names: tuple[str, ...], count: int) -> str:
    return "|".join(names if count == 4 else dict.fromkeys(name[:3] for name in names))


def _expression(field: Field) -> str:
    """The regular expression of a field; a fault (G633) for one that is only written."""
    letter, count = field.letter, field.count
    if letter in "ML" and count in (3, 4):
        return _names(MONTHS, count)
    if letter == "E" and count < 5:
        return _names(WEEKDAYS, max(count, 3))
    if letter in "uy":
        return _year_expression(count)
    if letter in "MLdHhKkms" and count < 3:
        return r"\d{1,2}" if count == 1 else r"\d{2}"
    match letter:
        case "D":
            return rf"\d{{{count},3}}"
        case "G" if count < 4:
            return "AD|BC"
        case "a":
            return "AM|PM"
        case "S":
            return rf"\d{{{count}}}"
        case "n":
            return r"\d{1,9}"
        case "V":
            return r"Z|[+-]\d\d:\d\d(?::\d\d)?|[A-Za-z][A-Za-z0-9~/._+-]+"
        case "X" | "x" | "Z" if count != 4:
            return _offset_expression(letter, count)
        case _:
            raise invalid("pattern", f"{letter * count!r} can be written, but is not supported for reading")


def _year_expression(count: int) -> str:
    """Two digits; as many as the letters, and more only after a sign; any number for one letter."""
    if count == 2:
        return r"\d{2}"
    if count < 4:
        return rf"-?\d{{{count},9}}"
    most = max(count, 9)
    return rf"\d{{{count}}}|\+\d{{{min(count + 1, most)},{most}}}|-\d{{{count},{most}}}"


def _offset_expression(letter: str, count: int) -> str:
    colon = ":" if count in (3, 5) else ""
    minutes = rf"{colon}\d\d"
    text = rf"[+-]\d\d(?:{minutes})?" if letter != "Z" and count == 1 else rf"[+-]\d\d{minutes}"
    text += rf"(?:{colon}\d\d)?" if count > 3 else ""
    return text if letter == "x" or (letter == "Z" and count < 5) else f"{text}|Z"


@lru_cache(maxsize=256)
def _reader(pattern: str) -> tuple[re.Pattern[str], tuple[str, ...]]:
    """The expression of a pattern, and the letter of each of its groups."""
    text, letters = "", []
    for part in parts_of(pattern):
        if isinstance(part, Field):
            text += f"({_expression(part)})"
            letters.append("yy" if part.letter in "uy" and part.count == 2 else part.letter)
        else:
            text += "(?:" if part == _OPEN else ")?" if part == _CLOSE else re.escape(part)
    return re.compile(text + r"\Z", re.ASCII), tuple(letters)


@dataclass(frozen=True, slots=True)
class Reading:
    """What a text says: a day number, the nanoseconds of the day, an offset, a zone; None for what it does not say."""

    days: int | None
    nanos: int | None
    zone: str | None


def read(text: str, pattern: str) -> Reading:
    """What a text says by a pattern.  A fault (G633) when it does not follow it."""
    expression, letters = _reader(pattern)
    match = expression.match(text)
    if not match:
        raise invalid("pattern", f"{text!r} does not follow {pattern!r}")
    fields: dict[str, str] = {}
    for letter, group in zip(letters, match.groups(), strict=True):
        if group is not None and fields.setdefault(_SAME.get(letter, letter), group) != group:
            raise invalid("pattern", f"{text!r} says {letter!r} twice, and not the same")
    days, carry = _read_date(fields), 0
    nanos = _read_clock(fields)
    if nanos == civil.DAY_NANOS:
        nanos, carry = 0, 1
    return Reading(None if days is None else days + carry, nanos, _read_zone(fields))


_SAME = {"L": "M", "x": "X", "Z": "X"}


def _read_date(fields: dict[str, str]) -> int | None:
    """Year, month and day, or year and day of the year; a day that the month does not have becomes its last."""
    year = _read_year(fields)
    if year is None:
        return None
    if "D" in fields:
        return _checked(civil.ordinal_day_number(year, int(fields["D"])), fields)
    if "M" not in fields or "d" not in fields:
        return None
    name = fields["M"]
    month = int(name) if name.isdigit() else [m[:3] for m in MONTHS].index(name[:3]) + 1
    civil.check_range("year", year, civil.MIN_YEAR, civil.MAX_YEAR)
    civil.check_range("month", month, 1, 12)
    day = civil.check_range("day", int(fields["d"]), 1, 31)
    return _checked(civil.day_number(year, month, min(day, civil.month_length(year, month))), fields)


def _read_year(fields: dict[str, str]) -> int | None:
    if "yy" in fields:
        return 2000 + int(fields["yy"])
    if "u" in fields:
        return int(fields["u"])
    if "y" not in fields:
        return None
    year = int(fields["y"])
    return 1 - year if fields.get("G") == "BC" else year


def _checked(days: int, fields: dict[str, str]) -> int:
    """The day itself, if the name of the week's day fits."""
    if "E" in fields and not WEEKDAYS[civil.weekday(days) % 7].startswith(fields["E"]):
        raise invalid("pattern", f"{civil.date_text(days)} is not a {fields['E']}")
    return days


def _read_clock(fields: dict[str, str]) -> int | None:
    """Hour, and what follows it without a gap; 24:00 is the end of the day."""
    hour = _read_hour(fields)
    if hour is None:
        return None
    minute, second = (int(fields.get(letter, "0")) for letter in "ms")
    civil.check_range("minute", minute, 0, 59)
    civil.check_range("second", second, 0, 59)
    nano = int(fields["S"].ljust(9, "0")) if "S" in fields else int(fields.get("n", "0"))
    nanos = ((hour * 60 + minute) * 60 + second) * NANOS + nano
    if nanos > civil.DAY_NANOS:
        civil.check_range("hour", hour, 0, 23)
    return nanos


def _read_hour(fields: dict[str, str]) -> int | None:
    if "H" in fields:
        return civil.check_range("hour", int(fields["H"]), 0, 24)
    if "k" in fields:
        return civil.check_range("hour", int(fields["k"]), 1, 24) % 24
    if "a" not in fields or ("h" not in fields and "K" not in fields):
        return None
    hour = civil.check_range("hour", int(fields["h"]), 1, 12) % 12 if "h" in fields else int(fields["K"])
    return civil.check_range("hour", hour, 0, 11) + (12 if fields["a"] == "PM" else 0)


def _read_zone(fields: dict[str, str]) -> str | None:
    """The zone, or the offset with a colon."""
    if "V" in fields:
        return fields["V"]
    offset = fields.get("X")
    if offset is None or offset == "Z":
        return offset
    digits = offset[1:].replace(":", "").ljust(4, "0")
    hours, minutes, seconds = (int(digits[at : at + 2] or 0) for at in (0, 2, 4))
    seconds += (hours * 60 + minutes) * 60
    return offset_text(-seconds if offset[0] == "-" else seconds)
