"""The elements of a graph table and the columns that their properties are: what `a.*` stands for.

Facts: Oracle's "SQL Language Reference" (graph_table, all_properties), DuckPGQ's match.cpp: without COLUMNS, and with a
star alone, a graph table has every property of every element.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from graphir import ir
from graphir.ir import Expression, Item, LabelExpression, Node, Property, Ref
from graphir.passes.selects.scopes import NoGraphQuery

if TYPE_CHECKING:
    from graphir.schema.model import EdgeType, NodeType, Schema

SPREADING = frozenset(("pgq-duckpgq",))
"""Dialects in which `*` in COLUMNS is every property of every element, and no variable."""


class Shapes:
    """What a schema says of elements.  `spread`: a star is the properties of all elements."""

    def __init__(self, schema: Schema | None = None, *, spread: bool = False) -> None:
        self.schema = schema
        self.spread = spread

    def elements(self, body: ir.Body) -> Elements:
        """The elements of the patterns of a graph query."""
        return Elements(self, body)

    def properties(self, pattern: ir.NodePattern | ir.EdgePattern) -> list[str] | None:
        """The properties that an element of the pattern may have, in the order of the schema; None: not known."""
        if self.schema is None:
            return None
        of_nodes = isinstance(pattern, ir.NodePattern)
        types: Iterable[NodeType | EdgeType] = self.schema.node_types if of_nodes else self.schema.edge_types
        fitting = [known for known in types if fits(pattern.labels, labels_of(known))]
        if not fitting or any(known.properties is None or known.open for known in fitting):
            return None
        return list(dict.fromkeys([each.name for known in fitting for each in known.properties or ()]))


class Elements:
    """The elements of one graph query, by their variables."""

    def __init__(self, shapes: Shapes, body: ir.Body) -> None:
        self.shapes = shapes
        self.patterns: dict[str, ir.NodePattern | ir.EdgePattern] = {}
        for each in ir.walk(body):
            if isinstance(each, (ir.NodePattern, ir.EdgePattern)) and each.variable is not None:
                known = self.patterns.get(each.variable.lower())
                if known is None or known.labels is None:
                    self.patterns[each.variable.lower()] = each

    @property
    def spread(self) -> bool:
        return self.shapes.spread

    @property
    def are_known(self) -> bool:
        """Whether the properties of all elements are known."""
        return all(self.shapes.properties(each) is not None for each in self.patterns.values())

    def columns(self, element: Expression) -> Iterator[Item]:
        """The properties of an element as columns.  Raises NoGraphQuery where they are not known."""
        pattern = self.patterns.get(element.name.lower()) if isinstance(element, Ref) else None
        names = None if pattern is None else self.shapes.properties(pattern)
        if names is None:
            raise NoGraphQuery("the properties of an element are no columns without a schema", element.span)
        for name in names:
            yield Item(Property(element, name, span=element.span), name, span=element.span)


def labels_of(known: NodeType | EdgeType) -> frozenset[str]:
    """The labels of a node of the type, or of an edge of it."""
    labels = getattr(known, "labels", None)
    return frozenset((known.type,) if labels is None else labels)  # type: ignore[union-attr]


def fits(wanted: LabelExpression | None, labels: frozenset[str]) -> bool:
    """Whether labels satisfy an expression; names that differ in case alone may be the same."""
    folded = frozenset([label.lower() for label in labels])

    def holds(node: Node) -> bool:
        match node:
            case ir.LabelName(name):
                return name.lower() in folded
            case ir.LabelNot(operand):
                return not holds(operand)
            case ir.LabelAnd(operands):
                return all(map(holds, operands))
            case ir.LabelOr(operands):
                return any(map(holds, operands))
        return isinstance(node, ir.LabelAny) and bool(folded)

    return wanted is None or holds(wanted)
