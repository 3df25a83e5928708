"""The tables of a property graph, as the lowering sees them.

Nodes lie in tables by label set, edges in tables by type.  A property is a column of its own, under any name.  Elements
are told apart by keys: where the engine owns the tables, by the columns `id`, `src` and `dst` with integers that are
unique over all node tables and over all edge tables; in tables of others by the columns of their keys, with a tag where
the key of another table may be the same.  Pure data: whoever owns the storage builds it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from graphir.backends.sql.reps import INTEGER, Rep


@dataclass(frozen=True, slots=True)
class Column:
    """A column with the values of a property.  `cast`: its own type is a narrower one.  `assumed`: what it is taken
    for, in words, where the schema does not say of what type it is."""

    name: str
    rep: Rep
    cast: bool = False
    assumed: str | None = None


@dataclass(frozen=True, slots=True)
class Key:
    """What tells an element from all others of its kind: the value of a column or, with a tag, a text that is made of
    the tag and the values of all."""

    columns: tuple[Column, ...]
    tag: str | None = None


ID = Key((Column("id", INTEGER),))
SOURCE = Key((Column("src", INTEGER),))
TARGET = Key((Column("dst", INTEGER),))


@dataclass(frozen=True, slots=True)
class GraphElement:
    """What a table is in a property graph over tables.

    `labels`: all that it has there.  `label`: one that no other table has, or no other edges between the same elements;
    None where there is none.  `alone`: no other edges have it either.  `parts`: the names of the elements of the
    definition that it stands for.  `untyped`: of its edges some have several labels, and so no type.
    `properties`: column -> the property that exposes it.  `source` and `target`: the elements where its edges start and
    end.
    """

    name: str
    label: str | None = None
    properties: Mapping[str, str] = field(default_factory=dict)
    source: str | None = None
    target: str | None = None
    alone: bool = True
    labels: tuple[str, ...] = ()
    parts: tuple[str, ...] = ()
    untyped: bool = False


@dataclass(frozen=True, slots=True)
class NodeTable:
    """The nodes that carry exactly these labels."""

    name: str
    labels: tuple[str, ...]
    columns: Mapping[str, Column] = field(default_factory=dict)
    """By key."""
    key: Key = ID
    unread: Mapping[str, str] = field(default_factory=dict)
    """Properties that no column holds exactly, and why."""
    is_open: bool = False
    """There may be properties of which nothing is known."""
    definition: tuple[str, tuple[str, ...]] | None = None
    """Of a graph over tables: the name of the element table, and the properties that it declares."""
    element: GraphElement | None = None

    @property
    def carried(self) -> tuple[str, ...]:
        """The labels, as `EdgeTable.carried`."""
        return self.labels


@dataclass(frozen=True, slots=True)
class EdgeTable:
    """The edges of one type."""

    name: str
    type: str
    columns: Mapping[str, Column] = field(default_factory=dict)
    key: Key = ID
    source: Key = SOURCE
    target: Key = TARGET
    unread: Mapping[str, str] = field(default_factory=dict)
    is_open: bool = False
    partial: bool = False
    """Rows without a value in the columns of both ends are no edges."""
    labels: tuple[str, ...] = ()
    """All labels, where they are more than the type."""
    definition: tuple[str, tuple[str, ...]] | None = None
    element: GraphElement | None = None

    @property
    def carried(self) -> tuple[str, ...]:
        """The labels of the edges."""
        return self.labels or (self.type,)


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
    node_id: Rep = INTEGER
    edge_id: Rep = INTEGER
    """How what tells elements apart lies."""
    numbered: bool = True
    """It is an integer that stands for the element everywhere: what id() gives, and what elements are sorted by."""
    graph: tuple[str, ...] | None = None
    """The name of the property graph over the tables, after those of its schemas, where they are read through one."""
    places: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Table -> its name after those of its schemas, where it is not found by its name here alone."""
    shared: Mapping[str, str] = field(default_factory=dict)
    """Tables beside which others hold elements of the same labels, and that in words."""
    keyless: frozenset[str] = frozenset()
    """Tables whose rows nothing tells apart: the columns of their keys are not there."""
    exposed: Mapping[str, frozenset[str]] = field(default_factory=dict)
    """Label of the property graph -> the properties that it exposes, where these are not all that its tables have."""
    labels: bool = True
    types: bool = True
    """Whether nodes have no labels, and edges no types, but those of the tables."""
    _with: dict[str, tuple[NodeTable, ...]] = field(default_factory=dict, init=False, repr=False, compare=False)
    _typed: dict[str, tuple[EdgeTable, ...]] = field(default_factory=dict, init=False, repr=False, compare=False)
    _asked: dict[tuple[bool, str], list[NodeTable | EdgeTable]] = field(
        default_factory=dict, init=False, repr=False, compare=False
    )
    _hidden: dict[bool, dict[int, set[str]]] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        for node in self.nodes:
            for label in node.labels:
                self._with[label] = (*self._with.get(label, ()), node)
            for label in () if node.element is None else node.element.labels:
                self._asked.setdefault((True, label), []).append(node)
        for edge in self.edges:
            for label in edge.carried:
                self._typed[label] = (*self._typed.get(label, ()), edge)
            for label in () if edge.element is None else edge.element.labels:
                self._asked.setdefault((False, label), []).append(edge)

    def nodes_with(self, label: str) -> tuple[NodeTable, ...]:
        """The tables of nodes that carry a label."""
        return self._with.get(label, ())

    def edges_with(self, label: str) -> tuple[EdgeTable, ...]:
        """The tables of edges that carry a label, or are of a type."""
        return self._typed.get(label, ())

    def asked_by(self, label: str, *, nodes: bool) -> Sequence[NodeTable | EdgeTable]:
        """The tables, of nodes or of edges, that have a label in the property graph."""
        return self._asked.get((nodes, label), ())

    def hidden_keys(self, *, patterns: bool) -> Mapping[int, set[str]]:
        """Tables of edges, by their identity, for nodes and other edges may lie in the same -> the columns of their
        keys that cannot be read; `patterns`: through a property graph."""
        if patterns not in self._hidden:
            self._hidden[patterns] = {id(each): found for each in self.edges if (found := self._unread(each, patterns))}
        return self._hidden[patterns]

    def _unread(self, edge: EdgeTable, patterns: bool) -> set[str]:
        key = {column.name for column in edge.key.columns}
        if patterns:
            return key - set(() if edge.element is None else edge.element.properties)
        return key if edge.name in self.keyless else set()
