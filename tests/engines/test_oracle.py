"""Oracle's driver without an Oracle: bind variables, connecting, and errors, with the real client against loopback.

No statement is executed here or anywhere: there is no Oracle to be had from a package registry.
"""

from __future__ import annotations

import datetime
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from decimal import Decimal
from types import SimpleNamespace
from typing import Any

import pytest

import graphir
from graphir.backends.engines import registry
from graphir.backends.engines.drivers.oracle_binds import TYPES, bound, value_of
from graphir.backends.engines.drivers.oracle_codes import code_of
from graphir.values import Date, DateTime, Duration, LocalDateTime, Point

STATUS = registry.examine(registry.KINDS["oracle"])
pytestmark = pytest.mark.skipif(not STATUS.usable, reason=f"oracle: {STATUS.reason}")
AUTH = ("scott", "tiger")


@contextmanager
def listener(answer: bytes) -> Iterator[int]:
    """A port where one connection is taken, its first packet read, and the answer given."""

    def serve() -> None:
        connection, _ = server.accept()
        with connection:
            connection.recv(8192)
            connection.sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield server.getsockname()[1]
        finally:
            thread.join()


def refusal(number: int) -> bytes:
    """A packet of Oracle Net that refuses a connection with an error of that number."""
    told = f"(DESCRIPTION=(TMP=)(VSNNUM=0)(ERR={number})(ERROR_STACK=(ERROR=(CODE={number})(EMFI=4))))".encode()
    body = struct.pack(">BBH", 0, 0, len(told)) + told
    return struct.pack(">HHBBH", 8 + len(body), 0, 4, 0, 0) + body


def closed_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        return int(server.getsockname()[1])


def failing(dsn: str, **options: Any) -> str:
    """What is said where no session can be opened."""
    with pytest.raises(graphir.UsageFault) as caught:
        graphir.connect("oracle", dsn=dsn, **{"auth": AUTH, **options})
    (found,) = caught.value.diagnostics
    assert found.code == "G620"
    return found.message


# ------------------------------------------------------------------ connecting


def test_nobody_listens() -> None:
    told = failing(f"127.0.0.1:{closed_port()}/FREEPDB1")
    assert "DPY-6005" in told
    assert "tiger" not in told


def test_a_service_that_is_not_there() -> None:
    with listener(refusal(12514)) as port:
        told = failing(f"127.0.0.1:{port}/NOPE")
    assert "DPY-6001" in told
    assert '"NOPE"' in told


def test_a_listener_that_refuses() -> None:
    with listener(refusal(12520)) as port:
        told = failing(f"(DESCRIPTION=(ADDRESS=(PROTOCOL=tcp)(HOST=127.0.0.1)(PORT={port}))(CONNECT_DATA=(SID=X)))")
    assert "12520" in told


def test_a_name_that_no_file_has(tmp_path: Any) -> None:
    (tmp_path / "tnsnames.ora").write_text("other = (DESCRIPTION=(ADDRESS=(PROTOCOL=tcp)(HOST=127.0.0.1)(PORT=1)))\n")
    assert "DPY-4000" in failing("mine", config=str(tmp_path))


def test_a_name_from_a_file(tmp_path: Any) -> None:
    port = closed_port()
    address = f"(ADDRESS=(PROTOCOL=tcp)(HOST=127.0.0.1)(PORT={port}))(CONNECT_DATA=(SERVICE_NAME=x))"
    (tmp_path / "tnsnames.ora").write_text(f"mine = (DESCRIPTION={address})\n")
    assert "DPY-6005" in failing("mine", config=str(tmp_path))


@pytest.mark.parametrize("options", [{"dsn": None}, {"dsn": "127.0.0.1:1/x", "auth": None}])
def test_what_is_missing_is_said(options: dict[str, Any]) -> None:
    with pytest.raises(graphir.UsageFault) as caught:
        graphir.connect("oracle", **{"auth": AUTH, **options})
    assert caught.value.diagnostics[0].code == "G620"


def test_the_client_is_imported_when_a_session_is_opened() -> None:
    code = "import sys; from graphir.backends.engines import registry; registry.statuses(); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert "oracledb" not in done.stdout.split()


# ------------------------------------------------------------------ sessions, on a connection that is none


class Cursor:
    """What the driver asks of a cursor, and what it was asked."""

    description = (("PART",), ("since",))

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error
        self.sizes: dict[str, Any] = {}
        self.executed: tuple[str, dict[str, Any]] | None = None

    def __enter__(self) -> Cursor:
        return self

    def __exit__(self, *_: object) -> None:
        return None

    def setinputsizes(self, **types: Any) -> None:
        self.sizes = types

    def execute(self, text: str, values: dict[str, Any]) -> None:
        self.executed = text, values
        if self.error is not None:
            raise self.error

    def fetchall(self) -> list[tuple[Any, ...]]:
        return [(7, datetime.datetime(2020, 1, 2, 3, 4, 5))]


def session(monkeypatch: pytest.MonkeyPatch, cursor: Cursor, **options: Any) -> Any:
    import oracledb

    made = SimpleNamespace(cursor=lambda: cursor, close=lambda: None)
    monkeypatch.setattr(oracledb, "connect", lambda **_: made)
    return graphir.connect("oracle", dsn="localhost/x", auth=AUTH, **options)


STATEMENT = "SELECT part, since FROM GRAPH_TABLE(g MATCH (p IS part WHERE p.no = :no) COLUMNS (p.no AS part, p.since))"


def test_a_statement_goes_with_its_variables(monkeypatch: pytest.MonkeyPatch) -> None:
    import oracledb

    cursor = Cursor()
    result = session(monkeypatch, cursor).run(STATEMENT, {"no": 7}, "pgq-oracle-23ai")
    assert cursor.executed == (STATEMENT, {"no": 7})
    assert cursor.sizes == {"no": oracledb.DB_TYPE_NUMBER}
    assert result.columns == ("PART", "since")
    assert result.rows == [(7, LocalDateTime.parse("2020-01-02T03:04:05"))]


def test_an_error_of_the_server_has_its_place(monkeypatch: pytest.MonkeyPatch) -> None:
    import oracledb

    told = SimpleNamespace(full_code="ORA-40996", message="ORA-40996: no such variable", offset=7, isrecoverable=False)
    with pytest.raises(graphir.SemanticFault) as caught:
        session(monkeypatch, Cursor(oracledb.DatabaseError(told))).run(STATEMENT, {"no": 7}, "pgq-oracle-26ai")
    (found,) = caught.value.diagnostics
    assert (found.code, found.start, found.message) == ("G622", 7, "oracle: ORA-40996: no such variable")


def test_what_is_not_written_for_it_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    engine = session(monkeypatch, Cursor())
    calls = (lambda: engine.run("MATCH (n) RETURN n"), lambda: engine.load({"nodes": [], "edges": []}), engine.clear)
    for call in calls:
        with pytest.raises(graphir.Unsupported) as caught:
            call()
        assert caught.value.code == "G574"


PEOPLE = graphir.Schema.read(
    """CREATE TABLE person (id NUMBER(19) PRIMARY KEY, name VARCHAR2(100), height BINARY_DOUBLE, born DATE);
    CREATE PROPERTY GRAPH people VERTEX TABLES (person KEY (id) LABEL "Person"
      PROPERTIES (id AS "id", name AS "name", height AS "height", born AS "born"))""",
    "oracle-ddl",
)


class Answering(Cursor):
    """A cursor that gives rows, and keeps all that it was asked."""

    def __init__(self, rows: list[tuple[Any, ...]]) -> None:
        super().__init__()
        self.rows = rows
        self.asked: list[tuple[str, dict[str, Any]]] = []

    def execute(self, text: str, values: dict[str, Any]) -> None:
        self.asked.append((text, values))

    def fetchall(self) -> list[tuple[Any, ...]]:
        return self.rows


def test_a_query_is_translated(monkeypatch: pytest.MonkeyPatch) -> None:
    import oracledb

    cursor = Answering([("Ada", Decimal(2), datetime.datetime(1990, 1, 2), [Decimal(1), None])])
    engine = session(monkeypatch, cursor, schema=PEOPLE)
    query = """
        MATCH (p:Person) WHERE p.id > $id
        RETURN p.name AS name, p.height AS height, p.born AS born, [p.id, null] AS ids
    """
    result = engine.run(query, {"id": 7})
    (settings, _), (statement, given) = cursor.asked
    assert settings.startswith("ALTER SESSION SET NLS_COMP = BINARY NLS_SORT = BINARY")
    assert "GRAPH_TABLE(" in statement
    assert ":p0" in statement
    assert given == {"p0": 7}
    assert cursor.sizes == {"p0": oracledb.DB_TYPE_NUMBER}
    assert result.columns == ("name", "height", "born", "ids")
    assert result.rows == [("Ada", 2.0, Date.of(1990, 1, 2), [1, None])]
    assert [type(value) for value in result.rows[0][1:]] == [float, Date, list]
    engine.run(query, {"id": 8})
    assert [given for _, given in cursor.asked] == [{}, {"p0": 7}, {"p0": 8}]


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("CREATE (p:Person {id: 1})", "G685"),
        ("MATCH (p:Person) RETURN toLower(p.name) AS x", "G561"),
        ("MATCH (p:Person) WHERE p.name = $name RETURN p.id", "G626"),
    ],
)
def test_what_is_not_translated_is_refused(monkeypatch: pytest.MonkeyPatch, query: str, code: str) -> None:
    engine = session(monkeypatch, Answering([]), schema=PEOPLE)
    with pytest.raises(graphir.Unsupported) as caught:
        engine.run(query, {"name": ""})
    assert caught.value.code == code


# ------------------------------------------------------------------ bind variables, values, codes


def test_every_value_has_its_type() -> None:
    import oracledb

    given = {
        "a": None,
        "b": True,
        "c": 2**62,
        "d": -0.5,
        "e": "it's",
        "f": "x" * 40_000,
        "g": [1, "a", None],
        "h": {"a": [1.5]},
        "i": Date.of(2020, 2, 29),
        "j": LocalDateTime.parse("2020-01-01T10:11:12.000005"),
        "k": Duration(days=1, seconds=2),
    }
    values, types = bound(given, oracledb)
    assert {name: type.name for name, type in types.items()} == {
        "a": "DB_TYPE_VARCHAR",
        "b": "DB_TYPE_BOOLEAN",
        "c": "DB_TYPE_NUMBER",
        "d": "DB_TYPE_BINARY_DOUBLE",
        "e": "DB_TYPE_VARCHAR",
        "f": "DB_TYPE_CLOB",
        "g": "DB_TYPE_JSON",
        "h": "DB_TYPE_JSON",
        "i": "DB_TYPE_DATE",
        "j": "DB_TYPE_TIMESTAMP",
        "k": "DB_TYPE_INTERVAL_DS",
    }
    times = (datetime.date(2020, 2, 29), datetime.datetime(2020, 1, 1, 10, 11, 12, 5))
    assert values == {**given, "i": times[0], "j": times[1], "k": datetime.timedelta(days=1, seconds=2)}
    assert all(hasattr(oracledb, name) for name in TYPES.values())


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("a", ""),
        ("a", DateTime.parse("2020-01-01T10:11:12+01:00")),
        ("a", LocalDateTime.parse("2020-01-01T10:11:12.000000005")),
        ("a", Duration(months=1)),
        ("a", Point(7203, 1.0, 2.0)),
        ("a", [float("nan")]),
        ("a", Date.of(12345)),
        ("the name", 1),
        ("", 1),
    ],
)
def test_what_a_variable_would_change_is_refused(name: str, value: Any) -> None:
    with pytest.raises(graphir.Unsupported) as caught:
        bound({name: value}, SimpleNamespace())
    assert caught.value.code == "G626"


def test_values_of_columns() -> None:
    import oracledb

    months = oracledb.IntervalYM(1, 2)
    found = [value_of(value) for value in (None, 1.5, "a", {"a": [True]}, datetime.timedelta(hours=1), months)]
    assert found == [None, 1.5, "a", {"a": [True]}, Duration(seconds=3600), Duration(months=14)]
    with pytest.raises(LookupError):
        value_of(b"\x00")


@pytest.mark.parametrize(
    ("full", "code"),
    [
        ("ORA-00904", "G622"),
        ("ORA-00907", "G621"),
        ("ORA-03050", "G621"),
        ("ORA-40956", "G621"),
        ("ORA-40983", "G622"),
        ("ORA-49003", "G623"),
        ("ORA-49011", "G622"),
        ("ORA-03113", "G628"),
        ("DPY-4011", "G628"),
        ("ORA-01017", "G620"),
        ("ORA-01476", "G624"),
        ("ORA-99999", "G624"),
        ("", "G624"),
    ],
)
def test_codes(full: str, code: str) -> None:
    assert code_of(full) == code
