"""The schema of a folder of tables: which are nodes and which edges, what connects what, and what the columns hold."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import duckdb

from graphir.quoting import literal, quoted
from graphir.schema.draft import Draft
from graphir.schema.infer import files
from graphir.schema.infer.database import degrees
from graphir.schema.infer.faults import unreadable
from graphir.schema.infer.files import Layout
from graphir.schema.infer.statistics import Profile, columns_of, combine, profile
from graphir.schema.infer.tables import Held, Tables
from graphir.schema.model import CLOSED, EdgeType, Labels, NodeType, PropertyType, Schema, labels


def infer(path: Path) -> Schema:
    """See `graphir.schema.infer.from_folder`; the path may be of one file."""
    if not path.exists():
        raise unreadable(f"there is no file {path}")
    with duckdb.connect() as connection, _faults(path):
        inference = Inference(connection)
        inference.tables.read(files.find(path))
        return inference.schema(path.stem)


_TYPE, _SOURCE, _TARGET = (quoted(f"graphir:{part}") for part in ("type", "source", "target"))


@contextmanager
def _faults(path: Path) -> Iterator[None]:
    """What DuckDB cannot read is a fault of the files."""
    try:
        yield
    except duckdb.Error as fault:
        raise unreadable(f"a file of {path} cannot be read: {str(fault).splitlines()[0]}") from None


class Inference:
    """The tables of one folder, read into a DuckDB of our own."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self.connection = connection
        self.draft = Draft()
        self.tables = Tables(connection, self.draft.guess)
        self.counts: dict[Labels, int] = {}
        self.nodes: dict[Labels, list[tuple[Profile, tuple[str, ...]]]] = {}
        self.edges: dict[tuple[str, Labels | None, Labels | None], list[Profile]] = {}

    def schema(self, name: str) -> Schema:
        self.draft.name = name
        self.tables.find_plain_edges()
        self.tables.read_ids()
        for held in self.tables.held:
            if not held.layout.is_edges:
                self._nodes(held)
        for held in self.tables.held:
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

    def _nodes(self, held: Held) -> None:
        layout = held.layout
        if layout.label is None and layout.marked:
            self.draft.guess(f"{layout.name} has no column :LABEL: its nodes have the label {layout.name}")
        elif not layout.marked:
            self.draft.guess(f"{layout.name} is read as nodes with the label {layout.name}")
        groups = self.connection.execute(
            f"SELECT DISTINCT {self.tables.labels(layout)} AS found FROM {held.table} ORDER BY found"
        ).fetchall()
        for (found,) in groups:
            of = labels(*found)
            view = f"(SELECT * FROM {held.table} WHERE {self.tables.labels(layout)} = {_list(found)})"
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
        values = ", ".join(f"{column.value} AS {quoted(column.name)}" for column in layout.columns)
        view = f"(SELECT {values} FROM {table})"
        seen = profile(self.connection, view, columns_of(self.connection, view))
        declared = {column.name: column.type for column in layout.columns if column.type}
        typed = (replace(one, type=declared.get(one.name, one.type)) for one in seen.properties)
        return Profile(seen.rows, tuple(one for one in typed if one.distinct))

    def _edges(self, held: Held) -> None:
        """The pairs of ends that the ids lead to, and for each of them what the columns hold."""
        layout = held.layout
        ends = self.tables.ends(held)
        type = self.tables.type(held, ends)
        joined = f"edges_{held.table[1:-1]}"
        self.connection.execute(
            f"CREATE TEMP TABLE {joined} AS "
            f"SELECT e.*, {type} AS {_TYPE}, s.labels AS {_SOURCE}, t.labels AS {_TARGET} FROM {held.table} e "
            f"{ends.join('s', 1)} {ends.join('t', 2)}"
        )
        groups = self.connection.execute(
            f"SELECT DISTINCT {_TYPE}, {_SOURCE}, {_TARGET} FROM {joined} ORDER BY ALL"
        ).fetchall()
        for name, source, target in groups:
            matches = (
                f"{_TYPE} = {literal(name)} AND {_SOURCE} IS NOT DISTINCT FROM {_list(source)} "
                f"AND {_TARGET} IS NOT DISTINCT FROM {_list(target)}"
            )
            seen = self._profile(f"(SELECT * FROM {joined} WHERE {matches})", layout)
            self.edges.setdefault((name, _end(source), _end(target)), []).append(seen)
        self.connection.execute(f"DROP TABLE {joined}")


def _end(found: list[str] | None) -> Labels | None:
    return None if found is None else labels(*found)


def _edge_properties(seen: Profile) -> tuple[PropertyType, ...]:
    return tuple(replace(one, unique=False) for one in seen.properties)


def _list(found: list[str] | None) -> str:
    return "NULL" if found is None else f"[{', '.join(literal(one) for one in found)}]::VARCHAR[]"
