"""What goes wrong in an engine that is not ours, as faults of graphir.  The message of the engine is kept."""

from __future__ import annotations

from graphir.diagnostics import (
    GraphirError,
    RunFault,
    SemanticFault,
    SyntaxFault,
    Unsupported,
    UsageFault,
    diagnose,
)
from graphir.source import Source, Span

UNUSABLE, SYNTAX, SEMANTICS, MISSING, FAILED = "G620", "G621", "G622", "G623", "G624"
READS = "G685"
KNOWN_FAULT, UNHELD, UNREAD, LOST, UNSTARTED = "G625", "G626", "G627", "G628", "G629"

_KINDS: dict[str, type[GraphirError]] = {
    UNUSABLE: UsageFault,
    SYNTAX: SyntaxFault,
    SEMANTICS: SemanticFault,
    FAILED: RunFault,
    UNREAD: RunFault,
    LOST: RunFault,
    UNSTARTED: UsageFault,
}


def fault(
    code: str,
    message: str,
    *,
    engine: str = "",
    source: Source | None = None,
    span: Span | None = None,
    feature: str = "",
    hint: str | None = None,
) -> GraphirError:
    """The fault of that code.  `feature` says what an engine cannot do or does wrong."""
    found = [diagnose(source or Source(""), code, message, span, hint=hint)]
    kind = _KINDS.get(code)
    return kind(found) if kind is not None else Unsupported(found, feature=feature, target=engine)
