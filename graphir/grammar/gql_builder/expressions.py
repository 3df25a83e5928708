"""Builds expressions of GQL: operators, calls, subqueries."""

from __future__ import annotations

from typing import Any

from graphir.dialects import GQL_DIALECTS, SQL_PGQ
from graphir.grammar.builder.context import Context, refusal
from graphir.ir import (
    Apply,
    ArraySlice,
    Body,
    Branch,
    Call,
    Case,
    Cast,
    Collated,
    Expression,
    GraphName,
    HasLabels,
    Index,
    IsNormalized,
    IsTyped,
    LabelExpression,
    ListOf,
    Match,
    Path,
    Pipeline,
    SqlOperator,
    Subquery,
    Use,
    ValueType,
)
from graphir.source import Span

# ------------------------------------------------------------------ operators


def disjunction(first: Expression, rest: list[Expression], span: Span) -> Apply:
    return Apply("or", (first, *rest), span=span)


def exclusive(first: Expression, rest: list[Expression], span: Span, context: Context) -> Apply:
    context.use("XOR", span)
    return Apply("xor", (first, *rest), span=span)


def conjunction(first: Expression, rest: list[Expression], span: Span) -> Apply:
    return Apply("and", (first, *rest), span=span)


def negation(_: str, operand: Expression, span: Span) -> Apply:
    return Apply("not", (operand,), span=span)


_COMPARISONS = {"=": "eq", "<>": "ne", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}


def comparison(left: Expression, operator: str, right: Expression, span: Span, context: Context) -> Apply:
    if operator == "!=":
        context.use("!=", span)
    return Apply(_COMPARISONS[operator], (left, right), span=span)


def _test(negated: str | None, function: str, span: Span, *args: Expression) -> Apply:
    test = Apply(function, args, span=span)
    return Apply("not", (test,), span=span) if negated else test


def like(left: Expression, negated: str | None, right: Expression, span: Span, context: Context) -> Expression:
    context.use("LIKE", span)
    return _test(negated, "like", span, left, right)


def contains(left: Expression, negated: str | None, right: Expression, span: Span, context: Context) -> Expression:
    context.use("CONTAINS", span)
    return _test(negated, "contains", span, left, right)


def starts_with(left: Expression, negated: str | None, right: Expression, span: Span, context: Context) -> Expression:
    context.use("STARTS WITH", span)
    return _test(negated, "starts_with", span, left, right)


def ends_with(left: Expression, negated: str | None, right: Expression, span: Span, context: Context) -> Expression:
    context.use("STARTS WITH", span)
    return _test(negated, "ends_with", span, left, right)


def like_list(
    left: Expression,
    negated: str | None,
    kind: str,
    hint: Span | None,
    items: list[Expression],
    span: Span,
    context: Context,
) -> Expression:
    return like_array(left, negated, kind, hint, ListOf(tuple(items), span=span), span, context)


def like_array(
    left: Expression,
    negated: str | None,
    kind: str,
    hint: Span | None,
    source: Expression,
    span: Span,
    context: Context,
) -> Expression:
    context.use("LIKE", span)
    return _test(negated, "like_all" if kind[1] in "lL" else "like_any", span, left, source)


def like_escape(
    left: Expression, negated: str | None, right: Expression, escape: Expression, span: Span, context: Context
) -> Expression:
    of_sql("LIKE with ESCAPE", escape.span or span, context)
    return _test(negated, "like", span, left, right, escape)


def ilike(left: Expression, negated: str | None, right: Expression, span: Span, context: Context) -> Expression:
    of_sql("ILIKE", span, context)
    return _test(negated, "ilike", span, left, right)


def similar(left: Expression, negated: str | None, right: Expression, span: Span, context: Context) -> Expression:
    of_sql("SIMILAR TO", span, context)
    return _test(negated, "similar", span, left, right)


def quantified_array(
    left: Expression, operator: str, kind: str, source: Expression, span: Span, context: Context
) -> Expression:
    of_sql("a comparison with ANY or ALL", span, context)
    return _with_each(left, operator, kind, source, span)


def quantified_sql(left: Expression, operator: str, kind: str, sql: Body, span: Span, context: Context) -> Expression:
    of_sql("a comparison with ANY or ALL", span, context)
    return _quantified(left, operator, kind, Subquery("collect", sql, span=span), span)


def _quantified(left: Expression, operator: str, kind: str, source: Expression, span: Span) -> Expression:
    """`= ANY` is IN, `<> ALL` is NOT IN."""
    made = _with_each(left, operator, kind, source, span)
    if made.function == "eq_any":
        return Apply("in", (left, source), span=span)
    return _test("NOT", "in", span, left, source) if made.function == "ne_all" else made


def _with_each(left: Expression, operator: str, kind: str, source: Expression, span: Span) -> Apply:
    return Apply(f"{_COMPARISONS[operator]}_{'all' if kind[1] in 'lL' else 'any'}", (left, source), span=span)


def of_sql(what: str, span: Span, context: Context) -> None:
    """Refuse where there is no SQL but GoogleSQL's what the other dialects of SQL have."""
    if context.dialect not in SQL_PGQ:
        raise refusal(f"{what} is not part of {GQL_DIALECTS[context.dialect]}", span, code="G021")


def between(
    value: Expression, negated: str | None, low: Expression, high: Expression, span: Span, context: Context
) -> Expression:
    context.use("BETWEEN", span)
    return _test(negated, "between", span, value, low, high)


def membership(left: Expression, negated: str | None, right: Expression, span: Span, context: Context) -> Expression:
    context.use("IN list", span)
    if context.dialect == "pgq-duckpgq" and isinstance(right, ListOf):
        found = Call(("list_contains",), (right, left), span=span)
        return Apply("not", (found,), span=span) if negated else found
    return _test(negated, "in", span, left, right)


def membership_array(
    left: Expression, negated: str | None, hint: Span | None, source: Expression, span: Span, context: Context
) -> Expression:
    context.use("IN UNNEST", span)
    return _test(negated, "in", span, left, source)


def membership_list(
    left: Expression, negated: str | None, items: list[Expression], span: Span, context: Context
) -> Expression:
    context.use("IN (..)", span)
    return _test(negated, "in", span, left, ListOf(tuple(items), span=span))


def membership_query(
    left: Expression,
    negated: str | None,
    hint: Span | None,
    graph: GraphName | None,
    body: Body,
    span: Span,
    context: Context,
) -> Expression:
    context.use("IN { .. }", span)
    return _test(negated, "in", span, left, Subquery("collect", in_graph(graph, body), span=span))


def membership_sql(left: Expression, negated: str | None, sql: Body, span: Span, context: Context) -> Expression:
    context.use("SQL", sql.span or span)
    return _test(negated, "in", span, left, Subquery("collect", sql, span=span))


def is_truth(operand: Expression, negated: str | None, truth: str, span: Span, context: Context) -> Expression:
    word = truth.lower()
    if word in _FLOATS:
        of_sql(f"IS {truth.upper()}", span, context)
        return _test(negated, _FLOATS[word], span, operand)
    if word == "null":
        return Apply("is_not_null" if negated else "is_null", (operand,), span=span)
    return _test(negated, f"is_{word}", span, operand)


_FLOATS = {"nan": "isNaN", "infinite": "is_inf"}


def is_distinct(left: Expression, negated: str | None, right: Expression, span: Span, context: Context) -> Expression:
    context.use("IS DISTINCT FROM", span)
    return _test(negated, "is_distinct", span, left, right)


def is_labeled(base: Expression, negated: str | None, labels: LabelExpression, span: Span) -> Expression:
    test = HasLabels(base, labels, span=span)
    return Apply("not", (test,), span=span) if negated else test


def is_end(node: Expression, negated: str | None, end: str, edge: Expression, span: Span) -> Expression:
    return _test(negated, "is_source" if end[0] in "sS" else "is_destination", span, node, edge)


def is_directed(edge: Expression, negated: str | None, span: Span, context: Context) -> Expression:
    context.use("IS DIRECTED", span)
    return _test(negated, "is_directed", span, edge)


def is_normalized(
    operand: Expression, negated: str | None, form: str | None, span: Span, context: Context
) -> Expression:
    context.use("IS NORMALIZED", span)
    test = IsNormalized(operand, (form or "NFC").upper(), span=span)
    return Apply("not", (test,), span=span) if negated else test


def is_typed(operand: Expression, negated: str | None, type_: ValueType, span: Span, context: Context) -> Expression:
    context.use("IS TYPED", span)
    test = IsTyped(operand, type_, span=span)
    return Apply("not", (test,), span=span) if negated else test


def has_labels(base: Expression, labels: LabelExpression, span: Span, context: Context) -> HasLabels:
    context.use("label predicate :", span)
    return HasLabels(base, labels, span=span)


def bit_or(first: Expression, rest: list[Expression], span: Span, context: Context) -> Apply:
    return _bits("bit_or", first, rest, span, context)


def bit_xor(first: Expression, rest: list[Expression], span: Span, context: Context) -> Apply:
    return _bits("bit_xor", first, rest, span, context)


def bit_and(first: Expression, rest: list[Expression], span: Span, context: Context) -> Apply:
    return _bits("bit_and", first, rest, span, context)


def _bits(function: str, first: Expression, rest: list[Expression], span: Span, context: Context) -> Apply:
    context.use("bit operator", span)
    made = first
    for operand in rest:
        made = Apply(function, (made, operand), span=span)
    assert isinstance(made, Apply)
    return made


def shift(first: Expression, rest: list[Any], span: Span, context: Context) -> Expression:
    context.use("bit operator", span)
    return _left(first, rest, span)


_ARITHMETIC = {
    "+": "add",
    "-": "sub",
    "*": "mul",
    "/": "div",
    "%": "mod",
    "||": "concat",
    "<<": "shift_left",
    ">>": "shift_right",
}


def sum_(first: Expression, rest: list[Any], span: Span) -> Expression:
    return _left(first, rest, span)


def product(first: Expression, rest: list[Any], span: Span, context: Context) -> Expression:
    if "%" in rest[::2]:
        context.use("%", span)
    return _left(first, rest, span)


def _left(first: Expression, rest: list[Any], span: Span) -> Expression:
    """Folds from the left; `/` is the quotient of SQL, which has a fraction, where a dialect says so.

    What is no operator of arithmetic is one of a database.
    """
    made = first
    for operator, operand in zip(rest[::2], rest[1::2], strict=True):
        whole = Span(span.start, operand.span.end if operand.span else span.end)
        if operator in _ARITHMETIC:
            made = Apply(_ARITHMETIC[operator], (made, operand), span=whole)
        else:
            made = SqlOperator(_operator(operator), made, operand, span=whole)
    return made


def _operator(spelled: str) -> str:
    """An operator without blanks, or its words in upper case."""
    parts = spelled.split()
    return " ".join(parts).upper() if parts[0][0].isalpha() else "".join(parts)


def concat(first: Expression, rest: list[Any], span: Span) -> Expression:
    return _left(first, rest, span)


def collated(value: Expression, collation: GraphName, span: Span, context: Context) -> Collated:
    if context.dialect not in SQL_PGQ:
        raise refusal("COLLATE is not supported", collation.span, code="G061")
    return Collated(value, collation.name, span=span)


def collation_text(text: str, span: Span) -> GraphName:
    return GraphName((text,), span=span)


def colon_cast(value: Expression, type_: ValueType, span: Span, context: Context) -> Cast:
    of_sql("`::`", type_.span or span, context)
    return Cast(value, type_, keyword="::", span=span)


def unary(sign: str, operand: Expression, span: Span, context: Context) -> Apply:
    if sign == "~":
        context.use("bit operator", span)
    return Apply({"-": "neg", "+": "pos", "~": "bit_not"}[sign], (operand,), span=span)


# ------------------------------------------------------------------ parts of values


def index(base: Expression, at: Expression, span: Span, context: Context) -> Expression:
    """`[OFFSET(i)]`, `[ORDINAL(i)]` and their SAFE_ forms count from 0 and from 1."""
    if isinstance(at, Call) and len(at.name) == 1 and len(at.args) == 1:
        function = _ACCESS.get(at.name[0].upper())
        if function is not None:
            return Apply(function, (base, at.args[0]), span=span)
    context.use("[..] without OFFSET", span)
    if isinstance(base, ArraySlice):
        _require_brackets(base, span, context)
    return Index(base, at, span=span)


def array_slice(
    base: Expression, low: Expression | None, high: Expression | None, span: Span, context: Context
) -> ArraySlice:
    of_sql("a slice", span, context)
    if isinstance(base, (Index, ArraySlice)):
        _require_brackets(base, span, context)
    return ArraySlice(base, low, high, span=span)


def _require_brackets(base: Expression, span: Span, context: Context) -> None:
    """In PostgreSQL and Hyper `a[1:2][1]` is a slice of two dimensions, `a[1:2][1:1]`; `(a[1:2])[1]` is an element."""
    is_bare = base.span is not None and base.span.start == span.start
    if is_bare and context.dialect in WITH_DIMENSIONS:
        told = "subscripts of which one is a slice are dimensions of an array: that is not read yet"
        raise refusal(told, span, hint="write brackets around the list: `(a[1:2])[1]`", code="G061")


WITH_DIMENSIONS = frozenset(("pgq-postgres", "pgq-hyper"))
"""Where only a name, or what stands in brackets, has subscripts, which are the dimensions of an array."""


_ACCESS = {
    "OFFSET": "at_offset",
    "SAFE_OFFSET": "at_safe_offset",
    "ORDINAL": "at_ordinal",
    "SAFE_ORDINAL": "at_safe_ordinal",
}


def expressions(items: list[Expression]) -> list[Expression]:
    return items


def names(given: list[str]) -> list[str]:
    return given


# ------------------------------------------------------------------ CASE


def case(subject: Expression | None, *rest: Any, span: Span) -> Case:
    *_, branches, default = rest
    return Case(subject, tuple(branches), default, span=span)


def when(test: Expression, result: Expression, span: Span) -> Branch:
    return Branch((test,), result, span=span)


# ------------------------------------------------------------------ subqueries


def in_graph(graph: GraphName | None, body: Body) -> Body:
    """The body, working on that graph."""
    if graph is None:
        return body
    use = Use(graph, span=graph.span)
    if isinstance(body, Pipeline):
        return Pipeline((use, *body.operators), span=body.span)
    return Pipeline((use, *_called(body)), span=body.span)


def _called(body: Body) -> tuple[Any, ...]:
    from graphir.ir import SubqueryCall

    return (SubqueryCall(body, (), span=body.span),)


def subquery(
    keyword: str, hint: Span | None, graph: GraphName | None, body: Body, span: Span, context: Context
) -> Subquery:
    return Subquery("exists", in_graph(graph, body), span=span)


def pattern_subquery(
    keyword: str,
    hint: Span | None,
    graph: GraphName | None,
    mode: str | None,
    paths: tuple[Path, ...],
    where: Expression | None,
    span: Span,
    context: Context,
) -> Subquery:
    start, end = paths[0].span or span, (where.span if where is not None else paths[-1].span) or span
    inner = Span(start.start, end.end)
    match = Match(paths, where, False, mode or default_mode(context), stated=mode is not None, span=inner)
    return Subquery("exists", in_graph(graph, Pipeline((match,), span=inner)), span=span)


def exists_query(keyword: str, hint: Span | None, body: Body, span: Span, context: Context) -> Subquery:
    context.use("EXISTS (..)", span)
    return Subquery("exists", body, span=span)


def exists_pattern(
    keyword: str,
    hint: Span | None,
    paths: tuple[Path, ...],
    where: Expression | None,
    span: Span,
    context: Context,
) -> Subquery:
    context.use("EXISTS (..)", span)
    return pattern_subquery(keyword, hint, None, None, paths, where, span, context)


def exists_sql(keyword: str, hint: Span | None, sql: Body, span: Span, context: Context) -> Subquery:
    context.use("SQL", sql.span or span)
    return Subquery("exists", sql, span=span)


def value_subquery(
    keyword: str, hint: Span | None, graph: GraphName | None, body: Body, span: Span, context: Context
) -> Subquery:
    kind = {"V": "value", "C": "count", "A": "collect"}[keyword[0].upper()]
    context.use({"value": "VALUE { .. }", "count": "COUNT { .. }", "collect": "ARRAY { .. }"}[kind], span)
    return Subquery(kind, in_graph(graph, body), span=span)


def soup(*_: Any) -> None:
    """A token of SQL."""


def balanced(_: list[Any]) -> None:
    """Tokens of SQL between brackets."""


def sql_value(sql: Body, span: Span, context: Context) -> Subquery:
    context.use("SQL", sql.span or span)
    return Subquery("value", sql, span=span)


def array_sql(hint: Span | None, sql: Body, span: Span, context: Context) -> Subquery:
    context.use("SQL", sql.span or span)
    return Subquery("collect", sql, span=span)


def default_mode(context: Context) -> str:
    """The match mode where none is written."""
    return "different_edges" if context.dialect == "gql-neo4j-25" else "repeatable_elements"
