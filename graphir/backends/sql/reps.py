"""Representations: how a value of Cypher lies in a column, and the type of that column.

A value whose type is known lies as what it is; a value that may be of any type is `DYNAMIC`, bytes of
`graphir.values.codec`.  `unify` finds the representation that holds the values of several.  Knows no IR.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, reduce
from typing import Any, Self

from sqlglot import exp


@dataclass(frozen=True, slots=True)
class Rep:
    """Base and the representations without parameters; `name` is the kind of value, `sql` the type of the column."""

    name: str
    sql: str

    def __str__(self) -> str:
        return self.name

    def __deepcopy__(self, _: object) -> Self:
        return self


@dataclass(frozen=True, slots=True)
class ListRep(Rep):
    """A list of values of one representation."""

    element: Rep

    def __str__(self) -> str:
        return f"list<{self.element}>"


@dataclass(frozen=True, slots=True)
class MapRep(Rep):
    """A map whose keys are known, one at least: a structure with fields f0, f1 .. in the order of `keys`."""

    keys: tuple[str, ...]
    values: tuple[Rep, ...]

    def __str__(self) -> str:
        return "map<" + ", ".join(f"{key}: {value}" for key, value in zip(self.keys, self.values, strict=True)) + ">"


NULL = Rep("null", "BOOLEAN")
"""Nothing but null is known of it."""
BOOLEAN = Rep("boolean", "BOOLEAN")
INTEGER = Rep("integer", "BIGINT")
FLOAT = Rep("float", "DOUBLE")
STRING = Rep("string", "TEXT")
NODE = Rep("node", "BIGINT")
EDGE = Rep("edge", "BIGINT")
PATH = Rep("path", "STRUCT(nodes BIGINT[], edges BIGINT[])")
PATH_OF_TEXTS = Rep("path", "STRUCT(nodes TEXT[], edges TEXT[])")
"""A path where elements are told apart by texts."""
DATE = Rep("date", "BIGINT")
LOCAL_TIME = Rep("local time", "BIGINT")
TIME = Rep("time", 'STRUCT(utc BIGINT, "offset" INT)')
LOCAL_DATETIME = Rep("local datetime", "STRUCT(second BIGINT, nano INT)")
DATETIME = Rep("datetime", 'STRUCT(second BIGINT, nano INT, "offset" INT, "zone" TEXT)')
DURATION = Rep("duration", "STRUCT(months BIGINT, days BIGINT, seconds BIGINT, nanos INT)")
JSON = Rep("json", "JSON")
"""What a result shows in place of an element (`documents.py`); nothing is computed with it."""
POINT = Rep("point", "STRUCT(srid INT, x DOUBLE, y DOUBLE, z DOUBLE)")
DYNAMIC = Rep("dynamic", "BLOB")
"""A value of any type but an entity or something with an entity in it: what a property can hold, and maps of it."""
ANYTHING = Rep("anything", "BLOB")
"""A dynamic value that may be, or hold, an entity."""

SIMPLE = frozenset((BOOLEAN, INTEGER, FLOAT, STRING))
TEMPORAL = frozenset((DATE, LOCAL_TIME, TIME, LOCAL_DATETIME, DATETIME, DURATION))
ENTITIES = frozenset((NODE, EDGE, PATH))
OPEN = frozenset((DYNAMIC, ANYTHING))

BY_NAME = {rep.name: rep for rep in (*SIMPLE, *TEMPORAL, *ENTITIES, *OPEN, POINT, NULL)}


@cache
def list_of(element: Rep) -> ListRep:
    return ListRep("list", f"{element.sql}[]", element)


def map_of(keys: Sequence[str], values: Sequence[Rep]) -> MapRep:
    fields = ", ".join(f"f{at} {value.sql}" for at, value in enumerate(values))
    return MapRep("map", f"STRUCT({fields})", tuple(keys), tuple(values))


@cache
def datatype(rep: Rep) -> exp.DataType:
    """The type of the column, with `rep` noted (`build.note`).  The tree is shared: copy it."""
    made = exp.DataType.build(rep.sql, dialect="duckdb")
    made.args["rep"] = rep
    return made


def read_rep(text: str) -> Rep:
    """The representation that `str` wrote; those of properties only.

    >>> read_rep("list<integer>") == list_of(INTEGER)
    True
    """
    if text.startswith("list<"):
        return list_of(read_rep(text[5:-1]))
    return BY_NAME[text]


def holds_entities(rep: Rep) -> bool:
    """Whether values of the representation may be entities or have them inside."""
    if isinstance(rep, ListRep):
        return holds_entities(rep.element)
    if isinstance(rep, MapRep):
        return any(holds_entities(value) for value in rep.values)
    return rep in ENTITIES or rep == ANYTHING


def opened(rep: Rep) -> Rep:
    """The dynamic representation that holds what `rep` does."""
    return ANYTHING if holds_entities(rep) else DYNAMIC


def join(one: Rep, other: Rep) -> Rep:
    """The representation for values of both; nothing is lost, an integer among floats stays an integer."""
    if other in (one, NULL):
        return one
    if one == NULL:
        return other
    if isinstance(one, ListRep) and isinstance(other, ListRep):
        return list_of(join(one.element, other.element))
    if isinstance(one, MapRep) and isinstance(other, MapRep) and one.keys == other.keys:
        return map_of(one.keys, [join(a, b) for a, b in zip(one.values, other.values, strict=True)])
    return ANYTHING if holds_entities(one) or holds_entities(other) else DYNAMIC


def unify(reps: Iterable[Rep]) -> Rep:
    """The representation for values of all; NULL for none."""
    return reduce(join, reps, NULL)


def is_native_key(rep: Rep) -> bool:
    """Whether equal columns are equivalent values and the other way round: grouping needs no key of its own."""
    if isinstance(rep, ListRep):
        return is_native_key(rep.element)
    if isinstance(rep, MapRep):
        return all(is_native_key(value) for value in rep.values)
    return rep not in OPEN and rep not in (TIME, DATETIME, POINT)


def is_native_order(rep: Rep) -> bool:
    """Whether columns sort as their values do, nulls apart."""
    return rep in SIMPLE or rep in (NULL, NODE, EDGE, DATE, LOCAL_TIME, LOCAL_DATETIME)


_OF_TYPE: dict[str, Rep] = {
    "NoneType": NULL,
    "bool": BOOLEAN,
    "int": INTEGER,
    "float": FLOAT,
    "str": STRING,
    "Date": DATE,
    "LocalTime": LOCAL_TIME,
    "Time": TIME,
    "LocalDateTime": LOCAL_DATETIME,
    "DateTime": DATETIME,
    "Duration": DURATION,
    "Point": POINT,
    "Node": NODE,
    "Edge": EDGE,
    "Path": PATH,
    "NodeReference": NODE,
    "EdgeReference": EDGE,
    "PathReference": PATH,
}


def rep_of(value: Any) -> Rep:
    """The representation of a value of the contract; DYNAMIC for what has none of its own.  Recurses on lists."""
    if isinstance(value, (list, tuple)):
        kinds = {type(item).__name__ for item in value}
        if len(kinds) == 1 and (only := _OF_TYPE.get(next(iter(kinds)))) is not None:
            return list_of(only)
        return list_of(unify(rep_of(item) for item in value))
    if isinstance(value, dict):
        keys = sorted(value)
        return map_of(keys, [rep_of(value[key]) for key in keys]) if keys else DYNAMIC
    return _OF_TYPE.get(type(value).__name__, DYNAMIC)
