"""What a property can hold: simple values, temporal and spatial ones, and lists of values of one such type.

Neo4j's property types (Cypher Manual, Values and types: structural and constructed values are no property values).
"""

from __future__ import annotations

from typing import Any

from graphir.values.dates import Date
from graphir.values.datetimes import DateTime, LocalDateTime
from graphir.values.durations import Duration
from graphir.values.faults import type_name
from graphir.values.points import Point
from graphir.values.times import LocalTime, Time

_STORED = frozenset((bool, int, float, str, Date, LocalTime, Time, LocalDateTime, DateTime, Duration, Point))


def stored(value: Any) -> Any:
    """The value as a property holds it: integers among floats become floats.

    Raises TypeError with what the value is, in words.
    """
    kind = type(value)
    if kind in _STORED or kind.__name__ in ("UUID", "Vector", "Json"):
        return value
    if not isinstance(value, (list, tuple)):
        raise TypeError(type_name(value))
    kinds = {type(item) for item in value}
    if type(None) in kinds:
        raise TypeError("a list with null in it")
    if kinds == {int, float}:
        return [float(item) for item in value]
    if len(kinds) > 1:
        raise TypeError("a list of values of several types")
    if kinds and not kinds <= _STORED:
        raise TypeError(f"a list of which an element is {type_name(value[0])}")
    return list(value)
