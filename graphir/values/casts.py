"""Conversions between strings, numbers and booleans: toString, toInteger, toFloat, toBoolean and their kin.

A string that is no number gives null; a value of a type that cannot be converted is a fault, or null in the functions
that end in OrNull and, item by item, List.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from typing import Any
from uuid import UUID

from graphir.diagnostics import RunFault
from graphir.values.dates import Date
from graphir.values.datetimes import DateTime, LocalDateTime
from graphir.values.durations import Duration
from graphir.values.faults import mismatch, out_of_range
from graphir.values.numbers import MAX_INTEGER, MIN_INTEGER, float_text, integer_of_float
from graphir.values.points import Point
from graphir.values.times import LocalTime, Time
from graphir.values.vectors import Vector

# ------------------------------------------------------------------ to a string

_TEXTS: dict[type, Callable[[Any], str]] = {
    str: lambda value: value,
    bool: lambda value: "true" if value else "false",
    int: str,
    float: float_text,
    Date: str,
    LocalTime: LocalTime.long_text,
    Time: Time.long_text,
    LocalDateTime: LocalDateTime.long_text,
    DateTime: DateTime.long_text,
    Duration: str,
    Point: str,
    UUID: str,
    Vector: str,
}


def is_textual(value: Any) -> bool:
    """Whether a value has a text."""
    return type(value) in _TEXTS


def string_of(value: Any) -> str:
    """The text of a textual value, as toString() gives it."""
    return _TEXTS[type(value)](value)


def to_string(value: Any) -> str | None:
    if value is None:
        return None
    if not is_textual(value) or type(value) is Vector:
        raise mismatch("toString()", value, "a string, number, boolean, point or temporal value")
    return string_of(value)


# ------------------------------------------------------------------ to a number

_DECIMAL = re.compile(r"[+-]?\s*\d[\d_]*")
_HEXADECIMAL = re.compile(r"([+-]?)\s*0x([0-9a-fA-F][0-9a-fA-F_]*)")
_OCTAL = re.compile(r"([+-]?)\s*0o?([0-7][0-7_]*)")
_FLOAT = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_BINARY_FLOAT = re.compile(r"([+-]?)0[xX](?:[0-9a-fA-F]+\.?[0-9a-fA-F]*|\.[0-9a-fA-F]+)[pP][+-]?\d+", re.ASCII)
_BLANKS = "".join(c for c in map(chr, range(0x3001)) if c.isspace() or c <= " ")
"""What may stand around a number."""
_WORDS = {"NaN": math.nan, "Infinity": math.inf}
_SUFFIX = ("f", "F", "d", "D")


def whole(text: str) -> int | None:
    """The integer that a text spells: decimal, 0x1F, 0o17, with `_` between digits."""
    if _DECIMAL.fullmatch(text):
        return int("".join(text.split()).replace("_", ""))
    for pattern, base in ((_HEXADECIMAL, 16), (_OCTAL, 8)):
        found = pattern.fullmatch(text)
        if found:
            return int(found[1] + found[2].replace("_", ""), base)
    return None


def fraction(text: str) -> float | None:
    """The float that a text spells, as Java reads it."""
    word = _WORDS.get(text.lstrip("+-")) if len(text) - len(text.lstrip("+-")) < 2 else None
    if word is not None:
        return -word if text[0] == "-" else word
    body = text[:-1] if text.endswith(_SUFFIX) and not text.startswith(("0x", "-0x", "+0x")) else text
    if _FLOAT.fullmatch(body):
        return float(body)
    return float.fromhex(text) if _BINARY_FLOAT.fullmatch(text) else None


def _integer_of_text(text: str) -> int | None:
    text = text.strip(_BLANKS)
    found: float | None = whole(text)
    if found is None and any(mark in text for mark in ".eE") and "x" not in text:
        found = fraction(text)
    if found is None or found != found:  # noqa: PLR0124 NaN
        return None
    if not MIN_INTEGER <= found <= MAX_INTEGER or found == 2.0**63:
        raise out_of_range("toInteger()", f"{text} does not fit 64 bits")
    return int(found)


_INTEGERS: dict[type, Callable[[Any], int | None]] = {
    int: lambda value: value,
    float: integer_of_float,
    bool: int,
    str: _integer_of_text,
}


def to_integer(value: Any) -> int | None:
    if value is None:
        return None
    convert = _INTEGERS.get(type(value))
    if convert is None:
        raise mismatch("toInteger()", value, "a string, a number or a boolean")
    return convert(value)


def _float_of_text(text: str) -> float | None:
    text = text.strip(_BLANKS)
    found = fraction(text)
    if found is None and text.isascii():
        number = whole(text)
        return None if number is None else float(number)
    return found


_FLOATS: dict[type, Callable[[Any], float | None]] = {
    int: float,
    float: lambda value: value,
    str: _float_of_text,
}


def to_float(value: Any) -> float | None:
    if value is None:
        return None
    convert = _FLOATS.get(type(value))
    if convert is None:
        raise mismatch("toFloat()", value, "a string or a number")
    return convert(value)


# ------------------------------------------------------------------ to a boolean

_BOOLEANS: dict[type, Callable[[Any], bool | None]] = {
    bool: lambda value: value,
    int: lambda value: value != 0,
    str: lambda value: {"true": True, "false": False}.get(value.strip().lower()),
}


def to_boolean(value: Any) -> bool | None:
    if value is None:
        return None
    convert = _BOOLEANS.get(type(value))
    if convert is None:
        raise mismatch("toBoolean()", value, "a boolean, a string or an integer")
    return convert(value)


# ------------------------------------------------------------------ the forms that do not fail


def _or_null(convert: Callable[[Any], Any]) -> Callable[[Any], Any]:
    def converted(value: Any) -> Any:
        try:
            return convert(value)
        except RunFault:
            return None

    return converted


def _each(where: str, convert: Callable[[Any], Any]) -> Callable[[Any], list[Any] | None]:
    item = _or_null(convert)

    def converted(value: Any) -> list[Any] | None:
        if value is None:
            return None
        if type(value) is Vector:
            value = list(value.coordinates)
        if type(value) is not list:
            raise mismatch(where, value, "a list")
        return [item(one) for one in value]

    return converted


FUNCTIONS: dict[str, Callable[..., Any]] = {
    name + suffix: made
    for name, convert in (
        ("toString", to_string),
        ("toInteger", to_integer),
        ("toFloat", to_float),
        ("toBoolean", to_boolean),
    )
    for suffix, made in (("", convert), ("OrNull", _or_null(convert)), ("List", _each(f"{name}List()", convert)))
}
