"""The duration between two temporal values, in mixed units or in one.

Where only one of them has a date, the other is taken on that day, and `between` counts no months and days; a value
without a time is midnight.  Where only one has a zone, the other is taken in that zone.  Months and days are counted on
the clock of the first, the rest on the time line.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from graphir.values import civil
from graphir.values.civil import DAY_SECONDS, NANOS
from graphir.values.dates import Date
from graphir.values.datetimes import DateTime, LocalDateTime
from graphir.values.durations import Duration
from graphir.values.faults import wrong_argument
from graphir.values.times import LocalTime, Time

Temporal = Date | LocalTime | Time | LocalDateTime | DateTime
_DATED = Date | LocalDateTime | DateTime
_ZONED = Time | DateTime


@dataclass(frozen=True, slots=True)
class _Moment:
    """Seconds and nanoseconds on a clock, and the clock's zone (an offset of None: no zone)."""

    second: int
    nano: int
    offset: int | None = None
    zone: str | None = None

    def instant(self) -> int:
        return (self.second - (self.offset or 0)) * NANOS + self.nano

    def clock(self) -> int:
        return self.second * NANOS + self.nano

    def plus(self, duration: Duration) -> _Moment:
        """Months or days later on the same clock."""
        if self.offset is None:
            later = LocalDateTime(self.second, self.nano).plus(duration)
            return _Moment(later.second, later.nano)
        start = DateTime(self.second - self.offset, self.nano, self.offset, self.zone)
        moved = start.plus(duration)
        return _Moment(moved.second + moved.offset, moved.nano, moved.offset, moved.zone)


def _check(name: str, value: Any) -> Temporal:
    if isinstance(value, Date | LocalTime | Time | LocalDateTime | DateTime):
        return value
    raise wrong_argument(name, "temporal values", value)


def _local(value: Temporal, day: int) -> tuple[int, int]:
    """What the clock shows: seconds since 1970 and nanoseconds, on that day for a value without a date."""
    days = value.days if isinstance(value, _DATED) else day
    nanos = 0 if isinstance(value, Date) else value.nanos
    second, nano = divmod(nanos, NANOS)
    return days * DAY_SECONDS + second, nano


def _pair(start: Temporal, end: Temporal) -> tuple[_Moment, _Moment, bool]:
    """Both on one clock, and whether both have dates."""
    days = [value.days for value in (start, end) if isinstance(value, _DATED)]
    one, two = (_local(value, days[0] if days else 0) for value in (start, end))
    zones = [_zone(value) for value in (start, end) if isinstance(value, _ZONED)]
    if not zones:
        return _Moment(*one), _Moment(*two), len(days) == 2
    begin = _in_zone(start, one, zones[0])
    finish = _in_zone(end, two, zones[-1]).with_zone(begin.offset, begin.zone)
    return _zoned(begin), _zoned(finish), len(days) == 2


def _zone(value: Time | DateTime) -> tuple[int, str | None]:
    return value.offset, value.zone if isinstance(value, DateTime) else None


def _in_zone(value: Temporal, local: tuple[int, int], zone: tuple[int, str | None]) -> DateTime:
    return value if isinstance(value, DateTime) else DateTime.of_local(*local, *zone)


def _zoned(moment: DateTime) -> _Moment:
    return _Moment(moment.second + moment.offset, moment.nano, moment.offset, moment.zone)


def _months(start: _Moment, end: _Moment) -> int:
    """Whole months on the clock, towards zero.

    A day that is not over yet does not count: it is left out before the days are compared.  (From the 31st at one
    o'clock to the 1st at midnight is no month to the 30th, whatever a month after the 31st is.)
    """
    (one, before), (two, after) = (divmod(moment.clock(), civil.DAY_NANOS) for moment in (start, end))
    if one < two and after < before:
        two -= 1
    elif two < one and before < after:
        two += 1
    (year, month, day), (year_, month_, day_) = civil.date_parts(one), civil.date_parts(two)
    months = (year_ - year) * 12 + month_ - month
    if months > 0 and day_ < day:
        return months - 1
    return months + 1 if months < 0 and day_ > day else months


def _days(start: _Moment, end: _Moment) -> int:
    """Whole days on the clock, towards zero."""
    nanos = end.clock() - start.clock()
    days = abs(nanos) // civil.DAY_NANOS
    return days if nanos >= 0 else -days


def between(start: Any, end: Any) -> Duration:
    """Months, days and the rest."""
    one, two, dated = _pair(_check("duration.between()", start), _check("duration.between()", end))
    months = days = 0
    if dated:
        months = _months(one, two)
        one = one.plus(Duration(months)) if months else one
        days = _days(one, two)
        one = one.plus(Duration(0, days)) if days else one
    return Duration(months, days, 0, two.instant() - one.instant())


def _dated_pair(name: str, start: Any, end: Any) -> tuple[_Moment, _Moment]:
    """Both on one clock; one of them must have a date."""
    first, second = _check(name, start), _check(name, end)
    if not isinstance(first, _DATED) and not isinstance(second, _DATED):
        raise wrong_argument(name, "a value with a date", start)
    return _pair(first, second)[:2]


def in_months(start: Any, end: Any) -> Duration:
    """Whole months.  A fault (G649) when neither has a date."""
    one, two = _dated_pair("duration.inMonths()", start, end)
    return Duration(_months(one, two))


def in_days(start: Any, end: Any) -> Duration:
    """Whole days.  A fault (G649) when neither has a date."""
    one, two = _dated_pair("duration.inDays()", start, end)
    return Duration(0, _days(one, two))


def in_seconds(start: Any, end: Any) -> Duration:
    """Seconds and nanoseconds."""
    one, two, _ = _pair(_check("duration.inSeconds()", start), _check("duration.inSeconds()", end))
    return Duration(0, 0, 0, two.instant() - one.instant())
