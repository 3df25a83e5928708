"""GROUP BY and aggregates of SELECT: one projection that groups, and expressions over its columns behind it."""

from __future__ import annotations

from collections.abc import Sequence

from graphir import ir
from graphir.ir import Expression, Item, Literal, Node, Project, Ref
from graphir.passes.aggregates import find_aggregates
from graphir.passes.names import Maker
from graphir.passes.selects.scopes import NoGraphQuery
from graphir.source import Span


def find_position(key: Expression, columns: int) -> int | None:
    """The column, from 0, that a number among the keys means."""
    if not isinstance(key, Literal) or type(key.value) is not int:
        return None
    if not 1 <= key.value <= columns:
        raise NoGraphQuery(f"there is no column {key.value}", key.span)
    return key.value - 1


def require_no_aggregate(key: Expression, span: Span | None) -> None:
    """Raises NoGraphQuery where rows would be grouped by what is computed of a group."""
    found = next(iter(find_aggregates(key)), None)
    if found is not None:
        raise NoGraphQuery("rows cannot be grouped by an aggregate", span)


def require_argument(aggregate: Expression) -> None:
    """Raises NoGraphQuery for an aggregate of nothing, but that of rows."""
    if isinstance(aggregate, ir.Apply) and not aggregate.args and aggregate.function != "count_star":
        raise NoGraphQuery("an aggregate has an argument", aggregate.span)


def substitute(node: Expression, values: Sequence[tuple[Expression, Ref]]) -> Expression:
    """The expression with columns in place of what they hold."""

    def choose(part: Node) -> Node | None:
        return next((ref for value, ref in values if value == part), None)

    return ir.rewrite_down(node, choose)


class Grouped:
    """What a SELECT groups by and aggregates; false where it does neither."""

    def __init__(
        self, maker: Maker, keys: Sequence[Expression] | None, expressions: Sequence[Expression | None]
    ) -> None:
        self.is_explicit = keys is not None
        self.keys: list[tuple[Expression, Ref]] = []
        for key in keys or ():
            if key not in [value for value, _ in self.keys]:
                self.keys.append((key, key if isinstance(key, Ref) else Ref(maker.make("k"))))
        self.aggregates: list[tuple[Expression, Ref]] = []
        for expression in expressions:
            for found in () if expression is None else find_aggregates(expression):
                assert isinstance(found, Expression)
                require_argument(found)
                if any(next(iter(find_aggregates(part)), None) for part in ir.children(found)):
                    raise NoGraphQuery("an aggregate of an aggregate is none", found.span)
                if found not in [value for value, _ in self.aggregates]:
                    self.aggregates.append((found, Ref(maker.make("a"))))

    def __bool__(self) -> bool:
        return self.is_explicit or bool(self.aggregates)

    def projection(self, span: Span | None) -> Project:
        """The step that groups."""
        items = [Item(value, ref.name, span=value.span) for value, ref in (*self.keys, *self.aggregates)]
        keys = tuple([value for value, _ in self.keys]) if self.is_explicit else None
        return Project(tuple(items), group_by=keys, span=span)

    def after(self, expression: Expression, before: frozenset[str]) -> Expression:
        """An expression over the groups.  NoGraphQuery where it reads a column, of those `before`, that none has."""
        made = substitute(expression, [*self.aggregates, *self.keys])
        kept = {ref.name for _, ref in (*self.keys, *self.aggregates)}
        for node in ir.walk(made):
            if isinstance(node, Ref) and node.name in before and node.name not in kept:
                raise NoGraphQuery("the column is neither grouped nor aggregated", node.span or expression.span)
        return made
