"""Nodes and relationships as results: in which tables they are, and which of their properties are shown in columns
behind what tells them apart.

What a column may hold is followed from the patterns through the clauses of a query; what cannot be followed is in any
table.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

from graphir import ir
from graphir.backends.sql.catalog import Catalog, EdgeTable, NodeTable
from graphir.backends.sql.procedures import columns_of
from graphir.backends.sql.scans import carries

Table = NodeTable | EdgeTable


@dataclass(frozen=True, slots=True)
class Held:
    """In which tables the elements are that a value is or holds; `alone`: it is a variable of a pattern."""

    tables: tuple[Table, ...]
    alone: bool = True


Known = Mapping[str, Held]
_HOLDERS = frozenset(("collect", "head", "last", "tail", "reverse", "coalesce", "add"))
"""Functions whose values hold nothing but what their arguments do."""
_PARTS: Mapping[str, type[Table]] = {"nodes": NodeTable, "relationships": EdgeTable}


def shown(core: ir.Query, catalog: Catalog) -> dict[str, list[str]]:
    """Column of the result -> the keys of the properties that the element there may have.

    Of columns that are variables of patterns alone; there are none for a result of several queries.
    """
    if not isinstance(core.body, ir.Pipeline):
        return {}
    last = next((each for each in reversed(core.body.operators) if isinstance(each, ir.Project)), None)
    if last is not None and not any(isinstance(item.value, ir.Ref) for item in last.items):
        return {}
    found = {name: _keys(held.tables) for name, held in _of_body(core.body, {}, catalog).items() if held.alone}
    return {name: keys for name, keys in found.items() if keys}


def tables_shown(core: ir.Query, catalog: Catalog) -> dict[str, Sequence[Table]]:
    """Column of the result -> the tables where the elements there may be, where that can be told."""
    return {name: held.tables for name, held in _of_body(core.body, {}, catalog).items()}


def _keys(tables: Sequence[Table]) -> list[str]:
    """The properties that can be read wherever an element may be."""
    every = dict.fromkeys(key for table in tables for key in table.columns)
    return [key for key in every if all(key in t.columns or not (key in t.unread or t.is_open) for t in tables)]


# ------------------------------------------------------------------ what is where


def _of_body(body: ir.Body, known: Known, catalog: Catalog) -> Known:
    """What the columns of a body hold, where that is known.  Recurses as deep as bodies stand in one another."""
    if isinstance(body, ir.Pipeline):
        for operator in body.operators:
            known = _behind(operator, known, catalog)
        return known
    if not isinstance(body, ir.SetOperation):
        return {}
    branches = [_of_body(branch, known, catalog) for branch in body.branches]
    common = [name for name in branches[0] if all(name in branch for branch in branches)]
    return {name: _joined([branch[name] for branch in branches]) for name in common}


def _joined(parts: Sequence[Held]) -> Held:
    return Held(_once([table for part in parts for table in part.tables]), alone=False)


def _once(tables: Sequence[Table]) -> tuple[Table, ...]:
    return tuple({id(table): table for table in tables}.values())


def _behind(operator: ir.Operator, known: Known, catalog: Catalog) -> Known:
    """What is known behind an operator."""
    match operator:
        case ir.Match():
            return _matched(operator, known, catalog)
        case ir.Project(items=items):
            return _named(items, known)
        case ir.Aggregate(keys=keys, aggregates=aggregates):
            return _named((*keys, *aggregates), known)
        case ir.Let(items=items):
            made = _named(items, known)
            return {**_without(known, [item.name for item in items]), **made}
        case ir.Unwind(source=source, variable=variable, ordinality=ordinality, offset=offset):
            held = _holding(source, known)
            rest = _without(known, [variable, ordinality, offset])
            return rest if held is None else {**rest, variable: Held(held.tables, alone=False)}
        case ir.SubqueryCall(body=body):
            return {**_of_body(body, _imported(operator, known), catalog), **known}
        case ir.ProcedureCall():
            return _without(known, columns_of(operator).values())
        case ir.Filter() | ir.Order() | ir.Page():
            return known
        case _:
            return {}


def _imported(call: ir.SubqueryCall, known: Known) -> Known:
    """What the body of a subquery sees of it; where the body says that itself, its first clause does."""
    if call.star:
        return known
    if call.imports is not None:
        return {name: known[name] for name in call.imports if name in known}
    first = call.body.operators[:1] if isinstance(call.body, ir.Pipeline) else ()
    return known if first and isinstance(first[0], ir.Project) else {}


def _without(known: Known, names: Collection[str | None]) -> Known:
    return {name: held for name, held in known.items() if name not in names}


def _named(items: Sequence[ir.Item], known: Known) -> Known:
    found = {item.name: _holding(item.value, known) for item in items if item.name is not None}
    return {name: held for name, held in found.items() if held is not None}


def _holding(value: ir.Expression, known: Known) -> Held | None:
    """What a value holds, if that can be told."""
    match value:
        case ir.Ref(name=name):
            return known.get(name)
        case ir.Apply(function=function, args=(ir.Ref(name=name),)) if function in _PARTS and name in known:
            kind = _PARTS[function]
            return Held(tuple([table for table in known[name].tables if isinstance(table, kind)]), alone=False)
        case ir.Apply(function=function, args=args) if function in _HOLDERS and args:
            parts = [known.get(each.name) if isinstance(each, ir.Ref) else None for each in args]
            told = [part for part in parts if part is not None]
            return _joined(told) if len(told) == len(parts) else None
        case ir.Index(base=ir.Ref(name=name)) if name in known:
            return Held(known[name].tables, alone=False)
    return None


# ------------------------------------------------------------------ patterns


def _matched(match: ir.Match, known: Known, catalog: Catalog) -> Known:
    """With the variables of a MATCH; an optional one says nothing of those that are there before it."""
    found = dict(known)
    for path in match.paths:
        inside: list[Table] = []
        for element in path.elements:
            inside += _bound(element, found, catalog, known if match.optional else {})
        if path.variable is not None:
            found[path.variable] = Held(_once(inside), alone=False)
    return found


def _bound(element: ir.PathElement, found: dict[str, Held], catalog: Catalog, fixed: Known) -> Sequence[Table]:
    """Note where an element may be, and give these tables.  Recurses into groups."""
    if isinstance(element, ir.PathGroup):
        inside: list[Table] = []
        own: dict[str, Held] = {}
        for each in element.path.elements:
            inside += _bound(each, own, catalog, fixed)
        found.update({name: Held(held.tables, alone=False) for name, held in own.items()})
        return inside
    every: Sequence[Table] = catalog.nodes if isinstance(element, ir.NodePattern) else catalog.edges
    labels = element.labels
    tables: tuple[Table, ...]
    if isinstance(labels, ir.LabelName):
        tables = (catalog.nodes_with if isinstance(element, ir.NodePattern) else catalog.edges_with)(labels.name)
    else:
        tables = tuple([table for table in every if carries(labels, table.carried) is not False])
    name = element.variable
    if name is None or name in fixed:
        return fixed[name].tables if name is not None else tables
    before = found.get(name)
    if before is not None:
        within = {id(table) for table in tables}
        tables = tuple([table for table in before.tables if id(table) in within])
    repeated = isinstance(element, ir.EdgePattern) and element.quantifier is not None
    found[name] = Held(tables, alone=not repeated)
    return (*tables, *catalog.nodes) if repeated else tables
