"""LocalDateTime, and DateTime: an instant, with an offset and perhaps the name of a zone."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from functools import total_ordering
from typing import TYPE_CHECKING

from graphir.values import civil
from graphir.values.civil import DAY_SECONDS, NANOS
from graphir.values.faults import fault
from graphir.values.parsing import parse_datetime, parse_local_datetime
from graphir.values.zones import offset_at, offset_of_local, offset_text, zone_rules

if TYPE_CHECKING:
    from graphir.values.durations import Duration

_EPOCH = datetime.datetime(1970, 1, 1)


def local_second(days: int, nanos: int) -> tuple[int, int]:
    """Seconds since 1970 and nanoseconds of a day number and the nanoseconds of that day."""
    second, nano = divmod(nanos, NANOS)
    return days * DAY_SECONDS + second, nano


def _shift(second: int, nano: int, duration: Duration) -> tuple[int, int]:
    """Add months, then days, then the rest to a local time."""
    days, rest = divmod(second, DAY_SECONDS)
    if duration.months:
        days = civil.plus_months(days, duration.months)
    carry, nano = divmod(nano + duration.nanos, NANOS)
    second = (days + duration.days) * DAY_SECONDS + rest + duration.seconds + carry
    civil.check_day(second // DAY_SECONDS)
    return second, nano


@dataclass(frozen=True, slots=True, order=True)
class LocalDateTime:
    """A date and a time of day without a zone: seconds since 1970-01-01T00:00, and nanoseconds of the second."""

    second: int
    nano: int = 0

    @classmethod
    def of_parts(cls, days: int, nanos: int) -> LocalDateTime:
        """From a day number and the nanoseconds of the day."""
        return cls(*local_second(days, nanos))

    @classmethod
    def parse(cls, text: str) -> LocalDateTime:
        """A date, T, a local time, in any of their ISO forms.  A fault (G640) for any other text."""
        return cls.of_parts(*parse_local_datetime(text))

    @property
    def days(self) -> int:
        """The day number of the date."""
        return self.second // DAY_SECONDS

    @property
    def nanos(self) -> int:
        """Nanoseconds of the day."""
        return self.second % DAY_SECONDS * NANOS + self.nano

    def plus(self, duration: Duration) -> LocalDateTime:
        return LocalDateTime(*_shift(self.second, self.nano, duration))

    def __add__(self, duration: Duration) -> LocalDateTime:
        return self.plus(duration)

    def __sub__(self, duration: Duration) -> LocalDateTime:
        return self.plus(-duration)

    def to_standard(self) -> datetime.datetime:
        """Cut to microseconds; OverflowError outside the years 1 to 9999."""
        return _EPOCH + datetime.timedelta(seconds=self.second, microseconds=self.nano // 1000)

    def long_text(self) -> str:
        """The text with seconds, always: what toString() gives."""
        return f"{civil.date_text(self.days)}T{civil.clock_text(self.nanos, seconds=True)}"

    def __str__(self) -> str:
        return f"{civil.date_text(self.days)}T{civil.clock_text(self.nanos)}"


@total_ordering
@dataclass(frozen=True, slots=True)
class DateTime:
    """An instant with a zone: seconds since 1970-01-01T00:00Z, nanoseconds, the offset in seconds, the zone's name.

    Equal when instant, offset and zone are, as in Neo4j; ordered by the instant, then by the zone.
    """

    second: int
    nano: int = 0
    offset: int = 0
    zone: str | None = None

    @classmethod
    def at(cls, second: int, nano: int, offset: int | None, zone: str | None) -> DateTime:
        """From the instant; a named zone decides the offset."""
        if zone is not None:
            offset = offset_at(zone, second)
        return cls(second, nano, offset or 0, zone)

    @classmethod
    def of_local(cls, second: int, nano: int, offset: int | None, zone: str | None) -> DateTime:
        """From the seconds on the clock.

        In a named zone the offset is only a wish for the hour that comes twice; an hour that is left out moves forward.
        """
        if zone is None:
            return cls(second - (offset or 0), nano, offset or 0)
        return cls.at(second - offset_of_local(zone, second, offset), nano, None, zone)

    @classmethod
    def of_parts(cls, days: int, nanos: int, offset: int | None, zone: str | None) -> DateTime:
        """From a day number and the nanoseconds of the day on the clock."""
        return cls.of_local(*local_second(days, nanos), offset, zone)

    @classmethod
    def parse(cls, text: str) -> DateTime:
        """A date, T, a time, and Z, +01:00, [Europe/Stockholm] or both; without any it is UTC.

        A fault (G640) for any other text, and (G644) for an offset that the zone does not have at that time.
        """
        days, nanos, offset, zone = parse_datetime(text)
        made = cls.of_parts(days, nanos, offset, zone)
        if zone is not None and offset is not None and (made.offset, made.days, made.nanos) != (offset, days, nanos):
            raise fault("G644", f"the offset and the time zone of {text!r} do not go together")
        return made

    @property
    def local(self) -> LocalDateTime:
        """What the clock shows."""
        return LocalDateTime(self.second + self.offset, self.nano)

    @property
    def days(self) -> int:
        """The day number of the date."""
        return (self.second + self.offset) // DAY_SECONDS

    @property
    def nanos(self) -> int:
        """Nanoseconds of the day on the clock."""
        return (self.second + self.offset) % DAY_SECONDS * NANOS + self.nano

    @property
    def zone_text(self) -> str:
        """The zone's name, or the offset."""
        return offset_text(self.offset) if self.zone is None else self.zone

    def with_zone(self, offset: int | None, zone: str | None) -> DateTime:
        """The same instant elsewhere."""
        return DateTime.at(self.second, self.nano, offset, zone)

    @property
    def key(self) -> tuple[int, int, int, str]:
        """What datetimes are ordered by."""
        return self.second, self.nano, self.offset, self.zone_text

    def __lt__(self, other: object) -> bool:
        return self.key < other.key if isinstance(other, DateTime) else NotImplemented

    def plus(self, duration: Duration) -> DateTime:
        """Months and days on the calendar, seconds on the time line: a day has 23 hours when clocks go forward."""
        moment = self
        if duration.months or duration.days:
            second, nano = _shift(self.second + self.offset, self.nano, duration.calendar)
            moment = DateTime.of_local(second, nano, self.offset, self.zone)
        carry, nano = divmod(moment.nano + duration.nanos, NANOS)
        second = moment.second + duration.seconds + carry
        civil.check_day((second + moment.offset) // DAY_SECONDS)
        return DateTime.at(second, nano, moment.offset, moment.zone)

    def __add__(self, duration: Duration) -> DateTime:
        return self.plus(duration)

    def __sub__(self, duration: Duration) -> DateTime:
        return self.plus(-duration)

    def to_standard(self) -> datetime.datetime:
        """Cut to microseconds, in the named zone or with the offset; OverflowError outside the years 1 to 9999."""
        local = self.local.to_standard()
        if self.zone is None:
            return local.replace(tzinfo=datetime.timezone(datetime.timedelta(seconds=self.offset)))
        moment = local.replace(tzinfo=zone_rules(self.zone))
        late = moment.utcoffset() != datetime.timedelta(seconds=self.offset)
        return moment.replace(fold=1) if late else moment

    def _suffix(self) -> str:
        return offset_text(self.offset) + (f"[{self.zone}]" if self.zone else "")

    def long_text(self) -> str:
        """The text with seconds, always: what toString() gives."""
        return self.local.long_text() + self._suffix()

    def __str__(self) -> str:
        return f"{self.local}{self._suffix()}"
