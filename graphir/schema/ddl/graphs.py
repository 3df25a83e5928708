"""CREATE PROPERTY GRAPH, and ALTER PROPERTY GRAPH of PostgreSQL, as they are written.

One grammar for the dialects: they share most of it, and where they differ (NODE for VERTEX, LABEL before or after
PROPERTIES, KEY) no text of one means something else in another.  Knows no table; `script.py` puts the two together.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Literal

from graphir.schema.ddl import paths
from graphir.schema.ddl.tables import literal
from graphir.schema.ddl.targets import Target
from graphir.schema.ddl.tokens import Cursor, Token
from graphir.schema.ddl.types import BOOLEAN, FLOAT, INTEGER, STRING, data_type, read_type
from graphir.schema.model import DataType
from graphir.source import Span


@dataclass(frozen=True, slots=True)
class Exposed:
    """A property: the column it is, or the text of its expression, where that stands, and its type where that shows.
    `absent`: a typed NULL."""

    name: Token
    column: Token | None = None
    type: DataType | None = None
    absent: bool = False
    expression: str | None = None
    at: Span | None = None


@dataclass(frozen=True, slots=True)
class Properties:
    """Which properties a label has: those listed, or all columns but some."""

    listed: tuple[Exposed, ...] | None = None
    excepted: tuple[Token, ...] = ()


ALL_COLUMNS = Properties()


@dataclass(frozen=True, slots=True)
class Label:
    """`name` None: the default label, called like the element."""

    name: Token | None
    properties: Properties | None = None


@dataclass(frozen=True, slots=True)
class End:
    """Where an edge begins or ends: the element, and the columns where they are given."""

    element: Token
    columns: tuple[Token, ...] = ()
    referred: tuple[Token, ...] = ()


@dataclass(slots=True)
class Element:
    """A table of the graph.  The bits of the column `mask` say which of the `sublabels` a row has."""

    kind: Literal["node", "edge"]
    table: Token
    alias: Token | None = None
    key: tuple[Token, ...] = ()
    source: End | None = None
    target: End | None = None
    labels: list[Label] = field(default_factory=list)
    properties: Properties | None = None
    sublabels: tuple[Token, ...] = ()
    mask: Token | None = None
    dynamic_label: Token | None = None
    dynamic_properties: Token | None = None

    @property
    def name(self) -> Token:
        return self.alias or self.table


@dataclass(slots=True)
class Graph:
    """A CREATE PROPERTY GRAPH as it is written: its name and its elements, in order."""

    name: Token
    elements: list[Element] = field(default_factory=list)


def read_statement(cursor: Cursor, graphs: list[Graph], target: Target) -> bool:
    """Read the statement that begins here, if it is one on property graphs."""
    start = cursor.at
    if cursor.accept("CREATE"):
        cursor.accept("OR", "REPLACE")
        cursor.accept_any("TEMP", "TEMPORARY")
        if cursor.accept("PROPERTY", "GRAPH"):
            _create(cursor, graphs, target)
            return True
    elif cursor.accept("ALTER", "PROPERTY", "GRAPH"):
        _alter(cursor, graphs, target)
        return True
    elif cursor.accept("DROP", "PROPERTY", "GRAPH"):
        cursor.accept("IF", "EXISTS")
        gone = _named(cursor.definition("the name of a graph"), graphs, target)
        graphs[:] = [graph for graph in graphs if graph is not gone]
        cursor.skip_statement()
        return True
    cursor.at = start
    return False


def _named(name: Token, graphs: list[Graph], target: Target) -> Graph | None:
    """The graph of a name, which may leave its schema out."""
    return paths.find(target.path(name), {target.path(graph.name): graph for graph in graphs})


def _held(name: Token, target: Target) -> str:
    return target.name(name)


def _create(cursor: Cursor, graphs: list[Graph], target: Target) -> None:
    if cursor.accept("IF"):
        cursor.take("NOT", "EXISTS")
    graph = Graph(cursor.definition("the name of a graph"))
    graphs[:] = [other for other in graphs if target.path(other.name) != target.path(graph.name)]
    graphs.append(graph)
    while not cursor.at_end:
        if cursor.accept("OPTIONS"):
            cursor.skip()
            continue
        kind = read_kind(cursor)
        if kind is None:
            cursor.fail()
        graph.elements.extend(read_elements(cursor, kind, target))


def read_kind(cursor: Cursor) -> Literal["node", "edge"] | None:
    """Past `VERTEX TABLES` and the like, and which they are; None where something else stands here."""
    for word in ("VERTEX", "NODE", "EDGE", "RELATIONSHIP"):
        if cursor.accept(word, "TABLES"):
            return "node" if word in ("VERTEX", "NODE") else "edge"
    return None


def read_elements(cursor: Cursor, kind: Literal["node", "edge"], target: Target) -> list[Element]:
    """The tables in parentheses that stand here."""
    cursor.take("(")
    found: list[Element] = []
    while True:
        found.append(_element(cursor, kind, target))
        if not cursor.accept(","):
            break
        if cursor.looking_at(")"):
            break
    cursor.take(")")
    return found


def _element(cursor: Cursor, kind: Literal["node", "edge"], target: Target) -> Element:
    element = Element(kind, cursor.path("the name of a table"))
    if cursor.accept("AS"):
        element.alias = cursor.name("the name of an element")
    while not (cursor.looking_at(",") or cursor.looking_at(")")):
        if cursor.accept("KEY"):
            element.key = cursor.names("the name of a column")
        elif kind == "edge" and cursor.accept("SOURCE"):
            element.source = _end(cursor)
        elif kind == "edge" and cursor.accept("DESTINATION"):
            element.target = _end(cursor)
        elif cursor.accept("IN"):
            element.mask = cursor.name("the name of the column of the labels")
            element.sublabels = cursor.names("a label")
        elif cursor.accept("OPTIONS"):
            cursor.skip()
        elif cursor.accept("DYNAMIC", "LABEL"):
            (element.dynamic_label,) = cursor.names("the name of a column")
        elif cursor.accept("DYNAMIC", "PROPERTIES"):
            (element.dynamic_properties,) = cursor.names("the name of a column")
        elif cursor.accept("LABEL"):
            element.labels.append(Label(cursor.name("a label"), read_properties(cursor, target)))
        elif cursor.accept("DEFAULT", "LABEL"):
            element.labels.append(Label(None, read_properties(cursor, target)))
        elif (properties := read_properties(cursor, target)) is not None:
            element.properties = properties
        else:
            cursor.fail("`,`", "`)`")
    if kind == "edge" and (element.source is None or element.target is None):
        cursor.fail("SOURCE" if element.source is None else "DESTINATION")
    return element


def _end(cursor: Cursor) -> End:
    if cursor.looking_at("KEY") and cursor.ahead().text == "(":
        cursor.accept("KEY")
        columns = cursor.names("the name of a column")
        cursor.take("REFERENCES")
        element = cursor.path("the name of a node table")
        return End(element, columns, cursor.names("the name of a column") if cursor.looking_at("(") else ())
    return End(cursor.path("the name of a node table"))


def read_properties(cursor: Cursor, target: Target) -> Properties | None:
    """`PROPERTIES ..` or `NO PROPERTIES`, if it stands here."""
    _pass_options(cursor)
    if cursor.accept("NO", "PROPERTIES"):
        return Properties(())
    if not cursor.accept("PROPERTIES"):
        return None
    cursor.accept("ARE")
    if cursor.accept("ALL"):
        cursor.accept("COLUMNS")
        if cursor.accept("EXCEPT"):
            return Properties(None, cursor.names("the name of a column"))
        return ALL_COLUMNS
    cursor.take("(")
    listed = [_exposed(cursor, target)]
    while cursor.accept(","):
        listed.append(_exposed(cursor, target))
    cursor.take(")")
    return Properties(tuple(listed))


def _pass_options(cursor: Cursor) -> None:
    """Past `OPTIONS (..)`, which says nothing about the schema."""
    if cursor.looking_at("OPTIONS", "("):
        cursor.accept("OPTIONS")
        cursor.skip()


def _exposed(cursor: Cursor, target: Target) -> Exposed:
    """A column, or an expression, with the name of the property."""
    start = cursor.at
    depth = 0
    while not cursor.done:
        ends = (",", ")", "AS")
        if depth == 0 and (any(cursor.looking_at(end) for end in ends) or cursor.looking_at("OPTIONS", "(")):
            break
        token = cursor.token
        depth += (token.text in "([{") - (token.text in ")]}") if token.kind == "mark" else 0
        cursor.advance()
    inside = cursor.tokens[start : cursor.at]
    if not inside:
        cursor.fail("the name of a column", "an expression")
    name = cursor.name("the name of a property") if cursor.accept("AS") else None
    _pass_options(cursor)
    if len(inside) == 1 and inside[0].is_name and inside[0].word not in ("TRUE", "FALSE", "NULL"):
        return Exposed(name or inside[0], inside[0])
    if name is None:
        if len(inside) == 3 and inside[1].text == "." and inside[2].is_name:
            return Exposed(inside[2], inside[2])
        cursor.fail("AS")
    place = cursor.tokens[cursor.at].start
    part = Cursor(cursor.text, [*inside, Token("end", "", place, place)])
    at = Span(inside[0].start, inside[-1].end)
    text = cursor.text[at.start : at.end]
    return Exposed(name, None, *_expression(part, target), text, at)


def _expression(part: Cursor, target: Target) -> tuple[DataType | None, bool]:
    """The type of an expression where that shows, and whether it is a typed NULL."""
    if part.accept("CAST", "("):
        absent = part.looking_at("NULL", "AS")
        while not part.done and not part.accept("AS"):
            part.skip()
        found = None if part.done else data_type(read_type(part), target.format)
        return (found, absent) if part.accept(")") and part.done else (None, False)
    constant = literal(part)
    if constant is not None and part.done:
        value = constant[0]
        types = {bool: BOOLEAN, int: INTEGER, float: FLOAT, str: STRING}
        return types[type(value)], False
    part.at = 0
    last = next((i for i in range(len(part.tokens) - 1, -1, -1) if part.tokens[i].text == "::"), None)
    if last is None:
        return None, False
    absent = last == 1 and part.tokens[0].word == "NULL"
    part.at = last + 1
    if not part.token.is_name:
        return None, False
    found = data_type(read_type(part), target.format)
    return (found, absent) if part.done else (None, False)


# ------------------------------------------------------------------ ALTER


def _alter(cursor: Cursor, graphs: list[Graph], target: Target) -> None:
    cursor.accept("IF", "EXISTS")
    graph = _named(cursor.definition("the name of a graph"), graphs, target) or Graph(cursor.token)
    while not cursor.at_end:
        if cursor.accept("RENAME", "TO"):
            graph.name = replace(cursor.name("the name of a graph"), within=graph.name.within)
        elif cursor.accept("SET", "SCHEMA"):
            graph.name = replace(graph.name, within=(cursor.name("the name of a schema"),))
        elif cursor.accept("ADD"):
            kind = read_kind(cursor)
            if kind is None:
                cursor.fail()
            graph.elements.extend(read_elements(cursor, kind, target))
        elif cursor.accept("DROP"):
            if read_kind(cursor) is None:
                cursor.fail()
            gone = {_held(name, target) for name in cursor.names("the name of an element")}
            graph.elements = [element for element in graph.elements if _held(element.name, target) not in gone]
        elif cursor.accept("ALTER"):
            _alter_element(cursor, graph, target)
        else:
            cursor.skip_statement()


def _alter_element(cursor: Cursor, graph: Graph, target: Target) -> None:
    if not cursor.accept_any("VERTEX", "NODE", "EDGE", "RELATIONSHIP"):
        cursor.fail()
    cursor.take("TABLE")
    held = _held(cursor.name("the name of an element"), target)
    found = (element for element in graph.elements if _held(element.name, target) == held)
    element = next(found, Element("node", cursor.token))
    if not element.labels:
        element.labels.append(Label(None, element.properties))
    while verb := cursor.accept_any("ADD", "DROP", "ALTER"):
        cursor.take("LABEL")
        label = cursor.name("a label")
        if verb == "ADD":
            element.labels.append(Label(label, read_properties(cursor, target)))
            continue
        at = next((i for i, each in enumerate(element.labels) if _is_label(each, label, element, target)), None)
        if verb == "DROP":
            element.labels[:] = [each for i, each in enumerate(element.labels) if i != at]
            continue
        changed = _alter_properties(cursor, element.labels[at] if at is not None else Label(label), target)
        if at is not None:
            element.labels[at] = changed
    cursor.accept_any("CASCADE", "RESTRICT")


def _is_label(label: Label, name: Token, element: Element, target: Target) -> bool:
    return _held(label.name or element.name, target) == _held(name, target)


def _alter_properties(cursor: Cursor, label: Label, target: Target) -> Label:
    old = label.properties or ALL_COLUMNS
    if cursor.accept("DROP", "PROPERTIES"):
        names = cursor.names("the name of a property")
        if old.listed is None:
            return Label(label.name, Properties(None, (*old.excepted, *names)))
        gone = {_held(name, target) for name in names}
        return Label(label.name, Properties(tuple(p for p in old.listed if _held(p.name, target) not in gone)))
    cursor.take("ADD")
    added = read_properties(cursor, target)
    if added is None or added.listed is None or old.listed is None:
        return label
    return Label(label.name, Properties((*old.listed, *added.listed)))
