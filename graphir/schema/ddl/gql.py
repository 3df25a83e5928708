"""ISO GQL's CREATE GRAPH TYPE (ISO/IEC 39075, 12.6 and 18.1 to 18.9), read and written.

Node types in both forms, `(p:Person {name STRING})` and `NODE TYPE person LABEL Person {...}`; edge types as
`(p)-[:KNOWS {...}]->(q)` and `DIRECTED EDGE TYPE ... CONNECTING (p TO q)`.  A key label set (`:Person =>`) with labels
that it implies is how GQL says that a type inherits.  GQL has no keys, no unique properties and no sets of values.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from graphir.limits import MAX_NESTING
from graphir.schema.ddl.losses import losses
from graphir.schema.ddl.targets import escape, is_plain
from graphir.schema.ddl.tokens import GQL, Cursor, Token, fail, scan
from graphir.schema.ddl.types import data_type, read_type, write_type
from graphir.schema.ddl.writer import comment
from graphir.schema.model import DataType, EdgeType, Labels, NodeType, Origin, PropertyType, Schema, labels
from graphir.source import Span

FORMAT = "gql"
_NODE = ("NODE", "VERTEX")
_EDGE = ("EDGE", "RELATIONSHIP")

# ------------------------------------------------------------------ reading


@dataclass(slots=True)
class _Filler:
    """What a type says of itself: the key labels, those implied, the properties; `alias` is its local name."""

    alias: Token | None = None
    name: Token | None = None
    key: tuple[str, ...] | None = None
    labels: tuple[str, ...] = ()
    properties: tuple[PropertyType, ...] | None = None

    @property
    def said(self) -> bool:
        return bool(self.key or self.labels or self.properties is not None)


@dataclass(slots=True)
class _Edge:
    filler: _Filler
    source: _Filler
    target: _Filler


@dataclass
class _Reader:
    text: str
    cursor: Cursor
    name: str | None = None
    nodes: list[_Filler] = field(default_factory=list)
    edges: list[_Edge] = field(default_factory=list)
    keys: list[tuple[_Filler, tuple[str, ...], Token]] = field(default_factory=list)
    guesses: list[str] = field(default_factory=list)
    found: bool = False


def read(text: str) -> Schema:
    """The schema of the last graph type in a text.  Raises SyntaxFault G085, SemanticFault G086, G088, G089."""
    cursor = Cursor(text, scan(text, GQL))
    reader = _Reader(text, cursor)
    while not cursor.done:
        if cursor.accept(";"):
            continue
        start = cursor.at
        if not (cursor.accept("CREATE") and _read_create(reader)):
            cursor.at = start
            if not cursor.token.word:
                cursor.fail("CREATE GRAPH TYPE")
            reader.guesses.append(f"a statement was passed over: {cursor.token.word}")
            cursor.skip_statement()
        if not cursor.at_end:
            cursor.fail("`;`")
    if not reader.found:
        fail(text, Span(0, len(text)), "the text defines no graph type", code="G089")
    return _schema(reader)


def _read_create(reader: _Reader) -> bool:
    cursor = reader.cursor
    cursor.accept("OR", "REPLACE")
    cursor.accept("PROPERTY")
    if not cursor.accept("GRAPH"):
        return False
    is_type = cursor.accept("TYPE")
    if cursor.accept("IF"):
        cursor.take("NOT", "EXISTS")
    while cursor.accept("/"):
        pass
    name = cursor.name("the name of a graph type")
    while cursor.accept("/") or cursor.accept("."):
        name = cursor.name("the name of a graph type")
    if is_type:
        cursor.accept("AS")
    else:
        cursor.accept_any("TYPED", "::")
        cursor.accept("PROPERTY")
        cursor.accept("GRAPH")
        if not cursor.looking_at("{"):
            return False  # of another graph, or of a graph type that is defined elsewhere
    if reader.found:
        reader.guesses.append(f"several graph types; {name.text} was read, not {reader.name}")
        reader.nodes.clear()
        reader.edges.clear()
        reader.keys.clear()
    reader.name, reader.found = name.text, True
    cursor.take("{")
    while not cursor.accept("}"):
        if cursor.accept("CONSTRAINT"):
            _read_constraint(reader)
        else:
            _read_element(reader)
        if not cursor.looking_at("}"):
            cursor.take(",")
    return True


def _read_constraint(reader: _Reader) -> None:
    """A key in the notation of Microsoft Fabric: CONSTRAINT c FOR (n:Person) REQUIRE (n.id) IS KEY."""
    cursor = reader.cursor
    if cursor.token.word != "FOR":
        cursor.name("the name of a constraint")
    cursor.take("FOR")
    place = cursor.token
    node = _read_parentheses(reader)
    cursor.take("REQUIRE")
    names = cursor.properties_of(node.alias.text if node.alias is not None else None)
    cursor.take("IS", "KEY")
    reader.keys.append((node, names, place))


def _accept_type(cursor: Cursor, words: tuple[str, ...]) -> bool:
    """NODE [TYPE] or EDGE [TYPE], where it is a keyword and no name."""
    if cursor.token.word not in words:
        return False
    cursor.advance()
    cursor.accept("TYPE")
    return True


def _read_element(reader: _Reader) -> None:
    cursor = reader.cursor
    if cursor.accept("ABSTRACT"):
        reader.guesses.append("an abstract node type is read as one that nodes may have")
    if _accept_type(cursor, _NODE):
        reader.nodes.append(_read_node_phrase(reader))
        return
    directed = cursor.accept("DIRECTED")
    undirected = not directed and cursor.accept("UNDIRECTED")
    if undirected:
        reader.guesses.append("undirected edges are read as directed, as they are written")
    if _accept_type(cursor, _EDGE):
        name = None if cursor.token.word in ("LABEL", "LABELS") or not cursor.token.is_name else cursor.advance()
        if not cursor.looking_at("("):
            reader.edges.append(_read_edge_phrase(reader, name))
            return
    elif directed or undirected:
        cursor.fail("EDGE")
    source = _read_parentheses(reader)
    if cursor.looking_at("-") or cursor.looking_at("<") or cursor.looking_at("~"):
        reader.edges.append(_read_edge_pattern(reader, source))
        return
    reader.nodes.append(source)


def _read_node_phrase(reader: _Reader) -> _Filler:
    cursor = reader.cursor
    name = None
    if cursor.token.is_name and cursor.token.word not in ("LABEL", "LABELS", "IS"):
        name = cursor.advance()
    if cursor.looking_at("("):
        filler = _read_parentheses(reader)
        filler.name = name
        return filler
    filler = _read_filler(reader)
    filler.name = name
    if cursor.accept("AS"):
        filler.alias = cursor.name("an alias")
    return filler


def _read_edge_phrase(reader: _Reader, name: Token | None) -> _Edge:
    cursor = reader.cursor
    filler = _read_filler(reader)
    filler.name = name
    cursor.take("CONNECTING")
    cursor.take("(")
    source = _Filler(cursor.name("the alias of a node type"))
    backwards = False
    if not cursor.accept("TO"):
        if cursor.accept("<"):
            cursor.take("-")
            backwards = True
        elif cursor.accept("~"):
            pass
        else:
            cursor.take("-")
            cursor.take(">")
    target = _Filler(cursor.name("the alias of a node type"))
    cursor.take(")")
    if backwards:
        source, target = target, source
    return _Edge(filler, source, target)


def _read_edge_pattern(reader: _Reader, first: _Filler) -> _Edge:
    cursor = reader.cursor
    backwards = cursor.accept("<")
    if cursor.accept("~"):
        reader.guesses.append("undirected edges are read as directed, as they are written")
    else:
        cursor.take("-")
    cursor.take("[")
    alias = cursor.advance() if cursor.token.is_name and cursor.token.word not in ("LABEL", "LABELS", "IS") else None
    filler = _read_filler(reader)
    filler.alias = alias
    cursor.take("]")
    if not cursor.accept("~"):
        cursor.take("-")
        if not backwards:
            cursor.take(">")
    second = _read_parentheses(reader)
    source, target = (second, first) if backwards else (first, second)
    return _Edge(filler, source, target)


def _read_parentheses(reader: _Reader) -> _Filler:
    cursor = reader.cursor
    cursor.take("(")
    alias = None
    if cursor.token.is_name and cursor.token.word not in ("LABEL", "LABELS", "IS"):
        alias = cursor.advance()
    filler = _read_filler(reader)
    filler.alias = alias
    cursor.take(")")
    return filler


def _read_filler(reader: _Reader) -> _Filler:
    """[labels =>] [labels] [{properties}]"""
    cursor = reader.cursor
    filler = _Filler()
    found = _read_labels(cursor)
    if cursor.accept("=>") or cursor.accept("IMPLIES"):
        filler.key = found
        filler.labels = _read_labels(cursor)
    else:
        filler.labels = found
    if cursor.looking_at("+") and cursor.ahead().text == "=":
        cursor.take("+", "=")  # Fabric: beside those that are inherited
    if cursor.looking_at("{"):
        filler.properties = _read_properties(reader)
    return filler


def _read_labels(cursor: Cursor) -> tuple[str, ...]:
    if cursor.accept("LABEL"):
        return (cursor.name("a label").text,)
    if not (cursor.accept("LABELS") or cursor.accept(":") or cursor.accept("IS")):
        return ()
    found = [cursor.name("a label").text]
    while cursor.accept("&"):
        found.append(cursor.name("a label").text)
    return tuple(found)


def _read_properties(reader: _Reader) -> tuple[PropertyType, ...]:
    cursor = reader.cursor
    cursor.take("{")
    found: dict[str, PropertyType] = {}
    while not cursor.accept("}"):
        name = cursor.name("the name of a property")
        if name.text in found:
            fail(reader.text, Span(name.start, name.end), f"the property {name.text} is given twice", code="G088")
        if not cursor.accept("::"):
            cursor.accept("TYPED")
        type, required = _read_value_type(cursor)
        if type is None:
            reader.guesses.append(f"the type of {name.text} is none that is known")
        found[name.text] = PropertyType(name.text, type, not required)
        if not cursor.looking_at("}"):
            cursor.take(",")
    return tuple(found.values())


def _read_value_type(cursor: Cursor) -> tuple[DataType | None, bool]:
    """A type, with the lists around it, and whether NULL is excluded; None where it is one of several."""
    found, required = _read_member(cursor)
    while cursor.accept("|"):
        other, also = _read_member(cursor)
        found, required = (found if other == found else None), required or also
    return found, required


def _read_member(cursor: Cursor) -> tuple[DataType | None, bool]:
    found = data_type(read_type(cursor), FORMAT)
    lists = 0
    while True:
        required = cursor.accept("NOT", "NULL")
        if not cursor.accept_any("LIST", "ARRAY"):
            return found, required
        found = DataType("LIST", found)
        lists += 1
        if lists > MAX_NESTING:
            cursor.fail_too_deep()
        if cursor.looking_at("["):
            cursor.skip()


def _schema(reader: _Reader) -> Schema:
    declared = {label for node in reader.nodes for label in (node.key or node.labels)}
    aliases: dict[str, _Filler] = {}
    for node in reader.nodes:
        for name in (node.alias, node.name):
            if name is not None:
                aliases[name.text] = node
    types: dict[Labels, NodeType] = {}
    for node in reader.nodes:
        found = _node_type(node, declared)
        if found.labels in types:
            place = node.alias or node.name or reader.cursor.token
            what = f"the node type (:{':'.join(found.labels)}) is defined twice"
            fail(reader.text, Span(place.start, place.end), what, code="G088")
        types[found.labels] = found
    for owner, names, place in reader.keys:
        end = _end(reader, owner, aliases, declared, types)
        if end is None or end not in types:
            fail(reader.text, Span(place.start, place.end), "there is no such node type", code="G086")
        types[end] = _with_key(types[end], names)
    edges: list[EdgeType] = []
    for edge in reader.edges:
        ends = [_end(reader, end, aliases, declared, types) for end in (edge.source, edge.target)]
        edges.extend(_edge_types(reader, edge, ends[0], ends[1]))
    return Schema(
        tuple(types.values()),
        tuple(edges),
        name=reader.name,
        guesses=tuple(dict.fromkeys(reader.guesses)),
        origin=Origin(FORMAT),
    )


def _with_key(node: NodeType, names: tuple[str, ...]) -> NodeType:
    properties = tuple(
        replace(property, nullable=False) if property.name in names else property for property in node.properties or ()
    )
    return replace(node, properties=properties, key=names)


def _node_type(node: _Filler, declared: set[str]) -> NodeType:
    """Implied labels that are key labels of other types are parents; a type without `=>` has its labels for key."""
    if node.key is None:
        own = node.labels or ((node.name.text,) if node.name is not None and not node.said else ())
        return NodeType(labels(*own), node.properties or ())
    parents = [label for label in node.labels if label in declared and label not in node.key]
    own = labels(*node.key, *(label for label in node.labels if label not in parents))
    return NodeType(own, node.properties or (), parents=labels(*parents))


def _end(
    reader: _Reader, end: _Filler, aliases: dict[str, _Filler], declared: set[str], types: dict[Labels, NodeType]
) -> Labels | None:
    """The label set of an end: of the type with this alias or this key, or as written."""
    if not end.said:
        if end.alias is None:
            return None
        node = aliases.get(end.alias.text)
        if node is None:
            place = Span(end.alias.start, end.alias.end)
            fail(reader.text, place, f"there is no node type {end.alias.text}", code="G086")
        return _node_type(node, declared).labels
    own = labels(*(end.key or end.labels))
    exact = [found for found in types if found == own]
    keyed = [
        _node_type(node, declared).labels for node in reader.nodes if node.key is not None and labels(*node.key) == own
    ]
    return (exact or keyed or [own])[0]


def _edge_types(reader: _Reader, edge: _Edge, source: Labels | None, target: Labels | None) -> Iterator[EdgeType]:
    filler = edge.filler
    names = [*(filler.key or ()), *filler.labels]
    if not names and filler.name is not None:
        names = [filler.name.text]
    if not names:
        reader.guesses.append("an edge type without a label is left out: queries name edges by their type")
    if len(names) > 1:
        reader.guesses.append(f"edges with the labels {', '.join(names)}: each is read as a type")
    for name in names:
        yield EdgeType(name, source, target, filler.properties or ())


# ------------------------------------------------------------------ writing


def write(schema: Schema) -> str:
    """CREATE GRAPH TYPE for a schema, what it does not hold as comments before it."""
    writer = _Writer(schema)
    elements = list(writer.write())
    body = "{\n" + ",\n".join("  " + element for element in elements) + "\n}" if elements else "{}"
    return comment(writer.notes) + f"CREATE GRAPH TYPE {_quote(schema.name or 'graph_type')} AS {body}\n"


def _quote(name: str) -> str:
    return name if is_plain(name) else "`" + escape(name, "`") + "`"


class _Writer:
    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.notes: list[str] = []

    def write(self) -> Iterator[str]:
        known = {node.labels for node in self.schema.node_types}
        key_labels = {label for node in self.schema.node_types for label in node.labels}
        for node in self.schema.node_types:
            content = self._content(f"(:{':'.join(node.labels)})", node.properties or (), node.key)
            if node.parents:
                if strange := [label for label in node.parents if label not in key_labels]:
                    self.notes.append(f"(:{':'.join(node.labels)}): {', '.join(strange)} become labels of its own")
                key = ":" + self._labels(node.labels) if node.labels else ""
                yield f"({key} => :{self._labels(node.parents)}{content})"
            else:
                own = ":" + self._labels(node.labels) if node.labels else ""
                yield f"({own}{content if own else content.lstrip()})"
        for edge in self.schema.edge_types:
            ends = []
            for end in (edge.source, edge.target):
                if end is None:
                    self.notes.append(f"[:{edge.type}]: between which nodes it stands is not known; () is any node")
                    ends.append("()")
                    continue
                if end not in known:
                    self.notes.append(f"(:{':'.join(end)}) is named by edges only")
                if not end:
                    self.notes.append(f"[:{edge.type}]: an end without labels is written as any node")
                ends.append(f"(:{self._labels(end)})" if end else "()")
            content = self._content(f"[:{edge.type}]", edge.properties or (), edge.key)
            yield f"{ends[0]}-[:{_quote(edge.type)}{content}]->{ends[1]}"
        self.notes += losses(self.schema)

    def _labels(self, names: Labels) -> str:
        return "&".join(map(_quote, names))

    def _content(self, owner: str, properties: tuple[PropertyType, ...], key: tuple[str, ...]) -> str:
        parts = []
        for property in properties:
            text, exact = write_type(property.type, FORMAT)
            if not exact:
                self.notes.append(f"{owner}.{property.name}: {property.type or 'unknown type'} is written as {text}")
            parts.append(f"{_quote(property.name)} {text}" + (" NOT NULL" if property.nullable is False else ""))
        if key:
            self.notes.append(f"{owner}: that {', '.join(key)} is its key is not held")
        return " {" + ", ".join(parts) + "}" if parts else ""
