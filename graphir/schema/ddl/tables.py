"""Statements on tables: CREATE TABLE, ALTER TABLE ... ADD, CREATE UNIQUE INDEX, COMMENT ON.

A hand-written parser of the common ground of the dialects: columns, types, keys, foreign keys, simple CHECKs.  What
else a definition says (storage, partitions, defaults) is passed over.  Knows no graph.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from typing import Any

from graphir.schema.ddl import paths
from graphir.schema.ddl.paths import Path
from graphir.schema.ddl.targets import Target
from graphir.schema.ddl.tokens import Cursor, Token
from graphir.schema.ddl.types import Spelled, data_type, read_type
from graphir.schema.model import DataType


@dataclass(slots=True)
class Column:
    """A column as it is declared: its type, and how that and the collation are spelled.  `values` are those that a
    CHECK leaves."""

    name: Token
    type: DataType | None = None
    nullable: bool = True
    unique: bool = False
    values: tuple[Any, ...] | None = None
    description: str | None = None
    spelled: Spelled | None = None
    collation: Token | None = None


@dataclass(frozen=True, slots=True)
class ForeignKey:
    """Columns that refer to the key of a table, or to the columns `referred`."""

    columns: tuple[Token, ...]
    table: Token
    referred: tuple[Token, ...] = ()


@dataclass(slots=True)
class Table:
    """A table as defined; `columns` None: the statement does not say which there are (CREATE TABLE AS)."""

    name: Token
    columns: list[Column] | None = field(default_factory=list)
    key: tuple[Token, ...] = ()
    foreign: list[ForeignKey] = field(default_factory=list)
    description: str | None = None
    places: dict[str, Column] = field(default_factory=dict)
    """Held name -> column."""


@dataclass(slots=True)
class Tables:
    """The tables of a script, in order, found by the name that the database holds.

    `search`: the schemas in which names without one are looked for, as far as the script says; `schemas`: those that it
    makes.
    """

    target: Target
    by_name: dict[Path, Table] = field(default_factory=dict)
    search: tuple[tuple[Token, ...], ...] = ()
    schemas: set[Path] = field(default_factory=set)

    def held(self, name: Token) -> str:
        return self.target.name(name)

    def find(self, name: Token) -> Table | None:
        """The table of a name, which may leave its schema out."""
        for within in self.search if not name.within else ():
            found = self.by_name.get(self.target.path(replace(name, within=within)))
            if found is not None:
                return found
        return paths.find(self.target.path(name), self.by_name)

    def whole(self, name: Token) -> Token:
        """The name of a table with the schemas that its definition, or else the search path of the script, has."""
        found = self.find(name)
        if found is not None:
            return max(found.name, name, key=lambda each: len(each.within))
        return replace(name, within=self.search[0]) if len(self.search) == 1 and not name.within else name

    def same(self, one: Token, other: Token) -> bool:
        """Whether two names are those of one table."""
        found = self.find(one), self.find(other)
        if found[0] is not None or found[1] is not None:
            return found[0] is found[1]
        return paths.agree(self.target.path(one), self.target.path(other))

    def column(self, table: Table, name: Token) -> Column | None:
        """The column of this name; the first, where a definition has several."""
        return table.places.get(self.held(name))

    def add(self, table: Table, column: Column) -> None:
        if table.columns is None:
            table.columns = []
        table.columns.append(column)
        table.places.setdefault(self.held(column.name), column)

    def drop(self, table: Table, name: Token) -> None:
        gone = table.places.pop(self.held(name), None)
        table.columns = [column for column in table.columns or () if column is not gone]


_BEFORE_TABLE = ("GLOBAL", "LOCAL", "PRIVATE", "TEMP", "TEMPORARY", "UNLOGGED", "EXTERNAL", "IMMUTABLE", "FOREIGN")


def read_statement(cursor: Cursor, tables: Tables) -> bool:
    """Read the statement that begins here, if it is one on tables."""
    start = cursor.at
    if cursor.accept("CREATE"):
        cursor.accept("OR", "REPLACE")
        while cursor.accept_any(*_BEFORE_TABLE):
            pass
        if cursor.accept("TABLE"):
            _create_table(cursor, tables)
            return True
        if cursor.accept("UNIQUE") and (cursor.accept("NULL_FILTERED") or True) and cursor.accept("INDEX"):
            _unique_index(cursor, tables)
            return True
    elif cursor.accept("ALTER", "TABLE"):
        _alter_table(cursor, tables)
        return True
    elif cursor.accept("DROP", "TABLE"):
        _exists(cursor)
        gone = tables.find(cursor.path("the name of a table"))
        if gone is not None:
            del tables.by_name[tables.target.path(gone.name)]
        cursor.skip_statement()
        return True
    elif cursor.accept("COMMENT", "ON") and cursor.token.word in ("TABLE", "COLUMN"):
        _comment(cursor, tables)
        return True
    cursor.at = start
    return False


def _exists(cursor: Cursor) -> None:
    if cursor.accept("IF"):
        cursor.accept("NOT")
        cursor.take("EXISTS")


def _create_table(cursor: Cursor, tables: Tables) -> None:
    _exists(cursor)
    table = Table(cursor.definition("the name of a table"))
    tables.by_name[tables.target.path(table.name)] = table
    if not cursor.accept("("):
        cursor.wanted.append("AS")
        if cursor.token.word not in ("AS", "LIKE", "USING", "PARTITION", "OPTIONS", "OF", "CLONE", "COPY"):
            cursor.fail()
        table.columns = None
        cursor.skip_statement()
        return
    while not cursor.accept(")"):
        _element(cursor, table, tables)
        if not cursor.looking_at(")"):
            cursor.take(",")
    while not cursor.at_end:
        if cursor.accept("PRIMARY", "KEY"):
            _set_key(cursor, table, tables)
        elif cursor.accept("INTERLEAVE", "IN"):
            cursor.accept("PARENT")
            _interleave(cursor.path("the name of a table"), table, tables)
        elif cursor.accept("AS") and cursor.token.word in ("SELECT", "WITH"):
            cursor.skip_statement()
        else:
            cursor.skip()


def _interleave(parent: Token, table: Table, tables: Tables) -> None:
    """The key of an interleaved table begins with that of its parent."""
    found = tables.find(parent)
    if found is not None and found.key and len(table.key) >= len(found.key):
        table.foreign.append(ForeignKey(table.key[: len(found.key)], parent, found.key))


def _element(cursor: Cursor, table: Table, tables: Tables) -> None:
    """A constraint of the table, or a column."""
    if cursor.token.word == "CONSTRAINT" and cursor.ahead().is_name:
        cursor.accept("CONSTRAINT")
        if cursor.token.word not in ("PRIMARY", "FOREIGN", "UNIQUE", "CHECK", "NOT") or cursor.ahead().is_name:
            cursor.name("the name of a constraint")
        if not _constraint(cursor, table, tables):
            _skip_element(cursor)
        return
    if _constraint(cursor, table, tables):
        return
    is_index = cursor.token.word in ("KEY", "INDEX") and cursor.ahead(2).text == "(" and cursor.ahead(3).is_name
    if is_index or (cursor.token.word, cursor.ahead().word) in _CLAUSES or cursor.token.word == "LIKE":
        _skip_element(cursor)
        return
    column = Column(cursor.name("the name of a column"))
    tables.add(table, column)
    if not (cursor.looking_at(",") or cursor.looking_at(")")) and cursor.token.word not in _COLUMN_WORDS:
        spelled = read_type(cursor)
        column.type = data_type(spelled, tables.target.format)
        column.spelled = spelled
        if spelled.head.endswith("SERIAL"):
            column.nullable = False
    _column_constraints(cursor, column, table, tables)


_COLUMN_WORDS = ("NOT", "PRIMARY", "UNIQUE", "CHECK", "DEFAULT", "GENERATED", "REFERENCES", "CONSTRAINT", "COLLATE")


_CLAUSES = (("EXCLUDE", "USING"), ("SUPPLEMENTAL", "LOG"), ("PERIOD", "FOR"))


def _skip_element(cursor: Cursor) -> None:
    while not (cursor.done or cursor.looking_at(",") or cursor.looking_at(")")):
        cursor.skip()


def _constraint(cursor: Cursor, table: Table, tables: Tables) -> bool:
    """A constraint of the table, if one begins here."""
    if cursor.accept("PRIMARY", "KEY"):
        _set_key(cursor, table, tables)
    elif cursor.accept("FOREIGN", "KEY"):
        columns = cursor.names("the name of a column")
        cursor.take("REFERENCES")
        table.foreign.append(_reference(cursor, columns))
    elif cursor.token.word == "UNIQUE" and (cursor.ahead().text == "(" or cursor.ahead().word in ("KEY", "NULLS")):
        cursor.accept("UNIQUE")
        while not cursor.looking_at("("):
            cursor.advance()
        _set_unique(cursor.names("the name of a column"), table, tables)
    elif cursor.token.word == "CHECK" and cursor.ahead().text == "(":
        cursor.accept("CHECK")
        _check(cursor, table, tables)
    else:
        return False
    _skip_element(cursor)
    return True


def _reference(cursor: Cursor, columns: tuple[Token, ...]) -> ForeignKey:
    table = cursor.path("the name of a table")
    return ForeignKey(columns, table, cursor.names("the name of a column") if cursor.looking_at("(") else ())


def _set_key(cursor: Cursor, table: Table, tables: Tables) -> None:
    cursor.take("(")
    names: list[Token] = []
    while not cursor.accept(")"):
        names.append(cursor.name("the name of a column"))
        while not (cursor.done or cursor.looking_at(",") or cursor.looking_at(")")):
            cursor.skip()
        if not cursor.looking_at(")"):
            cursor.take(",")
    _make_key(tuple(names), table, tables)


def _make_key(names: tuple[Token, ...], table: Table, tables: Tables) -> None:
    table.key = names
    for name in names:
        if column := tables.column(table, name):
            column.nullable = False


def _set_unique(names: Iterable[Token], table: Table, tables: Tables) -> None:
    """Only a single column can be said to be unique in a schema."""
    columns = [tables.column(table, name) for name in names]
    if len(columns) == 1 and columns[0] is not None:
        columns[0].unique = True


def _column_constraints(cursor: Cursor, column: Column, table: Table, tables: Tables) -> None:
    while not (cursor.done or cursor.looking_at(",") or cursor.looking_at(")")):
        if cursor.accept("NOT", "NULL"):
            column.nullable = False
        elif cursor.accept("PRIMARY", "KEY"):
            _make_key((column.name,), table, tables)
        elif cursor.accept("UNIQUE"):
            column.unique = True
        elif cursor.accept("COLLATE"):
            column.collation = cursor.path("the name of a collation")
        elif cursor.accept("REFERENCES"):
            table.foreign.append(_reference(cursor, (column.name,)))
        elif cursor.token.word == "CHECK" and cursor.ahead().text == "(":
            cursor.accept("CHECK")
            _check(cursor, table, tables)
        else:
            cursor.skip()


def _check(cursor: Cursor, table: Table, tables: Tables) -> None:
    """CHECK (column IN (literals)) closes the set of values; any other condition is passed over."""
    start = cursor.at
    cursor.take("(")
    if cursor.token.is_name:
        name = cursor.advance()
        column = tables.column(table, name)
        if column is not None and cursor.accept("IN", "("):
            values = _literals(cursor)
            if values is not None and cursor.accept(")", ")"):
                column.values = values
                return
    cursor.at = start
    cursor.skip()


def _literals(cursor: Cursor) -> tuple[Any, ...] | None:
    """Literals separated by commas; None where something else stands among them."""
    values = []
    while True:
        found = literal(cursor)
        if found is None:
            return None
        values.append(found[0])
        if not cursor.accept(","):
            return tuple(values)


def literal(cursor: Cursor) -> tuple[Any] | None:
    """The string, number or truth value that stands here, in a tuple."""
    token = cursor.token
    sign = -1 if token.text == "-" and cursor.ahead().kind == "number" else 1
    if sign < 0:
        token = cursor.advance() and cursor.token
    if token.kind == "number":
        cursor.advance()
        whole = token.text.isdecimal() and len(token.text) < 40
        return (sign * (int(token.text) if whole else float(token.text)),)
    if token.kind == "string":
        return (cursor.advance().text,)
    if token.word in ("TRUE", "FALSE"):
        return (cursor.advance().word == "TRUE",)
    return None


def _alter_table(cursor: Cursor, tables: Tables) -> None:
    """ADD a constraint or a column; what else is altered does not concern a schema."""
    _exists(cursor)
    cursor.accept("ONLY")
    table = tables.find(cursor.path("the name of a table"))
    while table is not None and not cursor.at_end:
        if cursor.accept("DROP", "COLUMN"):
            _exists(cursor)
            tables.drop(table, cursor.name("the name of a column"))
            continue
        if not cursor.accept("ADD"):
            cursor.skip()
            continue
        cursor.accept("COLUMN")
        _exists(cursor)
        if cursor.accept("("):
            _element(cursor, table, tables)
            cursor.take(")")
        else:
            _added(cursor, table, tables)
    cursor.skip_statement()


def _added(cursor: Cursor, table: Table, tables: Tables) -> None:
    """What follows ADD: up to the comma or the end of the statement, as within the parentheses of CREATE TABLE."""
    end = cursor.at
    depth = 0
    while cursor.tokens[end].kind != "end" and not (depth == 0 and cursor.tokens[end].text in (",", ";")):
        depth += (cursor.tokens[end].text == "(") - (cursor.tokens[end].text == ")")
        end += 1
    place = cursor.tokens[end].start
    part = Cursor(cursor.text, [*cursor.tokens[cursor.at : end], Token("end", "", place, place)])
    _element(part, table, tables)
    cursor.at = end


def _unique_index(cursor: Cursor, tables: Tables) -> None:
    _exists(cursor)
    if cursor.token.word != "ON" or cursor.ahead().word == "ON":
        cursor.path("the name of an index")
    cursor.take("ON")
    table = tables.find(cursor.path("the name of a table"))
    if table is not None and cursor.looking_at("("):
        names = _index_columns(cursor)
        if names is not None:
            _set_unique(names, table, tables)
    cursor.skip_statement()


def _index_columns(cursor: Cursor) -> tuple[Token, ...] | None:
    """The columns of an index; None where it is on an expression."""
    cursor.take("(")
    names = []
    while True:
        if not cursor.token.is_name:
            return None
        names.append(cursor.advance())
        cursor.accept_any("ASC", "DESC")
        if cursor.accept(")"):
            return tuple(names)
        if not cursor.accept(","):
            return None


def _comment(cursor: Cursor, tables: Tables) -> None:
    on_column = cursor.accept("COLUMN") or not cursor.accept("TABLE")
    name = cursor.path("a name")
    cursor.take("IS")
    text = cursor.string("a string") if cursor.token.kind == "string" else None
    *within, owner = name.within if on_column and name.within else name.parts
    table = tables.find(replace(owner, within=tuple(within)))
    if table is not None and on_column:
        if column := tables.column(table, name):
            column.description = text
    elif table is not None:
        table.description = text
    cursor.skip_statement()
