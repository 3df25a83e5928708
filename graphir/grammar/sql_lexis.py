"""How the dialects of SQL/PGQ spell names, strings, parameters and comments, as data.

They share one grammar with GoogleSQL and differ in its terminals.  Facts: PostgreSQL's scan.l and gram.y, Oracle's "SQL
Language Reference" (Literals, Database Object Names), ISO/IEC 9075-2 section 5, DuckDB's and Hyper's manuals.
Knows no rule of the grammar and no node.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from types import MappingProxyType
from typing import Literal

Fold = Literal["upper", "lower", "keep"]

BLOCK = r"/\*[^*]*+\*++(?:[^/*][^*]*+\*++)*+/"
"""A comment between `/*` and `*/` that holds no other."""
PLAIN = r"'(?:[^']|'')*'"
_BY_PREFIX = {
    "E": r"'(?:[^'\\]|\\(?:.|\n)|'')*'",
    "N": PLAIN,
    "X": r"'[0-9a-fA-F]*'",
    "B": r"'[01]*'",
    "U": rf"&{PLAIN}",
    "Q": r"'(?:\[(?:.|\n)*?\]|\{(?:.|\n)*?\}|\((?:.|\n)*?\)|<(?:.|\n)*?>|(?P<quote>[^\s\[{(<])(?:.|\n)*?(?P=quote))'",
}
"""The letter before a string -> the rest of it."""
DOLLARS = r"\$(?P<tag>(?:[^\W\d]\w*)?)\$(?:.|\n)*?\$(?P=tag)\$"
NAME = r'"(?:[^"]|"")+"'


@dataclass(frozen=True, slots=True)
class Lexis:
    """`fold` is what happens to a name without quotes.  `params` is the regular expression of a parameter but for `?`,
    `prefixes` are the letters that may stand before a string, `letters` those that may stand in a name beside
    letters, digits and `_`.  `dollars`: a string may stand between `$$`.  `nested`: a comment may hold another.
    `apart`: GRAPH_TABLE may be two words.  `operators` is the regular expression of operators that other databases have
    not, signs or words, `slices`: `a[1:2]` is a part of a list, and `:` begins no parameter in it."""

    fold: Fold
    params: str
    prefixes: tuple[str, ...] = ("N", "X", "B", "U")
    letters: str = ""
    dollars: bool = False
    nested: bool = False
    apart: bool = False
    operators: str | None = None
    slices: bool = False

    @property
    def word(self) -> str:
        """The regular expression of a name without quotes."""
        return rf"[^\W\d][\w{re.escape(self.letters)}]*"

    @property
    def prefixed(self) -> str:
        """The regular expression of a string with letters before it."""
        words = [*self.prefixes, *(["NQ"] if "Q" in self.prefixes else [])]
        rest = "|".join(rf"(?<={prefix}){_BY_PREFIX[prefix]}" for prefix in self.prefixes)
        return rf"(?i:(?:{'|'.join(sorted(words, key=len, reverse=True))})(?:{rest}))"

    @property
    def string(self) -> str:
        """The regular expression of a string without letters before it."""
        return f"(?:{PLAIN}|{DOLLARS})" if self.dollars else PLAIN

    @property
    def block(self) -> str:
        """The regular expression of a comment between `/*` and `*/`."""
        if not self.nested:
            return BLOCK
        inner = r"[^*/]++|\*(?!/)|/(?!\*)"
        found = rf"/\*(?>(?:{inner})*)\*/"
        for _ in range(_LEVELS):
            found = rf"/\*(?>(?:{inner}|{found})*)\*/"
        return found


_OF_JSON = r"->>|->(?=\s*(?:'|-?\d|\$\d))"
_OF_POSTGRES = rf"{_OF_JSON}|#>>|#>|@>|<@|!?~\*?(?=\s*(?:E?'|\$\d))"
_OF_DUCKDB = r"->>|->(?=\s*'[$/])"
"""An arrow before a name is a lambda."""
_OF_ISO = (
    r"(?i:(?:AT|LIKE_REGEX|NOT)"
    r"(?:(?<=\bAT)\s+TIME\s+ZONE\b|(?<=\bLIKE_REGEX)\b|(?<=\bNOT)\s+LIKE_REGEX\b))"
)
"""These are words, the first of which tells that one of them stands there."""
_LEVELS = 3
"""How many levels deep comments are known to nest."""

LEXES = MappingProxyType(
    {
        "pgq-iso": Lexis("upper", r":[^\W\d]\w*", operators=_OF_ISO),
        "pgq-oracle-23ai": Lexis("upper", r":\w+", ("Q", "N"), "$#"),
        "pgq-oracle-26ai": Lexis("upper", r":\w+", ("Q", "N"), "$#"),
        "pgq-postgres": Lexis(
            *("lower", r"\$\d+|:[^\W\d]\w*", ("E", "N", "X", "B", "U"), "$", True, True),
            operators=_OF_POSTGRES,
            slices=True,
        ),
        "pgq-duckpgq": Lexis("keep", r"\$\w+", ("E", "X"), dollars=True, apart=True, operators=_OF_DUCKDB, slices=True),
        "pgq-hyper": Lexis("lower", r"\$\w+", ("E", "X", "U"), "", True, True, operators=_OF_JSON, slices=True),
    }
)
"""By dialect.  What is not here has the terminals of `gql.lark`."""


def terminals(lexis: Lexis) -> dict[str, str | None]:
    """The terminals that differ from those of `gql.lark`; None: there is none."""
    return {
        "NAME": lexis.word,
        "QUOTED_NAME": NAME,
        "PARAM": lexis.params,
        "STRING": lexis.string,
        "PREFIXED_STRING": lexis.prefixed,
        "INT": r"\d+(?:_\d+)*",
        "TYPED_STRING": _TYPED,
        "DASH_BRACKET": r"-\s*\[",
        "LARROW_BRACKET": r"<\s*-\s*\[",
        "RARROW": r"-\s*>",
        "LARROW": r"<\s*-",
        "BOTH_ARROW": r"<\s*-\s*>",
        "GRAPH_TABLE": _APART if lexis.apart else r"(?i:GRAPH_TABLE\b)",
        "LOW_CONCAT": r"\|\|",
        "CONCAT": None,
        "SQL_FROM": None,
        "SQL_OPERATOR": lexis.operators,
        "_SLICE": r":(?!:)" if lexis.slices else r"(?<=[\s'\"]):(?=[\s'\"\d(])",
        "TYPE_PREFIX": _TYPE_PREFIX,
        "HASH_COMMENT": None,
        "SLASH_COMMENT": None,
        "BLOCK_COMMENT": lexis.block,
    }


_APART = r"(?i:(?:GRAPH_TABLE|GRAPH\s+TABLE)\b)"
_TYPE_PREFIX = (
    r"(?i:(?:DOUBLE|CHARACTER|CHAR|NATIONAL|BIT|LONG)(?=\s+(?:PRECISION|VARYING|CHARACTER|CHAR|LARGE|OBJECT|RAW)\b))"
)
_UNITS = "YEAR|MONTH|DAY|HOUR|MINUTE|SECOND|WEEK|QUARTER"
_TYPED = rf"(?i:(?:DATE|TIMESTAMPTZ|TIMESTAMP|TIME|INTERVAL)(?=\s*'[^']*'(?!\s*(?:\(\s*\d+\s*\)\s*)?(?:{_UNITS})S?\b)))"
"""An INTERVAL whose unit stands behind it is none of these."""


def fold(name: str, lexis: Lexis) -> str:
    """The name that a name without quotes is."""
    return name.upper() if lexis.fold == "upper" else name.lower() if lexis.fold == "lower" else name
