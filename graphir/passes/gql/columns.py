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
