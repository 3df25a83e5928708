"""The kinds of values that queries compute with, the values of each that are worth trying, and their text in Cypher.

A kind is a name.  `big` are integers too large to compute with, and no arithmetic is written for them; `any` is a value
of mixed type.  Some kinds are about what is certain rather than about the type:

- `approx`: a float whose last digits depend on the order of a sum or on a library;
- `bag`: a list that comes in no certain order (collect, keys, labels);
- `length`: a path of which only the length is certain; `none`: a value that is not determined at all.

Knows the types of schemas and the values of graphir, no query.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from graphir.quoting import ticked
from graphir.schema.model import DataType, PropertyType
from graphir.values import Date, DateTime, Duration, LocalDateTime, LocalTime, Point, Time

TYPES: dict[str, DataType] = {
    "int": DataType("INTEGER"),
    "str": DataType("STRING"),
    "bool": DataType("BOOLEAN"),
    "float": DataType("FLOAT"),
    "big": DataType("INTEGER"),
    "date": DataType("DATE"),
    "ldt": DataType("LOCAL DATETIME"),
    "dt": DataType("ZONED DATETIME"),
    "time": DataType("LOCAL TIME"),
    "ztime": DataType("ZONED TIME"),
    "dur": DataType("DURATION"),
    "point": DataType("POINT"),
    "ints": DataType("LIST", DataType("INTEGER")),
    "strs": DataType("LIST", DataType("STRING")),
    "floats": DataType("LIST", DataType("FLOAT")),
    "any": DataType("ANY"),
}
"""Kind of a property -> its type in a schema."""

SMALL = 1 << 20
"""Integers up to here are computed with; a property that declares more is `big`."""
_KINDS = {str(type_): kind for kind, type_ in TYPES.items() if kind != "big"}
_INTEGERS = ("INTEGER8", "INTEGER16", "INTEGER32", "UINTEGER8", "UINTEGER16", "UINTEGER32")
_KINDS |= dict.fromkeys(_INTEGERS, "int") | {"LIST<ANY>": "any", "FLOAT32": "float", "LIST": "any"}

LEAST, GREATEST = -(1 << 63), (1 << 63) - 1
"""What a property of `big` integers declares."""


def kind_of(declared: PropertyType) -> str:
    """The kind of a property; `any` where its type is not known or not among the kinds."""
    if declared.type is None:
        return "any"
    kind = _KINDS.get(str(DataType(declared.type.name, declared.type.element)), "any")
    bounds = [bound for bound in (declared.minimum, declared.maximum) if isinstance(bound, int)]
    return "big" if kind == "int" and any(abs(bound) > SMALL for bound in bounds) else kind


def kind_of_value(value: Any) -> str:
    """The kind of a value of a property."""
    match value:
        case bool():
            return "bool"
        case int():
            return "int" if abs(value) <= SMALL else "big"
        case list() | tuple():
            kinds = {kind_of_value(item) for item in value}
            return _LISTS_OF.get(next(iter(kinds)), "any") if len(kinds) == 1 else "any"
        case _:
            return _OF_TYPES.get(type(value), "any")


_LISTS_OF = {"int": "ints", "str": "strs", "float": "floats"}
_OF_TYPES: dict[type, str] = {
    float: "float",
    str: "str",
    Date: "date",
    LocalDateTime: "ldt",
    DateTime: "dt",
    LocalTime: "time",
    Time: "ztime",
    Duration: "dur",
    Point: "point",
}

# ------------------------------------------------------------------ values

VALUES: dict[str, tuple[Any, ...]] = {
    "int": (0, 1, 2, 3, -1, -3, 10, 7),
    "str": ("", "a", "b", "ab", "Ça", "a b", "1", "2.5", "true", "x,y"),
    "bool": (False, True),
    "float": (0.5, 1.5, -2.0, 3.0, 0.25, 4.0),
    "big": ((1 << 53) + 1, 1 << 53, GREATEST, LEAST, -(1 << 53) - 1),
    "date": tuple(map(Date.parse, ("2020-01-01", "2019-12-31", "2020-02-29", "2024-12-30"))),
    "ldt": tuple(map(LocalDateTime.parse, ("2020-01-01T10:00:00", "2019-12-31T23:59:59.5", "2020-02-29T00:00:00"))),
    "dt": tuple(
        map(DateTime.parse, ("2020-01-01T10:00:00Z", "2020-01-01T12:00:00+02:00", "2020-06-30T23:59:59.5+01:00"))
    ),
    "time": tuple(map(LocalTime.parse, ("10:00:00", "00:00:00", "23:59:59.5"))),
    "ztime": tuple(map(Time.parse, ("10:00:00Z", "12:30:00+02:00", "23:59:59.5-08:00"))),
    "dur": tuple(map(Duration.parse, ("P1M", "P30D", "PT36H", "P1DT-1S", "P1Y2M3DT4.5S"))),
    "point": (Point(7203, 0.0, 0.0), Point(7203, 1.0, -2.5), Point(4326, 13.5, 52.25)),
    "ints": ([], [1, 2, 3], [0], [2, 2], [-1, 7]),
    "strs": ([], ["a", "b"], ["", "ab"], ["a", "a"]),
    "floats": ([], [0.5, 1.5], [-2.0]),
    "map": ({}, {"a": 1}, {"a": None, "b": "x"}, {"a": {"b": [1, 2]}}),
}
"""Kind -> values worth trying, the simplest first.  Floats are such that sums are exact in any order."""

STRANGE: dict[str, tuple[Any, ...]] = {
    "str": (
        "'",
        '"',
        "a`b",
        "\n",
        "\\",
        "ß",
        "ǅ",
        "é",
        "e\u0301",
        "日本",
        "😀",
        " a ",
        "%_",
        "a.b",
        "$x",
        "-- ",
        "NULL",
    ),
    "float": (-0.0, 0.0, math.nan, math.inf, -math.inf),
    "dt": tuple(
        map(DateTime.parse, ("2019-03-31T01:30:00[Europe/Berlin]", "2020-10-25T02:30:00+02:00[Europe/Berlin]"))
    ),
    "ldt": (LocalDateTime.parse("1969-12-31T23:59:59.999999999"),),
    "date": (Date.parse("1582-10-15"), Date.parse("1900-02-28")),
    "int": (1 << 20, -(1 << 20)),
    "ints": (list(range(20)), [0, 0, 0]),
    "strs": (["'", "\\"], ["ß", "é"]),
    "floats": ([-0.0], [math.inf, 0.5]),
}
"""Kind -> values that are rarely thought of."""

NULLED: dict[str, tuple[Any, ...]] = {
    "ints": ([3, None, 1], [None]),
    "strs": (["", None, "ab"], [None]),
    "floats": ([0.5, None],),
}
"""Lists with nulls: values of expressions, never of properties."""

MIXED: tuple[str, ...] = ("int", "str", "bool", "float", "date", "ints", "strs", "dur")
"""The kinds of values that a property of mixed type takes."""

LISTS: dict[str, str] = {"ints": "int", "strs": "str", "floats": "float", "nodes": "node", "edges": "edge"}
"""Kind of a list -> kind of its elements."""

SCALARS: tuple[str, ...] = ("int", "str", "bool", "float", "big", "any", "date", "dt", "ldt", "time", "ztime", "ints")
"""Kinds that are compared, counted and passed about."""

SORTED: frozenset[str] = frozenset({"int", "big", "str", "bool", "date", "dt", "ldt", "time", "ints", "strs"})
"""Kinds whose order is total, and whose values that are equal in it are the same: -0.0 and 0.0 are not."""

# ------------------------------------------------------------------ text


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_RESERVED = _words(
    "ALL AND ANY AS ASC ASCENDING BY CASE CONTAINS CREATE DELETE DESC DESCENDING DETACH DISTINCT ELSE END ENDS EXISTS "
    "FALSE IN IS LIMIT MATCH MERGE NONE NOT NULL ON OPTIONAL OR ORDER REMOVE RETURN SET SINGLE SKIP STARTS THEN TRUE "
    "UNION UNWIND WHEN WHERE WITH XOR ADD CONSTRAINT DO DROP FOR MANDATORY OF REQUIRE SCALAR UNIQUE INF INFINITY NAN "
    "OFFSET SHORTEST WALK TRAIL ACYCLIC TYPED NORMALIZED NFC NFD NFKC NFKD LABELED COUNT COLLECT VALUE CALL GROUP "
    "SELECT FROM LET FILTER NEXT YIELD USE FINISH INSERT GRAPH PATH NODE EDGE RELATIONSHIP GROUPS"
)
"""Words that mean something somewhere in Cypher or GQL."""
_ESCAPES = str.maketrans({"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"})
_CONSTRUCTORS: dict[type, str] = {
    Date: "date",
    LocalDateTime: "localdatetime",
    DateTime: "datetime",
    LocalTime: "localtime",
    Time: "time",
    Duration: "duration",
}


def spelled(name: str) -> str:
    """A name as it stands in a query: in back-ticks unless it is a plain word that means nothing."""
    plain = name.isascii() and name.isidentifier() and name.upper() not in _RESERVED
    return name if plain else ticked(name)


def literal(value: Any) -> str:
    """The text of an expression that gives the value; it can be an operand."""
    match value:
        case None:
            return "null"
        case bool():
            return "true" if value else "false"
        case int():
            return str(value) if value >= 0 else f"({value})"
        case float():
            return _float(value)
        case str():
            return f"'{value.translate(_ESCAPES)}'"
        case list() | tuple():
            return f"[{', '.join(map(literal, value))}]"
        case Mapping():
            return "{" + ", ".join(f"{spelled(key)}: {literal(item)}" for key, item in value.items()) + "}"
        case Point():
            parts = {"x": value.x, "y": value.y, "z": value.z, "srid": value.srid}
            return f"point({literal({key: part for key, part in parts.items() if part is not None})})"
        case _:
            return f"{_CONSTRUCTORS[type(value)]}('{value}')"


def _float(value: float) -> str:
    if math.isnan(value):
        return "(0.0 / 0.0)"
    if math.isinf(value):
        return "(1.0 / 0.0)" if value > 0 else "(-1.0 / 0.0)"
    return repr(value) if math.copysign(1.0, value) > 0 else f"({value!r})"
