"""Parts of durations, which the database holds as texts in the form in which Cypher prints them: `P1Y2M3DT4H5M6.7S`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphir import ir
from graphir.backends.gql.casts import cast, matching
from graphir.backends.gql.expressions import Typed, call
from graphir.backends.gql.values import Kind, Value

if TYPE_CHECKING:
    from graphir.backends.gql.schematic import Schematic

FORM = (
    r"^P(-?[0-9]+Y)?(-?[0-9]+M)?(-?[0-9]+W)?(-?[0-9]+D)?"
    r"(T(-?[0-9]+H)?(-?[0-9]+M)?(-?[0-9]+(\.[0-9]{1,9})?S)?)?$"
)
"""A duration without fractions but of a second; another text stops the query."""
_NUMBER = r"(-?[0-9]+)"
_YEARS, _MONTHS = rf"^P{_NUMBER}Y", rf"^P(?:-?[0-9]+Y)?{_NUMBER}M"
_WEEKS, _DAYS = rf"^[^T]*?{_NUMBER}W", rf"^[^T]*?{_NUMBER}D"
_HOURS, _MINUTES = rf"T{_NUMBER}H", rf"T.*?{_NUMBER}M"
_SECONDS = r"(-?[0-9.]+)S$"
_TOTALS: dict[str, tuple[tuple[str, int], ...]] = {
    "months": ((_YEARS, 12), (_MONTHS, 1)),
    "days": ((_WEEKS, 7), (_DAYS, 1)),
    "seconds": ((_HOURS, 3600), (_MINUTES, 60), (_SECONDS, 1)),
}
"""A part that nothing carries into -> where its numbers stand in the text, and how much one of them is."""
_WHOLE = {
    "years": ("months", 12),
    "quarters": ("months", 3),
    "weeks": ("days", 7),
    "hours": ("seconds", 3600),
    "minutes": ("seconds", 60),
}
"""Another part -> how many of which make one; what is left is cut off."""


def is_span(value: Value) -> bool:
    """Whether it is a duration that is held as text."""
    return value.kind is Kind.OPAQUE and value.type == "DURATION"


def component(self: Schematic, node: ir.Property, text: ir.Expression, value: Value) -> Typed:
    """A part of a duration, all of it: the seconds are those of hours and minutes, too, and are rounded down."""
    of, size = _WHOLE.get(node.key, (node.key, 1))
    if of not in _TOTALS:
        raise self.report.refusal("component", node, f"`.{node.key}` of a duration")
    self.small(node, text)
    terms = [_number(text, place, unit) for place, unit in _TOTALS[of]]
    total: ir.Expression = ir.Apply("add", tuple(terms))
    if size > 1:
        total = call("DIV", total, ir.Literal(size))
    read = ir.Branch((matching(text, FORM),), total)
    stop = call("ERROR", ir.Apply("concat", (ir.Literal("no duration: "), text)))
    odd = ir.Branch((ir.Apply("is_not_null", (text,)),), stop)
    return ir.Case(None, (read, odd), None), Value(Kind.INT, value.nullable)


def _number(text: ir.Expression, place: str, unit: int) -> ir.Expression:
    found = call("REGEXP_EXTRACT", text, ir.Literal(place))
    number = cast(call("FLOOR", cast(found, "NUMERIC")) if place is _SECONDS else found, "INT64")
    there = call("IFNULL", number, ir.Literal(0))
    return there if unit == 1 else ir.Apply("mul", (there, ir.Literal(unit)))
