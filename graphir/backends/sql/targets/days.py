"""Arithmetic on dates that several targets share."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from graphir.backends.sql import build
from graphir.backends.sql.build import Sql
from graphir.backends.sql.targets.target import Rewriting

_LONGEST = 32
"""More than a month has days: months are told apart by it, and days within them."""


def months_between(whole: Callable[[Sql], Sql]) -> Callable[[exp.Anonymous, Rewriting], Sql]:
    """The rule for whole months between dates, where EXTRACT and TRUNC give numbers; `whole` makes an integer."""

    def rule(node: exp.Anonymous, _: Rewriting) -> Sql:
        first, last = map(_packed, node.expressions)
        apart = exp.Paren(this=build.binary(exp.Sub, last, first))
        return whole(build.call("TRUNC", exp.Div(this=apart, expression=build.number(_LONGEST))))

    return rule


def _packed(day: Sql) -> Sql:
    """A number of a day that grows by `_LONGEST` with each month."""
    year, month, date = [exp.Extract(this=exp.Var(this=part), expression=day.copy()) for part in _PARTS]
    months = build.binary(exp.Add, build.binary(exp.Mul, year, build.number(12)), month)
    return build.binary(exp.Add, build.binary(exp.Mul, exp.Paren(this=months), build.number(_LONGEST)), date)


_PARTS = ("YEAR", "MONTH", "DAY")
