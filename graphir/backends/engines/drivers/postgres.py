"""PostgreSQL, a server, through psycopg 3.

What is in the database is left alone.  The tables of a session are temporary: nobody else sees them, and they are gone
when it ends.  With `keep` they lie in a schema of their own and stay there for others to read.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, ClassVar, LiteralString, cast

import psycopg
from psycopg import errors, sql

from graphir.backends.engines.faults import FAILED, LOST, MISSING, SEMANTICS, SYNTAX, UNHELD, UNUSABLE, fault
from graphir.backends.engines.relational import Change, Relational, exactly
from graphir.backends.engines.tables import EdgeTable, NodeTable, Rule, Tables
from graphir.backends.sql import reps, targets
from graphir.backends.sql.reps import ListRep, MapRep, Rep
from graphir.backends.sql.targets import Statement
from graphir.diagnostics import GraphirError
from graphir.source import Source
from graphir.values.conversions import from_standard, to_standard
from graphir.values.dates import Date
from graphir.values.datetimes import LocalDateTime

OLDEST = 15
"""The oldest version that the tests run on."""

_YEARS = range(1, 10_000)
"""Those that Python's own dates have."""

_CODES: tuple[tuple[type[psycopg.Error], str], ...] = (
    (errors.SyntaxError, SYNTAX),
    (errors.UndefinedFunction, MISSING),
    (errors.FeatureNotSupported, MISSING),
    (errors.StatementTooComplex, MISSING),
    (errors.ProgrammingError, SEMANTICS),
    (errors.QueryCanceled, FAILED),
    (errors.OperationalError, LOST),
    (errors.InterfaceError, LOST),
)
"""The first class that an error is of, and its code; a fault at run time else."""

_SETTINGS: tuple[LiteralString, ...] = (
    "SET standard_conforming_strings = on",
    "SET datestyle = 'ISO, YMD'",
    "SET jit = off",
)


def _holds(rep: Rep) -> bool:
    if isinstance(rep, ListRep):
        return not isinstance(rep.element, ListRep) and _holds(rep.element)
    return rep in reps.SIMPLE or rep in (reps.NULL, reps.DATE, reps.LOCAL_DATETIME)


def _objection(value: Any) -> str | None:
    match value:
        case str() if "\0" in value or any("\ud800" <= c <= "\udfff" for c in value):
            return "holds no text with NUL or half a surrogate pair"
        case Date() | LocalDateTime() if Date(value.days).year not in _YEARS:
            return f"gives back years from 1 to 9999: {value}"
        case LocalDateTime() if value.nano % 1000:
            return f"holds microseconds: {value}"
        case list() | tuple():
            return next((told for told in map(_objection, value) if told), None)
    return None


class Postgres(Relational):
    """A session with a server of PostgreSQL 15 or later."""

    name: ClassVar[str] = "postgres"
    target: ClassVar[str] = "sql-postgres"
    rule: ClassVar[Rule] = Rule("postgres", _holds, _objection)
    errors: ClassVar[tuple[type[Exception], ...]] = (psycopg.Error,)

    def __init__(
        self,
        uri: str = "postgresql://127.0.0.1:5432/postgres",
        *,
        keep: bool = False,
        namespace: str = "graphir",
        timeout: float | None = None,
        trusting: bool = False,
    ) -> None:
        """`uri` is an address or any other connection string of libpq (`host=127.0.0.1 dbname=postgres user=ada`).

        With `keep` the tables are made in the schema `namespace`, which is new or empty, and stay there.  `timeout` in
        seconds bounds a query.  UsageFault (G620) if the server does not answer, is too old, or does not suit.
        """
        super().__init__(trusting=trusting)
        try:
            self._connection = psycopg.connect(uri, autocommit=True, application_name="graphir", client_encoding="utf8")
        except (psycopg.Error, ValueError) as error:
            told = f"no PostgreSQL answers: {error}"
            raise fault(UNUSABLE, told, hint="graphir engines start postgres") from None
        try:
            self._prove()
            self._place = sql.Identifier(namespace if keep else "pg_temp")
            if keep:
                self._claim(namespace)
            for setting in _SETTINGS:
                self._connection.execute(setting)
            bound = sql.Literal(round((timeout or 0) * 1000))
            self._connection.execute(sql.SQL("SET statement_timeout = {}").format(bound))
            self._connection.execute(sql.SQL("SET search_path = {}").format(self._place))
        except psycopg.Error as error:
            self._connection.close()
            raise fault(UNUSABLE, f"the database cannot be used: {error}") from None
        except GraphirError:
            self._connection.close()
            raise

    def _prove(self) -> None:
        """That the server is new enough and compares text by code point."""
        version = self._connection.info.server_version
        if version < OLDEST * 10_000:
            raise fault(UNUSABLE, f"PostgreSQL {OLDEST} or newer is needed, this is {version // 10_000}")
        encoding = self._connection.info.parameter_status("server_encoding")
        if encoding != "UTF8":
            raise fault(UNUSABLE, f"the database is in {encoding}, and UTF8 is needed")

    def _claim(self, namespace: str) -> None:
        """Make the schema, if there is none of the name; what others have put there is not ours to touch."""
        self._connection.execute(sql.SQL("CREATE SCHEMA IF NOT EXISTS {}").format(self._place))
        held = "SELECT count(*) FROM pg_catalog.pg_class WHERE relnamespace = quote_ident(%s)::regnamespace"
        found = self._connection.execute(held, [namespace]).fetchone()
        if found is None or found[0]:
            raise fault(UNUSABLE, f"the schema {namespace} is not empty: choose another one with `namespace`")

    def close(self) -> None:
        self._connection.close()

    def fill(self, tables: Tables) -> None:
        with self._connection.transaction():
            for before in self.tables.all:
                self._connection.execute(sql.SQL("DROP TABLE {}").format(self._named(before.name)))
            for table in tables.all:
                self._create(table)
                self._copy(table)
                self._finish(table)

    def _named(self, table: str) -> sql.Composed:
        return sql.SQL("{}.{}").format(self._place, sql.Identifier(table))

    def _create(self, table: NodeTable | EdgeTable) -> None:
        fixed = ("id",) if isinstance(table, NodeTable) else ("id", "src", "dst")
        columns = [sql.SQL("{} BIGINT NOT NULL").format(sql.Identifier(name)) for name in fixed]
        types = targets.target(self.target).types
        for each in table.columns.values():
            kind = sql.SQL(cast(LiteralString, types(each.rep)))
            columns.append(sql.SQL("{} {}").format(sql.Identifier(each.name), kind))
        listed = sql.SQL(", ").join(columns)
        self._connection.execute(sql.SQL("CREATE TABLE {} ({})").format(self._named(table.name), listed))

    def _copy(self, table: NodeTable | EdgeTable) -> None:
        before = 1 if isinstance(table, NodeTable) else 3
        with (
            self._connection.cursor() as cursor,
            cursor.copy(sql.SQL("COPY {} FROM STDIN").format(self._named(table.name))) as copy,
        ):
            for row in table.rows():
                copy.write_row((*row[:before], *map(to_standard, row[before:])))

    def _finish(self, table: NodeTable | EdgeTable) -> None:
        """What makes reading fast."""
        named = self._named(table.name)
        self._connection.execute(sql.SQL("ALTER TABLE {} ADD PRIMARY KEY (id)").format(named))
        for end in ("src", "dst") if isinstance(table, EdgeTable) else ():
            self._connection.execute(sql.SQL("CREATE INDEX ON {} ({})").format(named, sql.Identifier(end)))
        self._connection.execute(sql.SQL("ANALYZE {}").format(named))

    def fetch(self, statement: Statement) -> list[tuple[Any, ...]]:
        sent = []
        for each in statement.parameters:
            wrong = _objection(each.value) if _holds(each.rep) else f"takes no parameter of type {each.rep}"
            if wrong is not None:
                raise fault(UNHELD, f"postgres {wrong}: ${each.name}", engine=self.name, feature="parameter")
            sent.append(to_standard(each.value))
        with psycopg.RawCursor(self._connection) as cursor:
            return cursor.execute(statement.text.encode(), sent).fetchall()

    def reader(self, rep: Rep) -> Change | None:
        if isinstance(rep, ListRep):
            return self.listed(rep)
        if isinstance(rep, MapRep) or rep == reps.PATH:
            return self._from_json(rep)
        return _READERS.get(rep) or super().reader(rep)

    def _from_json(self, rep: Rep) -> Change | None:
        """The reader of a value inside of JSON."""
        if isinstance(rep, ListRep):
            element = self._from_json(rep.element)
            return lambda items: [item if item is None or element is None else element(item) for item in items]
        if isinstance(rep, MapRep):
            fields = [(key, f"f{at}", self._from_json(value)) for at, (key, value) in enumerate(_entries(rep))]

            def read(value: dict[str, Any]) -> dict[str, Any]:
                return {
                    key: value[name] if value[name] is None or change is None else change(value[name])
                    for key, name, change in fields
                }

            return read
        if rep == reps.PATH:
            return lambda value: self.path(value["nodes"], value["edges"])
        return _JSON_READERS.get(rep) or self.reader(rep)

    def explain(self, error: Exception, source: Source) -> GraphirError:
        assert isinstance(error, psycopg.Error)
        code = next((code for kind, code in _CODES if isinstance(error, kind)), FAILED)
        told = error.diag.message_primary or str(error)
        status = f" ({error.sqlstate})" if error.sqlstate else ""
        return fault(code, f"postgres: {told}{status}", engine=self.name, source=source)


def _entries(rep: MapRep) -> Iterator[tuple[str, Rep]]:
    return zip(rep.keys, rep.values, strict=True)


_READERS: dict[Rep, Change] = {
    reps.BOOLEAN: exactly(bool),
    reps.INTEGER: exactly(int),
    reps.FLOAT: exactly(float),
    reps.STRING: exactly(str),
    reps.DATE: from_standard,
    reps.LOCAL_DATETIME: from_standard,
}
_JSON_READERS: dict[Rep, Callable[[Any], Any]] = {
    reps.FLOAT: float,
    reps.DATE: Date.parse,
    reps.LOCAL_DATETIME: LocalDateTime.parse,
}
