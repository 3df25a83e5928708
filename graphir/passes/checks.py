"""The checks of what a query means, in one list; `find_faults` runs them all.

A check is a function of a query and its context to diagnostics.  It changes nothing and raises nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from graphir import ir
from graphir.diagnostics import Diagnostic
from graphir.dialects import level_of
from graphir.passes import scope
from graphir.passes.rules import walk
from graphir.passes.typed.check import check_types
from graphir.source import Source


@dataclass(frozen=True, slots=True)
class Context:
    """What checks share: the text, the level of Cypher that counts, and what is known of the names."""

    source: Source
    dialect: str
    scopes: scope.Scopes


Check = Callable[[ir.Query, Context], Iterable[Diagnostic]]


def names(_: ir.Query, context: Context) -> Iterable[Diagnostic]:
    return context.scopes.diagnostics


def rules(query: ir.Query, context: Context) -> Iterable[Diagnostic]:
    return walk.check(query, context.source, context.dialect, context.scopes)


CHECKS: tuple[Check, ...] = (names, rules, check_types)


def find_faults(query: ir.Query, source: Source, dialect: str) -> list[Diagnostic]:
    """Everything that is wrong with the meaning of a query, in the order of its text."""
    level = level_of(dialect, query.version)
    context = Context(source, level, scope.analyze(query, source, level))
    found = [diagnostic for check in CHECKS for diagnostic in check(query, context)]
    return sorted(found, key=lambda d: (d.start, d.end, d.code))
