"""What the engines have in common that hand over temporal values as those of Python's `datetime`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from graphir.backends.engines.faults import UNHELD, fault
from graphir.graphs import PropertyGraph
from graphir.values.datetimes import DateTime, LocalDateTime
from graphir.values.times import LocalTime, Time

_LAST_SECOND = 253_402_300_799
_FIRST_SECOND = -62_135_596_800
"""Of the years 1 and 9999."""


def check_storable(graph: PropertyGraph, engine: str) -> None:
    """Refuse what would come back as another value (G626): nanoseconds, names of zones, years beyond 9999."""
    for element in graph.elements():
        for value in _values(element.properties.values()):
            why = _lost(value)
            if why is not None:
                told = f"{engine} gives values back without {why}: {value}"
                raise fault(UNHELD, told, engine=engine, feature="temporal value")


def _values(values: Any) -> Iterator[Any]:
    for value in values:
        if isinstance(value, (list, tuple)):
            yield from value
        else:
            yield value


def _lost(value: Any) -> str | None:
    match value:
        case LocalTime() | Time() if value.nanos % 1000:
            return "nanoseconds"
        case LocalDateTime() | DateTime() if value.nano % 1000:
            return "nanoseconds"
        case DateTime() if value.zone:
            return "the name of the zone"
        case LocalDateTime() | DateTime() if not _FIRST_SECOND <= value.second <= _LAST_SECOND:
            return "years beyond 9999"
        case _:
            return None
