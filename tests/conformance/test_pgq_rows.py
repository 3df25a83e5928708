"""Rows of PostgreSQL's and DuckPGQ's regression tests on the embedded engine: none is wrong.

A refusal is honest; how many there are is counted under GRAPHIR_FULL=1.
"""

from __future__ import annotations

from collections import Counter

import pytest

from tests.conformance.pgq_cases import SUITES
from tests.conformance.pgq_rows import Runs, asked
from tests.outside import FULL, sample

SAMPLE = 15
RIGHT = {"pgq-postgres": 41, "pgq-duckpgq": 47}
"""At least so many of the rows that can be loaded are those of the database."""


@pytest.mark.parametrize("dialect", SUITES)
def test_rows(dialect: str) -> None:
    runs = Runs(dialect)
    chosen = {row["id"] for row in sample(asked(dialect), SAMPLE, lambda row: row["id"])}
    found = {row["id"]: runs.outcome(row) for row in asked(dialect) if row["id"] in chosen}
    assert {name: each.told for name, each in found.items() if each.verdict == "wrong"} == {}
    counted = Counter(each.verdict for each in found.values())
    assert counted["right"] > 0
    if FULL:
        assert counted["right"] >= RIGHT[dialect]
