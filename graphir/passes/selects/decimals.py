"""Numbers with a point, which are decimal numbers in SQL and floats in graph queries: `0.1 + 0.2 = 0.3` is true there.

What constants alone make is computed here.  Where what is computed with a column shows a difference other than in its
last digits (it is compared, sorted, grouped, made whole or a text), it is no graph query; digits of results are told
(G578).  Facts: the references of PostgreSQL and Oracle, where such numbers are NUMERIC and NUMBER with an exponent too,
and of DuckDB and Hyper, where they are floats with one; PostgreSQL 18, DuckDB 2.0 and Hyper were asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace
from decimal import Context, Decimal, Inexact
from itertools import product

from graphir import ir
from graphir.ir import Apply, Cast, Expression, Literal, Node
from graphir.passes.selects import kinds as of
from graphir.passes.selects.kinds import Types, decimal_of
from graphir.passes.selects.operators import AS_POSTGRES, COMPARING, ORACLE
from graphir.passes.selects.scopes import NoGraphQuery

# ------------------------------------------------------------------ constants


def with_decimals(query: ir.Query, dialect: str) -> ir.Query:
    """The query with the values of what decimal numbers alone make."""
    if not any(decimal_of(node, dialect) is not None for node in ir.walk(query)):
        return query
    return ir.rewrite(query, lambda node: _folded(node, dialect))


def _folded(node: Node, dialect: str) -> Node:
    match node:
        case Apply("neg", (value,)) if (number := decimal_of(value, dialect)) is not None:
            return _literal(-number, node)
        case Apply(("add" | "sub" | "mul") as function, (left, right)):
            numbers = [decimal_of(each, dialect) for each in (left, right)]
            if numbers == [None, None]:
                return node
            given = [_whole(each) if known is None else known for each, known in zip(node.args, numbers, strict=True)]
            if given[0] is None or given[1] is None:
                return node
            try:
                return _literal(getattr(_EXACT, _METHODS[function])(given[0], given[1]), node)
            except Inexact:
                return node
    return node


_EXACT = Context(prec=60, traps=[Inexact])
_METHODS = {"add": "add", "sub": "subtract", "mul": "multiply"}


def _literal(number: Decimal, around: Expression) -> Literal:
    text = f"{number:f}"
    return Literal(float(number), text=text if "." in text else f"{text}.0", span=around.span)


def _whole(value: Expression) -> Decimal | None:
    number = value.value if isinstance(value, Literal) else None
    return Decimal(number) if isinstance(number, int) and not isinstance(number, bool) else None


# ------------------------------------------------------------------ quotients and casts


class Decimals:
    """The rules of a query whose types are known."""

    def __init__(self, types: Types) -> None:
        self.types = types
        self.dialect = types.dialect

    def rule(self, node: Node) -> Node:
        match node:
            case Apply("div", (left, right)):
                return self.quotient(node, left, right)
            case Apply("ieee_divide", (left, right)) if (
                self.dialect == "pgq-duckpgq" and self.types.of(right) <= of.WHOLE
            ):
                return replace(node, args=(left, pointed(right)))
            case Apply("percentileCont", (value, share)):
                return replace(node, args=(self.continuous(value), share))
            case Apply("signum", (value,)):
                return self.sign(node, value)
            case Cast(value, ir.ValueType("INTEGER")) if self.dialect in AS_POSTGRES and not isinstance(value, Literal):
                return self.whole(node, value)
            case Apply("round_away", (value, *_)) if self.dialect in ORACLE and self.types.of(value) & _MAY_BE_FLOAT:
                told = "a half is rounded to the even neighbour in a BINARY_DOUBLE, and away from zero in a NUMBER"
                raise NoGraphQuery(f"{told}: write FLOOR(x + 0.5)", node.span)
            case Cast(value, ir.ValueType("STRING")) if self.types.of(value) & of.DECIMALS:
                raise NoGraphQuery("the text of a decimal number has the digits of its type", node.span)
        return node

    def quotient(self, node: Apply, left: Expression, right: Expression) -> Expression:
        """That of decimal numbers has a fraction, also where they are whole: sums and parts of dates."""
        one, other = self.types.of(left), self.types.of(right)
        if not (one | other) & of.DECIMALS or any(decimal_of(each, self.dialect) for each in (left, right)):
            return node
        with_point = {bool({a, b} & (of.DECIMALS | {of.FLOAT})) for a, b in product(one, other)}
        if with_point == {True}:
            return replace(node, function="divide")
        told = "the quotient of a sum or of a part of a date has a fraction or not, by their types: write a CAST"
        raise NoGraphQuery(told, node.span)

    def sign(self, node: Apply, value: Expression) -> Expression:
        """That of NaN is 0, as in Cypher.  In PostgreSQL it is never a whole number, in Hyper where x is none."""
        own = self.types.of(value)
        sign = replace(node, function="sign")
        if self.dialect in ORACLE and own & _MAY_BE_FLOAT:
            raise NoGraphQuery("the sign of 0 is 1 in Oracle where 0 is a BINARY_DOUBLE: write CASE", node.span)
        if self.dialect == "pgq-hyper" and (of.ANY in own or (own & of.WHOLE and own - of.WHOLE)):
            raise NoGraphQuery("the sign is of the type of the number, which only a schema tells", node.span)
        if self.dialect == "pgq-postgres" or (self.dialect == "pgq-hyper" and own - of.WHOLE):
            return Cast(sign, ir.ValueType(of.FLOAT), span=node.span)
        return sign

    def continuous(self, value: Expression) -> Expression:
        """What a percentile lies between is a float."""
        own = self.types.of(value)
        if self.dialect == "pgq-duckpgq" and own & of.DECIMALS:
            raise NoGraphQuery("the percentile of decimal numbers has the digits of their type", value.span)
        is_other = self.dialect in ORACLE or not own & (of.NUMBERS - {of.FLOAT} | {of.ANY})
        return value if is_other else pointed(value)

    def whole(self, node: Cast, value: Expression) -> Cast:
        """A half is rounded to the even neighbour, if it is of a float, and else away from zero."""
        own = self.types.of(value)
        if own & {of.SCALED, of.DECIMAL} or (own & of.DECIMALS and own - of.DECIMALS - of.WHOLE):
            told = "a half is rounded to the even neighbour or not, by the type of the number: write floor(x + 0.5)"
            raise NoGraphQuery(told, node.span)
        return replace(node, half_even=not own & of.DECIMALS)


_MAY_BE_FLOAT = frozenset((of.FLOAT, of.ANY))


def pointed(value: Expression, *, among_decimals: bool = False) -> Expression:
    """A whole number as one with a point, which is a decimal number among others."""
    if isinstance(value, Literal) and type(value.value) is int:
        return Literal(float(value.value), text=f"{value.value}.0", span=value.span)
    text = of.AMONG_DECIMALS if among_decimals else None
    return Cast(value, ir.ValueType(of.FLOAT, text=text, span=value.span), span=value.span)


# ------------------------------------------------------------------ what shows a difference

DIFFERENT = frozenset((of.SCALED, of.DECIMAL))
_SHOWING = frozenset(("floor", "ceil", "trunc", "round", "round_away", "signum", "mod"))


def require_exact(query: ir.Query, types: Types) -> None:
    """That nothing shows more of the difference than digits.  Raises NoGraphQuery."""
    for node in ir.walk(query):
        match node:
            case Apply(function, args, distinct):
                _require_function(function, args, distinct, types)
            case ir.Case(subject, branches) if subject is not None:
                _require(types, [subject, *[test for each in branches for test in each.tests]], DIFFERENT)
            case ir.SortKey(value):
                _require(types, [value], frozenset((of.DECIMAL,)))
            case ir.Project(items, distinct=True):
                _require(types, [item.value for item in items], frozenset((of.DECIMAL,)))
            case ir.Project(group_by=tuple(keys)):
                _require(types, keys, frozenset((of.DECIMAL,)))
            case ir.SetOperation() if node.distinct or node.kind != "union":
                _require(types, _columns(node), frozenset((of.DECIMAL,)))


def _require_function(function: str, args: Iterable[Expression], distinct: bool, types: Types) -> None:
    if function in COMPARING or function == "nullIf":
        parts = [part for each in args for part in (each.items if isinstance(each, ir.ListOf) else (each,))]
        _require(types, parts, DIFFERENT)
        quotients = [each for each in parts if of.ROUNDED in types.of(each)]
        floats = types.dialect == "pgq-postgres" and any(of.FLOAT in types.of(each) for each in parts)
        if floats or len(quotients) > 1:
            _require(types, quotients, frozenset((of.ROUNDED,)))
    elif function in _SHOWING:
        shown = DIFFERENT if len(tuple(args)) == 1 else of.DECIMALS - {of.EXACT}
        _require(types, args, shown)
    elif distinct:
        _require(types, args, frozenset((of.DECIMAL,)))


def _require(types: Types, values: Iterable[Expression], refused: of.Kinds) -> None:
    for each in values:
        if types.of(each) & refused:
            told = "what is computed with a decimal number is exact there, and a float in a graph query"
            raise NoGraphQuery(f"{told}: write CAST(.. AS DOUBLE PRECISION)", each.span)


def _columns(operation: ir.SetOperation) -> Iterator[Expression]:
    for branch in operation.branches:
        last = branch.operators[-1] if isinstance(branch, ir.Pipeline) else None
        if isinstance(last, ir.Project):
            yield from [ir.Ref(item.name, span=item.span) for item in last.items if item.name is not None]
