"""What a query may name: the labels, types and properties of a schema or of a graph, ready to be picked from.

A *shape* is a set of labels, or an edge type between two of them, with its properties and their kinds.
Knows schemas and graphs, no query.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from graphir.generation.kinds import kind_of, kind_of_value
from graphir.graphs import PropertyGraph
from graphir.schema.model import NodeType, PropertyType, Schema


@dataclass(frozen=True, slots=True)
class Property:
    """A property by name, and the kind of its values."""

    name: str
    kind: str


Properties = tuple[Property, ...]


@dataclass(frozen=True, slots=True)
class NodeShape:
    """Nodes that carry exactly these labels."""

    labels: tuple[str, ...]
    properties: Properties = ()


@dataclass(frozen=True, slots=True)
class EdgeShape:
    """Edges of a type; the labels of an end that is not known are None."""

    type: str
    source: tuple[str, ...] | None = None
    target: tuple[str, ...] | None = None
    properties: Properties = ()


@dataclass(frozen=True)
class Vocabulary:
    """The shapes, and the properties whose value is another one for every node, every edge of the graph (or None)."""

    nodes: tuple[NodeShape, ...]
    edges: tuple[EdgeShape, ...]
    node_key: str | None = None
    edge_key: str | None = None

    @cached_property
    def labels(self) -> tuple[str, ...]:
        return tuple(sorted({label for shape in self.nodes for label in shape.labels}))

    @cached_property
    def types(self) -> tuple[str, ...]:
        return tuple(sorted({shape.type for shape in self.edges}))

    @cached_property
    def properties(self) -> Properties:
        """Those of all nodes."""
        return merged(self.nodes)

    @classmethod
    def of_schema(cls, schema: Schema) -> Vocabulary:
        """A key that all node types (all edge types) share is taken to tell apart all nodes (all edges)."""
        nodes = tuple(
            NodeShape(full_labels(n, schema), _properties(full_properties(n, schema))) for n in schema.node_types
        )
        ends = {n.labels: full_labels(n, schema) for n in schema.node_types}
        edges = tuple(
            EdgeShape(
                e.type,
                None if e.source is None else ends.get(e.source, e.source),
                None if e.target is None else ends.get(e.target, e.target),
                _properties(e.properties),
            )
            for e in schema.edge_types
        )
        return cls(nodes, edges, _shared(n.key for n in schema.node_types), _shared(e.key for e in schema.edge_types))

    @classmethod
    def of_graph(cls, graph: PropertyGraph) -> Vocabulary:
        """What is there, and keys that are unique there."""
        return _of_graph(graph)


def merged(shapes: Iterable[NodeShape | EdgeShape]) -> Properties:
    """The properties that elements of these shapes may have; of several kinds is `any`."""
    kinds: dict[str, str] = {}
    for shape in shapes:
        for each in shape.properties:
            known = kinds.setdefault(each.name, each.kind)
            if known != each.kind:
                kinds[each.name] = "big" if {known, each.kind} == {"int", "big"} else "any"
    return tuple(Property(name, kind) for name, kind in kinds.items())


# ------------------------------------------------------------------ of a schema


def full_labels(node: NodeType, schema: Schema) -> tuple[str, ...]:
    """The labels of a node of this type, those of its parents included."""
    return tuple(sorted({label for each in _lineage(node, schema) for label in each.labels}))


def full_properties(node: NodeType, schema: Schema) -> tuple[PropertyType, ...]:
    """Its properties, those of its parents included."""
    found: dict[str, PropertyType] = {}
    for each in _lineage(node, schema):
        for declared in each.properties or ():
            found.setdefault(declared.name, declared)
    return tuple(found.values())


def _lineage(node: NodeType, schema: Schema) -> Iterator[NodeType]:
    waiting, seen = [node], set()
    while waiting:
        each = waiting.pop()
        if each.labels not in seen:
            seen.add(each.labels)
            yield each
            waiting += [parent for parent in schema.node_types if set(parent.labels) & set(each.parents)]


def _properties(declared: Sequence[PropertyType] | None) -> Properties:
    return tuple(Property(each.name, kind_of(each)) for each in declared or ())


def _shared(keys: Iterable[tuple[str, ...]]) -> str | None:
    found = set(keys)
    return key[0] if len(found) == 1 and len(key := found.pop()) == 1 else None


# ------------------------------------------------------------------ of a graph


def _of_graph(graph: PropertyGraph) -> Vocabulary:
    nodes: dict[tuple[str, ...], dict[str, set[str]]] = {}
    labels: dict[int | str, tuple[str, ...]] = {}
    for node in graph.nodes:
        labels[node.id] = tuple(sorted(node.labels))
        kinds = nodes.setdefault(labels[node.id], {})
        for key, value in node.properties.items():
            kinds.setdefault(key, set()).add(kind_of_value(value))
    edges: dict[tuple[str, tuple[str, ...], tuple[str, ...]], dict[str, set[str]]] = {}
    for edge in graph.edges:
        kinds = edges.setdefault((edge.type, labels[edge.start], labels[edge.end]), {})
        for key, value in edge.properties.items():
            kinds.setdefault(key, set()).add(kind_of_value(value))
    return Vocabulary(
        tuple(NodeShape(each, _found(kinds)) for each, kinds in sorted(nodes.items())),
        tuple(EdgeShape(*triple, _found(kinds)) for triple, kinds in sorted(edges.items())),
        _unique([node.properties for node in graph.nodes]),
        _unique([edge.properties for edge in graph.edges]),
    )


def _found(kinds: dict[str, set[str]]) -> Properties:
    return tuple(Property(name, _joined(found)) for name, found in kinds.items())


def _joined(kinds: set[str]) -> str:
    if len(kinds) == 1:
        return next(iter(kinds))
    return "big" if kinds == {"int", "big"} else "any"


def _unique(elements: Sequence[object]) -> str | None:
    """The first key that every element has, each with another integer or string."""
    rows = [row for row in elements if isinstance(row, dict)]
    for key in rows[0] if rows else ():
        values = [row.get(key) for row in rows]
        alike = all(type(value) is type(values[0]) and isinstance(value, (int, str)) for value in values)
        if alike and len(set(values)) == len(values):
            return str(key)
    return None
