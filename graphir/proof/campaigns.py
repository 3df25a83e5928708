"""A run of `fuzzing` for the command line: findings to standard output or a folder, progress and counts to a stream."""

from __future__ import annotations

import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TextIO

from graphir.files import write_output
from graphir.proof.fuzzing import Finding, Tally, fuzz
from graphir.proof.panels import Panel
from graphir.proof.verdicts import Verdict

_INTERVAL = 1.0
"""Seconds between two lines of progress."""


@dataclass(slots=True)
class Campaign:
    """Where findings go: a script per file in `folder`, else standard output; `log` is told how it goes."""

    panel: Panel
    folder: Path | None = None
    log: TextIO | None = None
    lines: bool = False
    """Findings and counts are lines of JSON."""
    tally: Tally = field(default_factory=Tally)

    def run(self, count: int, **options: Any) -> int:
        """The number of findings.  The counts are told at the end, also of a run that is interrupted."""
        if self.folder is not None:
            self.folder.mkdir(parents=True, exist_ok=True)
        self.tally = _Told(self.log, count)
        try:
            for finding in fuzz(self.panel, count, self.tally, **options):
                self._tell(finding)
        finally:
            self._sum_up()
        return self.tally.findings

    def _tell(self, finding: Finding) -> None:
        path = None
        if self.folder is not None:
            path = self.folder / f"case-{finding.number}.py"
            write_output(path, _headed(finding))
        if self.lines:
            print(json.dumps(finding.to_json(), ensure_ascii=False), flush=True)
        else:
            print(_headed(finding) if path is None else path, flush=True)

    def _sum_up(self) -> None:
        if self.lines:
            print(json.dumps({"tally": self.tally.to_json()}, ensure_ascii=False), flush=True)
        if self.log is not None:
            for line in self.tally.lines():
                print(line, file=self.log)
            for name, count in self.panel.reopened.items():
                print(f"  {name} was lost and opened again {count} times", file=self.log)
            self.log.flush()


def _headed(finding: Finding) -> str:
    """The script, with the number of its case and the query as it was before."""
    original = "\n".join(f"#   {line}" for line in finding.original.text.splitlines())
    return f"# case {finding.number}, made small in {finding.found.tries} tries; it was\n{original}\n{finding.script}"


class _Told(Tally):
    """Counts that are told as they grow."""

    def __init__(self, log: TextIO | None, count: int) -> None:
        super().__init__()
        self._log = log if log is not None and log.isatty() else None
        self._count = count
        self._next = time.monotonic() + _INTERVAL

    def count(self, verdict: Verdict) -> None:
        Tally.count(self, verdict)
        if self._log is not None and time.monotonic() >= self._next:
            self._next = time.monotonic() + _INTERVAL
            print(f"\r{self.cases:,} of {self._count:,} cases, {self.findings} findings", end="", file=self._log)
            self._log.flush()
