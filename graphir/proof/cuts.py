"""Smaller queries: what can be left out of a query, or put more simply, as queries that may or may not mean anything.

Driven by the declared fields of the IR, so that a new class is cut without being listed here; listed is only what must
not be empty and what is cut in a way of its own.  Knows no engine: `shrinking.py` asks which are wanted.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from graphir import ir

_EMPTY = frozenset(
    (
        *((ir.ListOf, "items"), (ir.MapOf, "entries"), (ir.MapProjection, "items"), (ir.Project, "order")),
        *((ir.Match, "hints"), (ir.Query, "options")),
    )
)
"""Lists that may be empty; all others keep one item."""
_PAIRED = frozenset(
    (
        *((ir.SetOperation, "branches"), (ir.Next, "parts"), (ir.LabelAnd, "operands"), (ir.LabelOr, "operands")),
        *((ir.Comparison, "operands"), (ir.Comparison, "operators"), (ir.Path, "elements")),
    )
)
"""Lists whose items are not left out one by one: they are cut by what stands below."""
_FOLDED = frozenset(("and", "or", "xor", "add", "mul", "concat"))
"""Operators of two or more arguments; functions keep the arguments they have."""
_KINDS = (ir.Expression, ir.LabelExpression, ir.Body)
"""Classes whose nodes may stand for each other."""
_SIMPLE = (ir.Literal(None), ir.Literal(value=True), ir.Literal(1))


def weight(query: ir.Node) -> int:
    """How much there is to a query: what a cut must lower.  A parameter weighs more than its value."""
    return sum(_of_node(node) for node in ir.walk(query))


def _of_node(node: ir.Node) -> int:
    if isinstance(node, ir.Parameter):
        return 5
    flags = sum(1 for name in node.fields_ if getattr(node, name) is True)
    if isinstance(node, ir.Literal):
        return 1 + _of_value(node.value)
    if isinstance(node, ir.Bounds):
        return 1 + node.low + (2 if node.high is None else node.high)
    names = sum(1 for name in ("variable", "name") if getattr(node, name, None) is not None)
    return 1 + flags + names


def _of_value(value: Any) -> int:
    match value:
        case None | True:
            return 0
        case False:
            return 1
        case int():
            return len(str(value)) + (value not in (0, 1))
        case _:
            return len(str(value)) + 1


def cuts(query: ir.Query) -> Iterator[Callable[[], ir.Query]]:
    """The smaller queries, each made when it is asked for; those that lose most come first."""
    pinned = {id(child) for node in ir.walk(query) for child in _pinned(node)}
    for node in list(ir.walk(query)):
        if id(node) not in pinned:
            for smaller in _instead(node):
                yield _replacing(query, node, smaller)
        for smaller in _smaller(node):
            yield _replacing(query, node, smaller)


def _pinned(node: ir.Node) -> Iterator[ir.Node]:
    """Children that only a node of their own class may stand for: a field declared as `Ref`, not as `Expression`."""
    for field in dataclasses.fields(node):
        value = getattr(node, field.name)
        for child in value if type(value) is tuple else (value,):
            if isinstance(child, _KINDS) and not any(kind.__name__ in str(field.type) for kind in _KINDS):
                yield child


def _replacing(query: ir.Query, node: ir.Node, smaller: ir.Node) -> Callable[[], ir.Query]:
    return lambda: ir.rewrite_down(query, lambda each: smaller if each is node else None)


def _smaller(node: ir.Node) -> Iterator[ir.Node]:
    """The node with less in it."""
    for name in node.fields_:
        value = getattr(node, name)
        if type(value) is tuple:
            yield from _shorter(node, name, value)
        elif value is True and not (isinstance(node, ir.Literal) or name == "final"):
            yield _with(node, name, value=False)
        elif value is not None and _may_be_absent(node, name):
            yield _with(node, name, None)
    yield from _OWN.get(type(node), lambda _: ())(node)


def _with(node: ir.Node, name: str, value: Any) -> ir.Node:
    changes: dict[str, Any] = {name: value}
    return dataclasses.replace(node, **changes)


def _may_be_absent(node: ir.Node, name: str) -> bool:
    """Whether the field says nothing by default, or its declaration allows that."""
    if isinstance(node, (ir.Literal, ir.Bounds)):
        return False
    declared = next(each for each in dataclasses.fields(node) if each.name == name)
    return "None" in str(declared.type)


def _instead(node: ir.Node) -> Iterator[ir.Node]:
    """A part of the node in place of the whole, or something plain."""
    for kind in _KINDS:
        if isinstance(node, kind):
            yield from _nearest(node, kind)
    if isinstance(node, ir.Expression) and not isinstance(node, ir.Literal):
        yield from _SIMPLE


def _nearest(node: ir.Node, kind: type[ir.Node]) -> Iterator[ir.Node]:
    """The nodes of a kind below, without those below them."""
    pending = ir.children(node)[::-1]
    while pending:
        each = pending.pop()
        if isinstance(each, kind):
            yield each
        else:
            pending += ir.children(each)[::-1]


def _shorter(node: ir.Node, name: str, items: tuple[Any, ...]) -> Iterator[ir.Node]:
    """The node without some items of a list: long runs first."""
    if (type(node), name) in _PAIRED:
        return
    if isinstance(node, ir.Apply) and node.function not in _FOLDED:
        return
    least = 0 if (type(node), name) in _EMPTY else 2 if isinstance(node, ir.Apply) else 1
    for begin, end in runs(len(items)):
        if len(items) - (end - begin) >= least:
            yield _with(node, name, items[:begin] + items[end:])


def runs(length: int) -> Iterator[tuple[int, int]]:
    """Half-open runs of a list of that length: all of it, its halves, quarters, .., its items, the last ones first."""
    size = length
    while size:
        for end in range(length, 0, -size):
            yield max(0, end - size), end
        size //= 2


# ------------------------------------------------------------------ what is cut in a way of its own


def _of_path(path: ir.Path) -> Iterator[ir.Node]:
    """A shorter path: steps off either end, or out of the middle; a group as the path that it repeats."""
    elements = path.elements
    for begin in range(2, len(elements), 2):
        yield dataclasses.replace(path, elements=elements[begin:])
        yield dataclasses.replace(path, elements=elements[:-begin])
    for at in range(1, len(elements) - 2):
        yield dataclasses.replace(path, elements=elements[:at] + elements[at + 2 :])
    for at, element in enumerate(elements):
        if isinstance(element, ir.PathGroup):
            yield dataclasses.replace(path, elements=elements[:at] + element.path.elements + elements[at + 1 :])
            yield dataclasses.replace(path, elements=elements[:at] + elements[at + 1 :])


def _of_comparison(chain: ir.Comparison) -> Iterator[ir.Node]:
    if len(chain.operators) > 1:
        yield ir.Comparison(chain.operands[1:], chain.operators[1:])
        yield ir.Comparison(chain.operands[:-1], chain.operators[:-1])


def _of_operation(operation: ir.SetOperation) -> Iterator[ir.Node]:
    if len(operation.branches) > 2:
        for at in range(len(operation.branches)):
            yield dataclasses.replace(operation, branches=operation.branches[:at] + operation.branches[at + 1 :])


def _of_parts(body: ir.Next) -> Iterator[ir.Node]:
    if len(body.parts) > 2:
        for at in range(len(body.parts)):
            yield dataclasses.replace(body, parts=body.parts[:at] + body.parts[at + 1 :])


def _of_labels(labels: ir.LabelAnd | ir.LabelOr) -> Iterator[ir.Node]:
    if len(labels.operands) > 2:
        for at in range(len(labels.operands)):
            yield dataclasses.replace(labels, operands=labels.operands[:at] + labels.operands[at + 1 :])


def _of_literal(literal: ir.Literal) -> Iterator[ir.Node]:
    for value in plainer(literal.value):
        yield ir.Literal(value)


def plainer(value: Any) -> Iterator[Any]:
    """Plainer values of the same type, so that no chain of them comes back."""
    match value:
        case bool():
            return
        case int():
            yield from (each for each in (0, 1, value // 2) if abs(each) < abs(value))
        case float():
            yield from (each for each in (0.0, 1.0) if value not in (0.0, each))
        case str() if value:
            yield ""
            yield from (value[: len(value) // 2], value[1:])
        case _:
            return


def _of_bounds(bounds: ir.Bounds) -> Iterator[ir.Node]:
    for low, high in ((0, 1), (1, 1), (1, 2), (0, 2), (bounds.low, bounds.low), (1, bounds.high), (0, bounds.high)):
        if (low, high) != (bounds.low, bounds.high) and (high is None or low <= high):
            yield ir.Bounds(low, high)


def _of_pipeline(pipeline: ir.Pipeline) -> Iterator[ir.Node]:
    """Steps of a subquery in place of its call."""
    for at, step in enumerate(pipeline.operators):
        if isinstance(step, ir.SubqueryCall) and isinstance(step.body, ir.Pipeline):
            inner = [each for each in step.body.operators if not isinstance(each, ir.Project) or not each.final]
            yield ir.Pipeline((*pipeline.operators[:at], *inner, *pipeline.operators[at + 1 :]))


_OWN: dict[type[ir.Node], Callable[[Any], Iterator[ir.Node] | Sequence[ir.Node]]] = {
    ir.Path: _of_path,
    ir.Comparison: _of_comparison,
    ir.SetOperation: _of_operation,
    ir.Next: _of_parts,
    ir.LabelAnd: _of_labels,
    ir.LabelOr: _of_labels,
    ir.Literal: _of_literal,
    ir.Bounds: _of_bounds,
    ir.Pipeline: _of_pipeline,
}
