"""The schema of a folder of tables: which are nodes and which edges, what connects what, and what the columns hold."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import duckdb

from graphir.diagnostics import UsageFault, diagnose
from graphir.schema.draft import Draft
from graphir.schema.infer import files
from graphir.schema.infer.database import degrees
from graphir.schema.infer.files import Layout
from graphir.schema.infer.statistics import Profile, columns_of, combine, profile, quote
from graphir.schema.model import CLOSED, EdgeType, Labels, NodeType, PropertyType, Schema, labels
from graphir.source import Source


def infer(path: Path) -> Schema:
    if not path.exists():
        raise _unreadable(f"there is no file {path}")
    with duckdb.connect() as connection, _faults(path):
        inference = Inference(connection)
        for index, group in enumerate(files.find(path)):
            inference.add(index, group)
        return inference.schema(path.stem)


_TYPE, _SOURCE, _TARGET = (quote(f"graphir:{part}") for part in ("type", "source", "target"))


@contextmanager
def _faults(path: Path) -> Iterator[None]:
    """What DuckDB cannot read is a fault of the files."""
    try:
        yield
    except duckdb.Error as fault:
        raise _unreadable(f"a file of {path} cannot be read: {str(fault).splitlines()[0]}") from None


def _unreadable(message: str) -> UsageFault:
    return UsageFault([diagnose(Source(""), "G082", message)])


@dataclass(frozen=True, slots=True)
class Held:
    """A table of the folder as a table of the connection."""

    layout: Layout
    table: str


class Inference:
    """The tables of one folder, read into a DuckDB of our own."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self.connection = connection
        self.tables: list[Held] = []
        self.draft = Draft()
        self.counts: dict[Labels, int] = {}
        self.nodes: dict[Labels, list[tuple[Profile, tuple[str, ...]]]] = {}
        self.edges: dict[tuple[str, Labels | None, Labels | None], list[Profile]] = {}

    def add(self, index: int, group: list[Path]) -> None:
        layout = files.layout(group, lambda table: columns_of(self.connection, table))
        table = quote(f"t{index}")
        self.connection.execute(f"CREATE TEMP TABLE {table} AS SELECT * FROM {layout.table}")
        self.tables.append(Held(layout, table))

    def schema(self, name: str) -> Schema:
        self.draft.name = name
        self._find_plain_edges()
        self._ids()
        for held in self.tables:
            if not held.layout.is_edges:
                self._nodes(held)
        for held in self.tables:
            if held.layout.is_edges:
                self._edges(held)
        for of, found in self.nodes.items():
            whole = combine([one for one, _ in found])
            keys = {key for _, key in found}
            self.counts[of] = whole.rows
            self.draft.node(NodeType(of, whole.properties, keys.pop() if len(keys) == 1 else (), count=whole.rows))
        for (type, source, target), parts in self.edges.items():
            whole = combine(parts)
            edge = EdgeType(type, source, target, _edge_properties(whole), count=whole.rows)
            self.draft.edge(replace(edge, degrees=degrees(whole.rows, edge, self.counts)))
        self.draft.guess("a property that takes few texts, many times each, is taken to take no other")
        return self.draft.schema(CLOSED, bare=(), bare_nodes=())

    def _find_plain_edges(self) -> None:
        """A table without an id of its own that has two columns called as ids are holds edges."""
        nodes = [held for held in self.tables if not held.layout.is_edges]
        names = {held.layout.name for held in nodes}
        for index, held in enumerate(self.tables):
            layout = held.layout
            if layout.marked or layout.is_edges or self._has_own_id(held, names - {layout.name}):
                continue
            found = files.ids(layout, names)
            if len(found) < 2:
                continue
            source, target = found[:2]
            self.draft.guess(
                f"{layout.name} has no id of its own: its columns {source} and {target} are read as the ends of edges"
            )
            kept = tuple(column for column in layout.columns if column.held not in (source, target))
            edges = replace(layout, id=None, source=source, target=target, columns=kept)
            self.tables[index] = replace(held, layout=edges)

    def _has_own_id(self, held: Held, others: set[str]) -> bool:
        """Whether its column of ids has each value once, and is not called after another table."""
        if held.layout.id is None or files.is_named_after(held.layout.id, others):
            return False
        column = quote(held.layout.id)
        row = self.connection.execute(f"SELECT count(*) = count(DISTINCT {column}) FROM {held.table}").fetchone()
        return bool(row and row[0])

    def _ids(self) -> None:
        """One table of all ids: id space, id as text, labels as text, the table that holds the node."""
        self.connection.execute("CREATE TEMP TABLE ids (space VARCHAR, id VARCHAR, labels VARCHAR[], owner VARCHAR)")
        for held in self.tables:
            layout = held.layout
            if layout.is_edges or layout.id is None:
                continue
            space = layout.spaces[0] if layout.marked else None
            self.connection.execute(
                f"INSERT INTO ids SELECT ?, {quote(layout.id)}::VARCHAR, {self._labels(layout)}, ? FROM {held.table}",
                [space, layout.name],
            )

    @staticmethod
    def _labels(layout: Layout) -> str:
        """SQL of the sorted labels of a row; a node without labels has an empty list."""
        if layout.label is None:
            return f"[{files.text(layout.name)}]"
        split = f"list_distinct(string_split(coalesce({quote(layout.label)}, ''), ';'))"
        return f"list_sort(list_filter(list_transform({split}, lambda l: trim(l)), lambda l: l <> ''))"

    def _nodes(self, held: Held) -> None:
        layout = held.layout
        if layout.label is None and layout.marked:
            self.draft.guess(f"{layout.name} has no column :LABEL: its nodes have the label {layout.name}")
        elif not layout.marked:
            self.draft.guess(f"{layout.name} is read as nodes with the label {layout.name}")
        groups = self.connection.execute(
            f"SELECT DISTINCT {self._labels(layout)} AS found FROM {held.table} ORDER BY found"
        ).fetchall()
        for (found,) in groups:
            of = labels(*found)
            view = f"(SELECT * FROM {held.table} WHERE {self._labels(layout)} = {_list(found)})"
            seen = self._profile(view, layout)
            self.nodes.setdefault(of, []).append((seen, self._key(layout, seen)))

    @staticmethod
    def _key(layout: Layout, seen: Profile) -> tuple[str, ...]:
        """The column of the id, where it is a property that no two nodes share."""
        named = [column.name for column in layout.columns if column.held == layout.id]
        return tuple(one.name for one in seen.properties if one.name in named and one.unique and not one.nullable)

    def _profile(self, table: str, layout: Layout) -> Profile:
        if not layout.columns:
            row = self.connection.execute(f"SELECT count(*) FROM {table}").fetchone()
            return Profile(int(row[0]) if row else 0, ())
        values = ", ".join(f"{column.value} AS {quote(column.name)}" for column in layout.columns)
        view = f"(SELECT {values} FROM {table})"
        seen = profile(self.connection, view, columns_of(self.connection, view))
        declared = {column.name: column.type for column in layout.columns if column.type}
        typed = (replace(one, type=declared.get(one.name, one.type)) for one in seen.properties)
        return Profile(seen.rows, tuple(one for one in typed if one.distinct))

    def _edges(self, held: Held) -> None:
        """The pairs of ends that the ids lead to, and for each of them what the columns hold."""
        layout = held.layout
        owners = (None, None) if layout.marked else (self._owner(layout, 1), self._owner(layout, 2))
        named = files.type_name(layout.name, *owners)
        if layout.type is None:
            self.draft.guess(f"the edges of {layout.name} have the type {named}")
        type = files.text(named) if layout.type is None else f"coalesce(e.{quote(layout.type)}, {files.text(named)})"
        joined = f"edges_{held.table[1:-1]}"
        self.connection.execute(
            f"CREATE TEMP TABLE {joined} AS "
            f"SELECT e.*, {type} AS {_TYPE}, s.labels AS {_SOURCE}, t.labels AS {_TARGET} FROM {held.table} e "
            f"{self._join('s', layout, 1, owners[0])} {self._join('t', layout, 2, owners[1])}"
        )
        groups = self.connection.execute(
            f"SELECT DISTINCT {_TYPE}, {_SOURCE}, {_TARGET} FROM {joined} ORDER BY ALL"
        ).fetchall()
        for name, source, target in groups:
            matches = (
                f"{_TYPE} = {files.text(name)} AND {_SOURCE} IS NOT DISTINCT FROM {_list(source)} "
                f"AND {_TARGET} IS NOT DISTINCT FROM {_list(target)}"
            )
            seen = self._profile(f"(SELECT * FROM {joined} WHERE {matches})", layout)
            self.edges.setdefault((name, _end(source), _end(target)), []).append(seen)
        self.connection.execute(f"DROP TABLE {joined}")

    @staticmethod
    def _join(alias: str, layout: Layout, end: int, owner: str | None) -> str:
        """The node at an end.  Ids of plain tables are told apart by the table that they most likely belong to."""
        column = f"e.{quote((layout.source, layout.target)[end - 1] or '')}::VARCHAR"
        if layout.marked:
            where = f"{alias}.space = {files.text(layout.spaces[end])}"
        else:
            where = f"{alias}.owner = {files.text(owner)}" if owner else "false"
        return f"LEFT JOIN ids {alias} ON {alias}.id = {column} AND {where}"

    def _owner(self, layout: Layout, end: int) -> str | None:
        """The table of nodes whose ids the column holds: the one that has all of them, by name if several have."""
        column = (layout.source, layout.target)[end - 1] or ""
        held = next(one for one in self.tables if one.layout is layout)
        rows = self.connection.execute(
            f"SELECT owner FROM (SELECT DISTINCT {quote(column)}::VARCHAR AS id FROM {held.table} "
            f"WHERE {quote(column)} IS NOT NULL) e JOIN ids USING (id) GROUP BY owner "
            f"HAVING count(DISTINCT id) = (SELECT count(DISTINCT {quote(column)}) FROM {held.table}) ORDER BY owner"
        ).fetchall()
        fitting = [row[0] for row in rows]
        if len(fitting) > 1:
            fitting = self._named(fitting, layout, column, end) or fitting
        if len(fitting) == 1:
            self.draft.guess(f"{layout.name}.{column} holds ids of {fitting[0]}")
            return str(fitting[0])
        what = f"of {', '.join(fitting)} alike" if fitting else "of no table of nodes"
        self.draft.guess(f"{layout.name}.{column} holds ids {what}: that end of the edges is unknown")
        return None

    @staticmethod
    def _named(fitting: list[str], layout: Layout, column: str, end: int) -> list[str]:
        """Those that the column is called after, else those that the file is: `person_knows_person`."""
        by_column = [name for name in fitting if files.is_named_after(column, [name])]
        if by_column:
            return by_column
        words = [word for word in layout.name.replace("-", "_").split("_") if word]
        edge = files.fold(words[0] if end == 1 else words[-1]) if len(words) > 2 else None
        return [name for name in fitting if files.fold(name) == edge]


def _end(found: list[str] | None) -> Labels | None:
    return None if found is None else labels(*found)


def _edge_properties(seen: Profile) -> tuple[PropertyType, ...]:
    return tuple(replace(one, unique=False) for one in seen.properties)


def _list(found: list[str] | None) -> str:
    return "NULL" if found is None else f"[{', '.join(files.text(one) for one in found)}]::VARCHAR[]"
