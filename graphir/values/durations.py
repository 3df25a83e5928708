"""Duration: months, days, seconds and nanoseconds that do not carry into each other."""

from __future__ import annotations

import datetime
import math
from dataclasses import dataclass

from graphir.values.civil import DAY_NANOS, DAY_SECONDS, NANOS
from graphir.values.faults import fault
from graphir.values.parsing import parse_duration

MONTH_SECONDS = 2_629_746
"""The average month of 400 years: 30.436875 days."""
_MONTH_NANOS = MONTH_SECONDS * NANOS
_LIMIT = 2**63


def _truncated(number: int, divisor: int) -> int:
    """Division towards zero."""
    return number // divisor if number >= 0 else -(-number // divisor)


@dataclass(frozen=True, slots=True)
class Duration:
    """An amount of time.  Nanoseconds are carried into seconds, and are 0 to 999,999,999 whatever the sign.

    Equal when all parts are: a day is not 24 hours.  `<` is not defined (null in Cypher); `key` orders durations by
    their average length.

    >>> str(Duration(months=14, days=3, seconds=-90, nanos=500_000_000))
    'P1Y2M3DT-1M-29.5S'
    """

    months: int = 0
    days: int = 0
    seconds: int = 0
    nanos: int = 0

    def __post_init__(self) -> None:
        if not 0 <= self.nanos < NANOS:
            carry, nanos = divmod(self.nanos, NANOS)
            object.__setattr__(self, "seconds", self.seconds + carry)
            object.__setattr__(self, "nanos", nanos)
        total = abs(self.months) * MONTH_SECONDS + abs(self.days) * DAY_SECONDS + abs(self.seconds)
        if total >= _LIMIT:
            raise fault("G642", "the duration is too long: it does not fit 64 bits of seconds")

    @classmethod
    def of_floats(cls, months: float, days: float, seconds: float, nanos: float = 0.0) -> Duration:
        """Fractions are carried down by averages: a month has 30.436875 days, a day has 24 hours.

        What is left of a nanosecond is cut off.  The arithmetic is that of Neo4j, in doubles and in this order, so that
        the nanoseconds are the same.
        """
        if not all(map(math.isfinite, (months, days, seconds, nanos))):
            raise fault("G642", "a duration must be finite")
        whole_months = int(months)
        days += (months - whole_months) * _MONTH_NANOS / DAY_NANOS
        whole_days = int(days)
        seconds += (days - whole_days) * DAY_NANOS / NANOS
        whole_seconds = int(seconds)
        nanos += (seconds - whole_seconds) * NANOS
        return cls(whole_months, whole_days, whole_seconds, int(nanos))

    @classmethod
    def parse(cls, text: str) -> Duration:
        """P1Y2M3W4DT5H6M7.5S (a fraction in the last number only) or P2012-02-02T14:37:21.5.  A fault (G640) else."""
        sign, parts, nanos = parse_duration(text)
        if all(isinstance(part, int) for part in parts):
            years, months, weeks, days, hours, minutes, seconds = (sign * int(part) for part in parts)
            clock = hours * 3600 + minutes * 60 + seconds
            return cls(years * 12 + months, weeks * 7 + days, clock, sign * nanos)
        y, m, w, d, h, mi, s = parts
        made = cls.of_floats(y * 12 + m, w * 7 + d, h * 3600 + mi * 60 + s)
        return -made if sign < 0 else made

    @property
    def calendar(self) -> Duration:
        """The months and days alone."""
        return Duration(self.months, self.days)

    @property
    def clock_nanos(self) -> int:
        """The seconds and nanoseconds as nanoseconds."""
        return self.seconds * NANOS + self.nanos

    @property
    def whole_days(self) -> int:
        """The whole days of the seconds, cut towards zero."""
        return _truncated(self.clock_nanos, DAY_NANOS)

    @property
    def key(self) -> tuple[int, int, int, int]:
        """What durations are ordered by: their average length, then months and days."""
        return (
            self.months * MONTH_SECONDS + self.days * DAY_SECONDS + self.seconds,
            self.nanos,
            self.months,
            self.days,
        )

    def __add__(self, other: Duration) -> Duration:
        return Duration(
            self.months + other.months,
            self.days + other.days,
            self.seconds + other.seconds,
            self.nanos + other.nanos,
        )

    def __neg__(self) -> Duration:
        return Duration(-self.months, -self.days, -self.seconds, -self.nanos)

    def __sub__(self, other: Duration) -> Duration:
        return self + -other

    def __mul__(self, factor: int | float) -> Duration:
        if isinstance(factor, int):
            return Duration(self.months * factor, self.days * factor, self.seconds * factor, self.nanos * factor)
        return Duration.of_floats(self.months * factor, self.days * factor, self.seconds * factor, self.nanos * factor)

    __rmul__ = __mul__

    def __truediv__(self, divisor: int | float) -> Duration:
        if divisor == 0:
            raise fault("G642", f"a duration cannot be divided by {divisor}")
        return Duration.of_floats(
            self.months / divisor, self.days / divisor, self.seconds / divisor, self.nanos / divisor
        )

    def to_standard(self) -> datetime.timedelta:
        """Cut to microseconds; ValueError when there are months."""
        if self.months:
            raise ValueError("months have no fixed length")
        return datetime.timedelta(days=self.days, seconds=self.seconds, microseconds=self.nanos // 1000)

    def _clock_text(self) -> str:
        seconds, nanos = self.seconds, self.nanos
        if seconds < 0 and nanos:
            seconds, nanos = seconds + 1, NANOS - nanos
        sign = "-" if self.seconds < 0 else ""
        minutes, second = divmod(abs(seconds), 60)
        hours, minute = divmod(minutes, 60)
        text = (f"{sign}{hours}H" if hours else "") + (f"{sign}{minute}M" if minute else "")
        if nanos:
            return f"T{text}{sign}{second}." + f"{nanos:09d}".rstrip("0") + "S"
        return f"T{text}{sign}{second}S" if second else f"T{text}"

    def __str__(self) -> str:
        years = _truncated(self.months, 12)
        months = self.months - years * 12
        text = "".join(f"{number}{unit}" for number, unit in ((years, "Y"), (months, "M"), (self.days, "D")) if number)
        if self.seconds or self.nanos:
            text += self._clock_text()
        return f"P{text}" if text else "PT0S"

    long_text = __str__
