"""The embedded engine: the openCypher TCK with rows and side effects, and what a real Neo4j gave for corpus queries."""

from __future__ import annotations

from collections.abc import Mapping

from tests.conformance import embedded, served
from tests.conformance.misses import known
from tests.conformance.suites import scenarios
from tests.outside import FULL, rows, sample


def missed(outcomes: Mapping[str, embedded.Outcome]) -> set[tuple[str, str]]:
    return {(name, outcome.verdict) for name, outcome in outcomes.items() if outcome.verdict != "pass"}


def test_scenarios_of_the_tck() -> None:
    chosen = sample(scenarios(), 250, lambda scenario: scenario["id"])
    found = embedded.outcomes(chosen)
    assert len(found) >= 250
    assert missed(found) == known("embedded", embedded.DIALECT, set(found))


def test_rows_that_neo4j_gave() -> None:
    cases = sample(rows("conformance/neo4j_rows"), 150, lambda case: case["id"])
    found = served.outcomes(cases)
    undecided = {name for name, outcome in found.items() if outcome.verdict == "undecided"}
    assert len(undecided) <= len(found) // 100
    assert missed(found) - {(name, "undecided") for name in undecided} == set()
    assert not FULL or len(found) == 1567
