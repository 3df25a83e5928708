"""What the openCypher TCK and a real Neo4j refuse because of names is refused, with the code of that fault."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from graphir.diagnostics import GraphirError
from graphir.grammar.cypher import parse
from graphir.passes.scope import analyze
from graphir.source import Source
from tests.conformance.suites import VERSIONS, scenarios
from tests.outside import rows, texts

DETAILS = {
    "UndefinedVariable": {"G101"},
    "VariableAlreadyBound": {"G102"},
    "VariableTypeConflict": {"G103"},
    "NoVariablesInScope": {"G105"},
    "ColumnNameConflict": {"G106"},
    "DifferentColumnsInUnion": {"G107"},
    "NoExpressionAlias": {"G108"},
}
"""The TCK's word for a fault -> our code."""

CAUSES = {
    "42N62": {"G101"},
    "42N44": {"G101"},
    "42N29": {"G101"},
    "42N59": {"G102"},
    "42N78": {"G102"},
    "42N07": {"G102"},
    "22N27": {"G103"},
    "42I58": {"G104"},
    "42I37": {"G105"},
    "42N38": {"G106"},
    "42N39": {"G107"},
    "42N21": {"G108"},
}
"""The GQLSTATUS of a real Neo4j -> our code."""


def codes(text: str, dialect: str) -> set[str]:
    """The codes of the faults of names in a text that parses."""
    return {found.code for found in analyze(parse(text, dialect), Source(text), dialect).diagnostics}


@pytest.mark.parametrize("detail", DETAILS)
def test_faults_of_the_tck_are_found(detail: str) -> None:
    cases = [row for row in scenarios() if row["expect"].get("detail") == detail]
    assert cases
    assert [row["id"] for row in cases if not codes(row["query"], "opencypher-9") & DETAILS[detail]] == []


def cause(verdict: dict[str, Any]) -> str | None:
    """The fault of names that a verdict is about, if it is."""
    if verdict["referee"] != "reject":
        return None
    found = next((verdict[key] for key in ("cause", "gqlstatus") if verdict.get(key) in CAUSES), None)
    about_names = found != "22N27" or "defined with conflicting type" in verdict["message"]
    return found if about_names else None


@pytest.mark.parametrize("dialect", VERSIONS)
def test_faults_that_neo4j_finds_are_found(dialect: str) -> None:
    known = texts("kuzu_ladybug_tests")
    tally: Counter[str] = Counter()
    missed = []
    for row in rows("corpora/neo4j_server_verdicts"):
        fault = cause(row[VERSIONS[dialect]])
        if fault is None or row["key"] not in known:
            continue
        tally[fault] += 1
        try:
            found = codes(known[row["key"]], dialect)
        except GraphirError:
            found = {"syntax"}
        if not found & CAUSES[fault]:
            missed.append((row["key"], fault, found))
    assert missed == []
    assert len(tally) >= 10
    assert sum(tally.values()) > 250
