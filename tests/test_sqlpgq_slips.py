"""Slips in SQL/PGQ: pieces of Cypher and what is missing, with the place and the repair."""

from __future__ import annotations

import pytest

import graphir

A = "SELECT t.n FROM GRAPH_TABLE "
SLIPS = [
    (A + "(g MATCH (a IS p)-[e IS k*1..3]->(b) COLUMNS (b.n AS n)) t", "G028", "*1..3", "(a IS p)-[e IS k]->{1,3}(b)"),
    (A + "(g MATCH (a IS p)<-[e IS k*2]-(b) COLUMNS (b.n AS n)) t", "G028", "*2", "(a IS p)<-[e IS k]-{2}(b)"),
    (A + "(g MATCH (a IS p)-[IS k*..2]-(b) COLUMNS (b.n AS n)) t", "G028", "*..2", "(a IS p)-[IS k]-{1,2}(b)"),
    (A + "(g MATCH (a IS p)-[e IS k]{1,3}->(b) COLUMNS (b.n AS n)) t", "G028", "{1,3}", "-[e IS k]->{1,3}(b)"),
    (A + "(g MATCH (a IS p)-[e IS k]->{1..3}(b) COLUMNS (b.n AS n)) t", "G028", "..", "-[e IS k]->{1,3}(b)"),
    (A + "(g MATCH (a IS p)-->(b IS p) COLUMNS (b.n AS n)) t", "G028", "--", "(a IS p)->(b IS p)"),
    (A + "(g MATCH (a IS p)<--(b IS p) COLUMNS (b.n AS n)) t", "G028", "<--", "(a IS p)<-(b IS p)"),
    (A + "(g MATCH (a IS p)--(b IS p) COLUMNS (b.n AS n)) t", "G028", "--", "(a IS p)-(b IS p)"),
    (A + "(g (a IS p) COLUMNS (a.n AS n)) t", "G031", "(", "(g MATCH (a IS p)"),
    (A + "(g, MATCH (a IS p) COLUMNS (a.n AS n)) t", "G026", ",", "(g MATCH (a IS p)"),
    (A + "(g MATCH (a IS p) WHERE a.n == 'x' COLUMNS (a.n AS n)) t", "G014", "==", "WHERE a.n = 'x'"),
    (A + "(g MATCH (a IS p) WHERE a.n = 'x' && a.i = 1 COLUMNS (a.n AS n)) t", "G014", "&&", "a.n = 'x' AND a.i = 1"),
    (A + "(`g` MATCH (a IS p) COLUMNS (a.`n` AS n)) t", "G015", "`g`", '("g" MATCH (a IS p) COLUMNS (a."n" AS n))'),
    (A + "(g MATCH (a IS p) RETURN a.n AS n, a.i) t", "G001", "RETURN a.n AS n, a.i", "COLUMNS (a.n AS n, a.i)) t"),
]


@pytest.mark.parametrize("dialect", ["pgq-oracle-23ai", "pgq-postgres", "pgq-duckpgq", "pgq-hyper", "pgq-iso"])
@pytest.mark.parametrize(("text", "code", "place", "repaired"), SLIPS)
def test_a_slip_is_told_at_its_place_and_mended(text: str, code: str, place: str, repaired: str, dialect: str) -> None:
    found = graphir.check(text, dialect)[0]
    assert (found.code, text[found.start : found.end]) == (code, place)
    assert found.fix is not None
    mended = text
    for edit in sorted(found.fix.edits, key=lambda edit: -edit.start):
        mended = mended[: edit.start] + edit.text + mended[edit.end :]
    again = graphir.check(mended, dialect)
    assert not [each for each in again if (each.code, each.start) == (code, found.start)]
    if code != "G015":
        assert repaired in mended


@pytest.mark.parametrize(
    ("text", "code", "place"),
    [
        (A + "(MATCH (a IS p) COLUMNS (a.n AS n)) t", "G031", "MATCH"),
        (A + "(g COLUMNS (a.n AS n)) t", "G031", "COLUMNS"),
        (A + "(g MATCH (a IS p) OPTIONAL MATCH (a)-[e]->(b) COLUMNS (a.n AS n)) t", "G019", "OPTIONAL"),
        (A + "(g MATCH (a IS p) MATCH (a)-[e]->(b) COLUMNS (a.n AS n)) t", "G019", "MATCH"),
        (A + "(g MATCH (a IS p) WITH a.n AS n COLUMNS (n)) t", "G019", "WITH"),
        (A + "(g MATCH (a IS p) COLUMNS (a.n AS n) ORDER BY n) t", "G019", "ORDER"),
        (A + "(g MATCH (a IS p) COLUMNS (a.n AS n) WHERE a.n = 'x') t", "G019", "WHERE"),
        (A + "(g MATCH (a IS p) RETURN DISTINCT a.n AS n) t", "G001", "RETURN DISTINCT a.n AS n"),
    ],
)
def test_what_does_not_stand_in_a_graph_table_is_told_at_its_place(text: str, code: str, place: str) -> None:
    for dialect in ("pgq-oracle-23ai", "pgq-postgres", "pgq-duckpgq"):
        found = graphir.check(text, dialect)[0]
        assert (found.code, text[found.start : found.end]) == (code, place)


def test_oracle_has_a_number_for_a_missing_match() -> None:
    assert graphir.check(A + "(g (a IS p) COLUMNS (a.n AS n)) t", "pgq-oracle-23ai")[0].vendor == "ORA-49006"


def test_comments_stay_comments() -> None:
    text = A + "(g MATCH (a IS p) -- (those) > all\n COLUMNS (a.n AS n)) t -->(b)"
    assert graphir.check(text, "pgq-postgres") == []


def test_what_no_dialect_has_is_not_expected() -> None:
    found = graphir.check(A + "(g MATCH (a IS p AND q) COLUMNS (a.n AS n)) t", "pgq-postgres")[0]
    assert found.message == "unexpected `AND`: expected `&`, `)`, `{`, `|` or `WHERE` (PostgreSQL: 42601)"


@pytest.mark.parametrize(
    ("text", "code", "mended"),
    [
        ("MATCH (a)-[e:k*1..3]->(b) RETURN b.n", "G028", "MATCH (a)-[e:k]->{1,3}(b) RETURN b.n"),
        ("MATCH (a)-[e]->{1..3}(b) RETURN b.n", "G028", "MATCH (a)-[e]->{1,3}(b) RETURN b.n"),
        (
            "SELECT n FROM GRAPH_TABLE('g' MATCH (a) RETURN a.n)",
            "G024",
            "SELECT n FROM GRAPH_TABLE(g MATCH (a) RETURN a.n)",
        ),
    ],
)
def test_slips_in_patterns_of_gql(text: str, code: str, mended: str) -> None:
    dialect = "pgq-googlesql" if text.startswith("SELECT") else "gql-spanner"
    assert graphir.check(text, dialect)[0].code == code
    assert graphir.repair(text, dialect=dialect, schema=None, unsafe=True).text == mended
