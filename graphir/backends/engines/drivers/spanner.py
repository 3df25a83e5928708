"""Spanner Graph, a service of Google's cloud, through its own client.

It is read from: what is loaded becomes tables of the database, with a property graph over them, which `clear` drops
again; other tables and graphs of the database are left alone, and queries may ask a graph that is there already.
Tested against GoogleSQL's evaluator behind the client's own protocol, not against the service.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from importlib import import_module
from itertools import islice
from typing import Any, ClassVar

from graphir import ir
from graphir.backends.engines.faults import UNHELD, UNUSABLE, fault
from graphir.backends.engines.foreign import Answer
from graphir.backends.engines.google.driver import Google, Typed
from graphir.backends.engines.google.layout import GRAPH, Layout, layout_of, quoted
from graphir.backends.engines.google.needs import missing
from graphir.backends.engines.google.statuses import code_of
from graphir.diagnostics import GraphirError
from graphir.graphs import PropertyGraph
from graphir.source import Source
from graphir.values.dates import Date
from graphir.values.datetimes import DateTime

spanner: Any = import_module("google.cloud.spanner")
exceptions: Any = import_module("google.api_core.exceptions")
auth: Any = import_module("google.auth.exceptions")
credentials_of: Any = import_module("google.auth.credentials")
timestamps: Any = import_module("google.api_core.datetime_helpers")

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_LONGEST = 128
"""Characters of a name."""
_CELLS = 20_000
"""Of one commit; Spanner takes 80,000, with those of indexes."""
_PATH = ("projects", "instances", "databases")


class Spanner(Google):
    """A database of Spanner, or of its emulator."""

    name: ClassVar[str] = "spanner"
    errors: ClassVar[tuple[type[Exception], ...]] = (exceptions.GoogleAPICallError, exceptions.RetryError)

    def __init__(
        self,
        database: Any = None,
        *,
        project: str | None = None,
        instance: str | None = None,
        credentials: Any = None,
        endpoint: str | None = None,
        graph: str = GRAPH,
        timeout: float | None = None,
        speaks: str | None = None,
        trusting: bool = False,
    ) -> None:
        """`database` is its name, or its path `projects/../instances/../databases/..`, or one of the client's objects.

        `credentials` are those of google-auth; without them the client finds those of the environment.  `endpoint` is
        where an emulator listens (`127.0.0.1:9010`), which takes anybody.  `graph` is the property graph that is asked,
        and the name of the one that `load` makes.  `timeout` in seconds bounds a query.
        UsageFault (G620) if the database does not answer.
        """
        super().__init__(speaks=speaks, trusting=trusting)
        self.graph = graph
        self._own = database is None or isinstance(database, str)
        self._timeout = {} if timeout is None else {"timeout": timeout}
        try:
            self._database = _opened(database, project, instance, credentials, endpoint)
            self._rows("SELECT 1 AS one", {})
        except (*self.errors, auth.GoogleAuthError, OSError, ValueError) as error:
            raise fault(UNUSABLE, f"no database of Spanner answers: {error}", engine=self.name) from None

    def close(self) -> None:
        """Give the connection back, unless it is another's.

        `close` of the client would wait until its thread looks up again, ten minutes at most, to delete a session that
        the service deletes by itself.
        """
        if self._own:
            self._database.spanner_api.transport.close()

    # -------------------------------------------------------------- loading

    def add(self, graph: PropertyGraph) -> None:
        """Make tables of the graph and a property graph over them.  Unsupported (G626) for what Spanner cannot hold."""
        if self.layout is not None:
            raise fault(UNHELD, "the tables of spanner are made of one graph: clear it first", engine=self.name)
        layout = layout_of([graph], self.name)
        for name in sorted({*layout.labels(), *layout.types, self.graph}):
            if not _is_name(name):
                told = f"a name in Spanner has letters, digits and underscores, {_LONGEST} at most: {name!r}"
                raise fault(UNHELD, told, engine=self.name, feature="name")
        tables = [layout.create_table(element) for element in layout.elements()]
        self._define([*tables, layout.create_graph(self.graph)])
        self.layout = layout
        for element in layout.elements():
            columns = list(layout.columns_of(element))
            for rows in _batches(layout.rows_of(element), _CELLS // len(columns)):
                self._insert(element.name, columns, rows)

    def _insert(self, table: str, columns: Sequence[str], rows: Sequence[tuple[Any, ...]]) -> None:
        try:
            with self._database.batch() as batch:
                batch.insert(table, columns=columns, values=[tuple(map(_given, row)) for row in rows])
        except self.errors as error:
            raise self.explain(error, Source("")) from None

    def clear(self) -> None:
        """Drop the tables and the graph that this session made."""
        super().clear()
        if self.layout is None:
            return
        tables = [quoted(element.name) for element in (*self.layout.edges, *self.layout.nodes)]
        self._define([f"DROP PROPERTY GRAPH {quoted(self.graph)}", *[f"DROP TABLE {name}" for name in tables]])
        self.layout: Layout | None = None

    def _define(self, statements: Sequence[str]) -> None:
        try:
            self._database.update_ddl(statements).result()
        except self.errors as error:
            raise self.explain(error, Source("")) from None

    # -------------------------------------------------------------- asking

    def ask(self, text: str, parameters: Typed, core: ir.Query, source: Source) -> Answer:
        if self.layout is not None:
            missing(core, self.layout, self.name)  # raises where Spanner would take a name for another
        try:
            return self._rows(text, parameters)
        except self.errors as error:
            raise self._fault(error, source, f"it was asked: {text}") from None

    def _rows(self, text: str, parameters: Typed) -> Answer:
        options: dict[str, Any] = dict(self._timeout)
        if parameters:
            options["params"] = {name: _given(value) for name, (_, value) in parameters.items()}
            options["param_types"] = {name: _parameter_type(of) for name, (of, _) in parameters.items()}
        with self._database.snapshot() as snapshot:
            found = snapshot.execute_sql(text, **options)
            rows = list(found)
            fields = list(found.fields)
        types = [field.type_ for field in fields]
        values = [tuple([_taken(value, of) for value, of in zip(row, types, strict=True)]) for row in rows]
        return Answer(tuple([field.name for field in fields]), values, {})

    # -------------------------------------------------------------- what comes back

    def explain(self, error: Exception, source: Source) -> GraphirError:
        return self._fault(error, source, None)

    def _fault(self, error: Exception, source: Source, hint: str | None) -> GraphirError:
        """The place that Spanner tells is one of the text that it was asked."""
        message = str(getattr(error, "message", error))
        status = getattr(getattr(error, "grpc_status_code", None), "value", (14,))[0]
        return fault(code_of(status, message), f"spanner: {message}", engine=self.name, source=source, hint=hint)


def _opened(database: Any, project: str | None, instance: str | None, credentials: Any, endpoint: str | None) -> Any:
    """The database as an object of the client."""
    if database is not None and not isinstance(database, str):
        return database
    project, instance, name = _placed(database, project, instance)
    options: dict[str, Any] = {"project": project, "disable_builtin_metrics": True}
    if endpoint is not None:
        options |= {"credentials": credentials_of.AnonymousCredentials(), "client_options": {"api_endpoint": endpoint}}
    elif credentials is not None:
        options["credentials"] = credentials
    return spanner.Client(**options).instance(instance).database(name)


def _placed(database: str | None, project: str | None, instance: str | None) -> tuple[str | None, str, str]:
    """Project, instance and database, of a path or of their names.  ValueError where one is missing."""
    parts = (database or "").split("/")
    if len(parts) == 6 and tuple(parts[::2]) == _PATH:
        return parts[1], parts[3], parts[5]
    if not database or not instance or len(parts) > 1:
        raise ValueError("`database` and `instance` name it, or `database` is projects/../instances/../databases/..")
    return project, instance, database


def _is_name(name: str) -> bool:
    """Source: Spanner's documentation of GoogleSQL, data definition language, naming conventions."""
    return name.isascii() and name.replace("_", "a").isalnum() and name[0].isalpha() and len(name) <= _LONGEST


def _batches(rows: Iterator[tuple[Any, ...]], size: int) -> Iterator[list[tuple[Any, ...]]]:
    while batch := list(islice(rows, max(1, size))):
        yield batch


def _parameter_type(of: str) -> Any:
    """The type of the client for a type of GoogleSQL."""
    element = of.removeprefix("ARRAY<").removesuffix(">")
    found = getattr(spanner.param_types, element)
    return found if element == of else spanner.param_types.Array(found)


def _given(value: Any) -> Any:
    """A value as the client takes it."""
    match value:
        case list() | tuple():
            return [_given(item) for item in value]
        case Date():
            return value.to_standard()
        case DateTime():
            moment = _EPOCH + timedelta(seconds=value.second)
            parts = moment.year, moment.month, moment.day, moment.hour, moment.minute, moment.second
            return timestamps.DatetimeWithNanoseconds(*parts, nanosecond=value.nano, tzinfo=UTC)
        case _:
            return value


def _taken(value: Any, of: Any) -> Any:
    """A value of the client: bytes come in base64, structures as lists.  Recurses on types."""
    if value is None:
        return None
    code = spanner.param_types.TypeCode(of.code)
    match code.name:
        case "ARRAY":
            return [_taken(item, of.array_element_type) for item in value]
        case "STRUCT":
            fields = of.struct_type.fields
            return {field.name: _taken(item, field.type_) for field, item in zip(fields, value, strict=True)}
        case "BYTES":
            return base64.b64decode(value)
        case "DATE":
            return Date.of(value.year, value.month, value.day)
        case "TIMESTAMP":
            return _moment(value)
        case "JSON":
            return _document(value)
        case _:
            return value


def _moment(value: Any) -> DateTime:
    passed = value.replace(microsecond=0) - _EPOCH
    nanos = getattr(value, "nanosecond", None)
    return DateTime(passed.days * 86_400 + passed.seconds, value.microsecond * 1000 if nanos is None else nanos, 0)


def _document(value: Any) -> Any:
    """What a JSON value holds: the client makes a kind of dictionary of it, whatever it is."""
    return json.loads(value.serialize())
