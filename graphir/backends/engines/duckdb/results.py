"""Rows of DuckDB as values of the contract: entities are read from the storage, all of a result at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from graphir.backends.engines.duckdb.carriers import reader
from graphir.backends.engines.duckdb.storage import Storage
from graphir.backends.sql.reps import Rep, holds_entities
from graphir.quoting import quoted
from graphir.values.entities import Edge, Node, Path
from graphir.values.references import EdgeReference, NodeReference, PathReference


def decode(rows: list[tuple[Any, ...]], reps: Sequence[Rep], storage: Storage) -> list[tuple[Any, ...]]:
    """The rows with values of the contract."""
    readers = [reader(rep) for rep in reps]
    if all(each is None for each in readers):
        return rows
    columns: list[list[Any]] = []
    for at, read in enumerate(readers):
        column = [row[at] for row in rows]
        columns.append(column if read is None else [None if value is None else read(value) for value in column])
    with_entities = [at for at, rep in enumerate(reps) if holds_entities(rep)]
    if with_entities:
        entities = Entities(storage)
        for at in with_entities:
            entities.note(columns[at])
        entities.read()
        for at in with_entities:
            columns[at] = [entities.resolve(value) for value in columns[at]]
    return list(zip(*columns, strict=True))


class Entities:
    """The nodes and edges that a result mentions."""

    def __init__(self, storage: Storage) -> None:
        self.storage = storage
        self.nodes: dict[int, Node] = {}
        self.edges: dict[int, Edge] = {}
        self._node_ids: set[int] = set()
        self._edge_ids: set[int] = set()

    def note(self, values: Iterable[Any]) -> None:
        """Remember the ids in values."""
        pending = list(values)
        while pending:
            value = pending.pop()
            match value:
                case NodeReference():
                    self._node_ids.add(value.id)
                case EdgeReference():
                    self._edge_ids.add(value.id)
                case PathReference():
                    self._node_ids.update(value.nodes)
                    self._edge_ids.update(value.edges)
                case list():
                    pending.extend(value)
                case dict():
                    pending.extend(value.values())

    def read(self) -> None:
        """Read what was noted."""
        if self._node_ids:
            for table in self.storage.nodes.values():
                for key, properties, _ in self._select(table, self._node_ids):
                    self.nodes[key] = Node(self._external(key), table.labels, properties, table.definition)
        if self._edge_ids:
            for table in self.storage.edges.values():
                for key, properties, ends in self._select(table, self._edge_ids):
                    start, end = (self._external(each) for each in ends)
                    given = self.storage.external_edges.get(key, key)
                    self.edges[key] = Edge(
                        given, table.type or "", start, end, properties, table.labels, table.definition
                    )

    def _external(self, key: int) -> Any:
        return self.storage.external_nodes.get(key, key)

    def _select(self, table: Any, ids: set[int]) -> Iterable[tuple[int, dict[str, Any], tuple[int, ...]]]:
        columns = sorted(table.columns.items())
        names = ", ".join([*table.fixed, *[quoted(column.name) for _, column in columns]])
        wanted = list(ids)
        rows = self.storage.connection.execute(
            f"SELECT {names} FROM {quoted(table.name)} WHERE id IN (SELECT unnest(CAST($ids AS BIGINT[])))",
            {"ids": wanted},
        ).fetchall()
        readers = [(key, reader(column.rep)) for key, column in columns]
        fixed = len(table.fixed)
        for row in rows:
            properties = {}
            for (key, read), value in zip(readers, row[fixed:], strict=True):
                if value is not None:
                    properties[key] = value if read is None else read(value)
            yield row[0], properties, row[1:fixed]

    def resolve(self, value: Any) -> Any:
        """The value with entities in place of references.  Recurses on lists and maps."""
        match value:
            case NodeReference():
                return self.nodes.get(value.id) or Node(self._external(value.id))
            case EdgeReference():
                return self.edges.get(value.id) or Edge(value.id, "", -1, -1)
            case PathReference():
                nodes = [self.resolve(NodeReference(key)) for key in value.nodes]
                return Path(tuple(nodes), tuple([self.resolve(EdgeReference(key)) for key in value.edges]))
            case list():
                return [self.resolve(item) for item in value]
            case dict():
                return {key: self.resolve(item) for key, item in value.items()}
            case _:
                return value
