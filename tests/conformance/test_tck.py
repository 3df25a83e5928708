"""The openCypher TCK: its texts parse, print, format and normalize; what it calls undefined we call undefined."""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from graphir.passes.scope import analyze
from graphir.source import Source
from tests.conformance.claims import ALL, SYNTAX, attempt, faults, parsed
from tests.conformance.misses import known
from tests.conformance.suites import Case, scenarios, tck
from tests.outside import sample

DIALECTS = ("opencypher-9", "neo4j-5", "neo4j-25")


def failing(cases: Iterable[Case], dialect: str, claims: tuple[str, ...]) -> set[tuple[str, str]]:
    return {(case.name, fault.claim) for case in cases for fault in faults(case.text, dialect, claims)}


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_text_parses(dialect: str) -> None:
    cases = tck(dialect)
    assert len(cases) > 3000
    missed = {(name, claim) for name, claim in failing(cases, dialect, ("parse",)) if claim == "parse"}
    expected = {pair for pair in known("tck", dialect, {case.name for case in cases}) if pair[1] == "parse"}
    assert missed == expected


@pytest.mark.parametrize("dialect", DIALECTS)
def test_every_claim_holds(dialect: str) -> None:
    cases = sample(tck(dialect), 1000, str)
    claims = ALL if dialect != "opencypher-9" else (*SYNTAX, "scope")
    assert failing(cases, dialect, claims) == known("tck", dialect, {case.name for case in cases})


@pytest.mark.parametrize("dialect", ["opencypher-9", "neo4j-5"])
@pytest.mark.parametrize(("detail", "suite"), [("UndefinedVariable", "undefined"), ("VariableAlreadyBound", "bound")])
def test_unresolved_names_are_found(dialect: str, detail: str, suite: str) -> None:
    cases = [Case(row["id"], row["query"]) for row in scenarios() if row["expect"].get("detail") == detail]
    assert cases
    missed = {(case.name, "scope") for case in cases if not unresolved(case.text, dialect)}
    assert missed == known(suite, dialect, {case.name for case in cases})


def unresolved(text: str, dialect: str) -> list[str]:
    """The codes of the errors of names, or of the syntax."""
    queries = attempt("parse", [], lambda: parsed(text, dialect))
    if queries is None:
        return ["G001"]
    found = [d for query in queries for d in analyze(query, Source(text), dialect).diagnostics]
    return [d.code for d in found if d.severity == "error"]
