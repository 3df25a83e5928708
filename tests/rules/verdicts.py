"""Reads neo4j.txt: queries with what a real Neo4j says of them, in sections."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path

FILE = Path(__file__).with_name("neo4j.txt")
DIALECTS = ("neo4j-5", "neo4j-25")


@dataclass(frozen=True)
class Verdict:
    """A query and its status in each dialect: `ok`, or the GQL status of the error."""

    query: str
    statuses: dict[str, str]


@cache
def sections() -> dict[str, list[Verdict]]:
    """Title -> verdicts."""
    found: dict[str, list[Verdict]] = {}
    title = ""
    for block in FILE.read_text(encoding="utf-8").split("\n\n")[1:]:
        for line in block.splitlines():
            if line.startswith("# "):
                title = line[2:]
            elif line:
                five, twenty_five, query = line.split(maxsplit=2)
                verdict = Verdict(query, dict(zip(DIALECTS, (five, twenty_five), strict=True)))
                found.setdefault(title, []).append(verdict)
    return found
