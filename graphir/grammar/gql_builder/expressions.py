"""Builds expressions of GQL: operators, calls, subqueries."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from graphir.dialects import GQL_DIALECTS, SQL_PGQ
from graphir.grammar.builder.context import Context, refusal
from graphir.grammar.gql_words import NAMES
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
    Filtered,
    GraphName,
    HasLabels,
    Index,
    IsNormalized,
    IsTyped,
    Item,
    LabelExpression,
    Lambda,
    ListOf,
    Match,
    Modified,
    Named,
    Node,
    Order,
    Page,
    Path,
    Pipeline,
    Property,
    Ref,
    SortKey,
    SqlOperator,
    Struct,
    Subquery,
    Use,
    ValueType,
    Window,
    Within,
    WordedCall,
    rewrite_down,
    walk,
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
    _of_sql("LIKE with ESCAPE", escape.span or span, context)
    return _test(negated, "like", span, left, right, escape)


def ilike(left: Expression, negated: str | None, right: Expression, span: Span, context: Context) -> Expression:
    _of_sql("ILIKE", span, context)
    return _test(negated, "ilike", span, left, right)


def similar(left: Expression, negated: str | None, right: Expression, span: Span, context: Context) -> Expression:
    _of_sql("SIMILAR TO", span, context)
    return _test(negated, "similar", span, left, right)


def quantified_array(
    left: Expression, operator: str, kind: str, source: Expression, span: Span, context: Context
) -> Expression:
    _of_sql("a comparison with ANY or ALL", span, context)
    return _quantified(left, operator, kind, source, span)


def quantified_sql(left: Expression, operator: str, kind: str, sql: Body, span: Span, context: Context) -> Expression:
    _of_sql("a comparison with ANY or ALL", span, context)
    return _quantified(left, operator, kind, Subquery("collect", sql, span=span), span)


def _quantified(left: Expression, operator: str, kind: str, source: Expression, span: Span) -> Expression:
    """`= ANY` is IN, `<> ALL` is NOT IN."""
    function, every = _COMPARISONS[operator], kind[1] in "lL"
    if function == "eq" and not every:
        return Apply("in", (left, source), span=span)
    if function == "ne" and every:
        return _test("NOT", "in", span, left, source)
    return Apply(f"{function}_{'all' if every else 'any'}", (left, source), span=span)


def _of_sql(what: str, span: Span, context: Context) -> None:
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
        _of_sql(f"IS {truth.upper()}", span, context)
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
    """Folds from the left; `/` is the quotient of SQL, which has a fraction, where a dialect says so."""
    made = first
    for at in range(0, len(rest), 2):
        end = rest[at + 1].span.end if rest[at + 1].span else span.end
        made = Apply(_ARITHMETIC[rest[at]], (made, rest[at + 1]), span=Span(span.start, end))
    return made


def concat(first: Expression, rest: list[Any], span: Span) -> Expression:
    made = first
    for operator, operand in zip(rest[::2], rest[1::2], strict=True):
        whole = Span(span.start, operand.span.end if operand.span else span.end)
        made = (
            Apply("concat", (made, operand), span=whole)
            if operator == "||"
            else SqlOperator("".join(operator.split()), made, operand, span=whole)
        )
    return made


def collated(value: Expression, collation: GraphName, span: Span, context: Context) -> Collated:
    if context.dialect not in SQL_PGQ:
        raise refusal("COLLATE is not supported", collation.span, code="G061")
    return Collated(value, collation.name, span=span)


def collation_text(text: str, span: Span) -> GraphName:
    return GraphName((text,), span=span)


def colon_cast(value: Expression, type_: ValueType, span: Span, context: Context) -> Cast:
    _of_sql("`::`", type_.span or span, context)
    return Cast(value, type_, keyword="::", span=span)


def unary(sign: str, operand: Expression, span: Span, context: Context) -> Apply:
    if sign == "~":
        context.use("bit operator", span)
    return Apply({"-": "neg", "+": "pos", "~": "bit_not"}[sign], (operand,), span=span)


# ------------------------------------------------------------------ properties and calls


def index(base: Expression, at: Expression, span: Span, context: Context) -> Expression:
    """`[OFFSET(i)]`, `[ORDINAL(i)]` and their SAFE_ forms count from 0 and from 1."""
    if isinstance(at, Call) and len(at.name) == 1 and len(at.args) == 1:
        function = _ACCESS.get(at.name[0].upper())
        if function is not None:
            return Apply(function, (base, at.args[0]), span=span)
    context.use("[..] without OFFSET", span)
    return Index(base, at, span=span)


def array_slice(
    base: Expression, low: Expression | None, high: Expression | None, span: Span, context: Context
) -> ArraySlice:
    _of_sql("a slice", span, context)
    return ArraySlice(base, low, high, span=span)


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


def arguments(given: list[Expression]) -> list[Expression]:
    return given


class CallBody(NamedTuple):
    """What stands in the brackets of a call."""

    star: bool = False
    distinct: bool = False
    args: tuple[Expression, ...] = ()
    nulls: str | None = None
    having: tuple[str, Expression] | None = None
    order: tuple[SortKey, ...] = ()
    limit: Expression | None = None
    words: tuple[str, ...] = ()
    returned: ValueType | None = None


NOTHING = CallBody()


def star_body(_: str) -> CallBody:
    return CallBody(star=True)


def call_body(
    quantifier: str | None,
    args: list[Expression],
    nulls: str | None,
    having: tuple[str, Expression] | None,
    order: Order | None,
    limit: Page | None,
    clauses: CallBody | None,
) -> CallBody:
    distinct = quantifier is not None and quantifier[0] in "dD"
    keys = order.keys if order is not None else ()
    made = (clauses or NOTHING)._replace(distinct=distinct, args=tuple(args), nulls=nulls, having=having, order=keys)
    return made._replace(limit=limit.limit if limit is not None else None)


def only_clauses(clauses: CallBody) -> CallBody:
    return clauses


def call_clauses(clauses: list[str | ValueType]) -> CallBody:
    words = [each for each in clauses if isinstance(each, str)]
    types = [each for each in clauses if not isinstance(each, str)]
    return CallBody(words=tuple(words) or ("RETURNING",), returned=types[-1] if types else None)


def json_clause(words: str) -> str:
    return " ".join(words.upper().split())


def returning(type_: ValueType) -> ValueType:
    return type_


def from_body(value: Expression, first: Expression, length: Expression | None) -> CallBody:
    rest = () if length is None else (length,)
    return CallBody(args=(value, first, *rest), words=("FROM", *["FOR" for _ in rest]))


def trim_body(side: str, characters: Expression | None, value: Expression) -> CallBody:
    return CallBody(args=(value,) if characters is None else (value, characters), words=(side.upper(), "FROM"))


def placing_body(value: Expression, placed: Expression, first: Expression, length: Expression | None) -> CallBody:
    rest = () if length is None else (length,)
    return CallBody(args=(value, placed, first, *rest), words=("PLACING", "FROM", *["FOR" for _ in rest]))


def null_handling(word: str) -> str:
    return word.lower()


def having(kind: str, value: Expression) -> tuple[str, Expression]:
    return kind.lower(), value


def lambda_argument(left: Expression, _: str, body: Expression, span: Span) -> Lambda:
    """The names stand alone or in brackets, where they look like a record."""
    names: tuple[Expression, ...] = (left,)
    if isinstance(left, Struct) and not any(field.name for field in left.fields):
        names = tuple([field.value for field in left.fields])
    if not all(type(each) is Ref for each in names):
        raise refusal("a lambda begins with names", left.span, hint="write `x -> ..` or `(x, i) -> ..`")
    return Lambda(tuple([each.name for each in names if type(each) is Ref]), body, span=span)


def named_argument(name: str, value: Expression, span: Span) -> Named:
    return Named(name, value, span=span)


def keyed_argument(key: Expression, value: Expression, span: Span, context: Context) -> Keyed:
    _of_sql("a key with its value", span, context)
    return Keyed(key, value)


class Keyed(NamedTuple):
    """`key VALUE value` among the arguments of a call."""

    key: Expression
    value: Expression


def aliased_argument(value: Expression, _: str, name: str, span: Span) -> Named:
    return Named(name, value, span=span)


def graph_argument(graph: GraphName) -> GraphName:
    return graph


def table_argument(table: GraphName, span: Span) -> Expression:
    raise refusal("a table as an argument is not supported", span, code="G061")


def unnest(source: Expression) -> Expression:
    return source


def within(_: str, order: Order) -> tuple[SortKey, ...]:
    return order.keys


def only(_: str, where: Expression) -> Expression:
    return where


def call_expression(
    base: Expression,
    body: CallBody | None,
    within: tuple[SortKey, ...] | None,
    only: Expression | None,
    over: Span | None,
    span: Span,
    context: Context,
) -> Expression:
    parts: list[str] = []
    inner = base
    while type(inner) is Property:
        parts.append(inner.key)
        inner = inner.base
    if type(inner) is not Ref:
        raise refusal("only a function can be called", base.span)
    parts.append(inner.name)
    parts.reverse()
    if within is None and only is None:
        return _call(tuple(parts), body or NOTHING, over, span, context)
    made = _call(tuple(parts), body or NOTHING, None, span, context)
    if within is not None:
        _of_sql("WITHIN GROUP", within[0].span or span, context)
        made = Within(made, within, span=span)
    if only is not None:
        _of_sql("FILTER", only.span or span, context)
        made = Filtered(made, only, span=span)
    return made if over is None else _window(made, over, span, context)


def word_call(word: str, body: CallBody, span: Span, context: Context) -> Expression:
    return _call((word,), body, None, span, context)


def _worded(spelled: str, body: CallBody, span: Span, context: Context) -> WordedCall:
    """A call with words between its arguments."""
    _of_sql("a call with words between its arguments", span, context)
    keyed = [each for each in body.args if isinstance(each, Keyed)]
    allowed = _WORDED.get(spelled, frozenset())
    if spelled not in (_KEYED if keyed else _JSON_CALLS) and (keyed or not allowed.issuperset(body.words)):
        raise refusal(f"{spelled} has no words between its arguments", span)
    args = list(body.args)
    if args and body.order and not keyed:
        args[0] = Modified(args[0], order=body.order, span=args[0].span)
    flat = [part for each in args for part in (each if isinstance(each, Keyed) else (each,))]
    words = body.words if not keyed else ("VALUE", *body.words)
    text = context.text[span.start : span.end]
    return WordedCall(spelled, tuple(flat), words, body.returned, body.distinct, text=text, span=span)


_JSON_CALLS = frozenset(
    (
        *("JSON_ARRAY", "JSON_ARRAYAGG", "JSON_OBJECT", "JSON_OBJECTAGG", "JSON_VALUE", "JSON_QUERY", "JSON_EXISTS"),
        *("JSON_SERIALIZE", "JSON_SCALAR", "JSON", "JSON_MERGEPATCH", "JSON_TRANSFORM"),
    )
)


_KEYED = frozenset(("JSON_OBJECT", "JSON_OBJECTAGG"))
_WORDED = {
    "TRIM": frozenset(("LEADING", "TRAILING", "BOTH", "FROM")),
    "SUBSTRING": frozenset(("FROM", "FOR")),
    "OVERLAY": frozenset(("PLACING", "FROM", "FOR")),
    "POSITION": frozenset(("IN",)),
}
"""Function -> the words that its arguments may have between them."""


def _position(body: CallBody) -> CallBody | None:
    """`POSITION(a IN b)`, which reads as a test."""
    match body.args:
        case (Apply("in", (part, ListOf((whole,)) | whole)),):
            return CallBody(args=(part, whole), words=("IN",))
    return None


def _call(name: tuple[str, ...], body: CallBody, over: Span | None, span: Span, context: Context) -> Expression:
    spelled = ".".join(name).upper()
    if spelled == "POSITION" and context.dialect in SQL_PGQ:
        body = _position(body) or body
    if body.words or any(isinstance(each, Keyed) for each in body.args):
        worded = _worded(spelled, body, span, context)
        return worded if over is None else _window(worded, over, span, context)
    if body.star:
        if spelled != "COUNT":
            raise refusal(f"only COUNT takes a star, not {spelled}", span)
        made: Expression = Apply("count_star", (), span=span)
    else:
        args = body.args
        if args and (body.nulls or body.having or body.order or body.limit is not None):
            kind, value = body.having or (None, None)
            first = Modified(args[0], body.nulls, kind, value, body.order, body.limit, span=args[0].span)
            args = (first, *args[1:])
        function = NAMES.get(spelled)
        made = (
            Call(name, args, body.distinct, span=span)
            if function is None
            else Apply(function, args, body.distinct, span=span)
        )
    return made if over is None else _window(made, over, span, context)


def _window(function: Expression, over: Span, span: Span, context: Context) -> Window:
    context.use("window", over)
    return Window(function, context.text[over.start : over.end], span=span)


def over(_: list[Node] | None, span: Span) -> Span:
    return span


def over_name(_: str, span: Span) -> Span:
    return span


def with_variable(name: str, value: Expression, span: Span) -> Item:
    return Item(value, name, span=span)


def with_expression(parts: list[Any], span: Span, context: Context) -> Expression:
    """`WITH(a AS 1, b AS a + 1, a + b)`: the last part, with the values in place of the names."""
    context.use("WITH(..)", span)
    *variables, result = parts
    if isinstance(result, Item) or not all(isinstance(each, Item) for each in variables):
        raise refusal("WITH(..) has names with values, and a value behind them", span)
    values: dict[str, Expression] = {}
    for each in variables:
        values[(each.name or "").lower()] = _substituted(each.value, values, span)
    return _substituted(result, values, span)


def _substituted(expression: Expression, values: dict[str, Expression], span: Span) -> Expression:
    def choose(part: Node) -> Node | None:
        if isinstance(part, (Lambda, Subquery)):
            raise refusal("a query or a lambda in WITH(..) is not supported", part.span, code="G061")
        value = values.get(part.name.lower()) if isinstance(part, Ref) else None
        return None if value is None else replace(value, span=part.span)

    if any(isinstance(part, Call) and part.name[-1].upper() in _VOLATILE for part in walk(expression)):
        raise refusal("what differs from call to call is not supported in WITH(..)", expression.span, code="G061")
    made = rewrite_down(expression, choose) if values else expression
    if sum(1 for _ in walk(made)) > MAX_WRITTEN_OUT:
        raise refusal("WITH(..) is too long when it is written out", span, code="G061")
    return made


_VOLATILE = frozenset(("RAND", "GENERATE_UUID"))
MAX_WRITTEN_OUT = 5000
"""The most nodes that an expression may have when names in it are replaced by their values."""


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
