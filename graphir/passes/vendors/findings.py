"""Where the rules put what they find: a diagnostic with our code and the vendor's."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

from graphir.diagnostics import Diagnostic, Edit, Fix, Severity, diagnose
from graphir.nearest import nearest
from graphir.passes.vendors.rules import Rule
from graphir.passes.vendors.vendors import Vendor
from graphir.source import Source, Span

_LISTED = 12
"""So many of the names that would do are listed."""


@dataclass
class Findings:
    """What is wrong with a statement of a vendor; `found` is in the order in which the rules come upon it."""

    source: Source
    vendor: Vendor
    rules: Mapping[str, Rule]
    found: list[Diagnostic] = field(default_factory=list)
    _known: set[tuple[str, int, str]] = field(default_factory=set)

    def holds(self, rule: str) -> bool:
        """Whether the vendor enforces a rule."""
        return self.vendor.name in self.rules[rule].vendors

    def report(
        self,
        rule: str,
        message: str,
        at: Span | None,
        hint: str | None = None,
        *,
        fix: Fix | None = None,
        expected: Iterable[str] = (),
        severity: Severity = "error",
    ) -> None:
        """Add a finding, if the vendor enforces the rule; a second one of the same rule at a place is left out."""
        if not self.holds(rule):
            return
        row = self.rules[rule]
        own = row.vendors[self.vendor.name]
        told = f"{message} ({self.vendor.title}: {own})" if own else message
        made = diagnose(self.source, row.code, told, at, severity=severity, hint=hint, fix=fix, expected=expected)
        if (made.code, made.start, made.message) not in self._known:
            self._known.add((made.code, made.start, made.message))
            self.found.append(replace(made, vendor=own or None))

    def misspelled(self, rule: str, message: str, name: str, at: Span | None, known: Iterable[str]) -> None:
        """A name that is none, with the one that was meant."""
        names = list(known)
        near = nearest(name, names, 0.7)
        fix = None
        if near is not None and at is not None:
            fix = Fix(f"replace `{name}` by `{near}`", (Edit(at.start, at.end, near),))
        hint = f"did you mean `{near}`?" if near is not None else None
        self.report(rule, message, at, hint, fix=fix, expected=names[:_LISTED])
