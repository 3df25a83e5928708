"""Which variables may hold elements, paths or lists of them: whose names behind a dot are properties, no fields.

By names alone, over the whole query: a variable that means several things is taken for an element.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphir import ir
from graphir.ir import Expression, Node

_PASSING = frozenset(
    (
        *("coalesce", "head", "last", "nodes", "relationships", "startNode", "endNode", "collect", "min", "max"),
        *("at_offset", "at_safe_offset", "at_ordinal", "at_safe_ordinal", "array_agg", "any_value", "array_concat"),
        *("array_reverse", "reverse", "tail", "concat", "path", "nullIf", "array_slice", "array_first", "array_last"),
    )
)
"""Functions that give what they are given, or a part of it."""


def element_names(query: ir.Query) -> frozenset[str]:
    """The variables that may hold elements."""
    found: set[str] = set()
    bound: list[tuple[str, Expression]] = []
    for node in ir.walk(query):
        if isinstance(node, (ir.NodePattern, ir.EdgePattern, ir.Path)):
            found |= {node.variable} if node.variable is not None else set()
        elif isinstance(node, ir.Item):
            bound.append((node.name or "", node.value))
        elif isinstance(node, (ir.Unwind, ir.ListComprehension, ir.Quantified)):
            bound.append((node.variable, node.source))
        elif isinstance(node, ir.YieldItem) and node.alias is not None:
            bound.append((node.alias, ir.Ref(node.name)))
    before = -1
    while before != len(found):
        before = len(found)
        found |= {name for name, value in bound if may_hold(value, found)}
    return frozenset(found)


def may_hold(expression: Expression, names: set[str] | frozenset[str]) -> bool:
    """Whether the value may be or hold an element, given the variables that may."""
    pending: list[Node] = [expression]
    while pending:
        node = pending.pop()
        if isinstance(node, ir.Ref) and node.name in names:
            return True
        pending.extend(_passed(node))
    return False


def _passed(node: Node) -> Iterator[Node]:
    """What a value is made of."""
    match node:
        case ir.Index(base=base) | ir.Slice(base=base) | ir.Modified(value=base) | ir.Named(value=base):
            yield base
        case ir.Apply(function, args) if function.removeprefix("safe.") in _PASSING:
            yield from args
        case ir.ListOf(items):
            yield from items
        case ir.Case(branches=branches, default=default):
            yield from (branch.result for branch in branches)
            if default is not None:
                yield default
        case ir.ListComprehension(source=source, body=body):
            yield source if body is None else body
        case ir.Subquery(body=body):
            pipeline = ir.last_pipeline(body)
            last = pipeline.operators[-1] if pipeline is not None and pipeline.operators else None
            if isinstance(last, ir.Project):
                yield from (item.value for item in last.items)
