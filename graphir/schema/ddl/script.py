"""A script of CREATE TABLE and CREATE PROPERTY GRAPH, read as a schema.

Labels and properties keep the spelling of the text; what a name that is not quoted becomes in the database is kept
beside them (`Origin`).  A script without a property graph is read as tables (`relational.py`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import NoReturn

from graphir.nearest import suggestion
from graphir.schema.ddl import graphs, sessions, tables
from graphir.schema.ddl.graphs import ALL_COLUMNS, Element, End, Exposed, Graph, Properties
from graphir.schema.ddl.paths import Path, agree
from graphir.schema.ddl.tables import Tables
from graphir.schema.ddl.targets import TARGETS, Target
from graphir.schema.ddl.tokens import GOOGLE, Cursor, Token, fail, scan
from graphir.schema.model import CLOSED, EdgeType, NodeType, Origin, PropertyType, Schema, Table, labels
from graphir.source import Span

SURROGATE = "graphir_id"
"""The column that the writer adds to a table whose type has no key; readers take it for no property."""
OWN_LABEL = "graphir_"
"""How a label begins that the writer gives to a table which has none alone: the name of the element follows.  Readers
take it for no label of the nodes."""
HIDING = "hidden by label"
"""The kind in `Origin.held` of a property that no table exposes under a label which it has: the label, the property."""
OWN_KIND = "own label"
"""The kind of such a label in `Origin.held`: the name of the element, and the label."""


@dataclass(slots=True)
class Spelling:
    """One spelling for each name that the database holds: as it was first written."""

    target: Target
    quoted: frozenset[str]
    spelled: dict[tuple[str, str], str] = field(default_factory=dict)
    differing: set[tuple[str, str, str]] = field(default_factory=set)

    def held(self, name: Token) -> str:
        return self.target.name(name)

    def scope(self, name: Token) -> str:
        """What tells the columns of a table from those of others."""
        return ".".join(self.target.path(name))

    def qualifier(self, name: Token) -> tuple[str, ...]:
        """The spellings of the schemas before a name."""
        return tuple([self.of("schema", part) for part in name.within])

    def home(self, name: Token) -> Table:
        """A table, of which nothing but its name is known."""
        return Table(self.of("table", name, self.scope(name)), qualifier=self.qualifier(name))

    def of(self, kind: str, name: Token, scope: str = "") -> str:
        """The spelling; names of another kind or scope have spellings of their own."""
        held = self.held(name)
        place = (f"{kind}{scope if self.target.fold == 'insensitive' else ''}", held)
        if place not in self.spelled:
            clash = name.kind == "name" and self.target.fold != "insensitive" and name.text in self.quoted
            self.spelled[place] = held if clash else name.text
        found = self.spelled[place]
        if self.target.fold != "insensitive" and found != held:
            self.differing.add((kind, found, held))
        return found


@dataclass(slots=True)
class Script:
    """What a text defines, as it is written."""

    text: str
    target: Target
    tables: Tables
    graphs: list[Graph] = field(default_factory=list)
    passed: Counter[str] = field(default_factory=Counter)
    tokens: list[Token] = field(default_factory=list)

    def fail(self, code: str, name: Token, message: str) -> NoReturn:
        fail(self.text, Span(name.start, name.end), message, code=code)


def parse(text: str, target: Target) -> Script:
    """The statements of a script; those that define neither tables nor graphs are counted and passed over."""
    tokens = scan(text, target.lexis)
    script = Script(text, target, Tables(target), tokens=tokens)
    cursor = Cursor(text, tokens, dotted=target.lexis is GOOGLE)
    while not cursor.done:
        if cursor.token.text in (";", "/"):
            cursor.advance()
            continue
        head = cursor.token
        read = (
            graphs.read_statement(cursor, script.graphs, target)
            or tables.read_statement(cursor, script.tables)
            or sessions.read_statement(cursor, script.tables)
        )
        if not read:
            if not head.word:
                cursor.fail("a statement")
            script.passed[head.word] += 1
            cursor.skip_statement()
        elif not cursor.at_end:
            cursor.fail("`;`")
    return script


def read(text: str, format: str, graph: str | None = None) -> Schema:
    """The schema of the property graph in a script: of the one named, else of the last.

    Raises SyntaxFault G085 where the text does not parse, SemanticFault G086 to G089 where it makes no sense.
    """
    from graphir.schema.ddl.relational import from_tables

    script = parse(text, TARGETS[format])
    if not script.graphs and not script.tables.by_name:
        fail(text, Span(0, len(text)), "the text defines neither tables nor a property graph", code="G089")
    chosen = _choose(script, graph)
    spelling = Spelling(script.target, frozenset(token.text for token in script.tokens if token.kind == "quoted"))
    found = from_tables(script, spelling) if chosen is None else GraphReader(script, chosen, spelling).read()
    guesses = [*found.guesses]
    if len(script.graphs) > 1 and graph is None and chosen is not None:
        others = ", ".join(other.name.dotted for other in script.graphs if other is not chosen)
        guesses.append(f"several property graphs; {chosen.name.dotted} was read, not {others}")
    if script.passed:
        counted = ", ".join(f"{word} ({count})" for word, count in sorted(script.passed.items()))
        guesses.append(f"statements passed over: {counted}")
    return replace(found, guesses=tuple(guesses), origin=Origin(format, tuple(sorted(spelling.differing))))


def _choose(script: Script, name: str | None) -> Graph | None:
    if name is None:
        return script.graphs[-1] if script.graphs else None
    target = script.target
    parts = name.split(".")
    asked = [(name,), *[tuple([target.held(part, quoted) for part in parts]) for quoted in (True, False)]]
    for graph in script.graphs:
        if any(agree(target.path(graph.name), path) for path in asked):
            return graph
    near = suggestion(name, (graph.name.dotted for graph in script.graphs))
    return fail(script.text, Span(0, 0), f"there is no property graph {name}{near}", code="G086")


@dataclass(slots=True)
class Resolved:
    """An element with its labels and properties; `properties` None: not known.  `exposing`: held column -> property."""

    element: Element
    labels: list[str]
    by_label: list[dict[str, PropertyType] | None]
    properties: dict[str, PropertyType] | None
    exposing: dict[str, str]
    table: tables.Table | None
    key: tuple[str, ...]
    home: Table


@dataclass(slots=True)
class GraphReader:
    """A property graph over tables as a schema."""

    script: Script
    graph: Graph
    spelling: Spelling
    guesses: list[str] = field(default_factory=list)

    def read(self) -> Schema:
        self._refuse_twins()
        nodes = [self._resolve(element) for element in self.graph.elements if element.kind == "node"]
        self._note_hidden(nodes)
        node_types: dict[tuple[str, ...], NodeType] = {}
        dynamic = False
        for node in nodes:
            dynamic |= node.element.dynamic_label is not None
            for found in self._node_types(node):
                self._merge_node(node_types, found)
        edge_types: dict[object, EdgeType] = {}
        for element in self.graph.elements:
            if element.kind == "edge":
                dynamic |= element.dynamic_label is not None
                for edge in self._edge_types(element, nodes):
                    self._merge_edge(edge_types, edge)
        coverage = CLOSED
        if dynamic:
            self.guesses.append("labels come from a column (DYNAMIC LABEL): there may be more than those listed")
            coverage = replace(coverage, labels=False, types=False)
        return Schema(
            tuple(node_types.values()),
            tuple(edge_types.values()),
            coverage,
            self.spelling.of("graph", self.graph.name),
            tuple(dict.fromkeys(self.guesses)),
            qualifier=self.spelling.qualifier(self.graph.name),
        )

    def _note_hidden(self, nodes: list[Resolved]) -> None:
        """Which properties of nodes are not exposed under each of their labels."""
        exposed: dict[str, set[str]] = {}
        there: dict[str, set[str]] = {}
        for node in nodes:
            for label, properties in zip(node.labels, node.by_label, strict=True):
                if properties is None or node.properties is None:
                    return
                exposed.setdefault(label, set()).update(properties)
                there.setdefault(label, set()).update(node.properties)
        for label, names in there.items():
            self.spelling.differing.update((HIDING, label, name) for name in names - exposed[label])

    def _refuse_twins(self) -> None:
        seen: set[tuple[str, str]] = set()
        for element in self.graph.elements:
            held = (element.kind, self.spelling.held(element.name))
            if held in seen:
                self.script.fail(
                    "G088", element.name, f"{element.name.text} is the name of two elements; give one an alias"
                )
            seen.add(held)

    # -------------------------------------------------------------- elements

    def _resolve(self, element: Element) -> Resolved:
        table = self.script.tables.find(element.table)
        scope = self.spelling.held(element.name)
        names: list[str] = []
        by_label: list[dict[str, PropertyType] | None] = []
        exposing: dict[str, str] = {}
        columns: dict[str, str] = {}
        for label in element.labels or [graphs.Label(None)]:
            name = self.spelling.of("label", label.name or element.name)
            if name in names:
                self.script.fail("G088", label.name or element.name, f"the label {name} is given twice")
            own = OWN_LABEL + element.name.text
            if len(element.labels) > 1 and self.script.target.own_labels and name == own:
                self.spelling.differing.add((OWN_KIND, scope, self.spelling.held(label.name or element.name)))
                continue
            names.append(name)
            exposed = self._exposed(label.properties or element.properties or ALL_COLUMNS, table)
            by_label.append(self._properties(exposed, element, table, scope, exposing, columns))
        known = [properties for properties in by_label if properties is not None]
        merged = {name: each for properties in known for name, each in properties.items()}
        key = element.key or (table.key if table is not None else ())
        self._require(key, element, table)
        home = replace(
            self.spelling.home(self.script.tables.whole(element.table)),
            columns=tuple(sorted((name, column) for name, column in columns.items() if name != column)),
            key=tuple(self._column(column, table) for column in key),
            elements=(element.name.text,) if element.name.text != element.table.text else (),
        )
        exposed_key = [exposing.get(self.spelling.held(column)) for column in key]
        whole = tuple(name for name in exposed_key if name is not None)
        if len(whole) == len(key):
            for properties in (merged, *known):  # what has no key is no element
                properties.update(
                    (name, replace(properties[name], nullable=False)) for name in whole if name in properties
                )
        return Resolved(
            element,
            names,
            by_label,
            merged if len(known) == len(by_label) else None,
            exposing,
            table,
            whole if len(whole) == len(key) else (),
            home,
        )

    def _column(self, name: Token, table: tables.Table | None) -> str:
        """The name of a column, spelled as where the table is defined."""
        known = self.script.tables.column(table, name) if table is not None else None
        scope = self.spelling.scope(table.name) if table else ""
        return self.spelling.of("column", known.name if known else name, scope)

    def _exposed(self, properties: Properties, table: tables.Table | None) -> Sequence[Exposed] | None:
        if properties.listed is not None:
            return properties.listed
        if table is None or table.columns is None:
            return None
        left_out = {self.spelling.held(name) for name in properties.excepted}
        return [
            Exposed(column.name, column.name)
            for column in table.columns
            if self.spelling.held(column.name) not in left_out
        ]

    def _properties(
        self,
        exposed: Sequence[Exposed] | None,
        element: Element,
        table: tables.Table | None,
        scope: str,
        exposing: dict[str, str],
        columns: dict[str, str],
    ) -> dict[str, PropertyType] | None:
        if exposed is None:
            self.guesses.append(f"no CREATE TABLE for {element.table.dotted}: its properties are not known")
            return None
        found: dict[str, PropertyType] = {}
        for each in exposed:
            if each.absent or (each.column is not None and each.column.text == SURROGATE):
                continue
            name = self.spelling.of("property", each.name, scope)
            if name in found:
                self.script.fail("G088", each.name, f"the property {name} is given twice")
            column = None
            if each.column is not None:
                self._require((each.column,), element, table)
                exposing.setdefault(self.spelling.held(each.column), name)
                columns[name] = self._column(each.column, table)
                column = self.script.tables.column(table, each.column) if table is not None else None
            found[name] = self._property(name, each, column)
        return found

    @staticmethod
    def _property(name: str, exposed: Exposed, column: tables.Column | None) -> PropertyType:
        if column is None:
            return PropertyType(name, exposed.type)
        return PropertyType(
            name, column.type, column.nullable, column.unique, column.values, description=column.description
        )

    def _require(self, names: Iterable[Token], element: Element, table: tables.Table | None) -> None:
        """Every column named exists, where the table is known."""
        if table is None or table.columns is None:
            return
        for name in names:
            if self.script.tables.column(table, name) is None and name.text != SURROGATE:
                near = suggestion(name.text, (column.name.text for column in table.columns))
                self.script.fail("G086", name, f"the table {element.table.dotted} has no column {name.text}{near}")

    # -------------------------------------------------------------- types

    def _node_types(self, node: Resolved) -> list[NodeType]:
        description = node.table.description if node.table is not None else None
        main = NodeType(
            labels(*node.labels),
            None if node.properties is None else tuple(node.properties.values()),
            node.key,
            open=node.element.dynamic_properties is not None,
            description=description,
            table=node.home,
        )
        subtypes = [
            NodeType(labels(self.spelling.of("label", name)), parents=main.labels, table=node.home)
            for name in node.element.sublabels
        ]
        if subtypes:
            self.guesses.append(f"{main.labels[0]} has sublabels (IN): they are read as types that inherit from it")
        return [main, *subtypes]

    def _edge_types(self, element: Element, nodes: list[Resolved]) -> list[EdgeType]:
        edge = self._resolve(element)
        assert element.source is not None
        assert element.target is not None
        source, source_columns = self._end(element, element.source, nodes, edge.table)
        target, target_columns = self._end(element, element.target, nodes, edge.table)
        columns = (edge.table.columns if edge.table is not None else None) or ()
        open_ = {self._column(column.name, edge.table) for column in columns if column.nullable}
        nullable = tuple([name for name in (*source_columns, *target_columns) if name in open_])
        if len(edge.labels) > 1:
            self.guesses.append(f"the edges of {element.name.text} have several labels: each is read as a type")
        return [
            EdgeType(
                label,
                labels(*source.labels),
                labels(*target.labels),
                None if properties is None else tuple(properties.values()),
                edge.key if properties is None or all(name in properties for name in edge.key) else (),
                open=element.dynamic_properties is not None,
                description=edge.table.description if edge.table is not None else None,
                table=replace(edge.home, source=source_columns, target=target_columns, nullable=nullable),
            )
            for label, properties in zip(edge.labels, edge.by_label, strict=True)
        ]

    def _end(
        self, element: Element, end: End, nodes: list[Resolved], table: tables.Table | None
    ) -> tuple[Resolved, tuple[str, ...]]:
        """The node element of an end, and the columns that refer to it."""
        node = self._node_at(end.element, nodes)
        columns, referred = end.columns, end.referred
        if not columns and table is not None and table.columns is not None:
            columns, referred = self._foreign_key(element, end, node, table)
        self._require(columns, element, table)
        self._require(referred, node.element, node.table)
        if referred and len(referred) != len(columns):
            message = f"{len(columns)} columns refer to {len(referred)} of {end.element.dotted}"
            self.script.fail("G087", end.element, message)
        order = {self._column(name, node.table): at for at, name in enumerate(referred)}
        if set(order) == set(node.home.key):
            columns = tuple(columns[order[name]] for name in node.home.key)
        return node, tuple(self._column(name, table) for name in columns)

    def _node_at(self, name: Token, nodes: list[Resolved]) -> Resolved:
        """The node element of that name, or the only one whose table has it."""
        held = self.spelling.held(name)
        for node in nodes if not name.within else ():
            if self.spelling.held(node.element.name) == held:
                return node
        known = self.script.tables
        found = [node for node in nodes if known.same(node.element.table, name)]
        found = found or [node for node in nodes if agree(self._path(node.element.table), self._path(name))]
        if not found:
            near = suggestion(name.text, (node.element.name.text for node in nodes))
            self.script.fail("G086", name, f"there is no node table {name.dotted}{near}")
        if len({self._path(node.element.table) for node in found}) > 1:
            tables = " or ".join(node.element.table.dotted for node in found)
            self.script.fail("G086", name, f"{name.dotted} may be {tables}: name the element by its alias")
        return found[0]

    def _path(self, name: Token) -> Path:
        return self.script.target.path(self.script.tables.whole(name))

    def _foreign_key(
        self, element: Element, end: End, node: Resolved, table: tables.Table
    ) -> tuple[tuple[Token, ...], tuple[Token, ...]]:
        same = self.script.tables.same
        keys = [key for key in table.foreign if same(key.table, node.element.table)]
        if len(keys) != 1:
            count = "several foreign keys refer" if keys else "no foreign key refers"
            between = f"from {element.table.dotted} to {node.element.table.dotted}"
            message = f"{count} {between}; name the columns: KEY (...) REFERENCES"
            self.script.fail("G087", end.element, message)
        return keys[0].columns, keys[0].referred

    # -------------------------------------------------------------- several tables of one type

    def _merge_node(self, found: dict[tuple[str, ...], NodeType], node: NodeType) -> None:
        other = found.get(node.labels)
        if other is None:
            found[node.labels] = node
            return
        self.guesses.append(f"several tables hold nodes (:{':'.join(node.labels)}): they are read as one type")
        key = node.key if node.key == other.key else ()
        found[node.labels] = replace(
            other,
            properties=_union(other.properties, node.properties),
            key=key,
            open=other.open or node.open,
            table=_beside(other.table, node.table),
        )

    def _merge_edge(self, found: dict[object, EdgeType], edge: EdgeType) -> None:
        place = (edge.type, edge.source, edge.target)
        other = found.get(place)
        if other is None:
            found[place] = edge
            return
        self.guesses.append(f"several tables hold the edges {edge.type} between the same nodes: they are read as one")
        key = edge.key if edge.key == other.key else ()
        found[place] = replace(
            other,
            properties=_union(other.properties, edge.properties),
            key=key,
            open=other.open or edge.open,
            table=_beside(other.table, edge.table),
        )


def _beside(one: Table | None, other: Table | None) -> Table | None:
    """The first of two tables of a type, which knows the other."""
    if one is None or other is None:
        return one
    return replace(one, others=(*one.others, other.path), elements=(*one.parts, *other.parts))


def _union(
    one: tuple[PropertyType, ...] | None, other: tuple[PropertyType, ...] | None
) -> tuple[PropertyType, ...] | None:
    """The properties of either; one that not both have may be absent."""
    if one is None or other is None:
        return None
    found = {property.name: property for property in one}
    for property in other:
        same = found.get(property.name)
        if same is None:
            found[property.name] = replace(property, nullable=True)
        elif same != property:
            nullable = None if None in (same.nullable, property.nullable) else same.nullable or property.nullable
            type = same.type if same.type == property.type else None
            found[property.name] = PropertyType(property.name, type, nullable)
    names = {property.name for property in other}
    return tuple(
        property if property.name in names else replace(property, nullable=True) for property in found.values()
    )
