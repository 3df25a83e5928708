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
    DATETIME,
    EDGE,
    FLOAT,
    INTEGER,
    JSON,
    LOCAL_DATETIME,
    NODE,
    NULL,
    STRING,
    ListRep,
    Rep,
)
from graphir.backends.sql.targets.postgres import POSTGRES
from graphir.backends.sql.targets.rewriting import WITH_NULLS, cased, itself, json_object, keep, renamed, without_zeros
from graphir.backends.sql.targets.sharing import may_be_queried, once
from graphir.backends.sql.targets.target import OF_FLOATS, Rewriting, Rule, Target
from graphir.values.datetimes import DateTime

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
    JSON: "JSON",
    LOCAL_DATETIME: "TIMESTAMP",
    DATETIME: "TIMESTAMP WITH TIME ZONE",
}
_FEW = 100
"""Integers of a range that are written out."""
_LAST = (1 << 31) - 1


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


def _truncated(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    def cut(value: Sql) -> Sql:
        below = build.binary(exp.LT, value.copy(), build.number(0))
        return build.case([(below, build.call("CEIL", value.copy()))], build.call("FLOOR", value))

    return once(node, node.expressions, cut, rewriting)


def _is_nan(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """No value is unequal to itself but NaN, where an implementation has it."""

    def test(value: Sql) -> Sql:
        return exp.Paren(this=build.binary(exp.NEQ, value, value.copy()))

    return once(node, node.expressions, test, rewriting)


def _casting(node: exp.Cast, rewriting: Rewriting) -> Sql:
    text, rep, held = node.this, build.note(node.to), build.note(node)
    if isinstance(held, ListRep) and held.element == NULL:  # which is one of booleans, that are cast to texts alone
        node.set("this", exp.Cast(this=text, to=_spelled(f"{_TEXT} ARRAY")))
    if isinstance(rep, ListRep):
        moments = rep.element == DATETIME  # which sqlglot spells as PostgreSQL does
        element = _TYPES[DATETIME] if moments else rewriting.type_of(rep.element).sql(dialect="postgres")
        node.set("to", _spelled(f"{element} ARRAY"))
    elif rep == DATETIME:
        node.set("to", _spelled(_TYPES[rep]))
    if isinstance(text, exp.Literal) and text.is_string and text.name in ("NaN", "Infinity", "-Infinity"):
        rewriting.refuse("NaN and infinity")
    return node


def _spelled(kind: str) -> exp.DataType:
    return exp.DataType(this=exp.DType.USERDEFINED, kind=kind)


def _matches(node: exp.Anonymous, _: Rewriting) -> Sql:
    """LIKE_REGEX (feature F841); what it reads differently than Cypher is in no such pattern."""
    text, pattern = node.expressions
    return exp.Paren(this=_behind(build.atom(text), f"LIKE_REGEX {_quoted(f'^({pattern.name})$')}"))


def _quoted(text: str) -> str:
    return exp.Literal.string(text).sql(dialect="postgres")


# ------------------------------------------------------------------ dates


def _part(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    name, value = node.expressions
    part = "month" if name.name == "quarter" else name.name
    if part not in ("year", "month", "day"):
        rewriting.refuse(f"the {name.name} of a date")
    found = _cast(exp.Extract(this=exp.Var(this=part.upper()), expression=value), "BIGINT")
    if name.name != "quarter":
        return found
    later = build.binary(exp.Add, found, build.number(2))
    return exp.Paren(this=exp.Div(this=build.atom(later), expression=build.number(3), typed=True, safe=False))


def _day_of(node: exp.Anonymous, _: Rewriting) -> Sql:
    """The day of a point in time, of a moment that in UTC."""
    value = node.expressions[0]
    if build.note(node) == DATETIME:
        value = exp.AtTimeZone(this=build.atom(value), zone=exp.Var(this="INTERVAL '00:00' HOUR TO MINUTE"))
    return _cast(value, "DATE")


def _today(_node: exp.Anonymous, _: Rewriting) -> Sql:
    utc = exp.Var(this="INTERVAL '00:00' HOUR TO MINUTE")
    return _cast(exp.AtTimeZone(this=exp.Var(this="CURRENT_TIMESTAMP"), zone=utc), "DATE")


def _time_text(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """A cast gives the digits behind the seconds that the type has, in some databases without the last zeros."""
    value = node.expressions[0]
    if build.note(node) == DATETIME:
        value = exp.AtTimeZone(this=build.atom(value), zone=exp.Var(this="INTERVAL '00:00' HOUR TO MINUTE"))
    text = _cast(_cast(value, "TIMESTAMP"), "VARCHAR(40)")

    def spelled(held: Sql) -> Sql:
        day = exp.Substring(this=held, start=build.number(1), length=build.number(10))
        clock = exp.Substring(this=held.copy(), start=build.number(12))
        whole = build.binary(exp.DPipe, build.binary(exp.DPipe, day, exp.Literal.string("T")), clock)
        dot = build.binary(exp.GT, exp.StrPosition(this=held.copy(), substr=exp.Literal.string(".")), build.number(0))
        made = build.case([(dot, without_zeros(whole.copy()))], whole)
        return build.binary(exp.DPipe, made, exp.Literal.string("Z")) if build.note(node) == DATETIME else made

    return once(node, [text], spelled, rewriting)


def _moment(node: exp.Anonymous, _: Rewriting) -> Sql:
    """A constant, in UTC; its year has four digits, and it has no nanoseconds."""
    known = DateTime.parse(node.expressions[0].name).to_standard()
    text = known.replace(tzinfo=None).isoformat(" ", "microseconds")
    return exp.Cast(this=exp.Literal.string(f"{text}+00:00"), to=_spelled(_TYPES[DATETIME]))


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
    """An element by its place, from the end by a negative one; the standard has an error where there is none."""
    items, place = node.expressions
    rule = _fixed if isinstance(place, exp.Literal) else _placed
    if isinstance(items, exp.Column) and isinstance(place, (exp.Literal, exp.Column)):
        return rule(items, place)
    if not may_be_queried(node, [items, place]):
        rewriting.refuse("an element of a list that is an aggregate")
    names = [rewriting.fresh("v") for _ in range(2)]
    held = [build.column(names[0]), place if isinstance(place, exp.Literal) else build.column(names[1])]
    columns = [build.alias(piece, name) for piece, name in zip((items, place), names, strict=True)]
    inner = build.derived(build.select(columns if held[1] is not place else columns[:1]), rewriting.fresh("u"))
    return build.scalar(build.select([rule(*held)], [inner]))


def _fixed(items: Sql, place: Sql) -> Sql:
    found = exp.Bracket(this=items, expressions=[place], offset=1)
    there = build.binary(exp.GTE, build.call("CARDINALITY", items.copy()), place.copy())
    return build.case([(there, found)])


def _placed(items: Sql, place: Sql) -> Sql:
    size = build.call("CARDINALITY", items.copy())
    from_end = build.binary(exp.Add, build.binary(exp.Add, size, build.number(1)), place.copy())
    ahead = [build.binary(exp.GT, place.copy(), build.number(0)), build.binary(exp.LTE, place.copy(), size.copy())]
    behind = [
        build.binary(exp.LT, place.copy(), build.number(0)),
        build.binary(exp.GT, from_end.copy(), build.number(0)),
    ]
    return build.case(
        [
            (build.conjunction(ahead), exp.Bracket(this=items, expressions=[place], offset=1)),
            (build.conjunction(behind), exp.Bracket(this=items.copy(), expressions=[from_end], offset=1)),
        ]
    )


def _slice(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """The elements from a place to a place, both included: the list of a query of them."""
    items, low, high = node.expressions
    alias = rewriting.fresh("u")
    place = build.column("i", alias)

    def cut(held: Sql) -> Sql:
        columns = [build.name("x"), build.name("i")]
        known_as = exp.TableAlias(this=build.name(alias), columns=columns)
        rows = exp.Unnest(expressions=[held], offset=True, alias=known_as)
        bounds = [build.binary(exp.GTE, place.copy(), low)]
        if not isinstance(high, exp.Literal) or int(high.name) != _LAST:
            bounds.append(build.binary(exp.LTE, place.copy(), high))
        query = build.select([build.column("x", alias)], [rows], bounds)
        query.set("order", exp.Order(expressions=[build.ordered(place.copy())]))
        return build.case([(build.is_not_null(held.copy()), build.call("ARRAY", query))])

    return once(node, [items], cut, rewriting)


def _series(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """The integers from one to another, where all is known and they are few."""
    low, high = (build.integer(each) for each in node.expressions[:2])
    step = build.integer(node.expressions[2]) if len(node.expressions) > 2 else 1
    if low is None or high is None or not step or abs(high - low) > _FEW * abs(step):
        rewriting.refuse("a range of integers that are not known, or many")
    found = [_cast(build.number(each), "BIGINT") for each in range(low, high + (1 if step > 0 else -1), step)]
    made = exp.Array(expressions=found)
    return made if found else exp.Cast(this=made, to=_spelled("BIGINT ARRAY"))


def _object(node: exp.Anonymous, _: Rewriting) -> Sql:
    if not node.expressions:
        return build.call("JSON_OBJECT", exp.Var(this="RETURNING JSON"))
    return json_object(node.expressions)


def _array_of(node: exp.Anonymous, _: Rewriting) -> Sql:
    """A JSON array of values."""
    if not node.expressions:
        return build.call("JSON_ARRAY", exp.Var(this="RETURNING JSON"))
    return build.call("JSON_ARRAY", *node.expressions[:-1], _behind(node.expressions[-1], WITH_NULLS))


def _array_of_list(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """A list as a JSON array."""
    alias = rewriting.fresh("u")

    def made(held: Sql) -> Sql:
        known_as = exp.TableAlias(this=build.name(alias), columns=[build.name("x"), build.name("i")])
        rows = exp.Unnest(expressions=[held], offset=True, alias=known_as)
        order = exp.Order(expressions=[build.ordered(build.column("i", alias))])
        ordered = exp.Introducer(this=build.column("x", alias), expression=order)
        found = build.scalar(build.select([build.call("JSON_ARRAYAGG", _behind(ordered, WITH_NULLS))], [rows]))
        empty = build.call("JSON_ARRAY", exp.Var(this="RETURNING JSON"))
        listed = exp.Coalesce(this=found, expressions=[empty])
        return build.case([(build.is_not_null(held.copy()), listed)])

    return once(node, node.expressions, made, rewriting)


def _joined(last: Callable[[Sql], Sql]) -> Rule:
    def rule(node: exp.Anonymous, _: Rewriting) -> Sql:
        one, other = node.expressions
        return exp.Paren(this=build.binary(exp.DPipe, one, last(other)))

    return rule


def _any_value(node: exp.Anonymous, _: Rewriting) -> Sql:
    value: Sql = node.expressions[0]
    return build.call("ANY_VALUE", value) if build.holds(value, exp.Column) else value


def _ours(*names: str) -> dict[str, Rule]:
    """What PostgreSQL says as the standard does."""
    return {name: POSTGRES.functions[name] for name in names}


_FUNCTIONS: dict[str, Rule] = {
    **_ours("list_reverse", "list_count", "list_unique", "fault", "unwind", "row_number", "dense_rank", "first"),
    **dict.fromkeys(("abs", "ceil", "floor", *OF_FLOATS), keep),
    "any_value": _any_value,
    "lower": cased("LOWER"),
    "upper": cased("UPPER"),
    "concat": POSTGRES.functions.get("concat", keep),
    "log10": keep,
    "pow": renamed("POWER"),
    "length": _big("CHAR_LENGTH"),
    "len": _big("CARDINALITY"),
    "list_extract": _item,
    "list_slice": _slice,
    "trunc": _truncated,
    "generate_series": _series,
    "text_matches": _matches,
    "moment": _moment,
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
    "time_text": _time_text,
    "json_object": _object,
    "json_array": _array_of,
    "json_float": itself,
    "json_list": _array_of_list,
    "date_part": _part,
    "date_text": lambda node, _: _cast(node.expressions[0], "VARCHAR(10)"),
    "date_of": lambda node, _: _cast(node.expressions[0], "DATE"),
    "day_of": _day_of,
    "today": _today,
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
    Abilities(bridges=False, lateral=True, lambdas=False, steps=abilities.STEPS, either=True, ties=True),
    "host",
    abilities.ISO,
)
