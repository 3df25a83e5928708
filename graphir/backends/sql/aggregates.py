"""Aggregating functions: over the rows of a group, or over the list of their values by the reference function."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sqlglot import exp

from graphir import ir
from graphir.backends.sql import build, gql_aggregates
from graphir.backends.sql.build import Sql
from graphir.backends.sql.conversions import constant, convert, encoded, grouping_key, null_term, sorting_key
from graphir.backends.sql.lowering import Lowering
from graphir.backends.sql.reps import (
    DATETIME,
    DURATION,
    DYNAMIC,
    EDGE,
    FLOAT,
    INTEGER,
    NODE,
    NULL,
    Rep,
    datatype,
    is_native_key,
    is_native_order,
    list_of,
)
from graphir.backends.sql.terms import Term

Ordering = Sequence[Sql]
"""What the rows are ordered by, where they are."""


def aggregate(node: ir.Apply, terms: list[Term], order: Ordering, lowering: Lowering) -> Term:
    """An aggregate of the rows at hand; `terms` are its arguments in a row."""
    if node.function == "count_star":
        return Term(exp.Count(this=exp.Star()), INTEGER, present=True)
    if gql_aggregates.applies(node):
        return gql_aggregates.aggregate(node, terms, list(order), lowering)
    return _RULES[node.function](node, terms, order, lowering)


def _filtered(call: Sql, value: Term) -> Sql:
    if value.present:
        return call
    return exp.Filter(this=call, expression=exp.Where(this=build.is_not_null(value.again())))


def _gathered(value: Term, order: Ordering) -> Sql:
    """The list of the values, in order, without nulls; null for none."""
    listed: Sql = value.sql
    if order:
        listed = exp.Order(this=listed, expressions=[each.copy() for each in order])
    return _filtered(build.noted(exp.ArrayAgg(this=listed), list_of(value.rep)), value)


def gather(node: ir.Apply, value: Term, order: Ordering, lowering: Lowering) -> Term:
    """The list of the values without nulls, empty for none; without duplicates where the aggregate is DISTINCT."""
    rep = list_of(value.rep)
    empty = build.cast(build.array([]), datatype(rep))
    if node.distinct and is_native_key(value.rep) and not order:
        listed = _filtered(build.noted(exp.ArrayAgg(this=exp.Distinct(expressions=[value.sql])), rep), value)
        return Term(exp.Coalesce(this=listed, expressions=[empty]), rep, present=True)
    made = Term(exp.Coalesce(this=_gathered(value, order), expressions=[empty]), rep, present=True)
    if node.distinct:
        made = lowering.bridge("distinct", [made], rep, node)
    return made


def _collect(node: ir.Apply, terms: list[Term], order: Ordering, lowering: Lowering) -> Term:
    return gather(node, terms[0], order, lowering)


def _count(node: ir.Apply, terms: list[Term], order: Ordering, lowering: Lowering) -> Term:
    value = terms[0]
    if not node.distinct:
        return Term(exp.Count(this=value.sql), INTEGER, present=True)
    key = grouping_key(lowering, value) or value.sql
    different = build.noted(exp.Distinct(expressions=[key]), value.rep)
    return Term(exp.Count(this=different), INTEGER, present=True)


def _sum(node: ir.Apply, terms: list[Term], order: Ordering, lowering: Lowering) -> Term:
    value = terms[0]
    if value.rep not in (INTEGER, FLOAT, NULL):
        return _by_reference(node, terms, order, lowering, DYNAMIC)  # the integer 0 for no durations
    if value.rep == FLOAT:
        return _sum_of_floats(node, value, lowering)
    rep = INTEGER
    if value.rep == NULL:
        value = null_term(rep)
    total = build.cast(build.noted(exp.Sum(this=_distinct(node, value)), rep), datatype(rep))
    return Term(exp.Coalesce(this=total, expressions=[build.cast(build.number(0), datatype(rep))]), rep, present=True)


def _sum_of_floats(node: ir.Apply, value: Term, lowering: Lowering) -> Term:
    """The sum of no value is the integer 0, whatever the values would have been."""
    total = build.cast(build.noted(exp.Sum(this=_distinct(node, value)), FLOAT), datatype(FLOAT))
    if not lowering.abilities.bridges:
        return Term(exp.Coalesce(this=total, expressions=[constant(0.0).sql]), FLOAT, present=True)
    found = convert(lowering, Term(total, FLOAT), DYNAMIC)
    return Term(exp.Coalesce(this=found.sql, expressions=[encoded(0).sql]), DYNAMIC, present=True)


def _avg(node: ir.Apply, terms: list[Term], order: Ordering, lowering: Lowering) -> Term:
    value = terms[0]
    if value.rep == NULL:
        value = null_term(FLOAT)
    if value.rep not in (INTEGER, FLOAT):
        return _by_reference(node, terms, order, lowering, DURATION if value.rep == DURATION else DYNAMIC)
    return Term(build.noted(exp.Avg(this=_distinct(node, value)), value.rep), FLOAT)


def _distinct(node: ir.Apply, value: Term) -> Sql:
    return exp.Distinct(expressions=[value.sql]) if node.distinct else value.sql


def _extreme(kind: str) -> Callable[[ir.Apply, list[Term], Ordering, Lowering], Term]:
    def rule(node: ir.Apply, terms: list[Term], order: Ordering, lowering: Lowering) -> Term:
        value = terms[0]
        if value.rep in (NODE, EDGE) and not lowering.catalog.numbered:
            lowering.refuse("G560", "nodes and relationships have no order in these tables", node)
        if is_native_order(value.rep) or (value.rep == DATETIME and not lowering.abilities.bridges):
            made = (exp.Min if kind == "min" else exp.Max)(this=value.sql)
            return Term(build.noted(made, value.rep), value.rep)
        return Term(build.call(f"arg_{kind}", value.sql, sorting_key(lowering, value)), value.rep)

    return rule


def _percentile(node: ir.Apply, terms: list[Term], order: Ordering, lowering: Lowering) -> Term:
    rep = terms[0].rep
    result = FLOAT if rep == FLOAT else INTEGER if rep == INTEGER and node.function == "percentileDisc" else DYNAMIC
    return _by_reference(node, terms, order, lowering, result)


def _deviation(node: ir.Apply, terms: list[Term], order: Ordering, lowering: Lowering) -> Term:
    return _by_reference(node, terms, order, lowering, FLOAT)


def _by_reference(node: ir.Apply, terms: list[Term], order: Ordering, lowering: Lowering, result: Rep) -> Term:
    """The reference function on the list of values; a second argument is taken from any row."""
    listed = gather(node, terms[0], order, lowering)
    others = [Term(build.call("any_value", term.sql), term.rep) for term in terms[1:]]
    return lowering.bridge(node.function, [listed, *others], result, node)


_RULES: dict[str, Callable[[ir.Apply, list[Term], Ordering, Lowering], Term]] = {
    "collect": _collect,
    "count": _count,
    "sum": _sum,
    "avg": _avg,
    "min": _extreme("min"),
    "max": _extreme("max"),
    "percentileCont": _percentile,
    "percentileDisc": _percentile,
    "stDev": _deviation,
    "stDevP": _deviation,
}
