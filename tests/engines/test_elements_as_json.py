"""Nodes, relationships and paths as JSON: what a text gives on a database is what the embedded engine has of them.

The texts are run with joins in place of graph tables (`graph_joins.py`); the JSON that is expected is made here, of the
elements that the embedded engine gives.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import pytest

import graphir
from graphir import api
from graphir.backends.sql import targets
from graphir.backends.sqltext.results import tables_shown
from graphir.graphs import PropertyGraph
from graphir.source import Source
from graphir.values.conversions import from_standard
from graphir.values.entities import Edge, Node, Path
from tests import loaded
from tests.engines.graph_joins import Joined

GRAPH = PropertyGraph.from_dict(
    {
        "nodes": [
            {
                "id": 1,
                "labels": ["Person"],
                "properties": {
                    "name": 'Ann "A"',
                    "age": 30,
                    "tall": 1.75,
                    "active": True,
                    "tags": ["a", "b,c"],
                    "born": {"$date": "1999-12-31"},
                    "seen": {"$localdatetime": "2024-01-02T03:04:05.120"},
                    "at": {"$datetime": "2024-01-02T03:04:05Z"},
                },
            },
            {"id": 2, "labels": ["Person"], "properties": {"name": "Bob", "active": False, "tags": []}},
            {"id": 3, "labels": ["City"], "properties": {"name": "Oslo", "age": 1.5}},
            {"id": 4, "labels": ["City", "Capital"], "properties": {"name": "Rome"}},
        ],
        "edges": [
            {"id": 1, "type": "KNOWS", "start": 1, "end": 2, "properties": {"since": 2001}},
            {"id": 2, "type": "KNOWS", "start": 1, "end": 2, "properties": {}},
            {"id": 3, "type": "KNOWS", "start": 2, "end": 2, "properties": {"since": 2003}},
            {"id": 4, "type": "LIVES", "start": 1, "end": 3, "properties": {"w": 0.5}},
            {"id": 5, "type": "LIVES", "start": 2, "end": 4, "properties": {"w": 1.0}},
        ],
    }
)
QUERIES = (
    "MATCH (p:Person) RETURN p",
    "MATCH (n) RETURN n",
    "MATCH (n:Capital) RETURN n, n.name AS name",
    "MATCH (a)-[r]->(b) RETURN r, b, a.name AS name",
    "MATCH (a)-[r:KNOWS]-(b) RETURN a, r",
    "MATCH (p:Person) OPTIONAL MATCH (p)-[r:LIVES]->(c:Capital) RETURN p.name AS name, r, c",
    "OPTIONAL MATCH (n:Person {name: 'nobody'}) RETURN n",
    "MATCH (p:Person) RETURN p ORDER BY p.name DESC LIMIT 1",
    "MATCH (p:Person)-[:KNOWS]->(q) RETURN DISTINCT q",
    "MATCH (p:Person)-[r]->() RETURN p, count(r) AS n",
    "MATCH (n)-[r]->(m) RETURN n, count(*) AS c, sum(size(m.name)) AS s",
    "MATCH (p:Person) WITH p AS q RETURN q",
    "MATCH (p:Person) WITH count(*) AS c MATCH (p) RETURN p, c",
    "MATCH (p) WHERE NOT EXISTS { MATCH (p:Person) } RETURN p",
    "MATCH (p:Person) RETURN p UNION MATCH (p:City) RETURN p",
    "MATCH (p:Person) CALL (p) { MATCH (p)-[r]->(n) RETURN r, n } RETURN r, n",
    "CALL { MATCH (n:City) RETURN n } RETURN n",
    "MATCH (p:Person)-[r]->(n) WITH p, r, n ORDER BY n.name, r.since RETURN p.name AS name, collect(n) AS ns",
    "MATCH (p:Person)-[r:KNOWS*1..2]->(q) RETURN p.name AS name, r",
    "MATCH w = (p:Person)-[:KNOWS]->(q)-[:LIVES]->(c) RETURN w",
    "MATCH w = (p:Person {name: 'Bob'}) RETURN w",
    "MATCH w = (p:Person)-[:KNOWS*1..2]->(q) RETURN w, nodes(w) AS ns, relationships(w) AS rs",
    "OPTIONAL MATCH w = (p:Person {name: 'nobody'})-[:KNOWS]->(q) RETURN w",
    "MATCH (p:Person)-[r]->(n) RETURN {who: p, edge: r, name: n.name} AS m",
    "MATCH (p:Person) WITH collect(p) AS ps UNWIND ps AS q RETURN q",
    "MATCH (n:City) RETURN CASE WHEN n.name = 'Oslo' THEN n END AS e",
    "MATCH (p:Person)-[r:KNOWS]->(q) RETURN startNode(r) AS s, endNode(r) AS e",
)
DIALECTS = ("pgq-duckpgq", "pgq-postgres", "pgq-iso", "pgq-oracle-26ai")
LACKING = ("MATCH w = ", "{who: ")
"""Of these queries: paths and maps, which the standard's SQL has no form of here."""


class Expected:
    """Values of the embedded engine as the JSON that is to stand for them."""

    def __init__(self, joined: Joined) -> None:
        self.laid = joined.laid
        catalog = joined.catalog
        self.nodes = {frozenset(table.labels): table for table in catalog.nodes}
        self.edges = {table.type: table for table in catalog.edges}

    def value(self, value: Any) -> Any:
        """Recurses."""
        if isinstance(value, Node):
            columns = self.nodes[frozenset(value.labels)].columns
            return self.described(self.laid.nodes[value.id], "node", value.labels, value.properties, columns)
        if isinstance(value, Edge):
            columns = self.edges[value.type].columns
            shown = self.described(self.laid.edges[value.id], "edge", [value.type], value.properties, columns)
            ends = {"source_node_identifier": value.start, "destination_node_identifier": value.end}
            return shown | {name: str(self.laid.nodes[end]) for name, end in ends.items()}
        if isinstance(value, Path):
            listed: list[Any] = [value.nodes[0]]
            for edge, node in zip(value.edges, value.nodes[1:], strict=True):
                listed += [edge, node]
            return [self.value(each) for each in listed]
        if isinstance(value, list):
            return [self.value(each) for each in value]
        if isinstance(value, dict):
            return {key: self.value(each) for key, each in value.items()}
        return value if value is None or isinstance(value, (bool, int, float, str)) else str(value)

    def described(
        self, own: Any, kind: str, labels: Any, properties: Mapping[str, Any], columns: Any
    ) -> dict[str, Any]:
        values = {key: self.value(from_standard(properties.get(key))) for key in columns}
        return {"identifier": str(own), "kind": kind, "labels": sorted(labels), "properties": values}


joined = loaded.joined(GRAPH, DIALECTS)
embedded = loaded.embedded(GRAPH)


@pytest.mark.parametrize("query", QUERIES)
def test_json_is_that_of_the_elements(joined: Joined, embedded: Any, query: str) -> None:
    if joined.dialect == "pgq-iso" and any(part in query for part in LACKING):
        with pytest.raises(graphir.Unsupported, match="G561"):
            graphir.translate(query, write="pgq-iso", schema=joined.schema, elements="json")
        return
    core = api.to_core(graphir.parse(query), query, "neo4j-25")
    places = tables_shown(core, joined.catalog)
    statement = targets.emit(
        core, joined.catalog, joined.dialect, {}, Source(query), typed={}, named=True, pretty=True, documents=places
    )
    found = [[_read(value) for value in row] for row in joined.fetch(statement)]
    expected = Expected(joined)
    faults = graphir.check(statement.text, joined.dialect, joined.schema)
    assert [fault for fault in faults if fault.severity == "error"] == []
    wanted = [[_read(expected.value(value)) for value in row] for row in embedded.run(query).rows]
    assert _counted(found) == _counted(wanted), statement.text


def _read(value: Any) -> Any:
    """JSON that a driver gives as text, and numbers that are one in JSON.  Recurses."""
    if isinstance(value, str) and value[:1] in ("{", "["):
        value = json.loads(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: _read(each) for key, each in value.items()}
    return [_read(each) for each in value] if isinstance(value, list) else value


def _counted(rows: list[list[Any]]) -> list[str]:
    return sorted(json.dumps(row, sort_keys=True) for row in rows)
