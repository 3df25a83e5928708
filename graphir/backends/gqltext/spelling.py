"""How the dialects of GQL spell names, literals, types and keywords, as data.  Knows no node but types.

Facts: ISO/IEC 39075 (reserved words, escapes), GoogleSQL's lexical structure, Neo4j's manual of Cypher 25.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from functools import cache

from graphir import gql_functions as functions
from graphir.functions import FUNCTIONS
from graphir.grammar.gql_words import CALLED, GOOGLE, NAMES, RESERVED, TYPED

_MISREAD_TEXT = """
    ACYCLIC CALL CHEAPEST DELETE DETACH EXTRACT FILTER FINISH FULL GRAPH GROUPING INNER INSERT LET LIST MATCH NEXT
    NODETACH OFFSET OPTIONAL OTHERWISE OUTER PATH PATHS PER REMOVE RETURN SAFE_CAST SHORTEST SIMPLE SKIP STRUCT TABLE
    TRAIL UNKNOWN UNNEST UPDATE USE WALK
"""
MISREAD = frozenset(_MISREAD_TEXT.split())
"""Words that are not reserved in every dialect and are read as something else where a variable may stand."""

_REMEMBERED = 5_000
_PLAIN = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_SPECIAL = re.compile(r"[\\'`\x00-\x1f\x7f-\x9f\u2028\u2029\ufeff]")
_ESCAPES = {"\\": "\\\\", "'": "\\'", "`": "\\`", "\n": "\\n", "\t": "\\t", "\r": "\\r"}
_WORD = re.compile(r"\w+(?:\.\w+)*")
_BYTE = re.compile(r"[\\'\x00-\x1f\x7f-\xff]")


def _escape(match: re.Match[str]) -> str:
    character = match[0]
    return _ESCAPES.get(character) or f"\\u{ord(character):04x}"


def quoted(name: str) -> str:
    """The name in back-ticks."""
    return f"`{_SPECIAL.sub(_escape, name)}`".replace("\\'", "'")


def doubled(name: str) -> str:
    """The name in back-ticks as Neo4j reads it: a back-tick is doubled, and `\\u` is an escape everywhere."""
    name = name.replace("`", "``")
    return f"`{name.replace(chr(92), f'{chr(92)}u005C') if chr(92) in name else name}`"


def string(value: str) -> str:
    """A string literal.  A `u` behind a backslash is written as an escape, so that no reader takes both for one."""
    text = _SPECIAL.sub(_escape, value).replace("\\`", "`")
    return "'" + (text.replace("\\\\u", "\\\\\\u0075") if "\\u" in value else text) + "'"


def raw_string(value: str) -> str:
    """A string literal of GoogleSQL; a raw one where nothing but backslashes would be escaped."""
    special = set(_SPECIAL.findall(value)) - {"`"}
    return f"r'{value}'" if special == {"\\"} and not value.endswith("\\") else string(value)


def bytes_(value: str) -> str:
    """A literal of bytes, one for each character below 256."""
    return "b'" + _BYTE.sub(lambda found: f"\\x{ord(found[0]):02x}", value) + "'"


def floating(value: float) -> str:
    return repr(value)


def approximate(value: float) -> str:
    """A float as ISO GQL's approximate number: without an exponent it would be an exact decimal."""
    text = repr(value)
    return text if "e" in text or not math.isfinite(value) else f"{text}e0"


_GOOGLE_TYPES = {
    "INTEGER": "INT64",
    "FLOAT": "FLOAT64",
    "BOOLEAN": "BOOL",
    "LIST": "ARRAY",
    "RECORD": "STRUCT",
    "LOCAL TIME": "TIME",
    "LOCAL DATETIME": "DATETIME",
    "ZONED DATETIME": "TIMESTAMP",
    "DURATION": "INTERVAL",
}
_ISO_TYPES = {"INTEGER": "INT64", "FLOAT": "FLOAT64", "BOOLEAN": "BOOL", "RELATIONSHIP": "EDGE", "ANY": "ANY VALUE"}


@dataclass(frozen=True, slots=True)
class Spelling:
    """How a dialect writes what all of them have.

    `free_keys`: any word may be the name of a property behind a dot.  `unnest`: a list behind IN stands in UNNEST(..).
    `different`: the words of the match mode without repeated edges.  `default_mode`: the match mode where none is
    written.  `null_is_least`: null sorts before all values, else behind them.  `use`: the word before the name of the
    graph.  `distinct`: set operations say DISTINCT.  `with_`: there is WITH.
    `percent`: MOD is written `%`.
    """

    dialect: str
    reserved: frozenset[str]
    unequal: str = "<>"
    parameter: str = "$"
    text: Callable[[str], str] = string
    floating: Callable[[float], str] = floating
    free_keys: bool = False
    unnest: bool = False
    different: str = "DIFFERENT EDGES"
    default_mode: str = "repeatable_elements"
    null_is_least: bool = False
    use: str = "USE"
    distinct: str = ""
    with_: bool = False
    percent: bool = False
    quote: Callable[[str], str] = quoted
    path: str = "PATH["
    types: dict[str, str] = field(default_factory=dict)
    collect: str = "COLLECT"
    functions: dict[str, str] = field(default_factory=dict)
    """Canonical name -> spelling, before the table of all functions is asked."""

    known: dict[str, str] = field(default_factory=dict, compare=False)
    """The variables that were spelled, up to a bound."""

    # -------------------------------------------------------------- names

    def variable(self, name: str) -> str:
        """A variable or column."""
        shown = self.known.get(name)
        if shown is None:
            if len(self.known) > _REMEMBERED:
                self.known.clear()
            shown = self.known[name] = self.spelled(name)
        return shown

    def spelled(self, name: str) -> str:
        bare = _PLAIN.fullmatch(name) and (word := name.upper()) not in self.reserved and word not in MISREAD
        return name if bare else self.quote(name)

    def label(self, name: str) -> str:
        return name if _PLAIN.fullmatch(name) and name.upper() not in self.reserved else self.quote(name)

    def key(self, name: str) -> str:
        """The name of a property behind a dot."""
        return name if self.free_keys and _PLAIN.fullmatch(name) else self.label(name)

    def parameter_name(self, name: str) -> str:
        return self.parameter + (name if _WORD.fullmatch(name) else self.quote(name))

    def canonical(self, name: str) -> str:
        """The function of a canonical name; one that the dialect has no other word for goes by that name."""
        return self.functions.get(name) or functions.spelling(name, self.dialect) or name

    def function(self, name: tuple[str, ...]) -> str:
        """The name of a function, part by part."""
        first = name[0]
        bare = _PLAIN.fullmatch(first) and first.upper() in CALLED | {"IF", "LEFT", "RIGHT"} and len(name) == 1
        return ".".join([first if bare else self.variable(first), *[self.key(part) for part in name[1:]]])


_GOOGLE_TEXT = """
    AT COLLATE CONTAINS CROSS CUBE DEFINE EXCLUDE FETCH GRAPH_TABLE LATERAL MATCH_RECOGNIZE NATURAL PATH PATHS
    TABLESAMPLE WINDOW
"""
_GOOGLE_WORDS = frozenset(_GOOGLE_TEXT.split())


def _google(dialect: str) -> Spelling:
    return Spelling(
        dialect,
        RESERVED[dialect] | _GOOGLE_WORDS,
        unequal="!=",
        parameter="@",
        text=raw_string,
        free_keys=True,
        unnest=True,
        null_is_least=True,
        use="GRAPH",
        distinct=" DISTINCT",
        with_=True,
        path="PATH(",
        types=_GOOGLE_TYPES,
        collect="ARRAY",
        functions=_functions(),
    )


def _functions() -> dict[str, str]:
    """Canonical name -> spelling of what the reader knows by itself; of several spellings the first one is printed."""
    found: dict[str, str] = {}
    for spelled, name in NAMES.items():
        found.setdefault(name, spelled)
    return found


@cache
def spelling(dialect: str) -> Spelling:
    """How a dialect spells."""
    if dialect in GOOGLE:
        return _google(dialect)
    if dialect == "gql-neo4j-25":
        return _neo4j(dialect)
    iso = Spelling(dialect, RESERVED["gql-iso"], floating=approximate, types=_ISO_TYPES, functions=_functions())
    if dialect == "gql-grafeo":
        of_cypher = {name: name.upper() for name in _GRAFEO.split()}
        return replace(iso, percent=True, functions={**iso.functions, **of_cypher})
    if dialect == "gql-fabric":
        return replace(iso, null_is_least=True)
    return iso


_GRAFEO = "toInteger toFloat toString substring head last tail range round sign sqrt type startNode endNode"
"""Functions that Grafeo knows by the names of Cypher."""


def _neo4j(dialect: str) -> Spelling:
    """GQL's words for the functions of Cypher 25, where it has them, else its own."""
    found: dict[str, str] = {}
    for function in FUNCTIONS.values():
        spelled = next((alias.upper() for alias, _ in function.aliases), function.name)
        found[function.name] = spelled
    for name in ("avg", "coalesce", "count", "left", "max", "min", "nullIf", "right", "size", "sum", "trim"):
        found[name] = name.upper()
    return Spelling(
        dialect,
        RESERVED["gql-iso"] | frozenset(_NEO4J_TEXT.split()),
        different="DIFFERENT RELATIONSHIPS",
        default_mode="different_edges",
        percent=True,
        quote=doubled,
        functions=found,
    )


_NEO4J_TEXT = """
    CONTAINS DO ENDS INF INFINITY MANDATORY MERGE NAN ON REQUIRE SCALAR STARTS UNIQUE UNWIND
"""
"""Words that Neo4j reads as something else than a name at some places."""


LITERALS = {type_: word for word, type_ in reversed(TYPED.items())}
"""Type -> the word before a string that is a literal of it."""
