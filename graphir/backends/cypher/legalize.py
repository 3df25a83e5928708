"""Making a query sayable in a Cypher dialect: what the dialect lacks is said with what it has, or refused.

`RULES` maps a feature to the rewrite that removes it; rewrites are applied until none is called for.  A rewrite is
exact: the rewritten query has the same columns and rows and makes the same changes.  One that is only approximate is
made under `lossy` alone, and says so.  What has no rewrite raises Unsupported; nothing is dropped.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable

from graphir import ir
from graphir.backends.cypher import clause_rules, expression_rules, pattern_rules
from graphir.backends.cypher.context import Context, OperatorRule, Place, Rule
from graphir.backends.cypher.features import unsupported
from graphir.backends.cypher.printer import printer
from graphir.diagnostics import Diagnostic
from graphir.ir import Node
from graphir.ir.traversal import with_children
from graphir.source import Source

RULES: dict[str, Rule] = {**clause_rules.RULES, **pattern_rules.RULES, **expression_rules.RULES}
OPERATOR_RULES: dict[str, OperatorRule] = {**clause_rules.OPERATOR_RULES, **pattern_rules.OPERATOR_RULES}
"""Feature -> the rewrite that removes it.  The rewrites of an operator may put several in its place."""

_ROUNDS = 32
"""More rounds than any chain of rewrites is long."""


def legalize(
    query: ir.Query,
    dialect: str,
    source: Source | None = None,
    *,
    lossy: bool = False,
    notes: list[Diagnostic] | None = None,
) -> ir.Query:
    """The query with the same meaning in terms of the dialect.

    Raises Unsupported.  With `lossy`, approximate rewrites are made too, each described by a diagnostic in `notes`.
    """
    source = source or Source("")
    context = Context(query, dialect, source, lossy, notes)
    for _ in range(_ROUNDS):
        fresh = convert(context)
        if fresh is query:
            return name_columns(query, dialect)
        query = fresh
        context = context.of(query)
    raise context.refusal(query, "what it would be said with is missing too")


def name_columns(query: ir.Query, dialect: str) -> ir.Query:
    """The query with names for those columns that would be named by another text than the user's."""
    made = printer(query, dialect)
    body = query.body
    renamed = _map_results(body, lambda item: _named(item, made.text(item.value)))
    return query if renamed is body else dataclasses.replace(query, body=renamed)


def _named(item: ir.Item, shown: str) -> ir.Item:
    takes_variable = isinstance(item.value, (ir.Ref, ir.MapProjection))
    if item.name is not None or takes_variable or item.text in (None, shown):
        return item
    return dataclasses.replace(item, name=item.text)


def _map_results(body: ir.Body, rule: Callable[[ir.Item], ir.Item]) -> ir.Body:
    """The body with a rule applied to the columns of its result."""
    if isinstance(body, ir.SetOperation):
        branches = tuple([_map_pipeline(x, rule) if isinstance(x, ir.Pipeline) else x for x in body.branches])
        same = all(a is b for a, b in zip(branches, body.branches, strict=True))
        return body if same else dataclasses.replace(body, branches=branches)
    if isinstance(body, ir.Next):
        last = _map_results(body.parts[-1], rule) if not isinstance(body.parts[-1], ir.Next) else body.parts[-1]
        return body if last is body.parts[-1] else dataclasses.replace(body, parts=(*body.parts[:-1], last))
    return _map_pipeline(body, rule) if isinstance(body, ir.Pipeline) else body


def _map_pipeline(body: ir.Pipeline, rule: Callable[[ir.Item], ir.Item]) -> ir.Pipeline:
    final = body.operators[-1] if body.operators else None
    if not isinstance(final, ir.Project):
        return body
    items = tuple([rule(item) for item in final.items])
    if all(a is b for a, b in zip(items, final.items, strict=True)):
        return body
    return dataclasses.replace(body, operators=(*body.operators[:-1], dataclasses.replace(final, items=items)))


# ------------------------------------------------------------------ the walk


def convert(context: Context) -> ir.Query:
    """The query after one round; the same object where nothing is left to do."""
    done: list[Node] = []
    pending: list[tuple[Node, bool, Place]] = [(context.query, False, Place())]
    while pending:
        node, ready, place = pending.pop()
        below = list(ir.children(node))
        if not ready and below:
            pending.append((node, True, place))
            pending.extend([(child, False, place.below(node, child)) for child in reversed(below)])
            continue
        current = node
        if below:
            fresh = done[-len(below) :]
            del done[-len(below) :]
            if any(a is not b for a, b in zip(fresh, below, strict=True)):
                current = with_children(node, fresh)
        context.place = place
        done.append(apply_rules(context, current, node))
    result = done[0]
    assert isinstance(result, ir.Query)
    return result


def apply_rules(context: Context, node: Node, original: Node) -> Node:
    """The node after the rewrites of its features; operators wait for the pipeline around them."""
    if isinstance(node, ir.Operator):
        return node
    if isinstance(node, ir.Pipeline):
        assert isinstance(original, ir.Pipeline)
        operators = rewrite_operators(context, node.operators, original.operators)
        if operators is not node.operators:
            return dataclasses.replace(node, operators=operators)
    context.in_clause = False
    for feature in unsupported(node, context.dialect):
        context.feature = feature.name
        rewrite = RULES.get(feature.name)
        if rewrite is None:
            raise context.refusal(node)
        fresh = rewrite(context, node, original)
        if fresh is not node:
            return fresh
    return node


def rewrite_operators(
    context: Context, operators: tuple[ir.Operator, ...], originals: tuple[ir.Operator, ...]
) -> tuple[ir.Operator, ...]:
    """The operators after the rewrites of their features."""
    done: list[ir.Operator] = []
    changed = False
    for operator, original in zip(operators, originals, strict=True):
        context.place = Place(original, original)
        current = operator
        if isinstance(operator, ir.Foreach) and isinstance(original, ir.Foreach):
            body = rewrite_operators(context, operator.body, original.body)
            current = operator if body is operator.body else dataclasses.replace(operator, body=body)
            context.place = Place(original, original)
        step = rewrite_operator(context, current, original, done)
        changed = changed or len(step) != 1 or step[0] is not operator
        done.extend(step)
    return tuple(done) if changed else operators


def rewrite_operator(
    context: Context, operator: ir.Operator, original: ir.Operator, done: list[ir.Operator]
) -> list[ir.Operator]:
    """One operator after one rewrite; the rewrite may change the operators that are done."""
    context.in_clause = True
    for feature in unsupported(operator, context.dialect):
        context.feature = feature.name
        rewrite = OPERATOR_RULES.get(feature.name)
        if rewrite is None:
            raise context.refusal(operator)
        fresh = rewrite(context, operator, original, done)
        if len(fresh) != 1 or fresh[0] is not operator:
            return fresh
    return [operator]
