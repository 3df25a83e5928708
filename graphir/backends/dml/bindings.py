"""What is known of the variables of a query that writes: in which tables they may be, and what their keys are.

Works on core IR and the tables of a graph.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from graphir import ir
from graphir.backends.dml.tables import Table, Tables
from graphir.backends.gql.narrowing import links_of, propagate

ANY_KEY = "*"
"""Stands for every key among those that are mentioned."""
_WHOLE = frozenset(("keys", "properties"))


@dataclass(frozen=True, slots=True)
class Bound:
    """A variable of a node or an edge: the numbers of its tables.

    `ends` are the variables of its ends, source first, where its direction is known.  `made` holds the properties of an
    element that the query makes, by key; `merged`: it may have been there before, with others.
    """

    tables: frozenset[int]
    ends: tuple[str, str] | None = None
    made: dict[str, ir.Expression] | None = None
    merged: bool = False


@dataclass(slots=True)
class Bindings:
    """The variables before the first writing clause, and those that clauses make; `touched` are the tables that the
    reading clauses look at, `mentioned` the keys, `pinned` those of the tables that are looked up by their key only."""

    variables: dict[str, Bound] = field(default_factory=dict)
    touched: set[int] = field(default_factory=set)
    mentioned: set[str] = field(default_factory=set)
    pinned: set[int] = field(default_factory=set)


def bindings_of(operators: Sequence[ir.Operator], tables: Tables) -> Bindings:
    """What the reading clauses before the first write bind."""
    found = Bindings()
    for operator in operators:
        if isinstance(operator, ir.Match):
            _match(operator, found, tables)
        elif isinstance(operator, (ir.Project, ir.Aggregate)):
            items = operator.items if isinstance(operator, ir.Project) else (*operator.keys, *operator.aggregates)
            before, found.variables = found.variables, {}
            for item in items:
                if isinstance(item.value, ir.Ref) and item.value.name in before:
                    found.variables[item.name or ""] = before[item.value.name]
    _look(operators, found, tables)
    return found


def _match(match: ir.Match, found: Bindings, tables: Tables) -> None:
    among: dict[str, frozenset[int]] = {}
    ends: dict[str, tuple[str, str]] = {}
    for path in match.paths:
        for at, element in enumerate(path.elements):
            name = getattr(element, "variable", None)
            if name is None or not isinstance(element, (ir.NodePattern, ir.EdgePattern)):
                continue
            is_edge = isinstance(element, ir.EdgePattern)
            every = tables.graph.edges if is_edge else tables.graph.nodes
            known = found.variables[name].tables if name in found.variables else among.get(name, every)
            among[name] = tables.graph.labelled(element.labels, known)
            if isinstance(element, ir.EdgePattern) and element.direction != "any" and element.quantifier is None:
                left, right = (getattr(path.elements[at + step], "variable", None) or "" for step in (-1, 1))
                ends[name] = (left, right) if element.direction == "out" else (right, left)
    links = [link for link in links_of(match) if {link.edge, link.left, link.right} <= among.keys()]
    propagate(links, among, tables.graph)
    elements = [e for path in match.paths for e in path.elements if isinstance(e, ir.EdgePattern)]
    repeated = {e.variable for e in elements if e.quantifier is not None}
    for name, numbers in among.items():
        if name not in repeated:
            found.variables[name] = Bound(numbers, ends.get(name))


def _look(operators: Sequence[ir.Operator], found: Bindings, tables: Tables) -> None:
    """Note what the clauses look at."""
    free: set[int] = set()
    plain = {
        id(e) for o in operators if isinstance(o, ir.Match) and not o.optional for p in o.paths for e in p.elements
    }
    for node in _all(operators):
        if isinstance(node, (ir.NodePattern, ir.EdgePattern)):
            bound = found.variables.get(node.variable or "")
            every = tables.graph.edges if isinstance(node, ir.EdgePattern) else tables.graph.nodes
            numbers = bound.tables if bound is not None else tables.graph.labelled(node.labels, every)
            found.touched |= numbers
            if id(node) not in plain or not _is_pinned(node, numbers, tables):
                free |= numbers
        elif isinstance(node, (ir.Property, ir.Entry)):
            found.mentioned.add(node.key)
        elif isinstance(node, ir.PathGroup):
            found.touched |= tables.graph.nodes | tables.graph.edges
            free |= found.touched
        elif isinstance(node, (ir.Index, ir.MapProjection)) or (isinstance(node, ir.Apply) and node.function in _WHOLE):
            found.mentioned.add(ANY_KEY)
    found.pinned = found.touched - free


def _all(operators: Sequence[ir.Operator]) -> Iterator[ir.Node]:
    for operator in operators:
        yield from ir.walk(operator)


def _is_pinned(node: ir.NodePattern | ir.EdgePattern, numbers: frozenset[int], tables: Tables) -> bool:
    """Whether the pattern gives constants for the whole key of its one table.

    No row that is inserted on account of such a pattern can be found by it: the row that it finds has that key.
    """
    if len(numbers) != 1 or not isinstance(node.properties, ir.MapOf):
        return False
    table = tables.tables[next(iter(numbers))]
    given = {entry.key for entry in node.properties.entries if isinstance(entry.value, (ir.Literal, ir.Parameter))}
    return {table.columns.get(key) for key in given} >= set(table.key)


def key_of(name: str, column: str, table: Table, bindings: Bindings, tables: Tables) -> ir.Expression | None:
    """What the query writes for a column of the key of a variable; None where it cannot."""
    bound = bindings.variables[name]
    if bound.made is not None:
        given = next((value for key, value in bound.made.items() if table.columns.get(key) == column), None)
        if given is not None:
            return given
    elif column in table.exposed:
        return ir.Property(ir.Ref(name), table.exposed[column])
    for variable, end in zip(bound.ends or (), (table.source, table.target), strict=False):
        if end is not None and column in end.columns and variable in bindings.variables:
            node = tables.tables[end.table]
            return key_of(variable, node.key[end.columns.index(column)], node, bindings, tables)
    return None
