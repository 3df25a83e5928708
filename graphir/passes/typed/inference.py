"""The state of the inference, and what it reports.  Knows no construct."""

from __future__ import annotations

from graphir import ir, types
from graphir.diagnostics import Diagnostic, Fix, Severity, diagnose
from graphir.dialects import rules_of
from graphir.functions import Level
from graphir.ir import Node
from graphir.signatures import DEPRECATED, Signature, signatures
from graphir.source import Source, Span

Environment = dict[str, int]


class Inference:
    """The variables at the place that is looked at, the subqueries met there, and the findings so far."""

    __slots__ = ("env", "found", "level", "nested", "rules", "signatures", "source")

    def __init__(self, source: Source, level: Level) -> None:
        self.source = source
        self.level: Level = level
        self.rules = rules_of(level)
        self.signatures: dict[str, Signature] = signatures(level)
        self.env: Environment = {}
        self.nested: list[tuple[ir.Body, Environment]] = []
        self.found: list[Diagnostic] = []

    def report(
        self,
        code: str,
        message: str,
        at: Node | Span | None,
        hint: str | None = None,
        fix: Fix | None = None,
        severity: Severity = "error",
    ) -> None:
        span = at.span if isinstance(at, Node) else at
        self.found.append(diagnose(self.source, code, message, span, hint=hint, fix=fix, severity=severity))

    def deprecate(self, name: str, at: Node | Span | None) -> None:
        """A function or procedure that still works."""
        levels, successor = DEPRECATED[name]
        if self.level in levels:
            self.report("G310", f"{name} is deprecated", at, f"use {successor}", severity="warning")

    def mismatch(
        self, what: str, node: Node, actual: int, expected: int, hint: str | None = None, fix: Fix | None = None
    ) -> None:
        """Where `what` takes a value of another type."""
        message = f"{what} takes {types.describe(expected)}, but this is {types.describe(actual)}"
        self.report("G301", message, node, hint, fix)
