"""`graphir prove` and `graphir fuzz`, and what is behind them."""

from __future__ import annotations

import json
import subprocess
import sys
from collections import Counter
from io import StringIO
from pathlib import Path
from typing import Any

import pytest

import graphir
from graphir.backends.engines.protocol import Engine
from graphir.generation import PROFILES
from graphir.proof import Panel, Question, prove, samples, translated
from graphir.proof.campaigns import Campaign
from graphir.proof.fuzzing import Tally, case_of, fuzz
from tests.command_line import codes, rows
from tests.command_line import graphir as command
from tests.proof.toys import Toy, edges_twice, no_distinct

EITHER = "MATCH (a:Person)-[:KNOWS]-(b) RETURN a.name"
OUT = "MATCH (a:Person)-[:KNOWS]->(b) RETURN a.name"
ROWS: tuple[dict[str, Any], ...] = (
    {"query": OUT, "gold": OUT.replace("a.name", "a.name AS n")},
    {"query": EITHER, "gold": OUT},
    {"query": "MATCH (a) RETURN m", "gold": OUT},
    {"query": "MATCH (n:A) SET n.x = 1", "gold": OUT},
    {"query": OUT},
    {"query": "MATCH (n) WHERE n.x = $x RETURN n.x", "gold": "MATCH (n {x: $x}) RETURN n.x", "given": {"x": 3}},
    {"query": "MATCH (n) WHERE n.x > 3 AND n.x < 2 RETURN n", "gold": "MATCH (n) WHERE false RETURN n"},
)


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    return tmp_path


# ------------------------------------------------------------------ prove


def test_the_same_rows() -> None:
    done = command("prove", OUT, "--same-as", "MATCH (b)<-[:KNOWS]-(a:Person) RETURN a.name AS n", "--graphs", "20")
    assert done.exit_code == 0
    assert done.stdout.startswith("the same rows on 20 graphs, ")
    assert done.stdout.rstrip().endswith("of them with rows: duckdb")


def test_other_rows_are_a_script() -> None:
    done = command("prove", EITHER, "--same-as", OUT)
    assert done.exit_code == 1
    assert "G670: different rows: query 1 on duckdb" in done.stderr
    Path("show.py").write_text(done.stdout)
    ran = subprocess.run([sys.executable, "show.py"], capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert "AssertionError" in ran.stderr


def test_a_document() -> None:
    done = command("prove", EITHER, "--same-as", OUT, "--json")
    proof = json.loads(done.stdout)["proof"]
    assert (proof["outcome"], done.exit_code) == ("different", 1)
    shown = proof["disagreement"]
    assert [each["query"] for each in shown["queries"]] == [EITHER, OUT]
    assert len(shown["graph"]["edges"]) == 1
    assert [each["kind"] for each in shown["answers"]] == ["rows", "rows"]
    assert "import graphir" in shown["script"]


def test_a_translation() -> None:
    done = command("prove", "MATCH (a)-[:R]->(b:A|B) FILTER b.x > 2 RETURN b.x AS x", "--to", "opencypher-9", "--json")
    row = json.loads(done.stdout)
    assert (row["proof"]["outcome"], done.exit_code) == ("same", 0)
    assert row["proof"]["with_rows"] > 10
    assert [each["dialect"] for each in row["proof"]["queries"]] == ["neo4j-25", "opencypher-9"]
    refused = command("prove", "MATCH (n) RETURN n", "--to", "pgq-googlesql")
    assert refused.exit_code == 1
    assert "G677" in refused.stderr


def test_a_given_graph_and_a_schema() -> None:
    query = "MATCH (c:Copy)-[:COPY_OF]->(t:Title) RETURN t.name AS name, count(c) AS copies"
    other = query.replace("(c:Copy)", "(c)")
    done = command("prove", query, "--same-as", other, "--graph", "example:library")
    assert (done.exit_code, done.stdout) == (0, "the same rows on 1 graph, 1 of them with rows: duckdb\n")
    Path("s.txt").write_text("(:Copy)-[:COPY_OF]->(:Title)\n(:Copy)-[:KEPT_AT]->(:Branch)\n")
    assert command("prove", query, "--same-as", other, "--schema", "s.txt").exit_code == 0
    without = command("prove", query, "--same-as", other)
    assert without.exit_code == 1
    assert "G670" in without.stderr


def test_parameters() -> None:
    query, other = "MATCH (n) WHERE n.x = $x RETURN n", "MATCH (n {x: 4}) RETURN n"
    assert command("prove", query, "--same-as", other, "--param", "x=4").exit_code == 0
    assert command("prove", query, "--same-as", other, "--param", "x=5").exit_code == 1


def test_nothing_is_proved_without_rows() -> None:
    done = command("prove", ROWS[-1]["query"], "--same-as", ROWS[-1]["gold"], "--graphs", "10")
    assert done.exit_code == 1
    assert "G672: nothing is proved: none of 10 graphs gives the query a row" in done.stderr
    alone = command("prove", OUT)
    assert alone.exit_code == 1
    assert "G673" in alone.stderr


def test_usage() -> None:
    for arguments in (
        ("--same-as", OUT, "--to", "neo4j-5"),
        ("--on", "duckdb"),
        ("--engines", "nothing"),
        ("--graph", "nowhere.json", "--same-as", OUT),
        ("--same-as", OUT, "--same-as-field", "gold"),
    ):
        assert command("prove", EITHER, *arguments).exit_code == 2, arguments


def test_a_corpus_comes_out_row_by_row() -> None:
    arguments = ("--same-as-field", "gold", "--params-field", "given", "--graphs", "8", "-q", "-o", "out.jsonl")
    done = command("prove", "rows.jsonl", *arguments, "--report", "report.json")
    assert done.exit_code == 1
    found = rows(Path("out.jsonl").read_text())
    assert [row["query"] for row in found] == [row["query"] for row in ROWS]
    assert [codes(row) for row in found] == [
        *([], ["G670"], ["G101"], ["G676"], ["G091"], [], ["G672"]),
    ]
    outcomes = [row["proof"] and row["proof"]["outcome"] for row in found]
    assert outcomes == ["same", "different", None, None, None, "same", "nothing"]
    assert json.loads(Path("report.json").read_text())["rows"] == len(ROWS)
    before = Path("out.jsonl").read_bytes()
    Path("out.jsonl").write_bytes(b"".join(before.splitlines(keepends=True)[:3]))
    command("prove", "rows.jsonl", *arguments, "--resume")
    assert Path("out.jsonl").read_bytes() == before


def test_require() -> None:
    questions = [Question(EITHER), Question(OUT)]
    with Panel(["duckdb"]) as panel:
        prove([Question(OUT), Question(OUT)], samples(questions, 10), panel).require()
        with pytest.raises(graphir.RunFault, match="G670"):
            prove(questions, samples(questions, 10), panel).require()


def test_an_engine_that_translates_wrongly_is_shown_with_the_smallest_query() -> None:
    """A translation is cut together with its query."""
    question = Question("MATCH (a:A)-[r:R]->(b) WITH DISTINCT a WHERE a.x > 1 RETURN a.x + 1 AS x")
    with Panel({"duckdb": graphir.connect(), "toy": Toy(no_distinct)}) as panel:
        asking = translated(question, "neo4j-5", panel, ["toy"])
        found = prove([question], samples([question], 100), panel, asking).disagreement
    assert found is not None
    first, second = found.questions
    assert (first.dialect, second.dialect) == ("neo4j-25", "neo4j-5")
    assert second.text == graphir.translate(first.text, "neo4j-25", "neo4j-5")
    assert len(first.text) < 45


# ------------------------------------------------------------------ fuzz


def test_a_fault_is_found_once_and_told_as_a_script(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    engines: dict[str, Engine] = {"duckdb": graphir.connect(), "toy": Toy(edges_twice)}
    with Panel(engines) as panel:
        campaign = Campaign(panel, tmp_path / "found")
        count = campaign.run(30, seed=0, tries=150)
    files = sorted((tmp_path / "found").iterdir())
    assert count == len(files) == campaign.tally.findings >= 1
    assert capsys.readouterr().out.split() == [str(path) for path in sorted(files, key=lambda p: int(p.stem[5:]))]
    assert campaign.tally.cases == 30
    assert all("# case " in path.read_text() for path in files)


def test_what_is_told_is_small() -> None:
    with Panel({"duckdb": graphir.connect(), "toy": Toy(no_distinct)}) as panel:
        finding = next(fuzz(panel, 200, Tally()))
    assert len(finding.found.questions[0].text) < len(finding.original.text)
    assert len(finding.found.graph.nodes) <= 3
    document = finding.to_json()
    assert (document["case"], document["query"]) == (finding.number, finding.original.text)
    again, graph = case_of(finding.number)
    assert again.text == finding.original.text
    with Panel({"duckdb": graphir.connect(), "toy": Toy(no_distinct)}) as panel:
        proof = prove([again], [graph], panel)
    assert proof.outcome == "different"


def test_no_fault_no_finding() -> None:
    tally = Tally()
    with Panel({"duckdb": graphir.connect(), "toy": Toy()}) as panel:
        assert list(fuzz(panel, 25, tally)) == []
        assert panel.loads <= 2 * 3 * 4  # a graph for ten cases, and orders of it where something is open
    assert tally.cases + tally.refused == 25
    assert tally.answered == Counter({"duckdb": tally.cases, "toy": tally.cases})
    assert tally.to_json()["findings"] == 0


def test_the_command() -> None:
    assert command("fuzz", "duckdb", "--against", "duckdb").exit_code == 2
    assert command("fuzz", "nothing").exit_code == 2
    assert command("fuzz", "sqlite", "--profile", "nothing").exit_code == 2
    assert "reads" in PROFILES
    done = command("fuzz", "sqlite", "--count", "20", "--json")
    assert done.exit_code in (0, 1)
    tally = json.loads(done.stdout.splitlines()[-1])["tally"]
    assert tally["cases"] + tally["refused"] == 20
    assert "20 cases" in done.stderr
    assert done.exit_code == (1 if tally["findings"] else 0)


def test_time_bounds_a_run() -> None:
    tally = Tally()
    with Panel({"duckdb": graphir.connect(), "toy": Toy()}) as panel:
        assert list(fuzz(panel, 10**9, tally, seconds=0.5)) == []
    assert 0 < tally.cases < 10**5


def test_an_interrupted_run_tells_what_it_counted() -> None:
    class Interrupted(Toy):
        def run(self, text: str, parameters: Any = None, dialect: str = "neo4j-25") -> graphir.Result:
            if len(self.asked) == 7:
                raise KeyboardInterrupt
            return super().run(text, parameters, dialect)

    log = StringIO()
    with Panel({"duckdb": graphir.connect(), "toy": Interrupted()}) as panel:
        campaign = Campaign(panel, log=log)
        with pytest.raises(KeyboardInterrupt):
            campaign.run(100)
    assert 0 < campaign.tally.cases <= 7
    assert log.getvalue().startswith(f"{campaign.tally.cases} cases")
