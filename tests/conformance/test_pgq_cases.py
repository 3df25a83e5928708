"""What PostgreSQL and DuckPGQ take and refuse of SQL/PGQ, and what our checks do: 97 of 100 verdicts agree.

The rows that differ are listed by name (`known_misses.toml`, suite pgq-cases); the list may only shrink.
"""

from __future__ import annotations

from collections import Counter

import pytest

from tests.conformance import misses
from tests.conformance.pgq_cases import SUITES, verdicts


@pytest.mark.parametrize("dialect", SUITES)
def test_verdicts(dialect: str) -> None:
    found = verdicts(dialect)
    counted = Counter(each.word for each in found.values())
    differing = {(name, "verdict") for name, each in found.items() if each.word == "differs"}
    assert differing == misses.known("pgq-cases", dialect, found)
    assert counted["agreed"] >= 0.97 * (counted["agreed"] + counted["differs"])


@pytest.mark.parametrize("dialect", SUITES)
def test_codes(dialect: str) -> None:
    """Where both refuse, the code of the database is among ours."""
    found = verdicts(dialect)
    agreed = {name: each for name, each in found.items() if each.word == "agreed"}
    other = {(name, "code") for name, each in agreed.items() if not each.same_code}
    assert other == misses.known("pgq-cases", dialect, agreed)
