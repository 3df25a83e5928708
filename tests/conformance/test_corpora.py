"""Real queries: what a real Neo4j accepts parses, resolves, prints, formats and normalizes; what it misses we miss."""

from __future__ import annotations

import pytest

from tests.conformance.claims import ALL, FORMS, SYNTAX, faults
from tests.conformance.misses import known
from tests.conformance.suites import corpora, judged, rest
from tests.conformance.test_tck import failing, unresolved
from tests.outside import sample

NAMES = {"undefined": "42N62", "bound": "42N59"}
"""Suite -> the status that Neo4j gives a variable that is not defined, or defined already."""


@pytest.mark.parametrize("dialect", ["neo4j-5", "neo4j-25"])
def test_every_claim_holds(dialect: str) -> None:
    cases = corpora(dialect)
    assert len(cases) > 38_000
    chosen = sample(cases, 1000, str)
    assert failing(chosen, dialect, ALL) == known("corpora", dialect, {case.name for case in chosen})


@pytest.mark.parametrize("dialect", ["neo4j-5", "neo4j-25"])
@pytest.mark.parametrize("suite", NAMES)
def test_unresolved_names_are_found(dialect: str, suite: str) -> None:
    cases = list(judged(dialect, lambda verdict: verdict.get("cause") == NAMES[suite]))
    assert cases
    missed = {(case.name, "scope") for case in cases if not unresolved(case.text, dialect)}
    assert missed == known(suite, dialect, {case.name for case in cases})


@pytest.mark.parametrize("dialect", ["opencypher-9", "neo4j-5", "neo4j-25"])
def test_what_parses_keeps_its_meaning(dialect: str) -> None:
    """Also invalid queries and other dialects: a text is refused with a diagnostic, or it survives every form."""
    cases = sample(rest(dialect), 1000, str)
    failed = {(c.name, f.claim) for c in cases for f in faults(c.text, dialect, SYNTAX + FORMS) if not f.refused}
    assert failed == known("rest", dialect, {case.name for case in cases})
