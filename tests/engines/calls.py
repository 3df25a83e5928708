"""Random calls of operators and functions on values, for a real engine and the reference functions to agree on.

    for call in calls(seed=1, count=100):
        call.query                     # WITH $v AS v RETURN left(v[0], v[1]) AS x
        call.function, call.values     # ("left", ["abc", 2])

The values come as items of a parameter, so that the engine knows no types before it runs.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

from graphir.values import Date, DateTime, Duration, LocalDateTime, LocalTime, Point, Time


@dataclass(frozen=True)
class Call:
    function: str
    query: str
    values: list[Any]
    dialect: str = "neo4j-25"


INTEGERS = (
    *(0, 1, -1, 2, 3, -3, 7, 10, 100, 2**31 - 1, 2**31, -(2**31)),
    *(2**53, 2**53 + 1, 2**63 - 1, -(2**63), 12345),
)
FLOATS = (
    *(0.0, -0.0, 0.5, -0.5, 1.0, 1.5, -1.5, 2.5, -2.5, 1e7, 9999999.0, 0.001, 1e-4, 1e21, 1e300, 5e-324, 1 / 3),
    *(math.nan, math.inf, -math.inf, 2.345, 1.005, 123456.789, 9007199254740993.0, 9.3e18, -2.675),
)
STRINGS = (
    *("", "a", "ab", "abc", "aXbXc", " a ", "\t x\n", "ß", "é", "e\u0301", "\U0001f600b", "İ", "ΑΣ", "ǆ", "a,b;c"),
    *("1", "-7", " 12 ", "1.5", "1e3", "0x1F", "NaN", "abc1", "true", "FALSE", " True", "9223372036854775808"),
    *("b", "X", ",", "aa", "aaa", "\xa0z\xa0", "ŉ", "ﬁ", "null", "NFD", "+5", ".5", "5.", "1e400", "0b1", "1f", "- 1"),
    *("1_0", "0o17", "1.5f", "Infinity", "-.5e-2"),
)
PATTERNS = (
    *("a.*", ".*", "", "(?i)AB", "[a-c]+", "\\d+", "a|b", "(", "\\w+", "[^a]*", ".", "\\p{L}+", "(?s).*", "a{1,2}"),
    *("\\s*a\\s*", "\\Qa\\E.*", "(a)(b)?.*", "^abc$", "[[:alpha:]]", "*", "a**", "\\", "[a-", "x{2", "(?i)É"),
    *("(?<x>a)\\k<x>", "x(?i)A|B", "\\B", "[]a]", "\\E", "a++b", "{"),
)
TEMPORALS = (
    *(Date.of(2020, 2, 29), Date.of(1969, 12, 31), LocalTime.of(12), LocalTime.of(23, 59, 59, 999_999_999)),
    *(Time.parse("12:00+01:00"), Time.parse("13:00+02:00"), LocalDateTime.parse("2020-02-29T12:34:56.789")),
    *(DateTime.parse("2020-02-29T14:34:56+02:00"), DateTime.parse("2020-02-29T13:34:56+01:00")),
    *(Duration(), Duration(1, 2, 3, 4), Duration(days=1), Duration(seconds=86400), Duration(-1, 40, -5, 500_000_000)),
)
POINTS = (Point(7203, 1.0, 2.0), Point(7203, 2.0, 1.0), Point(4326, 1.0, 2.0), Point(9157, 1.0, 2.0, 3.0))


class Dice:
    """Makes values."""

    def __init__(self, seed: str) -> None:
        self.random = random.Random(seed)

    def of(self, kind: str) -> Any:
        """A value of a kind, now and then of another."""
        if self.random.random() < 0.04:
            return None
        if self.random.random() < 0.12:
            kind = self.random.choice(("int", "float", "str", "bool", "list", "map", "temporal", "point"))
        return MAKERS[kind](self)

    def pick(self, values: tuple[Any, ...]) -> Any:
        return self.random.choice(values)

    def any(self) -> Any:
        kinds = ("int", "int", "float", "str", "str", "bool", "list", "map", "temporal", "point", "null")
        return MAKERS[self.random.choice(kinds)](self)

    def mixed(self) -> list[Any]:
        size = self.random.choice((0, 1, 1, 2, 2, 3))
        return [self.any() if self.random.random() < 0.7 else None for _ in range(size)]

    def close(self) -> list[Any]:
        """A list of values of one kind, so that comparing them tells something."""
        kind = self.random.choice(("int", "float", "str", "small", "small"))
        return [MAKERS[kind](self) for _ in range(self.random.randint(0, 3))]

    def of_strings(self) -> Any:
        """An item of a list of strings."""
        return MAKERS[self.pick(("char", "str", "str", "null"))](self)

    def entries(self) -> dict[str, Any]:
        return {key: self.any() for key in ("a", "b", "c") if self.random.random() < 0.4}


MAKERS: dict[str, Callable[[Dice], Any]] = {
    "null": lambda _: None,
    "int": lambda dice: dice.pick(INTEGERS) if dice.random.random() < 0.6 else dice.random.randint(-20, 20),
    "small": lambda dice: dice.random.randint(-2, 5),
    "float": lambda dice: dice.pick(FLOATS) if dice.random.random() < 0.7 else round(dice.random.uniform(-50, 50), 3),
    "number": lambda dice: MAKERS[dice.pick(("int", "float", "small"))](dice),
    "str": lambda dice: dice.pick(STRINGS),
    "pattern": lambda dice: dice.pick(PATTERNS),
    "char": lambda dice: dice.pick(("a", "b", " ", "X", ",", "")),
    "bool": lambda dice: dice.random.random() < 0.5,
    "list": lambda dice: dice.close() if dice.random.random() < 0.4 else dice.mixed(),
    "map": lambda dice: dice.entries(),
    "temporal": lambda dice: dice.pick(TEMPORALS),
    "duration": lambda dice: dice.pick(TEMPORALS[-5:]),
    "point": lambda dice: dice.pick(POINTS),
    "any": lambda dice: dice.any(),
    "key": lambda dice: dice.pick(("a", "b", "year", "x", "days")),
    "mode": lambda dice: dice.pick(("UP", "DOWN", "CEILING", "FLOOR", "HALF_UP", "HALF_DOWN", "HALF_EVEN")),
    "digits": lambda dice: dice.pick((0, 0, 1, 2, 3, 5, 20)),
    "strings": lambda dice: [dice.of_strings() for _ in range(dice.random.randint(0, 3))],
}

_OPERATORS = {
    **{
        "add": "+",
        "sub": "-",
        "mul": "*",
        "div": "/",
        "mod": "%",
        "pow": "^",
        "concat": "||",
        "and": "AND",
        "or": "OR",
    },
    **{"xor": "XOR", "in": "IN", "eq": "=", "ne": "<>", "lt": "<", "le": "<=", "gt": ">", "ge": ">=", "matches": "=~"},
    **{"starts_with": "STARTS WITH", "ends_with": "ENDS WITH", "contains": "CONTAINS"},
}
_TEMPLATES = {
    **{"index": "{0}[{1}]", "slice": "{0}[{1}..{2}]", "slice_from": "{0}[{1}..]", "slice_to": "{0}[..{1}]"},
    **{"neg": "-{0}", "not": "NOT {0}", "is_null": "{0} IS NULL", "is_not_null": "{0} IS NOT NULL"},
}

_SHAPES = """
sub mul div mod pow: number number | temporal duration | duration number
add: number number | temporal duration | str any | any str | list any | any list | any any
concat: str str | list list
and or xor: bool bool
in: any list | small list | list list
eq ne lt le gt ge: number number | any any | list list | map map | str str
matches: str pattern
starts_with ends_with contains: str char | str str
abs acos asin atan ceil cos cot degrees exp floor haversin isNaN log log10 radians sign sin sqrt tan: number
sinh cosh tanh coth: number
atan2: number number
round: number | float digits | float digits mode
toString toStringOrNull toInteger toIntegerOrNull toFloat toFloatOrNull: any | str | float
toBoolean toBooleanOrNull: any | str
toStringList toIntegerList toFloatList toBooleanList: list | strings
char_length toLower toUpper trim ltrim rtrim btrim normalize: str
left right: str small | str int
substring: str small | str small small
split: str char | str str | str strings
replace: str str str | str char char | str char str small
string.indexOf: str str | str char
string.join: strings char
string.regexReplace: str pattern char
size head last tail reverse isEmpty: list | str | any
range: small small | small small small
keys properties: map | any
coalesce: any any | null any any
nullIf: any any | small small | list list
valueType: any | list
coll.distinct coll.flatten coll.max coll.min coll.sort: list
coll.indexOf: list small | list any
coll.insert: list small any
coll.remove: list small
cardinality: list | map
index: list small | map key | any any | temporal key
slice: list small small
slice_from slice_to: list small
neg: number
not: bool
is_null is_not_null: any
"""


@cache
def shapes() -> dict[str, list[list[str]]]:
    """Function -> the kinds of its arguments, one list for each form."""
    found = {}
    for line in _SHAPES.split("\n")[1:-1]:
        names, _, forms = line.partition(": ")
        for name in names.split():
            found[name] = [form.split() for form in forms.split(" | ")]
    return found


def _expression(function: str, count: int) -> str:
    places = [f"v[{at}]" for at in range(count)]
    if function in _TEMPLATES:
        return _TEMPLATES[function].format(*places)
    if function in _OPERATORS:
        return f" {_OPERATORS[function]} ".join(places)
    return f"{function}({', '.join(places)})"


def calls(function: str, seed: int, count: int) -> Iterator[Call]:
    """Calls of one function, always the same ones for a seed."""
    dice = Dice(f"{function} {seed}")
    forms = shapes()[function]
    for at in range(count):
        kinds = forms[at % len(forms)]
        values = [dice.of(kind) for kind in kinds]
        yield Call(function, f"WITH $v AS v RETURN {_expression(function, len(kinds))} AS x", values)


AGGREGATES = ("avg", "collect", "count", "max", "min", "percentileCont", "percentileDisc", "stDev", "stDevP", "sum")


@dataclass(frozen=True)
class Aggregation:
    """An aggregate over the values `row.v` of the rows in a parameter; `arguments` are $p, if there are any."""

    function: str
    query: str
    values: list[Any]
    arguments: list[Any]
    unique: bool


def aggregations(function: str, seed: int, count: int) -> Iterator[Aggregation]:
    dice = Dice(f"{function} {seed}")
    for _ in range(count):
        unique = dice.random.random() < 0.3
        kind = dice.pick(("int", "small", "number", "number", "small", "duration", "any", "float"))
        size = dice.random.randint(0, 12)
        values = [None if dice.random.random() < 0.1 else MAKERS[kind](dice) for _ in range(size)]
        arguments = [dice.pick((0, 1, 0.5, 0.25, 0.9, 0.1, 0.333, 1.0))] if "percentile" in function else []
        call = f"{function}({'DISTINCT ' if unique else ''}row.v{', $p' if arguments else ''})"
        yield Aggregation(function, f"UNWIND $v AS row RETURN {call} AS x", values, arguments, unique)
