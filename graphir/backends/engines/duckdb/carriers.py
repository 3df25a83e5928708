"""Values of the contract out of and into columns: a pair of functions for each representation.

`reader(rep)` makes the value of what DuckDB hands over, `writer(rep)` the other way; None stands for doing nothing.
Null is null everywhere.  Entities are references, by id.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy

from graphir.backends.sql import reps
from graphir.backends.sql.reps import ListRep, MapRep, Rep
from graphir.values import codec
from graphir.values.dates import Date
from graphir.values.datetimes import DateTime, LocalDateTime
from graphir.values.durations import Duration
from graphir.values.faults import mismatch
from graphir.values.points import Point
from graphir.values.references import EdgeReference, NodeReference, PathReference
from graphir.values.reps import to_struct
from graphir.values.times import LocalTime, Time

Change = Callable[[Any], Any]


@cache
def reader(rep: Rep) -> Change | None:
    """From a column to a value."""
    if isinstance(rep, ListRep):
        element = reader(rep.element)
        return None if element is None else lambda items: [None if x is None else element(x) for x in items]
    if isinstance(rep, MapRep):
        return _map_reader(rep)
    return _READERS.get(rep)


def _map_reader(rep: MapRep) -> Change:
    parts = [(key, f"f{at}", reader(value)) for at, (key, value) in enumerate(zip(rep.keys, rep.values, strict=True))]

    def read(fields: dict[str, Any]) -> dict[str, Any]:
        made = {}
        for key, field, change in parts:
            value = fields[field]
            made[key] = value if value is None or change is None else change(value)
        return made

    return read


_READERS: dict[Rep, Change] = {
    reps.DYNAMIC: codec.decode,
    reps.ANYTHING: codec.decode,
    reps.NODE: NodeReference,
    reps.EDGE: EdgeReference,
    reps.PATH: lambda value: PathReference(tuple(value["nodes"]), tuple(value["edges"])),
    reps.DATE: Date,
    reps.LOCAL_TIME: LocalTime,
    reps.TIME: lambda value: Time(value["utc"], value["offset"]),
    reps.LOCAL_DATETIME: lambda value: LocalDateTime(value["second"], value["nano"]),
    reps.DATETIME: lambda v: DateTime(v["second"], v["nano"], v["offset"], v["zone"]),
    reps.DURATION: lambda v: Duration(v["months"], v["days"], v["seconds"], v["nanos"]),
    reps.POINT: lambda v: Point(v["srid"], v["x"], v["y"], v["z"]),
}


@cache
def writer(rep: Rep) -> Change:
    """From a value to a column.  A value of another type is a fault."""
    if isinstance(rep, ListRep):
        element = writer(rep.element)

        def write_list(items: Any) -> list[Any]:
            if not isinstance(items, (list, tuple)):
                raise mismatch("the engine", items, "a list")
            return [None if item is None else element(item) for item in items]

        return write_list
    if isinstance(rep, MapRep):
        return _map_writer(rep)
    return _WRITERS[rep]


def _map_writer(rep: MapRep) -> Change:
    parts = [(key, f"f{at}", writer(value)) for at, (key, value) in enumerate(zip(rep.keys, rep.values, strict=True))]

    def write(value: Any) -> dict[str, Any]:
        if not isinstance(value, dict):
            raise mismatch("the engine", value, "a map")
        made = {}
        for key, field, change in parts:
            item = value.get(key)
            made[field] = None if item is None else change(item)
        return made

    return write


def _exactly(kind: type[Any], expected: str, change: Change | None = None) -> Change:
    def write(value: Any) -> Any:
        if type(value) is not kind:
            raise mismatch("the engine", value, expected)
        return value if change is None else change(value)

    return write


def _float(value: Any) -> float | str:
    """NaN goes as its text: DuckDB makes null of the number that a function gives."""
    if type(value) is float:
        return value if value == value else "nan"  # noqa: PLR0124 NaN
    if type(value) is int:
        return float(value)
    raise mismatch("the engine", value, "a float")


def _id(value: Any) -> int:
    found: int = value if type(value) is int else value.id
    return found


def _path(value: Any) -> dict[str, Any]:
    if isinstance(value, PathReference):
        return {"nodes": list(value.nodes), "edges": list(value.edges)}
    return {"nodes": [node.id for node in value.nodes], "edges": [edge.id for edge in value.edges]}


def _dynamic(value: Any) -> bytes:
    return value if type(value) is bytes else codec.encode(value)


_WRITERS: dict[Rep, Change] = {
    reps.NULL: lambda value: None,
    reps.BOOLEAN: _exactly(bool, "a boolean"),
    reps.INTEGER: _exactly(int, "an integer"),
    reps.FLOAT: _float,
    reps.STRING: _exactly(str, "a string"),
    reps.DYNAMIC: _dynamic,
    reps.ANYTHING: _dynamic,
    reps.NODE: _id,
    reps.EDGE: _id,
    reps.PATH: _path,
    reps.DATE: _exactly(Date, "a date", lambda value: value.days),
    reps.LOCAL_TIME: _exactly(LocalTime, "a local time", lambda value: value.nanos),
    reps.TIME: _exactly(Time, "a time", to_struct),
    reps.LOCAL_DATETIME: _exactly(LocalDateTime, "a local datetime", to_struct),
    reps.DATETIME: _exactly(DateTime, "a datetime", to_struct),
    reps.DURATION: _exactly(Duration, "a duration", to_struct),
    reps.POINT: _exactly(Point, "a point", to_struct),
}


_OBJECTS = (reps.STRING, reps.BOOLEAN, reps.DYNAMIC)


def array(rep: Rep, values: list[Any]) -> Any:
    """A column as an array that DuckDB reads at once, or None where its values cannot be one.

    NaN cannot: DuckDB would take it for null.
    """
    if rep in _OBJECTS:
        made = numpy.empty(len(values), dtype=object)
        made[:] = values
        return made
    if rep not in (reps.INTEGER, reps.FLOAT):
        return None
    kind = numpy.int64 if rep == reps.INTEGER else numpy.float64
    missing = [value is None for value in values]
    if not any(missing):
        found = numpy.array(values, dtype=kind)
        return None if rep == reps.FLOAT and numpy.isnan(found).any() else found
    filled = numpy.array([0 if value is None else value for value in values], dtype=kind)
    if rep == reps.FLOAT and numpy.isnan(filled).any():
        return None
    return numpy.ma.array(filled, mask=missing)
