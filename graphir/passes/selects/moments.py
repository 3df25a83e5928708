"""Dates, timestamps and intervals: SQL makes a timestamp of a date and an interval, which IR says by a cast; what
depends on the zone or the formats of a session is no graph query.

Facts: the references of PostgreSQL, DuckDB and Hyper, where a date and an interval make a timestamp, and Oracle, where
they make a date.  What a property is only a schema tells.
"""

from __future__ import annotations

import re
from dataclasses import replace

from graphir.ir import Apply, Cast, Expression, Literal, Node, ValueType
from graphir.passes.selects import kinds as of
from graphir.passes.selects.kinds import Types
from graphir.passes.selects.operators import AS_POSTGRES, ORACLE
from graphir.passes.selects.scopes import NoGraphQuery

_SHIFTING = ("add", "sub")
_DAY = re.compile(r"\d{4}-\d\d-\d\d")
_OFFSET = re.compile(r".*\d:\d\d(?:\.\d+)?(?:[+-]\d\d(?::?\d\d)?|Z)", re.ASCII)


class Moments:
    """The rules of a query whose types are known."""

    def __init__(self, types: Types) -> None:
        self.types = types
        self.dialect = types.dialect

    def rule(self, node: Node) -> Node:
        match node:
            case Apply(function, (left, right)) if function in _SHIFTING and self.is_interval(right):
                return replace(node, args=(self.shifted(left, right), right))
            case Apply("add", (left, right)) if self.is_interval(left):
                return replace(node, args=(left, self.shifted(right, left)))
            case Apply(("extract" | "date_trunc"), (_, value, *_)) if of.ZONED in self.types.of(value):
                raise NoGraphQuery(f"a part of {_ZONED}", node.span)
            case Cast(value, ValueType(name)):
                self.require_same_zone(node, value, name)
        return node

    def is_interval(self, value: Expression) -> bool:
        return of.DURATION in self.types.of(value)

    def shifted(self, value: Expression, interval: Expression) -> Expression:
        """What an interval is added to."""
        own = self.types.of(value)
        if self.dialect not in AS_POSTGRES or not own & {of.DATE, of.ANY}:
            return value
        if own == frozenset((of.DATE,)) and self.types.of(interval) == frozenset((of.DURATION,)):
            return as_timestamp(value)
        told = "a date and an interval make a timestamp, and only a schema tells what this is"
        raise NoGraphQuery(f"{told}: write CAST(.. AS TIMESTAMP)", value.span or interval.span)

    def require_same_zone(self, node: Cast, value: Expression, name: str) -> None:
        """That a cast does not ask the session.  Raises NoGraphQuery."""
        own = self.types.of(value)
        if own & of.TEMPORAL and name == "STRING" and self.dialect in ORACLE:
            raise NoGraphQuery("the text of a date is in the format of the session: write TO_CHAR", node.span)
        if of.ZONED in own and name != of.ZONED:
            raise NoGraphQuery(f"what is cast is {_ZONED}", node.span)
        if name != of.ZONED or own <= {of.ZONED}:
            return
        if isinstance(value, Literal) and isinstance(value.value, str) and _OFFSET.fullmatch(value.value.strip()):
            return
        told = "a moment without a zone is one in the zone of the session: write one with its zone"
        raise NoGraphQuery(told, node.span)


_ZONED = "a moment in the zone of the session"


def as_timestamp(value: Expression) -> Expression:
    """A date as the timestamp of its midnight."""
    kind = ValueType(of.LOCAL, span=value.span)
    match value:
        case Cast(Literal(str(text)) as literal) if _DAY.fullmatch(text):
            return replace(value, value=replace(literal, value=f"{text} 00:00:00", text=None), type=kind)
    return Cast(value, kind, span=value.span)
