"""Hyper, the engine of Tableau (`tableauhyperapi` on PyPI): a process of its own that reads SQL/PGQ over tables.

A graph is loaded into temporary tables, a query is sent as one statement of the dialect `pgq-hyper`, and elements come
back by their numbers.  The API has no parameters of statements: their values become constants of the query.  No file is
written: the tables are temporary, and logs and telemetry are off.
"""

from __future__ import annotations

import atexit
import os
from collections.abc import Callable, Iterator, Mapping
from importlib import import_module
from typing import Any, ClassVar

from graphir import api, ir
from graphir.backends import sqlpgq
from graphir.backends.engines.constants import bind
from graphir.backends.engines.drivers import hyper_lists
from graphir.backends.engines.faults import FAILED, LOST, MISSING, SEMANTICS, SYNTAX, UNREAD, UNSTARTED, fault
from graphir.backends.engines.relational import Relational
from graphir.backends.engines.results import Result
from graphir.backends.engines.tables import EdgeTable, NodeTable, Rule, Tables, tables_of
from graphir.backends.gql.graph import ElementTable, Property, Reference
from graphir.backends.gql.values import Kind, Value
from graphir.backends.sql import reps
from graphir.backends.sql.reps import Rep
from graphir.backends.sqlpgq.graph import Graph, Naming
from graphir.diagnostics import GraphirError
from graphir.graphs import PropertyGraph
from graphir.schema.model import NodeType, Schema
from graphir.source import Source
from graphir.values.conversions import from_standard, to_standard
from graphir.values.dates import Date
from graphir.values.entities import Path

hyper: Any = import_module("tableauhyperapi")

_KINDS: Mapping[Rep, Kind] = {
    reps.BOOLEAN: Kind.BOOL,
    reps.INTEGER: Kind.INT,
    reps.FLOAT: Kind.FLOAT,
    reps.STRING: Kind.STRING,
    reps.DATE: Kind.DATE,
}
"""How values of a key lie -> what a query can do with them; of others it can ask whether they are there."""

_TYPES: Mapping[Kind | None, Callable[[], Any]] = {
    Kind.BOOL: hyper.SqlType.bool,
    Kind.INT: hyper.SqlType.big_int,
    Kind.FLOAT: hyper.SqlType.double,
    Kind.STRING: hyper.SqlType.text,
    Kind.DATE: hyper.SqlType.date,
    None: hyper.SqlType.text,
}

_CODES: tuple[tuple[str, str], ...] = (
    ("syntax error", SYNTAX),
    ("does not exist", SEMANTICS),
    ("unknown column", SEMANTICS),
    ("unknown label", SEMANTICS),
    ("not yet supported", MISSING),
    ("is not supported", MISSING),
    ("not implemented", MISSING),
    ("element assignments", MISSING),
    ("connection", LOST),
)
"""Words of a message -> the code of the fault; any other is a fault at run time."""


_FIRST, _LAST = Date.of(1).days, Date.of(9999, 12, 31).days


def _objection(value: Any) -> str | None:
    """What is wrong with a value of a property, if Hyper cannot hold it."""
    if isinstance(value, str) and (
        "\0" in value or (not value.isascii() and any("\ud800" <= c <= "\udfff" for c in value))
    ):
        return "has no strings with U+0000 or half a surrogate pair"
    if isinstance(value, Date) and not _FIRST <= value.days <= _LAST:
        return "has no dates outside of the years 1 to 9999 here"
    if type(value) is int and not -(2**63) <= value < 2**63:
        return "has no integers of more than 64 bits"
    return None


_EMPTY = Schema((NodeType(()),))
"""A graph of Hyper has a table of nodes at least."""


class _Process:
    """The one process of Hyper that the sessions of this process share; it starts with the first of them."""

    def __init__(self) -> None:
        self._running: Any = None
        self._owner = 0

    def endpoint(self) -> Any:
        """Where it listens.  UsageFault (G629) if it does not start."""
        if self._running is None or self._owner != os.getpid():
            try:
                self._running = hyper.HyperProcess(
                    hyper.Telemetry.DO_NOT_SEND_USAGE_DATA_TO_TABLEAU, parameters={"log_config": ""}
                )
            except hyper.HyperException as error:
                raise fault(UNSTARTED, f"hyper does not start: {error.main_message}", engine="hyper") from None
            self._owner = os.getpid()
        return self._running.endpoint

    def stop(self) -> None:
        """End it, in the process that started it."""
        if self._running is not None and self._owner == os.getpid():
            self._running.close()
        self._running = None


_PROCESS = _Process()
atexit.register(_PROCESS.stop)


class Hyper(Relational):
    """A session of Hyper."""

    name: ClassVar[str] = "hyper"
    target: ClassVar[str] = "pgq-hyper"
    rule: ClassVar[Rule] = Rule("hyper", lambda _: True, _objection)
    errors: ClassVar[tuple[type[Exception], ...]] = (hyper.HyperException,)

    def __init__(self, *, trusting: bool = False) -> None:
        """`trusting`: run queries that the engine is known to answer wrongly, too."""
        super().__init__(trusting=trusting)
        self._connection = hyper.Connection(_PROCESS.endpoint())
        self._made: list[Any] = []
        self._fills = 0
        self.clear()

    def close(self) -> None:
        """End the session; its tables go with it."""
        self._connection.close()

    # -------------------------------------------------------------- loading

    def _load(self, graphs: list[PropertyGraph], schema: Schema | None) -> None:
        tables = tables_of(graphs, self.rule, schema, by_ends=True)
        if not tables.nodes:
            tables = tables_of(graphs, self.rule, _EMPTY, by_ends=True)
        try:
            self.fill(tables)
        except self.errors as error:
            raise self.explain(error, Source("")) from None
        self._graphs, self._schema, self.tables = graphs, schema, tables

    def fill(self, tables: Tables) -> None:
        """Have these tables in place of those before, or leave all as it was."""
        graph = graph_over(tables, f"g{self._fills}_")
        self._fills += 1
        made: list[Any] = []
        try:
            for known, table in zip(graph.tables, all_of(tables), strict=True):
                made.append(hyper.TableName(*known.table))
                self._create(known, table)
        except self.errors:
            self._drop(made)
            raise
        self._drop(self._made)
        self._made, self._graph = made, graph

    def _create(self, known: ElementTable, table: NodeTable | EdgeTable) -> None:
        """Make one table and fill it."""
        ends = ("src", "dst") if isinstance(table, EdgeTable) else ()
        kinds = [known.properties[key].kind for key in table.columns]
        columns = [hyper.TableDefinition.Column(name, hyper.SqlType.big_int()) for name in ("id", *ends)]
        for column, kind in zip(table.columns.values(), kinds, strict=True):
            columns.append(hyper.TableDefinition.Column(column.name, _TYPES[kind]()))
        definition = hyper.TableDefinition(hyper.TableName(*known.table), columns, hyper.Persistence.TEMPORARY)
        self._connection.catalog.create_table(definition)
        fixed = 1 + len(ends)
        with hyper.Inserter(self._connection, definition) as inserter:
            for row in table.rows():
                values = [_stored(value, kind) for value, kind in zip(row[fixed:], kinds, strict=True)]
                inserter.add_row((*row[:fixed], *values))
            inserter.execute()

    def _drop(self, names: list[Any]) -> None:
        for name in names:
            self._connection.execute_command(f"DROP TABLE IF EXISTS {name}")

    def fetch(self, statement: Any) -> list[tuple[Any, ...]]:
        """The rows of a statement."""
        return [tuple(row) for row in self._connection.execute_list_query(statement.text)]

    # -------------------------------------------------------------- running

    def run(self, text: str, parameters: Mapping[str, Any] | None = None, dialect: str = "neo4j-25") -> Result:
        """Run a query that reads.  Raises SyntaxFault, SemanticFault, Unsupported, RunFault.

        What `pgq-hyper` cannot say is refused with the code of the translation.
        """
        prepared = self._prepare(text, dialect)
        source = Source(text)
        values: dict[str, Any] = from_standard(parameters or {})
        core = prepared.core
        self._refuse_writing(core, source)
        self._refuse(core, self.target, values, source)
        if any(isinstance(node, ir.Parameter) for node in ir.walk(core)):
            core = api.to_core(bind(prepared.query, values), text, dialect)
        statement = sqlpgq.statement(core, self.target, source, "g", self._graph, entities=True)
        try:
            rows = self.fetch(statement)
        except self.errors as error:
            raise self.explain(error, source) from None
        return Result(tuple(statement.columns), self._values(rows, statement.columns, source))

    def _values(
        self, rows: list[tuple[Any, ...]], columns: Mapping[str, Value], source: Source
    ) -> list[tuple[Any, ...]]:
        readers = [self._reader(value) for value in columns.values()]
        try:
            return [
                tuple([None if value is None else read(value) for value, read in zip(row, readers, strict=True)])
                for row in rows
            ]
        except (LookupError, ValueError) as error:
            raise fault(UNREAD, f"hyper gave what is no value: {error}", source=source) from None

    def _reader(self, known: Value) -> Callable[[Any], Any]:
        """What makes a value of the contract of a value of a column."""
        match known.kind:
            case Kind.NODE:
                return self.tables.node
            case Kind.EDGE:
                return self.tables.edge
            case Kind.EDGES:
                return lambda text: [self.tables.edge(number) for number in _numbers(text)]
            case Kind.PATH:
                return self._path
            case Kind.LIST:
                return lambda text: hyper_lists.read(text, known.items)
            case Kind.FLOAT:
                return float
        return _scalar

    def _path(self, text: str) -> Path:
        numbers = list(_numbers(text))
        return Path(tuple(map(self.tables.node, numbers[::2])), tuple(map(self.tables.edge, numbers[1::2])))

    def explain(self, error: Exception, source: Source) -> GraphirError:
        """The fault that an error of Hyper stands for."""
        message = str(getattr(error, "main_message", error))
        code = next((code for words, code in _CODES if words in message), FAILED)
        return fault(code, f"hyper: {message}", engine=self.name, source=source)


def _numbers(text: str) -> Iterator[int]:
    return (int(part) for part in text.split(",") if part)


def _scalar(value: Any) -> Any:
    """A value of a column, which is plain but for dates."""
    if isinstance(value, hyper.Date):
        return from_standard(value.to_date())
    if isinstance(value, bool | int | float | str):
        return value
    raise LookupError(f"a {type(value).__name__}")


def _stored(value: Any, kind: Kind | None) -> Any:
    """A value as it is inserted; of what has no column of its kind only that it is there."""
    if kind is None and value is not None:
        return "there"
    return to_standard(value) if kind is Kind.DATE else value


def all_of(tables: Tables) -> list[NodeTable | EdgeTable]:
    """The tables of nodes, then those of edges."""
    return [*tables.nodes, *tables.edges]


def graph_over(tables: Tables, prefix: str = "") -> Graph:
    """The graph of tables for the translation; `prefix` comes before the names of the tables."""
    numbers = {table.name: at for at, table in enumerate(tables.nodes)}
    naming = Naming()
    found = []
    for number, table in enumerate(all_of(tables)):
        properties = {}
        for key, column in table.columns.items():
            kind = _KINDS.get(column.rep)
            name = naming.name(key, str(column.rep))
            properties[key] = Property(name, column.name, kind, str(column.rep))
        source = target = None
        labels = table.labels if isinstance(table, NodeTable) else (table.type,)
        if isinstance(table, EdgeTable):
            (start,), (end,) = table.sources, table.targets
            source, target = Reference(("src",), numbers[start]), Reference(("dst",), numbers[end])
        found.append(
            ElementTable(
                *(number, table.name, (prefix + table.name,), frozenset(labels), ("id",), properties, source, target),
                single=True,
            )
        )
    return Graph(found)
