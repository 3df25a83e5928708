"""Label expressions as masks of types.

A label that the schema does not list, or that is computed, says nothing.  Of `A&B`, where no node type has both and the
schema does not say which labels meet, is left that the node may be of either (`loose`).
"""

from __future__ import annotations

from dataclasses import dataclass, field

from graphir import ir
from graphir.passes.schema.index import UNLISTED, Index


@dataclass(slots=True)
class Labels:
    """What a label expression says; `names` are the labels in it and where they stand.

    `mask` has the types that look alike besides, `plain` has not.
    """

    mask: int
    plain: int
    loose: bool = False
    clash: bool = False
    """The expression asks for labels that no node type has together."""
    names: list[tuple[ir.Node, str]] = field(default_factory=list)


def node_mask(labels: ir.LabelExpression, index: Index) -> Labels:
    """The node types that a label expression allows, and the names in it."""
    if type(labels) is ir.LabelName:
        plain = index.labels.get(labels.name, index.any_node)
        return Labels(index.with_kin(plain), plain, names=[(labels, labels.name)])
    found = _fold(labels, index.labels, index.any_node, index)
    found.mask = index.with_kin(found.plain)
    return found


def edge_mask(labels: ir.LabelExpression, index: Index) -> Labels:
    """The edge types that a type expression allows, and the names in it."""
    if type(labels) is ir.LabelName:
        plain = index.types.get(labels.name, UNLISTED)
        return Labels(plain, plain, names=[(labels, labels.name)])
    return _fold(labels, index.types, index.any_edge, index)


def _fold(labels: ir.LabelExpression, masks: dict[str, int], anything: int, index: Index) -> Labels:
    """Fold an expression from its leaves up, on a stack: (mask, or None where nothing is known; loose)."""
    found = Labels(anything, anything)
    done: list[int | None] = []
    pending: list[tuple[ir.LabelExpression, bool]] = [(labels, False)]
    while pending:
        node, ready = pending.pop()
        if isinstance(node, ir.LabelName):
            found.names.append((node, node.name))
            done.append(masks.get(node.name))
        elif isinstance(node, ir.LabelDynamic):
            done.append(_dynamic(node, masks, found))
        elif isinstance(node, ir.LabelAny):
            done.append(anything & ~index.unlabelled if masks is index.labels else anything)
        elif not ready:
            operands = (node.operand,) if isinstance(node, ir.LabelNot) else node.operands  # type: ignore[attr-defined]
            pending.append((node, True))
            pending += [(operand, False) for operand in reversed(operands)]
        elif isinstance(node, ir.LabelNot):
            mask = done.pop()
            done.append(None if mask is None or found.loose else anything & ~mask)
        else:
            count = len(node.operands)  # type: ignore[attr-defined]
            operands, done[-count:] = done[-count:], []
            both = isinstance(node, ir.LabelAnd)
            done.append(_both(operands, anything, index, found) if both else _either(operands))
    mask = done[0]
    unknown = UNLISTED if mask is None and masks is index.types else anything
    found.mask = found.plain = mask or unknown
    found.clash = found.loose and isinstance(labels, ir.LabelAnd)
    return found


def _dynamic(node: ir.LabelDynamic, masks: dict[str, int], found: Labels) -> int | None:
    value = node.expression.value if isinstance(node.expression, ir.Literal) else None
    if not isinstance(value, str):
        return None
    found.names.append((node, value))
    return masks.get(value)


def _either(masks: list[int | None]) -> int | None:
    joined = 0
    for mask in masks:
        if mask is None:
            return None
        joined |= mask
    return joined


def _both(masks: list[int | None], anything: int, index: Index, found: Labels) -> int:
    """Unknown labels add nothing to the others."""
    known = [mask for mask in masks if mask is not None]
    both = strict = anything if not known else known[0]
    for mask in known[1:]:
        both, strict = index.meet(both, mask), strict & mask
    if both and both == strict:
        return both
    found.loose = True
    union = 0
    for mask in known:
        union |= mask
    return both or union
