"""What DuckDB says went wrong, as faults of graphir."""

from __future__ import annotations

import re

import duckdb

from graphir.diagnostics import RunFault, diagnose
from graphir.source import Source, Span

_KINDS: tuple[tuple[str, str, str], ...] = (
    (r"Overflow in|can't be cast because the value is out of range|out of range", "G630", "an integer leaves 64 bits"),
    (r"Division by zero", "G631", "division by zero"),
    (r"Out of Memory|could not allocate", "G607", "the query needs more memory than it may have"),
    (r"INTERRUPT", "G606", "the query took longer than the session allows"),
    (r"Max expression depth|expression depth", "G608", "the query is nested too deeply for the engine"),
)
"""What the message matches, the code, and how it is told."""


def run_fault(error: duckdb.Error, source: Source) -> RunFault | None:
    """The fault that an error of DuckDB stands for; None where it is a mistake of ours."""
    message = str(error)
    for pattern, code, told in _KINDS:
        if re.search(pattern, message):
            return RunFault([diagnose(source, code, told)])
    return None


def placed(fault: RunFault, source: Source, spans: list[Span | None]) -> RunFault:
    """A fault of a value with the place of the function that raised it, where that is clear."""
    known = [span for span in spans if span is not None]
    found = fault.diagnostics[0]
    if not known:
        return fault
    return RunFault([diagnose(source, found.code, found.message, known[0], hint=found.hint)])
