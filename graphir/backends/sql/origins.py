"""Where in a query something comes from that a finished statement knows only by a variable or a property.

What is refused late, or told of the whole statement, has its place by these; they look only when they are asked.
"""

from __future__ import annotations

from graphir import ir
from graphir.ir import Node
from graphir.source import Span


def element(query: ir.Query | None, variable: str | None) -> Span | None:
    """Where the element of a pattern stands that a variable names first; the name may be made up."""
    if query is None or variable is None:
        return None
    found: list[Span] = []
    for each in ir.find(query, ir.NodePattern, ir.EdgePattern):
        if each.variable == variable and each.span is not None:
            found.append(each.span)
    return min(found, default=None)


def reading(query: ir.Query | None, key: str, variable: str | None) -> Span | None:
    """Where a property of a variable is read first, else where the variable stands in a pattern."""
    if query is None:
        return None
    found = [each.span for each in ir.find(query, ir.Property) if each.span is not None and _is_of(each, key, variable)]
    return min(found, default=None) or element(query, variable)


def result(query: ir.Query, name: str) -> Span | None:
    """Where a column of the result is made."""
    found = [item.span for item in ir.find(query, ir.Item) if item.name == name and item.span is not None]
    return max(found, default=None)


def _is_of(node: Node, key: str, variable: str | None) -> bool:
    if not isinstance(node, ir.Property) or node.key != key:
        return False
    return variable is None or (isinstance(node.base, ir.Ref) and node.base.name == variable)
