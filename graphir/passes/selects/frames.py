"""What the list of the rows of a partition tells of one of them: its place and rank, its neighbours, its frame.

A frame is the places that a condition leaves: `ROWS` counts them, `RANGE` takes all that are equal in what is sorted
by, as an aggregate with ORDER BY alone does.  An aggregate of a frame is a subquery over these places.  Facts: ISO/IEC
9075-2 (6.10, window functions; 7.15, window frames), the references of the databases.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from graphir import ir
from graphir.ir import Apply, Branch, Call, Case, Expression, Index, Item, Literal, Property, Ref, SortKey, Window
from graphir.passes.aggregates import is_aggregate
from graphir.passes.names import Maker
from graphir.passes.selects.grouping import require_argument
from graphir.passes.selects.scopes import NoGraphQuery

_NUMBERS = frozenset(("row_number", "rank", "dense_rank", "percent_rank", "cume_dist"))
_OF_ROWS = {"first_value": 1, "last_value": 1, "nth_value": 2, "lag": 3, "lead": 3}
"""Functions of other rows -> how many arguments they may have."""
_NEIGHBOURS = frozenset(("lag", "lead"))
_OF_SEVERAL = frozenset(("array_agg", "collect", "string_agg"))
"""Aggregates whose value depends on the order of the rows."""
_FIRST = Literal(0)
_ONE = Literal(1)


@dataclass(frozen=True, slots=True)
class Frame:
    """The rows from `low` to `high`, counted from the row at hand; None is the end.  `by_rows`: else the rows that are
    equal to the row at hand are in it with it."""

    by_rows: bool
    low: int | None
    high: int | None

    @property
    def is_all(self) -> bool:
        return self.low is None and self.high is None


@dataclass(slots=True)
class Use:
    """A window, its frame, and the variable that has its value."""

    window: Window
    frame: Frame
    variable: str

    @property
    def key(self) -> tuple[tuple[Expression, ...], tuple[SortKey, ...]]:
        """What is shared by windows whose rows are the same, in the same order."""
        return self.window.partition, self.window.order


def used(window: Window, variable: str) -> Use:
    """The window as one that a list tells.  Raises NoGraphQuery for others."""
    function, span = window.function, window.span
    parts = [function, *window.partition, *[key.value for key in window.order]]
    if any(isinstance(node, Window) for part in parts for node in ir.walk(part)):
        raise NoGraphQuery("a window over a window is none", span)
    name = _name(function)
    if name in _NUMBERS or name in _NEIGHBOURS:
        if window.frame:
            raise NoGraphQuery("ROWS and RANGE mean nothing for this function", span)
    elif name not in _OF_ROWS and not is_total(window):
        raise NoGraphQuery("OVER has no counterpart in graph queries for this function", span)
    _require_arguments(window, name)
    frame = _frame(window)
    if isinstance(function, Apply) and not frame.is_all and function.function in _OF_SEVERAL:
        raise NoGraphQuery("the order in which a list or a text of a frame is made is not said", span)
    return Use(window, frame, variable)


def _name(function: Expression) -> str:
    """The name of a function that is no aggregate."""
    return function.name[-1].lower() if isinstance(function, Call) else ""


def _require_arguments(window: Window, name: str) -> None:
    function, span = window.function, window.span
    args = function.args if isinstance(function, (Apply, Call)) else ()
    if name in _NUMBERS:
        return
    if name in _OF_ROWS:
        counts = [each.value for each in args[1:2] if isinstance(each, Literal) and type(each.value) is int]
        least = 1 if name == "nth_value" else 0
        if len(args) > 1 and (not counts or counts[0] < least):
            raise NoGraphQuery("how many rows are counted must be a literal", args[1].span)
        if not args or len(args) > _OF_ROWS[name] or (name == "nth_value" and len(args) == 1):
            raise NoGraphQuery("OVER has no counterpart in graph queries for these arguments", span)
        if any(isinstance(each, ir.Modified) for each in args):
            raise NoGraphQuery("IGNORE NULLS has no counterpart in graph queries", span)
        return
    assert isinstance(function, Apply)
    require_argument(function)
    if function.function in ("array_agg", "collect"):
        raise NoGraphQuery("OVER has no counterpart in graph queries for this function", span)


def _frame(window: Window) -> Frame:
    """The frame as it is written, or the one without a word: all rows up to those that are equal."""
    words = window.frame.upper().split()
    if not words:
        return Frame(False, None, 0 if window.order else None)
    unit, *bounds = words
    low, high = bounds, ["CURRENT", "ROW"]
    if bounds[:1] == ["BETWEEN"] and "AND" in bounds:
        middle = bounds.index("AND")
        low, high = bounds[1:middle], bounds[middle + 1 :]
    found = Frame(unit == "ROWS", _bound(low, "PRECEDING", window), _bound(high, "FOLLOWING", window))
    if unit == "ROWS":
        return found
    if unit != "RANGE" or found.low not in (None, 0) or found.high not in (None, 0):
        raise NoGraphQuery(f"{unit} with a number goes by values or groups of rows, which no list tells", window.span)
    return found if window.order else Frame(False, None, None)


def _bound(words: Sequence[str], end: str, window: Window) -> int | None:
    match words:
        case ["UNBOUNDED", word] if word == end:
            return None
        case ["CURRENT", "ROW"]:
            return 0
        case [number, ("PRECEDING" | "FOLLOWING") as way] if number.isascii() and number.isdecimal():
            return -int(number) if way == "PRECEDING" else int(number)
    raise NoGraphQuery("a frame ends at UNBOUNDED, at CURRENT ROW, or at a number of rows", window.span)


def is_total(window: Window) -> bool:
    """Whether it is an aggregate."""
    return isinstance(window.function, Apply) and is_aggregate(window.function)


def read_of_rows(use: Use) -> Sequence[Expression]:
    """What of the rows is asked besides that of the row at hand."""
    function = use.window.function
    if is_total(use.window):
        return () if use.frame.is_all else function.args[:1]  # type: ignore[attr-defined]
    args = function.args if _name(function) in _OF_ROWS else ()  # type: ignore[attr-defined]
    return [each for at, each in enumerate(args) if at != 1]


def asks_peers(use: Use) -> bool:
    """Whether it depends on which rows are equal in what is sorted by."""
    name = _name(use.window.function)
    if name in _NUMBERS or name in _NEIGHBOURS:
        return name != "row_number" and name in _NUMBERS
    return not use.frame.by_rows and not use.frame.is_all


@dataclass(frozen=True, slots=True)
class RowOfList:
    """A row of the list `rows`, at a `place` from 1: the fields that have its values, and what it is sorted by."""

    rows: str
    place: str
    fields: Mapping[Expression, str]
    sorted_by: Sequence[str]
    maker: Maker

    def value(self, use: Use) -> Expression:
        """What the list tells of the row."""
        function = use.window.function
        if isinstance(function, Apply):
            return self.aggregate(function, use)
        assert isinstance(function, Call)
        name = _name(function)
        if name in _NUMBERS:
            return self.number(name)
        if name in _NEIGHBOURS:
            return self.neighbour(function, name)
        field = self.fields[function.args[0]]
        if name == "first_value" and use.frame.low is None:
            return self.at(_FIRST, field)
        number = function.args[1] if name == "nth_value" else _ONE
        assert isinstance(number, Literal)
        place = Literal(-1 if name == "last_value" else int(number.value or 0) - 1)
        return self.at(Index(self.places(use.frame), place), field)

    # -------------------------------------------------------------- places

    @property
    def here(self) -> Expression:
        """The place of the row, from 0."""
        return Apply("sub", (Ref(self.place), _ONE))

    @property
    def size(self) -> Expression:
        return Apply("size", (Ref(self.rows),))

    def at(self, place: Expression, field: str) -> Expression:
        return Property(Index(Ref(self.rows), place), field)

    def differ(self, one: Expression, other: Expression) -> Expression:
        """Whether two rows differ in what is sorted by."""
        tests = [Apply("is_distinct", (self.at(one, each), self.at(other, each))) for each in self.sorted_by]
        if not tests:
            return Literal(False)
        return tests[0] if len(tests) == 1 else Apply("or", tuple(tests))

    def counted(self, last: Expression, test: Expression | None, place: str, first: Expression = _FIRST) -> Expression:
        """How many places up to one pass a test."""
        source: Expression = Apply("range", (first, last))
        if test is not None:
            source = ir.ListComprehension(place, source, test)
        return Apply("size", (source,))

    def extent(self, frame: Frame, place: str) -> tuple[Expression, Expression | None]:
        """The places of the partition, and which of them are in the frame."""
        tests: list[Expression] = []
        if frame.low is not None:
            tests.append(self.beyond("ge", place, frame.low, frame))
        if frame.by_rows and frame.high is not None and frame.high <= 0:
            return Apply("range", (_FIRST, _moved(self.here, frame.high))), _all(tests)
        if frame.high is not None:
            tests.append(self.beyond("le", place, frame.high, frame))
        return Apply("range", (_FIRST, Apply("sub", (self.size, _ONE)))), _all(tests)

    def beyond(self, function: str, place: str, offset: int, frame: Frame) -> Expression:
        test = Apply(function, (Ref(place), _moved(self.here, offset)))
        if frame.by_rows:
            return test
        return Apply("or", (test, Apply("not", (self.differ(Ref(place), self.here),))))

    def places(self, frame: Frame) -> Expression:
        """The places of the frame as a list."""
        place = self.maker.make("j")
        source, test = self.extent(frame, place)
        return source if test is None else ir.ListComprehension(place, source, test)

    # -------------------------------------------------------------- functions

    def number(self, name: str) -> Expression:
        """The place of the row, or its rank: rows that are equal have one rank."""
        if name == "row_number":
            return Ref(self.place)
        place = self.maker.make("j")
        if name == "dense_rank":
            changes = self.differ(Apply("sub", (Ref(place), _ONE)), Ref(place))
            return _moved(self.counted(self.here, changes, place, _ONE), 1)
        if name == "cume_dist":
            seen = self.beyond("le", place, 0, Frame(False, None, 0))
            return _share(self.counted(Apply("sub", (self.size, _ONE)), seen, place), self.size)
        before = self.counted(_moved(self.here, -1), self.differ(Ref(place), self.here), place)
        if name == "rank":
            return _moved(before, 1)
        alone = Apply("eq", (self.size, _ONE))
        share = _share(before, Apply("sub", (self.size, _ONE)))
        return Case(None, (Branch((alone,), Literal(0.0)),), share)

    def neighbour(self, function: Call, name: str) -> Expression:
        """The value of the row so many places before or behind; a default where there is none."""
        read = list(function.args)
        count = read[1] if len(read) > 1 else _ONE
        assert isinstance(count, Literal)
        distance = int(count.value or 0)
        if name == "lag":
            test = Apply("gt", (Ref(self.place), Literal(distance)))
            there: Expression = Apply("sub", (Ref(self.place), Literal(distance + 1)))
        else:
            there = _moved(self.here, distance)
            test = Apply("lt", (there, self.size))
        default = None if len(read) < _OF_ROWS[name] else self.at(self.here, self.fields[read[2]])
        value = self.at(there, self.fields[read[0]])
        return Case(None, (Branch((test,), value),), default, span=function.span)

    def aggregate(self, function: Apply, use: Use) -> Expression:
        """The aggregate of the rows of the frame, as a subquery over their places."""
        place = self.maker.make("j")
        source, test = self.extent(use.frame, place)
        args = function.args
        if args:
            args = (self.at(Ref(place), self.fields[args[0]]), *args[1:])
        made = replace(function, args=args)
        steps: list[ir.Operator] = [ir.Unwind(source, place, span=function.span)]
        if test is not None:
            steps.append(ir.Filter(test, span=function.span))
        steps.append(ir.Project((Item(made, self.maker.make("a"), span=function.span),), True, span=function.span))
        return ir.Subquery("value", ir.Pipeline(tuple(steps), span=function.span), span=function.span)


def _moved(place: Expression, by: int) -> Expression:
    """A place so many behind; `i - 1` is not moved twice."""
    match place:
        case Apply("sub", (base, Literal(int(one)))):
            return _moved(base, by - one)
    if not by:
        return place
    return Apply("add" if by > 0 else "sub", (place, Literal(abs(by))))


def _share(part: Expression, whole: Expression) -> Expression:
    return Apply("div", (Apply("mul", (part, Literal(1.0))), whole))


def _all(tests: Sequence[Expression]) -> Expression | None:
    if len(tests) < 2:
        return tests[0] if tests else None
    return Apply("and", tuple(tests))
