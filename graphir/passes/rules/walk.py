"""One walk over a query that calls every rule where it belongs.

Bodies wait on one stack, expressions on another: nothing recurses.  Which rules there are is said by the tables of the
families; a class without a rule costs a look-up.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

from graphir import ir
from graphir.diagnostics import Diagnostic
from graphir.ir import Node
from graphir.passes.rules import (
    aggregation,
    calls,
    composition,
    labels,
    matches,
    paging,
    precedence,
    predicates,
    projections,
    subqueries,
    updates,
)
from graphir.passes.rules.places import COLUMN, LIST, QUERY, VALUE, Mode, Place
from graphir.passes.rules.scene import Scene
from graphir.passes.scope import Scopes
from graphir.source import Source


def check(query: ir.Query, source: Source, dialect: str, scopes: Scopes) -> list[Diagnostic]:
    """What breaks a rule in a query."""
    scene = Scene(query, source, dialect, scopes)
    walk = Walk(scene)
    walk.run(query)
    if walk.colons and walk.symbols:
        labels.check_forms(scene, query)
    return list(scene.found.values())


class Walk:
    """The state of one walk."""

    def __init__(self, scene: Scene) -> None:
        self.scene = scene
        self.bodies: list[tuple[ir.Body, Place]] = []
        self.tasks: list[tuple[Node, Mode]] = []
        self.aggregates: list[Node] = []
        """The aggregates met where they may stand."""
        self.lengths: list[ir.EdgePattern] = []
        """The relationships of variable length (`*`) in the clause at hand."""
        self.shortest: list[ir.Path] = []
        """The shortestPath(..) in the clause at hand."""
        self.quantified = False
        """A quantifier stands in the clause at hand."""
        self.colons = self.symbols = False
        """Labels were met that are joined by `:`, by `|`, `&`, `!` or `%`."""
        self.pipeline: tuple[ir.Operator, ...] = ()
        """The clauses of the body at hand."""
        self.alone = False
        """The clause at hand is all that its body has, USE apart."""
        self.operator: ir.Operator | None = None
        """The clause at hand, where a rule needs to know what is bound before it."""

    def bound(self) -> dict[str, Any]:
        """The variables bound before the clause at hand."""
        return {} if self.operator is None else dict(self.scene.scopes.before(self.operator))

    def run(self, query: ir.Query) -> None:
        bodies = self.bodies
        bodies.append((query.body, QUERY))
        while bodies:
            body, place = bodies.pop()
            if type(body) is ir.Pipeline:
                composition.check_pipeline(self, body, place)
                for operator in body.operators:
                    OPERATORS[type(operator)](self, operator, place)
                    if self.tasks:
                        self.drain()
            else:
                BODIES[type(body)](self, body, place)
                self.drain()

    # -------------------------------------------------------------- expressions

    def later(self, node: Node | None, mode: Mode) -> None:
        """An expression to be looked at by the next `drain`."""
        if node is not None:
            self.tasks.append((node, mode))

    def test(self, node: Node | None, mode: Mode) -> None:
        """The same for a predicate, which may be a pattern."""
        if type(node) is ir.PatternExpression:
            predicates.check_predicate(self, node, mode)
        elif node is not None:
            self.tasks.append((node, mode))

    def drain(self) -> None:
        """Look at the expressions that wait, and at all they hold except the bodies of subqueries."""
        tasks = self.tasks
        while tasks:
            root, mode = tasks.pop()
            pending = [root]
            while pending:
                node = pending.pop()
                cls = type(node)
                if cls is ir.Property:
                    pending.append(node.base)  # type: ignore[attr-defined]
                elif cls is ir.Apply:
                    rule = FUNCTIONS.get(node.function)  # type: ignore[attr-defined]
                    if rule is None:
                        pending += node.args  # type: ignore[attr-defined]
                    else:
                        rule(self, node, mode, pending)
                elif cls not in _LEAVES:
                    rule = EXPRESSIONS.get(cls)
                    if rule is None:
                        pending += ir.children(node)
                    else:
                        rule(self, node, mode, pending)


_LEAVES = frozenset((ir.Ref, ir.Literal, ir.Parameter, ir.Keyword, ir.CaseSubject))


# ------------------------------------------------------------------ expressions that only pass on what they hold


def _comprehension(walk: Walk, node: ir.ListComprehension, mode: Mode, pending: list[Node]) -> None:
    pending.append(node.source)
    inner = mode if mode.nested else LIST
    walk.test(node.where, inner)
    walk.later(node.body, inner)


def _quantified(walk: Walk, node: ir.Quantified, mode: Mode, pending: list[Node]) -> None:
    pending.append(node.source)
    if node.predicate is not None:
        walk.test(node.predicate, mode if mode.nested else LIST)
    elif "a test of a list has WHERE" in walk.scene.rules:
        message = f"{node.kind}() over a list needs a condition"
        walk.scene.report("G225", message, node, f"write {node.kind}(x IN list WHERE ..)")


def _reduce(walk: Walk, node: ir.Reduce, mode: Mode, pending: list[Node]) -> None:
    pending += (node.initial, node.source)
    inner = mode if mode.nested else LIST
    if isinstance(node.initial, _NEVER_BOOLEAN):
        walk.later(node.body, inner)
    else:
        walk.test(node.body, inner)


_NEVER_BOOLEAN = (ir.Property, ir.ListOf, ir.MapOf)
"""What an accumulator may begin with, and then no pattern can follow."""


def _all_reduce(walk: Walk, node: ir.AllReduce, mode: Mode, pending: list[Node]) -> None:
    pending += (node.initial, node.source)
    inner = mode if mode.nested else LIST
    walk.test(node.body, inner)
    walk.test(node.predicate, inner)


def _case(walk: Walk, node: ir.Case, mode: Mode, pending: list[Node]) -> None:
    if node.subject is not None:
        pending += ir.children(node)
        return
    for branch in node.branches:
        pending.append(branch.result)
        for test in branch.tests:
            walk.test(test, mode)
    if node.default is not None:
        pending.append(node.default)


# ------------------------------------------------------------------ bodies and operators that only pass on


def _next(walk: Walk, body: ir.Next, place: Place) -> None:
    written = place.written
    for part in body.parts:
        walk.bodies.append((part, replace(place, written=written, open_end=False)))
        written = written or composition.writes(part)


def _conditional(walk: Walk, body: ir.Conditional, place: Place) -> None:
    inner = replace(place, kind="branch", nested=True, imports=False)
    for branch in body.branches:
        walk.test(branch.condition, VALUE)
        walk.bodies.append((branch.body, inner))


def _command(walk: Walk, body: ir.Command, place: Place) -> None:
    pass


def _nothing(walk: Walk, operator: ir.Operator, place: Place) -> None:
    pass


def _let(walk: Walk, operator: ir.Let, place: Place) -> None:
    for item in operator.items:
        walk.later(item.value, VALUE)


def _unwind(walk: Walk, operator: ir.Unwind, place: Place) -> None:
    walk.later(operator.source, VALUE)


def _aggregate(walk: Walk, operator: ir.Aggregate, place: Place) -> None:
    for item in (*operator.keys, *operator.aggregates):
        walk.later(item.value, COLUMN)


Rule = Callable[..., Any]

EXPRESSIONS: dict[type[Node], Rule] = {
    ir.ListComprehension: _comprehension,
    ir.Quantified: _quantified,
    ir.Reduce: _reduce,
    ir.AllReduce: _all_reduce,
    ir.Case: _case,
    **predicates.EXPRESSIONS,
    **subqueries.EXPRESSIONS,
    **aggregation.EXPRESSIONS,
    **labels.EXPRESSIONS,
}

FUNCTIONS: dict[str, Rule] = {**predicates.FUNCTIONS, **aggregation.FUNCTIONS, **precedence.FUNCTIONS}

BODIES: dict[type[ir.Body], Rule] = {
    ir.SetOperation: composition.check_union,
    ir.Next: _next,
    ir.Conditional: _conditional,
    ir.Command: _command,
}

OPERATORS: dict[type[ir.Operator], Rule] = {
    ir.Let: _let,
    ir.Unwind: _unwind,
    ir.Aggregate: _aggregate,
    ir.Finish: _nothing,
    ir.Use: _nothing,
    **matches.OPERATORS,
    **projections.OPERATORS,
    **paging.OPERATORS,
    **calls.OPERATORS,
    **updates.OPERATORS,
}
