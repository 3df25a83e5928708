"""The graph in a running Neo4j, read in one transaction that only reads."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from graphir.diagnostics import UsageFault
from graphir.graphs import PropertyGraph
from graphir.loading.faults import UNREADABLE, fault
from graphir.loading.sources import Server
from graphir.schema.infer.server import connected, faults
from graphir.values.conversions import from_neo4j
from graphir.values.entities import Edge, Node

if TYPE_CHECKING:
    from neo4j import ManagedTransaction, Transaction

_NODES = "MATCH (n) RETURN elementId(n) AS id, labels(n) AS labels, properties(n) AS properties"
_EDGES = (
    "MATCH (a)-[r]->(b) RETURN elementId(r) AS id, type(r) AS type, elementId(a) AS start, elementId(b) AS end, "
    "properties(r) AS properties"
)


def read(server: Server) -> PropertyGraph:
    """All nodes and edges, with their element ids.  Needs the package neo4j.  UsageFault G660 if it cannot be read."""
    try:
        import neo4j
    except ImportError:
        raise fault(UNREADABLE, "a live Neo4j needs the package neo4j: pip install graphir[neo4j]") from None
    try:
        with (
            faults(neo4j),
            connected(server.address, server.auth) as driver,
            driver.session(database=server.database, default_access_mode=neo4j.READ_ACCESS) as session,
        ):
            return session.execute_read(graph_of)
    except UsageFault as error:
        raise fault(UNREADABLE, error.diagnostics[0].message) from None


def graph_of(work: ManagedTransaction | Transaction) -> PropertyGraph:
    """The graph as a transaction sees it."""
    nodes = _rows(work, _NODES, lambda row: Node(row[0], tuple(row[1]), _values(row[2])))
    edges = _rows(work, _EDGES, lambda row: Edge(row[0], row[1], row[2], row[3], _values(row[4])))
    return PropertyGraph(nodes, edges)


def _rows(work: ManagedTransaction | Transaction, query: Any, make: Callable[[Any], Any]) -> tuple[Any, ...]:
    return tuple([make(record) for record in work.run(query)])


def _values(properties: dict[str, Any]) -> dict[str, Any]:
    return {key: from_neo4j(value) for key, value in properties.items()}
