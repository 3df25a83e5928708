"""What an engine says to a question: rows, a failure, or why it says nothing.  Knows engines by their protocol."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from graphir.backends.engines.faults import KNOWN_FAULT, LOST, UNREAD
from graphir.backends.engines.results import Result
from graphir.diagnostics import Diagnostic, GraphirError, RunFault

Kind = Literal["rows", "failed", "known", "refused", "stopped", "unread", "lost"]

_STOPPED = frozenset(("G606", "G607", "G608", "G610", "G619"))
"""Limits of a session: time, memory, depth, rows, rounds of a repetition."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What an engine says to the question of that number.

    kind: `rows`; `failed` at run time, as the query demands; and where nothing is said about the query: a `known` fault
    of the engine, `refused`, `stopped` at a limit of the session, `unread` (no value that graphir knows), `lost`.
    """

    engine: str
    question: int
    result: Result | None = None
    fault: GraphirError | None = None

    @property
    def kind(self) -> Kind:
        return "rows" if self.fault is None else kind_of(self.fault)

    @property
    def counts(self) -> bool:
        """Whether it says something about the query."""
        return self.kind in ("rows", "failed")

    @property
    def finding(self) -> Diagnostic | None:
        """Why there are no rows."""
        return self.fault.diagnostics[0] if self.fault is not None else None


def kind_of(fault: GraphirError) -> Kind:
    """What a fault of an engine means for a comparison."""
    code = fault.diagnostics[0].code
    if code == KNOWN_FAULT:
        return "known"
    if code == LOST:
        return "lost"
    if code == UNREAD:
        return "unread"
    if code in _STOPPED:
        return "stopped"
    return "failed" if isinstance(fault, RunFault) else "refused"
