"""The command line: what each command prints, where, and with which exit code; nothing a user types is a traceback."""

from __future__ import annotations

import csv
import io
import json
import os
import random
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import duckdb
import pytest

from graphir import diagnostics
from graphir.dialects import DIALECTS
from tests.command_line import PROGRAM, ROOT, codes, graphir, process, rows

GOOD = "MATCH (n:Person) RETURN n.name AS name"
UNPARSED = "MATCH (n RETURN n"
UNBOUND = "MATCH (n) RETURN m.name AS name"
QUERIES = [GOOD, UNPARSED, UNBOUND, "MATCH (n:A|B) RETURN n.x AS x"]


@pytest.fixture
def corpus(tmp_path: Path) -> Path:
    path = tmp_path / "in.jsonl"
    path.write_text("".join(json.dumps({"id": f"q{i}", "query": q}) + "\n" for i, q in enumerate(QUERIES)))
    return path


@pytest.fixture
def script(tmp_path: Path) -> Path:
    path = tmp_path / "in.cypher"
    path.write_text(f"// first\n{GOOD};\n\n  {UNPARSED};\n{UNBOUND}\n")
    return path


# ------------------------------------------------------------------ one query


def test_parse() -> None:
    good = graphir("parse", GOOD)
    assert (good.exit_code, good.stdout, good.stderr) == (0, "OK\n", "")
    bad = graphir("parse", UNPARSED)
    assert bad.exit_code == 1
    assert bad.stdout.startswith("<query>:1:10: error G010: ")
    assert f"   1 | {UNPARSED}\n     |          ^" in bad.stdout
    unbound = graphir("parse", UNBOUND)
    assert unbound.exit_code == 0


def test_parse_tokens_and_tree() -> None:
    tokens = graphir("parse", "RETURN /* c */ 'a'", "--tokens").stdout
    assert rows(tokens) == [[0, 6, "word", "RETURN"], [7, 14, "comment", "/* c */"], [15, 18, "string", "'a'"]]
    tree = graphir("parse", "MATCH (n) RETURN n.x AS x", "--tree").stdout.splitlines()
    assert tree[0].startswith("query")
    assert any(re.match(r" +node variable='n'  @6-9", line) for line in tree)


def test_ir() -> None:
    text = graphir("ir", "MATCH (n:A) RETURN n.x AS x").stdout
    assert text.startswith("(query")
    surface = graphir("ir", "MATCH (n:A) RETURN n.x").stdout
    core = graphir("ir", "--core", "MATCH (n:A) RETURN n.x").stdout
    assert surface != core
    from graphir.ir.json import from_json
    from graphir.ir.text import loads

    as_json = graphir("ir", "--json", "MATCH (n:A) RETURN n.x AS x").stdout
    assert from_json(json.loads(as_json)) == loads(text)


def test_fmt() -> None:
    wanted = "MATCH (n)\nWHERE n.age > 3\nRETURN n.name AS name // c\n"
    result = graphir("fmt", "match (n) where n.age>3 return n.name as name // c")
    assert (result.exit_code, result.stdout) == (0, wanted)
    assert graphir("fmt", "-", input=wanted).stdout == wanted
    assert graphir("fmt", "--check", wanted.rstrip()).exit_code == 0
    assert graphir("fmt", "--check", "return 1").exit_code == 1
    bad = graphir("fmt", UNPARSED)
    assert (bad.exit_code, bad.stdout) == (1, "")
    assert "G010" in bad.stderr


def test_fmt_rewrites_a_file(tmp_path: Path) -> None:
    path = tmp_path / "q.cypher"
    path.write_text("// one\nreturn 1;return 2\n")
    path.chmod(0o640)
    assert graphir("fmt", path, "--check").exit_code == 1
    assert graphir("fmt", path, "--write").exit_code == 0
    written = path.read_text()
    assert written.startswith("// one\nRETURN 1")
    assert path.stat().st_mode & 0o777 == 0o640
    assert graphir("fmt", path, "--check").exit_code == 0
    assert graphir("fmt", path, "--write").exit_code == 0
    assert path.read_text() == written
    broken = tmp_path / "broken.cypher"
    broken.write_text(UNPARSED)
    assert graphir("fmt", broken, "--write").exit_code == 1
    assert broken.read_text() == UNPARSED


def test_check() -> None:
    assert (graphir("check", GOOD).exit_code, graphir("check", GOOD).stdout) == (0, "")
    unbound = graphir("check", UNBOUND)
    assert unbound.exit_code == 1
    assert unbound.stdout.startswith("<query>:1:18: error G101: ")
    (row,) = rows(graphir("check", "--format", "json", UNBOUND).stdout)
    assert row["query"] == UNBOUND
    assert codes(row) == ["G101"]


def test_translate() -> None:
    result = graphir("translate", GOOD, "--to", "opencypher-9")
    assert (result.exit_code, result.stdout) == (0, "MATCH (n:Person)\nRETURN n.name AS name\n")
    for query in (UNPARSED, UNBOUND):
        bad = graphir("translate", "--to", "neo4j-5", query)
        assert (bad.exit_code, bad.stdout) == (1, "")
        assert "error G" in bad.stderr


def test_translate_a_script_keeps_what_can_be_said(script: Path) -> None:
    result = graphir("translate", script, "--to", "neo4j-5")
    assert result.exit_code == 1
    assert result.stdout == "MATCH (n:Person)\nRETURN n.name AS name\n"
    assert f"{script}:4:12: error G010" in result.stderr
    assert f"{script}:5:18: error G101" in result.stderr
    two = graphir("translate", "RETURN 1 AS a; RETURN 2 AS b;", "--to", "neo4j-5")
    assert (two.exit_code, two.stdout) == (0, "RETURN 1 AS a;\nRETURN 2 AS b;\n")


def test_places_in_a_script_are_those_of_the_file(script: Path) -> None:
    result = graphir("check", script)
    assert result.exit_code == 1
    assert f"{script}:4:12: error G010" in result.stdout
    assert "`(` at 4:9 is never closed" in result.stdout
    assert f"   4 | {UNPARSED}" in result.stdout
    assert f"{script}:5:18: error G101" in result.stdout


def test_empty_text_is_a_finding() -> None:
    for arguments in (["check", ""], ["parse", " "], ["translate", "", "--to", "neo4j-5"], ["check", "// nothing"]):
        assert graphir(*arguments).exit_code == 1


def test_explain() -> None:
    page = graphir("explain", "g040")
    assert page.exit_code == 0
    assert page.stdout.startswith("# G040 several-statements\n")
    assert graphir("explain", "several-statements").stdout == page.stdout
    listed = graphir("explain").stdout.splitlines()
    assert [line.split() for line in listed] == [[code, name] for code, name in diagnostics.codes().items()]
    unknown = graphir("explain", "G04")
    assert unknown.exit_code == 2
    assert "did you mean G040" in unknown.stderr


def test_dialects() -> None:
    listed = graphir("dialects").stdout.splitlines()
    assert [line.split()[0] for line in listed] == list(DIALECTS)


# ------------------------------------------------------------------ inputs


def test_text_file_or_standard_input(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert graphir("parse", "-", input=GOOD).stdout == "OK\n"
    Path("plain").write_text(GOOD)
    assert graphir("parse", "plain").stdout == "OK\n"
    assert graphir("parse", "MATCH (n) RETURN n.csv").stdout == "OK\n"
    assert graphir("parse", "x" * 5000).exit_code == 1
    assert graphir("parse", "RETURN '\0'").exit_code in (0, 1)
    missing = graphir("parse", "missing.jsonl")
    assert missing.exit_code == 2
    assert "no such file" in missing.stderr


@pytest.mark.parametrize("form", ["jsonl", "json", "csv", "parquet"])
def test_every_format_in_and_out(form: str, tmp_path: Path, corpus: Path) -> None:
    source, target = tmp_path / f"source.{form}", tmp_path / "out.jsonl"
    result = graphir("check", corpus, "-o", source, "--quiet")
    assert result.exit_code == 1
    assert graphir("translate", source, "--to", "neo4j-5", "-o", target).exit_code == 1
    found = rows(target.read_bytes())
    assert [row["query"] for row in found] == QUERIES
    assert [row["id"] for row in found] == ["q0", "q1", "q2", "q3"]
    assert [codes(row) for row in found] == [[], ["G010"], ["G101"], []]
    assert [row["translation"] is None for row in found] == [False, True, True, False]
    assert not list(tmp_path.glob("*.part")) + list(tmp_path.glob("*.resume")) + list(tmp_path.glob("*.fresh"))


def test_corpus_to_standard_output(corpus: Path) -> None:
    result = graphir("translate", corpus, "--to", "neo4j-5")
    assert [row["id"] for row in rows(result.stdout)] == ["q0", "q1", "q2", "q3"]
    assert "4 rows" in result.stderr
    assert graphir("translate", corpus, "--to", "neo4j-5", "-q").stderr == ""
    piped = graphir("translate", "-", "--to", "neo4j-5", input=corpus.read_bytes())
    assert piped.stdout == result.stdout


def test_columns_of_any_name(tmp_path: Path) -> None:
    table = tmp_path / "t.csv"
    table.write_text(f'Frage,Cypher\n"a, b","{GOOD}"\n')
    out = tmp_path / "o.csv"
    assert graphir("translate", table, "--field", "Cypher", "--to", "neo4j-5", "-o", out).exit_code == 0
    (row,) = csv.DictReader(io.StringIO(out.read_text()))
    assert row == {
        **{"Frage": "a, b", "Cypher": GOOD, "diagnostics": "[]"},
        **{"translation": "MATCH (n:Person)\nRETURN n.name AS name"},
    }
    wrong = graphir("check", table)
    assert wrong.exit_code == 2
    assert "Frage, Cypher" in wrong.stderr


def test_parquet_keeps_its_types(tmp_path: Path) -> None:
    source, target = tmp_path / "in.parquet", tmp_path / "out.parquet"
    duckdb.sql(f"SELECT 1::INTEGER AS id, '{GOOD}' AS query, DATE '2020-01-02' AS day").write_parquet(str(source))
    assert graphir("check", source, "-o", target).exit_code == 0
    table = duckdb.sql(f"SELECT * FROM '{target}'")
    assert list(map(str, table.types)) == ["INTEGER", "VARCHAR", "DATE", "VARCHAR"]


def test_bad_rows_come_out_and_the_run_goes_on(tmp_path: Path) -> None:
    source, target = tmp_path / "in.jsonl", tmp_path / "out.jsonl"
    lines = [b'{"query": "RETURN 1 AS a"}', b"{broken", b'{"cypher": "RETURN 1"}', b"\xff", b"[]", b'"RETURN 2 AS b"']
    source.write_bytes(b"\n".join(lines))
    result = graphir("translate", source, "--to", "neo4j-5", "-o", target, "--report", tmp_path / "report.json")
    assert result.exit_code == 1
    found = rows(target.read_bytes())
    assert [codes(row) for row in found] == [[], ["G090"], ["G090"], ["G090"], ["G090"], []]
    assert [row["translation"] for row in found] == ["RETURN 1 AS a", None, None, None, None, "RETURN 2 AS b"]
    assert found[1]["row"] == "{broken"
    assert found[2]["cypher"] == "RETURN 1"
    report = json.loads((tmp_path / "report.json").read_text())
    assert report["outcomes"]["unreadable"] == 4


def test_report(corpus: Path, tmp_path: Path) -> None:
    path = tmp_path / "report.json"
    graphir("translate", corpus, "--to", "opencypher-9", "-o", tmp_path / "out.jsonl", "--report", path)
    report = json.loads(path.read_text())
    assert report["command"] == "translate"
    assert report["rows"] == 4
    assert report["characters"] == sum(map(len, QUERIES))
    assert report["outcomes"] == {"ok": 2, "warning": 0, "invalid": 2, "refused": 0, "unreadable": 0, "crashed": 0}
    assert [row["code"] for row in report["codes"]] == ["G010", "G101"]
    assert report["constructs"]["match"] == {"rows": 3, "failed": 1}
    assert report["rows_per_second"] > 0


def test_fail_on(corpus: Path) -> None:
    def code(*options: str) -> int:
        return graphir("check", corpus, "-q", *options).exit_code

    assert code() == 1
    assert code("--fail-on", "G010") == 1
    assert code("--fail-on", "g1") == 1
    assert code("--fail-on", "G5,G4") == 0
    assert code("--fail-on", "G5", "--fail-on", "G0") == 1
    assert code("--fail-on", "none") == 0
    assert code("--fail-on", "G999") == 2
    assert code("--fail-on", "E1") == 2


def test_text_of_a_corpus(corpus: Path) -> None:
    result = graphir("check", corpus, "--format", "text", "--id", "id")
    assert f"{corpus}[2] (q1):1:10: error G010" in result.stdout
    assert f"{corpus}[3] (q2):1:18: error G101" in result.stdout
    translated = graphir("translate", corpus, "--format", "text", "--to", "neo4j-5")
    assert translated.stdout.startswith("MATCH (n:Person)\nRETURN n.name AS name;\nMATCH")
    assert f"{corpus}[2]:1:10: error G010" in translated.stderr


def test_fmt_and_ir_of_a_corpus(corpus: Path) -> None:
    formatted = rows(graphir("fmt", corpus, "-q").stdout)
    assert formatted[0]["formatted"] == "MATCH (n:Person)\nRETURN n.name AS name"
    assert formatted[1]["formatted"] is None
    trees = rows(graphir("ir", corpus, "--json", "-q").stdout)
    assert trees[1]["ir"] is None
    assert isinstance(trees[0]["ir"], dict)


def test_several_statements_in_a_row_are_a_warning(tmp_path: Path) -> None:
    result = graphir("check", "-", "-q", input=json.dumps({"query": "RETURN 1 AS a; RETURN 2 AS b"}))
    (row,) = rows(result.stdout)
    assert [(d["code"], d["severity"]) for d in row["diagnostics"]] == [("G040", "warning")]
    assert result.exit_code == 1


# ------------------------------------------------------------------ SARIF


def test_sarif_of_a_script(script: Path) -> None:
    text = script.read_text()
    log = json.loads(graphir("check", script, "--format", "sarif").stdout)
    run = validate_sarif(log)
    assert [result["ruleId"] for result in run["results"]] == ["G010", "G101"]
    region = run["results"][1]["locations"][0]["physicalLocation"]["region"]
    start = region["charOffset"]
    assert text[start : start + region["charLength"]] == region["snippet"]["text"] == "m"
    assert (region["startLine"], region["startColumn"]) == (5, 18)


def test_sarif_of_a_corpus(corpus: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.sarif"
    assert graphir("check", corpus, "-o", target, "--id", "id").exit_code == 1
    run = validate_sarif(json.loads(target.read_text()))
    location = run["results"][0]["locations"][0]
    assert location["physicalLocation"]["artifactLocation"]["uri"].endswith("in.jsonl#row=2")
    assert location["logicalLocations"] == [
        {"name": "q1", "fullyQualifiedName": f"{corpus}[2]", "kind": "row"},
    ]
    assert validate_sarif(json.loads(graphir("check", GOOD, "--format", "sarif").stdout))["results"] == []


def validate_sarif(log: dict[str, Any]) -> dict[str, Any]:
    """The run of the log, after a look at everything that SARIF 2.1.0 requires of what is in it."""
    assert log["version"] == "2.1.0"
    assert log["$schema"].endswith("sarif-2.1.0.json")
    (run,) = log["runs"]
    assert run["columnKind"] == "unicodeCodePoints"
    driver = run["tool"]["driver"]
    assert driver["name"] == "graphir"
    assert [rule["id"] for rule in driver["rules"]] == list(diagnostics.codes())
    for rule in driver["rules"]:
        assert rule["shortDescription"]["text"].endswith(".")
        assert rule["help"]["markdown"].startswith(f"# {rule['id']} {rule['name']}")
    for result in run["results"]:
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["level"] in ("error", "warning", "note")
        assert result["message"]["text"]
        (location,) = result["locations"]
        region = location["physicalLocation"]["region"]
        assert (region["startLine"], region["startColumn"]) <= (region["endLine"], region["endColumn"])
        assert min(region["startLine"], region["startColumn"]) >= 1
        assert min(region["charOffset"], region["charLength"]) >= 0
    found: dict[str, Any] = run
    return found


def test_sarif_fixes() -> None:
    from graphir.diagnostics import Diagnostic, Edit, Fix
    from graphir.reports.place import Place
    from graphir.reports.sarif import sarif_pieces

    place = Place("a b.cypher", None, None, "RETURN 1", 10, 3, 5)
    found = Diagnostic("G040", "error", "no", 7, 8, 1, 8, Fix("write 2", (Edit(7, 8, "2"),), safe=True))
    run = validate_sarif(json.loads("".join(sarif_pieces([(place, found)], "1.0"))))
    (result,) = run["results"]
    artifact = {"uri": "a%20b.cypher"}
    assert result["locations"][0]["physicalLocation"] == {
        "artifactLocation": artifact,
        "region": {
            **{"startLine": 3, "startColumn": 12, "endLine": 3, "endColumn": 13},
            **{"charOffset": 17, "charLength": 1, "snippet": {"text": "1"}},
        },
    }
    replacement = {"deletedRegion": {"charOffset": 17, "charLength": 1}, "insertedContent": {"text": "2"}}
    assert result["fixes"] == [
        {
            "description": {"text": "write 2"},
            "artifactChanges": [{"artifactLocation": artifact, "replacements": [replacement]}],
            "properties": {"safe": True},
        }
    ]


# ------------------------------------------------------------------ usage


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["nonsense"],
        ["check"],
        ["check", "a", "b"],
        ["check", "--nonsense", "a"],
        ["check", "missing.cypher"],
        ["check", "missing.parquet"],
        ["check", "."],
        ["check", GOOD, "-o", "missing/out.jsonl"],
        ["check", GOOD, "-o", "."],
        ["check", GOOD, "--report", "missing/r.json"],
        ["check", "in.jsonl", "-o", "in.jsonl"],
        ["check", "in.jsonl", "-o", "./in.jsonl"],
        ["check", "in.jsonl", "--report", "in.jsonl"],
        ["check", "in.jsonl", "-o", "x", "--report", "x"],
        ["check", "in.jsonl", "--resume"],
        ["check", "in.jsonl", "--jobs", "0"],
        ["check", "in.jsonl", "--jobs", "many"],
        ["check", "in.jsonl", "--format", "xml"],
        ["check", "in.jsonl", "--format", "sarif", "-o", "x.csv"],
        ["check", "in.jsonl", "--format", "text", "-o", "x.parquet"],
        ["check", "in.jsonl", "--fail-on", "G777"],
        ["check", "in.jsonl", "--dialect", "sql"],
        ["check", "in.jsonl", "--dialect", "sql-duckdb"],
        ["check", "in.jsonl", "--input-format", "parquet"],
        ["check", "in.jsonl", "--input-format", "csv"],
        ["check", "in.jsonl", "--schema", "x"],
        ["check", "in.jsonl", "--field", "diagnostics"],
        ["translate", "in.jsonl", "--field", "translation", "--to", "neo4j-5"],
        ["check", "-", "--input-format", "parquet"],
        ["check", "in.csv"],
        ["check", "empty.csv"],
        ["check", "twice.csv"],
        ["check", "bad.parquet"],
        ["check", GOOD, "--input-format", "jsonl"],
        ["translate", GOOD],
        ["translate", GOOD, "--to", "sql"],
        ["translate", GOOD, "--from", "sql-duckdb", "--to", "neo4j-5"],
        ["fmt", "-", "--write"],
        ["fmt", GOOD, "--write"],
        ["fmt", GOOD, "--resume", "-o", "x"],
        ["fmt", "in.jsonl", "--write"],
        ["fmt", "in.jsonl", "--check"],
        ["fmt", "latin.cypher"],
        ["explain", "G0001"],
        ["explain", "../G040"],
        ["explain", ""],
    ],
)
def test_usage(arguments: list[str], tmp_path: Path, corpus: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("in.csv").write_text("a,b\n1,2\n")
    Path("empty.csv").write_text("")
    Path("twice.csv").write_text("query,query\n1,2\n")
    Path("bad.parquet").write_text("PAR1")
    Path("latin.cypher").write_bytes(b"RETURN '\xe9'")
    before = corpus.read_bytes()
    files = set(Path().iterdir())
    result = graphir(*arguments, input=b"RETURN 1")
    assert result.exit_code == 2
    assert result.stdout == ""
    assert "Usage: " in result.stderr or result.stderr.startswith("Error: ")
    assert "Traceback" not in result.stderr
    assert corpus.read_bytes() == before
    assert set(Path().iterdir()) == files


def test_bad_encoding_is_a_finding(tmp_path: Path) -> None:
    path = tmp_path / "latin.cypher"
    path.write_bytes(b"RETURN 1 AS a; RETURN '\xe9' AS b")
    result = graphir("check", path)
    assert result.exit_code == 1
    assert "G090" in result.stdout
    argument = subprocess.run([*PROGRAM, "check", b"RETURN '\xe9'"], capture_output=True, check=False, cwd=ROOT)
    assert argument.returncode == 1
    assert b"Traceback" not in argument.stderr


def test_output_of_any_encoding() -> None:
    environment = {**os.environ, "PYTHONIOENCODING": "cp437", "PYTHONUTF8": "0"}
    result = process("fmt", "RETURN '😀' AS e", env=environment)
    assert (result.returncode, result.stdout) == (0, "RETURN '\\U0001f600' AS e\n")


@pytest.mark.skipif(os.name != "posix", reason="POSIX pipes")
def test_reader_that_goes_away(tmp_path: Path) -> None:
    source = tmp_path / "in.jsonl"
    source.write_text(json.dumps({"query": GOOD, "more": "x" * 500}) + "\n")
    source.write_text(source.read_text() * 3000)
    with subprocess.Popen(
        [*PROGRAM, "check", source], stdout=subprocess.PIPE, stderr=subprocess.PIPE, cwd=ROOT
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        running.stdout.readline()
        running.stdout.close()
        errors = running.stderr.read()
    assert running.returncode == 141
    assert errors == b""


# ------------------------------------------------------------------ long runs


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("many") / "in.jsonl"
    with path.open("w") as stream:
        for i in range(4000):
            query = QUERIES[i % 4].replace("Person", f"P{i}")
            stream.write(json.dumps({"id": i, "query": query}) + "\n")
    return path


@pytest.mark.parametrize("form", ["jsonl", "csv", "parquet"])
def test_any_number_of_processes_gives_the_same_file(many: Path, form: str, tmp_path: Path) -> None:
    outputs = []
    for jobs in ("1", "2"):
        target = tmp_path / f"{jobs}.{form}"
        assert graphir("translate", many, "--to", "gql-spanner", "--jobs", jobs, "-o", target, "-q").exit_code == 1
        outputs.append(target.read_bytes())
    assert outputs[0] == outputs[1]


@pytest.mark.skipif(os.name != "posix", reason="POSIX signals")
@pytest.mark.parametrize("form", ["jsonl", "csv", "parquet", "sarif"])
def test_killed_and_resumed_run_gives_the_same_file_and_report(form: str, many: Path, tmp_path: Path) -> None:
    whole, target = tmp_path / f"whole.{form}", tmp_path / f"out.{form}"
    reports = [tmp_path / "whole.json", tmp_path / "out.json"]
    options = ["translate", str(many), "--to", "neo4j-5", "--jobs", "2", "-q"]
    assert process(*options, "-o", whole, "--report", reports[0]).returncode == 1
    chance = random.Random(form)
    for turn in range(8):
        command = [*PROGRAM, *options, "-o", str(target), "--report", str(reports[1]), *(["--resume"] if turn else [])]
        with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE) as running:
            try:
                running.wait(chance.uniform(0.3, 1.5) if turn < 7 else None)
                break
            except subprocess.TimeoutExpired:
                running.send_signal(signal.SIGKILL)
    assert running.returncode == 1
    assert target.read_bytes() == whole.read_bytes()
    one, two = (json.loads(path.read_text()) for path in reports)
    for changing in ("seconds", "rows_per_second", "output"):
        del one[changing], two[changing]
    assert one == two
    left = {path.name for path in tmp_path.iterdir()} - {whole.name, target.name, "whole.json", "out.json"}
    assert left == set()


HEEDING = """
import runpy, signal
signal.signal(signal.SIGINT, signal.default_int_handler)
runpy.run_module("graphir", run_name="__main__")
"""
"""The program as it runs in the foreground: what a shell starts in the background ignores interrupts."""


@pytest.mark.skipif(os.name != "posix", reason="POSIX signals")
def test_interrupted_run_says_so_and_goes_on(many: Path, tmp_path: Path) -> None:
    whole, target, source = (tmp_path / name for name in ("whole.jsonl", "out.jsonl", "in.jsonl"))
    source.write_bytes(many.read_bytes() * 5)  # long enough to be interrupted between two records
    options = ["translate", str(source), "--to", "neo4j-5", "-q"]
    process(*options, "-o", whole)
    command = [sys.executable, "-c", HEEDING, *options, "-o", target]
    with subprocess.Popen(command, cwd=ROOT, stderr=subprocess.PIPE) as running:
        while running.poll() is None and not (target.exists() and target.stat().st_size):
            time.sleep(0.01)
        running.send_signal(signal.SIGINT)
        assert running.stderr is not None
        errors = running.stderr.read().decode()
    assert running.returncode == 130
    assert "--resume goes on" in errors
    assert "Traceback" not in errors
    assert process(*options, "-o", target, "--resume").returncode == 1
    assert target.read_bytes() == whole.read_bytes()


def test_resume_refuses_what_does_not_belong(corpus: Path, tmp_path: Path) -> None:
    target = tmp_path / "out.jsonl"
    assert graphir("translate", corpus, "--to", "neo4j-5", "-o", target).exit_code == 1
    again = graphir("translate", corpus, "--to", "neo4j-5", "-o", target, "--resume")
    assert again.exit_code == 1
    other = graphir("translate", corpus, "--to", "gql-spanner", "-o", target, "--resume")
    assert other.exit_code == 2
    assert "without --resume" in other.stderr


WATCH = """
import resource, subprocess, sys
code = subprocess.run(sys.argv[1:]).returncode
print(code, resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)
"""


@pytest.mark.skipif(os.name != "posix", reason="needs resource usage")
@pytest.mark.parametrize("form", ["jsonl", "json", "csv", "parquet", "cypher"])
def test_memory_does_not_grow_with_the_corpus(form: str, tmp_path: Path) -> None:
    process("parse", "RETURN 1")  # the table of the grammar is there from here on
    peaks = []
    for count in (5_000, 50_000):
        source = tmp_path / f"{count}.{form}"
        generated = (
            f"SELECT i AS id, 'RETURN ' || i || ' AS n' AS query, repeat('x', 300) AS note FROM range({count}) t(i)"
        )
        if form == "cypher":
            source.write_text("".join(f"RETURN {i} AS n; // {'x' * 300}\n" for i in range(count)))
        elif form in ("json", "jsonl"):
            array = str(form == "json").lower()
            duckdb.sql(f"COPY ({generated}) TO '{source}' (FORMAT json, ARRAY {array})")
        else:
            duckdb.sql(f"COPY ({generated}) TO '{source}' (FORMAT {form})")
        command = [*PROGRAM, "parse", str(source), "--jobs", "2", "-q", "-o", str(tmp_path / f"out.{form}.jsonl")]
        done = subprocess.run(
            [sys.executable, "-c", WATCH, *command], capture_output=True, text=True, check=True, cwd=ROOT
        )
        code, peak = map(int, done.stdout.split())
        assert code == 0, done.stderr
        peaks.append(peak)
    assert peaks[1] < peaks[0] * 1.25


def test_a_script_of_sqlpgq_knows_the_graphs_that_it_makes(tmp_path: Path) -> None:
    path = tmp_path / "made.sql"
    path.write_text(
        "CREATE TABLE p (id INT PRIMARY KEY, n TEXT);\n"
        "CREATE PROPERTY GRAPH g VERTEX TABLES (p LABEL z PROPERTIES (n AS zn));\n"
        "SELECT * FROM GRAPH_TABLE (g MATCH (a IS z) COLUMNS (a.zn));\n"
        "SELECT * FROM GRAPH_TABLE (g MATCH (a IS z) COLUMNS (a.n));\n",
        encoding="utf-8",
    )
    done = graphir("check", "--quiet", "--dialect", "pgq-postgres", path)
    assert done.exit_code == 1
    told = [line for line in done.output.splitlines() if line.startswith(str(path))]
    assert [line.removeprefix(str(path))[:17] for line in told] == [":4:56: error G142"]
