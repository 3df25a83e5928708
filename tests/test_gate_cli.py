"""`graphir check` with schemas and profiles, `graphir repair`: on queries, scripts and corpora."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest

from tests.command_line import codes, graphir, rows

SCHEMA = """Node properties:
Person {name: STRING, age: INTEGER}
Film {title: STRING}
Relationship properties:
ACTED_IN {year: INTEGER}
The relationships:
(:Person)-[:ACTED_IN]->(:Film)
"""
REVERSED = "MATCH (f:Film)-[:ACTED_IN]->(p:Person) RETURN p.name"
MENDED = "MATCH (f:Film)<-[:ACTED_IN]-(p:Person) RETURN p.name"


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with schemas and corpora that tests work in."""
    monkeypatch.chdir(tmp_path)
    Path("schema.txt").write_text(SCHEMA)
    with Path("schemas.jsonl").open("w") as out:
        for row in (
            {"id": "films", "format": "text2cypher-2024-text", "text": SCHEMA},
            {"id": "shop", "format": "triples", "text": "(Customer, BOUGHT, Item)"},
            {"id": "broken", "format": "json", "text": "{"},
        ):
            out.write(json.dumps(row) + "\n")
    with Path("queries.jsonl").open("w") as out:
        for name, query in (
            ("films", REVERSED),
            ("shop", "MATCH (i:Item)-[:BOUGHT]->(c:Customer) RETURN c"),
            ("films", "MATCH (p:Person) RETURN p.name"),
            ("missing", "RETURN 1 AS x"),
            ("broken", "RETURN 1 AS x"),
            (None, "RETURN m"),
            ("films", "RETURN"),
        ):
            out.write(json.dumps({"schema": name, "query": query}) + "\n")
    return tmp_path


# ------------------------------------------------------------------ check


def test_check_against_a_schema() -> None:
    result = graphir("check", REVERSED, "--schema", "schema.txt")
    assert result.exit_code == 1
    assert "warning G230" in result.stdout
    assert "fix (safe)" in result.stdout
    assert graphir("check", MENDED, "--schema", "schema.txt", "--profile", "gate").exit_code == 0
    assert "error G230" in graphir("check", REVERSED, "--schema", "schema.txt", "--profile", "gate").stdout
    assert graphir("check", REVERSED).exit_code == 0


def test_the_format_of_a_schema_can_be_named() -> None:
    Path("other.txt").write_text("(Person, ACTED_IN, Film)")
    assert "G230" in graphir("check", REVERSED, "--schema", "other.txt", "--schema-format", "triples").stdout
    wrong = graphir("check", REVERSED, "--schema", "other.txt", "--schema-format", "json")
    assert wrong.exit_code == 2
    assert wrong.stderr.startswith("Error: other.txt:1:2: G080: ")


def test_select_ignore_and_fail_on() -> None:
    query = "MATCH (f:Film)-[:ACTED_IN]->(p:Person) WHERE p.age = '4' RETURN p.nam"
    check = ("check", query, "--schema", "schema.txt", "--format", "json")

    def listed(*options: str) -> list[str]:
        (row,) = rows(graphir(*check, *options).stdout)
        return codes(row)

    assert listed() == ["G230", "G321", "G142"]
    assert listed("--select", "G2,G321") == ["G230", "G321"]
    assert listed("--ignore", "G2", "--ignore", "G321") == ["G142"]
    assert listed("--select", "none") == []
    assert graphir(*check, "--fail-on", "G5").exit_code == 0
    assert graphir(*check, "--fail-on", "G23").exit_code == 1


def test_require_directed() -> None:
    query = "MATCH (p:Person)-[:ACTED_IN]-(f:Film) RETURN f.title"
    assert graphir("check", query).stdout == ""
    assert "G232" in graphir("check", query, "--require-directed").stdout


def test_profiles_of_the_project() -> None:
    Path("pyproject.toml").write_text('[tool.graphir.profiles.mine]\nextends = "gate"\nignore = ["G230"]\n')
    assert graphir("check", REVERSED, "--schema", "schema.txt", "--profile", "mine").exit_code == 0
    Path("own.toml").write_text("[profiles.theirs]\nrequire-directed = true\n")
    assert "G232" in graphir("check", "MATCH (a)--(b) RETURN a", "--config", "own.toml", "--profile", "theirs").stdout
    unknown = graphir("check", REVERSED, "--config", "own.toml", "--profile", "mine")
    assert unknown.exit_code == 2
    assert "known: lint, gate, strict, theirs" in unknown.stderr
    Path("own.toml").write_text("[profiles.theirs]\nrequire_directed = true\n")
    wrong = graphir("check", REVERSED, "--config", "own.toml")
    assert wrong.exit_code == 2
    assert "did you mean 'require-directed'?" in wrong.stderr


def test_text_and_standard_input_are_one_query_at_the_gate() -> None:
    script = "RETURN 1 AS a; RETURN 2 AS b"
    Path("script.cypher").write_text(script)
    assert "G040" in graphir("check", script, "--profile", "gate").stdout
    assert "G040" in graphir("check", "-", "--profile", "gate", input=script).stdout
    assert graphir("check", "script.cypher", "--profile", "gate").stdout == ""
    assert graphir("check", script).stdout == ""


def test_comments_in_scripts() -> None:
    Path("script.cypher").write_text(
        "// graphir: ignore G101\nMATCH (n)\nRETURN m;\nRETURN k; // graphir: ignore G101\n"
        "// of nothing\nRETURN l;\nRETURN 1 AS x // graphir: ignore[G101]\n;\n"
    )
    found = graphir("check", "script.cypher").stdout
    assert [line.split(": ")[0] for line in found.splitlines() if line.startswith("script")] == [
        "script.cypher:6:8",
        "script.cypher:7:15",
    ]


# ------------------------------------------------------------------ rows with schemas of their own


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_rows_name_their_schemas(jobs: str) -> None:
    arguments = ("--schema-field", "schema", "--schemas", "schemas.jsonl", "--jobs", jobs, "-q", "-o", "out.jsonl")
    result = graphir("check", "queries.jsonl", *arguments, "--report", "report.json")
    assert result.exit_code == 1
    found = rows(Path("out.jsonl").read_bytes())
    assert [codes(row) for row in found] == [["G230"], ["G230"], [], ["G097"], ["G097"], ["G097"], ["G009"]]
    assert "no schema 'missing' in schemas.jsonl" in found[3]["diagnostics"][0]["message"]
    assert "cannot be read" in found[4]["diagnostics"][0]["message"]
    report = json.loads(Path("report.json").read_text())
    assert {row["code"]: row["rows"] for row in report["codes"]} == {"G097": 3, "G230": 2, "G009": 1}
    assert report["outcomes"]["unreadable"] == 3
    assert set(report["options"]["digests"]) == {"schemas"}


def test_a_schema_for_rows_that_name_none() -> None:
    arguments = ("--schema-field", "schema", "--schemas", "schemas.jsonl", "--schema", "schema.txt", "-q")
    found = rows(graphir("check", "queries.jsonl", *arguments).stdout)
    assert codes(found[5]) == ["G101"]


def test_cells_of_a_table_name_schemas() -> None:
    Path("table.csv").write_text(f'query,schema\n"{REVERSED}",films\n"{REVERSED}",\n')
    arguments = ("--schema-field", "schema", "--schemas", "schemas.jsonl", "-q", "--format", "json")
    found = rows(graphir("check", "table.csv", *arguments).stdout)
    assert [codes(each) for each in found] == [["G230"], ["G097"]]


def test_rows_that_hold_their_schemas() -> None:
    row = {"query": REVERSED, "schema_inline": "(Person, ACTED_IN, Film)"}
    Path("inline.jsonl").write_text(json.dumps(row) + "\n" + json.dumps({**row, "schema_inline": 3}) + "\n")
    found = rows(graphir("check", "inline.jsonl", "--schema-field", "schema_inline", "-q").stdout)
    assert [codes(each) for each in found] == [["G230"], ["G097"]]


def test_an_interrupted_run_goes_on_with_the_same_schemas_only() -> None:
    arguments = ("check", "queries.jsonl", "--schema-field", "schema", "--schemas", "schemas.jsonl", "-q")
    graphir(*arguments, "-o", "out.jsonl")
    whole = Path("out.jsonl").read_bytes()
    Path("out.jsonl").write_bytes(whole[: len(whole) // 2])
    assert graphir(*arguments, "-o", "out.jsonl", "--resume").exit_code == 1
    assert Path("out.jsonl").read_bytes() == whole


def test_translations_against_a_schema() -> None:
    refused = graphir("translate", REVERSED, "--to", "neo4j-5", "--schema", "schema.txt")
    assert refused.exit_code == 1
    assert refused.stdout == ""
    assert "G230" in refused.stderr
    assert graphir("translate", MENDED, "--to", "neo4j-5", "--schema", "schema.txt").stdout.startswith("MATCH")
    spanner = graphir("translate", MENDED, "--to", "gql-spanner", "--schema", "schema.txt")
    assert (spanner.exit_code, spanner.stdout.split()[0]) == (0, "GRAPH")


# ------------------------------------------------------------------ repair


def test_repair_of_a_query() -> None:
    result = graphir("repair", REVERSED, "--schema", "schema.txt")
    assert result.exit_code == 0
    assert result.stdout == MENDED + "\n"
    assert "<query>:1:15: fixed G230: " in result.stderr


def test_repair_tells_what_is_left() -> None:
    result = graphir("repair", REVERSED.replace("p.name", "p.nam"), "--schema", "schema.txt")
    assert result.exit_code == 1
    assert result.stdout == MENDED.replace("p.name", "p.nam") + "\n"
    assert "warning G142" in result.stderr
    unsafe = graphir("repair", REVERSED.replace("p.name", "p.nam"), "--schema", "schema.txt", "--unsafe")
    assert unsafe.stdout == MENDED + "\n"


def test_what_cannot_be_repaired_gives_nothing() -> None:
    result = graphir("repair", "MATCH (n RETURN n")
    assert result.exit_code == 1
    assert result.stdout == ""
    assert "error G0" in result.stderr


def test_repair_of_a_script_keeps_its_comments() -> None:
    script = f"// one\n{REVERSED}; // two\n\n/* three */ MATCH (p:Person) WHERE p.age == 3 RETURN p.age;\n"
    mended = f"// one\n{MENDED}; // two\n\n/* three */ MATCH (p:Person) WHERE p.age = 3 RETURN p.age;\n"
    path = Path("script.cypher")
    path.write_text(script)
    result = graphir("repair", path, "--schema", "schema.txt")
    assert result.exit_code == 0
    assert result.stdout == mended + "\n"
    assert "script.cypher:2:15: fixed G230" in result.stderr
    assert "script.cypher:4:42: fixed G014" in result.stderr
    assert path.read_text() == script
    written = graphir("repair", path, "--schema", "schema.txt", "--write")
    assert (written.exit_code, written.stdout) == (0, "")
    assert path.read_text() == mended
    assert graphir("repair", path, "--schema", "schema.txt", "--write").stderr == ""


def test_a_file_that_cannot_be_repaired_is_left_alone() -> None:
    path = Path("script.cypher")
    path.write_text("MATCH (n RETURN n == 2")
    result = graphir("repair", path, "--write")
    assert result.exit_code == 1
    assert "script.cypher:1:" in result.stderr
    assert path.read_text() == "MATCH (n RETURN n == 2"


def test_repair_of_a_corpus() -> None:
    arguments = ("--schema-field", "schema", "--schemas", "schemas.jsonl", "-q")
    result = graphir("repair", "queries.jsonl", *arguments, "-o", "out.jsonl", "--report", "report.json")
    assert result.exit_code == 1
    found = rows(Path("out.jsonl").read_bytes())
    assert [row["repaired"] for row in found] == [
        MENDED,
        "MATCH (i:Item)<-[:BOUGHT]-(c:Customer) RETURN c",
        "MATCH (p:Person) RETURN p.name",
        *[None] * 4,
    ]
    assert [[fixed["code"] for fixed in row["applied"] or ()] for row in found] == [["G230"], ["G230"], *[[]] * 5]
    assert codes(found[0]) == []
    assert json.loads(Path("report.json").read_text())["fixed"] == {"G230": 2}
    graphir("repair", "queries.jsonl", *arguments, "-o", "out.csv")
    with Path("out.csv").open(newline="") as lines:
        assert next(iter(csv.DictReader(lines)))["repaired"] == MENDED


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "RETURN 1", "--profile", "gates"),
        ("check", "RETURN 1", "--config", "missing.toml"),
        ("check", "RETURN 1", "--schema", "missing.txt"),
        ("check", "RETURN 1", "--schema", "schema.txt", "--schema-format", "nonsense"),
        ("check", "RETURN 1", "--schema-format", "triples"),
        ("check", "queries.jsonl", "--schemas", "schemas.jsonl"),
        ("check", "queries.jsonl", "--schemas", "queries.jsonl", "--schema-field", "schema"),
        ("check", "queries.jsonl", "--schemas", "schema.txt", "--schema-field", "schema"),
        ("check", "RETURN 1", "--select", "G9999"),
        ("check", "RETURN 1", "--ignore", "X"),
        ("repair", "RETURN 1", "--write"),
        ("repair", "queries.jsonl", "--write"),
        ("repair", "queries.jsonl", "--field", "applied"),
        ("translate", "RETURN 1", "--to", "gql-spanner", "--schema", "missing.txt"),
    ],
)
def test_usage(arguments: tuple[str, ...]) -> None:
    result = graphir(*arguments)
    assert result.exit_code == 2
    assert result.stdout == ""
    assert result.stderr
