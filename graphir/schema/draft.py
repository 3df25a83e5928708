"""A schema that is being collected: what is stated twice is united, what contradicts itself becomes unknown.

Readers tell a draft what they find, in any order, and it makes the schema.  Formats list a label twice, give the
properties of an edge type once for all its pairs of ends, or name in an edge a label that they do not list; that is
decided here, once for all of them.  Knows no format.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import NamedTuple

from graphir.schema.model import (
    BY_LABEL,
    Coverage,
    DataType,
    EdgeType,
    Labels,
    NodeType,
    PropertyType,
    Schema,
    labels,
)
from graphir.schema.words import data_type

Properties = tuple[PropertyType, ...] | None


class Draft:
    """What a reader has found so far."""

    def __init__(self, name: str | None = None) -> None:
        self.name = name
        self._nodes: dict[Labels, NodeType] = {}
        self._edges: dict[tuple[str, Labels | None, Labels | None], EdgeType] = {}
        self._by_type: dict[str, _Shared] = {}
        self._unknown: set[Labels] = set()
        self._guesses: dict[str, None] = {}
        self.repeats = False
        """Some list names a property twice."""

    def guess(self, words: str) -> None:
        """Something that the format does not say and the reader assumed."""
        self._guesses[words] = None

    def type(self, word: str, of: str) -> DataType | None:
        """The type that a word stands for; where the word is not known the type is unknown, which is noted."""
        found = data_type(word)
        if found is None:
            self.guess(f"`{word}`, the type of {of}, is no type known here: it is taken as unknown")
        return found

    def unknown(self, node: Labels) -> None:
        """State that nothing is known of the properties of a node type."""
        self._unknown.add(node)
        self.node(NodeType(node, None))

    def node(self, node: NodeType) -> None:
        """A node type.  One without properties is a mention: it takes nothing from what else is said of it."""
        known = self._nodes.get(node.labels)
        where = ":".join(node.labels)
        if node.properties is not None:
            node = replace(node, properties=self.unique(node.properties, where))
        if known is not None:
            node = replace(
                known,
                properties=self._properties(known.properties, node.properties, where),
                key=known.key or node.key,
                parents=labels(*known.parents, *node.parents),
                open=known.open or node.open,
                description=known.description or node.description,
            )
        self._nodes[node.labels] = node

    def edge(self, edge: EdgeType) -> None:
        triple = edge.type, edge.source, edge.target
        known = self._edges.get(triple)
        if edge.properties is not None:
            edge = replace(edge, properties=self.unique(edge.properties, edge.type))
        if known is not None:
            edge = replace(
                known,
                properties=self._properties(known.properties, edge.properties, edge.type),
                open=known.open or edge.open or (known.properties is None) != (edge.properties is None),
                description=known.description or edge.description,
            )
        self._edges[triple] = edge

    def edge_properties(self, type: str, properties: Properties, *, open: bool = False) -> None:
        """What all edges of the type have, whatever their ends.  None: nothing is known of it."""
        known = self._by_type.get(type, _Shared((), False))
        if properties is None or known.properties is None:
            self._by_type[type] = _Shared(None, True)
        else:
            self._by_type[type] = _Shared(self.unique((*known.properties, *properties), type), known.open or open)

    def unique(self, properties: Iterable[PropertyType], where: str) -> tuple[PropertyType, ...]:
        """Each name once: what is said of it at several places, united."""
        by_name: dict[str, PropertyType] = {}
        for one in properties:
            known = by_name.get(one.name)
            by_name[one.name] = one if known is None else self._same(known, one, where)
        return tuple(by_name.values())

    def _same(self, one: PropertyType, other: PropertyType, where: str) -> PropertyType:
        """One property that is described twice: what the descriptions do not agree on is unknown."""
        if one == other:
            return one
        type = one.type or other.type
        if one.type and other.type and one.type != other.type:
            self.guess(f"property {where}.{one.name} has the types {one.type} and {other.type}: its type is unknown")
            type = None
        nullable = one.nullable if one.nullable == other.nullable else None
        closed = one.values is not None and other.values is not None
        values = tuple(dict.fromkeys((*one.values, *other.values))) if closed else None  # type: ignore[misc]
        examples = (*one.examples, *other.examples, *(() if closed else (one.values or other.values or ())))
        return replace(
            one,
            type=type,
            nullable=nullable,
            unique=one.unique and other.unique,
            values=values,
            examples=tuple(dict.fromkeys(examples)),
            minimum=None,
            maximum=None,
            distinct=None,
            description=one.description or other.description,
        )

    def _properties(self, one: Properties, other: Properties, where: str) -> Properties:
        if one is None or other is None:
            return one if other is None else other
        return self.unique((*one, *other), where)

    def schema(
        self, coverage: Coverage = BY_LABEL, *, bare: Properties = None, bare_nodes: Properties = None
    ) -> Schema:
        """The schema; `bare` are the properties of edge types, `bare_nodes` of labels, for which none were given."""
        edges = [self._complete(edge, bare) for edge in self._edges.values()]
        present = {edge.type for edge in edges}
        for type, shared in self._by_type.items():
            if type not in present:
                self.guess(f"the ends of the edge type {type} are not given: they are unknown")
                edges.append(EdgeType(type, None, None, shared.properties, open=shared.open))
        nodes = dict(self._nodes)
        for edge in edges:
            for end in (edge.source, edge.target):
                if end is not None and end not in nodes:
                    nodes[end] = NodeType(end, None)
        for end, node in nodes.items():
            if node.properties is None and end not in self._unknown:
                nodes[end] = replace(node, properties=bare_nodes)
        return Schema(tuple(nodes.values()), tuple(edges), coverage, self.name, tuple(self._guesses))

    def _complete(self, edge: EdgeType, bare: Properties) -> EdgeType:
        shared = self._by_type.get(edge.type)
        if shared is None:
            return edge if edge.properties is not None else replace(edge, properties=bare)
        united = self._properties(edge.properties, shared.properties, edge.type)
        return replace(edge, properties=united, open=edge.open or (shared.open and united is not None))


class _Shared(NamedTuple):
    """What is said of an edge type for all its pairs of ends."""

    properties: Properties
    open: bool
