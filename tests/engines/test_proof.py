"""Proof on engines that are not ours: the same rows where they agree, small scripts where they do not.

GRAPHIR_CASES says how many random cases are compared (60).
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import graphir
from graphir.backends.engines import registry
from graphir.backends.engines.registry import KINDS
from graphir.proof import Panel, Question, prove, samples, script, translated
from graphir.proof.fuzzing import Tally, fuzz
from tests.proof.toys import Rule, Toy, edges_twice, no_distinct

CASES = int(os.environ.get("GRAPHIR_CASES", "60"))
JUDGES = ("neo4j", "arcadedb", "kglite")
QUERIES = (
    "MATCH (a:Person)-[r:KNOWS]-(b) WHERE a.age > 30 RETURN a, r, b.name AS name ORDER BY name",
    "MATCH (a:Person {name: 'Tom'})-[:KNOWS*1..2]->(b:Person) RETURN DISTINCT b.name AS name",
    "MATCH (a:A) OPTIONAL MATCH (a)-[:R]->(b:B) WHERE b.x >= 3 RETURN a.x AS x, collect(b.x) AS xs, sum(b.x) AS s",
    "MATCH (a:A)-[:R]->(b) WITH a, count(b) AS n ORDER BY n DESC, a.x LIMIT 3 RETURN n ORDER BY n LIMIT 2",
)
FAULTS = (
    (edges_twice, "MATCH (a:Person)-[:KNOWS]-(b)-[:KNOWS]-(c) WHERE a.age > 30 RETURN a.name AS a, c.name AS c"),
    (no_distinct, "MATCH (a:Person)-[:KNOWS]->(b) WHERE b.age > 30 WITH DISTINCT a RETURN a.name AS name"),
)
TRANSLATIONS = (
    ("gql-spanner", "googlesql"),
    ("pgq-googlesql", "googlesql"),
    ("pgq-hyper", "hyper"),
    ("sql-sqlite", "sqlite"),
)


def usable(*names: str) -> list[str]:
    return [name for name in names if name in KINDS and registry.examine(KINDS[name]).usable]


@pytest.fixture(scope="module")
def panel(request: pytest.FixtureRequest) -> Iterator[Panel]:
    """The embedded engine and the judges that are usable here; without any there is nothing to test."""
    names = usable(*JUDGES)
    if not names:
        pytest.skip(f"none of {', '.join(JUDGES)} is installed")
    options: dict[str, dict[str, Any]] = {}
    if "neo4j" in names:
        options["neo4j"] = {"uri": request.getfixturevalue("neo4j_uri"), "keep": False}
    with Panel(["duckdb", *names], options) as found:
        yield found


@pytest.mark.parametrize("query", QUERIES)
def test_engines_agree(panel: Panel, query: str) -> None:
    proof = prove([Question(query)], samples([Question(query)], 12), panel)
    assert proof.script is None
    assert proof.outcome == "same", proof.told
    assert proof.filled >= 5


@pytest.mark.parametrize(("rule", "query"), FAULTS)
def test_a_seeded_fault_stands_alone(panel: Panel, rule: Rule, query: str) -> None:
    engines = {name: panel.engine(name) for name in panel.names}
    with Panel({"toy": Toy(rule), **engines}) as several:
        found = prove([Question(query)], samples([Question(query)], 40), several).disagreement
    assert found is not None
    assert {answer.engine for answer in found.verdict.odd} == {"toy"}
    assert len(found.graph.nodes) <= 3
    assert len(found.questions[0].text) < 60


def test_the_script_of_a_disagreement_shows_it(panel: Panel, tmp_path: Path) -> None:
    """Two queries that differ, on all engines: each gives in the script what it gave before."""
    questions = [Question(f"MATCH (a:A)-[:R]-{arrow}(b:A) RETURN b.x AS x") for arrow in ("", ">")]
    found = prove(questions, samples(questions, 20), panel).disagreement
    assert found is not None
    path = tmp_path / "show.py"
    path.write_text(script(found, panel), encoding="utf-8")
    uri = panel.options("neo4j").get("uri", "")
    done = subprocess.run(
        [sys.executable, str(path)],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "NEO4J_URI": uri},
    )
    assert "AssertionError" in done.stderr
    for answer in found.verdict.answers:
        assert answer.result is not None
        count = len(answer.result.rows)
        assert f"{answer.engine}, query {answer.question + 1}: {count} row{'s' * (count != 1)}" in done.stdout


@pytest.mark.parametrize(("dialect", "engine"), TRANSLATIONS)
def test_translations_are_judged_by_rows(dialect: str, engine: str) -> None:
    if not usable(engine):
        pytest.skip(f"{engine} is not installed")
    question = Question(
        "MATCH (a:Person)-[:KNOWS]->(b:Person) WHERE a.age > 30 RETURN a.name AS name, b.age + 1 AS next"
    )
    with Panel(["duckdb", engine]) as several:
        asking = translated(question, dialect, several, [engine])
        proof = prove([question], samples([question], 10), several, asking)
    assert proof.outcome == "same", proof.told
    assert proof.answered[engine] >= 5


def test_random_cases(panel: Panel) -> None:
    """Whatever is found, the embedded engine is not the odd one out."""
    tally = Tally()
    alone = [
        (finding.number, finding.found.questions[0].text)
        for finding in fuzz(panel, CASES, tally, profile="shared", tries=150)
        if {answer.engine for answer in finding.found.verdict.odd} == {"duckdb"}
    ]
    assert alone == []
    assert tally.cases + tally.refused == CASES
    assert tally.answered["duckdb"] == tally.cases
    assert tally.filled >= CASES // 5


def test_a_write_of_another_does_not_reach_a_server(panel: Panel) -> None:
    """What a panel loads is undone: a session of its own sees nothing of it."""
    if "neo4j" not in panel.names:
        pytest.skip("no Neo4j")
    query = Question("MATCH (n:ProofOnly) RETURN n.x AS x")
    prove([query], samples([query], 3), panel)
    with graphir.connect("neo4j", uri=panel.options("neo4j")["uri"]) as other:
        assert other.run("MATCH (n:ProofOnly) RETURN count(n) AS c").rows == [(0,)]
