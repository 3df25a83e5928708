"""Columns of a projection and what is done with them: aggregates, sort keys, pages.  Knows no clause."""

from __future__ import annotations

from graphir import ir
from graphir.backends.gql.expressions import INT64, Translator, Typed, call, references
from graphir.backends.gql.features import Report
from graphir.backends.gql.values import ELEMENTS, IDENTITIES, NUMBERS, OPEN, SCALARS, Kind, Value, joined
from graphir.ir.node import replace


def check_key(item: ir.Item, value: Value, report: Report) -> None:
    """Refuse a column by which the target cannot tell rows apart."""
    if value.kind not in SCALARS | ELEMENTS | IDENTITIES:
        raise report.refusal("element-value", item, f"telling apart rows by {value.kind.value}")


def check_column(item: ir.Item, value: Value, report: Report) -> None:
    """Refuse a column that a result of the target cannot have."""
    if value.kind in IDENTITIES:
        raise report.refusal("identity", item, f"a result with {value.kind.value}")
    if value.kind not in SCALARS | {Kind.LIST}:
        raise report.refusal("returned-element", item, f"a result with {value.kind.value}")


def sort_keys(keys: tuple[ir.SortKey, ...], translator: Translator) -> tuple[ir.SortKey, ...]:
    """Sort keys; where null comes first in the engine, a key of its own puts it elsewhere.

    A constant sorts nothing, and as a number it would be the place of a column.
    """
    out = []
    for key in keys:
        expression, value = translator.scalar(key.value, "an order by this value")
        if not references(expression):
            continue
        if not translator.null_is_least:
            out.append(ir.SortKey(expression, key.descending, key.nulls))
            continue
        natural = "last" if key.descending else "first"
        if value.nullable and key.nulls != natural:
            test = "is_not_null" if key.nulls == "first" else "is_null"
            out.append(ir.SortKey(ir.Apply(test, (expression,)), False, "first"))
        out.append(ir.SortKey(expression, key.descending, natural))
    return tuple(out)


def unwound(operator: ir.Unwind, translator: Translator, report: Report) -> Typed:
    """The list of an UNWIND, and what is known of its items."""
    source = operator.source
    if operator.ordinality is not None or operator.offset is not None:
        raise report.refusal("list-operation", operator, "FOR with positions")
    if isinstance(source, ir.ListOf):
        items, values = [], []
        for item in source.items:
            expression, value = translator.scalar(item, "a list with this item")
            items.append(expression)
            values.append(value)
        kinds = tuple([value.kind for value in values])
        if not translator.joinable(kinds):
            raise report.refusal("unlike-types", operator, "UNWIND of values of several types")
        return ir.ListOf(tuple(items)), Value(joined(kinds), any(value.nullable for value in values))
    if isinstance(source, ir.Apply) and source.function == "range":
        bounds_, _ = translator.numbers(source)
        return call("GENERATE_ARRAY", *bounds_), Value(Kind.INT, False)
    expression, value = translator.value(source)
    if value.kind not in (Kind.ANY, Kind.LIST):
        raise report.refusal("unlike-types", operator, f"UNWIND of {value.kind.value}")
    return expression, Value(Kind.ANY)


def bounds(page: ir.Page | None, report: Report) -> tuple[ir.Expression | None, ir.Expression | None]:
    """SKIP and LIMIT, which are literals or parameters."""
    if page is None:
        return None, None
    for bound in (page.skip, page.limit):
        if bound is None or isinstance(bound, ir.Parameter):
            continue
        if not (isinstance(bound, ir.Literal) and type(bound.value) is int and bound.value in INT64):
            raise report.refusal("page", bound, "this number of rows")
    return page.skip, page.limit


def aliased(key: ir.SortKey, items: tuple[ir.Item, ...]) -> ir.SortKey:
    """The key by the name of the column with its value, where there is one."""
    sought = tested(key.value)
    name = next((item.name for item in items if item.value == sought), None)
    if name is None:
        return key
    column = ir.Ref(name)
    return replace(key, value=column if sought is key.value else replace(key.value, args=(column,)))


def tested(key: ir.Expression) -> ir.Expression:
    """What a sort key goes by: the value, where the key is whether it is null."""
    test = isinstance(key, ir.Apply) and key.function in ("is_null", "is_not_null")
    return key.args[0] if test and isinstance(key, ir.Apply) else key


def tail(operators: list[ir.Operator]) -> tuple[ir.Order | None, ir.Page | None]:
    """The order and the page at the end of the operators."""
    order: ir.Order | None = None
    page: ir.Page | None = None
    rest = list(operators)
    if rest and isinstance(last := rest[-1], ir.Page):
        page = last
        rest.pop()
    if rest and isinstance(last := rest[-1], ir.Order):
        order = last
    return order, page


def aggregate(translator: Translator, node: ir.Expression, report: Report) -> Typed:
    """An aggregating function and what is known of its value."""
    assert isinstance(node, ir.Apply)
    name = node.function
    if name == "count_star":
        return node, Value(Kind.INT, False)
    if name not in ("count", "sum", "avg", "min", "max", "collect"):
        raise report.refusal("function", node, f"`{name}`")
    argument, value = translator.value(node.args[0])
    if name == "count":
        return counted(translator, node, argument, value, report), Value(Kind.INT, False)
    if value.kind not in SCALARS:
        raise report.refusal("element-value", node, f"`{name}` of {value.kind.value}")
    if name in ("sum", "avg") and value.kind not in NUMBERS | OPEN:
        raise report.refusal("unlike-types", node, f"`{name}` of {value.kind.value}")
    found = ir.Apply(name, (argument,), node.distinct)
    if name == "collect":
        return translator.collected(node, found, value.kind), Value(Kind.LIST, False, items=value.kind)
    if name == "sum":
        kind = value.kind if value.kind in NUMBERS else Kind.NUMBER
        return call("IFNULL", found, ir.Literal(0)), Value(kind, False)
    return found, Value(Kind.FLOAT if name == "avg" else value.kind)


def counted(
    translator: Translator, node: ir.Apply, argument: ir.Expression, value: Value, report: Report
) -> ir.Expression:
    """count: elements are counted by their identity, lists and paths that are always there as rows."""
    if value.kind in ELEMENTS:
        return ir.Apply("count", (translator.identity(argument),), node.distinct)
    if value.kind in SCALARS | IDENTITIES:
        return ir.Apply("count", (argument,), node.distinct)
    if node.distinct or value.nullable:
        raise report.refusal("element-value", node, f"counting {value.kind.value}")
    return ir.Apply("count_star")
