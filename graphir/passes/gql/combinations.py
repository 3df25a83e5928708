"""Set operations by the names of columns, as set operations whose branches return the same columns in the same order.

Source of the rules: GoogleSQL, "Column propagation modes": FULL and OUTER keep the columns of all branches, LEFT those
of the first, INNER those that all have; what a branch lacks is null.  Without a mode all branches have the same names.
Columns must be named and stars gone.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from graphir import ir
from graphir.ir import Item, Literal, Node, Ref

MODES = frozenset(("full", "outer", "left", "inner"))
"""The modes under which branches may have different columns."""


def united_columns(mode: str, branches: Sequence[Iterable[str]]) -> list[str]:
    """The columns of a set operation whose branches have these."""
    first = list(branches[0])
    if mode == "inner":
        return [name for name in first if all(name in each for each in branches)]
    if mode in ("full", "outer"):
        return list(dict.fromkeys([name for each in branches for name in each]))
    return first


def match_columns(query: ir.Query) -> ir.Query:
    """Every set operation by position."""

    def rule(node: Node) -> Node:
        if not isinstance(node, ir.SetOperation):
            return node
        columns = [_columns(branch) for branch in node.branches]
        if any(each is None for each in columns):
            return node
        names = united_columns(node.columns, [each for each in columns if each is not None])
        branches = [_arranged(branch, names) for branch in node.branches]
        return replace(node, branches=tuple(branches), columns="position")

    return ir.rewrite(query, rule)


def _columns(body: ir.Body) -> list[str] | None:
    """The columns that a body returns; None where it returns nothing."""
    match body:
        case ir.Pipeline():
            last = body.operators[-1] if body.operators else None
            if isinstance(last, ir.Project) and last.final:
                return [item.name or "" for item in last.items]
        case ir.SetOperation():
            return _columns(body.branches[0])
        case ir.Next():
            return _columns(body.parts[-1])
    return None


def _arranged(body: ir.Body, names: list[str]) -> ir.Body:
    """The body with these columns."""
    if _columns(body) == names:
        return body
    match body:
        case ir.SetOperation():
            return replace(body, branches=tuple([_arranged(branch, names) for branch in body.branches]))
        case ir.Next():
            return replace(body, parts=(*body.parts[:-1], _arranged(body.parts[-1], names)))
    assert isinstance(body, ir.Pipeline)
    return _arranged_pipeline(body, names)


def _arranged_pipeline(body: ir.Pipeline, names: list[str]) -> ir.Pipeline:
    last = body.operators[-1]
    assert isinstance(last, ir.Project)
    by_name = {item.name: item for item in last.items}
    before = body.operators[:-1]
    if by_name.keys() == set(names):
        items = tuple([by_name[name] for name in names])
        return replace(body, operators=(*before, replace(last, items=items)))
    span = last.span
    chosen = [
        Item(Ref(name, span=span) if name in by_name else Literal(None, span=span), name, span=span) for name in names
    ]
    return replace(body, operators=(*before, replace(last, final=False), ir.Project(tuple(chosen), True, span=span)))
