"""The tables and property graphs that a query is checked against.

A catalog that knows nothing takes every name.  It is made from a schema, under the names that the dialect's DDL gives
it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import TYPE_CHECKING

from graphir.passes.google.types import JSON, STRING, UNKNOWN, Type, array_of, named
from graphir.schema.ddl.paths import agree

if TYPE_CHECKING:
    from graphir.schema import DataType, Schema
    from graphir.schema.ddl.plans import Element as Planned
    from graphir.schema.ddl.plans import Layout


@dataclass(frozen=True)
class Element:
    """A table of nodes or edges in a graph.  `kind` is GRAPH_NODE or GRAPH_EDGE; for edges, `source` and `destination`
    name the node tables at the ends.  `key` are the columns of the key, `columns` what each property is read from
    ("" where that is no column).  `dynamic` says whether labels and properties are taken from the data."""

    name: str
    kind: str
    labels: tuple[str, ...]
    properties: tuple[tuple[str, Type], ...]
    source: str = ""
    destination: str = ""
    key: tuple[str, ...] = ()
    columns: Mapping[str, str] = field(default_factory=dict)
    dynamic_labels: bool = False
    dynamic_properties: bool = False

    @cached_property
    def held(self) -> frozenset[str]:
        """Its labels, without case."""
        return frozenset(label.lower() for label in self.labels)


@dataclass(frozen=True)
class Graph:
    """A property graph.  `open`: nothing is known of it; `more_labels` and `more_properties`: there may be others;
    `qualifier`: the schemas that it is in, where they are said."""

    name: str
    elements: tuple[Element, ...] = ()
    open: bool = False
    more_labels: bool = False
    more_properties: bool = False
    qualifier: tuple[str, ...] = ()

    @cached_property
    def labels(self) -> Mapping[str, str]:
        """Every label by its name without case."""
        return {label.lower(): label for element in self.elements for label in element.labels}

    @cached_property
    def properties(self) -> Mapping[str, str]:
        """Every property by its name without case."""
        return {name.lower(): name for element in self.elements for name, _ in element.properties}

    def of_kind(self, kind: str) -> tuple[Element, ...]:
        return tuple([each for each in self.elements if each.kind == kind])

    def is_dynamic(self, kind: str) -> bool:
        """Whether elements of that kind may have any label."""
        return any(each.dynamic_labels for each in self.of_kind(kind))

    @cached_property
    def has_dynamic(self) -> bool:
        return any(each.dynamic_labels or each.dynamic_properties for each in self.elements)

    def type_of(self, kind: str, elements: Iterable[Element]) -> Type:
        """The type of what is in one of these tables."""
        found = tuple(elements)
        if self.open:
            return Type(kind, None, (), self.name, True)
        return _type_of(self, kind, found)


@lru_cache(1024)
def _typed(name: str, kind: str, properties: tuple[tuple[tuple[str, Type], ...], ...], open_: bool) -> Type:
    fields: dict[str, tuple[str, Type]] = {}
    for each in properties:
        for own, of in each:
            fields.setdefault(own.lower(), (own, of))
    return Type(kind, None, tuple([fields[each] for each in sorted(fields)]), name, open_)


def _type_of(graph: Graph, kind: str, elements: tuple[Element, ...]) -> Type:
    dynamic = any(each.dynamic_properties for each in elements)
    return _typed(graph.name, kind, tuple([each.properties for each in elements]), graph.more_properties or dynamic)


UNNAMED = Graph("", open=True)
"""The graph that nothing is known of."""


@dataclass(frozen=True)
class Catalog:
    """`closed`: no other graph is there; `strict`: its name is asked whole, since there is no schema but the default
    one that a name may leave out.  `tables` are columns by name, both without case in their keys; `functions`
    are those beyond GoogleSQL's own, in upper case."""

    graphs: Mapping[str, Graph] = field(default_factory=dict)
    tables: Mapping[str, Mapping[str, Type]] = field(default_factory=dict)
    closed: bool = False
    functions: frozenset[str] = frozenset()
    strict: bool = False

    def graph(self, name: Sequence[str]) -> Graph | None:
        """The graph of that name, which may leave its schemas out; None where it is known that there is none."""
        found = self.graphs.get(name[-1].lower())
        if found is not None and self._is(found, name):
            return found
        if self.closed:
            return None
        return next(iter(self.graphs.values()), UNNAMED) if len(self.graphs) == 1 else UNNAMED

    def _is(self, graph: Graph, name: Sequence[str]) -> bool:
        own, asked = (tuple([part.lower() for part in each]) for each in ((*graph.qualifier, graph.name), name))
        return own == asked if self.strict else agree(own, asked)


NOTHING = Catalog()


# ------------------------------------------------------------------ from a schema


@lru_cache(16)
def of_schema(schema: Schema, dialect: str) -> Catalog:
    """The catalog of a schema, under the names that its DDL has in a dialect of GoogleSQL.

    A schema has the properties that a graph exposes, and not every column of a table: tables are not known from it.
    """
    from graphir.schema.ddl.layout import lay_out
    from graphir.schema.ddl.targets import DIALECTS, TARGETS

    layout = lay_out(schema, TARGETS[DIALECTS.get(dialect, dialect)])
    nodes = [_planned("GRAPH_NODE", each, layout) for each in layout.nodes]
    edges = [_planned("GRAPH_EDGE", each, layout) for each in layout.edges]
    coverage = schema.coverage
    unlisted = any(each.properties is None or each.open for each in schema.node_types) or any(
        each.properties is None or each.open for each in schema.edge_types
    )
    graph = Graph(
        layout.graph[-1],
        (*nodes, *edges),
        more_labels=not (coverage.labels and coverage.types),
        more_properties=not coverage.properties or unlisted,
        qualifier=layout.graph[:-1],
    )
    closed = schema.name is not None and schema.origin is not None
    return Catalog({graph.name.lower(): graph}, closed=closed, strict=dialect == "gql-spanner")


def _planned(kind: str, planned: Planned, layout: Layout) -> Element:
    from graphir.schema.ddl.plans import HIDDEN

    properties: dict[str, tuple[str, Type]] = {}
    columns: dict[str, str] = {}
    for name, printed in planned.properties.items():
        column = planned.columns.get(name)
        told = column is not None and (name == HIDDEN or column.property is None or column.property.type is not None)
        properties[printed.lower()] = (printed, read_type(column.type) if column is not None and told else UNKNOWN)
        columns[printed.lower()] = column.name if column is not None else ""
    for label in planned.labels.values():
        for printed, _, type_ in layout.exposed(planned, label):
            properties.setdefault(printed.lower(), (printed, read_type(type_)))
    return Element(
        planned.name,
        kind,
        tuple(planned.labels.values()),
        tuple(properties.values()),
        planned.source.node.name if planned.source is not None else "",
        planned.target.node.name if planned.target is not None else "",
        planned.key,
        columns,
    )


_DATA_TYPES = {
    "BOOLEAN": "BOOL",
    "INTEGER": "INT64",
    "FLOAT": "DOUBLE",
    "LOCAL TIME": "TIME",
    "LOCAL DATETIME": "DATETIME",
    "ZONED DATETIME": "TIMESTAMP",
    "DURATION": "INTERVAL",
    **{kind: kind for kind in ("STRING", "DATE", "BYTES", "JSON")},
}
"""Types as schemas name them -> GoogleSQL's; of others nothing is said."""


def of_data_type(of: DataType) -> Type:
    """The type of values of a type that a schema names."""
    if of.name == "LIST":
        return array_of(of_data_type(of.element)) if of.element is not None else UNKNOWN
    kind = _DATA_TYPES.get(of.name)
    return named(kind) if kind is not None else UNKNOWN


_SPELLINGS = {
    **{kind: named(kind) for kind in ("BOOL", "INT32", "INT64", "UINT32", "UINT64", "NUMERIC", "BIGNUMERIC", "BYTES")},
    **{kind: named(kind) for kind in ("DATE", "TIME", "DATETIME", "TIMESTAMP", "INTERVAL", "FLOAT", "DOUBLE")},
    "STRING": STRING,
    "JSON": JSON,
    "FLOAT64": named("DOUBLE"),
    "FLOAT32": named("FLOAT"),
    "BOOLEAN": named("BOOL"),
}


@lru_cache(1024)
def read_type(text: str) -> Type:
    """The type that a DDL of GoogleSQL spells: `STRING(MAX)`, `ARRAY<INT64>`; unknown where it is another."""
    spelled = text.strip().upper()
    if spelled.startswith("ARRAY<") and spelled.endswith(">"):
        element = read_type(spelled[6:-1])
        return array_of(element)
    return _SPELLINGS.get(spelled.partition("(")[0].strip(), UNKNOWN)
