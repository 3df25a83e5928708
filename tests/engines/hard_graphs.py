"""Random graphs for `hard_queries.py`, as statements that create them, and the values that occur in them."""

from __future__ import annotations

import random
from typing import Any

LABELS = (("A",), ("B",), ("A", "B"), ("C",), ())
TYPES = ("R", "S", "T")
LABEL_TESTS = (
    ":A",
    ":B",
    ":A|B",
    ":!A",
    ":%",
    ":A&B",
    ":A&!B",
    ":!(A|B)",
    ":(A|B)&!C",
    ":!%",
    ":C|!A",
    "",
    "",
    "",
    "",
    "",
    "",
)
TYPE_TESTS = (":R", ":S", ":R|S", ":!R", ":R|T", *[""] * 8, ":%")
FLOATS = ("0.5", "1.5", "-2.0", "3.0", "0.0/0.0", "1.0/0.0", "-1.0/0.0", "1e-3")
PLAIN_FLOATS = ("0.5", "1.5", "-2.0", "3.0", "4.0", "1e-3", "1.0/0.0")
STRINGS = ("''", "'a'", "'b'", "'ab'", "'Ça'", "'a b'", "'1'", "'2.5'", "'true'", "'x,y'")
MIXED = ("1", "2.5", "'a'", "''", "true", "false", "[1, 2]", "['a']", "date('2020-01-01')", "duration('P1M')", "-7")
DATES = ("date('2019-12-31')", "date('2020-01-01')", "date('2020-02-29')", "date('2024-12-30')")
TIMES = (
    "datetime('2020-01-01T10:00:00Z')",
    "datetime('2020-01-01T12:00:00+02:00')",
    "datetime('2020-06-30T23:59:59.5+01:00')",
    "datetime('2019-03-31T01:30:00[Europe/Berlin]')",
)
DURATIONS = (
    "duration('P1M')",
    "duration('P30D')",
    "duration('PT36H')",
    "duration('P1DT-1S')",
    "duration('P1Y2M3DT4.5S')",
)
LISTS = ("[]", "[1, 2, 3]", "[3, null, 1]", "[0]", "[null]", "[2, 2]")
SCALARS = ("int", "float", "str", "bool", "date", "dt", "ints", "any")
NAMES = ("'x'", "'s'", "'m'", "'zz'", "$str", "null")
PARAMETERS: dict[str, Any] = {
    "int": 2,
    "str": "ab",
    "float": 1.5,
    "bool": True,
    "ints": [1, None, 3],
    "any": "a",
    "null": None,
    "map": {"a": 1, "b": "x", "c": {"d": [1, 2]}},
    "rows": [{"a": 1, "b": "x", "l": [1, 2]}, {"a": 2.5, "b": None}, {"b": "y", "n": {"a": True}}],
}


def graph(seed: int) -> str:
    """A statement that creates a graph: nodes have a unique `i`, edges a unique `k`."""
    dice = random.Random(f"hard graph {seed}")
    parts = []
    count = dice.randint(3, 5)
    for i in range(count):
        properties = [f"i: {i}"]
        for name, choices, share in (
            ("x", [str(n) for n in range(-2, 4)], 0.75),
            ("s", STRINGS, 0.7),
            ("f", FLOATS if seed % 5 == 0 else (*PLAIN_FLOATS, "0.0"), 0.7),
            ("b", ("true", "false"), 0.6),
            ("m", MIXED, 0.8),
            ("d", DATES, 0.6),
            ("t", TIMES, 0.5),
            ("l", ("[1, 2, 3]", "[]", "[2]"), 0.6),
            ("u", DURATIONS, 0.4),
        ):
            if dice.random() < share:
                properties.append(f"{name}: {dice.choice(choices)}")
        labels = "".join(f":{label}" for label in dice.choice(LABELS))
        parts.append(f"(n{i}{labels} {{{', '.join(properties)}}})")
    for k in range(dice.randint(4, 9)):
        properties = [f"k: {k}"]
        if dice.random() < 0.75:
            properties.append(f"w: {dice.randint(-1, 3)}")
        if dice.random() < 0.5:
            properties.append(f"m: {dice.choice(MIXED)}")
        if dice.random() < 0.5:
            properties.append(f"s: {dice.choice(STRINGS)}")
        a, b = dice.randrange(count), dice.randrange(count)
        parts.append(f"(n{a})-[:{dice.choice(TYPES)} {{{', '.join(properties)}}}]->(n{b})")
    return "CREATE " + ", ".join(parts)
