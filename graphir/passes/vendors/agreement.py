"""What the elements of a property graph share: the types of a property, the properties of a label, names and tables.

Made of a graph once, and told what is added to it, so that a definition costs what it is long.
"""

from __future__ import annotations

from graphir.passes.vendors.catalog import Element, Graph, Label, Path, Property, Typed


class Agreement:
    """The types of each property, the properties of each label and the nodes of each table, in the order in which they
    came."""

    def __init__(self, graph: Graph) -> None:
        self.labels: set[str] = set()
        self._types: dict[str, dict[Typed, None]] = {}
        self._shapes: dict[str, dict[frozenset[str], Element]] = {}
        self._nodes: dict[str | Path, Element] = {}
        for element in graph.elements.values():
            self.add_element(element)
            for label in element.labels.values():
                self.add_label(element, label)

    def add_element(self, element: Element) -> None:
        """One whose labels come later."""
        self.labels.update(element.sublabels)
        if element.kind == "node":
            self._nodes.setdefault(element.name, element)
            self._nodes.setdefault(element.table, element)

    def node(self, at: str | Path) -> Element | None:
        """The node element of a name, or the first one of a table."""
        return self._nodes.get(at)

    def add_label(self, element: Element, label: Label) -> None:
        self.labels.add(label.name)
        if label.properties is not None:
            self._shapes.setdefault(label.name, {}).setdefault(frozenset(label.properties), element)
            for each in label.properties.values():
                self.add_property(each)

    def add_property(self, given: Property) -> None:
        self._types.setdefault(given.name, {})[given.type] = None

    def types(self, name: str) -> tuple[Typed, ...]:
        """The types that the property has."""
        return tuple(self._types.get(name, ()))

    def other_shape(self, label: Label) -> tuple[Element, frozenset[str]] | None:
        """An element at which the label has other properties, and which."""
        own = frozenset(label.properties or ())
        shapes = self._shapes.get(label.name, {})
        return next(((element, names) for names, element in shapes.items() if names != own), None)
