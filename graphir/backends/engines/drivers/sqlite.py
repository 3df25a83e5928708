"""SQLite in this process, in memory, through Python's own `sqlite3`.

Columns have no declared type, so that values stay what they are: booleans are 0 and 1, dates and local datetimes their
ISO texts, which sort as they do, lists JSON texts.  Not a number is null in SQLite, and its JSON rounds floats: both
are refused.
"""

from __future__ import annotations

import json
import math
import re
import sqlite3
from collections.abc import Callable, Iterator
from functools import cache, partial
from threading import Timer
from typing import Any, ClassVar

from graphir.backends.engines.faults import FAILED, MISSING, SYNTAX, UNHELD, UNUSABLE, fault
from graphir.backends.engines.relational import Change, Relational, exactly
from graphir.backends.engines.tables import EdgeTable, NodeTable, Rule, Tables
from graphir.backends.sql import reps
from graphir.backends.sql.reps import ListRep, MapRep, Rep
from graphir.backends.sql.targets import Statement
from graphir.backends.sql.targets.sqlite_pieces import NO_FLOATS, NOT_A_NUMBER
from graphir.diagnostics import GraphirError
from graphir.quoting import quoted
from graphir.source import Source
from graphir.values.dates import Date
from graphir.values.datetimes import LocalDateTime

OLDEST = (3, 38, 0)
"""The first version that has the functions on JSON in any case."""

_YEARS = range(1, 10_000)
"""Those whose ISO texts sort as they do."""
_CODES = (
    (NOT_A_NUMBER, UNHELD),
    (NO_FLOATS, UNHELD),
    ("no such function", MISSING),
    ("syntax error", SYNTAX),
    ("at most", MISSING),
    ("too many", MISSING),
    ("too large", MISSING),
    ("parser stack overflow", MISSING),
)
"""What a message has in it, and the code; a fault at run time else.  Limits of SQLite are what it does not have."""

_RAISED = re.compile(r"JSON path(?: error near|:) '(.*)'")
"""How SQLite tells what `sqlite_pieces.fault` says."""


def _holds(rep: Rep) -> bool:
    if isinstance(rep, ListRep):
        return rep.element != reps.FLOAT and _holds(rep.element)
    return rep in reps.SIMPLE or rep in (reps.NULL, reps.DATE, reps.LOCAL_DATETIME)


def _objection(value: Any) -> str | None:
    match value:
        case float() if math.isnan(value):
            return "has no value for NaN"
        case str() if "\0" in value or not _is_text(value):
            return "holds no text with NUL or half a surrogate pair"
        case Date() | LocalDateTime() if Date(value.days).year not in _YEARS:
            return f"holds years from 1 to 9999: {value}"
        case list() | tuple():
            return next((told for told in map(_objection, value) if told), None)
    return None


def _is_text(value: str) -> bool:
    return value.isascii() or not any("\ud800" <= c <= "\udfff" for c in value)


class SQLite(Relational):
    """A database of its own in memory."""

    name: ClassVar[str] = "sqlite"
    target: ClassVar[str] = "sql-sqlite"
    rule: ClassVar[Rule] = Rule("sqlite", _holds, _objection)
    errors: ClassVar[tuple[type[Exception], ...]] = (sqlite3.Error,)

    def __init__(self, *, timeout: float | None = None, trusting: bool = False) -> None:
        """`timeout` in seconds bounds a query.  UsageFault (G620) if Python's SQLite is too old."""
        super().__init__(trusting=trusting)
        if sqlite3.sqlite_version_info < OLDEST:
            told = f"SQLite {'.'.join(map(str, OLDEST))} or newer is needed, Python has {sqlite3.sqlite_version}"
            raise fault(UNUSABLE, told)
        self._timeout = timeout
        self._connection = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)

    def close(self) -> None:
        self._connection.close()

    def fill(self, tables: Tables) -> None:
        self._connection.execute("BEGIN")
        done = False
        try:
            for table in self.tables.all:
                self._connection.execute(f"DROP TABLE {quoted(table.name)}")
            for table in tables.nodes:
                self._create(table, "id INTEGER PRIMARY KEY")
            for table in tables.edges:
                self._create(table, "id INTEGER PRIMARY KEY, src INTEGER NOT NULL, dst INTEGER NOT NULL")
                for end in ("src", "dst"):
                    index = quoted(f"{table.name}_{end}")
                    self._connection.execute(f"CREATE INDEX {index} ON {quoted(table.name)} ({end})")
            self._connection.execute("ANALYZE")
            done = True
        finally:
            self._connection.execute("COMMIT" if done else "ROLLBACK")

    def _create(self, table: NodeTable | EdgeTable, fixed: str) -> None:
        names = "".join([f", {quoted(each.name)}" for each in table.columns.values()])
        self._connection.execute(f"CREATE TABLE {quoted(table.name)} ({fixed}{names})")
        writers = [writer(each.rep) for each in table.columns.values()]
        before = 1 if isinstance(table, NodeTable) else 3
        marks = ", ".join("?" * (before + len(writers)))
        rows = (
            (*row[:before], *[_written(value, write) for value, write in zip(row[before:], writers, strict=True)])
            for row in table.rows()
        )
        self._connection.executemany(f"INSERT INTO {quoted(table.name)} VALUES ({marks})", rows)

    def fetch(self, statement: Statement) -> list[tuple[Any, ...]]:
        sent: dict[str, Any] = {}
        for each in statement.parameters:
            wrong = _objection(each.value) if self.rule.holds(each.rep) else f"takes no parameter of type {each.rep}"
            if wrong is not None:
                raise fault(UNHELD, f"sqlite {wrong}: ${each.name}", engine=self.name, feature="parameter")
            sent[each.mark] = _written(each.value, writer(each.rep))
        timer = Timer(self._timeout, self._connection.interrupt) if self._timeout is not None else None
        if timer is not None:
            timer.start()
        try:
            return self._connection.execute(statement.text, sent).fetchall()
        finally:
            if timer is not None:
                timer.cancel()

    def reader(self, rep: Rep) -> Change | None:
        if isinstance(rep, (ListRep, MapRep)) or rep == reps.PATH:
            read = self._from_json(rep)
            return json.loads if read is None else lambda value: read(json.loads(value))
        return _READERS.get(rep) or super().reader(rep)

    def _from_json(self, rep: Rep) -> Change | None:
        """The reader of a value inside of JSON."""
        if isinstance(rep, ListRep):
            element = self._from_json(rep.element)
            return None if element is None else partial(_items, element)
        if isinstance(rep, MapRep):
            return partial(_entries, [(key, self._from_json(each)) for key, each in _fields(rep)])
        if rep == reps.PATH:
            return lambda value: self.path(*value)
        return self.reader(rep)

    def explain(self, error: Exception, source: Source) -> GraphirError:
        message = str(error)
        code = next((code for words, code in _CODES if words in message), FAILED)
        told = _RAISED.search(message)
        if told is not None:  # by a statement of ours, where SQLite itself would go on
            message = told[1]
        return fault(code, f"sqlite: {message}", engine=self.name, source=source, feature=message)


def _fields(rep: MapRep) -> Iterator[tuple[str, Rep]]:
    return zip(rep.keys, rep.values, strict=True)


def _items(change: Change, items: list[Any]) -> list[Any]:
    return [None if item is None else change(item) for item in items]


def _entries(changes: list[tuple[str, Change | None]], values: list[Any]) -> dict[str, Any]:
    return {
        key: value if value is None or change is None else change(value)
        for (key, change), value in zip(changes, values, strict=True)
    }


def _written(value: Any, write: Change | None) -> Any:
    return value if value is None or write is None else write(value)


@cache
def writer(rep: Rep) -> Change | None:
    """From a value to what a column holds."""
    if isinstance(rep, ListRep):
        inner = _inner(rep)
        return lambda items: _text(items if inner is None else inner(items))
    return _WRITERS.get(rep)


@cache
def _inner(rep: Rep) -> Change | None:
    """From a value to what JSON holds."""
    if not isinstance(rep, ListRep):
        return _WRITERS.get(rep)
    element = _inner(rep.element)
    return None if element is None else partial(_items, element)


def _text(items: list[Any]) -> str:
    """JSON as SQLite writes it."""
    return json.dumps(items, ensure_ascii=False, separators=(",", ":"))


def _boolean(value: Any) -> bool:
    if type(value) is not int or value not in (0, 1):
        raise LookupError(f"{value!r} where a boolean is due")
    return value == 1


_WRITERS: dict[Rep, Callable[[Any], Any]] = {reps.BOOLEAN: int, reps.DATE: str, reps.LOCAL_DATETIME: str}
_READERS: dict[Rep, Change] = {
    reps.BOOLEAN: _boolean,
    reps.INTEGER: exactly(int),
    reps.FLOAT: exactly(float),
    reps.STRING: exactly(str),
    reps.DATE: Date.parse,
    reps.LOCAL_DATETIME: LocalDateTime.parse,
}
