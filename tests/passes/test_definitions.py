"""Statements that define graphs: what they are, the schema that they say, and what is wrong with them."""

from __future__ import annotations

import pytest

import graphir
from graphir import ir
from graphir.passes.definitions import FORMATS, schema_of

TYPE = "{ (p:Person {name STRING}), (p)-[:KNOWS {since DATE}]->(p) }"
TABLES = """PROPERTY GRAPH g
  NODE TABLES (Person KEY (id) LABEL Person PROPERTIES (id, name OPTIONS (description = 'n')))
  EDGE TABLES (
    Knows KEY (k) SOURCE KEY (a) REFERENCES Person (id) DESTINATION KEY (b) REFERENCES Person (id) LABEL KNOWS
  )
"""


@pytest.mark.parametrize(
    ("text", "dialect", "kind"),
    [
        (f"CREATE GRAPH TYPE t AS {TYPE}", "gql-iso", "create graph type"),
        (f"CREATE OR REPLACE PROPERTY GRAPH TYPE t AS {TYPE}", "gql-iso", "create property graph type"),
        (f"CREATE GRAPH g TYPED {TYPE}", "gql-iso", "create graph"),
        ("CREATE GRAPH g :: t", "gql-iso", "create graph"),
        (f"CREATE {TABLES}", "gql-spanner", "create property graph"),
        (f"CREATE OR REPLACE {TABLES}", "gql-bigquery", "create property graph"),
        (f"CREATE {TABLES}", "pgq-googlesql", "create property graph"),
        ("DROP PROPERTY GRAPH IF EXISTS g", "pgq-googlesql", "drop property graph"),
        ("ALTER PROPERTY GRAPH g DROP LABEL x", "pgq-googlesql", "alter property graph"),
        ("DROP GRAPH TYPE t", "gql-iso", "drop graph type"),
    ],
)
def test_what_is_defined(text: str, dialect: str, kind: str) -> None:
    query = graphir.parse(text, dialect)
    assert isinstance(query.body, ir.Command)
    assert (query.body.kind, query.body.access) == (kind, "write")
    found = schema_of(query, dialect)
    if kind.startswith("create") and text[-1] != "t":
        assert found is not None
        assert found.write("triples").strip() == "(Person, KNOWS, Person)"
        assert found == graphir.Schema.read(text, FORMATS[dialect])
    else:
        assert found is None
    assert [each for each in graphir.check(text, dialect) if each.severity == "error"] == []


@pytest.mark.parametrize(
    ("text", "dialect", "where"),
    [
        ("CREATE GRAPH TYPE t AS { (p:Person {name STRING), }", "gql-iso", ("G001", 1, 48)),
        ("CREATE GRAPH TYPE t AS { (p:Person {name}) }", "gql-iso", ("G085", 1, 41)),
        ("CREATE PROPERTY GRAPH g\nNODE TABLES (Person KEY id)", "gql-spanner", ("G085", 2, 25)),
        ("CREATE OR REPLACE PROPERTY GRAPH IF NOT EXISTS g NODE TABLES (P)", "pgq-googlesql", ("G347", 1, 1)),
        ("CREATE PROPERTY GRAPH g NODE TABLES (P, P)", "pgq-googlesql", ("G347", 1, 41)),
        ("CREATE PROPERTY GRAPH g NODE TABLES (P", "pgq-googlesql", ("G001", 1, 37)),
    ],
)
def test_what_is_none(text: str, dialect: str, where: tuple[str, int, int]) -> None:
    found = [each for each in graphir.check(text, dialect) if each.severity == "error"]
    assert [(each.code, each.line, each.column) for each in found] == [where]


def test_places_are_those_of_the_whole_text() -> None:
    text = "CREATE SCHEMA s;\n  CREATE GRAPH TYPE t { (p:Person {name}) }"
    found = [each for each in graphir.check(text, "gql-iso") if each.code == "G085"]
    assert [(each.line, each.column, text[each.start : each.end]) for each in found] == [(2, 40, "}")]


def test_what_is_no_definition() -> None:
    for text in ("MATCH (n) RETURN n.x", "COMMIT"):
        assert schema_of(graphir.parse(text, "gql-iso"), "gql-iso") is None
