"""Rows as a table of Arrow.

A column whose values are of one kind has the type of that kind: booleans, 64-bit integers and floats (integers among
floats become floats), text, dates, times, datetimes (instants in UTC), durations, points, lists of these.  Every other
column, with entities, maps or values of several kinds, is text: the JSON of `graphir.values.json`, entities with their
labels and properties; the field says so in its metadata (`graphir` = `json`).
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from importlib import import_module
from typing import Any

from graphir.diagnostics import usage_fault
from graphir.values import reps
from graphir.values.conversions import arrow_type, to_arrow
from graphir.values.dates import Date
from graphir.values.datetimes import DateTime, LocalDateTime
from graphir.values.durations import Duration
from graphir.values.json import to_json

_KINDS: dict[type[Any], str] = {
    bool: "boolean",
    int: "integer",
    float: "float",
    str: "string",
    **reps.KINDS,
}
_EXACT = 1 << 53
"""Integers up to here are exact as floats."""


def table(columns: Sequence[str], rows: Sequence[Sequence[Any]], *, intervals: bool = True) -> Any:
    """The `pyarrow.Table` of rows of values.  Without `intervals` durations are text: Parquet cannot hold them.

    Raises UsageFault (G091) without the package pyarrow.
    """
    try:
        arrow = import_module("pyarrow")
    except ImportError:
        told = "Arrow and Parquet need the package pyarrow: pip install graphir[parquet]"
        raise usage_fault("G091", told) from None
    made = [_column(arrow, name, [row[at] for row in rows], intervals) for at, name in enumerate(columns)]
    return arrow.Table.from_arrays([array for _, array in made], schema=arrow.schema([field for field, _ in made]))


def _column(arrow: Any, name: str, values: list[Any], intervals: bool) -> tuple[Any, Any]:
    """The field and the values of a column."""
    type_ = _type(arrow, values, intervals)
    if type_ is None:
        texts = [None if value is None else _text(value) for value in values]
        return arrow.field(name, arrow.string(), metadata={"graphir": "json"}), arrow.array(texts, arrow.string())
    made = [_value(value, type_, arrow) for value in values]
    return arrow.field(name, type_), arrow.array(made, type_)


def _type(arrow: Any, values: Iterable[Any], intervals: bool) -> Any | None:
    """The type that holds values; None where only JSON does.  Recurses on lists."""
    there = [value for value in values if value is not None]
    kinds = {type(value) for value in there}
    if not kinds:
        return arrow.null()
    if kinds <= {list, tuple}:
        inner = _type(arrow, [item for value in there for item in value], intervals)
        return None if inner is None else arrow.list_(inner)
    if kinds == {int, float} and all(abs(value) <= _EXACT for value in there if type(value) is int):
        return arrow.float64()
    if len(kinds) > 1 or not kinds <= _KINDS.keys():
        return None
    kind = _KINDS[kinds.pop()]
    simple = {
        "boolean": arrow.bool_(),
        "integer": arrow.int64(),
        "float": arrow.float64(),
        "string": arrow.string(),
    }
    if kind == "duration" and not intervals:
        return arrow.string()
    return simple.get(kind) or (arrow_type(kind) if all(map(_fits, there)) else None)


def _fits(value: Any) -> bool:
    """Whether Arrow's type has room for a temporal value: dates have 32 bits, local datetimes no nanoseconds."""
    match value:
        case Date():
            return abs(value.days) < 1 << 31
        case LocalDateTime() | DateTime():
            return value.nano % 1000 == 0 and abs(value.second) < 1 << 43
        case Duration():
            return abs(value.months) < 1 << 31 and abs(value.days) < 1 << 31
        case _:
            return True


def _value(value: Any, type_: Any, arrow: Any) -> Any:
    if value is None:
        return None
    if isinstance(value, (list, tuple)):
        return [_value(item, type_.value_type, arrow) for item in value]
    if type(value) is str:
        return value.encode("utf-8", "surrogatepass").decode("utf-8", "replace")
    if arrow.types.is_string(type_):
        return str(value)
    if arrow.types.is_floating(type_):
        return float(value)
    return to_arrow(value)


def _text(value: Any) -> str:
    return json.dumps(to_json(value, "full"), ensure_ascii=False).encode("utf-8", "replace").decode("utf-8")
