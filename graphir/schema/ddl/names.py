"""The names that a schema has in a dialect of queries: for the translators, and the same that `writer.py` prints."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from graphir.schema.ddl.layout import lay_out
from graphir.schema.ddl.paths import Path
from graphir.schema.ddl.plans import HIDDEN, OWN, Element
from graphir.schema.ddl.targets import DIALECTS, TARGETS
from graphir.schema.model import EdgeType, Labels, NodeType, Schema


@dataclass(frozen=True, slots=True)
class ElementNames:
    """A table of the graph: its name as an element, and the names of labels and properties.

    `labels` and `properties` go from the schema's names to those of the dialect, not quoted.  `identity` are the
    properties (of the dialect) that tell one element of the table from another.  `source` and `target` are the names
    of the node elements at the ends of an edge.
    """

    name: str
    table: Path
    labels: Mapping[str, str]
    properties: Mapping[str, str]
    identity: tuple[str, ...]
    source: str | None = None
    target: str | None = None


@dataclass(frozen=True, slots=True)
class Names:
    """The names of a graph, its own after those of its schemas.  A node type is found by its labels, an edge type by
    (type, source, target)."""

    graph: Path
    nodes: Mapping[Labels, ElementNames] = field(default_factory=dict)
    edges: Mapping[tuple[str, Labels | None, Labels | None], tuple[ElementNames, ...]] = field(default_factory=dict)


def names(schema: Schema, dialect: str) -> Names:
    """The names that queries in a dialect (`gql-spanner`, `pgq-postgres`, or a DDL format) use for this schema.

    They are those of the DDL that the schema was read from, where that is the dialect's own, and else those that
    `schema.write` prints.  Raises KeyError for a dialect without tables.
    """
    layout = lay_out(schema, TARGETS[DIALECTS.get(dialect, dialect)])
    nodes = {node.type.labels: _names(node) for node in layout.nodes if isinstance(node.type, NodeType)}
    edges: dict[tuple[str, Labels | None, Labels | None], tuple[ElementNames, ...]] = {}
    for edge in layout.edges:
        assert isinstance(edge.type, EdgeType)
        place = (edge.type.type, edge.type.source, edge.type.target)
        edges[place] = (*edges.get(place, ()), _names(edge))
    return Names(layout.graph, nodes, edges)


def _names(element: Element) -> ElementNames:
    return ElementNames(
        element.name,
        element.table.path,
        {name: printed for name, printed in element.labels.items() if name != OWN},
        {name: printed for name, printed in element.properties.items() if name != HIDDEN},
        element.identity,
        element.source.node.name if element.source is not None else None,
        element.target.node.name if element.target is not None else None,
    )
