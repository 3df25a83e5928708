"""Google's analyzer takes every translation of real queries, with the definitions that `Schema.write` prints.

GRAPHIR_ANALYZED says how many rows of each corpus are looked at (40); 0: all.
"""

from __future__ import annotations

import os
from collections import defaultdict
from typing import TYPE_CHECKING

import pytest

from tests.conformance.gql_corpora import CORPORA, measure, schema
from tests.engines.googlesql import database

if TYPE_CHECKING:
    from graphir.backends.engines.googlesql.database import Database

ROWS = int(os.environ.get("GRAPHIR_ANALYZED", "40"))
PROFILES = [
    ("gql-spanner", "spanner-ddl", "spanner"),
    ("gql-spanner", "spanner-ddl", "full"),
    ("gql-bigquery", "bigquery-ddl", "full"),
]


def with_unbounded(engine: Database) -> None:
    """BigQuery repeats without an upper bound; the library counts that among what is not released yet."""
    from graphir.backends.engines.googlesql.protos import public

    feature = public.LanguageFeature.Value("FEATURE_SQL_GRAPH_UNBOUNDED_PATH_QUANTIFICATION")
    engine._options.enabled_language_features.append(feature)
    engine._analysis.language_options.CopyFrom(engine._options)


@pytest.mark.parametrize(("dialect", "definitions", "profile"), PROFILES)
@pytest.mark.parametrize("corpus", CORPORA)
def test_every_translation_is_taken(corpus: str, dialect: str, definitions: str, profile: str) -> None:
    from graphir.backends.engines.googlesql.refusals import Refusal

    found = measure(corpus, dialect, ROWS or None)
    by_schema: dict[str, list[tuple[str, str]]] = defaultdict(list)
    for name, query, text in found.texts:
        by_schema[name].append((query, text))
    refused = []
    with database(profile) as engine:
        if dialect == "gql-bigquery":
            with_unbounded(engine)
        for name, pairs in by_schema.items():
            known = schema(name)
            assert known is not None
            engine.clear()
            engine.define(known.write(format=definitions))
            for query, text in pairs:
                try:
                    engine.analyze(text)
                except Refusal as refusal:
                    refused.append((query, text, refusal.message))
    assert refused == []
    assert found.texts
