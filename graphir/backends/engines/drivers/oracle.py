"""Oracle Database 23ai and later, a server, through python-oracledb in its thin mode (no client libraries).

It takes SQL/PGQ that is written for it, with named parameters as bind variables, and gives the rows as values.  Queries
of other dialects that read are translated, where the session knows the schema of the property graph: without it they
are refused (G574), and so is loading a graph.  Tested as far as that goes without a server; no statement of it was
executed on Oracle.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, ClassVar, cast

from graphir.backends.engines.drivers.oracle_binds import bound, read_as, value_of
from graphir.backends.engines.drivers.oracle_codes import code_of
from graphir.backends.engines.faults import LOST, READS, UNREAD, UNUSABLE, fault
from graphir.backends.engines.foreign import Foreign, Loaded
from graphir.backends.engines.results import Result
from graphir.backends.sql import targets
from graphir.backends.sqltext.tables import catalog_of
from graphir.diagnostics import GraphirError, UsageFault
from graphir.graphs import PropertyGraph
from graphir.passes.rules.composition import writes
from graphir.schema.model import Schema
from graphir.source import Source, Span
from graphir.values.conversions import from_standard

oracledb: Any = import_module("oracledb")

WRITES = "G574"
DIALECTS = ("pgq-oracle-23ai", "pgq-oracle-26ai")
"""The dialects whose statements go to the server as they stand; the others become the first of them."""
_SETTINGS = "ALTER SESSION SET NLS_COMP = BINARY NLS_SORT = BINARY NLS_NUMERIC_CHARACTERS = '.,'"
"""What the translations count on: text by code point, and points in numbers."""


class Oracle(Foreign):
    """A session on a server."""

    name: ClassVar[str] = "oracle"
    errors: ClassVar[tuple[type[Exception], ...]] = (oracledb.Error,)

    def __init__(
        self,
        dsn: str | None = None,
        *,
        auth: tuple[str, str] | None = None,
        wallet: str | None = None,
        wallet_password: str | None = None,
        config: str | None = None,
        connect_timeout: float = 20.0,
        timeout: float | None = None,
        schema: Schema | None = None,
        trusting: bool = False,
    ) -> None:
        """`dsn` is an Easy Connect string (`host:port/service`), a connect descriptor, or a name of `tnsnames.ora`.
        `schema` is that of the property graph that queries of other dialects ask.

        `auth` is (user, password).  `wallet` is the folder of a wallet (`ewallet.pem`) and `wallet_password` opens it;
        `config` is the folder of `tnsnames.ora`.  `timeout` in seconds bounds each round trip, `connect_timeout` the
        first one.  UsageFault (G620) if there is no such server or it does not let one in.
        """
        super().__init__(trusting=trusting)
        self.schema = schema
        self._is_set = False
        if not dsn:
            raise fault(UNUSABLE, "oracle needs the server: dsn='host:port/service'", engine=self.name)
        if auth is None and wallet is None:
            raise fault(UNUSABLE, "oracle needs auth=(user, password), or a wallet", engine=self.name)
        user, password = auth or (None, None)
        try:
            self._connection = oracledb.connect(
                dsn=dsn,
                user=user,
                password=password,
                wallet_location=wallet,
                wallet_password=wallet_password,
                config_dir=config,
                tcp_connect_timeout=connect_timeout,
                externalauth=auth is None,
                retry_count=0,
            )
        except self.errors as error:
            raise UsageFault([_found(error, UNUSABLE, Source(""))]) from None
        if timeout is not None:
            self._connection.call_timeout = int(timeout * 1000)
        self._connection.outputtypehandler = _whole_texts

    def close(self) -> None:
        """End the session; what it changed and did not commit is gone."""
        try:
            self._connection.close()
        except self.errors:
            return  # it is gone already

    # -------------------------------------------------------------- what it does not do

    def load(self, source: Any, schema: Schema | None = None) -> Loaded:
        """Unsupported (G574): the tables and graphs of the database are made there."""
        raise self._unwritten("a graph cannot be loaded", Source(""))

    def add(self, graph: PropertyGraph) -> None:
        """Unsupported (G574)."""
        raise self._unwritten("a graph cannot be loaded", Source(""))

    def clear(self) -> None:
        """Unsupported (G574): it deletes nothing."""
        raise self._unwritten("data are not deleted", Source(""))

    def _unwritten(self, what: str, source: Source) -> GraphirError:
        told = f"{what}: graphir makes no tables of Oracle"
        hint = "`graphir schema convert FILE --to oracle-ddl` prints their definition"
        return fault(WRITES, told, engine=self.name, source=source, feature="dialect", hint=hint)

    # -------------------------------------------------------------- running

    def run(self, text: str, parameters: Mapping[str, Any] | None = None, dialect: str = "neo4j-25") -> Result:
        """Run a statement of `pgq-oracle-23ai` or `pgq-oracle-26ai` as it stands; `:name` is a parameter.  Queries of
        other dialects are translated: their nodes and edges come back as what tells them apart.

        Raises Unsupported for other dialects without a schema (G574), for what has no exact form (G560, G561, ..) and
        for values that no bind variable holds (G626), and what the server says as SyntaxFault, SemanticFault,
        Unsupported or RunFault.
        """
        source = Source(text)
        given = from_standard(parameters or {})
        if dialect not in DIALECTS:
            return self._translated(text, given, dialect, source)
        columns, rows = self._asked(text, given, source)
        try:
            return Result(columns, [tuple(map(value_of, row)) for row in rows])
        except LookupError as error:
            raise _unread(error, source) from None

    def _translated(self, text: str, parameters: Mapping[str, Any], dialect: str, source: Source) -> Result:
        """Run a query of another dialect as a statement over the property graph of the schema."""
        if self.schema is None:
            told = f"a query in {dialect} is translated by the schema of the property graph, and the session knows none"
            hint = "connect('oracle', .., schema=graphir.Schema.read(..))"
            raise fault(WRITES, told, engine=self.name, source=source, feature="dialect", hint=hint)
        core = self._prepare(text, dialect).core
        if writes(core.body):
            told = "the engine oracle only reads queries that it translates"
            raise fault(READS, told, engine=self.name, source=source, feature="writing")
        self._refuse(core, DIALECTS[0], parameters, source)
        statement = targets.emit(core, catalog_of(self.schema, DIALECTS[0], source), DIALECTS[0], parameters, source)
        if core.execution == "explain" or not statement.columns:
            return Result()
        if not self._is_set:
            self._asked(_SETTINGS, {}, source)
            self._is_set = True
        _, rows = self._asked(statement.text, {sent.mark: sent.value for sent in statement.parameters}, source)
        names = tuple([name for name, _ in statement.columns])
        reps = [rep for _, rep in statement.columns]
        try:
            return Result(names, [tuple([read_as(v, rep) for v, rep in zip(row, reps, strict=True)]) for row in rows])
        except LookupError as error:
            raise _unread(error, source) from None

    def _asked(
        self, text: str, parameters: Mapping[str, Any], source: Source
    ) -> tuple[tuple[str, ...], list[Sequence[Any]]]:
        """The names of the columns of a statement, and its rows as the client gives them."""
        values, types = bound(parameters, oracledb)
        try:
            with self._connection.cursor() as cursor:
                if types:
                    cursor.setinputsizes(**types)
                cursor.execute(text, values)
                columns = tuple([column[0] for column in cursor.description or ()])
                return columns, cast("list[Sequence[Any]]", cursor.fetchall() if columns else [])
        except self.errors as error:
            raise self.explain(error, source) from None

    def explain(self, error: Exception, source: Source) -> GraphirError:
        """The fault that an error of the server or of its client stands for."""
        told = error.args[0] if error.args else None
        code = code_of(str(getattr(told, "full_code", "")))
        if getattr(told, "isrecoverable", False):
            code = LOST
        offset = getattr(told, "offset", 0) or 0
        span = Span(offset, offset) if 0 < offset <= len(source.text) else None
        return fault(code, f"oracle: {_message(error)}", engine=self.name, source=source, span=span)


def _found(error: Exception, code: str, source: Source) -> Any:
    return fault(code, f"oracle cannot be reached: {_message(error)}", engine="oracle", source=source).diagnostics[0]


def _unread(error: LookupError, source: Source) -> GraphirError:
    return fault(UNREAD, f"oracle gave what is no value: {error.args[0]}", source=source)


def _message(error: Exception) -> str:
    """The message of the server or client, in one line."""
    told = error.args[0] if error.args else error
    return " ".join(str(getattr(told, "message", told)).split())


def _whole_texts(cursor: Any, column: Any) -> Any:
    """Long texts as texts, not as handles that end with the session."""
    whole = {oracledb.DB_TYPE_CLOB: oracledb.DB_TYPE_LONG, oracledb.DB_TYPE_NCLOB: oracledb.DB_TYPE_LONG_NVARCHAR}
    type = whole.get(column.type_code)
    return None if type is None else cursor.var(type, arraysize=cursor.arraysize)
