"""Tables of a schema with the rows of a graph, and what elements are there: for texts of `graphir.translate`.

`laid_out` gives tables, columns and rows for the catalog of any dialect; `identified` turns the rows that the embedded
engine gives into those that a text over these tables gives: nodes and edges are what tells them apart there.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from graphir.backends.sql.catalog import Catalog, EdgeTable, Key, NodeTable
from graphir.backends.sql.reps import Rep
from graphir.graphs import PropertyGraph
from graphir.values.entities import Edge, Node, Path

Value = Any


@dataclass
class Filled:
    """A table: its columns with their representations, and its rows."""

    name: str
    columns: dict[str, Rep]
    rows: list[dict[str, Value]]


@dataclass
class Laid:
    """The tables by name, and what the elements of the graph are there, by their ids in the graph."""

    tables: dict[str, Filled]
    nodes: dict[Any, Value]
    edges: dict[Any, Value]


def laid_out(catalog: Catalog, graph: PropertyGraph) -> Laid:
    """The tables of a catalog with the elements of a graph; keys are properties, or numbers from 1 in each table."""
    laid = Laid({}, {}, {})
    for table in (*catalog.nodes, *catalog.edges):
        _add_columns(laid, table)
    keys: dict[Any, tuple[Value, ...]] = {}
    homes: dict[Any, NodeTable] = {}
    for node in graph.nodes:
        home = next(each for each in catalog.nodes if set(each.labels) == set(node.labels))
        homes[node.id] = home
        keys[node.id] = _insert(laid, home, node.properties, home.key, {})
        laid.nodes[node.id] = _identity(home.key, keys[node.id])
    for edge in graph.edges:
        found = catalog.ends
        home_ = next(
            each
            for each in catalog.edges
            if each.type == edge.type and found(each) == _ends(homes[edge.start], homes[edge.end])
        )
        ends = dict(zip((c.name for c in home_.source.columns), keys[edge.start], strict=True))
        ends |= dict(zip((c.name for c in home_.target.columns), keys[edge.end], strict=True))
        key = _insert(laid, home_, edge.properties, home_.key, ends)
        laid.edges[edge.id] = _identity(home_.key, key)
    return laid


def _ends(start: NodeTable, end: NodeTable) -> tuple[frozenset[str], frozenset[str]]:
    return frozenset((start.name,)), frozenset((end.name,))


def _add_columns(laid: Laid, table: NodeTable | EdgeTable) -> None:
    filled = laid.tables.setdefault(table.name, Filled(table.name, {}, []))
    keys = [table.key, *([table.source, table.target] if isinstance(table, EdgeTable) else [])]
    for column in (*table.columns.values(), *[column for key in keys for column in key.columns]):
        filled.columns.setdefault(column.name, column.rep)


def _insert(
    laid: Laid, table: NodeTable | EdgeTable, properties: Any, key: Key, more: dict[str, Value]
) -> tuple[Value, ...]:
    """Add a row; the values of its key."""
    filled = laid.tables[table.name]
    row = {column.name: properties[name] for name, column in table.columns.items() if properties.get(name) is not None}
    row |= more
    for column in key.columns:
        row.setdefault(column.name, len(filled.rows) + 1)
    filled.rows.append(row)
    return tuple(row[column.name] for column in key.columns)


def _identity(key: Key, values: Sequence[Value]) -> Value:
    """As `graphir.backends.sql.targets.identities` writes it, for keys of one column."""
    return values[0] if key.tag is None else f"{key.tag}:{values[0]}"


def identified(rows: Sequence[Sequence[Value]], laid: Laid) -> Iterator[tuple[Value, ...]]:
    """The rows with what tells elements apart in place of them."""
    for row in rows:
        yield tuple([_identified(value, laid) for value in row])


def _identified(value: Value, laid: Laid) -> Value:
    if isinstance(value, Node):
        return laid.nodes[value.id]
    if isinstance(value, Edge):
        return laid.edges[value.id]
    if isinstance(value, Path):
        return {"nodes": [laid.nodes[n.id] for n in value.nodes], "edges": [laid.edges[e.id] for e in value.edges]}
    if isinstance(value, list):
        return [_identified(item, laid) for item in value]
    if isinstance(value, dict):
        return {key: _identified(item, laid) for key, item in value.items()}
    return value
