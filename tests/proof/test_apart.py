"""Engines in processes of their own: the same answers, and a crash that costs nothing but itself."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

import graphir
from graphir import PropertyGraph
from graphir.backends.engines.protocol import Engine
from graphir.proof import Panel, Question, judge, prove
from graphir.proof.apart import Apart

GRAPH = PropertyGraph.from_dict(
    {
        "nodes": [{"id": "a", "labels": ["P"], "properties": {"x": 1, "at": {"$date": "2020-02-29"}}}],
        "edges": [{"id": 5, "type": "R", "start": "a", "end": "a", "properties": {"d": {"$duration": "P1Y2M3DT4.5S"}}}],
    }
)
QUERY = "MATCH p = (n:P)-[r:R]->(n) RETURN n, r, p, n.at AS at, r.d AS d, [1, null, 'x', {a: 0.0 / 0.0}] AS l"


def test_answers_come_back_as_they_are() -> None:
    with Apart("duckdb") as far, graphir.connect() as near:
        assert isinstance(far, Engine)
        for engine in (far, near):
            engine.load(GRAPH)
        there, here = far.run(QUERY), near.run(QUERY)
        assert there.columns == here.columns
        assert graphir.rows_equal(here, there)
        assert there.rows[0][0].properties == here.rows[0][0].properties
        far.clear()
        assert far.run("MATCH (n) RETURN count(n) AS c").rows == [(0,)]


def test_faults_come_back_as_they_are() -> None:
    with Apart("duckdb") as far:
        with pytest.raises(graphir.RunFault, match="G631"):
            far.run("RETURN 1 / 0 AS x")
        with pytest.raises(graphir.SyntaxFault):
            far.run("RETURN")
        assert far.run("RETURN $x AS x", {"x": [1]}).rows == [([1],)]
    with pytest.raises(graphir.UsageFault):
        Apart("nothing")
    with pytest.raises(graphir.UsageFault):
        Apart("duckdb", {"path": "/nowhere/at/all.duckdb"})


def test_a_process_that_ends_is_a_lost_engine() -> None:
    with Apart("duckdb") as far:
        os.kill(far.process, signal.SIGKILL)
        with pytest.raises(graphir.RunFault, match="its process ended by signal 9") as lost:
            far.run("RETURN 1 AS one")
        assert lost.value.diagnostics[0].code == "G628"


def test_an_engine_that_does_not_come_back_is_ended() -> None:
    with Apart("duckdb", patience=1.0) as far, pytest.raises(graphir.RunFault, match="G628"):
        far.run("UNWIND range(1, 100000) AS a UNWIND range(1, 100000) AS b RETURN count(a * b % 7) AS c")


def test_a_panel_goes_on_after_a_crash() -> None:
    graph = PropertyGraph.from_dict({"nodes": [{"id": 1, "labels": ["P"], "properties": {"x": 1}}]})
    with Panel(["duckdb", "sqlite"], apart=["sqlite"]) as panel:
        assert judge("MATCH (n:P) RETURN n.x AS x", graph, panel).status == "same"
        far = panel.engine("sqlite")
        assert isinstance(far, Apart)
        os.kill(far.process, signal.SIGKILL)
        found = judge("MATCH (n:P) RETURN n.x + 1 AS x", graph, panel)
        assert (found.status, found.notes) == ("same", ("sqlite was lost and opened again",))
        assert panel.reopened["sqlite"] == 1


def test_the_script_of_engines_that_are_apart() -> None:
    """One that is asked in SQL has no dialect to be quoted in."""
    graph = PropertyGraph.from_dict({"nodes": [{"id": 1, "labels": ["P"], "properties": {"x": 1}}]})
    questions = [Question("MATCH (n:P) RETURN n.x AS x"), Question("MATCH (n:P) RETURN n.x + 1 AS x")]
    with Panel(["duckdb", "sqlite"], apart=["sqlite"]) as panel:
        found = prove(questions, [graph], panel)
    assert found.outcome == "different"
    assert found.script is not None
    assert '("sqlite", 1)' in found.script


def test_what_ends_a_process_is_told() -> None:
    """An exception that nobody foresaw is a fault of ours, and is told as the last words of the process."""
    with Apart("duckdb") as far, pytest.raises(graphir.RunFault, match="with status 1: AttributeError"):
        far.spoken("neo4j-25")


def test_it_ends_with_whoever_asked() -> None:
    """A parent that is gone leaves no engine behind: its process closes the engine and ends."""
    program = (
        "import os; from graphir.proof.apart import Apart; print(Apart('duckdb').process, flush=True); os._exit(0)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    number = int(done.stdout)
    while _runs(number):
        time.sleep(0.05)
    assert not _runs(number)


def _runs(number: int) -> bool:
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    status = Path(f"/proc/{number}/stat")
    return not (status.exists() and ") Z " in status.read_text())
