"""Set operations in Cypher, which has UNION alone: the others count the rows of either side."""

from __future__ import annotations

import dataclasses

from graphir import ir
from graphir.backends.cypher.core.terms import Tools, parsed
from graphir.functions import AGGREGATES
from graphir.ir import Apply, Expression, Item, Literal, Operator, Project, Ref


def set_operation(
    body: ir.SetOperation, columns: tuple[str, ...], tools: Tools, *, given: tuple[str, ...] = ()
) -> ir.Body:
    """The operation on translated branches; each takes the rows of the part before, whose columns are `given`."""
    if body.columns != "position":
        raise tools.report.refusal("set-operation", body, "a set operation whose columns are found by name")
    if given and (body.kind != "union" or tools.dialect != "neo4j-25"):
        return _on_rows(body, columns, tools, given)
    if body.kind == "union":
        return body
    if body.kind == "otherwise":
        return otherwise(body, tools)
    if len(body.branches) > 2:
        rest = dataclasses.replace(body, branches=body.branches[:-1])
        first = set_operation(rest, columns, tools)
        body = dataclasses.replace(body, branches=(first, body.branches[-1]))
    return counted(body, columns, tools)


def _on_rows(body: ir.SetOperation, columns: tuple[str, ...], tools: Tools, given: tuple[str, ...]) -> ir.Body:
    """The rows of the part before are collected, so that a subquery can take them all in each of its branches."""
    rows, row = tools.maker.make("rows"), tools.maker.make("row")
    keys = [f"c{at}" for at in range(len(given))]
    entries = tuple([ir.Entry(key, Ref(name)) for key, name in zip(keys, given, strict=True)])
    collected = Project((Item(Apply("collect", (ir.MapOf(entries),)), rows),))
    items = tuple([Item(ir.Property(Ref(row), key), name) for key, name in zip(keys, given, strict=True)])
    start: tuple[Operator, ...] = (ir.Unwind(Ref(rows), row), Project(items))
    branches = []
    for branch in body.branches:
        if not isinstance(branch, ir.Pipeline):
            raise tools.report.refusal(
                "set-operation", branch, "set operations in each other, of the rows of a part before,"
            )
        branches.append(dataclasses.replace(branch, operators=(*start, *branch.operators)))
    made = set_operation(dataclasses.replace(body, branches=tuple(branches)), columns, tools)
    result = Project(tuple([Item(Ref(name), name) for name in columns]), final=True)
    return ir.Pipeline((collected, ir.SubqueryCall(_importing(made, rows), (rows,)), result), span=body.span)


def _importing(body: ir.Body, rows: str) -> ir.Body:
    """The body, its own subqueries with the rows, too."""

    def rule(node: ir.Node) -> ir.Node:
        mentions = isinstance(node, ir.SubqueryCall) and any(x == Ref(rows) for x in ir.walk(node.body))
        if isinstance(node, ir.SubqueryCall) and mentions and rows not in (node.imports or ()):
            return dataclasses.replace(node, imports=(*(node.imports or ()), rows))
        return node

    return ir.rewrite(body, rule)


_TESTS = {
    ("except", True): "there > 0 AND gone = 0",
    ("intersect", True): "there > 0 AND gone > 0",
}
_COPIES = {
    "except": "range(1, there - gone)",
    "intersect": "range(1, CASE WHEN there < gone THEN there ELSE gone END)",
}


def counted(body: ir.SetOperation, columns: tuple[str, ...], tools: Tools) -> ir.Body:
    """How often each row comes on either side decides how often it comes in the result."""
    make = tools.maker.make
    side, there, gone = make("side"), make("there"), make("gone")
    branches = [_marked(branch, side, at, columns) for at, branch in enumerate(body.branches)]
    union = ir.SetOperation("union", False, tuple(branches), span=body.span)
    keys = [Item(Ref(name), name) for name in columns]
    counts = [
        Item(_renamed(parsed(f"count(CASE WHEN side = {at} THEN 1 END)"), {"side": side}), name)
        for at, name in enumerate((there, gone))
    ]
    names = {"there": there, "gone": gone}
    operators: list[Operator] = [ir.SubqueryCall(union, span=body.span)]
    test = _TESTS.get((body.kind, body.distinct))
    where = None if test is None else _renamed(parsed(test), names)
    operators.append(Project((*keys, *counts), where=where, span=body.span))
    if test is None:
        copies = _renamed(parsed(_COPIES[body.kind]), names)
        operators.append(ir.Unwind(copies, make("copy")))
    operators.append(Project(tuple(keys), final=True))
    return ir.Pipeline(tuple(operators), span=body.span)


def _marked(branch: ir.Body, side: str, at: int, columns: tuple[str, ...]) -> ir.Body:
    """The branch with one more column that says which it is."""
    mark = Item(Literal(at), side)
    last = branch.operators[-1] if isinstance(branch, ir.Pipeline) else None
    plain = isinstance(last, Project) and last.final and not any(_aggregates(item.value) for item in last.items)
    if isinstance(branch, ir.Pipeline) and isinstance(last, Project) and plain:
        return dataclasses.replace(
            branch, operators=(*branch.operators[:-1], dataclasses.replace(last, items=(*last.items, mark)))
        )
    items = tuple([Item(Ref(name), name) for name in columns])
    return ir.Pipeline((ir.SubqueryCall(branch), Project((*items, mark), final=True)))


def otherwise(body: ir.SetOperation, tools: Tools) -> ir.Body:
    """The rows of the first branch that has any: each other one asks that those before it have none."""
    branches = [body.branches[0]]
    for at, branch in enumerate(body.branches[1:], 1):
        tests = [Apply("not", (ir.Subquery("exists", before),)) for before in body.branches[:at]]
        test: Expression = tests[0] if len(tests) == 1 else Apply("and", tuple(tests))
        start = Project((Item(Literal(True), tools.maker.make("row")),), where=test)
        if not isinstance(branch, ir.Pipeline):
            raise tools.report.refusal("set-operation", branch, "OTHERWISE before another set operation")
        branches.append(dataclasses.replace(branch, operators=(start, *branch.operators)))
    return ir.SetOperation("union", False, tuple(branches), span=body.span)


def _renamed(node: Expression, names: dict[str, str]) -> Expression:
    return ir.rewrite(node, lambda x: Ref(names.get(x.name, x.name)) if isinstance(x, Ref) else x)


def _aggregates(node: Expression) -> bool:
    return any(isinstance(part, Apply) and part.function in AGGREGATES for part in ir.walk(node))
