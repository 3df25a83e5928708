"""Lists: what is in them, when they are equal, and what is joined to them.

Facts: the references of PostgreSQL ("Array Functions and Operators") and DuckDB ("List Functions"); PostgreSQL 18 and
DuckDB 2.0 were asked.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graphir import ir
from graphir.ir import Apply, Call, Case, Expression, ListOf, Literal, Node, Property, Ref
from graphir.passes.selects import kinds as of
from graphir.passes.selects.kinds import NOTHING, Kinds, Types
from graphir.passes.selects.lists import is_written, some
from graphir.passes.selects.operators import COMPARING
from graphir.passes.selects.scopes import NoGraphQuery

CONTAINING = frozenset(("list_contains", "array_contains", "list_has", "array_has"))
"""Functions of DuckDB that look for a value in a list, as `x IN [..]` does."""
_NULL_IS_EMPTY = frozenset(("pgq-postgres", "pgq-hyper"))
"""Where a null list that is joined to another adds nothing."""


def searched(node: Node) -> Apply | None:
    """`x IN list`, of a call that looks for a value in a list."""
    match node:
        case Call((name,), (source, value)) if name.lower() in CONTAINING:
            return Apply("in", (value, source), span=node.span)
    return None


class Lists:
    """The rules of a query whose types are known."""

    def __init__(self, types: Types) -> None:
        self.types = types

    def rule(self, node: Node) -> Node:
        match node:
            case Apply(function, args) if function in COMPARING or function == "nullIf":
                self.require_no_nulls(function, args)
            case Case(subject, branches) if subject is not None:
                self.require_no_nulls("eq", [subject, *[test for each in branches for test in each.tests]])
        return node

    def require_no_nulls(self, function: str, args: Sequence[Expression]) -> None:
        """That no null is in lists which are compared: it is equal to null there.  Raises NoGraphQuery."""
        compared = [*args[:1], *args[1].items] if function == "in" and isinstance(args[1], ListOf) else list(args)
        if function == "in" and not isinstance(args[1], ListOf):
            compared = [args[0]]
        for each in compared:
            if of.are_lists(self.types.of(each)) and self.may_hold_null(each):
                raise NoGraphQuery("null is equal to null in lists that are compared: compare lists without", each.span)

    def may_hold_null(self, value: Expression) -> bool:
        """Whether one of the elements may be null, which none is in a property."""
        match value:
            case Property() | Literal():
                return False
            case ListOf(items):
                return not all(isinstance(each, Literal) and each.value is not None for each in items)
            case Ref(name):
                sources = self.types.sources.get(name, ())
                return not sources or not all(isinstance(each, Property) for each in sources)
            case Apply(("coalesce" | "concat"), args):
                return any(map(self.may_hold_null, args))
        return True

    def joined(self, node: Apply) -> Expression:
        """`a || b` where one is a list: what is none is an element."""
        found = [self.types.of(each) for each in node.args]
        _require_alike(node, found)
        parts = [self.element(a, b) for a, b in zip(node.args, found, strict=True)]
        if self.types.dialect not in _NULL_IS_EMPTY:
            return replace(node, args=tuple(parts))
        first, *others = parts
        for other in others:
            first = self.pair(first, other, node)
        return first

    def element(self, value: Expression, kinds: Kinds) -> Expression:
        if all(isinstance(each, of.Listed) for each in kinds):
            return value
        if of.ANY in kinds:
            told = "it is a list or an element that is joined to a list, which only a schema tells"
            raise NoGraphQuery(told, value.span)
        if self.types.dialect == "pgq-duckpgq":
            raise NoGraphQuery("an element is joined to a list by list_append in this dialect", value.span)
        return ListOf((value,), span=value.span)

    def pair(self, left: Expression, right: Expression, node: Apply) -> Expression:
        """Two lists, of which a null one is as if it were empty; null, where both are."""
        is_left, is_right = self.is_made(left), self.is_made(right)
        if is_left or is_right:
            parts = [value if is_made else some(value) for value, is_made in ((left, is_left), (right, is_right))]
            return Apply("concat", tuple(parts), span=node.span)
        if not isinstance(right, (Ref, Property, Literal)):
            raise NoGraphQuery("lists that may be null are joined from left to right alone: write coalesce", right.span)
        return Apply("coalesce", (Apply("concat", (left, some(right)), span=node.span), right), span=node.span)

    def is_made(self, value: Expression) -> bool:
        """Whether a list is made by the query, so that it is not null."""
        match value:
            case ir.ListComprehension(_, source) | ir.Slice(source, _, _):
                return self.is_made(source)
            case Apply(("nodes" | "relationships"), (Ref(),)):
                return True
            case Apply("concat", args):
                return all(map(self.is_made, args))
            case Apply("coalesce", args):
                return any(map(self.is_made, args))
            case Ref(name):
                sources = self.types.sources.get(name, ())
                return bool(sources) and all(isinstance(each, ir.Expression) and self.is_made(each) for each in sources)
        return is_written(value)


def _require_alike(node: Apply, found: Sequence[Kinds]) -> None:
    """That elements of one kind are joined.  Raises NoGraphQuery."""
    plain = [of.elements(each) if of.are_lists(each) else each for each in found]
    known: Kinds = NOTHING.union(*plain)
    if of.ANY not in known and not known <= of.NUMBERS and not known <= of.TEXTS and len(known) > 1:
        raise NoGraphQuery("lists of different types are joined: write a CAST", node.span)


def is_of_lists(node: Apply, types: Types) -> bool:
    """Whether lists are joined, and not texts."""
    return any(of.are_lists(types.of(each)) for each in node.args)
