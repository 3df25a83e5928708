"""A real Neo4j accepts what is printed, and the printed and the normalized query give the rows of the original."""

from __future__ import annotations

from collections import Counter

import pytest
from neo4j import Driver

from tests.conformance.misses import known
from tests.engines.acceptance import (
    DIRECTIONS,
    accepted,
    rejections,
    row_differences,
    tck_cases,
    tck_differences,
)
from tests.outside import key, rows, sample


@pytest.mark.parametrize(("read", "write"), DIRECTIONS)
def test_printed_queries_are_accepted(neo4j: Driver, read: str, write: str) -> None:
    cases = sample(accepted(read), 80, str)
    tally: Counter[str] = Counter()
    rejected = {(r.case.name, write) for r in rejections(neo4j, cases, read, write, tally)}
    assert tally["printed"] > 40
    assert rejected == known("neo4j", read, {case.name for case in cases})


@pytest.mark.parametrize("dialect", ["neo4j-5", "neo4j-25"])
def test_rows_stay_the_same(neo4j: Driver, dialect: str) -> None:
    graphs = sample(sorted({row["graph"] for row in rows("conformance/neo4j_rows")}), 4)
    cases = [row for row in rows("conformance/neo4j_rows") if row["graph"] in graphs]
    found = {(d.case.name, d.variant) for d in row_differences(neo4j, dialect, cases)}
    assert len(cases) > 20
    assert found == known("rows", dialect, {row["id"] for row in cases})


@pytest.mark.parametrize("dialect", ["neo4j-5", "neo4j-25"])
def test_scenarios_give_the_same_rows(neo4j: Driver, dialect: str) -> None:
    cases = sample(tck_cases(dialect), 60, lambda scenario: key(scenario["id"]))
    found = {(d.case.name, d.variant) for d in tck_differences(neo4j, dialect, cases)}
    assert found == known("tck rows", dialect, {scenario["id"] for scenario in cases})
