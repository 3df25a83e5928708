"""SQL/PGQ and its translations to Cypher, on Neo4j, and to GQL, on GoogleSQL's evaluator, have the same rows.

GRAPHIR_CASES says how many random texts are asked (40).
"""

from __future__ import annotations

import os
from collections import Counter

from tests.engines import pgq_back

CASES = int(os.environ.get("GRAPHIR_CASES", "40"))
PRINTED = min(CASES, 60)


def test_selects(neo4j_uri: str) -> None:
    """SELECT over several graph tables, as GoogleSQL has it."""
    tally: Counter[str] = Counter()
    with pgq_back.Engines(neo4j_uri, pgq_back.TARGETS) as engines:
        found = list(pgq_back.differences(engines, pgq_back.selects(range(CASES)), tally))
    assert found == []
    assert tally["compared: pgq-googlesql to neo4j-25"] >= 0.6 * CASES
    assert tally["with rows"] >= 0.4 * CASES


def printed(uri: str, target: str) -> tuple[int, Counter[str]]:
    """How many texts that graphir itself writes for PostgreSQL, Oracle and DuckPGQ have the same rows in a target, and
    what came of all."""
    tally: Counter[str] = Counter()
    with pgq_back.Engines(uri, (target,)) as engines:
        texts = pgq_back.printed(range(96, 96 + PRINTED), pgq_back.READS, tally)
        found = list(pgq_back.differences(engines, texts, tally))
    assert found == []
    return sum(tally[f"compared: {dialect} to {target}"] for dialect in pgq_back.READS), tally


def test_printed(neo4j_uri: str) -> None:
    compared, _ = printed(neo4j_uri, "neo4j-25")
    assert compared >= PRINTED // 2


def test_printed_to_gql(neo4j_uri: str) -> None:
    """In the GQL of Spanner, on Google's evaluator."""
    compared, tally = printed(neo4j_uri, "gql-spanner")
    assert compared >= tally["texts"] // 2
