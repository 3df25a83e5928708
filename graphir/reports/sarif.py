"""Finished rows as SARIF 2.1.0, in pieces, so that a log of any length takes no memory.

Offsets and columns count characters (`unicodeCodePoints`).  The rules are the pages of the codes.  The query of a row
of a corpus is an artifact of its own, `corpus.jsonl#row=17`, and regions and fixes refer to its text; statements of a
script are regions of the script.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import quote

from graphir.diagnostics import Diagnostic, codes, message_in_file, page
from graphir.reports.place import Place
from graphir.source import Source

SCHEMA = "https://json.schemastore.org/sarif-2.1.0.json"
_LEVELS = {"error": "error", "warning": "warning", "info": "note"}


def sarif_pieces(findings: Iterable[tuple[Place, Diagnostic]], version: str) -> Iterator[str]:
    """The log of one run."""
    order = {code: index for index, code in enumerate(codes())}
    driver = {"name": "graphir", "semanticVersion": version, "rules": [_rule(code) for code in order]}
    head = json.dumps({"tool": {"driver": driver}, "columnKind": "unicodeCodePoints"}, ensure_ascii=True)
    yield f'{{"$schema": "{SCHEMA}", "version": "2.1.0", "runs": [{head[:-1]}, "results": ['
    lead = "\n"
    for place, found in findings:
        yield lead + json.dumps(_result(place, found, order))
        lead = ",\n"
    yield "\n]}]}\n"


def _rule(code: str) -> dict[str, Any]:
    text = page(code) or ""
    means = _section(text, "What it means")
    return {
        "id": code,
        "name": codes()[code],
        "shortDescription": {"text": means.split(". ", 1)[0].rstrip(".") + "."},
        "fullDescription": {"text": means},
        "help": {"text": _section(text, "How to fix"), "markdown": text},
    }


def _section(text: str, title: str) -> str:
    _, _, rest = text.partition(f"\n## {title}\n")
    return " ".join(rest.split("\n## ", 1)[0].split()) or title


def _result(place: Place, found: Diagnostic, order: dict[str, int]) -> dict[str, Any]:
    message = message_in_file(Source(place.text), found, place.line, place.column)
    message += f" (hint: {found.hint})" if found.hint else ""
    location: dict[str, Any] = {
        "physicalLocation": {"artifactLocation": _artifact(place), "region": _region(place, found)}
    }
    if place.number is not None:
        name = place.label or f"row {place.number}"
        location["logicalLocations"] = [{"name": name, "fullyQualifiedName": place.name, "kind": "row"}]
    result: dict[str, Any] = {
        "ruleId": found.code,
        "level": _LEVELS[found.severity],
        "message": {"text": message},
        "locations": [location],
    }
    if found.code in order:
        result["ruleIndex"] = order[found.code]
    if found.fix:
        result["fixes"] = [_fix(place, found)]
    return result


def _artifact(place: Place) -> dict[str, str]:
    if place.file.startswith("<"):
        uri = "urn:graphir:" + place.file.strip("<>")
    elif Path(place.file).is_absolute():
        uri = Path(place.file).as_uri()
    else:
        uri = quote(Path(place.file).as_posix())
    return {"uri": uri if place.number is None else f"{uri}#row={place.number}"}


def _region(place: Place, found: Diagnostic) -> dict[str, Any]:
    source = Source(place.text)
    end_line, end_column = source.position(min(max(found.end, found.start), len(place.text)))
    region = {
        "startLine": place.line + found.line - 1,
        "startColumn": found.column + (place.column - 1 if found.line == 1 else 0),
        "endLine": place.line + end_line - 1,
        "endColumn": end_column + (place.column - 1 if end_line == 1 else 0),
        "charOffset": place.start + found.start,
        "charLength": max(found.end - found.start, 0),
    }
    covered = place.text[found.start : found.end]
    return {**region, "snippet": {"text": covered}} if covered else region


def _fix(place: Place, found: Diagnostic) -> dict[str, Any]:
    assert found.fix is not None
    replacements = [
        {
            "deletedRegion": {"charOffset": place.start + edit.start, "charLength": edit.end - edit.start},
            "insertedContent": {"text": edit.text},
        }
        for edit in found.fix.edits
    ]
    return {
        "description": {"text": found.fix.title},
        "artifactChanges": [{"artifactLocation": _artifact(place), "replacements": replacements}],
        "properties": {"safe": found.fix.safe},
    }
