"""The graph that a statement is about, where its tables are known: what SQL/PGQ without functions of elements needs.

Where a dialect has no ELEMENT_ID, LABELS and label predicates, an element is asked for properties in their place, which
the definition of the graph exposes: its identity, the number of its table, its type.  Every table has one label of its
own, so that what a label expression of the query means is found here, and the patterns only say which tables they mean.
Knows the schema and kinds, no query.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from weakref import finalize

from graphir.backends.gql.graph import ElementTable, Property, Reference
from graphir.backends.gql.graph import Graph as Known
from graphir.backends.gql.values import Kind
from graphir.diagnostics import Unsupported, diagnose
from graphir.schema.ddl.layout import lay_out
from graphir.schema.ddl.plans import HIDDEN, Element
from graphir.schema.ddl.script import SURROGATE
from graphir.schema.ddl.targets import DIALECTS, TARGETS
from graphir.schema.model import CLOSED, TYPES, Coverage, DataType, NodeType, Schema
from graphir.source import Source

ID = "_id"
TABLE = "_table"
TYPE = "_type"
"""Properties that the definition adds: identity, number of the table, type of an edge."""


class Graph(Known):
    """The same with the properties that the definition adds."""

    def __init__(self, tables: Iterable[ElementTable], coverage: Coverage = CLOSED) -> None:
        super().__init__(tables, coverage)
        self.numbers = {table.name: table.number for table in self.tables}
        self._names = [{exposed.name for exposed in table.properties.values()} for table in self.tables]
        self.guessed = {
            key for table in self.tables for key, exposed in table.properties.items() if exposed.type == UNKNOWN
        }
        """Keys of properties of which the schema does not say, for some table, of what type they are."""
        self._single = all(table.single for table in self.tables)
        self.kinds |= {ID: Kind.INT if self._single else Kind.STRING, TABLE: Kind.INT, TYPE: Kind.STRING}

    def has(self, name: str, number: int) -> bool:
        """Whether the table exposes a property of that name in the definition."""
        if name in (ID, TABLE):
            return True
        if name == TYPE:
            return self.tables[number].is_edge
        return name in self._names[number]


# ------------------------------------------------------------------ properties


def is_given(name: str) -> bool:
    """Whether a property is one of those that the definition adds."""
    return name in (ID, TABLE, TYPE)


class Naming:
    """Names of properties in a definition: a key has its own name for the first type that it has, else a numbered one.

    A name has one type in a graph, and the added properties have theirs.
    """

    def __init__(self) -> None:
        self._by_use: dict[tuple[str, str], str] = {}
        self._taken = {ID, TABLE, TYPE}

    def name(self, key: str, type: str) -> str:
        """The name of a key for values of a type."""
        found = self._by_use.get((key, type))
        if found is None:
            wanted = key or "_"
            number, found = 1, wanted
            while found in self._taken:
                number += 1
                found = f"{wanted}_{number}"
            self._taken.add(found)
            self._by_use[key, type] = found
        return found


UNKNOWN = "nothing"
"""The type of a property, in words, of which the schema says none: its column is one of texts in the definition that is
written."""

KINDS = {
    "BOOLEAN": Kind.BOOL,
    "INTEGER": Kind.INT,
    "FLOAT": Kind.FLOAT,
    "STRING": Kind.STRING,
    "DATE": Kind.DATE,
}
"""Kind of a type of the schema -> what the translation knows of its values; others are not translated."""


def kind_of(type: DataType | None) -> Kind | None:
    """What is known of values of a type of the schema; None where they cannot be translated."""
    return None if type is None else KINDS.get(TYPES[type.name])


# ------------------------------------------------------------------ from a schema

_HELD: dict[tuple[int, str], Graph] = {}
"""By the identity of the schema, as long as it lives, and the dialect."""


def of_schema(schema: Schema, dialect: str) -> Graph:
    """The graph over the tables that `Schema.write` prints for a dialect, or that the schema was read from."""
    place = id(schema), dialect
    found = _HELD.get(place)
    if found is None:
        found = _HELD[place] = Graph(_tables(schema, dialect), schema.coverage)
        finalize(schema, _HELD.pop, place, None)
    return found


def _tables(schema: Schema, dialect: str) -> Iterator[ElementTable]:
    layout = lay_out(schema, TARGETS[DIALECTS[dialect]])
    naming = Naming()
    numbers: dict[int, int] = {}
    for element in (*layout.nodes, *layout.edges):
        if not element.written:
            continue
        numbers[id(element)] = number = len(numbers)
        is_node = isinstance(element.type, NodeType)
        source, target = (
            None if end is None else Reference(end.columns, numbers[id(end.node)])
            for end in (element.source, element.target)
        )
        yield ElementTable(
            number,
            element.name,
            element.table.path,
            element.closure if is_node else frozenset([element.type.type]),  # type: ignore[union-attr]
            _key(element, schema, dialect),
            dict(_properties(element, naming)),
            source,
            target,
            open=schema.is_open(element.type),
            shared=element.type.table is not None and bool(element.type.table.others),
        )


def require_whole(graph: Known, numbers: Iterable[int], source: Source, dialect: str) -> None:
    """Raises Unsupported (G562) where one of the tables is not all of what a pattern asks."""
    for table in [graph.tables[number] for number in sorted(numbers)]:
        if table.shared:
            told = f"the schema has several tables beside {table.name} for elements of the same labels"
            hint = "give the elements of each table a label of their own"
            raise Unsupported([diagnose(source, "G562", told, hint=hint)], feature=told, target=dialect)


def _key(element: Element, schema: Schema, dialect: str) -> tuple[str, ...]:
    """The columns of the key.  Of definitions that are there it may be one that no property exposes."""
    table, origin = element.type.table, schema.origin
    known = origin is not None and origin.format == DIALECTS[dialect] and table is not None and table.key
    return table.key if known and table is not None and element.key == (SURROGATE,) else element.key


def _properties(element: Element, naming: Naming) -> Iterator[tuple[str, Property]]:
    for key, column in element.columns.items():
        if key == HIDDEN or column.property is None:
            continue
        type = column.property.type
        kind = Kind.STRING if type is None else kind_of(type)
        shown = UNKNOWN if type is None else str(type)
        held = kind.name if kind is not None else shown
        wide = type is not None and type.name != TYPES[type.name]
        yield key, Property(naming.name(key, held), column.name, kind, shown, wide)
