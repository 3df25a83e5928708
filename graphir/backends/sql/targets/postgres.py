"""PostgreSQL, 12 or newer, as a target of text.

Lists are arrays of one dimension, paths and maps JSONB.  Text is compared and sorted by code point (COLLATE "C"), which
wants a database in UTF-8.  Integers that leave 64 bits are a fault of the server, as they are in Cypher; so are floats
that leave their range, which elsewhere become infinite.
"""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from graphir.backends.sql import build
from graphir.backends.sql.build import Sql
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
    PATH,
    PATH_OF_TEXTS,
    STRING,
    ListRep,
    MapRep,
    Rep,
)
from graphir.backends.sql.targets import days
from graphir.backends.sql.targets.rewriting import fault, itself, keep, moment, renamed, spelled_time
from graphir.backends.sql.targets.sharing import once
from graphir.backends.sql.targets.target import OF_FLOATS, Rewriting, Rule, Target

_TYPES = {
    NULL: "BOOLEAN",
    BOOLEAN: "BOOLEAN",
    INTEGER: "BIGINT",
    FLOAT: "DOUBLE PRECISION",
    STRING: "TEXT",
    NODE: "BIGINT",
    EDGE: "BIGINT",
    PATH: "JSONB",
    PATH_OF_TEXTS: "JSONB",
    JSON: "JSONB",
    DATE: "DATE",
    LOCAL_DATETIME: "TIMESTAMP",
    DATETIME: "TIMESTAMPTZ",
}


def _type(rep: Rep) -> str | None:
    if isinstance(rep, ListRep):
        inner = None if isinstance(rep.element, ListRep) else _type(rep.element)
        return None if inner is None else f"{inner}[]"
    if isinstance(rep, MapRep):
        return None if any(_type(value) is None for value in rep.values) else "JSONB"
    return _TYPES.get(rep)


def _call(name: str, *arguments: Sql) -> Sql:
    return exp.Anonymous(this=name, expressions=list(arguments))


def _cast(piece: Sql, kind: str) -> Sql:
    return exp.Cast(this=piece, to=exp.DataType.build(kind, dialect="postgres"))


def _big(piece: Sql) -> Sql:
    return _cast(piece, "BIGINT")


def _small(piece: Sql) -> Sql:
    return _cast(piece, "INT")


# ------------------------------------------------------------------ numbers


def _integer_division(node: exp.IntDiv, _: Rewriting) -> Sql:
    return exp.Div(this=node.this, expression=node.expression, typed=True, safe=False)


def _division(node: exp.Div, rewriting: Rewriting) -> Sql:
    """IEEE 754: division by zero is infinite or no number, where the server has a fault."""
    over, under = node.this, node.expression
    if _is_nonzero(under):
        return exp.Div(this=over, expression=under, typed=True, safe=False)
    return once(node, [over, under], _divided, rewriting)


def _divided(over: Sql, under: Sql) -> Sql:
    def constant(text: str) -> Sql:
        return _cast(exp.Literal.string(text), "DOUBLE PRECISION")

    zero = build.equal(under.copy(), build.number(0))
    same_sign = build.equal(
        build.binary(exp.GT, over.copy(), build.number(0)),
        build.binary(exp.NEQ, _cast(under.copy(), "TEXT"), exp.Literal.string("-0")),
    )
    lost = [build.equal(over.copy(), build.number(0)), build.equal(over.copy(), constant("NaN"))]
    by_zero = build.case(
        [
            (build.is_null(over.copy()), build.null()),
            (build.disjunction(lost), constant("NaN")),
            (same_sign, constant("Infinity")),
        ],
        constant("-Infinity"),
    )
    divided = exp.Div(this=build.atom(over), expression=build.atom(under), typed=True, safe=False)
    return build.case([(zero, by_zero)], divided)


def _is_nonzero(piece: Sql) -> bool:
    while isinstance(piece, (exp.Cast, exp.Paren)):
        piece = piece.this
    return isinstance(piece, exp.Literal) and float(piece.name) != 0


def _modulo(node: exp.Mod, rewriting: Rewriting) -> Sql:
    if build.note(node) != INTEGER:
        rewriting.refuse("the remainder of floats")
    return node


def _average(node: exp.Avg, _: Rewriting) -> Sql:
    return _cast(node, "DOUBLE PRECISION")


# ------------------------------------------------------------------ text


def _by_code_point(piece: Sql) -> Sql:
    return exp.Collate(this=build.atom(piece), expression=exp.Identifier(this="C", quoted=True))


def _ordering(node: exp.Binary, _: Rewriting) -> Sql:
    if build.note(node) == STRING:
        node.set("this", _by_code_point(node.this))
    return node


def _ordered(node: exp.Ordered, _: Rewriting) -> Sql:
    if build.note(node) == STRING:
        node.set("this", _by_code_point(node.this))
    return node


def _extreme(boolean: str) -> Callable[[exp.AggFunc, Rewriting], Sql]:
    """MIN and MAX; of booleans they have other names."""

    def rule(node: exp.AggFunc, _: Rewriting) -> Sql:
        if build.note(node) in (BOOLEAN, NULL):
            return _call(boolean, node.this)
        if build.note(node) == STRING:
            node.set("this", _by_code_point(node.this))
        return node

    return rule


def _cased(function: str) -> Rule:
    """LOWER and UPPER by Unicode's full mapping, as ICU has it whatever the collation of the database; what comes out
    is compared by code point again."""

    def rule(node: exp.Anonymous, _: Rewriting) -> Sql:
        text = exp.Collate(
            this=build.atom(node.expressions[0]), expression=exp.Identifier(this="und-x-icu", quoted=True)
        )
        return exp.Paren(this=_by_code_point(_call(function, text)))

    return rule


def _suffix(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    text, end = node.expressions
    return once(node, [end], lambda e: build.equal(_call("RIGHT", text, _call("LENGTH", e)), e.copy()), rewriting)


def _contains(node: exp.Anonymous, _: Rewriting) -> Sql:
    return build.binary(exp.GT, _call("STRPOS", *node.expressions), build.number(0))


def _substring(node: exp.Anonymous, _: Rewriting) -> Sql:
    text, *bounds = node.expressions
    return _call("SUBSTR", text, *[_small(bound) for bound in bounds])


def _split(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """The empty text has one part, which is empty."""
    text, delimiter = node.expressions

    def parts(text: Sql) -> Sql:
        empty = exp.Array(expressions=[_cast(exp.Literal.string(""), "TEXT")])
        is_empty = build.equal(text.copy(), exp.Literal.string(""))
        return build.case([(is_empty, empty)], _call("STRING_TO_ARRAY", text, delimiter))

    return once(node, [text], parts, rewriting)


# ------------------------------------------------------------------ lists


def _unnested(items: Sql, alias: str) -> Sql:
    """The elements `x` at places `i`."""
    columns = [build.name("x"), build.name("i")]
    return exp.Unnest(expressions=[items], offset=True, alias=exp.TableAlias(this=build.name(alias), columns=columns))


def _lateral(node: exp.Lateral, _: Rewriting) -> Sql:
    if not isinstance(node.this, exp.Anonymous):
        return node
    return _unnested(node.this.expressions[0], node.args["alias"].this.this)


def _queried(query: exp.Select) -> Sql:
    """The list of the rows of a query."""
    return _call("ARRAY", query)


def _reverse(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    alias = rewriting.fresh("u")

    def turned(items: Sql) -> Sql:
        query = build.select([build.column("x", alias)], [_unnested(items, alias)])
        query.set("order", exp.Order(expressions=[build.ordered(build.column("i", alias), descending=True)]))
        return build.case([(build.is_not_null(items.copy()), _queried(query))])

    return once(node, node.expressions, turned, rewriting)


def _folded(aggregate: Callable[[Sql], Sql]) -> Rule:
    """An aggregate of the elements; null of null."""

    def rule(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
        alias = rewriting.fresh("u")

        def aggregated(items: Sql) -> Sql:
            query = build.select([aggregate(build.column("x", alias))], [_unnested(items, alias)])
            return build.case([(build.is_not_null(items.copy()), build.scalar(query))])

        return once(node, node.expressions, aggregated, rewriting)

    return rule


def _length(node: exp.Anonymous, _: Rewriting) -> Sql:
    return _big(_call("CARDINALITY", *node.expressions))


def _bracket(items: Sql, place: Sql) -> Sql:
    held = items if isinstance(items, exp.Column) else exp.Paren(this=items)
    return exp.Bracket(this=held, expressions=[place], offset=1)


def _item(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """An element from the begin or from the end."""
    items, place = node.expressions
    if isinstance(place, exp.Literal):
        return _bracket(items, place)
    return once(node, [items, place], _placed, rewriting)


def _placed(items: Sql, place: Sql) -> Sql:
    size = _call("CARDINALITY", items.copy())
    from_end = build.binary(exp.Add, build.binary(exp.Add, size, build.number(1)), place.copy())
    if isinstance(place, exp.Paren) and isinstance(place.this, exp.Neg):
        return _bracket(items, from_end)
    negative = build.binary(exp.LT, place.copy(), build.number(0))
    return _bracket(items, build.case([(negative, from_end)], place))


def _slice(node: exp.Anonymous, _: Rewriting) -> Sql:
    items, low, high = node.expressions
    return _bracket(items, exp.Slice(this=low, expression=high))


def _has(node: exp.Anonymous, _: Rewriting) -> Sql:
    items, item = node.expressions
    return exp.EQ(this=build.atom(item), expression=exp.Any(this=exp.Paren(this=items)))


def _overlap(node: exp.Anonymous, _: Rewriting) -> Sql:
    one, other = node.expressions
    return exp.Paren(this=exp.ArrayOverlaps(this=build.atom(one), expression=build.atom(other)))


def _series(node: exp.Anonymous, _: Rewriting) -> Sql:
    return _queried(build.select([_call("GENERATE_SERIES", *node.expressions)]))


def _array(node: exp.Array | exp.ArrayAgg, rewriting: Rewriting) -> Sql:
    """An array; of arrays it would be one of two dimensions, and all of the same length."""
    rep = build.note(node)
    if isinstance(rep, ListRep) and isinstance(rep.element, ListRep):
        rewriting.refuse("lists of lists")
    if isinstance(node, exp.ArrayAgg):
        node.set("this", _typed(node.this))
        return node
    for item in list(node.expressions):
        if isinstance(item, exp.Query):  # ARRAY(query) is the list of its rows: what stands behind it would be lost
            item.replace(exp.Paren(this=item.copy()))
    return node


def _typed(value: Sql) -> Sql:
    """A value with a type: a bare string has none."""
    if isinstance(value, exp.Literal) and value.is_string:
        return _cast(value, "TEXT")
    if isinstance(value, (exp.Order, exp.Distinct)):
        for at, each in enumerate(list(value.expressions) if isinstance(value, exp.Distinct) else []):
            value.expressions[at].replace(_typed(each.copy()))
        if isinstance(value, exp.Order):
            value.set("this", _typed(value.this))
    return value


def _cast_list(node: exp.Cast, _: Rewriting) -> Sql:
    """A list of nothing but nulls, which has the type of a list of booleans, becomes another by way of texts."""
    rep = build.note(node)
    if isinstance(rep, ListRep) and rep.element == NULL:
        node.set("this", _cast(node.this, "TEXT[]"))
    return node


def _group(node: exp.Group, _: Rewriting) -> Sql:
    """Grouping by a bare constant would be by the column of that number."""
    for each in list(node.expressions):
        if isinstance(each, exp.Boolean):
            each.replace(_cast(each.copy(), "BOOLEAN"))
        elif isinstance(each, exp.Literal):
            each.replace(_cast(each.copy(), "TEXT" if each.is_string else "BIGINT"))
    return node


def _any(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """A value of any row of a group, or of the first one."""
    value = node.expressions[0]
    if value.find(exp.Column) is None:
        constant: Sql = value.this if isinstance(value, exp.Order) else value
        return constant
    if isinstance(build.note(node), ListRep):
        return exp.Min(this=value.this if isinstance(value, exp.Order) else value)
    return _bracket(exp.ArrayAgg(this=value), build.number(1))


def _select(node: exp.Select, _: Rewriting) -> Sql:
    """Operands that are to be computed once: the planner would write them out wherever they are mentioned."""
    if build.note(node) == build.HELD:
        node.set("offset", exp.Offset(expression=build.number(0)))
    return node


# ------------------------------------------------------------------ maps and paths


def _structure(node: exp.Struct, _: Rewriting) -> Sql:
    """JSON keeps integers, floats and texts as they are; the types are known to whoever reads it."""
    arguments: list[Sql] = []
    for field in node.expressions:
        value = field.expression
        arguments += [
            exp.Literal.string(field.this.name),
            _cast(value, "TEXT") if isinstance(value, exp.Literal) and value.is_string else value,
        ]
    return _call("JSONB_BUILD_OBJECT", *arguments)


_PAIRS = 50
"""Names and values in one call: functions take a hundred arguments."""


def _object(node: exp.Anonymous, _: Rewriting) -> Sql:
    found = node.expressions
    calls = [_call("JSONB_BUILD_OBJECT", *found[at : at + 2 * _PAIRS]) for at in range(0, len(found), 2 * _PAIRS)]
    made = calls[0] if calls else _call("JSONB_BUILD_OBJECT")
    for each in calls[1:]:
        made = build.binary(exp.DPipe, made, each)
    return exp.Paren(this=made) if len(calls) > 1 else made


def _time_text(node: exp.Anonymous, _: Rewriting) -> Sql:
    value = node.expressions[0]
    if build.note(node) == DATETIME:
        value = _call("TIMEZONE", exp.Literal.string("UTC"), value)
    text = _call("TO_CHAR", value, exp.Literal.string('YYYY-MM-DD"T"HH24:MI:SS.US'))
    return spelled_time(node, text)


def _field(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """A field of a map or path, as what it was."""
    whole, key = node.expressions
    rep = build.note(node)
    direct = _direct(whole, key.name)
    if direct is not None:
        return direct
    if isinstance(rep, MapRep) or rep == PATH:
        return exp.Paren(this=exp.JSONExtract(this=build.atom(whole), expression=key, only_json_types=True))
    if isinstance(rep, ListRep):
        if isinstance(rep.element, (ListRep, MapRep)) or rep.element == PATH:
            rewriting.refuse("a list of lists, maps or paths in a map")
        return _listed(whole, key, rep, rewriting)
    return exp.Cast(this=exp.Paren(this=_text_of(whole, key)), to=rewriting.type_of(rep or INTEGER))


def _text_of(whole: Sql, key: Sql) -> Sql:
    return exp.JSONExtractScalar(this=build.atom(whole), expression=key, only_json_types=True)


def _listed(whole: Sql, key: Sql, rep: ListRep, rewriting: Rewriting) -> Sql:
    part = _call("JSONB_EXTRACT_PATH", whole, key)
    alias = rewriting.fresh("u")
    items = _call("JSONB_ARRAY_ELEMENTS_TEXT", _call("NULLIF", part, _cast(exp.Literal.string("null"), "JSONB")))
    columns = [build.name("x"), build.name("i")]
    source = exp.Table(this=items, ordinality=True, alias=exp.TableAlias(this=build.name(alias), columns=columns))
    value = exp.Cast(this=build.column("x", alias), to=rewriting.type_of(rep.element))
    query = build.select([value], [source])
    query.set("order", exp.Order(expressions=[build.ordered(build.column("i", alias))]))
    known = build.is_not_null(_text_of(whole.copy(), key.copy()))
    return build.case([(known, _queried(query))])


def _direct(whole: Sql, key: str) -> Sql | None:
    """The field of a map or path that is put together right here."""
    whole = build.bare(whole)
    if not isinstance(whole, exp.Anonymous) or whole.name != "JSONB_BUILD_OBJECT":
        return None
    found = whole.expressions
    fields: dict[str, Sql] = {found[at].name: found[at + 1] for at in range(0, len(found), 2)}
    return fields.get(key)


def _is_nan(node: exp.Anonymous, _: Rewriting) -> Sql:
    return exp.Paren(this=build.equal(node.expressions[0], _cast(exp.Literal.string("NaN"), "DOUBLE PRECISION")))


def _count_known(value: Sql) -> Sql:
    return exp.Count(this=value)


def _count_different(value: Sql) -> Sql:
    return exp.Count(this=exp.Distinct(expressions=[value]))


def _day_of(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    value = node.expressions[0]
    local = _call("TIMEZONE", exp.Literal.string("UTC"), value) if build.note(node) == DATETIME else value
    return exp.Cast(this=local, to=rewriting.type_of(DATE))


def _today(_node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    now = _call("TIMEZONE", exp.Literal.string("UTC"), _call("STATEMENT_TIMESTAMP"))
    return exp.Cast(this=now, to=rewriting.type_of(DATE))


def _months_later(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """A date and an interval make a timestamp."""
    day, months = node.expressions
    later = build.binary(exp.Mul, exp.Interval(this=exp.Literal.string("1 month")), months)
    return exp.Cast(this=build.binary(exp.Add, day, later), to=rewriting.type_of(DATE))


def _days_later(node: exp.Anonymous, _: Rewriting) -> Sql:
    return exp.Paren(this=build.binary(exp.Add, *node.expressions))


def _days_between(node: exp.Anonymous, _: Rewriting) -> Sql:
    first, last = node.expressions
    return _big(exp.Paren(this=build.binary(exp.Sub, last, first)))


def _matches(node: exp.Anonymous, _: Rewriting) -> Sql:
    text, pattern = node.expressions
    whole = exp.Literal.string(f"^({pattern.name})$")
    return exp.Paren(this=exp.RegexpLike(this=build.atom(text), expression=whole))


_FUNCTIONS: dict[str, Rule] = {
    "generate_series": _series,
    "length": lambda node, _: _big(_call("LENGTH", *node.expressions)),
    "len": _length,
    "list_extract": _item,
    "list_slice": _slice,
    "list_concat": renamed("ARRAY_CAT"),
    "list_append": renamed("ARRAY_APPEND"),
    "list_reverse": _reverse,
    "list_contains": _has,
    "list_count": _folded(_count_known),
    "list_has_any": _overlap,
    "list_unique": _folded(_count_different),
    "struct_extract": _field,
    "starts_with": keep,
    "suffix": _suffix,
    "contains": _contains,
    "substring": _substring,
    "replace": keep,
    "reverse": keep,
    "lower": _cased("LOWER"),
    "upper": _cased("UPPER"),
    "string_split": _split,
    "trim": renamed("BTRIM"),
    "ltrim": keep,
    "rtrim": keep,
    "isnan": _is_nan,
    "abs": keep,
    "ceil": keep,
    "floor": keep,
    "trunc": keep,
    "fault": fault,
    "moment": moment,
    "day_of": _day_of,
    "today": _today,
    "months_later": _months_later,
    "days_later": _days_later,
    "days_between": _days_between,
    "months_between": days.months_between(_big),
    "text_matches": _matches,
    "pow": renamed("POWER"),
    "date_text": lambda node, _: _call("TO_CHAR", node.expressions[0], exp.Literal.string("YYYY-MM-DD")),
    "json_object": _object,
    "json_array": renamed("JSONB_BUILD_ARRAY"),
    "json_float": itself,
    "json_list": renamed("TO_JSONB"),
    "time_text": _time_text,
    "date_of": lambda node, _: _cast(node.expressions[0], "DATE"),
    "date_part": lambda node, _: _big(_call("DATE_PART", *node.expressions)),
    **dict.fromkeys((*OF_FLOATS, "degrees", "radians"), keep),
    "any_value": _any,
    "first": _any,
    "dense_rank": keep,
    "row_number": keep,
    "unwind": keep,
}

POSTGRES = Target(
    "sql-postgres",
    "PostgreSQL",
    "postgres",
    _type,
    _FUNCTIONS,
    {
        exp.IntDiv: _integer_division,
        exp.Div: _division,
        exp.Mod: _modulo,
        exp.Avg: _average,
        exp.Min: _extreme("BOOL_AND"),
        exp.Max: _extreme("BOOL_OR"),
        **dict.fromkeys((exp.LT, exp.LTE, exp.GT, exp.GTE), _ordering),
        exp.Ordered: _ordered,
        exp.Array: _array,
        exp.ArrayAgg: _array,
        exp.Struct: _structure,
        exp.PropertyEQ: keep,
        exp.Lateral: _lateral,
        exp.Group: _group,
        exp.Select: _select,
        exp.Cast: _cast_list,
    },
    Abilities(bridges=False, lateral=True, lambdas=False),
    "numbered",
)
