"""What GoogleSQL groups by where the query does not list it.  Source: GoogleSQL's reference and its evaluator.

GROUP BY ALL is grouping by every item without an aggregate, also where no item has one.  An item that reads no variable
is no key: of no rows there is one group with its value.
"""

from __future__ import annotations

from dataclasses import replace

from graphir import ir
from graphir.ir import Node
from graphir.passes.aggregates import find_aggregates
from graphir.passes.projected import bindings


def group_by_items(query: ir.Query) -> ir.Query:
    """Without an aggregate it is DISTINCT, with one it is what is understood where nothing is said."""

    def rule(node: Node) -> Node:
        if not isinstance(node, ir.Project) or not node.group_all:
            return node
        aggregates = any(find_aggregates(part) for part in (*node.items, *node.order))
        return replace(node, group_all=False, distinct=node.distinct or not aggregates)

    return ir.rewrite(query, rule)


def group_by_variables(query: ir.Query) -> ir.Query:
    """Projections that aggregate and have items which read no variable, with the other items as their keys.

    Columns must be named.
    """

    def rule(node: Node) -> Node:
        if not isinstance(node, ir.Project) or node.group_by is not None:
            return node
        plain = [item for item in node.items if not find_aggregates(item.value)]
        keys = [item for item in plain if _reads(item.value)]
        if len(keys) == len(plain) or len(plain) == len(node.items):
            return node
        return replace(node, group_by=tuple([ir.Ref(item.name or "", span=item.span) for item in keys]))

    return ir.rewrite(query, rule)


def _reads(node: Node) -> bool:
    """Whether a variable is read, other than those that the expression binds itself."""
    within = bindings(node)
    return any(
        isinstance(part, ir.Subquery) or (isinstance(part, ir.Ref) and part.name not in within.get(id(part), ()))
        for part in ir.walk(node)
    )
