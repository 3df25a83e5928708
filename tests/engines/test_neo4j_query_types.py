"""What the read-only check denies is what a real Neo4j does not call a read, with the exceptions that are listed."""

from __future__ import annotations

from collections import Counter

import pytest
from neo4j import Driver

from graphir.passes.safety.effects import names
from tests.engines.query_types import EXCEPTIONS, compare, queries
from tests.outside import sample
from tests.test_readonly import PROBES

DIALECTS = ("neo4j-5", "neo4j-25")


@pytest.mark.parametrize("dialect", DIALECTS)
def test_corpora(neo4j: Driver, dialect: str) -> None:
    tally: Counter[str] = Counter()
    found = list(compare(neo4j, sample(queries(), 400), dialect, tally))
    assert tally["type r"] >= 100
    assert tally["type w"] + tally["type rw"] >= 5
    assert [each for each in found if not each.agrees and not each.exceptions] == []


@pytest.mark.parametrize("dialect", DIALECTS)
def test_probes(neo4j: Driver, dialect: str) -> None:
    """A function or procedure of a plugin is not there, and the server refuses it; the others are compared."""
    tally: Counter[str] = Counter()
    found = list(compare(neo4j, [probe.query for probe in PROBES], dialect, tally))
    assert len(found) >= 100
    assert [each for each in found if not each.agrees and not each.exceptions] == []


def test_every_exception_is_one(neo4j: Driver) -> None:
    """A call of each procedure that is excepted, and the clauses and commands by the probes."""
    calls = [f"CALL {name}" for name in EXCEPTIONS if name in names("procedures")]
    texts = [*calls, *[probe.query for probe in PROBES]]
    differing = {
        name for each in compare(neo4j, texts, "neo4j-25", Counter()) if not each.agrees for name in each.exceptions
    }
    assert differing == set(EXCEPTIONS)
