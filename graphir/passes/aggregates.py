"""Which expressions aggregate."""

from __future__ import annotations

from graphir.functions import AGGREGATES, PLUGIN_AGGREGATES
from graphir.ir import Apply, Call, Node, Subquery, children, holds


def is_aggregate(node: Node) -> bool:
    """Whether the node itself is a call of an aggregating function."""
    if isinstance(node, Apply):
        return node.function in AGGREGATES
    return isinstance(node, Call) and ".".join(node.name).lower() in PLUGIN_AGGREGATES


def find_aggregates(node: Node) -> list[Node]:
    """The outermost aggregates of an expression, in source order.  A subquery aggregates on its own."""
    if not holds(node, Apply, Call):
        return []
    found: list[Node] = []
    pending = [node]
    while pending:
        current = pending.pop()
        if is_aggregate(current):
            found.append(current)
        elif not isinstance(current, Subquery):
            pending.extend(reversed(list(children(current))))
    return found
