"""The tables of a graph, where they are known: what its elements may be, and which properties they have.

A graph in a database is tables: every table has the labels of its elements, or the type of its edges, and exposes
properties under names of the database's own, each with one type in the whole graph.  Knows the schema and kinds, no
query.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from graphir import ir
from graphir.backends.gql.values import Kind

Tables = frozenset[int]
"""Numbers of the tables that an element may be in."""


@dataclass(frozen=True, slots=True)
class Property:
    """A property as the definition exposes it.

    `name` is one type's in the whole graph; `kind` None: values of the type cannot be translated, and `type` says in
    words which it is; `column` is the name of the column; `wide`: the column is of a lesser type than its kind has.
    """

    name: str
    column: str
    kind: Kind | None
    type: str = ""
    wide: bool = False


@dataclass(frozen=True, slots=True)
class Reference:
    """An end of an edge table: its columns, and the number of the node table whose key they hold."""

    columns: tuple[str, ...]
    table: int


@dataclass(frozen=True, slots=True)
class ElementTable:
    """A table of elements.

    `name` is its name in the graph and its only label there; `labels` are those of its elements, or their type.
    `single`: the key is one number that no other table of its sort has either.
    """

    number: int
    name: str
    table: str
    labels: frozenset[str]
    key: tuple[str, ...]
    properties: Mapping[str, Property] = field(default_factory=dict)
    source: Reference | None = None
    target: Reference | None = None
    single: bool = False

    @property
    def is_edge(self) -> bool:
        return self.source is not None


class Graph:
    """The tables of a graph.  Those of nodes and of edges are numbered together."""

    def __init__(self, tables: Iterable[ElementTable]) -> None:
        self.tables: tuple[ElementTable, ...] = tuple(tables)
        self.nodes: Tables = frozenset([table.number for table in self.tables if not table.is_edge])
        self.edges: Tables = frozenset([table.number for table in self.tables if table.is_edge])
        self.kinds: dict[str, Kind] = {
            exposed.name: exposed.kind
            for table in self.tables
            for exposed in table.properties.values()
            if exposed.kind is not None
        }
        """Kind of each property, by its name in the definition."""

    def labelled(self, labels: ir.LabelExpression | None, among: Tables) -> Tables:
        """The tables whose elements satisfy a label expression."""
        if labels is None:
            return among
        return frozenset([number for number in among if satisfies(labels, self.tables[number])])

    def exposed(self, key: str, among: Tables) -> list[Property]:
        """What elements of those tables have under a key: one property for each type."""
        found = {
            exposed.name: exposed for number in sorted(among) if (exposed := self.tables[number].properties.get(key))
        }
        return list(found.values())


def satisfies(labels: ir.LabelExpression, table: ElementTable) -> bool:
    """Whether elements of the table satisfy a label expression without computed names."""
    found: list[bool] = []
    pending: list[tuple[ir.LabelExpression, bool]] = [(labels, False)]
    while pending:
        label, done = pending.pop()
        match label:
            case ir.LabelName():
                found.append(label.name in table.labels)
            case ir.LabelAny():
                found.append(bool(table.labels))
            case ir.LabelNot() | ir.LabelAnd() | ir.LabelOr() if not done:
                pending.append((label, True))
                pending.extend([(part, False) for part in _operands(label)])
            case ir.LabelNot():
                found.append(not found.pop())
            case ir.LabelAnd() | ir.LabelOr():
                parts = [found.pop() for _ in label.operands]
                found.append(all(parts) if isinstance(label, ir.LabelAnd) else any(parts))
    return found[0]


def _operands(label: ir.LabelNot | ir.LabelAnd | ir.LabelOr) -> Sequence[ir.LabelExpression]:
    return (label.operand,) if isinstance(label, ir.LabelNot) else label.operands
