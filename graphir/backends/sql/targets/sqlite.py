"""SQLite, 3.38 or newer, as a target of text.

Lists are JSON texts, and so are paths (nodes and edges, two lists) and maps (their values in the order of the keys);
booleans in them are 0 and 1, as they are everywhere.  Dates and local datetimes are their ISO texts.  Floats have no
exact form in SQLite's JSON, so lists and maps of floats are refused.

SQLite has no faults of arithmetic: integers that leave 64 bits become floats, a division by zero and what is not a
number become null.  All of them are made faults (`_fault`), which is what they are in Cypher, but for floats divided by
zero and NaN: those have no value here.  Text is compared by code point where columns do not say otherwise (COLLATE).
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import partial

from sqlglot import exp

from graphir.backends.sql import build
from graphir.backends.sql.build import Sql
from graphir.backends.sql.reps import (
    BOOLEAN,
    DATE,
    EDGE,
    FLOAT,
    INTEGER,
    LOCAL_DATETIME,
    NODE,
    NULL,
    PATH,
    STRING,
    ListRep,
    MapRep,
    Rep,
)
from graphir.backends.sql.targets import sqlite_lists as lists
from graphir.backends.sql.targets import sqlite_texts as texts
from graphir.backends.sql.targets.rewriting import keep
from graphir.backends.sql.targets.sqlite_pieces import NOT_A_NUMBER, call, fault, held, is_real
from graphir.backends.sql.targets.target import PLAIN, Rewriting, Rule, Target

_TYPES = {
    NULL: "INTEGER",
    BOOLEAN: "INTEGER",
    INTEGER: "INTEGER",
    FLOAT: "REAL",
    STRING: "TEXT",
    NODE: "INTEGER",
    EDGE: "INTEGER",
    PATH: "TEXT",
    DATE: "TEXT",
    LOCAL_DATETIME: "TEXT",
}
_WHOLE = 9007199254740992
"""From here on every float is a whole number."""
_TENS = 22
"""The greatest power of ten that is a float."""


def _type(rep: Rep) -> str | None:
    if isinstance(rep, (ListRep, MapRep)):
        parts = (rep.element,) if isinstance(rep, ListRep) else rep.values
        return None if any(part == FLOAT or _type(part) is None for part in parts) else "TEXT"
    return _TYPES.get(rep)


# ------------------------------------------------------------------ constants and casts


def _cast(node: exp.Cast, rewriting: Rewriting) -> Sql:
    """Values have types of their own: only numbers change, and integers and booleans become text."""
    rep = build.note(node.to)
    value: Sql = node.this
    if isinstance(value, exp.Null) or rep in (NULL, BOOLEAN) or isinstance(rep, (ListRep, MapRep)) or rep == PATH:
        return value
    if isinstance(value, exp.Literal):
        if rep == FLOAT:
            return _float(float(value.name), rewriting)
        if rep == INTEGER:
            node.set("this", exp.Literal.number(value.name))
        return node
    if rep == STRING and build.note(node) == BOOLEAN:
        return held([value], _word, rewriting)
    return node


def _word(it: list[Sql]) -> Sql:
    true, false = (exp.Literal.string(each) for each in ("true", "false"))
    return build.case([(it[0], true), (build.negation(it[0].copy()), false)])


def _float(value: float, rewriting: Rewriting) -> Sql:
    """A float that no reading of decimals can get wrong by the last bit: whole numbers and powers of ten or two."""
    if math.isnan(value):
        rewriting.refuse("the value NaN")
    if math.isinf(value):
        return exp.Paren(this=exp.Neg(this=exp.Literal.number("9e999"))) if value < 0 else exp.Literal.number("9e999")
    if value == 0 and math.copysign(1, value) < 0:
        rewriting.refuse("the float -0.0")
    made = _positive(abs(value))
    return exp.Paren(this=exp.Neg(this=build.atom(made))) if value < 0 else made


def _positive(value: float) -> Sql:
    if value.is_integer() and value < _WHOLE:
        return _whole(int(value))
    digits, _, exponent = f"{value!r}e0".partition("e")
    before, _, after = digits.partition(".")
    power = int(exponent.removesuffix("e0")) - len(after)
    if int(before + after) < _WHOLE and abs(power) <= _TENS:
        return _scaled(int(before + after), _whole(10 ** abs(power)), 1, power < 0)
    mantissa, power = math.frexp(value)
    steps, rest = divmod(abs(power - 53), 52)
    made = _scaled(int(mantissa * 2**53), _whole(2**52), steps, power < 53)
    return _scaled(made, _whole(2**rest), 1, power < 53)


def _whole(value: int) -> Sql:
    return exp.Literal.number(f"{value}.0")


def _scaled(value: int | Sql, by: Sql, times: int, down: bool) -> Sql:
    made = _whole(value) if isinstance(value, int) else value
    for _ in range(times):
        made = exp.Paren(this=_divided(made, by.copy()) if down else exp.Mul(this=made, expression=by.copy()))
    return made


# ------------------------------------------------------------------ arithmetic


def _divided(over: Sql, under: Sql) -> Sql:
    return exp.Div(this=build.atom(over), expression=build.atom(under), typed=True, safe=False)


def _whole_result(piece: Sql, rewriting: Rewriting) -> Sql:
    """The result of integers, unless it left 64 bits and became a float."""
    return held([piece], lambda it: build.case([(is_real(it[0]), fault("integer overflow"))], it[0].copy()), rewriting)


def _real_result(operation: Callable[[list[Sql]], Sql], operands: list[Sql], rewriting: Rewriting) -> Sql:
    """The result of floats: null of what is not null is no number."""

    def made(it: list[Sql]) -> Sql:
        known = build.conjunction([build.is_not_null(each.copy()) for each in it])
        return exp.Coalesce(this=operation(it), expressions=[build.case([(known, fault(NOT_A_NUMBER))])])

    return held(operands, made, rewriting)


def _arithmetic(node: exp.Binary, rewriting: Rewriting) -> Sql:
    rep = build.note(node)
    if rep == INTEGER:
        return _whole_result(node, rewriting)
    if rep == FLOAT:
        kind = type(node)
        return _real_result(lambda it: build.binary(kind, *it), [node.this, node.expression], rewriting)
    return node


def _integer_division(node: exp.IntDiv | exp.Mod, rewriting: Rewriting) -> Sql:
    """Truncated, as in Cypher.  The least integer divided by -1 leaves 64 bits."""
    if build.note(node) != INTEGER:
        rewriting.refuse("the remainder of floats")
    is_quotient = isinstance(node, exp.IntDiv)

    def result(over: Sql, under: Sql) -> Sql:
        return _divided(over, under) if is_quotient else exp.Mod(this=build.atom(over), expression=build.atom(under))

    divisor = build.integer(node.expression)
    if divisor not in (None, 0, -1):
        return result(node.this, node.expression)

    def made(it: list[Sql]) -> Sql:
        over, under = it
        by_zero = build.case([(build.is_not_null(over.copy()), fault("division by zero"))])
        quotient = result(over.copy(), under.copy())
        branches = [(build.equal(under, build.number(0)), by_zero)]
        if is_quotient:
            branches.append((is_real(quotient.copy()), fault("integer overflow")))
        return build.case(branches, quotient)

    return held([node.this, node.expression], made, rewriting)


def _division(node: exp.Div, rewriting: Rewriting) -> Sql:
    return _real_result(lambda it: _divided(*it), [node.this, node.expression], rewriting)


def _total(node: exp.Sum | exp.Avg, _: Rewriting) -> Sql:
    """A sum of integers is a fault beyond 64 bits; one of floats that is null for some values is no number."""
    if build.note(node) != FLOAT:
        return node
    some = build.binary(exp.GT, exp.Count(this=node.this.copy()), build.number(0))
    return build.case([(some, exp.Coalesce(this=node, expressions=[fault(NOT_A_NUMBER)]))])


def _rounded(name: str, node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """ceil, floor and trunc of a float, without SQLite's own, which need not be there."""

    def made(it: list[Sql]) -> Sql:
        value = it[0]
        cut: Sql = exp.Cast(this=value.copy(), to=exp.DataType.build("INTEGER"))
        if name != "trunc":
            kind, change = (exp.LT, exp.Sub) if name == "floor" else (exp.GT, exp.Add)
            cut = build.binary(change, cut, exp.Paren(this=build.binary(kind, value.copy(), cut.copy())))
        large = build.binary(exp.GTE, call("ABS", value.copy()), _whole(_WHOLE))
        return build.case([(large, value)], exp.Cast(this=cut, to=exp.DataType.build("REAL")))

    return held(list(node.expressions), made, rewriting)


def _is_nan(node: exp.Anonymous, _: Rewriting) -> Sql:
    """There is no such value: false, but null of null."""
    return build.case([(build.is_not_null(node.expressions[0]), build.boolean(False))])


def _failing(node: exp.Anonymous, _: Rewriting) -> Sql:
    """What fails where it is computed; its message begins with a code."""
    return fault(node.expressions[0].name.partition(": ")[2])


def _any_value(node: exp.Anonymous, _: Rewriting) -> Sql:
    return exp.Min(this=node.expressions[0])


# ------------------------------------------------------------------ queries


def _select(node: exp.Select, rewriting: Rewriting) -> Sql:
    """OFFSET stands after LIMIT; lists that are taken apart and put together are a matter of their own."""
    if node.args.get("offset") is not None and node.args.get("limit") is None:
        node.set("limit", exp.Limit(expression=exp.Paren(this=exp.Neg(this=build.number(1)))))
    _order_by_results(node)
    lists.rename_elements(node)
    return lists.gather(node, rewriting)


def _order_by_results(node: exp.Select) -> None:
    """ORDER BY in a subquery of FROM sees no columns from outside, where its results do: they have names."""
    order = node.args.get("order")
    if order is None or node.find_ancestor(exp.Select) is None:
        return
    own = {source.alias_or_name for source in lists.sources(node)}
    for key in order.expressions:
        if all(column.table in own for column in key.this.find_all(exp.Column)):
            continue
        found = next((each for each in node.expressions if isinstance(each, exp.Alias) and each.this == key.this), None)
        if found is not None:
            key.set("this", build.column(found.alias))


_FUNCTIONS: dict[str, Rule] = {
    "unwind": keep,
    "generate_series": lists.series,
    "length": texts.named("LENGTH"),
    "len": texts.named("JSON_ARRAY_LENGTH"),
    "list_extract": lists.item,
    "list_slice": lists.part,
    "list_concat": lists.joined,
    "list_append": lists.appended,
    "list_reverse": lists.reverse,
    "list_contains": lists.contains,
    "list_count": lists.count,
    "list_has_any": lists.overlap,
    "list_unique": lists.count_different,
    "struct_extract": lists.field,
    "starts_with": texts.starts,
    "suffix": texts.ends,
    "contains": texts.contains,
    "substring": texts.named("SUBSTR"),
    "replace": texts.named("REPLACE"),
    "string_split": texts.split,
    "reverse": texts.reverse,
    "trim": texts.named("TRIM"),
    "ltrim": texts.named("LTRIM"),
    "rtrim": texts.named("RTRIM"),
    "date_part": texts.date_part,
    "date_text": texts.date_text,
    "fault": _failing,
    "isnan": _is_nan,
    "abs": texts.named("ABS"),
    "ceil": partial(_rounded, "ceil"),
    "floor": partial(_rounded, "floor"),
    "trunc": partial(_rounded, "trunc"),
    "any_value": _any_value,
    "dense_rank": keep,
    "row_number": keep,
}

_NODES: dict[type[exp.Expr], Rule] = {
    exp.Cast: _cast,
    exp.Add: _arithmetic,
    exp.Sub: _arithmetic,
    exp.Mul: _arithmetic,
    exp.IntDiv: _integer_division,
    exp.Mod: _integer_division,
    exp.Div: _division,
    exp.Sum: _total,
    exp.Avg: _total,
    exp.Array: lists.array,
    exp.ArrayAgg: keep,
    exp.Struct: lists.structure,
    exp.PropertyEQ: keep,
    exp.Lateral: lists.elements,
    exp.Select: _select,
}

SQLITE = Target("sql-sqlite", "SQLite", "sqlite", _type, _FUNCTIONS, _NODES, PLAIN, "named")
