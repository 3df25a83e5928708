"""CALL { } by other means: a query of several parts, clauses of the query around it, or a value computed for each row.

Works on core IR.  A call in front of everything is a part of its own, whose result the rest goes on with.  A body that
adds rows of patterns to each row is written in its place; one that counts or collects is a subquery with one value.
Any other is a list of records, of which a row is made for each: those of the branches of UNION ALL are joined.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import count

from graphir import ir
from graphir.backends.gql.features import Report
from graphir.backends.gql.patterns import BINDERS, renamed
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
    if operators and isinstance(call := operators[0], ir.SubqueryCall) and not call.optional:
        check(call, report)
        before = parts(call.body, report)
        operators.pop(0)
    return [*before, ir.Pipeline(tuple(operators))]


def _later(body: ir.Body) -> list[ir.Body]:
    """The parts of one that has rows before it."""
    return [part for each in body.parts for part in _later(each)] if isinstance(body, ir.Next) else [body]


def check(call: ir.SubqueryCall, report: Report) -> None:
    if call.transactions is not None:
        raise report.refusal("subquery-call", call, "a call in transactions")


def inlined(operators: Iterable[ir.Operator], report: Report, place: str = "") -> Iterator[ir.Operator]:
    """The operators with the bodies of calls in their place.  `place` tells their variables from those around."""
    number = 0
    for operator in operators:
        if not isinstance(operator, ir.SubqueryCall):
            yield operator
            continue
        number += 1
        check(operator, report)
        yield from unfolded(operator, f"{place}{number}", report)


def within(node: ir.Subquery, around: Iterable[str], report: Report) -> ir.Subquery:
    """A subquery with the bodies of its calls in their place, with variables that are none of those around."""
    body = node.body
    if not isinstance(body, ir.Pipeline) or not any(isinstance(each, ir.SubqueryCall) for each in body.operators):
        return node
    known = list(around)
    depth = next(at for at in count() if not any(f"_in{at}_" in name for name in known))
    return replace(node, body=replace(body, operators=tuple(inlined(body.operators, report, f"in{depth}_"))))


def unfolded(call: ir.SubqueryCall, number: str, report: Report) -> Iterator[ir.Operator]:
    """The clauses that do what a call does."""
    if not isinstance(call.body, ir.Pipeline):
        yield from _listed(call, number, report)
        return
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
    if call.optional:
        yield from _listed(call, number, report)
        return
    if rows and isinstance(total := rows[-1], ir.Aggregate) and not total.keys and not last.distinct:
        yield from _values(last, body, number)
        return
    if last.distinct or not all(isinstance(operator, _ROWS) for operator in rows):
        yield from _listed(call, number, report)
        return
    yield from _rows(last, rows, imports, number, report)


def _values(last: ir.Project, body: list[ir.Operator], number: str) -> Iterator[ir.Operator]:
    """A subquery with one row: each of its columns is computed for each row."""
    for at, item in enumerate(last.items):
        column = replace(last, items=(ir.Item(item.value, generated(f"value{number}_{at}", 0)),))
        subquery = ir.Subquery("value", ir.Pipeline((*body[:-1], column)), span=item.span)
        yield ir.Let((ir.Item(subquery, item.name, span=item.span),))


def _rows(
    last: ir.Project, rows: list[ir.Operator], imports: set[str], number: str, report: Report
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


def _listed(call: ir.SubqueryCall, number: str, report: Report) -> Iterator[ir.Operator]:
    """A list of the rows of the body as records, a row for each of them, and its columns.

    Of an optional call that has no rows the first item of the list, which is null, makes one of nulls.
    """
    body = call.body
    branches = body.branches if isinstance(body, ir.SetOperation) else (body,)
    if call.imports is None or (isinstance(body, ir.SetOperation) and (body.kind != "union" or body.distinct)):
        raise report.refusal("subquery-call", call, "a call with such clauses")
    pipelines = [_operators(each, call, report) for each in branches]
    columns = [item.name or "" for item in _final(pipelines[0], call, report).items]
    lists = [
        _records(each, set(call.imports), columns, f"{number}_{at}", call, report) for at, each in enumerate(pipelines)
    ]
    rows, row = generated(f"rows{number}_", 0), generated(f"row{number}_", 0)
    joined = lists[0] if len(lists) == 1 else ir.Apply("joined_rows", tuple(lists), span=call.span)
    yield ir.Let((ir.Item(joined, rows, span=call.span),))
    record: ir.Expression = ir.Ref(row)
    source: ir.Expression = ir.Ref(rows)
    if call.optional:
        last = ir.Apply("sub", (ir.Apply("size", (source,)), ir.Literal(1)))
        record = ir.Apply("at_safe_offset", (source, record))
        source = ir.Apply("generate_array", (ir.Literal(0), ir.Apply("greatest", (last, ir.Literal(0)))))
    yield ir.Unwind(source, row, span=call.span)
    for at, name in enumerate(columns):
        yield ir.Let((ir.Item(ir.Property(record, f"f{at}"), name, span=call.span),))


def _operators(branch: ir.Body, call: ir.SubqueryCall, report: Report) -> list[ir.Operator]:
    if not isinstance(branch, ir.Pipeline):
        raise report.refusal("subquery-call", call, "a call with such clauses")
    return list(inlined(branch.operators, report))


def _final(operators: list[ir.Operator], call: ir.SubqueryCall, report: Report) -> ir.Project:
    found = next((each for each in operators if isinstance(each, ir.Project) and each.final), None)
    if found is None:
        raise report.refusal("subquery-call", call, "a call without RETURN")
    return found


def _records(
    operators: list[ir.Operator],
    imports: set[str],
    columns: list[str],
    place: str,
    call: ir.SubqueryCall,
    report: Report,
) -> ir.Expression:
    """The rows of a pipeline as a list of records, with variables of their own."""
    final = _final(operators, call, report)
    if [item.name for item in final.items] != columns:
        raise report.refusal("subquery-call", call, "a call of a union whose columns are in several orders")
    made = [replace(each, final=False) if each is final else each for each in operators]
    entries = tuple([ir.Entry(f"f{at}", ir.Ref(name)) for at, name in enumerate(columns)])
    record = ir.Item(ir.MapOf(entries, span=call.span), generated("record", 0))
    body = ir.Pipeline((*made, ir.Project((record,), final=True, span=call.span)))
    names = {name for node in ir.walk(body) for name in _bound_in(node)} - imports
    return ir.Subquery("collect", _renamed(body, {each: f"{MARK}{each.removeprefix(MARK)}_{place}" for each in names}))


def _bound_in(node: ir.Node) -> Iterator[str]:
    """The names that one node binds."""
    if isinstance(node, ir.Item) and node.name is not None:
        yield node.name
    elif isinstance(node, BINDERS) and node.variable is not None:
        yield node.variable
    if isinstance(node, ir.Unwind):
        yield from (name for name in (node.ordinality, node.offset) if name is not None)


def _renamed(body: ir.Pipeline, names: Mapping[str, str]) -> ir.Pipeline:
    """The body with other names for what it binds, columns among them."""

    def rule(part: ir.Node) -> ir.Node:
        if isinstance(part, ir.Item):
            return replace(part, name=_other(part.name, names))
        if isinstance(part, ir.Unwind):
            return replace(part, ordinality=_other(part.ordinality, names), offset=_other(part.offset, names))
        return part

    return ir.rewrite(renamed(body, names), rule)


def _other(name: str | None, names: Mapping[str, str]) -> str | None:
    return None if name is None else names.get(name, name)


def bound(operator: ir.Operator) -> set[str]:
    """The variables that a clause binds."""
    if isinstance(operator, ir.Unwind):
        return {operator.variable}
    if not isinstance(operator, ir.Match):
        return set()
    elements = (ir.NodePattern, ir.EdgePattern, ir.Path)
    return {p.variable or "" for path in operator.paths for p in ir.find(path, *elements)} - {""}
