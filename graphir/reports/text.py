"""Finished rows for people: each diagnostic with its place and line, and what was fixed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from graphir.diagnostics import Diagnostic, render, revive
from graphir.reports.place import Place
from graphir.source import Source


def render_findings(place: Place, diagnostics: list[Diagnostic]) -> Iterator[str]:
    """Each diagnostic of a row."""
    source = Source(place.text, _name(place))
    for found in diagnostics:
        yield render(source, found, line=place.line, column=place.column)


def render_fixes(place: Place, row: Mapping[str, Any]) -> Iterator[str]:
    """A line for each finding of a repaired row that was fixed."""
    for found in map(revive, row.get("applied") or ()):
        where = f"{_name(place)}:{place.line + found.line - 1}:{found.column}"
        yield f"{where}: fixed {found.code}: {found.fix.title if found.fix else found.message}"


def _name(place: Place) -> str:
    return f"{place.name} ({place.label})" if place.label else place.name
