"""Schema and direction checks on queries that others wrote, with their schemas."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache
from typing import Any

import pytest

import graphir
from graphir import ir
from graphir.diagnostics import apply
from graphir.passes.schema.direction import flip
from graphir.profiles import pass_of
from graphir.schema import Schema
from graphir.source import Source
from tests import outside

OF_NO_EDGE = {"00020", "00031"}
"""Cases of the direction suite whose edges fit neither way: the suite expects an empty text there."""

NOT_CYPHER = {"00076", "00077"}
"""Cases in quotation marks."""


def suite() -> Iterator[tuple[str, str, str, str]]:
    for row in outside.rows("corpora/direction_correction"):
        yield row["id"][-5:], row["query"], row["schema_inline"], row["expected"]["corrected"]


@pytest.mark.parametrize(("case", "query", "triples", "wanted"), list(suite()) if outside.SHARED.exists() else [])
def test_direction_suite(case: str, query: str, triples: str, wanted: str) -> None:
    known = Schema.read(triples, "triples")
    if case in NOT_CYPHER:
        assert wanted == query
        with pytest.raises(graphir.SyntaxFault):
            graphir.repair(query, schema=known)
        return
    repair = graphir.repair(query, schema=known)
    assert {found.code for found in repair.applied} <= {"G230"}
    if case in OF_NO_EDGE:
        assert repair.text == query
        left = [found for found in graphir.check(query, schema=known, profile="gate") if found.severity == "error"]
        assert "G144" in {found.code for found in left}
        assert wanted == ""
    else:
        assert repair.text == wanted


@cache
def schemas() -> dict[str, Schema]:
    return {row["id"]: Schema.read(row["text"], row["format"]) for row in outside.rows("corpora/schemas")}


def counted(corpus: str, count: int) -> tuple[int, dict[str, int]]:
    """How many of the queries were looked at, and what was found in them, by code."""
    rows = [row for row in outside.rows(f"corpora/{corpus}") if row.get("schema") in schemas()]
    chosen: list[dict[str, Any]] = outside.sample(rows, count, lambda row: row["id"])
    found = [d.code for row in chosen for d in graphir.check(row["query"], schema=schemas()[row["schema"]])]
    return len(chosen), dict(sorted(Counter(c for c in found if pass_of(c) in ("schema", "direction")).items()))


@pytest.mark.parametrize(("corpus", "whole"), [("cypherbench", 10868), ("zograscope", 1667)])
def test_gold_queries_fit_their_schema(corpus: str, whole: int) -> None:
    assert counted(corpus, 1000) == (whole if outside.FULL else 1000, {})


FINDINGS: dict[str, tuple[dict[str, int], dict[str, int]]] = {
    "mind_the_query": ({}, {"G141": 8, "G144": 7, "G151": 1, "G230": 8}),
    "multidomain_text2cypher": ({"G144": 3, "G230": 2}, {"G144": 3, "G230": 2}),
    "neo4j_labs_text2cypher": (
        {"G140": 1, "G141": 5, "G142": 2, "G143": 11, "G144": 18, "G230": 43},
        {"G140": 19, "G141": 79, "G142": 46, "G143": 160, "G144": 156, "G230": 577},
    ),
    "text2cypher2024_clean": (
        {"G142": 2, "G143": 4, "G144": 4, "G230": 8},
        {"G142": 8, "G143": 33, "G144": 16, "G230": 75},
    ),
}
"""Corpus -> the findings in a sample of 1000 and in all of it.

Language models wrote these queries.  Of each code 50 findings were read (all, where there are fewer), and all are true:
the schema does not have what the query asks for.
"""


@pytest.mark.parametrize("corpus", FINDINGS)
def test_findings_in_generated_queries(corpus: str) -> None:
    sampled, whole = FINDINGS[corpus]
    assert counted(corpus, 1000)[1] == (whole if outside.FULL else sampled)


def test_a_turned_arrow_is_turned_back() -> None:
    """Where both ends are known and only one direction fits, the repair gives the text as it was."""
    rows = [row for row in outside.rows("corpora/cypherbench") if row["schema"] in schemas()]
    turned = 0
    for row in outside.sample(rows, 400, lambda row: row["id"]):
        known, text = schemas()[row["schema"]], row["query"]
        arrows = [node for node in ir.walk(graphir.parse(text)) if isinstance(node, ir.EdgePattern)]
        for edge in arrows:
            fix = flip(Source(text), edge)
            assert fix is not None
            broken = apply(text, [fix])
            codes = [d.code for d in graphir.check(broken, schema=known) if pass_of(d.code) in ("schema", "direction")]
            assert set(codes) <= {"G230", "G231", "G144"}
            if codes == ["G230"]:
                turned += 1
                assert graphir.repair(broken, schema=known).text == text
    assert turned > 300


def test_what_is_reported_finds_nothing_in_a_database() -> None:
    """Neo4j's rows on graphs made from the schemas: none, or with a null, a zero, an empty list in them."""
    of_graph = {row["id"]: row["schema"] for row in outside.rows("conformance/neo4j_graphs")}
    reported = 0
    for row in outside.rows("conformance/neo4j_rows"):
        known = schemas().get(of_graph[row["graph"]])
        if known is None:
            continue
        found = [d for d in graphir.check(row["query"], schema=known) if pass_of(d.code) in ("schema", "direction")]
        if found:
            reported += 1
            assert all(any(value in (None, 0, []) for value in values) for values in row["rows"]), row["id"]
    assert reported == 47
