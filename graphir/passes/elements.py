"""Pattern elements: each gets a name, and the legacy variable length becomes a quantifier."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from graphir import ir
from graphir.ir import Apply, Expression, Node, Ref
from graphir.ir.node import replace
from graphir.passes.names import Maker
from graphir.passes.scope import analyze


def name_elements(query: ir.Query) -> ir.Query:
    """Give a made-up name to every node and edge without one.  Stars must be gone: these names are not columns."""
    maker = Maker(query)

    def rule(node: Node) -> Node:
        if isinstance(node, ir.NodePattern) and node.variable is None:
            return replace(node, variable=maker.make("n"))
        if isinstance(node, ir.EdgePattern) and node.variable is None:
            return replace(node, variable=maker.make("e"))
        return node

    return ir.rewrite(query, rule, ir.NodePattern, ir.EdgePattern)


def quantify_hops(query: ir.Query) -> ir.Query:
    """`-[r*1..3]->` is `-[r]->{1,3}`.

    A quantifier binds its variable, `*` may also repeat a bound one: then the new edges get a name of their own, and
    the clause the condition that they equal the old.
    """
    if not any(node.hops is not None for node in ir.find(query, ir.EdgePattern)):
        return query
    repeated = analyze(query).repeated
    maker = Maker(query)
    tests: dict[int, Expression] = {}
    """By the identity of a rewritten edge."""

    def edge(origin: Node, node: ir.EdgePattern) -> ir.EdgePattern:
        made = replace(node, hops=None, quantifier=node.hops)
        if id(origin) not in repeated or node.variable is None:
            return made
        made = replace(made, variable=maker.make("e"))
        sides = (Ref(made.variable or "", span=node.span), Ref(node.variable, span=node.span))
        tests[id(made)] = Apply("eq", sides, span=node.span)
        return made

    def rule(origin: Node, node: Node) -> Node:
        if isinstance(node, ir.EdgePattern) and node.hops is not None:
            return edge(origin, node)
        if tests and isinstance(node, (ir.Match, ir.PatternComprehension)):
            paths = node.paths if isinstance(node, ir.Match) else (node.path,)
            found = [tests[id(element)] for element in flatten(paths) if id(element) in tests]
            return replace(node, where=conjunction(node.where, *found))
        return node

    return ir.transform(query, rule, ir.EdgePattern, ir.Match, ir.PatternComprehension)


def flatten(paths: Iterable[ir.Path]) -> Iterator[ir.NodePattern | ir.EdgePattern]:
    """The nodes and edges of patterns, those in groups too, from left to right."""
    pending: list[ir.PathElement] = [element for path in paths for element in path.elements][::-1]
    while pending:
        element = pending.pop()
        if isinstance(element, ir.PathGroup):
            pending.extend(reversed(element.path.elements))
        else:
            yield element


def conjunction(*tests: Expression | None) -> Expression | None:
    """All of the tests that there are."""
    given = [test for test in tests if test is not None]
    if len(given) < 2:
        return given[0] if given else None
    return Apply("and", tuple(given), span=given[0].span)
