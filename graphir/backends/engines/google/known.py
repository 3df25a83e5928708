"""What a translation may know of the tables that a graph was put into."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from graphir.backends.engines.google.layout import Element, Layout
from graphir.backends.gql.graph import ElementTable, Property, Reference, SchemaGraph, kind_of


def known(layout: Layout, name: str) -> SchemaGraph:
    """The graph of that name over the tables of a layout.  Every element has every key, and its number."""
    properties = {layout.identity: _property(layout.identity, "id", "INT64")}
    properties.update({key: _property(key, layout.columns[key], of) for key, of in layout.types.items()})
    tables = list(_tables(layout, properties))
    labels = {label: label for table in tables for label in table.labels}
    return SchemaGraph(tables, (name,), labels, hidden=(layout.unlabelled,))


def _property(key: str, column: str, of: str) -> Property:
    kind, items = kind_of(of)
    return Property(key, column, kind, of, items=items, held=of)


def _tables(layout: Layout, properties: Mapping[str, Property]) -> Iterator[ElementTable]:
    numbers = {element.name: at for at, element in enumerate(layout.elements())}
    for element in layout.elements():
        source, target = _ends(element, numbers)
        labels = frozenset(element.labels or (layout.unlabelled,))
        yield ElementTable(
            numbers[element.name], element.name, (element.name,), labels, ("id",), properties, source, target
        )


def _ends(element: Element, numbers: Mapping[str, int]) -> tuple[Reference | None, Reference | None]:
    if element.ends is None:
        return None, None
    source, target = element.ends
    return Reference(("src",), numbers[source]), Reference(("dst",), numbers[target])
