"""WITH and RETURN: their columns, sort keys and conditions.

G111 a column that mixes aggregates with what is no grouping key, G162 an aggregate of ORDER BY or WHERE that is no
column.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

from graphir import ir
from graphir.ir import Expression, Node
from graphir.passes.aggregates import find_aggregates, is_aggregate
from graphir.passes.projected import MATCHING, Projected
from graphir.passes.rules import paging
from graphir.passes.rules.aggregation import shown
from graphir.passes.rules.places import COLUMN, FILTERED, KEY, SORT, Mode, Place
from graphir.passes.rules.scene import Scene
from graphir.passes.scope import projected_columns

if TYPE_CHECKING:
    from graphir.passes.rules.walk import Walk


def _project(walk: Walk, operator: ir.Project, place: Place) -> None:
    aggregates = walk.aggregates
    mixed: list[ir.Item] = []
    grouping = operator.group_by is not None
    for item in operator.items:
        value = item.value
        cls = type(value)
        if cls is ir.Ref or (cls is ir.Property and type(value.base) is ir.Ref):  # type: ignore[attr-defined]
            continue
        walk.tasks.append((value, COLUMN))
        walk.drain()
        if aggregates:
            grouping = True
            if aggregates[0] is not value:
                mixed.append(item)
            aggregates.clear()
    if operator.group_by is not None:
        for key in operator.group_by:
            walk.later(key, KEY)
        _check_keys(walk.scene, operator)
    elif mixed:
        _check_mixed(walk.scene, operator, mixed)
    if operator.order or operator.where is not None:
        _check_after(walk, operator, grouping=grouping)
    if operator.skip is not None or operator.limit is not None:
        paging.check_pages(walk, operator)


# ------------------------------------------------------------------ grouping


class Keys:
    """What a column with an aggregate may use beside it: variables and `variable.key` that are grouping keys."""

    def __init__(self, scene: Scene, values: Sequence[Expression], names: set[str]) -> None:
        self.scene = scene
        self.variables = names | {value.name for value in values if isinstance(value, ir.Ref)}
        self.properties = {
            (value.base.name, value.key)
            for value in values
            if isinstance(value, ir.Property) and isinstance(value.base, ir.Ref)
        }

    def others(self, expression: Node, known: set[str]) -> Iterator[Node]:
        """The parts of an expression that are neither constant, nor aggregated, nor a key.

        `known`: the variables of this part of the query; those from outside are constant here.
        """
        pending: list[tuple[Node, frozenset[str]]] = [(expression, frozenset())]
        while pending:
            node, bound = pending.pop()
            if isinstance(node, ir.Ref):
                if self._is_other(node.name, known, bound):
                    yield node
            elif isinstance(node, ir.Property) and isinstance(node.base, ir.Ref):
                name = node.base.name
                if (name, node.key) not in self.properties and self._is_other(name, known, bound):
                    yield node
            elif isinstance(node, (ir.ListComprehension, ir.Quantified, ir.Reduce, ir.AllReduce)):
                pending += _scoped(node, bound)
            elif isinstance(node, ir.PatternExpression) and node.path.selector is None:
                continue
            elif isinstance(node, MATCHING):
                names = sorted(self._taken(node))
                if any(self._is_other(name, known, bound) for name in names):
                    yield node
            elif not is_aggregate(node):
                pending += [(child, bound) for child in reversed(ir.children(node))]

    def _is_other(self, name: str, known: set[str], bound: frozenset[str]) -> bool:
        return name in known and name not in bound and name not in self.variables

    def _taken(self, node: Node) -> set[str]:
        """The variables that a pattern or subquery takes from outside."""
        if isinstance(node, ir.Subquery):
            return set(self.scene.scopes.free(node))
        found: set[str] = set()
        for part in ir.walk(node):
            if isinstance(part, ir.Ref):
                found.add(part.name)
            elif isinstance(part, (ir.NodePattern, ir.EdgePattern)) and part.variable is not None:
                found.add(part.variable)
        return found


def _scoped(
    node: ir.ListComprehension | ir.Quantified | ir.Reduce | ir.AllReduce, bound: frozenset[str]
) -> list[tuple[Node, frozenset[str]]]:
    """The parts of an expression that binds names, with the names that mean something else there."""
    if isinstance(node, (ir.Reduce, ir.AllReduce)):
        inner = bound | {node.variable, node.accumulator}
        outside = (node.source, node.initial)
    else:
        inner = bound | {node.variable}
        outside = (node.source, node.source)
    return [(c, bound if any(c is o for o in outside) else inner) for c in ir.children(node)]


def _check_mixed(scene: Scene, operator: ir.Project, mixed: list[ir.Item]) -> None:
    known = set(scene.scopes.before(operator))
    keys = Keys(scene, [item.value for item in operator.items], known if operator.star else set())
    for item in mixed:
        for node in keys.others(item.value, known):
            _report_other(scene, node)


def _report_other(scene: Scene, node: Node) -> None:
    said = scene.text(node)
    subject = f"`{said}`" if said and isinstance(node, (ir.Ref, ir.Property)) else "A pattern here"
    verb = "stands beside an aggregate and is no grouping key"
    if isinstance(node, (ir.Ref, ir.Property)):
        hint = "make it a column of its own, here or in a WITH before"
    else:
        hint = "compute it in a WITH before, or make its variables columns"
    scene.report("G111", f"{subject} {verb}", node, hint)


def _check_keys(scene: Scene, operator: ir.Project) -> None:
    """GROUP BY: every column is a key, an aggregate, or made of both."""
    named = {item.name: item.value for item in operator.items if item.name is not None}
    values = [named.get(key.name, key) if isinstance(key, ir.Ref) else key for key in operator.group_by or ()]
    known = set(scene.scopes.before(operator))
    keys = Keys(scene, values, set())
    for item in operator.items:
        if item.value not in values and not isinstance(item.value, ir.Subquery):
            for node in keys.others(item.value, known):
                _report_other(scene, node)
    if operator.star:
        for name in sorted(known - keys.variables):
            message = f"`{name}` is a column through `*` and no grouping key"
            scene.report("G111", message, scene.keyword(operator), "name the columns, or add it to GROUP BY")


# ------------------------------------------------------------------ ORDER BY and WHERE


def _check_after(walk: Walk, operator: ir.Project, *, grouping: bool) -> None:
    aggregates = walk.aggregates
    projected: Projected | None = None
    loose = (grouping or operator.distinct) and "an aggregate after grouping is a column" not in walk.scene.rules
    parts = [(key.value, SORT) for key in operator.order]
    if operator.where is not None:
        parts.append((operator.where, FILTERED))
    for value, mode in parts:
        walk.test(value, mode) if mode is FILTERED else walk.later(value, mode)
        walk.drain()
        if not aggregates:
            continue
        aggregates.clear()
        projected = projected or Projected(
            projected_columns(operator, walk.scene.scopes.before(operator), by_text=True)
        )
        if not loose:
            _check_projected(walk.scene, value, projected, mode)
        if "a sort key beside an aggregate uses columns only" in walk.scene.rules and mode is SORT:
            _check_sorted(walk.scene, operator, value)


def _check_projected(scene: Scene, value: Expression, projected: Projected, mode: Mode) -> None:
    for part in projected.rest(value, key=mode is SORT):
        for node in find_aggregates(part):
            assert isinstance(node, (ir.Apply, ir.Call))
            message = f"The aggregate {shown(node)} of {mode.name} is no column"
            hint = "make it a column of the WITH or RETURN, and use the name of the column"
            scene.report("G162", message, node, hint)


def _check_sorted(scene: Scene, operator: ir.Project, value: Expression) -> None:
    """Beside an aggregate, a sort key uses variables and `variable.key` that are columns."""
    columns = [item.value for item in operator.items]
    names = {item.name for item in operator.items if item.name is not None}
    keys = Keys(scene, columns, names)
    for node in keys.others(value, set(scene.scopes.before(operator))):
        _report_other(scene, node)


def _order(walk: Walk, operator: ir.Order, place: Place) -> None:
    """ORDER BY as a clause: there is no column that an aggregate could be."""
    for key in operator.keys:
        walk.later(key.value, SORT)
    walk.drain()
    for node in walk.aggregates:
        assert isinstance(node, (ir.Apply, ir.Call))
        message = f"The aggregate {shown(node)} of ORDER BY is no column"
        walk.scene.report("G162", message, node, "aggregate in a WITH before, and sort by the name of the column")
    walk.aggregates.clear()


OPERATORS: dict[type[ir.Operator], Callable[..., Any]] = {ir.Project: _project, ir.Order: _order}
