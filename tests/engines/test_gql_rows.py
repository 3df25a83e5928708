"""Translations to GQL have the rows of the query: on Google's evaluator, on Neo4j, and on Grafeo where it is.

GRAPHIR_CASES says how many random queries of each kind are asked (48), and a tenth of that of the corpora's; with
Python 3.12 Grafeo is among the engines.
"""

from __future__ import annotations

import os
from collections import Counter

import pytest

from graphir.backends.engines import registry
from tests.engines import gql_rows
from tests.engines.googlesql import database
from tests.outside import SHARED

CASES = int(os.environ.get("GRAPHIR_CASES", "48"))


def dialects() -> list[str]:
    """Those whose engine is here; Google's has to be."""
    database().clear()
    grafeo = registry.examine(registry.KINDS["grafeo"]).usable
    return ["gql-spanner", "gql-neo4j-25", *(["gql-grafeo"] if grafeo else [])]


@pytest.mark.parametrize(
    ("source", "first", "least"), [("pairs", 5_000_000, 0.9), ("gql", 5_000_000, 0.1), ("corpus", 0, 0.9)]
)
def test_the_rows_are_those_of_the_query(neo4j_uri: str, source: str, first: int, least: float) -> None:
    if source == "corpus" and not (SHARED / "conformance" / "neo4j_rows.jsonl").exists():
        pytest.skip("the corpora are not here")
    count = CASES // 10 + 1 if source == "corpus" else CASES
    tally: Counter[str] = Counter()
    with gql_rows.panel(dialects(), neo4j_uri) as asked:
        questions = gql_rows.of_numbers(source, range(first, first + count))
        found = list(gql_rows.differences(asked, questions, tally))
    assert ["\n".join(each.lines()) for each in found] == []
    assert tally["different: a fault of graphir itself"] == 0
    assert tally["cases"] >= count * 0.9
    for dialect in ("gql-spanner", "gql-neo4j-25"):
        assert tally[f"compared: {dialect}"] >= least * tally["cases"]
