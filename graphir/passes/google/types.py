"""The types of GoogleSQL.

A type is a frozen value.  `UNKNOWN` stands for what cannot be told: it goes everywhere, and nothing is said about it.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

_SHOWN = 3
"""So many properties of an element are listed in a message."""


@dataclass(frozen=True, slots=True)
class Type:
    """`kind` is GoogleSQL's name of the type.

    ARRAY and RANGE have an `element`; STRUCT has `fields`, whose names may be empty.  GRAPH_NODE and GRAPH_EDGE are
    those of `graph` with the properties that are its fields; `open` says that others may be there (dynamic properties,
    or no schema).  GRAPH_PATH has the fields `node` and `edge`.
    """

    kind: str
    element: Type | None = None
    fields: tuple[tuple[str, Type], ...] = ()
    graph: str = ""
    open: bool = False

    def __str__(self) -> str:
        if self.element is not None:
            return f"{self.kind}<{self.element}>"
        if self.kind == "STRUCT":
            return f"STRUCT<{', '.join(f'{name} {of}'.strip() for name, of in self.fields)}>"
        if self.kind in ELEMENTS:
            names = [name for name, _ in self.fields]
            shown = ", ".join([*names[:_SHOWN], *(["..."] if len(names) > _SHOWN or self.open else [])])
            return f"{'node' if self.kind == 'GRAPH_NODE' else 'edge'}<{shown}>"
        return {"GRAPH_PATH": "path", "DOUBLE": "FLOAT64", "FLOAT": "FLOAT32"}.get(self.kind, self.kind)

    def field(self, name: str) -> Type | None:
        """The type of a field, whatever the case of its name."""
        wanted = name.lower()
        return next((of for own, of in self.fields if own.lower() == wanted), None)


ELEMENTS = frozenset({"GRAPH_NODE", "GRAPH_EDGE"})
INTEGERS = frozenset({"INT32", "INT64", "UINT32", "UINT64"})
NUMBERS = INTEGERS | {"FLOAT", "DOUBLE", "NUMERIC", "BIGNUMERIC"}

UNKNOWN = Type("UNKNOWN")
INT64 = Type("INT64")
BOOL = Type("BOOL")
STRING = Type("STRING")
BYTES = Type("BYTES")
JSON = Type("JSON")
INTERVAL = Type("INTERVAL")


@cache
def named(kind: str) -> Type:
    """The type of that name that has no parts."""
    return Type(kind)


def array_of(element: Type) -> Type:
    return Type("ARRAY", element)


def struct_of(*fields: tuple[str, Type]) -> Type:
    return Type("STRUCT", None, fields)


def path_of(graph: str, node: Type, edge: Type) -> Type:
    return Type("GRAPH_PATH", None, (("node", node), ("edge", edge)), graph)


def has_unknown(of: Type) -> bool:
    """Whether a part of the type cannot be told."""
    if of.kind == "UNKNOWN":
        return True
    if of.kind in ELEMENTS:
        return False
    return (of.element is not None and has_unknown(of.element)) or any(has_unknown(part) for _, part in of.fields)


def has_graph(of: Type) -> bool:
    """Whether the type is one of graphs, or has one as a part."""
    if of.kind in ELEMENTS or of.kind == "GRAPH_PATH":
        return True
    return (of.element is not None and has_graph(of.element)) or any(has_graph(part) for _, part in of.fields)


def is_groupable(of: Type) -> bool:
    """Whether values can be told apart: GROUP BY, DISTINCT, set operations, aggregates of what differs."""
    if of.kind in ("JSON", "GEOGRAPHY", "PROTO", "TOKENLIST", "MEASURE"):
        return False
    return (of.element is None or is_groupable(of.element)) and (
        of.kind in ELEMENTS or of.kind == "GRAPH_PATH" or all(is_groupable(part) for _, part in of.fields)
    )


def is_orderable(of: Type) -> bool:
    """Whether one of two values is the smaller."""
    if of.kind in ELEMENTS or of.kind in ("GRAPH_PATH", "STRUCT", "JSON", "GEOGRAPHY", "PROTO", "TOKENLIST", "MEASURE"):
        return False
    return of.element is None or is_orderable(of.element)
