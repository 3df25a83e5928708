"""Functions of strings, which are sequences of code points.

What is given must be a string; null in any place makes the result null.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import Any

from graphir.values.faults import invalid, mismatch, out_of_range
from graphir.values.numbers import integer_of_float, require_integer, require_number

LENGTH_LIMIT = (1 << 31) - 1
"""The largest start or length that Neo4j takes."""

FORMS = ("NFC", "NFD", "NFKC", "NFKD")


def require_string(where: str, value: Any) -> str:
    if type(value) is not str:
        raise mismatch(where, value, "a string")
    return value


def _length(where: str, what: str, value: Any) -> int:
    """A float is cut, and NaN is 0, as in Neo4j."""
    number = require_number(where, value)
    if type(number) is float:
        number = integer_of_float(number)
    if not 0 <= number <= LENGTH_LIMIT:
        raise out_of_range(where, f"the {what} is {number}")
    return int(number)


# ------------------------------------------------------------------ parts


def left(text: Any, length: Any) -> str | None:
    """The first characters; all where there are fewer."""
    if text is None or length is None:
        return None
    return require_string("left()", text)[: _length("left()", "length", length)]


def right(text: Any, length: Any) -> str | None:
    if text is None or length is None:
        return None
    whole = require_string("right()", text)
    count = _length("right()", "length", length)
    return whole[-count:] if count else ""


def substring(text: Any, start: Any, *length: Any) -> str | None:
    """From a start that counts from 0, to the end or for a length."""
    if text is None or start is None or length[:1] == (None,):
        return None
    whole = require_string("substring()", text)
    begin = _length("substring()", "start", start)
    return whole[begin:] if not length else whole[begin : begin + _length("substring()", "length", length[0])]


def split(text: Any, delimiters: Any) -> list[str] | None:
    """The parts between delimiters; an empty delimiter separates characters.  Several delimiters: any of them."""
    if text is None or delimiters is None:
        return None
    whole = require_string("split()", text)
    if type(delimiters) is str:
        return _split(whole, [delimiters])
    if type(delimiters) is not list:
        raise mismatch("split()", delimiters, "a string or a list of strings")
    known = [require_string("split()", delimiter) for delimiter in delimiters if delimiter is not None]
    return _split(whole, known) if len(known) == len(delimiters) or not whole else None


def _split(text: str, delimiters: list[str]) -> list[str]:
    """At each place the first delimiter that fits counts; one that is empty fits only after a character."""
    if not text or not delimiters:
        return [text]
    if len(delimiters) == 1 and delimiters[0]:
        return text.split(delimiters[0])
    parts, start, at = [], 0, 0
    spaced = "" in delimiters
    while at < len(text):
        found = next((d for d in delimiters if d and text.startswith(d, at)), None)
        if found is not None:
            parts.append(text[start:at])
            start = at = at + len(found)
        elif spaced and at > start:
            parts.append(text[start:at])
            start = at
        else:
            at += 1
    parts.append(text[start:])
    return parts


# ------------------------------------------------------------------ changes


def _mapped(name: str, change: Callable[[str], str]) -> Callable[[Any], str | None]:
    def function(text: Any) -> str | None:
        return None if text is None else change(require_string(f"{name}()", text))

    return function


def replace(text: Any, old: Any, new: Any, *limit: Any) -> str | None:
    """Every occurrence, from the left, or as many as the limit says; the empty string occurs between characters."""
    if text is None or old is None or new is None or limit[:1] == (None,):
        return None
    whole, what, by = (require_string("replace()", value) for value in (text, old, new))
    if not limit:
        return whole.replace(what, by)
    return whole.replace(what, by, _length("replace()", "limit", require_integer("replace()", limit[0])))


SPACE = frozenset(c for c in map(chr, range(0x3001)) if c.isspace() and c not in "\x85\xa0\u2007\u202f")
"""White space that trim() takes away."""


def _trimmed(name: str, *, before: bool, after: bool) -> Callable[..., str | None]:
    def function(text: Any, *characters: Any) -> str | None:
        if text is None or characters[:1] == (None,):
            return None
        whole = require_string(f"{name}()", text)
        unwanted = set(require_string(f"{name}()", characters[0])) if characters else SPACE
        start, end = 0, len(whole)
        while before and start < end and whole[start] in unwanted:
            start += 1
        while after and end > start and whole[end - 1] in unwanted:
            end -= 1
        return whole[start:end]

    return function


def normalize(text: Any, form: Any = "NFC") -> str | None:
    """The Unicode normal form, NFC unless another is named."""
    if text is None or form is None:
        return None
    return unicodedata.normalize(_form(form), require_string("normalize()", text))  # type: ignore[arg-type]


def is_normalized(text: Any, form: str = "NFC") -> bool | None:
    """`IS NORMALIZED`; null for what is no string."""
    return unicodedata.is_normalized(_form(form), text) if type(text) is str else None  # type: ignore[arg-type]


def _form(form: Any) -> str:
    if form not in FORMS:
        raise invalid("normalize()", f"there is no normal form {form!r}")
    return str(form)


# ------------------------------------------------------------------ tests


def _tested(test: Callable[[str, str], bool]) -> Callable[[Any, Any], bool | None]:
    """Null unless both are strings."""

    def function(text: Any, part: Any) -> bool | None:
        return test(text, part) if type(text) is str and type(part) is str else None

    return function


def char_length(text: Any) -> int | None:
    return None if text is None else len(require_string("char_length()", text))


def index_of(text: Any, part: Any) -> int | None:
    """Where a string first occurs, from 0, or -1."""
    if text is None or part is None:
        return None
    return require_string("string.indexOf()", text).find(require_string("string.indexOf()", part))


def join(parts: Any, delimiter: Any) -> str | None:
    """Strings put together with a delimiter between them; null is left out."""
    if parts is None or delimiter is None:
        return None
    if type(parts) is not list:
        raise mismatch("string.join()", parts, "a list of strings")
    words = [require_string("string.join()", part) for part in parts if part is not None]
    return require_string("string.join()", delimiter).join(words)


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "btrim": _trimmed("btrim", before=True, after=True),
    "char_length": char_length,
    "contains": _tested(lambda text, part: part in text),
    "ends_with": _tested(str.endswith),
    "left": left,
    "ltrim": _trimmed("ltrim", before=True, after=False),
    "normalize": normalize,
    "replace": replace,
    "right": right,
    "rtrim": _trimmed("rtrim", before=False, after=True),
    "split": split,
    "starts_with": _tested(str.startswith),
    "string.indexOf": index_of,
    "string.join": join,
    "substring": substring,
    "toLower": _mapped("toLower", str.lower),
    "toUpper": _mapped("toUpper", str.upper),
    "trim": _trimmed("trim", before=True, after=True),
}
