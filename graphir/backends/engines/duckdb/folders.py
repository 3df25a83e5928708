"""A folder of tables into the storage, by statements of SQL: no row passes through Python where its types are plain.

Nodes are numbered as they come.  An edge leads to the node that has its id in the id space of the header, or in the
table that the column belongs to; one that leads nowhere is a fault.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import duckdb

from graphir.backends.engines.duckdb import columns
from graphir.backends.engines.duckdb.columns import Held as HeldColumn
from graphir.backends.engines.duckdb.storage import Storage, Stored
from graphir.diagnostics import GraphirError
from graphir.loading.declarations import Declarations, Declared
from graphir.loading.faults import DANGLING, MALFORMED, MISTYPED, UNREADABLE, fault
from graphir.quoting import literal, quoted
from graphir.schema.infer import files
from graphir.schema.infer.files import Column
from graphir.schema.infer.statistics import columns_of
from graphir.schema.infer.tables import ROW, Ends, Held, Tables
from graphir.schema.model import DataType

_LINE, _TYPE, _SRC, _DST = (quoted(f"graphir:{name}") for name in ("line", "type", "src", "dst"))

_CAST = "TRY_CAST("
_TEMPORAL = {
    "DATE": "DATE",
    "TIME": "LOCAL TIME",
    "TIMESTAMP": "LOCAL DATETIME",
    "TIMESTAMP WITH TIME ZONE": "ZONED DATETIME",
}
"""Types of DuckDB in headers of neo4j-admin, as types of a property."""
_WORDS = {
    **{"BIGINT": "INTEGER", "DOUBLE": "FLOAT", "BOOLEAN": "BOOLEAN"},
    **{"BIGINT[]": "LIST<INTEGER>", "DOUBLE[]": "LIST<FLOAT>", "BOOLEAN[]": "LIST<BOOLEAN>"},
}


def load(storage: Storage, path: Path, declarations: Declarations) -> tuple[str, ...]:
    """Add the graph in the tables; gives what was guessed.

    UsageFault: G660 for what cannot be read, G661 for a value that is not of its type, G662 for an id that is there
    twice, G663 for an edge without an end.
    """
    guesses: list[str] = []
    with _faults(path):
        tables = Tables(storage.connection, guesses.append, declarations.end)
        tables.read(files.find(path, (*files.SUFFIXES, *files.LINES)), declarations.texts)
        tables.find_plain_edges()
        tables.read_ids()
        _Load(storage, tables, declarations).run()
        for name in (*[held.table for held in tables.held], "ids"):
            storage.connection.execute(f"DROP TABLE {name}")
    return tuple(dict.fromkeys(guesses))


@contextmanager
def _faults(path: Path) -> Iterator[None]:
    try:
        yield
    except GraphirError as error:
        first = error.diagnostics[0]
        if first.code != "G082":
            raise
        raise fault(UNREADABLE, first.message) from None
    except duckdb.Error as error:
        told = " ".join(line.strip() for line in str(error).splitlines()[:3] if line.strip())
        if "sniffing file" in told:
            file = Path(told.partition('"')[2].partition('"')[0]).name
            told = f"{file} is no CSV: not all rows have as many cells as the header, or a quote is not closed"
        raise fault(UNREADABLE, told, path) from None


@dataclass(frozen=True, slots=True)
class _Value:
    """A property of a table: its key and how it lies in a column of it."""

    key: str
    column: HeldColumn


class _Load:
    def __init__(self, storage: Storage, tables: Tables, declarations: Declarations) -> None:
        self.storage = storage
        self.connection = storage.connection
        self.tables = tables
        self.declarations = declarations
        self.kept: list[str] = []
        """Tables of values, until the rows are in."""
        self.first: dict[str, int] = {}
        """Table of nodes -> the id of its first row."""

    def run(self) -> None:
        nodes = [held for held in self.tables.held if not held.layout.is_edges]
        for held in nodes:
            self.first[held.table] = self.storage.next_node
            self.storage.next_node += self._count(held.table)
        self._unique()
        for held in nodes:
            self._nodes(held)
        for held in self.tables.held:
            if held.layout.is_edges:
                self._edges(held)
        self.storage.written()

    def _count(self, table: str) -> int:
        [(count,)] = self.connection.execute(f"SELECT count(*) FROM {table}").fetchall()
        return int(count)

    # -------------------------------------------------------------- nodes

    def _unique(self) -> None:
        """Ids are there once in their space, and every node of a marked table has one."""
        twice = self.connection.execute(
            "SELECT id, max(place), max(line), max(space) FROM ids WHERE id IS NOT NULL "
            "GROUP BY id, coalesce(space, owner), space IS NULL HAVING count(*) > 1 ORDER BY ALL LIMIT 1"
        ).fetchone()
        if twice:
            of = f" of {twice[3]}" if twice[3] else ""
            raise self._fault(self._held(twice[1]), twice[2], MALFORMED, f"the id {twice[0]}{of} is there twice")
        missing = self.connection.execute(
            "SELECT place, line FROM ids WHERE id IS NULL ORDER BY ALL LIMIT 1"
        ).fetchone()
        if missing:
            raise self._fault(self._held(missing[0]), missing[1], MALFORMED, "the node has no id")

    def _held(self, table: str) -> Held:
        return next(held for held in self.tables.held if held.table == table)

    def _nodes(self, held: Held) -> None:
        layout = held.layout
        if layout.label is None:
            self.tables.guess(f"{layout.name} is read as nodes with the label {layout.name}")
        of = self.tables.labels(layout)
        groups = self.connection.execute(f"SELECT DISTINCT {of} AS found FROM {held.table} ORDER BY found").fetchall()
        for (labels,) in groups or [([] if layout.label else [layout.name],)]:
            values = self._values(held, held.table, self.declarations.of_node(labels))
            where = f"{of} = {_list(labels)}"
            fixed = {"id": f"{self.first[held.table]} + t.{ROW}"}
            self._insert(self.storage.node_table(labels), f"{held.table} t", where, fixed, values)
            self._drop_kept()

    # -------------------------------------------------------------- edges

    def _edges(self, held: Held) -> None:
        ends = self.tables.ends(held)
        self._known(held, ends)
        type_ = self.tables.type(held, ends)
        starts = " ".join(f"WHEN {literal(table)} THEN {first}" for table, first in self.first.items())
        at = {name: f"CASE {name}.place {starts} END + {name}.line" for name in ("s", "d")}
        joined = quoted(f"edges of {held.table[1:-1]}")
        self.connection.execute(
            f"CREATE TEMP TABLE {joined} AS SELECT e.{ROW} AS {_LINE}, {type_} AS {_TYPE}, {at['s']} AS {_SRC}, "
            f"{at['d']} AS {_DST} "
            f"FROM {held.table} e {ends.join('s', 1)} {ends.join('d', 2)} ORDER BY e.{ROW}"
        )
        for end, column in ((1, _SRC), (2, _DST)):
            self._no_dangling(held, ends, end, joined, column)
        groups = self.connection.execute(f"SELECT DISTINCT {_TYPE} FROM {joined} ORDER BY ALL").fetchall()
        for (name,) in groups:
            values = self._values(held, held.table, self.declarations.of_edge(name))
            source = f"{joined} j JOIN {held.table} t ON t.{ROW} = j.{_LINE}"
            fixed = {"id": f"{self.storage.next_edge} + j.{_LINE}", "src": f"j.{_SRC}", "dst": f"j.{_DST}"}
            self._insert(self.storage.edge_table(name), source, f"j.{_TYPE} = {literal(name)}", fixed, values)
            self._drop_kept()
        self.storage.next_edge += self._count(held.table)
        self.connection.execute(f"DROP TABLE {joined}")

    def _known(self, held: Held, ends: Ends) -> None:
        """The ends of plain tables belong to one table of nodes each."""
        if ends.layout.marked:
            return
        for end, owner in ((1, ends.source), (2, ends.target)):
            if owner is not None:
                continue
            lost = self.connection.execute(
                f"SELECT e.{ROW}, {ends.column(end)} FROM {held.table} e "
                f"WHERE {ends.column(end)} NOT IN (SELECT id FROM ids) ORDER BY e.{ROW} LIMIT 1"
            ).fetchone()
            column = (held.layout.source, held.layout.target)[end - 1]
            if lost:
                raise self._fault(held, lost[0], DANGLING, f"{column} is {lost[1]}, which is the id of no node")
            told = (
                f"the ids in {column} may be those of several tables of nodes; a file called like "
                f"`person_{held.layout.name}_city`, a header with :START_ID(person) and :END_ID(city), "
                "or a schema tells which"
            )
            raise self._fault(held, None, DANGLING, told)

    def _no_dangling(self, held: Held, ends: Ends, end: int, joined: str, column: str) -> None:
        lost = self.connection.execute(
            f"SELECT e.{ROW}, {ends.column(end)} FROM {held.table} e JOIN {joined} j ON j.{_LINE} = e.{ROW} "
            f"WHERE j.{column} IS NULL ORDER BY e.{ROW} LIMIT 1"
        ).fetchone()
        if not lost:
            return
        which = "start" if end == 1 else "end"
        if lost[1] is None:
            raise self._fault(held, lost[0], DANGLING, f"the edge has no {which}")
        space = held.layout.spaces[end]
        of = f" of {space}" if space else ""
        raise self._fault(
            held, lost[0], DANGLING, f"the edge has its {which} at {lost[1]}, which is the id of no node{of}"
        )

    # -------------------------------------------------------------- properties

    def _values(self, held: Held, table: str, declared: Declared) -> list[_Value]:
        """The properties of a table, in columns as the storage has them."""
        layout = held.layout
        if not layout.columns:
            return []
        sources = [(column, *_source(column)) for column in layout.columns]
        listed = ", ".join(f"{made} AS {quoted(column.name)}" for column, made, _ in sources)
        words = columns_of(self.connection, f"(SELECT {listed} FROM {table})").values()
        values = []
        for (column, made, type_), word in zip(sources, words, strict=True):
            self._fits(held, column, made)
            try:
                found = columns.hold(self.connection, table, made, word, declared(column.name) or type_)
            except columns.Mistyped as error:
                told = f"{column.name} is {error.shown}, which is no {error.expected}"
                raise self._fault(held, error.row, MISTYPED, told) from None
            if found is not None:
                values.append(_Value(column.name, found))
        return values

    def _fits(self, held: Held, column: Column, made: str) -> None:
        """Where the header says a type that SQL has, every value is of it."""
        if not made.startswith(_CAST):
            return
        inner, _, word = made.removeprefix(_CAST).removesuffix(")").rpartition(" AS ")
        fits = columns.reads(inner, word)
        if word.endswith("[]"):
            fits = f"list_bool_and(list_transform({inner}, lambda x: {columns.reads('x', word[:-2])}))"
        lost = self.connection.execute(
            f"SELECT {ROW}, {quoted(column.held)} FROM {held.table} WHERE {inner} IS NOT NULL AND NOT ({fits}) "
            f"ORDER BY {ROW} LIMIT 1"
        ).fetchone()
        if lost:
            raise self._fault(held, lost[0], MISTYPED, f"{column.name} is {lost[1]}, which is no {_WORDS[word]}")

    def _insert(self, into: Stored, source: str, where: str, fixed: dict[str, str], values: list[_Value]) -> None:
        """Add the rows; a column that is there already may want another representation."""
        names, listed, joins = list(fixed), list(fixed.values()), []
        for at, value in enumerate(values):
            target = self.storage.column(into, value.key, value.column.rep)
            held = columns.aligned(self.connection, value.column, target.rep)
            names.append(quoted(target.name))
            if held.kept is None:
                listed.append(held.sql)
            else:
                self.kept.append(held.kept)
                joins.append(f"LEFT JOIN {held.kept} v{at} ON v{at}.{ROW} = t.{ROW}")
                listed.append(f"v{at}.{columns.VALUE}")
        self.connection.execute(
            f"INSERT INTO {quoted(into.name)} ({', '.join(names)}) SELECT {', '.join(listed)} "
            f"FROM {source} {' '.join(joins)} WHERE {where} ORDER BY t.{ROW}"
        )

    def _drop_kept(self) -> None:
        for name in dict.fromkeys(self.kept):
            self.connection.execute(f"DROP TABLE {name}")
        self.kept.clear()

    def _fault(self, held: Held, row: int | None, code: str, message: str) -> GraphirError:
        """A fault with its file and, where the table is one file of lines, its line."""
        if row is None:
            return fault(code, message, held.files[0].name)
        file, *others = held.files
        if others:
            return fault(code, f"row {row + 1}: {message}", held.layout.name)
        header = 0 if file.suffix.lower() in files.LINES else 1
        if file.suffix.lower() == ".parquet":
            return fault(code, f"row {row + 1}: {message}", file.name)
        return fault(code, message, file.name, row + 1 + header)


def _source(column: Column) -> tuple[str, DataType | None]:
    """The SQL of the values of a column, and their type where it is known: temporal values stay text, to be exact."""
    inner, _, word = column.value.removeprefix(_CAST).removesuffix(")").rpartition(" AS ")
    name = _TEMPORAL.get(word.removesuffix("[]"))
    if not column.value.startswith(_CAST) or name is None:
        return column.value, column.type
    return inner, DataType("LIST", DataType(name)) if word.endswith("[]") else DataType(name)


def _list(labels: Sequence[str]) -> str:
    return f"[{', '.join(literal(label) for label in labels)}]::VARCHAR[]"
