"""Results of queries as JSON, lines of JSON and CSV, and as files of Arrow and Parquet."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from graphir.backends.engines.arrow import table
from graphir.backends.engines.results import Result
from graphir.values.entities import Edge, Node
from graphir.values.json import Entities, to_json
from graphir.values.text import text as literal

FORMATS = ("table", "json", "jsonl", "csv", "parquet", "arrow")
BINARY = ("parquet", "arrow")


def rows_of(result: Result, entities: Entities = "reference") -> list[list[Any]]:
    """The rows as values of JSON."""
    return [[to_json(value, entities) for value in row] for row in result.rows]


def document(result: Result) -> str:
    """`{"columns": [..], "rows": [[..], ..]}` and, of a query that wrote, `counters`; a row on each line."""
    rows = ",\n  ".join(_dumps(row) for row in rows_of(result))
    listed = f"[\n  {rows}\n ]" if rows else "[]"
    counters = f',\n "counters": {_dumps(result.counters)}' if result.counters else ""
    return f'{{"columns": {_dumps(list(result.columns))},\n "rows": {listed}{counters}}}\n'


def lines(result: Result) -> Iterator[str]:
    """An object for each row."""
    for row in rows_of(result):
        yield _dumps(dict(zip(result.columns, row, strict=True))) + "\n"


def separated(result: Result, delimiter: str = ",") -> str:
    """CSV with a header: text as it is, null as nothing, temporal values as their text, all else as JSON."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, delimiter=delimiter, lineterminator="\n")
    writer.writerow(result.columns)
    for row in result.rows:
        writer.writerow([cell(value) for value in row])
    return stream.getvalue()


def cell(value: Any) -> str:
    """A value as a cell of text."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    found = to_json(value)
    if isinstance(found, dict) and not isinstance(value, (dict, Node, Edge)) and len(found) == 1:
        only = next(iter(found.values()))
        return only if isinstance(only, str) else _dumps(found)
    return _dumps(found)


def shown(value: Any) -> str:
    """A value for people: text and temporal values as they are, everything else as a literal of Cypher."""
    if isinstance(value, str):
        return value
    written = literal(value)
    return written[1:-1] if written.startswith("'") else written


def binary(result: Result, format: str) -> bytes:
    """The result as a file of Parquet, or of Arrow's IPC.  UsageFault (G091) without the package pyarrow."""
    made = table(result.columns, result.rows, intervals=format == "arrow")
    out = io.BytesIO()
    if format == "parquet":
        import_module("pyarrow.parquet").write_table(made, out)
        return out.getvalue()
    with import_module("pyarrow.ipc").new_file(out, made.schema) as writer:
        writer.write_table(made)
    return out.getvalue()


def counted(counters: dict[str, int]) -> str:
    """What was written, in words: `nodes created: 2, properties set: 3`."""
    return ", ".join(f"{name.replace('_', ' ')}: {count}" for name, count in counters.items())


def _dumps(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


def write(result: Result, format: str) -> str:
    """The result as json, jsonl or csv."""
    match format:
        case "json":
            return document(result)
        case "jsonl":
            return "".join(lines(result))
        case _:
            return separated(result)
