"""The script of a disagreement runs by itself and shows it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import graphir
from graphir import PropertyGraph
from graphir.proof import Disagreement, Panel, Question, create_statement, judge, script
from graphir.values.json import to_json

GRAPH: dict[str, Any] = {
    "nodes": [
        {"id": "ada", "labels": ["Person", "A b"], "properties": {"born": {"$date": "1815-12-10"}, "n`": 1}},
        {"id": 7, "labels": [], "properties": {"s": 'it\'s \\ "so"\n', "f": {"$float": "NaN"}, "xs": [1, -2]}},
        {"id": 8, "labels": ["Thing"], "properties": {"at": {"$point": {"srid": 7203, "x": 1.0, "y": -2.5}}}},
    ],
    "edges": [
        {"id": 1, "type": "KNOWS", "start": "ada", "end": 7, "properties": {"for": {"$duration": "P1Y2M"}}},
        {"id": 2, "type": "KNOWS", "start": 7, "end": 7, "properties": {}},
    ],
}


def written(*questions: Question, graph: dict[str, Any] = GRAPH) -> tuple[str, Disagreement]:
    elements = PropertyGraph.from_dict(graph)
    with Panel(["duckdb"]) as panel:
        verdict = judge(questions, elements, panel)
        found = Disagreement(questions, elements, verdict)
        return script(found, panel), found


def ran(text: str, path: Path) -> subprocess.CompletedProcess[str]:
    path.write_text(text, encoding="utf-8")
    return subprocess.run([sys.executable, str(path)], capture_output=True, text=True, check=False)


def test_it_shows_the_rows_and_fails(tmp_path: Path) -> None:
    text, found = written(
        Question("MATCH (a)-[:KNOWS]->(b)\nRETURN b.s AS s, 'q\"' AS q"),
        Question("MATCH (a)-[:KNOWS]-(b)\nRETURN b.s AS s, 'q\"' AS q"),
    )
    assert found.verdict.disagree
    done = ran(text, tmp_path / "show.py")
    assert done.returncode == 1
    assert "AssertionError: 2 rows are expected, 3 found" in done.stderr
    for answer in found.verdict.answers:
        assert answer.result is not None
        shown = [f"duckdb, query {answer.question + 1}: {len(answer.result.rows)} rows", *map(str, answer.result.rows)]
        assert "\n    ".join(shown) in done.stdout


def test_it_ends_well_when_the_answers_are_the_same(tmp_path: Path) -> None:
    text, _ = written(Question("MATCH (a)-->(b) RETURN a"), Question("MATCH (a)--(b) RETURN a"))
    same = text.replace("MATCH (a)--(b) RETURN a", "MATCH (b)<--(a) RETURN a")
    assert ran(same, tmp_path / "show.py").returncode == 0


def test_a_failure_is_shown_as_one(tmp_path: Path) -> None:
    text, found = written(Question("RETURN 1 / 0 AS x"), Question("RETURN 1 AS x"))
    assert found.verdict.status == "failing"
    done = ran(text, tmp_path / "show.py")
    assert "duckdb, query 1: fails: G631" in done.stdout
    assert "query failed" in done.stderr


def test_parameters_are_in_it(tmp_path: Path) -> None:
    parameters = {"d": graphir.connect().run("RETURN date('2020-02-29') AS d").rows[0][0], "s": "x"}
    text, _ = written(
        Question("RETURN $d AS d, $s AS s", parameters=parameters),
        Question("RETURN $d AS d, 1 AS s", parameters=parameters),
    )
    done = ran(text, tmp_path / "show.py")
    assert done.returncode == 1
    assert "Date(days=" in done.stdout


def test_ties_and_pages_are_judged_as_before(tmp_path: Path) -> None:
    """What the script takes as the measure knows which other rows a query might have given."""
    text, _ = written(Question("MATCH (n) RETURN n.s AS s ORDER BY 1"), Question("MATCH (n) RETURN 1 AS s"))
    tied = text.replace("MATCH (n) RETURN 1 AS s", "MATCH (n) WITH n ORDER BY n.s DESC RETURN n.s AS s ORDER BY 1")
    assert ran(tied, tmp_path / "show.py").returncode == 0


@pytest.mark.parametrize("graph", [GRAPH, {"nodes": [{"id": 1, "labels": ["A", "B"]}], "edges": []}])
def test_the_create_statement_makes_the_graph(graph: dict[str, Any]) -> None:
    elements = PropertyGraph.from_dict(graph)

    def content(session: Any) -> list[Any]:
        nodes = session.run("MATCH (n) RETURN labels(n) AS l, properties(n) AS p").rows
        edges = session.run(
            "MATCH (a)-[r]->(b) RETURN type(r) AS t, properties(r) AS p, labels(a) AS a, labels(b) AS b"
        ).rows
        return sorted(repr(to_json(list(row))) for row in nodes + edges)

    with graphir.connect() as loaded, graphir.connect() as created:
        loaded.load(elements)
        created.run(create_statement(elements))
        assert content(loaded) == content(created)


def test_the_empty_graph_needs_no_statement() -> None:
    assert create_statement(PropertyGraph()) == ""
    text, _ = written(Question("RETURN 1 AS a"), Question("RETURN 2 AS a"), graph={"nodes": [], "edges": []})
    assert "# the empty graph" in text
