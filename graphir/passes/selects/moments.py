"""Dates beside timestamps and intervals: SQL makes a timestamp of a date there, which IR says by a cast.

Facts: the references of PostgreSQL, DuckDB and Hyper, where a date and an interval make a timestamp, and Oracle, where
they make a date.  What a property is only a schema tells.
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING

from graphir import ir
from graphir.ir import Apply, Cast, Expression, Node, ValueType
from graphir.passes.selects.operators import AS_POSTGRES, COMPARING, ORACLE
from graphir.passes.selects.origins import holds, names_of, properties_of
from graphir.passes.selects.scopes import NoGraphQuery

if TYPE_CHECKING:
    from graphir.schema import Schema

DATE, LOCAL, ZONED = "DATE", "LOCAL DATETIME", "ZONED DATETIME"
_TEMPORAL = (DATE, LOCAL, ZONED)
_SHIFTING = ("add", "sub")
_KEEPING = frozenset(("coalesce", "nullIf", "min", "max", "any_value", "greatest", "least", *_SHIFTING))
"""What gives one of its arguments, or something of the type of one."""
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
Kinds = frozenset[str] | None
"""The temporal types that a value may have; None where nothing is known of it."""


def with_timestamps(query: ir.Query, dialect: str, schema: Schema | None) -> ir.Query:
    """The query with casts where SQL makes timestamps of dates.  Raises NoGraphQuery where it is not known whether."""
    if schema is None and not any(map(_is_temporal, ir.walk(query))):
        return query
    return ir.rewrite(query, _Moments(query, dialect, schema).rule)


def _is_temporal(node: Node) -> bool:
    match node:
        case Cast():
            return node.type.name in _TEMPORAL
        case Apply("interval"):
            return True
    return False


class _Moments:
    """The rules of a query."""

    def __init__(self, query: ir.Query, dialect: str, schema: Schema | None) -> None:
        self.dialect = dialect
        self.names: dict[str, frozenset[str]] | None = None if schema is None else _names(query, schema)

    def rule(self, node: Node) -> Node:
        match node:
            case Apply(function, (left, right)) if function in _SHIFTING and _is_interval(right):
                return replace(node, args=(self.shifted(left, right), right))
            case Apply("add", (left, right)) if _is_interval(left):
                return replace(node, args=(left, self.shifted(right, left)))
            case Apply(function, args) if function in COMPARING:
                return replace(node, args=self.compared(args))
        return node

    def kinds(self, value: Expression) -> Kinds:
        match value:
            case Cast():
                return frozenset((value.type.name,)) & frozenset(_TEMPORAL)
            case ir.ListOf(items):
                return _united([self.kinds(each) for each in items])
            case Apply(function, args) if function in _KEEPING:
                return _united([self.kinds(each) for each in args if not _is_interval(each)])
            case ir.Literal() | ir.Parameter() | Apply() | ir.Call():
                return frozenset()
        if self.names is None:
            return None
        return frozenset([kind for kind, names in self.names.items() if holds(value, names)])

    def shifted(self, value: Expression, interval: Expression) -> Expression:
        """What an interval is added to."""
        if _is_interval(value) or self.dialect not in AS_POSTGRES:
            return value
        kinds = self.kinds(value)
        if kinds == frozenset((DATE,)):
            return _as_timestamp(value)
        if kinds is None or DATE in kinds:
            told = "a date and an interval make a timestamp, and only a schema tells what this is"
            raise NoGraphQuery(f"{told}: write CAST(.. AS TIMESTAMP)", value.span or interval.span)
        return value

    def compared(self, args: tuple[Expression, ...]) -> tuple[Expression, ...]:
        """What is compared: where dates meet timestamps, as timestamps."""
        found = [self.kinds(each) for each in args]
        known = frozenset[str]().union(*[each for each in found if each is not None])
        if not known or (len(known) == 1 and all(each in (known, frozenset()) for each in found)):
            return args
        if None in found:
            span = args[found.index(None)].span
            raise NoGraphQuery("it is a date or a timestamp that is compared, which only a schema tells", span)
        if known != {DATE, LOCAL} or self.dialect not in (*AS_POSTGRES, *ORACLE):
            raise NoGraphQuery("dates, timestamps and those with a zone are compared: write a CAST", args[0].span)
        return tuple([self.as_timestamps(each) for each in args])

    def as_timestamps(self, value: Expression) -> Expression:
        kinds = self.kinds(value)
        if isinstance(value, ir.ListOf):
            return replace(value, items=tuple([self.as_timestamps(each) for each in value.items]))
        if kinds == frozenset((DATE,)):
            return _as_timestamp(value)
        if kinds is None or DATE in kinds:
            raise NoGraphQuery("it is a date or a timestamp that is compared: write a CAST", value.span)
        return value


def _is_interval(value: Expression) -> bool:
    return isinstance(value, Apply) and value.function == "interval"


def _united(kinds: list[Kinds]) -> Kinds:
    known = [each for each in kinds if each is not None]
    return frozenset[str]().union(*known) if len(known) == len(kinds) else None


def _as_timestamp(value: Expression) -> Expression:
    kind = ValueType(LOCAL, span=value.span)
    match value:
        case Cast(ir.Literal(str(text)) as literal) if _DAY.fullmatch(text):
            return replace(value, value=replace(literal, value=f"{text} 00:00:00", text=None), type=kind)
    return Cast(value, kind, span=value.span)


def _names(query: ir.Query, schema: Schema) -> dict[str, frozenset[str]]:
    """For each temporal type the properties and columns, in lower case, that may have it."""
    properties = {kind: properties_of(schema, (kind,)) for kind in _TEMPORAL}
    return {kind: names_of(query, names) for kind, names in properties.items() if names}
