"""The cost of a path: the sum of the costs of its edges, by which the cheapest paths are chosen.

An edge that repeats, or stands in what repeats, costs the sum over its elements.  A cost is positive and finite, or the
query fails (`bridges.edge_cost`); an edge without one costs nothing.  Source: GoogleSQL, "CHEAPEST".
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from graphir import ir
from graphir.backends.sql import build
from graphir.backends.sql.build import Sql
from graphir.backends.sql.expressions import lower
from graphir.backends.sql.lowering import Lowering, Scope
from graphir.backends.sql.patterns import names_of
from graphir.backends.sql.reps import FLOAT, INTEGER
from graphir.backends.sql.rows import Block, Rows
from graphir.ir import Apply, Expression, Item, Literal, Ref
from graphir.ir.names import MARK

CHECKED, TOTAL = "edge_cost", "path_cost"
"""What looks at each cost, and at the sum."""


def with_cost(path: ir.Path, name: str, rows: Rows, block: Block) -> Rows:
    """The rows with the cost of the path as a variable; the variables of its elements must be bound."""
    parts = list(_costs(path, block.lowering))
    total: Expression = Literal(0)
    if parts:
        total = Apply(TOTAL, (parts[0] if len(parts) == 1 else Apply("add", tuple(parts)),), span=path.span)
    return replace(rows, names={**rows.names, name: lower(total, block.scope(rows))})


def edge_cost(edge: ir.EdgePattern, scope: Scope) -> Sql:
    """The cost of an edge that stands alone in the scope, as the number that a search adds up."""
    if edge.cost is None:
        return build.number(0)
    term = lower(Apply(CHECKED, (edge.cost,), span=edge.cost.span), scope)
    if term.rep not in (INTEGER, FLOAT):
        scope.lowering.refuse("G602", "a cost that is no integer and no float in a path without an upper bound", edge)
    return term.sql


def _costs(path: ir.Path, lowering: Lowering) -> Iterator[Expression]:
    for element in path.elements:
        if isinstance(element, ir.PathGroup):
            yield from _group_costs(element, lowering)
        elif element.cost is not None:
            if isinstance(element, ir.NodePattern):
                lowering.refuse("G602", "a node has no cost", element)
            checked = Apply(CHECKED, (element.cost,), span=element.cost.span)
            yield checked if element.quantifier is None else _over(element.variable or "", checked, lowering)


def _group_costs(group: ir.PathGroup, lowering: Lowering) -> Iterator[Expression]:
    """What repeats is a list for each variable, so that a cost may look at one of them alone."""
    names = {getattr(node, "variable", None) for node in ir.walk(group.path)}
    for edge in group.path.elements:
        if isinstance(edge, ir.PathGroup) or edge.cost is None:
            continue
        if (names - {edge.variable}) & names_of(edge.cost):
            lowering.refuse("G602", "a cost that reads other elements of what repeats", edge.cost)
        yield _over(edge.variable or "", Apply(CHECKED, (edge.cost,), span=edge.cost.span), lowering)


def _over(variable: str, cost: Expression, lowering: Lowering) -> Expression:
    """The sum of a cost over the elements of a group variable."""
    element, column = lowering.fresh(MARK + "h"), lowering.fresh(MARK + "c")
    unwind = ir.Unwind(Ref(variable), element)
    total = Apply("sum", (_renamed(cost, variable, element),), span=cost.span)
    summed = ir.Aggregate((), (Item(total, column),))
    project = ir.Project((Item(Ref(column), column),), final=True)
    return ir.Subquery("value", ir.Pipeline((unwind, summed, project)), span=cost.span)


def _renamed(cost: Expression, variable: str, element: str) -> Expression:
    def rule(node: ir.Node) -> ir.Node:
        return replace(node, name=element) if isinstance(node, Ref) and node.name == variable else node

    return ir.rewrite(cost, rule)
