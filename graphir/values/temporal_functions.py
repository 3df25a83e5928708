"""Cypher's functions on temporal and spatial values, by canonical name (`graphir.functions`).

Null for an argument gives null, but overriding components may be null.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from graphir.values import differences
from graphir.values.clocks import Clock, Reading, current_clock
from graphir.values.construction import (
    construct,
    current,
    duration_of,
    from_epoch,
    from_epoch_millis,
    read_by_pattern,
)
from graphir.values.faults import invalid, wrong_argument
from graphir.values.patterns import format_value
from graphir.values.points import distance, point_of, within_box
from graphir.values.truncation import truncate, truncate_current

Function = Callable[..., Any]
KINDS = ("date", "localtime", "time", "localdatetime", "datetime")
READINGS: tuple[Reading, ...] = ("transaction", "statement", "realtime")


def _constructor(kind: str, clock: Callable[[], Clock]) -> Function:
    def made(*arguments: Any) -> Any:
        if not arguments:
            return current(kind, clock().read())
        if any(argument is None for argument in arguments):
            return None
        first, *pattern = arguments
        return read_by_pattern(kind, first, pattern[0], clock()) if pattern else construct(kind, first, clock())

    return made


def _reading(kind: str, reading: Reading, clock: Callable[[], Clock]) -> Function:
    def read(*arguments: Any) -> Any:
        if not arguments:
            return current(kind, clock().read(reading))
        zone = arguments[0]
        if zone is None:
            return None
        if not isinstance(zone, str):
            raise wrong_argument(f"{kind}.{reading}()", "the name of a time zone", zone)
        return current(kind, clock().read(reading, zone))

    return read


def _truncation(kind: str, clock: Callable[[], Clock]) -> Function:
    def truncated(unit: Any, *arguments: Any) -> Any:
        if unit is None or (arguments and arguments[0] is None):
            return None
        if not arguments:
            return truncate_current(kind, unit, clock())
        return truncate(kind, unit, arguments[0], arguments[1] if len(arguments) > 1 else None, clock())

    return truncated


def _strict(function: Function) -> Function:
    def strict(*arguments: Any) -> Any:
        return None if any(argument is None for argument in arguments) else function(*arguments)

    return strict


def _whole(name: str, function: Function) -> Function:
    """A function of integers."""

    def whole(*arguments: Any) -> Any:
        for argument in arguments:
            if isinstance(argument, bool) or not isinstance(argument, int):
                raise wrong_argument(f"{name}()", "integers", argument)
        return function(*arguments)

    return _strict(whole)


def _duration(value: Any, *pattern: Any) -> Any:
    if pattern:
        raise invalid("duration()", "patterns for durations are not supported")
    return duration_of(value)


def table(clock: Callable[[], Clock] = current_clock) -> dict[str, Function]:
    """Canonical name -> function, reading a clock of one's own."""
    functions: dict[str, Function] = {}
    for kind in KINDS:
        functions[kind] = _constructor(kind, clock)
        functions[f"{kind}.truncate"] = _truncation(kind, clock)
        for reading in READINGS:
            functions[f"{kind}.{reading}"] = _reading(kind, reading, clock)
    return functions | {
        "timestamp": lambda: clock().nanos() // 1_000_000,
        "datetime.fromepoch": _whole("datetime.fromepoch", from_epoch),
        "datetime.fromepochmillis": _whole("datetime.fromepochmillis", from_epoch_millis),
        "duration": _strict(_duration),
        "format": _strict(format_value),
        "duration.between": _strict(differences.between),
        "duration.inMonths": _strict(differences.in_months),
        "duration.inDays": _strict(differences.in_days),
        "duration.inSeconds": _strict(differences.in_seconds),
        "point": _strict(point_of),
        "point.distance": distance,
        "point.withinBBox": within_box,
    }


FUNCTIONS = table()
"""Canonical name -> function, reading the current clock (`clocks.use_clock`)."""

CLOCKED = frozenset(
    ("timestamp", *(name for kind in KINDS for name in (kind, *(f"{kind}.{reading}" for reading in READINGS))))
)
"""Functions that read the clock when they have no argument; the constructors also for a map with only a timezone."""
