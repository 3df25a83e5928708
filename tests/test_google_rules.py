"""What graphir refuses in GoogleSQL's graph queries is what Google's analyzer refuses, at the same place."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import graphir
from graphir import Schema
from graphir.grammar import gql
from graphir.passes.google.catalog import of_schema
from graphir.passes.google.check import analyze
from graphir.passes.google.features import PROFILES as FEATURES
from graphir.profiles import LINT
from graphir.settings import profile_of
from graphir.source import Source
from tests.rules.google import PROFILES, Verdict, agree, definitions, sections

SCHEMA = Schema.read(definitions(), "spanner-ddl")


def said(query: str, profile: str) -> str:
    """`ok`, or the column of the first fault."""
    found = analyze(
        gql.parse(query, "gql-spanner"), Source(query), of_schema(SCHEMA, "gql-spanner"), FEATURES[PROFILES[profile]]
    )
    return str(found[0].column) if found else "ok"


def differences(verdicts: list[Verdict]) -> Iterator[str]:
    for verdict in verdicts:
        for profile, stated in verdict.columns.items():
            found = said(verdict.query, profile)
            if not agree(verdict.query, stated, found):
                yield f"{profile} {stated}, not {found}: {verdict.query}"


@pytest.mark.parametrize("title", list(sections()))
def test_verdicts(title: str) -> None:
    assert list(differences(sections()[title])) == []


def test_nothing_is_said_of_what_is_not_known() -> None:
    """Without a schema labels, properties and their types are free."""
    pattern = "GRAPH g MATCH (n:Whatever)-[e:Such]->{1,3}(m) LET s = SUM(e.much)"
    query = f"{pattern} RETURN n.name || 'x' AS x, s, m.id + 1 AS y"
    assert graphir.check(query, "gql-spanner") == []


def test_a_name_that_was_meant_is_a_fix() -> None:
    found = graphir.check("GRAPH Bank MATCH (p:Persn) RETURN p.nam AS n", "gql-spanner", SCHEMA)
    assert [(each.code, each.hint) for each in found] == [("G140", "did you mean `Person`?")]
    found = graphir.check("GRAPH Bank MATCH (p:Person) RETURN p.nam AS n", "gql-spanner", SCHEMA)
    assert found[0].code == "G142"
    assert "name" in found[0].expected
    assert found[0].fix is not None
    assert found[0].fix.edits[0].text == "name"


def test_faults_are_told_once() -> None:
    """The passes that GQL has in common say nothing that the analysis of GoogleSQL says."""
    query = "GRAPH Bank MATCH (p:Person) WHERE p.name = 3 RETURN q.name, p.balance"
    found = graphir.check(query, "gql-spanner", SCHEMA, "gate")
    assert [each.code for each in found] == ["G301", "G101", "G143"]


@pytest.mark.parametrize(
    "query",
    [
        "RETURN " + "(" * 240 + "1" + " + 1)" * 240 + " AS x",
        "RETURN " + "ABS(" * 240 + "1" + ")" * 240 + " AS x",
        "RETURN " + "CASE WHEN TRUE THEN " * 100 + "1" + " END" * 100 + " AS x",
    ],
)
def test_the_deepest_queries_are_checked(query: str) -> None:
    assert graphir.check(query, "gql-spanner") == []


def test_names_are_without_case() -> None:
    assert graphir.check("GRAPH BANK MATCH (P:PERSON) RETURN p.NAME AS n", "gql-spanner", SCHEMA) == []


@pytest.mark.parametrize(
    ("query", "dialect", "place"),
    [
        ("RETURN 'ß' AS s, EXTRACT(fool FROM DATE '2020-01-01') AS x", "gql-spanner", "fool"),
        ("SELECT 'ß' AS s, t.* EXCEPT (Gone) FROM (SELECT 1 AS one) AS t", "pgq-googlesql", "Gone"),
    ],
)
def test_places_behind_letters_whose_capital_is_two(query: str, dialect: str, place: str) -> None:
    assert [query[found.start : found.end] for found in graphir.check(query, dialect)] == [place]


def test_the_emulator_has_less() -> None:
    emulator = profile_of({"name": "emulator", "emulator": True}, LINT)
    query = "GRAPH Bank MATCH (p:Person) LET q = p RETURN q.name"
    assert graphir.check(query, "gql-spanner", SCHEMA) == []
    assert [each.code for each in graphir.check(query, "gql-spanner", SCHEMA, emulator)] == ["G340"]


def test_parameters_have_the_types_of_the_profile() -> None:
    typed = profile_of({"name": "typed", "parameters": {"who": "INTEGER"}}, LINT)
    query = "GRAPH Bank MATCH (p:Person) WHERE p.name = @who RETURN p.id"
    assert graphir.check(query, "gql-spanner", SCHEMA) == []
    assert [each.code for each in graphir.check(query, "gql-spanner", SCHEMA, typed)] == ["G301"]


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("SELECT g.x FROM GRAPH_TABLE(Bank MATCH (p:Person) COLUMNS (p.name AS n)) AS g", "G307"),
        ("SELECT n FROM GRAPH_TABLE(Bank MATCH (p:Person) COLUMNS (p.nam AS n))", "G142"),
        ("SELECT n, COUNT(*) FROM GRAPH_TABLE(Bank MATCH (p:Person) COLUMNS (p.name AS n, p.id)) GROUP BY id", "G127"),
        ("SELECT n FROM GRAPH_TABLE(Bank MATCH (p:Person) COLUMNS (COUNT(*) AS n))", "G112"),
        ("SELECT p FROM GRAPH_TABLE(Bank MATCH (p:Person) COLUMNS (p))", "G340"),
        ("SELECT (SELECT n) FROM GRAPH_TABLE(Bank MATCH (p:Person) COLUMNS (p.name AS n))", None),
        ("WITH t AS (SELECT 1 AS a) SELECT t.a, u.b FROM t JOIN (SELECT 2 AS b) AS u ON t.a = u.b", None),
    ],
)
def test_sql_around_a_pattern(query: str, code: str | None) -> None:
    found = analyze(gql.parse(query, "pgq-googlesql"), Source(query), of_schema(SCHEMA, "gql-spanner"))
    assert [each.code for each in found] == ([code] if code else [])
