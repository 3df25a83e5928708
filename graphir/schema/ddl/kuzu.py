"""Kuzu's CREATE NODE TABLE and CREATE REL TABLE, read and written.

A node table is a label, a rel table a type between one or several pairs of node tables that share its properties.
Every property may be NULL, but for the primary key.  Names differ by more than case.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from graphir.quoting import ticked
from graphir.schema.ddl.losses import losses, properties
from graphir.schema.ddl.naming import Namespace
from graphir.schema.ddl.script import SURROGATE
from graphir.schema.ddl.targets import Target, is_plain
from graphir.schema.ddl.tokens import CYPHER, Cursor, Token, fail, scan
from graphir.schema.ddl.types import data_type, read_type, write_type
from graphir.schema.ddl.writer import comment
from graphir.schema.model import DataType, EdgeType, Labels, NodeType, Origin, PropertyType, Schema, labels
from graphir.source import Span

FORMAT = "kuzu-ddl"
_TARGET = Target(FORMAT, "Kuzu", CYPHER, "insensitive", 1 << 20, checks=False, unique="none", comments=True)
_MULTIPLICITY = ("MANY_MANY", "MANY_ONE", "ONE_MANY", "ONE_ONE")


# ------------------------------------------------------------------ reading


@dataclass
class _Reader:
    text: str
    cursor: Cursor
    nodes: dict[str, NodeType] = field(default_factory=dict)
    edges: dict[tuple[str, Labels, Labels], EdgeType] = field(default_factory=dict)
    guesses: list[str] = field(default_factory=list)
    spelled: dict[str, str] = field(default_factory=dict)

    def table(self, name: Token) -> str:
        return self.spelled.setdefault(name.text.casefold(), name.text)


def read(text: str) -> Schema:
    """The schema of a script.  Raises SyntaxFault G085, SemanticFault G086 (no such table), G088, G089 (no table)."""
    cursor = Cursor(text, scan(text, CYPHER))
    reader = _Reader(text, cursor)
    passed = set()
    while not cursor.done:
        if cursor.accept(";"):
            continue
        if not cursor.token.word:
            cursor.fail("CREATE NODE TABLE", "CREATE REL TABLE")
        if cursor.accept("CREATE", "NODE", "TABLE"):
            _read_node(reader)
        elif cursor.accept("CREATE", "REL", "TABLE"):
            _read_rel(reader)
        elif cursor.accept("COMMENT", "ON", "TABLE"):
            _read_comment(reader)
        else:
            passed.add(cursor.token.word)
            cursor.skip_statement()
        if not cursor.at_end:
            cursor.fail("`;`")
    if not reader.nodes and not reader.edges:
        fail(text, Span(0, len(text)), "the text defines no node table", code="G089")
    if passed:
        reader.guesses.append(f"statements passed over: {', '.join(sorted(passed))}")
    return Schema(
        tuple(reader.nodes.values()),
        tuple(reader.edges.values()),
        guesses=tuple(dict.fromkeys(reader.guesses)),
        origin=Origin(FORMAT),
    )


def _table_name(reader: _Reader) -> Token:
    cursor = reader.cursor
    if cursor.accept("IF"):
        cursor.take("NOT", "EXISTS")
    name = cursor.name("the name of a table")
    if name.text.casefold() in reader.spelled:
        fail(reader.text, Span(name.start, name.end), f"the table {name.text} is defined twice", code="G088")
    return name


def _read_node(reader: _Reader) -> None:
    cursor = reader.cursor
    name = reader.table(_table_name(reader))
    if cursor.looking_at("AS"):
        reader.guesses.append(f"the properties of {name} come from a query (AS): they are not known")
        reader.nodes[name] = NodeType(labels(name), None)
        cursor.skip_statement()
        return
    cursor.take("(")
    properties: dict[str, PropertyType] = {}
    serials: set[str] = set()
    key: str | None = None
    while not cursor.accept(")"):
        if cursor.ahead().word == "SERIAL":
            serials.add(cursor.token.text)
        if cursor.accept("PRIMARY", "KEY"):
            cursor.take("(")
            key = cursor.name("the name of a property").text
            cursor.take(")")
        else:
            property, is_key = _read_property(reader, properties)
            key = property if is_key else key
        if not cursor.looking_at(")"):
            cursor.take(",")
    _skip_options(cursor)
    key = next((found for found in properties if key is not None and found.casefold() == key.casefold()), None)
    if key is not None:
        if key in serials and key.startswith(SURROGATE):
            del properties[key]
            key = None
        else:
            properties[key] = PropertyType(key, properties[key].type, False)
    reader.nodes[name] = NodeType(labels(name), tuple(properties.values()), (key,) if key else ())


def _read_property(reader: _Reader, properties: dict[str, PropertyType]) -> tuple[str, bool]:
    """The name of the property that stands here, which is added, and whether it is the primary key."""
    cursor = reader.cursor
    name = cursor.name("the name of a property")
    if any(name.text.casefold() == other.casefold() for other in properties):
        fail(reader.text, Span(name.start, name.end), f"the property {name.text} is defined twice", code="G088")
    type = data_type(read_type(cursor), FORMAT)
    if type is None:
        reader.guesses.append(f"the type of {name.text} is none that is known")
    properties[name.text] = PropertyType(name.text, type, True)
    is_key = False
    while not (cursor.done or cursor.looking_at(",") or cursor.looking_at(")")):
        if cursor.accept("PRIMARY", "KEY"):
            is_key = True
        elif cursor.accept("DEFAULT"):
            cursor.skip()
        else:
            cursor.skip()
    return name.text, is_key


def _read_rel(reader: _Reader) -> None:
    cursor = reader.cursor
    cursor.accept("GROUP")
    type = reader.table(_table_name(reader))
    cursor.take("(")
    pairs: list[tuple[str, str]] = []
    properties: dict[str, PropertyType] = {}
    while not cursor.accept(")"):
        if cursor.token.word == "FROM" and cursor.ahead(2).word == "TO":
            cursor.accept("FROM")
            source = _end(reader)
            cursor.take("TO")
            pairs.append((source, _end(reader)))
        elif cursor.token.word in _MULTIPLICITY and cursor.ahead().text in (",", ")"):
            reader.guesses.append(f"that {type} is {cursor.advance().word} is no part of a schema")
        else:
            _read_property(reader, properties)
        if not cursor.looking_at(")"):
            cursor.take(",")
    if not pairs:
        cursor.fail("FROM")
    if cursor.accept("AS"):
        cursor.skip_statement()
    _skip_options(cursor)
    for source, target in pairs:
        edge = EdgeType(type, labels(source), labels(target), tuple(properties.values()))
        reader.edges[type, labels(source), labels(target)] = edge


def _skip_options(cursor: Cursor) -> None:
    if cursor.accept("WITH"):
        cursor.skip()


def _end(reader: _Reader) -> str:
    name = reader.cursor.name("the name of a node table")
    found = reader.spelled.get(name.text.casefold())
    if found is None or found not in reader.nodes:
        fail(reader.text, Span(name.start, name.end), f"there is no node table {name.text}", code="G086")
    return found


def _read_comment(reader: _Reader) -> None:
    name = reader.spelled.get(reader.cursor.name("the name of a table").text.casefold())
    reader.cursor.take("IS")
    text = reader.cursor.string("a string")
    if name in reader.nodes:
        node = reader.nodes[name]
        reader.nodes[name] = NodeType(node.labels, node.properties, node.key, description=text)
    for place, edge in reader.edges.items():
        if edge.type == name:
            reader.edges[place] = EdgeType(edge.type, edge.source, edge.target, edge.properties, description=text)


# ------------------------------------------------------------------ writing


def write(schema: Schema) -> str:
    """The script that defines the tables of a schema, with what it does not hold as comments before it."""
    return _Writer(schema).write()


_UNKEYED = re.compile(r"\]$|^(?:BOOL|INTERVAL)")


def can_be_key(type: DataType | None) -> bool:
    """Whether a property of the type may be the primary key."""
    return type is not None and _UNKEYED.search(write_type(type, FORMAT)[0]) is None


def _quote(name: str) -> str:
    return name if is_plain(name) else ticked(name)


class _Writer:
    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.notes: list[str] = []
        self.names = Namespace(_TARGET)
        self.tables: dict[Labels, str] = {}

    def write(self) -> str:
        nodes = [*self.schema.node_types]
        known = {node.labels for node in nodes}
        for edge in self.schema.edge_types:
            for end in (edge.source, edge.target):
                if end is not None and end not in known and not self._heirs(end, nodes):
                    known.add(end)
                    nodes.append(NodeType(end))
                    self.notes.append(f"(:{':'.join(end)}) is named by edges only: it gets a table without properties")
        statements = [self._node(node, nodes) for node in nodes]
        statements += self._edges(nodes)
        self.notes += losses(self.schema, descriptions=True, nullable=False)
        if any(property.description for _, property in properties(self.schema)):
            self.notes.append("descriptions of properties are not held")
        return comment(self.notes, "//") + "\n".join(statements) + "\n"

    def _heirs(self, end: Labels, nodes: list[NodeType]) -> list[NodeType]:
        exact = [node for node in nodes if node.labels == end]
        return exact or [node for node in nodes if end and set(end) <= {*node.labels, *node.parents}]

    def _node(self, node: NodeType, nodes: list[NodeType]) -> str:
        label = "_".join(node.labels) or "node"
        if len(node.labels) != 1:
            self.notes.append(f"(:{':'.join(node.labels)}) becomes the table {label}: a node has one label")
        name = self.names.take(label)
        self.tables[node.labels] = name
        if name != label:
            self.notes.append(f"(:{label}) is called {name}: names that differ in case only are one name")
        inherited = self._inherited(node, nodes)
        key = node.key[0] if len(node.key) == 1 else None
        if len(node.key) > 1:
            self.notes.append(f"(:{label}): a key of several properties is not held")
        type = next((property.type for property in inherited if property.name == key), None)
        if key is not None and not can_be_key(type):
            self.notes.append(f"(:{label}): {key} cannot be the key here")
            key = None
        lines = list(self._properties(f"(:{label})", inherited, () if key is None else (key,)))
        if key is None:
            key = Namespace(_TARGET, {property.name.casefold() for property in inherited}).take(SURROGATE)
            lines.insert(0, f"{_quote(key)} SERIAL")
        lines.append(f"PRIMARY KEY ({_quote(key)})")
        text = f"CREATE NODE TABLE {_quote(name)} ({', '.join(lines)});"
        return text + self._comment(name, node.description)

    def _comment(self, name: str, description: str | None) -> str:
        if description is None:
            return ""
        text = description.replace("\\", "\\\\").replace("'", "\\'").replace("\n", "\\n").replace("\r", "\\r")
        return f"\nCOMMENT ON TABLE {_quote(name)} IS '{text}';"

    def _inherited(self, node: NodeType, nodes: list[NodeType]) -> tuple[PropertyType, ...]:
        found = {property.name: property for property in node.properties or ()}
        waiting, seen = list(node.parents), set(node.labels)
        while waiting:
            label = waiting.pop()
            if label in seen:
                continue
            seen.add(label)
            for parent in nodes:
                if label in parent.labels:
                    waiting += parent.parents
                    for property in parent.properties or ():
                        found.setdefault(property.name, property)
        if node.parents:
            self.notes.append(f"(:{':'.join(node.labels)}) inherits from {', '.join(node.parents)}: repeated, not held")
        return tuple(found.values())

    def _properties(self, owner: str, properties: tuple[PropertyType, ...], key: tuple[str, ...]) -> Iterator[str]:
        names = Namespace(_TARGET)
        for property in sorted(properties, key=lambda property: property.name not in key):
            text, exact = write_type(property.type, FORMAT)
            kind = property.type or "unknown type"
            if not exact:
                self.notes.append(f"{owner}.{property.name}: {kind} is written as {text}")
            name = names.take(property.name)
            if name != property.name:
                self.notes.append(f"{owner}.{property.name} is called {name}")
            if property.nullable is False and property.name not in key:
                self.notes.append(f"{owner}.{property.name}: NOT NULL is not held")
            yield f"{_quote(name)} {text}"

    def _edges(self, nodes: list[NodeType]) -> Iterator[str]:
        by_type: dict[str, list[EdgeType]] = {}
        for edge in self.schema.edge_types:
            by_type.setdefault(edge.type, []).append(edge)
        for type, edges in by_type.items():
            pairs: list[tuple[str, str]] = []
            properties: dict[str, PropertyType] = {}
            for edge in edges:
                if edge.source is None or edge.target is None:
                    self.notes.append(f"[:{type}] is left out where it is not known between which nodes it stands")
                    continue
                pairs += [
                    (self.tables[source.labels], self.tables[target.labels])
                    for source in self._heirs(edge.source, nodes)
                    for target in self._heirs(edge.target, nodes)
                ]
                for property in edge.properties or ():
                    properties.setdefault(property.name, property)
                if edge.key:
                    self.notes.append(f"[:{type}]: a key of edges is not held")
            if not pairs:
                continue
            if len({edge.properties for edge in edges}) > 1:
                self.notes.append(f"[:{type}]: all its pairs of node tables get the same properties")
            name = self.names.take(type)
            if name != type:
                self.notes.append(f"[:{type}] is called {name}: names that differ in case only are one name")
            lines = [f"FROM {_quote(source)} TO {_quote(target)}" for source, target in dict.fromkeys(pairs)]
            lines += self._properties(f"[:{type}]", tuple(properties.values()), ())
            described = next((edge.description for edge in edges if edge.description), None)
            yield f"CREATE REL TABLE {_quote(name)} ({', '.join(lines)});" + self._comment(name, described)
