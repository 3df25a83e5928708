"""Expressions without sugar: chains of comparisons, patterns as predicates, the short items of map projections."""

from __future__ import annotations

from collections.abc import Callable

from graphir import ir
from graphir.ir import Apply, Expression, Node
from graphir.ir.node import replace


def desugar_expressions(query: ir.Query) -> ir.Query:
    """Write every expression in its core form."""

    def rule(node: Node) -> Node:
        handler = _RULES.get(type(node))
        return node if handler is None else handler(node)

    sugared = ir.holds(query, *_SUGAR) or any(node.function in _TESTS for node in ir.find(query, Apply))
    return ir.rewrite(query, rule, *_RULES) if sugared else query


def is_path_value(node: ir.PatternExpression) -> bool:
    """shortestPath(..) and allShortestPaths(..) have paths for values; every other pattern is a predicate."""
    return node.path.selector is not None


def _comparison(node: ir.Comparison) -> Expression:
    """`a < b <= c` is `a < b AND b <= c`."""
    pairs = zip(node.operators, node.operands, node.operands[1:], strict=False)
    tests = tuple([Apply(operator, (a, b), span=node.span) for operator, a, b in pairs])
    return tests[0] if len(tests) == 1 else Apply("and", tests, span=node.span)


def _pattern(node: ir.PatternExpression) -> Expression:
    return node if is_path_value(node) else _matching("exists", node.path, None, node)


def _matching(kind: str, path: ir.Path, where: Expression | None, origin: Node) -> ir.Subquery:
    match = ir.Match((path,), where, span=origin.span)
    return ir.Subquery(kind, ir.Pipeline((match,), span=origin.span), span=origin.span)


def _apply(node: Apply) -> Expression:
    """`exists(pattern)`, `exists(property)` and `size(pattern)`."""
    if node.function not in _TESTS or len(node.args) != 1 or node.distinct:
        return node
    argument = node.args[0]
    if node.function == "exists":
        is_test = isinstance(argument, ir.Subquery) and argument.kind == "exists"
        return argument if is_test else Apply("is_not_null", (argument,), span=node.span)
    if node.function == "size":
        if isinstance(argument, ir.Subquery) and argument.kind == "exists":
            return replace(argument, kind="count", span=node.span)
        if isinstance(argument, ir.PatternComprehension) and argument.path.variable is None:
            return _matching("count", argument.path, argument.where, node)
    return node


def _map_projection(node: ir.MapProjection) -> ir.MapProjection:
    """`n {.key, name}` is `n {key: n.key, name: name}`; null stays null, which a plain map would not be."""
    items: list[ir.Entry | ir.ProjectedAll] = []
    for item in node.items:
        if isinstance(item, ir.ProjectedProperty):
            items.append(ir.Entry(item.key, ir.Property(node.base, item.key, span=item.span), span=item.span))
        elif isinstance(item, ir.ProjectedVariable):
            items.append(ir.Entry(item.name, ir.Ref(item.name, span=item.span), span=item.span))
        else:
            items.append(item)
    return replace(node, items=tuple(items))


_TESTS = ("exists", "size")

_RULES: dict[type[Node], Callable[..., Node]] = {
    ir.Comparison: _comparison,
    ir.PatternExpression: _pattern,
    Apply: _apply,
    ir.MapProjection: _map_projection,
}
_SUGAR = [kind for kind in _RULES if kind is not Apply]
"""The classes of which every node is rewritten."""
