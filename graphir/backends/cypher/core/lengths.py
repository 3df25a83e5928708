"""Walks of varying length, written out length by length, for dialects that cannot repeat an edge within a clause.

Each length is a branch of a UNION ALL in a subquery: a clause for every edge, and lists of the elements for the
variables of repeated parts.  Knows no mode.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from itertools import product

from graphir import ir
from graphir.backends.cypher.core.terms import Tools
from graphir.backends.cypher.pattern_rules import conjoin
from graphir.ir import Apply, EdgePattern, Expression, Item, ListOf, NodePattern, Operator, PathGroup, Ref
from graphir.passes.names import renamed

LONGEST, MOST = 8, 12
"""The greatest number of edges of a walk that is written out, and of lengths."""

Steps = Callable[[ir.Path], list[Operator]]


def by_length(path: ir.Path, before: frozenset[str], tools: Tools, steps: Steps) -> ir.SubqueryCall:
    """The walk as a subquery.  `before` are the variables that are bound already."""
    times = list(product(*[_times(element, path, tools) for element in path.elements]))
    sizes = [_size(element) for element in path.elements]
    longest = max([sum([n * size for n, size in zip(each, sizes, strict=True)]) for each in times])
    if len(times) > MOST or longest > LONGEST:
        raise tools.report.refusal("walk", path, "a walk of so many lengths")
    found = tools.maker.make("found")
    branches = [Branch(path, before, tools).pipeline(each, steps, found) for each in times]
    used = {name for branch in branches for name in _mentioned(branch)}
    body = branches[0] if len(branches) == 1 else ir.SetOperation("union", False, tuple(branches))
    imports = tuple([name for name in sorted(before) if name in used])
    return ir.SubqueryCall(body, imports, span=path.span)


def _times(element: ir.PathElement, path: ir.Path, tools: Tools) -> range:
    """How often an element may come."""
    if isinstance(element, NodePattern) or element.quantifier is None:
        return range(1, 2)
    bounds = element.quantifier
    plain = isinstance(element, EdgePattern) or all(
        isinstance(x, NodePattern) or (isinstance(x, EdgePattern) and x.quantifier is None)
        for x in element.path.elements
    )
    if not plain or bounds.high is None or bounds.low_parameter is not None or bounds.high_parameter is not None:
        raise tools.report.refusal("walk", path, "a path whose edges may repeat, of varying length")
    return range(bounds.low, bounds.high + 1)


def _size(element: ir.PathElement) -> int:
    """The number of edges that an element stands for each time."""
    if isinstance(element, PathGroup):
        return sum([isinstance(x, EdgePattern) for x in element.path.elements])
    return int(isinstance(element, EdgePattern))


class Branch:
    """The walk at one length."""

    def __init__(self, path: ir.Path, before: frozenset[str], tools: Tools) -> None:
        self.path = path
        self.before = before
        self.tools = tools
        self.elements: list[ir.PathElement] = []
        self.columns: dict[str, Expression] = {}
        self.tests: list[Expression] = []
        self.made: set[str] = set()
        """Names of the elements of repetitions."""
        self.same: dict[str, str] = {}
        """Name of a node that is another one -> the name of that."""

    def pipeline(self, times: tuple[int, ...], steps: Steps, found: str) -> ir.Pipeline:
        """The clauses at these numbers of repetitions, and the columns that others read."""
        for element, count in zip(self.path.elements, times, strict=True):
            if isinstance(element, NodePattern) or element.quantifier is None:
                self.single(element)
            else:
                self.repeated(element, count)
        clauses = steps(renamed(dataclasses.replace(self.path, elements=tuple(self.elements)), self.same))
        where = conjoin([renamed(test, self.same) for test in self.tests])
        if where is not None:
            clauses = [*clauses, ir.Filter(where)]
        new = [
            Item(renamed(value, self.same), name)
            for name, value in self.columns.items()
            if name not in self.before and name in self.tools.read
        ]
        result = ir.Project(tuple(new) or (Item(ir.Literal(True), found),), final=True)
        return ir.Pipeline((*clauses, result), span=self.path.span)

    def single(self, element: ir.PathElement) -> None:
        assert isinstance(element, (NodePattern, EdgePattern))
        if element.variable is not None:
            self.columns[element.variable] = Ref(element.variable)
        self.add(element)

    def repeated(self, element: EdgePattern | PathGroup, count: int) -> None:
        """The elements so many times, each under a name of its own."""
        inner = element.path.elements if isinstance(element, PathGroup) else (_once(element),)
        named = [x.variable for x in inner if not isinstance(x, PathGroup) and x.variable is not None]
        lists: dict[str, list[Expression]] = {name: [] for name in named}
        for _ in range(count):
            names = {name: self.tools.maker.make("e") for name in named}
            self.made |= set(names.values())
            for name, fresh in names.items():
                lists[name].append(Ref(fresh))
            for part in inner:
                self.add(renamed(part, names))
            if isinstance(element, PathGroup) and element.where is not None:
                self.tests.append(renamed(element.where, names))
        self.columns |= {name: ListOf(tuple(values)) for name, values in lists.items()}

    def add(self, element: ir.PathElement) -> None:
        """The element behind the others: edges have a node between them, nodes that meet are one."""
        before = self.elements[-1] if self.elements else None
        if isinstance(element, EdgePattern) and not isinstance(before, NodePattern):
            self.elements.append(NodePattern(self.tools.maker.make("n")))
        if isinstance(element, NodePattern) and isinstance(before, NodePattern):
            self.elements[-1] = self.one(before, element)
        else:
            self.elements.append(element)

    def one(self, left: NodePattern, right: NodePattern) -> NodePattern:
        """One node for two, by the name that was there before, else by the name that the query gave."""
        kept, other = left.variable, right.variable
        if (
            kept is None
            or (kept in self.made and other is not None)
            or (other in self.before and kept not in self.before)
        ):
            kept, other = other, kept
        if other is not None and kept is not None and other != kept:
            if other in self.before:
                self.tests.append(Apply("eq", (Ref(kept), Ref(other))))
            else:
                self.same[other] = kept
        if left.properties is not None and right.properties is not None:
            raise self.tools.report.refusal("walk", right, "a node with two property maps")
        labels = [each for each in (left.labels, right.labels) if each is not None]
        joined = ir.LabelAnd(tuple(labels)) if len(labels) > 1 else labels[0] if labels else None
        properties = left.properties if left.properties is not None else right.properties
        return NodePattern(kept, joined, properties, conjoin([left.where, right.where]), span=left.span)


def _once(edge: EdgePattern) -> EdgePattern:
    return dataclasses.replace(edge, quantifier=None)


def _mentioned(body: ir.Node) -> Iterator[str]:
    for node in ir.walk(body):
        if isinstance(node, Ref):
            yield node.name
        elif isinstance(node, (NodePattern, EdgePattern)) and node.variable is not None:
            yield node.variable
