"""Builds statements of GQL."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from graphir.dialects import GQL_DIALECTS, PGQ_DIALECTS
from graphir.grammar.builder.context import Context, refusal
from graphir.grammar.gql_builder.expressions import default_mode, in_graph
from graphir.grammar.gql_builder.patterns import Prefix
from graphir.grammar.gql_builder.values import of_a_graph
from graphir.grammar.gql_words import GOOGLE, NULL_IS_LAST, NULL_IS_LEAST
from graphir.ir import (
    Body,
    Delete,
    EdgePattern,
    Expression,
    Filter,
    Finish,
    GraphName,
    Grouping,
    Insert,
    Item,
    LabelAnd,
    LabelExpression,
    LabelName,
    Let,
    Match,
    Next,
    NodePattern,
    Operator,
    Order,
    Page,
    Path,
    Pipeline,
    ProcedureCall,
    Project,
    Property,
    Query,
    Ref,
    Remove,
    RemoveLabels,
    RemoveProperty,
    Set,
    SetItem,
    SetLabels,
    SetOperation,
    SetProperties,
    SetProperty,
    SortKey,
    SubqueryCall,
    Unpack,
    Unwind,
    Use,
    YieldItem,
)
from graphir.source import Span

# ------------------------------------------------------------------ statements


def start(hint: Span | None, graph: GraphName | None, body: Body, span: Span, context: Context) -> Query:
    if context.dialect in PGQ_DIALECTS:
        raise refusal(
            f"a graph query alone is none of {GQL_DIALECTS[context.dialect]}",
            Span(span.start, span.start + 1),
            hint="write SELECT .. FROM GRAPH_TABLE(..), or read it as a dialect of GQL, such as gql-spanner",
            code="G065",
        )
    if graph is not None:
        context.use("GRAPH name", graph.span or span)
    unfinished(body, Span(span.end, span.end))
    return Query(in_graph(graph, body), span=span)


def unfinished(body: Body, end: Span) -> None:
    """Every part of a statement gives a result or writes."""
    parts: Sequence[Body] = (body,)
    if isinstance(body, Next):
        parts = body.parts
    for part in parts:
        for branch in part.branches if isinstance(part, SetOperation) else (part,):
            if isinstance(branch, Pipeline) and not isinstance(branch.operators[-1], _ENDING):
                raise refusal("the statement has no RETURN", end, hint="end it with RETURN", code="G009")


def graph(name: GraphName, context: Context) -> GraphName:
    return of_a_graph(name, context)


def hint(_: list[Any], span: Span, context: Context) -> Span:
    context.use("hint", span)
    return span


def hint_number(_: str, span: Span, context: Context) -> Span:
    context.use("hint", span)
    return span


def hint_both(_: str, __: list[Any], span: Span, context: Context) -> Span:
    context.use("hint", span)
    return span


def hint_entry(name: GraphName, value: Expression) -> None:
    """A hint changes no row; what it says is not kept."""


def next_parts(first: Body, rest: list[Any], span: Span) -> Next:
    parts = [first]
    for at in range(0, len(rest), 2):
        yields, part = rest[at : at + 2]
        if yields is not None:
            part = _after_yield(yields, part)
        parts.append(part)
    return Next(tuple(parts), span=span)


def next_(yields: tuple[YieldItem, ...] | None, span: Span, context: Context) -> tuple[YieldItem, ...] | None:
    if yields is not None:
        context.use("NEXT YIELD", span)
    return yields


def _after_yield(yields: tuple[YieldItem, ...], part: Body) -> Body:
    """`NEXT YIELD a AS b` renames and chooses columns before the part begins."""
    if isinstance(part, SetOperation):
        return replace(part, branches=tuple([_after_yield(yields, branch) for branch in part.branches]))
    items = tuple([Item(Ref(each.name, span=each.span), each.alias or each.name, span=each.span) for each in yields])
    if isinstance(part, Pipeline):
        return Pipeline((Project(items, span=part.span), *part.operators), span=part.span)
    raise refusal("NEXT YIELD before a query in braces is not supported", part.span, code="G061")


class Kind(NamedTuple):
    """A set operator: how rows combine and how columns do."""

    kind: str
    distinct: bool
    columns: str
    span: Span


def set_operator(columns: str | None, word: str, quantifier: str | None, span: Span, context: Context) -> Kind:
    if quantifier is None:
        after = len(context.text) - len(context.text[span.end :].lstrip())
        context.use("set operation without ALL or DISTINCT", Span(after, max(after, span.end)))
    if columns is not None:
        context.use("column mode", span)
    named = columns or ("name" if context.dialect in GOOGLE else "position")
    return Kind(word.lower(), quantifier is None or quantifier[0] in "dD", named, span)


def column_mode(word: str) -> str:
    return word.lower()


def otherwise(span: Span, context: Context) -> Kind:
    context.use("OTHERWISE", span)
    return Kind("otherwise", False, "position", span)


def set_operations(first: Body, rest: list[Any], span: Span) -> SetOperation:
    """A run of one operator is one node; others nest to the left."""
    kinds: list[Kind] = rest[::2]
    branches: list[Body] = [first]
    before = kinds[0]
    for kind, branch in zip(kinds, rest[1::2], strict=True):
        if kind[:3] != before[:3]:
            branches = [
                SetOperation(*before[:2], tuple(branches), before.columns, span=Span(span.start, kind.span.start))
            ]
            before = kind
        branches.append(branch)
    return SetOperation(*before[:2], tuple(branches), before.columns, span=span)


def pipeline(operators: list[Any], result: list[Operator], span: Span, context: Context) -> Pipeline:
    return Pipeline((*_steps(operators, context), *result), span=span)


def lone_return(result: list[Operator], span: Span) -> Pipeline:
    return Pipeline(tuple(result), span=span)


def open_pipeline(operators: list[Any], span: Span, context: Context) -> Pipeline:
    return Pipeline(tuple(_steps(operators, context)), span=span)


_ENDING = (Project, Finish, Insert, Set, Remove, Delete, SubqueryCall, ProcedureCall)


def braced(body: Body, span: Span, context: Context) -> Body:
    context.use("query in braces", span)
    return Pipeline((SubqueryCall(body, (), span=span),), span=span) if not isinstance(body, Pipeline) else body


def _steps(operators: list[Operator], context: Context) -> list[Operator]:
    """OFFSET and LIMIT that follow each other are one page."""
    found: list[Operator] = []
    for operator in operators:
        before = found[-1] if found else None
        if isinstance(operator, Project) and isinstance(before, Unwind) and not (before.offset or before.ordinality):
            _refuse_with(operator, context)
        if isinstance(operator, Page) and isinstance(before, Page) and before.limit is None and operator.skip is None:
            whole = Span(before.span.start, operator.span.end) if before.span and operator.span else None
            found[-1] = Page(before.skip, operator.limit, span=whole)
        else:
            found.append(operator)
    return found


def _refuse_with(project: Project, context: Context) -> None:
    """GoogleSQL reads WITH behind FOR as the beginning of WITH OFFSET."""
    if context.dialect in GOOGLE:
        where = project.items[0].span if project.items else project.span
        raise refusal("WITH cannot follow FOR", where, hint="write FOR .. WITH OFFSET before it", code="G001")


# ------------------------------------------------------------------ reading


def match(
    optional: str | None,
    hint: Span | None,
    mode: str | None,
    paths: tuple[Path, ...],
    keep: Prefix | None,
    where: Expression | None,
    yields: tuple[YieldItem, ...] | None,
    span: Span,
    context: Context,
) -> Match:
    if keep is not None:
        raise refusal("KEEP is not supported", span, hint="write the selector before each path", code="G061")
    if yields is not None:
        raise refusal("YIELD of a graph pattern is not supported", span, hint="choose columns by RETURN", code="G061")
    uniqueness = mode or default_mode(context)
    return Match(paths, where, optional is not None, uniqueness, stated=mode is not None, span=span)


def match_mode(keyword: str, span: Span, context: Context) -> str:
    context.use("match mode", span)
    return "repeatable_elements" if keyword[0] in "rR" else "different_edges"


def keep(prefix: Prefix) -> Prefix:
    return prefix


def match_block(_: str, matches: list[Match], span: Span, context: Context) -> SubqueryCall:
    context.use("OPTIONAL { .. }", span)
    return SubqueryCall(Pipeline(tuple(matches), span=span), (), True, True, span=span)


def let(items: list[Item], span: Span) -> Let:
    return Let(tuple(items), span=span)


def let_item(name: str, value: Expression, span: Span) -> Item:
    return Item(value, name, span=span)


def filter_(predicate: Expression, span: Span) -> Filter:
    return Filter(predicate, span=span)


def for_(variable: str, source: Expression, position: tuple[str, str] | None, span: Span) -> Unwind:
    kind, name = position or (None, None)
    ordinality, offset = (name if kind == each else None for each in ("ordinality", "offset"))
    return Unwind(source, variable, ordinality, offset, span=span)


def position(kind: str, name: str | None, span: Span, context: Context) -> tuple[str, str]:
    context.use("WITH ORDINALITY" if kind[1] in "rR" else "WITH OFFSET", span)
    return kind.lower(), name or kind.lower()


class Items(NamedTuple):
    star: bool
    items: tuple[Item, ...]


def items(given: list[Item]) -> Items:
    """A star that comes first keeps the columns before the items."""
    first = given[0].value
    star = isinstance(first, Unpack) and first.value is None
    return Items(star, tuple(given[1:] if star else given))


def all_variables(_: str, span: Span) -> Item:
    return Item(Unpack(span=span), None, span=span)


def item(value: Expression, name: str | None, span: Span, context: Context) -> Item:
    if name is None:
        return Item(value, None, text=context.text[span.start : span.end], span=span)
    return Item(value, name, span=span)


def all_properties(base: Expression, star: str, span: Span) -> Item:
    raise refusal("unexpected `*`: a graph query names its columns", Span(span.end - 1, span.end))


def unpacked(value: Expression, span: Span, context: Context) -> Any:
    context.use("** unpacking", span)
    return Item(Unpack(value, span=span), None, text=context.text[span.start : span.end], span=span)


def with_(
    hint: Span | None,
    quantifier: str | None,
    columns: Items,
    group_by: Grouped | None,
    span: Span,
    context: Context,
) -> Project:
    context.use("WITH", span)
    keys, all_ = _keys(group_by), _is_all(group_by)
    return Project(columns.items, False, columns.star, _is_distinct(quantifier), keys, group_all=all_, span=span)


def return_(
    hint: Span | None,
    quantifier: str | None,
    columns: Items,
    group_by: Grouped | None,
    order: Order | None,
    skip: Page | None,
    limit: Page | None,
    span: Span,
) -> list[Operator]:
    keys = order.keys if order is not None else ()
    return [
        Project(
            columns.items,
            True,
            columns.star,
            _is_distinct(quantifier),
            _keys(group_by),
            keys,
            skip.skip if skip else None,
            limit.limit if limit else None,
            group_all=_is_all(group_by),
            span=span,
        )
    ]


def _is_all(grouped: Grouped | None) -> bool:
    return grouped is not None and grouped.grouping.kind == "all"


def _is_distinct(quantifier: str | None) -> bool:
    return quantifier is not None and quantifier[0] in "dD"


class Grouped(NamedTuple):
    """GROUP BY."""

    grouping: Grouping


class GroupingSet(NamedTuple):
    """ROLLUP, CUBE or GROUPING SETS among the keys."""

    span: Span


def _keys(grouped: Grouped | None) -> tuple[Expression, ...] | None:
    """The keys that a graph query names; all items without an aggregate are keys where nothing is said."""
    if grouped is None or grouped.grouping.kind == "all":
        return None
    if grouped.grouping.kind == "other":
        raise refusal("ROLLUP, CUBE and GROUPING SETS are not supported", grouped.grouping.span, code="G061")
    return grouped.grouping.keys


def group_by_all(hint: Span | None, _: str, span: Span, context: Context) -> Grouped:
    context.use("GROUP BY ALL", span)
    return Grouped(Grouping("all", span=span))


def group_by_nothing(hint: Span | None, span: Span) -> Grouped:
    return Grouped(Grouping("keys", span=span))


def group_by(hint: Span | None, keys: list[Any], span: Span, context: Context) -> Grouped:
    if any(isinstance(key, GroupingSet) for key in keys):
        return Grouped(Grouping("other", (), context.text[span.start : span.end], span=span))
    return Grouped(Grouping("keys", tuple([key.value if isinstance(key, Item) else key for key in keys]), span=span))


def grouping_set(*_: Any, span: Span) -> GroupingSet:
    return GroupingSet(span)


def order_by(hint: Span | None, keys: list[SortKey], span: Span) -> Order:
    return Order(tuple(keys), span=span)


def sort_item(value: Any, direction: str | None, nulls: str | None, span: Span, context: Context) -> SortKey:
    if isinstance(value, GroupingSet):
        raise refusal("this is no key to sort by", value.span)
    if nulls is not None:
        context.use("NULLS FIRST", span)
    descending = direction is not None and direction[0] in "dD"
    smallest = context.dialect in NULL_IS_LEAST
    first = descending != smallest and context.dialect not in NULL_IS_LAST
    places = nulls or ("first" if first else "last")
    key = value.value if isinstance(value, Item) else value
    return SortKey(key, descending, places, stated=nulls is not None, span=span)


def nulls(word: str) -> str:
    return word.lower()


def skip(count: Expression, span: Span) -> Page:
    return Page(count, None, span=span)


def limit(count: Expression, span: Span) -> Page:
    return Page(None, count, span=span)


def finish(span: Span, context: Context) -> list[Operator]:
    context.use("FINISH", span)
    return [Finish(span=span)]


def use(_: str | None, graph: GraphName, span: Span, context: Context) -> Use:
    context.use("USE", span)
    return Use(graph, span=span)


def graph_reference(parts: list[GraphName], span: Span) -> GraphName:
    return GraphName(tuple([name for part in parts for name in part.name]), span=span)


# ------------------------------------------------------------------ calls


def call_procedure(
    optional: str | None,
    per: tuple[str, ...] | None,
    name: GraphName,
    args: list[Expression] | None,
    yields: tuple[YieldItem, ...] | None,
    span: Span,
    context: Context,
) -> ProcedureCall:
    context.use("CALL", span)
    return ProcedureCall(name.name, tuple(args or ()), yields, optional=optional is not None, per=per, span=span)


def per(names: list[str] | None, span: Span, context: Context) -> tuple[str, ...]:
    context.use("CALL PER", span)
    return tuple(names or ())


def call_subquery(
    optional: str | None,
    imports: tuple[str, ...] | None,
    graph: GraphName | None,
    body: Body,
    span: Span,
    context: Context,
) -> SubqueryCall:
    context.use("CALL { .. }", span)
    names = () if imports is None else imports
    return SubqueryCall(in_graph(graph, body), names, imports is None, optional is not None, span=span)


def imports(names: list[str] | None) -> tuple[str, ...]:
    return tuple(names or ())


def yield_(items: list[YieldItem]) -> tuple[YieldItem, ...]:
    return tuple(items)


# ------------------------------------------------------------------ writing


def insert(paths: tuple[Path, ...], span: Span, context: Context) -> Insert:
    context.use("INSERT", span)
    for path in paths:
        _check_inserted(path)
    return Insert(paths, keyword="INSERT", span=span)


def _check_inserted(path: Path) -> None:
    if path.variable is not None or path.selector is not None or path.mode is not None:
        raise refusal("INSERT takes no path variable, selector or mode", path.span)
    for element in path.elements:
        if not isinstance(element, (NodePattern, EdgePattern)):
            raise refusal("INSERT takes no parenthesized path", element.span)
        if element.where is not None or element.cost is not None:
            raise refusal("INSERT takes no WHERE and no COST", element.span)
        if isinstance(element, EdgePattern) and (element.quantifier is not None or element.direction == "any"):
            raise refusal("an edge in INSERT has one direction and no length", element.span)
        labels = element.labels.operands if isinstance(element.labels, LabelAnd) else (element.labels,)
        if not all(each is None or isinstance(each, LabelName) for each in labels):
            raise refusal("INSERT takes names of labels joined by `&`", element.span)


def set_(items: list[SetItem], span: Span, context: Context) -> Set:
    context.use("SET", span)
    return Set(tuple(items), span=span)


def set_value(target: Expression, value: Expression, span: Span) -> SetItem:
    if isinstance(target, Property):
        return SetProperty(target, value, span=span)
    if isinstance(target, Ref):
        return SetProperties(target, value, span=span)
    raise refusal("SET changes a property, a variable or labels", target.span)


def _labels(labels: LabelExpression) -> tuple[LabelName, ...]:
    found = labels.operands if isinstance(labels, LabelAnd) else (labels,)
    names = [each for each in found if isinstance(each, LabelName)]
    if len(names) < len(found):
        raise refusal("SET and REMOVE take names of labels joined by `&`", labels.span)
    return tuple(names)


def set_labels(target: Expression, labels: LabelExpression, span: Span) -> SetLabels:
    return SetLabels(target, _labels(labels), span=span)


def remove(items: list[RemoveProperty | RemoveLabels], span: Span, context: Context) -> Remove:
    context.use("SET", span)
    return Remove(tuple(items), span=span)


def remove_property(target: Expression, span: Span) -> RemoveProperty:
    if not isinstance(target, Property):
        raise refusal("REMOVE takes a property or labels", target.span)
    return RemoveProperty(target, span=span)


def remove_labels(target: Expression, labels: LabelExpression, span: Span) -> RemoveLabels:
    return RemoveLabels(target, _labels(labels), span=span)


def delete(mode: str | None, items: list[Expression], span: Span, context: Context) -> Delete:
    context.use("SET", span)
    return Delete(tuple(items), "detach" if mode is not None and mode[0] in "dD" else "nodetach", span=span)
