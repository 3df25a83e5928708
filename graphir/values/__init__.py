"""Values that the standard library has no type for: entities, temporal values, durations, points.

`dates.py`, `times.py`, `datetimes.py`, `durations.py`, `points.py` and `entities.py` are the types; `civil.py`,
`zones.py` and `parsing.py` the arithmetic below them on plain integers; everything else is functions on them.
"""

from __future__ import annotations

from graphir.values.dates import Date
from graphir.values.datetimes import DateTime, LocalDateTime
from graphir.values.durations import Duration
from graphir.values.entities import Edge, Node, Path
from graphir.values.points import Point
from graphir.values.times import LocalTime, Time

__all__ = ["Date", "DateTime", "Duration", "Edge", "LocalDateTime", "LocalTime", "Node", "Path", "Point", "Time"]
