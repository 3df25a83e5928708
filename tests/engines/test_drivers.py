"""Engines that are not ours, through their drivers: each that is installed gives the rows of the embedded engine.

What one of them cannot hold or is known to get wrong it refuses, with a code; a row that differs is a failure.
"""

from __future__ import annotations

import datetime
import math
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from typing import Any

import pytest

import graphir
from graphir.backends.engines import registry
from graphir.backends.engines.constants import constant
from graphir.backends.engines.known_faults import FEATURES, KNOWN_FAULTS
from graphir.backends.engines.protocol import Engine
from graphir.backends.engines.registry import KINDS, Status
from graphir.backends.engines.relational import Relational
from graphir.values.conversions import from_standard
from graphir.values.json import to_json
from tests.engines import pairs
from tests.engines.differential import comparable

OTHERS = [name for name in KINDS if name != "duckdb"]
GRAPHS = 6
PER_GRAPH = 10
OWN = {"G621", "G622", "G623", "G624", "G625", "G626", "G627", "G685"}
"""Refusals that depend on the engine."""
OF_SQL = {"G560", "G561", "G602"}
"""Refusals of the SQL of a target."""
READERS = ("ladybug", "sqlite", "postgres", "spark")
"""Engines whose tables are made of the graph that is loaded: they only read."""

GRAPH: dict[str, Any] = {
    "nodes": [
        {"id": "ada", "labels": ["Person"], "properties": {"name": "Ada", "born": {"$date": "1815-12-10"}, "n": 1}},
        {"id": "bob", "labels": ["Person"], "properties": {"name": "B'ö\\b", "n": 2, "f": 0.5, "ok": True}},
        {"id": "tea", "labels": ["Thing"], "properties": {"n": 3, "xs": [1, 2, 3], "words": ["a", ""]}},
    ],
    "edges": [
        {"id": "e1", "type": "KNOWS", "start": "ada", "end": "bob", "properties": {"w": 1}},
        {"id": "e2", "type": "LIKES", "start": "bob", "end": "tea", "properties": {}},
    ],
}

VALUES = (
    "RETURN null AS a, true AS b, 9223372036854775807 AS c, -0.5 AS d, 'it' + \"'s\" AS e",
    "RETURN [1, 'a', null, [2.5]] AS xs, {a: 1, b: {c: 'x'}} AS m",
    "MATCH (n:Person) RETURN n ORDER BY n.n",
    "MATCH (a)-[r:KNOWS]->(b) RETURN a.name, r, b.name AS name",
    "MATCH p = (a:Person {name: 'Ada'})-[:KNOWS]->() RETURN p",
    "MATCH (n:Thing) RETURN n.xs AS xs, n.words AS words, n.none AS none",
    "MATCH (n) RETURN count(*) AS c, min(n.n) AS a, max(n.n) AS b",
    "MATCH (n:Person) WHERE n.born < date('1900-01-01') RETURN n.name AS name, n.born AS born",
    "RETURN date('2020-02-29') AS d",
    "RETURN localtime('10:11:12.5') AS t",
    "RETURN time('10:11:12+02:00') AS t",
    "RETURN localdatetime('2020-01-01T10:11:12.123456') AS t",
    "RETURN datetime('2020-01-01T10:11:12+01:00') AS t",
    "RETURN duration('P1Y2M3DT4.5S') AS d",
    "RETURN point({longitude: 2.0, latitude: 1.0}) AS p",
    "RETURN point({x: 2.0, y: 1.0}) AS p",
    "RETURN 1.0 / 0.0 AS a, 0.0 / 0.0 AS b",
)
"""Queries of all types of values."""

FEW = {"ladybug": 6, "kglite": 15, "grafeo": 14, "neo4j": 17, "arcadedb": 17, "sqlite": 5, "postgres": 7, "spark": 7}
"""The engines that these tests ask, and how many of the queries each answers at least; the others it refuses."""


def usable(name: str, *values: Any) -> Any:
    """A parameter of a test that needs the engine."""
    status = registry.examine(KINDS[name])
    needed = pytest.mark.skipif(not status.usable, reason=f"{name}: {status.reason}")
    return pytest.param(name, *values, marks=needed)


@pytest.fixture(scope="module", params=[usable(name) for name in FEW])
def engine(request: pytest.FixtureRequest) -> Iterator[Engine]:
    """An engine of each kind that is usable here, open for all tests of this file."""
    with ExitStack() as stack:
        options: dict[str, Any] = {}
        if request.param == "neo4j":
            options = {"uri": request.getfixturevalue("neo4j_uri"), "keep": False}
        if request.param == "postgres":
            options = {"uri": request.getfixturevalue("postgres_uri")}
        yield stack.enter_context(graphir.connect(request.param, **options))


def name_of(engine: Engine) -> str:
    return str(getattr(engine, "name", "duckdb"))


def plain(rows: list[tuple[Any, ...]]) -> list[list[Any]]:
    """Rows as documents: all there is to a value, and equal only if the types are."""
    return [[to_json(value, "full") for value in row] for row in rows]


def answered(engine: Engine, query: str, dialect: str = "neo4j-25", **parameters: Any) -> graphir.Result | None:
    """What the engine gives; None if it refuses: those faults alone are its own business."""
    try:
        return engine.run(query, parameters, dialect)
    except graphir.GraphirError as fault:
        own = OWN | OF_SQL if isinstance(engine, Relational) else OWN
        if {found.code for found in fault.diagnostics} <= own:
            return None
        raise


@pytest.mark.parametrize(
    "name", ["duckdb", "neo4j", "arcadedb", "kglite", "ladybug", "sqlite", "postgres", "googlesql", "spanner"]
)
def test_promised_engines_are_here(name: str) -> None:
    """`make engines` installs them: where engines are promised, a missing one is a failure."""
    status = registry.examine(KINDS[name])
    if not status.usable:
        pytest.skip(str(status.reason))
    assert status.version


def test_every_engine_is_one(engine: Engine) -> None:
    assert isinstance(engine, Engine)
    with graphir.connect() as ours:
        assert isinstance(ours, Engine)


def test_values(engine: Engine) -> None:
    engine.clear()
    loaded = engine.load(GRAPH)
    assert (loaded.nodes, loaded.edges) == (3, 2)
    different, same = [], 0
    with graphir.connect() as ours:
        ours.load(GRAPH)
        for query in VALUES:
            wanted, found = ours.run(query), answered(engine, query)
            if found is None:
                continue
            same += 1
            if (found.columns, plain(found.rows)) != (wanted.columns, plain(wanted.rows)):
                different.append((query, wanted.rows, found.rows))
    assert different == []
    assert same >= FEW[name_of(engine)]


def test_parameters(engine: Engine) -> None:
    values = [None, True, 2**40, -1.5, "it's \\ `", ["a", 1.5, None], {"a": [1]}, datetime.date(2020, 2, 29)]
    times = [datetime.datetime(2020, 1, 1, 10, 11, 12, 5), datetime.timedelta(days=1, seconds=2), math.inf]
    for value in values + times:
        found = answered(engine, "RETURN $v AS v", v=value)
        if found is not None:
            assert plain(found.rows) == plain([(from_standard(value),)])
    assert answered(engine, "RETURN $v AS v", v="text") is not None


def test_pairs(engine: Engine) -> None:
    different, same = [], 0
    with graphir.connect() as ours:
        for number in range(GRAPHS):
            graph = pairs.graph(number)
            ours.clear()
            engine.clear()
            ours.load(graph)
            try:
                engine.load(graph)
            except graphir.Unsupported:
                continue  # two labels on a node are too many for one of them
            for seed in range(number * PER_GRAPH, (number + 1) * PER_GRAPH):
                pair = pairs.pair(seed)
                dialect = "neo4j-5" if seed % 2 else "neo4j-25"
                found = answered(engine, pair.query, dialect)
                if found is None:
                    continue
                wanted = ours.run(pair.query, dialect=dialect)
                same += 1
                shown = [comparable(plain(each.rows), pair.ordered) for each in (wanted, found)]
                if shown[0] != shown[1] or wanted.columns != found.columns:
                    different.append((seed, pair.query, wanted.rows, found.rows))
    assert different == []
    assert same >= (0 if name_of(engine) == "ladybug" else GRAPHS * PER_GRAPH * 3 // 4)


def test_dialects(engine: Engine) -> None:
    engine.clear()
    engine.load(GRAPH)
    for query, dialect in (
        ("MATCH (n:Person) FILTER n.n > 1 RETURN n.name AS name", "neo4j-25"),
        ("MATCH (n:Person) WITH * WHERE n.n > 1 RETURN n.name AS name", "neo4j-5"),
        ("MATCH (n:Person) WITH * WHERE n.n > {least} RETURN n.name AS name", "opencypher-9"),
    ):
        parameters = {"least": 1} if "least" in query else {}
        assert engine.run(query, parameters, dialect).rows == [("B'ö\\b",)]


def test_writes(engine: Engine) -> None:
    engine.clear()
    if name_of(engine) in READERS:
        assert answered(engine, "CREATE (:A {x: 1})-[:R]->(:B {x: 2})") is None
        return
    engine.run("CREATE (:A {x: 1})-[:R]->(:B {x: 2})")
    assert engine.run("MATCH (a:A)-[:R]->(b) RETURN a.x, b.x").rows == [(1, 2)]
    engine.clear()
    assert engine.run("MATCH (n:A) RETURN count(n) AS c").rows == [(0,)]


def test_faults(engine: Engine) -> None:
    engine.clear()
    for query, kind in (
        ("RETURN", graphir.SyntaxFault),
        ("MATCH (n) RETURN m", graphir.SemanticFault),
        ("RETURN 1 / 0 AS x", (graphir.RunFault, graphir.Unsupported)),
    ):
        with pytest.raises(kind):
            engine.run(query)
    assert engine.run("RETURN 1 AS one").rows == [(1,)]


def test_message_of_the_engine_is_kept(engine: Engine) -> None:
    with pytest.raises(graphir.GraphirError) as caught:
        engine.run("CALL graphir.missing.procedure()")
    found = caught.value.diagnostics[0]
    if isinstance(engine, Relational):  # it is never asked
        assert found.code == "G602"
        return
    assert found.code in OWN
    assert found.message.startswith(f"{name_of(engine)}: ")


def test_known_faults_are_refused_by_name() -> None:
    assert {known.feature for known in KNOWN_FAULTS} == set(FEATURES)
    assert {known.engine for known in KNOWN_FAULTS} <= set(OTHERS)


def test_known_faults_are_documented() -> None:
    page = (Path(__file__).resolve().parents[2] / "docs" / "engines.md").read_text(encoding="utf-8")
    assert [known for known in KNOWN_FAULTS if f"| {known.engine} | {known.feature} | {known.told} |" not in page] == []


@pytest.mark.parametrize(
    ("name", "query", "feature"),
    [
        usable("neo4j", "RETURN range(0, 1, -123) AS r", "range against its step"),
        usable("arcadedb", "OPTIONAL MATCH (n:X) RETURN COUNT { (n)-->() } AS c", "pattern at a null node"),
        usable("kglite", "MATCH (a)-[*]->(b) RETURN count(*) AS c", "open repetition"),
        usable("grafeo", "MATCH (a) RETURN sum(a.n) AS s", "sum"),
        usable("ladybug", "MATCH (a)-->(b)-->(c) RETURN count(*) AS c", "several edges in a MATCH"),
    ],
)
def test_known_fault(request: pytest.FixtureRequest, name: str, query: str, feature: str) -> None:
    options = {"uri": request.getfixturevalue("neo4j_uri")} if name == "neo4j" else {}
    with graphir.connect(name, **options) as engine, pytest.raises(graphir.Unsupported) as caught:
        engine.run(query)
    assert (caught.value.code, caught.value.feature, caught.value.target) == ("G625", feature, name)


@pytest.mark.parametrize(
    ("name", "query"),
    [
        usable("arcadedb", "UNWIND [9223372036854775807, 1, -5] AS x RETURN sum(x) AS s"),
        usable("kglite", "RETURN date('+12345-01-01') AS d"),
    ],
)
def test_an_answer_that_is_no_value(name: str, query: str) -> None:
    with graphir.connect(name, trusting=True) as engine, pytest.raises(graphir.RunFault) as caught:
        engine.run(query)
    assert caught.value.diagnostics[0].code == "G627"


def test_neo4j_keeps_what_is_there(neo4j_uri: str) -> None:
    with graphir.connect("neo4j", uri=neo4j_uri, keep=False) as passing:
        passing.load(GRAPH)
        with pytest.raises(graphir.RunFault):
            passing.run("RETURN 1 / $n AS x", {"n": 0})
        assert passing.run("MATCH (n:Person) RETURN count(n) AS c").rows == [(2,)]
    with graphir.connect("neo4j", uri=neo4j_uri) as lasting:
        assert lasting.run("MATCH (n:Person) RETURN count(n) AS c").rows == [(0,)]
        lasting.run("CREATE (:DriverTest {x: 1})")
    with graphir.connect("neo4j", uri=neo4j_uri) as again:
        done = again.run("MATCH (n:DriverTest) DELETE n RETURN count(*) AS c")
        assert (done.rows, done.counters) == ([(1,)], {"nodes_deleted": 1})


# ------------------------------------------------------------------ the list of engines


def absent(package: str) -> Callable[[str], str]:
    def version(name: str) -> str:
        if name == package:
            raise PackageNotFoundError(name)
        return "1.0"

    return version


@pytest.mark.parametrize("name", [name for name in OTHERS if KINDS[name].package])
def test_an_absent_engine_is_reported(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(registry, "version", absent(str(KINDS[name].package)))
    monkeypatch.setattr(registry, "python", lambda: (3, 13))
    status = registry.examine(KINDS[name])
    assert status == Status(KINDS[name], None, f"the package {KINDS[name].package} is not installed")
    with pytest.raises(graphir.UsageFault) as caught:
        graphir.connect(name)
    assert caught.value.diagnostics[0].code == "G620"
    assert caught.value.diagnostics[0].hint == f"pip install 'graphir[{name}]'"


def test_python_may_come_without_an_engine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "find_spec", lambda _: None)
    assert registry.examine(KINDS["sqlite"]).reason == "this Python was built without sqlite3"


def test_a_package_that_cannot_be_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(name: str) -> Any:
        raise ImportError("libpq is missing")

    monkeypatch.setattr(registry, "import_module", broken)
    monkeypatch.setattr(registry, "examine", lambda kind: Status(kind, "1.0", None))
    with pytest.raises(graphir.UsageFault, match="libpq is missing") as caught:
        graphir.connect("postgres")
    assert caught.value.diagnostics[0].code == "G620"


def test_python_may_be_too_old(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "python", lambda: (3, 11))
    assert registry.examine(KINDS["grafeo"]).reason == "needs Python 3.12 or newer, this is 3.11"


def test_engines_command() -> None:
    done = subprocess.run([sys.executable, "-m", "graphir", "engines"], capture_output=True, text=True, check=True)
    lines = done.stdout.splitlines()
    assert [line.split()[0] for line in lines if not line.startswith(" ")] == list(KINDS)
    for status in registry.statuses():
        assert str(status.version if status.usable else status.reason) in done.stdout
        assert status.usable or f"{status.reason}: {status.kind.install}" in done.stdout


def test_unknown_engine() -> None:
    with pytest.raises(graphir.UsageFault, match="G091"):
        graphir.connect("oracle9")


def test_listing_and_help_load_no_engine() -> None:
    program = (
        "import sys; from graphir.backends.engines.registry import statuses; statuses(); print(sorted(sys.modules))"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in eval(done.stdout)}
    assert not loaded & {kind.module for kind in KINDS.values()}


@pytest.mark.parametrize(
    "value", [None, True, -3, 2.5, -0.0, math.inf, -math.inf, "it's", [1, [None]], {"a": {"b": 1}}]
)
def test_constants(value: Any) -> None:
    from graphir import api, ir
    from graphir.dialects import DIALECTS

    item = ir.Item(constant(value), "v")
    query = ir.Query(ir.Pipeline((ir.Project((item,), final=True),)))
    text = api.emit(query, "", DIALECTS["neo4j-25"], DIALECTS["opencypher-9"])
    with graphir.connect() as db:
        assert repr(db.run(text, dialect="opencypher-9").rows) == repr([(value,)])
