"""Label expressions: G028 `:A:B` does not stand in one clause with `|`, `&`, `!` or `%`.

A clause is the outermost one, with all that is nested in it.  What is created and what is read are looked at apart.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

from graphir import ir
from graphir.ir import Node
from graphir.passes.rules.places import Mode
from graphir.passes.rules.scene import Scene

if TYPE_CHECKING:
    from graphir.passes.rules.walk import Walk

_LEAVES = (ir.LabelName, ir.LabelDynamic)


def _conjunction(walk: Walk, node: ir.LabelAnd, mode: Mode, pending: list[Node]) -> None:
    if node.legacy:
        walk.colons = True
    else:
        walk.symbols = True
    pending += node.operands


def _symbol(walk: Walk, node: ir.LabelExpression, mode: Mode, pending: list[Node]) -> None:
    walk.symbols = True
    pending += ir.children(node)


def check_forms(scene: Scene, query: ir.Query) -> None:
    """Called where both forms occur in the query."""
    nodes = {node.variable for node in ir.walk(query) if isinstance(node, ir.NodePattern)}
    for clause in _clauses(query.body):
        read: list[ir.LabelExpression] = []
        written: list[ir.LabelExpression] = []
        for node, writes in _elements(clause):
            labels = getattr(node, "labels", None)
            if isinstance(labels, ir.LabelExpression) and not _is_neutral(node, labels, nodes):
                if writes is not True:
                    read.append(labels)
                if writes is not False:
                    written.append(labels)
        _check(scene, read)
        _check(scene, written)


def _clauses(body: ir.Body) -> Iterator[ir.Operator]:
    pending: list[ir.Body] = [body]
    while pending:
        current = pending.pop()
        if isinstance(current, ir.Pipeline):
            yield from current.operators
        elif isinstance(current, ir.SetOperation):
            pending += current.branches
        elif isinstance(current, ir.Next):
            pending += current.parts
        elif isinstance(current, ir.Conditional):
            pending += [branch.body for branch in current.branches]


def _elements(clause: ir.Operator) -> Iterator[tuple[Node, bool | None]]:
    """What carries labels in a clause, and whether it is written: MERGE does both (None)."""
    pending: list[tuple[Node, bool | None]] = [(clause, False)]
    while pending:
        node, writes = pending.pop()
        if isinstance(node, ir.Merge):
            writes = None
        elif isinstance(node, ir.Operator):
            writes = isinstance(node, ir.Insert)
        elif isinstance(node, ir.HasLabels):
            writes = False
        if isinstance(node, (ir.NodePattern, ir.EdgePattern, ir.HasLabels)):
            yield node, writes
        pending += [(child, writes) for child in ir.children(node)]


def _is_neutral(node: Node, labels: ir.LabelExpression, nodes: set[str | None]) -> bool:
    """One name is of both forms; so is `A|B` between types."""
    if isinstance(labels, _LEAVES):
        return True
    if not isinstance(labels, ir.LabelOr) or not all(isinstance(each, _LEAVES) for each in labels.operands):
        return False
    if isinstance(node, ir.HasLabels):
        return not (isinstance(node.base, ir.Ref) and node.base.name in nodes)
    return isinstance(node, ir.EdgePattern)


def _check(scene: Scene, found: list[ir.LabelExpression]) -> None:
    colons = [labels for labels in found if isinstance(labels, ir.LabelAnd) and labels.legacy]
    if colons and len(colons) < len(found):
        for labels in colons:
            message = "`:` between labels cannot stand in one clause with `|`, `&`, `!` or `%`"
            scene.report("G028", message, labels, "write `&` for `:`")


EXPRESSIONS: dict[type[Node], Callable[..., Any]] = {
    ir.LabelAnd: _conjunction,
    ir.LabelOr: _symbol,
    ir.LabelNot: _symbol,
    ir.LabelAny: _symbol,
}
