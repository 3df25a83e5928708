"""The state of the analysis of one query: what it is checked against, and what is found.  Knows no rule."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from graphir.diagnostics import Diagnostic, Edit, Fix, diagnose
from graphir.ir import Node
from graphir.nearest import nearest
from graphir.passes.google.catalog import UNNAMED, Catalog, Graph
from graphir.passes.google.features import PRODUCTION
from graphir.passes.google.names import Scope, Table
from graphir.passes.google.signatures import Function, functions
from graphir.passes.google.types import Type
from graphir.source import Source, Span


def no_tables() -> Mapping[str, Table]:
    """The common tables where WITH names none."""
    return {}


class Horizontal:
    """The array that an aggregate over a variable goes through, once it is found."""

    def __init__(self) -> None:
        self.variable: str | None = None
        self.unsure = False


@dataclass(frozen=True, slots=True)
class Place:
    """Where an expression stands.

    `aggregates` says what they do there: vertical (over rows), horizontal (over a variable) or none; `clause` names the
    place in messages.  `inside` is the kind of the aggregate that is being read, `holder` that aggregate, `horizontal`
    what it goes through; `common` are the tables that WITH names around it.
    """

    scope: Scope
    graph: Graph = UNNAMED
    clause: str = "an expression"
    aggregates: str = "none"
    inside: str = ""
    horizontal: Horizontal | None = None
    common: Mapping[str, Table] = field(default_factory=no_tables)
    holder: Node | None = None

    def but(self, **changes: Any) -> Place:
        return replace(self, **changes)


@dataclass
class Analysis:
    """`found` is in the order in which the rules come upon it."""

    source: Source
    catalog: Catalog
    features: frozenset[str] = PRODUCTION
    parameters: Mapping[str, Type] = field(default_factory=dict)
    found: list[Diagnostic] = field(default_factory=list)
    _seen: set[tuple[str, int]] = field(default_factory=set)

    @property
    def text(self) -> str:
        return self.source.text

    @property
    def functions(self) -> Mapping[str, Function]:
        """The functions of the language that is checked against."""
        return functions(emulated="SPANNER_FUNCTIONS" in self.features)

    def has(self, feature: str) -> bool:
        return feature in self.features

    def report(
        self,
        code: str,
        message: str,
        at: Node | Span | None,
        hint: str | None = None,
        *,
        expected: Iterable[str] = (),
        fix: Fix | None = None,
    ) -> None:
        """Add a finding; a second one of the same code at the same place is left out."""
        span = at.span if isinstance(at, Node) else at
        if (code, span.start if span else 0) in self._seen:
            return
        self._seen.add((code, span.start if span else 0))
        self.found.append(diagnose(self.source, code, message, span, hint=hint, expected=expected, fix=fix))

    def misspelled(
        self, code: str, message: str, name: str, at: Span, known: Iterable[str], similar: float = 0.7
    ) -> None:
        """A name that is none, with the one that was meant."""
        names = list(known)
        near = nearest(name, names, similar)
        fix = Fix(f"replace `{name}` by `{near}`", (Edit(at.start, at.end, near),)) if near is not None else None
        self.report(code, message, at, f"did you mean `{near}`?" if near else None, expected=names[:_LISTED], fix=fix)


_LISTED = 12
"""So many of the names that would do are listed."""

Rule = Callable[[Analysis, Any, Place], Any]
