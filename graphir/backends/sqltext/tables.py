"""The tables of a schema in a dialect of SQL, as the lowering sees them: those that its data definition has.

They are the tables, columns and keys that `schema.ddl.layout` decides on, which `Schema.write` prints.  The graph is
what they hold: a row of a node table is a node with the labels of that table, a row of an edge table is an edge.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from weakref import finalize

from graphir.backends.sql import catalog as sql
from graphir.backends.sql import targets
from graphir.backends.sql.reps import (
    BOOLEAN,
    DATE,
    DATETIME,
    FLOAT,
    INTEGER,
    LOCAL_DATETIME,
    NULL,
    STRING,
    Rep,
    list_of,
)
from graphir.backends.sql.targets.identities import KEYS
from graphir.backends.sql.targets.target import Target
from graphir.diagnostics import Unsupported, diagnose
from graphir.schema.ddl.layout import lay_out
from graphir.schema.ddl.losses import called
from graphir.schema.ddl.paths import shown
from graphir.schema.ddl.plans import END, HIDDEN, Asked, Element, Layout, Reference, asked_by
from graphir.schema.ddl.script import SURROGATE
from graphir.schema.ddl.targets import DIALECTS as GRAPH_FORMATS
from graphir.schema.ddl.targets import TARGETS as DEFINITIONS
from graphir.schema.ddl.types import write_type
from graphir.schema.model import DataType, EdgeType, NodeType, PropertyType, Schema
from graphir.source import Source

FORMATS = {"sql-postgres": "postgres-ddl", "sql-bigquery": "bigquery-ddl", "sql-oracle": "oracle-ddl", **GRAPH_FORMATS}
"""Dialect -> the format of data definitions whose names its tables have; `PLAIN_FORMAT` for the others."""
PLAIN_FORMAT = "duckpgq-ddl"

ONE_SCHEMA = ("sql-sqlite",)
"""Dialects whose tables have one name before their own, though the definitions that name them may have two."""

_REPS = {
    "BOOLEAN": BOOLEAN,
    "INTEGER": INTEGER,
    "FLOAT": FLOAT,
    "STRING": STRING,
    "DATE": DATE,
    "LOCAL DATETIME": LOCAL_DATETIME,
    "ZONED DATETIME": DATETIME,
}
_NARROW = {
    **dict.fromkeys(("INTEGER8", "INTEGER16", "INTEGER32", "UINTEGER8", "UINTEGER16", "UINTEGER32"), INTEGER),
    "FLOAT32": FLOAT,
}
"""Types whose values a wider one holds exactly."""
_DOCUMENTS = ("oracle-ddl",)
"""Formats where a list is a column of type JSON, which holds these elements as they are."""
_IN_DOCUMENTS = (BOOLEAN, INTEGER, FLOAT, STRING)


def format_of(dialect: str) -> str:
    """The format of data definitions that names the tables of a dialect."""
    return FORMATS.get(dialect, PLAIN_FORMAT)


_KNOWN: dict[tuple[int, str], sql.Catalog] = {}
"""By the identity of the schema, as long as it lives, and the dialect."""


def catalog_of(schema: Schema, dialect: str, source: Source) -> sql.Catalog:
    """The tables of a schema in a dialect.  Raises Unsupported (G562) where the schema does not say what they are."""
    key = id(schema), dialect
    found = _KNOWN.get(key)
    if found is None:
        found = _KNOWN[key] = _Making(schema, dialect, source).catalog()
        finalize(schema, _KNOWN.pop, key, None)
    return found


@dataclass
class _Making:
    """The catalog of one schema in the making."""

    schema: Schema
    dialect: str
    source: Source
    covered: Counter[Asked] = field(default_factory=Counter)
    """What a pattern may ask for -> how many tables have it."""
    labels: Counter[str] = field(default_factory=Counter)
    """Label -> how many tables have it."""
    types: Counter[str] = field(default_factory=Counter)
    """Element of the definition, of edges -> how many types it holds."""

    def catalog(self) -> sql.Catalog:
        layout = self.layout = lay_out(self.schema, DEFINITIONS[format_of(self.dialect)])
        self._require(layout)
        elements = [*layout.nodes, *layout.edges]
        self.covered = Counter(place for each in elements for place in asked_by(each))
        self.labels = Counter(place[0] for place in self.covered.elements())
        self.types = Counter(part for each in layout.edges for part in self._parts(each))
        target = targets.target(self.dialect)
        node_id, tagged = self._identity(layout.nodes)
        nodes = {id(element): self._node(element, target, tagged=tagged) for element in layout.nodes}
        edge_id, marked = self._identity(layout.edges)
        edges: list[sql.EdgeTable] = []
        ends: dict[int, sql.Ends] = {}
        for labelled in self._together(layout.edges):
            first = labelled[0]
            assert first.source is not None
            assert first.target is not None
            starts, stops = (nodes[id(each.node)] for each in (first.source, first.target))
            made = _joined([self._edge(each, target, (starts, stops), marked=marked) for each in labelled])
            edges.append(made)
            ends[id(made)] = frozenset((starts.name,)), frozenset((stops.name,))
        return sql.Catalog(
            tuple(nodes.values()),
            tuple(edges),
            lambda table: ends.get(id(table)),
            node_id,
            edge_id,
            numbered=False,
            graph=layout.graph,
            places={name: table.path for table in layout.tables if (name := shown(table.path)) != table.path[-1]},
            keyless=frozenset([shown(each.table.path) for each in elements if self._is_keyless(each)]),
            shared=dict(_shared(elements) if target.patterns is None or not self._is_own() else ()),
            exposed=self._exposed(elements),
            labels=self.schema.coverage.labels,
            types=self.schema.coverage.types,
        )

    def _together(self, edges: Sequence[Element]) -> list[list[Element]]:
        """The edges of one element of the definition that is there, which is a type for each of its labels."""
        found: dict[object, list[Element]] = {}
        for edge in edges:
            known = edge.type.table
            ends = tuple([id(end.node) for end in (edge.source, edge.target) if end is not None])
            is_one = self._is_own() and known is not None and not known.others
            found.setdefault((known.parts, ends) if is_one and known is not None else id(edge), []).append(edge)
        return list(found.values())

    def _exposed(self, elements: Sequence[Element]) -> dict[str, frozenset[str]]:
        """Label -> the properties that it exposes, in the definition that is there."""
        found: dict[str, set[str]] = {}
        for element in elements if self._is_own() else ():
            for label in element.labels.values():
                names = [element.properties[name] for name, _ in self.layout.columns(element, label)]
                found.setdefault(label, set()).update(names)
        return {label: frozenset(names) for label, names in found.items()}

    # -------------------------------------------------------------- what must be known

    def _require(self, layout: Layout) -> None:
        for table in layout.tables:
            if self.dialect in ONE_SCHEMA and len(table.qualifier) > 1:
                self._refuse(f"{shown(table.path)} has two names before its own, and tables there have one")
        if not layout.nodes:
            self._refuse("the schema has no node type")
        for edge in self.schema.edge_types:
            if edge.source is None or edge.target is None:
                self._refuse(f"the schema does not say between which nodes [:{edge.type}] stands")
        for element in layout.nodes:
            if not element.written:
                self._refuse(f"the schema does not say which rows of {shown(element.table.path)} are {element.name}")

    def _refuse(self, told: str) -> None:
        found = diagnose(self.source, "G562", f"{told}, so its tables are not known")
        raise Unsupported([found], feature=told, target=self.dialect)

    # -------------------------------------------------------------- keys

    def _identity(self, elements: Sequence[Element]) -> tuple[Rep, bool]:
        """How what tells elements apart lies, and whether it has a tag: not for one table with a key of one column."""
        if len(elements) == 1:
            columns = self._key(elements[0], self._key_of(elements[0]))
            if len(columns) == 1 and columns[0].rep in (INTEGER, STRING):
                return columns[0].rep, False
        return (STRING, True) if elements else (INTEGER, False)

    def _key_of(self, element: Element) -> tuple[str, ...]:
        """The columns of the key: those that the definition says, where it is of this dialect, if they are no
        properties, and so have another key in what we would write."""
        if self._is_shared(element):
            return (SURROGATE,)
        known = element.type.table.key if element.type.table is not None else ()
        return known if self._is_own() and known and element.key == (SURROGATE,) else element.key

    def _is_own(self) -> bool:
        """Whether the definition of the graph is of this dialect."""
        return self.schema.origin is not None and self.schema.origin.format == format_of(self.dialect)

    def _is_keyless(self, element: Element) -> bool:
        """Whether the definition is of this dialect and says no key, so that the one we would write is not there, or
        has several tables of the type, whose rows may have the same."""
        if self._is_shared(element):
            return True
        known = element.type.table
        return self._is_own() and known is not None and not known.key and element.key == (SURROGATE,)

    def _parts(self, element: Element) -> tuple[str, ...]:
        """The elements of the definition, if it is of this dialect, that hold the type."""
        return element.type.table.parts if self._is_own() and element.type.table is not None else ()

    def _is_shared(self, element: Element) -> bool:
        """Whether the definition is of this dialect and has other tables of the type, too."""
        return self._is_own() and element.type.table is not None and bool(element.type.table.others)

    def _referring(self, element: Element, reference: Reference, said: tuple[str, ...]) -> tuple[str, ...]:
        """The columns of an edge that refer to the key of a node; `said`: by the schema."""
        key = self._key_of(reference.node)
        if any(map(self._is_shared, (reference.node, element))):  # the columns are those of one of several tables
            role = "source" if reference is element.source else "target"
            return tuple([f"{END}{role} {each}" for each in key])
        if len(key) == len(reference.columns):
            return reference.columns
        if len(said) != len(key):
            self._refuse(
                f"the schema does not say which columns of {shown(element.table.path)} refer to {reference.node.name}"
            )
        return said

    def _key(self, element: Element, names: Iterable[str]) -> tuple[sql.Column, ...]:
        """The columns of the key of an element, under the names that they have there or elsewhere."""
        return tuple(
            [
                sql.Column(name, self._rep_of_key(element, own))
                for own, name in zip(self._key_of(element), names, strict=True)
            ]
        )

    def _rep_of_key(self, element: Element, name: str) -> Rep:
        """How a column of a key lies; NULL where that is not known."""
        column = element.table.column(name)
        if name == SURROGATE:
            return INTEGER
        if column is None or column.property is None:
            return NULL
        type_ = column.property.type
        if type_ is not None and type_.name == "DECIMAL":
            return INTEGER  # keys are compared and shown, and not computed with
        rep = _rep(type_, format_of(self.dialect))[0]
        if rep not in KEYS:
            self._refuse(f"the key {name} of {shown(element.table.path)} is neither an integer, a text nor a boolean")
        return rep or NULL

    # -------------------------------------------------------------- tables

    def _node(self, element: Element, target: Target, *, tagged: bool) -> sql.NodeTable:
        assert isinstance(element.type, NodeType)
        columns, unread = self._columns(element, target)
        key = sql.Key(self._key(element, self._key_of(element)), element.name if tagged else None)
        is_open = self.schema.is_open(element.type)
        labels = tuple(sorted(element.closure))
        return sql.NodeTable(
            shown(element.table.path), labels, columns, key, unread, is_open, element=self._element(element)
        )

    def _edge(
        self, element: Element, target: Target, nodes: tuple[sql.NodeTable, sql.NodeTable], *, marked: bool
    ) -> sql.EdgeTable:
        assert isinstance(element.type, EdgeType)
        columns, unread = self._columns(element, target)
        ends: list[sql.Key] = []
        partial = False
        table = element.type.table
        known = ((), ()) if table is None else (table.source, table.target)
        for reference, node, said in zip((element.source, element.target), nodes, known, strict=True):
            assert reference is not None
            referring = self._referring(element, reference, said)
            ends.append(sql.Key(self._key(reference.node, referring), node.key.tag))
            found = [element.table.column(name) for name in referring]
            # a pattern of an edge has its ends anyway
            partial = partial or (
                target.patterns is None and any(column is None or column.nullable for column in found)
            )
        key = sql.Key(self._key(element, self._key_of(element)), element.name if marked else None)
        is_open = self.schema.is_open(element.type)
        type_ = element.type.type
        return sql.EdgeTable(
            shown(element.table.path),
            type_,
            columns,
            key,
            ends[0],
            ends[1],
            unread,
            is_open,
            partial,
            element=self._element(element),
        )

    def _element(self, element: Element) -> sql.GraphElement:
        """What the table is in the graph."""
        own = [place[0] for place in asked_by(element) if self.covered[place] == 1]
        label = max(own, key=lambda each: len(self.layout.columns(element, each)), default=None)
        alone = label is not None and self.labels[label] == 1
        properties: dict[str, str] = {}
        added = SURROGATE in self._key_of(element) and not self._is_keyless(element)
        for name, column in element.columns.items():
            if name != HIDDEN or added:
                properties.setdefault(self._column(element, name, column.name), element.properties[name])
        source, target = (None if end is None else end.node.name for end in (element.source, element.target))
        labels = tuple(element.labels.values())
        parts = self._parts(element)
        untyped = any(self.types[part] > 1 for part in parts)
        return sql.GraphElement(element.name, label, properties, source, target, alone, labels, parts, untyped)

    def _taken(self, type_: DataType | None) -> tuple[Rep, str] | None:
        """What a property is taken for; what the definition that is there leaves open is no text for that."""
        known = type_ is not None and type_.name == "DECIMAL"
        return _assumed(type_) if known or not self._is_own() else None

    def _column(self, element: Element, property: str, column: str) -> str:
        """What the column of a property is called: as the property, where it is another in each of several tables."""
        return property if self._is_shared(element) else column

    def _columns(self, element: Element, target: Target) -> tuple[dict[str, sql.Column], dict[str, str]]:
        columns: dict[str, sql.Column] = {}
        unread: dict[str, str] = {}
        for name, column in element.columns.items():
            if name == HIDDEN:
                continue
            property = column.property or PropertyType(name)
            rep, cast = _rep(property.type, format_of(self.dialect))
            taken = self._taken(property.type) if rep is None and target.patterns is not None else None
            own = self._column(element, name, column.name)
            if taken is not None and target.types(taken[0]) is not None:
                columns[name] = sql.Column(own, taken[0], taken[0] == FLOAT, assumed=taken[1])
            elif rep is not None and target.types(rep) is not None:
                columns[name] = sql.Column(own, rep, cast)
            elif property.type is None:
                unread[name] = "the schema does not say of what type it is"
            else:
                unread[name] = f"{target.title} has no column that holds {property.type} exactly"
        return columns, unread


def _shared(elements: Iterable[Element]) -> Iterator[tuple[str, str]]:
    """Tables of types that are in others as well, and which those are."""
    for element in elements:
        others = element.type.table.others if element.type.table is not None else ()
        if others:
            told = f"{called(element.type)} is in several tables: {shown(others[0])} has it as well"
            yield shown(element.table.path), told


def _joined(edges: Sequence[sql.EdgeTable]) -> sql.EdgeTable:
    """The table of edges that have several labels, of one for each label."""
    first, *others = edges
    if not others:
        return first
    elements = [each.element for each in edges if each.element is not None]
    keyed = next((each for each in edges if all(column.name != SURROGATE for column in each.key.columns)), first)
    own = next((each for each in elements if each.label is not None), elements[0])
    return replace(
        first,
        columns={name: column for each in reversed(edges) for name, column in each.columns.items()},
        key=keyed.key,
        unread={name: told for each in edges for name, told in each.unread.items()},
        is_open=any(each.is_open for each in edges),
        labels=tuple([each.type for each in edges]),
        element=replace(
            own,
            properties={column: name for each in reversed(elements) for column, name in each.properties.items()},
            labels=tuple([label for each in elements for label in each.labels]),
        ),
    )


def _rep(type_: DataType | None, format: str) -> tuple[Rep | None, bool]:
    """How values of a type lie in its column, and whether the column has a narrower type; None: not exactly."""
    if type_ is None:
        return None, False
    if type_.name in _NARROW:
        return _NARROW[type_.name], True
    if type_.name == "LIST" and type_.element is not None and format in _DOCUMENTS:
        element = _REPS.get(type_.element.name)
        return (list_of(element), False) if element in _IN_DOCUMENTS else (None, False)
    exact = write_type(DataType(type_.name, type_.element), format)[1]
    if not exact:
        return None, False
    if type_.name == "LIST" and type_.element is not None:
        element, narrow = _rep(type_.element, format)
        return (None, False) if element is None or narrow else (list_of(element), False)
    return _REPS.get(type_.name), False


A_FLOAT = "a float, as Cypher has no decimal numbers"
"""What a decimal number is taken for, in words."""


def _assumed(type_: DataType | None) -> tuple[Rep, str] | None:
    """How values of an unknown type lie in the tables of a definition that is written for the graph, and for what those
    of decimal numbers are taken, of which Cypher has none; and that in words."""
    if type_ is None:
        return STRING, "a text, as its column is where graphir writes the definition"
    if type_.name == "DECIMAL":
        return FLOAT, A_FLOAT
    if type_ == DataType("LIST"):
        return list_of(STRING), "a list of texts, as its column is where graphir writes the definition"
    return None


def tables_of(schema: Schema, dialect: str) -> Mapping[str, str]:
    """Labels and types -> the tables that have them, for messages and documents."""
    catalog = catalog_of(schema, dialect, Source(""))
    return {
        **{":".join(node.labels): node.name for node in catalog.nodes},
        **{edge.type: edge.name for edge in catalog.edges},
    }
