"""What a schema laid out as tables is: tables with their columns, and the elements of a property graph over them.

`layout.py` decides it, `writer.py` prints it, and translators ask it for names.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

from graphir.schema.ddl.paths import Path
from graphir.schema.ddl.script import SURROGATE
from graphir.schema.ddl.targets import Target
from graphir.schema.model import EdgeType, NodeType, PropertyType

HIDDEN = "\0" + SURROGATE
"""The property that exposes the added key, among those of the schema: no name of theirs begins so."""
END = f"{SURROGATE} of "
"""How the name of a column begins that refers to a node, where it is another one in each of several tables."""
OWN = "\0own"
"""The label that a table has alone, where none of the schema is, among those of the schema."""


@dataclass(frozen=True, slots=True)
class Column:
    """`property` None: of a key that is no property."""

    name: str
    type: str
    nullable: bool = True
    property: PropertyType | None = None


@dataclass(frozen=True, slots=True)
class Reference:
    """A foreign key to the key of a node element."""

    columns: tuple[str, ...]
    node: Element


@dataclass(slots=True)
class TablePlan:
    """A table that is to be: `place` is its position among them, `qualifier` the schemas that it is in."""

    name: str
    columns: list[Column] = field(default_factory=list)
    key: tuple[str, ...] = ()
    references: list[Reference] = field(default_factory=list)
    description: str | None = None
    place: int = 0
    qualifier: Path = ()
    by_name: dict[str, Column] = field(default_factory=dict)

    @property
    def path(self) -> Path:
        """The name with those of its schemas before it."""
        return (*self.qualifier, self.name)

    def column(self, name: str) -> Column | None:
        return self.by_name.get(name)

    def add(self, column: Column, at: int | None = None) -> None:
        self.columns.insert(len(self.columns) if at is None else at, column)
        self.by_name[column.name] = column


@dataclass(slots=True, eq=False)
class Element:
    """A type in one table.  `labels` and `properties` go from the schema's names to those in the dialect."""

    type: NodeType | EdgeType
    table: TablePlan
    name: str
    labels: dict[str, str] = field(default_factory=dict)
    properties: dict[str, str] = field(default_factory=dict)
    columns: dict[str, Column] = field(default_factory=dict)
    key: tuple[str, ...] = ()
    closure: frozenset[str] = frozenset()
    source: Reference | None = None
    target: Reference | None = None
    written: bool = True

    @property
    def identity(self) -> tuple[str, ...]:
        """The properties, by their names in the dialect, that tell an element from the others of its table."""
        by_column = {column.name: self.properties[name] for name, column in self.columns.items()}
        return tuple(by_column[column] for column in self.key if column in by_column)


@dataclass(slots=True)
class Layout:
    """How a schema becomes tables and a property graph over them; `notes` say what is lost."""

    target: Target
    graph: Path
    tables: list[TablePlan]
    nodes: list[Element]
    edges: list[Element]
    notes: list[str]
    spelled: Mapping[tuple[str, str], str] = field(default_factory=dict)
    """Kind and name as the database holds it -> as the text that was read spells it, without quotes."""
    hidden: frozenset[tuple[str, str]] = frozenset()
    """Label and property, by the schema's names, where the graph that is there does not expose it under that label."""
    by_label: dict[str, dict[str, tuple[str, str]]] = field(default_factory=dict)

    def exposed(self, element: Element, label: str) -> list[tuple[str, Column | None, str]]:
        """The properties of an element under a label: name, column (None: a typed NULL), type."""
        own = [(element.properties[name], column) for name, column in self.columns(element, label)]
        found: list[tuple[str, Column | None, str]] = [(name, column, column.type) for name, column in own]
        if not self.target.same_properties:
            return found
        taken = {self.target.held(name, True) for name, _ in own}
        found += [(name, None, type) for held, (name, type) in self._under(label).items() if held not in taken]
        return found

    def columns(self, element: Element, label: str) -> Collection[tuple[str, Column]]:
        """The properties of an element that have columns and are exposed under a label, by the schema's names."""
        if not self.hidden:
            return element.columns.items()
        under = [each for each, own in element.labels.items() if own == label]
        hidden = {name for each, name in self.hidden if each in under}
        return [(name, column) for name, column in element.columns.items() if name not in hidden]

    def _under(self, label: str) -> dict[str, tuple[str, str]]:
        """The properties of all elements with a label: held name -> name and type."""
        if not self.by_label:
            for element in (*self.nodes, *self.edges):
                for each in element.labels.values():
                    properties = self.by_label.setdefault(each, {})
                    for name, column in self.columns(element, each):
                        exposed = element.properties[name]
                        properties.setdefault(self.target.held(exposed, True), (exposed, column.type))
        return self.by_label[label]


Asked = tuple[str, str | None, str | None]
"""What a pattern asks for: a label and, of an edge, the elements at its ends."""


def asked_by(element: Element) -> list[Asked]:
    """What a pattern can ask for so that it finds the elements of a table."""
    ends = [None if end is None else end.node.name for end in (element.source, element.target)]
    return [(label, ends[0], ends[1]) for label in element.labels.values()]
