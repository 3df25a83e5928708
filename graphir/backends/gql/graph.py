"""The tables of a graph, where they are known: what its elements may be, and which properties they have.

A graph in a database is tables: every table has the labels of its elements, or the type of its edges, and exposes
properties under names of the database's own, each with one type in the whole graph.  Knows the schema and kinds, no
query.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from weakref import finalize

from graphir import ir
from graphir.backends.gql.values import Kind, Value
from graphir.ir.traversal import rewrite
from graphir.schema.ddl.layout import lay_out
from graphir.schema.ddl.paths import Path
from graphir.schema.ddl.plans import HIDDEN, Element, Layout
from graphir.schema.ddl.targets import DIALECTS, TARGETS
from graphir.schema.ddl.types import type_in_graph
from graphir.schema.model import CLOSED, TYPES, Coverage, NodeType, Schema

Tables = frozenset[int]
"""Numbers of the tables that an element may be in."""
NO_TABLES: Tables = frozenset()


@dataclass(frozen=True, slots=True)
class Property:
    """A property as the definition exposes it.

    `name` is one type's in the whole graph; `kind` None: values of the type cannot be translated, and `type` says in
    words which it is; `column` is the name of the column; `wide`: the column is of a lesser type than its kind has;
    `items`: the kind of what is in a list; `held` is the type of the column, without its length.
    """

    name: str
    column: str
    kind: Kind | None
    type: str = ""
    wide: bool = False
    items: Kind = Kind.ANY
    held: str = ""

    @property
    def value(self) -> Value:
        """What is known of the values."""
        groupable = self.held not in _UNGROUPED and self.kind is not Kind.LIST
        other = self.kind is Kind.OPAQUE and self.held not in ("", "STRING")
        type = f"{self.type} as {self.held}" if other else self.type
        return Value(self.kind or Kind.ANY, items=self.items, type=type, groupable=groupable)


@dataclass(frozen=True, slots=True)
class Reference:
    """An end of an edge table: its columns, and the number of the node table whose key they hold."""

    columns: tuple[str, ...]
    table: int


@dataclass(frozen=True, slots=True)
class ElementTable:
    """A table of elements.

    `name` is its name in the graph and its only label there, `table` that of the table after those of its schemas;
    `labels` are those of its elements, or their type.
    `single`: the key is one number that no other table of its sort has either.  `open`: elements may have properties
    that are not listed.  `shared`: another table has elements of the same labels as well.
    """

    number: int
    name: str
    table: Path
    labels: frozenset[str]
    key: tuple[str, ...]
    properties: Mapping[str, Property] = field(default_factory=dict)
    source: Reference | None = None
    target: Reference | None = None
    single: bool = False
    open: bool = False
    shared: bool = False

    @property
    def is_edge(self) -> bool:
        return self.source is not None


class Graph:
    """The tables of a graph.  Those of nodes and of edges are numbered together.

    `coverage` says whether nodes may have labels, and edges types, that no table has.
    """

    def __init__(self, tables: Iterable[ElementTable], coverage: Coverage = CLOSED) -> None:
        self.tables: tuple[ElementTable, ...] = tuple(tables)
        self.coverage = coverage
        self.nodes: Tables = frozenset([table.number for table in self.tables if not table.is_edge])
        self.edges: Tables = frozenset([table.number for table in self.tables if table.is_edge])
        self.kinds: dict[str, Kind] = {
            exposed.name: exposed.kind
            for table in self.tables
            for exposed in table.properties.values()
            if exposed.kind is not None
        }
        """Kind of each property, by its name in the definition."""
        self.ways: dict[str, tuple[tuple[tuple[int, int], ...], ...]] = {
            direction: tuple([tuple(_ways(table, direction)) for table in self.tables])
            for direction in ("out", "in", "any")
        }
        """Direction of an edge -> by the number of its table, the tables at its left and right."""
        self.folded: tuple[dict[str, Property], ...] = tuple([_folded(table) for table in self.tables])
        """By the number of a table, its properties by their names without case."""
        self._by_label: dict[str, Tables] = {
            label: frozenset([table.number for table in self.tables if label in table.labels])
            for label in {label for table in self.tables for label in table.labels}
        }

    def unlisted(self, labels: ir.LabelExpression, *, edge: bool) -> ir.LabelName | None:
        """A label of an expression that no table has, and elements may have all the same."""
        if self.coverage.types if edge else self.coverage.labels:
            return None
        return next((name for name in ir.find(labels, ir.LabelName) if name.name not in self._by_label), None)

    def is_open(self, among: Tables) -> bool:
        """Whether an element that may be in those tables may have properties that are not listed."""
        listed = self.coverage.labels or among != self.nodes, self.coverage.types or among != self.edges
        return bool(among) and (not all(listed) or any(self.tables[number].open for number in among))

    def labelled(self, labels: ir.LabelExpression | None, among: Tables) -> Tables:
        """The tables whose elements satisfy a label expression, or may satisfy it."""
        if labels is None:
            return among
        if self.unlisted(labels, edge=among <= self.edges) is not None:
            return among
        if isinstance(labels, ir.LabelName):
            return among & self._by_label.get(labels.name, NO_TABLES)
        return frozenset([number for number in among if satisfies(labels, self.tables[number])])

    def exposed(self, key: str, among: Tables) -> list[Property]:
        """What elements of those tables have under a key: one property for each type."""
        if len(among) == 1:
            (number,) = among
            only = self.tables[number].properties.get(key)
            return [] if only is None else [only]
        found = {
            exposed.name: exposed for number in sorted(among) if (exposed := self.tables[number].properties.get(key))
        }
        return list(found.values())


def _folded(table: ElementTable) -> dict[str, Property]:
    found: dict[str, Property] = {}
    for exposed in table.properties.values():
        found.setdefault(exposed.name.casefold(), exposed)
    return found


def _ways(table: ElementTable, direction: str) -> Iterator[tuple[int, int]]:
    """The tables at the left and right of an edge of the table."""
    if table.source is None or table.target is None:
        return
    if direction in ("out", "any"):
        yield table.source.table, table.target.table
    if direction in ("in", "any"):
        yield table.target.table, table.source.table


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


# ------------------------------------------------------------------ from a schema


NEVER = ir.LabelNot(ir.LabelAny())
"""The label expression that no element satisfies."""


class SchemaGraph(Graph):
    """The graph that the definitions for a schema make.

    `name` is its name after those of its schemas, `labels` go from the schema's names of labels and types to those of
    the database, and `unheld` are labels and types of the schema for which it has no tables.  `hidden` are labels of
    the database that stand for having none.
    """

    def __init__(
        self,
        tables: Iterable[ElementTable],
        name: Path,
        labels: Mapping[str, str],
        unheld: Iterable[str] = (),
        hidden: Iterable[str] = (),
        coverage: Coverage = CLOSED,
    ) -> None:
        super().__init__(tables, coverage)
        self.name = name
        self.labels = dict(labels)
        self.unheld = frozenset(unheld)
        self.hidden = frozenset(hidden)
        keys: dict[str, set[str]] = {}
        for table in self.tables:
            for key, exposed in table.properties.items():
                keys.setdefault(exposed.name.casefold(), set()).add(key)
        self._shared = {name for name, found in keys.items() if len(found) > 1}
        self._labels_of = {
            True: {label for number in self.edges for label in self.tables[number].labels},
            False: {label for number in self.nodes for label in self.tables[number].labels},
        }

    def is_mixed(self, key: str, among: Tables) -> bool:
        """Whether the name of a property is that of another key in some of the tables, as names in any case are one."""
        if not self._shared:
            return False
        names = {exposed.name.casefold() for exposed in self.exposed(key, among)} & self._shared
        return any(
            other != key and exposed.name.casefold() in names
            for number in among
            for other, exposed in self.tables[number].properties.items()
        )

    def spelled(self, labels: ir.LabelExpression, *, edge: bool) -> ir.LabelExpression | None:
        """The expression with the names of the database, without what no table has; `NEVER` where nothing satisfies
        it, None where everything does."""
        known = self._labels_of[edge]
        listed = self.coverage.types if edge else self.coverage.labels

        def rule(part: ir.Node) -> ir.Node:
            match part:
                case ir.LabelName() if part.name not in known:
                    return NEVER if listed else part
                case ir.LabelName():
                    return ir.LabelName(self.labels.get(part.name, part.name))
                case ir.LabelNot():
                    return ir.LabelAny() if part.operand == NEVER else part
                case ir.LabelOr():
                    return _joined(part.operands, ir.LabelOr, NEVER, ir.LabelAny())
                case ir.LabelAnd():
                    return _joined(part.operands, ir.LabelAnd, ir.LabelAny(), NEVER)
            return part

        found = rewrite(labels, rule)
        return None if isinstance(found, ir.LabelAny) else found


def _joined(
    operands: tuple[ir.LabelExpression, ...],
    junction: type[ir.LabelOr | ir.LabelAnd],
    neutral: ir.LabelExpression,
    absorbing: ir.LabelExpression,
) -> ir.LabelExpression:
    if absorbing in operands:
        return absorbing
    left = tuple([operand for operand in dict.fromkeys(operands) if operand != neutral])
    if len(left) < 2:
        return left[0] if left else neutral
    return junction(left)


_HELD: dict[tuple[int, str], SchemaGraph] = {}
"""By the identity of the schema, as long as it lives, and the dialect."""

_KINDS = {
    "BOOL": Kind.BOOL,
    "INT64": Kind.INT,
    "FLOAT64": Kind.FLOAT,
    "FLOAT32": Kind.FLOAT,
    "NUMERIC": Kind.NUMBER,
    "STRING": Kind.STRING,
    "DATE": Kind.DATE,
    "TIMESTAMP": Kind.TIMESTAMP,
    "DATETIME": Kind.DATETIME,
}
"""Type of a column of GoogleSQL -> the kind of its values."""
_UNGROUPED = ("JSON", "GEOGRAPHY")
"""Types of columns whose values GoogleSQL does not tell apart for DISTINCT and grouping."""
_AS_TEXT = frozenset(("LOCAL TIME", "ZONED TIME", "LOCAL DATETIME", "ZONED DATETIME", "DURATION", "POINT", "VECTOR"))
"""Types whose values a column of type STRING holds in a form of its own."""


def of_schema(schema: Schema, dialect: str) -> SchemaGraph:
    """The graph that `Schema.write` defines for a dialect of GoogleSQL, or that the schema was read from."""
    place = id(schema), dialect
    found = _HELD.get(place)
    if found is None:
        found = _HELD[place] = _graph(lay_out(schema, TARGETS[DIALECTS[dialect]]), schema)
        finalize(schema, _HELD.pop, place, None)
    return found


def _graph(layout: Layout, schema: Schema) -> SchemaGraph:
    elements = [element for element in (*layout.nodes, *layout.edges) if element.written]
    labels = {label: held for element in elements for label, held in element.labels.items() if label}
    hidden = [held for element in elements for label, held in element.labels.items() if not label]
    tables = list(_tables(elements, schema))
    held = {label for table in tables for label in table.labels}
    named = [label for node in schema.node_types for label in node.labels] + [edge.type for edge in schema.edge_types]
    unheld = [name for name in named if name not in held]
    return SchemaGraph(tables, layout.graph, labels, unheld, hidden, schema.coverage)


def _tables(elements: Iterable[Element], schema: Schema) -> Iterator[ElementTable]:
    numbers: dict[int, int] = {}
    for element in elements:
        numbers[id(element)] = number = len(numbers)
        source, target = (
            None if end is None else Reference(end.columns, numbers[id(end.node)])
            for end in (element.source, element.target)
        )
        labels = element.closure if isinstance(element.type, NodeType) else frozenset([element.type.type])
        yield ElementTable(
            number,
            element.name,
            element.table.path,
            labels,
            element.key,
            dict(_properties(element)),
            source,
            target,
            open=schema.is_open(element.type),
        )


def _properties(element: Element) -> Iterator[tuple[str, Property]]:
    for key, column in element.columns.items():
        if key == HIDDEN or column.property is None:
            continue
        type = column.property.type
        shown = "nothing" if type is None else str(type)
        kind, items = kind_of(column.type)
        if kind is Kind.STRING and type is not None and (type.name in _AS_TEXT or TYPES[type.name] != "STRING"):
            kind = Kind.OPAQUE
        held = type_in_graph(column.type, "spanner-ddl")
        yield key, Property(element.properties[key], column.name, kind, shown, items=items, held=held)


def kind_of(type: str) -> tuple[Kind, Kind]:
    """The kind of the values of a column of a type of GoogleSQL, and that of the items of a list."""
    text, _, rest = type.partition("<")
    if _head(text) == "ARRAY":
        return Kind.LIST, _KINDS.get(_head(rest.partition(">")[0]), Kind.OPAQUE)
    return _KINDS.get(_head(text), Kind.OPAQUE), Kind.ANY


def _head(text: str) -> str:
    """The name of a type without its length."""
    return text.partition("(")[0]
