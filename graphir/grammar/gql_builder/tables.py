"""Builds SQL around graph patterns: SELECT, set operations of it, and the tables behind FROM."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from graphir.diagnostics import Edit, Fix
from graphir.dialects import GOOGLE, GQL_DIALECTS, PGQ_DIALECTS, SQL_PGQ
from graphir.grammar.builder.context import Context, Refusal, refusal
from graphir.grammar.gql_builder.calls import Over
from graphir.grammar.gql_builder.clauses import Grouped, Kind, set_operations, unfinished
from graphir.grammar.gql_builder.clauses import items as chosen_items
from graphir.grammar.gql_builder.values import of_a_graph
from graphir.ir import (
    Body,
    CommonGraph,
    CommonTable,
    DerivedTable,
    Expression,
    GraphName,
    GraphTable,
    Item,
    Join,
    ListOf,
    Literal,
    Match,
    Moment,
    NamedWindow,
    Node,
    Order,
    Pipeline,
    Project,
    Query,
    RowShape,
    Sample,
    Select,
    SetOperation,
    Sql,
    SqlStatement,
    Star,
    TableExpression,
    TableName,
    TableOperation,
    TableQuery,
    UnnestTable,
    Unpack,
    Values,
    ValueType,
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


def island(table: GraphTable, span: Span, context: Context) -> Query:
    """A graph table alone: what the reader cuts out of SQL that it keeps as text."""
    if not context.alone:
        raise refusal("a graph table is no statement", span, hint="write `SELECT * FROM` before it")
    return Query(SqlStatement("select", "read", ("", ""), (table,), span=span), span=span)


def bracketed_statement(
    hint: Span | None, query: Body, order: Order | None, page: Paging | None, span: Span, context: Context
) -> Query:
    return table_statement(hint, _paged((), query, order, page, False, span), span, context)


def table_query(common: Common | None, body: Body, order: Order | None, page: Paging | None, span: Span) -> Body:
    tables, recursive = common or ((), False)
    return _paged(tables, body, order, page, recursive, span)


def _paged(
    common: tuple[CommonTable, ...], body: Body, order: Order | None, page: Paging | None, recursive: bool, span: Span
) -> Body:
    if not common and order is None and page is None:
        return body
    keys = order.keys if order is not None else ()
    made = TableQuery(body, common, recursive, keys, span=span)
    if page is None:
        return made
    return replace(made, skip=page.skip, limit=page.limit, percent=page.percent, ties=page.ties, fetch=page.fetch)


class Common(NamedTuple):
    """The tables of WITH."""

    tables: tuple[CommonTable, ...]
    recursive: bool


def common(_: str, recursive: str | None, tables: list[CommonTable]) -> Common:
    return Common(tuple(tables), recursive is not None)


def common_table(name: str, columns: list[str] | None, materialized: str | None, body: Body, span: Span) -> CommonTable:
    return CommonTable(name, body, tuple(columns or ()), materialized=materialized, span=span)


def materialized(negated: str | None) -> str:
    return "NOT MATERIALIZED" if negated else "MATERIALIZED"


def common_graph(name: str, _: list[Any] | None, span: Span, context: Context) -> CommonGraph:
    _of_sql("WITH .. AS PROPERTY GRAPH", span, context)
    text = context.text[span.start : span.end]
    return CommonGraph(name, text[text.index("(") + 1 : -1].strip(), span=span)


def column_names(names: list[str]) -> list[str]:
    return names


def bracketed(query: Body) -> Body:
    return query


def piped(_: str, rest: list[Any], span: Span, context: Context) -> Sql:
    return Sql(context.text[span.start + 1 : span.end - 1].strip(), span=span)


def sql_operator(word: str, hint: Span | None, quantifier: str | None, span: Span, context: Context) -> Kind:
    if context.dialect in GOOGLE:
        if word[0] in "mM":
            raise refusal("MINUS is no set operation here", span, hint="write EXCEPT DISTINCT")
        if quantifier is None:
            raise refusal("a set operation says ALL or DISTINCT", Span(span.end, span.end), code="G009")
    named = "except" if word[0] in "mM" else word.lower()
    return Kind(named, quantifier is None or quantifier[0] in "dD", "position", span)


def sql_operations(parts: list[Any], span: Span, context: Context) -> SetOperation:
    """INTERSECT is first in SQL, but for Oracle's, where all are read from left to right; in GoogleSQL different ones
    stand in parentheses."""
    if context.dialect not in SQL_PGQ or context.dialect.startswith("pgq-oracle"):
        return set_operations(parts[0], parts[1:], span)
    grouped: list[Any] = [parts[0]]
    for kind, branch in zip(parts[1::2], parts[2::2], strict=True):
        if kind.kind != "intersect":
            grouped += [kind, branch]
            continue
        left = grouped[-1]
        whole = Span(left.span.start, branch.span.end) if left.span and branch.span else span
        grouped[-1] = set_operations(left, [kind, branch], whole)
    return set_operations(grouped[0], grouped[1:], span) if len(grouped) > 1 else grouped[0]


class Paging(NamedTuple):
    """OFFSET, LIMIT and FETCH."""

    skip: Expression | None = None
    limit: Expression | None = None
    percent: bool = False
    ties: bool = False
    fetch: bool = False


def page(limit: Expression | None, skip: Expression | None) -> Paging:
    return Paging(skip, limit)


def page_from(skip: Expression, span: Span, context: Context) -> Paging:
    _of_sql("OFFSET without LIMIT", span, context)
    return Paging(skip)


def page_limit(skip: Expression, limit: Expression | None, span: Span, context: Context) -> Paging:
    _of_sql("OFFSET before LIMIT", span, context)
    return Paging(skip, limit)


def page_fetch(skip: Expression, fetch: Paging) -> Paging:
    return fetch._replace(skip=skip)


def fetch_page(fetch: Paging) -> Paging:
    return fetch


def all_rows(_: str, span: Span, context: Context) -> None:
    _of_sql("LIMIT ALL", span, context)


def fetch(count: Expression | None, percent: str | None, *ties: str, span: Span, context: Context) -> Paging:
    _of_sql("FETCH FIRST", span, context)
    return Paging(None, count or Literal(1, span=span), percent is not None, bool(ties), True)


def _of_sql(what: str, span: Span, context: Context) -> None:
    """Refuse in GoogleSQL what all other dialects of SQL have."""
    if context.dialect in GOOGLE:
        raise refusal(f"{what} is not part of {GQL_DIALECTS[context.dialect]}", span, code="G021")


def from_first(
    _: str,
    table: TableExpression,
    chosen: Chosen | None,
    where: Expression | None,
    group_by: Grouped | None,
    having: Expression | None,
    qualify: Expression | None,
    span: Span,
    context: Context,
) -> Select:
    _of_sql("FROM before SELECT", Span(span.start, span.start + len("FROM")), context)
    distinct, items = chosen or (False, [Star(span=span)])
    grouping = group_by.grouping if group_by is not None else None
    made = Select(tuple(items), table, where, grouping, having, qualify, distinct, span=span)
    return replace(made, from_first=True, bare=chosen is None)


class Chosen(NamedTuple):
    """What stands behind SELECT."""

    distinct: bool
    items: list[Item | Star]


def chosen(_: str, quantifier: str | None, items: list[Item | Star]) -> Chosen:
    return Chosen(quantifier is not None and quantifier[0] in "dD", items)


def values(_: str, rows: list[ListOf], span: Span, context: Context) -> Values:
    _of_sql("VALUES", Span(span.start, span.start + len("VALUES")), context)
    for row in rows:
        if len(row.items) != len(rows[0].items):
            raise refusal("the rows of VALUES have different numbers of columns", row.span)
    return Values(tuple(rows), span=span)


def value_row(items: list[Expression], span: Span) -> ListOf:
    return ListOf(tuple(items), span=span)


# ------------------------------------------------------------------ SELECT


def select(
    _: str,
    hint: Span | None,
    quantifier: str | list[Expression] | None,
    form: str | None,
    items: list[Item | Star],
    table: TableExpression | None,
    where: Expression | None,
    group_by: Grouped | None,
    having: Expression | None,
    qualify: Expression | None,
    windows: list[NamedWindow] | None,
    span: Span,
) -> Select:
    distinct, first_of = _quantified(quantifier)
    grouping = group_by.grouping if group_by is not None else None
    named = tuple(windows or ())
    return Select(tuple(items), table, where, grouping, having, qualify, distinct, form, named, first_of, span=span)


def _quantified(quantifier: str | list[Expression] | None) -> tuple[bool, tuple[Expression, ...]]:
    """Whether it is DISTINCT, and the keys of DISTINCT ON."""
    if isinstance(quantifier, list):
        return False, tuple(quantifier)
    return quantifier is not None and quantifier[0] in "dD", ()


def distinct_on(word: str, keys: list[Expression], span: Span, context: Context) -> list[Expression]:
    if context.dialect not in _FIRST_OF:
        raise refusal("DISTINCT ON is of PostgreSQL and DuckDB alone", span)
    return keys


_FIRST_OF = frozenset(("pgq-postgres", "pgq-duckpgq"))


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


def windows(definitions: list[NamedWindow]) -> list[NamedWindow]:
    return definitions


def window_definition(name: str, window: Over, span: Span, context: Context) -> NamedWindow:
    text = context.text[window.span.start : window.span.end]
    return NamedWindow(name, text, window.base, window.partition, window.order, window.frame, span=span)


def window_name(name: str, span: Span) -> Over:
    return Over(name, (), (), "", span)


def window(window: Over) -> Over:
    return window


# ------------------------------------------------------------------ tables


class Alias(NamedTuple):
    """What stands behind AS."""

    name: str
    columns: tuple[str, ...] = ()


def table_alias(name: str, columns: list[str] | None) -> Alias:
    return Alias(name, tuple(columns or ()))


def table(
    source: TableExpression,
    hint: Span | None,
    alias: Alias | None,
    position: tuple[str, str] | None,
    span: Span,
    context: Context,
) -> TableExpression:
    if isinstance(source, TableOperation) and source.kind in ("call", "json_table") and context.dialect not in GOOGLE:
        named = None if alias is None or alias.columns else alias.name
        return replace(source, alias=named, text=context.text[span.start : span.end], span=span)
    if not isinstance(source, (GraphTable, TableName, DerivedTable, UnnestTable)):
        if alias is not None or position is not None:
            raise refusal("tables in parentheses have no alias", span)
        return source
    made: TableExpression = source
    if alias is not None:
        if alias.columns:
            _of_sql("a list of columns behind an alias", span, context)
        made = replace(source, alias=alias.name, columns=alias.columns, span=span)
    if position is None:
        return made
    if isinstance(made, TableName):
        return TableOperation("offset", made, "WITH OFFSET", span=span)
    if not isinstance(made, UnnestTable):
        raise refusal("WITH OFFSET stands behind UNNEST", span)
    return replace(made, offset=position[1], span=span)


def lateral_table(source: TableExpression, span: Span, context: Context) -> TableExpression:
    _of_sql("LATERAL", Span(span.start, span.start + len("LATERAL")), context)
    if isinstance(source, (GraphTable, DerivedTable, UnnestTable)):
        return replace(source, lateral=True, span=span)
    if isinstance(source, TableOperation):
        return replace(source, text=context.text[span.start : span.end], span=span)
    raise refusal("LATERAL stands before a query or a function", span)


def table_name(name: GraphName, span: Span) -> TableName:
    return TableName(name.name, span=span)


def table_call(
    name: GraphName, arguments: list[Expression] | None, place: str | None, span: Span, context: Context
) -> TableOperation:
    if place is not None:
        _of_sql("WITH ORDINALITY", span, context)
    return TableOperation("call", None, context.text[span.start : span.end], span=span)


def unnest_table(source: Expression, place: str | None, span: Span, context: Context) -> UnnestTable:
    if place is not None:
        _of_sql("WITH ORDINALITY", span, context)
    return UnnestTable(source, ordinality=place is not None, span=span)


class JsonColumn(NamedTuple):
    """A column of JSON_TABLE; without a type it is the place of the row."""

    name: str
    type: ValueType | None = None
    path: str | None = None
    has_words: bool = False


def json_field(name: str, kind: ValueType, path: str | None, words: Any) -> JsonColumn:
    return JsonColumn(name, kind, path, has_words=words is not None)


def json_place(name: str, _: str) -> JsonColumn:
    return JsonColumn(name)


def json_table(
    _: str, value: Expression, path: str, words: Any, columns: list[JsonColumn], span: Span, context: Context
) -> TableOperation:
    """JSON_TABLE; what it reads is told where it is the elements of an array, and their places."""
    _of_sql("JSON_TABLE", span, context)
    made = TableOperation("json_table", None, context.text[span.start : span.end], span=span)
    field, *places = columns
    texts = (path, field.path)
    if texts not in (("'$[*]'", "'$'"),) or field.has_words or len(places) > 1 or any(each.type for each in places):
        return made
    return replace(made, value=value, names=tuple([each.name for each in columns]), type=field.type)


def derived_table(body: Body, span: Span) -> DerivedTable:
    return DerivedTable(body, span=span)


def comma_join(left: TableExpression, right: TableExpression, span: Span) -> Join:
    return Join("cross", left, right, keyword=",", span=span)


def join(
    left: TableExpression,
    natural: str | None,
    kind: str,
    hint: Span | None,
    right: TableExpression,
    condition: Expression | tuple[str, ...] | None,
    span: Span,
    context: Context,
) -> Join:
    if natural is not None:
        _of_sql("NATURAL JOIN", span, context)
        if condition is not None or kind == "cross":
            raise refusal("NATURAL JOIN has no condition", span)
        return Join(kind, left, right, natural=True, span=span)
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


def apply(left: TableExpression, word: str, right: TableExpression, span: Span, context: Context) -> Join:
    _of_sql("APPLY", span, context)
    kind = "cross" if word[0] in "cC" else "left"
    if isinstance(right, (GraphTable, DerivedTable, UnnestTable)):
        right = replace(right, lateral=True)
    return Join(kind, left, right, keyword="APPLY", span=span)


def join_kind(word: str) -> str:
    return word.lower()


def plain_join() -> str:
    return "inner"


def join_on(condition: Expression) -> Expression:
    return condition


def join_using(names: list[str]) -> tuple[str, ...]:
    return tuple(names)


def graph_as_string(text: str, span: Span, context: Context) -> GraphName:
    """A string in the place of the name: told by the checks of the dialects that have no name in such quotes."""
    if context.dialect in GOOGLE:
        name = text[1:-1]
        fix = Fix(f"write {name}", (Edit(span.start, span.end, name),), True) if name.isidentifier() else None
        raise refusal(
            "a string is no name of a graph", span, hint="write the name without quotes", code="G024", fix=fix
        )
    return GraphName((text[1:-1],), span=span)


def moment(words: str, value: Expression, span: Span, context: Context) -> Moment:
    if not context.dialect.startswith("pgq-oracle"):
        raise refusal(f"AS OF is not part of {GQL_DIALECTS[context.dialect]}", span, code="G021")
    return Moment(words.rsplit(maxsplit=1)[-1].lower(), value, span=span)


def _other_clause(body: Body, context: Context) -> Refusal:
    """What a graph table holds beside one MATCH, where it is no table of GQL."""
    operators = body.operators if isinstance(body, Pipeline) else ()
    one = bool(operators) and isinstance(operators[0], Match) and not operators[0].optional
    at = operators[1] if one and len(operators) > 1 else body
    return refusal(
        f"a graph table of {GQL_DIALECTS[context.dialect]} holds MATCH, WHERE and COLUMNS, and no other clause",
        at.span,
        hint="write `COLUMNS (..)` behind the pattern, and what else is asked around GRAPH_TABLE",
        fix=_columns_for(at) if len(operators) == 2 else None,
    )


def _columns_for(returned: Node) -> Fix | None:
    """COLUMNS in the place of a RETURN of nothing but items."""
    if not isinstance(returned, Project) or returned.span is None or not returned.items:
        return None
    first, last = returned.items[0].span, returned.items[-1].span
    plain = replace(returned, items=(), final=False) == Project(())
    if not plain or first is None or last is None or last.end != returned.span.end:
        return None
    edits = (Edit(returned.span.start, first.start, "COLUMNS ("), Edit(last.end, last.end, ")"))
    return Fix("write COLUMNS for RETURN", edits, True)


def graph_table(
    _: str, graph: GraphName, moment: Moment | None, body: Body, span: Span, context: Context
) -> GraphTable:
    alone = isinstance(body, Pipeline) and len(body.operators) == 1 and isinstance(body.operators[0], Match)
    if alone and not body.operators[0].optional:  # type: ignore[attr-defined]
        return GraphTable(of_a_graph(graph, context), body, None, True, moment=moment, span=span)
    if context.dialect in SQL_PGQ:
        raise _other_clause(body, context)
    unfinished(body, Span(span.end - 1, span.end))
    return GraphTable(of_a_graph(graph, context), body, span=span)


def graph_columns(
    _: str,
    graph: GraphName,
    moment: Moment | None,
    match: Match,
    rows: RowShape | None,
    columns: Project,
    span: Span,
    context: Context,
) -> GraphTable:
    if match.optional:
        raise refusal("COLUMNS does not stand behind OPTIONAL MATCH", columns.span, hint="write RETURN")
    whole = Span(match.span.start, columns.span.end) if match.span and columns.span else span
    body = Pipeline((match, columns), span=whole)
    return GraphTable(of_a_graph(graph, context), body, rows=rows, moment=moment, keyword="COLUMNS", span=span)


def row_shape(words: str, variables: list[str] | None, *paths: Any, span: Span, context: Context) -> RowShape:
    _of_sql("ONE ROW PER", span, context)
    kind = words.rsplit(maxsplit=1)[-1].lower()
    listed = paths[-1] if paths else None
    return RowShape("vertex" if kind == "node" else kind, tuple(variables or ()), tuple(listed or ()), span=span)


def columns(items: list[Item | Star], comma: str | None, span: Span, context: Context) -> Project:
    if comma is not None and context.dialect != "pgq-duckpgq":
        raise refusal("no comma stands behind the last column", Span(span.end - 1, span.end))
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
