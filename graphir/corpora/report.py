"""What a run over a corpus found: rows by outcome, diagnostics by code, constructs, throughput.

Parts of a report add up in any order.  Knows no format and no terminal.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from typing import Any

from graphir.diagnostics import Diagnostic, codes

UNREADABLE = "G090"
NO_SCHEMA = "G097"
CRASHED = "G092"
OUTCOMES = ("ok", "warning", "invalid", "refused", "unreadable", "crashed")


def outcome_of(diagnostics: Iterable[Diagnostic]) -> str:
    """What became of a row: the gravest thing that is said about it."""
    outcome = "ok"
    for found in diagnostics:
        if found.code in (UNREADABLE, NO_SCHEMA):
            return "unreadable"
        if found.code == CRASHED:
            return "crashed"
        if found.severity == "error":
            outcome = "refused" if found.code.startswith("G5") else "invalid"
        elif found.severity == "warning" and outcome == "ok":
            outcome = "warning"
    return outcome


@dataclass(slots=True)
class Report:
    """Counts over rows.  `findings` counts diagnostics, `affected` the rows that have one, both by code and severity;
    `constructs` counts the rows that use a construct, `failed` those of them with an error, `fixed` the findings that
    were fixed, by code."""

    rows: int = 0
    characters: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    findings: Counter[tuple[str, str]] = field(default_factory=Counter)
    affected: Counter[tuple[str, str]] = field(default_factory=Counter)
    constructs: Counter[str] = field(default_factory=Counter)
    failed: Counter[str] = field(default_factory=Counter)
    fixed: Counter[str] = field(default_factory=Counter)

    def add(
        self,
        characters: int,
        diagnostics: Collection[Diagnostic],
        constructs: Collection[str],
        fixed: Collection[str] = (),
    ) -> None:
        """Count one row."""
        outcome = outcome_of(diagnostics)
        self.rows += 1
        self.characters += characters
        self.outcomes[outcome] += 1
        if diagnostics:
            kinds = [(d.code, d.severity) for d in diagnostics]
            self.findings.update(kinds)
            self.affected.update(set(kinds))
        self.constructs.update(constructs)
        self.fixed.update(fixed)
        if outcome not in ("ok", "warning"):
            self.failed.update(constructs)

    def merge(self, other: Report) -> None:
        """Add the counts of another part of the corpus."""
        self.rows += other.rows
        self.characters += other.characters
        self.outcomes.update(other.outcomes)
        self.findings.update(other.findings)
        self.affected.update(other.affected)
        self.constructs.update(other.constructs)
        self.failed.update(other.failed)
        self.fixed.update(other.fixed)

    def fails_on(self, prefixes: Collection[str] | None) -> bool:
        """Whether there is a finding (nothing but an info is none), or one whose code begins with a prefix if given."""
        if prefixes is None:
            return any(severity != "info" for _, severity in self.findings)
        return any(code.startswith(tuple(prefixes)) for code, _ in self.findings)

    def to_json(self) -> dict[str, Any]:
        """The counts, the most frequent first."""
        names = codes()
        return {
            "rows": self.rows,
            "characters": self.characters,
            "outcomes": {name: self.outcomes[name] for name in OUTCOMES},
            "codes": [
                {
                    "code": code,
                    "name": names.get(code, ""),
                    "severity": severity,
                    "count": count,
                    "rows": self.affected[code, severity],
                }
                for (code, severity), count in _ranked(self.findings)
            ],
            **({"fixed": dict(_ranked(self.fixed))} if self.fixed else {}),
            "constructs": {
                name: {"rows": count, "failed": self.failed[name]} for name, count in _ranked(self.constructs)
            },
        }

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Report:
        """The inverse of `to_json`."""
        kinds = [((row["code"], row["severity"]), row) for row in data["codes"]]
        return cls(
            rows=data["rows"],
            characters=data["characters"],
            outcomes=Counter(data["outcomes"]),
            findings=Counter({kind: row["count"] for kind, row in kinds}),
            affected=Counter({kind: row["rows"] for kind, row in kinds}),
            constructs=Counter({name: row["rows"] for name, row in data["constructs"].items()}),
            failed=Counter({name: row["failed"] for name, row in data["constructs"].items() if row["failed"]}),
            fixed=Counter(data.get("fixed", {})),
        )


def _ranked(counts: Counter[Any]) -> list[tuple[Any, int]]:
    """By count, ties by name, so that equal runs give equal reports."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
