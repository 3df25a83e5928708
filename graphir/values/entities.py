"""Entities of a graph as values: nodes, edges, paths.  They know no database: an id is whatever it was given.

Two entities are equal when they are the same entity, whatever their properties were when they were read.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Definition:
    """What an element of a graph over tables comes from: the name of its table there, and the properties that it
    declares, which the element has even where they are null."""

    name: str
    properties: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Node:
    """A node: its id, its labels, its properties; in a graph over tables its definition."""

    id: int | str
    labels: tuple[str, ...] = ()
    properties: Mapping[str, Any] = field(default_factory=dict)
    definition: Definition | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "labels", tuple(self.labels))

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Node) and self.id == other.id

    def __hash__(self) -> int:
        return hash(("node", self.id))

    def __getitem__(self, key: str) -> Any:
        return self.properties[key]

    def __str__(self) -> str:
        from graphir.values.text import text

        return text(self)


@dataclass(frozen=True, slots=True, eq=False)
class Edge:
    """An edge: its id, its type, the ids of its start and end nodes, its properties.

    GQL has edges with several labels: `labels` are all of them where they are more than the type.
    """

    id: int | str
    type: str
    start: int | str
    end: int | str
    properties: Mapping[str, Any] = field(default_factory=dict)
    labels: tuple[str, ...] = field(default=(), repr=False)
    definition: Definition | None = field(default=None, repr=False)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Edge) and self.id == other.id

    def __hash__(self) -> int:
        return hash(("edge", self.id))

    def __getitem__(self, key: str) -> Any:
        return self.properties[key]

    def __str__(self) -> str:
        from graphir.values.text import text

        return text(self)


@dataclass(frozen=True, slots=True)
class Path:
    """A path: one node more than edges, in the order of the walk; an edge may be walked from its end to its start.

    Its length is the number of edges.
    """

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...] = ()

    def __post_init__(self) -> None:
        object.__setattr__(self, "nodes", tuple(self.nodes))
        object.__setattr__(self, "edges", tuple(self.edges))
        if len(self.nodes) != len(self.edges) + 1:
            raise ValueError("a path has one node more than edges")

    @property
    def start(self) -> Node:
        return self.nodes[0]

    @property
    def end(self) -> Node:
        return self.nodes[-1]

    def __len__(self) -> int:
        return len(self.edges)

    def __bool__(self) -> bool:
        return True

    def __str__(self) -> str:
        from graphir.values.text import text

        return text(self)
