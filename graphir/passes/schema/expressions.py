"""The labels and the uses of properties in expressions, given what their variables hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphir import ir
from graphir.ir import Node
from graphir.passes.schema.bindings import Bindings
from graphir.passes.schema.index import UNLISTED
from graphir.passes.schema.labels import Labels, edge_mask, node_mask
from graphir.passes.schema.slots import Access, Flow, LabelUse, Record, Route, Slot, Value
from graphir.passes.schema.values import element

COMPARED = frozenset(
    (
        *("eq", "ne", "lt", "le", "gt", "ge", "in", "starts_with", "ends_with", "contains", "matches"),
        *("date", "localtime", "time", "localdatetime", "datetime", "duration"),
    )
)
"""Functions whose arguments the check of literals looks at."""

Env = dict[str, Value]
Waiting = tuple[Node, Slot | None, Env]
"""An expression inside of a pattern, the element whose properties it lists, and the names there."""

Handlers = dict[type[Node], Callable[..., None]]


class Expressions:
    """The variables at the place that is looked at, and what waits to be looked at."""

    handlers: Handlers

    def __init__(self, bindings: Bindings) -> None:
        self.found = bindings
        self.index = bindings.index
        self.env: Env = {}
        self.borrowed: set[str] = set()
        """Names whose element is known from outside: a pattern that says more of it says it of a child."""
        self.nested: list[tuple[ir.Subquery, Env]] = []
        self.route = Route([], [])
        """The path bound last."""

    # -------------------------------------------------------------- expressions

    def read(self, *roots: Node | None, env: Env | None = None) -> None:
        """Note the labels and properties in expressions; subqueries in them are left in `nested`."""
        handlers = self.handlers
        tasks: list[tuple[Node, Env]] = [(root, env or self.env) for root in reversed(roots) if root is not None]
        while tasks:
            root, around = tasks.pop()
            pending = [root]
            while pending:
                node = pending.pop()
                cls = type(node)
                if cls is ir.Property:
                    self.property(node, around, pending)  # type: ignore[arg-type]
                elif cls is ir.Apply:
                    if node.function in COMPARED:  # type: ignore[attr-defined]
                        self.found.comparisons.append(node)
                        self.worded(node, around)  # type: ignore[arg-type]
                    pending += node.args[::-1]  # type: ignore[attr-defined]
                elif cls is ir.Ref:
                    value = around.get(node.name)  # type: ignore[attr-defined]
                    if type(value) is Access:
                        self.found.aliases[id(node)] = value
                    elif type(value) is Slot:
                        self.found.elements[id(node)] = value
                elif cls in handlers:
                    handlers[cls](self, node, around, pending, tasks)
                elif cls not in _LEAVES and node.below_:
                    pending += ir.children(node)[::-1]

    def use(self, place: Node, key: str, owner: Slot, *, write: bool = False) -> None:
        access = Access(place, key, owner, write)
        self.found.uses.append(access)
        self.found.accesses[id(place)] = access

    def property(self, node: ir.Property, env: Env, pending: list[Node]) -> None:
        base = node.base
        if type(base) is ir.Ref:
            value = env.get(base.name)
            if type(value) is Slot:
                self.found.elements[id(base)] = value
                self.use(node, node.key, value)
            elif type(value) is Record and type(inner := value.entries.get(node.key)) is Access:
                self.found.aliases[id(node)] = inner
            elif type(value) is Access:
                self.found.components.append((node, value))
            return
        self.read(base, env=env)
        value = self.found.value(base, env)
        if type(value) is Slot:
            self.use(node, node.key, value)
        elif type(value) is Access:
            self.found.components.append((node, value))

    def at(self, node: ir.Index, env: Env, pending: list[Node], tasks: list[Any]) -> None:
        self.read(node.base, node.index, env=env)
        key = node.index.value if isinstance(node.index, ir.Literal) else None
        if isinstance(key, str) and isinstance(value := self.found.value(node.base, env), Slot):
            self.use(node, key, value)

    def tested(self, node: ir.HasLabels, env: Env, pending: list[Node], tasks: list[Any]) -> None:
        """A label test: the element may be of the types named besides."""
        self.read(node.base, env=env)
        self.test(node, self.found.value(node.base, env), env)

    def test(self, node: ir.HasLabels, value: Value, env: Env) -> None:
        if type(node.labels) is not ir.LabelName:
            self.read(node.labels, env=env)
        if isinstance(value, Slot):
            said = self.labelled(node.labels, value, value.node)
            if said.mask >= 0:
                value.also |= said.mask
        else:
            self.labelled(node.labels, None, None)

    def labelled(
        self, labels: ir.LabelExpression, slot: Slot | None, node: bool | None, *, write: bool = False
    ) -> Labels:
        """The mask of a label expression; its labels are noted."""
        found = node_mask(labels, self.index) if node is not False else edge_mask(labels, self.index)
        self.found.labels += [LabelUse(place, name, node, slot, write) for place, name in found.names]
        if slot is not None and slot.node and any(name not in self.index.labels for _, name in found.names):
            slot.also = UNLISTED
        return found

    def worded(self, node: ir.Apply, env: Env) -> None:
        """Labels and types as strings: `type(r) = 'A'`, `'A' IN labels(n)`, `labels(n)[0] IN ['A', 'B']`."""
        if len(node.args) != 2:
            return
        for one, other in (node.args, node.args[::-1]):
            call = one.base if isinstance(one, ir.Index) else one
            if not isinstance(call, ir.Apply) or call.function not in _NAMING or len(call.args) != 1:
                continue
            value = self.found.value(call.args[0], env)
            slot = value if isinstance(value, Slot) and value.node is _NAMING[call.function] else None
            for each in other.items if isinstance(other, ir.ListOf) else (other,):
                if isinstance(each, ir.Literal) and isinstance(each.value, str):
                    self.named_by_text(each, each.value, slot, node=_NAMING[call.function])

    def named_by_text(self, place: ir.Literal, name: str, slot: Slot | None, *, node: bool) -> None:
        self.found.labels.append(LabelUse(place, name, node, slot))
        mask = (self.index.labels if node else self.index.types).get(name, 0)
        if slot is not None:
            slot.also |= mask

    def projection(self, node: ir.MapProjection, env: Env, pending: list[Node], tasks: list[Any]) -> None:
        value = env.get(node.base.name)
        for item in node.items:
            if isinstance(item, ir.ProjectedProperty):
                if isinstance(value, Slot):
                    self.use(item, item.key, value)
            elif isinstance(item, ir.Entry):
                tasks.append((item.value, env))

    def comprehension(
        self, node: ir.ListComprehension | ir.Quantified, env: Env, pending: list[Node], tasks: list[Any]
    ) -> None:
        self.read(node.source, env=env)
        inner = {**env, node.variable: element(self.found.value(node.source, env))}
        rest = (node.predicate,) if isinstance(node, ir.Quantified) else (node.where, node.body)
        for each in rest:
            if each is not None:
                tasks.append((each, inner))

    def reduce(self, node: ir.Reduce | ir.AllReduce, env: Env, pending: list[Node], tasks: list[Any]) -> None:
        self.read(node.source, node.initial, env=env)
        inner = {**env, node.accumulator: None, node.variable: element(self.found.value(node.source, env))}
        tasks.append((node.body, inner))
        if isinstance(node, ir.AllReduce):
            tasks.append((node.predicate, inner))

    def note(self, node: ir.Comparison | ir.Case, env: Env, pending: list[Node], tasks: list[Any]) -> None:
        self.found.comparisons.append(node)
        pending += ir.children(node)[::-1]

    def subquery(self, node: ir.Subquery, env: Env, pending: list[Node], tasks: list[Any]) -> None:
        self.nested.append((node, dict(env)))

    # -------------------------------------------------------------- conditions

    def where(self, predicate: ir.Expression | None) -> None:
        """A predicate that must be true: the label tests in its conjunction narrow what they test."""
        if predicate is None:
            return
        rest: list[Node] = []
        pending = [predicate]
        while pending:
            node = pending.pop()
            if isinstance(node, ir.Apply) and node.function == "and":
                pending += node.args[::-1]
            elif not self.narrowed(node):
                rest.append(node)
        self.read(*rest)

    def narrowed(self, node: ir.Expression) -> bool:
        """Whether the predicate is a label test on a variable, or several of one variable joined by OR."""
        tests = node.args if isinstance(node, ir.Apply) and node.function == "or" else (node,)
        name: str | None = None
        for test in tests:
            if not isinstance(test, ir.HasLabels) or not isinstance(test.base, ir.Ref):
                return False
            if name is not None and name != test.base.name:
                return False
            name = test.base.name
        slot = self.own(name)
        if slot is None:
            return False
        masks = plain = 0
        for test in tests:
            assert isinstance(test, ir.HasLabels)
            if type(test.labels) is not ir.LabelName:
                self.read(test.labels)
            self.found.elements[id(test.base)] = slot
            found = self.labelled(test.labels, slot, slot.node)
            masks |= found.mask
            plain |= found.plain
        self.declare(slot, Labels(masks, plain), node)
        return True

    def own(self, name: str | None) -> Slot | None:
        """The slot of a name, for something more to be said of it here."""
        slot = self.env.get(name) if name is not None else None
        if not isinstance(slot, Slot):
            return None
        if name in self.borrowed:
            self.borrowed.discard(name)
            child = slot.child()
            self.found.ties.append(Flow((slot,), child))
            self.env[name] = slot = child
        return slot

    def declare(self, slot: Slot, said: Labels, place: Node) -> None:
        """The labels of an element say that it is one of the mask."""
        if not slot.node and said.mask < 0:
            slot.declared = slot.mask = slot.plain = UNLISTED
            slot.named = True
            return
        both = self.index.meet(slot.declared, said.mask) if slot.node else slot.declared & said.mask
        plain = slot.plain & said.plain
        loose = said.loose or both != slot.declared & said.mask or not both
        if (
            slot.node
            and self.index.meets
            and self.index.coverage.labels
            and (said.clash or (slot.declared and not both))
        ):
            self.found.contradictions.append((place, slot))
        if not both:
            both = slot.declared | said.mask
        if not plain:
            plain = slot.plain | said.plain
        if loose:
            slot.also |= both
        if not self.index.meets and said.mask >= 0:
            outside = slot.parent
            while outside is not None:
                outside.also |= said.mask
                outside = outside.parent
        slot.declared = slot.mask = both
        slot.plain = plain or both
        slot.named = True


_NAMING = {"labels": True, "type": False}
"""Function that gives names of an element -> whether of a node."""

_LEAVES = frozenset((ir.Literal, ir.Parameter, ir.Keyword, ir.CaseSubject))

HANDLERS: Handlers = {
    ir.Index: Expressions.at,
    ir.HasLabels: Expressions.tested,
    ir.MapProjection: Expressions.projection,
    ir.ListComprehension: Expressions.comprehension,
    ir.Quantified: Expressions.comprehension,
    ir.Reduce: Expressions.reduce,
    ir.AllReduce: Expressions.reduce,
    ir.Subquery: Expressions.subquery,
    ir.Comparison: Expressions.note,
    ir.Case: Expressions.note,
}
"""Expressions with a meaning of their own."""
