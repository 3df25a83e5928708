"""Moments, days and numbers out of texts as SQL, for targets that cannot call the reference functions.

A column of moments has no zone of its own: its values are moments in UTC, all of them, so that they are compared and
sorted by the instant alone.
"""

from __future__ import annotations

from sqlglot import exp

from graphir.backends import numerals
from graphir.backends.sql import build, spans
from graphir.backends.sql.build import Sql
from graphir.backends.sql.lowering import Lowering
from graphir.backends.sql.reps import DATE, DATETIME, DURATION, FLOAT, INTEGER, LOCAL_DATETIME, STRING, Rep, datatype
from graphir.backends.sql.terms import Term
from graphir.diagnostics import RunFault
from graphir.values.dates import Date
from graphir.values.datetimes import DateTime

# ------------------------------------------------------------------ moments and days


def moment(lowering: Lowering, terms: list[Term], result: Rep) -> Term | None:
    """datetime() of a constant in UTC, or of a moment."""
    if len(terms) != 1:
        return None
    if terms[0].rep == DATETIME:
        return terms[0]
    if not isinstance(terms[0].constant, str):
        return None
    try:
        known = DateTime.parse(terms[0].constant)
    except RunFault:
        return None
    if known.offset or known.zone or known.nano % 1000:
        return None
    shown = str(known)
    if len(shown.partition("-")[0]) != 4:
        return None
    return Term(build.noted(build.call("moment", exp.Literal.string(shown)), DATETIME), DATETIME, present=True)


def day(lowering: Lowering, terms: list[Term], result: Rep) -> Term | None:
    """date() of a constant, a day or a moment; a constant that is no date is left to whoever runs it.  Or today."""
    if not terms:
        return spans.today(lowering, terms, result)
    if len(terms) != 1:
        return None
    value = terms[0]
    if value.rep == DATE:
        return value
    if value.rep in (LOCAL_DATETIME, DATETIME):
        return Term(_day_of(value), DATE, present=value.present)
    if value.rep == STRING and not isinstance(value.constant, str):
        return _read(value)
    if not isinstance(value.constant, str):
        return None
    try:
        known = Date.parse(value.constant)
    except RunFault:
        return None
    if not 1 <= known.year <= 9999:
        return None
    return Term(build.cast(exp.Literal.string(str(known)), datatype(DATE)), DATE, present=True)


def _read(value: Term) -> Term | None:
    """date() of a text of a row, `2020-01-31`; what is spelled otherwise, or no date, is a fault."""
    if value.sql.find(exp.Select) is not None:
        return None
    pattern = exp.Literal.string(numerals.DAY)
    spelled = build.noted(build.call("text_matches", value.again(), pattern), STRING)
    known = build.noted(build.call("date_of", value.again()), STRING)
    none = build.cast(build.null(), datatype(DATE))
    fault = build.fault("G640: date() of a text that is no date such as 2020-01-31: ", value.again(), DATE)
    return Term(build.case([(spelled, known), (build.is_null(value.again()), none)], fault), DATE)


def _day_of(value: Term) -> Sql:
    return build.noted(build.call("day_of", value.again()), value.rep)


_PARTS = {
    **{part: part for part in ("year", "month", "day", "quarter", "week")},
    **dict.fromkeys(("dayOfWeek", "weekDay"), "isodow"),
    "ordinalDay": "doy",
}
"""Component of a date -> its part in SQL."""


def part(lowering: Lowering, terms: list[Term], result: Rep) -> Term | None:
    """A component of a day, of the day of a moment, or of what lies between two days."""
    base, key = terms
    if base.rep == DURATION:
        return spans.part(base, str(key.constant))
    found = _PARTS.get(key.constant) if isinstance(key.constant, str) else None
    if found is None or base.rep not in (DATE, LOCAL_DATETIME, DATETIME):
        return None
    known = base.sql if base.rep == DATE else _day_of(base)
    called = build.call("date_part", exp.Literal.string(found), known)
    return Term(build.noted(called, DATE), INTEGER, present=base.present)


def order_key(lowering: Lowering, terms: list[Term], result: Rep) -> Term | None:
    """What moments are sorted and grouped by: themselves."""
    return terms[0] if terms[0].rep == DATETIME else None


# ------------------------------------------------------------------ numbers out of texts


def number(lowering: Lowering, value: Term, rep: Rep) -> Term | None:
    """toInteger() and toFloat() of a text: null for what is no number, a fault for what may be an unusual one: in
    hexadecimal, with more than 18 digits, between blanks other than spaces."""
    if value.sql.find(exp.Select) is not None or value.rep != STRING:
        return None

    def matches(pattern: str) -> Sql:
        return build.noted(build.call("text_matches", value.again(), exp.Literal.string(pattern)), STRING)

    def spelled(pattern: str) -> Sql:
        return matches(f" *({pattern}) *")

    def read(kind: Rep) -> Sql:
        trimmed = build.noted(build.call("trim", value.again(), exp.Literal.string(" ")), STRING)
        return build.noted(build.cast(trimmed, datatype(kind)), STRING)

    cut = build.cast(build.noted(build.call("trunc", read(FLOAT)), FLOAT), datatype(INTEGER))
    known: list[tuple[Sql, Sql]] = (
        [(spelled(numerals.WHOLE), read(INTEGER)), (spelled(numerals.CUT), cut)]
        if rep == INTEGER
        else [(spelled(numerals.REAL), read(FLOAT)), (spelled(numerals.WORD), read(FLOAT))]
    )
    none = build.disjunction(
        [
            build.is_null(value.again()),
            matches(numerals.WORDS),
            build.conjunction([matches(numerals.PLAIN), matches(numerals.MARKED)]),
        ]
    )
    name = "toInteger()" if rep == INTEGER else "toFloat()"
    fault = build.fault(f"G634: {name} of a text that is no plain number: ", value.again(), rep)
    return Term(build.case([*known, (none, build.cast(build.null(), datatype(rep)))], fault), rep)
