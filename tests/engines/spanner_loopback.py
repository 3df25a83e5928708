"""A Spanner on the loopback address for tests of its driver: the real client, its protocol, GoogleSQL's evaluator.

    with serving() as server:
        graphir.connect("spanner", database="d", instance="i", project="p", endpoint=server.endpoint)

What it has: sessions, queries and changes of rows with typed parameters, definitions, commits of inserts.  What it has
not: isolation, other mutations, plans.  It takes one request at a time.  `server.log` keeps the queries as they came.
Knows no driver.
"""

from __future__ import annotations

import base64
import json
from collections.abc import Callable, Iterator
from concurrent import futures
from contextlib import contextmanager
from decimal import Decimal
from typing import Any

import grpc
from google.cloud import spanner_v1 as spanner
from google.cloud.spanner_admin_database_v1.types import UpdateDatabaseDdlRequest
from google.longrunning import operations_pb2
from google.protobuf import any_pb2, empty_pb2, struct_pb2

from graphir.backends.engines.googlesql.database import Database
from graphir.backends.engines.googlesql.protos import types
from graphir.backends.engines.googlesql.refusals import Refusal
from graphir.backends.engines.googlesql.values import Struct, type_name
from graphir.values.dates import Date
from graphir.values.datetimes import DateTime

Code = spanner.TypeCode
Json = struct_pb2.Value
STATUSES = {code.value[0]: code for code in grpc.StatusCode}


class Loopback:
    """The server; `rows` are those that were inserted, by table."""

    def __init__(self) -> None:
        self.database = Database("spanner")
        self.log: list[Any] = []
        self.rows: dict[str, list[list[Any]]] = {}
        self.sessions = 0
        self._server = grpc.server(futures.ThreadPoolExecutor(1))  # the evaluator takes one call at a time
        self._server.add_generic_rpc_handlers(
            (
                grpc.method_handlers_generic_handler("google.spanner.v1.Spanner", self._queries()),
                grpc.method_handlers_generic_handler(
                    "google.spanner.admin.database.v1.DatabaseAdmin",
                    {"UpdateDatabaseDdl": _single(self.define, UpdateDatabaseDdlRequest)},
                ),
            )
        )
        self.endpoint = f"127.0.0.1:{self._server.add_insecure_port('127.0.0.1:0')}"

    def start(self) -> None:
        self._server.start()

    def stop(self) -> None:
        self._server.stop(0).wait()

    def _queries(self) -> dict[str, Any]:
        return {
            "CreateSession": _single(self.create_session, spanner.CreateSessionRequest),
            "BatchCreateSessions": _single(self.create_sessions, spanner.BatchCreateSessionsRequest),
            "GetSession": _single(lambda asked, _: spanner.Session(name=asked.name), spanner.GetSessionRequest),
            "DeleteSession": _single(lambda asked, _: empty_pb2.Empty(), spanner.DeleteSessionRequest),
            "BeginTransaction": _single(lambda asked, _: spanner.Transaction(id=b"t"), spanner.BeginTransactionRequest),
            "Commit": _single(self.commit, spanner.CommitRequest),
            "ExecuteSql": _single(self.change, spanner.ExecuteSqlRequest),
            "ExecuteStreamingSql": grpc.unary_stream_rpc_method_handler(
                self.stream,
                request_deserializer=spanner.ExecuteSqlRequest.deserialize,
                response_serializer=spanner.PartialResultSet.serialize,
            ),
        }

    # -------------------------------------------------------------- sessions

    def session(self, database: str, multiplexed: bool) -> Any:
        self.sessions += 1
        return spanner.Session(name=f"{database}/sessions/s{self.sessions}", multiplexed=multiplexed)

    def create_session(self, asked: Any, context: Any) -> Any:
        return self.session(asked.database, asked.session.multiplexed)

    def create_sessions(self, asked: Any, context: Any) -> Any:
        made = [self.session(asked.database, False) for _ in range(asked.session_count)]
        return spanner.BatchCreateSessionsResponse(session=made)

    # -------------------------------------------------------------- definitions and rows

    def define(self, asked: Any, context: Any) -> Any:
        try:
            for statement in asked.statements:
                self.database.define(statement)
        except Refusal as refusal:
            _abort(context, refusal)
        done = any_pb2.Any()
        done.Pack(empty_pb2.Empty())
        return operations_pb2.Operation(name=f"{asked.database}/operations/o", done=True, response=done)

    def commit(self, asked: Any, context: Any) -> Any:
        for mutation in spanner.CommitRequest.pb(asked).mutations:
            if mutation.WhichOneof("operation") != "insert":
                context.abort(grpc.StatusCode.UNIMPLEMENTED, "mutations other than inserts")
            table, names = mutation.insert.table, list(mutation.insert.columns)
            columns = self.database.types_of(table)
            rows = self.rows.setdefault(table, [])
            for row in mutation.insert.values:
                given = {
                    name: read(value, wire_type(columns[name])) for name, value in zip(names, row.values, strict=True)
                }
                rows.append([given.get(name) for name in columns])
            self.database.fill(table, rows)
        return spanner.CommitResponse()

    # -------------------------------------------------------------- queries

    def change(self, asked: Any, context: Any) -> Any:
        """INSERT, UPDATE or DELETE: how many rows; nothing of it is undone."""
        self.log.append(asked)
        try:
            count = self.database.change(asked.sql, _parameters(asked))
        except Refusal as refusal:
            _abort(context, refusal)
        metadata = spanner.ResultSetMetadata(transaction=spanner.Transaction(id=b"t"))
        return spanner.ResultSet(metadata=metadata, stats=spanner.ResultSetStats(row_count_exact=count))

    def stream(self, asked: Any, context: Any) -> Iterator[Any]:
        self.log.append(asked)
        try:
            found = self.database.query(asked.sql, _parameters(asked))
        except Refusal as refusal:
            _abort(context, refusal)
            return
        wires = [wire_type(of) for of in found.types]
        fields = [spanner.StructType.Field(name=name, type_=of) for name, of in zip(found.columns, wires, strict=True)]
        answer = spanner.PartialResultSet(
            metadata=spanner.ResultSetMetadata(row_type=spanner.StructType(fields=fields)), last=True
        )
        cells = [written(value, of) for row in found.rows for value, of in zip(row, wires, strict=True)]
        spanner.PartialResultSet.pb(answer).values.extend(cells)
        yield answer


def _parameters(asked: Any) -> dict[str, tuple[str, Any]]:
    raw = spanner.ExecuteSqlRequest.pb(asked)
    given = {name: asked.param_types.get(name) for name in raw.params.fields}
    return {name: (type_text(of), read(raw.params.fields[name], of)) for name, of in given.items() if of is not None}


def _single(function: Callable[[Any, Any], Any], request: Any) -> Any:
    def serialize(answer: Any) -> bytes:
        own = getattr(type(answer), "serialize", None)
        data: bytes = own(answer) if own is not None else answer.SerializeToString()
        return data

    return grpc.unary_unary_rpc_method_handler(
        function, request_deserializer=request.deserialize, response_serializer=serialize
    )


def _abort(context: Any, refusal: Refusal) -> None:
    context.abort(STATUSES.get(refusal.code, grpc.StatusCode.INTERNAL), refusal.message)


@contextmanager
def serving() -> Iterator[Loopback]:
    """A server until the block ends."""
    server = Loopback()
    server.start()
    try:
        yield server
    finally:
        server.stop()


# ------------------------------------------------------------------ types and values of the protocol


def wire_type(of: Any) -> Any:
    """The type as Spanner's protocol has it."""
    if of.type_kind == types.TYPE_ARRAY:
        return spanner.Type(code=Code.ARRAY, array_element_type=wire_type(of.array_type.element_type))
    if of.type_kind == types.TYPE_STRUCT:
        fields = [
            spanner.StructType.Field(name=field.field_name, type_=wire_type(field.field_type))
            for field in of.struct_type.field
        ]
        return spanner.Type(code=Code.STRUCT, struct_type=spanner.StructType(fields=fields))
    return spanner.Type(code=Code[type_name(of)])


def type_text(of: Any) -> str:
    if of.code == Code.ARRAY:
        return f"ARRAY<{type_text(of.array_element_type)}>"
    return str(Code(of.code).name)


def written(value: Any, of: Any) -> Any:
    """The value as Spanner's protocol writes it."""
    match value:
        case None:
            return Json(null_value=struct_pb2.NULL_VALUE)
        case list() if of.code == Code.ARRAY:
            items = [written(item, of.array_element_type) for item in value]
            return Json(list_value=struct_pb2.ListValue(values=items))
        case Struct():
            pairs = zip(value.fields, of.struct_type.fields, strict=True)
            items = [written(item, field.type_) for (_, item), field in pairs]
            return Json(list_value=struct_pb2.ListValue(values=items))
        case bool():
            return Json(bool_value=value)
        case float():
            return _float(value)
        case bytes():
            return Json(string_value=base64.b64encode(value).decode())
        case DateTime():
            text = Date(value.second // 86_400).to_standard().isoformat()
            rest = value.second % 86_400
            clock = f"{rest // 3600:02}:{rest // 60 % 60:02}:{rest % 60:02}.{value.nano:09}"
            return Json(string_value=f"{text}T{clock}Z")
    if of.code == Code.JSON:
        return Json(string_value=json.dumps(value))
    return Json(string_value=str(value))


def _float(value: float) -> Any:
    named = {"nan": "NaN", "inf": "Infinity", "-inf": "-Infinity"}.get(str(value))
    return Json(number_value=value) if named is None else Json(string_value=named)


def read(value: Any, of: Any) -> Any:
    """The value of a parameter or of a column."""
    kind = value.WhichOneof("kind")
    if kind == "null_value":
        return None
    if of.code == Code.ARRAY:
        return [read(item, of.array_element_type) for item in value.list_value.values]
    held = getattr(value, kind)
    return _READERS[Code(of.code)](held) if Code(of.code) in _READERS else held


_READERS: dict[Any, Callable[[Any], Any]] = {
    Code.INT64: int,
    Code.FLOAT64: float,
    Code.BYTES: base64.b64decode,
    Code.DATE: Date.parse,
    Code.TIMESTAMP: DateTime.parse,
    Code.NUMERIC: Decimal,
    Code.JSON: json.loads,
}
