"""Features of temporal values."""

from __future__ import annotations

from collections.abc import Iterator

from graphir import ir, types
from graphir.backends.engines.features.asked import Asked
from graphir.types import DATE, DURATION, INSTANT, LOCAL_DATETIME, LOCAL_TIME, STRING, ZONED_DATETIME, ZONED_TIME

_NAMES = ("date", "time", "localtime", "datetime", "localdatetime", "duration")
_BETWEEN = ("duration.between", "duration.inMonths", "duration.inDays", "duration.inSeconds")
_ZONED = ZONED_DATETIME | ZONED_TIME
_EQUALITY = ("eq", "ne", "in", "lt", "le", "gt", "ge")
_ORDER = ("lt", "le", "gt", "ge")


def functions(asked: Asked) -> Iterator[ir.Node]:
    """Functions, arithmetic and parts; not constructors of a literal text, which are constants."""
    for node in asked.nodes:
        match node:
            case ir.Apply(function=name) if _is_temporal(name) and not _is_constant(node):
                yield node
            case ir.Call() if _is_temporal(".".join(node.name).lower()):
                yield node
            case ir.Apply(function="add" | "sub" | "mul" | "div" | "neg"):
                if any(_may_be(asked, each, INSTANT | DURATION) for each in node.args):
                    yield node
            case ir.Property(base=base) if _may_be(asked, base, INSTANT | DURATION):
                yield node


def _is_temporal(name: str) -> bool:
    return name.split(".", maxsplit=1)[0] in _NAMES


def _is_constant(call: ir.Apply) -> bool:
    return call.function in _NAMES and len(call.args) == 1 and isinstance(call.args[0], ir.Literal)


def _may_be(asked: Asked, expression: ir.Node, kinds: int) -> bool:
    return bool(asked.kind(expression) & kinds)


def nanoseconds(asked: Asked) -> Iterator[ir.Node]:
    for call in asked.calls(*_NAMES):
        for argument in call.args:
            text = argument.value if isinstance(argument, ir.Literal) else None
            if isinstance(text, str) and _digits_of_second(text) > 6:
                yield call


def _digits_of_second(text: str) -> int:
    fraction = text.replace(",", ".").rpartition(".")[2]
    return next((at for at, letter in enumerate(fraction) if not letter.isdigit()), len(fraction))


def between(asked: Asked) -> Iterator[ir.Node]:
    """The time between two values of which one has a zone."""
    for call in asked.calls(*_BETWEEN):
        if any(_may_be(asked, each, ZONED_DATETIME | ZONED_TIME) for each in call.args):
            yield call


def text(asked: Asked) -> Iterator[ir.Node]:
    """A time as text, by toString or by joining it with a text."""
    timed = INSTANT & ~DATE
    for call in asked.calls("toString", "toStringOrNull", "toStringList", "add", "concat"):
        kinds = [asked.kind(each) for each in call.args]
        joined = call.function.startswith("toString") or any(kind & STRING for kind in kinds)
        if joined and any(kind & (timed | types.list_of(timed)) for kind in kinds):
            yield call


def comparison_of_durations(asked: Asked) -> Iterator[ir.Node]:
    for call in asked.calls(*_ORDER):
        if all(asked.may_be(each, DURATION) for each in call.args):
            yield call


def comparison_of_two_kinds(asked: Asked) -> Iterator[ir.Node]:
    """Temporal values of different types compared, or a temporal value and a text."""
    apart = (DATE, LOCAL_TIME, ZONED_TIME, LOCAL_DATETIME, ZONED_DATETIME, STRING)
    for call in asked.calls(*_EQUALITY):
        one, other = (asked.kind(each) | _elements(asked, each) for each in call.args)
        for kind in apart:
            if one & kind and other & (INSTANT | STRING) & ~kind and (kind != STRING or other & INSTANT):
                yield call
                break


def _elements(asked: Asked, expression: ir.Node) -> int:
    kind = asked.kind(expression) & types.LIST
    return types.element_of(kind) if kind else 0


def equality_of_zoned(asked: Asked) -> Iterator[ir.Node]:
    """Values with a zone or offset compared, or told apart by DISTINCT, grouping and UNION."""
    for call in asked.calls(*_EQUALITY):
        if all(asked.may_be(each, _ZONED) for each in call.args):
            yield call
    for value in told_apart(asked):
        if asked.may_be(value, _ZONED):
            yield value


def told_apart(asked: Asked) -> Iterator[ir.Expression]:
    """The expressions of whose values DISTINCT, grouping and UNION keep different ones."""
    for node in asked.nodes:
        match node:
            case ir.Project(distinct=True):
                yield from (item.value for item in node.items)
            case ir.Aggregate():
                yield from (item.value for item in node.keys)
            case ir.Apply(distinct=True):
                yield from node.args
            case ir.SetOperation(distinct=True):
                for branch in node.branches:
                    projects = [each for each in ir.walk(branch) if isinstance(each, ir.Project) and each.final]
                    yield from (item.value for project in projects for item in project.items)


def order_of_durations(asked: Asked) -> Iterator[ir.Node]:
    for value in sorted_values(asked):
        if asked.may_be(value, DURATION):
            yield value


def sorted_values(asked: Asked) -> Iterator[ir.Expression]:
    """What ORDER BY, min and max compare."""
    for node in asked.nodes:
        if isinstance(node, ir.SortKey):
            yield node.value
        elif isinstance(node, ir.Apply) and node.function in ("min", "max"):
            yield from node.args


def sum_of_durations(asked: Asked) -> Iterator[ir.Node]:
    for call in asked.calls("sum", "avg"):
        if any(asked.may_be(each, DURATION) for each in call.args):
            yield call


def epoch_and_nanoseconds(asked: Asked) -> Iterator[ir.Node]:
    for call in asked.calls("datetime", "localdatetime"):
        keys = {entry.key for each in call.args if isinstance(each, ir.MapOf) for entry in each.entries}
        if "epochMillis" in keys and len(keys) > 1:
            yield call


def quarter_day(asked: Asked) -> Iterator[ir.Node]:
    yield from (node for node in asked.nodes if isinstance(node, ir.Property) and node.key == "quarterDay")


def missing_part(asked: Asked) -> Iterator[ir.Node]:
    """A part that is read of what may be temporal, and that no temporal value has."""
    for node in asked.nodes:
        if isinstance(node, ir.Property) and node.key not in _PARTS and asked.kind(node.base) & (INSTANT | DURATION):
            yield node


_CALENDAR = (
    "year",
    "quarter",
    "month",
    "week",
    "weekYear",
    "day",
    "ordinalDay",
    "dayOfWeek",
    "weekDay",
    "dayOfQuarter",
)
_CLOCK = ("hour", "minute", "second", "millisecond", "microsecond", "nanosecond")
_OFFSETS = ("timezone", "offset", "offsetMinutes", "offsetSeconds", "epochSeconds", "epochMillis", "quarterDay")
_LENGTHS = ("quarter", "month", "week", "day", "hour", "minute", "second", "millisecond", "microsecond", "nanosecond")
_RESTS = ("quartersOfYear", "monthsOfQuarter", "monthsOfYear", "daysOfWeek", "minutesOfHour", "secondsOfMinute")
_FRACTIONS = ("millisecondsOfSecond", "microsecondsOfSecond", "nanosecondsOfSecond")
_PARTS = frozenset((*_CALENDAR, *_CLOCK, *_OFFSETS, "years", *(f"{each}s" for each in _LENGTHS), *_RESTS, *_FRACTIONS))
"""What temporal values are made of."""
