"""Aggregates where lists may hold elements and maps, and are in the order of the rows that they are collected from."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING

from graphir import ir
from graphir.backends.gql import native
from graphir.backends.gql.columns import aggregate as plain
from graphir.backends.gql.columns import sort_keys
from graphir.backends.gql.expressions import Typed, call
from graphir.backends.gql.records import IDENTITY, field
from graphir.backends.gql.values import RECORDS, SCALARS, Kind, Value
from graphir.ir.node import replace

if TYPE_CHECKING:
    from graphir.backends.gql.schematic import Schematic


def aggregate(self: Schematic, node: ir.Expression) -> Typed:
    """An aggregating function and what is known of its value.

    A list of elements without repetition repeats them still, which `is_repeated` tells.
    """
    assert isinstance(node, ir.Apply)
    if node.function == "collect":
        return collected(self, node)
    if native.aggregates(node):
        return native.aggregate(self, node)
    if node.function == "count" and len(node.args) == 1:
        return counted(self, node)
    return plain(self, node, self.report)


def is_repeated(node: ir.Expression, value: Value) -> bool:
    """Whether a collected list still has to lose what is in it twice."""
    return isinstance(node, ir.Apply) and node.function == "collect" and node.distinct and value.items in RECORDS


def counted(self: Schematic, node: ir.Apply) -> Typed:
    expression, value = self.value(node.args[0])
    if value.kind in RECORDS:
        expression = field(expression, IDENTITY)
    elif value.kind in (Kind.LIST, Kind.MAP, Kind.OPAQUE):
        if node.distinct and not (value.kind is Kind.OPAQUE and value.groupable):
            raise self.report.refusal("element-value", node, f"counting {value.kind.value} without repetition")
    else:
        return plain(self, node, self.report)
    return ir.Apply("count", (expression,), node.distinct), Value(Kind.INT, False)


def collected(self: Schematic, node: ir.Apply) -> Typed:
    argument = node.args[0]
    order: tuple[ir.SortKey, ...] = ()
    if isinstance(argument, ir.Modified):
        order = sort_keys(argument.order, self)
        argument = argument.value
    expression, value = self.held(argument)
    if value.kind is Kind.LIST:
        raise self.report.refusal("list-operation", node, "a list of lists")
    if node.distinct and value.kind not in SCALARS | RECORDS and not (value.kind is Kind.OPAQUE and value.groupable):
        raise self.report.refusal("element-value", node, f"collecting {value.kind.value} without repetition")
    if node.distinct and order and (value.kind in RECORDS or {key.value for key in order} - {expression}):
        raise self.report.refusal("sorted-collection", node, "collect of sorted rows without repetition")
    distinct = node.distinct and value.kind not in RECORDS
    item: ir.Expression = ir.Modified(expression, order=order) if order else expression
    found = ir.Apply("collect", (item,), distinct)
    known = dataclasses.replace(value, nullable=False)
    made = Value(Kind.LIST, False, value.tables, items=value.kind, item=known)
    return call("IFNULL", found, ir.ListOf(())), made


def sorted_collections(operators: list[ir.Operator]) -> list[ir.Operator]:
    """The pipeline with the order of the rows written into the `collect` that depends on it."""
    keys: tuple[ir.SortKey, ...] = ()
    out: list[ir.Operator] = []
    for operator in operators:
        if isinstance(operator, ir.Order):
            keys = operator.keys
        elif isinstance(operator, ir.Aggregate):
            out.append(_in_order(operator, keys) if keys else operator)
            keys = ()
            continue
        elif isinstance(operator, ir.Project):
            keys = _seen(operator, keys)
        elif not isinstance(operator, (ir.Filter, ir.Page, ir.Let)):
            keys = keys if isinstance(operator, ir.Match) and operator.optional else ()
        out.append(operator)
    return out


def _in_order(aggregate: ir.Aggregate, keys: tuple[ir.SortKey, ...]) -> ir.Aggregate:
    items = []
    for item in aggregate.aggregates:
        value = item.value
        if isinstance(value, ir.Apply) and value.function == "collect":
            value = replace(value, args=(ir.Modified(value.args[0], order=keys),))
        items.append(replace(item, value=value))
    return replace(aggregate, aggregates=tuple(items))


def _seen(project: ir.Project, keys: tuple[ir.SortKey, ...]) -> tuple[ir.SortKey, ...]:
    """The keys by the columns of a projection; none where it has not all of what they are made of."""
    if project.distinct or not keys:
        return ()
    names: Mapping[ir.Expression, str] = {item.value: item.name or "" for item in project.items}

    def rule(part: ir.Node) -> ir.Node:
        return ir.Ref(names[part]) if isinstance(part, ir.Expression) and part in names else part

    found = tuple([ir.rewrite(key, rule) for key in keys])
    columns = set(names.values())
    kept = all(part.name in columns for key in found for part in ir.find(key, ir.Ref))
    return found if kept else ()
