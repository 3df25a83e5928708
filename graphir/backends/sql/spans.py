"""Durations in SQL that no column holds: constants by which days are shifted, and what lies between two days.

Such a duration is a call that stands nowhere in the end: a day that it shifts, or the part of it that is asked for, is
made of its arguments.  Any other use is refused, since no target knows the call.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sqlglot import exp

from graphir.backends.sql import build
from graphir.backends.sql.build import Sql
from graphir.backends.sql.lowering import Lowering
from graphir.backends.sql.reps import DATE, DURATION, INTEGER, Rep
from graphir.backends.sql.terms import UNKNOWN, Term
from graphir.diagnostics import RunFault
from graphir.values.durations import Duration
from graphir.values.functions import FUNCTIONS

_CONSTANT, _BETWEEN, _DAYS = "duration_of", "duration_between", "duration_in_days"
_MOST = 1200
"""Months by which a day is shifted, at most, and as many days: databases have the years 1 to 9999 alone."""


def constant(lowering: Lowering, terms: list[Term], result: Rep) -> Term | None:
    """duration() of a constant of whole months and days."""
    if len(terms) != 1 or terms[0].constant is UNKNOWN:
        return None
    try:
        known: Any = FUNCTIONS["duration"](terms[0].constant)
    except RunFault:
        return None
    if not isinstance(known, Duration) or known.seconds or known.nanos:
        return None
    if max(abs(known.months), abs(known.days) // 31) > _MOST:
        return None
    return _called(
        _CONSTANT, [exp.Literal.number(known.months), exp.Literal.number(known.days)], DURATION, present=True
    )


def today(lowering: Lowering, terms: list[Term], result: Rep) -> Term:
    """date() without arguments: the day in UTC, where Neo4j's servers are unless they are told."""
    return _called("today", [], DATE, present=True)


def between(name: str) -> Callable[[Lowering, list[Term], Rep], Term | None]:
    """The rule of duration.between() and its like, of two days."""

    def rule(lowering: Lowering, terms: list[Term], result: Rep) -> Term | None:
        if [term.rep for term in terms] != [DATE, DATE]:
            return None
        return _called(name, [term.sql for term in terms], DURATION, present=all(term.present for term in terms))

    return rule


def shifted(lowering: Lowering, terms: list[Term], *, back: bool) -> Term | None:
    """A day and a constant duration: first its months, then its days."""
    day, span = terms
    if day.rep == DURATION and not back:
        day, span = span, day
    if day.rep != DATE or span.rep != DURATION or not _is_call(span.sql, _CONSTANT):
        return None
    months, days = [int(part.sql()) * (-1 if back else 1) for part in span.sql.expressions]
    made = day.sql
    for function, count in (("months_later", months), ("days_later", days)):
        if count:
            made = build.noted(build.call(function, made, build.number(count)), DATE)
    return Term(made, DATE, present=day.present)


def part(base: Term, key: str) -> Term | None:
    """Whole months or years between two days, or all days of duration.inDays()."""
    wanted = {_BETWEEN: ("years", "months"), _DAYS: ("days",)}.get(base.sql.name)
    if not isinstance(base.sql, exp.Anonymous) or wanted is None or key not in wanted:
        return None
    name = "days_between" if key == "days" else "months_between"
    made = _called(name, list(base.sql.expressions), INTEGER, present=base.present)
    if key != "years":
        return made
    years = build.noted(build.binary(exp.IntDiv, made.sql, build.number(12)), INTEGER)
    return Term(years, INTEGER, present=base.present)


def _called(name: str, args: list[Sql], rep: Rep, *, present: bool) -> Term:
    return Term(build.noted(build.call(name, *args), rep), rep, present=present)


def _is_call(sql: Sql, name: str) -> bool:
    return isinstance(sql, exp.Anonymous) and sql.name == name
