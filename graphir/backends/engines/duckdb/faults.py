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
    """A fault with the place that it comes from; of several that it may come from, all that lies between them."""
    known = [span for span in spans if span is not None]
    found = fault.diagnostics[0]
    if not known:
        return fault
    span = Span(min(each.start for each in known), max(each.end for each in known))
    return RunFault([diagnose(source, found.code, found.message, span, hint=found.hint)])
