"""Runs queries without a graph on the reference functions: the core IR, row by row, in Python.

It is slow and knows no pattern, no write and no subquery: it is there to test the functions from the outside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Any

import graphir
from graphir import ir
from graphir.functions import AGGREGATES
from graphir.passes.normalize import normalize
from graphir.source import Source
from graphir.values import aggregates
from graphir.values.clocks import Clock, use_clock
from graphir.values.functions import functions
from graphir.values.operators import items, truth
from graphir.values.ordering import order_key
from graphir.values.strings import is_normalized
from graphir.values.valuetypes import is_typed

Row = dict[str, Any]


class Unknown(Exception):
    """Something that needs a graph, or that the evaluator does not know."""


@dataclass
class Evaluator:
    parameters: dict[str, Any] = field(default_factory=dict)
    level: Any = "neo4j-25"

    # -------------------------------------------------------------- expressions

    def value(self, node: Any, row: Row) -> Any:
        handler = getattr(self, f"on_{type(node).__name__.lower()}", None)
        if handler is None:
            raise Unknown(type(node).__name__)
        return handler(node, row)

    def call(self, name: str, *values: Any) -> Any:
        table = functions(self.level)
        if name not in table:
            raise Unknown(name)
        return table[name](*values)

    def on_literal(self, node: ir.Literal, row: Row) -> Any:
        return node.value

    def on_parameter(self, node: ir.Parameter, row: Row) -> Any:
        return self.parameters[node.name]

    def on_ref(self, node: ir.Ref, row: Row) -> Any:
        return row[node.name]

    def on_keyword(self, node: ir.Keyword, row: Row) -> Any:
        return node.name

    def on_property(self, node: ir.Property, row: Row) -> Any:
        return self.call("property", self.value(node.base, row), node.key)

    def on_index(self, node: ir.Index, row: Row) -> Any:
        return self.call("index", self.value(node.base, row), self.value(node.index, row))

    def on_slice(self, node: ir.Slice, row: Row) -> Any:
        base = self.value(node.base, row)
        if node.low is None or node.high is None:
            bound = node.high if node.low is None else node.low
            if bound is None:
                return items(base)
            return self.call("slice_to" if node.low is None else "slice_from", base, self.value(bound, row))
        return self.call("slice", base, self.value(node.low, row), self.value(node.high, row))

    def on_listof(self, node: ir.ListOf, row: Row) -> Any:
        return [self.value(item, row) for item in node.items]

    def on_mapof(self, node: ir.MapOf, row: Row) -> Any:
        return {entry.key: self.value(entry.value, row) for entry in node.entries}

    def on_apply(self, node: ir.Apply, row: Row) -> Any:
        if node.function in ("and", "or"):
            return self.logic(node, row)
        return self.call(node.function, *[self.value(arg, row) for arg in node.args])

    def logic(self, node: ir.Apply, row: Row) -> Any:
        """What follows after the decision is not evaluated."""
        decided = node.function == "or"
        found = truth(self.value(node.args[0], row))
        for arg in node.args[1:]:
            if found is decided:
                return found
            found = self.call(node.function, found, self.value(arg, row))
        return found

    def on_istyped(self, node: ir.IsTyped, row: Row) -> Any:
        return is_typed(self.value(node.base, row), node.type)

    def on_isnormalized(self, node: ir.IsNormalized, row: Row) -> Any:
        return is_normalized(self.value(node.base, row), node.form)

    def on_case(self, node: ir.Case, row: Row) -> Any:
        subject = node.subject and self.value(node.subject, row)
        for branch in node.branches:
            for test in branch.tests:
                found = self.value(test, row)
                if found is True if node.subject is None else self.call("eq", subject, found):
                    return self.value(branch.result, row)
        return self.value(node.default, row) if node.default is not None else None

    def on_listcomprehension(self, node: ir.ListComprehension, row: Row) -> Any:
        source = items(self.value(node.source, row))
        if source is None:
            return None
        rows = [{**row, node.variable: item} for item in source]
        if node.where is not None:
            rows = [inner for inner in rows if truth(self.value(node.where, inner)) is True]
        return [self.value(node.body, inner) if node.body is not None else inner[node.variable] for inner in rows]

    def on_quantified(self, node: ir.Quantified, row: Row) -> Any:
        source = items(self.value(node.source, row))
        if source is None:
            return None
        assert node.predicate is not None
        found = [truth(self.value(node.predicate, {**row, node.variable: item})) for item in source]
        trues, unknown = found.count(True), found.count(None)
        if node.kind == "all":
            return False if False in found else None if unknown else True
        if node.kind == "single":
            return False if trues > 1 else None if unknown else trues == 1
        known = True if trues else None if unknown else False
        return known if node.kind == "any" or known is None else not known

    def on_reduce(self, node: ir.Reduce, row: Row) -> Any:
        source = items(self.value(node.source, row))
        if source is None:
            return None
        found = self.value(node.initial, row)
        for item in source:
            found = self.value(node.body, {**row, node.variable: item, node.accumulator: found})
        return found

    # -------------------------------------------------------------- operators

    def rows(self, body: Any) -> tuple[tuple[str, ...], list[Row]]:
        if isinstance(body, ir.SetOperation) and body.kind == "union":
            return self.union(body)
        if not isinstance(body, ir.Pipeline):
            raise Unknown(type(body).__name__)
        columns: tuple[str, ...] = ()
        rows: list[Row] = [{}]
        for operator in body.operators:
            handler: Callable[[Any, list[Row]], list[Row]] | None
            handler = getattr(self, f"step_{type(operator).__name__.lower()}", None)
            if handler is None:
                raise Unknown(type(operator).__name__)
            rows = handler(operator, rows)
            if isinstance(operator, ir.Project):
                columns = tuple(str(item.name) for item in operator.items)
            elif isinstance(operator, ir.Aggregate):
                columns = tuple(str(item.name) for item in (*operator.keys, *operator.aggregates))
        return columns, rows

    def union(self, body: ir.SetOperation) -> tuple[tuple[str, ...], list[Row]]:
        found = [self.rows(branch) for branch in body.branches]
        columns = found[0][0]
        rows = [row for _, branch in found for row in branch]
        return columns, distinct(rows, columns) if body.distinct else rows

    def step_unwind(self, node: ir.Unwind, rows: list[Row]) -> list[Row]:
        if node.ordinality or node.offset:
            raise Unknown("ordinality")
        return [{**row, node.variable: item} for row in rows for item in items(self.value(node.source, row)) or ()]

    def step_let(self, node: ir.Let, rows: list[Row]) -> list[Row]:
        return [{**row, **self.items(node.items, row)} for row in rows]

    def items(self, found: Iterable[ir.Item], row: Row) -> Row:
        return {str(item.name): self.value(item.value, row) for item in found}

    def step_filter(self, node: ir.Filter, rows: list[Row]) -> list[Row]:
        return [row for row in rows if truth(self.value(node.predicate, row)) is True]

    def step_project(self, node: ir.Project, rows: list[Row]) -> list[Row]:
        if node.order or node.skip or node.limit or node.where or node.group_by or node.star:
            raise Unknown("a projection that is not core")
        made = [self.items(node.items, row) for row in rows]
        return distinct(made, [str(item.name) for item in node.items]) if node.distinct else made

    def step_aggregate(self, node: ir.Aggregate, rows: list[Row]) -> list[Row]:
        groups: dict[bytes, tuple[Row, list[Row]]] = {}
        for row in rows:
            keys = self.items(node.keys, row)
            groups.setdefault(order_key(list(keys.values())), (keys, []))[1].append(row)
        if not groups and not node.keys:
            groups[b""] = ({}, [])
        return [{**keys, **self.aggregated(node, members)} for keys, members in groups.values()]

    def aggregated(self, node: ir.Aggregate, rows: list[Row]) -> Row:
        made: Row = {}
        for item in node.aggregates:
            call = item.value
            if not isinstance(call, ir.Apply) or call.function not in AGGREGATES:
                raise Unknown("an aggregate that is no call")
            values = [self.value(call.args[0], row) if call.args else True for row in rows]
            more = [self.value(arg, rows[0] if rows else {}) for arg in call.args[1:]]
            made[str(item.name)] = aggregates.aggregate(call.function, values, *more, unique=call.distinct)
        return made

    def step_order(self, node: ir.Order, rows: list[Row]) -> list[Row]:
        for key in reversed(node.keys):
            rows = sorted(rows, key=lambda row: order_key(self.value(key.value, row)), reverse=key.descending)
        return rows

    def step_page(self, node: ir.Page, rows: list[Row]) -> list[Row]:
        skip = self.value(node.skip, {}) if node.skip is not None else 0
        limit = self.value(node.limit, {}) if node.limit is not None else len(rows)
        return rows[skip : skip + limit]


def distinct(rows: Iterable[Row], columns: Iterable[str]) -> list[Row]:
    names = list(columns)
    found: dict[bytes, Row] = {}
    for row in rows:
        found.setdefault(order_key([row[name] for name in names]), row)
    return list(found.values())


def run(text: str, parameters: dict[str, Any] | None = None, dialect: str = "neo4j-25") -> list[tuple[Any, ...]]:
    """The rows of a query, or Unknown, or what the functions raise."""
    query = normalize(graphir.parse(text, dialect), Source(text), dialect)
    with use_clock(Clock.now()):
        columns, rows = Evaluator(parameters or {}, dialect).rows(query.body)
    return [tuple(row[name] for name in columns) for row in rows]
