"""CALL { } whose body knows nothing of the rows around it: what may stand in it, and what is known of its columns."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from graphir import ir
from graphir.backends.gql.features import Report
from graphir.backends.gql.stages import staged
from graphir.backends.gql.values import ELEMENTS, SCALARS, Kind, Value
from graphir.backends.sqlpgq.queries import check_collections
from graphir.ir.node import replace


def bodies(call: ir.SubqueryCall, values: Mapping[str, Value], report: Report) -> list[list[ir.Operator]]:
    """The pipelines of the body or of the branches of a union; `values` are outside.  Raises `Unsupported`."""
    if call.transactions is not None or call.optional:
        raise report.refusal("subquery-call", call, "OPTIONAL CALL, or one in transactions,")
    if call.star or call.imports:
        raise report.refusal("subquery-call", call, "a call that imports variables")
    body = call.body
    return [
        _pipeline(branch, call, values, report)
        for branch in (body.branches if isinstance(body, ir.SetOperation) else (body,))
    ]


def _pipeline(branch: ir.Body, call: ir.SubqueryCall, values: Mapping[str, Value], report: Report) -> list[ir.Operator]:
    if not isinstance(branch, ir.Pipeline):
        raise report.refusal("set-operation", branch, "a union of unions")
    first = branch.operators[0] if branch.operators else None
    imported = ir.find(first, ir.Ref) if call.imports is None and isinstance(first, ir.Project) else ()
    if any(each.name in values for each in imported):
        raise report.refusal("subquery-call", call, "a call that imports variables")
    check_collections(branch, report)
    pipeline = staged(branch.operators)
    if not any(isinstance(operator, ir.Project) and operator.final for operator in pipeline):
        raise report.refusal("subquery-call", call, "a call without RETURN")
    return [replace(each, final=False) if isinstance(each, ir.Project) else each for each in pipeline]


def merged(call: ir.SubqueryCall, known: list[dict[str, Value]], report: Report) -> dict[str, Value]:
    """What is known of the columns of a union."""
    return {name: _merged(name, [each[name] for each in known], call, report) for name in known[0]}


def _merged(name: str, values: list[Value], call: ir.SubqueryCall, report: Report) -> Value:
    kinds = {value.kind for value in values}
    is_element = kinds <= ELEMENTS and len(kinds) == 1
    if not is_element and (len(kinds - {Kind.NULL}) > 1 or not kinds <= SCALARS | {Kind.NULL}):
        raise report.refusal("unlike-types", call, f"a call of a union with several types of `{name}`")
    kind = next(iter(kinds - {Kind.NULL}), Kind.NULL)
    tables = _united([value.tables for value in values]) if is_element else None
    return Value(kind, any(value.nullable for value in values), tables)


def _united(several: Iterable[frozenset[int] | None]) -> frozenset[int] | None:
    found: frozenset[int] = frozenset()
    for tables in several:
        if tables is None:
            return None
        found |= tables
    return found
