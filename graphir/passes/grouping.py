"""Implicit grouping made explicit: one projection with aggregates becomes `Aggregate` and what is computed from it.

The keys are the columns without an aggregate.  In a column that mixes (`a.x + count(*)`) everything outside of the
aggregates must follow from the keys: variables and `variable.key` that are keys themselves, as openCypher demands.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property

from graphir import ir
from graphir.diagnostics import SemanticFault, Unsupported, diagnose
from graphir.ir import Expression, Item, Node, Ref
from graphir.ir.node import replace
from graphir.passes.aggregates import find_aggregates, is_aggregate
from graphir.passes.names import Maker, mentioned, renamed
from graphir.passes.projected import MATCHING, Projected, bindings
from graphir.source import Source

Before = Callable[[], frozenset[str]]
"""Tells the variables in front of a projection."""


class Grouping:
    """A projection that aggregates."""

    def __init__(self, project: ir.Project, before: Before, maker: Maker, source: Source) -> None:
        self.project = project
        self._before = before
        self.maker = maker
        self.source = source
        self.keys: list[Item] = []
        self.aggregates: list[Item] = []
        self.hidden: list[Item] = []
        """Columns of the `Aggregate` that only the steps after it read."""
        self._key_names: set[str] = set()
        self._key_of: dict[Expression, str] = {}
        self._aggregate_of: dict[Expression, str] = {}
        self._hidden_names: set[str] = set()
        self._explicit = project.group_by is not None
        self._find_keys()
        for item in project.items:
            if is_aggregate(item.value):
                self.aggregates.append(item)
                self._aggregate_of.setdefault(item.value, item.name or "")
        self.outputs = [self._output(item) for item in project.items]

    @cached_property
    def before(self) -> frozenset[str]:
        """The variables in front of it."""
        return self._before()

    @cached_property
    def projected(self) -> Projected:
        return Projected([(item.name or "", item.value) for item in self.project.items])

    # -------------------------------------------------------------- keys and columns

    def _find_keys(self) -> None:
        items = [item for item in self.project.items if not find_aggregates(item.value)]
        if self.project.group_by is None:
            for item in items:
                self._add_key(item)
            return
        named = {item.name: item for item in items}
        valued = {item.value: item for item in items}
        for key in self.project.group_by:
            found = named.get(key.name) if isinstance(key, Ref) else None
            found = found or valued.get(key)
            self._add_key(found or Item(key, self.maker.make("k"), span=key.span))

    def _add_key(self, item: Item) -> None:
        name = item.name or ""
        if name not in self._key_names:
            self._key_names.add(name)
            self.keys.append(item)
            self._key_of.setdefault(item.value, name)

    def _output(self, item: Item) -> Item:
        """The column, computed from the columns of the `Aggregate`."""
        if item.name in self._key_names or is_aggregate(item.value):
            return replace(item, value=Ref(item.name or "", span=item.span))
        within = bindings(item.value)

        def choose(node: Node) -> Node | None:
            return self._from_keys(node, within.get(id(node), frozenset()))

        return replace(item, value=ir.rewrite_down(item.value, choose))

    def _from_keys(self, node: Node, bound: frozenset[str]) -> Node | None:
        """A part of a mixed column, in terms of keys and aggregates; `bound` names mean something else there."""
        if not isinstance(node, Expression):
            return None
        if is_aggregate(node):
            return node if bound else Ref(self._aggregate(node), span=node.span)
        if isinstance(node, MATCHING):
            return self._with_patterns(node, bound)
        if bound.isdisjoint(mentioned(node)) and (self._explicit or is_simple_key(node)):
            name = self._key_of.get(node)
            if name is not None:
                return Ref(name, span=node.span)
        if isinstance(node, Ref) and node.name in self.before and node.name not in bound:
            raise self._ambiguous(node)
        return None

    def _aggregate(self, node: Expression) -> str:
        name = self._aggregate_of.get(node)
        if name is None:
            name = self._aggregate_of[node] = self.maker.make("a")
            self.aggregates.append(Item(node, name, span=node.span))
        return name

    def _with_patterns(self, node: Expression, bound: frozenset[str]) -> Node:
        """A pattern or subquery may use key variables, under the names of their columns."""
        said = set(mentioned(node))
        moved: dict[str, str] = {}
        for name in said & self.before - bound:
            key = self._key_of.get(Ref(name))
            if key is None:
                raise self._ambiguous(node)
            if key != name:
                moved[name] = key
        if not said.isdisjoint(moved.values()):
            raise self._unsaid(node)
        return renamed(node, moved)

    # -------------------------------------------------------------- after the projection

    def after(self, expression: Expression, *, key: bool) -> Expression:
        """An expression of ORDER BY or WHERE, in terms of the columns."""
        matched = self.projected.rewrite(expression, key=key)
        within = bindings(matched)
        columns = self.projected.names

        def choose(node: Node) -> Node | None:
            if not isinstance(node, Expression):
                return None
            if is_aggregate(node):
                return self._hide(self._aggregate(node), node)
            if isinstance(node, MATCHING):
                return node
            if self._explicit and node in self._key_of:
                return self._hide(self._key_of[node], node)
            foreign = isinstance(node, Ref) and node.name not in columns and node.name not in within.get(id(node), ())
            if isinstance(node, Ref) and foreign and node.name in self.before:
                raise self._gone(node)
            return None

        return ir.rewrite_down(matched, choose)

    def _hide(self, name: str, node: Node) -> Ref:
        if name not in self.projected.names and name not in self._hidden_names:
            self._hidden_names.add(name)
            self.hidden.append(Item(Ref(name, span=node.span), name, span=node.span))
        return Ref(name, span=node.span)

    def operators(self, *, final: bool) -> Iterator[ir.Operator]:
        project = self.project
        if project.distinct and self.hidden:
            raise self._unsaid(self.hidden[0])
        yield ir.Aggregate(tuple(self.keys), tuple(self.aggregates), span=project.span)
        outputs = (*self.outputs, *self.hidden)
        made = [item.name for item in (*self.keys, *self.aggregates)]
        same = made == [item.name for item in outputs] and all(
            isinstance(item.value, Ref) and item.value.name == item.name for item in outputs
        )
        if final or project.distinct or not same:
            yield ir.Project(outputs, final=final, distinct=project.distinct, span=project.span)

    # -------------------------------------------------------------- refusals

    def _ambiguous(self, node: Node) -> SemanticFault:
        message = "This column mixes an aggregate with an expression that is no grouping key"
        hint = "make the expression a column of its own in a WITH before, or add its variables to the columns"
        return SemanticFault([diagnose(self.source, "G111", message, node.span, hint=hint)])

    def _gone(self, node: Ref) -> SemanticFault:
        message = f"Variable `{node.name}` is not defined here: after an aggregation only the columns are"
        return SemanticFault([diagnose(self.source, "G101", message, node.span)])

    def _unsaid(self, node: Node) -> Unsupported:
        message = "This use of grouped columns has no core form"
        found = diagnose(self.source, "G113", message, node.span, hint="split the projection into two WITH clauses")
        return Unsupported([found], feature="grouped-scope")


def is_simple_key(node: Expression) -> bool:
    """A variable or `variable.key`: what a column with an aggregate may use beside it."""
    return isinstance(node, Ref) or (isinstance(node, ir.Property) and isinstance(node.base, Ref))
