"""Random nested expressions over values named r.i, r.j (integers), r.f (a float), r.s, r.t (strings), r.b (a boolean),
r.l, r.k (lists) and r.m (a map), for engines to agree on.

Most are well typed, so that most have a value; a few parts are of the wrong type on purpose.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

KINDS = ("int", "float", "str", "bool", "ints", "strs", "map")
LITERALS: dict[str, tuple[str, ...]] = {
    "int": ("0", "1", "2", "3", "-1", "7", "null"),
    "float": ("0.5", "2.0", "-1.5", "1e3", "null"),
    "str": ("'a'", "'b'", "'ab'", "''", "'1'", "'2.5'", "null"),
    "bool": ("true", "false", "null"),
    "ints": ("[1, 2, 3]", "[]", "[1, null]", "[3, 1]", "null"),
    "strs": ("['a', 'b']", "['b', null]", "[]", "['1', 'x']"),
    "map": ("{a: 1, b: 'x'}", "{a: null}", "{}", "{a: [1, 2], b: {c: 1}}"),
}
FORMS: dict[str, tuple[str, ...]] = {
    "int": (
        *("({int} + {int})", "({int} - {int})", "({int} * {int})", "({int} / {int})", "({int} % {int})", "-{int}"),
        *("size({ints})", "size({str})", "abs({int})", "toInteger({str})", "toInteger({float})", "sign({float})"),
        *("{ints}[{int}]", "{map}.a", "head({ints})", "last({ints})", "coalesce({int}, {int})", "{map}['a']"),
        *("reduce(s = 0, v IN {ints} | s + v)", "CASE WHEN {bool} THEN {int} ELSE {int} END", "char_length({str})"),
        *("CASE {int} WHEN 1 THEN {int} WHEN {int} THEN {int} END", "nullIf({int}, {int})", "size({strs})"),
    ),
    "float": (
        *("({float} + {int})", "({int} * {float})", "({float} / {float})", "({int} ^ {int})", "round({float})"),
        *("sqrt({int})", "toFloat({str})", "abs({float})", "ceil({float})", "({float} - {float})", "floor({float})"),
        *("({int} / {float})", "exp({int})", "coalesce({float}, {float})", "round({float}, 1)", "toFloat({int})"),
    ),
    "str": (
        *("({str} + {str})", "({str} + {int})", "toString({int})", "toString({float})", "substring({str}, {int})"),
        *("left({str}, {int})", "toUpper({str})", "replace({str}, {str}, {str})", "trim({str})", "reverse({str})"),
        *("{strs}[{int}]", "coalesce({str}, {str})", "CASE WHEN {bool} THEN {str} END", "toString({bool})"),
        *("head({strs})", "({float} + {str})", "right({str}, {int})", "reduce(s = '', v IN {strs} | s + v)"),
    ),
    "bool": (
        *("({int} < {int})", "({float} >= {int})", "({str} = {str})", "({int} <> {float})", "({ints} = {ints})"),
        *("({bool} AND {bool})", "({bool} OR {bool})", "({bool} XOR {bool})", "(NOT {bool})", "({int} IN {ints})"),
        *("({str} STARTS WITH {str})", "({str} CONTAINS {str})", "({str} =~ 'a.*')", "({int} IS NULL)"),
        *("all(v IN {ints} WHERE v > {int})", "any(v IN {ints} WHERE v = {int})", "none(v IN {strs} WHERE v = {str})"),
        *("single(v IN {ints} WHERE v < {int})", "({int} < {int} <= {int})", "isEmpty({str})", "({map} = {map})"),
        *("({str} < {str})", "({any} = {any})", "({any} < {any})", "({int} IS NOT NULL)", "isEmpty({ints})"),
        *("toBoolean({str})", "({any} IN [{any}, {any}])", "(({int} = {int}) IS NULL)", "({str} ENDS WITH {str})"),
    ),
    "ints": (
        *("({ints} + {ints})", "({ints} + {int})", "[v IN {ints} | v + {int}]", "[v IN {ints} WHERE v > {int}]"),
        *("range({int0}, {int3})", "{ints}[{int}..{int}]", "{ints}[{int}..]", "{ints}[..{int}]", "tail({ints})"),
        *("reverse({ints})", "[{int}, {int}]", "[v IN {ints} WHERE {bool} | v * v]", "toIntegerList({strs})"),
    ),
    "strs": (
        *("split({str}, {str})", "[v IN {strs} WHERE v <> {str} | v + 'x']", "({strs} + {str})", "[{str}, {str}]"),
        *("keys({map})", "tail({strs})", "[v IN {ints} | toString(v)]", "toStringList({ints})"),
    ),
    "map": ("{{a: {int}, b: {str} }}", "properties({map})", "{{a: {any} }}", "coalesce({map}, {{ }})"),
}
NAMES = {
    **{"int": ("r.i", "r.j"), "float": ("r.f",), "str": ("r.s", "r.t"), "bool": ("r.b",), "ints": ("r.l",)},
    **{"strs": ("r.k",), "map": ("r.m",)},
}


class Expressions:
    def __init__(self, seed: str) -> None:
        self.dice = random.Random(seed)

    def of(self, kind: str, depth: int) -> str:
        if kind == "any":
            kind = self.dice.choice(KINDS)
        if kind.startswith("int") and kind[3:].isdigit():
            return str(self.dice.randint(0, int(kind[3:])))
        chance = self.dice.random()
        if chance < 0.01:
            kind = self.dice.choice(KINDS)
        if depth <= 0 or chance > 0.85:
            names = NAMES[kind]
            return self.dice.choice(names if self.dice.random() < 0.6 else LITERALS[kind])
        return self.filled(self.dice.choice(FORMS[kind]), depth - 1)

    def filled(self, form: str, depth: int) -> str:
        parts = form.replace("{{", "\0").replace("}}", "\1").split("{")
        text = parts[0]
        for part in parts[1:]:
            kind, _, rest = part.partition("}")
            text += self.of(kind, depth) + rest
        return text.replace("\0", "{").replace("\1", "}")

    def row(self) -> dict[str, Any]:
        pick = self.dice.choice
        return {
            "i": pick((0, 1, 2, -3, None)),
            "j": pick((1, 2, 5, 10)),
            "f": pick((0.0, 0.5, -2.5, 1e10, None)),
            "s": pick(("a", "ab", "", "12", "ß", None)),
            "t": pick(("b", "abc", "1.5", "true")),
            "b": pick((True, False, None)),
            "l": pick(([1, 2, 3], [], [None, 1], [5], None)),
            "k": pick((["a", "b"], ["1", "2"], [])),
            "m": pick(({"a": 1, "b": "x"}, {"a": None}, {})),
        }

    def any(self) -> str:
        """An expression of any kind, of one to four levels."""
        return self.of(self.dice.choice(KINDS), self.dice.choice((1, 2, 2, 3, 4)))


def over_a_parameter(seed: int, count: int) -> Iterator[tuple[str, dict[str, Any]]]:
    """Queries with the map for their parameter `r`: no type is known before they run."""
    made = Expressions(f"parameter {seed}")
    for _ in range(count):
        yield f"WITH $r AS r RETURN {made.any()} AS x", made.row()


def nodes(seed: int) -> list[dict[str, Any]]:
    """The properties of a few nodes."""
    made = Expressions(f"nodes {seed}")
    rows = []
    for number in range(5):
        row = {key: value for key, value in made.row().items() if value is not None and key != "m"}
        rows.append({**row, "l": [item for item in row.get("l", ()) if item is not None], "id": number})
    return rows


def over_nodes(seed: int, count: int) -> Iterator[str]:
    """Queries over nodes r: types are known where all nodes agree."""
    made = Expressions(f"over nodes {seed}")
    for _ in range(count):
        yield f"MATCH (r:N) RETURN {made.any().replace('r.m', '{a: r.i, b: r.s}')} AS x ORDER BY r.id"
