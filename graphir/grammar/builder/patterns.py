"""Builds path patterns and label expressions."""

from __future__ import annotations

from typing import Any

from graphir.grammar.builder.context import Context, refusal
from graphir.ir import (
    Bounds,
    EdgePattern,
    Expression,
    HasLabels,
    LabelAnd,
    LabelAny,
    LabelDynamic,
    LabelExpression,
    LabelName,
    LabelNot,
    LabelOr,
    Literal,
    MapOf,
    MapProjection,
    NodePattern,
    Parameter,
    Path,
    PathGroup,
    ProjectedVariable,
    Ref,
    Selector,
    walk,
)
from graphir.ir import Entry as _Entry
from graphir.source import Span

# ------------------------------------------------------------------ labels


def label_any(span: Span, context: Context) -> LabelAny:
    context.use("label expression", span)
    return LabelAny(span=span)


def label_dynamic(opening: str, expression: Expression, span: Span, context: Context) -> LabelDynamic:
    context.use("dynamic label", span)
    word = opening[1:].strip().lower()
    return LabelDynamic(expression, word or "all", span=span)


def label_negation(operand: LabelExpression, span: Span, context: Context) -> LabelNot:
    context.use("label expression", span)
    _refuse_mixture((operand,))
    return LabelNot(operand, span=span)


def label_and(first: LabelExpression, rest: list[Any], span: Span, context: Context) -> LabelAnd:
    operators = set(rest[::2])
    operands = (first, *rest[1::2])
    if operators == {":"}:
        for operand in operands:
            if type(operand) is not LabelName and type(operand) is not LabelDynamic:
                raise refusal(_MIXED, operand.span, hint="write `&` for `:`", code="G028")
        context.use("colon conjunction", span)
        return LabelAnd(operands, legacy=True, span=span)
    if ":" in operators:
        raise refusal(_MIXED, span, hint="write `&` for `:`", code="G028")
    context.use("label expression", span)
    _refuse_mixture(operands)
    return LabelAnd(operands, span=span)


_APART = "write a relationship such as `-->` between them, or a comma between two patterns"
_MIXED = "`:` between labels cannot be mixed with `|`, `&`, `!` or `%`"


def _refuse_mixture(operands: tuple[LabelExpression, ...]) -> None:
    for operand in operands:
        if type(operand) is LabelAnd and operand.legacy:
            raise refusal(_MIXED, operand.span, hint="write `&` for `:`", code="G028")


def label_or(first: LabelExpression, rest: list[Any], span: Span, context: Context) -> LabelOr:
    operands = (first, *rest[1::2])
    legacy = any(len(operator) > 1 for operator in rest[::2])
    context.use("label expression", span)  # Not so between types: `rel` takes it back.
    if legacy:
        context.use("|:", span)
    _refuse_mixture(operands)
    return LabelOr(operands, legacy=legacy, span=span)


def is_label_spec(labels: LabelExpression, span: Span, context: Context) -> LabelExpression:
    context.use("IS label", span)
    for label in walk(labels):
        if (
            type(label) is LabelName
            and label.span
            and context.text[label.span.start : label.span.end].upper() in _RESERVED
        ):
            context.use("reserved word after IS", label.span)
    return labels


_RESERVED = frozenset({"NOT", "NULL", "TYPED", "NORMALIZED", "NFC", "NFD", "NFKC", "NFKD"})


# ------------------------------------------------------------------ nodes and relationships


def node(
    variable: str | None,
    labels: LabelExpression | None,
    properties: Expression | None,
    where: Expression | None,
    span: Span,
    context: Context,
) -> NodePattern:
    if where is not None:
        context.use("WHERE in a pattern", where.span or span)
    return NodePattern(variable, labels, properties, where, span=span)


Detail = tuple["str | None", "LabelExpression | None", "Bounds | None", "Expression | None", "Expression | None"]


def rel_detail(
    variable: str | None,
    labels: LabelExpression | None,
    hops: Bounds | None,
    properties: Expression | None,
    where: Expression | None,
    context: Context,
) -> Detail:
    if where is not None:
        context.use("WHERE in a pattern", where.span or Span(0, 0))
    return variable, labels, hops, properties, where


_LEFT = "<\u27e8\u3008\ufe64\uff1c"
_RIGHT = ">\u27e9\u3009\ufe65\uff1e"


def _allow_types(labels: LabelOr, bare: bool, context: Context) -> None:
    """`A|B` was always there between types, and `A|:B` is, in a relationship without anything else."""
    if all(type(operand) is LabelName for operand in labels.operands):
        context.uses.remove(("label expression", labels.span or Span(0, 0)))
    if labels.legacy and bare:
        context.uses.remove(("|:", labels.span or Span(0, 0)))


def rel(head: str, detail: Detail, tail: str, quantifier: Bounds | None, span: Span, context: Context) -> EdgePattern:
    left = head[0] in _LEFT
    right = tail[-1] in _RIGHT
    direction = "any" if left is right else "in" if left else "out"
    variable, labels, hops, properties, where = detail
    if type(labels) is LabelOr:
        _allow_types(labels, not any((variable, hops, properties, where)), context)
    elif type(labels) is LabelAnd and labels.legacy:
        raise refusal("types are not joined by `:`", labels.span, hint="write `|` for either type")
    if quantifier is not None:
        context.use("quantified relationship", span)
        if hops is not None:
            raise refusal("a relationship has either `*` or a quantifier", quantifier.span, code="G028")
    return EdgePattern(variable, labels, properties, where, direction, hops, quantifier, span=span)


def bare_rel(arrow: str, quantifier: Bounds | None, span: Span, context: Context) -> EdgePattern:
    left = arrow[0] in _LEFT
    right = arrow[-1] in _RIGHT
    direction = "any" if left is right else "in" if left else "out"
    if quantifier is not None:
        context.use("quantified relationship", span)
    return EdgePattern(None, None, None, None, direction, None, quantifier, span=span)


def _count(text: str, span: Span) -> int:
    if not text.isdecimal():
        raise refusal(f"{text} is not a number of repetitions", span, code="G028")
    return int(text)


def any_hops(span: Span) -> Bounds:
    return Bounds(1, None, span=span)


def exact_hops(count: str, span: Span) -> Bounds:
    number = _count(count, span)
    return Bounds(number, number, span=span)


def hops(low: str | None, _: str, high: str | None, span: Span) -> Bounds:
    return Bounds(1 if low is None else _count(low, span), None if high is None else _count(high, span), span=span)


def exact_quantifier(count: str, span: Span) -> Bounds:
    number = _count(count, span)
    return Bounds(number, number, span=span)


def quantifier(low: str | None, high: str | None, span: Span) -> Bounds:
    return Bounds(0 if low is None else _count(low, span), None if high is None else _count(high, span), span=span)


def one_or_more(_: str, span: Span) -> Bounds:
    return Bounds(1, None, span=span)


def zero_or_more(_: str, span: Span) -> Bounds:
    return Bounds(0, None, span=span)


def group(path: Path, where: Expression | None, quantifier: Bounds | None, span: Span, context: Context) -> PathGroup:
    context.use("parenthesized path", span)
    return PathGroup(path, where, quantifier, span=span)


# ------------------------------------------------------------------ paths

Prefix = tuple["Selector | None", "str | None"]


def _check_chain(elements: list[Any]) -> None:
    before: Any = None
    for element in elements:
        kind = type(element)
        if kind is EdgePattern:
            if type(before) is not NodePattern:
                raise refusal("a relationship joins two nodes", element.span, code="G028")
        elif type(before) is EdgePattern:
            if kind is not NodePattern:
                raise refusal("a relationship joins two nodes", element.span, code="G028")
        elif kind is NodePattern and type(before) is NodePattern:
            raise refusal("two nodes need a relationship between them", element.span, hint=_APART, code="G028")
        before = element


def path(variable: str | None, prefix: Prefix | None, elements: list[Any], span: Span) -> Path:
    if len(elements) > 1:
        _check_chain(elements)
    if prefix is None:
        return Path(tuple(elements), variable, span=span)
    selector, mode = prefix
    return Path(tuple(elements), variable, selector, mode, span=span)


def shortest_path(variable: str | None, prefix: Prefix | None, keyword: str, elements: list[Any], span: Span) -> Path:
    if prefix is not None:
        raise refusal(f"{keyword}() cannot follow a path selector", span, code="G028")
    _check_chain(elements)
    kind = "shortest_path" if keyword.lower() == "shortestpath" else "all_shortest_paths"
    return Path(tuple(elements), variable, Selector(kind, span=span), span=span)


def select_all(_: str, mode: str | None, paths: str | None, span: Span, context: Context) -> Prefix:
    return _prefix("all", None, mode, span, context)


def select_any(
    _: str, count: Expression | None, mode: str | None, paths: str | None, span: Span, context: Context
) -> Prefix:
    return _prefix("any", count, mode, span, context)


def select_all_shortest(_: str, mode: str | None, paths: str | None, span: Span, context: Context) -> Prefix:
    return _prefix("all_shortest", None, mode, span, context)


def select_any_shortest(_: str, mode: str | None, paths: str | None, span: Span, context: Context) -> Prefix:
    return _prefix("any_shortest", None, mode, span, context)


def select_shortest(
    _: str,
    count: Expression | None,
    mode: str | None,
    paths: str | None,
    groups: str | None,
    span: Span,
    context: Context,
) -> Prefix:
    if groups is not None:
        return _prefix("shortest_groups", count or Literal(1, span=span), mode, span, context)
    if count is None:
        raise refusal(
            "SHORTEST needs a number of paths, or GROUP", span, hint="write SHORTEST 1 or ANY SHORTEST", code="G028"
        )
    return _prefix("shortest", count, mode, span, context)


def only_mode(mode: str, paths: str | None, span: Span, context: Context) -> Prefix:
    context.use("path mode", span)
    return None, mode.lower()


def _prefix(kind: str, count: Expression | None, mode: str | None, span: Span, context: Context) -> Prefix:
    context.use("path selector", span)
    if mode is not None:
        context.use("path mode", span)
    if type(count) is Parameter:
        context.use("parameter as a number of paths", count.span or span)
    return Selector(kind, count, span=span), mode.lower() if mode is not None else None


def paths(first: Path, rest: list[Path] | tuple[()] = ()) -> tuple[Path, ...]:
    return (first, *rest)


# ------------------------------------------------------------------ nodes that were read as expressions


def as_first_node(inner: Any, edge_start: int, start: int, context: Context) -> NodePattern:
    """Reinterpret what stood in `( )` before a relationship as a node pattern."""
    text = context.text
    span = Span(start, text.rfind(")", start, edge_start) + 1)
    if "(" in text[start + 1 : inner.span.start]:
        raise refusal("a node pattern has one pair of parentheses", span, code="G028")
    match inner:
        case Ref(name):
            return NodePattern(name, span=span)
        case HasLabels(Ref(name), labels):
            return NodePattern(name, labels, span=span)
        case MapOf() | Parameter():
            return NodePattern(None, None, inner, span=span)
        case MapProjection(Ref(name)):
            return NodePattern(name, None, _as_properties(inner, context), span=span)
        case _:
            raise refusal(
                "a relationship pattern begins with a node",
                span,
                hint="a node is written (variable:Label)",
                code="G028",
            )


def _as_properties(projection: MapProjection, context: Context) -> Expression:
    items = projection.items
    if len(items) == 1 and type(items[0]) is ProjectedVariable:
        span = items[0].span or Span(0, 0)
        context.use("legacy parameter", span)
        return Parameter(items[0].name, legacy=True, span=span)
    pairs = [item for item in items if type(item) is _Entry]
    if len(pairs) < len(items):
        raise refusal("a node pattern holds `key: value` pairs", projection.span, code="G028")
    return MapOf(tuple(pairs), span=projection.span)


def _parts(inner: Any, context: Context) -> tuple[str | None, LabelExpression | None, Expression | None]:
    match inner:
        case HasLabels(Ref(name), labels):
            return name, labels, None
        case MapProjection(Ref(name)):
            return name, None, _as_properties(inner, context)
        case MapOf() | Parameter():
            return None, None, inner
        case _:
            raise refusal("a node pattern begins with a variable", inner.span, code="G028")


def node_unnamed(
    labels: LabelExpression, properties: Expression | None, where: Expression | None, span: Span, context: Context
) -> NodePattern:
    return node(None, labels, properties, where, span=span, context=context)


def node_labelled(
    labelled: Any, properties: Expression, where: Expression | None, span: Span, context: Context
) -> NodePattern:
    variable, labels, _ = _parts(labelled, context)
    return node(variable, labels, properties, where, span=span, context=context)


def node_where(inner: Any, where: Expression, span: Span, context: Context) -> NodePattern:
    variable, labels, properties = _parts(inner, context)
    return node(variable, labels, properties, where, span=span, context=context)


def node_name_where(variable: str, where: Expression, span: Span, context: Context) -> NodePattern:
    return node(variable, None, None, where, span=span, context=context)


def node_param(
    variable: str, properties: Expression, where: Expression | None, span: Span, context: Context
) -> NodePattern:
    return node(variable, None, properties, where, span=span, context=context)
