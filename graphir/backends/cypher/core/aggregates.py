"""Aggregates of core IR in Cypher's terms.

Where GoogleSQL gives null for no values Cypher gives 0 or an empty list, and collect() leaves nulls out.  The rows that
an aggregate sees may be sorted before: Cypher's collect() keeps their order.
"""

from __future__ import annotations

import dataclasses

from graphir import ir, types
from graphir.backends.cypher.core.terms import Terms, Typed
from graphir.functions import AGGREGATES
from graphir.gql_functions import SAFE
from graphir.ir import Apply, Expression, Literal
from graphir.types import ANY, BOOLEAN, FLOAT, INTEGER, STRING

_RESULTS = {
    "countif": INTEGER,
    "logical_and": BOOLEAN,
    "logical_or": BOOLEAN,
    "string_agg": STRING,
    "stddev_samp": FLOAT,
    "stDevP": FLOAT,
}


def order_of(terms: Terms, items: tuple[ir.Item, ...]) -> tuple[ir.SortKey, ...]:
    """How the rows must be sorted before; refused where two aggregates want them sorted differently."""
    found: tuple[ir.SortKey, ...] = ()
    for item in items:
        for part in ir.walk(item.value):
            if isinstance(part, ir.Modified) and part.order:
                if found and found != part.order:
                    raise terms.tools.report.refusal("aggregate", part, "aggregates of rows in two orders")
                found = part.order
    keys = [dataclasses.replace(key, value=terms.expression(key.value)) for key in found]
    return tuple([key for key in keys if any(isinstance(part, ir.Ref) for part in ir.walk(key.value))])


def aggregate(terms: Terms, node: Apply) -> Typed:
    """An aggregating function, its arguments translated."""
    name = node.function
    args = list(node.args)
    limit: Expression | None = None
    if args and isinstance(first := args[0], ir.Modified):
        if first.having is not None:
            raise terms.tools.report.refusal("aggregate", node, "an aggregate with HAVING")
        ignoring = first.nulls == "ignore"
        limit = first.limit
        args[0] = first.value
        if name == "array_agg" and ignoring:
            name = "array_agg_ignoring"
        elif limit is not None and name != "array_agg":
            raise terms.tools.report.refusal("aggregate", node, f"`{name}` of a number of rows")
    if name == "array_agg" and node.distinct and limit is not None:
        raise terms.tools.report.refusal("aggregate", node, "ARRAY_AGG of a number of distinct values")
    if name == "string_agg" and len(args) == 1:
        args.append(Literal(","))
    if name == "string_agg" and not isinstance(args[1], (Literal, ir.Parameter)):
        raise terms.tools.report.refusal("aggregate", node, "STRING_AGG with a separator that varies")
    given = [terms.value(argument) for argument in args]
    if any(is_random(each.expression) for each in given):
        raise terms.tools.report.refusal("aggregate", node, "an aggregate of random values")
    if name.startswith(SAFE):
        raise terms.tools.report.refusal("aggregate", node, f"`{name}`")
    call = dataclasses.replace(node, function=name, args=tuple([each.expression for each in given]))
    made = terms.said(call, [each.expression for each in given])
    if limit is not None:
        made = ir.Slice(made, None, terms.expression(limit), span=node.span)
    return Typed(made, _result(terms, call, [each.type for each in given]))


def is_random(node: Expression) -> bool:
    return any(isinstance(x, Apply) and x.function in ("rand", "randomUUID", "uuid") for x in ir.walk(node))


def _result(terms: Terms, call: Apply, operands: list[int]) -> int:
    name = call.function
    if name in _RESULTS:
        return _RESULTS[name]
    first = operands[0] if operands else ANY
    if name in ("sum_or_null", "any_value"):
        return first
    if name.startswith("array_agg"):
        return types.list_of(first)
    return terms.tools.kinds.applied(call, operands) if name in AGGREGATES else ANY


def simplified(node: ir.Node) -> ir.Node:
    """`coalesce(SUM(x), 0)` is Cypher's sum, and `coalesce(ARRAY_AGG(x IGNORE NULLS), [])` its collect."""
    if not isinstance(node, Apply) or node.function != "coalesce" or len(node.args) != 2:
        return node
    inner, instead = node.args
    if not isinstance(inner, Apply):
        return node
    if inner.function == "sum_or_null" and instead == Literal(0):
        return dataclasses.replace(inner, function="sum")
    argument = inner.args[0] if inner.args else None
    if inner.function != "array_agg" or instead != ir.ListOf() or not isinstance(argument, ir.Modified):
        return node
    if argument.nulls != "ignore" or argument.limit is not None or argument.having is not None:
        return node
    kept = dataclasses.replace(argument, nulls=None)
    return dataclasses.replace(inner, function="collect", args=(kept if kept.order else kept.value,))
