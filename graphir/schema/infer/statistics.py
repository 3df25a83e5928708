"""What the columns of a table hold, asked in SQL of DuckDB: type, nulls, distinct values, least and greatest."""

from __future__ import annotations

import datetime
import decimal
import math
import uuid
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from graphir.quoting import quoted
from graphir.schema.ddl.tokens import SQL, Cursor, scan
from graphir.schema.ddl.types import data_type, read_type
from graphir.schema.model import TYPES, DataType, PropertyType
from graphir.schema.words import data_type as data_type_named

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

CATEGORIES = 10
"""The most values that are listed in full."""
REPETITION = 5
"""How often each of them has to occur, on average: five different names in five rows are no categories."""
EXAMPLES = 3
_ENUM = "ENUM("
_EMPTY = "LIST<NOTHING> NOT NULL"

ORDERED = {
    "INTEGER",
    "FLOAT",
    "DATE",
    "LOCAL TIME",
    "ZONED TIME",
    "LOCAL DATETIME",
    "ZONED DATETIME",
}
_WITHOUT_VALUES = {"BYTES", "MAP", "JSON", "LIST", "VECTOR", "BOOLEAN", "DURATION", "POINT"}
ZONED = DataType("ZONED DATETIME")


@dataclass(frozen=True, slots=True)
class Profile:
    """The rows of a table and what its columns hold."""

    rows: int
    properties: tuple[PropertyType, ...]


def type_of(word: str) -> DataType | None:
    """The type that DuckDB calls by that word; an enumeration is text with known values."""
    if word.startswith(_ENUM):
        return DataType("STRING")
    return data_type(read_type(Cursor(word, scan(word, SQL))), "duckpgq-ddl")


def columns_of(connection: DuckDBPyConnection, table: str) -> dict[str, str]:
    """The columns of what stands after FROM, and DuckDB's words for their types."""
    return {row[0]: row[1] for row in connection.execute(f"DESCRIBE SELECT * FROM {table}").fetchall()}


def profile(connection: DuckDBPyConnection, table: str, columns: Mapping[str, str]) -> Profile:
    """What the columns of `table` (what stands after FROM) hold; `columns` are their names and DuckDB's types."""
    types = {name: type_of(word) for name, word in columns.items()}
    asked = ["count(*)"]
    for name, type in types.items():
        asked += _aggregates(_value(name, type), type)
    row = connection.execute(f"SELECT {', '.join(asked)} FROM {table}").fetchone()
    assert row is not None
    rows = int(row[0])
    found = []
    for index, (name, type) in enumerate(types.items()):
        count, distinct, least, greatest, *sizes = row[1 + 6 * index : 7 + 6 * index]
        one = PropertyType(
            name,
            type,
            nullable=count < rows if rows else None,
            unique=0 < distinct == count,
            sizes=(int(sizes[0]), int(sizes[1])) if sizes[0] is not None else None,
            minimum=_shown(least, type),
            maximum=_shown(greatest, type),
            distinct=int(distinct),
        )
        if columns[name].startswith(_ENUM):
            found.append(replace(one, values=_enumerated(connection, columns[name])))
        else:
            found.append(_with_values(connection, table, one, int(count)))
    return Profile(rows, tuple(found))


def _value(name: str, type: DataType | None) -> str:
    """The SQL of a value; an instant is taken in UTC, so that it does not depend on where it is looked at."""
    return f"({quoted(name)} AT TIME ZONE 'UTC')" if type == ZONED else quoted(name)


def _shown(value: Any, type: DataType | None) -> Any:
    return f"{plain(value)}Z" if type == ZONED and value is not None else plain(value)


def _aggregates(column: str, type: DataType | None) -> Iterable[str]:
    """Six for each column: how many, how many distinct, least, greatest, shortest, longest."""
    ordered = type is not None and TYPES[type.name] in ORDERED
    listed = type is not None and type.name == "LIST"
    yield f"count({column})"
    yield f"count(DISTINCT {column})"
    yield from (f"min({column})", f"max({column})") if ordered else ("NULL", "NULL")
    yield from (f"min(len({column}))", f"max(len({column}))") if listed else ("NULL", "NULL")


def _enumerated(connection: DuckDBPyConnection, word: str) -> tuple[str, ...]:
    row = connection.execute(f"SELECT enum_range(NULL::{word})").fetchone()
    return tuple(row[0]) if row else ()


def _with_values(connection: DuckDBPyConnection, table: str, one: PropertyType, count: int) -> PropertyType:
    """The property with its values, all where they are categories, some where they are not."""
    if not count or one.type is None or one.type.name in _WITHOUT_VALUES:
        return one
    closed = is_closed(one.type, one.distinct or 0, count)
    column = _value(one.name, one.type)
    limit = CATEGORIES if closed else EXAMPLES
    rows = connection.execute(
        f"SELECT {column} FROM {table} WHERE {column} IS NOT NULL GROUP BY {column} ORDER BY count(*) DESC, {column} "
        f"LIMIT {limit}"
    ).fetchall()
    values = tuple(_shown(row[0], one.type) for row in rows)
    return replace(one, values=tuple(sorted(values))) if closed else replace(one, examples=values)


def is_closed(type: DataType | None, distinct: int, count: int) -> bool:
    """Whether so many different texts in so many rows are all the values that the property takes."""
    return type is not None and type.name == "STRING" and 0 < distinct <= CATEGORIES and count >= REPETITION * distinct


def plain(value: Any) -> Any:
    """A value as schemas hold it: temporal values and UUIDs as text, decimals as floats, no infinity."""
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else None
        case datetime.date() | datetime.time():
            return value.isoformat()
        case decimal.Decimal():
            return plain(float(value))
        case uuid.UUID():
            return str(value)
        case list() | tuple():
            return tuple(plain(one) for one in value)
        case _:
            return str(value)


def combine(parts: Sequence[Profile]) -> Profile:
    """What several tables of one type hold together.  A property that one of them does not have is nullable."""
    if len(parts) == 1:
        return parts[0]
    by_name: dict[str, list[PropertyType]] = {}
    for part in parts:
        for one in part.properties:
            by_name.setdefault(one.name, []).append(one)
    properties = tuple(_together(found, everywhere=len(found) == len(parts)) for found in by_name.values())
    return Profile(sum(part.rows for part in parts), properties)


def _together(found: Sequence[PropertyType], *, everywhere: bool) -> PropertyType:
    types = {one.type for one in found}
    closed = [one.values for one in found if one.values is not None]
    whole = len(closed) == len(found) and len(types) == 1
    known = tuple(dict.fromkeys(value for values in closed for value in values))
    examples = tuple(dict.fromkeys(value for one in found for value in (one.values or one.examples)))[:EXAMPLES]
    ranged = len(types) == 1 and all(one.minimum is not None for one in found)
    return PropertyType(
        found[0].name,
        types.pop() if len(types) == 1 else None,
        nullable=not everywhere or any(one.nullable is not False for one in found),
        values=tuple(sorted(known)) if whole else None,
        examples=() if whole else examples,
        minimum=min(one.minimum for one in found) if ranged else None,
        maximum=max(one.maximum for one in found) if ranged else None,
    )


def one_type(words: Iterable[str]) -> tuple[DataType | None, bool]:
    """The one type of values whose types are called so by `valueType`, and whether there are several.

    An empty list is of the type of the other lists.
    """
    named = [word for word in words if word not in ("NULL", _EMPTY)]
    found = {data_type_named(word) for word in named} or {DataType("LIST")}
    if len(found) == 1:
        return found.pop(), False
    if all(type is not None and type.name == "LIST" for type in found):
        return DataType("LIST"), False
    return None, True
