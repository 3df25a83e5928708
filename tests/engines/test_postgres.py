"""PostgreSQL: its SQL text and its driver give the embedded engine's rows, users' data are left alone, and the starter
starts a server that leaves nothing behind."""

from __future__ import annotations

import itertools
import os
import pwd
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import graphir
from graphir.backends.engines import postgres_server
from graphir.backends.engines.postgres_server import programs, started
from graphir.backends.sql import targets
from graphir.backends.sql.reps import EDGE, NODE, PATH, Rep
from graphir.backends.sql.targets import Statement
from graphir.evaluation import reference
from graphir.graphs import PropertyGraph
from graphir.values.conversions import to_standard
from graphir.values.dates import Date
from graphir.values.datetimes import LocalDateTime
from graphir.values.entities import Edge, Node
from tests.engines import sql_cases, sql_constructs, sql_texts, unfolding

psycopg = pytest.importorskip("psycopg", reason="graphir[postgres] is not installed")

PAIRS = int(os.environ.get("GRAPHIR_PAIRS", "96"))
"""How many random queries are compared."""

GRAPH = PropertyGraph(
    (
        Node("a", ("A",), {"x": (1 << 63) - 1, "f": float("nan"), "s": "B", "on": True, "born": Date.of(1815, 12, 10)}),
        Node(
            "b", ("A",), {"x": 2, "f": -0.0, "s": "a", "on": False, "at": LocalDateTime.parse("2020-01-01T10:11:12.5")}
        ),
        Node(
            7, ("A", "B"), {"xs": [1, None], "ss": ["a", '"b"\\,'], "fs": [0.1, float("inf")], "days": [Date.of(2020)]}
        ),
        Node(8, ("A",), {"s": "Ä", "f": 0.5}),
    ),
    (Edge("r", "R", "a", "b", {"w": 1.5}), Edge("l", "R", 7, 7)),
)


@pytest.fixture
def db(postgres_uri: str) -> Iterator[Any]:
    with graphir.connect("postgres", uri=postgres_uri) as session:
        session.load(GRAPH)
        yield session


QUERIES = [
    "MATCH (n:A) RETURN n ORDER BY n.x",
    "MATCH (n:A) RETURN n.s AS s ORDER BY s",
    "MATCH (n:A) WHERE n.s < 'a' RETURN n.s AS s",
    "MATCH (n:A) RETURN min(n.s) AS a, max(n.s) AS b, max(n.f) AS c",
    "MATCH (n:A) RETURN n.f AS f ORDER BY f",
    "MATCH (n:A) RETURN n.f > 0 AS more, n.f = n.f AS same",
    "MATCH (n:B) RETURN n.xs AS xs, n.ss AS ss, n.fs AS fs, n.days AS days",
    "MATCH (n:A) RETURN n.born AS d, n.at AS t",
    "MATCH (n:A) RETURN avg(n.x) AS a, avg(n.f) AS b, sum(n.f) AS c",
    "MATCH p = (:A)-[:R]->() RETURN p",
    "MATCH p = (:A)-[r:R]->() RETURN {path: p, edge: r, f: r.w, xs: [1, 2]} AS m",
    "MATCH (n:A) RETURN collect(n.f) AS fs",
    "RETURN 1.0 / 0.0 AS a, -1.0 / 0.0 AS b, 0.0 / 0.0 AS c, 7 / 2 AS d, -7 % 3 AS e",
    "RETURN {f: 5.0, i: 5, s: 'x', d: date('2020-02-29'), n: null} AS m",
    "MATCH (n:A) RETURN [any(m IN [n] WHERE m.on), n.on][1] AS second, [COUNT { (n)-->() }, n.x] AS both",
]


@pytest.mark.parametrize("query", QUERIES)
def test_rows_of_the_embedded_engine(db: Any, query: str) -> None:
    with graphir.connect() as embedded:
        embedded.load(GRAPH)
        columns, wanted = embedded.run(query).columns, reference(embedded, query)
    found = db.run(query)
    assert graphir.rows_equal(wanted, found)  # in the order that is asked for; ties may change places
    assert found.columns == columns


@pytest.mark.parametrize(
    ("query", "code", "told"),
    [
        ("MATCH (n:A) RETURN n.x + 1 AS x", "G624", "out of range"),
        ("UNWIND [1, 0] AS x RETURN 1 / x AS y", "G624", "division by zero"),
        ("RETURN [[1], [2, 3]] AS xs", "G561", "lists of lists"),
        ("CREATE (n)", "G685", "CREATE"),
    ],
)
def test_what_has_no_value_is_no_answer(db: Any, query: str, code: str, told: str) -> None:
    with pytest.raises(graphir.GraphirError) as caught:
        db.run(query)
    assert caught.value.diagnostics[0].code == code
    assert told in caught.value.diagnostics[0].message
    assert db.run("RETURN 1 AS one").rows == [(1,)]


def test_text_is_compared_by_code_point_whatever_the_collation(postgres_uri: str) -> None:
    with psycopg.connect(postgres_uri, autocommit=True) as admin:
        admin.execute(
            "CREATE DATABASE english TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C' LOCALE_PROVIDER icu ICU_LOCALE 'en'"
        )
    try:
        with graphir.connect("postgres", uri=postgres_uri.rpartition("/")[0] + "/english") as db:
            db.load(GRAPH)
            assert db.run("MATCH (n:A) RETURN n.s AS s ORDER BY s").rows == [("B",), ("a",), ("Ä",), (None,)]
            assert db.run("MATCH (n:A) WHERE n.s < 'a' RETURN n.s AS s").rows == [("B",)]
            assert db.run("MATCH (n:A) RETURN min(n.s) AS a, max(n.s) AS b").rows == [("B", "Ä")]
    finally:
        with psycopg.connect(postgres_uri, autocommit=True) as admin:
            admin.execute("DROP DATABASE english")


def test_cases_of_letters_are_those_of_unicode(db: Any) -> None:
    texts = ["aZ", "Ä", "ß", "İ", "ΑΣ ΑΣΑ", "ǆ", "ﬁ", "Ω", "й", "", "𐐨"]
    db.load(PropertyGraph([Node(at, ("T",), {"at": at, "s": text}) for at, text in enumerate(texts)]))
    query = "MATCH (n:T) RETURN toLower(n.s) AS l, toUpper(n.s) AS u, toUpper(n.s) < toLower(n.s) AS less ORDER BY n.at"
    with graphir.connect() as ours:
        ours.load(PropertyGraph([Node(at, ("T",), {"at": at, "s": text}) for at, text in enumerate(texts)]))
        assert db.run(query).rows == ours.run(query).rows
    counted = "MATCH (n:T) WITH toUpper(n.s) AS s, n MATCH (m:T) WHERE toUpper(m.s) = s RETURN count(*) AS pairs"
    assert db.run(counted).rows == [(len(texts),)]


@pytest.mark.parametrize(
    ("dialect", "state"),
    [
        ("sql-postgres", sql_constructs.statement),
        ("pgq-postgres", unfolding.statement),
        ("pgq-iso", unfolding.statement),
    ],
)
def test_constructs_give_the_rows_of_the_embedded_engine(postgres_uri: str, dialect: str, state: Any) -> None:
    laid = sql_constructs.tables(dialect)
    types = targets.target(dialect).types
    with psycopg.connect(postgres_uri) as connection, graphir.connect("postgres", uri=postgres_uri) as driver:
        for table in laid.tables.values():
            columns = ", ".join(f'"{name}" {types(rep)}' for name, rep in table.columns.items())
            connection.execute(f'CREATE TEMPORARY TABLE "{table.name}" ({columns})')
            for row in table.rows:
                values = [to_standard(row.get(name)) for name in table.columns]
                connection.execute(f'INSERT INTO "{table.name}" VALUES ({", ".join(["%s"] * len(values))})', values)

        def read(value: Any, rep: Rep) -> Any:
            change = None if rep in (NODE, EDGE, PATH) else driver.reader(rep)
            return value if value is None or change is None else change(value)

        def run(made: Statement) -> list[tuple[Any, ...]]:
            cursor = psycopg.RawCursor(connection)
            rows = cursor.execute(made.text, [to_standard(each.value) for each in made.parameters]).fetchall()
            return [tuple([read(v, rep) for v, (_, rep) in zip(row, made.columns, strict=True)]) for row in rows]

        assert sql_constructs.differences(dialect, run, state) == []


def test_random_pairs(postgres_uri: str) -> None:
    tally = sql_texts.Tally()
    with graphir.connect("postgres", uri=postgres_uri, trusting=True) as engine:
        for graph, queries in sql_texts.cases(3 * PAIRS, PAIRS):
            sql_texts.compare(engine, graph, queries, tally)
    assert tally.different == []
    assert tally.equal > PAIRS / 2


def test_generated_cases(postgres_uri: str) -> None:
    tally: Counter[str] = Counter()
    with graphir.connect("postgres", uri=postgres_uri, trusting=True, timeout=sql_cases.PATIENCE) as engine:
        found = sql_cases.differences(engine, range(PAIRS, 2 * PAIRS), sql_cases.SIMPLE, tally)
        assert list(map(str, itertools.islice(found, 3))) == []
    assert tally["executed"] > PAIRS / 3


# ------------------------------------------------------------------ what is in the database


def test_users_data_are_left_alone(postgres_uri: str) -> None:
    with psycopg.connect(postgres_uri, autocommit=True) as user:
        user.execute('CREATE TABLE "n_A" (mine TEXT)')
        user.execute("INSERT INTO \"n_A\" VALUES ('here')")
        try:
            with graphir.connect("postgres", uri=postgres_uri) as db:
                db.load(GRAPH)
                assert db.run("MATCH (n:A&!B) RETURN count(*) AS c").rows == [(3,)]
                assert user.execute('SELECT * FROM "n_A"').fetchall() == [("here",)]
                assert user.execute("SELECT count(*) FROM pg_tables WHERE tablename = 'e_R'").fetchone() == (1,)
                db.clear()
                assert db.run("MATCH (n) RETURN count(*) AS c").rows == [(0,)]
            assert user.execute('SELECT * FROM "n_A"').fetchall() == [("here",)]
        finally:
            user.execute('DROP TABLE "n_A"')


def test_tables_that_are_kept(postgres_uri: str) -> None:
    with graphir.connect("postgres", uri=postgres_uri, keep=True, namespace='Some "name"') as db:
        db.load(GRAPH)
    with psycopg.connect(postgres_uri, autocommit=True) as user:
        try:
            assert user.execute('SELECT count(*) FROM "Some ""name"""."n_A"').fetchone() == (3,)
            with pytest.raises(graphir.UsageFault, match="not empty") as caught:
                graphir.connect("postgres", uri=postgres_uri, keep=True, namespace='Some "name"')
            assert caught.value.diagnostics[0].code == "G620"
        finally:
            user.execute('DROP SCHEMA "Some ""name""" CASCADE')


@pytest.mark.parametrize(
    "value",
    [
        "a\0b",
        "\ud800",
        Date.of(10_000),
        Date.of(0),
        LocalDateTime.parse("2020-01-01T00:00:00.000000001"),
        [[1]],
        {"a": 1},
    ],
)
def test_what_has_no_column_is_refused_and_nothing_is_lost(db: Any, value: Any) -> None:
    with pytest.raises(graphir.Unsupported, match="G626"):
        db.load(PropertyGraph((Node(0, ("A",), {"v": value}),)))
    assert db.run("MATCH (n) RETURN count(*) AS c").rows == [(4,)]


def test_parameters(db: Any) -> None:
    for value in ("it's", 2**62, 1.5, True, None, [1, None], ["a\"'\\"], [], Date.of(2020, 2, 29), float("inf")):
        assert db.run("RETURN $v AS v", {"v": value}).rows == [(value,)]
    with pytest.raises(graphir.Unsupported):
        db.run("RETURN $v AS v", {"v": "a\0b"})


def test_a_query_that_takes_too_long_is_stopped(postgres_uri: str) -> None:
    with graphir.connect("postgres", uri=postgres_uri, timeout=0.3) as db:
        db.load(PropertyGraph(tuple([Node(at, ("A",), {"x": at}) for at in range(500)])))
        with pytest.raises(graphir.RunFault, match="statement timeout"):
            db.run("MATCH (a:A), (b:A), (c:A), (d:A) WHERE a.x + b.x + c.x + d.x < 0 RETURN count(*) AS c")
        assert db.run("RETURN 1 AS x").rows == [(1,)]


def test_a_server_that_is_not_there() -> None:
    for uri in ("postgresql://127.0.0.1:1/none", "no connection string", "postgresql://127.0.0.1:1/none?nothing=1"):
        with pytest.raises(graphir.UsageFault) as caught:
            graphir.connect("postgres", uri=uri)
        assert caught.value.diagnostics[0].code == "G620"
        assert caught.value.diagnostics[0].hint == "graphir engines start postgres"


def test_a_database_that_does_not_suit(postgres_uri: str) -> None:
    with psycopg.connect(postgres_uri, autocommit=True) as admin:
        admin.execute("CREATE DATABASE latin TEMPLATE template0 ENCODING 'LATIN1' LOCALE 'C'")
        try:
            with pytest.raises(graphir.UsageFault, match="UTF8"):
                graphir.connect("postgres", uri=postgres_uri.rpartition("/")[0] + "/latin")
        finally:
            admin.execute("DROP DATABASE latin")


def test_a_server_that_goes_away_is_told() -> None:
    with started() as uri:
        db = graphir.connect("postgres", uri=uri)
    with pytest.raises(graphir.RunFault) as caught:
        db.run("RETURN 1 AS x")
    assert caught.value.diagnostics[0].code == "G628"


# ------------------------------------------------------------------ the starter


def test_command_starts_a_server_until_it_is_interrupted() -> None:
    command = [sys.executable, "-m", "graphir", "engines", "start", "postgres", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout
        uri = process.stdout.readline().strip()
        with psycopg.connect(uri) as connection:
            folder = connection.execute("SHOW data_directory").fetchone()[0]
            assert Path(folder).exists()
        process.send_signal(signal.SIGINT)
        assert process.wait() == 0
    assert not Path(folder).exists()
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(uri)


def test_the_server_ends_with_the_process_that_started_it() -> None:
    program = (
        "import os, signal\n"
        "from graphir.backends.engines.postgres_server import started\n"
        "with started() as uri:\n    print(uri, flush=True)\n    os.kill(os.getpid(), signal.SIGKILL)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.returncode == -signal.SIGKILL
    for _ in range(600):
        try:
            psycopg.connect(done.stdout.strip()).close()
        except psycopg.OperationalError as error:
            if "refused" in str(error):
                return
    pytest.fail("the server still answers")


def test_heap_is_no_option_of_postgres() -> None:
    command = [sys.executable, "-m", "graphir", "engines", "start", "postgres", "--heap", "1g"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, "--heap is an option of neo4j" in done.stderr) == (2, True)


def test_missing_programs_are_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    monkeypatch.delenv("PG_CONFIG", raising=False)
    monkeypatch.setattr(postgres_server, "FOLDERS", Path("/nonexistent"))
    with pytest.raises(graphir.UsageFault, match="15 or newer is needed") as caught:
        programs()
    assert caught.value.diagnostics[0].code == "G629"
    assert caught.value.diagnostics[0].hint == "apt-get install postgresql"


def test_root_needs_a_user_for_the_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "getuid", lambda: 0)
    monkeypatch.setattr(pwd, "getpwall", list)
    with pytest.raises(graphir.UsageFault, match="no user postgres or nobody"), started():
        pass


def test_a_port_that_is_taken() -> None:
    with started() as uri:
        port = int(uri.rpartition("/")[0].rpartition(":")[2])
        with pytest.raises(graphir.UsageFault, match="did not start"), started(port):
            pass
        psycopg.connect(uri).close()
