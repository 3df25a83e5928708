"""Rewrites of expressions: subqueries, predicates on labels, CASE, map projections, functions, dynamic names."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable

from graphir import ir
from graphir.backends.cypher.clause_rules import has_aggregate
from graphir.backends.cypher.context import Context, Rule
from graphir.backends.cypher.features import is_legacy, test_of_subject
from graphir.backends.cypher.pattern_rules import label_predicate, static_label
from graphir.ir import Apply, Expression, HasLabels, Literal, Node, Ref
from graphir.passes.kinds import Kind

# ------------------------------------------------------------------ subqueries


def _single_match(body: ir.Body, operators: int = 1) -> ir.Match | None:
    """The MATCH of one path with a relationship that a body begins with, if it has so many operators."""
    if not isinstance(body, ir.Pipeline) or len(body.operators) != operators:
        return None
    match = body.operators[0]
    if not isinstance(match, ir.Match) or match.optional or match.hints or match.search or len(match.paths) != 1:
        return None
    path = match.paths[0]
    edges = [x for x in path.elements if isinstance(x, ir.EdgePattern)]
    plain = match.uniqueness == "different_edges" and path.selector is None and path.mode is None
    return match if plain and edges and not any(isinstance(x, ir.PathGroup) for x in path.elements) else None


def _exists(context: Context, node: Node, original: Node) -> Node:
    """EXISTS of one pattern without conditions as the pattern itself, its new variables left out.

    Only where a condition is due: openCypher takes a pattern for no other value.
    """
    assert isinstance(node, ir.Subquery)
    assert isinstance(original, ir.Subquery)
    match = _single_match(node.body)
    if match is None or match.where is not None or match.paths[0].variable is not None or not context.place.condition:
        return node
    path = match.paths[0]
    outer = context.scopes.free(original)
    named = [x.variable for x in path.elements if not isinstance(x, ir.PathGroup) and x.variable is not None]
    new = [name for name in named if name not in outer]
    if len(new) != len(set(new)):
        return node
    inside = {x.name for x in ir.walk(path) if isinstance(x, Ref)}
    if inside & set(new):
        return node
    elements = [
        dataclasses.replace(x, variable=None) if not isinstance(x, ir.PathGroup) and x.variable in new else x
        for x in path.elements
    ]
    return ir.PatternExpression(dataclasses.replace(path, elements=tuple(elements)), span=node.span)


def _count(context: Context, node: Node, original: Node) -> Node:
    """COUNT of one pattern as the size of a list with an element for each."""
    assert isinstance(node, ir.Subquery)
    match = _single_match(node.body)
    if match is None:
        raise context.refusal(node, "only the count of a single pattern can be said as the size of a list")
    found = ir.PatternComprehension(match.paths[0], match.where, Literal(1), span=node.span)
    return Apply("size", (found,), span=node.span)


def _collect(context: Context, node: Node, original: Node) -> Node:
    """COLLECT of one pattern as a pattern comprehension; neither has an order."""
    assert isinstance(node, ir.Subquery)
    match = _single_match(node.body, 2)
    final = node.body.operators[1] if match is not None and isinstance(node.body, ir.Pipeline) else None
    if match is None or not isinstance(final, ir.Project):
        raise context.refusal(node, "only MATCH of a single pattern and RETURN can be said as a comprehension")
    plain = not (final.star or final.distinct or final.order or final.skip or final.limit or final.group_by)
    if not plain or len(final.items) != 1 or has_aggregate(final.items[0].value):
        raise context.refusal(node, "DISTINCT, ORDER BY, LIMIT and aggregates have no place in a comprehension")
    return ir.PatternComprehension(match.paths[0], match.where, final.items[0].value, span=node.span)


def _size_of_pattern(context: Context, node: Node, original: Node) -> Node:
    assert isinstance(node, Apply)
    argument = node.args[0]
    assert isinstance(argument, ir.PatternExpression)
    if is_legacy(argument.path):
        return node
    return ir.Subquery("count", ir.Pipeline((ir.Match((argument.path,)),)), span=node.span)


def _exists_of_list(context: Context, node: Node, original: Node) -> Node:
    """What became of a pattern inside exists(): a list, or already a condition."""
    assert isinstance(node, Apply)
    argument = node.args[0]
    if isinstance(argument, ir.PatternComprehension):
        return Apply("gt", (Apply("size", node.args), Literal(0)), span=node.span)
    return argument


# ------------------------------------------------------------------ predicates and operators


def _labels(context: Context, node: Node, original: Node) -> Node:
    assert isinstance(node, HasLabels)
    if not isinstance(node.base, Ref):
        raise context.refusal(node, "the element is not named")
    kind = context.kind(node.base.name)
    if (
        kind is not Kind.NODE
        and any(isinstance(x, ir.LabelAny) for x in ir.walk(node.labels))
        and kind is not Kind.EDGE
    ):
        raise context.refusal(node, "it is not known whether the element is a node or a relationship")
    return label_predicate(context, node.labels, node.base, edge=kind is Kind.EDGE, keep=True)


def _dynamic_predicate(context: Context, node: Node, original: Node) -> Node:
    assert isinstance(node, HasLabels)
    labels = ir.rewrite(node.labels, lambda x: static_label(context, x) if isinstance(x, ir.LabelDynamic) else x)
    return dataclasses.replace(node, labels=labels)


def _concat(context: Context, node: Node, original: Node) -> Node:
    """Where || has a value, + has the same: both operands are strings, or lists, or one is null."""
    assert isinstance(node, Apply)
    return dataclasses.replace(node, function="add")


def _special_float(context: Context, node: Node, original: Node) -> Node:
    """Infinity and NaN as divisions by zero, as IEEE 754 has it."""
    assert isinstance(node, Literal)
    assert isinstance(node.value, float)
    if math.isnan(node.value):
        return Apply("div", (Literal(0.0), Literal(0.0)), span=node.span)
    one: Expression = Literal(1.0) if node.value > 0 else Apply("neg", (Literal(1.0),))
    return Apply("div", (one, Literal(0.0)), span=node.span)


# ------------------------------------------------------------------ CASE


def _subject_tests(context: Context, node: Node, original: Node) -> Node:
    """`CASE x WHEN > 3` as `CASE WHEN x > 3`: the subject is repeated, so it must give the same value each time."""
    assert isinstance(node, ir.Case)
    subject = node.subject
    assert subject is not None
    if any(isinstance(x, ir.Call) or (isinstance(x, Apply) and x.function in _RANDOM) for x in ir.walk(subject)):
        raise context.refusal(node, "the subject would be computed more than once")
    branches = []
    for branch in node.branches:
        tests = [_with_subject(test, subject) for test in branch.tests]
        test = tests[0] if len(tests) == 1 else Apply("or", tuple(tests), span=branch.span)
        branches.append(dataclasses.replace(branch, tests=(test,)))
    return dataclasses.replace(node, subject=None, branches=tuple(branches))


_RANDOM = frozenset(("rand", "randomUUID", "uuid"))


def _with_subject(test: Expression, subject: Expression) -> Expression:
    if not test_of_subject(test):
        return Apply("eq", (subject, test), span=test.span)
    return ir.rewrite(test, lambda x: subject if isinstance(x, ir.CaseSubject) else x)


def _several_tests(context: Context, node: Node, original: Node) -> Node:
    assert isinstance(node, ir.Case)
    branches = [dataclasses.replace(branch, tests=(test,)) for branch in node.branches for test in branch.tests]
    return dataclasses.replace(node, branches=tuple(branches))


# ------------------------------------------------------------------ writing


def _element_as_map(context: Context, node: Node, original: Node) -> Node:
    """`SET a = b` with an element on the right, as its properties."""
    assert isinstance(node, ir.SetProperties)
    assert isinstance(node.value, Ref)
    if context.kind(node.value.name) not in (Kind.NODE, Kind.EDGE):
        return node
    return dataclasses.replace(node, value=Apply("properties", (node.value,), span=node.value.span))


def _dynamic_property(context: Context, node: Node, original: Node) -> Node:
    assert isinstance(node, (ir.SetProperty, ir.RemoveProperty))
    target = node.target
    assert isinstance(target, ir.Index)
    if not isinstance(target.index, Literal) or not isinstance(target.index.value, str):
        raise context.refusal(node, "the property is known only when the query runs")
    return dataclasses.replace(node, target=ir.Property(target.base, target.index.value, span=target.span))


def _dynamic_label(context: Context, node: Node, original: Node) -> Node:
    assert isinstance(node, (ir.SetLabels, ir.RemoveLabels))
    labels: list[ir.LabelName] = []
    for label in node.labels:
        static = static_label(context, label) if isinstance(label, ir.LabelDynamic) else label
        parts = static.operands if isinstance(static, ir.LabelAnd) else (static,)
        labels += [part for part in parts if isinstance(part, ir.LabelName)]
    return dataclasses.replace(node, labels=tuple(labels))


# ------------------------------------------------------------------ functions


def _property_exists(context: Context, node: Node, original: Node) -> Node:
    assert isinstance(node, Apply)
    return Apply("is_not_null", node.args, span=node.span)


def _null_if(context: Context, node: Apply) -> Expression:
    same = ir.Branch((Apply("eq", node.args),), Literal(None))
    return ir.Case(None, (same,), node.args[0], span=node.span)


def _is_empty(context: Context, node: Apply) -> Expression:
    argument = node.args[0]
    sized = isinstance(argument, (ir.ListOf, ir.ListComprehension, ir.PatternComprehension, ir.Slice)) or (
        isinstance(argument, Apply) and argument.function in _SIZED
    )
    if not sized:
        raise context.refusal(node, "isEmpty() of what may be a map")
    return Apply("eq", (Apply("size", node.args), Literal(0)), span=node.span)


_SIZED = frozenset(
    (
        *("keys", "labels", "nodes", "relationships", "range", "split", "collect", "tail"),
        *("toLower", "toUpper", "trim", "type", "toString"),
    )
)


def _element_id(context: Context, node: Apply) -> Expression:
    """Where identifiers are only told apart, either kind of them does."""
    parent = context.place.parent
    if isinstance(parent, Apply):
        both = all(isinstance(x, Apply) and x.function == "elementId" for x in parent.args)
        if both and (parent.function in ("eq", "ne") or (parent.function == "count" and parent.distinct)):
            return dataclasses.replace(node, function="id")
    raise context.refusal(node, "id() is a number, elementId() a string")


_SPELLINGS: dict[str, str] = {"char_length": "size", "path_length": "length"}
"""Functions that for every argument they take give what an older one gives."""

_FUNCTION_RULES: dict[str, Callable[[Context, Apply], Expression]] = {
    "nullIf": _null_if,
    "isEmpty": _is_empty,
    "elementId": _element_id,
}


def _newer_function(context: Context, node: Node, original: Node) -> Node:
    assert isinstance(node, Apply)
    if node.function in _SPELLINGS:
        return dataclasses.replace(node, function=_SPELLINGS[node.function])
    if node.function == "btrim" and len(node.args) == 1:
        return dataclasses.replace(node, function="trim")
    rewrite = _FUNCTION_RULES.get(node.function)
    if rewrite is None:
        raise context.refusal(node, f"{node.function}()")
    return rewrite(context, node)


RULES: dict[str, Rule] = {
    "exists-pattern": _exists,
    "count-subquery": _count,
    "collect-subquery": _collect,
    "size-of-pattern": _size_of_pattern,
    "exists-of-list": _exists_of_list,
    "label-predicate": _labels,
    "concatenation": _concat,
    "special-float": _special_float,
    "subject-test": _subject_tests,
    "several-tests": _several_tests,
    "dynamic-label-predicate": _dynamic_predicate,
    "element-as-map": _element_as_map,
    "dynamic-property": _dynamic_property,
    "dynamic-label-change": _dynamic_label,
    "property-exists": _property_exists,
    "function-of-cypher-5": _newer_function,
    "function-of-cypher-25": _newer_function,
}
