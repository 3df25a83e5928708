"""`graphir load`, `run` and `plan`: on queries, scripts and corpora, in every format."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from typing import Any

import pyarrow.ipc  # type: ignore[import-untyped]
import pyarrow.parquet  # type: ignore[import-untyped]
import pytest

from tests.command_line import codes, graphir, rows

GRAPHS = (
    {
        "id": "one",
        "nodes": [{"id": 1, "labels": ["P"], "properties": {"x": 1, "at": {"$date": "2020-01-02"}}}],
        "edges": [],
    },
    {"id": "two", "nodes": [{"id": 1, "labels": ["P"], "properties": {"x": 2}}, {"id": 2, "labels": ["P"]}]},
    {"id": "bad", "nodes": [{"labels": ["P"]}]},
)
QUERIES: tuple[dict[str, Any], ...] = (
    {"graph": "one", "query": "MATCH (p:P) RETURN p.x AS x, p.at AS at"},
    {"graph": "two", "query": "MATCH (p:P) SET p.x = 7 RETURN count(p) AS n"},
    {"graph": "two", "query": "MATCH (p:P {x: 2}) RETURN p", "given": {"unused": 1}},
    {"graph": "two", "query": "RETURN $n AS n", "given": {"n": {"$date": "2020-01-02"}}},
    {"graph": "three", "query": "RETURN 1"},
    {"graph": "bad", "query": "RETURN 1"},
    {"query": "RETURN 1"},
    {"graph": "one", "query": "RETURN m"},
    {"graph": "one", "query": "MATCH (p:P) RETURN 1 / (p.x - 1)"},
    {"graph": "one", "query": "RETURN"},
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("graphs.jsonl").write_text("".join(json.dumps(graph) + "\n" for graph in GRAPHS))
    Path("queries.jsonl").write_text("".join(json.dumps(row) + "\n" for row in QUERIES))
    Path("one.json").write_text(json.dumps(GRAPHS[0]))
    return tmp_path


def test_graph_is_loaded_into_a_file_and_queried() -> None:
    done = graphir("load", "example:library", "--into", "lib.duckdb")
    assert done.exit_code == 0
    assert done.stderr == "139 nodes and 345 edges\n"
    assert done.stdout == ""
    done = graphir("run", "MATCH (b:Branch) RETURN b.name, b.opened ORDER BY b.opened LIMIT 2", "--db", "lib.duckdb")
    assert done.stdout.splitlines() == [
        "b.name     b.opened",
        "─" * 19,
        "Central        1897",
        "Old Mill       1911",
        "",
        "2 rows",
    ]


def test_graph_that_cannot_be_loaded() -> None:
    done = graphir("load", "nowhere.csv", "--into", "lib.duckdb")
    assert done.exit_code == 2
    assert "G660: nowhere.csv: there is no such file" in done.stderr
    assert graphir("run", "RETURN 1 AS x", "--graph", "example:atlantis").exit_code == 2


def test_notes_about_guesses(folder: Path) -> None:
    folder.joinpath("person.csv").write_text("id,name\n1,Ann\n")
    done = graphir("load", "person.csv", "--into", "p.duckdb")
    assert done.stderr == "note: person is read as nodes with the label person\n1 node and 0 edges\n"
    assert graphir("load", "person.csv", "--into", "q.duckdb", "-q").stderr == ""


def test_schema_of_a_graph_that_is_loaded(folder: Path) -> None:
    folder.joinpath("P.csv").write_text("id,x\n1,2\n")
    folder.joinpath("schema.cypher").write_text("CREATE NODE TABLE P(id STRING, x DOUBLE, PRIMARY KEY(id));")
    done = graphir(
        "run", "MATCH (p:P) RETURN p.id, p.x", "--graph", "P.csv", "--schema", "schema.cypher", "--format", "json"
    )
    assert json.loads(done.stdout)["rows"] == [["1", 2.0]]


@pytest.mark.parametrize("by_suffix", [True, False])
def test_formats(by_suffix: bool) -> None:
    query = "MATCH (p:P) RETURN p.x AS x, p.at AS at, p AS p, [1, 2] AS l, 'it' AS s"

    def written(style: str) -> Path:
        path = Path(f"out.{style}" if by_suffix else "out")
        more = () if by_suffix else ("--format", style)
        assert graphir("run", query, "--graph", "one.json", "-o", path, *more).exit_code == 0
        return path

    row = [1, {"$date": "2020-01-02"}, {"$node": 1}, [1, 2], "it"]
    columns = ["x", "at", "p", "l", "s"]
    assert json.loads(written("json").read_text()) == {"columns": columns, "rows": [row]}
    assert json.loads(written("jsonl").read_text()) == dict(zip(columns, row, strict=True))
    assert list(csv.reader(written("csv").open())) == [columns, ["1", "2020-01-02", '{"$node": 1}', "[1, 2]", "it"]]
    for table in (
        pyarrow.parquet.read_table(written("parquet")),
        pyarrow.ipc.open_file(written("arrow").read_bytes()).read_all(),
    ):
        [found] = table.to_pylist()
        assert (found["x"], str(found["at"]), found["l"], found["s"]) == (1, "2020-01-02", [1, 2], "it")
        assert json.loads(found["p"])["labels"] == ["P"]


def test_table_shows_values_as_they_are() -> None:
    done = graphir("run", "RETURN null AS a, [1, 'x'] AS b, date('2020-01-02') AS c, 'text' AS d, {k: true} AS e")
    assert done.stdout.splitlines()[2].split("  ") == ["null", " [1, 'x']", " 2020-01-02", " text", " {k: true}"]
    assert graphir("run", "MATCH (n) RETURN n").stdout.endswith("\n0 rows\n")


def test_script_runs_statement_by_statement_and_is_kept() -> None:
    script = "CREATE (:P {x: $x});\nMATCH (p:P) RETURN p.x AS x;\nMATCH (p:P) SET p.x = 5;"
    done = graphir("run", "-", "--db", "g.duckdb", "--param", 'x="a"', "--format", "json", input=script)
    assert done.exit_code == 0
    assert json.loads(done.stdout) == {"columns": ["x"], "rows": [["a"]]}
    assert done.stderr.splitlines()[1] == "properties set: 1"
    again = graphir("run", "MATCH (p:P) RETURN p.x AS x", "--db", "g.duckdb", "--format", "csv")
    assert again.stdout == "x\n5\n"


def test_fault_of_a_script_has_its_place_and_what_came_before_is_kept(folder: Path) -> None:
    folder.joinpath("s.cypher").write_text("CREATE (:P);\nMATCH (p:P)\nRETURN p.x, q;")
    done = graphir("run", "s.cypher", "--db", "g.duckdb")
    assert done.exit_code == 1
    assert "s.cypher:3:13: error G101" in done.stderr
    assert "2 | MATCH" not in done.stderr
    assert graphir("run", "MATCH (p:P) RETURN count(p) AS n", "--db", "g.duckdb", "--format", "csv").stdout == "n\n1\n"
    folder.joinpath("s.cypher").write_text("CREATE (:P);\nMATCH (p:P")
    assert graphir("run", "s.cypher", "--db", "g.duckdb").exit_code == 1
    assert graphir("run", "MATCH (p:P) RETURN count(p) AS n", "--db", "g.duckdb", "--format", "csv").stdout == "n\n1\n"


def test_limits_of_a_query() -> None:
    done = graphir("run", "UNWIND range(1, 5) AS x RETURN x", "--max-rows", "3")
    assert done.exit_code == 1
    assert "G610" in done.stderr


def test_parameters(folder: Path) -> None:
    folder.joinpath("p.json").write_text('{"a": 1, "d": {"$date": "2020-01-02"}}')
    done = graphir(
        "run", "RETURN $a AS a, $b AS b, $d.year AS y", "--params", "p.json", "--param", "b=[1]", "--format", "json"
    )
    assert json.loads(done.stdout)["rows"] == [[1, [1], 2020]]
    assert graphir("run", "RETURN $a AS a", "--param", "a=text").exit_code == 2
    assert graphir("run", "RETURN $a AS a", "--params", "one.jso").exit_code == 2
    folder.joinpath("p.json").write_text("[1]")
    assert graphir("run", "RETURN $a AS a", "--params", "p.json").exit_code == 2


@pytest.mark.parametrize("jobs", ["1", "2"])
def test_corpus_with_graphs_that_rows_name(jobs: str) -> None:
    options = ("--graph-field", "graph", "--graphs", "graphs.jsonl", "--params-field", "given", "--jobs", jobs, "-q")
    done = graphir("run", "queries.jsonl", *options, "-o", "out.jsonl")
    assert done.exit_code == 1
    found = rows(Path("out.jsonl").read_text())
    assert [{key: row[key] for key in given} for row, given in zip(found, QUERIES, strict=True)] == list(QUERIES)
    assert [codes(row) for row in found[:-1]] == [
        *[[], [], [], [], ["G665"], ["G665"], ["G665"], ["G101"], ["G631"]],
    ]
    assert codes(found[-1])[0].startswith("G0")
    assert [row["rows"] for row in found[:5]] == [
        [[1, {"$date": "2020-01-02"}]],
        [[2]],
        [[{"$node": 1}]],
        [[{"$date": "2020-01-02"}]],
        None,
    ]
    assert found[0]["columns"] == ["x", "at"]
    assert found[1]["counters"] == {"properties_set": 2}


def test_corpus_on_one_graph() -> None:
    Path("q.jsonl").write_text('{"query": "MATCH (p:P) DELETE p"}\n{"query": "MATCH (p:P) RETURN count(p) AS n"}\n')
    done = graphir("run", "q.jsonl", "--graph", "one.json", "-q")
    assert done.exit_code == 0
    found = rows(done.stdout)
    assert [row["rows"] for row in found] == [[], [[1]]]
    graphir("load", "one.json", "--into", "g.duckdb")
    assert graphir("run", "q.jsonl", "--db", "g.duckdb", "-q").stdout == done.stdout


@pytest.mark.parametrize(
    "arguments",
    [
        ("queries.jsonl", "--graphs", "graphs.jsonl"),
        ("queries.jsonl", "--graph-field", "graph"),
        ("queries.jsonl", "--graph-field", "graph", "--graphs", "graphs.jsonl", "--graph", "one.json"),
        ("queries.jsonl", "--graph-field", "graph", "--graphs", "queries.jsonl"),
        ("queries.jsonl", "--format", "table"),
        ("RETURN 1 AS x", "--graph-field", "graph"),
        ("RETURN 1 AS x", "--db", "text.duckdb"),
    ],
)
def test_wrong_usage(arguments: tuple[str, ...]) -> None:
    Path("text.duckdb").write_text("no database" * 1000)
    assert graphir("run", *arguments).exit_code == 2


def test_plan() -> None:
    done = graphir("plan", "MATCH (p:P) RETURN p.x AS x", "--graph", "one.json")
    assert done.exit_code == 0
    assert "(match" in done.stdout
    assert "SELECT" in done.stdout
    assert '"n:P"' in graphir("plan", "MATCH (p:P) RETURN p.x AS x", "--graph", "one.json", "--show", "plan").stdout
    analyzed = graphir(
        "plan", "MATCH (p:P) RETURN p.x AS x", "--graph", "one.json", "--show", "plan", "--analyze"
    ).stdout
    assert "1 row " in analyzed
    assert graphir("plan", "CREATE (:P)").exit_code == 1
    assert "G101" in graphir("plan", "RETURN x").stderr
