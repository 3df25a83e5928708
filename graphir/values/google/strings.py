"""Strings as GoogleSQL works with them: places count from 1, and from the end where they are negative."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Any

from graphir.values.faults import invalid, out_of_range
from graphir.values.google.arguments import Function, array, integer, strict, text
from graphir.values.strings import FORMS

LONGEST = 1 << 20
"""What a function makes of a string has at most this many characters, as in GoogleSQL."""

_SPACES = (*range(9, 14), 0x20, 0x85, 0xA0, 0x1680, *range(0x2000, 0x200B), 0x2028, 0x2029, 0x202F, 0x205F, 0x3000)
WHITESPACE = "".join(map(chr, _SPACES))
"""What TRIM takes away: the property White_Space of Unicode."""


@strict
def substr(value: Any, position: Any, *length: Any) -> str:
    where = "SUBSTR()"
    whole, place = text(where, value), integer(where, position)
    start = place - 1 if place > 0 else max(len(whole) + place, 0) if place else 0
    if not length:
        return whole[start:]
    count = integer(where, length[0])
    if count < 0:
        raise out_of_range(where, "the length is negative")
    return whole[start : start + count]


@strict
def strpos(value: Any, part: Any) -> int:
    return text("STRPOS()", value).find(text("STRPOS()", part)) + 1


@strict
def instr(value: Any, part: Any, *more: Any) -> int:
    """From a position, which counts from the end where it is negative, the place of an occurrence."""
    where = "INSTR()"
    whole, wanted = text(where, value), text(where, part)
    position = integer(where, more[0]) if more else 1
    occurrence = integer(where, more[1]) if len(more) > 1 else 1
    if position == 0 or occurrence < 1 or not wanted:
        raise out_of_range(where, "position and occurrence are no zero, and what is looked for is not empty")
    if position > 0:
        places = [at for at in range(position - 1, len(whole)) if whole.startswith(wanted, at)]
    else:
        places = [at for at in range(len(whole) + position, -1, -1) if whole.startswith(wanted, at)]
    return places[occurrence - 1] + 1 if len(places) >= occurrence else 0


@strict
def split_by(value: Any, *delimiter: Any) -> list[str]:
    whole = text("SPLIT()", value)
    by = text("SPLIT()", delimiter[0]) if delimiter else ","
    if not by:
        return list(whole) or [""]
    return whole.split(by)


@strict
def replace_text(value: Any, old: Any, new: Any) -> str:
    """Nothing is replaced for the empty string."""
    where = "REPLACE()"
    whole, what, by = text(where, value), text(where, old), text(where, new)
    return whole.replace(what, by) if what else whole


@strict
def repeat(value: Any, count: Any) -> str:
    times = integer("REPEAT()", count)
    if times < 0:
        raise out_of_range("REPEAT()", "the count is negative")
    return _bounded("REPEAT()", text("REPEAT()", value), times)


def _bounded(where: str, value: str, times: int) -> str:
    if len(value) * times > LONGEST:
        raise out_of_range(where, f"the result has more than {LONGEST} characters")
    return value * times


def _pad(where: str, *, left: bool) -> Function:
    @strict
    def function(value: Any, length: Any, *pattern: Any) -> str:
        whole, count = text(where, value), integer(where, length)
        by = text(where, pattern[0]) if pattern else " "
        if not by:
            raise invalid(where, "the pattern is empty")
        if count < 0:
            raise out_of_range(where, "the length is negative")
        missing = count - len(whole)
        if missing <= 0:
            return whole[:count]
        padding = _bounded(where, by, -(-missing // len(by)))[:missing]
        return padding + whole if left else whole + padding

    return function


def _trim(where: str, *, left: bool, right: bool) -> Function:
    @strict
    def function(value: Any) -> str:
        whole = text(where, value)
        whole = whole.lstrip(WHITESPACE) if left else whole
        return whole.rstrip(WHITESPACE) if right else whole

    return function


_DELIMITERS = ' \t\n\v\f\r[](){}/|<>!?@"^#$&~_,.:;*%+-\\'


@strict
def initcap(value: Any, *delimiters: Any) -> str:
    apart = text("INITCAP()", delimiters[0]) if delimiters else _DELIMITERS
    out, begins = [], True
    for character in text("INITCAP()", value):
        out.append(character.upper() if begins else character.lower())
        begins = character in apart
    return "".join(out)


@strict
def ascii_of(value: Any) -> int:
    whole = text("ASCII()", value)
    if whole and ord(whole[0]) > 127:
        raise out_of_range("ASCII()", "the first character is not ASCII")
    return ord(whole[0]) if whole else 0


@strict
def unicode_of(value: Any) -> int:
    whole = text("UNICODE()", value)
    return ord(whole[0]) if whole else 0


def _character(where: str, code: Any) -> str:
    number = integer(where, code)
    if not 0 <= number <= 0x10FFFF or 0xD800 <= number < 0xE000:
        raise out_of_range(where, f"{number} is the code of no character")
    return chr(number)


@strict
def chr_of(code: Any) -> str:
    return _character("CHR()", code)


@strict
def translate(value: Any, source: Any, target: Any) -> str:
    where = "TRANSLATE()"
    old, new = text(where, source), text(where, target)
    if len(set(old)) != len(old):
        raise invalid(where, "a character is there twice")
    return text(where, value).translate({ord(c): new[at] if at < len(new) else None for at, c in enumerate(old)})


@strict
def byte_length(value: Any) -> int:
    return len(text("BYTE_LENGTH()", value).encode("utf-8", "surrogatepass"))


@strict
def normalize_text(value: Any, *form: Any) -> str:
    name = text("NORMALIZE()", form[0]) if form else "NFC"
    if name not in FORMS:
        raise invalid("NORMALIZE()", f"there is no form {name}")
    return unicodedata.normalize(name, text("NORMALIZE()", value))  # type: ignore[arg-type]


@strict
def to_code_points(value: Any) -> list[int]:
    return [ord(character) for character in text("TO_CODE_POINTS()", value)]


@strict
def code_points_to_string(codes: Any) -> str | None:
    where = "CODE_POINTS_TO_STRING()"
    given = array(where, codes)
    return None if None in given else "".join([_character(where, code) for code in given])


# ------------------------------------------------------------------ LIKE


@lru_cache(256)
def like_pattern(pattern: str) -> re.Pattern[str]:
    """`%` is any string, `_` any character, a backslash takes what follows as it is."""
    out: list[str] = []
    at = 0
    while at < len(pattern):
        character = pattern[at]
        if character == "\\":
            at += 1
            if at == len(pattern):
                raise invalid("LIKE", "the pattern ends with a backslash")
            out.append(re.escape(pattern[at]))
        else:
            out.append({"%": ".*", "_": "."}.get(character) or re.escape(character))
        at += 1
    return re.compile("".join(out), re.DOTALL)


@strict
def like(value: Any, pattern: Any) -> bool:
    return like_pattern(text("LIKE", pattern)).fullmatch(text("LIKE", value)) is not None


@strict
def like_any(value: Any, patterns: Any) -> bool | None:
    found = [like(value, pattern) for pattern in array("LIKE ANY", patterns)]
    return True if True in found else None if None in found else False


@strict
def like_all(value: Any, patterns: Any) -> bool | None:
    found = [like(value, pattern) for pattern in array("LIKE ALL", patterns)]
    return False if False in found else None if None in found else True


FUNCTIONS: dict[str, Function] = {
    "substr": substr,
    "strpos": strpos,
    "instr": instr,
    "split_by": split_by,
    "replace_text": replace_text,
    "repeat": repeat,
    "lpad": _pad("LPAD()", left=True),
    "rpad": _pad("RPAD()", left=False),
    "trim_space": _trim("TRIM()", left=True, right=True),
    "ltrim_space": _trim("LTRIM()", left=True, right=False),
    "rtrim_space": _trim("RTRIM()", left=False, right=True),
    "initcap": initcap,
    "ascii": ascii_of,
    "unicode": unicode_of,
    "chr": chr_of,
    "translate": translate,
    "byte_length": byte_length,
    "normalize_text": normalize_text,
    "to_code_points": to_code_points,
    "code_points_to_string": code_points_to_string,
    "like": like,
    "like_any": like_any,
    "like_all": like_all,
}
