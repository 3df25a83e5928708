"""Columns without AS in GoogleSQL: `n.name` is the column `name`."""

from __future__ import annotations

from dataclasses import replace

from graphir import ir
from graphir.ir import Node


def name_by_path(query: ir.Query) -> ir.Query:
    """Name columns by the last part of what they hold, where that is a variable or a property."""

    def rule(node: Node) -> Node:
        if not isinstance(node, ir.Item) or node.name is not None:
            return node
        match node.value:
            case ir.Ref(name) | ir.Property(key=name):
                return replace(node, name=name)
        return node

    return ir.rewrite(query, rule)


def star_first(query: ir.Query) -> ir.Query:
    """`WITH 1 AS x, *` as `WITH *, 1 AS x`: the order of columns that are no result does not matter."""

    def rule(node: Node) -> Node:
        if not isinstance(node, ir.Project) or node.final:
            return node
        items = tuple([item for item in node.items if item.value != ir.Unpack()])
        return node if len(items) == len(node.items) else replace(node, items=items, star=True)

    return ir.rewrite(query, rule)
