"""Queries that say one construct n times, inside of itself or side by side: what they become must grow as they do.

`SPECIMENS` has a maker for each: n -> the query, over `SCHEMA`.  Operators and functions are those that queries are
generated of (`graphir.generation.forms`), each put into each of its operands; where its value is of another kind than
the operand, it goes there by way of an integer.
"""

from __future__ import annotations

from collections.abc import Callable

import graphir
from graphir.generation.forms import CHOICES, FORMS
from graphir.generation.kinds import literal

Maker = Callable[[int], str]

SCHEMA = graphir.Schema.read(
    """
    CREATE TABLE p (id bigint PRIMARY KEY, i bigint, f double precision, s text, b boolean, date date, dt timestamptz,
      ldt timestamp, time time, ztime timetz, dur interval, ints bigint[], strs text[], floats double precision[]);
    CREATE TABLE k (id bigint PRIMARY KEY, a bigint REFERENCES p (id), b bigint REFERENCES p (id), i bigint);
    CREATE PROPERTY GRAPH g
      VERTEX TABLES (p LABEL "P" PROPERTIES (id, i, f, s, b, date, dt, ldt, time, ztime, dur, ints, strs, floats))
      EDGE TABLES (k SOURCE KEY (a) REFERENCES p (id) DESTINATION KEY (b) REFERENCES p (id) LABEL "K"
        PROPERTIES (id, i));
    """,
    format="postgres-ddl",
)

_LEAVES = {kind: f"p.{kind}" for kind in ("date", "dt", "ldt", "time", "ztime", "dur", "ints", "strs", "floats")} | {
    **{"int": "p.i", "float": "p.f", "str": "p.s", "bool": "p.b", "any": "p.i", "big": "p.i", "approx": "p.f"},
    **{"anys": "[p.i, p.s]", "map": "{a: p.i}", "point": "point({x: p.f, y: p.f})"},
    **{"node": "p", "edge": "r", "path": "w", "nodes": "nodes(w)", "edges": "relationships(w)"},
}
_TO_INTEGER = {
    **dict.fromkeys(("int", "big"), "{}"),
    **dict.fromkeys(("float", "approx", "any"), "toInteger({})"),
    **dict.fromkeys(("str", "ints", "strs", "floats", "anys", "nodes", "edges"), "size({})"),
    **dict.fromkeys(("date", "dt", "ldt"), "{}.year"),
    **dict.fromkeys(("node", "edge"), "{}.i"),
    **{"bool": "CASE WHEN {} THEN 1 ELSE 2 END", "dur": "{}.days", "map": "{}.a"},
}
_OF_INTEGER = {
    **dict.fromkeys(("int", "big", "any"), "{}"),
    **dict.fromkeys(("float", "approx"), "toFloat({})"),
    **{"str": "toString({})", "bool": "({} > 1)", "ints": "[{}, 1]", "strs": "[toString({})]", "map": "{{a: {}}}"},
    **{"floats": "[toFloat({})]", "anys": "[{}, 'x']", "date": "date({{year: {}, month: 1, day: 1}})"},
    "dur": "duration({{days: {}}})",
}


def _converted(text: str, kind: str, other: str) -> str | None:
    """A value of a kind as one of another; None where there is no way."""
    if kind == other:
        return text
    if kind not in _TO_INTEGER or other not in _OF_INTEGER:
        return None
    return _OF_INTEGER[other].format(_TO_INTEGER[kind].format(text))


def _operand(spec: str) -> str:
    return literal(CHOICES[spec[1:]][1]) if spec[0] in "=!" else _LEAVES[spec.rstrip("!").split("|")[0]]


def _of_form(kind: str, template: str, specs: list[str], place: int, operand: str) -> Maker | None:
    """A form, n times in one of its operands, which is of a kind."""
    if _converted("", kind, operand) is None:
        return None
    head = "w = (p:P)-[r:K]->(:P)" if {"edge", "path", "nodes", "edges", "node|edge"} & set(specs) else "(p:P)"

    def make(count: int) -> str:
        text = _LEAVES[kind]
        for _ in range(count):
            held = _converted(text, kind, operand) or ""
            text = template.format(*[held if at == place else _operand(spec) for at, spec in enumerate(specs)])
        return f"MATCH {head} RETURN {text} AS x"

    return make


def _forms() -> dict[str, Maker]:
    made: dict[str, Maker] = {}
    for kind, _, template, operands, _, _ in FORMS:
        specs = operands.split()
        for place, spec in enumerate(specs):
            for operand in [] if spec[0] in "=!" else spec.rstrip("!").split("|"):
                found = _of_form(kind, template, specs, place, operand)
                if found is not None:
                    made[f"{template} of {operands}: {operand} at {place} gives {kind}"] = found
    return made


def nested(template: str, leaf: str, around: str = "MATCH (p:P) RETURN {} AS x") -> Maker:
    """`template` in itself: it stands at `$0`; `$n` is another number each time."""

    def make(count: int) -> str:
        text = leaf
        for at in range(count):
            text = template.replace("$n", str(at)).replace("$0", text)
        return around.format(text)

    return make


def repeated(template: str, between: str, head: str, tail: str) -> Maker:
    """`template` side by side; `$n` counts from 0, `$m` from 1, and in head and tail `$n` is how many there are."""

    def make(count: int) -> str:
        parts = [template.replace("$n", str(at)).replace("$m", str(at + 1)) for at in range(count)]
        return head.replace("$n", str(count)) + between.join(parts) + tail.replace("$n", str(count))

    return make


_WHERE = "MATCH (p:P) WHERE {} RETURN p.i AS x"
_VALUES = (
    ("int", "p.i", "1"),
    ("str", "p.s", "'a'"),
    ("bool", "p.b", "true"),
    ("float", "p.f", "1.5"),
    ("ints", "p.ints", "[1]"),
)
_OF_ANY = {
    "CASE subject": "CASE $0 WHEN {other} THEN {leaf} WHEN {leaf} THEN {other} ELSE {other} END",
    "CASE value": "CASE {leaf} WHEN $0 THEN {leaf} ELSE {other} END",
    "CASE result": "CASE WHEN p.b THEN $0 ELSE {leaf} END",
    "CASE default": "CASE WHEN p.b THEN {other} ELSE $0 END",
    "CASE test": "CASE WHEN $0 = {other} THEN {leaf} ELSE {other} END",
    "coalesce() left": "coalesce($0, {other})",
    "coalesce() right": "coalesce({leaf}, $0)",
    "nullIf() left": "nullIf($0, {other})",
    "nullIf() right": "nullIf({other}, $0)",
    "item": "[$0, {leaf}][0]",
    "item at a place": "[$0, {leaf}][p.i]",
    "field": "{{a: $0}}.a",
    "IN": "CASE WHEN $0 IN [{other}, {leaf}] THEN {leaf} ELSE {other} END",
    "IN constants": "CASE WHEN $0 IN [{other}, {other}] THEN {leaf} ELSE {other} END",
    "among": "CASE WHEN {leaf} IN [{other}, $0] THEN {leaf} ELSE {other} END",
    "IS NULL": "CASE WHEN $0 IS NULL THEN {leaf} ELSE {other} END",
}
_NESTED = (
    ("CASE WHEN p.i + 1 IN $0 + [p.i] THEN [1] ELSE p.ints END", "p.ints"),
    ("[x$n IN $0 | x$n + 1]", "p.ints"),
    ("[x$n IN $0 WHERE x$n > 1]", "p.ints"),
    ("[x$n IN p.ints | size($0)]", "p.ints"),
    ("[x$n IN p.ints WHERE x$n IN $0]", "p.ints"),
    ("[reduce(a$n = 0, x$n IN $0 | a$n + x$n)]", "p.ints"),
    ("reduce(a$n = $0, x$n IN p.ints | a$n + x$n)", "p.i"),
    ("reduce(a$n = 0, x$n IN p.ints | a$n + $0)", "p.i"),
    ("reduce(a$n = [], x$n IN p.ints | a$n + $0)", "p.ints"),
    ("COUNT {{ MATCH (p)-[:K]->(q$n:P) WHERE q$n.i > $0 }}", "p.i"),
    ("size([(p)-[:K]->(q$n:P) WHERE q$n.i > $0 | q$n.i])", "p.i"),
    ("(EXISTS {{ (p)-[:K]->(:P) }} = $0)", "p.b"),
    ("p.ints[$0]", "p.i"),
    ("p.ints[1..size($0)]", "p.ints"),
    ("($0 + p.i)", "p.ints"),
    ("(p.i + $0)", "p.ints"),
    ("trim(p.s + $0)", "p.s"),
    ("(p.s + substring($0, 1))", "p.s"),
    ("replace(p.s, 'a', $0)", "p.s"),
    ("split($0, 'a')[0]", "p.s"),
    ("coalesce(trim($0), 'a')", "p.s"),
    ("CASE WHEN trim($0) = '' THEN trim(p.s) ELSE '' END", "p.s"),
    ("CASE WHEN trim($0) IN ['', 'a'] THEN trim(p.s) ELSE '' END", "p.s"),
    ("CASE WHEN $0 STARTS WITH trim(p.s) THEN 'a' ELSE '' END", "p.s"),
    ("range(0, size($0))", "p.ints"),
    ("($0 / p.i)", "p.f"),
    ("(p.i % (1 + $0))", "p.i"),
    ("($0 ^ 2)", "p.f"),
    ("p {{.i, a: $0}}", "p.i"),
    ("((p.i / p.i = $n) AND $0)", "p.b"),
    ("($0 AND (p.i / p.i = $n))", "p.b"),
    ("(((p.i = $n) AND $0) = p.b)", "p.b"),
    ("(((p.i = $n) OR $0) XOR p.b)", "p.b"),
)
_REPEATED = {
    "sum of lists": ("p.ints", " + ", "MATCH (p:P) RETURN ", " AS x"),
    "sum of lists, some of them items": ("[p.i] + p.ints", " + ", "MATCH (p:P) RETURN ", " AS x"),
    "sum of collected lists": ("l", " + ", "MATCH (p:P) WITH collect(p.i) AS l RETURN ", " AS x"),
    "sum of aggregates": ("collect(p.i)", " + ", "MATCH (p:P) RETURN ", " AS x"),
    "IN a sum of lists": ("p.ints", " + ", "MATCH (p:P) WHERE 1 IN ", " RETURN p.i AS x"),
    "AND": ("p.i = $n", " AND ", "MATCH (p:P) RETURN ", " AS x"),
    "XOR": ("p.i = $n", " XOR ", "MATCH (p:P) RETURN ", " AS x"),
    "CASE": ("WHEN $n THEN p.ints", " ", "MATCH (p:P) RETURN CASE p.i + 1 ", " END AS x"),
    "coalesce()": ("[p.i, 1][$n]", ", ", "MATCH (p:P) RETURN coalesce(", ") AS x"),
    "IN many": ("$n", ", ", "MATCH (p:P) WHERE p.i IN [", "] RETURN p.i AS x"),
    "columns": ("p.ints + [$n] AS x$n", ", ", "MATCH (p:P) RETURN ", ""),
    "aggregates": ("collect(DISTINCT p.i + $n) AS x$n", ", ", "MATCH (p:P) RETURN ", ""),
    "sort keys": ("p.s + '$n'", ", ", "MATCH (p:P) RETURN p.i AS x ORDER BY ", ""),
    "UNION": ("MATCH (p:P) RETURN p.i + $n AS x", " UNION ", "", ""),
    "UNWIND": ("UNWIND p.ints AS x$n", " ", "MATCH (p:P) ", " RETURN p.i AS x"),
    "a list doubled": ("WITH x$n + x$n AS x$m", " ", "MATCH (p:P) WITH p.ints AS x0 ", " RETURN x$n AS x"),
    "a text doubled": ("WITH x$n + x$n AS x$m", " ", "MATCH (p:P) WITH p.s AS x0 ", " RETURN x$n AS x"),
    "a map of maps": (
        "WITH {a: x$n.a, b: x$n.a} AS x$m",
        " ",
        "MATCH (p:P) WITH {a: p.i} AS x0 ",
        " RETURN x$n.a AS x",
    ),
    "a truth compared": ("WITH (x$n = x$n) AS x$m", " ", "MATCH (p:P) WITH p.b AS x0 ", " RETURN x$n AS x"),
    "a node chosen": (
        "WITH q, coalesce(p$n, q) AS p$m",
        " ",
        "MATCH (p0:P), (q:P) ",
        " RETURN p$n.i AS x",
    ),
    "DISTINCT": ("WITH DISTINCT x$n + 1 AS x$m", " ", "MATCH (p:P) WITH p.i AS x0 ", " RETURN x$n AS x"),
    "LIMIT": ("WITH x$n AS x$m ORDER BY x$m LIMIT 3", " ", "MATCH (p:P) WITH p.i AS x0 ", " RETURN x$n AS x"),
    "groups": ("WITH x$n % 10 AS y$n, count(*) AS x$m", " ", "MATCH (p:P) WITH p.i AS x0 ", " RETURN x$n AS x"),
    "repetitions": ("-[:K*1..2]->(:P)", "", "MATCH (p:P) RETURN EXISTS { (p)", " } AS x"),
}


def _constructs() -> dict[str, Maker]:
    made: dict[str, Maker] = {}
    for operator in ("=", "<>", "<", ">="):
        made |= {
            f"truth {operator}": nested(f"($0 {operator} p.b)", "p.b"),
            f"truth {operator} in WHERE": nested(f"($0 {operator} p.b)", "(p.i = 1)", _WHERE),
            f"truths {operator}": nested(f"((p.i = $n) {operator} $0)", "(p.i = 2)"),
            f"float {operator}": nested(f"CASE WHEN $0 {operator} p.f THEN 1.5 ELSE 2.5 END", "p.f"),
            f"float and integer {operator}": nested(f"CASE WHEN $0 {operator} p.i THEN 1.5 ELSE 2.5 END", "p.f"),
            f"text {operator}": nested(f"CASE WHEN $0 {operator} p.s THEN 'a' ELSE 'b' END", "p.s"),
            f"lists {operator}": nested(f"CASE WHEN $0 {operator} p.ints THEN [1] ELSE [p.i] END", "p.ints"),
        }
    for kind, leaf, other in _VALUES:
        for name, template in _OF_ANY.items():
            made[f"{name} of {kind}"] = nested(template.format(leaf=leaf, other=other), leaf)
    for kind in ("any", "all", "none", "single"):
        made[f"{kind}() of a list"] = nested(
            f"CASE WHEN {kind}(x$n IN $0 WHERE x$n > 1) THEN [1] ELSE p.ints END", "p.ints"
        )
        made[f"{kind}() of a test"] = nested(f"{kind}(x$n IN p.ints WHERE $0 = (x$n > 1))", "p.b")
    made |= {template: nested(template.replace("{{", "{").replace("}}", "}"), leaf) for template, leaf in _NESTED}
    made |= {name: repeated(*parts) for name, parts in _REPEATED.items()}
    return made


SPECIMENS: dict[str, Maker] = {**_constructs(), **_forms()}
