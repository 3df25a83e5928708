"""`check` against the openCypher TCK and a real Neo4j: what they refuse is refused, at the same place; nothing else is.

What is known to differ is listed in `known_misses.toml`, each with its reason, and the lists are exact.
"""

from __future__ import annotations

from bisect import bisect_right

import pytest

import graphir
from graphir.diagnostics import Diagnostic
from graphir.grammar.lexical import scan
from tests.conformance.misses import known
from tests.conformance.suites import VERSIONS, judged, scenarios
from tests.outside import rows, sample

DIALECTS = ("opencypher-9", "neo4j-5", "neo4j-25")


def errors(text: str, dialect: str) -> list[Diagnostic]:
    return [found for found in graphir.check(text, dialect) if found.severity == "error"]


def due_at_compile_time() -> dict[str, str]:
    """Text -> name of the TCK's distinct texts with an error that is due at compile time."""
    found: dict[str, str] = {}
    for row in scenarios():
        if row["expect"]["kind"] == "error" and row["expect"]["phase"] == "compile time":
            found.setdefault(row["query"], row["id"])
    return found


@pytest.mark.parametrize("dialect", DIALECTS)
def test_compile_time_errors_of_the_tck(dialect: str) -> None:
    due = due_at_compile_time()
    assert len(due) == 584
    missed = {(name, "refused") for text, name in due.items() if not errors(text, dialect)}
    assert missed == known("language", dialect, set(due.values()))
    assert len(due) - len(missed) >= 579 or dialect == "neo4j-25"


def test_no_false_alarm_on_the_tck() -> None:
    texts = {row["query"] for row in scenarios() if row["expect"]["kind"] == "rows"}
    assert len(texts) > 2500
    assert [text for text in sorted(texts) if errors(text, "opencypher-9")] == []


@pytest.mark.parametrize("dialect", VERSIONS)
def test_what_neo4j_refuses_is_refused(dialect: str) -> None:
    refused = dict(judged(dialect, lambda verdict: verdict["referee"] == "reject"))
    assert len(refused) > 700
    missed = {(name, "refused") for name, text in refused.items() if not errors(text, dialect)}
    assert missed == known("language", dialect, set(refused))


@pytest.mark.parametrize("dialect", VERSIONS)
def test_what_neo4j_accepts_is_accepted(dialect: str) -> None:
    accepted = list(judged(dialect, lambda verdict: verdict["referee"] == "accept"))
    some = sample(accepted, 6000, lambda case: case.name)
    assert len(some) >= 6000
    assert [case.text for case in some if errors(case.text, dialect)] == []


@pytest.mark.parametrize("dialect", VERSIONS)
def test_errors_are_where_neo4j_finds_them(dialect: str) -> None:
    """At the same token or the next to it; the server names one error, so the first of ours counts."""
    places = {
        row["key"]: row[VERSIONS[dialect]]["position"][2]
        for row in rows("corpora/neo4j_server_verdicts")
        if "position" in row[VERSIONS[dialect]]
    }
    placed = [case for case in judged(dialect, lambda verdict: verdict["referee"] == "reject") if case.name in places]
    apart, names = set(), set()
    for case in placed:
        found = errors(case.text, dialect)
        if not found:
            continue
        names.add(case.name)
        if not near(case.text, found[0].start, places[case.name]):
            apart.add((case.name, "position"))
    assert apart == known("place", dialect, names)
    assert len(apart) <= 0.05 * len(placed)


def near(text: str, one: int, other: int) -> bool:
    starts = [token.start for token in scan(text) if token.kind != "comment"]
    return one == other or abs(number(text, starts, one) - number(text, starts, other)) <= 1


def number(text: str, starts: list[int], offset: int) -> int:
    """Which token stands there; the end of the text counts as one."""
    return len(starts) if offset >= len(text.rstrip()) else bisect_right(starts, offset) - 1
