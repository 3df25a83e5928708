"""The share of real queries that are translated to Google's GQL with their schemas, and the codes of the others.

A fixed sample by default; GRAPHIR_FULL=1 looks at every row, and compares with the table of `docs/gql.md`.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import graphir
from tests import outside
from tests.conformance.gql_corpora import CORPORA, measure, schema, table

PAGE = Path(__file__).parents[2] / "docs" / "gql.md"
SAMPLE = 40
LEAST = 0.95
REFUSED: dict[str, dict[str, int]] = {
    "neo4j_labs_text2cypher": {"G536": 1, "G540": 1},
    "text2cypher2024_clean": {},
    "cypherbench": {},
    "mind_the_query": {},
    "zograscope": {},
}
"""Of the sample: code -> how many."""


@pytest.mark.parametrize("corpus", CORPORA)
def test_share(corpus: str) -> None:
    found = measure(corpus, "gql-spanner", None if outside.FULL else SAMPLE)
    assert found.counted > found.beside
    if outside.FULL:
        assert found.share >= LEAST
    else:
        assert dict(found.refused) == REFUSED[corpus]


@pytest.mark.skipif(not outside.FULL, reason="the table is of every row (GRAPHIR_FULL=1)")
def test_table() -> None:
    shown = PAGE.read_text(encoding="utf-8")
    for line in table({corpus: measure(corpus, "gql-spanner") for corpus in CORPORA}):
        assert line in shown


@pytest.mark.parametrize("corpus", CORPORA)
def test_bigquery_says_as_much(corpus: str) -> None:
    found = measure(corpus, "gql-bigquery", SAMPLE // 4)
    assert found.texts
    assert found.share >= (LEAST if outside.FULL else 0.9)


@pytest.mark.parametrize("corpus", CORPORA)
def test_sqlpgq_says_the_same_and_is_read(corpus: str) -> None:
    """The text of `gql-spanner` in a SELECT: our own reader takes it, and finds nothing wrong with it."""
    found = measure(corpus, "pgq-googlesql", SAMPLE // 4)
    assert found.refused == measure(corpus, "gql-spanner", SAMPLE // 4).refused
    for name, query, text in found.texts:
        told = graphir.check(text, "pgq-googlesql", schema=schema(name))
        assert [each.message for each in told if each.severity == "error"] == [], query


def test_results_of_another_shape_are_told() -> None:
    """With `json` the columns keep their names; with `refuse` there is no translation."""
    known = schema("zograscope:pole")
    assert known is not None
    query = "MATCH (x0:Area) RETURN x0"
    assert "AS x0_element_id" in graphir.translate(query, "neo4j-5", "gql-spanner", known)
    assert ") AS x0" in graphir.translate(query, "neo4j-5", "gql-spanner", known, elements="json")
    with pytest.raises(graphir.Unsupported) as refusal:
        graphir.translate(query, "neo4j-5", "gql-spanner", known, elements="refuse")
    assert refusal.value.code == "G538"
