"""What differs between two schemas, and the commands on schemas."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from graphir import Schema
from graphir.schema.difference import compare
from tests.command_line import graphir

OLD = "CREATE TABLE a (id INT PRIMARY KEY, x TEXT, y TEXT); CREATE PROPERTY GRAPH g VERTEX TABLES (a LABEL A)"
NEW = (
    "CREATE TABLE a (id INT PRIMARY KEY, x BIGINT, z TEXT); CREATE TABLE b (id INT PRIMARY KEY);"
    "CREATE PROPERTY GRAPH g VERTEX TABLES (a LABEL A, b) EDGE TABLES ("
    "a AS e SOURCE KEY (id) REFERENCES a (id) DESTINATION KEY (id) REFERENCES b (id) NO PROPERTIES)"
)
LINES = [
    "~ property (:A).x: type STRING -> INTEGER",
    "- property (:A).y",
    "+ property (:A).z",
    "+ node type (:b)",
    "+ edge type (:A)-[:e]->(:b)",
]


@pytest.fixture
def files(tmp_path: Path) -> tuple[str, str]:
    found = []
    for name, text in (("old", OLD), ("new", NEW)):
        path = tmp_path / f"{name}.sql"
        path.write_text(text, encoding="utf-8")
        found.append(str(path))
    return found[0], found[1]


def test_differences() -> None:
    old, new = (Schema.read(text, "postgres-ddl") for text in (OLD, NEW))
    assert compare(old, old) == ()
    assert [(c.kind, c.name, c.field) for c in compare(old, new)] == [
        ("changed", "(:A).x", "type"),
        ("removed", "(:A).y", None),
        ("added", "(:A).z", None),
        ("added", "(:b)", None),
        ("added", "(:A)-[:e]->(:b)", None),
    ]


def test_unknown_is_another_thing_than_absent() -> None:
    known = Schema.read("CREATE PROPERTY GRAPH g VERTEX TABLES (a NO PROPERTIES)", "postgres-ddl")
    unknown = Schema.read("CREATE PROPERTY GRAPH g VERTEX TABLES (a)", "postgres-ddl")
    (change,) = compare(known, unknown)
    assert (change.field, change.old, change.new) == ("properties", "known", "not known")


def test_diff(files: tuple[str, str]) -> None:
    result = graphir("schema", "diff", *files, "--from", "postgres-ddl")
    assert (result.exit_code, result.stdout.splitlines()) == (1, LINES)
    same = graphir("schema", "diff", files[0], files[0], "--from", "postgres-ddl")
    assert (same.exit_code, same.stdout) == (0, "")
    rows = json.loads(graphir("schema", "diff", *files, "--from", "postgres-ddl", "--format", "json").stdout)
    assert rows[0]["old"] == "STRING"
    assert rows[1] == {"kind": "removed", "what": "property", "name": "(:A).y"}


def test_show(files: tuple[str, str]) -> None:
    result = graphir("schema", "show", files[1], "--from", "postgres-ddl")
    assert result.exit_code == 0
    assert "  (:A)  key id\n    id  INTEGER32 NOT NULL\n    x   INTEGER\n" in result.stdout
    as_json = graphir("schema", "show", files[1], "--from", "postgres-ddl", "--format", "json").stdout
    assert Schema.read(as_json) == Schema.read(NEW, "postgres-ddl")


def test_convert_between_files(files: tuple[str, str], tmp_path: Path) -> None:
    target = tmp_path / "out.gql"
    result = graphir("schema", "convert", files[1], "--from", "postgres-ddl", "--to", "gql", "-o", str(target))
    assert (result.exit_code, result.stdout) == (0, "")
    assert "(:A)-[:e]->(:b)" in target.read_text(encoding="utf-8")


def test_convert_tells_guesses_apart_from_the_result() -> None:
    text = "CREATE TABLE t (id INT64 NOT NULL, up INT64, FOREIGN KEY (up) REFERENCES t (id)) PRIMARY KEY (id)"
    result = graphir("schema", "convert", "-", "--to", "neo4j", input=text)
    assert result.exit_code == 0
    assert result.stderr == "guessed: the foreign key t(up) is read as edges HAS_UP to t\n"
    assert "REQUIRE (n.id) IS NODE KEY;" in result.stdout


def test_infer_from_a_folder(tmp_path: Path) -> None:
    (tmp_path / "person.csv").write_text(":ID(Person),name\n1,Ada\n2,Bo\n", encoding="utf-8")
    (tmp_path / "knows.csv").write_text(":START_ID(Person),:END_ID(Person)\n1,2\n", encoding="utf-8")
    result = graphir("schema", "infer", str(tmp_path), "--to", "triples")
    assert result.exit_code == 0
    assert "knows" in result.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("show", "no/such/file.sql"),
        ("convert", "(A, R, B)", "--to", "yaml"),
        ("convert", "(A, R, B", "--from", "triples", "--to", "gql"),
        ("infer", "no/such/folder"),
        ("diff", "(A, R, B)", "?"),
    ],
)
def test_what_cannot_be_done_is_told(arguments: tuple[str, ...]) -> None:
    result = graphir("schema", *arguments)
    assert (result.exit_code, result.stdout) == (2, "")
    assert "G08" in result.stderr


def test_formats_are_listed() -> None:
    lines = graphir("schema", "formats").stdout.splitlines()
    assert any(line.split()[:3] == ["spanner-ddl", "read", "write"] for line in lines)
    assert any(line.split()[:2] == ["cypherbench-json", "read"] for line in lines)
