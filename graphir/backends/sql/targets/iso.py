"""SQL of ISO/IEC 9075:2023 as a target, beside its graph patterns.

What the standard leaves to implementations is said in full (where nulls sort, by code point), what it does not have is
refused.  It has no NaN and no infinity: a division by zero is an error.  PostgreSQL reads nearly all of it, and runs it
in the tests.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from graphir.backends.sql import build
from graphir.backends.sql.build import Sql
from graphir.backends.sql.graphtables import abilities
from graphir.backends.sql.lowering import Abilities
from graphir.backends.sql.reps import (
    BOOLEAN,
    DATE,
    EDGE,
    FLOAT,
    INTEGER,
    LOCAL_DATETIME,
    NODE,
    NULL,
    STRING,
    ListRep,
    Rep,
)
from graphir.backends.sql.targets.postgres import POSTGRES
from graphir.backends.sql.targets.rewriting import keep, renamed
from graphir.backends.sql.targets.sharing import once
from graphir.backends.sql.targets.target import Rewriting, Rule, Target

_TEXT = "VARCHAR(1000000)"
_TYPES = {
    NULL: "BOOLEAN",
    BOOLEAN: "BOOLEAN",
    INTEGER: "BIGINT",
    FLOAT: "DOUBLE PRECISION",
    STRING: _TEXT,
    NODE: "BIGINT",
    EDGE: "BIGINT",
    DATE: "DATE",
    LOCAL_DATETIME: "TIMESTAMP",
}


def _type(rep: Rep) -> str | None:
    if isinstance(rep, ListRep):
        inner = None if isinstance(rep.element, ListRep) else _TYPES.get(rep.element)
        return None if inner is None else f"{inner}[]"
    return _TYPES.get(rep)


def _cast(piece: Sql, kind: str) -> Sql:
    return exp.Cast(this=piece, to=exp.DataType.build(kind, dialect="postgres"))


def _behind(piece: Sql, words: str) -> Sql:
    """A piece with words behind it."""
    return exp.Introducer(this=piece, expression=exp.Var(this=words))


def _common(node: exp.CTE, _: Rewriting) -> Sql:
    """A common table has no hint how it is to be computed."""
    node.set("materialized", None)
    return node


# ------------------------------------------------------------------ order and pages


def _by_code_point(piece: Sql) -> Sql:
    return exp.Collate(this=build.atom(piece), expression=exp.Var(this="UCS_BASIC"))


def _ordering(node: exp.Binary, _: Rewriting) -> Sql:
    if build.note(node) == STRING:
        node.set("this", _by_code_point(node.this))
    return node


def _extreme(node: exp.AggFunc, _: Rewriting) -> Sql:
    """MIN and MAX; of truth values by way of numbers."""
    if build.note(node) in (BOOLEAN, NULL):
        value = node.this
        as_number = build.case([(value, build.number(1)), (build.negation(value.copy()), build.number(0))])
        return exp.Paren(this=build.equal(type(node)(this=as_number), build.number(1)))
    if build.note(node) == STRING:
        node.set("this", _by_code_point(node.this))
    return node


def _ordered(node: exp.Ordered, _: Rewriting) -> Sql:
    key = _by_code_point(node.this) if build.note(node) == STRING else node.this
    descending, first = bool(node.args.get("desc")), bool(node.args.get("nulls_first"))
    plain = exp.Ordered(this=key, desc=descending, nulls_first=descending)
    return _behind(plain, "NULLS FIRST" if first else "NULLS LAST")


def _limit(node: exp.Limit, _: Rewriting) -> Sql:
    return exp.Fetch(direction="FIRST", count=node.expression, limit_options=exp.LimitOptions(rows=True))


def _offset(node: exp.Offset, _: Rewriting) -> Sql:
    node.set("expression", _behind(node.expression, "ROWS"))
    return node


# ------------------------------------------------------------------ numbers and texts


def _division(node: exp.Div | exp.IntDiv, _: Rewriting) -> Sql:
    return exp.Div(this=node.this, expression=node.expression, typed=True, safe=False)


def _modulo(node: exp.Mod, rewriting: Rewriting) -> Sql:
    if build.note(node) != INTEGER:
        rewriting.refuse("the remainder of floats")
    return build.call("MOD", *[each.this if isinstance(each, exp.Paren) else each for each in (node.left, node.right)])


def _length(piece: Sql) -> Sql:
    return build.call("CHAR_LENGTH", piece)


def _starts(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    text, part = node.expressions

    def test(held: Sql) -> Sql:
        begin = exp.Substring(this=text, start=build.number(1), length=_length(held))
        return exp.Paren(this=build.equal(begin, held.copy()))

    return once(node, [part], test, rewriting)


def _ends(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """Where the text is shorter than its end would be, the end is not at its begin."""

    def test(text: Sql, part: Sql) -> Sql:
        place = build.binary(exp.Sub, _length(text.copy()), _length(part.copy()))
        rest = exp.Substring(this=text, start=build.binary(exp.Add, place.copy(), build.number(1)))
        found = build.equal(rest, part.copy())
        return build.case([(build.binary(exp.LT, place, build.number(0)), build.boolean(False))], found)

    return once(node, node.expressions, test, rewriting)


def _contains(node: exp.Anonymous, _: Rewriting) -> Sql:
    text, part = node.expressions
    return exp.Paren(this=build.binary(exp.GT, exp.StrPosition(this=text, substr=part), build.number(0)))


def _substring(node: exp.Anonymous, _: Rewriting) -> Sql:
    text, *bounds = [node.expressions[0], *[_cast(each, "INTEGER") for each in node.expressions[1:]]]
    return exp.Substring(this=text, start=bounds[0], length=bounds[1] if len(bounds) > 1 else None)


def _big(function: str) -> Rule:
    return lambda node, _: _cast(build.call(function, *node.expressions), "BIGINT")


def _is_nan(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """No value is unequal to itself but NaN, where an implementation has it."""

    def test(value: Sql) -> Sql:
        return exp.Paren(this=build.binary(exp.NEQ, value, value.copy()))

    return once(node, node.expressions, test, rewriting)


def _casting(node: exp.Cast, rewriting: Rewriting) -> Sql:
    text, rep = node.this, build.note(node.to)
    if isinstance(rep, ListRep):
        element = rewriting.type_of(rep.element).sql(dialect="postgres")
        node.set("to", exp.DataType(this=exp.DType.USERDEFINED, kind=f"{element} ARRAY"))
    if isinstance(text, exp.Literal) and text.is_string and text.name in ("NaN", "Infinity", "-Infinity"):
        rewriting.refuse("NaN and infinity")
    return node


def _part(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    name, value = node.expressions
    if name.name not in ("year", "month", "day"):
        rewriting.refuse(f"the {name.name} of a date")
    return _cast(exp.Extract(this=exp.Var(this=name.name.upper()), expression=value), "BIGINT")


def _day_of(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    if build.note(node) != LOCAL_DATETIME:
        rewriting.refuse("the day of a moment")
    return _cast(node.expressions[0], "DATE")


# ------------------------------------------------------------------ lists


def _rows(items: Sql, alias: str) -> Sql:
    """The elements `x` of a list."""
    known_as = exp.TableAlias(this=build.name(alias), columns=[build.name("x")])
    return exp.Unnest(expressions=[items], alias=known_as)


def _has(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    items, item = node.expressions
    alias = rewriting.fresh("u")
    query = build.select([build.column("x", alias)], [_rows(items, alias)])
    return exp.Paren(this=exp.In(this=build.atom(item), query=build.scalar(query)))


def _overlap(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    one, other = (rewriting.fresh("u") for _ in range(2))
    sources = [_rows(items, alias) for items, alias in zip(node.expressions, (one, other), strict=True)]
    same = build.equal(build.column("x", one), build.column("x", other))
    return exp.Exists(this=build.select([build.number(1)], sources, [same]))


def _item(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """An element by its place; the standard has an error where there is none."""
    items, place = node.expressions
    if not isinstance(place, exp.Literal) or not isinstance(items, exp.Column):
        rewriting.refuse("an element of a list at a place that is computed")
    found = exp.Bracket(this=items, expressions=[place], offset=1)
    there = build.binary(exp.GTE, build.call("CARDINALITY", items.copy()), place.copy())
    return build.case([(there, found)])


def _joined(last: Callable[[Sql], Sql]) -> Rule:
    def rule(node: exp.Anonymous, _: Rewriting) -> Sql:
        one, other = node.expressions
        return exp.Paren(this=build.binary(exp.DPipe, one, last(other)))

    return rule


def _ours(*names: str) -> dict[str, Rule]:
    """What PostgreSQL says as the standard does."""
    return {name: POSTGRES.functions[name] for name in names}


_FUNCTIONS: dict[str, Rule] = {
    **_ours("list_reverse", "list_count", "list_unique", "fault", "unwind", "row_number", "dense_rank", "first"),
    **dict.fromkeys(("abs", "ceil", "floor", "sqrt", "exp", "ln", "sin", "cos", "atan", "asin", "acos"), keep),
    "any_value": renamed("ANY_VALUE"),
    "concat": POSTGRES.functions.get("concat", keep),
    "log10": keep,
    "pow": renamed("POWER"),
    "length": _big("CHAR_LENGTH"),
    "len": _big("CARDINALITY"),
    "list_extract": _item,
    "list_concat": _joined(lambda items: items),
    "list_append": _joined(lambda item: build.array([item])),
    "list_contains": _has,
    "list_has_any": _overlap,
    "starts_with": _starts,
    "suffix": _ends,
    "contains": _contains,
    "substring": _substring,
    **{name: renamed(called) for name, called in (("trim", "BTRIM"), ("ltrim", "LTRIM"), ("rtrim", "RTRIM"))},
    "isnan": _is_nan,
    "date_part": _part,
    "date_text": lambda node, _: _cast(node.expressions[0], "VARCHAR(10)"),
    "day_of": _day_of,
}

ISO = Target(
    "pgq-iso",
    "ISO SQL",
    "postgres",
    _type,
    _FUNCTIONS,
    {
        **{kind: POSTGRES.nodes[kind] for kind in (exp.Array, exp.ArrayAgg, exp.Lateral, exp.Avg)},
        exp.IntDiv: _division,
        exp.Div: _division,
        exp.Mod: _modulo,
        exp.Min: _extreme,
        exp.Max: _extreme,
        **dict.fromkeys((exp.LT, exp.LTE, exp.GT, exp.GTE), _ordering),
        exp.Ordered: _ordered,
        exp.Limit: _limit,
        exp.Offset: _offset,
        exp.Cast: _casting,
        exp.CTE: _common,
    },
    Abilities(bridges=False, lateral=True, lambdas=False, steps=abilities.STEPS, either=True),
    "host",
    abilities.ISO,
)
