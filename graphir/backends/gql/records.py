"""Values that consist of others: maps, and elements where they are values (in lists, results, branches of CASE).

GoogleSQL keeps elements in variables of patterns alone.  Where one is a value it becomes a STRUCT of its identity and
of the properties that the schema says, under their names in the database.  Knows no clause.
"""

from __future__ import annotations

from collections.abc import Iterable

from graphir import ir
from graphir.backends.gql.graph import Property, SchemaGraph
from graphir.backends.gql.values import AS_VALUES, ELEMENTS, RECORDS, Kind, Value

IDENTITY = "element_id"
"""The field with the identity, by which such values are told apart."""


def field(value: ir.Expression, name: str) -> ir.Expression:
    """A field of a STRUCT."""
    return ir.Property(value, name)


def struct(fields: Iterable[tuple[str, ir.Expression]]) -> ir.Struct:
    return ir.Struct(tuple([ir.Named(name, value) for name, value in fields]))


def element_id(element: ir.Expression) -> ir.Expression:
    return ir.Call(("ELEMENT_ID",), (element,))


def missing(value: ir.Expression) -> ir.Expression:
    """Whether an element is null."""
    return ir.Apply("is_null", (element_id(value),))


def exposures(graph: SchemaGraph, tables: Iterable[int]) -> list[Property]:
    """The properties of elements in those tables, as the database has them, in the order of the tables."""
    numbers = sorted(tables)
    found = dict(graph.folded[numbers[0]]) if numbers else {}
    for number in numbers[1:]:
        for name, exposed in graph.folded[number].items():
            found.setdefault(name, exposed)
    return list(found.values())


def several_labels(graph: SchemaGraph, tables: Iterable[int]) -> bool:
    """Whether the tables do not tell the labels, or the type, of an element."""
    return len({graph.tables[number].labels for number in tables}) > 1


def described(
    graph: SchemaGraph | None, element: ir.Expression, value: Value, wanted: frozenset[int] | None = None
) -> list[tuple[str, ir.Expression]]:
    """What an element variable is as a STRUCT: names and values.  `wanted`: the tables whose properties it has."""
    fields: list[tuple[str, ir.Expression]] = [(IDENTITY, element_id(element))]
    if graph is None or value.tables is None:
        return fields
    there = {exposed.name for exposed in exposures(graph, value.tables)}
    for exposed in exposures(graph, value.tables if wanted is None else wanted):
        absent: ir.Expression = ir.Cast(ir.Literal(None), ir.ValueType(exposed.held or "STRING"))
        fields.append((exposed.name, ir.Property(element, exposed.name) if exposed.name in there else absent))
    return fields


def as_value(
    graph: SchemaGraph | None, element: ir.Expression, value: Value, wanted: frozenset[int] | None = None
) -> tuple[ir.Expression, Value]:
    """An element variable as a value, null where it is null."""
    made: ir.Expression = struct(described(graph, element, value, wanted))
    if value.nullable:
        made = ir.Call(("IF",), (missing(element), ir.Literal(None), made))
    return made, Value(AS_VALUES[value.kind], value.nullable, value.tables if wanted is None else wanted)


def is_element(value: Value) -> bool:
    """Whether it is a node or a relationship, as a variable or as a value."""
    return value.kind in ELEMENTS or value.kind in RECORDS


def sort_of(value: Value) -> Kind:
    """NODE or EDGE, also of values."""
    return {made: kind for kind, made in AS_VALUES.items()}.get(value.kind, value.kind)
