"""What Spark says for lists, structures and aggregates: functions of lambdas, and lists that are sorted by one."""

from __future__ import annotations

from sqlglot import exp

from graphir.backends.sql import build
from graphir.backends.sql.build import Sql
from graphir.backends.sql.targets.nesting import of_elements
from graphir.backends.sql.targets.rewriting import dotted, keep, renamed
from graphir.backends.sql.targets.sharing import once
from graphir.backends.sql.targets.target import Rewriting, Rule

MOST = (1 << 31) - 1


# ------------------------------------------------------------------ pieces


def cast_to(piece: Sql, kind: str) -> Sql:
    return exp.Cast(this=piece, to=exp.DataType.build(kind, dialect="spark"))


def real(text: str) -> Sql:
    return cast_to(exp.Literal.string(text), "DOUBLE")


def constant_of(node: Sql) -> int | None:
    """The integer that a constant is, under casts and brackets."""
    while isinstance(node, (exp.Cast, exp.Paren)):
        node = node.this
    sign = 1
    if isinstance(node, exp.Neg):
        sign, node = -1, node.this
    return sign * int(node.this) if isinstance(node, exp.Literal) and node.this.lstrip("-").isdecimal() else None


def place_of(node: Sql) -> Sql:
    """A place in a list or a string as INT, the type that Spark wants; null for one that no list has."""
    value = constant_of(node)
    if value is not None:
        return build.number(value) if abs(value) <= MOST else cast_to(build.null(), "INT")
    least = build.binary(exp.GTE, node.copy(), build.number(-MOST))
    most = build.binary(exp.LTE, node.copy(), build.number(MOST))
    return build.case([(build.conjunction([least, most]), cast_to(node.copy(), "INT"))])


# ------------------------------------------------------------------ lists and structures


def _counted(function: str) -> Rule:
    def rule(node: exp.Anonymous, _: Rewriting) -> Sql:
        return cast_to(build.call(function, *node.expressions), "BIGINT")

    return rule


def _element(node: exp.Anonymous, _: Rewriting) -> Sql:
    items, place = node.expressions
    return build.call("try_element_at", items, place_of(place))


def _slice(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    items, begin, end = node.expressions
    first, last = constant_of(begin), constant_of(end)
    if first is None or last is None or first < 1:
        rewriting.refuse("a slice whose bounds are not constants")
    first = min(first, MOST)
    return build.call("slice", items, build.number(first), build.number(max(min(last, MOST) - first + 1, 0)))


def _series(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """Spark's sequence() counts backwards by itself, and refuses a step that leads away."""
    first, last, *rest = node.expressions
    step = constant_of(rest[0]) if rest else 1
    if step is None or not step:
        rewriting.refuse("range() with a step that is not a constant")
    by = rest[0] if rest else cast_to(build.number(1), "BIGINT")
    order = exp.LTE if step > 0 else exp.GTE

    def series(first: Sql, last: Sql) -> Sql:
        ahead = build.binary(order, first.copy(), last.copy())
        none = cast_to(build.array([]), "ARRAY<BIGINT>")
        return build.case([(ahead, build.call("sequence", first, last, by)), (build.negation(ahead.copy()), none)])

    return once(node, [first, last], series, rewriting)


def _kept(node: exp.Anonymous, _: Rewriting) -> Sql:
    """The number of elements that are not null."""
    return cast_to(build.call("array_size", build.call("array_compact", node.expressions[0])), "BIGINT")


def _different(node: exp.Anonymous, _: Rewriting) -> Sql:
    return cast_to(build.call("array_size", build.call("array_distinct", node.expressions[0])), "BIGINT")


def _structure(node: exp.Struct, _: Rewriting) -> Sql:
    pairs: list[Sql] = []
    for each in node.expressions:
        pairs += [exp.Literal.string(each.this.name), each.expression]
    return build.call("named_struct", *pairs)


def _reduced(node: exp.Anonymous, _: Rewriting) -> Sql:
    items, step, start = node.expressions
    return build.call("aggregate", items, start, step)


def _element_of(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """Nothing is in an empty list, not even null."""
    item, items = node.expressions

    def found(item: Sql, items: Sql) -> Sql:
        empty = build.equal(build.call("array_size", items.copy()), build.number(0))
        return build.case([(empty, build.boolean(False))], build.call("array_contains", items, item))

    return once(node, [item, items], found, rewriting)


def _none(node: exp.Anonymous, _: Rewriting) -> Sql:
    return build.negation(build.call("exists", node.expressions[0], _itself()))


def _quantified(function: str) -> Rule:
    def rule(node: exp.Anonymous, _: Rewriting) -> Sql:
        return build.call(function, node.expressions[0], _itself())

    return rule


def _itself() -> Sql:
    return build.function("t", build.column("t"))


def _single(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """True for one that is true and no null; a second true one decides."""

    def verdict(tests: Sql) -> Sql:
        true = build.call("array_size", build.call("filter", tests.copy(), _itself()))
        unsure = build.call("exists", tests.copy(), build.function("t", build.is_null(build.column("t"))))
        several = build.binary(exp.GT, true.copy(), build.number(1))
        return build.case(
            [(several, build.boolean(False)), (unsure, cast_to(build.null(), "BOOLEAN"))],
            build.equal(true, build.number(1)),
        )

    return once(node, node.expressions, verdict, rewriting)


def _unwound(node: exp.Lateral, rewriting: Rewriting) -> Sql:
    """Elements of a list as rows; the first source of a query may read what is around it without LATERAL."""
    if not isinstance(node.this, exp.Anonymous):
        return node
    (items,) = node.this.expressions
    inner, place, value = rewriting.fresh("e"), rewriting.fresh("i"), rewriting.fresh("x")
    exploded = exp.Aliases(this=build.call("posexplode", items), expressions=[build.name(place), build.name(value)])
    position = build.binary(exp.Add, cast_to(build.column(place, inner), "BIGINT"), build.number(1))
    columns = [build.alias(build.column(value, inner), "x"), build.alias(position, "i")]
    query = build.select(columns, [build.derived(build.select([exploded]), inner)])
    return build.derived(query, node.args["alias"].this.this, lateral=not isinstance(node.parent, exp.From))


# ------------------------------------------------------------------ aggregates


def _gathered(node: exp.ArrayAgg, rewriting: Rewriting) -> Sql:
    """collect_list() passes nulls over and knows no order: values are wrapped, sorted, and unwrapped."""
    value = node.this
    if isinstance(value, exp.Order):
        return _sorted(value, rewriting)
    if isinstance(value, exp.Distinct) or isinstance(node.parent, exp.Filter):
        return build.call("collect_list", value)
    wrapped = build.call("collect_list", build.call("named_struct", exp.Literal.string("v"), value))
    return build.call("transform", wrapped, build.function("e", _part("e", "v")))


def _part(row: str, key: str) -> Sql:
    return exp.Dot(this=build.column(row), expression=build.name(key))


def _sorted(order: exp.Order, rewriting: Rewriting) -> Sql:
    """The list of the values of rows in an order."""
    pairs: list[Sql] = []
    steps: list[tuple[Sql, Sql]] = []
    for at, each in enumerate(order.expressions):
        key = f"k{at}"
        pairs += [exp.Literal.string(key), each.this]
        steps += _steps(key, bool(each.args.get("desc")), bool(each.args.get("nulls_first")))
    wrapped = build.call("collect_list", build.call("named_struct", *pairs, exp.Literal.string("v"), order.this))
    compare = build.function(["a", "b"], build.case(steps, build.number(0)))
    return build.call("transform", build.call("array_sort", wrapped, compare), build.function("e", _part("e", "v")))


def _steps(key: str, descending: bool, nulls_first: bool) -> list[tuple[Sql, Sql]]:
    """What decides by a key: minus one where `a` comes first."""
    first, last = build.number(-1), build.number(1)
    left, right = _part("a", key), _part("b", key)
    before, after = (exp.GT, exp.LT) if descending else (exp.LT, exp.GT)
    null, other = (first, last) if nulls_first else (last, first)
    only_left = build.conjunction([build.is_null(left.copy()), build.is_not_null(right.copy())])
    only_right = build.conjunction([build.is_not_null(left.copy()), build.is_null(right.copy())])
    return [
        (only_left, null.copy()),
        (only_right, other.copy()),
        (build.binary(before, left.copy(), right.copy()), first.copy()),
        (build.binary(after, left, right), last.copy()),
    ]


def _filtered(node: exp.Filter, _: Rewriting) -> Sql:
    """FILTER belongs to the aggregate itself."""
    made: Sql = node.this
    if isinstance(made, exp.AggFunc):
        return node
    inner = next(each for each in made.find_all(exp.Anonymous) if each.name == "collect_list")
    where = node.expression
    if inner is made:
        return exp.Filter(this=made, expression=where)
    holder = exp.Filter(this=inner.copy(), expression=where)
    inner.replace(holder)
    return made


def _first(node: exp.Anonymous, rewriting: Rewriting) -> Sql:
    """The value of the first row of a group in an order."""
    return build.call("element_at", _sorted(node.expressions[0], rewriting), build.number(1))


LISTS: dict[str, Rule] = {
    "length": _counted("length"),
    "len": _counted("array_size"),
    "list_extract": _element,
    "list_slice": _slice,
    "list_concat": renamed("concat"),
    "list_append": renamed("array_append"),
    "list_reverse": renamed("reverse"),
    "list_contains": renamed("array_contains"),
    "list_has_any": renamed("arrays_overlap"),
    "list_count": _kept,
    "list_unique": _different,
    "list_distinct": renamed("array_distinct"),
    "list_transform": renamed("transform"),
    "list_filter": renamed("filter"),
    "list_reduce": _reduced,
    "list_in": _element_of,
    "list_any": _quantified("exists"),
    "list_all": _quantified("forall"),
    "list_none": _none,
    "list_single": _single,
    "generate_series": _series,
    "struct_extract": dotted,
    "unwind": keep,
    "first": _first,
}
NODES: dict[type[exp.Expr], Rule] = {
    exp.Array: keep,
    exp.Lambda: of_elements,
    exp.Struct: _structure,
    exp.PropertyEQ: keep,
    exp.ArrayAgg: _gathered,
    exp.Filter: _filtered,
    exp.Lateral: _unwound,
}
