"""The types that values of a query in SQL may have, which is more than graph queries tell apart: decimal numbers, texts
without a type.

It is asked about lowered queries, in which every column has a name of its own.  A type is one of several that are
possible; ANY, that nothing is known.  Facts: the references of PostgreSQL, DuckDB, Hyper and Oracle; PostgreSQL 18 and
DuckDB 2.0 were asked for the types of sums, quotients and means.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from graphir import ir, types
from graphir.ir import Apply, Case, Cast, Expression, Item, Literal, Node, Property, Ref
from graphir.passes.selects.operators import COMPARING, ORACLE
from graphir.schema.model import TYPES
from graphir.signatures import signature_of

if TYPE_CHECKING:
    from graphir.schema import Schema
    from graphir.schema.model import DataType

ANY, LITERAL = "ANY", "LITERAL"
"""Anything; a constant text, which takes the type of what is beside it."""
INTEGER, SMALL, FLOAT, STRING, BOOLEAN = "INTEGER", "SMALL", "FLOAT", "STRING", "BOOLEAN"
"""SMALL: integers whose sum is one in PostgreSQL; that of the others is a decimal number."""
DATE, LOCAL, ZONED, DURATION = "DATE", "LOCAL DATETIME", "ZONED DATETIME", "DURATION"
EXACT, NEAREST, ROUNDED, SCALED, DECIMAL = "EXACT", "NEAREST", "ROUNDED", "SCALED", "DECIMAL"
"""Decimal numbers: those that floats are, too; constants and stored ones, which have a nearest float; means and
quotients of whole numbers, which are rounded once as floats are; products of one column and a constant, which differ
where their columns do; and all others."""
WHOLE = frozenset((INTEGER, SMALL))
DECIMALS = frozenset((EXACT, NEAREST, ROUNDED, SCALED, DECIMAL))
NUMBERS = WHOLE | DECIMALS | {FLOAT}
TEMPORAL = frozenset((DATE, LOCAL, ZONED))
TEXTS = frozenset((STRING, LITERAL))


@dataclass(frozen=True, slots=True)
class Listed:
    """A list, by the types of its elements."""

    elements: Kinds


Kinds = frozenset[str | Listed]
AMONG_DECIMALS = "NUMERIC"
"""What is remembered of the type of a whole number that became a float because decimal numbers are beside it."""
NOTHING: Kinds = frozenset()
UNKNOWN: Kinds = frozenset((ANY,))
_NUMERIC_EXPONENT = frozenset(("pgq-postgres", "pgq-oracle-23ai", "pgq-oracle-26ai"))
"""Where a number with an exponent is a decimal one; elsewhere it is a float."""
_PLAIN = re.compile(r"\d+\.\d*|\.\d+")
_ANY_NUMBER = re.compile(r"(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")


def decimal_of(node: Node, dialect: str) -> Decimal | None:
    """The decimal number that a constant is; a whole one is none."""
    if not isinstance(node, Literal) or not isinstance(node.value, float) or node.text is None:
        return None
    spelled = _ANY_NUMBER if dialect in _NUMERIC_EXPONENT else _PLAIN
    return Decimal(node.text) if spelled.fullmatch(node.text.lstrip("-")) else None


def literal_of(value: Node) -> Literal | None:
    """The constant text that a value is, also one that takes the type of what it meets (`untyped`)."""
    if isinstance(value, Apply) and value.function == "untyped":
        value = value.args[0]
    return value if isinstance(value, Literal) and isinstance(value.value, str) else None


_QUOTIENTS = frozenset(("div", "divide", "ieee_divide"))
_ONE_OF = frozenset(("coalesce", "greatest", "least"))
_SAME = frozenset(("json_items", "json_value", "neg", "abs", "min", "max", "any_value", "date_trunc"))
_ARITHMETIC = frozenset(("add", "sub", "mul", "div", "divide", "ieee_divide", "mod"))
_WHOLE_OF = frozenset(("floor", "ceil", "trunc", "round_away", "round"))
_TRUTHS = COMPARING | {"and", "or", "xor", "not", "is_null", "is_not_null", "like"}
_GROWING = frozenset(("strict_pow", "strict_sqrt", "strict_exp", "strict_log", "strict_log10"))
"""Functions that give decimal numbers of decimal numbers."""
_PLAIN_TYPES = {
    **{1 << at: name for at, name in enumerate((BOOLEAN, INTEGER, FLOAT, STRING))},
    **{types.DATE: DATE, types.LOCAL_DATETIME: LOCAL, types.ZONED_DATETIME: ZONED, types.DURATION: DURATION},
}
_SMALL = frozenset(("INT", "INTEGER", "INT2", "INT4", "SMALLINT"))
_SMALL_RESULTS = frozenset(("char_length", "byte_length", "strpos", "ascii", "size"))


class Types:
    """The types of the expressions of a lowered query.  A query that is rewritten keeps the types of its columns."""

    def __init__(self, query: ir.Query, dialect: str, schema: Schema | None) -> None:
        self.dialect = dialect
        self.properties = None if schema is None else _properties(schema, dialect)
        self.known: dict[int, tuple[Node, Kinds]] = {}
        self.columns: dict[str, Kinds] = {}
        self.sources: dict[str, list[Expression | ir.Unwind]] = {}
        for node in ir.walk(query):
            if isinstance(node, Item) and node.name is not None and node.value != Ref(node.name):
                self.sources.setdefault(node.name, []).append(node.value)
            elif isinstance(node, ir.Unwind):
                self.sources.setdefault(node.variable, []).append(node)
        for sources in self.sources.values():
            for source in sources:
                self.known_inside(source)
        for name in self.sources:
            self.column(name)

    def known_inside(self, source: Node) -> None:
        """Ask for what is inside first, so that depth costs no frames."""
        for node in reversed(list(ir.walk(source))):
            if isinstance(node, Expression) and not isinstance(node, (Ref, ir.Subquery)):
                self.of(node)

    def of(self, value: Node) -> Kinds:
        """The types that a value may have; nothing, of null."""
        found = self.known.get(id(value))
        if found is not None and found[0] is value:
            return found[1]
        kinds = self._of(value)
        if LITERAL in kinds and literal_of(value) is None:
            kinds = united([kinds])
        self.known[id(value)] = value, kinds
        return kinds

    def column(self, name: str) -> Kinds:
        """What a column holds: all that is ever called so."""
        if name in self.columns:
            return self.columns[name]
        self.columns[name] = NOTHING  # a column that is made of itself
        several = [self._source(each) for each in self.sources.get(name, ())]
        found = united(several) if several else UNKNOWN
        self.columns[name] = found
        return found

    def _source(self, source: Expression | ir.Unwind) -> Kinds:
        return elements(self.of(source.source)) if isinstance(source, ir.Unwind) else self.of(source)

    def _of(self, value: Node) -> Kinds:
        match value:
            case Literal():
                return self._constant(value)
            case Ref(name):
                return self.column(name)
            case Property(_, key):
                if self.properties is None:
                    return UNKNOWN
                return self.properties.get(key.lower(), UNKNOWN)
            case ir.Parameter():
                return NOTHING
            case Cast():
                return self._cast(value)
            case ir.ListOf(items):
                return frozenset((Listed(united([self.of(each) for each in items])),))
            case ir.Index(base, _):
                return elements(self.of(base))
            case ir.Slice(base, _, _):
                return self.of(base)
            case Case(_, branches, default):
                values = [each.result for each in branches] + ([] if default is None else [default])
                return united([self.of(each) for each in values])
            case ir.Modified(inner):
                return self.of(inner)
            case ir.Subquery():
                return self._subquery(value)
            case ir.ListComprehension(_, source, _, body):
                return self.of(source) if body is None else frozenset((Listed(self.of(body)),))
            case ir.Reduce():
                return united([self.of(value.initial), self.of(value.body)])
            case ir.Quantified() | ir.HasLabels() | ir.IsTyped():
                return frozenset((BOOLEAN,))
            case Apply():
                return self._apply(value)
        return UNKNOWN

    def _constant(self, value: Literal) -> Kinds:
        match value.value:
            case None:
                return NOTHING
            case bool():
                return frozenset((BOOLEAN,))
            case int(number):
                return frozenset((SMALL if -(2**31) <= number < 2**31 else INTEGER,))
            case str():
                return frozenset((LITERAL,))
        exact = decimal_of(value, self.dialect)
        return frozenset((FLOAT if exact is None else EXACT if Decimal(value.value) == exact else NEAREST,))

    def _cast(self, value: Cast) -> Kinds:
        name = value.type.name
        if name == "NUMERIC":
            inner = self.of(value.value)
            return frozenset((EXACT if inner <= WHOLE and value.type.size is None else DECIMAL,))
        if name == "FLOAT" and isinstance(value.value, Apply) and value.value.function == "sign":
            return self.sign(value.value.args[0])
        if name == "FLOAT" and value.type.text == AMONG_DECIMALS:
            return frozenset((EXACT,))
        if name == "INTEGER" and self.dialect not in ORACLE and (value.type.text or "INTEGER").upper() in _SMALL:
            return frozenset((SMALL,))
        if name == "LIST" and value.type.arguments:
            return frozenset((Listed(frozenset((value.type.arguments[0].name,))),))
        return frozenset((name,))

    def _subquery(self, value: ir.Subquery) -> Kinds:
        if value.kind in ("exists", "count"):
            return frozenset((BOOLEAN if value.kind == "exists" else INTEGER,))
        body = value.body
        while isinstance(body, ir.SetOperation):
            body = body.branches[0]
        last = body.operators[-1] if isinstance(body, ir.Pipeline) and body.operators else None
        if not isinstance(last, ir.Project) or len(last.items) != 1:
            return UNKNOWN
        item = last.items[0]
        found = self.of(item.value) if item.name is None else united([self.column(item.name), self.of(item.value)])
        return frozenset((Listed(found),)) if value.kind == "collect" else found

    def _apply(self, value: Apply) -> Kinds:
        function, args = value.function, value.args
        if function == "untyped":
            return frozenset((LITERAL,))
        if function in _ONE_OF:
            return united([self.of(each) for each in args])
        if function == "nullIf":
            return self._first(*map(self.of, args))
        if function in _SAME and args:
            return self.of(args[-1] if function == "date_trunc" else args[0])
        if function in _ARITHMETIC:
            return self._computed(function, args)
        if function == "sum_or_null":
            return frozenset().union(*[self._sum(kind) for kind in self.of(args[0])])
        if function == "avg":
            return frozenset([self._mean(kind) for kind in self.of(args[0])])
        if function == "json_element":
            return elements(self.of(args[0]))
        if function in _WHOLE_OF and self.of(args[0]) & DECIMALS:
            return frozenset((EXACT if len(args) == 1 else DECIMAL, *(self.of(args[0]) - DECIMALS)))
        if function in _GROWING and any(self.of(each) & DECIMALS for each in args):
            return frozenset((FLOAT if self.dialect == "pgq-duckpgq" else DECIMAL,))
        if function == "signum":
            return self.sign(args[0])
        if function == "extract" and self.dialect == "pgq-postgres":
            return frozenset((EXACT,))
        if function in ("array_agg", "collect"):
            return frozenset((Listed(self.of(args[0])),))
        if function == "concat":
            lists = [each for arg in args for each in self.of(arg) if isinstance(each, Listed)]
            return frozenset(lists) or frozenset((STRING,))
        if function == "interval":
            return frozenset((DURATION,))
        if function in _SMALL_RESULTS:
            return frozenset((SMALL,))
        if function == "elementId":
            return frozenset((STRING,))
        if function in _TRUTHS:
            return frozenset((BOOLEAN,))
        signature = signature_of(function)
        known = None if signature is None or signature.rule else _PLAIN_TYPES.get(signature.result)
        return UNKNOWN if known is None else frozenset((known,))

    def _first(self, kinds: Kinds, others: Kinds) -> Kinds:
        """What NULLIF gives: its first value, which PostgreSQL has made a number with a point beside one."""
        is_promoted = self.dialect == "pgq-postgres" and kinds | others <= NUMBERS
        return united([kinds, others]) if is_promoted else united([kinds])

    def sign(self, value: Expression) -> Kinds:
        """What the sign of a number is: a whole number; in Hyper that of its type, in PostgreSQL one with a point."""
        if self.dialect in ORACLE or self.dialect == "pgq-duckpgq":
            return frozenset((SMALL,))
        kinds = self.of(value)
        found = {EXACT if each in DECIMALS else FLOAT for each in kinds if each not in WHOLE}
        if ANY in kinds:
            found |= {EXACT, FLOAT}
        if kinds & WHOLE:
            found.add(SMALL if self.dialect == "pgq-hyper" else FLOAT)
        return frozenset(found) or frozenset((FLOAT,))

    def _sum(self, kind: str | Listed) -> Kinds:
        if kind == INTEGER:
            return frozenset((EXACT if self.dialect == "pgq-postgres" else INTEGER,))
        if kind == SMALL:
            return frozenset((INTEGER,))
        if kind == ANY and self.dialect == "pgq-postgres":
            return frozenset((ANY, EXACT))
        return frozenset((DECIMAL if kind in (NEAREST, ROUNDED, SCALED) else kind,))

    def _mean(self, kind: str | Listed) -> str | Listed:
        if kind not in WHOLE | DECIMALS:
            return kind
        if self.dialect == "pgq-duckpgq":
            return FLOAT
        return ROUNDED if kind in WHOLE or kind == EXACT else DECIMAL

    def _computed(self, function: str, args: Iterable[Expression]) -> Kinds:
        first, *others = args
        found = self.of(first)
        for other in others:
            right = self.of(other)
            pairs = [(a, b) for a in found or NOTHING for b in right]
            found = NOTHING.union(*[self._pair(function, a, b, first, other) for a, b in pairs])
        return found

    def _pair(
        self, function: str, left: str | Listed, right: str | Listed, one: Expression, other: Expression
    ) -> Kinds:
        """What is computed of two types; what is not known is a whole number or a float beside a decimal number."""
        is_quotient = function in _QUOTIENTS and self.dialect in ORACLE
        if ANY not in (left, right) or not (is_quotient or {left, right} & DECIMALS):
            return frozenset((self._result(function, left, right, one, other),))
        left, right = (INTEGER if each == ANY else each for each in (left, right))
        return frozenset((self._result(function, left, right, one, other), FLOAT))

    def _result(
        self, function: str, left: str | Listed, right: str | Listed, one: Expression, other: Expression
    ) -> str:
        is_quotient = function in _QUOTIENTS
        kinds = frozenset((left, right))
        if not kinds <= NUMBERS:
            return _shifted(function, left, right, self.dialect)
        if FLOAT in kinds or (is_quotient and self.dialect == "pgq-duckpgq"):
            return FLOAT
        if kinds <= WHOLE and not (function in ("divide", "ieee_divide") or (is_quotient and self.dialect in ORACLE)):
            return INTEGER if INTEGER in kinds else SMALL
        if kinds <= WHOLE | {EXACT} and (not is_quotient or _is_power(other)):
            return EXACT
        if kinds <= WHOLE | {EXACT}:
            return ROUNDED
        constants = [each for each in (one, other) if decimal_of(each, self.dialect) is not None]
        is_one_column = len(constants) == 1 and bool(kinds & (WHOLE | {EXACT}))
        return SCALED if is_one_column and kinds <= WHOLE | {EXACT, NEAREST} and function != "mod" else DECIMAL


def united(several: Iterable[Kinds]) -> Kinds:
    """What one of several values is, whose types are made the same.

    A constant text takes the type of the others.  Products that differ one by one may be equal to what is beside them.
    """
    found = [each for each in several if each]
    joined: Kinds = frozenset[str | Listed]().union(*found)
    if LITERAL in joined:
        joined = joined - {LITERAL} or frozenset((STRING,))
    if SCALED in joined and (len(joined) > 1 or len(found) > 1):
        joined = joined - {SCALED} | {DECIMAL}
    if joined & (DECIMALS | {FLOAT}):
        joined -= WHOLE
    if FLOAT in joined:
        joined -= {EXACT, NEAREST}
    return joined - {DATE} if LOCAL in joined else joined


def are_lists(kinds: Kinds) -> bool:
    """Whether some of the values may be lists."""
    return any(isinstance(each, Listed) for each in kinds)


def elements(kinds: Kinds) -> Kinds:
    """What the elements of lists may be."""
    lists = [each.elements for each in kinds if isinstance(each, Listed)]
    return united(lists) if lists and len(lists) == len(kinds) else UNKNOWN


def _is_power(value: Expression) -> bool:
    """Whether a division by it only moves the point of a float: it is a constant power of two."""
    if not isinstance(value, Literal) or not isinstance(value.value, (int, float)) or not value.value:
        return False
    top, bottom = abs(value.value).as_integer_ratio()
    return top & (top - 1) == 0 and bottom & (bottom - 1) == 0


def _shifted(function: str, left: str | Listed, right: str | Listed, dialect: str) -> str:
    """What is added where one is no number."""
    match function, left, right:
        case (("add" | "sub"), ("DATE"), ("INTEGER" | "SMALL")):
            return DATE
        case "add", ("INTEGER" | "SMALL"), "DATE":
            return DATE
        case "sub", "DATE", "DATE":
            return SMALL
        case (("add" | "sub"), "DATE", "DURATION"):
            return DATE if dialect in ORACLE else LOCAL
        case "add", "DURATION", "DATE":
            return DATE if dialect in ORACLE else LOCAL
        case (("add" | "sub"), ("LOCAL DATETIME" | "ZONED DATETIME" | "DURATION"), "DURATION"):
            return str(left)
        case "add", "DURATION", ("LOCAL DATETIME" | "ZONED DATETIME"):
            return str(right)
        case "mul", "DURATION", _:
            return DURATION
        case "mul", _, "DURATION":
            return DURATION
    return ANY


def _properties(schema: Schema, dialect: str) -> Mapping[str, Kinds]:
    """Name of a property in lower case -> its types in all elements."""
    found: dict[str, set[str | Listed]] = {}
    for known in schema.types:
        for each in known.properties or ():
            found.setdefault(each.name.lower(), set()).update(_declared(each.type, dialect))
    return {name: frozenset(kinds) for name, kinds in found.items()}


def _declared(kind: DataType | None, dialect: str) -> Kinds:
    if kind is None:
        return UNKNOWN
    if kind.name == "LIST":
        return frozenset((Listed(_declared(kind.element, dialect)),))
    if kind.name == "DECIMAL":
        return frozenset((NEAREST,))
    if kind.name in ("INTEGER8", "INTEGER16", "INTEGER32"):
        return frozenset((SMALL,))
    return frozenset((TYPES.get(kind.name, ANY),))
