"""A property graph in DuckDB: a table for each set of labels and each type of edges, a typed column for each property.

Tables and columns are made as data appear.  A column whose values turn out to be of several types becomes dynamic.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import duckdb

from graphir.backends.engines.duckdb.carriers import array, reader, writer
from graphir.backends.engines.duckdb.search import Index
from graphir.backends.sql.catalog import Catalog, Column, EdgeTable, Ends, NodeTable
from graphir.backends.sql.reps import DYNAMIC, INTEGER, NULL, SIMPLE, MapRep, Rep, join, list_of, rep_of, unify
from graphir.graphs import PropertyGraph
from graphir.quoting import quoted
from graphir.values.entities import Definition, Edge, Node

_MADE_UP = re.compile(r"[a-z]+\d+", re.IGNORECASE)
"""Names of tables and columns in statements, as `Lowering.fresh` makes them."""
_WORTH = 5_000
"""Edges of a table from which on it pays to know where they run."""
_MANY = 500
_CHUNK = 50_000
"""Rows that go to the database at once."""


_EdgeKind = tuple[str, tuple[str, ...], Definition | None]


def node_key(labels: Iterable[str], definition: Definition | None) -> frozenset[Any]:
    """What the table of nodes is known by."""
    return frozenset(labels) if definition is None else frozenset((*labels, definition))


def edge_key(type_: str, labels: tuple[str, ...], definition: Definition | None) -> str:
    """What the table of edges is known by: the type, where nothing is said beside it."""
    if not labels and definition is None:
        return type_
    return "\0".join((type_, *sorted(labels), *([] if definition is None else [definition.name])))


@dataclass
class Stored:
    """A table of nodes (with their labels) or of edges (with their type, and their labels where they have several), and
    its columns by key."""

    name: str
    labels: tuple[str, ...] = ()
    type: str | None = None
    columns: dict[str, Column] = field(default_factory=dict)
    definition: Definition | None = None

    @property
    def defined(self) -> tuple[str, tuple[str, ...]] | None:
        """The definition, as the catalog has it."""
        return None if self.definition is None else (self.definition.name, self.definition.properties)

    @property
    def fixed(self) -> tuple[str, ...]:
        return ("id",) if self.type is None else ("id", "src", "dst")


@dataclass(frozen=True, slots=True)
class State:
    """The tables at one moment."""

    nodes: dict[frozenset[Any], Stored]
    edges: dict[str, Stored]
    next_node: int
    next_edge: int


class Storage:
    """The tables of a graph, over a connection."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self.connection = connection
        self.nodes: dict[frozenset[Any], Stored] = {}
        self.edges: dict[str, Stored] = {}
        self.next_node = 0
        self.next_edge = 0
        self.version = 0
        """Grows when tables or columns change."""
        self.external_nodes: dict[int, Any] = {}
        self.external_edges: dict[int, Any] = {}
        """Ids that are no integers of ours -> as they were given."""
        self.recorded_nodes: set[int] = set()
        self.recorded_edges: set[int] = set()
        """Those of them that the file has."""
        self.settled = True
        """No query is writing: what is known of the data stays true until the next one."""
        self._catalog: Catalog | None = None
        self._ends: dict[str, Ends | None] = {}
        self.indexes: dict[tuple[str, ...], Index] = {}
        """Query for edges, and how they are walked -> the index of them."""
        self.plans: dict[tuple[Any, ...], Any] = {}
        """Text, query and parameters -> the statement that was made of them."""

    def catalog(self) -> Catalog:
        """The tables as the lowering wants them."""
        if self._catalog is None:
            self._catalog = Catalog(
                tuple(
                    [NodeTable(t.name, t.labels, dict(t.columns), definition=t.defined) for t in self.nodes.values()]
                ),
                tuple(
                    [
                        EdgeTable(t.name, t.type or "", dict(t.columns), labels=t.labels, definition=t.defined)
                        for t in self.edges.values()
                    ]
                ),
                self.ends,
            )
        return self._catalog

    def changed(self) -> None:
        self.version += 1
        self.written()
        self._catalog = None

    def state(self) -> State:
        """What is known of the tables, to come back to when a transaction is undone."""
        return State(
            {key: replace(table, columns=dict(table.columns)) for key, table in self.nodes.items()},
            {key: replace(table, columns=dict(table.columns)) for key, table in self.edges.items()},
            self.next_node,
            self.next_edge,
        )

    def restore(self, state: State) -> None:
        """Forget what came after `state`: the transaction was undone."""
        self.nodes, self.edges = state.nodes, state.edges
        self.next_node, self.next_edge = state.next_node, state.next_edge
        for given, recorded, following in (
            (self.external_nodes, self.recorded_nodes, state.next_node),
            (self.external_edges, self.recorded_edges, state.next_edge),
        ):
            for key in [key for key in given if key >= following]:
                del given[key]
            recorded.intersection_update(given)
        self.changed()

    def written(self) -> None:
        """Forget what was known of the data."""
        self._ends.clear()
        self.indexes.clear()
        self.plans.clear()

    def ends(self, table: EdgeTable) -> Ends | None:
        """Between which node tables the edges of a table run; found out once, for tables that are large enough."""
        if not self.settled:
            return None
        if table.name not in self._ends:
            self._ends[table.name] = self._find_ends(table.name)
        return self._ends[table.name]

    def _find_ends(self, name: str) -> Ends | None:
        nodes = list(self.nodes.values())
        if len(nodes) == 1:
            return frozenset((nodes[0].name,)), frozenset((nodes[0].name,))
        [(count,)] = self.connection.execute(f"SELECT count(*) FROM {quoted(name)}").fetchall()
        if count < _WORTH:
            return None
        parts = [f"SELECT id, {at} AS part FROM {quoted(node.name)}" for at, node in enumerate(nodes)]
        found = []
        for end in ("src", "dst"):
            there = f"id IN (SELECT {end} FROM {quoted(name)})"
            rows = self.connection.execute(
                f"SELECT DISTINCT part FROM ({' UNION ALL '.join(parts)}) WHERE {there}"
            ).fetchall()
            found.append(frozenset(nodes[row[0]].name for row in rows))
        return found[0], found[1]

    def size(self, table: Stored) -> int:
        """How many rows a table has."""
        [(count,)] = self.connection.execute(f"SELECT count(*) FROM {quoted(table.name)}").fetchall()
        return int(count)

    def clear(self) -> None:
        """Drop everything."""
        for table in (*self.nodes.values(), *self.edges.values()):
            self.connection.execute(f"DROP TABLE {quoted(table.name)}")
        self.nodes.clear()
        self.edges.clear()
        self.external_nodes.clear()
        self.external_edges.clear()
        self.next_node = self.next_edge = 0
        self.changed()

    # -------------------------------------------------------------- tables and columns

    def node_table(self, labels: Iterable[str], definition: Definition | None = None) -> Stored:
        """The table of the nodes with exactly these labels and that definition, made if need be."""
        listed = tuple(dict.fromkeys(labels))
        key = node_key(listed, definition)
        found = self.nodes.get(key)
        if found is None:
            name = self._free("n:" + ":".join(listed))
            found = self.nodes[key] = Stored(name, listed, definition=definition)
            self.connection.execute(f"CREATE TABLE {quoted(found.name)} (id BIGINT)")
            self.changed()
        return found

    def edge_table(self, type_: str, labels: tuple[str, ...] = (), definition: Definition | None = None) -> Stored:
        """The table of the edges of a type, of exactly these labels where they are several, made if need be."""
        key = edge_key(type_, labels, definition)
        found = self.edges.get(key)
        if found is None:
            name = self._free("e:" + ":".join(labels or (type_,)))
            found = self.edges[key] = Stored(name, labels, type_, definition=definition)
            self.connection.execute(f"CREATE TABLE {quoted(found.name)} (id BIGINT, src BIGINT, dst BIGINT)")
            self.changed()
        return found

    def _free(self, name: str) -> str:
        taken = {table.name.lower() for table in (*self.nodes.values(), *self.edges.values())}
        made, at = name, 1
        while made.lower() in taken:
            at += 1
            made = f"{name}#{at}"
        return made

    def column(self, table: Stored, key: str, rep: Rep) -> Column:
        """The column of a property, made or widened so that it holds values of `rep`."""
        found = table.columns.get(key)
        wanted = storable(rep) if found is None else join(found.rep, storable(rep))
        if found is not None and found.rep == wanted:
            return found
        if found is None:
            name = self._free_column(table, key)
            self.connection.execute(f"ALTER TABLE {quoted(table.name)} ADD COLUMN {quoted(name)} {wanted.sql}")
            table.columns[key] = Column(name, wanted)
        else:
            self._widen(table, found, wanted)
            table.columns[key] = Column(found.name, wanted)
        self.changed()
        return table.columns[key]

    def _free_column(self, table: Stored, key: str) -> str:
        """A name for the column of a property: its key, unless that is no name of SQL, taken, or like those that the
        lowering makes up (`t12`), which a column of the same name would hide."""
        taken = {*table.fixed, *[column.name.lower() for column in table.columns.values()]}
        plain = key.replace("\0", "#")
        name, at = plain, 1
        while not name or name.lower() in taken or _MADE_UP.fullmatch(name):
            at += 1
            name = f"{plain}#{at}"
        return name

    def _widen(self, table: Stored, column: Column, wanted: Rep) -> None:
        """Rewrite the values of a column in another representation."""
        where = quoted(table.name)
        old = quoted(column.name)
        rows = self.connection.execute(f"SELECT id, {old} FROM {where} WHERE {old} IS NOT NULL").fetchall()
        self.connection.execute(f"ALTER TABLE {where} DROP COLUMN {old}")
        self.connection.execute(f"ALTER TABLE {where} ADD COLUMN {old} {wanted.sql}")
        if not rows:
            return
        read, write = reader(column.rep), writer(wanted)
        ids = [row[0] for row in rows]
        values = [write(row[1] if read is None else read(row[1])) for row in rows]
        self.connection.execute(
            f"UPDATE {where} SET {old} = v.value FROM (SELECT unnest(CAST($ids AS BIGINT[])) AS id, "
            f"unnest(CAST($values AS {list_of(wanted).sql})) AS value) v WHERE {where}.id = v.id",
            {"ids": ids, "values": values},
        )

    # -------------------------------------------------------------- rows

    def insert(
        self, table: Stored, fixed: Mapping[str, Sequence[int]], properties: Sequence[Mapping[str, Any]]
    ) -> None:
        """Add elements: a list for each fixed column (id; for edges src and dst), and the properties of each."""
        keys = dict.fromkeys(key for each in properties for key in each)
        values = {key: [each.get(key) for each in properties] for key in keys}
        found = {key: _rep_of_all(column) for key, column in values.items()}
        columns = {key: self.column(table, key, rep) for key, rep in found.items() if rep != NULL}
        for key, column in columns.items():
            if column.rep not in SIMPLE or column.rep != found[key]:
                write = writer(column.rep)
                values[key] = [None if value is None else write(value) for value in values[key]]
        lists: list[tuple[str, Rep, list[Any]]] = [(name, INTEGER, list(fixed[name])) for name in table.fixed]
        lists += [(column.name, column.rep, values[key]) for key, column in columns.items()]
        for start in range(0, len(properties), _CHUNK):
            self._append(table, [(name, rep, column[start : start + _CHUNK]) for name, rep, column in lists])
        self.written()

    def _append(self, table: Stored, columns: Sequence[tuple[str, Rep, list[Any]]]) -> None:
        """Add rows, column by column: as arrays where they are many, which is much faster than one value at a time."""
        names = ", ".join([quoted(name) for name, _, _ in columns])
        into = f"INSERT INTO {quoted(table.name)} ({names}) SELECT"
        many = len(columns[0][2]) >= _MANY
        arrays = {f"f{at}": array(rep, values) for at, (_, rep, values) in enumerate(columns)} if many else {}
        if many and all(each is not None for each in arrays.values()):
            self.connection.register("incoming", arrays)
            listed = [f"CAST(f{at} AS {rep.sql})" for at, (_, rep, _) in enumerate(columns)]
            self.connection.execute(f"{into} {', '.join(listed)} FROM incoming")
            self.connection.unregister("incoming")
            return
        listed = [f"unnest(CAST($f{at} AS {list_of(rep).sql}))" for at, (_, rep, _) in enumerate(columns)]
        self.connection.execute(f"{into} {', '.join(listed)}", {f"f{at}": each[2] for at, each in enumerate(columns)})

    def load(self, graph: PropertyGraph) -> None:
        """Add a graph."""
        ids = self._load_nodes(graph.nodes)
        self._load_edges(graph.edges, ids)

    def _load_nodes(self, nodes: Iterable[Node]) -> dict[Any, int]:
        ids: dict[Any, int] = {}
        groups: dict[tuple[tuple[str, ...], Definition | None], tuple[list[int], list[Mapping[str, Any]]]] = {}
        for node in nodes:
            key = ids[node.id] = self._node_id(node.id)
            group = groups.setdefault((node.labels, node.definition), ([], []))
            group[0].append(key)
            group[1].append(node.properties)
        for (labels, definition), (keys, properties) in groups.items():
            self.insert(self.node_table(labels, definition), {"id": keys}, properties)
        return ids

    def _node_id(self, given: Any) -> int:
        if type(given) is int and given >= self.next_node:
            self.next_node = given + 1
            return given
        key = self.next_node
        self.next_node += 1
        if given is not None:
            self.external_nodes[key] = given
        return key

    def _edge_id(self, given: Any) -> int:
        if type(given) is int and given >= self.next_edge:
            self.next_edge = given + 1
            return given
        key = self.next_edge
        self.next_edge += 1
        if given is not None:
            self.external_edges[key] = given
        return key

    def _load_edges(self, edges: Iterable[Edge], ids: Mapping[Any, int]) -> None:
        groups: dict[_EdgeKind, tuple[list[int], list[int], list[int], list[Mapping[str, Any]]]] = {}
        for edge in edges:
            group = groups.setdefault((edge.type, edge.labels, edge.definition), ([], [], [], []))
            group[0].append(self._edge_id(edge.id))
            group[1].append(ids[edge.start])
            group[2].append(ids[edge.end])
            group[3].append(edge.properties)
        for kind, (keys, starts, ends, properties) in groups.items():
            self.insert(self.edge_table(*kind), {"id": keys, "src": starts, "dst": ends}, properties)


def _rep_of_all(values: Sequence[Any]) -> Rep:
    """The representation for a column of values; those of plain types are told by their types alone."""
    kinds = {type(value) for value in values}
    kinds.discard(type(None))
    if len(kinds) == 1 and (only := next(iter(kinds))) in _PLAIN:
        return rep_of(only())
    return unify(storable(rep_of(value)) for value in values)


_PLAIN = (bool, int, float, str)


def storable(rep: Rep) -> Rep:
    """How the values of a property lie: maps have no column of their own."""
    return DYNAMIC if isinstance(rep, MapRep) else rep
