"""Google's compliance rows for graph queries, and the examples of its documentation, on the embedded engine.

No row is wrong: what comes is Google's result or a refusal with a code; an error that Google raises is one here, too.
What is refused is listed by name (`known_misses.toml`, suites gql-rows and gql-docs); the lists may only shrink.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

from tests.conformance import misses
from tests.conformance.gql_rows import Sessions, compliance, documentation, outcome
from tests.outside import FULL, sample

SAMPLE = 40
DIALECT = "gql-spanner"


@pytest.fixture(scope="module")
def sessions() -> Iterator[Sessions]:
    found = Sessions()
    yield found
    found.close()


def verdicts(rows: Sequence[Mapping[str, Any]], sessions: Sessions) -> tuple[dict[str, str], list[str]]:
    """By name: what came of each row; and what is told of those that are wrong."""
    found, told = {}, []
    for row in rows:
        made = outcome(row, sessions)
        found[row["id"]] = made.verdict
        if made.verdict == "wrong":
            told.append(f"{row['id']}: {made.told}")
    return found, told


def failures(found: Mapping[str, str]) -> set[tuple[str, str]]:
    """The claims that do not hold."""
    return {(name, verdict) for name, verdict in found.items() if verdict not in ("right", "raised")}


def test_compliance(sessions: Sessions) -> None:
    rows = sample(compliance(), SAMPLE, lambda row: row["id"])
    found, told = verdicts(rows, sessions)
    failed = {(name, verdict) for name, verdict in failures(found) if name not in errors(rows)}
    assert told == []
    assert failed == misses.known("gql-rows", DIALECT, found)
    # A row of which Google makes an error is one for us, too, when it is checked or when it runs.
    assert {found[name] for name in errors(rows)} <= {"raised", "refused"}


def errors(rows: Sequence[Mapping[str, Any]]) -> set[str]:
    return {row["id"] for row in rows if row["error"]}


@pytest.mark.skipif(not FULL, reason="the count is of all rows (GRAPHIR_FULL=1)")
def test_count(sessions: Sessions) -> None:
    rows = [row for row in compliance() if not row["error"] and not row.get("nondeterministic")]
    found, _ = verdicts(rows, sessions)
    assert len(rows) == 438
    assert Counter(found.values())["right"] >= 410


def test_documentation(sessions: Sessions) -> None:
    rows = sample(documentation(), SAMPLE, lambda row: row["id"])
    found, _ = verdicts(rows, sessions)
    assert failures(found) == misses.known("gql-docs", DIALECT, found)
