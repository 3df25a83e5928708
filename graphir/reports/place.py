"""Where a finished row stands: the file, the row of a corpus, the statement of a script."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graphir.diagnostics import Diagnostic, revive


@dataclass(frozen=True, slots=True)
class Place:
    """The query of a row and where it is.

    In a corpus the query is a text of its own, row `number` of the file; in a script it begins at an offset, a line
    and a column of the file.
    """

    file: str
    number: int | None
    label: str | None
    text: str
    start: int
    line: int
    column: int

    @property
    def name(self) -> str:
        """The file, and for a corpus the row: `corpus.jsonl[17]`."""
        return self.file if self.number is None else f"{self.file}[{self.number}]"


@dataclass(frozen=True, slots=True)
class Layout:
    """How to read the rows of one run: the file they come from, its format, the keys of query and name."""

    file: str
    format: str
    field: str
    label: str | None = None

    def place(self, number: int, row: Mapping[str, Any]) -> Place:
        """Where the row with that number (from 1) is."""
        text = row.get(self.field)
        query = text if isinstance(text, str) else ""
        if self.format == "cypher":
            return Place(self.file, None, None, query, row.get("start", 0), row.get("line", 1), row.get("column", 1))
        if self.format == "text":
            return Place(self.file, None, None, query, 0, 1, 1)
        label = row.get(self.label) if self.label else None
        return Place(self.file, number, None if label is None else str(label), query, 0, 1, 1)


def diagnostics_of(row: Mapping[str, Any]) -> list[Diagnostic]:
    """The diagnostics that a finished row carries."""
    return [revive(found) for found in row["diagnostics"]]
