"""The files that commands read and write: devices, pipes, closed streams, full disks, links, and what is no file."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from graphir.files import REFUSED
from tests.command_line import PROGRAM, ROOT, bounded, codes, graphir, process, rows

SCHEMA = "(Author, WROTE, Title)"
QUERY = "MATCH (a:Author) RETURN a.name AS name"
ENDLESS = Path("/dev/zero")
FULL = Path("/dev/full")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("rows.jsonl").write_text(json.dumps({"query": QUERY}) + "\n")
    Path("schema.txt").write_text(SCHEMA)
    Path("nodes.csv").write_text("id:ID,:LABEL\n1,A\n")
    Path("query.cypher").write_text("match (n) return n")
    Path("endless.csv").symlink_to(ENDLESS)
    Path("endless.json").symlink_to(ENDLESS)
    return tmp_path


@pytest.fixture
def pipe(tmp_path: Path) -> Iterator[Any]:
    """A function that makes a pipe with a text in it."""
    writers: list[threading.Thread] = []

    def make(text: str) -> Path:
        path = tmp_path / f"pipe{len(writers)}"
        os.mkfifo(path)
        writers.append(threading.Thread(target=path.write_text, args=(text,)))
        writers[-1].start()
        return path

    yield make
    for writer in writers:
        writer.join()


# ------------------------------------------------------------------ devices


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", ENDLESS),
        ("check", ENDLESS, "--input-format", "csv"),
        ("check", "endless.csv"),
        ("fmt", ENDLESS),
        ("fmt", "--write", ENDLESS),
        ("repair", "--write", ENDLESS),
        ("ir", "/dev/urandom"),
        ("translate", "--to", "gql-iso", FULL),
        ("run", ENDLESS),
        ("plan", ENDLESS),
        ("schema", "show", FULL),
        ("schema", "infer", ENDLESS),
        ("schema", "diff", "schema.txt", ENDLESS),
        ("check", QUERY, "--schema", ENDLESS),
        ("check", QUERY, "--schemas", ENDLESS, "--schema-field", "schema"),
        ("check", QUERY, "--config", ENDLESS),
        ("translate", QUERY, "--to", "pgq-postgres", "--property-graph", ENDLESS),
        ("run", QUERY, "--params", ENDLESS),
        ("run", QUERY, "--graph", "endless.json"),
        ("run", "rows.jsonl", "--graphs", ENDLESS, "--graph-field", "graph"),
        ("prove", QUERY, "--same-as", ENDLESS),
    ],
    ids=lambda arguments: " ".join(map(str, arguments)).replace("/", "."),
)
def test_a_device_is_not_read(arguments: tuple[str | Path, ...], tmp_path: Path) -> None:
    given = [tmp_path / each if str(each).startswith(("endless", "rows", "schema.")) else each for each in arguments]
    done = bounded(*given)
    assert done.returncode == 2
    assert done.stderr.startswith("Error: ")
    assert done.stderr.endswith(f"{REFUSED}\n")
    assert done.stdout == ""


@pytest.mark.parametrize("arguments", [("check", "-"), ("schema", "show", "-"), ("check", "/dev/stdin"), ("run", "-")])
def test_standard_input_that_is_a_device_is_not_read(arguments: tuple[str, ...]) -> None:
    with ENDLESS.open("rb") as endless:
        done = bounded(*arguments, stdin=endless)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.endswith(f"{REFUSED}\n")


def test_the_null_device_is_an_empty_file() -> None:
    assert "G008" in process("check", os.devnull).stdout


# ------------------------------------------------------------------ pipes


def test_a_pipe_is_read_once_as_what_is_in_it(pipe: Any) -> None:
    assert "`x` is not defined" in graphir("check", pipe("RETURN x")).stdout
    corpus = graphir("check", pipe('{"query": "RETURN x"}\n{"query": "RETURN 1"}\n'), "-q")
    assert [codes(row) for row in rows(corpus.stdout)] == [["G101"], []]
    assert graphir("fmt", pipe("return 1")).stdout == "RETURN 1\n"
    assert graphir("schema", "show", pipe(SCHEMA)).stdout.startswith("schema: 2 node types, 1 edge types")
    refused = graphir("fmt", "--write", pipe("return 1"))
    assert (refused.exit_code, "--write rewrites a file" in refused.stderr) == (2, True)


def test_a_pipe_may_be_a_schema_parameters_or_profiles(pipe: Any) -> None:
    reversed_ = "MATCH (t:Title)-[:WROTE]->(a:Author) RETURN a"
    for jobs in ("1", "2"):
        Path("rows.jsonl").write_text(json.dumps({"query": reversed_}) + "\n")
        done = graphir("check", "rows.jsonl", "--schema", pipe(SCHEMA), "--jobs", jobs, "-q")
        assert [codes(row) for row in rows(done.stdout)] == [["G230"]]
    assert "G230" in graphir("repair", reversed_, "--schema", pipe(SCHEMA)).stderr
    assert graphir("run", "RETURN $a AS a", "--params", pipe('{"a": 7}')).stdout.splitlines()[2].strip() == "7"
    own = graphir("check", "RETURN x", "--config", pipe('[profiles.lint]\nignore = ["G101"]'))
    assert (own.exit_code, own.stdout) == (0, "")


def test_standard_input_by_its_path(tmp_path: Path) -> None:
    done = process("check", "/dev/stdin", "-q", input='{"query": "RETURN x"}\n' * 3)
    assert [codes(row) for row in rows(done.stdout)] == [["G101"]] * 3
    with tmp_path.joinpath("query.cypher").open() as file:
        assert process("fmt", "/dev/stdin", stdin=file).stdout == "MATCH (n)\nRETURN n\n"


# ------------------------------------------------------------------ outputs without room


@pytest.mark.parametrize(
    "arguments",
    [
        ("--help",),
        ("--version",),
        ("dialects",),
        ("explain", "G001"),
        ("check", "RETURN x"),
        ("check", "graphir/corpora/samples/queries.jsonl", "-q"),
        ("ir", QUERY),
        ("fmt", QUERY),
        ("plan", "RETURN 1"),
        ("run", "RETURN 1"),
        ("run", "RETURN 1", "--format", "parquet"),
        ("run", "RETURN 1", "--format", "arrow"),
        ("schema", "show", SCHEMA),
        ("schema", "convert", SCHEMA, "--to", "json"),
    ],
    ids=" ".join,
)
def test_a_full_disk_behind_standard_output(arguments: tuple[str, ...]) -> None:
    with FULL.open("w") as full:
        done = subprocess.run(
            [*PROGRAM, *arguments], stdout=full, stderr=subprocess.PIPE, text=True, cwd=ROOT, check=False
        )
    assert done.returncode == 2
    assert "No space left on device" in done.stderr
    assert done.stderr.count("\n") == 1


@pytest.mark.parametrize(
    "arguments",
    [
        ("fmt", QUERY, "-o"),
        ("check", "rows.jsonl", "-q", "-o"),
        ("check", "rows.jsonl", "-q", "--format", "sarif", "-o"),
        ("check", "rows.jsonl", "-q", "-o", "out.csv", "--report"),
        ("run", "RETURN 1", "-o"),
        ("run", "RETURN 1", "--format", "csv", "-o"),
        ("run", "RETURN 1", "--format", "parquet", "-o"),
        ("run", "RETURN 1", "--format", "arrow", "-o"),
        ("schema", "show", SCHEMA, "-o"),
    ],
    ids=" ".join,
)
def test_a_file_that_is_full_is_named_and_still_there(arguments: tuple[str, ...]) -> None:
    Path("full").symlink_to(FULL)  # what removes it does not remove the device
    done = graphir(*arguments, "full")
    assert done.exit_code == 2
    assert done.stderr.endswith("Error: full: No space left on device\n")
    assert Path("full").is_char_device()


def test_streams_that_the_caller_closed() -> None:
    shell = f"{' '.join(PROGRAM)} check"
    closed = {
        ">&-": (1, ""),
        "2>&-": (1, "<query>:1:8: error G101: Variable `x` is not defined\n   1 | RETURN x\n     |        ^\n"),
    }
    for closing, expected in closed.items():
        done = subprocess.run(
            f"{shell} 'RETURN x' {closing}", shell=True, capture_output=True, text=True, cwd=ROOT, check=False
        )
        assert (done.returncode, done.stdout) == expected
        assert done.stderr == ""
    nothing = subprocess.run(f"{shell} - <&-", shell=True, capture_output=True, text=True, cwd=ROOT, check=False)
    assert (nothing.returncode, "G008" in nothing.stdout) == (1, True)


# ------------------------------------------------------------------ links, and what is there already


def test_links_stay_links(tmp_path: Path) -> None:
    target = tmp_path / "out.csv"
    target.write_text("before")
    Path("link.csv").symlink_to(target)
    Path("link.cypher").symlink_to(tmp_path / "query.cypher")
    assert graphir("check", "rows.jsonl", "-q", "-o", "link.csv").exit_code == 0
    assert graphir("fmt", "link.cypher", "--write").exit_code == 0
    assert (Path("link.csv").is_symlink(), Path("link.cypher").is_symlink()) == (True, True)
    assert target.read_text().startswith("query,diagnostics\n")
    assert Path("query.cypher").read_text() == "MATCH (n)\nRETURN n\n"


def test_a_graph_is_not_loaded_into_a_file_that_is_no_database() -> None:
    before = Path("rows.jsonl").read_bytes()
    for arguments in (("load", "nodes.csv", "--into", "rows.jsonl"), ("run", "RETURN 1", "--db", "rows.jsonl")):
        done = graphir(*arguments)
        assert (done.exit_code, "no database of DuckDB" in done.stderr) == (2, True)
    assert Path("rows.jsonl").read_bytes() == before


def test_a_memory_that_is_too_small_is_told() -> None:
    done = graphir("run", "RETURN 1", "--memory", "1KB")
    assert (done.exit_code, done.stderr) == (2, "Error: G091: the engine does not start in a memory of 1KB\n")


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        (("check", "secret.cypher"), "secret.cypher"),
        (("check", QUERY, "--schema", "secret.cypher"), "secret.cypher"),
        (("run", QUERY, "--graph", "secret.cypher"), "secret.cypher"),
        (("run", QUERY, "--params", "secret.cypher"), "secret.cypher"),
        (("check", "rows.jsonl", "-o", "locked/out.jsonl"), "locked/out.jsonl"),
        (("check", "rows.jsonl", "-o", "out.jsonl", "--report", "locked/out.json"), "locked/out.json"),
        (("fmt", "locked/query.cypher", "--write"), "locked/query.cypher.fresh"),
        (("schema", "show", "schema.txt", "-o", "locked/out.txt"), "locked/out.txt"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_permissions(arguments: tuple[str, ...], named: str, tmp_path: Path) -> None:
    Path("secret.cypher").touch(0)
    Path("locked").mkdir()
    Path("query.cypher").rename("locked/query.cypher")
    Path("locked").chmod(0o500)
    done = subprocess.run(
        [*_bound_by_permissions(), *PROGRAM, *arguments],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert named in done.stderr
    assert "Permission denied" in done.stderr or "cannot be written" in done.stderr
    assert not Path("out.jsonl").exists()
    Path("locked").chmod(0o700)


def _bound_by_permissions() -> list[str]:
    """What begins a command that permissions bind: root is not, while it may override them."""
    if os.geteuid() != 0:
        return []
    without = "-dac_override,-dac_read_search"
    if shutil.which("setpriv") is None:
        pytest.skip("permissions do not bind root, and there is no setpriv")
    return ["setpriv", f"--bounding-set={without}", f"--inh-caps={without}"]


# ------------------------------------------------------------------ messages


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("check", "nofile.sql"), "nofile.sql: no such file"),
        (("check", "nofile.gql", "--dialect", "gql-iso"), "nofile.gql: no such file"),
        (("check", QUERY, "--dialect", "neo4j"), "did you mean 'neo4j-5', 'neo4j-25' or 'gql-neo4j-25'?"),
        (("check", QUERY, "--dialect", "pgq-orcle-23ai"), "did you mean 'pgq-oracle-23ai'?"),
        (("translate", QUERY, "--to", "duckdb"), "did you mean 'sql-duckdb'?"),
        (("schema", "convert", "schema.txt", "--to", "spaner-ddl"), "did you mean 'spanner-ddl'?"),
        (("prove", QUERY, "--engines", "duckdb,postgre"), "did you mean 'postgres'?"),
        (("schema", "show", ""), "the schema has no name"),
        (("check", QUERY, "--schema", ""), "it names no file"),
        (("schema", "show", "empty.txt"), "empty.txt:1:1: G081: there is no schema: the text is empty"),
        (("check", QUERY, "--schema", "broken.sql"), "broken.sql:2:1: G085: expected `,`, found the end"),
        (("run", QUERY, "--graph", "schema.txt"), "schema.txt:1:1: G031"),
        (("run", QUERY, "--params", "deep.json"), "deep.json is nested too deeply"),
        (("check", "empty.csv"), "empty.csv has no header line"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_what_is_asked_for_and_cannot_be_done(arguments: tuple[str, ...], message: str) -> None:
    Path("empty.txt").write_text("")
    Path("empty.csv").write_text("")
    Path("broken.sql").write_text("CREATE TABLE a (x INT64\n")
    Path("deep.json").write_text("[" * 100_000)
    done = graphir(*arguments)
    assert (done.exit_code, done.stdout) == (2, "")
    assert message in done.stderr


def test_a_byte_that_is_not_utf_8_is_shown_where_it_is() -> None:
    Path("latin.cypher").write_bytes(b'MATCH (n)\nRETURN "\xe9"')
    done = graphir("check", "latin.cypher")
    assert done.exit_code == 1
    assert done.stdout.startswith("latin.cypher:2:9: error G090: the text is not UTF-8: the byte E9 is none of it\n")


def test_an_empty_script_is_laid_out_already() -> None:
    Path("empty.cypher").write_text("")
    assert graphir("fmt", "empty.cypher", "--check").exit_code == 0
    assert graphir("fmt", "empty.cypher").stdout == ""


def test_a_resumed_run_tells_which_options_differ() -> None:
    from graphir.corpora.pipeline import _changes

    was = {"options": {"profile": {"ignore": [], "name": "lint"}, "dialect": "neo4j-5"}, "field": "query"}
    now = {"options": {"profile": {"ignore": ["G101"], "name": "lint"}, "dialect": "neo4j-5"}, "field": "query"}
    assert list(_changes(was, now)) == ["ignore was [], is ['G101']"]
    assert list(_changes(was, was)) == []
