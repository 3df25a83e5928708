"""Pieces of conditions: what they say of the elements that stand in them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sqlglot import exp

from graphir.backends.sql import build
from graphir.backends.sql.build import Sql, bare


def conjuncts(condition: Sql) -> Iterator[Sql]:
    """All that must hold."""
    pending = [condition]
    while pending:
        node = pending.pop()
        inner = bare(node)
        if isinstance(inner, exp.And):
            pending += [inner.expression, inner.this]
        else:
            yield node


def tag_of(piece: Sql) -> str | None:
    """The tag of the element that a piece is, in brackets or not."""
    return build.tag_of(bare(piece))


def may_be_same(one: str | None, other: str | None) -> bool:
    return one is None or other is None or one == other


def is_of(condition: Sql, members: Sequence[str]) -> bool:
    """Whether a condition reads the members alone, without a query."""
    columns = 0
    for node in build.nodes(condition):
        if isinstance(node, exp.Query):
            return False
        if isinstance(node, exp.Column):
            columns += 1
            if node.table not in members:
                return False
    return columns > 0


def spelled(condition: Sql) -> list[Sql]:
    """A condition that edges are not in a list that is written out: that they are not the edges there."""
    node = bare(condition)
    found = bare(node.this) if isinstance(node, exp.Not) else None
    if not isinstance(found, exp.Anonymous) or found.name not in ("list_contains", "list_has_any"):
        return [condition]
    lists = [_listed(each) for each in found.expressions]
    if found.name == "list_contains":
        lists[1] = [found.expressions[1]]
    one, other = lists
    if one is None or other is None:
        return [condition]
    return [build.binary(exp.NEQ, build.again(each), build.again(item)) for each in other for item in one]


def _listed(piece: Sql) -> list[Sql] | None:
    """The elements of a list that is written out."""
    node = bare(piece)
    while isinstance(node, exp.Cast):
        node = bare(node.this)
    return list(node.expressions) if isinstance(node, exp.Array) else None


def is_never(condition: Sql) -> bool:
    """Whether a condition says that elements of different tables are the same."""
    node = bare(condition)
    if not isinstance(node, exp.EQ):
        return False
    return not may_be_same(tag_of(node.this), tag_of(node.expression))


def is_granted(condition: Sql) -> bool:
    """Whether a condition says that elements of different tables are not the same."""
    node = bare(condition)
    if not isinstance(node, exp.NEQ):
        return False
    one, other = tag_of(node.this), tag_of(node.expression)
    return one is not None and other is not None and one != other
