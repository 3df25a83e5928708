"""Engines with a fault of their own: the embedded engine, asked another query than the one that is given."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from typing import Any, Self

import graphir
from graphir import ir
from graphir.backends.cypher import print_query
from graphir.backends.engines.faults import LOST, fault
from graphir.backends.engines.results import Result

Rule = Callable[[ir.Node], ir.Node]


class Toy:
    """An engine that gets wrong what the rule changes."""

    def __init__(self, rule: Rule = lambda node: node) -> None:
        self._rule = rule
        self._session = graphir.connect()
        self.loads = 0
        self.asked: list[str] = []

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def load(self, source: Any, schema: graphir.Schema | None = None) -> Any:
        self.loads += 1
        return self._session.load(source, schema)

    def clear(self) -> None:
        self._session.clear()

    def close(self) -> None:
        self._session.close()

    def run(self, text: str, parameters: Mapping[str, Any] | None = None, dialect: str = "neo4j-25") -> Result:
        self.asked.append(text)
        wrong = print_query(ir.rewrite(graphir.parse(text, dialect), self._rule), dialect)
        return self._session.run(wrong, parameters, dialect)


class Fragile(Toy):
    """An engine that is lost the first time that it is asked; `alive` counts those that were opened."""

    alive = 0

    def __init__(self) -> None:
        super().__init__()
        Fragile.alive += 1
        self._number = Fragile.alive

    def run(self, text: str, parameters: Mapping[str, Any] | None = None, dialect: str = "neo4j-25") -> Result:
        if self._number == 1:
            raise fault(LOST, "gone", engine="fragile")
        return super().run(text, parameters, dialect)


def edges_twice(node: ir.Node) -> ir.Node:
    """The edges of a MATCH need not be different."""
    return dataclasses.replace(node, uniqueness="repeatable_elements") if isinstance(node, ir.Match) else node


def nulls_turned(node: ir.Node) -> ir.Node:
    """Nulls come first when ascending: by a key before the key."""
    if not (isinstance(node, ir.Project) and node.order):
        return node
    keys = [key for each in node.order for key in (_null_first(each), each)]
    return dataclasses.replace(node, order=tuple(keys))


def _null_first(key: ir.SortKey) -> ir.SortKey:
    return dataclasses.replace(key, value=ir.Apply("is_not_null", (key.value,)))


def no_distinct(node: ir.Node) -> ir.Node:
    """DISTINCT is not heard."""
    return dataclasses.replace(node, distinct=False) if isinstance(node, ir.Project) else node


def null_is_false(node: ir.Node) -> ir.Node:
    """NOT of null is true."""
    match node:
        case ir.Apply(function="not", args=(inner,)):
            return ir.Apply("not", (ir.Apply("coalesce", (inner, ir.Literal(value=False))),))
        case _:
            return node


def one_hop(node: ir.Node) -> ir.Node:
    """A repetition is done once."""
    if isinstance(node, ir.EdgePattern) and node.hops is not None:
        return dataclasses.replace(node, hops=ir.Bounds(1, 1))
    return node


def divides_by_zero(node: ir.Node) -> ir.Node:
    """`floor` of anything fails."""
    if isinstance(node, ir.Apply) and node.function == "floor":
        return ir.Apply("div", (ir.Literal(1), ir.Literal(0)))
    return node
