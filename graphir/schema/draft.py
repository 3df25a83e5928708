"""A schema that is being collected: what is stated twice is united, what contradicts itself becomes unknown.

Readers tell a draft what they find, in any order, and it makes the schema.  Formats list a label twice, give the
properties of an edge type once for all its pairs of ends, or name in an edge a label that they do not list; that is
decided here, once for all of them.  Knows no format.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import NamedTuple, TypeVar

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

T = TypeVar("T")
Properties = tuple[PropertyType, ...] | None


class Draft:
    """What a reader has found so far, in the order of the text; it is united at the end."""

    def __init__(self, name: str | None = None) -> None:
        self.name = name
        self._nodes: dict[Labels, list[NodeType]] = {}
        self._edges: dict[tuple[str, Labels | None, Labels | None], list[EdgeType]] = {}
        self._by_type: dict[str, list[_Shared]] = {}
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
        self._nodes.setdefault(node.labels, []).append(node)

    def edge(self, edge: EdgeType) -> None:
        self._edges.setdefault((edge.type, edge.source, edge.target), []).append(edge)

    def edge_properties(self, type: str, properties: Properties, *, open: bool = False) -> None:
        """What all edges of the type have, whatever their ends.  None: nothing is known of it."""
        self._by_type.setdefault(type, []).append(_Shared(properties, open))

    def unique(self, properties: Iterable[PropertyType], where: str) -> tuple[PropertyType, ...]:
        """Each name once: what is said of it at several places, united."""
        by_name: dict[str, list[PropertyType]] = {}
        for one in properties:
            by_name.setdefault(one.name, []).append(one)
        return tuple(found[0] if len(found) == 1 else self._same(found, where) for found in by_name.values())

    def _same(self, found: Sequence[PropertyType], where: str) -> PropertyType:
        """One property that is described several times: what the descriptions do not agree on is unknown."""
        one = found[0]
        if all(other == one for other in found):
            return one
        types = list(dict.fromkeys(other.type for other in found if other.type is not None))
        if len(types) > 1:
            words = " and ".join(str(type) for type in types)
            self.guess(f"property {where}.{one.name} has the types {words}: its type is unknown")
        closed = [other.values for other in found if other.values is not None]
        known = tuple(dict.fromkeys(value for values in closed for value in values))
        whole = len(closed) == len(found)
        examples = dict.fromkeys(value for other in found for value in other.examples)
        return PropertyType(
            one.name,
            types[0] if len(types) == 1 else None,
            nullable=one.nullable if len({other.nullable for other in found}) == 1 else None,
            unique=all(other.unique for other in found),
            values=known if whole else None,
            examples=tuple(examples) if whole else tuple(dict.fromkeys((*examples, *known))),
            description=_first(other.description for other in found),
        )

    def _united(self, found: Iterable[Properties], where: str) -> Properties:
        known = [properties for properties in found if properties is not None]
        return self.unique([one for properties in known for one in properties], where) if known else None

    def schema(
        self, coverage: Coverage = BY_LABEL, *, bare: Properties = None, bare_nodes: Properties = None
    ) -> Schema:
        """The schema; `bare` are the properties of edge types, `bare_nodes` of labels, for which none were given."""
        by_type = {type: self._shared(type, found) for type, found in self._by_type.items()}
        edges = [self._edge(found, by_type.get(found[0].type), bare) for found in self._edges.values()]
        present = {edge.type for edge in edges}
        for type, shared in by_type.items():
            if type not in present:
                self.guess(f"the ends of the edge type {type} are not given: they are unknown")
                edges.append(EdgeType(type, None, None, shared.properties, open=shared.open))
        nodes = {end: self._node(found) for end, found in self._nodes.items()}
        for edge in edges:
            for end in (edge.source, edge.target):
                if end is not None and end not in nodes:
                    nodes[end] = NodeType(end, None)
        for end, node in nodes.items():
            if node.properties is None and end not in self._unknown:
                nodes[end] = replace(node, properties=bare_nodes)
        return Schema(tuple(nodes.values()), tuple(edges), coverage, self.name, tuple(self._guesses))

    def _node(self, found: Sequence[NodeType]) -> NodeType:
        return replace(
            found[-1],
            properties=self._united((one.properties for one in found), ":".join(found[0].labels)),
            key=_first(one.key for one in found) or (),
            parents=labels(*(parent for one in found for parent in one.parents)),
            open=any(one.open for one in found),
            description=_first(one.description for one in found),
        )

    def _edge(self, found: Sequence[EdgeType], shared: _Shared | None, bare: Properties) -> EdgeType:
        one = found[-1]
        own = self._united((other.properties for other in found), one.type)
        unsaid = {other.properties is None for other in found} == {True, False}
        edge = replace(
            one,
            properties=own,
            open=unsaid or any(other.open for other in found),
            description=_first(other.description for other in found),
        )
        if shared is None:
            return edge if own is not None else replace(edge, properties=bare)
        united = self._united((own, shared.properties), one.type)
        return replace(edge, properties=united, open=edge.open or (shared.open and united is not None))

    def _shared(self, type: str, found: Sequence[_Shared]) -> _Shared:
        if any(one.properties is None for one in found):
            return _Shared(None, True)
        return _Shared(self._united((one.properties for one in found), type), any(one.open for one in found))


class _Shared(NamedTuple):
    """What is said of an edge type for all its pairs of ends."""

    properties: Properties
    open: bool


def _first(found: Iterable[T | None]) -> T | None:
    """The first that says something."""
    return next((one for one in found if one), None)
