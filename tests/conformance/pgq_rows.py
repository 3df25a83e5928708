"""Rows of PostgreSQL's and DuckPGQ's regression tests on the embedded engine, over graphs made by their setup.

The tables of a setup are made and filled by plain DuckDB; the property graph over them, as the checks hold it
(`Catalogs`), says which rows are nodes and edges.  A row is `right`, `wrong`, `refused` (with a code) or `unloaded`,
where DuckDB does not take the setup.
"""

from __future__ import annotations

import datetime
import decimal
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import duckdb

import graphir
from graphir import Edge, Node, PropertyGraph, ir
from graphir.grammar import readers
from graphir.passes.vendors.catalog import Catalog, Element, Graph, Path
from graphir.quoting import quoted
from graphir.values import Date
from graphir.values.entities import Definition
from tests.conformance.pgq_cases import Catalogs, cases, needs_files

Cell = Any
_GRAPHS = ("property graph", "graph_table (", "graph_table(")
_OF_ROWS = (
    *("create table", "create or replace table", "insert", "drop table", "alter table"),
    *("create schema", "create view", "set search"),
)
_CHILD = re.compile(r"create table (\w+) (?:\(\) inherits \((\w+)\)|partition of (\w+)\b)", re.IGNORECASE)
_PARTITIONED = re.compile(r"\s+partition by list\s*\(\w+\)\s*$", re.IGNORECASE)
_INSERT = re.compile(r"(insert into )(\w+)", re.IGNORECASE)
_ACCESS = ("row level", "inherit", "attach partition", "owner to")


@dataclass(frozen=True)
class Outcome:
    """What came of a row: a word, and what is to be said about it."""

    verdict: str
    told: str = ""


class Unloaded(Exception):
    """DuckDB does not take a statement of the setup."""


@dataclass
class Tables:
    """The tables of a setup in DuckDB, filled as far as its statements go on from those before."""

    texts: list[str] = field(default_factory=list)
    session: duckdb.DuckDBPyConnection = field(default_factory=duckdb.connect)
    broken: str | None = None
    parents: dict[str, str] = field(default_factory=dict)
    """Partition, or table that inherits -> the table that has its rows too: they are put there."""

    def after(self, texts: Sequence[str]) -> duckdb.DuckDBPyConnection:
        """The session after some statements.  Raises Unloaded."""
        if list(texts[: len(self.texts)]) != self.texts:
            self.session.close()
            self.texts, self.session, self.broken = [], duckdb.connect(), None
            self.parents = {}
        for text in texts[len(self.texts) :]:
            self._run(text)
        self.texts = list(texts)
        if self.broken is not None:
            raise Unloaded(self.broken)
        return self.session

    def _run(self, text: str) -> None:
        words = " ".join(text.split()).lower()
        if any(each in words for each in _GRAPHS) or not words.startswith(_OF_ROWS):
            return
        if words.startswith("alter table") and any(each in words for each in _ACCESS):
            if "level" not in words and "owner" not in words:
                self.broken = text
            return
        try:
            self.session.execute(self._plain(text))
        except duckdb.Error as error:
            self.broken = f"{text}: {error}"

    def _plain(self, text: str) -> str:
        """The statement without partitions and heirs, which DuckDB does not have."""
        child = _CHILD.match(text)
        if child is not None:
            self.parents[child[1]] = child[2] or child[3]
            return ""
        inserted = _INSERT.match(text)
        if inserted is not None and inserted[2] in self.parents:
            return inserted[1] + self.parents[inserted[2]] + text[inserted.end() :]
        return text[: found.start()] if (found := _PARTITIONED.search(text)) else text


class Maker:
    """A property graph as the catalog holds it, and the rows under it, as a graph of values."""

    def __init__(self, session: duckdb.DuckDBPyConnection, graph: Graph) -> None:
        self.session = session
        self.graph = graph
        self.nodes: list[Node] = []
        self.rows: dict[str, list[tuple[int, dict[str, Cell]]]] = {}
        """By the name of an element, the ids of its nodes and the rows that they come from."""

    def make(self) -> PropertyGraph:
        for element in self.graph.of_kind("node"):
            kept = self.rows[element.name] = []
            for row, properties in self._elements(element):
                kept.append((len(self.nodes), row))
                own = labels(element) + sublabels(element, row)
                self.nodes.append(Node(len(self.nodes), own, properties, definition(element)))
        edges: list[Edge] = []
        for element in self.graph.of_kind("edge"):
            edges += self._edges(element, len(edges))
        return PropertyGraph(tuple(self.nodes), tuple(edges))

    def _edges(self, element: Element, first: int) -> list[Edge]:
        found: list[Edge] = []
        own = labels(element)
        for row, properties in self._elements(element):
            for start in self._ends(element.source, row):
                for end in self._ends(element.target, row):
                    more = own if len(own) > 1 else ()
                    label = next(iter(own))
                    made = Edge(first + len(found), label, start, end, properties, more, definition(element))
                    found.append(made)
        return found

    def _ends(self, end: Any, row: Mapping[str, Cell]) -> list[int]:
        if end is None or not end.columns or not end.referred:
            raise Unloaded("the columns of an end are not known")
        wanted = [row[name] for name in end.columns]
        if None in wanted:
            return []
        return [key for key, node in self.rows[end.element] if [node[name] for name in end.referred] == wanted]

    def _elements(self, element: Element) -> Iterator[tuple[dict[str, Cell], dict[str, Cell]]]:
        """The rows of a table, by the names of its columns in lower case, and their properties."""
        exposed = {name: each for label in element.labels.values() for name, each in (label.properties or {}).items()}
        if any(label.properties is None for label in element.labels.values()):
            exposed = {}
        computed = [f"({each.written}) AS {quoted(name)}" for name, each in exposed.items() if each.column is None]
        listed = ", ".join(["*", *computed])
        table = ".".join(quoted(part) for part in self._path(element.table))
        try:
            cursor = self.session.execute(f"SELECT {listed} FROM {table}")
        except duckdb.Error as error:
            raise Unloaded(str(error)) from None
        names = [each[0] for each in cursor.description or ()]
        width = len(names) - len(computed)
        for values in cursor.fetchall():
            row = {name.lower(): value for name, value in zip(names[:width], values, strict=False)}
            own = dict(zip(names[width:], values[width:], strict=True))
            if not exposed:
                found = dict(row)
            else:
                found = {name: row[each.column] for name, each in exposed.items() if each.column is not None} | own
            yield row, {name: value_of(value) for name, value in found.items() if value is not None}

    def _path(self, path: Path) -> Path:
        return ("main" if path[0] in ("public", "pg_temp") else path[0], path[1])


def value_of(cell: Cell) -> Cell:
    """A cell of DuckDB as a value of a graph."""
    match cell:
        case datetime.date():
            return Date.of(cell.year, cell.month, cell.day)
        case decimal.Decimal():
            return int(cell) if cell == cell.to_integral_value() else float(cell)
    return cell


def labels(element: Element) -> tuple[str, ...]:
    return tuple(element.labels)


def sublabels(element: Element, row: Mapping[str, Cell]) -> tuple[str, ...]:
    """Those whose bit is set in the mask."""
    bits = int(row[element.mask] or 0) if element.mask else 0
    return tuple(name for at, name in enumerate(element.sublabels) if bits >> at & 1)


def definition(element: Element) -> Definition:
    names = {name for label in element.labels.values() for name in label.properties or ()}
    return Definition(element.name, tuple(sorted(names)))


# ------------------------------------------------------------------ what comes of a row


def asked(dialect: str) -> Iterator[dict[str, Any]]:
    """The queries that the database takes and whose rows are known."""
    for row in cases(dialect):
        if row["kind"] == "graph_table" and row["ok"] and row["rows"] is not None and not needs_files(row):
            yield row


class Runs:
    """Rows one after the other; what the setups share is made once."""

    def __init__(self, dialect: str) -> None:
        self.dialect = dialect
        self.catalogs = Catalogs(dialect)
        self.tables = Tables()
        self.made: dict[tuple[int, Path], PropertyGraph] = {}

    def outcome(self, row: Mapping[str, Any]) -> Outcome:
        """What the embedded engine makes of a row."""
        try:
            catalog = self.catalogs.after(row["setup_sql"])
            graph = graph_of(row["query"], self.dialect, catalog)
            made = Maker(self.tables.after(row["setup_sql"]), graph).make()
        except Unloaded as fault:
            return Outcome("unloaded", str(fault))
        except graphir.GraphirError as fault:
            return Outcome("refused", str(fault))
        with graphir.connect("duckdb") as session:
            session.load(made)
            try:
                result = session.run(row["query"], dialect=self.dialect)
            except graphir.GraphirError as fault:
                return Outcome("refused", str(fault))
        given = [[text_of(value) for value in each] for each in result.rows]
        if agree(given, row["rows"], ordered="order by" in row["query"].lower() and row.get("sort") != "rowsort"):
            return Outcome("right")
        return Outcome("wrong", f"{given[:6]} not {row['rows'][:6]}")


def graph_of(text: str, dialect: str, catalog: Catalog) -> Graph:
    """The one graph that a query asks."""
    query = readers.reader(dialect).parse(text, dialect)
    names = {each.graph.name for each in ir.walk(query) if isinstance(each, ir.GraphTable)}
    if len(names) != 1:
        raise Unloaded("the query asks several graphs, or none")
    name = tuple(str(part).lower() for part in names.pop())
    graph = catalog.graph(name)
    if graph is None:
        raise Unloaded(f"there is no graph {name}")
    return graph


def text_of(value: Cell) -> str | None:
    """A value as the files have it."""
    match value:
        case None:
            return None
        case Node() | Edge():
            return "{" + ", ".join(f"'{key}': {text_of(each)}" for key, each in value.properties.items()) + "}"
        case bool():
            return "t" if value else "f"
        case float():
            return repr(int(value)) if value == int(value) else repr(value)
        case list() | tuple():
            return "[" + ", ".join(text_of(each) or "NULL" for each in value) + "]"
    return str(value)


def agree(given: Iterable[Sequence[Cell]], wanted: Iterable[Sequence[Cell]], *, ordered: bool) -> bool:
    """Whether rows are the same, in any order unless the query sorts them."""
    one = [[same(cell) for cell in row] for row in given]
    other = [[same(cell) for cell in row] for row in wanted]
    return one == other or (not ordered and sorted(one, key=repr) == sorted(other, key=repr))


def same(cell: Cell) -> Cell:
    """A cell without the differences of spelling between the files and DuckDB."""
    if cell is None or not isinstance(cell, str):
        return cell if cell is None else same(text_of(cell))
    if cell in ("true", "false"):
        return cell[0]
    if cell[:2] == "{'":
        return sorted(cell[1:-1].lower().split(", "))
    try:
        number = float(cell)
    except ValueError:
        return cell
    return number
