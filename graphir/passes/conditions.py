"""What core form means, as conditions that can be run: each names a property and returns what violates it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from graphir import ir
from graphir.ir import Node
from graphir.passes.projections import misplaced_aggregates
from graphir.passes.scope import analyze
from graphir.passes.sugar import is_path_value


@dataclass(frozen=True, slots=True)
class Condition:
    """A property of a query; `check` yields the nodes that violate it."""

    name: str
    check: Callable[[ir.Query], Iterator[Node]]

    def violations(self, query: ir.Query) -> list[str]:
        return [f"{self.name}: {node.op}" for node in self.check(query)]


def condition(check: Callable[[ir.Query], Iterator[Node]]) -> Condition:
    """Declare a condition; it is named after the function."""
    return Condition(check.__name__.replace("_", " "), check)


@condition
def stars_are_gone(query: ir.Query) -> Iterator[Node]:
    """`*` names no columns any more, neither in projections nor in the imports of a subquery."""
    for node in ir.walk(query):
        if isinstance(node, (ir.Project, ir.SubqueryCall)) and node.star:
            yield node


@condition
def columns_are_named(query: ir.Query) -> Iterator[Node]:
    for node in ir.walk(query):
        if isinstance(node, ir.Item) and node.name is None:
            yield node


@condition
def elements_are_named(query: ir.Query) -> Iterator[Node]:
    for node in ir.walk(query):
        if isinstance(node, (ir.NodePattern, ir.EdgePattern)) and node.variable is None:
            yield node


@condition
def hops_are_quantifiers(query: ir.Query) -> Iterator[Node]:
    for node in ir.walk(query):
        if isinstance(node, ir.EdgePattern) and node.hops is not None:
            yield node


@condition
def expressions_are_plain(query: ir.Query) -> Iterator[Node]:
    """No chains of comparisons, no patterns as predicates, map projections with entries alone."""
    for node in ir.walk(query):
        if isinstance(node, (ir.Comparison, ir.ProjectedProperty, ir.ProjectedVariable)):
            yield node
        if isinstance(node, ir.PatternExpression) and not is_path_value(node):
            yield node


@condition
def projections_are_single_steps(query: ir.Query) -> Iterator[Node]:
    for node in ir.walk(query):
        if isinstance(node, ir.Project) and (
            node.order
            or node.group_by is not None
            or node.group_all
            or any(part is not None for part in (node.skip, node.limit, node.where))
        ):
            yield node


@condition
def aggregates_are_grouped(query: ir.Query) -> Iterator[Node]:
    """An aggregate is a column of an `Aggregate`, and every column there is a key or an aggregate."""
    yield from misplaced_aggregates(query)


@condition
def modes_are_stated(query: ir.Query) -> Iterator[Node]:
    """Fields with a fixed set of words hold one of them."""
    for node in ir.walk(query):
        for (cls, name), words in _WORDS.items():
            if type(node) is cls and getattr(node, name) not in words:
                yield node


@condition
def columns_meet_by_position(query: ir.Query) -> Iterator[Node]:
    """The branches of a set operation have the same columns in the same order."""
    for node in ir.walk(query):
        if isinstance(node, ir.SetOperation) and node.columns != "position":
            yield node


@condition
def names_resolve(query: ir.Query) -> Iterator[Node]:
    if any(
        found.code in ("G101", "G102", "G103", "G106") for found in analyze(query, dialect="opencypher-9").diagnostics
    ):
        yield query


_WORDS: dict[tuple[type[Node], str], tuple[str | None, ...]] = {
    (ir.Match, "uniqueness"): ("different_edges", "repeatable_elements"),
    (ir.EdgePattern, "direction"): ("out", "in", "any"),
    (ir.Path, "mode"): (None, "walk", "trail", "acyclic", "simple"),
    (ir.Selector, "kind"): (
        *("any", "any_shortest", "all_shortest", "shortest", "shortest_groups", "shortest_path", "all_shortest_paths"),
        *("any_cheapest", "all_cheapest", "cheapest"),
    ),
    (ir.SortKey, "nulls"): ("first", "last"),
    (ir.Delete, "mode"): ("detach", "nodetach"),
    (ir.SetOperation, "kind"): ("union", "except", "intersect", "otherwise"),
    (ir.Subquery, "kind"): ("exists", "count", "collect", "value"),
}

CORE: tuple[Condition, ...] = (
    stars_are_gone,
    columns_are_named,
    elements_are_named,
    hops_are_quantifiers,
    expressions_are_plain,
    projections_are_single_steps,
    aggregates_are_grouped,
    modes_are_stated,
    columns_meet_by_position,
    names_resolve,
)
"""What holds of every query in core form."""


def violations(query: ir.Query) -> list[str]:
    """What keeps a query from being in core form; empty for core."""
    return [found for each in CORE for found in each.violations(query)]
