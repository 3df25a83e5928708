"""The nodes and edges of patterns, and what ties them to one another."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from graphir import ir
from graphir.ir import Node
from graphir.passes.schema.expressions import HANDLERS, Env, Expressions, Waiting
from graphir.passes.schema.slots import Items, Link, Repeat, Route, Slot


class Course:
    """How far a path has come: its first and last node, and the edge or quantified path that leads on."""

    __slots__ = ("edge", "first", "last", "repeat", "route")

    def __init__(self) -> None:
        self.first: Slot | None = None
        self.last: Slot | None = None
        self.edge: ir.EdgePattern | None = None
        self.repeat: Repeat | None = None
        self.route = Route([], [])


class Patterns(Expressions):
    """The same, with the patterns among the expressions."""

    # -------------------------------------------------------------- patterns

    def bind_paths(self, paths: Iterable[ir.Path], *, optional: bool = False, write: bool = False) -> None:
        """Bind the elements of paths and tie them; then look at the expressions in them."""
        waiting: list[Waiting] = []
        for path in paths:
            self.route = self.bind_path(path, self.env, waiting, optional=optional, write=write).route
        for place, slot, env in waiting:
            if isinstance(place, ir.MapOf) and slot is not None:
                for entry in place.entries:
                    self.use(entry, entry.key, slot, write=write)
                    self.read(entry.value, env=env)
            else:
                self.read(place, env=env)

    def bind_path(self, path: ir.Path, env: Env, waiting: list[Waiting], *, optional: bool, write: bool) -> Course:
        course = Course()
        pending: list[ir.PathElement] = list(path.elements)[::-1]
        while pending:
            item = pending.pop()
            if isinstance(item, ir.NodePattern):
                node = self.node_slot(item, env, waiting, write=write)
                self.go_to(node, course, env, waiting, optional=optional, write=write)
            elif isinstance(item, ir.EdgePattern):
                course.edge = item
            elif item.quantifier is not None:
                self.go_through(item, course, env, waiting)
            else:
                pending += item.path.elements[::-1]
                if item.where is not None:
                    waiting.append((item.where, None, env))
                if item.path.variable is not None:
                    env[item.path.variable] = None
        if path.variable is not None:
            env[path.variable] = course.route
        return course

    def go_to(
        self, node: Slot, course: Course, env: Env, waiting: list[Waiting], *, optional: bool, write: bool
    ) -> None:
        """The next node of a path: tie it to what stands before it."""
        route, last = course.route, course.last
        route.nodes.append(node)
        if course.edge is not None and last is not None:
            link = self.link(course.edge, last, node, env, waiting, write=write)
            link.optional = optional
            self.found.links.append(link)
            if not write:
                self.found.ties.append(link)
            route.edges.append(link.edge)
            if link.bounds is not None:
                route.fixed = False
                route.nodes.append(self.found.node())
            course.edge = None
        elif course.repeat is not None:
            course.repeat.right = node
            course.repeat = None
        elif last is not None:
            self.found.ties.append(Repeat(node, node, 1, 1, left=last))
        course.first = course.first or node
        course.last = node

    def go_through(self, group: ir.PathGroup, course: Course, env: Env, waiting: list[Waiting]) -> None:
        """A quantified path within a path."""
        if course.repeat is not None:
            course.last = course.repeat.right = self.found.node()
        route = course.route
        route.fixed = False
        course.repeat = self.bind_group(group, course.last, env, waiting, route)
        course.last = None

    def bind_group(
        self, group: ir.PathGroup, left: Slot | None, env: Env, waiting: list[Waiting], route: Route
    ) -> Repeat | None:
        """A quantified path: single elements inside, lists of them outside."""
        inner: Env = {}
        inside: list[Waiting] = []
        before = len(self.found.links)
        course = self.bind_path(group.path, inner, inside, optional=False, write=False)
        route.nodes += course.route.nodes
        route.edges += course.route.edges
        for name, value in inner.items():
            env[name] = Items(value)
        inner.update({name: value for name, value in env.items() if name not in inner})
        waiting += inside
        if group.where is not None:
            waiting.append((group.where, None, inner))
        bounds, first, last = group.quantifier, course.first, course.last
        if first is None or last is None or bounds is None:
            return None
        repeat = Repeat(first, last, bounds.low, bounds.high, left, links=self.found.links[before:])
        self.found.ties.append(repeat)
        return repeat

    def node_slot(self, item: ir.NodePattern, env: Env, waiting: list[Waiting], *, write: bool) -> Slot:
        name = item.variable
        known = env.get(name) if name is not None else None
        if type(known) is Slot and known.node:
            slot = known
            if name in self.borrowed and env is self.env and (item.labels is not None or not write):
                slot = self.own(name) or known
        else:
            slot = Slot(self.index.any_node, node=True, name=name)
            slot.made = write
            if name is not None:
                env[name] = slot
        self.found.elements[id(item)] = slot
        self.filled(item, slot, env, waiting, write=write)
        if item.where is not None:
            waiting.append((item.where, None, env))
        return slot

    def link(
        self,
        item: ir.EdgePattern,
        left: Slot,
        right: Slot,
        env: Env,
        waiting: list[Waiting],
        *,
        write: bool,
    ) -> Link:
        name = item.variable
        bounds = item.hops or item.quantifier
        slot = Slot(self.index.any_edge, node=False, name=name)
        slot.made = write
        known = env.get(name) if name is not None else None
        if bounds is None and type(known) is Slot and not known.node:
            slot = (self.own(name) if env is self.env else None) or known
        elif name is not None:
            env[name] = slot if bounds is None else Items(slot)
        self.found.elements[id(item)] = slot
        self.filled(item, slot, env, waiting, write=write)
        inner = env
        if item.where is not None:
            if name is not None and bounds is not None:
                inner = {**env, name: slot}
            waiting.append((item.where, None, inner))
        span = None if bounds is None else (bounds.low, bounds.high)
        return Link(item, slot, left, right, item.direction, span, write)

    def filled(
        self, item: ir.NodePattern | ir.EdgePattern, slot: Slot, env: Env, waiting: list[Waiting], *, write: bool
    ) -> None:
        """The labels of an element hold at once, its properties are read with the rest."""
        labels = item.labels
        if labels is not None:
            self.declare(slot, self.labelled(labels, slot, slot.node, write=write), item)
            if type(labels) is not ir.LabelName:
                waiting.append((labels, None, env))
        if item.properties is not None:
            waiting.append((item.properties, slot, env))

    def matched(
        self, node: ir.PatternComprehension | ir.PatternExpression, env: Env, pending: list[Node], tasks: list[Any]
    ) -> None:
        """A pattern inside of an expression: what it says holds inside only."""
        saved = self.env, self.borrowed
        self.env, self.borrowed = dict(env), set(env)
        self.bind_paths((node.path,), optional=True)
        if isinstance(node, ir.PatternComprehension):
            self.where(node.where)
            self.read(node.body)
            self.found.results[id(node)] = Items(self.found.value(node.body, self.env))
        elif node.path.selector is not None:
            route = self.route
            self.found.results[id(node)] = route if node.path.selector.kind == "shortest_path" else Items(route)
        self.env, self.borrowed = saved

    handlers = HANDLERS | {ir.PatternComprehension: matched, ir.PatternExpression: matched}
