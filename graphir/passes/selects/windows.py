"""Functions over windows: the rows of each partition in a list, and what the list tells of each of its rows.

`row_number() OVER (PARTITION BY k ORDER BY o)` is the place of a row in the list of the rows that agree in `k`, sorted
by `o`; an aggregate of all of them is computed with the list.  What the list tells of one row, `frames.py` says.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TypeVar

from graphir import ir
from graphir.ir import Apply, Call, Expression, Item, Literal, NamedWindow, Property, Ref, SortKey, Window
from graphir.passes.names import Maker
from graphir.passes.selects.frames import RowOfList, Use, asks_peers, is_total, read_of_rows, used
from graphir.passes.selects.scopes import NoGraphQuery
from graphir.source import Span

T = TypeVar("T", Window, NamedWindow)


class Windows:
    """The windows of one SELECT; false where there is none."""

    def __init__(self, maker: Maker) -> None:
        self.maker = maker
        self.uses: list[Use] = []

    def taken(self, expression: Expression) -> Expression:
        """The expression with variables in place of its windows."""

        def choose(part: ir.Node) -> ir.Node | None:
            return Ref(self._use(part).variable, span=part.span) if isinstance(part, Window) else None

        return ir.rewrite_down(expression, choose)

    def first(self, partition: tuple[Expression, ...], order: tuple[SortKey, ...], span: Span | None) -> Expression:
        """Whether a row is the first of those that agree in some values."""
        number = Window(Call(("row_number",), span=span), "", partition=partition, order=order, span=span)
        return Apply("eq", (Ref(self._use(number).variable), Literal(1)), span=span)

    def _use(self, window: Window) -> Use:
        found = next((use for use in self.uses if use.window == window), None)
        if found is None:
            found = used(window, self.maker.make("w"))
            self.uses.append(found)
        return found

    def parts(self) -> Iterator[Expression]:
        """The expressions in the windows."""
        for use in self.uses:
            yield from ir.children(use.window.function)  # type: ignore[misc]
            yield from use.window.partition
            yield from (key.value for key in use.window.order)

    def replace(self, rule: Callable[[Expression], Expression]) -> None:
        """Put other expressions in the place of those in the windows."""
        for use in self.uses:
            window = use.window
            function = window.function
            assert isinstance(function, (Apply, Call))
            use.window = replace(
                window,
                function=replace(function, args=tuple([rule(each) for each in function.args])),
                partition=tuple([rule(each) for each in window.partition]),
                order=tuple([replace(key, value=rule(key.value)) for key in window.order]),
            )

    # -------------------------------------------------------------- steps

    def operators(self, read: Sequence[Expression]) -> list[ir.Operator]:
        """The steps behind which the variables are known, and with them what is read of the rows."""
        groups: dict[object, list[Use]] = {}
        for use in self.uses:
            groups.setdefault(use.key, []).append(use)
        made: list[ir.Operator] = []
        pending = list(groups.values())
        done: list[str] = []
        while pending:
            group = pending.pop(0)
            others = [part for rest in pending for use in rest for part in _parts(use.window)]
            wanted = _names([*read, *others]) - {use.variable for use in self.uses}
            made += self._group(group, sorted({*wanted, *done}))
            done += [use.variable for use in group]
        return made

    def _group(self, group: Sequence[Use], wanted: Sequence[str]) -> Iterator[ir.Operator]:
        """The rows of each partition as one, and each of them again, with what its list tells of it."""
        window = group[0].window
        span = window.span
        totals = [use for use in group if use.frame.is_all and is_total(use.window)]
        others = [use for use in group if use not in totals]
        values: dict[Expression, str] = {Ref(name): name for name in wanted}
        for each in [part for use in others for part in read_of_rows(use)]:
            values.setdefault(each, self.maker.make("v"))
        keys = [Item(each, self.maker.make("k"), span=span) for each in window.partition]
        sorting = [Item(key.value, self.maker.make("o"), span=span) for key in window.order]
        inputs = [Item(value, name, span=span) for value, name in values.items()]
        needed = sorted(_names([use.window.function for use in totals]) - set(wanted))
        inputs += [Item(Ref(name), name, span=span) for name in needed]
        yield ir.Project((*keys, *sorting, *inputs), span=span)
        order = [replace(key, value=Ref(item.name or "")) for key, item in zip(window.order, sorting, strict=True)]
        peers = [item.name or "" for item in sorting] if any(map(asks_peers, others)) else []
        fields = {name: f"f{at}" for at, name in enumerate([*values.values(), *peers], 1)}
        rows, row, place = self.maker.make("l"), self.maker.make("x"), self.maker.make("i")
        listed: Expression = ir.MapOf(tuple([ir.Entry(field, Ref(name)) for name, field in fields.items()]), span=span)
        if order:
            listed = ir.Modified(listed, order=tuple(order), span=span)
        collected = Item(Apply("collect", (listed,), span=span), rows, span=span)
        grouped = [Item(Ref(key.name or ""), key.name, span=span) for key in keys]
        sums = [Item(use.window.function, use.variable, span=use.window.span) for use in totals]
        by = tuple([Ref(key.name or "") for key in keys])
        yield ir.Project((*grouped, collected, *sums), group_by=by, span=span)
        yield ir.Unwind(Ref(rows), row, place if others else None, span=span)
        known = {value: fields[name] for value, name in values.items()}
        told = RowOfList(rows, place, known, [fields[name] for name in peers], self.maker)
        given = [Item(Property(Ref(row), fields[name]), name, span=span) for name in wanted]
        given += [Item(Ref(use.variable), use.variable, span=span) for use in totals]
        given += [Item(told.value(use), use.variable, span=use.window.span) for use in others]
        yield ir.Project(tuple(given), span=span)


def _parts(window: Window) -> Iterator[Expression]:
    yield window.function
    yield from window.partition
    yield from (key.value for key in window.order)


def _names(expressions: Sequence[Expression]) -> set[str]:
    return {part.name for each in expressions for part in ir.walk(each) if isinstance(part, Ref)}


def without_names(select: ir.Select, keys: tuple[SortKey, ...]) -> tuple[ir.Select, tuple[SortKey, ...]]:
    """The SELECT, and what it is sorted by, with what the WINDOW clause says in place of its names.

    Raises NoGraphQuery for a name that it has not.
    """
    known: dict[str, NamedWindow] = {}
    for each in select.windows:
        known[each.name.lower()] = each if each.base is None else _spelled_out(each, known)

    def choose(node: ir.Node) -> ir.Node | None:
        if isinstance(node, ir.Subquery):
            return node
        if not isinstance(node, Window) or node.base is None:
            return None
        return _spelled_out(node, known)

    items = tuple([ir.rewrite_down(each, choose) for each in select.items])
    qualify = None if select.qualify is None else ir.rewrite_down(select.qualify, choose)
    keys = tuple([ir.rewrite_down(key, choose) for key in keys])
    return replace(select, items=items, qualify=qualify, windows=()), keys


def _spelled_out(window: T, known: Mapping[str, NamedWindow]) -> T:
    """A window with what the one that it names says."""
    named = known.get((window.base or "").lower())
    if named is None:
        raise NoGraphQuery(f"there is no window `{window.base}`", window.span)
    return replace(
        window,
        base=None,
        partition=window.partition or named.partition,
        order=window.order or named.order,
        frame=window.frame or named.frame,
    )
