"""The tables under a property graph, as statements that change rows need them: columns, keys, foreign keys.

Elements have the numbers that they have in `graphir.backends.gql.graph`.  Knows the schema, no query.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from weakref import finalize

from graphir.backends.gql.graph import Graph
from graphir.backends.sqlpgq.graph import of_schema
from graphir.schema.ddl.layout import lay_out
from graphir.schema.ddl.paths import Path, shown
from graphir.schema.ddl.plans import HIDDEN, Element
from graphir.schema.ddl.targets import DIALECTS, TARGETS
from graphir.schema.model import Schema


@dataclass(frozen=True, slots=True)
class End:
    """An end of an edge table: its columns, the number of the node table, whether a foreign key is known to be there.

    Definitions that are read do not say so in the schema; those that are written have it.
    """

    columns: tuple[str, ...]
    table: int
    enforced: bool


@dataclass(frozen=True, slots=True)
class Table:
    """A table of elements.

    `columns` go from the keys of the schema to names of columns, `exposed` from columns to the properties of the graph
    that show them.  `required` are the columns that take no null; `made` is the column of a key that is no property of
    the schema: any number is good there.
    """

    number: int
    path: Path
    labels: frozenset[str]
    key: tuple[str, ...]
    columns: Mapping[str, str]
    exposed: Mapping[str, str]
    required: frozenset[str]
    made: str | None = None
    source: End | None = None
    target: End | None = None

    @property
    def name(self) -> str:
        """The whole name for messages."""
        return shown(self.path)

    @property
    def is_edge(self) -> bool:
        return self.source is not None


@dataclass(frozen=True, slots=True)
class Tables:
    """The tables of a graph, and the graph as queries see it."""

    graph: Graph
    tables: tuple[Table, ...]

    def nodes(self) -> Iterator[Table]:
        return (table for table in self.tables if not table.is_edge)

    def edges(self) -> Iterator[Table]:
        return (table for table in self.tables if table.is_edge)

    def names(self) -> frozenset[str]:
        """The names of columns and tables, folded."""
        columns = [column for table in self.tables for column in (*table.columns.values(), *table.key, *table.required)]
        ends = [
            column for table in self.tables for end in (table.source, table.target) if end for column in end.columns
        ]
        return frozenset([name.casefold() for name in (*columns, *ends, *[table.path[-1] for table in self.tables])])

    def touching(self, node: Table) -> Iterator[tuple[Table, list[End]]]:
        """The edge tables that refer to a node table, with the ends that do."""
        for table in self.edges():
            ends = [end for end in (table.source, table.target) if end is not None and end.table == node.number]
            if ends:
                yield table, ends


_HELD: dict[tuple[int, str], Tables] = {}
"""By the identity of the schema, as long as it lives, and the dialect."""


def tables_of(schema: Schema, dialect: str) -> Tables:
    """The tables that `Schema.write` defines for a dialect, or that the schema was read from."""
    place = id(schema), dialect
    found = _HELD.get(place)
    if found is None:
        graph = of_schema(schema, dialect)
        found = _HELD[place] = Tables(graph, tuple(_tables(schema, dialect, graph)))
        finalize(schema, _HELD.pop, place, None)
    return found


def _tables(schema: Schema, dialect: str, graph: Graph) -> Iterator[Table]:
    target = TARGETS[DIALECTS[dialect]]
    layout = lay_out(schema, target)
    elements = [element for element in (*layout.nodes, *layout.edges) if element.written]
    numbers = {id(element): number for number, element in enumerate(elements)}
    read = schema.origin is not None and schema.origin.format == target.format
    for number, element in enumerate(elements):
        key = graph.tables[number].key
        hidden = element.columns.get(HIDDEN)
        made = hidden.name if hidden is not None and hidden.name in key else None
        columns = {name: column for name, column in element.columns.items() if name != HIDDEN or made is not None}
        absent = {hidden.name} if hidden is not None and made is None else set()
        yield Table(
            number,
            element.table.path,
            element.closure if element.source is None else frozenset(element.labels),
            key,
            {name: column.name for name, column in columns.items() if name != HIDDEN},
            {column.name: element.properties[name] for name, column in columns.items()},
            frozenset([column.name for column in element.table.columns if not column.nullable]) - absent,
            made,
            *[_end(element, role, numbers, enforced=target.enforced and not read) for role in ("source", "target")],
        )


def _end(element: Element, role: str, numbers: Mapping[int, int], *, enforced: bool) -> End | None:
    reference = element.source if role == "source" else element.target
    if reference is None:
        return None
    known = [(each.columns, each.node.table.path) for each in element.table.references]
    kept = enforced and (reference.columns, reference.node.table.path) in known
    return End(reference.columns, numbers[id(reference.node)], kept)
