"""Times of day: LocalTime, and Time with an offset."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from functools import total_ordering
from typing import TYPE_CHECKING

from graphir.values.civil import DAY_NANOS, NANOS, check_range, clock_text
from graphir.values.faults import fault
from graphir.values.parsing import clock_nanos, parse_local_time, parse_time
from graphir.values.zones import offset_text

if TYPE_CHECKING:
    from graphir.values.durations import Duration


def _standard(nanos: int, offset: int | None = None) -> datetime.time:
    whole, nano = divmod(nanos, NANOS)
    zone = None if offset is None else datetime.timezone(datetime.timedelta(seconds=offset))
    return datetime.time(whole // 3600, whole // 60 % 60, whole % 60, nano // 1000, tzinfo=zone)


@dataclass(frozen=True, slots=True, order=True)
class LocalTime:
    """A time of day without a zone, as nanoseconds since midnight."""

    nanos: int

    @classmethod
    def of(cls, hour: int = 0, minute: int = 0, second: int = 0, nanosecond: int = 0) -> LocalTime:
        """A fault (G641) for parts out of range."""
        return cls(clock_nanos(hour, minute, second, check_range("nanosecond", nanosecond, 0, NANOS - 1)))

    @classmethod
    def parse(cls, text: str) -> LocalTime:
        """21:40:32.142, 214032.142, 21:40, 2140, 21.  A fault (G640) for any other text."""
        return cls(parse_local_time(text))

    def plus(self, duration: Duration) -> LocalTime:
        """Only the seconds of the duration count; the clock goes round."""
        return LocalTime((self.nanos + duration.clock_nanos) % DAY_NANOS)

    def __add__(self, duration: Duration) -> LocalTime:
        return self.plus(duration)

    def __sub__(self, duration: Duration) -> LocalTime:
        return self.plus(-duration)

    def to_standard(self) -> datetime.time:
        """Cut to microseconds."""
        return _standard(self.nanos)

    def long_text(self) -> str:
        """The text with seconds, always: what toString() gives."""
        return clock_text(self.nanos, seconds=True)

    def __str__(self) -> str:
        return clock_text(self.nanos)


@total_ordering
@dataclass(frozen=True, slots=True)
class Time:
    """A time of day with an offset: nanoseconds of the time in UTC (below zero or beyond a day where the offset carries
    it over midnight) and the offset in seconds.

    Two are equal when time and offset are; they are ordered by the time in UTC, then by the time on the clock.
    """

    utc: int
    offset: int = 0

    @classmethod
    def of_local(cls, nanos: int, offset: int) -> Time:
        """From the nanoseconds on the clock."""
        return cls(nanos - offset * NANOS, offset)

    @classmethod
    def parse(cls, text: str) -> Time:
        """As a local time, then Z, +01:00, +0100, +01; without an offset it is UTC.  A fault (G640) for other texts."""
        nanos, offset, zone = parse_time(text)
        if zone is not None:
            raise fault("G640", f"{text!r} is not the text of a time: a named zone has no offset without a date")
        return cls.of_local(nanos, offset or 0)

    @property
    def nanos(self) -> int:
        """Nanoseconds since midnight on the clock."""
        return self.utc + self.offset * NANOS

    def with_offset(self, offset: int) -> Time:
        """The same time elsewhere."""
        return Time.of_local((self.utc + offset * NANOS) % DAY_NANOS, offset)

    @property
    def key(self) -> tuple[int, int]:
        """What times are ordered by."""
        return self.utc, self.nanos

    def __lt__(self, other: object) -> bool:
        return self.key < other.key if isinstance(other, Time) else NotImplemented

    def plus(self, duration: Duration) -> Time:
        return Time.of_local((self.nanos + duration.clock_nanos) % DAY_NANOS, self.offset)

    def __add__(self, duration: Duration) -> Time:
        return self.plus(duration)

    def __sub__(self, duration: Duration) -> Time:
        return self.plus(-duration)

    def to_standard(self) -> datetime.time:
        """Cut to microseconds."""
        return _standard(self.nanos, self.offset)

    def long_text(self) -> str:
        """The text with seconds, always: what toString() gives."""
        return clock_text(self.nanos, seconds=True) + offset_text(self.offset)

    def __str__(self) -> str:
        return clock_text(self.nanos) + offset_text(self.offset)
