"""Reads googlesql.txt: queries about one graph with what Google's analyzer says of them, in sections."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent
PROFILES = {"full": "production", "spanner": "emulator"}
"""The profiles of the analyzer, in the order of the columns -> the features that graphir checks against."""

_TOKEN = re.compile(r"\w+|[^\s\w]")


@dataclass(frozen=True)
class Verdict:
    """A query and what is said of it under each profile: `ok`, or the column of the fault."""

    query: str
    columns: dict[str, str]


@cache
def definitions() -> str:
    return (FOLDER / "googlesql.sql").read_text(encoding="utf-8")


@cache
def sections() -> dict[str, list[Verdict]]:
    """Title -> verdicts."""
    found: dict[str, list[Verdict]] = {}
    title = ""
    for block in (FOLDER / "googlesql.txt").read_text(encoding="utf-8").split("\n\n")[1:]:
        for line in block.splitlines():
            if line.startswith("# "):
                title = line[2:]
            elif line:
                full, spanner, query = line.split(maxsplit=2)
                verdict = Verdict(query, dict(zip(PROFILES, (full, spanner), strict=True)))
                found.setdefault(title, []).append(verdict)
    return found


def agree(query: str, one: str, other: str) -> bool:
    """Whether two verdicts are the same: accepted both, or a fault at the same place or one token apart."""
    if "ok" in (one, other):
        return one == other
    starts = [match.start() + 1 for match in _TOKEN.finditer(query)]
    here, there = (sum(start <= int(column) for start in starts) for column in (one, other))
    return abs(here - there) <= 1
