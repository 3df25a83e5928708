"""What a file remembers of its graph beside the data: which table holds what, and ids that are no integers.

It is written in the transaction of the data, so the two never differ.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from graphir.backends.sql.catalog import Column
from graphir.backends.sql.reps import read_rep
from graphir.quoting import quoted
from graphir.values.entities import Definition

if TYPE_CHECKING:
    from graphir.backends.engines.duckdb.storage import Storage, Stored

TABLE = "graphir"
"""Kind (table, node, edge), id, document."""


def write(storage: Storage) -> None:
    """Record the tables and the ids as they are now."""
    connection = storage.connection
    connection.execute(f'CREATE TABLE IF NOT EXISTS "{TABLE}" (kind VARCHAR, id BIGINT, document VARCHAR)')
    connection.execute(f"DELETE FROM \"{TABLE}\" WHERE kind = 'table'")
    documents = [json.dumps(_described(table)) for table in (*storage.nodes.values(), *storage.edges.values())]
    _add(storage, "table", list(range(len(documents))), documents)
    for kind, given, written in (
        ("node", storage.external_nodes, storage.recorded_nodes),
        ("edge", storage.external_edges, storage.recorded_edges),
    ):
        if not written <= given.keys():
            connection.execute(f'DELETE FROM "{TABLE}" WHERE kind = $kind', {"kind": kind})
            written.clear()
        fresh = [key for key in given if key not in written]
        _add(storage, kind, fresh, [json.dumps(given[key]) for key in fresh])
        written.update(fresh)


def _add(storage: Storage, kind: str, ids: list[int], documents: list[str]) -> None:
    if ids:
        storage.connection.execute(
            f'INSERT INTO "{TABLE}" '
            "SELECT $kind, unnest(CAST($ids AS BIGINT[])), unnest(CAST($documents AS VARCHAR[]))",
            {"kind": kind, "ids": ids, "documents": documents},
        )


def _described(table: Stored) -> dict[str, Any]:
    columns = {key: [column.name, str(column.rep)] for key, column in table.columns.items()}
    made = {"name": table.name, "labels": list(table.labels), "type": table.type, "columns": columns}
    return made if table.definition is None else {**made, "definition": table.defined}


def read(storage: Storage) -> None:
    """Take up the graph that a file holds, if it holds one."""
    from graphir.backends.engines.duckdb.storage import Stored, edge_key, node_key

    connection = storage.connection
    there = connection.execute("SELECT table_name FROM information_schema.tables").fetchall()
    if (TABLE,) not in there:
        return
    rows = connection.execute(f'SELECT kind, id, document FROM "{TABLE}" ORDER BY kind, id').fetchall()
    for kind, key, document in rows:
        content = json.loads(document)
        if kind != "table":
            (storage.external_nodes if kind == "node" else storage.external_edges)[key] = content
            (storage.recorded_nodes if kind == "node" else storage.recorded_edges).add(key)
            continue
        columns = {name: Column(column, read_rep(rep)) for name, (column, rep) in content["columns"].items()}
        name, properties = content.get("definition") or (None, ())
        definition = None if name is None else Definition(name, tuple(properties))
        table = Stored(content["name"], tuple(content["labels"]), content["type"], columns, definition)
        [(last,)] = connection.execute(f"SELECT coalesce(max(id), -1) FROM {quoted(table.name)}").fetchall()
        if table.type is None:
            storage.nodes[node_key(table.labels, definition)] = table
            storage.next_node = max(storage.next_node, last + 1)
        else:
            storage.edges[edge_key(table.type, table.labels, definition)] = table
            storage.next_edge = max(storage.next_edge, last + 1)
    storage.changed()
