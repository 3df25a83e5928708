"""Values of GoogleSQL: its cells to plain values and back, and the names of its types.

INT64, FLOAT64, BOOL, STRING, BYTES are Python's, DATE, DATETIME, TIME and TIMESTAMP those of `graphir.values`, NUMERIC
is a Decimal, JSON what it holds, ARRAY a list, STRUCT a `Struct`; what is none of these has no value (LookupError).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from decimal import Context, Decimal
from typing import Any

from graphir.backends.engines.googlesql.protos import Cell, Type, types, values
from graphir.values.dates import Date
from graphir.values.datetimes import DateTime

_WIDE = Context(prec=120)
"""BIGNUMERIC has 77 digits."""
_SCALES = {types.TYPE_NUMERIC: 9, types.TYPE_BIGNUMERIC: 38}
_NAMES = {"DOUBLE": "FLOAT64", "FLOAT": "FLOAT32"}


@dataclass(frozen=True, slots=True)
class Struct:
    """A STRUCT: names of fields (perhaps empty, perhaps the same) with their values."""

    fields: tuple[tuple[str, Any], ...]


def type_name(found: Type) -> str:
    """The type as it is written.  Recurses on types."""
    kind = found.type_kind
    if kind == types.TYPE_ARRAY:
        return f"ARRAY<{type_name(found.array_type.element_type)}>"
    if kind == types.TYPE_STRUCT:
        fields = [f"{field.field_name} {type_name(field.field_type)}".strip() for field in found.struct_type.field]
        return f"STRUCT<{', '.join(fields)}>"
    name = str(types.TypeKind.Name(kind)).removeprefix("TYPE_")
    return _NAMES.get(name, name)


# ------------------------------------------------------------------ from cells


def value_of(cell: Cell, of: Type) -> Any:
    """The value of a cell.  LookupError for types that have none.  Recurses on types."""
    which = cell.WhichOneof("value")
    if which is None:
        return None
    held = getattr(cell, which)
    kind = of.type_kind
    if kind == types.TYPE_ARRAY:
        return [value_of(item, of.array_type.element_type) for item in held.element]
    if kind == types.TYPE_STRUCT:
        fields = zip(of.struct_type.field, held.field, strict=True)
        return Struct(tuple([(field.field_name, value_of(item, field.field_type)) for field, item in fields]))
    decode = _DECODERS.get(kind)
    if decode is None:
        raise LookupError(f"a value of type {type_name(of)}")
    return decode(held)


def _decimal(kind: int) -> Callable[[bytes], Decimal]:
    scale = _SCALES[kind]
    return lambda held: _WIDE.scaleb(Decimal(int.from_bytes(held, "little", signed=True)), -scale)


_DECODERS: dict[int, Callable[[Any], Any]] = {
    types.TYPE_BOOL: bool,
    types.TYPE_INT32: int,
    types.TYPE_INT64: int,
    types.TYPE_UINT32: int,
    types.TYPE_UINT64: int,
    types.TYPE_FLOAT: float,
    types.TYPE_DOUBLE: float,
    types.TYPE_STRING: str,
    types.TYPE_BYTES: bytes,
    types.TYPE_DATE: Date,
    types.TYPE_TIMESTAMP: lambda held: DateTime(held.seconds, held.nanos, 0),
    types.TYPE_NUMERIC: _decimal(types.TYPE_NUMERIC),
    types.TYPE_BIGNUMERIC: _decimal(types.TYPE_BIGNUMERIC),
    types.TYPE_JSON: json.loads,
}


# ------------------------------------------------------------------ to cells


def cell_of(value: Any, of: Type) -> Cell:
    """The value as a cell of that type.  Raises TypeError or ValueError for what is none.  Recurses on types."""
    cell = values.ValueProto()
    if value is None:
        return cell
    kind = of.type_kind
    if kind == types.TYPE_ARRAY:
        cell.array_value.SetInParent()
        cell.array_value.element.extend([cell_of(item, of.array_type.element_type) for item in value])
    elif kind == types.TYPE_STRUCT:
        cell.struct_value.SetInParent()
        cell.struct_value.field.extend(_fields(value, of))
    elif kind in _SCALES:
        units = int(_WIDE.to_integral_exact(_WIDE.scaleb(Decimal(str(value)), _SCALES[kind])))
        data = units.to_bytes(units.bit_length() // 8 + 1, "little", signed=True)
        setattr(cell, "numeric_value" if kind == types.TYPE_NUMERIC else "bignumeric_value", data)
    elif kind in _ENCODERS:
        _ENCODERS[kind](cell, value)
    else:
        raise TypeError(f"no value of type {type_name(of)} can be given")
    return cell


def _fields(value: Any, of: Type) -> list[Cell]:
    held = [item for _, item in value.fields] if isinstance(value, Struct) else value
    if isinstance(held, Mapping):
        held = [held[field.field_name] for field in of.struct_type.field]
    return [cell_of(item, field.field_type) for item, field in zip(held, of.struct_type.field, strict=True)]


def _simple(name: str) -> Callable[[Cell, Any], None]:
    return lambda cell, value: setattr(cell, name, value)


def _timestamp(cell: Cell, value: DateTime) -> None:
    cell.timestamp_value.seconds = value.second
    cell.timestamp_value.nanos = value.nano


def _json(cell: Cell, value: Any) -> None:
    cell.json_value = json.dumps(value, ensure_ascii=False)


def _date(cell: Cell, value: Date) -> None:
    cell.date_value = value.days


_ENCODERS: dict[int, Callable[[Cell, Any], None]] = {
    types.TYPE_BOOL: _simple("bool_value"),
    types.TYPE_INT64: _simple("int64_value"),
    types.TYPE_DOUBLE: _simple("double_value"),
    types.TYPE_FLOAT: _simple("float_value"),
    types.TYPE_STRING: _simple("string_value"),
    types.TYPE_BYTES: _simple("bytes_value"),
    types.TYPE_DATE: _date,
    types.TYPE_TIMESTAMP: _timestamp,
    types.TYPE_JSON: _json,
}
