"""Queries that others wrote, with their schemas, in Google's GQL: which are translated, and why the others are not.

    python -m tests.conformance.gql_corpora [--dialect gql-spanner] [--sample 0] [corpus ..]

Counted are the queries that read and that the gate lets pass with their schema.  The tables that it prints stand in
`docs/gql.md`.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache
from typing import Any

import graphir
from graphir.schema import Schema
from tests import outside

CORPORA = ("neo4j_labs_text2cypher", "text2cypher2024_clean", "cypherbench", "mind_the_query", "zograscope")


@dataclass
class Measured:
    """What became of the queries of a corpus: `texts` are schema, query, translation; `refused` counts by code."""

    texts: list[tuple[str, str, str]] = field(default_factory=list)
    refused: Counter[str] = field(default_factory=Counter)
    examples: dict[str, str] = field(default_factory=dict)
    beside: int = 0
    """Queries that write, that the gate stops, or without a schema."""

    @property
    def counted(self) -> int:
        return len(self.texts) + self.refused.total()

    @property
    def share(self) -> float:
        return len(self.texts) / self.counted


@cache
def schema(name: str) -> Schema | None:
    row = _schemas().get(name)
    return None if row is None else Schema.read(row["text"], row["format"])


@cache
def _schemas() -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in outside.rows("corpora/schemas")}


def chosen(corpus: str, count: int | None) -> Iterator[tuple[str, str, Schema | None]]:
    """Schema and query of rows of a corpus: a fixed sample, or all of them."""
    rows = list(outside.rows(f"corpora/{corpus}"))
    if count is not None:
        rows = sorted(rows, key=lambda row: outside.key(row["id"]))[:count]
    for row in rows:
        name = row.get("schema") or ""
        yield name, row["query"], schema(name)


def measure(corpus: str, dialect: str, count: int | None = None) -> Measured:
    """Translate the queries of a corpus."""
    found = Measured()
    for name, query, known in chosen(corpus, count):
        if known is None or any(
            each.severity == "error" for each in graphir.check(query, "neo4j-5", schema=known, profile="gate")
        ):
            found.beside += 1
            continue
        try:
            found.texts.append((name, query, graphir.translate(query, "neo4j-5", dialect, known)))
        except graphir.Unsupported as refusal:
            found.refused[refusal.code] += 1
            found.examples.setdefault(refusal.code, query)
    return found


def table(measured: dict[str, Measured]) -> Sequence[str]:
    """The lines of the table of a dialect: a row for each corpus, a column for each code."""
    codes = sorted({code for each in measured.values() for code in each.refused})
    lines = ["| corpus | queries | translated | share | " + " | ".join(codes) + " |"]
    lines.append("| --- |" + " --- |" * (3 + len(codes)))
    for corpus, each in measured.items():
        refused = " | ".join([str(each.refused[code] or "") for code in codes])
        lines.append(f"| {corpus} | {each.counted} | {len(each.texts)} | {100 * each.share:.2f} % | {refused} |")
    return lines


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--dialect", default="gql-spanner")
    options.add_argument("--sample", type=int, default=0, help="rows of each corpus; 0: all")
    options.add_argument("corpora", nargs="*", default=CORPORA)
    given = options.parse_args()
    measured = {corpus: measure(corpus, given.dialect, given.sample or None) for corpus in given.corpora}
    print("\n".join(table(measured)))
    for corpus, each in measured.items():
        for code, query in each.examples.items():
            print(f"{corpus} {code}: {' '.join(query.split())}")


if __name__ == "__main__":
    main()
