"""The tables of a property graph, as the lowering sees them.

Nodes lie in tables by label set, edges in tables by type.  A node table has a column `id`, an edge table `id`, `src`
and `dst`; a property is a column of its own, under any name.  Ids are integers, unique over all node tables and over
all edge tables.  Pure data: whoever owns the storage builds it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from graphir.backends.sql.reps import Rep


@dataclass(frozen=True, slots=True)
class Column:
    """A column with the values of a property."""

    name: str
    rep: Rep


@dataclass(frozen=True, slots=True)
class NodeTable:
    """The nodes that carry exactly these labels."""

    name: str
    labels: tuple[str, ...]
    columns: Mapping[str, Column] = field(default_factory=dict)
    """By key."""


@dataclass(frozen=True, slots=True)
class EdgeTable:
    """The edges of one type."""

    name: str
    type: str
    columns: Mapping[str, Column] = field(default_factory=dict)


Ends = tuple[frozenset[str], frozenset[str]]
"""Names of the node tables where edges start, and where they end."""


@dataclass(frozen=True, slots=True)
class Catalog:
    """What there is, in a fixed order.

    `ends` tells between which node tables the edges of a table run; None where that is not known.
    """

    nodes: tuple[NodeTable, ...] = ()
    edges: tuple[EdgeTable, ...] = ()
    ends: Callable[[EdgeTable], Ends | None] = field(default=lambda _: None, compare=False)
