"""`OPTIONAL { MATCH .. MATCH .. }` as a subquery that returns the variables which its patterns bind."""

from __future__ import annotations

from dataclasses import replace

from graphir import ir
from graphir.ir import Node


def return_blocks(query: ir.Query) -> ir.Query:
    """Give every block of patterns the RETURN that it stands for: of all that is bound in it and not outside."""

    def rule(node: Node) -> Node:
        if not isinstance(node, ir.SubqueryCall) or not isinstance(node.body, ir.Pipeline):
            return node
        if not all(isinstance(each, ir.Match) for each in node.body.operators):
            return node
        returned = (*node.body.operators, ir.Project((), final=True, star=True))
        return replace(node, body=replace(node.body, operators=returned))

    return ir.rewrite(query, rule)
