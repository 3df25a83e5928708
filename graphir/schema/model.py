"""The schema of a property graph: node types, edge types, their properties, and how much of it is known.

One model for every format.  What a schema does not say is *unknown*, which differs from *absent*: `Coverage` states of
which parts the lists are complete.  Frozen, hashable, independent of order; knows no format (reading and writing are
`graphir.schema.formats`), no dialect and no IR.
Terms follow ISO GQL (ISO/IEC 39075, graph types) and the property graph data model of the LDBC.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from pathlib import Path
from types import MappingProxyType
from typing import Any

from graphir.types import DECLARABLE

Labels = tuple[str, ...]
"""A set of labels, sorted."""


def labels(*names: str) -> Labels:
    """A set of labels: sorted, each once."""
    return tuple(sorted(set(names)))


@dataclass(frozen=True, slots=True)
class DataType:
    """The type of a property.

    `name` is one of `TYPES`: the kinds of `graphir.types` and, beside them, the sized numbers and the binary, decimal
    and JSON values that relational targets tell apart.  `element` is set for LIST (None: a list of anything), `size` is
    the length of a string or the precision of a decimal, `scale` that of a decimal.
    """

    name: str
    element: DataType | None = None
    size: int | None = None
    scale: int | None = None

    def __str__(self) -> str:
        if self.element is not None:
            return f"LIST<{self.element}>"
        if self.size is None:
            return self.name
        return f"{self.name}({self.size})" if self.scale is None else f"{self.name}({self.size}, {self.scale})"


TYPES: Mapping[str, str] = MappingProxyType(
    {
        **{kind: kind for kind in (*DECLARABLE, "LIST", "ANY")},
        "INTEGER8": "INTEGER",
        "INTEGER16": "INTEGER",
        "INTEGER32": "INTEGER",
        "UINTEGER8": "INTEGER",
        "UINTEGER16": "INTEGER",
        "UINTEGER32": "INTEGER",
        "UINTEGER64": "INTEGER",
        "INTEGER128": "INTEGER",
        "FLOAT32": "FLOAT",
        "DECIMAL": "FLOAT",
        "BYTES": "ANY",
        "JSON": "ANY",
    }
)
"""Name of a data type -> the kind of value that Cypher sees (ANY: nothing is known of it)."""


@dataclass(frozen=True, slots=True)
class PropertyType:
    """A property of a node or edge type.

    `type` None and `nullable` None are unknown.  `values` is the whole set of values where it is closed (categorical);
    `examples` are some of them; both are None, bool, int, float, text or tuples of these, temporal values as text.  The
    rest are statistics of the data the schema was taken from: `sizes` are the least and the greatest length of a LIST.
    """

    name: str
    type: DataType | None = None
    nullable: bool | None = None
    unique: bool = False
    values: tuple[Any, ...] | None = None
    examples: tuple[Any, ...] = ()
    sizes: tuple[int, int] | None = None
    minimum: Any = None
    maximum: Any = None
    distinct: int | None = None
    description: str | None = None


@dataclass(frozen=True, slots=True)
class Table:
    """Where a relational target keeps the instances of a type.  No part of the schema's identity.

    `qualifier` are the names of the schemas that it is in, outermost first, where they are said; `columns` are
    (property, column) pairs where the names differ, `key` the columns of the key.  For edges, `source`
    and `target` are the foreign key columns, in the order of the key of the end's node type; those in `nullable` may be
    null, and then the row is no edge.  `others` are tables that hold instances of the type as well.  `elements` are the
    names that these tables have in a property graph, its own before those of `others`; () where it has its own name.
    """

    name: str
    columns: tuple[tuple[str, str], ...] = ()
    source: tuple[str, ...] = ()
    target: tuple[str, ...] = ()
    key: tuple[str, ...] = ()
    nullable: tuple[str, ...] = ()
    qualifier: tuple[str, ...] = ()
    others: tuple[tuple[str, ...], ...] = ()
    elements: tuple[str, ...] = ()

    @property
    def parts(self) -> tuple[str, ...]:
        """The elements of the property graph that hold the type."""
        return self.elements or (self.name,)

    @property
    def path(self) -> tuple[str, ...]:
        """The name with those of its schemas before it."""
        return (*self.qualifier, self.name)


@dataclass(frozen=True, slots=True)
class Origin:
    """The format that a schema was read from.  No part of the schema's identity.

    `held` are the names that the database holds otherwise than the schema spells them, because the text did not quote
    them (`Person` is PERSON in Oracle): (kind, name, name held), kind being "label", "property", "table", "graph" or
    "schema"; and what else a definition says that is no part of a schema (`HIDING` and `OWN_KIND` of `ddl/script.py`).
    """

    format: str
    held: tuple[tuple[str, str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class NodeType:
    """Nodes that carry exactly these labels, and those inherited.

    `parents` are labels of node types whose labels and properties these nodes have as well.  `properties` None:
    nothing is known of them; otherwise they are all, unless `open`.  `key` identifies a node within the type.
    """

    labels: Labels
    properties: tuple[PropertyType, ...] | None = ()
    key: tuple[str, ...] = ()
    parents: Labels = ()
    open: bool = False
    count: int | None = None
    description: str | None = None
    table: Table | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class EdgeType:
    """Edges of one type between two ends: an observed triple (source, type, target).

    An end is the label set of its node type; None is unknown, the empty tuple a node without labels.  Several edge
    types may share `type`.
    """

    type: str
    source: Labels | None
    target: Labels | None
    properties: tuple[PropertyType, ...] | None = ()
    key: tuple[str, ...] = ()
    open: bool = False
    count: int | None = None
    degrees: tuple[float, float] | None = None
    """Mean number of edges per source node and per target node."""
    description: str | None = None
    table: Table | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Coverage:
    """Of what the schema lists everything there is.

    labels: every label; types: every edge type; endpoints: of the edge types that it lists, every triple;
    properties: of the types whose properties are known, every property; combinations: every set of labels that one node
    has.  Formats that list labels one by one leave it open: there a node may carry the labels of several node types,
    and then has the properties and the edges of each.
    """

    labels: bool = True
    types: bool = True
    endpoints: bool = True
    properties: bool = True
    combinations: bool = True


CLOSED = Coverage()
BY_LABEL = Coverage(combinations=False)
"""What formats say that list every label by itself."""
ENDPOINTS_ONLY = Coverage(labels=False, types=False, properties=False, combinations=False)
"""What triples alone say: complete for the endpoints of the types listed, silent on everything else."""


@dataclass(frozen=True)
class Schema:
    """The schema of a graph.

    `guesses` are what a reader had to assume where the format is not explicit, in words.
    `qualifier` are the names of the schemas of a database that the graph `name` is in, as those of a `Table`.
    Two schemas are equal when they describe the same graph, in whatever order; name, tables, guesses do not count.
    """

    node_types: tuple[NodeType, ...] = ()
    edge_types: tuple[EdgeType, ...] = ()
    coverage: Coverage = CLOSED
    name: str | None = field(default=None, compare=False)
    guesses: tuple[str, ...] = field(default=(), compare=False)
    origin: Origin | None = field(default=None, compare=False)
    qualifier: tuple[str, ...] = field(default=(), compare=False)

    def __post_init__(self) -> None:
        """Order does not count: types and properties are kept sorted by name."""
        nodes = sorted((_sorted(n) for n in self.node_types), key=lambda n: n.labels)
        edges = sorted((_sorted(e) for e in self.edge_types), key=_triple)
        object.__setattr__(self, "node_types", tuple(nodes))
        object.__setattr__(self, "edge_types", tuple(edges))

    @cached_property
    def fingerprint(self) -> str:
        """64 hexadecimal digits that are the same for equal schemas, in every process."""
        text = json.dumps(self._identity(), sort_keys=True, ensure_ascii=True, default=str)
        return hashlib.sha256(text.encode()).hexdigest()

    def _identity(self) -> Any:
        return [
            [_without_table(asdict(node)) for node in self.node_types],
            [_without_table(asdict(edge)) for edge in self.edge_types],
            asdict(self.coverage),
        ]

    @property
    def closed(self) -> bool:
        return self.coverage == CLOSED

    @property
    def types(self) -> tuple[NodeType | EdgeType, ...]:
        """The node types, then the edge types."""
        return (*self.node_types, *self.edge_types)

    def is_open(self, type: NodeType | EdgeType) -> bool:
        """Whether what is of a type may have properties that are not listed."""
        return type.properties is None or type.open or not self.coverage.properties

    @classmethod
    def read(cls, source: str | Path, format: str = "auto") -> Schema:
        """The schema that a text (a str) or a file or folder (a Path) describes.

        `format` is a name of `graphir.schema.formats.FORMATS`; "auto" finds it, where that is
        sure.  A text that is not of its format raises SyntaxFault with the place and what was expected; a name that is
        no format, or a file that is not there or cannot be read, raises UsageFault.
        """
        from graphir.schema.formats import read

        return read(source, format)

    def write(self, format: str = "json") -> str:
        """The schema as text.  Raises UsageFault for a format that cannot be written."""
        from graphir.schema.formats import write

        return write(self, format)

    def to_json(self) -> dict[str, Any]:
        """The document that `write("json")` prints, as values of JSON."""
        from graphir.schema.json import to_json

        return to_json(self)


def _without_table(record: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in record.items() if key != "table"}


def _sorted(of: Any) -> Any:
    if of.properties is None:
        return of
    return replace(of, properties=tuple(sorted(of.properties, key=lambda p: p.name)))


def _triple(edge: EdgeType) -> tuple[str, Labels, Labels, bool, bool]:
    return edge.type, edge.source or (), edge.target or (), edge.source is None, edge.target is None
