"""Of what types the parameters of a query are, where their values come later: found by how the query uses them.

A parameter that is compared with a property has the type of its column, one of SKIP or LIMIT is an integer.  The text
casts it to that, so that the database refuses a value of another type.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from graphir import ir
from graphir.backends.sql.catalog import Catalog, EdgeTable, NodeTable
from graphir.backends.sql.reps import BOOLEAN, DATE, FLOAT, INTEGER, STRING, ListRep, Rep, list_of
from graphir.diagnostics import Unsupported, diagnose
from graphir.source import Source

_COMPARED = frozenset(("eq", "ne", "lt", "le", "gt", "ge", "add", "sub", "mul", "div", "mod", "coalesce", "nullIf"))
_TEXTS = frozenset(("starts_with", "ends_with", "contains"))
_OF_TEXTS = frozenset(
    ("toUpper", "toLower", "trim", "ltrim", "rtrim", "btrim", "split", "replace", "substring", "left")
)
_RESULTS: dict[str, Rep] = {
    **dict.fromkeys(("size", "length", "count", "toInteger", "char_length", "path_length", "id"), INTEGER),
    **dict.fromkeys(("toFloat", "avg", "ceil", "floor", "sqrt"), FLOAT),
    **dict.fromkeys(("toString", "type", "toUpper", "toLower", "trim", "substring", "left", "replace"), STRING),
    "date": DATE,
}


def find_types(core: ir.Query, catalog: Catalog, dialect: str, source: Source) -> dict[str, Rep]:
    """Parameter -> how it lies.  Raises Unsupported (G563) for one that the query does not settle."""
    if not ir.holds(core, ir.Parameter):
        return {}
    places: dict[str, ir.Parameter] = {}
    found: dict[str, set[Rep]] = {}
    for node in ir.walk(core):
        if isinstance(node, ir.Parameter):
            places.setdefault(node.name, node)
        for parameter, rep in _told(node, catalog):
            found.setdefault(parameter.name, set()).add(rep)
    typed: dict[str, Rep] = {}
    for name, place in places.items():
        reps = found.get(name, set())
        if len(reps) != 1:
            told = "is used as several types" if reps else "is used where no type is asked for"
            message = f"parameter ${name} {told}, and the text has to say one"
            hint = "compare it with a property of one type, or write the value"
            refusal = diagnose(source, "G563", message, place.span, hint=hint)
            raise Unsupported([refusal], feature="parameter", target=dialect)
        typed[name] = reps.pop()
    return typed


def _told(node: ir.Node, catalog: Catalog) -> Iterator[tuple[ir.Parameter, Rep]]:
    """What a node says of the parameters below it."""
    match node:
        case ir.Apply(function=function, args=args) if function in _COMPARED:
            reps = {rep for each in args if (rep := _guess(each, catalog)) is not None}
            if len(reps) == 1:
                yield from ((each, next(iter(reps))) for each in args if isinstance(each, ir.Parameter))
        case ir.Apply(function="in", args=(item, ir.Parameter() as listed)):
            if (rep := _guess(item, catalog)) is not None:
                yield listed, list_of(rep)
        case ir.Apply(function="in", args=(ir.Parameter() as item, listed)):
            rep = _guess(listed, catalog)
            if isinstance(rep, ListRep):
                yield item, rep.element
        case ir.Apply(function=function, args=args) if function in _TEXTS or function in _OF_TEXTS:
            texts = args if function in _TEXTS or function == "replace" else args[:1]
            yield from ((each, STRING) for each in texts if isinstance(each, ir.Parameter))
        case ir.Apply(function="and" | "or" | "xor" | "not", args=args):
            yield from ((each, BOOLEAN) for each in args if isinstance(each, ir.Parameter))
        case (
            ir.NodePattern(properties=ir.MapOf(entries=entries)) | ir.EdgePattern(properties=ir.MapOf(entries=entries))
        ):
            for entry in entries:
                rep = _of_key(entry.key, catalog)
                if isinstance(entry.value, ir.Parameter) and rep is not None:
                    yield entry.value, rep
        case ir.Page(skip=skip, limit=limit):
            yield from ((each, INTEGER) for each in (skip, limit) if isinstance(each, ir.Parameter))


def _guess(node: ir.Node, catalog: Catalog) -> Rep | None:
    """How a value lies, where that is plain to see."""
    match node:
        case ir.Property(key=key):
            return _of_key(key, catalog)
        case ir.Literal(value=bool()):
            return BOOLEAN
        case ir.Literal(value=int()):
            return INTEGER
        case ir.Literal(value=float()):
            return FLOAT
        case ir.Literal(value=str()):
            return STRING
        case ir.ListOf(items=items):
            element = _one(_guess(each, catalog) for each in items)
            return None if element is None else list_of(element)
        case ir.Apply(function="add" | "sub" | "mul" | "div" | "mod", args=args):
            return _one(_guess(each, catalog) for each in args)
        case ir.Apply(function=function):
            return _RESULTS.get(function)
    return None


def _one(reps: Iterable[Rep | None]) -> Rep | None:
    known = {rep for rep in reps if rep is not None}
    return known.pop() if len(known) == 1 else None


def _of_key(key: str, catalog: Catalog) -> Rep | None:
    """How a property of this name lies, if it does so in all tables."""
    tables: list[NodeTable | EdgeTable] = [*catalog.nodes, *catalog.edges]
    return _one(table.columns[key].rep for table in tables if key in table.columns)
