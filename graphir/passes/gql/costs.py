"""Costs that nothing asks for: only the cheapest paths are chosen by them.  Source: GoogleSQL, "CHEAPEST"."""

from __future__ import annotations

from dataclasses import replace

from graphir import ir
from graphir.ir import Node

CHEAPEST = frozenset(("any_cheapest", "all_cheapest", "cheapest"))


def forget_costs(query: ir.Query) -> ir.Query:
    """No cost in a path that is not chosen by its cost."""
    if not any(isinstance(node, (ir.NodePattern, ir.EdgePattern)) and node.cost is not None for node in ir.walk(query)):
        return query

    def choose(node: Node) -> Node | None:
        if not isinstance(node, ir.Path):
            return None
        asked = node.selector is not None and node.selector.kind in CHEAPEST
        return node if asked else ir.rewrite(node, _without_cost)

    return ir.rewrite_down(query, choose)


def _without_cost(node: Node) -> Node:
    if isinstance(node, (ir.NodePattern, ir.EdgePattern)) and node.cost is not None:
        return replace(node, cost=None)
    return node
