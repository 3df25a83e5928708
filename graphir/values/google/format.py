"""FORMAT of GoogleSQL: printf with `%t` and `%T`, which write any value."""

from __future__ import annotations

import json
import math
import re
from typing import Any

from graphir.values.dates import Date
from graphir.values.datetimes import DateTime, LocalDateTime
from graphir.values.documents import Json
from graphir.values.faults import invalid
from graphir.values.google.arguments import Function, integer, number, text
from graphir.values.google.casts import timestamp_text, to_text
from graphir.values.google.texts import float_text

_SPECIFIER = re.compile(r"%(?P<flags>[-+ #0']*)(?P<width>\*|\d+)?(?:\.(?P<precision>\*|\d+)?)?(?P<kind>[a-zA-Z%]|\Z)")


def format_text(pattern: Any, *values: Any) -> str | None:
    """The text with the values in it; null if a value is null that `%t` and `%T` do not write."""
    where = "FORMAT()"
    if pattern is None:
        return None
    given = list(values)
    out: list[str] = []
    at = 0
    for found in _SPECIFIER.finditer(text(where, pattern)):
        out.append(pattern[at : found.start()])
        at = found.end()
        if found["kind"] == "%":
            out.append("%")
            continue
        width = _size(found["width"], given)
        has_point = "." in found[0]
        precision = _size(found["precision"], given) if has_point else None
        if not given:
            raise invalid(where, "there are fewer values than specifiers")
        value = given.pop(0)
        if value is None and found["kind"] not in "tT":
            return None
        made = _written(found["kind"], found["flags"], precision if not has_point else precision or 0, value)
        out.append(_padded(made, found["flags"], width))
    if given:
        raise invalid(where, "there are more values than specifiers")
    return "".join([*out, pattern[at:]])


def _size(given: str | None, values: list[Any]) -> int | None:
    if given == "*":
        if not values:
            raise invalid("FORMAT()", "there are fewer values than specifiers")
        return integer("FORMAT()", values.pop(0))
    return None if given is None else int(given)


def _padded(made: str, flags: str, width: int | None) -> str:
    if width is None or abs(width) <= len(made):
        return made
    if "-" in flags or width < 0:
        return made.ljust(abs(width))
    if "0" in flags and re.match(r"[-+ ]?\d", made):
        sign = made[0] if made[0] in "-+ " else ""
        return sign + made[len(sign) :].rjust(width - len(sign), "0")
    return made.rjust(width)


def _written(kind: str, flags: str, precision: int | None, value: Any) -> str:
    where = "FORMAT()"
    sign = "+" if "+" in flags else " " if " " in flags else ""
    if kind in "dioxX":
        whole = integer(where, value)
        shown = {"d": "d", "i": "d", "o": "o", "x": "x", "X": "X"}[kind]
        made = format(abs(whole), ("," if "'" in flags and shown == "d" else "") + shown)
        if precision is not None:
            made = made.rjust(precision, "0")
        prefix = {"x": "0x", "X": "0X", "o": "0"}.get(kind, "") if "#" in flags and whole else ""
        return ("-" if whole < 0 else sign) + prefix + made
    if kind in "fFeEgG":
        real = float(number(where, value))
        if not math.isfinite(real):
            shown = float_text(abs(real))
            made = shown.upper() if kind.isupper() else shown
        else:
            digits = 6 if precision is None else precision
            made = format(abs(real), f"{',' if chr(39) in flags and kind in 'fF' else ''}.{digits}{kind}")
        return ("-" if math.copysign(1, real) < 0 and not math.isnan(real) else sign) + made
    if kind == "s":
        made = text(where, value)
    elif kind in "tT":
        made = readable(value) if kind == "t" else literal(value)
    else:
        raise invalid(where, f"the specifier %{kind} is not supported")
    return made if precision is None else made[:precision]


def readable(value: Any) -> str:
    """`%t`: as CAST has it, but that floats show that they are."""
    match value:
        case None:
            return "NULL"
        case float():
            return _float(value)
        case list():
            return f"[{', '.join(map(readable, value))}]"
        case dict():
            return f"({', '.join(map(readable, value.values()))})"
    if isinstance(value, DateTime):
        return timestamp_text(value, "UTC")
    made: str = to_text(value)
    return made


def literal(value: Any) -> str:
    """`%T`: as a literal of the language."""
    match value:
        case str():
            quote = "'" if '"' in value and "'" not in value else '"'
            inner = json.dumps(value, ensure_ascii=False)[1:-1]
            return quote + (inner.replace('\\"', '"') if quote == "'" else inner) + quote
        case float():
            return _float(value) if math.isfinite(value) else f'CAST("{float_text(value)}" AS FLOAT64)'
        case list():
            return f"[{', '.join(map(literal, value))}]"
        case dict():
            return f"({', '.join(map(literal, value.values()))})"
        case Json():
            return f"JSON {literal(str(value))}"
        case Date() | DateTime() | LocalDateTime():
            word = "DATE" if isinstance(value, Date) else "TIMESTAMP" if isinstance(value, DateTime) else "DATETIME"
            return f'{word} "{readable(value)}"'
    return readable(value)


def _float(value: float) -> str:
    made = float_text(value)
    return made if any(each in made for each in ".en") else made + ".0"


FUNCTIONS: dict[str, Function] = {"format_text": format_text}
