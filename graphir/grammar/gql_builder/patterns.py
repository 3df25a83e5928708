"""Builds path patterns and label expressions of GQL."""

from __future__ import annotations

from typing import Any, NamedTuple

from graphir.grammar.builder.context import Context, refusal
from graphir.grammar.gql_words import GOOGLE
from graphir.ir import (
    Bounds,
    EdgePattern,
    Entry,
    Expression,
    LabelAnd,
    LabelAny,
    LabelExpression,
    LabelNot,
    LabelOr,
    Literal,
    MapOf,
    NodePattern,
    Parameter,
    Path,
    PathGroup,
    Selector,
)
from graphir.source import Span

# ------------------------------------------------------------------ labels


def label_any(span: Span) -> LabelAny:
    return LabelAny(span=span)


def label_negation(operand: LabelExpression, span: Span) -> LabelNot:
    return LabelNot(operand, span=span)


def label_and(first: LabelExpression, rest: list[LabelExpression], span: Span) -> LabelAnd:
    return LabelAnd((first, *rest), span=span)


def label_or(first: LabelExpression, rest: list[LabelExpression], span: Span) -> LabelOr:
    return LabelOr((first, *rest), span=span)


# ------------------------------------------------------------------ elements


class Filler(NamedTuple):
    """What stands in the brackets of an element."""

    variable: str | None = None
    labels: LabelExpression | None = None
    properties: Expression | None = None
    where: Expression | None = None
    cost: Expression | None = None


EMPTY = Filler()


def filler(
    variable: str | None,
    labels: LabelExpression | None,
    properties: Expression | None,
    where: Expression | None,
    cost: Expression | None,
    span: Span,
    context: Context,
) -> Filler:
    if properties is not None and where is not None:
        context.use("properties beside WHERE", where.span or span)
    if cost is not None:
        context.use("COST", cost.span or span)
    return Filler(variable, labels, properties, where, cost)


def filler_labels(
    labels: LabelExpression,
    properties: Expression | None,
    where: Expression | None,
    cost: Expression | None,
    span: Span,
    context: Context,
) -> Filler:
    return filler(None, labels, properties, where, cost, span, context)


def filler_properties(
    properties: Expression, where: Expression | None, cost: Expression | None, span: Span, context: Context
) -> Filler:
    return filler(None, None, properties, where, cost, span, context)


def filler_where(where: Expression, cost: Expression | None, span: Span, context: Context) -> Filler:
    return filler(None, None, None, where, cost, span, context)


def label_spec(labels: LabelExpression) -> LabelExpression:
    return labels


def properties(pairs: list[Entry], span: Span) -> MapOf:
    return MapOf(tuple(pairs), span=span)


def property_pair(key: str, value: Expression, span: Span) -> Entry:
    return Entry(key, value, span=span)


def node(hint: Span | None, filler: Filler, span: Span) -> NodePattern:
    return NodePattern(*filler, span=span)


def node_empty(hint: Span | None, span: Span) -> NodePattern:
    return NodePattern(span=span)


_OPENINGS = {"-[": "-", "<-[": "<-", "~[": "~", "<~[": "<~"}


def edge(
    opening: str,
    hint: Span | None,
    filler: Filler | None,
    tail: str,
    quantifier: Bounds | None,
    span: Span,
    context: Context,
) -> EdgePattern:
    head = _OPENINGS["".join(opening.split())]
    end = len(context.text[: quantifier.span.start if quantifier and quantifier.span else span.end].rstrip())
    arrow = Span(end - len(tail), end)
    if context.dialect in GOOGLE and context.text[arrow.start - 1] != "]":
        raise refusal(f"unexpected blank between `]` and `{tail}`", arrow, code="G028")
    return _edge(head, filler or EMPTY, "".join(tail.split()), quantifier, span, context)


def short_edge(arrow: str, quantifier: Bounds | None, span: Span, context: Context) -> EdgePattern:
    head, tail = _SHORT["".join(arrow.split())]
    return _edge(head, EMPTY, tail, quantifier, span, context)


_SHORT = {
    "-": ("-", "-"),
    "->": ("-", "->"),
    "<-": ("<-", "-"),
    "<->": ("<-", "->"),
    "~": ("~", "~"),
    "~>": ("~", "~>"),
    "<~": ("<~", "~"),
}
_DIRECTIONS = {("-", "->"): "out", ("<-", "-"): "in", ("-", "-"): "any", ("<-", "->"): "any"}


def _edge(head: str, filler: Filler, tail: str, quantifier: Bounds | None, span: Span, context: Context) -> EdgePattern:
    direction = _DIRECTIONS.get((head, tail))
    if direction is None:
        if (head, tail) in _UNDIRECTED:
            raise refusal(
                "an edge without direction (`~`) is no edge of a property graph whose edges all have one",
                span,
                hint="write `-[..]-` for an edge of either direction",
                code="G061",
            )
        raise refusal(f"`{head}[..]{tail}` is no edge", span, code="G028")
    if (head, tail) == ("<-", "->"):
        context.use("<-[..]->", span)
    variable, labels, properties, where, cost = filler
    mutual = (head, tail) == ("<-", "->") and context.dialect in BOTH_WAYS
    return EdgePattern(variable, labels, properties, where, direction, None, quantifier, cost, mutual, span=span)


BOTH_WAYS = frozenset(("pgq-duckpgq",))
"""Dialects in which `<-[..]->` wants an edge each way; in all others it is an edge of either direction."""


_UNDIRECTED = frozenset({("~", "~"), ("~", "~>"), ("<~", "~")})


def group(hint: Span | None, path: Path, where: Expression | None, quantifier: Bounds | None, span: Span) -> PathGroup:
    return PathGroup(path, where, quantifier, span=span)


# ------------------------------------------------------------------ quantifiers


def exact_quantifier(bound: str | Parameter, span: Span) -> Bounds:
    return _bounds(bound, bound, span)


def quantifier(low: str | Parameter | None, high: str | Parameter | None, span: Span, context: Context) -> Bounds:
    if high is None:
        context.use("unbounded quantifier", span)
    return _bounds("0" if low is None else low, high, span)


def _number(text: str) -> int:
    """A whole number, which may begin with zeros, or one of sixteen digits."""
    return int(text, 16 if text[:2] in ("0x", "0X") else 10)


def _bounds(low: str | Parameter, high: str | Parameter | None, span: Span) -> Bounds:
    numbers = [_number(each) if isinstance(each, str) else None for each in (low, high)]
    given = [each if isinstance(each, Parameter) else None for each in (low, high)]
    return Bounds(numbers[0] or 0, numbers[1], *given, span=span)


def one_or_more(_: str, span: Span, context: Context) -> Bounds:
    context.use("unbounded quantifier", span)
    return Bounds(1, None, span=span)


def zero_or_more(_: str, span: Span, context: Context) -> Bounds:
    context.use("unbounded quantifier", span)
    return Bounds(0, None, span=span)


def optional_quantifier(span: Span, context: Context) -> Bounds:
    context.use("quantifier ?", span)
    return Bounds(0, 1, span=span)


# ------------------------------------------------------------------ paths


class Prefix(NamedTuple):
    """The selector of a path and its mode."""

    selector: Selector | None
    mode: str | None


def path(variable: str | None, prefix: Prefix | None, elements: list[Any], span: Span) -> Path:
    for at, hint in enumerate(elements):
        beside = elements[at - 1 : at + 2 : 2]
        if isinstance(hint, Span) and all(isinstance(each, EdgePattern) and not each.quantifier for each in beside):
            raise refusal("no hint stands between two edges", hint, code="G028")
    found = tuple([element for element in elements if not isinstance(element, Span)])
    selector, mode = prefix or (None, None)
    return Path(found, variable, selector, mode, span=span)


def paths(first: Path, rest: list[Path] | tuple[()] = ()) -> tuple[Path, ...]:
    return (first, *rest)


def path_with_hint(hint: Span, path: Path) -> Path:
    return path


def select_all(_: str, mode: str | None, paths: str | None, span: Span) -> Prefix:
    return _prefix("all", None, mode, span)


def select_any(_: str, count: Any, mode: str | None, paths: str | None, span: Span, context: Context) -> Prefix:
    if count is not None:
        context.use("ANY k", span)
    return _prefix("any", count, mode, span)


def select_all_shortest(_: str, mode: str | None, paths: str | None, span: Span, context: Context) -> Prefix:
    context.use("ALL SHORTEST", span)
    return _prefix("all_shortest", None, mode, span)


def select_any_shortest(_: str, mode: str | None, paths: str | None, span: Span) -> Prefix:
    return _prefix("any_shortest", None, mode, span)


def select_all_cheapest(_: str, mode: str | None, paths: str | None, span: Span, context: Context) -> Prefix:
    context.use("CHEAPEST", span)
    return _prefix("all_cheapest", None, mode, span)


def select_any_cheapest(_: str, mode: str | None, paths: str | None, span: Span, context: Context) -> Prefix:
    context.use("CHEAPEST", span)
    return _prefix("any_cheapest", None, mode, span)


def select_shortest(
    _: str, count: Any, mode: str | None, paths: str | None, groups: str | None, span: Span, context: Context
) -> Prefix:
    context.use("SHORTEST k", span)
    if groups is not None:
        context.use("SHORTEST GROUPS", span)
        return _prefix("shortest_groups", count or Literal(1, span=span), mode, span)
    if count is None:
        raise refusal("SHORTEST needs a number of paths, or GROUP", span, hint="write ANY SHORTEST", code="G028")
    return _prefix("shortest", count, mode, span)


def select_cheapest(_: str, count: Any, mode: str | None, paths: str | None, span: Span, context: Context) -> Prefix:
    context.use("CHEAPEST", span)
    if count is None:
        raise refusal("CHEAPEST needs a number of paths", span, hint="write ANY CHEAPEST", code="G028")
    return _prefix("cheapest", count, mode, span)


def only_mode(mode: str, paths: str | None) -> Prefix:
    return Prefix(None, mode.lower())


def _prefix(kind: str, count: Any, mode: str | None, span: Span) -> Prefix:
    if isinstance(count, str):
        count = Literal(_number(count), text=count, span=span)
    return Prefix(Selector(kind, count, span=span), mode.lower() if mode is not None else None)
