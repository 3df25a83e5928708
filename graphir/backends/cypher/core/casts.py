"""CAST and SAFE_CAST in Cypher's terms, by the type of the value, and literals with a type before them.

Facts: GoogleSQL's conversion rules.  A text that is no number is an error there and null, or half of a number, in
Cypher, so texts are matched before they are converted.
"""

from __future__ import annotations

import re
from datetime import date, datetime, timedelta

from graphir import ir, types
from graphir.backends.cypher.core import kinds
from graphir.backends.cypher.core.terms import Terms, Typed
from graphir.ir import Apply, Expression, Literal
from graphir.types import (
    BOOLEAN,
    DATE,
    FLOAT,
    INTEGER,
    LIST,
    LOCAL_DATETIME,
    NUMBER,
    STRING,
    ZONED_DATETIME,
)

_ROWS: dict[tuple[str, int], str] = {
    ("INTEGER", INTEGER): "a",
    ("INTEGER", FLOAT): (
        "CASE WHEN abs(a) < 9223372036854774784.0 THEN toInteger(round(a, 0, 'HALF_UP')) "
        "WHEN a IS NOT NULL THEN 1 / 0 END"
    ),
    ("INTEGER", BOOLEAN): "CASE a WHEN true THEN 1 WHEN false THEN 0 END",
    ("INTEGER", STRING): (
        r"CASE WHEN a =~ '\\s*[+-]?(0[xX][0-9a-fA-F]+|[0-9]+)\\s*' THEN coalesce(toIntegerOrNull(trim(a)), 1 / 0) "
        "WHEN a IS NOT NULL THEN 1 / 0 END"
    ),
    ("FLOAT", INTEGER): "toFloat(a)",
    ("FLOAT", NUMBER): "toFloat(a)",
    ("FLOAT", FLOAT): "a",
    ("FLOAT", STRING): (
        r"CASE WHEN a =~ '\\s*[+-]?([0-9]+([.][0-9]*)?|[.][0-9]+)([eE][+-]?[0-9]+)?\\s*' THEN toFloat(a) "
        r"WHEN a =~ '\\s*[+-]?0[xX][0-9a-fA-F]{1,13}\\s*' THEN toFloat(toInteger(trim(a))) "
        r"WHEN a =~ '\\s*[+-]?0[xX].*' THEN 0 / 0 "
        "WHEN toLower(a) IN ['inf', '+inf', 'infinity', '+infinity'] THEN Infinity "
        "WHEN toLower(a) IN ['-inf', '-infinity'] THEN -Infinity WHEN toLower(a) = 'nan' THEN NaN "
        "WHEN a IS NOT NULL THEN 1 / 0 END"
    ),
    ("STRING", STRING): "a",
    ("STRING", INTEGER): "toString(a)",
    ("STRING", BOOLEAN): "toString(a)",
    ("STRING", DATE): "toString(a)",
    ("BOOLEAN", BOOLEAN): "a",
    ("BOOLEAN", INTEGER): "a <> 0",
    ("BOOLEAN", STRING): (
        "CASE WHEN toLower(a) = 'true' THEN true WHEN toLower(a) = 'false' THEN false "
        "WHEN a IS NOT NULL THEN 1 / 0 = 0 END"
    ),
    ("DATE", DATE): "a",
    ("DATE", LOCAL_DATETIME): "date(a)",
    ("DATE", STRING): (
        "CASE WHEN a =~ '[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}' THEN date(a) WHEN a IS NOT NULL THEN date(toString(1 / 0)) END"
    ),
    ("LOCAL DATETIME", LOCAL_DATETIME): "a",
    ("LOCAL DATETIME", DATE): "CASE WHEN a IS NOT NULL THEN localdatetime({date: a}) END",
    ("ZONED DATETIME", ZONED_DATETIME): "a",
}
"""(type, type of the value) -> the value as one of the type."""
_HALF_EVEN = {**_ROWS, ("INTEGER", FLOAT): _ROWS["INTEGER", FLOAT].replace("HALF_UP", "HALF_EVEN")}
"""The same, where halves go to the even neighbour."""

_KINDS = {"INTEGER": INTEGER, "FLOAT": FLOAT, "STRING": STRING, "BOOLEAN": BOOLEAN, "DATE": DATE}
_SAFE_ONLY = frozenset((("DATE", STRING),))
"""Casts of a text that may be a date by its digits and yet be none: SAFE_CAST cannot say so."""


def cast(terms: Terms, node: ir.Cast) -> Typed:
    """The value as one of the type.  Raises Unsupported where its own type is not known, or has no counterpart."""
    name = node.type.name
    kind = kinds.named(node.type)
    if node.keyword != "cast" and isinstance(node.value, Literal) and isinstance(node.value.value, str):
        return Typed(_typed_literal(terms, node, node.value.value), kind)
    if node.format is not None:
        raise terms.tools.report.refusal("function", node, "CAST with a FORMAT")
    if isinstance(node.value, Literal) and node.value.value is None:
        return Typed(Literal(None, span=node.span), kind)
    value = terms.value(node.value)
    if name == "LIST":
        return _list(terms, node, value, kind)
    if name not in ("ZONED DATETIME", "LOCAL DATETIME", "ANY") and name not in _KINDS:
        raise terms.tools.report.refusal("type", node, f"the type {name}")
    text = (_HALF_EVEN if node.half_even else _ROWS).get((name, value.type))
    if text is None or (node.safe and (name, value.type) in _SAFE_ONLY):
        known = bool(value.type) and not value.type & (value.type - 1)
        what = f"a cast of {types.describe(value.type)} to {name}"
        raise terms.tools.report.refusal("function" if known else "untyped", node, what)
    return Typed(_filled(terms, node, text, value.expression), kind)


def _filled(terms: Terms, node: ir.Cast, text: str, value: Expression) -> Expression:
    safe = "safe." if node.safe and "1 / 0" in text else ""
    return terms.filled(Apply(f"{safe}cast", span=node.span), ("a",), text, [value])


def _list(terms: Terms, node: ir.Cast, value: Typed, kind: int) -> Typed:
    """`ARRAY<INT64>[1, 2]`: the elements are of the type, or are made so."""
    element = types.element_of(kind)
    of_value = types.element_of(value.type & LIST)
    if isinstance(value.expression, ir.ListOf) and (not value.expression.items or kinds.is_only(of_value, element)):
        return Typed(value.expression, kind)
    if element == FLOAT and of_value == INTEGER and isinstance(value.expression, ir.ListOf):
        items = tuple([Apply("toFloat", (item,)) for item in value.expression.items])
        return Typed(ir.ListOf(items, span=node.span), kind)
    if kinds.is_only(value.type, kind):
        return Typed(value.expression, kind)
    raise terms.tools.report.refusal("untyped", node, "a cast of an array")


# ------------------------------------------------------------------ literals


_ZONED = re.compile(
    r"(\d{4}-\d{2}-\d{2})(?:[ T](\d{1,2}):(\d{2})(?::(\d{2})(?:\.(\d{1,6}))?)?)?"
    r"(?: ?(Z|z|UTC|[+-]\d{1,2}(?::?\d{2})?))?",
    re.ASCII,
)
_DATE = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})", re.ASCII)
_FARTHEST = timedelta(hours=14)
"""The offset of a zone that all databases read."""


def _typed_literal(terms: Terms, node: ir.Cast, text: str) -> Expression:
    """`DATE '2020-01-01'` and the like."""
    name = node.type.name
    report = terms.tools.report
    form = {"DATE": _DATE, "ZONED DATETIME": _ZONED, "LOCAL DATETIME": _ZONED}.get(name)
    reason = "type" if form is None else "function"
    parts = None if form is None else form.fullmatch(text)
    if parts is None:
        raise report.refusal(reason, node, f"the literal {name} '{text}'")
    if name != "DATE" and (parts[6] is None) != (name == "LOCAL DATETIME"):
        raise report.refusal("untyped", node, "an instant without a time zone")
    try:
        if name == "DATE":
            year, month, day = map(int, parts.groups())
            return Apply("date", (Literal(date(year, month, day).isoformat()),), span=node.span)
        at = _moment(*parts.groups())
    except (ValueError, OverflowError):
        raise report.refusal(reason, node, f"the literal {name} '{text}'") from None
    if name == "LOCAL DATETIME":
        return Apply("localdatetime", (Literal(at.isoformat()),), span=node.span)
    return Apply("datetime", (Literal(at.isoformat() + "Z"),), span=node.span)


def _moment(
    on: str, hour: str | None, minute: str | None, second: str | None, fraction: str | None, zone: str | None
) -> datetime:
    """The moment, in UTC where there is a zone.  ValueError or OverflowError where there is none."""
    since = timedelta(hours=int(hour or 0), minutes=int(minute or 0), seconds=int(second or 0))
    if int(minute or 0) > 59 or int(second or 0) > 60 or since > timedelta(days=1):
        raise ValueError(since)
    micros = timedelta(microseconds=int((fraction or "").ljust(6, "0")))
    return datetime.fromisoformat(on) + since + micros - _offset(zone or "Z")


def _offset(zone: str) -> timedelta:
    """ValueError where no place is so far from Greenwich."""
    if zone[0] not in "+-":
        return timedelta()
    digits = zone[1:].replace(":", "")
    hours, minutes = (digits, "0") if len(digits) < 3 else (digits[:-2], digits[-2:])
    length = timedelta(hours=int(hours), minutes=int(minutes))
    if int(minutes) > 59 or length > _FARTHEST:
        raise ValueError(zone)
    return -length if zone[0] == "-" else length
