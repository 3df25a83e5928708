"""Tables and property graphs as the library is told of them.

A property graph's properties are columns: expressions are computed into columns of their own when the graph is defined.
Knows no statement and no instance.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from graphir.backends.engines.googlesql.protos import Cell, Message, Type, catalogs, service

Place = tuple[str, str]
"""A table and a column of it."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column and its type."""

    name: str
    type: Type


@dataclass(slots=True)
class Table:
    """A table with its rows; `key` are places of columns.

    `computed` columns hold expressions of property graphs, a cell for each row in `cells`; queries do not see them.
    """

    name: str
    columns: tuple[Column, ...]
    rows: list[Sequence[Cell]] = field(default_factory=list)
    key: tuple[int, ...] = ()
    computed: list[Column] = field(default_factory=list)
    cells: list[list[Cell]] = field(default_factory=list)

    def place(self, column: str) -> int:
        """Where the column is; names do not tell upper from lower case.  LookupError."""
        folded = column.casefold()
        for at, each in enumerate(self.columns):
            if each.name.casefold() == folded:
                return at
        raise LookupError(column)


@dataclass(frozen=True, slots=True)
class Graph:
    """A property graph: what the library is told, and which column each of its marks stands for."""

    name: str
    proto: Message
    marks: dict[str, Place]


def catalog(
    tables: Iterable[Table],
    graphs: Iterable[Graph],
    options: Message,
    *,
    prefix: str = "",
    computed: bool = True,
) -> Message:
    """What the library knows.  `prefix` goes before the names of tables."""
    made = catalogs.SimpleCatalogProto(name="catalog")
    made.builtin_function_options.language_options.CopyFrom(options)
    for at, table in enumerate(tables):
        proto = made.table.add(name=prefix + table.name, serialization_id=at + 1)
        for column in table.columns:
            proto.column.add(name=column.name).type.CopyFrom(column.type)
        for column in table.computed if computed else ():
            proto.column.add(name=column.name, is_pseudo_column=True).type.CopyFrom(column.type)
        proto.primary_key_column_index.extend(table.key)
    for graph in graphs:
        made.property_graph.add().CopyFrom(graph.proto)
    return made


def contents(tables: Iterable[Table], prefix: str) -> dict[str, Message]:
    """The rows of the tables."""
    found = {}
    for table in tables:
        content = service.TableContent()
        content.table_data.SetInParent()
        for at, row in enumerate(table.rows):
            cells = content.table_data.row.add().cell
            cells.extend(row)
            cells.extend([column[at] for column in table.cells])
        found[prefix + table.name] = content
    return found
