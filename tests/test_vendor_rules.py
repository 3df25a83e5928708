"""What graphir refuses of SQL/PGQ is what the databases refuse, each with its own code, and repairs are right there.

The verdicts of vendors.txt are those of Oracle's manuals, of PostgreSQL's and DuckPGQ's tests, and of Hyper.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import graphir
from graphir import Schema, repairs
from graphir.diagnostics import codes, render
from graphir.passes.vendors.findings import Findings
from graphir.passes.vendors.rules import DEFINITIONS, QUERIES
from graphir.source import Source
from tests.rules.vendors import DIALECTS, FOLDER, Verdict, found, said, sections


def differences(verdicts: list[Verdict]) -> Iterator[str]:
    for verdict in verdicts:
        for dialect, stated in verdict.said.items():
            ours = said(verdict.text, dialect)
            if ours != stated:
                yield f"{dialect} {stated}, not {ours}: {verdict.text}"


@pytest.mark.parametrize("title", list(sections()))
def test_verdicts(title: str) -> None:
    assert list(differences(sections()[title])) == []


def repaired(text: str, dialect: str) -> str:
    return repairs.repair(text, lambda each: (True, found(each, dialect))).text


@pytest.mark.parametrize("title", list(sections()))
def test_repairs(title: str) -> None:
    """A safe repair is what is stated, and nothing else is; what was repaired is taken, or what is left is said."""
    for verdict in sections()[title]:
        for dialect in DIALECTS:
            assert repaired(verdict.text, dialect) == verdict.repaired.get(dialect, verdict.text), dialect


def test_every_rule_has_a_statement(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: set[str] = set()
    report = Findings.report

    def noted(self: Findings, rule: str, *args: object, **more: object) -> None:
        if self.holds(rule):
            asked.add(rule)
        report(self, rule, *args, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(Findings, "report", noted)
    for verdicts in sections().values():
        for verdict in verdicts:
            for dialect in DIALECTS:
                found(verdict.text, dialect)
    assert {*DEFINITIONS, *QUERIES} - asked <= ELSEWHERE


ELSEWHERE = {
    "syntax",
    "reserved word",
    "no match",
    "star in a condition",
    "collation of key",
    "two collations",
    "temporary table",
    "no such property",
    "still needed",
}
"""Rules whose statements need another database, or are in tests/conformance."""


def test_every_rule_has_a_page() -> None:
    assert {rule.code for rule in (*DEFINITIONS.values(), *QUERIES.values())} <= set(codes())


def test_nothing_is_said_of_what_is_not_known() -> None:
    """Without a schema graphs, labels and properties are free."""
    text = "SELECT t.x FROM GRAPH_TABLE (shop MATCH (a IS whatever)-[e IS such]->(b) COLUMNS (b.much AS x)) t"
    assert all(graphir.check(text, dialect) == [] for dialect in ("pgq-oracle-23ai", "pgq-postgres", "pgq-hyper"))


SCHEMA = Schema.read((FOLDER / "vendors.sql").read_text(encoding="utf-8"), "postgres-ddl")


def test_a_schema_is_a_catalog() -> None:
    text = "SELECT t.x FROM GRAPH_TABLE (g MATCH (a IS persn) COLUMNS (a.nme AS x)) t"
    told = graphir.check(text, "pgq-postgres", SCHEMA)
    assert [(each.code, each.vendor, each.hint) for each in told] == [
        ("G140", "42704", "did you mean `person`?"),
        ("G142", "42601", "did you mean `name`?"),
    ]


@pytest.mark.parametrize("dialect", ["pgq-postgres", "pgq-oracle-26ai"])
def test_a_graph_may_be_over_tables_that_the_schema_does_not_know(dialect: str) -> None:
    text = "CREATE PROPERTY GRAPH other VERTEX TABLES (person KEY (id), anything KEY (id))"
    assert graphir.check(text, dialect, SCHEMA) == []


CONDITIONS = {
    "(a.age = 1)": ("a.age = 1", ""),
    "(a.age = 1) AND t.x = 'y'": ("a.age = 1", "t.x = 'y'"),
    "t.x = 'y' AND (a.age = 1)": ("a.age = 1", "t.x = 'y'"),
    "a.age = 1 AND (t.x = 'y' OR t.x = 'z')": ("a.age = 1", "(t.x = 'y' OR t.x = 'z')"),
    "(t.x = 'y' OR t.x = 'z') AND ((a.age = 1 OR a.age = 2))": (
        "(a.age = 1 OR a.age = 2)",
        "(t.x = 'y' OR t.x = 'z')",
    ),
}
"""A condition around a GRAPH_TABLE -> what of it is moved into it, and what stays."""


@pytest.mark.parametrize("condition", CONDITIONS)
def test_a_condition_moves_with_its_brackets(condition: str) -> None:
    around = "SELECT t.x FROM GRAPH_TABLE (g MATCH (a IS person){} COLUMNS (a.name AS x)) t{}"
    inside, left = CONDITIONS[condition]
    found = graphir.repair(around.format("", f" WHERE {condition}"), dialect="pgq-postgres", schema=SCHEMA)
    assert found.text == around.format(f" WHERE {inside}", f" WHERE {left}" if left else "")
    assert found.remaining == ()


def test_a_property_that_is_a_column_already_is_asked_there() -> None:
    text = "SELECT a.age + a.age AS y FROM GRAPH_TABLE (g MATCH (a IS person) COLUMNS (a.name AS x)) t"
    asked = "SELECT age + age AS y FROM GRAPH_TABLE (g MATCH (a IS person) COLUMNS (a.name AS x, a.age)) t"
    assert graphir.repair(text, dialect="pgq-postgres", schema=SCHEMA).text == asked


def test_the_code_of_the_database_is_told() -> None:
    text = "SELECT t.x FROM GRAPH_TABLE (g MATCH (a:person) COLUMNS (a.name AS x)) t"
    (told,) = graphir.check(text, "pgq-oracle-26ai")
    assert told.vendor == "ORA-03050"
    assert told.to_json()["vendor"] == "ORA-03050"
    assert "error of the database: ORA-03050" in render(Source(text), told)
    mended = graphir.repair(text, dialect="pgq-oracle-26ai")
    assert mended.text == text.replace(":", " IS ")
    assert mended.remaining == ()


def test_two_columns_of_one_name_are_a_warning() -> None:
    text = "SELECT * FROM GRAPH_TABLE (g MATCH (a IS person) COLUMNS (a.id AS x, a.age AS x)) t"
    assert [(each.code, each.severity) for each in graphir.check(text, "pgq-oracle-23ai")] == [("G106", "warning")]


def test_faults_of_syntax_have_the_code_of_the_database() -> None:
    assert [each.vendor for each in graphir.check("SELECT FROM WHERE", "pgq-postgres")] == ["42601"]
    assert [each.vendor for each in graphir.check("SELECT FROM WHERE", "pgq-duckpgq")] == ["Parser Error"]


def test_oracle_26ai_repeats_as_often_as_one_likes() -> None:
    text = "SELECT t.x FROM GRAPH_TABLE (g MATCH (a IS p)-[e IS k]->{1,20}(b IS p) COLUMNS (b.x AS x)) t"
    assert [each.code for each in graphir.check(text, "pgq-oracle-23ai")] == ["G257"]
    assert graphir.check(text, "pgq-oracle-26ai") == []


SCRIPT = """
CREATE TABLE person (id int PRIMARY KEY, name varchar(10));
CREATE PROPERTY GRAPH g VERTEX TABLES (person);
SELECT t.n FROM GRAPH_TABLE (g MATCH (a IS persons) COLUMNS (a.name AS n)) t;
CREATE PROPERTY GRAPH g VERTEX TABLES (person);
DROP PROPERTY GRAPH g;
SELECT t.n FROM GRAPH_TABLE (g MATCH (a IS persons) COLUMNS (a.name AS n)) t;
SELECT t.n FROM GRAPH_TABLE (other MATCH (a IS such) COLUMNS (a.name AS n)) t;
"""


@pytest.mark.parametrize("dialect", ["pgq-oracle-23ai", "pgq-postgres", "pgq-duckpgq"])
def test_the_statements_of_a_text_follow_each_other(dialect: str) -> None:
    """What one makes the next knows; of what stands elsewhere nothing is said."""
    told = graphir.check(SCRIPT, dialect)
    assert [(each.line, each.code) for each in told if each.severity == "error"] == [(4, "G140"), (5, "G088")]


@pytest.mark.parametrize(
    "pattern",
    ["-[e:k]->", "(a:p)-[e:k]->-[f:k]->(b:p)", "(a:p)(b:p)", "(a:p)((c:p)-[e:k]->(d:p)){1,2}(b:p)", "p = ->"],
)
def test_patterns_of_any_shape_are_judged(pattern: str) -> None:
    """DuckPGQ takes none of them, and no dialect fails on one."""
    text = f"SELECT * FROM GRAPH_TABLE (g MATCH {pattern} COLUMNS (1 AS x)) t"
    told = {dialect: graphir.check(text, dialect) for dialect in (*DIALECTS, "pgq-iso", "pgq-oracle-26ai")}
    assert [each.severity for each in told["pgq-duckpgq"]][:1] == ["error"]
