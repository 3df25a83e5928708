"""What is known, without a schema, about the values of a query: kinds, and whether null is one of them.

GoogleSQL picks the meaning of an operator by the types of its operands, Cypher by the values.  Where the kinds decide
the meaning it can be translated; where they do not, it cannot.  Knows no syntax.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Kind(Enum):
    """The kind of a value.

    ANY is a property, a parameter or what is computed from them: some type that the schema knows, no graph element.
    NUMBER is INT or FLOAT.  LIST is what an aggregate collects, EDGES a group variable.  NODE_ID and EDGE_ID are
    identities, good for nothing but to be told apart.
    """

    ANY = "a value of unknown type"
    NULL = "null"
    BOOL = "a boolean"
    INT = "an integer"
    FLOAT = "a float"
    NUMBER = "a number"
    STRING = "a string"
    DATE = "a date"
    NODE = "a node"
    EDGE = "a relationship"
    EDGES = "a list of relationships"
    LIST = "a list"
    PATH = "a path"
    NODE_ID = "the identity of a node"
    EDGE_ID = "the identity of a relationship"


@dataclass(frozen=True, slots=True)
class Value:
    """What is known of an expression.

    `tables`: the numbers of the tables that an element, or each element of a list, may be in, where they are known.
    `items`: the kind of what is in a LIST.
    """

    kind: Kind
    nullable: bool = True
    tables: frozenset[int] | None = None
    items: Kind = Kind.ANY


ELEMENTS = frozenset((Kind.NODE, Kind.EDGE))
GRAPHICAL = ELEMENTS | {Kind.EDGES, Kind.PATH}
"""Kinds of what lives in the graph: a variable of such a kind is asked for what it has."""
IDENTITIES = frozenset((Kind.NODE_ID, Kind.EDGE_ID))
NUMBERS = frozenset((Kind.INT, Kind.FLOAT, Kind.NUMBER))
OPEN = frozenset((Kind.ANY, Kind.NULL))
"""Kinds that any operator takes: the engine checks the type."""
SCALARS = NUMBERS | OPEN | {Kind.BOOL, Kind.STRING, Kind.DATE}
"""Kinds of what a table may hold and a result may show."""

_FAMILIES = {
    Kind.BOOL: "bool",
    Kind.INT: "number",
    Kind.FLOAT: "number",
    Kind.NUMBER: "number",
    Kind.STRING: "string",
    Kind.DATE: "date",
}


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
