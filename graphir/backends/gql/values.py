"""What is known about the values of a query: kinds, and whether null is one of them.

GoogleSQL picks the meaning of an operator by the types of its operands, Cypher by the values.  Where the kinds decide
the meaning it can be translated; where they do not, it cannot.  Knows no syntax.
"""

from __future__ import annotations

from enum import Enum

from graphir.frozen import frozen


class Kind(Enum):
    """The kind of a value.

    ANY is a property, a parameter or what is computed from them: some type that the schema knows, no graph element.
    NUMBER is INT or FLOAT.  LIST is an array of values, EDGES a group variable.  NODE_ID and EDGE_ID are
    identities, good for nothing but to be told apart.  OPAQUE is a value that the database holds in another form than
    Cypher (a duration as text, say): it can be shown, and nothing else.  MAP is a STRUCT; A_NODE and AN_EDGE are
    elements as values, STRUCTs of their identity and properties.
    """

    ANY = "a value of unknown type"
    NULL = "null"
    BOOL = "a boolean"
    INT = "an integer"
    FLOAT = "a float"
    NUMBER = "a number"
    STRING = "a string"
    DATE = "a date"
    TIMESTAMP = "a point in time"
    DATETIME = "a local date and time"
    INTERVAL = "a duration"
    OPAQUE = "a value that the database holds in another form"
    NODE = "a node"
    EDGE = "a relationship"
    EDGES = "a list of relationships"
    LIST = "a list"
    PATH = "a path"
    NODE_ID = "the identity of a node"
    EDGE_ID = "the identity of a relationship"
    MAP = "a map"
    A_NODE = "the value of a node"
    AN_EDGE = "the value of a relationship"

    __hash__ = object.__hash__


@frozen
class Value:
    """What is known of an expression.

    `tables`: the numbers of the tables that an element, or each element of a list, may be in, where they are known.
    `items`: the kind of what is in a LIST, and `item` what else is known of it.  `fields`: those of a MAP.  `type`: the
    type that the schema says, in words.  `groupable`: rows can be told apart by it.
    """

    kind: Kind
    nullable: bool = True
    tables: frozenset[int] | None = None
    items: Kind = Kind.ANY
    item: Value | None = None
    fields: tuple[tuple[str, Value], ...] = ()
    type: str = ""
    groupable: bool = True

    def within(self, tables: frozenset[int] | None) -> Value:
        """The same, in other tables."""
        return Value(self.kind, self.nullable, tables, self.items, self.item, self.fields, self.type, self.groupable)

    def member(self) -> Value:
        """What is known of an item of a list."""
        return self.item or Value(self.items, True, self.tables)


ELEMENTS = frozenset((Kind.NODE, Kind.EDGE))
GRAPHICAL = ELEMENTS | {Kind.EDGES, Kind.PATH}
"""Kinds of what lives in the graph: a variable of such a kind is asked for what it has."""
AS_VALUES = {Kind.NODE: Kind.A_NODE, Kind.EDGE: Kind.AN_EDGE}
"""Kind of an element -> the kind of its value."""
RECORDS = frozenset(AS_VALUES.values())
IDENTITIES = frozenset((Kind.NODE_ID, Kind.EDGE_ID))
NUMBERS = frozenset((Kind.INT, Kind.FLOAT, Kind.NUMBER))
OPEN = frozenset((Kind.ANY, Kind.NULL))
"""Kinds that any operator takes: the engine checks the type."""
TIMES = frozenset((Kind.DATE, Kind.TIMESTAMP, Kind.DATETIME))
SCALARS = NUMBERS | OPEN | TIMES | {Kind.BOOL, Kind.STRING}
"""Kinds of what a table may hold and a result may show."""

_FAMILIES = {
    Kind.BOOL: "bool",
    Kind.INT: "number",
    Kind.FLOAT: "number",
    Kind.NUMBER: "number",
    Kind.STRING: "string",
    Kind.DATE: "date",
    Kind.TIMESTAMP: "timestamp",
    Kind.DATETIME: "datetime",
}


_TYPES = {
    Kind.BOOL: "BOOL",
    Kind.INT: "INT64",
    Kind.FLOAT: "FLOAT64",
    Kind.STRING: "STRING",
    Kind.DATE: "DATE",
    Kind.TIMESTAMP: "TIMESTAMP",
}


def type_of(value: Value) -> str | None:
    """The type of GoogleSQL of such values, where it is known."""
    if value.kind is Kind.LIST:
        return f"ARRAY<{found}>" if (found := _TYPES.get(value.items)) else None
    return _TYPES.get(value.kind)


def comparable(kinds: tuple[Kind, ...]) -> bool:
    """Whether scalars of these kinds may be of one type, or are numbers all."""
    return len({_FAMILIES[kind] for kind in kinds if kind not in OPEN}) < 2


def joined(kinds: tuple[Kind, ...]) -> Kind:
    """The kind of a value that is one of several comparable ones."""
    known = {kind for kind in kinds if kind is not Kind.NULL}
    if not known:
        return Kind.NULL
    if len(known) == 1:
        return known.pop()
    return Kind.NUMBER if known <= NUMBERS else Kind.ANY


def arithmetic(kinds: tuple[Kind, ...]) -> Kind:
    """The kind of a sum, difference or product of numbers."""
    if Kind.FLOAT in kinds:
        return Kind.FLOAT
    return Kind.INT if set(kinds) == {Kind.INT} else Kind.NUMBER
