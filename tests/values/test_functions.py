"""Operators and functions: one line a rule; `Fault` is a run-time fault with that code."""

from __future__ import annotations

import math
from typing import Any

import pytest

import graphir
from graphir.functions import AGGREGATES
from graphir.functions import FUNCTIONS as NAMES
from graphir.signatures import signatures
from graphir.values import Date, DateTime, Duration, Edge, LocalTime, Node, Path, Point
from graphir.values.functions import FUNCTIONS, PARTS, call, functions
from graphir.values.references import EdgeReference, NodeReference, PathReference
from graphir.values.vectors import Vector

MISSING = {
    **dict.fromkeys(("graph.byElementId", "graph.byName", "graph.names", "graph.propertiesByName"), "one graph only"),
}
"""Function -> why there is no reference."""

Case = tuple[str, tuple[Any, ...], Any]
"""Name, arguments, result."""

BIG, SMALL = 2**63 - 1, -(2**63)
MAP = {"a": 1, "b": None}
NODE = Node(1, ("A", "B"), {"x": 1})
EDGE = Edge(2, "R", 1, 3, {"y": 2})
PATH = Path((NODE, Node(3)), (EDGE,))


class Fault(str):
    """The code of a fault that is expected."""

    __slots__ = ()


def evaluate(name: str, values: tuple[Any, ...]) -> Any:
    try:
        return call(name, *values)
    except graphir.RunFault as fault:
        return Fault(fault.diagnostics[0].code)


def check(name: str, values: tuple[Any, ...], expected: Any) -> None:
    found = evaluate(name, values)
    assert type(found) is type(expected)
    assert repr(found) == repr(expected) if isinstance(expected, float) else found == expected


def test_the_table_is_complete() -> None:
    assert set(NAMES) - set(FUNCTIONS) == (AGGREGATES & set(NAMES)) | set(MISSING)
    assert set(FUNCTIONS) - set(NAMES) == PARTS


def test_levels() -> None:
    assert "toIntegerOrNull" not in functions("opencypher-9")
    assert "toIntegerOrNull" in functions("neo4j-5")
    assert "coll.sort" not in functions("neo4j-5")
    assert functions("neo4j-25").keys() == FUNCTIONS.keys()
    assert all("index" in functions(level) for level in ("opencypher-9", "neo4j-5"))


@pytest.mark.parametrize("name", [name for name in signatures("neo4j-25") if name in FUNCTIONS])
def test_null_gives_null(name: str) -> None:
    """Where all arguments are null, so is the result; a few functions do not take null."""
    count = signatures("neo4j-25")[name].least
    if not count or name in ("coalesce", "valueType"):
        return
    found = evaluate(name, (None,) * count)
    assert found is None or (name == "range" and found == Fault("G632"))


ARITHMETIC: list[Case] = [
    ("add", (1, 2), 3),
    ("add", (1, 2.5), 3.5),
    ("add", (BIG, 1), Fault("G630")),
    ("add", (1, 2, 3), 6),
    ("add", ("a", 1, 2.0), "a12.0"),
    ("add", (1, "a"), "1a"),
    ("add", ("a", True), "atrue"),
    ("add", ("a", 1e10), "a1.0E10"),
    ("add", ("a", Date.of(2020, 1, 2)), "a2020-01-02"),
    ("add", ("a", {}), Fault("G632")),
    ("add", (1, True), Fault("G632")),
    ("add", ([1], [2, None]), [1, 2, None]),
    ("add", ([1], 2), [1, 2]),
    ("add", (1, [2]), [1, 2]),
    ("add", ([1], None), None),
    ("add", (Date.of(2020, 1, 31), Duration(months=1)), Date.of(2020, 2, 29)),
    ("add", (Duration(days=1), Date.of(2020, 1, 31)), Date.of(2020, 2, 1)),
    ("add", (Duration(days=1), Duration(months=1)), Duration(1, 1)),
    ("sub", (SMALL, 1), Fault("G630")),
    ("sub", (1, 0.5), 0.5),
    ("sub", (LocalTime.of(12), Duration(seconds=3600)), LocalTime.of(11)),
    ("sub", ("a", "a"), Fault("G632")),
    ("sub", (Date.of(2020), Date.of(2020)), Fault("G632")),
    ("mul", (2, 3, 4), 24),
    ("mul", (BIG, 2), Fault("G630")),
    ("mul", (Duration(days=1), 2), Duration(days=2)),
    ("mul", (2, Duration(days=1)), Duration(days=2)),
    ("div", (-7, 2), -3),
    ("div", (7, -2), -3),
    ("div", (-7, 2.0), -3.5),
    ("div", (1, 0), Fault("G631")),
    ("div", (1.0, 0), Fault("G631")),
    ("div", (1, 0.0), math.inf),
    ("div", (-1, 0.0), -math.inf),
    ("div", (0, 0.0), math.nan),
    ("div", (SMALL, -1), SMALL),
    ("div", (Duration(days=3), 2), Duration(days=1, seconds=43200)),
    ("mod", (-7, 3), -1),
    ("mod", (7, -3), 1),
    ("mod", (7.5, 2), 1.5),
    ("mod", (-7.5, 2), -1.5),
    ("mod", (1, 0), Fault("G631")),
    ("mod", (1.0, 0), math.nan),
    ("mod", (1, None), None),
    ("pow", (2, 3), 8.0),
    ("pow", (2, -1), 0.5),
    ("pow", (0, -1), math.inf),
    ("pow", (-8, 1 / 3), math.nan),
    ("pow", (10, 400), math.inf),
    ("pow", (-10, 401), -math.inf),
    ("pow", (1, math.inf), math.nan),
    ("neg", (SMALL,), Fault("G630")),
    ("neg", (1.5,), -1.5),
    ("neg", ("a",), Fault("G632")),
    ("pos", (1,), 1),
    ("concat", ("a", "b"), "ab"),
    ("concat", ([1], [2]), [1, 2]),
    ("concat", ("a", 1), Fault("G632")),
    ("concat", ("a", None), None),
    ("concat", (1, None), Fault("G632")),
]

LOGIC: list[Case] = [
    ("and", (True, None), None),
    ("and", (False, None), False),
    ("and", (None, False), False),
    ("and", (False, "a"), False),
    ("and", ("a", False), Fault("G632")),
    ("and", (True, True, False), False),
    ("or", (None, True), True),
    ("or", (False, None), None),
    ("or", (True, "a"), True),
    ("xor", (True, None), None),
    ("xor", (True, True, True), True),
    ("not", (None,), None),
    ("not", ([],), True),
    ("not", ({},), False),
    ("not", (1,), Fault("G632")),
    ("in", (1, [2, 1.0]), True),
    ("in", (1, [2, None]), None),
    ("in", (None, []), False),
    ("in", ([1], [[1, None], [1]]), True),
    ("in", (1, None), None),
    ("in", (1, 1), True),
    ("is_null", (None,), True),
    ("is_not_null", (0,), True),
]

NUMBERS: list[Case] = [
    ("round", (-2.5,), -2.0),
    ("round", (2.5,), 3.0),
    ("round", (-0.4,), 0.0),
    ("round", (0.49999999999999994,), 0.0),
    ("round", (1e300,), 9.223372036854775807e18),
    ("round", (math.nan,), math.nan),
    ("round", (1.005, 2), 1.01),
    ("round", (-2.5, 0), -2.0),
    ("round", (-2.5, 0, "HALF_UP"), -3.0),
    ("round", (1.25, 1, "HALF_EVEN"), 1.2),
    ("round", (1.25, 1, "HALF_DOWN"), 1.2),
    ("round", (-1.21, 1, "UP"), -1.3),
    ("round", (-1.29, 1, "DOWN"), -1.2),
    ("round", (-1.29, 1, "CEILING"), -1.2),
    ("round", (-1.21, 1, "FLOOR"), -1.3),
    ("round", (1.25, 1, "up"), Fault("G633")),
    ("round", (1.25, 1, "UNNECESSARY"), Fault("G633")),
    ("round", (1.25, -1), Fault("G634")),
    ("round", ("1",), Fault("G632")),
    ("ceil", (-0.5,), -0.0),
    ("ceil", (1,), 1.0),
    ("floor", (-1.5,), -2.0),
    ("floor", (math.inf,), math.inf),
    ("abs", (-1,), 1),
    ("abs", (SMALL,), Fault("G630")),
    ("sign", (-2.5,), -1),
    ("sign", (math.nan,), 0),
    ("isNaN", (1,), False),
    ("isNaN", (math.nan,), True),
    ("sqrt", (-1,), math.nan),
    ("log", (0,), -math.inf),
    ("log", (-1,), math.nan),
    ("log10", (1000,), 3.0),
    ("exp", (1000,), math.inf),
    ("acos", (2,), math.nan),
    ("sin", (math.inf,), math.nan),
    ("cot", (0,), math.inf),
    ("coth", (0,), math.nan),
    ("sinh", (-1000,), -math.inf),
    ("cosh", (1000,), math.inf),
    ("atan2", (1, 0), math.pi / 2),
    ("haversin", (math.pi,), 1.0),
    ("degrees", (math.pi,), 180.0),
    ("pi", (), math.pi),
]

CASTS: list[Case] = [
    ("toString", (1.0,), "1.0"),
    ("toString", (1e7,), "1.0E7"),
    ("toString", (1234567.0,), "1234567.0"),
    ("toString", (0.001,), "0.001"),
    ("toString", (1e-4,), "1.0E-4"),
    ("toString", (-1.5e-10,), "-1.5E-10"),
    ("toString", (5e-324,), "4.9E-324"),
    ("toString", (math.nan,), "NaN"),
    ("toString", (-math.inf,), "-Infinity"),
    ("toString", (True,), "true"),
    ("toString", (LocalTime.of(12),), "12:00:00"),
    ("toString", (Point(7203, 1.0, 2.0),), "point({x: 1.0, y: 2.0, crs: 'cartesian'})"),
    ("toString", ([1],), Fault("G632")),
    ("toStringOrNull", ([1],), None),
    ("toStringList", ([1, None, [1], 2.5],), ["1", None, None, "2.5"]),
    ("toInteger", ("1.9",), 1),
    ("toInteger", (" 42 ",), 42),
    ("toInteger", ("0x1F",), 31),
    ("toInteger", ("1_000",), 1000),
    ("toInteger", ("1e3",), 1000),
    ("toInteger", ("abc",), None),
    ("toInteger", ("9223372036854775808",), Fault("G634")),
    ("toInteger", ("1e400",), Fault("G634")),
    ("toInteger", (-1.9,), -1),
    ("toInteger", (1e300,), BIG),
    ("toInteger", (math.nan,), 0),
    ("toInteger", (True,), 1),
    ("toInteger", ({},), Fault("G632")),
    ("toIntegerOrNull", ("9223372036854775808",), None),
    ("toIntegerList", (["1", 2.5, True, "x", None],), [1, 2, 1, None, None]),
    ("toFloat", ("1e3",), 1000.0),
    ("toFloat", ("-Infinity",), -math.inf),
    ("toFloat", ("1f",), 1.0),
    ("toFloat", ("0x1p3",), 8.0),
    ("toFloat", ("1,5",), None),
    ("toFloat", (True,), Fault("G632")),
    ("toFloatList", ([1, "x"],), [1.0, None]),
    ("toFloatList", (1,), Fault("G632")),
    ("toBoolean", (" TRUE ",), True),
    ("toBoolean", ("yes",), None),
    ("toBoolean", (2,), True),
    ("toBoolean", (1.0,), Fault("G632")),
    ("toBooleanOrNull", (1.0,), None),
    ("toBooleanList", (["true", 0, 1.5],), [True, False, None]),
]

STRINGS: list[Case] = [
    ("toUpper", ("ßé",), "SSÉ"),
    ("toLower", ("ΑΣ",), "ας"),
    ("toUpper", (1,), Fault("G632")),
    ("left", ("😀b", 1), "😀"),
    ("left", ("abc", 10), "abc"),
    ("left", ("abc", -1), Fault("G634")),
    ("left", (None, -1), None),
    ("left", ("abc", 1.9), "a"),
    ("right", ("abc", 2), "bc"),
    ("right", ("abc", 0), ""),
    ("substring", ("abc", 1), "bc"),
    ("substring", ("abc", 1, 1), "b"),
    ("substring", ("abc", 5), ""),
    ("substring", ("abc", -1), Fault("G634")),
    ("substring", ("abc", 1, None), None),
    ("split", ("a,b,,c", ","), ["a", "b", "", "c"]),
    ("split", ("abc", ""), ["a", "b", "c"]),
    ("split", ("", ""), [""]),
    ("split", ("a,b;c", [",", ";"]), ["a", "b", "c"]),
    ("split", ("abc", ["", "b"]), ["a", "c"]),
    ("split", ("abc", []), ["abc"]),
    ("split", ("abc", [None]), None),
    ("split", ("abc", 1), Fault("G632")),
    ("replace", ("abc", "", "X"), "XaXbXcX"),
    ("replace", ("aaa", "a", "b", 2), "bba"),
    ("replace", ("aaa", "a", "b", -1), Fault("G634")),
    ("trim", ("  a\t\n",), "a"),
    ("trim", ("\xa0a\u2003",), "\xa0a"),
    ("btrim", ("xyaxy", "xy"), "a"),
    ("ltrim", ("xxa", "x"), "a"),
    ("rtrim", ("axx", "x"), "a"),
    ("normalize", ("e\u0301",), "é"),
    ("normalize", ("ﬁ", "NFKC"), "fi"),
    ("normalize", ("a", "NFX"), Fault("G633")),
    ("char_length", ("😀b",), 2),
    ("starts_with", ("abc", "a"), True),
    ("starts_with", (1, "a"), None),
    ("ends_with", ("abc", ""), True),
    ("contains", ("abc", None), None),
    ("string.indexOf", ("hello", "l"), 2),
    ("string.join", (["a", None, "b"], "-"), "a-b"),
    ("string.join", (["a", 1], "-"), Fault("G632")),
]

LISTS: list[Case] = [
    ("range", (1, 5, 2), [1, 3, 5]),
    ("range", (5, 1), []),
    ("range", (5, 1, -2), [5, 3, 1]),
    ("range", (5, 4, 4), []),
    ("range", (1, 2, 0), Fault("G634")),
    ("range", (1, 2.0), Fault("G632")),
    ("range", (0, 10**12), Fault("G634")),
    ("size", ("a😀",), 2),
    ("size", ({},), Fault("G632")),
    ("head", ([],), None),
    ("last", ([1, 2],), 2),
    ("last", (1,), Fault("G632")),
    ("tail", ([1, 2, 3],), [2, 3]),
    ("reverse", ([1, None],), [None, 1]),
    ("reverse", ("ab",), "ba"),
    ("reverse", (1,), Fault("G632")),
    ("isEmpty", ({},), True),
    ("isEmpty", (" ",), False),
    ("cardinality", (PATH,), 3),
    ("coll.distinct", ([1, 1.0, None, None, math.inf],), [1, None, math.inf]),
    ("coll.flatten", ([1, [2, [3]]],), [1, 2, [3]]),
    ("coll.flatten", ([1, [2, [3]]], 2), [1, 2, 3]),
    ("coll.flatten", ([], -1), Fault("G634")),
    ("coll.indexOf", ([1, None, 2], 2.0), 2),
    ("coll.insert", ([1, 2], 2, None), [1, 2, None]),
    ("coll.insert", ([1, 2], 3, 0), Fault("G634")),
    ("coll.remove", ([1, 2], 0), [2]),
    ("coll.max", ([1, "a", [1]],), 1),
    ("coll.min", ([1, "a", [1]],), [1]),
    ("coll.sort", ([3, "a", None, 1.5, [1], True],), [[1], "a", True, 1.5, 3, None]),
]

PARTS_OF_VALUES: list[Case] = [
    ("index", ([1, 2], -1), 2),
    ("index", ([1, 2], 2), None),
    ("index", ([1, 2], None), None),
    ("index", ([1, 2], 1.0), Fault("G638")),
    ("index", (MAP, "a"), 1),
    ("index", (MAP, "z"), None),
    ("index", (MAP, 1), Fault("G638")),
    ("index", (NODE, "x"), 1),
    ("index", ("abc", 0), Fault("G638")),
    ("slice", ([1, 2, 3], 0, 2), [1, 2]),
    ("slice", ([1, 2, 3], -2, -1), [2]),
    ("slice", ([1, 2, 3], None, 1), None),
    ("slice_from", ([1, 2, 3], 1), [2, 3]),
    ("slice_to", ([1, 2, 3], -1), [1, 2]),
    ("slice_to", ([1], "a"), Fault("G638")),
    ("property", (MAP, "b"), None),
    ("property", (EDGE, "y"), 2),
    ("property", (Date.of(2020, 5, 1), "month"), 5),
    ("property", (Point(4326, 1.0, 2.0), "latitude"), 2.0),
    ("property", (1, "x"), Fault("G638")),
    ("property_exists", (NODE, "x"), True),
    ("property_exists", (NODE, "z"), False),
]

ELEMENTS: list[Case] = [
    ("labels", (NODE,), ["A", "B"]),
    ("labels", (EDGE,), Fault("G632")),
    ("type", (EDGE,), "R"),
    ("id", (EDGE,), 2),
    ("elementId", (NODE,), "1"),
    ("properties", (NODE,), {"x": 1}),
    ("keys", (MAP,), ["a", "b"]),
    ("keys", (1,), Fault("G632")),
    ("length", (PATH,), 1),
    ("nodes", (PATH,), [NODE, Node(3)]),
    ("relationships", (PATH,), [EDGE]),
    ("nodes", (PathReference((1, 3), (2,)),), [NodeReference(1), NodeReference(3)]),
    ("relationships", (PathReference((1, 3), (2,)),), [EdgeReference(2)]),
    ("startNode", (EDGE,), NodeReference(1)),
    ("endNode", (EDGE,), NodeReference(3)),
    ("coalesce", (None, 1, 2), 1),
    ("nullIf", (1, 1.0), None),
    ("nullIf", ([1, None], [1, None]), [1, None]),
    ("valueType", ([[1], [2, None]],), "LIST<LIST<INTEGER> NOT NULL> NOT NULL"),
    ("valueType", ([[1], ["a"]],), "LIST<LIST<STRING NOT NULL> NOT NULL | LIST<INTEGER NOT NULL> NOT NULL> NOT NULL"),
    ("valueType", ([],), "LIST<NOTHING> NOT NULL"),
    ("valueType", ([None],), "LIST<NULL> NOT NULL"),
    ("valueType", (DateTime(0),), "ZONED DATETIME NOT NULL"),
    ("uuid", ("x",), Fault("G633")),
    ("vector.similarity.cosine", ([1, 2], [3, 5]), 0.9985272288322449),
    ("vector.similarity.euclidean", ([1, 2], [3, 5]), 0.0714285746216774),
    ("vector.similarity.euclidean", ([1, 2], [3]), Fault("G633")),
    ("vector.similarity.cosine", ([0, 0], [3, 1]), Fault("G633")),
    ("vector.similarity.cosine", (["a"], [3]), Fault("G632")),
]


BYTES = Vector("INTEGER8", (1, 2))
FLOATS = Vector("FLOAT64", (3.0, 4.0))
OTHER = Vector("FLOAT64", (3.0, 5.0))
VECTORS: list[Case] = [
    ("vector", ([1.5, 2], 2, "INT8"), BYTES),
    ("vector", ("[1, 2.5]", 2, "FLOAT"), Vector("FLOAT64", (1.0, 2.5))),
    ("vector", ([1, 2], 3, "FLOAT"), Fault("G633")),
    ("vector", ([], 0, "FLOAT"), Fault("G634")),
    ("vector", ([128], 1, "INTEGER8"), Fault("G630")),
    ("vector", ([1e40], 1, "FLOAT32"), Fault("G633")),
    ("vector", ([None], 1, "FLOAT"), Fault("G632")),
    ("vector", ("1, 2", 2, "FLOAT"), Fault("G633")),
    ("vector_dimension_count", (BYTES,), 2),
    ("size", (BYTES,), 2),
    ("add", ("", BYTES), "vector([1, 2], 2, INTEGER8)"),
    ("add", ("", Vector("FLOAT32", (0.10000000149011612,))), "vector([0.1], 1, FLOAT32)"),
    ("toString", (BYTES,), Fault("G632")),
    ("toFloatList", (BYTES,), [1.0, 2.0]),
    ("toIntegerList", (Vector("FLOAT64", (1.7, -2.7)),), [1, -2]),
    ("valueType", (BYTES,), "VECTOR<INTEGER8 NOT NULL>(2) NOT NULL"),
    ("valueType", (FLOATS,), "VECTOR<FLOAT NOT NULL>(2) NOT NULL"),
    ("vector_norm", (FLOATS, "EUCLIDEAN"), 5.0),
    ("vector_norm", (FLOATS, "MANHATTAN"), 7.0),
    ("vector_norm", (BYTES, "DOT"), Fault("G633")),
    ("vector_distance", (BYTES, OTHER, "EUCLIDEAN"), 3.605551242828369),
    ("vector_distance", (BYTES, OTHER, "EUCLIDEAN_SQUARED"), 13.0),
    ("vector_distance", (BYTES, OTHER, "DOT"), -13.0),
    ("vector_distance", (BYTES, OTHER, "HAMMING"), 2.0),
    ("vector_distance", (BYTES, OTHER, "COSINE"), 0.002945542335510254),
    ("vector_distance", (Vector("FLOAT64", (0.0, 0.0)), OTHER, "COSINE"), math.nan),
    ("vector_distance", (BYTES, Vector("FLOAT64", (1.0,)), "DOT"), Fault("G633")),
    ("vector.similarity.cosine", (BYTES, [3, 5]), 0.9985272288322449),
    ("eq", (BYTES, Vector("INTEGER8", (1, 2))), True),
    ("eq", (BYTES, Vector("FLOAT64", (1.0, 2.0))), False),
    ("lt", (BYTES, Vector("INTEGER8", (1, 3))), None),
    ("le", (BYTES, BYTES), True),
]


@pytest.mark.parametrize(
    ("name", "values", "expected"),
    [*VECTORS, *ARITHMETIC, *LOGIC, *NUMBERS, *CASTS, *STRINGS, *LISTS, *PARTS_OF_VALUES, *ELEMENTS],
)
def test_call(name: str, values: tuple[Any, ...], expected: Any) -> None:
    check(name, values, expected)


def test_random_values() -> None:
    assert 0 <= call("rand") < 1
    assert len(call("randomUUID")) == 36
    assert call("randomUUID") != call("randomUUID")
    assert call("timestamp") > 1_600_000_000_000


def test_uuids() -> None:
    made = call("uuid", "123E4567-e89b-12d3-a456-426614174000")
    assert call("toString", made) == "123e4567-e89b-12d3-a456-426614174000"
    high, low = call("uuid.mostSignificantBits", made), call("uuid.leastSignificantBits", made)
    assert (high, low) == (1314564453825188563, -6605018797301088256)
    assert call("uuid", high, low) == made
