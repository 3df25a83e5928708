"""Regression tests of PostgreSQL and DuckPGQ for SQL/PGQ: what our checks say of each statement, after its setup.

A row whose setup needs files that are not here is `skipped`.  The other verdicts are those of the database and ours:
`agreed` or `differs`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from graphir.diagnostics import Diagnostic, SyntaxFault
from graphir.grammar import readers
from graphir.passes.vendors.catalog import Catalog
from graphir.passes.vendors.check import analyze, refused
from graphir.passes.vendors.scripts import apply, empty
from graphir.passes.vendors.vendors import Vendor, vendor_of
from graphir.source import Source
from tests.outside import rows

SUITES = {"pgq-postgres": "pg19", "pgq-duckpgq": "duckpgq"}
"""Dialect -> the file of its cases."""

KINDS = ("graph_table", "ddl")

FILES = re.compile(
    r"\.(?:csv|parquet|duckdb)'|import database|attach '|'data/|pragma create_vertex_table", re.IGNORECASE
)


@dataclass(frozen=True)
class Verdict:
    """`word` is agreed, differs or skipped; `found` are our errors, `vendor` is the code of the database, if any."""

    word: str
    found: tuple[Diagnostic, ...] = ()
    vendor: str | None = None

    @property
    def same_code(self) -> bool:
        return self.vendor is None or self.vendor in [each.vendor for each in self.found]


def cases(dialect: str) -> Iterator[dict[str, Any]]:
    """The statements on graphs."""
    for row in rows(f"conformance/{SUITES[dialect]}_cases"):
        if row["kind"] in KINDS:
            yield row


def needs_files(row: Mapping[str, Any]) -> bool:
    return any(FILES.search(text) for text in (*row["setup_sql"], row["query"]))


def vendor(dialect: str) -> Vendor:
    found = vendor_of(dialect)
    assert found is not None
    return found


class Catalogs:
    """What the database holds after the setup of a row: that of the row before and what comes to it, where it does."""

    def __init__(self, dialect: str) -> None:
        self.vendor = vendor(dialect)
        self.texts: list[str] = []
        self.catalog = empty(self.vendor)

    def after(self, texts: Sequence[str]) -> Catalog:
        if list(texts[: len(self.texts)]) != self.texts:
            self.texts, self.catalog = [], empty(self.vendor)
        for text in texts[len(self.texts) :]:
            apply(text, self.catalog, self.vendor)
        self.texts = list(texts)
        return self.catalog


@cache
def verdicts(dialect: str) -> dict[str, Verdict]:
    """By the name of a row, what our checks say of it."""
    catalogs = Catalogs(dialect)
    return {row["id"]: verdict(row, dialect, catalogs) for row in cases(dialect)}


def verdict(row: Mapping[str, Any], dialect: str, catalogs: Catalogs) -> Verdict:
    """What our checks say of a row."""
    if needs_files(row):
        return Verdict("skipped")
    known = catalogs.after(row["setup_sql"])
    judge = defined if row["kind"] == "ddl" else errors
    found = judge(row["query"], dialect, known)
    return Verdict("agreed" if row["ok"] == (not found) else "differs", tuple(found), code_of(row))


def errors(text: str, dialect: str, known: Catalog) -> list[Diagnostic]:
    """What is refused of a query."""
    try:
        query = readers.reader(dialect).parse(text, dialect)
    except SyntaxFault as fault:
        return refused(fault.diagnostics, vendor(dialect))
    found = analyze(query, Source(text), dialect, known)
    return [each for each in found if each.severity == "error"]


def defined(text: str, dialect: str, known: Catalog) -> list[Diagnostic]:
    """What is refused of a definition."""
    try:
        return apply(text, known.copy(), vendor(dialect))
    except SyntaxFault as fault:
        return refused(fault.diagnostics, vendor(dialect))


def code_of(row: Mapping[str, Any]) -> str | None:
    """The SQLSTATE, or the kind of the error in DuckPGQ's words."""
    if row["ok"]:
        return None
    kind, colon, _ = (row["error"] or "").partition(":")
    return row.get("sqlstate") or (kind if colon and kind.endswith("Error") else None)
