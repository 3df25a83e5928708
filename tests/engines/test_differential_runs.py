"""Random queries on random graphs: the embedded engine is never the odd one out among Neo4j, ArcadeDB and KGLite.

GRAPHIR_CASES says how many cases are asked (100).  Known faults of the others are left out by name; where one of them
stands alone all the same, the case goes to `reduced_faults.py`, and fails nothing here.
"""

from __future__ import annotations

import os

import pytest

from graphir.backends.engines import registry
from graphir.backends.engines.registry import KINDS
from graphir.proof import Panel
from graphir.proof.fuzzing import Finding, Tally, fuzz

CASES = int(os.environ.get("GRAPHIR_CASES", "100"))
PEERS = ("neo4j", "arcadedb", "kglite")


def against_ours(finding: Finding) -> bool:
    """Whether nobody shares the answer of the embedded engine."""
    found = finding.found.verdict
    ours = [group for group in found.groups if any(found.answers[at].engine == "duckdb" for at in group)]
    return all(len(group) == 1 for group in ours)


def test_ours_is_never_alone(neo4j_uri: str) -> None:
    missing = [
        str(status.reason) for status in map(registry.examine, map(KINDS.__getitem__, PEERS)) if not status.usable
    ]
    if missing:
        pytest.skip("; ".join(missing))
    tally = Tally()
    with Panel(("duckdb", *PEERS), {"neo4j": {"uri": neo4j_uri, "keep": False}}) as panel:
        findings = list(fuzz(panel, CASES, tally, seed=1_400_000, per_graph=20))
    assert [finding.script for finding in findings if against_ours(finding)] == []
    assert tally.cases + tally.refused == CASES
    judged = sum(cases for engines, cases in tally.answers.items() if engines > 2)
    assert judged >= CASES // 2
