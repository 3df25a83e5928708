"""A graph as tables and a property graph of GoogleSQL.

An element is known by its number, a property of its own.  There, one property has one type in the whole graph, a label
has the same properties wherever it is, and a query may only name what is there.  So every label has every key, as
columns that are null where a table has no such values; `extended` adds keys and empty tables for what a query names.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from graphir.backends.engines.faults import UNHELD, fault
from graphir.backends.engines.google.values import TYPES, objection, type_of
from graphir.backends.engines.tables import EdgeTable, Names, NodeTable, Rule, Tables, tables_of
from graphir.backends.sql.reps import NULL, ListRep, Rep
from graphir.graphs import PropertyGraph
from graphir.schema.model import Schema

GRAPH = "graphir"
"""The name of the property graph."""
UNLABELLED = "graphir unlabelled"
"""The label of nodes without labels: every element has one there.  No query that is translated can see it."""
ANY_TYPE = "INT64"
"""The type of a key of which nothing is known."""


@dataclass(frozen=True, slots=True)
class Element:
    """An element table: columns `id`, for edges also `src` and `dst`, then one for each key of the layout that it has.

    `ends` are the names of the node tables of an edge.
    """

    name: str
    labels: tuple[str, ...]
    rows: Sequence[tuple[Any, ...]] = ()
    keys: tuple[str, ...] = ()
    ends: tuple[str, str] | None = None

    @property
    def fixed(self) -> tuple[str, ...]:
        """The columns before those of the keys; the first is the key of the table."""
        return ("id",) if self.ends is None else ("id", "src", "dst")


@dataclass(frozen=True, slots=True)
class Layout:
    """Element tables, and the type and the column of every key.  `identity` is the property with the number."""

    nodes: tuple[Element, ...]
    edges: tuple[Element, ...]
    types: Mapping[str, str]
    columns: Mapping[str, str]
    identity: str
    unlabelled: str = UNLABELLED
    tables: Tables | None = field(default=None, compare=False)

    def elements(self) -> Iterator[Element]:
        yield from self.nodes
        yield from self.edges

    def labels(self) -> frozenset[str]:
        return frozenset([label for element in self.elements() for label in element.labels])

    # -------------------------------------------------------------- text

    def columns_of(self, element: Element) -> dict[str, str]:
        """Column -> type, in the order of the rows that `rows_of` gives."""
        found = dict.fromkeys(element.fixed, "INT64")
        found.update({self.columns[key]: of for key, of in self.types.items()})
        return found

    def rows_of(self, element: Element) -> Iterator[tuple[Any, ...]]:
        """The rows with a value for every column; None where there is none."""
        fixed = len(element.fixed)
        places = {key: at + fixed for at, key in enumerate(element.keys)}
        order = [places.get(key) for key in self.types]
        for row in element.rows:
            yield *row[:fixed], *[None if at is None else row[at] for at in order]

    def create_table(self, element: Element) -> str:
        """The definition of a table as Spanner reads it."""
        given = self.columns_of(element)
        columns = [f"{quoted(column)} {stored(of)}" for column, of in given.items()]
        columns[: len(element.fixed)] = [f"{column} INT64 NOT NULL" for column in element.fixed]
        return f"CREATE TABLE {quoted(element.name)} ({', '.join(columns)}) PRIMARY KEY (id)"

    def create_graph(self, graph: str = GRAPH) -> str:
        """The definition of the property graph."""
        nodes = ", ".join(map(self._element, self.nodes))
        text = f"CREATE PROPERTY GRAPH {quoted(graph)} NODE TABLES ({nodes})"
        if self.edges:
            text += f" EDGE TABLES ({', '.join(map(self._element, self.edges))})"
        return text

    def _element(self, element: Element) -> str:
        properties = [f"id AS {quoted(self.identity)}"]
        properties += [f"{quoted(self.columns[key])} AS {quoted(key)}" for key in self.types]
        text = quoted(element.name)
        if element.ends is not None:
            source, target = map(quoted, element.ends)
            text += f" SOURCE KEY (src) REFERENCES {source} (id) DESTINATION KEY (dst) REFERENCES {target} (id)"
        exposed = f"PROPERTIES ({', '.join(properties)})"
        return " ".join([text, *[f"LABEL {quoted(label)} {exposed}" for label in element.labels or (self.unlabelled,)]])

    # -------------------------------------------------------------- more than the graph has

    def extended(
        self, nodes: Iterable[frozenset[str]], edges: Iterable[frozenset[str]], keys: Mapping[str, str]
    ) -> Layout:
        """With empty tables for those sets of labels, and those keys with their types.

        There is a table of nodes at least, and one of edges, so that patterns have something to look at.
        """
        names = Names([element.name for element in self.elements()])
        more_nodes = [Element(names.free("n_none"), tuple(sorted(labels))) for labels in sorted(nodes, key=sorted)]
        every = (*self.nodes, *more_nodes) or (Element(names.free("n_none"), ()),)
        ends = every[0].name, every[0].name
        more_edges = [
            Element(names.free("e_none"), tuple(sorted(labels)), ends=ends) for labels in sorted(edges, key=sorted)
        ]
        if not self.edges and not more_edges:
            more_edges = [Element(names.free("e_none"), (), ends=ends)]
        columns = Names([*self.columns.values(), "id", "src", "dst"])
        added = {key: columns.free("p_" + key) for key in keys if key not in self.columns}
        return replace(
            self,
            nodes=every,
            edges=(*self.edges, *more_edges),
            types={**self.types, **keys},
            columns={**self.columns, **added},
        )


def layout_of(graphs: Iterable[PropertyGraph], engine: str, schema: Schema | None = None) -> Layout:
    """The layout of graphs side by side.  Raises Unsupported (G626) for what GoogleSQL cannot hold or tell apart."""
    tables = tables_of(graphs, Rule(engine, _holds, objection), schema, by_ends=True)
    types, columns = _keys(tables, engine)
    labels = [label for table in tables.nodes for label in table.labels]
    names = [*labels, *[table.type for table in tables.edges]]
    for sort, given in (("labels", names), ("keys", list(types))):
        _check_folded(sort, given, engine)
    nodes = tuple([_node(table) for table in tables.nodes])
    edges = tuple([_edge(table) for table in tables.edges])
    identity = _free("graphir_id", types)
    unlabelled = _free(UNLABELLED, names)
    made = Layout(nodes, edges, types, columns, identity, unlabelled, tables)
    return made if nodes and edges else made.extended((), (), {})


def _holds(rep: Rep) -> bool:
    element = rep.element if isinstance(rep, ListRep) else rep
    return element == NULL or element in TYPES


def _keys(tables: Tables, engine: str) -> tuple[dict[str, str], dict[str, str]]:
    """The type and the column of each key.  Unsupported (G626) where a key has several types."""
    found: dict[str, str | None] = {}
    every: list[NodeTable | EdgeTable] = [*tables.nodes, *tables.edges]
    for table in every:
        for key, column in table.columns.items():
            before, here = found.get(key), type_of(column.rep)
            if before is not None and here is not None and before != here:
                told = f"a property of {engine} has one type in the whole graph; {key!r} is {before} and {here}"
                raise fault(UNHELD, told, engine=engine, feature="property of several types")
            found[key] = here if before is None else before
    names = Names(("id", "src", "dst"))
    return {key: of or ANY_TYPE for key, of in found.items()}, {key: names.free("p_" + key) for key in found}


def _check_folded(sort: str, names: Iterable[str], engine: str) -> None:
    seen: dict[str, str] = {}
    for name in names:
        first = seen.setdefault(name.casefold(), name)
        if first != name or not name:
            told = f"{engine} does not tell upper from lower case in {sort}, and no name is empty: {first!r}, {name!r}"
            raise fault(UNHELD, told, engine=engine, feature="names that differ in case")


def _free(wanted: str, taken: Iterable[str]) -> str:
    folded = {name.casefold() for name in taken}
    number, name = 1, wanted
    while name.casefold() in folded:
        number += 1
        name = f"{wanted}_{number}"
    return name


def _node(table: NodeTable) -> Element:
    return Element(table.name, table.labels, tuple(table.rows()), tuple(table.columns))


def _edge(table: EdgeTable) -> Element:
    (source,), (target,) = table.sources, table.targets
    return Element(table.name, (table.type,), tuple(table.rows()), tuple(table.columns), (source, target))


def stored(of: str) -> str:
    """The type of a column: strings have a length there."""
    return of.replace("STRING", "STRING(MAX)")


def quoted(name: str) -> str:
    """A name between back-quotes, where a backslash escapes."""
    escaped = [_ESCAPES.get(c) or (c if c.isprintable() else f"\\U{ord(c):08x}") for c in name]
    return f"`{''.join(escaped)}`"


_ESCAPES = {"\\": "\\\\", "`": "\\`"}
