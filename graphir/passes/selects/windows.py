"""Functions over windows: the rows of each partition in a list, and what the list tells of each of its rows.

`row_number() OVER (PARTITION BY k ORDER BY o)` is the place of a row in the list of the rows that agree in `k`, sorted
by `o`; an aggregate without ORDER BY is one of all of them.  What goes on with each row (an aggregate with ORDER BY,
ROWS BETWEEN ..) is no graph query.  Facts: ISO/IEC 9075-2 (6.10, window functions), the references of the databases.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from graphir import ir
from graphir.ir import Apply, Branch, Call, Case, Expression, Index, Item, Literal, Property, Ref, SortKey, Window
from graphir.passes.aggregates import is_aggregate
from graphir.passes.names import Maker
from graphir.passes.selects.grouping import require_argument
from graphir.passes.selects.scopes import NoGraphQuery
from graphir.source import Span

_WHOLE = "BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING"


@dataclass(slots=True)
class _Use:
    """A window, and the variable that has its value."""

    window: Window
    variable: str

    @property
    def key(self) -> tuple[tuple[Expression, ...], tuple[SortKey, ...]]:
        """What is shared by windows whose rows are the same, in the same order."""
        return self.window.partition, self.window.order


class Windows:
    """The windows of one SELECT; false where there is none."""

    def __init__(self, maker: Maker) -> None:
        self.maker = maker
        self.uses: list[_Use] = []

    def taken(self, expression: Expression) -> Expression:
        """The expression with variables in place of its windows."""

        def choose(part: ir.Node) -> ir.Node | None:
            return Ref(self._use(part).variable, span=part.span) if isinstance(part, Window) else None

        return ir.rewrite_down(expression, choose)

    def first(self, partition: tuple[Expression, ...], order: tuple[SortKey, ...], span: Span | None) -> Expression:
        """Whether a row is the first of those that agree in some values."""
        number = Window(Call(("row_number",), span=span), "", partition=partition, order=order, span=span)
        return Apply("eq", (Ref(self._use(number).variable), Literal(1)), span=span)

    def _use(self, window: Window) -> _Use:
        _require_known(window)
        found = next((use for use in self.uses if use.window == window), None)
        if found is None:
            found = _Use(window, self.maker.make("w"))
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
        groups: dict[object, list[_Use]] = {}
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

    def _group(self, group: Sequence[_Use], wanted: Sequence[str]) -> Iterator[ir.Operator]:
        """The rows of each partition as one, and each of them again, with what its list tells of it."""
        window = group[0].window
        span = window.span
        held = {name: name for name in wanted}
        values: dict[Expression, str] = {Ref(name): name for name in wanted}
        for use in group:
            for each in use.window.function.args if _reads_rows(use.window.function) else ():  # type: ignore[attr-defined]
                values.setdefault(each, self.maker.make("v"))
        keys = [Item(each, self.maker.make("k"), span=span) for each in window.partition]
        sorting = [Item(key.value, self.maker.make("o"), span=span) for key in window.order]
        inputs = [Item(value, name, span=span) for value, name in values.items()]
        totals = [use for use in group if not _reads_rows(use.window.function) and not _is_number(use.window.function)]
        needed = sorted(_names([use.window.function for use in totals]) - set(held))
        inputs += [Item(Ref(name), name, span=span) for name in needed]
        yield ir.Project((*keys, *sorting, *inputs), span=span)
        order = [replace(key, value=Ref(item.name or "")) for key, item in zip(window.order, sorting, strict=True)]
        rows, row, place = self.maker.make("l"), self.maker.make("x"), self.maker.make("i")
        fields = {name: f"f{at}" for at, name in enumerate(values.values(), 1)}
        entries = tuple([ir.Entry(field, Ref(name)) for name, field in fields.items()])
        listed: Expression = ir.MapOf(entries, span=span)
        if order:
            listed = ir.Modified(listed, order=tuple(order), span=span)
        collected = Item(Apply("collect", (listed,), span=span), rows, span=span)
        grouped = [Item(Ref(key.name or ""), key.name, span=span) for key in keys]
        sums = [Item(use.window.function, use.variable, span=use.window.span) for use in totals]
        by = tuple([Ref(key.name or "") for key in keys])
        yield ir.Project((*grouped, collected, *sums), group_by=by, span=span)
        counts = any(use not in totals for use in group)
        yield ir.Unwind(Ref(rows), row, place if counts else None, span=span)
        given = [Item(Property(Ref(row), fields[name]), name, span=span) for name in wanted]
        given += [Item(Ref(use.variable), use.variable, span=span) for use in totals]
        for use in group:
            if use not in totals:
                value = self._of_row(use.window.function, rows, place, {v: fields[n] for v, n in values.items()})
                given.append(Item(value, use.variable, span=use.window.span))
        yield ir.Project(tuple(given), span=span)

    def _of_row(self, function: Expression, rows: str, place: str, fields: dict[Expression, str]) -> Expression:
        """What the list of rows tells of the row at a place, from 1."""
        if _is_number(function):
            return Ref(place, span=function.span)
        assert isinstance(function, Call)
        name = function.name[-1].lower()
        field = fields[function.args[0]]
        if name == "first_value":
            return Property(Index(Ref(rows), Literal(0)), field, span=function.span)
        if name == "lag":
            before = Apply("gt", (Ref(place), Literal(1)))
            value = Property(Index(Ref(rows), Apply("sub", (Ref(place), Literal(2)))), field)
            return Case(None, (Branch((before,), value),), None, span=function.span)
        behind = Apply("lt", (Ref(place), Apply("size", (Ref(rows),))))
        return Case(None, (Branch((behind,), Property(Index(Ref(rows), Ref(place)), field)),), None, span=function.span)


def _parts(window: Window) -> Iterator[Expression]:
    yield window.function
    yield from window.partition
    yield from (key.value for key in window.order)


def _names(expressions: Sequence[Expression]) -> set[str]:
    return {part.name for each in expressions for part in ir.walk(each) if isinstance(part, Ref)}


def _is_number(function: Expression) -> bool:
    return isinstance(function, Call) and function.name[-1].lower() == "row_number"


def _reads_rows(function: Expression) -> bool:
    """Whether it is the value of another row of the list."""
    return isinstance(function, Call) and function.name[-1].lower() in _OF_ROWS


_OF_ROWS = frozenset(("first_value", "lag", "lead"))


def _require_known(window: Window) -> None:
    """Raises NoGraphQuery for a window that no list tells."""
    function, span = window.function, window.span
    if window.base is not None:
        raise NoGraphQuery("a window by its name has no counterpart in graph queries: write what it says", span)
    frame = " ".join(window.frame.upper().split())
    if frame and frame.partition(" ")[2] != _WHOLE:
        raise NoGraphQuery(f"OVER ({frame.partition(' ')[0]} ..) goes on with each row, which no list tells", span)
    if any(isinstance(node, Window) for part in _parts(window) for node in ir.walk(part)):
        raise NoGraphQuery("a window over a window is none", span)
    if _is_number(function) or (_reads_rows(function) and len(getattr(function, "args", ())) == 1):
        if frame:
            raise NoGraphQuery("ROWS and RANGE mean nothing for this function", span)
        return
    if not isinstance(function, Apply) or not is_aggregate(function) or function.function in ("array_agg", "collect"):
        raise NoGraphQuery("OVER has no counterpart in graph queries for this function", span)
    require_argument(function)
    if window.order and not frame:
        raise NoGraphQuery("an aggregate with ORDER BY in OVER goes on with each row, which no list tells", span)
