"""Calls that leave something out: the brackets of `CURRENT_DATE`, the columns of a table function.

Source: GoogleSQL's lexical structure, and CALL of GQL, which without YIELD gives all columns.
"""

from __future__ import annotations

from dataclasses import replace

from graphir import ir
from graphir.ir import Node
from graphir.passes.names import names_in

BARE = frozenset(("CURRENT_DATE", "CURRENT_DATETIME", "CURRENT_TIME", "CURRENT_TIMESTAMP"))


def call_bare(query: ir.Query) -> ir.Query:
    """Calls in place of such names, unless a variable has that name."""
    if not any(isinstance(node, ir.Ref) and node.name.upper() in BARE for node in ir.walk(query)):
        return query
    bound = {name.upper() for node in ir.walk(query) if not isinstance(node, ir.Ref) for name in names_in(node)}

    def rule(node: Node) -> Node:
        if isinstance(node, ir.Ref) and node.name.upper() in BARE - bound:
            return ir.Call((node.name,), span=node.span)
        return node

    return ir.rewrite(query, rule)


def yield_all(query: ir.Query) -> ir.Query:
    """YIELD * where CALL of a procedure has no YIELD."""

    def rule(node: Node) -> Node:
        if isinstance(node, ir.ProcedureCall) and node.yields is None:
            return replace(node, star=True)
        return node

    return ir.rewrite(query, rule)
