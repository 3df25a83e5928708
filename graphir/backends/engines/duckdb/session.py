"""A session with the embedded engine: queries of any dialect that parses, over a graph in DuckDB."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from tempfile import gettempdir
from threading import Timer
from typing import Any, Self
from uuid import uuid4

import duckdb
from sqlglot import exp

from graphir import api, ir
from graphir.backends.engines.duckdb import loads, plans, record
from graphir.backends.engines.duckdb.bridge import Bridges
from graphir.backends.engines.duckdb.carriers import writer
from graphir.backends.engines.duckdb.faults import placed, run_fault
from graphir.backends.engines.duckdb.loads import Loaded
from graphir.backends.engines.duckdb.plans import Plan
from graphir.backends.engines.duckdb.results import decode
from graphir.backends.engines.duckdb.search import Index
from graphir.backends.engines.duckdb.storage import Storage
from graphir.backends.engines.duckdb.writing import execution
from graphir.backends.engines.results import Result
from graphir.backends.sql.catalog import EdgeTable, NodeTable
from graphir.backends.sql.searches import Search
from graphir.backends.sql.statements import Lowered, lower_query
from graphir.diagnostics import GraphirError, RunFault, SemanticFault, diagnose, usage_fault
from graphir.dialects import CASELESS, GOOGLE
from graphir.passes import checks
from graphir.passes.gql.intervals import with_moments
from graphir.passes.gql.spelling import Spellings, fold_names
from graphir.schema.model import Schema
from graphir.source import Source
from graphir.values.clocks import Clock
from graphir.values.conversions import from_standard

_DISTRUSTED = frozenset({"common_subplan"})
"""Optimizers that give wrong rows: DuckDB 2.0.1 takes unequal parts of two branches of UNION ALL for one."""
_REMEMBERED = 1_000
"""Queries whose core form is kept."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A statement as it is sent: its text, and the values of the parameters that are left in it.

    It is good for as long as nothing is written.
    """

    lowered: Lowered
    text: str
    sent: dict[str, Any] | None
    searches: Sequence[tuple[Search, Index]] = ()


Asked = tuple[str, str, str]
"""Text, parameters and dialect of a query that was asked."""

_SIMPLE = frozenset((bool, int, float, str, type(None)))


def _asked(text: str, parameters: Mapping[str, Any] | None, dialect: str) -> Asked | None:
    """What a statement is remembered by; None if the parameters are more than a few simple values."""
    if not parameters:
        return text, "", dialect
    if len(parameters) > 20 or any(type(value) not in _SIMPLE for value in parameters.values()):
        return None
    return text, repr(parameters), dialect


class Session:
    """An embedded graph database.  A context manager; `close` ends it."""

    def __init__(
        self,
        path: str | Path | None = None,
        *,
        threads: int | None = None,
        memory: str | None = None,
        timeout: float | None = None,
        max_rows: int | None = None,
        max_path: int | None = None,
    ) -> None:
        """In memory, or in the file `path`.

        `memory` ("500MB"), `timeout` (seconds), `max_rows` and `max_path` (rounds of a repetition without an upper
        bound) bound every query; beyond them it is a RunFault.
        """
        given = {"threads": threads, "memory_limit": memory}
        config: dict[str, Any] = {name: value for name, value in given.items() if value is not None}
        if path is None:  # what does not fit the memory goes here, by default into the folder one happens to be in
            config["temp_directory"] = str(Path(gettempdir(), f"graphir-{uuid4().hex}"))
        self.timeout = timeout
        self.max_rows = max_rows
        self.max_path = max_path
        self._kept = path is not None
        try:
            self.connection = duckdb.connect(str(path) if path is not None else ":memory:", config=config)
        except duckdb.Error as error:
            raise usage_fault("G091", f"the database cannot be opened: {error}") from None
        try:
            self._distrust()
            self._require_file()
            self.storage = Storage(self.connection)
            record.read(self.storage)
        except duckdb.OutOfMemoryException:
            raise usage_fault("G091", f"the engine does not start in a memory of {memory}") from None
        self.bridges = Bridges(self.connection)
        self._core: dict[tuple[str, str, int], ir.Query] = {}

    def _distrust(self) -> None:
        """Switch off what is known to give wrong rows, if the database has it."""
        known = {name for (name,) in self.connection.execute("SELECT name FROM duckdb_optimizers()").fetchall()}
        self.connection.execute(f"SET disabled_optimizers = '{','.join(sorted(_DISTRUSTED & known))}'")

    def _require_file(self) -> None:
        """Refuse a file of another kind, which DuckDB opens as tables in memory: what is written would not be kept."""
        asked = "SELECT path FROM duckdb_databases() WHERE database_name = current_database()"
        if self._kept and self.connection.execute(asked).fetchone() == (None,):
            raise usage_fault("G091", "the database cannot be opened: the file is there, and is no database of DuckDB")

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        self.connection.close()

    def load(self, source: Any, schema: Schema | None = None) -> Loaded:
        """Add a graph: all of it, or nothing.

        `source` is a `PropertyGraph` or its document, a path (a file or a folder of tables), or a text: a script,
        `example:NAME` or the address of a Neo4j.  A schema declares types of properties, and labels and types that are
        there even if nothing has them.  Raises UsageFault (G660 to G663), and what the statements of a script raise.
        """
        with self._transaction():
            return loads.load(self, source, schema)

    def clear(self) -> None:
        """Forget all data."""
        with self._transaction():
            self.storage.clear()

    def run(
        self,
        text: str,
        parameters: Mapping[str, Any] | None = None,
        dialect: str = "neo4j-25",
        *,
        keep: bool = True,
    ) -> Result:
        """Run a query.  Raises SyntaxFault, SemanticFault, Unsupported, RunFault.

        Without `keep` what it writes is undone when it has run.
        """
        asked = _asked(text, parameters, dialect)
        if asked is not None and (known := self.storage.plans.get(asked)) is not None:
            return self._read(known, Source(text))
        query = self.core(text, dialect)
        if query.execution == "explain":
            return Result()
        if execution.writes(query):
            with self._transaction(keep):
                return self.run_within(text, parameters, dialect)
        return self.run_within(text, parameters, dialect)

    def explain(
        self,
        text: str,
        parameters: Mapping[str, Any] | None = None,
        dialect: str = "neo4j-25",
        *,
        analyze: bool = False,
    ) -> Plan:
        """How a query that reads runs: its core IR, the SQL, DuckDB's plan; `analyze` runs it and counts rows."""
        return plans.explain(self, text, parameters, dialect, analyze=analyze)

    def run_within(self, text: str, parameters: Mapping[str, Any] | None, dialect: str) -> Result:
        """Run a query; one that writes is in a transaction of whoever calls."""
        query = self.core(text, dialect)
        source = Source(text)
        values: dict[str, Any] = from_standard(parameters or {})
        asked = _asked(text, parameters, dialect)
        try:
            return self._run(query, source, values, asked)
        except RecursionError:
            with _deeper():
                return self._run(query, source, values, asked)

    def _run(self, query: ir.Query, source: Source, parameters: Mapping[str, Any], asked: Asked | None) -> Result:
        if execution.writes(query):
            return execution.run(self, query, source, parameters)
        statement = self._prepared(query, source, parameters)
        if len(self.storage.plans) >= _REMEMBERED:
            self.storage.plans.clear()
        if asked is not None:
            self.storage.plans[asked] = statement
        return self._read(statement, source)

    def _read(self, statement: Statement, source: Source) -> Result:
        """The result of a statement that reads."""
        columns = statement.lowered.columns
        rows = self.perform(statement, source)
        if not columns:
            return Result()
        return Result(tuple([name for name, _ in columns]), decode(rows, [rep for _, rep in columns], self.storage))

    def _prepared(self, query: ir.Query, source: Source, parameters: Mapping[str, Any]) -> Statement:
        catalog = self.storage.catalog()
        return self.prepare(lower_query(query, source, catalog, parameters, longest=self.max_path), source)

    @contextmanager
    def _transaction(self, keep: bool = True) -> Iterator[None]:
        """A change of the graph: all of it, or nothing; without `keep` nothing in any case."""
        before, version = self.storage.state(), self.storage.version
        self.connection.begin()
        self.bridges.begin()
        done = False
        self.storage.settled = False
        try:
            yield
            if not keep:
                return
            if self._kept and self.storage.version != version:
                record.write(self.storage)
            self.connection.commit()
            done = True
        finally:
            self.storage.settled = True
            self.storage.written()
            if not done:
                self.connection.rollback()
                self.storage.restore(before)
                self.bridges.undo()

    def core(self, text: str, dialect: str) -> ir.Query:
        """The query in core form, checked."""
        folded = dialect in CASELESS
        key = (text, dialect, self.storage.version if folded else 0)
        found = self._core.get(key)
        if found is None:
            query = api.parse(text, dialect)
            source = Source(text)
            faults = [each for each in checks.find_faults(query, source, dialect) if each.severity == "error"]
            if faults:
                raise SemanticFault(faults)
            if len(self._core) >= _REMEMBERED:
                self._core.clear()
            found = api.to_core(query, text, dialect)
            if dialect in GOOGLE:
                found = with_moments(found)
            if folded:
                found = fold_names(found, self._spellings())
            self._core[key] = found
        return found

    def _spellings(self) -> Spellings:
        """The labels and properties that the graph has."""
        catalog = self.storage.catalog()
        nodes, edges = catalog.nodes, catalog.edges
        labels = [label for table in nodes for label in table.labels]
        labels += [label for table in edges for label in table.carried]
        tables: list[NodeTable | EdgeTable] = [*nodes, *edges]
        keys = [key for table in tables for key in table.columns]
        keys += [key for table in tables if table.definition for key in table.definition[1]]
        return Spellings(frozenset(labels), frozenset(keys))

    def sql(self, lowered: Lowered) -> str:
        """The text of a statement."""
        return lowered.sql.sql(dialect="duckdb", comments=False)

    def execute(self, lowered: Lowered, source: Source) -> list[tuple[Any, ...]]:
        """The rows of a statement, as DuckDB gives them."""
        return self.perform(self.prepare(lowered, source), source)

    def prepare(self, lowered: Lowered, source: Source) -> Statement:
        """The text of a statement, once the functions that it calls are known to the database."""
        searches = [(search, self._index(search, lowered, source)) for search in lowered.searches]
        renamed = self.bridges.register(lowered.bridges) | self.bridges.register_searches(searches)
        if renamed:
            rename(lowered.sql, renamed)
        text = self.sql(lowered)
        return Statement(lowered, text, self._sent(lowered, text), searches)

    def perform(self, statement: Statement, source: Source) -> list[tuple[Any, ...]]:
        """The rows of a prepared statement."""
        self.bridges.register_searches(statement.searches)
        self.bridges.clock = Clock.now()
        self.bridges.fault = None
        try:
            with self._bounded():
                self.connection.execute(statement.text, statement.sent)
                return self._fetch(source)
        except duckdb.Error as error:
            raise self._fault(error, statement.lowered, source) from None

    def _index(self, search: Search, lowered: Lowered, source: Source) -> Index:
        """The edges of a search; kept while nothing is written."""
        asked = replace(lowered, sql=search.edges, searches=())
        sent = [repr(pair) for pair in lowered.sent.values()]
        key = (search.edges.sql(dialect="duckdb"), search.direction, *sent)
        found = self.storage.indexes.get(key)
        if found is None:
            found = Index.of(self.execute(asked, source), search.direction)
            if self.storage.settled:
                self.storage.indexes[key] = found
        return found

    def _fetch(self, source: Source) -> list[tuple[Any, ...]]:
        """The rows, if they are not too many."""
        if self.max_rows is None:
            return self.connection.fetchall()
        rows = self.connection.fetchmany(self.max_rows + 1)
        if len(rows) > self.max_rows:
            told = f"the result has more than the {self.max_rows} rows that the session allows"
            raise RunFault([diagnose(source, "G610", told)])
        return rows

    @contextmanager
    def _bounded(self) -> Iterator[None]:
        """Stop what takes longer than the session allows."""
        if self.timeout is None:
            yield
            return
        timer = Timer(self.timeout, self.connection.interrupt)
        timer.start()
        try:
            yield
        finally:
            timer.cancel()

    def _sent(self, lowered: Lowered, text: str) -> dict[str, Any] | None:
        """The values of the parameters that are left in the statement: constants may have gone into it."""
        if not lowered.sent:
            return None
        left = self.connection.extract_statements(text)[0].named_parameters
        return {name: writer(rep)(value) for name, (value, rep) in lowered.sent.items() if name in left}

    def _fault(self, error: duckdb.Error, lowered: Lowered, source: Source) -> GraphirError:
        kept = self.bridges.fault
        if kept is not None:
            return placed(kept[0], source, lowered.places.get(kept[1], []))
        found = run_fault(error, source)
        if found is None:
            return RunFault([diagnose(source, "G609", f"the database refused the statement: {error}")])
        return placed(found, source, lowered.places.get(found.diagnostics[0].code, []))


def rename(sql: exp.Expr, names: Mapping[str, str]) -> None:
    """Call functions by their other names, in place."""
    for call in sql.find_all(exp.Anonymous):
        call.set("this", names.get(call.name, call.name))


@contextmanager
def _deeper() -> Iterator[None]:
    """More of Python's stack, for a query that is nested as deeply as the limit allows."""
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(max(usual, 20_000))
    try:
        yield
    finally:
        sys.setrecursionlimit(usual)
