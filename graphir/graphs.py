"""Property graphs as values: what an engine is loaded with.

    PropertyGraph.from_dict({"nodes": [{"id": 1, "labels": ["Person"], "properties": {"name": "Ada"}}], "edges": []})

Ids are kept as they are given, nodes and edges apart; properties are values of the contract.  Knows no engine and no
file.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from graphir.diagnostics import UsageFault, usage_fault
from graphir.values.entities import Edge, Node
from graphir.values.json import from_json, to_json


@dataclass(frozen=True, slots=True)
class PropertyGraph:
    """Nodes and edges.  No two nodes and no two edges share an id, and every edge begins and ends at a node.

    Raises UsageFault (G662) where that is not so.
    """

    nodes: tuple[Node, ...] = ()
    edges: tuple[Edge, ...] = ()

    def __post_init__(self) -> None:
        known = _unique("node", self.nodes)
        _unique("edge", self.edges)
        for edge in self.edges:
            for end in (edge.start, edge.end):
                if end not in known:
                    raise _malformed(f"edge {edge.id!r} has an end at node {end!r}, which is not in the graph")

    def elements(self) -> Iterator[Node | Edge]:
        """The nodes, then the edges."""
        yield from self.nodes
        yield from self.edges

    @classmethod
    def from_dict(cls, document: Mapping[str, Any]) -> PropertyGraph:
        """The graph of a document, as `to_dict` writes it.

        `{"nodes": [{"id", "labels", "properties"}], "edges": [{"id", "type", "start", "end", "properties"}]}`; labels
        and properties may be left out, and so may the ids of edges, which then count from 0.  Values are those of
        `graphir.values.json`, other keys do not matter.  Raises UsageFault (G662).

        >>> graph = PropertyGraph.from_dict({"nodes": [{"id": 1, "labels": ["A"]}], "edges": []})
        >>> graph.nodes[0].labels
        ('A',)
        """
        nodes = [node_of(row) for row in _rows(document, "nodes")]
        edges = [edge_of(row, at) for at, row in enumerate(_rows(document, "edges"))]
        return cls(tuple(nodes), tuple(edges))

    def to_dict(self) -> dict[str, Any]:
        """The document of the graph; it can be written as JSON."""
        return {
            "nodes": [
                {"id": node.id, "labels": list(node.labels), "properties": _written(node.properties)}
                for node in self.nodes
            ],
            "edges": [
                {
                    "id": edge.id,
                    "type": edge.type,
                    "start": edge.start,
                    "end": edge.end,
                    "properties": _written(edge.properties),
                }
                for edge in self.edges
            ],
        }


def _malformed(message: str) -> UsageFault:
    return usage_fault("G662", message)


def _unique(kind: str, elements: Iterable[Node | Edge]) -> set[int | str]:
    known: set[int | str] = set()
    for element in elements:
        if element.id in known:
            raise _malformed(f"two elements share the {kind} id {element.id!r}")
        known.add(element.id)
    return known


def _rows(document: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    found = document.get(key, [])
    if not isinstance(found, (list, tuple)) or not all(isinstance(row, Mapping) for row in found):
        raise _malformed(f"`{key}` is a list of objects")
    return list(found)


def node_of(row: Mapping[str, Any]) -> Node:
    """The node of a row of a document.  UsageFault (G662)."""
    labels = row.get("labels", ())
    if not isinstance(labels, (list, tuple)) or not all(isinstance(label, str) for label in labels):
        raise _malformed(f"the labels of node {row.get('id')!r} are a list of strings")
    return Node(_id(row, "id"), tuple(labels), _properties(row))


def edge_of(row: Mapping[str, Any], place: int) -> Edge:
    """The edge of a row of a document; `place` is its id if it has none.  UsageFault (G662)."""
    kind = row.get("type")
    if not isinstance(kind, str) or not kind:
        raise _malformed(f"edge {row.get('id', place)!r} has no `type`")
    key = _id(row, "id") if row.get("id") is not None else place
    return Edge(key, kind, _id(row, "start"), _id(row, "end"), _properties(row))


def _id(row: Mapping[str, Any], key: str) -> int | str:
    found = row.get(key)
    if isinstance(found, (int, str)) and not isinstance(found, bool):
        return found
    raise _malformed(f"`{key}` is an integer or a string, not {found!r}: {dict(row)!r:.120}")


def _properties(row: Mapping[str, Any]) -> dict[str, Any]:
    found = row.get("properties") or {}
    if not isinstance(found, Mapping):
        raise _malformed(f"the properties of {row.get('id')!r} are an object")
    return {key: from_json(value) for key, value in found.items() if value is not None}


def _written(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {key: to_json(value) for key, value in properties.items()}
