"""How names, strings and numbers are spelled in Cypher.  Knows no node and no grammar.

A name is back-ticked where the bare word would not be read as that name: when it is no identifier, or when it is a
word that means something else at its place.  The lists say what is read otherwise, place by place.
"""

from __future__ import annotations

import math
import re

from graphir.dialects import DIALECTS


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_RESERVED = _words(
    "ALL AND ANY AS ASC ASCENDING BY CASE CONTAINS CREATE DELETE DESC DESCENDING DETACH DISTINCT ELSE END ENDS EXISTS "
    "FALSE IN IS LIMIT MATCH MERGE NONE NOT NULL ON OPTIONAL OR ORDER REMOVE RETURN SET SINGLE SKIP STARTS THEN TRUE "
    "UNION UNWIND WHEN WHERE WITH XOR ADD CONSTRAINT DO DROP FOR MANDATORY OF REQUIRE SCALAR UNIQUE INF INFINITY NAN "
    "OFFSET SHORTEST WALK TRAIL ACYCLIC"
)
"""openCypher's reserved words, which are no names of variables there, and the words of the second list."""

_MISREAD = _words(
    "ALL AND ANY AS ASC ASCENDING CASE CONTAINS DESC DESCENDING DISTINCT ELSE END ENDS FALSE IN INF INFINITY IS LIMIT "
    "MATCH NAN NOT NULL OFFSET OR ORDER RETURN SHORTEST SKIP STARTS THEN TRAIL TRUE UNION WALK ACYCLIC WHEN WHERE WITH "
    "XOR"
)
"""Words that are read as something else where Neo4j expects a variable or an expression, and its infix words."""

_AFTER_COLON = _words("NOT NULL TYPED NORMALIZED NFC NFD NFKC NFKD LABELED")
"""Words that are back-ticked as labels and types: Neo4j reads them after IS."""

_BEFORE_BRACE = _words("EXISTS COUNT COLLECT VALUE CALL")
"""Words after which a brace opens a subquery."""

_BEFORE_PARENTHESIS = _RESERVED | _words(
    "ALLREDUCE ALLSHORTESTPATHS FILTER FOREACH NORMALIZE REDUCE SHORTESTPATH TRIM VECTOR VECTOR_DISTANCE VECTOR_NORM "
    "USE"
)
"""Words that before arguments are something else, or take arguments of their own form."""


def _identifier(name: str) -> bool:
    return name.isidentifier() and (name.isascii() or all(c == "_" or c.isalnum() for c in name))


def quote(name: str, dialect: str) -> str:
    """The name in back-ticks."""
    name = name.replace("`", "``")
    if "\\u" in name and DIALECTS[dialect].escapes_first:
        name = name.replace("\\", "\\u005C")
    return f"`{name}`"


def _spell(name: str, dialect: str, taken: frozenset[str]) -> str:
    return name if _identifier(name) and name.upper() not in taken else quote(name, dialect)


def variable(name: str, dialect: str) -> str:
    """The name of a variable or a column."""
    return _spell(name, dialect, _MISREAD if DIALECTS[dialect].escapes_first else _RESERVED)


def projected(name: str, dialect: str) -> str:
    """The variable before the brace of a map projection."""
    return quote(name, dialect) if name.upper() in _BEFORE_BRACE else variable(name, dialect)


def label(name: str, dialect: str) -> str:
    """A label or relationship type."""
    return _spell(name, dialect, _AFTER_COLON)


_NOTHING: frozenset[str] = frozenset()


def key(name: str, dialect: str) -> str:
    """A property key or map key."""
    return _spell(name, dialect, _NOTHING)


def parameter(name: str, dialect: str) -> str:
    """A parameter with its `$`."""
    bare = _identifier(name) or (name.isascii() and name.isdigit())
    return "$" + (name if bare else quote(name, dialect))


def function(name: tuple[str, ...], dialect: str) -> str:
    """The name of a function that is none of the language's own, or of a procedure."""
    first = _spell(name[0], dialect, _BEFORE_PARENTHESIS if len(name) == 1 else _RESERVED)
    return ".".join([first, *[key(part, dialect) for part in name[1:]]])


_ESCAPES = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t", "\b": "\\b", "\f": "\\f"}
_SPECIAL = re.compile(r"[\\'\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff\ud800-\udfff]")


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    return _ESCAPES.get(character) or f"\\u{ord(character):04X}"


def string(value: str, dialect: str) -> str:
    """A string literal.

    Where `\\u` is resolved before tokens are read, a backslash that stands before a `u` is doubled and the `u` itself
    written as an escape, so that no reader can take the two for one.
    """
    text = _SPECIAL.sub(_escape, value)
    if "\\u" in value and DIALECTS[dialect].escapes_first:
        text = text.replace("\\\\u", "\\\\\\u0075")
    return f"'{text}'"


def number(value: float) -> str:
    """A float literal that reads back as the same value; a negative one begins with a minus."""
    if math.isnan(value):
        return "NaN"
    if math.isinf(value):
        return "Infinity" if value > 0 else "-Infinity"
    return repr(value).replace("e+", "e")
