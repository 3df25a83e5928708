"""Date: a day of the proleptic Gregorian calendar."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import TYPE_CHECKING

from graphir.values import civil
from graphir.values.parsing import parse_date

if TYPE_CHECKING:
    from graphir.values.durations import Duration


@dataclass(frozen=True, slots=True, order=True)
class Date:
    """A date, as days since 1970-01-01; years -999,999,999 to 999,999,999.

    >>> from graphir.values import Duration
    >>> str(Date.of(2024, 2, 29) + Duration(months=12))
    '2025-02-28'
    """

    days: int

    @classmethod
    def of(cls, year: int, month: int = 1, day: int = 1) -> Date:
        """A fault (G641) when there is no such day."""
        return cls(civil.checked_day_number(year, month, day))

    @classmethod
    def parse(cls, text: str) -> Date:
        """Any ISO form: 2015-07-21, 20150721, 2015-W30-2, 2015-Q2-60, 2015-202, +12345-01-01.  A fault (G640) else."""
        return cls(parse_date(text))

    @property
    def year(self) -> int:
        return civil.date_parts(self.days)[0]

    @property
    def month(self) -> int:
        return civil.date_parts(self.days)[1]

    @property
    def day(self) -> int:
        return civil.date_parts(self.days)[2]

    def __add__(self, duration: Duration) -> Date:
        return self.plus(duration)

    def __sub__(self, duration: Duration) -> Date:
        return self.plus(-duration)

    def plus(self, duration: Duration) -> Date:
        """Months first, then days, then whole days of the rest (truncated towards zero, as in Neo4j)."""
        days = civil.plus_months(self.days, duration.months) if duration.months else self.days
        return Date(civil.check_day(days + duration.days + duration.whole_days))

    def to_standard(self) -> datetime.date:
        """ValueError outside the years 1 to 9999."""
        return datetime.date(*civil.date_parts(self.days))

    def __str__(self) -> str:
        return civil.date_text(self.days)
