"""Builds calls of GQL and SQL: arguments, what stands among and behind them, and the words of SQL between them."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, NamedTuple

from graphir.dialects import SQL_PGQ
from graphir.grammar.builder.context import Context, refusal
from graphir.grammar.gql_builder.expressions import of_sql
from graphir.grammar.gql_words import NAMES
from graphir.ir import (
    Apply,
    Call,
    Expression,
    Filtered,
    GraphName,
    Item,
    Lambda,
    ListOf,
    Modified,
    Named,
    Node,
    Order,
    Page,
    Property,
    Ref,
    SortKey,
    Struct,
    Subquery,
    ValueType,
    Window,
    Within,
    WordedCall,
    rewrite_down,
    walk,
)
from graphir.source import Span


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
    of_sql("a key with its value", span, context)
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
    over: Over | None,
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
        of_sql("WITHIN GROUP", within[0].span or span, context)
        made = Within(made, within, span=span)
    if only is not None:
        of_sql("FILTER", only.span or span, context)
        made = Filtered(made, only, span=span)
    return made if over is None else _window(made, over, span, context)


def word_call(word: str, body: CallBody, span: Span, context: Context) -> Expression:
    return _call((word,), body, None, span, context)


def _worded(spelled: str, body: CallBody, span: Span, context: Context) -> WordedCall:
    """A call with words between its arguments."""
    of_sql("a call with words between its arguments", span, context)
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


def _call(name: tuple[str, ...], body: CallBody, over: Over | None, span: Span, context: Context) -> Expression:
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


def _window(function: Expression, over: Over, span: Span, context: Context) -> Window:
    context.use("window", over.span)
    text = context.text[over.span.start : over.span.end]
    return Window(function, text, over.base, over.partition, over.order, over.frame, span=span)


class Over(NamedTuple):
    """What stands behind OVER."""

    base: str | None
    partition: tuple[Expression, ...]
    order: tuple[SortKey, ...]
    frame: str
    span: Span


def over(body: Over, span: Span) -> Over:
    return body._replace(span=span)


def over_name(name: str, span: Span) -> Over:
    return Over(name, (), (), "", span)


def window_body(
    base: str | None, partition: list[Expression] | None, order: Order | None, frame: str | None, span: Span
) -> Over:
    keys = order.keys if order is not None else ()
    return Over(base, tuple(partition or ()), keys, frame or "", span)


def partition(keys: list[Expression]) -> list[Expression]:
    return keys


def frame(_: str, rest: list[Node], span: Span, context: Context) -> str:
    return context.text[span.start : span.end]


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
