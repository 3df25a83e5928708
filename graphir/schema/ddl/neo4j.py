"""Neo4j's constraints and graph types, read and written.

Both are open: they say what holds of the labels and types that they name, and nothing of others.  A constraint names
one label; a graph type (`ALTER CURRENT GRAPH TYPE SET {...}`, 2026) has an identifying label for each node type, labels
that it implies, and one relationship type per name.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from graphir.limits import MAX_NESTING
from graphir.quoting import ticked
from graphir.schema.ddl.layout import main_label
from graphir.schema.ddl.losses import losses
from graphir.schema.ddl.targets import is_plain
from graphir.schema.ddl.tokens import CYPHER, Cursor, Token, fail, scan
from graphir.schema.ddl.writer import comment
from graphir.schema.model import Coverage, DataType, EdgeType, NodeType, Origin, PropertyType, Schema, labels
from graphir.source import Span

FORMAT = "neo4j"
OPEN = Coverage(labels=False, types=False, endpoints=False, properties=False, combinations=False)
"""What constraints say: nothing is complete."""
GRAPH_TYPE = Coverage(labels=False, types=False, endpoints=True, properties=False, combinations=False)
"""What a graph type says: of the relationship types that it names, the ends."""

# ------------------------------------------------------------------ types

_WORDS = {
    "BOOL": "BOOLEAN",
    "BOOLEAN": "BOOLEAN",
    "VARCHAR": "STRING",
    "STRING": "STRING",
    "INT": "INTEGER",
    "SIGNED INTEGER": "INTEGER",
    "INTEGER": "INTEGER",
    "INTEGER64": "INTEGER",
    "INT64": "INTEGER",
    "INTEGER32": "INTEGER32",
    "INT32": "INTEGER32",
    "INTEGER16": "INTEGER16",
    "INT16": "INTEGER16",
    "INTEGER8": "INTEGER8",
    "INT8": "INTEGER8",
    "FLOAT": "FLOAT",
    "FLOAT64": "FLOAT",
    "FLOAT32": "FLOAT32",
    "DATE": "DATE",
    "LOCAL TIME": "LOCAL TIME",
    "TIME WITHOUT TIME ZONE": "LOCAL TIME",
    "TIME WITHOUT TIMEZONE": "LOCAL TIME",
    "ZONED TIME": "ZONED TIME",
    "TIME WITH TIME ZONE": "ZONED TIME",
    "TIME WITH TIMEZONE": "ZONED TIME",
    "LOCAL DATETIME": "LOCAL DATETIME",
    "TIMESTAMP WITHOUT TIME ZONE": "LOCAL DATETIME",
    "TIMESTAMP WITHOUT TIMEZONE": "LOCAL DATETIME",
    "ZONED DATETIME": "ZONED DATETIME",
    "TIMESTAMP WITH TIME ZONE": "ZONED DATETIME",
    "TIMESTAMP WITH TIMEZONE": "ZONED DATETIME",
    "DURATION": "DURATION",
    "POINT": "POINT",
    "UUID": "UUID",
    "MAP": "MAP",
    "ANY": "ANY",
    "PROPERTY VALUE": "ANY",
    "ANY PROPERTY VALUE": "ANY",
}
_FIRST_WORDS = {word.split()[0] for word in _WORDS} | {"LIST", "ARRAY", "VECTOR"}


def _read_type(cursor: Cursor) -> tuple[DataType | None, bool]:
    """The type that stands here, None where it is none of one kind, and whether NULL is excluded."""
    first, required = _read_single(cursor)
    kinds = [first]
    while cursor.accept("|"):
        other, also = _read_single(cursor)
        kinds.append(other)
        required = required or also
    return (first if all(kind == first for kind in kinds) else None), required


def _read_single(cursor: Cursor) -> tuple[DataType | None, bool]:
    if cursor.accept_any("LIST", "ARRAY"):
        element = None
        if cursor.accept("<"):
            with cursor.nested():
                element, _ = _read_type(cursor)
            cursor.take(">")
        found: DataType | None = DataType("LIST", element)
    elif cursor.accept("VECTOR"):
        found = _read_vector(cursor)
    else:
        words = ""
        if cursor.token.word not in _FIRST_WORDS:
            cursor.fail("a type")
        while cursor.token.word and f"{words} {cursor.token.word}".strip() in _PREFIXES:
            words = f"{words} {cursor.advance().word}".strip()
        if words not in _WORDS:
            cursor.fail("a type")
        found = DataType(_WORDS[words])
    required = False
    lists = 0
    while True:
        if cursor.accept("NOT", "NULL") or cursor.accept("!"):
            required = True
        elif cursor.accept_any("LIST", "ARRAY"):
            found = DataType("LIST", found)
            lists += 1
            if lists > MAX_NESTING - cursor.depth:
                cursor.fail_too_deep()
        else:
            return found, required


_PREFIXES = {" ".join(word.split()[:count]) for word in _WORDS for count in range(1, len(word.split()) + 1)}


def _read_vector(cursor: Cursor) -> DataType:
    element: DataType | None = None
    if cursor.accept("<"):
        with cursor.nested():
            element, _ = _read_single(cursor)
        cursor.take(">")
    size = None
    if cursor.accept("("):
        if not (cursor.token.text.isdecimal() and len(cursor.token.text) < 10):
            cursor.fail("a number")
        size = int(cursor.advance().text)
        cursor.take(")")
    if element is not None and element.name == "FLOAT32":
        element = None
    return DataType("VECTOR", element, size)


def write_type(type: DataType | None) -> tuple[str | None, bool]:
    """The type as Neo4j spells it, and whether that says the same; None where there is no such type."""
    if type is None or type.name == "ANY":
        return None, type is None
    if type.name == "LIST":
        if type.element is None:
            return None, False
        text, exact = write_type(type.element)
        return (f"LIST<{text} NOT NULL>", exact) if text is not None and "<" not in text else (None, False)
    if type.name == "VECTOR" and type.size is not None:
        element = write_type(type.element)[0] if type.element is not None else "FLOAT32"
        return f"VECTOR<{element}>({type.size})", True
    if type.name in ("INTEGER8", "INTEGER16", "INTEGER32", "UINTEGER8", "UINTEGER16", "UINTEGER32"):
        return "INTEGER", False
    if type.name == "FLOAT32":
        return "FLOAT", False
    if type.name in _WORDS.values() and type.name not in ("MAP", "VECTOR"):
        return type.name, type.size is None
    return None, False


# ------------------------------------------------------------------ reading


@dataclass
class _Kind:
    """What is known of a label or a relationship type."""

    properties: dict[str, PropertyType] = field(default_factory=dict)
    key: tuple[str, ...] = ()

    def say(self, name: str, **facts: object) -> None:
        known = self.properties.get(name) or PropertyType(name)
        self.properties[name] = replace(known, **facts)  # type: ignore[arg-type]


@dataclass
class _Reader:
    text: str
    cursor: Cursor
    nodes: dict[str, _Kind] = field(default_factory=dict)
    implied: dict[str, tuple[str, ...]] = field(default_factory=dict)
    edges: dict[str, _Kind] = field(default_factory=dict)
    ends: dict[str, tuple[str | None, str | None]] = field(default_factory=dict)
    aliases: dict[str, str] = field(default_factory=dict)
    has_graph_type: bool = False
    guesses: list[str] = field(default_factory=list)


def read(text: str) -> Schema:
    """The schema in constraints and a graph type; without any statement nothing is known.

    Raises SyntaxFault G085, SemanticFault G086, G088, and G089 where there are only other statements.
    """
    cursor = Cursor(text, scan(text, CYPHER))
    reader = _Reader(text, cursor)
    passed: set[str] = set()
    while not cursor.done:
        if cursor.accept(";"):
            continue
        if cursor.accept("CYPHER"):
            while cursor.token.kind == "number":
                cursor.advance()
            continue
        if not cursor.token.word:
            cursor.fail("CREATE CONSTRAINT", "ALTER CURRENT GRAPH TYPE")
        if cursor.accept("CREATE", "CONSTRAINT"):
            _read_constraint(reader)
        elif cursor.accept("ALTER", "CURRENT", "GRAPH", "TYPE"):
            if not cursor.accept_any("SET", "ADD", "EXTEND"):
                cursor.fail()
            cursor.accept("WITH")
            _read_graph_type(reader)
        else:
            passed.add(cursor.token.word)
            cursor.skip_statement()
        if not cursor.at_end:
            cursor.fail("`;`")
    if passed and not (reader.nodes or reader.edges or reader.has_graph_type):
        fail(text, Span(0, len(text)), "the text holds neither constraints nor a graph type", code="G089")
    if passed:
        reader.guesses.append(f"statements passed over: {', '.join(sorted(passed))}")
    return _schema(reader)


def _schema(reader: _Reader) -> Schema:
    for ends in reader.ends.values():
        for label in ends:
            if label is not None and label not in reader.nodes:
                reader.nodes[label] = _Kind()
    nodes = []
    for label, kind in reader.nodes.items():
        implied = reader.implied.get(label, ())
        parents = tuple(name for name in implied if name in reader.nodes)
        own = labels(label, *(name for name in implied if name not in reader.nodes))
        nodes.append(NodeType(own, tuple(kind.properties.values()), kind.key, labels(*parents)))
    found = {label: node.labels for node in nodes for label in node.labels if label in reader.nodes}
    edges = []
    for type, kind in reader.edges.items():
        source, target = reader.ends.get(type, (None, None))
        edges.append(
            EdgeType(
                type,
                None if source is None else found[source],
                None if target is None else found[target],
                tuple(kind.properties.values()),
                kind.key,
            )
        )
    coverage = GRAPH_TYPE if reader.has_graph_type else OPEN
    return Schema(tuple(nodes), tuple(edges), coverage, guesses=tuple(reader.guesses), origin=Origin(FORMAT))


def _read_constraint(reader: _Reader) -> None:
    cursor = reader.cursor
    if cursor.token.word != "FOR" or cursor.ahead().is_name:
        if not (cursor.token.word == "IF" and cursor.ahead().word == "NOT"):
            cursor.name("the name of a constraint")
        if cursor.accept("IF"):
            cursor.take("NOT", "EXISTS")
    cursor.take("FOR")
    _read_for(reader)
    if cursor.accept("OPTIONS"):
        cursor.skip()


def _read_for(reader: _Reader) -> None:
    """What a constraint is on, and what it requires."""
    cursor = reader.cursor
    cursor.take("(")
    if cursor.accept(")"):
        cursor.accept("<")
        cursor.take("-")
        cursor.take("[")
        variable, type = _variable_and_name(cursor, "a relationship type")
        cursor.take("]")
        cursor.take("-")
        cursor.accept(">")
        cursor.take("(")
        cursor.take(")")
        kind = reader.edges.setdefault(type, _Kind())
    else:
        variable, label = _variable_and_name(cursor, "a label")
        cursor.accept("=>")
        cursor.take(")")
        kind = reader.nodes.setdefault(label, _Kind())
    cursor.take("REQUIRE")
    _read_requirement(reader, kind, variable)


def _variable_and_name(cursor: Cursor, what: str) -> tuple[str, str]:
    variable = cursor.advance().text if cursor.token.is_name and cursor.token.word != "IS" else ""
    if not cursor.accept("IS"):
        cursor.take(":")
    return variable, cursor.name(what).text


def _read_requirement(reader: _Reader, kind: _Kind, variable: str) -> None:
    cursor = reader.cursor
    names = reader.cursor.properties_of(variable)
    if cursor.accept("IS", "NOT", "NULL"):
        for name in names:
            kind.say(name, nullable=False)
        return
    is_type = cursor.accept("::") or cursor.accept("IS", "::") or cursor.accept("IS", "TYPED")
    if is_type:
        type, required = _read_type(cursor)
        for name in names:
            kind.say(name, type=type, **({"nullable": False} if required else {}))
        return
    cursor.take("IS")
    cursor.accept_any("NODE", "RELATIONSHIP", "REL")
    _read_uniqueness(reader, kind, names)


def _read_uniqueness(reader: _Reader, kind: _Kind, names: tuple[str, ...]) -> None:
    cursor = reader.cursor
    if cursor.accept("KEY"):
        if kind.key:
            reader.guesses.append(f"of several keys the first counts, not ({', '.join(names)})")
        kind.key = kind.key or names
        for name in names:
            kind.say(name, nullable=False)
    elif cursor.accept("UNIQUE"):
        if len(names) == 1:
            kind.say(names[0], unique=True)
        else:
            reader.guesses.append(f"that ({', '.join(names)}) are unique together is no part of a schema")
            for name in names:
                kind.say(name)
    else:
        cursor.fail()


# ------------------------------------------------------------------ graph types


def _read_graph_type(reader: _Reader) -> None:
    cursor = reader.cursor
    reader.has_graph_type = True
    reader.aliases.clear()
    cursor.take("{")
    while not cursor.accept("}"):
        if cursor.accept("CONSTRAINT"):
            if cursor.token.word != "FOR" or cursor.ahead().is_name:
                cursor.name("the name of a constraint")
            cursor.take("FOR")
            _read_for(reader)
        else:
            _read_element(reader)
        if not cursor.looking_at("}"):
            cursor.take(",")


def _read_element(reader: _Reader) -> None:
    """A node type, or a relationship type between two node types."""
    cursor = reader.cursor
    start = cursor.token
    cursor.take("(")
    variable, label, defines = _read_reference(reader)
    if cursor.looking_at("-"):
        source = label
        _read_relationship(reader, source, start)
        return
    if not defines or label is None:
        cursor.fail("`-`")
    if variable:
        reader.aliases[variable] = label
    _read_inline_requirements(reader, reader.nodes[label], variable)


def _read_reference(reader: _Reader) -> tuple[str, str | None, bool]:
    """What stands in the parentheses of a node: variable, label, and whether it says more of the label."""
    cursor = reader.cursor
    if cursor.accept(")"):
        return "", None, False
    variable = cursor.advance().text if cursor.token.is_name and cursor.token.word not in ("IS",) else ""
    if cursor.accept(")"):
        if variable not in reader.aliases:
            token = cursor.tokens[cursor.at - 2]
            fail(reader.text, Span(token.start, token.end), f"there is no node type {variable}", code="G086")
        return variable, reader.aliases[variable], False
    if not cursor.accept("IS"):
        cursor.take(":")
    label = cursor.name("a label").text
    defines = False
    if cursor.accept_any("=>", "IMPLIES"):
        implied: list[str] = []
        if cursor.accept(":") or cursor.accept("IS"):
            implied.append(cursor.name("a label").text)
            while cursor.accept("&") or cursor.accept(":"):
                implied.append(cursor.name("a label").text)
        defines = bool(implied) or cursor.looking_at("{")
        kind = reader.nodes.setdefault(label, _Kind())
        if implied:
            reader.implied[label] = tuple(implied)
        _read_properties(reader, kind)
    cursor.take(")")
    return variable, label, defines


def _read_relationship(reader: _Reader, source: str | None, start: Token) -> None:
    cursor = reader.cursor
    cursor.take("-")
    cursor.take("[")
    variable, type = _variable_and_name(cursor, "a relationship type")
    if not cursor.accept_any("=>", "IMPLIES"):
        cursor.fail()
    if type in reader.ends:
        fail(reader.text, Span(start.start, start.end), f"the relationship type {type} is defined twice", code="G088")
    kind = reader.edges.setdefault(type, _Kind())
    _read_properties(reader, kind)
    cursor.take("]")
    cursor.take("-")
    cursor.take(">")
    cursor.take("(")
    _, target, _ = _read_reference(reader)
    reader.ends[type] = (source, target)
    _read_inline_requirements(reader, kind, variable)


def _read_properties(reader: _Reader, kind: _Kind) -> None:
    cursor = reader.cursor
    if not cursor.accept("{"):
        return
    while not cursor.accept("}"):
        name = cursor.name("the name of a property").text
        if not (cursor.accept("::") or cursor.accept("IS", "::") or cursor.accept("IS", "TYPED")):
            cursor.accept("TYPED")
        type, required = _read_type(cursor)
        if type == DataType("ANY"):
            type = None
        kind.say(name, type=type, nullable=not required)
        if cursor.accept("IS"):
            cursor.accept_any("NODE", "RELATIONSHIP", "REL")
            _read_uniqueness(reader, kind, (name,))
        if not cursor.looking_at("}"):
            cursor.take(",")


def _read_inline_requirements(reader: _Reader, kind: _Kind, variable: str) -> None:
    while reader.cursor.accept("REQUIRE"):
        _read_requirement(reader, kind, variable)


# ------------------------------------------------------------------ writing


def _quote(name: str) -> str:
    return name if is_plain(name) and name.isascii() else ticked(name)


def write_constraints(schema: Schema) -> str:
    """CREATE CONSTRAINT statements for what constraints can say of a schema, the rest as comments before them."""
    writer = _Constraints(schema)
    statements = list(writer.write())
    return comment(writer.notes, "//") + "\n".join(statements) + ("\n" if statements else "")


def write_graph_type(schema: Schema) -> str:
    """ALTER CURRENT GRAPH TYPE SET {...} for a schema, what it does not hold as comments before it."""
    writer = _GraphType(schema)
    elements = list(writer.write())
    body = ",\n".join("  " + element for element in elements)
    return comment(writer.notes, "//") + f"ALTER CURRENT GRAPH TYPE SET {{\n{body}\n}};\n"


class _Shared:
    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.notes: list[str] = []

    def type(self, owner: str, property: PropertyType) -> str | None:
        text, exact = write_type(property.type)
        if not exact:
            written = f"is written as {text}" if text is not None else "is not held"
            self.notes.append(f"{owner}.{property.name}: {property.type} {written}")
        return text


class _Constraints(_Shared):
    def write(self) -> Iterator[str]:
        for node in self.schema.node_types:
            label = main_label(node, self.schema.node_types)
            if label is None:
                self.notes.append("nodes without labels have no constraints")
                continue
            if len(node.labels) > 1:
                self.notes.append(f"(:{':'.join(node.labels)}): constraints are on {label} alone")
            if node.parents:
                self.notes.append(f"(:{label}): that it inherits from {', '.join(node.parents)} is not held")
            pattern = f"(n:{_quote(label)})"
            yield from self._constraints(f"(:{label})", pattern, "NODE", node.properties or (), node.key)
        done: dict[str, dict[str, PropertyType]] = {}
        keys: dict[str, tuple[str, ...]] = {}
        for edge in self.schema.edge_types:
            known = done.setdefault(edge.type, {})
            keys.setdefault(edge.type, edge.key)
            for property in edge.properties or ():
                if known.setdefault(property.name, property) != property:
                    self.notes.append(f"[:{edge.type}].{property.name} differs between its ends: the first is written")
        for type, properties in done.items():
            pattern = f"()-[n:{_quote(type)}]-()"
            yield from self._constraints(f"[:{type}]", pattern, "RELATIONSHIP", tuple(properties.values()), keys[type])
        if self.schema.edge_types:
            self.notes.append("between which nodes relationships stand is not held")
        self.notes += losses(self.schema, unique=lambda _: True, nullable=False, closed=False)

    def _constraints(
        self, owner: str, pattern: str, kind: str, properties: tuple[PropertyType, ...], key: tuple[str, ...]
    ) -> Iterator[str]:
        said = False
        create = f"CREATE CONSTRAINT IF NOT EXISTS FOR {pattern} REQUIRE"
        if key:
            said = True
            yield f"{create} ({', '.join('n.' + _quote(name) for name in key)}) IS {kind} KEY;"
        for property in properties:
            place = f"n.{_quote(property.name)}"
            text = self.type(owner, property)
            if property.unique and key != (property.name,):
                yield f"{create} {place} IS UNIQUE;"
            if property.nullable is False and property.name not in key:
                yield f"{create} {place} IS NOT NULL;"
            if text is not None:
                yield f"{create} {place} IS :: {text};"
            if text is None and not property.unique and property.nullable is not False:
                self.notes.append(f"of {owner}.{property.name} nothing is known that a constraint could say")
            said = said or property.unique or property.nullable is False or text is not None
        if not said:
            self.notes.append(f"of {owner} nothing is known that a constraint could say")


class _GraphType(_Shared):
    """A label is identifying or implied, never both: what other types inherit from is written as constraints."""

    def __init__(self, schema: Schema) -> None:
        super().__init__(schema)
        self.identifying = _identify(schema.node_types)
        self.stated: set[str] = set()
        self.variables = 0

    def write(self) -> Iterator[str]:
        for node in self.schema.node_types:
            label = self.identifying.get(node.labels)
            if label is not None:
                yield from self._node(node, label)
            elif len(node.labels) == 1:
                yield from self._inherited(node)
            else:
                what = f"(:{':'.join(node.labels)})" if node.labels else "a node type without labels"
                self.notes.append(f"{what} is left out: it has no label of its own that identifies it")
        yield from self._edges()
        self.notes += losses(self.schema, unique=lambda _: True, nullable=False, closed=False)

    def _variable(self) -> str:
        """A name for an element: no two may have the same."""
        self.variables += 1
        return f"e{self.variables}"

    def _node(self, node: NodeType, label: str) -> Iterator[str]:
        others = {name for other in self.schema.node_types if other is not node for name in other.labels}
        for name in node.labels:
            if name in others and name not in node.parents:
                self.notes.append(f"(:{':'.join(node.labels)}) is written as inheriting from {name}")
        known = {name for other in self.schema.node_types for name in other.labels}
        if strange := [name for name in node.parents if name not in known]:
            self.notes.append(f"(:{label}): {', '.join(strange)} become labels of its own")
        implied = [name for name in (*node.labels, *node.parents) if name != label]
        implied = [name for name in dict.fromkeys(implied) if name not in self.identifying.values()]
        properties = self._properties(f"(:{label})", node.properties or (), node.key)
        if not implied and not properties:
            self.notes.append(f"(:{label}) is left out where no relationship names it: nothing of it can be said")
            return
        self.stated.add(label)
        variable = self._variable() if node.key else ""
        text = f"({variable}:{_quote(label)} =>" + (" :" + "&".join(map(_quote, implied)) if implied else "")
        yield text + (" " + properties if properties else "") + ")" + self._key(node.key, variable)

    def _inherited(self, node: NodeType) -> Iterator[str]:
        """Constraints on a label that other types imply."""
        label = node.labels[0]
        if node.parents:
            self.notes.append(f"(:{label}): that it inherits from {', '.join(node.parents)} is not held")
        start = f"CONSTRAINT FOR (n:{_quote(label)}) REQUIRE"
        if node.key:
            yield f"{start} ({', '.join('n.' + _quote(name) for name in node.key)}) IS KEY"
        for property in node.properties or ():
            place = f"n.{_quote(property.name)}"
            text = self.type(f"(:{label})", property)
            if text is not None:
                yield f"{start} {place} :: {text}"
            if property.unique and node.key != (property.name,):
                yield f"{start} {place} IS UNIQUE"
            if property.nullable is False and property.name not in node.key:
                yield f"{start} {place} IS NOT NULL"
            elif property.nullable and property.name not in node.key:
                self.notes.append(f"(:{label}).{property.name}: that it may be NULL is not held")

    def _properties(self, owner: str, properties: tuple[PropertyType, ...], key: tuple[str, ...]) -> str:
        parts = []
        for property in properties:
            text = self.type(owner, property)
            required = property.nullable is False or property.name in key
            if text is None and not required:
                self.notes.append(f"{owner}.{property.name} is left out: neither its type nor that it exists is said")
                continue
            if required and text is not None and text.startswith("VECTOR"):
                self.notes.append(f"{owner}.{property.name}: NOT NULL is not held of a vector")
                required = False
            part = f"{_quote(property.name)} :: {text or 'ANY'}" + (" NOT NULL" if required else "")
            parts.append(part + (" IS UNIQUE" if property.unique and key != (property.name,) else ""))
            if property.nullable is None and not required:
                self.notes.append("whether properties may be NULL is not known, so they may")
        return "{" + ", ".join(parts) + "}" if parts else ""

    def _key(self, key: tuple[str, ...], variable: str) -> str:
        return f" REQUIRE ({', '.join(f'{variable}.{_quote(name)}' for name in key)}) IS KEY" if key else ""

    def _edges(self) -> Iterator[str]:
        by_type: dict[str, list[EdgeType]] = {}
        for edge in self.schema.edge_types:
            by_type.setdefault(edge.type, []).append(edge)
        for type, edges in by_type.items():
            source = self._end({edge.source for edge in edges})
            target = self._end({edge.target for edge in edges})
            if len(edges) > 1:
                pairs = ", ".join(f"{_ends(edge.source)} to {_ends(edge.target)}" for edge in edges)
                self.notes.append(f"[:{type}] stands between several pairs of labels, which is not held: {pairs}")
            properties: dict[str, PropertyType] = {}
            for edge in edges:
                for property in edge.properties or ():
                    if properties.setdefault(property.name, property) != property:
                        self.notes.append(f"[:{type}].{property.name} differs between its ends: the first is written")
            body = self._properties(f"[:{type}]", tuple(properties.values()), edges[0].key)
            if not (body or source or target):
                self.notes.append(f"[:{type}] is left out: nothing of it can be said")
                continue
            key = edges[0].key
            variable = self._variable() if key else ""
            middle = f"[{variable}:{_quote(type)} =>{' ' + body if body else ''}]"
            yield f"({source})-{middle}->({target}){self._key(key, variable)}"

    def _end(self, ends: set[tuple[str, ...] | None]) -> str:
        """What stands in the parentheses of an end: its label, or nothing where it is not one."""
        if len(ends) != 1:
            return ""
        end = next(iter(ends))
        if not end:
            return ""
        label = self.identifying.get(end) or (end[0] if len(end) == 1 else None)
        if label is None:
            self.notes.append(f"the end (:{':'.join(end)}) is not held: an end has one label")
            return ""
        return f":{_quote(label)}" + (" =>" if label in self.stated else "")


def _ends(end: tuple[str, ...] | None) -> str:
    return "anything" if end is None else f"(:{':'.join(end)})"


def _identify(nodes: tuple[NodeType, ...]) -> dict[tuple[str, ...], str]:
    """Labels of a node type -> the label that stands for it and that no other type has or inherits."""
    found: dict[tuple[str, ...], str] = {}
    for node in nodes:
        others = {name for other in nodes if other is not node for name in (*other.labels, *other.parents)}
        own = [label for label in node.labels if label not in others and label not in node.parents]
        if own:
            found[node.labels] = own[0]
    return found
