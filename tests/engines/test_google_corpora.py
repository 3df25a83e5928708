"""Google's analyzer takes every translation of real queries, with the definitions that `Schema.write` prints.

GRAPHIR_ANALYZED says how many rows of each corpus are looked at (40); 0: all.  `google_texts` shows progress.
"""

from __future__ import annotations

import os

import pytest

from tests.conformance.gql_corpora import CORPORA
from tests.engines.google_texts import analyzed

ROWS = int(os.environ.get("GRAPHIR_ANALYZED", "40"))


@pytest.mark.parametrize("dialect", ["gql-spanner", "pgq-googlesql", "gql-bigquery"])
@pytest.mark.parametrize("corpus", CORPORA)
def test_every_translation_is_taken(corpus: str, dialect: str) -> None:
    profiles = list(analyzed(corpus, dialect, ROWS or None))
    assert [found.refused for found in profiles] == [[]] * len(profiles)
    assert all(found.texts for found in profiles)
    assert {found.profile for found in profiles} >= {"full"}
