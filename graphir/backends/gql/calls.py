"""CALL { } by other means: a query of several parts, clauses of the query around it, or a value computed for each row.

Works on core IR.  A call in front of everything is a part of its own, whose result the rest goes on with.  A body that
adds rows of patterns to each row is written in its place; one that counts or collects is a subquery with one value.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from graphir import ir
from graphir.backends.gql.features import Report
from graphir.backends.gql.patterns import renamed
from graphir.ir.names import MARK, generated
from graphir.ir.node import replace

_ROWS = (ir.Match, ir.Filter, ir.Unwind)


def parts(body: ir.Body, report: Report) -> list[ir.Body]:
    """The parts of a query, each of which goes on with the result of the one before."""
    if isinstance(body, ir.Next):
        first, *rest = body.parts
        return [*parts(first, report), *[part for each in rest for part in _later(each)]]
    if not isinstance(body, ir.Pipeline):
        return [body]
    operators = list(body.operators)
    before: list[ir.Body] = []
    if operators and isinstance(call := operators[0], ir.SubqueryCall):
        check(call, report)
        before = parts(call.body, report)
        operators.pop(0)
    return [*before, ir.Pipeline(tuple(operators))]


def _later(body: ir.Body) -> list[ir.Body]:
    """The parts of one that has rows before it."""
    return [part for each in body.parts for part in _later(each)] if isinstance(body, ir.Next) else [body]


def check(call: ir.SubqueryCall, report: Report) -> None:
    if call.transactions is not None or call.optional:
        raise report.refusal("subquery-call", call, "OPTIONAL CALL, or one in transactions,")


def inlined(operators: Iterable[ir.Operator], report: Report) -> Iterator[ir.Operator]:
    """The operators with the bodies of calls in their place."""
    number = 0
    for operator in operators:
        if not isinstance(operator, ir.SubqueryCall):
            yield operator
            continue
        number += 1
        check(operator, report)
        yield from unfolded(operator, number, report)


def unfolded(call: ir.SubqueryCall, number: int, report: Report) -> Iterator[ir.Operator]:
    """The clauses that do what a call does."""
    if not isinstance(call.body, ir.Pipeline):
        raise report.refusal("subquery-call", call, "a call of a union")
    body = list(inlined(call.body.operators, report))
    imports = set(call.imports or ())
    if call.imports is None and body and isinstance(first := body[0], ir.Project) and not first.final:
        if any(item.value != ir.Ref(item.name or "") for item in first.items):
            raise report.refusal("subquery-call", call, "a call that renames what it imports")
        imports = {item.name or "" for item in first.items}
        body.pop(0)
    if not body or not isinstance(last := body[-1], ir.Project) or not last.final:
        raise report.refusal("subquery-call", call, "a call without RETURN, or with an order,")
    rows = body[:-1]
    if rows and isinstance(total := rows[-1], ir.Aggregate) and not total.keys and not last.distinct:
        yield from _values(last, body, number)
        return
    if last.distinct or not all(isinstance(operator, _ROWS) for operator in rows):
        raise report.refusal("subquery-call", call, "a call with such clauses")
    yield from _rows(last, rows, imports, number, report)


def _values(last: ir.Project, body: list[ir.Operator], number: int) -> Iterator[ir.Operator]:
    """A subquery with one row: each of its columns is computed for each row."""
    for at, item in enumerate(last.items):
        column = replace(last, items=(ir.Item(item.value, generated(f"value{number}_{at}", 0)),))
        subquery = ir.Subquery("value", ir.Pipeline((*body[:-1], column)), span=item.span)
        yield ir.Let((ir.Item(subquery, item.name, span=item.span),))


def _rows(
    last: ir.Project, rows: list[ir.Operator], imports: set[str], number: int, report: Report
) -> Iterator[ir.Operator]:
    """Rows for each row: the clauses, with variables of their own."""
    names = {name: f"{MARK}{name.removeprefix(MARK)}_{number}" for row in rows for name in bound(row) - imports}
    lets = []
    for item in last.items:
        if isinstance(item.value, ir.Ref) and item.value.name in names:
            if names[item.value.name] == item.name:
                raise report.refusal("subquery-call", item, "a column twice")
            names[item.value.name] = item.name or ""
        else:
            lets.append(item)
    if len(set(names.values())) < len(names):
        raise report.refusal("subquery-call", last, "a call with these columns")
    yield from [renamed(row, names) for row in rows]
    for item in lets:
        yield ir.Let((replace(item, value=renamed(item.value, names)),))


def bound(operator: ir.Operator) -> set[str]:
    """The variables that a clause binds."""
    if isinstance(operator, ir.Unwind):
        return {operator.variable}
    if not isinstance(operator, ir.Match):
        return set()
    elements = (ir.NodePattern, ir.EdgePattern, ir.Path)
    return {p.variable or "" for path in operator.paths for p in ir.find(path, *elements)} - {""}
