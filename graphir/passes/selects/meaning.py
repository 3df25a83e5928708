"""What the dialects of SQL around graph patterns mean, in the words of IR, where they do not mean what GoogleSQL does.

Each rule is a function of a node that was rewritten inside already.  Facts: the references of PostgreSQL, Oracle,
DuckDB and Hyper; each is named where it is used.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import replace
from itertools import count
from typing import TYPE_CHECKING

from graphir import ir
from graphir.dialects import SQL_PGQ
from graphir.ir import Apply, Branch, Call, Case, Cast, Expression, Filtered, Literal, Node, Within
from graphir.passes.selects import words
from graphir.passes.selects.agreement import Agreement
from graphir.passes.selects.arrays import Lists, is_of_lists
from graphir.passes.selects.columns import IN_A_MATCH, with_aggregates_apart
from graphir.passes.selects.constants import require_types
from graphir.passes.selects.decimals import Decimals, require_exact, with_decimals
from graphir.passes.selects.documents import READING, read, with_lists
from graphir.passes.selects.duckpgq import as_meant
from graphir.passes.selects.identities import identified
from graphir.passes.selects.iterations import with_rows
from graphir.passes.selects.kinds import Types
from graphir.passes.selects.moments import Moments
from graphir.passes.selects.operands import require_operands
from graphir.passes.selects.operators import ORACLE, require_numbers, rewritten
from graphir.passes.selects.scopes import NoGraphQuery
from graphir.passes.selects.texts import is_concat, joined, without_nulls

if TYPE_CHECKING:
    from graphir.schema import Schema

Rule = Callable[[Node], Node]


def in_words_of_ir(query: ir.Query, dialect: str, schema: Schema | None = None) -> ir.Query:
    """The query without what its dialect means differently.  Raises NoGraphQuery for what IR cannot say.

    Functions must have their canonical names.  A schema knows the types of properties.
    """
    if dialect not in SQL_PGQ:
        return query
    if dialect == "pgq-duckpgq":
        query = as_meant(query)
    query = identified(query, schema)
    if schema is None and dialect != "pgq-iso":
        require_types(query, dialect)
    require_numbers(query)
    exact = not any(isinstance(node, Apply) and node.function in _FRACTIONS for node in ir.walk(query))
    query = with_lists(query) if dialect in ORACLE else query
    query = with_rows(ir.rewrite(_numbered(with_decimals(query, dialect)), _Rules(dialect, exact=exact).rule))
    return with_aggregates_apart(query) if dialect in IN_A_MATCH else query


def as_typed(query: ir.Query, dialect: str, schema: Schema | None = None) -> ir.Query:
    """A lowered query without what depends on types: what values take from those beside them, quotients, dates, texts.

    Raises NoGraphQuery for what IR cannot say, or what only a schema tells.
    """
    if dialect not in SQL_PGQ:
        return query
    types = Types(query, dialect, schema)
    lists = Lists(types)
    rules = [each.rule for each in (lists, Agreement(types), Moments(types), Decimals(types))]

    def rule(node: Node) -> Node:
        if isinstance(node, Apply) and node.function in READING:
            return read(node, types)
        if isinstance(node, Cast) and node.type == _TEXT and types.of(node.value) == _TEXTS:
            return node.value
        if isinstance(node, Apply) and node.function == "concat":
            return lists.joined(node) if is_of_lists(node, types) else joined(node, types)
        if is_concat(node, types):
            assert isinstance(node, Call)
            return without_nulls(node, types)
        for each in rules:
            node = each(node)
        types.of(node)  # before what is around asks
        return node

    query = ir.rewrite(query, rule)
    require_operands(query, types)
    require_exact(query, types)
    return ir.rewrite(query, _empty_is_null) if dialect in ORACLE else query


_TEXT = ir.ValueType("STRING")
_TEXTS = frozenset(("STRING",))


def _numbered(query: ir.Query) -> ir.Query:
    """Parameters without a name are called after their place."""
    if not any(isinstance(node, ir.Parameter) and node.name == "?" for node in ir.walk(query)):
        return query
    places = sorted(
        node.span.start for node in ir.walk(query) if isinstance(node, ir.Parameter) and node.name == "?" and node.span
    )
    names = dict(zip(places, map(str, count(1)), strict=False))

    def rule(node: Node) -> Node:
        if isinstance(node, ir.Parameter) and node.name == "?" and node.span is not None:
            return replace(node, name=names[node.span.start])
        return node

    return ir.rewrite(query, rule)


_NUMBER = re.compile(r"\s*[+-]?(?:\d+\.?\d*|\.\d+)\s*", re.ASCII)
"""A text that every database reads as the same number; others are for the cast to refuse."""


class _Rules:
    """The rules of a dialect."""

    def __init__(self, dialect: str, *, exact: bool) -> None:
        self.dialect = dialect
        self.exact = exact
        """Whether nothing in the query makes fractions, which NUMBER has exactly and a float has not."""
        self.operators = {**_OF_ALL, **_BY_DIALECT.get(dialect, {})}
        self.functions = _FUNCTIONS

    def rule(self, node: Node) -> Node:
        match node:
            case Apply(function) if function in self.operators:
                return self.operators[function](node)
            case Apply("like"):
                return self.like(node)
            case Call((name,)) if (written := self.functions.get(name.upper())) is not None:
                return written(node)
            case Call((name,)) if (spelled := words.FUNCTIONS.get(name.upper())) is not None:
                return spelled(node, self.dialect)
            case Apply(("eq" | "ne" | "lt" | "le" | "gt" | "ge") as function, (left, right)) if _is_sorted(left, right):
                return Apply(function, (_by_code(left), _by_code(right)), span=node.span)
            case ir.SortKey(value) if self.dialect in ORACLE:
                return replace(node, value=_by_code(value))
            case Filtered(aggregate, where):
                return _filtered(aggregate, where, node)
            case Within(aggregate, order):
                return _within(aggregate, order, node)
            case Cast(value, ir.ValueType("DATE"), keyword="cast") if self.dialect in ORACLE and value != Literal(None):
                raise NoGraphQuery("a date of a text is read as the session says: write DATE '..'", node.span)
            case Cast(type=ir.ValueType("NUMERIC")) if self.dialect in ORACLE and self.exact and _is_whole(node.type):
                return replace(node, type=ir.ValueType("INTEGER", span=node.type.span))
            case Cast(Literal(str(number)), ir.ValueType("FLOAT")) if _NUMBER.fullmatch(number):
                return Literal(float(number), span=node.span)
            case Cast(type=ir.ValueType("FLOAT")) if self.is_single(node.type):
                raise NoGraphQuery("a float of 32 bits has fewer digits than those of graph queries", node.type.span)
            case Cast(type=ir.ValueType(kind)) if node.type.size is not None and kind in _MOMENTS:
                raise NoGraphQuery("a moment that is rounded has no counterpart in graph queries", node.type.span)
            case Cast(type=ir.ValueType("OTHER")):
                raise NoGraphQuery(f"the type {node.type.text} has no counterpart in graph queries", node.type.span)
            case node if isinstance(node, words.WORDED):
                return words.unworded(node, self.dialect)
            case ir.Select(table=ir.TableName(("DUAL",), columns=())) if self.dialect in ORACLE:
                return replace(node, table=None)
            case ir.TableQuery(ties=True):
                raise NoGraphQuery("WITH TIES has no counterpart in graph queries", node.span)
            case ir.TableQuery(percent=True):
                raise NoGraphQuery("a limit in percent has no counterpart in graph queries", node.span)
        return rewritten(node, self.dialect)

    def is_single(self, type_: ir.ValueType) -> bool:
        """Whether it is a float of 32 bits."""
        words = (type_.text or "").upper().partition("(")[0]
        short = type_.size is not None and type_.size < _LONG
        return words in _SINGLE or short or (self.dialect == "pgq-duckpgq" and words == "FLOAT")

    def like(self, node: Apply) -> Expression:
        """With a backslash before what stands for itself, which is the escape of PostgreSQL and Hyper alone."""
        value, pattern, *escape = node.args
        if not escape and self.dialect in ("pgq-postgres", "pgq-hyper"):
            return node
        given = escape[0] if escape else Literal("")
        if not isinstance(given, Literal) or not isinstance(given.value, str) or len(given.value) > 1:
            raise NoGraphQuery("the escape of LIKE must be one character, given as a literal", given.span)
        if given.value == "\\":
            return replace(node, args=(value, pattern))
        if isinstance(pattern, Literal) and isinstance(pattern.value, str):
            return replace(node, args=(value, replace(pattern, value=_escaped(pattern.value, given.value), text=None)))
        if given.value:
            raise NoGraphQuery("a pattern of LIKE with ESCAPE must be a literal", pattern.span)
        doubled = Apply("replace_text", (pattern, Literal("\\"), Literal("\\\\")), span=pattern.span)
        return replace(node, args=(value, doubled))


def _escaped(pattern: str, escape: str) -> str:
    """The pattern with backslashes for its escape."""
    found: list[str] = []
    characters = iter(pattern)
    for character in characters:
        if escape and character == escape:
            found += ["\\", next(characters, "")]
        else:
            found.append("\\\\" if character == "\\" else character)
    return "".join(found)


# ------------------------------------------------------------------ operators


def _ilike(node: Apply) -> Expression:
    value, pattern = [_lower(each) for each in node.args]
    return Apply("like", (value, pattern), span=node.span)


def _lower(text: Expression) -> Expression:
    if isinstance(text, Literal) and isinstance(text.value, str):
        return replace(text, value=text.value.lower(), text=None)
    return Apply("toLower", (text,), span=text.span)


def _unknown(told: str) -> Callable[[Apply], Expression]:
    def refuse(node: Apply) -> Expression:
        raise NoGraphQuery(f"{told} has no counterpart in graph queries", node.span)

    return refuse


def _quantified(function: str, every: bool, *, some: bool = False) -> Callable[[Apply], Expression]:
    """`x < ANY (list)`: true, false, or unknown, as OR and AND of the comparisons are; `some`: null is no elements."""

    def written(node: Apply) -> Expression:
        left, source = node.args
        if some and not isinstance(source, ir.Subquery):
            source = Apply("coalesce", (source, ir.ListOf((), span=source.span)), span=source.span)
        if function == "eq" and not every:
            return Apply("in", (left, source), span=node.span)
        if function == "ne" and every and not some:
            return Apply("not", (Apply("in", (left, source), span=node.span),), span=node.span)
        variable = "\0q"
        test = Apply(function, (left, ir.Ref(variable)), span=node.span)
        return ir.Quantified("all" if every else "any", variable, source, test, span=node.span)

    return written


_ORDERED = ("eq", "ne", "lt", "le", "gt", "ge")


def _all_quantified(*, some: bool = False) -> dict[str, Callable[[Apply], Expression]]:
    """The rules of every comparison with ANY and ALL."""
    return {
        f"{each}_{word}": _quantified(each, word == "all", some=some) for each in _ORDERED for word in ("any", "all")
    }


def _fraction(function: str) -> Callable[[Apply], Expression]:
    """A quotient that has a fraction, also of whole numbers."""
    return lambda node: replace(node, function=function)


def _interval(node: Apply) -> Expression:
    """`INTERVAL '1 day'` of PostgreSQL, DuckDB and Hyper is `INTERVAL 1 DAY`."""
    value, *words = node.args
    if words or not isinstance(value, Literal) or not isinstance(value.value, str):
        return node
    number, _, unit = value.value.strip().partition(" ")
    known = unit.strip().upper().removesuffix("S")
    if known not in _UNITS or not _INTEGER.fullmatch(number):
        raise NoGraphQuery(f"the interval {value.value!r} is not one number and its unit", node.span)
    return replace(node, args=(Literal(int(number), span=value.span), ir.Keyword(known, span=value.span)))


def _count_if(node: Apply) -> Expression:
    """`count_if` of DuckDB is a sum: null where there is no value."""
    (test,) = node.args
    numbers = tuple([Branch((Literal(each),), Literal(int(each)), span=node.span) for each in (True, False)])
    return replace(node, function="sum_or_null", args=(Case(test, numbers, None, span=node.span),))


_INTEGER = re.compile(r"[+-]?\d+", re.ASCII)
_UNITS = frozenset(("YEAR", "QUARTER", "MONTH", "WEEK", "DAY", "HOUR", "MINUTE", "SECOND"))


_OF_ALL: Mapping[str, Callable[[Apply], Expression]] = {
    "ilike": _ilike,
    "similar": _unknown("SIMILAR TO"),
    "interval": _interval,
    **_all_quantified(),
}


# ------------------------------------------------------------------ aggregates

_SKIPPING_NULLS = frozenset(
    (
        *("count", "sum_or_null", "avg", "min", "max", "stddev_samp", "var_samp", "stDevP", "var_pop", "string_agg"),
        *("logical_and", "logical_or", "bit_and_agg", "bit_or_agg", "bit_xor_agg", "countif", "percentileCont"),
        *("percentileDisc",),
    )
)


def _filtered(aggregate: Expression, where: Expression, node: Filtered) -> Expression:
    """`count(x) FILTER (WHERE c)` counts null where c is not true."""
    match aggregate:
        case Apply("count_star"):
            counted = Case(None, (Branch((where,), Literal(1), span=node.span),), None, span=node.span)
            return Apply("count", (counted,), span=node.span)
        case Apply("array_agg", (first, *rest)) if where == Apply("is_not_null", (_aggregated(first),)):
            return replace(aggregate, args=(_modified(first, nulls="ignore"), *rest))
        case Apply(function, (first, *rest)) if function in _SKIPPING_NULLS:
            value = _aggregated(first)
            kept: Expression = Case(None, (Branch((where,), value, span=node.span),), None, span=node.span)
            if isinstance(first, ir.Modified):
                kept = replace(first, value=kept)
            return replace(aggregate, args=(kept, *rest))
    raise NoGraphQuery("FILTER of this function has no counterpart in graph queries", node.span)


def _aggregated(argument: Expression) -> Expression:
    return argument.value if isinstance(argument, ir.Modified) else argument


def _modified(argument: Expression, nulls: str) -> ir.Modified:
    if isinstance(argument, ir.Modified):
        return replace(argument, nulls=nulls)
    return ir.Modified(argument, nulls, span=argument.span)


def _within(aggregate: Expression, order: tuple[ir.SortKey, ...], node: Within) -> Expression:
    match aggregate:
        case Apply("string_agg", (first, *rest)):
            return replace(aggregate, args=(ir.Modified(first, order=order, span=first.span), *rest))
        case Call((name,), (share,)) if name.upper() in _PERCENTILES and len(order) == 1 and not order[0].descending:
            return Apply(_PERCENTILES[name.upper()], (order[0].value, share), span=node.span)
    raise NoGraphQuery("WITHIN GROUP of this function has no counterpart in graph queries", node.span)


_PERCENTILES = {"PERCENTILE_CONT": "percentileCont", "PERCENTILE_DISC": "percentileDisc"}


def _by_code(value: Expression) -> Expression:
    """What is sorted by `NLSSORT(x, 'NLS_SORT=BINARY')`: x, by the codes of its characters."""
    match value:
        case Call((name,), (text, Literal(str(sort)))) if name.upper() == "NLSSORT":
            if "".join(sort.split()).upper() == "NLS_SORT=BINARY":
                return text
    return value


def _is_whole(type_: ir.ValueType) -> bool:
    """Whether it is a NUMBER of at least the digits of an integer, and none behind the point."""
    _, _, sizes = (type_.text or "").rstrip(")").partition("(")
    digits, _, scale = sizes.partition(",")
    return digits.strip().isdecimal() and int(digits) >= _DIGITS and scale.strip() in ("", "0")


_SINGLE = frozenset(("REAL", "FLOAT4", "FLOAT32", "BINARY_FLOAT"))
_MOMENTS = frozenset(("LOCAL DATETIME", "ZONED DATETIME", "LOCAL TIME", "ZONED TIME"))

_LONG = 25
"""The bits of a FLOAT(n) from which it has 64."""
_DIGITS = 19
"""Of the largest integer."""
_FRACTIONS = frozenset(
    ("div", "avg", "trunc", "floor", "ceil", "round_away", "strict_pow", "strict_sqrt", "strict_log")
)


def _is_sorted(left: Expression, right: Expression) -> bool:
    return _by_code(left) is not left and _by_code(right) is not right


def _same(node: Call) -> Expression:
    return Apply("eq", node.args, span=node.span) if len(node.args) == 2 else node


def _median(node: Call) -> Expression:
    return Apply("percentileCont", (*node.args, Literal(0.5)), span=node.span) if len(node.args) == 1 else node


_FUNCTIONS: Mapping[str, Callable[[Call], Expression]] = {
    "VERTEX_EQUAL": _same,
    "EDGE_EQUAL": _same,
    "MEDIAN": _median,
}
"""Upper-case spelling -> what it is short for."""


# ------------------------------------------------------------------ the empty string of Oracle


def _empty_is_null(node: Node) -> Node:
    """Oracle: the empty string is null, written or computed; joined to a string, null is the empty string."""
    match node:
        case Literal(""):
            return replace(node, value=None, text=None)
        case Apply("concat", args):
            parts = tuple([Apply("coalesce", (each, Literal("")), span=each.span) for each in args])
            return _nothing_is_null(Apply("concat", parts, span=node.span))
        case Apply("replace_text", (text, *others)) if len(others) in (1, 2):
            sought, by = (*others, Literal(""))[:2]
            return _nothing_is_null(replace(node, args=(text, _something(sought), _something(by))))
        case Apply(function) if function in _MAY_BE_EMPTY:
            return _nothing_is_null(node)
    return node


def _something(operand: Expression) -> Expression:
    """An operand of REPLACE, for which null is the empty string: what is sought nowhere, or stands for nothing."""
    if isinstance(operand, Literal):
        return Literal("", span=operand.span) if operand.value is None else operand
    return Apply("coalesce", (operand, Literal("")), span=operand.span)


def _nothing_is_null(node: Apply) -> Expression:
    return Apply("nullIf", (node, Literal("")), span=node.span)


_MAY_BE_EMPTY = frozenset(("substr", "btrim", "ltrim", "rtrim", "trim_space", "lpad", "rpad", "translate"))

_DIVISION = {"div": _fraction("divide")}
_NO_ELEMENTS = _all_quantified(some=True)
_BY_DIALECT: Mapping[str, Mapping[str, Callable[[Apply], Expression]]] = {
    "pgq-duckpgq": {"div": _fraction("ieee_divide"), "countif": _count_if, **_NO_ELEMENTS},
    "pgq-hyper": _NO_ELEMENTS,
    **dict.fromkeys(ORACLE, _DIVISION),
}
"""Oracle's and DuckDB's `/` has a fraction; in the others the quotient of whole numbers is one.  A null list has no
elements for ANY and ALL in DuckDB and Hyper."""
