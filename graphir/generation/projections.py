"""WITH and RETURN: columns, aggregates, DISTINCT, order and pages.

A page is written only behind a total order, one in which rows that are equal to the order are equal altogether, so that
every engine gives the same rows.  Grouping keys are columns without an aggregate.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from graphir.generation.constructs import declare
from graphir.generation.expressions import expression, likely, truth
from graphir.generation.kinds import SORTED, spelled
from graphir.generation.scope import UNKNOWN, Variable
from graphir.generation.vocabulary import merged
from graphir.generation.writer import Writer

declare(
    "projection",
    "DISTINCT",
    "ORDER BY",
    "LIMIT",
    "SKIP",
    "WHERE after WITH",
    "ORDER BY in part",
    "renamed column",
    "all columns",
)
declare(
    "aggregate",
    "aggregate",
    "count(*)",
    "count()",
    "sum()",
    "avg()",
    "min()",
    "max()",
    "collect()",
    "stDev()",
    "stDevP()",
    "percentileCont()",
    "percentileDisc()",
    "aggregate in an expression",
)

_COLUMNS = (
    *("int", "str", "int", "bool", "any", "float", "map", "date", "dt", "dur", "ints", "strs", "node", "edge", "nodes"),
    *("big", "approx", "approx", "point", "ldt", "time", "ztime", "anys", "floats"),
)
_COUNTED = ("int", "str", "any", "float", "bool", "date", "ints", "node", "map", "big")
_UNCERTAIN = ("none", "length", "bag", "approx", "opaque")
"""Kinds whose values may differ between engines: no grouping key, no operand of DISTINCT."""


class Projection(NamedTuple):
    """The text, whether its order is total, and the numbers of the columns that it is ordered by."""

    text: str
    ordered: bool
    keys: tuple[int, ...]


def aggregate(w: Writer) -> tuple[str, Variable]:
    """An aggregate and what is known of it; the variable has no name yet."""
    e = expression
    distinct = "DISTINCT " if w.allows("DISTINCT in an aggregate", 0.3) else ""
    has = w.profile.has
    scalar = likely(w, [kind for kind in _COUNTED if has(kind)])
    numeric = likely(w, [kind for kind in ("int", "float") if has(kind)])
    options: list[tuple[str, float, Callable[[], str], str]] = [
        ("count(*)", 2, lambda: "count(*)", "int"),
        ("count()", 2, lambda: f"count({distinct}{e(w, scalar, 1).text})", "int"),
        ("sum()", 1.2, lambda: f"sum({distinct}{e(w, 'int', 1).text})", "int"),
        ("sum()", 0.5, lambda: f"sum({e(w, 'float', 1).text})", "approx"),
        ("sum()", 0.2, lambda: f"sum({e(w, 'dur', 0).text})", "opaque"),  # of nothing it is 0
        ("avg()", 0.8, lambda: f"avg({distinct}{e(w, numeric, 1).text})", "approx"),
        ("min()", 0.6, lambda: f"min({e(w, 'int', 1).text})", "int"),
        ("max()", 0.6, lambda: f"max({e(w, 'int', 1).text})", "int"),
        ("min()", 0.4, lambda: f"min({e(w, 'str', 1).text})", "str"),
        ("max()", 0.4, lambda: f"max({e(w, 'str', 1).text})", "str"),
        ("min()", 0.3, lambda: f"min({e(w, 'date', 1).text})", "date"),
        ("max()", 0.3, lambda: f"max({e(w, 'any', 1).text})", "opaque"),
        ("min()", 0.2, lambda: f"min({e(w, 'ints', 1).text})", "ints"),
        ("max()", 0.2, lambda: f"max({e(w, 'float', 1).text})", "approx"),
        ("collect()", 1.2, lambda: f"collect({distinct}{e(w, scalar, 1).text})", "bag"),
        ("collect()", 0.8, lambda: f"size(collect({distinct}{e(w, scalar, 1).text}))", "int"),
        ("percentileCont()", 0.3, lambda: f"percentileCont({e(w, numeric, 1).text}, {_share(w)})", "approx"),
        ("percentileDisc()", 0.3, lambda: f"percentileDisc({e(w, 'int', 1).text}, {_share(w)})", "int"),
        ("stDev()", 0.3, lambda: f"stDev({e(w, numeric, 1).text})", "approx"),
        ("stDevP()", 0.2, lambda: f"stDevP({e(w, numeric, 1).text})", "approx"),
    ]
    possible = [
        each for each in options if w.plan.share(each[0], 1) > 0 and has(each[3] if each[3] != "opaque" else "any")
    ]
    names = [name for name, *_ in possible]
    chosen = w.dice.weighted(w.plan.aggregates(tuple(zip(names, [each[1] for each in possible], strict=True))))
    name, _, write, kind = possible[chosen]
    w.use("aggregate", name)
    text = write()
    if kind == "int" and w.allows("aggregate in an expression", 0.1):
        text = f"({text} {w.dice.pick(('+', '*', '-'))} {w.dice.pick((1, 2))})"
        return text, Variable("", kind)
    return text, Variable("", kind, least=1 if name == "count(*)" else None)


def _share(w: Writer) -> str:
    return w.dice.pick(("0.5", "0.0", "1.0", "0.9"))


# ------------------------------------------------------------------ columns


def _items(w: Writer, final: bool) -> tuple[list[tuple[str, Variable]], bool]:
    """The items as text, with the variable of each column; whether rows are grouped."""
    grouped = w.allows("aggregate", 0.33)
    items: list[tuple[str, Variable]] = []
    hidden: tuple[str, ...] = ("none", "length") if final else ("none",)
    hidden = _UNCERTAIN if grouped else hidden
    passed = [v for v in w.scope.values() if v.kind not in hidden]
    for v in w.dice.shuffled(passed)[: w.dice.between(0, 3)]:
        if not w.allows("renamed column", 0.1):
            items.append((v.text, v))
            continue
        name = w.name("c")
        items.append((f"{v.text} AS {name}", Variable(name, v.kind, v.value, v.properties, v.shapes, v.least)))
    kinds = [kind for kind in _COLUMNS if w.profile.has(kind) and not (grouped and kind in _UNCERTAIN)]
    for _ in w.dice.repeats(0 if items else 1, 2, 0.55):
        kind = likely(w, kinds)
        term = expression(w, kind, w.profile.depth - 1)
        name = w.name("c")
        items.append((f"{term.text} AS {name}", _column(w, name, kind, term.value)))
    for _ in w.dice.repeats(1, 2, 0.4) if grouped else ():
        text, found = aggregate(w)
        name = w.name("a")
        items.append((f"{text} AS {name}", Variable(name, found.kind, UNKNOWN, least=found.least)))
    return items, grouped


def _column(w: Writer, name: str, kind: str, value: object) -> Variable:
    if kind == "node":
        return Variable(name, kind, value, w.vocabulary.properties)
    return Variable(name, kind, value, merged(w.vocabulary.edges) if kind == "edge" else ())


def sort_key(w: Writer, column: Variable) -> str | None:
    """What orders by a column so that rows that are equal in the order are equal in the column."""
    if column.kind in SORTED:
        return column.text
    key = {"node": w.vocabulary.node_key, "edge": w.vocabulary.edge_key}.get(column.kind)
    return None if key is None else f"{column.text}.{spelled(key)}"


def projection(w: Writer, word: str) -> Projection:
    """WITH or RETURN; the columns are then what is in scope."""
    if word == "WITH" and w.scope and w.allows("all columns", 0.06):
        return _all_and_one(w)
    items, grouped = _items(w, word == "RETURN")
    certain = not any(variable.kind in _UNCERTAIN for _, variable in items)
    distinct = certain and w.allows("DISTINCT", 0.15)
    w.scope = {variable.text: variable for _, variable in items}
    if grouped or distinct:
        w.size = max(1.0, w.size / 3)
    w.loose = w.loose or any(variable.kind == "bag" for _, variable in items)
    text = f"{word} {'DISTINCT ' if distinct else ''}{', '.join(item for item, _ in items)}"
    order, ordered, keys = _order(w, [variable for _, variable in items], word)
    text += order
    if word == "WITH" and w.allows("WHERE after WITH", 0.4):
        text += f" WHERE {truth(w, 1)}"
    return Projection(text, ordered, keys)


def _all_and_one(w: Writer) -> Projection:
    """`WITH *, value AS name`."""
    kind = likely(w, [each for each in _COLUMNS if w.profile.has(each)])
    term = expression(w, kind, w.profile.depth - 1)
    name = w.name("c")
    column = _column(w, name, kind, term.value)
    w.scope = {**w.scope, name: column}
    text = f"WITH *, {term.text} AS {name}"
    if w.allows("WHERE after WITH", 0.4):
        text += f" WHERE {truth(w, 1)}"
    return Projection(text, False, ())


def _order(w: Writer, columns: list[Variable], word: str) -> tuple[str, bool, tuple[int, ...]]:
    """ORDER BY with a page or nothing; whether it is total, and the columns that it is by."""
    found = [sort_key(w, column) for column in columns]
    keys = [(at, key) for at, key in enumerate(found) if key is not None]
    if len(keys) == len(columns) and w.allows("ORDER BY", 0.55):
        spelt = [f"{key}{w.dice.pick(('', ' DESC', ' ASC', ' DESCENDING'))}" for _, key in w.dice.shuffled(keys)]
        return f" ORDER BY {', '.join(spelt)}{_page(w, columns)}", True, tuple(range(len(columns)))
    if word == "RETURN" and keys and w.allows("ORDER BY in part", 0.1):
        at, key = w.dice.pick(keys)
        return f" ORDER BY {key}", False, (at,)
    return "", False, ()


def _page(w: Writer, columns: list[Variable]) -> str:
    text = ""
    skip = w.world is None
    if skip and w.allows("SKIP", 0.2):
        text += f" SKIP {w.dice.pick((1, 0, 2))}"
    if w.allows("LIMIT", 0.35):
        text += f" LIMIT {w.dice.pick(('1', '2', '3', '1 + 1', '10') + (('0',) if skip else ()))}"
        w.size = min(w.size, 3.0)
    if text:  # another row than that of the witness may be the one that stays
        w.scope = {
            column.text: Variable(column.text, column.kind, UNKNOWN, column.properties, column.shapes, column.least)
            for column in columns
        }
    return text
