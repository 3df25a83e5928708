"""What is written as SQL/PGQ the rules of its database take: queries of the corpora, with schemas and without."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

import pytest

import graphir
from graphir import Schema
from tests.outside import FULL, rows, sample

DIALECTS = ("pgq-oracle-23ai", "pgq-oracle-26ai", "pgq-postgres", "pgq-duckpgq", "pgq-hyper")
CORPORA = ("neo4j_labs_text2cypher", "cypherbench", "zograscope")
SAMPLE = 6
MOST = 300


@cache
def schemas() -> dict[str, Schema]:
    return {row["id"]: Schema.read(row["text"], format=row["format"]) for row in rows("corpora/schemas")}


@cache
def asked() -> list[tuple[str, str]]:
    """Queries and the names of their schemas."""
    known = schemas()

    def found() -> Iterator[tuple[str, str]]:
        for name in CORPORA:
            listed = [(row["query"], row["schema"]) for row in rows(f"corpora/{name}") if row.get("schema") in known]
            yield from sample(listed, SAMPLE, lambda row: row[0])[:MOST]

    return list(found())


@pytest.mark.parametrize("dialect", DIALECTS)
def test_what_is_written_is_taken(dialect: str) -> None:
    taken = 0
    for query, name in asked():
        schema = schemas()[name]
        try:
            text = graphir.translate(query, read="neo4j-5", write=dialect, schema=schema)
        except graphir.GraphirError:
            continue
        for known in (None, schema):
            told = [each for each in graphir.check(text, dialect, known) if each.severity == "error"]
            assert told == [], text
        taken += 1
    assert taken >= len(asked()) * (0.8 if FULL else 0.5)
