"""The schemas of the rows of a corpus: one for all, or one that each row names or holds.

Schemas are read when a row first needs them and kept, the last used ones at most.  Knows the rows, no query.
"""

from __future__ import annotations

import json
from collections import OrderedDict
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path
from typing import Any

from graphir.corpora.formats import CorpusError
from graphir.diagnostics import Diagnostic, GraphirError, diagnose
from graphir.files import open_input
from graphir.schema import Schema
from graphir.source import Source

KEPT = 256
"""Schemas that a process keeps."""

_Found = tuple[Schema | None, list[Diagnostic]]


class Schemas:
    """The schema of a row, from the options of a job.

    `schema` and `schema_format`: the file of the schema for rows that name none.  `schema_field`: the key under which a
    row names its schema, a row of the file `schemas` (`id`, `format`, `text`); without that file the row holds the text
    of the schema itself, in the format `schema_format`.
    """

    def __init__(self, options: Mapping[str, Any]) -> None:
        self._path = options.get("schema")
        self._format = options.get("schema_format") or "auto"
        self._field = options.get("schema_field")
        self._library = _Library(Path(options["schemas"])) if options.get("schemas") else None
        self._default: _Found | None = None
        self._kept: OrderedDict[str, _Found] = OrderedDict()

    def of(self, row: Mapping[str, Any]) -> _Found:
        """The schema of a row, or what is wrong with it; neither where no schema was asked for."""
        name = row.get(self._field) if self._field else None
        if name is None or name == "":
            return self._common()
        if not isinstance(name, str):
            return None, [_no_schema(f"{self._field!r} holds no text")]
        found = self._kept.get(name)
        if found is None:
            found = self._kept[name] = self._read(name)
            if len(self._kept) > KEPT:
                self._kept.popitem(last=False)
        else:
            self._kept.move_to_end(name)
        return found

    def _common(self) -> _Found:
        if self._default is None:
            if self._path is not None:
                self._default = Schema.read(Path(self._path), self._format), []
            elif self._field is not None:
                self._default = None, [_no_schema(f"the row names no schema: it has no {self._field!r}")]
            else:
                self._default = None, []
        return self._default

    def _read(self, name: str) -> _Found:
        if self._library is None:
            return _read(name, self._format)
        row = self._library.row(name)
        if row is None:
            return None, [_no_schema(f"there is no schema {name!r} in {self._library.path.name}")]
        return _read(row["text"], row["format"])


def _read(text: str, format: str) -> _Found:
    try:
        return Schema.read(text, format), []
    except GraphirError as error:
        first = error.diagnostics[0]
        told = f"the schema cannot be read: {first.line}:{first.column} {first.code} {first.message}"
        return None, [_no_schema(told)]


def _no_schema(message: str) -> Diagnostic:
    return diagnose(Source(""), "G097", message)


class _Library:
    """A file of schemas, one per line; where each stands is remembered, not what it says."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._places: dict[str, int] | None = None

    def row(self, name: str) -> dict[str, str] | None:
        if self._places is None:
            self._places = dict(_places(self.path))
        place = self._places.get(name)
        if place is None:
            return None
        with open_input(self.path) as stream:
            stream.seek(place)
            row: dict[str, str] = json.loads(stream.readline())
        return row


def _places(path: Path) -> list[tuple[str, int]]:
    """The names in the file and where their lines begin.  Raises CorpusError where a line is no schema."""
    found: list[tuple[str, int]] = []
    with open_input(path) as stream:
        at = 0
        for number, line in enumerate(stream, 1):
            if line.strip():
                found.append((_name(path, number, line), at))
            at += len(line)
    return found


def _name(path: Path, number: int, line: bytes) -> str:
    try:
        row = json.loads(line)
    except ValueError as error:
        raise CorpusError(f"{path}: line {number} is not JSON") from error
    if not isinstance(row, dict) or not all(isinstance(row.get(key), str) for key in ("id", "format", "text")):
        raise CorpusError(f"{path}: line {number} has no id, format and text of a schema")
    name: str = row["id"]
    return name


def examine(options: Mapping[str, Any]) -> dict[str, str]:
    """What the schemas of a job are, by digest, so that a run can tell whether they are the same.

    Raises CorpusError where they cannot be read at all, and OSError.
    """
    digests: dict[str, str] = {}
    if options.get("schema"):
        try:
            digests["schema"] = Schema.read(Path(options["schema"]), options.get("schema_format") or "auto").fingerprint
        except GraphirError as error:
            raise CorpusError(error.told(options["schema"])) from error
    if options.get("schemas"):
        path = Path(options["schemas"])
        _places(path)
        digests["schemas"] = sha256(path.read_bytes()).hexdigest()
    return digests
