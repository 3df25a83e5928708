"""Constant texts that may be numbers, booleans or moments where they are compared with one, which only a schema tells.

Facts: PostgreSQL's reference ("Boolean Type", "Date/Time Input"), DuckDB's of casts, Oracle's of implicit conversion.
Days and moments as ISO 8601 has them are looked at when a query runs (`untyped`), but in Oracle, whose session has its
own formats.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from graphir import ir
from graphir.ir import Apply, Expression, Literal
from graphir.passes.selects.arrays import searched
from graphir.passes.selects.operators import COMPARING, ORACLE, is_numeral
from graphir.passes.selects.scopes import NoGraphQuery

_BOOLEANS = {
    **dict.fromkeys(("pgq-postgres", "pgq-hyper"), ("true", "false", "yes", "no", "on", "off")),
    **dict.fromkeys(sorted(ORACLE), ("true", "false", "yes", "no", "on", "off", "t", "f", "y", "n")),
    "pgq-duckpgq": ("true", "false", "t", "f"),
}
_PREFIXES = frozenset(("pgq-postgres", "pgq-hyper"))
"""Dialects in which the beginning of such a word is one."""
_MOMENT = re.compile(
    r"\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?.*|\d{1,2}[-./ ][A-Za-z0-9]{1,9}[-./ ]\d{2,4}.*|\d{4}[./]\d\d?[./]\d\d?.*"
    r"|today|now|yesterday|tomorrow|epoch|-?infinity",
    re.ASCII | re.DOTALL | re.IGNORECASE,
)
_ISO = re.compile(r"\d{4}-\d\d?-\d\d?.*", re.ASCII | re.DOTALL)


def require_types(query: ir.Query, dialect: str) -> None:
    """That no text is compared that may be of another type.  Raises NoGraphQuery."""
    for values in _compared(query):
        if all(isinstance(each, Literal) for each in values):
            continue
        for each in values:
            text = each.value if isinstance(each, Literal) else None
            if isinstance(text, str) and (kind := may_be(text, dialect)) is not None:
                told = f"the text '{text}' is {kind} where it is compared with one, which only a schema tells"
                raise NoGraphQuery(told, each.span)


def _compared(query: ir.Query) -> Iterator[list[Expression]]:
    """The values that are compared, of each comparison; of a list that is written out its elements."""
    for node in ir.walk(query):
        found = searched(node) or node
        if isinstance(found, Apply) and found.function in COMPARING:
            yield [each for arg in found.args for each in (arg.items if isinstance(arg, ir.ListOf) else (arg,))]


def may_be(text: str, dialect: str) -> str | None:
    """What a constant text may be beside a text, if not one."""
    if is_numeral(text):
        return "a number"
    word = text.strip().lower()
    words = _BOOLEANS.get(dialect, ())
    if word in words or (word not in ("", "o") and dialect in _PREFIXES and _begins(word, words)):
        return "a boolean"
    if _MOMENT.fullmatch(text.strip()) or (dialect in ORACLE and _ISO.fullmatch(text.strip())):
        return "a moment"
    return None


def _begins(word: str, words: Iterable[str]) -> bool:
    return any(each.startswith(word) for each in words)
