"""Paths of GQL as chains: brackets without a number go, edges get nodes, nodes that meet become one.

Cypher wants nodes and edges in turn, and a node between an edge and a repeated part.  Knows no mode and no clause.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable

from graphir import ir
from graphir.backends.cypher.core.refusals import Report
from graphir.ir import Apply, EdgePattern, Expression, NodePattern, PathGroup, Property, Ref


class Joints:
    """What is left over when paths are made chains: conditions, and names that stand for the same node."""

    def __init__(self, report: Report, read: frozenset[str]) -> None:
        self.report = report
        self.read = read
        self.conditions: list[Expression] = []
        self.same: dict[str, str] = {}
        """Name -> the name of the node that it stands for, too."""

    def chain(self, path: ir.Path, *, selected: bool) -> ir.Path:
        """The path as a chain; `selected`: a condition on it decides which paths there are to choose from."""
        elements = self.opened(path.elements, selected=selected)
        made = self.merged(linked(elements))
        return dataclasses.replace(path, elements=made)

    def opened(self, elements: Iterable[ir.PathElement], *, selected: bool) -> list[ir.PathElement]:
        """Parentheses without a number go, what they ask is asked of the clause, or stays where paths are chosen."""
        out: list[ir.PathElement] = []
        for element in elements:
            if not isinstance(element, PathGroup):
                out.append(element)
                continue
            inner = element.path
            if inner.selector is not None or inner.variable is not None or inner.mode not in (None, "walk"):
                raise self.report.refusal("pattern", element, "a part of a path with a mode or a name of its own")
            if element.quantifier is not None:
                out.append(self.repetition(element))
                continue
            if element.where is not None and selected:
                path = self.chain(inner, selected=selected)
                out.append(dataclasses.replace(element, path=path))
                continue
            if element.where is not None:
                self.conditions.append(element.where)
            out += self.opened(inner.elements, selected=selected)
        return out

    def repetition(self, group: PathGroup) -> PathGroup:
        """A repeated part; what brackets inside of it ask is asked of each repetition."""
        inside = Joints(self.report, self.read)
        path = inside.chain(dataclasses.replace(group.path, mode=None), selected=False)
        if inside.same:
            raise self.report.refusal("pattern", group, "two names for a node of a repeated part")
        tests = [*([group.where] if group.where is not None else []), *inside.conditions]
        where = None if not tests else tests[0] if len(tests) == 1 else Apply("and", tuple(tests))
        return dataclasses.replace(group, path=path, where=where)

    def merged(self, elements: Iterable[ir.PathElement]) -> tuple[ir.PathElement, ...]:
        """Nodes next to each other as one."""
        out: list[ir.PathElement] = []
        for element in elements:
            before = out[-1] if out else None
            if isinstance(element, NodePattern) and isinstance(before, NodePattern):
                out[-1] = self.one(before, element)
            else:
                out.append(element)
        return tuple(out)

    def one(self, left: NodePattern, right: NodePattern) -> NodePattern:
        """One node for two."""
        kept, other = left.variable, right.variable
        if other in self.read and kept not in self.read:
            kept, other = other, kept
        if kept is None:
            kept, other = other, None
        if other is not None and other in self.read and other != kept:
            self.same[other] = kept or ""
        if kept is None and right.properties is not None and left.properties is not None:
            raise self.report.refusal("pattern", right, "a node with two property maps and no name")
        properties = left.properties if left.properties is not None else right.properties
        tests = [each for each in (left.where, right.where) if each is not None]
        if left.properties is not None and right.properties is not None:
            tests += _asked(kept or "", right.properties)
        labels = [each for each in (left.labels, right.labels) if each is not None]
        joined = ir.LabelAnd(tuple(labels)) if len(labels) > 1 else labels[0] if labels else None
        where = None if not tests else tests[0] if len(tests) == 1 else Apply("and", tuple(tests))
        return NodePattern(kept, joined, properties, where, span=left.span or right.span)


def _asked(name: str, properties: Expression) -> list[Expression]:
    """A property map as conditions."""
    entries = properties.entries if isinstance(properties, ir.MapOf) else ()
    return [Apply("eq", (Property(Ref(name), entry.key), entry.value), span=entry.span) for entry in entries]


def linked(elements: Iterable[ir.PathElement]) -> tuple[ir.PathElement, ...]:
    """The elements with a node before, between and behind edges that have none."""
    out: list[ir.PathElement] = []
    for element in elements:
        before = out[-1] if out else None
        ends = (before, element)
        if any(isinstance(x, EdgePattern) for x in ends) and not any(isinstance(x, NodePattern) for x in ends):
            out.append(NodePattern())
        out.append(element)
    if out and isinstance(out[-1], EdgePattern):
        out.append(NodePattern())
    return tuple(out)
