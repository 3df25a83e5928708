"""A few calls of every function, made of its signature over the schema of `constructs.py`: for the table of what can be
said of them in SQL over tables.

The first argument is a value of the row, of each type that the function takes there; the others are constants, as they
are in most queries.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache

from graphir import types
from graphir.functions import FUNCTIONS
from graphir.signatures import Signature, signature_of

QUERY = "MATCH w = (p:Person)-[k:KNOWS]->(q:Person) RETURN {} AS x"

_VALUES: tuple[tuple[int, str], ...] = (
    (types.INTEGER, "p.age"),
    (types.FLOAT, "p.height"),
    (types.STRING, "p.name"),
    (types.BOOLEAN, "p.active"),
    (types.DATE, "p.born"),
    (types.NODE, "p"),
    (types.RELATIONSHIP, "k"),
    (types.PATH, "w"),
)
"""A type -> a value of it in a row."""
_LIST = "p.scores"
_CONSTANTS: tuple[tuple[int, str], ...] = (
    (types.INTEGER, "1"),
    (types.FLOAT, "0.5"),
    (types.STRING, "'a'"),
    (types.BOOLEAN, "true"),
    (types.DATE, "date('2024-01-31')"),
    (types.MAP, "{}"),
)
_OWN: Mapping[str, tuple[str, ...]] = {
    "count_star": ("count(*)",),
    "properties": ("properties(p)", "properties(k)"),
    "range": ("range(1, 3)", "range(1, p.age)"),
    "coalesce": ("coalesce(p.age, 1)", "coalesce(p.name, 'a')"),
    "nullIf": ("nullIf(p.age, 1)", "nullIf(p.name, 'a')"),
    "percentileCont": ("percentileCont(p.age, 0.5)", "percentileCont(p.height, 0.5)"),
    "percentileDisc": ("percentileDisc(p.age, 0.5)", "percentileDisc(p.height, 0.5)"),
    "point": ("point({x: p.height, y: 1.0})",),
    "point.distance": ("point.distance(point({x: p.height, y: 1.0}), point({x: 1.0, y: 2.0}))",),
    "date": ("date('2024-01-31')", "date(toString(p.born))", "date()"),
    "date.truncate": ("date.truncate('month', p.born)", "date.truncate('week', p.born)"),
    "datetime": ("datetime('2024-01-31T00:00:00Z')", "datetime(p.name)", "datetime()"),
    "localdatetime": ("localdatetime('2024-01-31T00:00:00')", "localdatetime()"),
    "localtime": ("localtime('10:00')", "localtime()"),
    "time": ("time('10:00Z')", "time()"),
    "duration": ("p.born + duration('P1M')", "p.born - duration({days: 3})", "duration({days: p.age})"),
    "duration.between": (
        "duration.between(p.born, date('2024-01-31')).years",
        "duration.between(p.born, date('2024-01-31')).months",
        "duration.between(p.born, date('2024-01-31'))",
    ),
    "duration.inDays": (
        "duration.inDays(p.born, date('2024-01-31')).days",
        "duration.inDays(p.born, date('2024-01-31'))",
    ),
    "duration.inMonths": ("duration.inMonths(p.born, date('2024-01-31'))",),
    "duration.inSeconds": ("duration.inSeconds(p.born, date('2024-01-31'))",),
    "format": ("format(p.born, 'yyyy')",),
}
"""Functions whose signature does not say what a call looks like."""
_LEFT = ("file", "linenumber", "graph.", "vector", "point.withinBBox", "datetime.truncate", "localdatetime.truncate")
_LEFT_ENDS = (".realtime", ".statement", ".transaction", "time.truncate", "datetime.truncate")
"""Begins and ends of the names of functions that are no part of the table."""


@cache
def calls() -> dict[str, tuple[str, ...]]:
    """Function, by its name in Cypher -> expressions that call it; none for those of other kinds of clauses."""
    found: dict[str, tuple[str, ...]] = {}
    for name, function in FUNCTIONS.items():
        if name.startswith(_LEFT) or name.endswith(_LEFT_ENDS):
            continue
        signature = None if function.operator else signature_of(name)
        if name in _OWN:
            found[name] = _OWN[name]
        elif signature is not None:
            found[name] = tuple(dict.fromkeys(_calls(name, signature)))
    return {name: expressions for name, expressions in sorted(found.items()) if expressions}


def _calls(name: str, signature: Signature) -> Iterator[str]:
    least = signature.least
    if not signature.arguments:
        yield f"{name}()"
        return
    counts = dict.fromkeys((max(least, 1), len(signature.arguments)))
    for count in counts:
        rest = [_constant(each) for each in signature.arguments[1:count]]
        for first in _rows(signature.arguments[0]):
            yield f"{name}({', '.join([first, *rest])})"


def _rows(wanted: int) -> Iterator[str]:
    """The values of a row that a function takes."""
    for kind, value in _VALUES:
        if wanted == types.ANY and kind not in (types.INTEGER, types.STRING):
            continue
        if kind & wanted:
            yield value
    if wanted != types.ANY and types.LIST & wanted:
        yield _LIST


def _constant(wanted: int) -> str:
    for kind, value in _CONSTANTS:
        if kind & wanted:
            return value
    return "[1]" if types.LIST & wanted else "null"
