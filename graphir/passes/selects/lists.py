"""Functions on lists of PostgreSQL and DuckDB that have no name of their own in IR, in the words of IR.

Each rule is a function of a call and the dialect; it returns the call where it means something else there.  Facts: the
references of PostgreSQL ("Array Functions and Operators") and DuckDB ("List Functions"); DuckDB 2.0 was asked.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from graphir import ir
from graphir.ir import Apply, Branch, Call, Case, Cast, Expression, Index, ListOf, Literal
from graphir.passes.selects.operators import contained, rewritten

_BOTH = frozenset(("pgq-postgres", "pgq-duckpgq"))
_DUCKDB = frozenset(("pgq-duckpgq",))
_POSTGRES = frozenset(("pgq-postgres",))


def some(value: Expression) -> Expression:
    """A list, which is empty where it is null."""
    if is_written(value):
        return value
    return Apply("coalesce", (value, ListOf((), span=value.span)), span=value.span)


def is_written(value: Expression) -> bool:
    """Whether a list is written out, so that it is not null."""
    return isinstance(value, ListOf) or (isinstance(value, Cast) and isinstance(value.value, ListOf))


def _appended(node: Call, _: str) -> Expression:
    source, added = node.args
    return Apply("concat", (some(source), ListOf((added,), span=added.span)), span=node.span)


def _prepended(node: Call, _: str) -> Expression:
    added, source = node.args
    return Apply("concat", (ListOf((added,), span=added.span), some(source)), span=node.span)


def _joined(node: Call, dialect: str) -> Expression:
    """Null has no elements; PostgreSQL makes null of two nulls, DuckDB the empty list."""
    left, right = node.args
    made = Apply("concat", (some(left), some(right)), span=node.span)
    if dialect in _DUCKDB or is_written(left) or is_written(right):
        return made
    missing = tuple([Apply("is_null", (each,), span=each.span) for each in node.args])
    neither = Apply("and", missing, span=node.span)
    return Case(None, (Branch((neither,), Literal(None), span=node.span),), made, span=node.span)


def _contains(node: Call, _: str) -> Expression:
    source, value = node.args
    return contained(Apply("in", (value, source), span=node.span))


def _element(node: Call, dialect: str) -> Expression:
    source, place = node.args
    if isinstance(place, Literal) and isinstance(place.value, str):
        return ir.Property(source, place.value, span=node.span)
    found = rewritten(Index(source, place, span=node.span), dialect)
    assert isinstance(found, Expression)
    return found


def _field(node: Call, _: str) -> Expression:
    source, key = node.args
    if isinstance(key, Literal) and isinstance(key.value, str):
        return ir.Property(source, key.value, span=node.span)
    return node


def _length(node: Call, _: str) -> Expression:
    """Of an array of one dimension; it is null where there are no elements."""
    source, dimension = node.args
    if dimension != Literal(1):
        return node
    return Apply("nullIf", (Apply("size", (source,), span=node.span), Literal(0)), span=node.span)


def _sliced(node: Call, _: str) -> Expression:
    """From a place to a place, both of them numbers from 1 on."""
    source, low, high = node.args
    for bound in (low, high):
        if not isinstance(bound, Literal) or type(bound.value) is not int or bound.value < 1:
            return node
    assert isinstance(low, Literal)
    assert isinstance(low.value, int)
    return ir.Slice(source, Literal(low.value - 1, span=low.span), high, span=node.span)


Rule = Callable[[Call, str], Expression]
_RULES: Mapping[str, tuple[Rule, int, frozenset[str]]] = {
    "ARRAY_APPEND": (_appended, 2, _BOTH),
    "ARRAY_PREPEND": (_prepended, 2, _POSTGRES),
    "ARRAY_CAT": (_joined, 2, _BOTH),
    "ARRAY_LENGTH": (_length, 2, _POSTGRES),
    **dict.fromkeys(("LIST_APPEND", "ARRAY_PUSH_BACK"), (_appended, 2, _DUCKDB)),
    "LIST_PREPEND": (_prepended, 2, _DUCKDB),
    **dict.fromkeys(("LIST_CONCAT", "LIST_CAT", "ARRAY_CONCAT"), (_joined, 2, _DUCKDB)),
    **dict.fromkeys(("LIST_CONTAINS", "LIST_HAS", "ARRAY_CONTAINS", "ARRAY_HAS"), (_contains, 2, _DUCKDB)),
    **dict.fromkeys(("LIST_EXTRACT", "LIST_ELEMENT", "ARRAY_EXTRACT"), (_element, 2, _DUCKDB)),
    "STRUCT_EXTRACT": (_field, 2, _DUCKDB),
    **dict.fromkeys(("LIST_SLICE", "ARRAY_SLICE"), (_sliced, 3, _DUCKDB)),
}
"""Upper-case spelling -> its rule, the number of its arguments, the dialects that have it."""


def _rule(name: str) -> Callable[[Call, str], Expression]:
    rule, width, dialects = _RULES[name]

    def written(node: Call, dialect: str) -> Expression:
        return rule(node, dialect) if dialect in dialects and len(node.args) == width else node

    return written


FUNCTIONS: Mapping[str, Callable[[Call, str], Expression]] = {name: _rule(name) for name in _RULES}
"""Upper-case spelling -> what it is in IR."""
