"""Columns that nothing reads, such as the list of what a recursion has met: a database does not compute them either."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from graphir import ir
from graphir.ir.names import is_generated


def without_unused(query: ir.Query) -> ir.Query:
    """The query without the made-up columns of LET that nothing reads, and those that they alone read."""
    while (made := _without(query, _read(query))) is not query:
        query = made
    return query


def _read(query: ir.Query) -> frozenset[str]:
    """The variables that are read anywhere."""
    names = {node.name for node in ir.walk(query) if isinstance(node, ir.Ref)}
    for node in ir.walk(query):
        if isinstance(node, ir.SubqueryCall):
            names.update(node.imports or ())
    return frozenset(names)


def _without(query: ir.Query, read: Collection[str]) -> ir.Query:
    def rule(node: ir.Node) -> ir.Node:
        if isinstance(node, ir.Let):
            items = tuple([each for each in node.items if not is_generated(each.name) or each.name in read])
            return node if len(items) == len(node.items) else replace(node, items=items)
        if isinstance(node, ir.Pipeline):
            kept = tuple([each for each in node.operators if not isinstance(each, ir.Let) or each.items])
            return node if len(kept) == len(node.operators) else replace(node, operators=kept)
        return node

    return ir.rewrite(query, rule, ir.Let, ir.Pipeline)
