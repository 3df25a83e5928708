"""Neo4j, a server, through its official driver.

What is in the database stays there: `clear` deletes it, and nothing else does.  With `keep=False` the whole session is
one transaction that is undone at its end, so that a database can be shared.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

import neo4j
from neo4j import exceptions

from graphir.backends.engines.driver import Driver
from graphir.backends.engines.faults import FAILED, LOST, MISSING, SEMANTICS, SYNTAX, UNREAD, UNUSABLE, fault
from graphir.backends.engines.features import Held
from graphir.backends.engines.foreign import Answer
from graphir.diagnostics import GraphirError
from graphir.graphs import PropertyGraph
from graphir.loading.sources import server
from graphir.source import Source
from graphir.values.conversions import from_neo4j, to_neo4j
from graphir.values.datetimes import DateTime
from graphir.values.entities import Edge, Node, Path
from graphir.values.times import Time

_PREFIXES = {"neo4j-25": "CYPHER 25 ", "neo4j-5": "CYPHER 5 ", "gql-neo4j-25": "CYPHER 25 "}
_SYNTAX = "Neo.ClientError.Statement.SyntaxError"
_MISSING = ("42N48", "42N08", "42I78", "51N27")
"""Statuses of unknown functions and procedures, and of what the Community edition does not have."""
_SEMANTIC = ("42N", "42I1", "42I2", "22N")
_COUNTERS = (
    *("nodes_created", "nodes_deleted", "relationships_created", "relationships_deleted", "properties_set"),
    *("labels_added", "labels_removed", "indexes_added", "indexes_removed", "constraints_added", "constraints_removed"),
)


class Neo4j(Driver):
    """A session with a server of Neo4j 5 or later."""

    name: ClassVar[str] = "neo4j"
    dialects: ClassVar[tuple[str, ...]] = ("neo4j-25", "neo4j-5", "gql-neo4j-25")
    identity: ClassVar[str] = "elementId"
    errors: ClassVar[tuple[type[Exception], ...]] = (exceptions.Neo4jError, exceptions.DriverError)

    def __init__(
        self,
        uri: str = "bolt://127.0.0.1:7687",
        *,
        auth: tuple[str, str] | None = None,
        database: str | None = None,
        keep: bool = True,
        timeout: float | None = None,
        trusting: bool = False,
    ) -> None:
        """`uri` may hold the user, the password and the database: `bolt://user:password@host:7687/database`.

        Without `keep` nothing that is loaded or written outlives the session.  `timeout` in seconds bounds a query.
        UsageFault (G620) if the server does not answer.
        """
        super().__init__(trusting=trusting)
        found = server(uri, database, auth)
        self._timeout = timeout
        self._graphs: list[PropertyGraph] = []
        """What was loaded, for a session that is not kept: an error ends its transaction."""
        self._kept = keep
        self.held = Held(complete=not keep)
        self._transaction: Any = None
        try:
            options: dict[str, Any] = {"notifications_min_severity": "OFF", "telemetry_disabled": True}
            self._driver = neo4j.GraphDatabase.driver(str(found.address), auth=found.auth, **options)
            self._driver.verify_connectivity()
            self._session = self._driver.session(database=found.database)
        except (exceptions.Neo4jError, exceptions.DriverError, ValueError, OSError) as error:
            told = f"no Neo4j answers at {found.address}: {error}"
            raise fault(UNUSABLE, told, hint="graphir engines start neo4j") from None

    def close(self) -> None:
        if self._transaction is not None:
            self._transaction.close()
        self._session.close()
        self._driver.close()

    def clear(self) -> None:
        """Delete all nodes of the database; of a session that is not kept, only what it wrote itself."""
        super().clear()
        self._ids.clear()
        if self._kept:
            self._sent("MATCH (n) DETACH DELETE n", {}, "neo4j-25", Source(""))
            return
        self._graphs.clear()
        self._undo()

    def _undo(self) -> None:
        if self._transaction is not None:
            self._transaction.close()
            self._transaction = None

    def add(self, graph: PropertyGraph) -> None:
        super().add(graph)
        if not self._kept:
            self._graphs.append(graph)

    def takes(self, value: Any) -> bool:
        """Elements are no parameters, and offsets with seconds are not the driver's."""
        match value:
            case list() | tuple():
                return all(map(self.takes, value))
            case dict():
                return all(map(self.takes, value.values()))
            case Time() | DateTime():
                return not value.offset % 60
            case _:
                return not isinstance(value, (Node, Edge, Path))

    def spoken(self, dialect: str) -> tuple[str, ...]:
        """It speaks both dialects of Cypher: a query goes as it was written if it is of one of them."""
        return tuple(sorted(self.dialects, key=lambda each: each != dialect))

    def send(self, text: str, parameters: Mapping[str, Any], dialect: str) -> Answer:
        query = _PREFIXES[dialect] + text
        sent = {name: to_neo4j(value) for name, value in parameters.items()}
        if self._kept:
            bounded: Any = neo4j.Query
            return _answer(self._session.run(bounded(query, timeout=self._timeout), sent))
        if self._transaction is None:
            self._transaction = self._session.begin_transaction(timeout=self._timeout)
            graphs, self._graphs = self._graphs, []
            for graph in graphs:
                self.add(graph)
        try:
            return _answer(self._transaction.run(query, sent))
        except (exceptions.Neo4jError, exceptions.DriverError):
            self._undo()
            raise

    def decode(self, value: Any) -> Any:
        """The ids are those that the graph was loaded with."""
        if isinstance(value, list):
            return [self.decode(item) for item in value]
        if isinstance(value, dict):
            return {name: self.decode(item) for name, item in value.items()}
        found = from_neo4j(value)
        match found:
            case Node():
                return self._node(found)
            case Edge():
                return self._edge(found)
            case Path():
                return Path(tuple(map(self._node, found.nodes)), tuple(map(self._edge, found.edges)))
            case _:
                return found

    def _node(self, found: Node) -> Node:
        return Node(self._ids.get(("node", found.id), found.id), found.labels, found.properties)

    def _edge(self, found: Edge) -> Edge:
        start, end = (self._ids.get(("node", each), each) for each in (found.start, found.end))
        return Edge(self._ids.get(("edge", found.id), found.id), found.type, start, end, found.properties)

    def explain(self, error: Exception, source: Source) -> GraphirError:
        if isinstance(error, exceptions.BrokenRecordError):
            return fault(UNREAD, f"neo4j: its driver cannot hold the answer: {error}", engine=self.name, source=source)
        if not isinstance(error, exceptions.Neo4jError) or isinstance(error, exceptions.TransientError):
            return fault(LOST, f"neo4j: {error}", engine=self.name, source=source)
        code = FAILED
        statuses = _statuses(error)
        if any(status in _MISSING for status in statuses):
            code = MISSING
        elif error.code == _SYNTAX:
            code = SEMANTICS if any(status.startswith(_SEMANTIC) for status in statuses) else SYNTAX
        elif (error.code or "").startswith("Neo.ClientError.Statement.SemanticError"):
            code = SEMANTICS
        told = f"neo4j: {error.message} ({error.code}, {statuses[-1] if statuses else 'no status'})"
        return fault(code, told, engine=self.name, source=source)


def _answer(result: Any) -> Answer:
    rows = [tuple(record.values()) for record in result]
    counters = result.consume().counters
    written = {name: getattr(counters, name) for name in _COUNTERS}
    return Answer(tuple(result.keys()), rows, {name: count for name, count in written.items() if count})


def _statuses(error: exceptions.GqlError) -> list[str]:
    """The status of the error and of its causes."""
    found = []
    cause: BaseException | None = error
    while isinstance(cause, exceptions.GqlError):
        found.append(str(cause.gql_status))
        cause = cause.__cause__
    return found
