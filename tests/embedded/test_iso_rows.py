"""Cypher on the embedded engine, and the rows of what it is in ISO GQL, read back: they are the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest

import graphir
from graphir.backends.engines.duckdb.session import Session
from tests.iso_pairs import differences, questions
from tests.outside import FULL


@pytest.fixture(scope="module")
def engine() -> Iterator[Session]:
    with graphir.connect() as session:
        yield session


@pytest.mark.parametrize(
    ("source", "count", "least"), [("pairs", 24, 18), ("elements", 12, 10), ("generation", 24, 10)]
)
def test_rows_are_the_same(engine: Session, source: str, count: int, least: int) -> None:
    tally: Counter[str] = Counter()
    asked = questions(source, range(100, 100 + count * (20 if FULL else 1)))
    assert list(differences(engine, asked, tally)) == []
    assert tally["ran"] >= least


@pytest.mark.parametrize("target", ["gql-neo4j-25", "gql-fabric", "gql-grafeo"])
def test_rows_of_the_other_dialects_are_the_same(engine: Session, target: str) -> None:
    tally: Counter[str] = Counter()
    asked = questions("generation", range(700, 700 + (400 if FULL else 24)))
    assert list(differences(engine, asked, tally, target)) == []
    assert tally["ran"] >= 8
