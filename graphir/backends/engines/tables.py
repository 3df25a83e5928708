"""A property graph as typed tables: what engines over tables are loaded with.

A table for each set of labels and each edge type, a column for each key, each column with one representation
(`backends/sql/reps.py`).  What has no such form is refused, by the rule of the engine.  Elements are numbered, nodes
and edges apart, and found again by their number, so that they come back as they were loaded.  Knows no engine and
writes no SQL.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Generic, TypeVar

from graphir.backends.engines.faults import UNHELD, fault
from graphir.backends.sql import catalog as sql
from graphir.backends.sql.reps import BY_NAME, DYNAMIC, NULL, MapRep, Rep, list_of, rep_of, unify
from graphir.diagnostics import GraphirError
from graphir.graphs import PropertyGraph
from graphir.schema.model import TYPES, DataType, EdgeType, PropertyType, Schema
from graphir.values.entities import Edge, Node

_WIDTH = 40
"""Characters of a label or key that a safe name keeps; with mark and number it stays below 63, PostgreSQL's limit."""

E = TypeVar("E", Node, Edge)


def _anything(_: Any) -> None:
    return None


@dataclass(frozen=True, slots=True)
class Rule:
    """What the columns of an engine hold.

    `holds` says whether there is a column for values of a representation.  It is asked for that of all values of a key
    in a table: `dynamic` where they are of several types, `null` where nothing is known of them.  `objection` says in
    words what is wrong with one value (None: nothing), for engines that cannot hold all values of a type.
    """

    engine: str
    holds: Callable[[Rep], bool]
    objection: Callable[[Any], str | None] = _anything


@dataclass(frozen=True, slots=True)
class Property:
    """The column of a key: its safe name, and how its values lie."""

    key: str
    name: str
    rep: Rep


@dataclass(slots=True)
class Table(Generic[E]):
    """Elements of one kind under a safe name: `numbers` and `elements` side by side, `columns` by key in fixed order.

    It may be empty, and so may a column: schemas add such.
    """

    name: str
    numbers: list[int] = field(default_factory=list)
    elements: list[E] = field(default_factory=list)
    columns: dict[str, Property] = field(default_factory=dict)

    def properties(self) -> Iterator[tuple[Any, ...]]:
        """The values of each element, in the order of the columns; None where it has none."""
        keys = tuple(self.columns)
        for element in self.elements:
            yield tuple([element.properties.get(key) for key in keys])


@dataclass(slots=True)
class NodeTable(Table[Node]):
    """The nodes with exactly these labels: columns `id`, and one for each key."""

    labels: tuple[str, ...] = ()

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """(id, values ..), the values as they are in the graph."""
        for number, values in zip(self.numbers, self.properties(), strict=True):
            yield number, *values


@dataclass(slots=True)
class EdgeTable(Table[Edge]):
    """The edges of a type: columns `id`, `src`, `dst` (numbers of nodes), and one for each key.

    `sources` and `targets` are the names of the node tables where edges of it start and end: one each where the tables
    are made by ends.
    """

    type: str = ""
    starts: list[int] = field(default_factory=list)
    ends: list[int] = field(default_factory=list)
    sources: set[str] = field(default_factory=set)
    targets: set[str] = field(default_factory=set)

    def rows(self) -> Iterator[tuple[Any, ...]]:
        """(id, src, dst, values ..), the values as they are in the graph."""
        for number, start, end, values in zip(self.numbers, self.starts, self.ends, self.properties(), strict=True):
            yield number, start, end, *values


@dataclass(frozen=True, slots=True)
class Tables:
    """All tables, and every element by its number."""

    nodes: tuple[NodeTable, ...]
    edges: tuple[EdgeTable, ...]
    numbered_nodes: Sequence[Node]
    numbered_edges: Sequence[Edge]

    @property
    def all(self) -> list[NodeTable | EdgeTable]:
        """The tables of nodes, then those of edges."""
        return [*self.nodes, *self.edges]

    def node(self, number: int) -> Node:
        """The node as it was loaded.  LookupError for no number of a node."""
        return _numbered(self.numbered_nodes, number, "node")

    def edge(self, number: int) -> Edge:
        """The edge as it was loaded.  LookupError for no number of an edge."""
        return _numbered(self.numbered_edges, number, "edge")

    def catalog(self) -> sql.Catalog:
        """The tables as the lowering sees them.  Columns of which nothing is known are left out: they are null."""
        ends = {table.name: (frozenset(table.sources), frozenset(table.targets)) for table in self.edges}
        return sql.Catalog(
            tuple([sql.NodeTable(table.name, table.labels, _columns(table.columns)) for table in self.nodes]),
            tuple([sql.EdgeTable(table.name, table.type, _columns(table.columns)) for table in self.edges]),
            lambda table: ends.get(table.name),
        )


def _numbered(elements: Sequence[E], number: int, kind: str) -> E:
    if not 0 <= number < len(elements):
        raise LookupError(f"{number}, which is no {kind} of the graph")
    return elements[number]


def _columns(columns: Mapping[str, Property]) -> dict[str, sql.Column]:
    return {key: sql.Column(each.name, each.rep) for key, each in columns.items() if each.rep != NULL}


def tables_of(
    graphs: PropertyGraph | Iterable[PropertyGraph],
    rule: Rule,
    schema: Schema | None = None,
    *,
    by_ends: bool = False,
) -> Tables:
    """The tables of a graph, or of several side by side (their ids may be the same).

    `schema` adds tables and columns for what it declares and no element has; types that it does not tell have the
    representation `null`.  `by_ends` makes a table of edges for each pair of node tables between which they run.
    Raises Unsupported (G626) for what the rule does not allow.

    >>> from graphir.backends.sql.reps import SIMPLE
    >>> graph = PropertyGraph((Node("a", ("Person",), {"name": "Ada"}), Node("b", ("Person", "Admin"))))
    >>> made = tables_of(graph, Rule("this engine", SIMPLE.__contains__))
    >>> [(table.name, table.labels, list(table.rows())) for table in made.nodes]
    [('n_Person', ('Person',), [(0, 'Ada')]), ('n_Person_Admin', ('Person', 'Admin'), [(1,)])]
    >>> made.node(0).id
    'a'
    """
    building = _Building(rule, by_ends)
    for graph in (graphs,) if isinstance(graphs, PropertyGraph) else graphs:
        building.add(graph)
    if schema is not None:
        building.declare(schema)
    return building.finish()


class _Building:
    """Tables as they grow."""

    def __init__(self, rule: Rule, by_ends: bool) -> None:
        self.rule = rule
        self.by_ends = by_ends
        self.names = Names()
        self.nodes: dict[frozenset[str], NodeTable] = {}
        self.edges: dict[tuple[str, ...], EdgeTable] = {}
        self.numbered_nodes: list[Node] = []
        self.numbered_edges: list[Edge] = []
        self.declared: dict[str, dict[str, Rep]] = {}
        """Name of a table -> key -> what the schema says of it."""

    def add(self, graph: PropertyGraph) -> None:
        places: dict[int | str, tuple[int, NodeTable]] = {}
        for node in graph.nodes:
            number, table = len(self.numbered_nodes), self.node_table(node.labels)
            places[node.id] = number, table
            self.numbered_nodes.append(node)
            table.numbers.append(number)
            table.elements.append(node)
        for edge in graph.edges:
            (start, source), (end, target) = places[edge.start], places[edge.end]
            relation = self.edge_table(edge.type, source, target)
            relation.numbers.append(len(self.numbered_edges))
            relation.elements.append(edge)
            relation.starts.append(start)
            relation.ends.append(end)
            self.numbered_edges.append(edge)

    def node_table(self, labels: Iterable[str]) -> NodeTable:
        listed = tuple(dict.fromkeys(labels))
        key = frozenset(listed)
        if key not in self.nodes:
            self.nodes[key] = NodeTable(self.names.free("n_" + "_".join(listed)), labels=listed)
        return self.nodes[key]

    def edge_table(self, type_: str, source: NodeTable, target: NodeTable) -> EdgeTable:
        key = (type_, source.name, target.name) if self.by_ends else (type_,)
        found = self.edges.get(key)
        if found is None:
            found = self.edges[key] = EdgeTable(self.names.free("e_" + type_), type=type_)
        found.sources.add(source.name)
        found.targets.add(target.name)
        return found

    def declare(self, schema: Schema) -> None:
        inherited = {node.labels: node for node in schema.node_types}
        carried = {node.labels: {*node.labels, *_ancestors(node.parents, inherited)} for node in schema.node_types}
        for node in schema.node_types:
            self.node_table(sorted(carried[node.labels]))
        for table in self.nodes.values():
            for node in schema.node_types:
                if node.labels and carried[node.labels] <= set(table.labels):
                    self._declare_keys(table.name, node.properties)
        for node in schema.node_types:
            if not node.labels and not node.parents:
                self._declare_keys(self.node_table(()).name, node.properties)
        for edge in schema.edge_types:
            self._declare_edge(edge)

    def _declare_edge(self, edge: EdgeType) -> None:
        """Ends that no node table has are made; ends of which nothing is known say nothing."""
        if edge.source is None or edge.target is None:
            return
        source, target = self.node_table(edge.source), self.node_table(edge.target)
        self._declare_keys(self.edge_table(edge.type, source, target).name, edge.properties)

    def _declare_keys(self, table: str, properties: Iterable[PropertyType] | None) -> None:
        keys = self.declared.setdefault(table, {})
        for each in properties or ():
            rep = NULL if each.type is None else declared_rep(each.type)
            keys[each.name] = rep if keys.get(each.name, rep) == rep else NULL

    def finish(self) -> Tables:
        tables: list[NodeTable | EdgeTable] = [*self.nodes.values(), *self.edges.values()]
        for table in tables:
            self._find_columns(table)
        return Tables(tuple(self.nodes.values()), tuple(self.edges.values()), self.numbered_nodes, self.numbered_edges)

    def _find_columns(self, table: NodeTable | EdgeTable) -> None:
        kinds: dict[str, list[Rep]] = {}
        plain: dict[str, set[type[Any]]] = {}
        for element in table.elements:
            for key, value in element.properties.items():
                if value is None:
                    continue
                if (wrong := self.rule.objection(value)) is not None:
                    raise self._refusal(wrong, key, table, "value")
                if type(value) in _PLAIN:
                    plain.setdefault(key, set()).add(type(value))
                else:
                    kinds.setdefault(key, []).append(storable(rep_of(value)))
        declared = self.declared.get(table.name, {})
        names = Names(("id", "src", "dst"))
        for key in dict.fromkeys(key for each in table.elements for key in each.properties):
            found = unify([*kinds.get(key, ()), *[rep_of(kind()) for kind in plain.get(key, ())]])
            rep = declared.get(key, NULL) if found == NULL else found
            table.columns[key] = self._held(Property(key, names.free("p_" + key), rep), table)
        for key, rep in declared.items():
            if key not in table.columns:
                table.columns[key] = self._held(Property(key, names.free("p_" + key), rep), table)

    def _held(self, column: Property, table: NodeTable | EdgeTable) -> Property:
        if not self.rule.holds(column.rep):
            several = column.rep == DYNAMIC
            what = "values of several types, or maps, in one column" if several else f"values of type {column.rep}"
            raise self._refusal(f"has no column for {what}", column.key, table, str(column.rep))
        return column

    def _refusal(self, what: str, key: str, table: NodeTable | EdgeTable, feature: str) -> GraphirError:
        owner = f"nodes with the labels {list(table.labels)}" if isinstance(table, NodeTable) else f"edges {table.type}"
        return fault(
            UNHELD, f"{self.rule.engine} {what}: key {key!r} of {owner}", engine=self.rule.engine, feature=feature
        )


_PLAIN = (bool, int, float, str)


def storable(rep: Rep) -> Rep:
    """How the values of a property lie: maps have no column of their own."""
    return DYNAMIC if isinstance(rep, MapRep) else rep


def _ancestors(labels: Iterable[str], types: Mapping[tuple[str, ...], Any]) -> set[str]:
    found: set[str] = set()
    waiting = list(labels)
    while waiting:
        label = waiting.pop()
        if label not in found:
            found.add(label)
            parent = types.get((label,))
            waiting += parent.parents if parent is not None else ()
    return found


def declared_rep(type_: DataType) -> Rep:
    """The representation of a type that a schema declares; `null` where it may be anything.  Recurses on lists."""
    kind = TYPES[type_.name]
    if kind == "LIST":
        element = NULL if type_.element is None else declared_rep(type_.element)
        return NULL if element == NULL else list_of(element)
    return _DECLARED.get(kind, NULL)


_DECLARED = {
    "BOOLEAN": BY_NAME["boolean"],
    "INTEGER": BY_NAME["integer"],
    "FLOAT": BY_NAME["float"],
    "STRING": BY_NAME["string"],
    "DATE": BY_NAME["date"],
    "LOCAL TIME": BY_NAME["local time"],
    "ZONED TIME": BY_NAME["time"],
    "LOCAL DATETIME": BY_NAME["local datetime"],
    "ZONED DATETIME": BY_NAME["datetime"],
    "DURATION": BY_NAME["duration"],
    "POINT": BY_NAME["point"],
}
"""Kind of a declared type -> how its values lie."""


class Names:
    """Safe names: ASCII letters, digits and underscores, no two the same in whatever case, numbered in order.

    >>> names = Names()
    >>> [names.free(wanted) for wanted in ("p_name", "p_NAME", "p_first name", "p_")]
    ['p_name', 'p_NAME_2', 'p_first_name', 'p_']
    """

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = {name.lower() for name in taken}
        self._last: dict[str, int] = {}

    def free(self, wanted: str) -> str:
        """The name itself, if it is safe and nothing has it; else one like it."""
        kept = [c if c.isascii() and c.isalnum() else "_" for c in wanted[:_WIDTH]]
        made = base = "".join(kept)
        at = self._last.get(base.lower(), 1)
        while made.lower() in self._taken:
            at += 1
            made = f"{base}_{at}"
        self._last[base.lower()] = at
        self._taken.add(made.lower())
        return made
