"""What Google's analyzer accepts and refuses, on the rows of its own tests: the verdict, and the place of the fault.

A row is accepted here where nothing is found in it.  What differs is listed, with the reason (`known_misses.toml`,
suite `analyzer`): claim `accepted` is a false alarm, `refused` a missed fault, `place` one that is told elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

import graphir
from graphir import Schema
from graphir.diagnostics import Diagnostic, GraphirError
from graphir.grammar import gql
from graphir.passes.google.check import analyze
from graphir.source import Source
from tests.conformance.google_catalog import features_of, is_in_scope, sample_catalog
from tests.conformance.misses import known
from tests.outside import FULL, SHARED, rows, sample

DIALECTS = {"graph_table": "pgq-googlesql"}
"""Kind of a row -> the dialect that reads it; others are GQL."""


def found_in(row: dict[str, Any]) -> list[Diagnostic]:
    source = Source(row["query"])
    try:
        query = gql.parse(row["query"], DIALECTS.get(row["kind"], "gql-spanner"))
    except GraphirError as fault:
        return fault.diagnostics
    return analyze(query, source, sample_catalog(), features_of(row))


def failed(row: dict[str, Any]) -> Iterator[tuple[str, str]]:
    found = found_in(row)
    if row["ok"]:
        if found:
            yield row["id"], "accepted"
    elif not found:
        yield row["id"], "refused"
    elif row["error_pos"] and is_in_scope(row) and not is_near(row["query"], found[0], tuple(row["error_pos"])):
        yield row["id"], "place"


def is_near(text: str, found: Diagnostic, place: tuple[int, ...]) -> bool:
    """Whether a fault is told at a place, or one token before or behind it."""
    starts = [match.start() for match in TOKEN.finditer(text) if not match[0].isspace()]
    lines = text.split("\n")
    wanted = sum(len(line) + 1 for line in lines[: place[0] - 1]) + place[1] - 1
    here, there = (sum(start <= at for start in starts) for at in (found.start, wanted))
    return abs(here - there) <= 1


TOKEN = re.compile(r"\s+|\w+|'[^']*'|\"[^\"]*\"|`[^`]*`|.", re.DOTALL)


@pytest.fixture(scope="module")
def chosen() -> list[dict[str, Any]]:
    return sample(rows("conformance/gql_analyzer"), 260, lambda row: row["id"])


def test_verdicts(chosen: list[dict[str, Any]]) -> None:
    failing = {miss for row in chosen for miss in failed(row)}
    assert failing == known("analyzer", "gql-spanner", {row["id"] for row in chosen})


def test_no_false_alarm(chosen: list[dict[str, Any]]) -> None:
    """The rows that Google accepts are accepted, but for what the grammar does not read."""
    alarms = [row["id"] for row in chosen if row["ok"] and any(d.code[:2] != "G0" for d in found_in(row))]
    assert alarms == []


@pytest.mark.skipif(not FULL, reason="looks at every row: GRAPHIR_FULL=1")
def test_share_of_agreement(chosen: list[dict[str, Any]]) -> None:
    """Of the rows that need nothing newer and nothing beyond the catalog."""
    scope = [row for row in chosen if is_in_scope(row)]
    agree = sum(row["ok"] == (not found_in(row)) for row in scope)
    assert agree >= 0.963 * len(scope), f"{agree} of {len(scope)}"


def test_queries_of_the_evaluator() -> None:
    """What GoogleSQL runs is taken, whatever the tables are."""
    alarms = {}
    for row in rows("conformance/gql_compliance"):
        dialect = "gql-spanner" if row["query"].lstrip()[:5].upper() == "GRAPH" else "pgq-googlesql"
        try:
            query = gql.parse(row["query"], dialect)
        except GraphirError:
            continue
        if found := analyze(query, Source(row["query"])):
            alarms[row["id"]] = found
    assert alarms == {}


def test_examples_of_the_documentation() -> None:
    """Every example that GoogleSQL takes is taken, with the schema of the documentation."""
    path = SHARED / "conformance" / "fingraph.sql"
    if not path.exists():
        pytest.skip(f"{path} is not here")
    statements = path.read_text(encoding="utf-8").split(";")
    schema = Schema.read(";".join(text for text in statements if "INSERT" not in text.upper()), "spanner-ddl")
    alarms = {}
    for row in rows("conformance/gql_docs"):
        if str(row["full"]).startswith("ERR"):
            continue
        known_graph = schema if "fingraph" in row["query"].lower() else None
        found = graphir.check(row["query"], "gql-spanner", known_graph)
        errors = [each for each in found if each.severity == "error" and each.code[:2] != "G0"]
        if errors:
            alarms[row["id"]] = errors
    assert alarms == {}


CORPORA = ("cypherbench", "mind_the_query", "neo4j_labs_text2cypher", "text2cypher2024_clean", "zograscope")


@pytest.mark.parametrize("corpus", CORPORA)
def test_what_is_translated_is_taken(corpus: str) -> None:
    """What graphir writes for Spanner is what Google's rules take, with the names of the schema."""
    texts = {row["id"]: row for row in rows("corpora/schemas")}
    named = [row for row in rows(f"corpora/{corpus}") if row.get("schema") in texts and row.get("query")]
    schemas: dict[str, Schema] = {}
    alarms = {}
    for row in sample(named, 25, lambda row: row["query"]):
        known_as = row["schema"]
        if known_as not in schemas:
            schemas[known_as] = Schema.read(texts[known_as]["text"], texts[known_as]["format"])
        try:
            text = graphir.translate(row["query"], "neo4j-5", "gql-spanner", schemas[known_as])
        except GraphirError:
            continue
        found = graphir.check(text, "gql-spanner", schemas[known_as])
        if any(each.severity == "error" for each in found):
            alarms[text] = found
    assert alarms == {}
