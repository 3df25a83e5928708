"""Whole queries: their pipelines, and what no clause of one can say."""

from __future__ import annotations

from graphir import ir
from graphir.backends.gql.features import Report
from graphir.backends.gql.folding import check_names
from graphir.backends.gql.stages import staged
from graphir.backends.gql.values import SCALARS, Value, comparable


def branches(query: ir.Query, report: Report) -> list[list[ir.Operator]]:
    """The pipelines of a query or of the branches of a union, their projections put together, checked for what no
    clause can say."""
    report.check(query)
    check_names(query, report)
    if query.execution is not None:
        raise report.refusal("explain", query, query.execution.upper())
    body = query.body
    found = []
    for branch in body.branches if isinstance(body, ir.SetOperation) else (body,):
        if not isinstance(branch, ir.Pipeline):
            raise report.refusal("set-operation", branch, "a union of unions")
        check_collections(branch, report)
        pipeline = staged(branch.operators)
        if not any(isinstance(operator, ir.Project) and operator.final for operator in pipeline):
            raise report.refusal("no-result", branch, "a query without RETURN")
        found.append(pipeline)
    return found


def check_collections(pipeline: ir.Pipeline, report: Report) -> None:
    """Refuse lists that are collected from sorted rows."""
    order: ir.Operator | None = None
    for operator in pipeline.operators:
        if isinstance(operator, ir.Order):
            order = operator
        elif isinstance(operator, ir.Aggregate):
            for item in operator.aggregates:
                if order is not None and isinstance(item.value, ir.Apply) and item.value.function == "collect":
                    raise report.refusal("sorted-collection", item.value, "collect of sorted rows")
            order = None


def check_union(query: ir.Query, columns: list[dict[str, Value]], report: Report) -> None:
    """Refuse a union of columns that cannot be of one type."""
    for name in columns[0] if len(columns) > 1 else ():
        kinds = tuple([known[name].kind for known in columns if name in known])
        if len(kinds) != len(columns) or not set(kinds) <= SCALARS or not comparable(kinds):
            raise report.refusal("unlike-types", query, f"a union with several types of `{name}`")
