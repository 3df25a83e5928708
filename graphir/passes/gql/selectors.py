"""Selectors that choose no path: `ANY 0`, `SHORTEST 0` and `CHEAPEST 0` are read by GoogleSQL, and match nothing."""

from __future__ import annotations

from dataclasses import replace

from graphir import ir
from graphir.ir import Literal, Node
from graphir.passes.elements import conjunction


def match_nothing(query: ir.Query) -> ir.Query:
    """Clauses with such a selector, with a condition that is never true in its place."""

    def rule(node: Node) -> Node:
        if not isinstance(node, ir.Match) or not any(_is_zero(path.selector) for path in node.paths):
            return node
        paths = tuple([_one(path) if _is_zero(path.selector) else path for path in node.paths])
        return replace(node, paths=paths, where=conjunction(Literal(False, span=node.span), node.where))

    return ir.rewrite(query, rule)


def _is_zero(selector: ir.Selector | None) -> bool:
    count = None if selector is None else selector.count
    return isinstance(count, Literal) and count.value == 0 and count.value is not False


def _one(path: ir.Path) -> ir.Path:
    assert path.selector is not None
    return replace(path, selector=replace(path.selector, count=Literal(1, span=path.selector.span)))
