"""Corpus files: JSON lines, JSON arrays, CSV, Parquet and Cypher scripts, read and written row by row.

Every reader streams and gives each row as the bytes of one JSON value, so that whatever is wrong with a row (not JSON,
not UTF-8, no object) is found in one place, where the row is worked on.  Knows no task, no diagnostic and no terminal.
"""

from __future__ import annotations

import csv
import io
import json
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import zip_longest
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, BinaryIO, NamedTuple, TextIO

from graphir.files import name_of, open_input
from graphir.grammar.readers import lexer
from graphir.source import Span

if TYPE_CHECKING:
    from duckdb import DuckDBPyConnection

SUFFIXES = {
    ".jsonl": "jsonl",
    ".ndjson": "jsonl",
    ".json": "json",
    ".csv": "csv",
    ".tsv": "tsv",
    ".parquet": "parquet",
    ".cypher": "cypher",
    ".cyp": "cypher",
    ".cql": "cypher",
}
"""The suffix of a file -> its format."""

FORMATS = tuple(dict.fromkeys(SUFFIXES.values()))
DELIMITERS = {"csv": ",", "tsv": "\t"}

REQUEST = "graphir:"
"""What a comment holds that is for graphir."""

_BLOCK = 1 << 16
_CELL_LIMIT = 1 << 30  # one unclosed quote makes the rest of a CSV file one cell
_PARQUET_BATCH = 512


class CorpusError(Exception):
    """A corpus that cannot be read or written at all; the message is for the user."""


class Row(NamedTuple):
    """One row: the bytes of a JSON value, and what the reader already knows to be wrong with it."""

    payload: bytes
    fault: str | None = None


@dataclass(frozen=True, slots=True)
class Corpus:
    """An open corpus.

    `columns` are the keys of its rows where the format fixes them, `types` their types as DuckDB names them; `total`
    is how far `position` can get (bytes or rows), None where nobody knows.
    """

    name: str
    format: str
    rows: Iterator[Row]
    total: int | None
    position: Callable[[], int]
    columns: tuple[str, ...] | None = None
    types: dict[str, str] | None = None


def format_of(path: str) -> str | None:
    """The format that the suffix of a file name tells, if any."""
    return SUFFIXES.get(os.path.splitext(path)[1].lower())


@contextmanager
def open_corpus(source: Path | BinaryIO, format: str, *, field: str, dialect: str) -> Iterator[Corpus]:
    """The corpus in a file or a binary stream.

    `field` is the key under which the statements of a script appear; `dialect` tells where they end.
    Raises CorpusError, and OSError where the file cannot be read.
    """
    if isinstance(source, Path):
        if format == "parquet":
            with _connect() as connection:
                yield _open_parquet(connection, source)
            return
        with open_input(source) as stream:
            yield _open_stream(stream, str(source), format, field, dialect)
        return
    if format == "parquet":
        raise CorpusError("Parquet cannot be read from standard input or a pipe: name the file")
    yield _open_stream(source, name_of(source), format, field, dialect)


def detect(source: Path | io.BufferedReader[Any]) -> str:
    """The format of a file or stream: by the suffix, else by the first character.

    No Cypher statement begins with a brace or a bracket.
    """
    if isinstance(source, Path):
        told = format_of(source.name)
        if told is not None:
            return told
        with open_input(source) as stream:
            return detect(buffered(stream))
    head = source.peek(_BLOCK).removeprefix(b"\xef\xbb\xbf").lstrip()
    return {b"{": "jsonl", b"[": "json"}.get(head[:1], "cypher")


def buffered(stream: BinaryIO) -> io.BufferedReader[Any]:
    """The stream with a buffer that can be looked into."""
    return stream if isinstance(stream, io.BufferedReader) else io.BufferedReader(stream)


def _open_stream(stream: BinaryIO, name: str, chosen: str, field: str, dialect: str) -> Corpus:
    reader = buffered(stream)
    size, position = _extent(reader)
    if chosen in DELIMITERS:
        columns, rows = _read_csv(reader, name, DELIMITERS[chosen])
        return Corpus(name, chosen, rows, size, position, columns)
    if chosen == "jsonl":
        return Corpus(name, chosen, _read_lines(reader), size, position)
    text = io.TextIOWrapper(reader, encoding="utf-8-sig", errors="surrogateescape", newline="")
    if chosen == "json":
        return Corpus(name, chosen, _read_json(text), size, position)
    if chosen == "text":
        return Corpus(name, chosen, _read_whole(text, field), size, position)
    return Corpus(name, "cypher", _read_script(text, field, dialect), size, position)


def _extent(stream: io.BufferedReader[Any]) -> tuple[int | None, Callable[[], int]]:
    if not stream.seekable():
        return None, lambda: 0
    start = stream.tell()
    end = stream.seek(0, os.SEEK_END)
    stream.seek(start)
    return end, lambda: end if stream.closed else stream.tell()


# ------------------------------------------------------------------ JSON


def _read_lines(stream: IO[bytes]) -> Iterator[Row]:
    """The lines that hold anything, one row each."""
    first = True
    for line in stream:
        payload = line.removeprefix(b"\xef\xbb\xbf") if first else line
        first = False
        payload = payload.strip(b" \t\r\n")
        if payload:
            yield Row(payload)


_BLANK = re.compile(r"[ \t\r\n]*")
_STRUCTURE = re.compile(r'"(?:[^"\\]|\\.)*+"|[][{},"]', re.DOTALL)
_AFTER_VALUE = frozenset(",]}{[ \t\r\n")
_HALF_PAIR = re.compile(rb"\\ud[89a-f]")
_HALF = re.compile("[\ud800-\udfff]")
_LONGEST_ATOM = 16  # a literal or an escape that the end of the window cuts


class _Window:
    """The part of a text stream in view: grows at its end, is cut at its start."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self.text = ""
        self.ended = False

    def grow(self) -> bool:
        """Read on; at least as much as is there already, so that one huge value costs linear time."""
        more = "" if self.ended else self._stream.read(max(_BLOCK, len(self.text)))
        self.text += more
        self.ended = not more
        return bool(more)

    def skip(self, characters: str) -> str:
        """Drop these characters from the front; gives the next one, or "" at the end."""
        while True:
            self.text = self.text.lstrip(characters)
            if self.text or not self.grow():
                return self.text[:1]


def _read_json(stream: TextIO) -> Iterator[Row]:
    """The elements of an array, or the values of a file that holds several: `{..} {..}`."""
    window = _Window(stream)
    array = window.skip(" \t\r\n") == "["
    decoder = json.JSONDecoder()
    at = 1 if array else 0
    while True:
        at = _BLANK.match(window.text, at).end()  # type: ignore[union-attr]
        lead = window.text[at : at + 1]
        end: int | None
        if lead == "]" and array:
            array, end = False, at + 1
        elif lead == ",":
            end = at + 1
        else:
            end = _value_end(window, decoder, at, array) if lead else None
            if end is not None:
                yield Row(window.text[at:end].encode("utf-8", "surrogateescape"))
        if end is None:
            window.text, end = window.text[at:], 0
            if not window.grow() and not window.text:
                break
        at = end
    if array:
        yield Row(b"", "the array has no end")


def _value_end(window: _Window, decoder: json.JSONDecoder, at: int, array: bool) -> int | None:
    """Where the value at `at` ends; None while the window may not hold all of it.

    A value that is no JSON ends where its brackets close or, between values that no array holds together, with its
    line: the values after it are read all the same.
    """
    text, end = window.text, at
    try:
        _, end = decoder.raw_decode(text, at)
        broken = (text[end : end + 1] or ",") not in _AFTER_VALUE
    except json.JSONDecodeError as error:
        cut = error.msg.startswith("Unterminated string") or len(text) - error.pos < _LONGEST_ATOM
        if cut and not window.ended:
            return None
        broken = True
    except (ValueError, RecursionError):  # a number or a nesting beyond Python's limits
        broken = True
    if broken:
        end = _broken_end(text, at, array)
    return end if end < len(text) or window.ended else None


def _broken_end(text: str, at: int, array: bool) -> int:
    line = -1 if array else text.find("\n", at)
    stop = line if line >= 0 else len(text)
    level = 0
    for match in _STRUCTURE.finditer(text, at, stop):
        mark = match[0]
        if mark == '"':
            return stop
        if mark in ("{", "["):
            level += 1
        elif mark in ("}", "]"):
            level -= 1
            if level < 0:
                return max(match.start(), at + 1)
        elif mark == "," and level == 0:
            return match.start()
    return stop


# ------------------------------------------------------------------ CSV


def _read_csv(stream: BinaryIO, name: str, delimiter: str) -> tuple[tuple[str, ...], Iterator[Row]]:
    csv.field_size_limit(min(sys.maxsize, _CELL_LIMIT))
    text = io.TextIOWrapper(stream, encoding="utf-8-sig", errors="surrogateescape", newline="")
    reader = csv.reader(text, delimiter=delimiter)
    header = tuple(next(_cells(reader), ([], None))[0])
    if not header:
        raise CorpusError(f"{name} has no header line")
    twice = sorted({name for name in header if header.count(name) > 1})
    if twice:
        raise CorpusError(f"the header of {name} names {', '.join(map(repr, twice))} twice")
    # the wrapper lives as long as the rows are read
    return header, _csv_rows(reader, header, text)


def _cells(reader: Iterator[list[str]]) -> Iterator[tuple[list[str], str | None]]:
    while True:
        try:
            cells = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            yield [], f"not CSV: {error}"
            continue
        if cells:
            yield cells, None


def _csv_rows(reader: Iterator[list[str]], header: tuple[str, ...], _text: TextIO) -> Iterator[Row]:
    for cells, fault in _cells(reader):
        if fault:
            yield Row(_encode(cells), fault)
        elif len(cells) > len(header):
            yield Row(_encode(cells), f"the row has {len(cells)} cells, the header {len(header)}")
        else:
            yield Row(_encode(dict(zip(header, cells, strict=False))))


def _encode(value: object) -> bytes:
    """JSON, with the bytes that were not UTF-8 as they were: whoever decodes the row sees that."""
    return json.dumps(value, ensure_ascii=False).encode("utf-8", "surrogateescape")


# ------------------------------------------------------------------ scripts


def _read_script(stream: TextIO, field: str, dialect: str) -> Iterator[Row]:
    """One row per statement: its text, and where it starts in the script (offset, line, column).

    A script without any statement is one row, so that something is said about it.
    """
    window = _Window(stream)
    place = _Place()
    while True:
        grown = window.grow()
        spans = lexer(dialect).statements(window.text, dialect)
        # what follows may still belong to the last statement
        ready = spans[:-1] if grown else spans
        done = 0
        for span, after in zip_longest(ready, spans[1 : len(ready) + 1]):
            rest = len(window.text) if after is None else after.start
            start, end = _with_requests(window.text, done if place.offset else None, span, rest, dialect)
            place.advance(window.text[done:start])
            query = window.text[start:end]
            yield Row(_encode({field: query, "start": place.offset, "line": place.line, "column": place.column}))
            place.advance(query)
            done = end
        if not grown:
            if not place.offset and not spans:
                yield Row(_encode({field: window.text, "start": 0, "line": 1, "column": 1}))
            return
        window.text = window.text[done:]


def _with_requests(text: str, before: int | None, span: Span, rest: int, dialect: str) -> tuple[int, int]:
    """The statement with the comments that belong to it and are meant for graphir: those on lines above it, after the
    statement that ends at `before` if there is one, and those behind it on its last line, `rest` at most."""
    start, end = span
    comments = lexer(dialect).comments
    above = text[before or 0 : start]
    if REQUEST in above:
        first = 0 if before is None else above.find("\n")
        meant = [c for c in comments(above, dialect) if c.start >= first >= 0 and REQUEST in above[c.start : c.end]]
        start = (before or 0) + meant[0].start if meant else start
    line_end = text.find("\n", end, rest)
    behind = text[end : rest if line_end < 0 else line_end]
    if REQUEST in behind:
        meant = [c for c in comments(behind, dialect) if REQUEST in behind[c.start : c.end]]
        end += meant[-1].end if meant else 0
    return start, end


def _read_whole(stream: TextIO, field: str) -> Iterator[Row]:
    """All of the text as one row."""
    yield Row(_encode({field: stream.read()}))


class _Place:
    """Offset, line and column in a text that passes by."""

    def __init__(self) -> None:
        self.offset, self.line, self.column = 0, 1, 1

    def advance(self, text: str) -> None:
        breaks = text.count("\n")
        self.offset += len(text)
        self.line += breaks
        self.column = len(text) - text.rfind("\n") if breaks else self.column + len(text)


# ------------------------------------------------------------------ Parquet


@contextmanager
def _connect() -> Iterator[DuckDBPyConnection]:
    import duckdb

    try:
        with duckdb.connect() as connection:
            connection.execute("SET threads = 1")
            connection.execute("SET enable_progress_bar = false")
            yield connection
    except duckdb.Error as error:
        raise CorpusError(str(error).split("\n", 1)[0]) from error


def _open_parquet(connection: DuckDBPyConnection, path: Path) -> Corpus:
    open_input(path).close()  # OSError says best what is wrong with a path
    file = _quote(str(path), "'")
    described = connection.execute(f"DESCRIBE SELECT * FROM read_parquet({file})").fetchall()
    types = {str(name): str(kind) for name, kind, *_ in described}
    counted = connection.execute(f"SELECT count(*) FROM read_parquet({file})").fetchone()
    total = int(counted[0]) if counted else 0
    seen = [0]
    rows = _parquet_rows(connection, file, seen)
    return Corpus(str(path), "parquet", rows, total, lambda: seen[0], tuple(types), types)


def _parquet_rows(connection: DuckDBPyConnection, file: str, seen: list[int]) -> Iterator[Row]:
    connection.execute(f'SELECT to_json("\x01row")::VARCHAR FROM read_parquet({file}) AS "\x01row"')
    while batch := connection.fetchmany(_PARQUET_BATCH):
        for (text,) in batch:
            seen[0] += 1
            yield Row(_finite(text).encode("utf-8"))


def _finite(text: str) -> str:
    """JSON has no NaN and no infinity: they become the strings that DuckDB reads back as such."""
    if "NaN" not in text and "Infinity" not in text:
        return text
    return json.dumps(json.loads(text, parse_constant=str), ensure_ascii=False)


def _quote(text: str, mark: str) -> str:
    return mark + text.replace(mark, mark * 2) + mark


# ------------------------------------------------------------------ writing


def write_json(rows: Iterable[bytes], stream: BinaryIO) -> None:
    """Lines of JSON as one array."""
    lead = b"[\n"
    for row in rows:
        stream.write(lead + row.rstrip(b"\n"))
        lead = b",\n"
    stream.write(b"\n]\n" if lead == b",\n" else b"[]\n")


def columns_of(rows: Iterable[bytes]) -> dict[str, str]:
    """The keys of all rows, in order of first appearance, with the narrowest DuckDB type that holds their values."""
    found: dict[str, str] = {}
    for row in rows:
        for name, value in json.loads(row).items():
            found[name] = _widen(found.get(name, ""), value)
    return {name: kind or "VARCHAR" for name, kind in found.items()}


def _widen(kind: str, value: object) -> str:
    if value is None:
        return kind
    mine = "VARCHAR"
    if isinstance(value, bool):
        mine = "BOOLEAN"
    elif isinstance(value, int) and -(1 << 63) <= value < 1 << 63:
        mine = "BIGINT"
    elif isinstance(value, float):
        mine = "DOUBLE"
    if kind in ("", mine):
        return mine
    return "DOUBLE" if {kind, mine} == {"BIGINT", "DOUBLE"} else "VARCHAR"


def write_csv(rows: Iterable[bytes], columns: Iterable[str], stream: BinaryIO, delimiter: str) -> None:
    """Lines of JSON as CSV; lists and maps are cells of JSON, null is an empty cell."""
    text = io.TextIOWrapper(stream, encoding="utf-8", errors="backslashreplace", newline="", write_through=True)
    writer = csv.writer(text, delimiter=delimiter, lineterminator="\n")
    names = list(columns)
    writer.writerow(names)
    for row in rows:
        values = json.loads(row)
        writer.writerow([_cell(values.get(name)) for name in names])
    text.detach()


def _cell(value: object) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def write_parquet(lines: Path, columns: dict[str, str], target: Path, types: dict[str, str] | None) -> None:
    """A file of JSON lines as Parquet.  `types` are those of the columns that came from Parquet: they keep them."""
    kept = {name: kind for name, kind in (types or {}).items() if name in columns and kind != '"NULL"'}
    clean = target.with_name(target.name + ".lines")
    try:
        source = clean if _clean_lines(lines, clean) else lines
        try:
            _copy_parquet(source, {**columns, **kept}, target)
        except CorpusError:
            if not kept:
                raise
            _copy_parquet(source, columns, target)
    finally:
        clean.unlink(missing_ok=True)


def _clean_lines(lines: Path, clean: Path) -> bool:
    """Write the lines without half surrogate pairs, which Parquet cannot hold, if there are any."""
    with lines.open("rb") as rows:
        if not any(_HALF_PAIR.search(row) for row in rows):
            return False
        rows.seek(0)
        with clean.open("wb") as out:
            for row in rows:
                if _HALF_PAIR.search(row):
                    text = json.dumps(json.loads(row), ensure_ascii=False)
                    spelled = _HALF.sub(lambda half: f"\\\\u{ord(half[0]):04x}", text)
                    out.write(spelled.encode("utf-8") + b"\n")
                else:
                    out.write(row)
    return True


def _copy_parquet(lines: Path, columns: dict[str, str], target: Path) -> None:
    layout = ", ".join(f"{_quote(name, chr(39))}: {_quote(kind, chr(39))}" for name, kind in columns.items())
    source = (
        f"read_json({_quote(str(lines), chr(39))}, format = 'newline_delimited', columns = {{{layout}}}, "
        f"maximum_object_size = {_CELL_LIMIT})"
    )
    with _connect() as connection:
        connection.execute(f"COPY (SELECT * FROM {source}) TO {_quote(str(target), chr(39))} (FORMAT parquet)")
