"""Tables with keys and foreign keys, and no property graph, as the schema of a graph.

A table whose foreign keys say what it connects becomes edges, every other table becomes nodes, and its foreign keys
edges without properties.  None of this is written in the tables: every choice is told as a guess.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from graphir.schema.ddl import tables
from graphir.schema.ddl.tables import ForeignKey
from graphir.schema.ddl.tokens import Kind, Token
from graphir.schema.model import EdgeType, NodeType, PropertyType, Schema, labels

if TYPE_CHECKING:
    from graphir.schema.ddl.script import Script, Spelling

_ID = re.compile(r"(?:_?(?:id|key|fk|no|code)|(?<=[a-z0-9])(?:Id|ID|Key|FK))\Z", re.IGNORECASE)
_HUMP = re.compile(r"(?<=[a-z0-9])(?=[A-Z])")


def from_tables(script: Script, spelling: Spelling) -> Schema:
    """The graph that the tables of a script most likely stand for."""
    return Conversion(script, spelling).convert()


class Conversion:
    """A schema of tables by their keys: node types of tables, edge types of foreign keys and tables of two."""

    def __init__(self, script: Script, spelling: Spelling) -> None:
        self.tables = script.tables
        self.spelling = spelling
        self.guesses: list[str] = []
        self.twins = Counter(self.tables.held(table.name) for table in self.tables.by_name.values())
        keys = [key for table in self.tables.by_name.values() for key in table.foreign]
        self.referred = {id(self.tables.find(key.table)) for key in keys}

    def convert(self) -> Schema:
        for held in [name for name, count in self.twins.items() if count > 1]:
            self.guesses.append(f"several tables are called {held}: their labels begin with the names of their schemas")
        nodes: list[NodeType] = []
        edges: list[EdgeType] = []
        for table in self.tables.by_name.values():
            if self._is_association(table):
                edges.append(self._association(table))
                continue
            nodes.append(self._node(table))
            edges.extend(self._references(table))
        return Schema(tuple(nodes), tuple(edges), guesses=tuple(self.guesses))

    def _name(self, table: tables.Table) -> str:
        name = table.name
        if self.twins[self.tables.held(name)] > 1:
            kind: Kind = "quoted" if any(part.kind == "quoted" for part in name.parts) else "name"
            name = Token(kind, "_".join(part.text for part in name.parts), name.start, name.end)
        return self.spelling.of("label", name)

    def _is_association(self, table: tables.Table) -> bool:
        """Exactly two foreign keys that are the key, or a part of it, or beside which there is no key."""
        if len(table.foreign) != 2 or id(table) in self.referred:
            return False
        if any(self.tables.find(key.table) is None for key in table.foreign):
            return False
        ends = {self.tables.held(name) for key in table.foreign for name in key.columns}
        return not table.key or ends <= {self.tables.held(name) for name in table.key}

    def _association(self, table: tables.Table) -> EdgeType:
        first, second = table.foreign
        source, target = (self.tables.find(key.table) for key in (first, second))
        assert source is not None
        assert target is not None
        name = self._name(table)
        key_note = "its key is made of them" if table.key else "it has no key of its own"
        self.guesses.append(
            f"{name} connects {self._name(source)} and {self._name(target)} ({key_note}): it is read as edges, from "
            "the first foreign key to the second"
        )
        ends = {self.tables.held(column) for key in table.foreign for column in key.columns}
        columns = {self.tables.held(column): self._column(column, table) for column in table.key}
        kept = [column for column in table.columns or () if self.tables.held(column.name) not in ends]
        open_ = {self.tables.held(column.name) for column in table.columns or () if column.nullable}
        return EdgeType(
            name,
            labels(self._name(source)),
            labels(self._name(target)),
            None if table.columns is None else tuple(self._property(column, table) for column in kept),
            description=table.description,
            table=replace(
                self.spelling.home(table.name),
                source=tuple(self._column(column, table) for column in first.columns),
                target=tuple(self._column(column, table) for column in second.columns),
                key=tuple(columns.values()),
                nullable=tuple(
                    self._column(column, table)
                    for column in (*first.columns, *second.columns)
                    if self.tables.held(column) in open_
                ),
            ),
        )

    def _node(self, table: tables.Table) -> NodeType:
        """Foreign key columns are edges, not properties, unless they belong to the key."""
        key = {self.tables.held(column) for column in table.key}
        ends = {
            self.tables.held(column)
            for foreign in table.foreign
            if self.tables.find(foreign.table) is not None
            for column in foreign.columns
        } - key
        kept = [column for column in table.columns or () if self.tables.held(column.name) not in ends]
        return NodeType(
            labels(self._name(table)),
            None if table.columns is None else tuple(self._property(column, table) for column in kept),
            tuple(self._column(column, table) for column in table.key),
            description=table.description,
            table=replace(
                self.spelling.home(table.name), key=tuple(self._column(column, table) for column in table.key)
            ),
        )

    def _column(self, name: Token, table: tables.Table) -> str:
        known = self.tables.column(table, name)
        return self.spelling.of("property", known.name if known else name, self.spelling.scope(table.name))

    def _property(self, column: tables.Column, table: tables.Table) -> PropertyType:
        return PropertyType(
            self._column(column.name, table),
            column.type,
            column.nullable,
            column.unique,
            column.values,
            description=column.description,
        )

    def _references(self, table: tables.Table) -> Iterator[EdgeType]:
        taken: set[tuple[str, str]] = set()
        for foreign in table.foreign:
            target = self.tables.find(foreign.table)
            if target is None:
                self.guesses.append(f"{self._name(table)} refers to {foreign.table.dotted}, which is not defined here")
                continue
            type = self._type(foreign, target)
            if (type, self._name(target)) in taken:
                type = f"{type}_BY_{_snake('_'.join(column.text for column in foreign.columns))}"
            taken.add((type, self._name(target)))
            columns = ", ".join(column.text for column in foreign.columns)
            self.guesses.append(
                f"the foreign key {self._name(table)}({columns}) is read as edges {type} to {self._name(target)}"
            )
            yield EdgeType(
                type,
                labels(self._name(table)),
                labels(self._name(target)),
                table=replace(
                    self.spelling.home(table.name),
                    source=tuple(self._column(column, table) for column in table.key),
                    target=tuple(self._column(column, table) for column in foreign.columns),
                    key=tuple(self._column(column, table) for column in table.key),
                ),
            )

    def _type(self, foreign: ForeignKey, target: tables.Table) -> str:
        """HAS_ and the column without its ending (`manager_id`: HAS_MANAGER), or the table referred to."""
        stem = _ID.sub("", foreign.columns[0].text) if len(foreign.columns) == 1 else ""
        return "HAS_" + _snake(stem or target.name.text)


def _snake(name: str) -> str:
    return re.sub(r"\W+", "_", _HUMP.sub("_", name)).strip("_").upper()
