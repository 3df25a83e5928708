"""Dates and points in time.

A point in time of GoogleSQL has no zone of its own: it is asked for its parts, and cut to its day, in UTC.  A local
date and time that the database holds as text is read where more is asked of it than to be shown.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

from graphir import ir
from graphir.backends.gql.expressions import ABSENT, Translator, Typed, call
from graphir.backends.gql.lists import addition as addition_of_lists
from graphir.backends.gql.nodes import Extract, Interval
from graphir.backends.gql.values import Kind, Value
from graphir.diagnostics import RunFault
from graphir.values.dates import Date
from graphir.values.datetimes import DateTime, LocalDateTime
from graphir.values.durations import Duration

if TYPE_CHECKING:
    from graphir.backends.gql.schematic import Schematic

ZONE = "UTC"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LOCAL = "LOCAL DATETIME"
_PARTS = {
    "year": "YEAR",
    "quarter": "QUARTER",
    "month": "MONTH",
    "week": "ISOWEEK",
    "weekYear": "ISOYEAR",
    "day": "DAY",
    "ordinalDay": "DAYOFYEAR",
}
"""Component of a date -> the part of GoogleSQL with the same value."""
_CLOCK = {"hour": "HOUR", "minute": "MINUTE", "second": "SECOND", "millisecond": "MILLISECOND"}
_SINCE = {"epochSeconds": "UNIX_SECONDS", "epochMillis": "UNIX_MILLIS"}


def timestamp(text: str) -> ir.Expression:
    return ir.Cast(ir.Literal(text), ir.ValueType("TIMESTAMP"), keyword="literal")


def component(self: Schematic, node: ir.Property, base: ir.Expression, value: Value) -> Typed:
    """A part of a date or a point in time."""
    zone = None if has_no_zone(self, value) else ZONE
    made = Value(Kind.INT, value.nullable)
    key = node.key
    if key in _PARTS:
        return Extract(_PARTS[key], base, zone), made
    if key in _CLOCK and value.kind is not Kind.DATE:
        return Extract(_CLOCK[key], base, zone), made
    if key in _SINCE and value.kind is Kind.TIMESTAMP:
        return call(_SINCE[key], base), made
    if key in ("dayOfWeek", "weekDay"):  # Sunday is the first day there, Monday here
        day = ir.Apply("add", (Extract("DAYOFWEEK", base, zone), ir.Literal(5)))
        return ir.Apply("add", (call("MOD", day, ir.Literal(7)), ir.Literal(1))), made
    raise self.report.refusal("component", node, f"`.{key}` of {value.kind.value}")


def has_no_zone(self: Schematic, value: Value) -> bool:
    """Whether the value has a day of its own: a date, or a date and time of a type without zones."""
    return value.kind is Kind.DATE or (value.kind is Kind.DATETIME and self.setting.has_datetime)


def settled(expression: ir.Expression, value: Value) -> Typed:
    """A local date and time that is held as text, as a point in time in UTC; anything else as it is."""
    if value.kind is Kind.OPAQUE and value.type == _LOCAL:
        return call("TIMESTAMP", expression, ir.Literal(ZONE)), Value(Kind.DATETIME, value.nullable)
    return expression, value


def parsed(self: Schematic, node: ir.Apply, kind: type[Date | DateTime | LocalDateTime], text: str) -> object:
    try:
        return kind.parse(text)
    except RunFault:
        raise self.report.refusal("function", node, f"`{node.function}` of this text") from None


def date(self: Schematic, node: ir.Apply, _truth: bool) -> Typed:
    if not node.args:
        return call("CURRENT_DATE", ir.Literal(ZONE)), Value(Kind.DATE, False)
    given, *further = node.args
    if further:
        raise self.report.refusal("function", node, "`date` with further arguments")
    if isinstance(given, ir.Literal) and isinstance(given.value, str):
        found = parsed(self, node, Date, given.value)
        return ir.Apply("date", (ir.Literal(str(found)),)), Value(Kind.DATE, False)
    if isinstance(given, ir.MapOf):
        return call("DATE", *parts(self, node, given, ("year", "month", "day"))), Value(Kind.DATE)
    expression, value = settled(*self.value(given))
    made = Value(Kind.DATE, value.nullable)
    match value.kind:
        case Kind.NULL:
            return ABSENT
        case Kind.DATE:
            return expression, value
        case Kind.TIMESTAMP | Kind.DATETIME:
            zone = () if has_no_zone(self, value) else (ir.Literal(ZONE),)
            return call("DATE", expression, *zone), made
        case Kind.STRING:
            return ir.Cast(expression, ir.ValueType("DATE")), made
    raise self.report.refusal("untyped-operation", node, f"`date` of {value.kind.value}")


def parts(self: Schematic, node: ir.Apply, given: ir.MapOf, names: tuple[str, ...]) -> list[ir.Expression]:
    """The numbers of a date that is put together of them; those that are left out are 1."""
    entries = {entry.key: entry.value for entry in given.entries}
    if not entries or set(entries) - set(names) or list(entries) != list(names[: len(entries)]):
        raise self.report.refusal("function", node, f"`{node.function}` of these parts")
    found = []
    for name in names:
        expression, value = self.scalar(entries[name], "a part of a date") if name in entries else (ir.Literal(1), None)
        if value is not None and value.kind is not Kind.INT:
            raise self.report.refusal("untyped-operation", node, f"`{node.function}` of what may be no number")
        found.append(expression)
    return found


def instant(self: Schematic, node: ir.Apply, _truth: bool) -> Typed:
    """`datetime`."""
    if not node.args:
        return call("CURRENT_TIMESTAMP"), Value(Kind.TIMESTAMP, False)
    given = node.args[0]
    if len(node.args) > 1:
        raise self.report.refusal("function", node, "`datetime` with further arguments")
    if isinstance(given, ir.Literal) and isinstance(given.value, str):
        found = parsed(self, node, DateTime, given.value)
        assert isinstance(found, DateTime)
        return timestamp(utc(self, node, found.second, found.nano)), Value(Kind.TIMESTAMP, False)
    if isinstance(given, ir.MapOf):
        return since(self, node, given)
    expression, value = self.value(given)
    made = Value(Kind.TIMESTAMP, value.nullable)
    match value.kind:
        case Kind.NULL:
            return ABSENT
        case Kind.TIMESTAMP:
            return expression, value
        case Kind.DATE:
            return call("TIMESTAMP", expression, ir.Literal(ZONE)), made
    expression, value = settled(expression, value)
    if value.kind is Kind.DATETIME:
        return (call("TIMESTAMP", expression, ir.Literal(ZONE)) if self.setting.has_datetime else expression), made
    if value.kind is not Kind.STRING:
        raise self.report.refusal("untyped-operation", node, f"`datetime` of {value.kind.value}")
    text = self.small(node, expression)
    zoned = call("REGEXP_CONTAINS", text, ir.Literal(r"T.*(Z|[+-][0-9:]+)$"))
    with_zone = ir.Cast(text, ir.ValueType("TIMESTAMP"))
    return call("IF", zoned, with_zone, call("TIMESTAMP", text, ir.Literal(ZONE))), made


def since(self: Schematic, node: ir.Apply, given: ir.MapOf) -> Typed:
    """A point in time by its seconds, or milliseconds, since 1970."""
    words = {"epochSeconds": "TIMESTAMP_SECONDS", "epochMillis": "TIMESTAMP_MILLIS"}
    if len(given.entries) != 1 or (word := words.get(given.entries[0].key)) is None:
        raise self.report.refusal("function", node, "`datetime` of these parts")
    args, (value,) = self.numbers(ir.Apply(node.function, (given.entries[0].value,), span=node.span))
    if value.kind is not Kind.INT:
        raise self.report.refusal("untyped-operation", node, "`datetime` of what may be no whole number")
    return call(word, *args), Value(Kind.TIMESTAMP, value.nullable)


def utc(self: Schematic, node: ir.Node, second: int, nano: int) -> str:
    """The text of a point in time."""
    try:
        moment = _EPOCH + timedelta(seconds=second)
    except OverflowError:
        raise self.report.refusal("construct", node, "a point in time beyond the year 9999") from None
    fraction = f".{nano:09d}".rstrip("0") if nano else ""
    return f"{moment.strftime('%Y-%m-%dT%H:%M:%S').rjust(19, '0')}{fraction}Z"


def local(self: Schematic, node: ir.Apply, _truth: bool) -> Typed:
    """`localdatetime`, as a point in time in UTC where there is no type for it."""
    typed = self.setting.has_datetime
    if not node.args:
        now = call("CURRENT_DATETIME", ir.Literal(ZONE)) if typed else call("CURRENT_TIMESTAMP")
        return now, Value(Kind.DATETIME, False)
    given = node.args[0]
    if len(node.args) == 1 and isinstance(given, ir.Literal) and isinstance(given.value, str):
        found = parsed(self, node, LocalDateTime, given.value)
        assert isinstance(found, LocalDateTime)
        text = utc(self, node, found.second, found.nano)
        if typed:
            literal = ir.Cast(ir.Literal(text.removesuffix("Z")), ir.ValueType("DATETIME"), keyword="literal")
            return literal, Value(Kind.DATETIME, False)
        return timestamp(text), Value(Kind.DATETIME, False)
    expression, value = settled(*self.value(given))
    if value.kind is Kind.DATETIME and len(node.args) == 1:
        return expression, value
    if value.kind is Kind.TIMESTAMP and len(node.args) == 1:
        moved = call("DATETIME", expression, ir.Literal(ZONE)) if typed else expression
        return moved, Value(Kind.DATETIME, value.nullable)
    raise self.report.refusal("function", node, "`localdatetime` of this value")


def millis(_self: Schematic, _node: ir.Apply, _truth: bool) -> Typed:
    """`timestamp()`."""
    return call("UNIX_MILLIS", call("CURRENT_TIMESTAMP")), Value(Kind.INT, False)


# ------------------------------------------------------------------ durations

_UNITS = (("YEAR", "years"), ("MONTH", "months"), ("WEEK", "weeks"), ("DAY", "days"))
_SHORT = (("HOUR", "hours"), ("MINUTE", "minutes"), ("SECOND", "seconds"))


def span(self: Schematic, node: ir.Expression) -> list[tuple[str, ir.Expression]] | None:
    """The units and numbers of a duration that is written out, the longest first; None where it is not one."""
    if not (isinstance(node, ir.Apply) and node.function == "duration" and len(node.args) == 1):
        return None
    given = node.args[0]
    if isinstance(given, ir.Literal) and isinstance(given.value, str):
        try:
            read = Duration.parse(given.value)
        except RunFault:
            raise self.report.refusal("function", node, "`duration` of this text") from None
        if read.nanos:
            raise self.report.refusal("function", node, "`duration` with parts of a second")
        numbers = (("MONTH", read.months), ("DAY", read.days), ("SECOND", read.seconds))
        return [(unit, ir.Literal(number)) for unit, number in numbers if number]
    if not isinstance(given, ir.MapOf):
        return None
    entries = {entry.key: entry.value for entry in given.entries}
    units = [(unit, name) for unit, name in (*_UNITS, *_SHORT) if name in entries]
    if len(units) < len(entries):
        raise self.report.refusal("function", node, "`duration` of these parts")
    found = []
    for unit, name in units:
        expression, value = self.scalar(entries[name], "a part of a duration")
        if value.kind is not Kind.INT:
            raise self.report.refusal("untyped-operation", node, "`duration` of what may be no whole number")
        found.append((unit, expression))
    return found


def shifted(self: Schematic, node: ir.Apply, truth: bool) -> Typed:
    """`+` and `-` of a date or a point in time and a duration that is written out; anything else is arithmetic."""
    if len(node.args) == 2 and (found := span(self, node.args[1])) is not None:
        start, by, sign = node.args[0], found, "ADD" if node.function == "add" else "SUB"
    elif node.function == "add" and len(node.args) == 2 and (found := span(self, node.args[0])) is not None:
        start, by, sign = node.args[1], found, "ADD"
    elif node.function == "add":
        return addition_of_lists(self, node, truth)
    else:
        return Translator.arithmetic(self, node, truth)
    expression, value = settled(*self.value(start))
    months = [unit for unit, _ in by if unit in ("YEAR", "MONTH")]
    if len(months) > 1:
        raise self.report.refusal("function", node, "a duration of years and months beside each other")
    if value.kind is Kind.DATE:
        if any(unit in ("HOUR", "MINUTE", "SECOND") for unit, _ in by):
            raise self.report.refusal("function", node, "a date and a duration shorter than a day")
        word = f"DATE_{sign}"
    elif value.kind in (Kind.TIMESTAMP, Kind.DATETIME):
        if months and not has_no_zone(self, value):
            expression = on_calendar(self, node, expression, f"DATE_{sign}", by.pop(0))
        by = [(unit, number) if unit != "WEEK" else ("DAY", seven(number)) for unit, number in by]
        word = f"DATETIME_{sign}" if has_no_zone(self, value) else f"TIMESTAMP_{sign}"
    else:
        raise self.report.refusal("function", node, f"{value.kind.value} and this duration")
    for unit, number in by:
        expression = call(word, expression, Interval(number, unit))
    return expression, value


def on_calendar(
    self: Schematic, node: ir.Node, moment: ir.Expression, word: str, by: tuple[str, ir.Expression]
) -> ir.Expression:
    """A point in time some months or years away: its day moves, the time of the day stays."""
    self.small(node, moment)
    day = call("DATE", moment, ir.Literal(ZONE))
    since = call("TIMESTAMP_DIFF", moment, call("TIMESTAMP", day, ir.Literal(ZONE)), ir.Keyword("NANOSECOND"))
    moved = call("TIMESTAMP", call(word, day, Interval(by[1], by[0])), ir.Literal(ZONE))
    return call("TIMESTAMP_ADD", moved, Interval(since, "NANOSECOND"))


def seven(number: ir.Expression) -> ir.Expression:
    return ir.Apply("mul", (number, ir.Literal(7)))


def component_of_span(self: Schematic, node: ir.Property, between: ir.Apply) -> Typed:
    """A part of the time between two dates, or the days or seconds between two points in time."""
    known = [settled(*self.value(arg)) for arg in between.args]
    kinds = {value.kind for _, value in known}
    if Kind.NULL in kinds:
        return ABSENT
    if len(known) != 2 or len(kinds) > 1:
        raise self.report.refusal("component", node, f"`.{node.key}` of `{between.function}` of these values")
    (start, a), (end, b) = known
    made = Value(Kind.INT, a.nullable or b.nullable)
    how = (between.function, node.key)
    if kinds == {Kind.DATE}:
        self.small(node, start)
        self.small(node, end)
        if how in (("duration.inDays", "days"), ("duration.inDays", "day")):
            return call("DATE_DIFF", end, start, ir.Keyword("DAY")), made
        months = months_between(start, end)
        if how in (("duration.between", "years"), ("duration.inMonths", "years")):
            return call("DIV", months, ir.Literal(12)), made
        if how in (("duration.between", "months"), ("duration.inMonths", "months")):
            return months, made
        if how == ("duration.between", "days"):
            moved = call("DATE_ADD", start, Interval(months, "MONTH"))
            return call("DATE_DIFF", end, moved, ir.Keyword("DAY")), made
    if kinds <= {Kind.TIMESTAMP, Kind.DATETIME} and not has_no_zone(self, a):
        units = {("duration.inDays", "days"): "DAY"}
        if how in units:
            return call("TIMESTAMP_DIFF", end, start, ir.Keyword(units[how])), made
        if how == ("duration.inSeconds", "seconds"):
            return ir.Apply("sub", (call("UNIX_SECONDS", end), call("UNIX_SECONDS", start))), made
    raise self.report.refusal("component", node, f"`.{node.key}` of `{between.function}` of these values")


def months_between(start: ir.Expression, end: ir.Expression) -> ir.Expression:
    """Whole months from one date to another: GoogleSQL counts the ends of months in between."""
    count = call("DATE_DIFF", end, start, ir.Keyword("MONTH"))
    first, last = Extract("DAY", start), Extract("DAY", end)
    zero = ir.Literal(0)
    late = ir.Apply("and", (ir.Apply("gt", (count, zero)), ir.Apply("lt", (last, first))))
    early = ir.Apply("and", (ir.Apply("lt", (count, zero)), ir.Apply("gt", (last, first))))
    less = ir.Branch((late,), ir.Apply("sub", (count, ir.Literal(1))))
    more = ir.Branch((early,), ir.Apply("add", (count, ir.Literal(1))))
    return ir.Case(None, (less, more), count)


FUNCTIONS: dict[str, Callable[..., Typed]] = {
    "date": date,
    "datetime": instant,
    "localdatetime": local,
    "timestamp": millis,
    **dict.fromkeys(("add", "sub"), shifted),
}
