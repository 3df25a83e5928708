"""What patterns mean in DuckPGQ, in the words that all languages share.

Facts: DuckPGQ's match.cpp and tests.  A quantifier whose upper bound is more than one asks for the pairs of vertices
between which the shortest way has such a length, and gives one row for each, with or without ANY SHORTEST; one of at
most one is a plain edge.  An edge without direction is the union of both directions, so that a loop counts twice;
`<-[..]->` wants an edge each way.  An element without label has that of its variable's name.  Numbers of rows identify
what has no key.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TypeVar

from graphir import ir
from graphir.ir import Apply, EdgePattern, Expression, GraphTable, Literal, Match, Node, NodePattern, Path, Ref
from graphir.passes.names import Maker, mentioned
from graphir.passes.selects.scopes import NoGraphQuery

N = TypeVar("N", bound=Node)

_NUMBERS = frozenset(("elementId", "relationships", "nodes", "element_id", "vertices", "edges"))
"""Functions that give numbers of rows, by their canonical names or as they are called."""


def as_meant(query: ir.Query) -> ir.Query:
    """The query with its patterns as DuckPGQ reads them.  Raises NoGraphQuery (G269) for what nothing else means."""
    maker = Maker(query)
    nameless = [node for node in ir.walk(query) if isinstance(node, GraphTable) and node.alias is None]

    def rule(node: Node) -> Node:
        if _gives_numbers(node):
            raise _own("functions of elements and paths give numbers of rows", node)
        if not isinstance(node, GraphTable):
            return node
        made = _Pattern(node, maker).table()
        return replace(made, alias="unnamed_subquery") if made.alias is None and len(nameless) == 1 else made

    return ir.rewrite(query, rule)


def _gives_numbers(node: Node) -> bool:
    if isinstance(node, Apply):
        return node.function in _NUMBERS
    return isinstance(node, ir.Call) and node.name[-1].lower() in _NUMBERS


def _own(told: str, at: Node) -> NoGraphQuery:
    return NoGraphQuery(f"in DuckPGQ {told}, which nothing else means", at.span, "G269")


class _Pattern:
    """The pattern of one graph table."""

    def __init__(self, table: GraphTable, maker: Maker) -> None:
        self.whole = table
        self.maker = maker
        paths = [each.variable for each in ir.walk(table) if isinstance(each, Path)]
        self.taken = {name.lower() for name in mentioned(table) if name not in paths} | set(self._elements())
        self.lengths: dict[str, Expression] = {}
        """Of a path that was taken apart, what its length is."""
        self.conditions: list[Expression] = []
        self.loops: list[tuple[str, str, EdgePattern]] = []
        """The ends of the edges without direction."""

    def table(self) -> GraphTable:
        body = self.whole.body
        if not isinstance(body, ir.Pipeline):
            return self.whole
        match, *rest = body.operators
        if not isinstance(match, Match):
            return self.whole
        paths = tuple([part for path in match.paths for part in self.path(path)])
        where = self._where(self._measured(match.where) if match.where is not None else None)
        made: list[ir.Operator] = [replace(match, paths=paths, where=where)]
        made += [self._twice(*each) for each in self.loops]
        made += [self._measured(each) for each in rest]
        return replace(self.whole, body=replace(body, operators=tuple(made)))

    def path(self, path: Path) -> Iterator[Path]:
        """A path as one of plain edges, and one of its own for every quantifier."""
        elements = [self._labelled(each) for each in path.elements]
        kinds = (NodePattern, EdgePattern)
        if len(elements) % 2 == 0 or not all(isinstance(each, kinds[at % 2]) for at, each in enumerate(elements)):
            raise _own("vertices and edges alternate, from a vertex to a vertex", path)
        lengths: list[Expression] = []
        parts: list[list[NodePattern | EdgePattern]] = [[]]
        for at, element in enumerate(elements):
            if not isinstance(element, EdgePattern):
                parts[-1].append(element)
                continue
            before, after = elements[at - 1], elements[at + 1]
            assert isinstance(before, NodePattern)
            assert isinstance(after, NodePattern)
            if element.mutual:
                raise _own("`<-[..]->` wants an edge each way", element)
            bounds = element.quantifier
            if bounds is None or (bounds.high is not None and bounds.high < 2 and bounds.high_parameter is None):
                parts[-1].append(replace(element, quantifier=None))
                lengths.append(Literal(1, span=element.span))
                if element.direction == "any":
                    self.loops.append((before.variable or "", after.variable or "", element))
                continue
            self._require_unused(element)
            measured = self._fresh(path.variable or "path")
            lengths.append(Apply("length", (Ref(measured, span=path.span),), span=path.span))
            yield self._shortest(measured, before, element, after, bounds)
            parts.append([])
        if path.variable is not None:
            total = lengths[0] if len(lengths) == 1 else Apply("add", tuple(lengths), span=path.span)
            self.lengths[path.variable] = total if lengths else Literal(0, span=path.span)
        for part in parts:
            yield replace(path, elements=tuple(part), variable=None, selector=None)

    def _fresh(self, wanted: str) -> str:
        """A name for a path that nothing has, as a reader would choose it."""
        name, number = wanted, 1
        while name.lower() in self.taken:
            number += 1
            name = f"{wanted}{number}"
        self.taken.add(name.lower())
        return name

    def _labelled(self, element: Node) -> NodePattern | EdgePattern:
        if not isinstance(element, (NodePattern, EdgePattern)):
            raise _own("a part of a path in parentheses is not supported", element)
        if element.variable is None:
            raise _own("every element has a name", element)
        if element.labels is None:
            return replace(element, labels=ir.LabelName(element.variable, span=element.span))
        return element

    def _shortest(
        self, name: str, before: NodePattern, edge: EdgePattern, after: NodePattern, bounds: ir.Bounds
    ) -> Path:
        """The shortest way, which may be that of no edge; its length is at least the lower bound."""
        if bounds.low_parameter is not None or bounds.high_parameter is not None:
            raise _own("a parameter as a bound is not supported", edge)
        if bounds.low > 0:
            length = Apply("length", (Ref(name, span=edge.span),), span=edge.span)
            self.conditions.append(Apply("ge", (length, Literal(bounds.low, span=edge.span)), span=edge.span))
        ends = [NodePattern(each.variable, each.labels, span=each.span) for each in (before, after)]
        step = replace(edge, quantifier=replace(bounds, low=0))
        selector = ir.Selector("any_shortest", span=edge.span)
        return Path((ends[0], step, ends[1]), name, selector, span=edge.span)

    def _require_unused(self, edge: EdgePattern) -> None:
        """That nothing is asked of the edges of a way."""
        name = (edge.variable or "").lower()
        if any(isinstance(each, Ref) and each.name.lower() == name for each in ir.walk(self.whole)):
            raise _own("the edges of a way have no properties", edge)

    def _where(self, where: Expression | None) -> Expression | None:
        tests = [*([] if where is None else [where]), *self.conditions]
        if len(tests) < 2:
            return tests[0] if tests else None
        return Apply("and", tuple(tests), span=tests[0].span)

    def _twice(self, source: str, target: str, edge: EdgePattern) -> ir.Unwind:
        """A row more for every loop."""
        test = Apply("eq", (Ref(source, span=edge.span), Ref(target, span=edge.span)), span=edge.span)
        two = ir.ListOf((Literal(1, span=edge.span), Literal(2, span=edge.span)), span=edge.span)
        one = ir.ListOf((Literal(1, span=edge.span),), span=edge.span)
        rows = ir.Case(None, (ir.Branch((test,), two, span=edge.span),), one, span=edge.span)
        return ir.Unwind(rows, self.maker.make("l"), span=edge.span)

    def _measured(self, node: N) -> N:
        """With the length of a path that was taken apart; nothing else of it can be said."""

        def choose(part: Node) -> Node | None:
            if isinstance(part, Apply) and part.function == "length" and isinstance(part.args[0], Ref):
                return self.lengths.get(part.args[0].name)
            if isinstance(part, Ref) and part.name in self.lengths and part.name.lower() not in self._elements():
                raise _own("a path is a list of numbers of rows", part)
            return None

        return ir.rewrite_down(node, choose)

    def _elements(self) -> frozenset[str]:
        """The variables of elements: one may have the name of the path."""
        found = [each.variable for each in ir.walk(self.whole) if isinstance(each, (NodePattern, EdgePattern))]
        return frozenset([name.lower() for name in found if name is not None])
