"""What a database holds: tables, views, and property graphs over them.

Names are held as the database holds them (folded).  What is not known is None: a table whose columns are not known has
every column.  A catalog is open where there may be more than what it lists.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Literal

Kind = Literal["node", "edge"]


@dataclass(frozen=True, slots=True)
class Typed:
    """A type as the vendor names it and a collation; None where one is not known."""

    name: str | None = None
    collation: str | None = "default"


UNTYPED = Typed(None, None)


@dataclass(frozen=True, slots=True)
class Reference:
    """A foreign key: `columns` refer to those of a table; `referred` is empty where they are its key."""

    columns: tuple[str, ...]
    table: Path
    referred: tuple[str, ...] = ()


Path = tuple[str, str]
"""Schema and name."""

TEMPORARY = "pg_temp"
"""The schema of what lasts as long as the session; it is looked in first."""


@dataclass(slots=True)
class Table:
    """A table or view.  `columns` None: not known."""

    path: Path
    columns: dict[str, Typed] | None = None
    key: tuple[str, ...] = ()
    references: list[Reference] = field(default_factory=list)
    view: bool = False
    temporary: bool = False
    words: frozenset[str] = frozenset()
    """Of a view, the names in its text."""

    def has(self, column: str) -> bool:
        return self.columns is None or column in self.columns

    def type_of(self, column: str) -> Typed:
        return UNTYPED if self.columns is None else self.columns.get(column, UNTYPED)


@dataclass(frozen=True, slots=True)
class Property:
    """`expression` is its text, normalized, and `written` as it stands; `column` the column that it is."""

    name: str
    expression: str
    type: Typed = UNTYPED
    column: str | None = None
    written: str = ""


@dataclass(slots=True)
class Label:
    """`properties` None: all those that there are, whatever they may be."""

    name: str
    properties: dict[str, Property] | None


@dataclass(frozen=True, slots=True)
class End:
    """Where an edge begins or ends: the name of an element, the columns of the edge, and those that they refer to;
    no columns where they are not known."""

    element: str
    columns: tuple[str, ...] = ()
    referred: tuple[str, ...] = ()


@dataclass(slots=True)
class Element:
    """A table of the graph.  `table` is where it is; the bits of its column `mask` say which sublabels a row has."""

    name: str
    kind: Kind
    table: Path
    labels: dict[str, Label]
    source: End | None = None
    target: End | None = None
    sublabels: tuple[str, ...] = ()
    mask: str = ""

    @property
    def ends(self) -> tuple[str, ...]:
        """The names of the elements at its ends."""
        return tuple(end.element for end in (self.source, self.target) if end is not None)

    def has_label(self, name: str) -> bool:
        return name in self.labels or name in self.sublabels


@dataclass(slots=True)
class Graph:
    """A property graph.  `open`: there may be more elements, labels and properties than these."""

    path: Path
    elements: dict[str, Element] = field(default_factory=dict)
    temporary: bool = False
    open: bool = False

    def of_kind(self, kind: Kind) -> Iterator[Element]:
        return (each for each in self.elements.values() if each.kind == kind)

    def labels(self) -> Iterable[str]:
        """Every label, each once."""
        found = (name for each in self.elements.values() for name in (*each.labels, *each.sublabels))
        return dict.fromkeys(found)

    def properties(self, elements: Iterable[Element] | None = None) -> dict[str, None]:
        """The names of all properties of some elements, of all where none are given; each once."""
        chosen = self.elements.values() if elements is None else elements
        return dict.fromkeys(
            name for each in chosen for label in each.labels.values() for name in label.properties or ()
        )

    @property
    def unlisted(self) -> bool:
        """Whether there may be properties that are not known."""
        return self.open or any(
            label.properties is None for each in self.elements.values() for label in each.labels.values()
        )


@dataclass(slots=True)
class Catalog:
    """`tables` and `graphs` by path.  `closed`: what it does not list is not there; only tables may be missing from one
    that is `partial`.  `current` is the schema that names without one are looked for in first, `home` the one that is
    always there.  `unplaced`: it is not known in which schema the graphs are, so that it may be any."""

    tables: dict[Path, Table] = field(default_factory=dict)
    graphs: dict[Path, Graph] = field(default_factory=dict)
    closed: bool = False
    partial: bool = False
    current: str = ""
    home: str = ""
    unplaced: bool = False

    def copy(self) -> Catalog:
        """Another one of the same content, which may be changed."""
        return deepcopy(self)

    def draft(self, name: Sequence[str]) -> Catalog:
        """Another one in which graphs may be made and dropped, and the graph of that name be changed."""
        made = replace(self, graphs=dict(self.graphs))
        graph = made.graph(name)
        if graph is not None:
            made.graphs[graph.path] = deepcopy(graph)
        return made

    def resolve(self, name: Sequence[str]) -> Path:
        """The path of a name that is to be made."""
        return (name[-2], name[-1]) if len(name) > 1 else (self.current or self.home, name[-1])

    def table(self, name: Sequence[str]) -> Table | None:
        return next((self.tables[path] for path in self._places(name) if path in self.tables), None)

    def graph(self, name: Sequence[str]) -> Graph | None:
        return next((self.graphs[path] for path in self._places(name) if path in self.graphs), None)

    def _places(self, name: Sequence[str]) -> tuple[Path, ...]:
        if len(name) > 1:
            said = (name[-2], name[-1])
            return (said, (self.current, name[-1])) if self.unplaced else (said,)
        return ((TEMPORARY, name[-1]), (self.current, name[-1]), (self.home, name[-1]))


NOTHING = Catalog()
"""The catalog that knows nothing."""
