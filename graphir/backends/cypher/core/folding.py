"""Expressions of templates made shorter: tests that are decided by a literal go, and what they chose is left.

Only what has the same value for every row, null included.  Knows no function of GQL.
"""

from __future__ import annotations

import dataclasses

from graphir import ir
from graphir.ir import Apply, Expression, Literal, Node

TRUE, FALSE = Literal(True), Literal(False)


def folded(node: Expression) -> Expression:
    """The expression with what literals decide."""
    return ir.rewrite(node, _fold)


def _fold(node: Node) -> Node:
    if isinstance(node, Apply):
        return _applied(node)
    if isinstance(node, ir.Case) and node.subject is None:
        return _case(node)
    return node


def _applied(node: Apply) -> Expression:
    name, args = node.function, node.args
    if name in ("is_null", "is_not_null") and _is_value(args[0]):
        return _truth(name == "is_not_null")
    if name in ("eq", "ne") and all(_is_text(each) for each in args):
        return _truth((args[0].value == args[1].value) == (name == "eq"))  # type: ignore[attr-defined]
    if name in ("and", "or"):
        return _joined(node, name == "and")
    if name == "not" and args[0] in (TRUE, FALSE):
        return _truth(args[0] == FALSE)
    return node


def _truth(value: bool) -> Expression:
    return TRUE if value else FALSE


def _is_value(node: Expression) -> bool:
    """Whether an expression is surely not null."""
    return isinstance(node, (ir.ListOf, ir.MapOf)) or (isinstance(node, Literal) and node.value is not None)


def _is_text(node: Expression) -> bool:
    return isinstance(node, Literal) and isinstance(node.value, str)


def _joined(node: Apply, is_and: bool) -> Expression:
    neutral, absorbing = (TRUE, FALSE) if is_and else (FALSE, TRUE)
    if absorbing in node.args:
        return absorbing
    kept = tuple([each for each in node.args if each != neutral])
    if len(kept) == len(node.args):
        return node
    if len(kept) > 1:
        return dataclasses.replace(node, args=kept)
    return kept[0] if kept else neutral


def _case(node: ir.Case) -> Expression:
    """Branches that are never taken go, those behind one that always is, too."""
    branches: list[ir.Branch] = []
    default = node.default
    for branch in node.branches:
        if branch.tests in ((FALSE,), (Literal(None),)):
            continue
        if branch.tests == (TRUE,):
            default = branch.result
            break
        branches.append(branch)
    if not branches:
        return default if default is not None else Literal(None)
    if len(branches) == len(node.branches) and default is node.default:
        return node
    return dataclasses.replace(node, branches=tuple(branches), default=default)
