"""What is done with the columns of a projection: aggregates, sort keys, pages.  Knows no clause."""

from __future__ import annotations

from graphir import ir
from graphir.backends.gql.expressions import INT64, Translator, Typed, call, references
from graphir.backends.gql.features import Report
from graphir.backends.gql.values import ELEMENTS, IDENTITIES, NUMBERS, OPEN, SCALARS, Kind, Value
from graphir.ir.node import replace


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
