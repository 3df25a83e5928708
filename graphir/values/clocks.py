"""What time it is for a query: one time for a transaction, one for a statement, and the real one.

`date()`, `datetime.transaction()` and the like read the current clock.  A session sets it for a statement; tests set
one that stands still.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Literal

from graphir.values.civil import NANOS
from graphir.values.datetimes import DateTime
from graphir.values.zones import parse_zone

Reading = Literal["transaction", "statement", "realtime"]


@dataclass(frozen=True, slots=True)
class Clock:
    """Times in nanoseconds since 1970-01-01T00:00Z; a `realtime` of None is read from the system each time.

    `zone` is the default time zone of the session.
    """

    transaction: int
    statement: int
    realtime: int | None = None
    zone: str = "Z"

    @classmethod
    def now(cls, zone: str = "Z") -> Clock:
        """The clock of a transaction that begins now."""
        nanos = time.time_ns()
        return cls(nanos, nanos, None, zone)

    @classmethod
    def fixed(cls, text: str) -> Clock:
        """A clock that stands still at the text of a datetime."""
        moment = DateTime.parse(text)
        nanos = moment.second * NANOS + moment.nano
        return cls(nanos, nanos, nanos)

    def nanos(self, reading: Reading = "statement") -> int:
        if reading == "realtime":
            return time.time_ns() if self.realtime is None else self.realtime
        return self.transaction if reading == "transaction" else self.statement

    def read(self, reading: Reading = "statement", zone: str | None = None) -> DateTime:
        """The time, in a zone or in the default one."""
        second, nano = divmod(self.nanos(reading), NANOS)
        return DateTime.at(second, nano, *parse_zone(zone or self.zone))


_CURRENT: ContextVar[Clock | None] = ContextVar("clock", default=None)


def current_clock() -> Clock:
    """The clock that was set, or one of a transaction that begins now."""
    return _CURRENT.get() or Clock.now()


@contextmanager
def use_clock(clock: Clock) -> Iterator[Clock]:
    """Set the clock for a while, in this thread (or task)."""
    token = _CURRENT.set(clock)
    try:
        yield clock
    finally:
        _CURRENT.reset(token)
