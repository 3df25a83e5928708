"""GROUP BY ALL: grouping by every item without an aggregate, also where no item has one.  Source: GoogleSQL."""

from __future__ import annotations

from dataclasses import replace

from graphir import ir
from graphir.ir import Node
from graphir.passes.aggregates import find_aggregates


def group_by_items(query: ir.Query) -> ir.Query:
    """Without an aggregate it is DISTINCT, with one it is what is understood where nothing is said."""

    def rule(node: Node) -> Node:
        if not isinstance(node, ir.Project) or not node.group_all:
            return node
        aggregates = any(find_aggregates(part) for part in (*node.items, *node.order))
        return replace(node, group_all=False, distinct=node.distinct or not aggregates)

    return ir.rewrite(query, rule)
