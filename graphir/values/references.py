"""Entities inside of encoded values: by id alone, until whoever reads the value puts the entity in its place.

Ids are the engine's own, 64 bits, one space for nodes and one for edges.  Knows no storage.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol


@dataclass(frozen=True, slots=True)
class NodeReference:
    """A node by the engine's id."""

    id: int


@dataclass(frozen=True, slots=True)
class EdgeReference:
    """An edge by the engine's id."""

    id: int


@dataclass(frozen=True, slots=True)
class PathReference:
    """One node more than edges."""

    nodes: tuple[int, ...]
    edges: tuple[int, ...]


class Entities(Protocol):
    """Where entities are looked up by the engine's id."""

    def node(self, key: int) -> Any: ...

    def edge(self, key: int) -> Any: ...

    def path(self, nodes: tuple[int, ...], edges: tuple[int, ...]) -> Any: ...
