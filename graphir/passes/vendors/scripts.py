"""A catalog from the statements that made a database: tables, views, schemas and property graphs, in order.

What is no such statement is passed over.  Tables that come from elsewhere (files, other databases) leave the catalog
open: nothing is missing from it.
"""

from __future__ import annotations

from collections.abc import Iterable

from graphir.diagnostics import Diagnostic
from graphir.passes.vendors import statements
from graphir.passes.vendors.catalog import TEMPORARY, Catalog, Path, Reference, Table, Typed
from graphir.passes.vendors.definitions import Definitions
from graphir.passes.vendors.findings import Findings
from graphir.passes.vendors.rules import DEFINITIONS
from graphir.passes.vendors.types import name_of
from graphir.passes.vendors.vendors import Vendor
from graphir.schema.ddl import tables as ddl
from graphir.schema.ddl.targets import TARGETS
from graphir.schema.ddl.tokens import Cursor, Token, scan
from graphir.source import Source

_ELSEWHERE = ("ATTACH", "IMPORT", "PRAGMA", "USE", "LOAD")
"""Statements that bring tables of which nothing is said."""


def empty(vendor: Vendor) -> Catalog:
    """The catalog of a database in which nothing is."""
    return Catalog(closed=True, current=vendor.schema, home=vendor.schema)


def catalog_of(texts: Iterable[str], vendor: Vendor) -> Catalog:
    """The catalog after some statements.  Raises SyntaxFault (G085) for a definition that does not parse."""
    catalog = empty(vendor)
    for text in texts:
        apply(text, catalog, vendor)
    return catalog


def apply(text: str, catalog: Catalog, vendor: Vendor) -> list[Diagnostic]:
    """Change a catalog as a script says, and tell what is wrong with its statements on property graphs.

    Raises SyntaxFault (G085).
    """
    target = TARGETS[vendor.format]
    cursor = Cursor(text, scan(text, target.lexis))
    findings = Findings(Source(text), vendor, DEFINITIONS)
    reader = _Reader(cursor, catalog, vendor)
    while not cursor.done:
        if cursor.token.text in (";", "/"):
            cursor.advance()
            continue
        statement = statements.read(cursor, target)
        if statement is not None:
            Definitions(cursor, catalog, findings).define(statement)
        else:
            reader.read()
    return findings.found


class _Reader:
    """Statements on tables, views and schemas."""

    def __init__(self, cursor: Cursor, catalog: Catalog, vendor: Vendor) -> None:
        self.cursor = cursor
        self.catalog = catalog
        self.vendor = vendor
        self.target = TARGETS[vendor.format]

    def held(self, token: Token) -> str:
        return self.target.name(token)

    def read(self) -> None:
        """The statement that begins here, up to its end."""
        cursor = self.cursor
        start = cursor.at
        if cursor.token.word in _ELSEWHERE:
            self.catalog.closed = False
        elif cursor.accept("SET", "SEARCH_PATH"):
            cursor.accept_any("TO", "=")
            if cursor.token.is_name:
                self.catalog.current = self.held(cursor.token)
        elif cursor.accept("CREATE"):
            self._create()
        elif cursor.accept("ALTER", "TABLE"):
            self._alter(start)
        elif cursor.accept("DROP") and cursor.accept_any("TABLE", "VIEW"):
            cursor.accept("IF", "EXISTS")
            self._drop()
        cursor.skip_statement()

    def _create(self) -> None:
        cursor = self.cursor
        start = cursor.at - 1
        cursor.accept("OR", "REPLACE")
        words = set()
        while word := cursor.accept_any("GLOBAL", "LOCAL", "PRIVATE", "TEMP", "TEMPORARY", "UNLOGGED", "RECURSIVE"):
            words.add(word)
        kind = cursor.accept_any("TABLE", "VIEW")
        if kind is None:
            return
        if cursor.accept("IF"):
            cursor.take("NOT", "EXISTS")
        path = self.catalog.resolve(self._name())
        temporary = bool(words & {"TEMP", "TEMPORARY"})
        if temporary:
            path = (TEMPORARY, path[1])
        if kind == "VIEW":
            self._view(path, temporary)
            return
        cursor.at = start
        found = self._tables({})
        self.catalog.tables[path] = self._table(path, found, temporary)

    def _name(self) -> tuple[str, ...]:
        return tuple([self.held(token) for token in statements.read_name(self.cursor, "a name")])

    def _view(self, path: Path, temporary: bool) -> None:
        begin = self.cursor.at
        self.cursor.skip_statement()
        words = frozenset(self.held(token) for token in self.cursor.tokens[begin : self.cursor.at] if token.is_name)
        self.catalog.tables[path] = Table(path, view=True, temporary=temporary, words=words)

    def _tables(self, known: dict[tuple[str, ...], ddl.Table]) -> ddl.Tables:
        """What the statement here makes or changes, read by the reader of tables."""
        found = ddl.Tables(self.target, known)
        ddl.read_statement(self.cursor, found)
        return found

    def _table(self, path: Path, found: ddl.Tables, temporary: bool) -> Table:
        read = next(iter(found.by_name.values()))
        made = Table(path, key=tuple(map(self.held, read.key)), temporary=temporary)
        inherited = any(self.cursor.looking_at(word) for word in ("INHERITS", "PARTITION"))
        if read.columns is not None and not inherited:
            made.columns = {self.held(column.name): self._typed(column) for column in read.columns}
        for key in read.foreign:
            name = self.target.path(key.table)
            there = self.catalog.table(name)
            place = there.path if there is not None else self.catalog.resolve(name)
            made.references.append(
                Reference(tuple(map(self.held, key.columns)), place, tuple(map(self.held, key.referred)))
            )
        return made

    def _typed(self, column: ddl.Column) -> Typed:
        collation = "default"
        if column.collation is not None:
            collation = self.held(column.collation)
        return Typed(name_of(column.spelled) if column.spelled is not None else None, collation)

    def _alter(self, start: int) -> None:
        cursor = self.cursor
        cursor.accept("IF", "EXISTS")
        cursor.accept("ONLY")
        table = self.catalog.table(self._name())
        if table is None or table.columns is None:
            return
        if cursor.accept("RENAME"):
            self._rename(table)
            return
        before = ddl.Table(Token("name", table.path[1], 0, 0))
        read = ddl.Tables(self.target, {(self.held(cursor.tokens[cursor.at - 1]),): before})
        for each in table.columns:
            read.add(before, ddl.Column(Token("quoted", each, 0, 0)))
        cursor.at = start
        ddl.read_statement(cursor, read)
        kept = {column.name.text for column in before.columns or () if column.name.end == 0}
        for gone in [each for each in table.columns if each not in kept]:
            del table.columns[gone]
        for column in before.columns or ():
            if column.name.end:
                table.columns[self.held(column.name)] = self._typed(column)
        if before.key:
            table.key = tuple(map(self.held, before.key))

    def _rename(self, table: Table) -> None:
        cursor = self.cursor
        if cursor.accept("TO"):
            del self.catalog.tables[table.path]
            table.path = (table.path[0], self.held(cursor.name("the name of a table")))
            self.catalog.tables[table.path] = table
            return
        cursor.accept("COLUMN")
        old = self.held(cursor.name("the name of a column"))
        cursor.take("TO")
        new = self.held(cursor.name("the name of a column"))
        if table.columns is not None and old in table.columns:
            table.columns = {new if name == old else name: typed for name, typed in table.columns.items()}

    def _drop(self) -> None:
        while True:
            table = self.catalog.table(self._name())
            if table is not None:
                del self.catalog.tables[table.path]
            if not self.cursor.accept(","):
                return
