"""Rewrites of patterns: label and type expressions, conditions inside of elements, lengths, groups, modes.

A condition may leave a pattern for the WHERE beside it: a pattern with a condition inside and the same pattern with the
condition after it have the same embeddings, in an OPTIONAL MATCH too, whose WHERE belongs to the pattern.  It may not
leave a path that is selected by its length, where it decides which paths compete; conditions on the two ends may, since
paths compete per pair of ends.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from itertools import combinations
from typing import TypeVar

from graphir import ir
from graphir.backends.cypher.context import Context, OperatorRule, Rule
from graphir.backends.cypher.features import (
    clause_patterns,
    elements,
    is_dynamic,
    is_legacy,
    is_plain_labels,
    is_plain_types,
    quantified_in_vain,
)
from graphir.ir import Apply, Expression, HasLabels, LabelExpression, Literal, Node, Ref

Owner = ir.Match | ir.PatternComprehension | ir.PatternExpression
Named = TypeVar("Named", ir.NodePattern, ir.EdgePattern)
PathRewrite = Callable[[Context, ir.Path, list[Expression]], ir.Path]
"""(context, path, conditions) -> path; what leaves the path is added to the conditions."""


def conjoin(conditions: Iterable[Expression | None]) -> Expression | None:
    """All of the conditions, None without any."""
    flat: list[Expression] = []
    for condition in conditions:
        if isinstance(condition, Apply) and condition.function == "and":
            flat.extend(condition.args)
        elif condition is not None:
            flat.append(condition)
    if len(flat) < 2:
        return flat[0] if flat else None
    return Apply("and", tuple(flat), span=flat[0].span)


# ------------------------------------------------------------------ owners of patterns


def _in_owner(rewrite: PathRewrite) -> Rule:
    """A rewrite of paths as a rewrite of the expression that has the path."""

    def rule(context: Context, node: Node, original: Node) -> Node:
        assert isinstance(node, (ir.PatternComprehension, ir.PatternExpression))
        conditions: list[Expression] = []
        path = rewrite(context, node.path, conditions)
        if path is node.path:
            raise context.refusal(node, _IN_GROUP)
        if isinstance(node, ir.PatternComprehension):
            return dataclasses.replace(node, path=path, where=conjoin([node.where, *conditions]))
        if not conditions:
            return dataclasses.replace(node, path=path)
        found = ir.PatternComprehension(path, conjoin(conditions), Literal(1), span=node.span)
        parent = context.place.parent
        if isinstance(parent, Apply) and parent.function == "size":
            return found
        return Apply("gt", (Apply("size", (found,)), Literal(0)), span=node.span)

    return rule


def _in_match(rewrite: PathRewrite) -> OperatorRule:
    """A rewrite of paths as a rewrite of MATCH."""

    def rule(context: Context, node: ir.Operator, original: ir.Operator, done: list[ir.Operator]) -> list[ir.Operator]:
        assert isinstance(node, ir.Match)
        conditions: list[Expression] = []
        paths = tuple([rewrite(context, path, conditions) for path in node.paths])
        if all(a is b for a, b in zip(paths, node.paths, strict=True)):
            raise context.refusal(node, _IN_GROUP)
        fresh = dataclasses.replace(node, paths=paths, where=conjoin([node.where, *conditions]))
        known = {x.variable for path in node.paths for x in ir.walk(path) if isinstance(x, _NAMED)}
        added = {x.variable for path in paths for x in ir.walk(path) if isinstance(x, _NAMED)} - known
        if added - {None}:
            context.require_no_star(node)
        return [fresh]

    return rule


_IN_GROUP = "inside of a parenthesized path"
_NAMED = (ir.NodePattern, ir.EdgePattern, ir.Path)


def _map_elements(path: ir.Path, rule: Callable[[ir.PathElement, bool], ir.PathElement]) -> ir.Path:
    """The path with a rule applied to its elements; the rule is told whether an element is an end of the path."""
    last = len(path.elements) - 1
    elements = tuple([rule(element, at in (0, last)) for at, element in enumerate(path.elements)])
    if all(a is b for a, b in zip(elements, path.elements, strict=True)):
        return path
    return dataclasses.replace(path, elements=elements)


def _may_leave(context: Context, path: ir.Path, element: ir.PathElement, is_end: bool) -> None:
    """Refuse if a condition cannot leave the element without changing which paths are selected."""
    if path.selector is not None and not (is_end and isinstance(element, ir.NodePattern)):
        raise context.refusal(element, "a condition on the paths to choose from is not one on the path that was chosen")


def _named(context: Context, element: Named) -> tuple[Named, str]:
    """The element with a variable."""
    if element.variable is not None:
        return element, element.variable
    name = context.fresh("n" if isinstance(element, ir.NodePattern) else "r")
    return dataclasses.replace(element, variable=name), name


# ------------------------------------------------------------------ labels and types


def label_predicate(
    context: Context, labels: LabelExpression, subject: Expression, *, edge: bool, keep: bool = False
) -> Expression:
    """The label expression as a condition without one; `keep`: a type is tested by a label predicate, not by type()."""
    if isinstance(labels, ir.LabelName):
        if edge and not keep:
            return Apply("eq", (Apply("type", (subject,)), Literal(labels.name)))
        return HasLabels(subject, labels)
    if isinstance(labels, ir.LabelAny):
        return Literal(True) if edge else Apply("gt", (Apply("size", (Apply("labels", (subject,)),)), Literal(0)))
    if isinstance(labels, ir.LabelNot):
        return Apply("not", (label_predicate(context, labels.operand, subject, edge=edge, keep=keep),))
    if isinstance(labels, ir.LabelDynamic):
        return label_predicate(context, static_label(context, labels), subject, edge=edge, keep=keep)
    assert isinstance(labels, (ir.LabelAnd, ir.LabelOr))
    if not edge and is_plain_labels(labels):
        return HasLabels(subject, labels)
    if edge and not keep and isinstance(labels, ir.LabelOr) and is_plain_types(labels):
        names = tuple([Literal(x.name) for x in labels.operands if isinstance(x, ir.LabelName)])
        return Apply("in", (Apply("type", (subject,)), ir.ListOf(names)))
    word = "and" if isinstance(labels, ir.LabelAnd) else "or"
    parts = [label_predicate(context, x, subject, edge=edge, keep=keep) for x in labels.operands]
    return Apply(word, tuple(parts))


def static_label(context: Context, label: ir.LabelDynamic) -> LabelExpression:
    """The label that a dynamic one names, if that stands in the query."""
    value = label.expression
    names = value.items if isinstance(value, ir.ListOf) else (value,)
    found = [ir.LabelName(x.value, span=x.span) for x in names if isinstance(x, Literal) and isinstance(x.value, str)]
    if len(found) != len(names) or not found:
        raise context.refusal(label, "the label is known only when the query runs")
    if len(found) == 1:
        return found[0]
    return ir.LabelOr(tuple(found)) if label.quantifier == "any" else ir.LabelAnd(tuple(found))


def _split(
    labels: LabelExpression, plain: Callable[[LabelExpression], bool]
) -> tuple[LabelExpression | None, LabelExpression | None]:
    """What of a label expression can stay in the pattern, and what cannot."""
    if plain(labels):
        return labels, None
    if not isinstance(labels, ir.LabelAnd):
        return None, labels
    kept = [x for x in labels.operands if plain(x) and isinstance(x, ir.LabelName)]
    if plain is is_plain_types:
        kept = kept[:1]
    rest = [x for x in labels.operands if not any(x is y for y in kept)]
    return _joined(kept), _joined(rest)


def _joined(labels: Sequence[LabelExpression]) -> LabelExpression | None:
    if len(labels) < 2:
        return labels[0] if labels else None
    return ir.LabelAnd(tuple(labels), span=labels[0].span)


def _label_expressions(context: Context, path: ir.Path, conditions: list[Expression]) -> ir.Path:
    def rule(element: ir.PathElement, is_end: bool) -> ir.PathElement:
        if not isinstance(element, ir.NodePattern) or is_plain_labels(element.labels):
            return element
        assert element.labels is not None
        _may_leave(context, path, element, is_end)
        kept, rest = _split(element.labels, is_plain_labels)
        assert rest is not None
        named, name = _named(context, element)
        conditions.append(label_predicate(context, rest, Ref(name, span=element.span), edge=False))
        return dataclasses.replace(named, labels=kept)

    return _map_elements(path, rule)


def _type_expressions(context: Context, path: ir.Path, conditions: list[Expression]) -> ir.Path:
    def rule(element: ir.PathElement, is_end: bool) -> ir.PathElement:
        if not isinstance(element, ir.EdgePattern) or is_plain_types(element.labels):
            return element
        assert element.labels is not None
        if isinstance(element.labels, ir.LabelAny):
            return dataclasses.replace(element, labels=None)
        if context.feature == "long-type-expression" and element.hops is None:
            return element
        _may_leave(context, path, element, is_end)
        kept, rest = _split(element.labels, is_plain_types)
        assert rest is not None
        named, name = _named(context, element)
        if element.hops is None and element.quantifier is None:
            conditions.append(label_predicate(context, rest, Ref(name, span=element.span), edge=True))
        else:
            step = context.fresh("step")
            test = label_predicate(context, rest, Ref(step, span=element.span), edge=True)
            conditions.append(ir.Quantified("all", step, Ref(name), test, span=element.span))
        return dataclasses.replace(named, labels=kept)

    return _map_elements(path, rule)


def _dynamic_labels(context: Context, path: ir.Path, conditions: list[Expression]) -> ir.Path:
    def rule(element: ir.PathElement, is_end: bool) -> ir.PathElement:
        if isinstance(element, ir.PathGroup) or element.labels is None or not is_dynamic(element.labels):
            return element
        return dataclasses.replace(element, labels=_without_dynamic(context, element.labels))

    return _map_elements(path, rule)


def _without_dynamic(context: Context, labels: LabelExpression) -> LabelExpression:
    return ir.rewrite(labels, lambda x: static_label(context, x) if isinstance(x, ir.LabelDynamic) else x)


def _dynamic_in_write(
    context: Context, node: ir.Operator, original: ir.Operator, done: list[ir.Operator]
) -> list[ir.Operator]:
    nothing: list[Expression] = []
    if isinstance(node, ir.Insert):
        paths = tuple([_dynamic_labels(context, path, nothing) for path in node.paths])
        return [dataclasses.replace(node, paths=paths)]
    assert isinstance(node, ir.Merge)
    return [dataclasses.replace(node, path=_dynamic_labels(context, node.path, nothing))]


# ------------------------------------------------------------------ conditions inside of elements


def _inline_conditions(context: Context, path: ir.Path, conditions: list[Expression]) -> ir.Path:
    def rule(element: ir.PathElement, is_end: bool) -> ir.PathElement:
        if isinstance(element, ir.PathGroup) or element.where is None:
            return element
        long = isinstance(element, ir.EdgePattern) and (element.hops or element.quantifier)
        if context.feature == "long-where" and not long:
            return element
        _may_leave(context, path, element, is_end)
        bare = dataclasses.replace(element, where=None)
        if not long:
            conditions.append(element.where)
            return bare
        assert isinstance(bare, ir.EdgePattern)
        named, name = _named(context, bare)
        step = context.fresh("step")
        test = rename(context, element.where, name, step)
        conditions.append(ir.Quantified("all", step, Ref(name), test, span=element.where.span))
        return named

    return _map_elements(path, rule)


_BINDERS = (ir.Quantified, ir.ListComprehension, ir.Reduce, ir.AllReduce, ir.PatternComprehension, ir.Subquery)


def rename(context: Context, condition: Expression, name: str, fresh: str) -> Expression:
    """The condition about another variable; refused where a name in it might be bound anew."""
    if any(isinstance(x, _BINDERS) for x in ir.walk(condition)):
        raise context.refusal(condition, "the condition binds variables of its own")
    return ir.rewrite(condition, lambda x: Ref(fresh, span=x.span) if isinstance(x, Ref) and x.name == name else x)


# ------------------------------------------------------------------ lengths, groups, selectors, modes


def _to_hops(context: Context, path: ir.Path, conditions: list[Expression]) -> ir.Path:
    """`->{1,3}` as `[*1..3]`: both match the same chains of different relationships and bind their list."""

    def rule(element: ir.PathElement, is_end: bool) -> ir.PathElement:
        if not isinstance(element, ir.EdgePattern) or element.quantifier is None:
            return element
        kept = context.feature == "quantifier-in-vain" and context.in_clause and not quantified_in_vain(element, path)
        return element if kept else dataclasses.replace(element, hops=element.quantifier, quantifier=None)

    return _map_elements(path, rule)


def _one_form_of_length(
    context: Context, node: ir.Operator, original: ir.Operator, done: list[ir.Operator]
) -> list[ir.Operator]:
    """All lengths of the clause as `*`, or all as quantifiers where a group has one."""
    assert isinstance(node, ir.Match)
    grouped = any(isinstance(x, ir.PathGroup) and x.quantifier is not None for x in elements(node))
    if not grouped:
        return [dataclasses.replace(node, paths=tuple([_to_hops(context, path, []) for path in node.paths]))]
    if any(is_legacy(path) for path in node.paths) or len(list(clause_patterns(node))) > 1:
        raise context.refusal(node, "shortestPath() and patterns in expressions take no quantifier")
    return [dataclasses.replace(node, paths=tuple([_to_quantifiers(path) for path in node.paths]))]


def _to_quantifiers(path: ir.Path) -> ir.Path:
    def rule(element: ir.PathElement, is_end: bool) -> ir.PathElement:
        if not isinstance(element, ir.EdgePattern) or element.hops is None:
            return element
        return dataclasses.replace(element, quantifier=element.hops, hops=None)

    return _map_elements(path, rule)


def _groups(context: Context, path: ir.Path, conditions: list[Expression]) -> ir.Path:
    """Parentheses without a quantifier go, those with one become a variable length relationship."""
    variable = path.variable
    elements: list[ir.PathElement] = []
    pending = list(reversed(path.elements))
    while pending:
        element = pending.pop()
        if not isinstance(element, ir.PathGroup):
            elements.append(element)
        elif element.quantifier is not None:
            elements += _repeated_edge(context, path, element, conditions)
        else:
            inner = element.path
            if inner.selector is not None or inner.mode is not None:
                raise context.refusal(element, "it has a selector or mode of its own")
            if inner.variable is not None and (elements or pending or variable not in (None, inner.variable)):
                raise context.refusal(element, "it names a part of the path")
            if element.where is not None:
                _may_leave(context, path, element, False)
                conditions.append(element.where)
            variable = inner.variable or variable
            pending.extend(reversed(inner.elements))
    if not any(isinstance(x, ir.PathGroup) for x in path.elements):
        return path
    return dataclasses.replace(path, variable=variable, elements=tuple(_linked(context, elements)))


def _repeated_edge(
    context: Context, path: ir.Path, group: ir.PathGroup, conditions: list[Expression]
) -> list[ir.PathElement]:
    """`((x)-[r]->(y)){1,3}` as `-[r*1..3]->`, if there is nothing more to it than the relationship."""
    inner = group.path
    match inner.elements:
        case (ir.NodePattern() as left, ir.EdgePattern(hops=None, quantifier=None) as edge, ir.NodePattern() as right):
            pass
        case _:
            raise context.refusal(group, "only a group of one relationship can be said as variable length")
    for end in (left, right):
        used = end.variable is not None and context.uses[end.variable] > 1
        if used or end.labels is not None or end.properties is not None or end.where is not None:
            raise context.refusal(end, "a condition or name on the nodes in between has no place in variable length")
    if inner.variable is not None or inner.selector is not None or inner.mode is not None:
        raise context.refusal(group, "it has a path variable, selector or mode of its own")
    where = conjoin([edge.where, group.where])
    return [dataclasses.replace(edge, where=where, quantifier=group.quantifier)]


def _linked(context: Context, elements: list[ir.PathElement]) -> list[ir.PathElement]:
    """Alternating nodes and edges: nodes that meet become one, edges that meet get one between them."""
    linked: list[ir.PathElement] = []
    for element in elements:
        before = linked[-1] if linked else None
        if isinstance(element, ir.EdgePattern) and not isinstance(before, ir.NodePattern):
            linked.append(ir.NodePattern())
        if isinstance(element, ir.NodePattern) and isinstance(before, ir.NodePattern):
            linked[-1] = _merged(context, before, element)
        else:
            linked.append(element)
    if isinstance(linked[-1], ir.EdgePattern):
        linked.append(ir.NodePattern())
    return linked


def _merged(context: Context, one: ir.NodePattern, other: ir.NodePattern) -> ir.NodePattern:
    if one.variable and other.variable and one.variable != other.variable:
        raise context.refusal(other, "two names for one node")
    if one.properties is not None and other.properties is not None:
        raise context.refusal(other, "two property maps for one node")
    labels = _joined([x for x in (one.labels, other.labels) if x is not None])
    properties = one.properties if one.properties is not None else other.properties
    return ir.NodePattern(
        one.variable or other.variable, labels, properties, conjoin([one.where, other.where]), span=one.span
    )


_LEGACY = {"any_shortest": "shortest_path", "all_shortest": "all_shortest_paths"}


def _selectors(context: Context, path: ir.Path, conditions: list[Expression]) -> ir.Path:
    selector = path.selector
    if selector is None or is_legacy(path):
        return path
    if selector.kind == "all":
        return dataclasses.replace(path, selector=None)
    single = selector.count is None or selector.count == Literal(1)
    kind = _LEGACY.get("any_shortest" if selector.kind == "shortest" and single else selector.kind)
    match path.elements:
        case (ir.NodePattern(), ir.EdgePattern(), ir.NodePattern()) if kind is not None:
            context.approximate(selector, "shortestPath() finds no path from a node back to itself")
            return dataclasses.replace(path, selector=ir.Selector(kind, span=selector.span))
        case _:
            raise context.refusal(selector)


def _modes(context: Context, path: ir.Path, conditions: list[Expression]) -> ir.Path:
    """WALK adds nothing, nor does TRAIL where edges differ anyway; ACYCLIC and SIMPLE compare the nodes of the path."""
    if path.mode is None:
        return path
    if path.mode == "walk" or (path.mode == "trail" and _edges_differ(context)):
        return dataclasses.replace(path, mode=None)
    fixed = all(isinstance(x, ir.NodePattern) or _is_single(x) for x in path.elements)
    if path.mode == "trail" or not fixed or path.selector is not None:
        raise context.refusal(path, f"{path.mode.upper()} paths of unknown length")
    names: list[str] = []

    def rule(element: ir.PathElement, is_end: bool) -> ir.PathElement:
        if not isinstance(element, ir.NodePattern):
            return element
        named, name = _named(context, element)
        names.append(name)
        return named

    fresh = _map_elements(path, rule)
    pairs = list(combinations(range(len(names)), 2))
    if path.mode == "simple":
        pairs = [pair for pair in pairs if pair != (0, len(names) - 1)]
    conditions += [Apply("ne", (Ref(names[a]), Ref(names[b])), span=path.span) for a, b in pairs]
    return dataclasses.replace(fresh, mode=None)


def _edges_differ(context: Context) -> bool:
    return not isinstance(context.place.operator, ir.Match) or context.place.operator.uniqueness == "different_edges"


def _is_single(element: ir.PathElement) -> bool:
    return isinstance(element, ir.EdgePattern) and element.hops is None and element.quantifier is None


# ------------------------------------------------------------------ clauses


def _hints(context: Context, node: ir.Operator, original: ir.Operator, done: list[ir.Operator]) -> list[ir.Operator]:
    assert isinstance(node, ir.Match)
    context.approximate(node.hints[0], "without them the planner decides by itself")
    return [dataclasses.replace(node, hints=())]


def _repeatable(
    context: Context, node: ir.Operator, original: ir.Operator, done: list[ir.Operator]
) -> list[ir.Operator]:
    """Relationships that may be the same, in clauses of their own: uniqueness ends with the clause."""
    assert isinstance(node, ir.Match)
    steps = [x for path in node.paths for x in path.elements if not isinstance(x, ir.NodePattern)]
    if not all(_is_single(x) for x in steps) or any(
        path.selector or path.mode not in (None, "walk") for path in node.paths
    ):
        raise context.refusal(node, "paths of unknown length cannot be split into clauses")
    if len(steps) < 2:
        return [dataclasses.replace(node, uniqueness="different_edges")]
    if node.optional or node.hints or node.search or any(path.variable for path in node.paths):
        raise context.refusal(node, "an optional pattern, a path variable or a hint needs one clause")
    clauses: list[ir.Operator] = []
    for path in node.paths:
        clauses += [ir.Match((part,), span=node.span) for part in _single_steps(context, path)]
    if any(x.variable is None for path in node.paths for x in path.elements[2:-2:2] if isinstance(x, ir.NodePattern)):
        context.require_no_star(node)
    last = clauses[-1]
    assert isinstance(last, ir.Match)
    clauses[-1] = dataclasses.replace(last, where=node.where)
    return clauses


def _single_steps(context: Context, path: ir.Path) -> list[ir.Path]:
    """The path in pieces of one relationship each, which share their nodes by name."""
    elements = list(path.elements)
    if len(elements) <= 3:
        return [path]
    pieces = [dataclasses.replace(path, elements=tuple(elements[:3]))]
    for at in range(2, len(elements) - 1, 2):
        joint = elements[at]
        assert isinstance(joint, ir.NodePattern)
        named, name = _named(context, joint)
        before = pieces[-1].elements
        pieces[-1] = dataclasses.replace(path, elements=(*before[:2], named))
        pieces.append(dataclasses.replace(path, elements=(ir.NodePattern(name), *elements[at + 1 : at + 3])))
    return pieces


_PATH_RULES: dict[str, PathRewrite] = {
    "path-mode": _modes,
    "path-selector": _selectors,
    "quantifier-in-vain": _to_hops,
    "path-group": _groups,
    "quantified-relationship": _to_hops,
    "dynamic-label": _dynamic_labels,
    "label-expression": _label_expressions,
    "type-expression": _type_expressions,
    "long-type-expression": _type_expressions,
    "inline-where": _inline_conditions,
    "long-where": _inline_conditions,
}

RULES: dict[str, Rule] = {name: _in_owner(rewrite) for name, rewrite in _PATH_RULES.items()}

OPERATOR_RULES: dict[str, OperatorRule] = {
    **{name: _in_match(rewrite) for name, rewrite in _PATH_RULES.items()},
    "dynamic-label-in-write": _dynamic_in_write,
    "index-hint": _hints,
    "repeatable-elements": _repeatable,
    "mixed-lengths": _one_form_of_length,
}
