"""A small evaluator of queries that compute with values: WITH, UNWIND, RETURN, and nodes without edges.

It runs openCypher's temporal scenarios and random expressions on the functions of `graphir.values` alone, without an
engine.  Only what those need is here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import graphir
from graphir import ir
from graphir.ir import expressions as ex
from graphir.ir import operators as op
from graphir.ir import patterns as pt
from graphir.values import Date, DateTime, Duration, LocalDateTime, LocalTime, Time
from graphir.values.components import COMPONENTS, component
from graphir.values.temporal_functions import FUNCTIONS

Row = dict[str, Any]
ORDERED = (Date, LocalTime, Time, LocalDateTime, DateTime)


def compared(decide: Callable[[Any, Any], bool]) -> Callable[[Any, Any], bool | None]:
    def compare(left: Any, right: Any) -> bool | None:
        if left is None or right is None or type(left) is not type(right) or isinstance(left, Duration):
            return None
        return decide(left, right)

    return compare


def equal(left: Any, right: Any) -> bool | None:
    return None if left is None or right is None else left == right


def to_string(value: Any) -> str:
    return str(value.long_text()) if hasattr(value, "long_text") else str(value)


OPERATORS: dict[str, Callable[..., Any]] = {
    "add": lambda left, right: right + left if isinstance(left, Duration) else left + right,
    "sub": lambda left, right: left - right,
    "mul": lambda left, right: left * right,
    "div": lambda left, right: left / right,
    "neg": lambda value: -value,
    "eq": equal,
    "ne": lambda left, right: None if equal(left, right) is None else left != right,
    "lt": compared(lambda left, right: bool(left < right)),
    "le": compared(lambda left, right: bool(left <= right)),
    "gt": compared(lambda left, right: bool(left > right)),
    "ge": compared(lambda left, right: bool(left >= right)),
    "toString": to_string,
}


class Evaluation:
    """Nodes that were created, and the rows of queries over them."""

    def __init__(self) -> None:
        self.nodes: list[tuple[set[str], Row]] = []

    def run(self, text: str, dialect: str = "opencypher-9") -> tuple[tuple[str, ...], list[tuple[Any, ...]]]:
        """The columns and rows of a query."""
        query = graphir.parse(text, dialect)
        assert isinstance(query.body, op.Pipeline)
        rows: list[Row] = [{}]
        names: tuple[str, ...] = ()
        final = False
        for operator in query.body.operators:
            rows = [made for row in rows for made in self.step(operator, row)]
            if isinstance(operator, op.Project):
                names, final = tuple(map(named, operator.items)), operator.final
        return (names, [tuple(row.values()) for row in rows]) if final else ((), [])

    def step(self, operator: ir.Node, row: Row) -> Iterator[Row]:
        match operator:
            case op.Project():
                yield {named(item): self.value(item.value, row) for item in operator.items}
            case op.Unwind():
                yield from ({**row, operator.variable: item} for item in self.value(operator.source, row) or [])
            case op.Insert():
                for path in operator.paths:
                    (node,) = path.elements
                    assert isinstance(node, pt.NodePattern)
                    properties = self.value(node.properties, row) if node.properties else {}
                    self.nodes.append((labels(node), properties))
                yield row
            case op.Match():
                yield from self.matched([path.elements[0] for path in operator.paths], row)
            case _:
                raise NotImplementedError(type(operator).__name__)

    def matched(self, patterns: list[Any], row: Row) -> Iterator[Row]:
        if not patterns:
            yield row
            return
        for names, properties in self.nodes:
            if labels(patterns[0]) <= names:
                yield from self.matched(patterns[1:], {**row, patterns[0].variable: properties})

    def value(self, expression: ir.Node, row: Row) -> Any:
        match expression:
            case ex.Literal():
                return expression.value
            case ex.Ref():
                return row[expression.name]
            case ex.ListOf():
                return [self.value(item, row) for item in expression.items]
            case ex.MapOf():
                return {entry.key: self.value(entry.value, row) for entry in expression.entries}
            case ex.Property():
                return access(self.value(expression.base, row), expression.key)
            case ex.Apply():
                values = [self.value(argument, row) for argument in expression.args]
                return OPERATORS.get(expression.function, FUNCTIONS.get(expression.function, missing))(*values)
            case _:
                raise NotImplementedError(type(expression).__name__)


def missing(*values: Any) -> Any:
    raise NotImplementedError(values)


def named(item: op.Item) -> str:
    return item.name or item.text or (item.value.name if isinstance(item.value, ex.Ref) else "")


def labels(node: pt.NodePattern) -> set[str]:
    return {node.labels.name} if isinstance(node.labels, pt.LabelName) else set()


def access(base: Any, key: str) -> Any:
    if base is None:
        return None
    if type(base) in COMPONENTS:
        return component(base, key)
    assert isinstance(base, Mapping)
    return base.get(key)
