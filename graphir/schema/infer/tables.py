"""The tables of a folder, read into a connection of DuckDB: which hold nodes, which hold edges, what connects what."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable
from dataclasses import dataclass, replace
from pathlib import Path

import duckdb

from graphir.quoting import literal, quoted
from graphir.schema.infer import files
from graphir.schema.infer.faults import unreadable
from graphir.schema.infer.files import Layout
from graphir.schema.infer.statistics import columns_of

ROW = quoted("graphir:row")
"""The column with the number of a row, from 0; DuckDB's own are not these while a transaction is under way."""


@dataclass(frozen=True, slots=True)
class Held:
    """A table of the folder as a table of the connection."""

    layout: Layout
    table: str
    files: tuple[Path, ...]


@dataclass(frozen=True, slots=True)
class Ends:
    """The tables of the nodes at the two ends of the edges of a table; None: the ids tell, or nothing does."""

    layout: Layout
    source: str | None
    target: str | None

    def column(self, end: int) -> str:
        """SQL of the id at an end (1 or 2) of a row `e`, as text."""
        return f"e.{quoted((self.layout.source, self.layout.target)[end - 1] or '')}::VARCHAR"

    def join(self, alias: str, end: int) -> str:
        """The node at an end.  Ids of plain tables are told apart by the table that they most likely belong to."""
        owner = (self.source, self.target)[end - 1]
        if self.layout.marked:
            where = f"{alias}.space = {literal(self.layout.spaces[end])}"
        else:
            where = f"{alias}.owner = {literal(owner)}" if owner else "false"
        return f"LEFT JOIN ids {alias} ON {alias}.id = {self.column(end)} AND {where}"


class Tables:
    """The tables of one folder as temporary tables; `guess` is told what had to be assumed.

    `end` gives the table of nodes at an end (1 or 2) of a table of edges, where that is known already.
    """

    def __init__(
        self,
        connection: duckdb.DuckDBPyConnection,
        guess: Callable[[str], None],
        end: Callable[[str, int], str | None] = lambda name, end: None,
    ) -> None:
        self.connection = connection
        self.guess = guess
        self.end = end
        self.held: list[Held] = []

    def read(self, groups: Iterable[list[Path]], texts: Callable[[str], Collection[str]] = lambda _: ()) -> None:
        """Read the tables; a group of files is one.  `texts` gives the columns of a table that are certainly text."""
        for index, group in enumerate(groups):
            layout = files.layout(group, lambda table: columns_of(self.connection, table), texts)
            if reserved := [name for name in layout.header if name.casefold().startswith("graphir:")]:
                raise unreadable(f"{group[0]} has a column {reserved[0]}: such names are kept for graphir")
            table = quoted(f"t{index}")
            self.connection.execute(
                f"CREATE TEMP TABLE {table} AS SELECT *, row_number() OVER () - 1 AS {ROW} FROM {layout.table}"
            )
            self.held.append(Held(layout, table, tuple(group)))

    def find_plain_edges(self) -> None:
        """A table without an id of its own that has two columns called as ids are holds edges."""
        nodes = [held for held in self.held if not held.layout.is_edges]
        names = {held.layout.name for held in nodes}
        for index, held in enumerate(self.held):
            layout = held.layout
            if layout.marked or layout.is_edges or self._has_own_id(held, names - {layout.name}):
                continue
            found = files.ids(layout, names)
            if len(found) < 2:
                continue
            source, target = found[:2]
            self.guess(
                f"{layout.name} has no id of its own: its columns {source} and {target} are read as the ends of edges"
            )
            kept = tuple(column for column in layout.columns if column.held not in (source, target))
            edges = replace(layout, id=None, source=source, target=target, columns=kept)
            self.held[index] = replace(held, layout=edges)

    def _has_own_id(self, held: Held, others: set[str]) -> bool:
        """Whether its column of ids has each value once, and is not called after another table."""
        if held.layout.id is None or files.is_named_after(held.layout.id, others):
            return False
        column = quoted(held.layout.id)
        row = self.connection.execute(f"SELECT count(*) = count(DISTINCT {column}) FROM {held.table}").fetchone()
        return bool(row and row[0])

    def read_ids(self) -> None:
        """One table of all ids: id space, id as text, labels as text, the table and the row that hold the node."""
        self.connection.execute(
            "CREATE TEMP TABLE ids "
            "(space VARCHAR, id VARCHAR, labels VARCHAR[], owner VARCHAR, place VARCHAR, line BIGINT)"
        )
        for held in self.held:
            layout = held.layout
            if layout.is_edges or layout.id is None:
                continue
            space = layout.spaces[0] if layout.marked else None
            self.connection.execute(
                f"INSERT INTO ids SELECT ?, {quoted(layout.id)}::VARCHAR, {self.labels(layout)}, ?, ?, {ROW} "
                f"FROM {held.table}",
                [space, layout.name, held.table],
            )

    @staticmethod
    def labels(layout: Layout) -> str:
        """SQL of the sorted labels of a row; a node without labels has an empty list."""
        if layout.label is None:
            return f"[{literal(layout.name)}]"
        split = f"list_distinct(string_split(coalesce({quoted(layout.label)}, ''), ';'))"
        return f"list_sort(list_filter(list_transform({split}, lambda l: trim(l)), lambda l: l <> ''))"

    def ends(self, held: Held) -> Ends:
        """Where the edges of a table run."""
        layout = held.layout
        return Ends(layout, *((None, None) if layout.marked else (self.owner(layout, 1), self.owner(layout, 2))))

    def type(self, held: Held, ends: Ends) -> str:
        """SQL of the type of a row `e`."""
        layout = held.layout
        named = files.type_name(layout.name, ends.source, ends.target)
        if layout.type is not None:
            return f"coalesce(e.{quoted(layout.type)}, {literal(named)})"
        self.guess(f"the edges of {layout.name} have the type {named}")
        return literal(named)

    def owner(self, layout: Layout, end: int) -> str | None:
        """The table of nodes whose ids the column holds: the one that has all of them, by name if several have."""
        column = (layout.source, layout.target)[end - 1] or ""
        held = next(one for one in self.held if one.layout is layout)
        rows = self.connection.execute(
            f"SELECT owner FROM (SELECT DISTINCT {quoted(column)}::VARCHAR AS id FROM {held.table} "
            f"WHERE {quoted(column)} IS NOT NULL) e JOIN ids USING (id) GROUP BY owner "
            f"HAVING count(DISTINCT id) = (SELECT count(DISTINCT {quoted(column)}) FROM {held.table}) ORDER BY owner"
        ).fetchall()
        fitting = [row[0] for row in rows]
        if (known := self.end(layout.name, end)) in fitting:
            return known
        if len(fitting) > 1:
            fitting = self._named(fitting, layout, column, end) or fitting
        if len(fitting) == 1:
            self.guess(f"{layout.name}.{column} holds ids of {fitting[0]}")
            return str(fitting[0])
        what = f"of {', '.join(fitting)} alike" if fitting else "of no table of nodes"
        self.guess(f"{layout.name}.{column} holds ids {what}: that end of the edges is unknown")
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
