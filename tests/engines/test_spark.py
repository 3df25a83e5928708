"""Spark, on two threads in this process: it starts and leaves nothing behind, its rows are the embedded engine's, and
it asks tables that a session has already.  The page on graphs beyond one machine shows what is printed."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import graphir
from graphir.backends.engines import registry
from graphir.backends.sql.targets import Statement
from graphir.backends.sqltext.constructs import schema as constructs_schema
from tests.engines import sql_constructs, sql_texts

ROOT = Path(__file__).resolve().parents[2]
PAGE = ROOT / "docs" / "spark.md"
PAIRS = int(os.environ.get("GRAPHIR_PAIRS", "12"))
"""How many random queries are compared."""

usable = registry.examine(registry.KINDS["spark"]).usable
pytestmark = pytest.mark.skipif(not usable and not os.environ.get("GRAPHIR_STRICT"), reason="pyspark is not installed")


@pytest.fixture(scope="module")
def spark() -> Any:
    """A session of our own Spark."""
    from graphir.backends.engines.drivers.spark_session import local_session

    return local_session("1g")


def python(program: str, folder: Path, **variables: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **variables}
    command = [sys.executable, "-c", program]
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)


def test_it_starts_answers_and_leaves_nothing(tmp_path: Path) -> None:
    folder, temporary = tmp_path / "here", tmp_path / "temporary"
    folder.mkdir()
    temporary.mkdir()
    program = (
        "import graphir\n"
        "with graphir.connect('spark', memory='600m') as db:\n"
        "    db.load({'nodes': [{'id': 'a', 'labels': ['A'], 'properties': {'x': 1}}], 'edges': []})\n"
        "    print(db.run('MATCH (n:A) WHERE n.x = $x RETURN n.x + 1 AS y, n', {'x': 1}).rows)\n"
        "    try: db.run('MATCH (n:A) RETURN n.x / 0 AS y')\n"
        "    except graphir.RunFault as error: print(error.diagnostics[0].code)\n"
    )
    done = python(program, folder, TMPDIR=str(temporary))
    assert done.stdout == "[(2, Node(id='a', labels=('A',), properties={'x': 1}))]\nG624\n", done.stderr
    assert done.stderr == ""
    assert list(folder.iterdir()) == []
    assert list(temporary.iterdir()) == []


def test_without_a_java_it_says_so(tmp_path: Path) -> None:
    program = (
        "import graphir\ntry: graphir.connect('spark')\n"
        "except graphir.UsageFault as error: print(error.diagnostics[0].code)\n"
    )
    assert python(program, tmp_path, JAVA_HOME=str(tmp_path), TMPDIR=str(tmp_path)).stdout == "G629\n"
    assert list(tmp_path.iterdir()) == []


def test_a_session_that_passes_over_errors_is_refused(spark: Any) -> None:
    lenient = spark.newSession()
    lenient.conf.set("spark.sql.ansi.enabled", "false")
    with pytest.raises(graphir.UsageFault, match=r"G620.*ansi"):
        graphir.connect("spark", session=lenient)


def test_random_queries_give_the_rows_of_the_embedded_engine() -> None:
    from graphir.backends.engines.drivers.spark import Spark

    tally = sql_texts.Tally()
    with Spark(trusting=True) as engine:
        for graph, queries in sql_texts.cases(0, PAIRS):
            sql_texts.compare(engine, graph, queries, tally)
    assert tally.different == []
    assert tally.equal >= PAIRS * 3 // 4


def test_constructs_give_the_rows_of_the_embedded_engine(spark: Any) -> None:
    from graphir.backends.engines.drivers.spark import Spark, frame

    for table in sql_constructs.tables("sql-spark").tables.values():
        rows = [[row.get(name) for name in table.columns] for row in table.rows]
        frame(spark, table.columns, rows).createOrReplaceTempView(f"`{table.name}`")
    engine: Any = Spark(spark, constructs_schema())

    def run(made: Statement) -> list[tuple[Any, ...]]:
        readers = [engine.reader(rep) for _, rep in made.columns]
        return [
            tuple([v if v is None or read is None else read(v) for v, read in zip(row, readers, strict=True)])
            for row in engine.fetch(made)
        ]

    assert sql_constructs.differences("sql-spark", run) == []


def test_rows_that_limit_chose_are_chosen_once(spark: Any) -> None:
    """A common table is read twice; were it computed twice, other rows could be chosen."""
    with graphir.connect("spark", session=spark) as db:
        nodes = [{"id": at, "labels": ["A"], "properties": {"x": at}} for at in range(40)]
        edges = [{"id": at, "type": "R", "start": at, "end": (at + 1) % 40, "properties": {}} for at in range(0, 40, 2)]
        db.load({"nodes": nodes, "edges": edges})
        query = "MATCH (a:A) WITH a ORDER BY a.x % 5 LIMIT 9 OPTIONAL MATCH (a)-[:R]->(b) RETURN a.x AS x, b.x AS y"
        found = db.run(query).rows
        assert len(found) == 9
        assert all((y is None) == (x % 2 == 1) and y in (None, (x + 1) % 40) for x, y in found)


def test_texts_are_what_they_are(spark: Any) -> None:
    with graphir.connect("spark", session=spark) as db:
        query = r"RETURN 'a${user.home}b\\c\'d\n${' AS a, $b AS b, $c AS c, $d AS d"
        given = {"b": "${spark.app.name}", "c": float("inf"), "d": [1.5, float("-inf")]}
        expected = ("a${user.home}b\\c'd\n${", "${spark.app.name}", float("inf"), [1.5, float("-inf")])
        assert db.run(query, given).rows == [expected]


BLOCK = re.compile(r"^```(python|text|sql)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_the_page_shows_what_is_printed(tmp_path: Path, request: pytest.FixtureRequest) -> None:
    """The ```python blocks of the page run one after the other; a ```text block after one is what it prints."""
    page = PAGE.read_text(encoding="utf-8")
    (definition,) = re.findall(r"\$ cat > network\.sql <<'END'\n(.*?)> END\n", page, re.DOTALL)
    (tmp_path / "network.sql").write_text(definition.replace("\n> ", "\n").removeprefix("> "), encoding="utf-8")
    blocks = [(kind, body) for kind, body in BLOCK.findall(page) if kind in ("python", "text")]
    programs = [body for kind, body in blocks if kind == "python"]
    done = python("\nprint('=====')\n".join(programs), tmp_path, SPARK_LOCAL_IP="127.0.0.1")
    printed = done.stdout.split("=====\n")
    assert len(printed) == len(programs), done.stderr[-2000:]
    shown = [
        blocks[at + 1][1] if at + 1 < len(blocks) and blocks[at + 1][0] == "text" else ""
        for at, (kind, _) in enumerate(blocks)
        if kind == "python"
    ]
    if request.config.getoption("--update-golden"):
        for old, new in zip(shown, printed, strict=True):
            page = page.replace(f"```text\n{old}```", f"```text\n{new}```") if old else page
        PAGE.write_text(page, encoding="utf-8")
        return
    assert printed == shown
