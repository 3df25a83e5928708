"""Columns of tables that are read, as the storage has them.

`hold` finds the representation of a column and the SQL of its values.  Where SQL cannot make them (text that is a
temporal value, types of DuckDB that no representation has) they pass through Python into a table of their own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from types import MappingProxyType
from typing import Any

import duckdb

from graphir.backends.engines.duckdb.carriers import reader, writer
from graphir.backends.engines.duckdb.storage import storable
from graphir.backends.sql import reps
from graphir.backends.sql.reps import Rep, list_of, rep_of, unify
from graphir.diagnostics import GraphirError
from graphir.loading.texts import PARSERS
from graphir.schema.infer.tables import ROW
from graphir.schema.model import TYPES, DataType
from graphir.values.conversions import from_standard
from graphir.values.json import from_json


class Mistyped(Exception):
    """A value that is not of the type that its column should have: its row, its text, the type."""

    def __init__(self, row: int, value: Any, expected: str) -> None:
        super().__init__(expected)
        self.row = row
        self.shown = str(value)
        self.expected = expected


VALUE = '"graphir:value"'
"""The column of a table of values; beside it is that of their rows."""


@dataclass(frozen=True, slots=True)
class Held:
    """A column of the table `of`: its representation, the SQL of its values and of what they are made of.

    `kept` is the table that has the values by row, where SQL cannot make them.
    """

    rep: Rep
    of: str
    made: str
    sql: str
    kept: str | None = None


_INTEGERS = ("TINYINT", "SMALLINT", "INTEGER", "BIGINT", "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER", "UBIGINT")
_FLOATS = ("FLOAT", "DOUBLE", "DECIMAL")
_TEXTS = ("VARCHAR", "UUID", "ENUM", "JSON")
_PLAIN: Mapping[str, Rep] = MappingProxyType(
    {
        "BOOLEAN": reps.BOOLEAN,
        **dict.fromkeys((*_INTEGERS, "UHUGEINT"), reps.INTEGER),
        **dict.fromkeys(_FLOATS, reps.FLOAT),
        **dict.fromkeys(_TEXTS, reps.STRING),
    }
)
_TYPED: Mapping[str, Rep] = MappingProxyType(
    {"BOOLEAN": reps.BOOLEAN, "INTEGER": reps.INTEGER, "FLOAT": reps.FLOAT, "STRING": reps.STRING}
)
DECLARED: Mapping[str, Rep] = MappingProxyType(
    {
        **_TYPED,
        "DATE": reps.DATE,
        "LOCAL TIME": reps.LOCAL_TIME,
        "ZONED TIME": reps.TIME,
        "LOCAL DATETIME": reps.LOCAL_DATETIME,
        "ZONED DATETIME": reps.DATETIME,
        "DURATION": reps.DURATION,
        "POINT": reps.POINT,
    }
)
"""Kinds of data types -> their representation."""
_WORD = re.compile(r"[A-Z]+")
_fresh = count()


def rep_declared(type_: DataType | None) -> Rep | None:
    """The representation of a property that is declared with a type; None where the type does not tell."""
    if type_ is None:
        return None
    if type_.name == "LIST":
        element = rep_declared(type_.element)
        return None if element is None else list_of(element)
    return DECLARED.get(TYPES[type_.name])


def hold(
    connection: duckdb.DuckDBPyConnection, table: str, made: str, word: str, declared: DataType | None
) -> Held | None:
    """The column of an SQL expression whose type DuckDB calls `word`; None where it holds nothing but null.

    Raises Mistyped where a value is not of the declared type.
    """
    if word == "JSON":
        made, word = _of_json(connection, table, made)
    [(there,)] = connection.execute(f"SELECT count({made}) FROM {table}").fetchall()
    if not there:
        return None
    kind = TYPES[declared.name] if declared is not None else ""
    if word == "VARCHAR" and kind in PARSERS:
        return _through(connection, table, made, PARSERS[kind], kind)
    if word == "VARCHAR[]" and declared is not None and declared.element is not None:
        inner = TYPES[declared.element.name]
        if inner in PARSERS:
            return _through(connection, table, made, _each(PARSERS[inner]), str(declared))
    if word == "JSON":
        found = _through(connection, table, made, lambda text: from_json(json.loads(text)), "value")
    else:
        found = _native(table, made, word) or _through(connection, table, made, from_standard, "value")
    if kind in _TYPED and found.rep != _TYPED[kind]:
        return _cast(connection, found, kind)
    return found


def _of_json(connection: duckdb.DuckDBPyConnection, table: str, made: str) -> tuple[str, str]:
    """The SQL of the values of a column of JSON, and their type: JSON where they are not all of one plain type."""
    rows = connection.execute(f"SELECT DISTINCT json_type({made}) FROM {table}").fetchall()
    kinds = {_JSON_TYPES.get(kind, "JSON") for (kind,) in rows if kind not in (None, "NULL")}
    there = f"nullif({made}, 'null'::JSON)"
    if len(kinds) != 1:
        return there, "JSON"
    word = kinds.pop()
    return (there, word) if word == "JSON" else (f"CAST({there} ->> '$' AS {word})", word)


_JSON_TYPES = {"BIGINT": "BIGINT", "UBIGINT": "BIGINT", "DOUBLE": "DOUBLE", "VARCHAR": "VARCHAR", "BOOLEAN": "BOOLEAN"}


def aligned(connection: duckdb.DuckDBPyConnection, held: Held, rep: Rep) -> Held:
    """The column in a wider representation, as `reps.join` finds it."""
    if held.rep == rep:
        return held
    read, write = reader(held.rep), writer(rep)
    source = held.of if held.kept is None else held.kept
    value = held.sql if held.kept is None else VALUE
    rows = connection.execute(f"SELECT {ROW}, {value} FROM {source} WHERE {value} IS NOT NULL").fetchall()
    values = [write(value if read is None else read(value)) for _, value in rows]
    return _stored(connection, held, [row[0] for row in rows], values, rep)


def _native(table: str, made: str, word: str) -> Held | None:
    """The column where SQL makes its values."""
    base = _WORD.match(word)
    if word.endswith("[]"):
        element = _PLAIN.get(word[:-2])
        return None if element is None else _as(table, made, list_of(element))
    if base is not None and base[0] in _PLAIN and not word.endswith("]"):
        return _as(table, made, _PLAIN[base[0]])
    if word == "DATE":
        return Held(reps.DATE, table, made, f"date_diff('day', DATE '1970-01-01', {made})")
    if word == "TIME":
        return Held(reps.LOCAL_TIME, table, made, f"epoch_ns({made})")
    if word.startswith("TIMESTAMP"):
        return _instant(table, made, word)
    return None


def _as(table: str, made: str, rep: Rep) -> Held:
    return Held(rep, table, made, f"CAST({made} AS {rep.sql})")


def _instant(table: str, made: str, word: str) -> Held:
    unit, scale = (f"epoch_ns({made})", 10**9) if word == "TIMESTAMP_NS" else (f"epoch_us({made})", 10**6)
    part = f"(({unit} % {scale} + {scale}) % {scale})"
    fields = f"'second': ({unit} - {part}) // {scale}, 'nano': CAST({part} * {10**9 // scale} AS INTEGER)"
    rep = reps.LOCAL_DATETIME
    if "ZONE" in word:
        rep = reps.DATETIME
        fields += ", 'offset': CAST(0 AS INTEGER), 'zone': CAST(NULL AS VARCHAR)"
    return Held(rep, table, made, f"CASE WHEN {made} IS NOT NULL THEN {{{fields}}} END")


def _cast(connection: duckdb.DuckDBPyConnection, held: Held, kind: str) -> Held:
    """A column of another type than the declared one: integers become floats, text is read, all becomes text."""
    rep, made = _TYPED[kind], held.made
    if held.kept is not None or held.rep not in (*reps.SIMPLE, reps.DATE):
        raise _lost(connection, held, "true", kind)
    if rep == reps.STRING:
        return replace(held, rep=rep, sql=f"CAST({made} AS VARCHAR)")
    sql = f"TRY_CAST({made} AS {rep.sql})"
    wrong = f"NOT ({reads(made, rep.sql)})" if held.rep == reps.STRING else f"{sql} IS NULL"
    if held.rep == reps.FLOAT and rep == reps.INTEGER:
        wrong += f" OR {sql} <> {made}"
    if held.rep != reps.STRING and (reps.BOOLEAN in (rep, held.rep) or held.rep == reps.DATE):
        wrong = "true"
    condition = f"{made} IS NOT NULL AND ({wrong})"
    [(some,)] = connection.execute(f"SELECT count(*) FROM {held.of} WHERE {condition}").fetchall()
    if some:
        raise _lost(connection, held, condition, kind)
    return replace(held, rep=rep, sql=sql)


def reads(text: str, word: str) -> str:
    """SQL of whether a text is written as a value of a type (`BIGINT`, `DOUBLE`, `BOOLEAN`).

    A cast alone would take 1.5 for the integer 2, and 1 for true.
    """
    match word:
        case "BIGINT":
            whole = f"regexp_full_match({text}, '\\s*[-+]?[0-9]+\\s*')"
            return f"{whole} AND TRY_CAST({text} AS BIGINT) IS NOT NULL"
        case "BOOLEAN":
            return f"lower(trim({text})) IN ('true', 'false')"
        case _:
            return f"TRY_CAST({text} AS {word}) IS NOT NULL"


def _lost(connection: duckdb.DuckDBPyConnection, held: Held, condition: str, kind: str) -> Mistyped:
    """The first value that is not of the type."""
    row = connection.execute(
        f"SELECT {ROW}, CAST({held.made} AS VARCHAR) FROM {held.of} WHERE {held.made} IS NOT NULL AND ({condition}) "
        f"ORDER BY {ROW} LIMIT 1"
    ).fetchone()
    at, value = row or (0, "")
    return Mistyped(at, value, kind)


# ------------------------------------------------------------------ through Python


def _through(
    connection: duckdb.DuckDBPyConnection, table: str, made: str, change: Callable[[Any], Any], kind: str
) -> Held:
    """The column with every value changed by a function; equal texts are changed once."""
    rows = connection.execute(f"SELECT {ROW}, {made} FROM {table} WHERE {made} IS NOT NULL").fetchall()
    known: dict[str, Any] = {}
    values = []
    for row, value in rows:
        if type(value) is str and value in known:
            values.append(known[value])
            continue
        try:
            found = change(value)
        except (GraphirError, ValueError, KeyError) as error:
            raise Mistyped(row, value, kind) from error
        values.append(found)
        if type(value) is str:
            known[value] = found
    rep = storable(unify(rep_of(value) for value in values))
    write = writer(rep)
    held = Held(rep, table, made, VALUE)
    return _stored(connection, held, [row for row, _ in rows], [write(value) for value in values], rep)


def _stored(
    connection: duckdb.DuckDBPyConnection, held: Held, rows: Sequence[int], values: Sequence[Any], rep: Rep
) -> Held:
    """The column with its values in a table by row."""
    name = f"graphir_values_{next(_fresh)}"
    connection.execute(
        f"CREATE TEMP TABLE {name} AS SELECT unnest(CAST($rows AS BIGINT[])) AS {ROW}, "
        f"unnest(CAST($values AS {list_of(rep).sql})) AS {VALUE}",
        {"rows": rows, "values": values},
    )
    return replace(held, rep=rep, sql=VALUE, kept=name)


def _each(change: Callable[[str], Any]) -> Callable[[Any], Any]:
    return lambda items: [None if item is None else change(item) for item in items]
