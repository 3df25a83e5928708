"""The mutation study on a sample: whatever the schema decides is found, and good queries are left alone."""

from __future__ import annotations

from functools import cache

import pytest

import graphir
from graphir.profiles import pass_of
from graphir.schema import Schema
from tests.conformance.deciding import Facts, Judge
from tests.conformance.mutants import KINDS
from tests.conformance.study import CORPORA, OF_SCHEMA, Outcome, errors, gold, mutants, restored
from tests.outside import FULL

CLEAN = ("cypherbench", "zograscope")
"""The corpora whose every query fits its schema."""


@cache
def outcomes() -> tuple[Outcome, ...]:
    count = 150 if FULL else 6
    return tuple(each for corpus in CORPORA for each in mutants(corpus, count, seed=1))


@pytest.mark.parametrize("kind", KINDS)
def test_what_the_schema_decides_is_found(kind: str) -> None:
    decided = [each for each in outcomes() if each.mutant.kind == kind and each.decidable]
    assert len(decided) >= 15
    assert [each.mutant for each in decided if not each.found] == []


def test_arrows_are_turned_back_or_left() -> None:
    """A safe repair gives the original query; one that the schema decides is always found."""
    arrows = [each for each in outcomes() if each.mutant.kind == "arrow"]
    results = [(each, restored(each)) for each in arrows]
    assert [each.mutant for each, result in results if result is False] == []
    assert sum(result is True for _, result in results) >= 0.9 * sum(each.decidable for each in arrows)


@pytest.mark.parametrize("corpus", CLEAN)
def test_good_queries_are_left_alone(corpus: str) -> None:
    found = gold(corpus, None if FULL else 300)
    assert found.queries >= 300
    assert found.alarms == []


# ------------------------------------------------------------------ the judge

SCHEMA = Schema.read("(Author, WROTE, Book), (Author, KNOWS, Author), (Book, IN, Genre)", "triples")


def faults(text: str, schema: Schema = SCHEMA) -> list[str]:
    return Judge(graphir.parse(text), Facts(schema)).faults()


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (a:Author)-[:WROTE]->(b:Book) RETURN a.name, b.title",
        "MATCH (b:Book)<-[:WROTE]-(a) RETURN a",
        "MATCH (a:Author)-[:KNOWS*1..3]->(b)-[:WROTE]->(c) RETURN c",
        "MATCH (a)-[:WROTE]-(b:Author) RETURN a",
        "MATCH (g:Genre)<--(b)<--(a:Author) RETURN g",
        "MATCH (a:Author) WHERE NOT (a)-[:WROTE]->(:Book) RETURN a",
        "MATCH (g:Genre)-->(b) RETURN g",
        "MATCH (a:Author|Unlisted)-[:UNLISTED]->(b) RETURN a",
        "MATCH (a:Author)-[:UNLISTED]->(b:Genre) RETURN a",
        "MATCH (a:Author) WITH a.name AS a MATCH (a:Genre) RETURN a",
        "MATCH (a:Author) WITH collect(a) AS l MATCH (a:Genre) RETURN a, l",
    ],
)
def test_judge_finds_nothing(text: str) -> None:
    assert faults(text) == []


@pytest.mark.parametrize(
    "text",
    [
        "MATCH (a:Author)<-[:WROTE]-(b:Book) RETURN a.name, b.title",
        "MATCH (b:Book)-[:WROTE]->(a) RETURN a",
        "MATCH (a:Author)-[:KNOWS*1..3]->(b:Book) RETURN b",
        "MATCH (a:Author)-[:WROTE]->(b)-[:WROTE]->(c) RETURN c",
        "MATCH (g:Genre)-[:IN|WROTE]->(b) RETURN g",
        "MATCH (a:Author) WHERE NOT (a)<-[:WROTE]-(:Book) RETURN a",
        "MATCH (a:Author) OPTIONAL MATCH (a)-[:IN]->(g) RETURN g",
        "MATCH (a)-[:WROTE]->(b) WITH b AS x MATCH (x)-[:KNOWS]->(y) RETURN y",
        "MATCH (a:Author) RETURN COUNT { (a)-[:IN]->() } AS c",
        "MATCH (a:Author) CALL (a) { MATCH (a)-[:IN]->(g) RETURN g } RETURN g",
    ],
)
def test_judge_finds_a_fault(text: str) -> None:
    assert faults(text)


def test_found_beyond_the_judge_is_no_alarm() -> None:
    """What the gate finds where the judge sees nothing is a fault that needs no schema, or one that was read closer."""
    beyond = [each for each in outcomes() if each.found and not each.decidable and not each.alike]
    assert len(beyond) <= len(outcomes()) // 50
    assert all(pass_of(code) in (*OF_SCHEMA, "types", "names") for each in beyond for code in each.found)


def test_errors_are_those_of_the_gate() -> None:
    assert [each.code for each in errors("MATCH (a:Author)<-[:WROTE]-(b:Book) RETURN a", SCHEMA)] == ["G230"]
