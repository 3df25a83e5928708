"""Types of values: a small lattice, as sets of kinds.

A type is the set of kinds that a value may be of, an integer with a bit for each.  The lowest block of bits are the
plain kinds; the next one says of which kinds the elements are where the value is a list, the one above it the elements
of the elements, and so on.  `ANY`, all bits, is what nothing is known of.  Joining is `|`, and a value of type `a` may
be of type `b` where `a & b` is not empty.  Null belongs to every type.  Knows no IR and no dialect.
"""

from __future__ import annotations

from functools import cache

DECLARABLE = (
    "BOOLEAN",
    "INTEGER",
    "FLOAT",
    "STRING",
    "DATE",
    "LOCAL TIME",
    "ZONED TIME",
    "LOCAL DATETIME",
    "ZONED DATETIME",
    "DURATION",
    "POINT",
    "VECTOR",
    "UUID",
    "MAP",
)
"""The plain kinds that a schema may name."""
_PLAIN = (*DECLARABLE, "NODE", "RELATIONSHIP", "PATH", "GRAPH")
_WIDTH = len(_PLAIN)
_LEVELS = 4
_BLOCK = (1 << _WIDTH) - 1
_TOP = _BLOCK << (_WIDTH * (_LEVELS - 1))
"""Lists nested so deep that their elements are not told apart: those may be lists again."""

ANY = (1 << (_WIDTH * _LEVELS)) - 1
LIST = ANY & ~_BLOCK
"""A list of anything."""

BOOLEAN, INTEGER, FLOAT, STRING = (1 << at for at in range(4))
DATE, LOCAL_TIME, ZONED_TIME, LOCAL_DATETIME, ZONED_DATETIME, DURATION = (1 << at for at in range(4, 10))
POINT, VECTOR, UUID, MAP, NODE, RELATIONSHIP, PATH, GRAPH = (1 << at for at in range(10, 18))

NUMBER = INTEGER | FLOAT
INSTANT = DATE | LOCAL_TIME | ZONED_TIME | LOCAL_DATETIME | ZONED_DATETIME
ELEMENT = NODE | RELATIONSHIP
_STORED = BOOLEAN | NUMBER | STRING | INSTANT | DURATION | POINT | VECTOR | UUID
PROPERTY = _STORED | _STORED << _WIDTH
"""What a property of a node or relationship may hold."""

HAS_KEYS = MAP | ELEMENT | POINT | DURATION | INSTANT
"""What `value.key` may be asked of."""


def list_of(element: int) -> int:
    """A list with elements of a type."""
    shifted = element << _WIDTH
    return shifted if shifted <= ANY else shifted & ANY | _TOP


def element_of(a_list: int) -> int:
    """The elements of a list; what the type has beside lists is left out.  ANY where it has no list."""
    element = a_list >> _WIDTH
    if a_list & _TOP == _TOP:
        element |= _TOP
    return element or ANY


def rows_of(value: int) -> int:
    """The elements that UNWIND and FOREACH give: of a list its elements, of anything else the value."""
    element = a_list >> _WIDTH if (a_list := value & LIST) else 0
    if value & _TOP == _TOP:
        element |= _TOP
    return element | value & _BLOCK


def common(one: int, other: int) -> int:
    """The type of the elements of a list that holds both: numbers stay numbers, a mixture is anything."""
    if one == other:
        return one
    joined = one | other
    return joined if joined & ~NUMBER == 0 else ANY


_ALIASES = {"NUMBER": NUMBER, "ANY": ANY, "INSTANT": INSTANT, "ELEMENT": ELEMENT, "LIST": LIST, "PROPERTY": PROPERTY}


@cache
def read(text: str) -> int:
    """The type that is written `INTEGER|LIST<STRING>`, kinds with `_` for the blank."""
    found = 0
    for part in text.split("|"):
        if part.startswith("LIST<"):
            found |= list_of(read(part[5:-1].replace("/", "|")))
        else:
            found |= _ALIASES.get(part) or 1 << _PLAIN.index(part.replace("_", " "))
    return found


def describe(value: int) -> str:
    """A type for messages."""
    if value == ANY:
        return "ANY"
    if value == PROPERTY:
        return "a property value"
    names = [name for at, name in enumerate(_PLAIN) if value >> at & 1]
    if value & NUMBER == NUMBER and value & ~NUMBER & _BLOCK:
        names = [name for name in names if name not in ("INTEGER", "FLOAT")] + ["INTEGER", "FLOAT"]
    if value & LIST:
        element = element_of(value & LIST)
        names.append("LIST<ANY>" if element & _BLOCK == _BLOCK else f"LIST<{describe(element)}>")
    return " | ".join(names)
