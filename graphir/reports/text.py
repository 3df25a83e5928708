"""Finished rows for people: each diagnostic with its place and line."""

from __future__ import annotations

from collections.abc import Iterator

from graphir.diagnostics import Diagnostic, render
from graphir.reports.place import Place
from graphir.source import Source


def render_findings(place: Place, diagnostics: list[Diagnostic]) -> Iterator[str]:
    """Each diagnostic of a row."""
    name = f"{place.name} ({place.label})" if place.label else place.name
    source = Source(place.text, name)
    for found in diagnostics:
        yield render(source, found, line=place.line, column=place.column)
