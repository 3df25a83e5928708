"""Aggregates in COLUMNS, which go over what a repeated variable is in one match, and not over rows.

`COLUMNS (SUM(e.amount) AS total)` behind `-[e]->{1,3}` is `LET s = SUM(e.amount) RETURN s AS total`.  Facts: Oracle's
reference of GRAPH_TABLE, and SQL/PGQ itself (`COLUMNS` makes one row of one match).
"""

from __future__ import annotations

from dataclasses import replace

from graphir import ir
from graphir.ir import GraphTable, Item, Let, Node, Pipeline, Project, Ref
from graphir.passes.aggregates import is_aggregate
from graphir.passes.names import Maker

IN_A_MATCH = frozenset(("pgq-iso", "pgq-oracle-23ai", "pgq-oracle-26ai"))
"""The dialects in which aggregates of COLUMNS are of one match; DuckPGQ's are of all rows, the others have none."""


def with_aggregates_apart(query: ir.Query) -> ir.Query:
    """The query with the aggregates of COLUMNS in a LET before them."""
    if not any(isinstance(node, GraphTable) for node in ir.walk(query)):
        return query
    maker = Maker(query)

    def rule(node: Node) -> Node:
        return _apart(node, maker) if isinstance(node, GraphTable) else node

    return ir.rewrite(query, rule)


def _apart(table: GraphTable, maker: Maker) -> GraphTable:
    body = table.body
    last = body.operators[-1] if isinstance(body, Pipeline) and body.operators else None
    if not isinstance(body, Pipeline) or not isinstance(last, Project):
        return table
    found: list[Item] = []

    def choose(part: Node) -> Node | None:
        if isinstance(part, ir.Subquery):
            return part
        if not isinstance(part, ir.Expression) or not is_aggregate(part):
            return None
        found.append(Item(part, maker.make("s"), span=part.span))
        return Ref(found[-1].name or "", span=part.span)

    columns = ir.rewrite_down(last, choose)
    if not found:
        return table
    let = Let(tuple(found), span=last.span)
    return replace(table, body=replace(body, operators=(*body.operators[:-1], let, columns)))
