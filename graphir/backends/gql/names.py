"""How names, strings and numbers are spelled in GoogleSQL, and how the names of a query become its identifiers.

Knows no node.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date
from functools import lru_cache

from graphir.ir.names import MARK

_WORDS = (
    "ACYCLIC ALL AND ANY ARRAY AS ASC ASSERT_ROWS_MODIFIED AT BETWEEN BY CASE CAST COLLATE CONTAINS CREATE CROSS "
    "CUBE CURRENT DEFAULT DEFINE DESC DISTINCT ELSE END ENUM ESCAPE EXCEPT EXCLUDE EXISTS EXTRACT FALSE FETCH "
    "FOLLOWING FOR FROM FULL GRAPH_TABLE GROUP GROUPING GROUPS HASH HAVING IF IGNORE IN INNER INTERSECT INTERVAL "
    "INTO IS JOIN LATERAL LEFT LIKE LIMIT LOOKUP MATCH_RECOGNIZE MERGE NATURAL NEW NO NOT NULL NULLS OF ON OR "
    "ORDER OUTER OVER PARTITION PATH PATHS PRECEDING PROTO QUALIFY RANGE RECURSIVE RESPECT RIGHT ROLLUP ROWS "
    "SELECT SET SIMPLE SOME STRUCT TABLESAMPLE THEN TO TRAIL TREAT TRUE UNBOUNDED UNION UNNEST UPDATE USING WALK "
    "WHEN WHERE WINDOW WITH WITHIN "
)
_CALLS = "CURRENT_DATE CURRENT_DATETIME CURRENT_TIME CURRENT_TIMESTAMP"
RESERVED = frozenset((*_WORDS.split(), *_CALLS.split()))
"""The words that are no name at some place where a name may stand, or are there a function without its brackets; they
are quoted at every place."""

_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SPECIAL = re.compile(r"[\\'`\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]")
_ESCAPES = {"\\": "\\\\", "'": "\\'", "`": "\\`", "\n": "\\n", "\t": "\\t", "\r": "\\r"}


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    return _ESCAPES.get(character) or f"\\u{ord(character):04x}"


@lru_cache(maxsize=4096)
def identifier(name: str) -> str:
    """A name, in back-quotes where the bare word would not be read as one."""
    if _PLAIN.fullmatch(name) and name.upper() not in RESERVED:
        return name
    return f"`{_SPECIAL.sub(_escape, name)}`"


def whole(path: Sequence[str], spelled: Callable[[str], str] = identifier) -> str:
    """A name after those of its schemas."""
    return ".".join(map(spelled, path))


def string(text: str) -> str:
    """A string literal; a raw one where nothing but backslashes would be escaped."""
    special = set(_SPECIAL.findall(text)) - {"`"}
    if special == {"\\"} and not text.endswith("\\"):
        return f"r'{text}'"
    return "'" + _SPECIAL.sub(_escape, text).replace("\\`", "`") + "'"


def is_text(text: str) -> bool:
    """Whether GoogleSQL can hold it: any Unicode text, but no half of a surrogate pair."""
    return not any("\ud800" <= character <= "\udfff" for character in text)


def is_date(text: str) -> bool:
    """Whether it is a date as both languages write it."""
    try:
        return date.fromisoformat(text).isoformat() == text
    except ValueError:
        return False


def floating(value: float) -> str:
    """A FLOAT64 literal."""
    if not math.isfinite(value):
        return f"CAST('{value}' AS FLOAT64)"
    return repr(value)


class Names:
    """The identifiers of one query: one per name, and no two that differ in case only.

    Names are given out in the order in which they come: first the names of the result, which should stay as they are,
    then the user's, then the made-up ones, which only have to be readable.
    """

    def __init__(self, names: Iterable[str]) -> None:
        self.given: dict[str, str] = {}
        taken: set[str] = set()
        for name in names:
            if name not in self.given:
                self.given[name] = free(name.removeprefix(MARK) or "_", taken)

    def __getitem__(self, name: str) -> str:
        """The name in the query, not yet quoted."""
        return self.given[name]


def free(wanted: str, taken: set[str]) -> str:
    """The name, with a number where it is taken.  Takes it."""
    number, name = 1, wanted
    while (folded := name.casefold()) in taken:
        number += 1
        name = f"{wanted}_{number}"
    taken.add(folded)
    return name
