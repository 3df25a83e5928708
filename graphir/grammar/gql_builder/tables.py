"""Builds SQL around graph patterns: SELECT, set operations of it, and the tables behind FROM."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from graphir.dialects import GQL_DIALECTS, PGQ_DIALECTS
from graphir.grammar.builder.context import Context, refusal
from graphir.grammar.gql_builder.clauses import Grouped, Kind, set_operations, unfinished
from graphir.grammar.gql_builder.clauses import items as chosen_items
from graphir.ir import (
    Body,
    CommonTable,
    DerivedTable,
    Expression,
    GraphName,
    GraphTable,
    Item,
    Join,
    Match,
    Order,
    Page,
    Pipeline,
    Project,
    Query,
    Sample,
    Select,
    SetOperation,
    Sql,
    Star,
    TableExpression,
    TableName,
    TableOperation,
    TableQuery,
    UnnestTable,
    Unpack,
)
from graphir.source import Span

# ------------------------------------------------------------------ statements and queries


def table_statement(hint: Span | None, query: Body, span: Span, context: Context) -> Query:
    if context.dialect not in PGQ_DIALECTS:
        raise refusal(
            f"a SELECT statement is SQL, and none of {GQL_DIALECTS[context.dialect]}",
            Span(span.start, span.start + len("SELECT")),
            hint="read it as a dialect of SQL/PGQ, such as pgq-googlesql",
            code="G065",
        )
    return Query(query, span=span)


def bracketed_statement(
    hint: Span | None, query: Body, order: Order | None, page: Page | None, span: Span, context: Context
) -> Query:
    return table_statement(hint, _paged((), query, order, page, False, span), span, context)


def table_query(common: Common | None, body: Body, order: Order | None, page: Page | None, span: Span) -> Body:
    tables, recursive = common or ((), False)
    return _paged(tables, body, order, page, recursive, span)


def _paged(
    common: tuple[CommonTable, ...], body: Body, order: Order | None, page: Page | None, recursive: bool, span: Span
) -> Body:
    if not common and order is None and page is None:
        return body
    keys = order.keys if order is not None else ()
    skip, limit = (page.skip, page.limit) if page is not None else (None, None)
    return TableQuery(body, common, recursive, keys, skip, limit, span=span)


class Common(NamedTuple):
    """The tables of WITH."""

    tables: tuple[CommonTable, ...]
    recursive: bool


def common(_: str, recursive: str | None, tables: list[CommonTable]) -> Common:
    return Common(tuple(tables), recursive is not None)


def common_table(name: str, body: Body, span: Span) -> CommonTable:
    return CommonTable(name, body, span=span)


def bracketed(query: Body) -> Body:
    return query


def piped(_: str, rest: list[Any], span: Span, context: Context) -> Sql:
    return Sql(context.text[span.start + 1 : span.end - 1].strip(), span=span)


def sql_operator(word: str, hint: Span | None, quantifier: str, span: Span) -> Kind:
    return Kind(word.lower(), quantifier[0] in "dD", "position", span)


def sql_operations(parts: list[Any], span: Span) -> SetOperation:
    return set_operations(parts[0], parts[1:], span)


def page(limit: Expression, skip: Expression | None, span: Span) -> Page:
    return Page(skip, limit, span=span)


# ------------------------------------------------------------------ SELECT


def select(
    _: str,
    hint: Span | None,
    quantifier: str | None,
    form: str | None,
    items: list[Item | Star],
    table: TableExpression | None,
    where: Expression | None,
    group_by: Grouped | None,
    having: Expression | None,
    qualify: Expression | None,
    windows: str | None,
    span: Span,
) -> Select:
    distinct = quantifier is not None and quantifier[0] in "dD"
    grouping = group_by.grouping if group_by is not None else None
    return Select(tuple(items), table, where, grouping, having, qualify, distinct, form, windows, span=span)


def struct_form() -> str:
    return "struct"


def value_form() -> str:
    return "value"


def select_items(items: list[Item | Star]) -> list[Item | Star]:
    return items


def select_item(value: Expression, name: str | None, span: Span, context: Context) -> Item:
    return Item(value, name, text=context.text[span.start : span.end], span=span)


def star(_: str, omitted: list[str] | None, replaced: list[Item] | None, span: Span) -> Star:
    return Star(None, tuple(omitted or ()), tuple(replaced or ()), span=span)


def star_of(base: Expression, _: str, omitted: list[str] | None, replaced: list[Item] | None, span: Span) -> Star:
    return Star(base, tuple(omitted or ()), tuple(replaced or ()), span=span)


def omitted(_: str, names: list[str]) -> list[str]:
    return names


def replaced(items: list[Item]) -> list[Item]:
    return items


def replacement(value: Expression, name: str, span: Span) -> Item:
    return Item(value, name, span=span)


def windows(_: list[Any], span: Span, context: Context) -> str:
    return context.text[span.start : span.end]


def window_definition(name: str, window: Any) -> None:
    """A definition of WINDOW; the clause is kept as text."""


def window(_: Any = None) -> None:
    """What a window is."""


# ------------------------------------------------------------------ tables


def table(
    source: TableExpression, hint: Span | None, alias: str | None, position: tuple[str, str] | None, span: Span
) -> TableExpression:
    if not isinstance(source, (GraphTable, TableName, DerivedTable, UnnestTable)):
        if alias is not None or position is not None:
            raise refusal("tables in parentheses have no alias", span)
        return source
    made: TableExpression = source if alias is None else replace(source, alias=alias, span=span)
    if position is None:
        return made
    if isinstance(made, TableName):
        return TableOperation("offset", made, "WITH OFFSET", span=span)
    if not isinstance(made, UnnestTable):
        raise refusal("WITH OFFSET stands behind UNNEST", span)
    return replace(made, offset=position[1], span=span)


def table_name(name: GraphName, span: Span) -> TableName:
    return TableName(name.name, span=span)


def table_call(name: GraphName, arguments: list[Expression] | None, span: Span, context: Context) -> TableOperation:
    return TableOperation("call", None, context.text[span.start : span.end], span=span)


def unnest_table(source: Expression, span: Span) -> UnnestTable:
    return UnnestTable(source, span=span)


def derived_table(body: Body, span: Span) -> DerivedTable:
    return DerivedTable(body, span=span)


def comma_join(left: TableExpression, right: TableExpression, span: Span) -> Join:
    return Join("cross", left, right, keyword=",", span=span)


def join(
    left: TableExpression,
    kind: str,
    hint: Span | None,
    right: TableExpression,
    condition: Expression | tuple[str, ...] | None,
    span: Span,
) -> Join:
    using = condition if isinstance(condition, tuple) else None
    on = None if isinstance(condition, tuple) else condition
    before = left
    while isinstance(before, Join) and kind in ("right", "full"):
        if before.keyword == ",":
            raise refusal(f"{kind.upper()} JOIN behind a comma needs parentheses", right.span)
        before = before.left
    if condition is None and kind != "cross":
        raise refusal(f"a join ({kind}) needs ON or USING", Span(span.end, span.end), code="G009")
    if condition is not None and kind == "cross":
        raise refusal("CROSS JOIN has no condition", span)
    return Join(kind, left, right, on, using, span=span)


def join_kind(word: str) -> str:
    return word.lower()


def plain_join() -> str:
    return "inner"


def join_on(condition: Expression) -> Expression:
    return condition


def join_using(names: list[str]) -> tuple[str, ...]:
    return tuple(names)


def graph_table(_: str, graph: GraphName, body: Body, span: Span, context: Context) -> GraphTable:
    alone = isinstance(body, Pipeline) and len(body.operators) == 1 and isinstance(body.operators[0], Match)
    if alone and not body.operators[0].optional:  # type: ignore[attr-defined]
        return GraphTable(graph, body, None, True, span=span)
    unfinished(body, Span(span.end - 1, span.end))
    return GraphTable(graph, body, span=span)


def graph_columns(_: str, graph: GraphName, match: Match, columns: Project, span: Span, context: Context) -> GraphTable:
    if match.optional:
        raise refusal("COLUMNS does not stand behind OPTIONAL MATCH", columns.span, hint="write RETURN")
    whole = Span(match.span.start, columns.span.end) if match.span and columns.span else span
    return GraphTable(graph, Pipeline((match, columns), span=whole), keyword="COLUMNS", span=span)


def columns(items: list[Item | Star], span: Span) -> Project:
    made: list[Item] = []
    for each in items:
        if isinstance(each, Item):
            made.append(each)
        elif each.omitted or each.replaced:
            raise refusal("`*` in COLUMNS leaves nothing out", each.span)
        else:
            made.append(Item(Unpack(each.base, span=each.span), None, span=each.span))
    chosen = chosen_items(made)
    return Project(chosen.items, True, chosen.star, span=span)


class Suffix(NamedTuple):
    """What stands behind a table and changes it."""

    kind: str
    span: Span


def table_operation(table: TableExpression, suffix: Suffix, span: Span, context: Context) -> TableOperation:
    return TableOperation(suffix.kind, table, context.text[suffix.span.start : suffix.span.end], span=span)


def sample_suffix(_: Sample, span: Span) -> Suffix:
    return Suffix("tablesample", span)


def pivot_suffix(word: str, _: list[Any] | None, alias: str | None, span: Span) -> Suffix:
    return Suffix(word.lower(), span)


def pattern_suffix(word: str, _: list[Any] | None, alias: str | None, span: Span) -> Suffix:
    return Suffix(word.lower(), span)


def sample(*_: Any, span: Span, context: Context) -> Sample:
    context.use("TABLESAMPLE", span)
    return Sample(context.text[span.start : span.end], span=span)


def sample_weight(_: str | None) -> None:
    """`WITH WEIGHT AS name`."""


def repeatable(seed: Expression) -> None:
    """`REPEATABLE (seed)`."""
