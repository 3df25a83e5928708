"""A page of what has one row at most is said without OFFSET, which Hyper forgets where nothing reads that row.

`WITH 1 AS c SKIP 1 MATCH (n) ..` has no row, as there is no second one before MATCH; Hyper (0.0.26963) gives one for
each node, and none for `WITH count(*) AS c SKIP 1 RETURN count(c)`, where 0 is due.
"""

from __future__ import annotations

from graphir import ir
from graphir.backends.gql.features import Report
from graphir.ir.node import replace

_KEEPING = (ir.Project, ir.Order, ir.Page, ir.Filter, ir.Let)
"""Clauses that make no rows."""


def settled(core: ir.Query, report: Report) -> ir.Query:
    """The query with a condition in place of each SKIP of one row at most that clauses follow.

    Raises Unsupported where it skips as many as a parameter says.
    """
    return ir.rewrite(core, lambda node: _settled(node, report), ir.Pipeline) if ir.holds(core, ir.Page) else core


def _settled(node: ir.Node, report: Report) -> ir.Node:
    assert isinstance(node, ir.Pipeline)
    last = max((at for at, each in enumerate(node.operators) if not isinstance(each, (ir.Order, ir.Page))), default=0)
    made: list[ir.Operator] = []
    is_single = True
    for at, operator in enumerate(node.operators):
        is_single = is_single and isinstance(operator, (*_KEEPING, ir.Aggregate))
        is_single = is_single or (isinstance(operator, ir.Aggregate) and not operator.keys)
        if isinstance(operator, ir.Page) and is_single and at < last:
            made += _page(operator, report)
        else:
            made.append(operator)
    return replace(node, operators=tuple(made))


def _page(page: ir.Page, report: Report) -> list[ir.Operator]:
    if page.skip is None:
        return [page]
    if not isinstance(page.skip, ir.Literal) or type(page.skip.value) is not int:
        raise report.refusal("page", page.skip, "a number of rows to skip, of one row")
    if page.skip.value > 0:
        return [ir.Filter(ir.Literal(False))]
    return [] if page.limit is None else [replace(page, skip=None)]
