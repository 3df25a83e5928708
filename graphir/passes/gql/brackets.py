"""Brackets in a path that repeat nothing: what they say is said by the path or the clause, where that is the same.

A mode that stands for a whole path is the mode of the path.  The predicate of brackets in a path without a selector is
one of the clause; under a selector it decides which paths are chosen from, and stays.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graphir import ir
from graphir.ir import Expression, Node
from graphir.passes.elements import conjunction


def open_brackets(query: ir.Query) -> ir.Query:
    """Every clause with as few brackets as say the same."""

    def rule(node: Node) -> Node:
        if not isinstance(node, ir.Match) or not any(_has_brackets(path) for path in node.paths):
            return node
        tests: list[Expression] = []
        paths = tuple([_opened(path, tests) for path in node.paths])
        return replace(node, paths=paths, where=conjunction(node.where, *tests))

    return ir.rewrite(query, rule)


def _has_brackets(path: ir.Path) -> bool:
    return any(isinstance(element, ir.PathGroup) and element.quantifier is None for element in path.elements)


def _opened(path: ir.Path, tests: list[Expression]) -> ir.Path:
    path = _with_mode(path)
    chosen = path.selector is not None and path.selector.kind != "all"
    while True:
        at = next((at for at, each in enumerate(path.elements) if _is_open(path, at, chosen)), None)
        if at is None:
            return path
        group = path.elements[at]
        assert isinstance(group, ir.PathGroup)
        if group.where is not None:
            tests.append(group.where)
        path = replace(path, elements=(*path.elements[:at], *group.path.elements, *path.elements[at + 1 :]))
        path = _with_mode(path)


def _with_mode(path: ir.Path) -> ir.Path:
    """The path with the mode of the brackets that are all of it."""
    if len(path.elements) != 1 or not isinstance(group := path.elements[0], ir.PathGroup):
        return path
    inner = group.path
    if group.quantifier is not None or inner.mode is None or path.mode not in (None, "walk", inner.mode):
        return path
    return replace(path, mode=inner.mode, elements=(replace(group, path=replace(inner, mode=None)),))


def _is_open(path: ir.Path, at: int, chosen: bool) -> bool:
    """Whether the brackets say nothing that is lost without them."""
    group = path.elements[at]
    if not isinstance(group, ir.PathGroup) or group.quantifier is not None or (chosen and group.where is not None):
        return False
    inner = group.path
    if inner.mode is not None or inner.variable is not None or inner.selector is not None:
        return False
    before, after = path.elements[:at][-1:], path.elements[at + 1 :][:1]
    return _fit(before, inner.elements[:1]) and _fit(inner.elements[-1:], after)


def _fit(left: Sequence[ir.PathElement], right: Sequence[ir.PathElement]) -> bool:
    """Whether the elements may stand side by side: not two nodes, and not what a bracket would have held apart."""
    if not left or not right:
        return True
    kinds = {type(left[0]), type(right[0])}
    return kinds == {ir.NodePattern, ir.EdgePattern} or (
        ir.PathGroup in kinds and not any(isinstance(each, ir.EdgePattern) for each in (left[0], right[0]))
    )
