"""Columns of a projection: what they may be, and those of the items of lists.  Knows no clause."""

from __future__ import annotations

from graphir import ir
from graphir.backends.gql.expressions import Translator, Typed, call
from graphir.backends.gql.features import Report
from graphir.backends.gql.values import ELEMENTS, IDENTITIES, SCALARS, Kind, Value, joined


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
