"""The schema of a DuckDB file: its tables as their own DDL describes them, with statistics of their rows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import duckdb

from graphir.quoting import quoted
from graphir.schema.ddl import script
from graphir.schema.infer.faults import unreadable
from graphir.schema.infer.statistics import columns_of, profile
from graphir.schema.model import EdgeType, PropertyType, Schema, Table

_TABLES = "SELECT sql FROM duckdb_tables() WHERE NOT internal AND database_name = current_database() ORDER BY table_oid"


def infer(path: Path) -> Schema:
    """See `graphir.schema.infer.from_duckdb`."""
    if not path.is_file():
        raise unreadable(f"there is no file {path}")
    try:
        connection = duckdb.connect(str(path), read_only=True)
    except duckdb.Error as fault:
        raise unreadable(f"{path} is no DuckDB file that can be read: {fault}") from None
    with connection:
        definitions = [row[0] for row in connection.execute(_TABLES).fetchall()]
        schema = script.read("\n".join(definitions), "duckpgq-ddl")
        return with_statistics(schema, connection)


def with_statistics(schema: Schema, connection: duckdb.DuckDBPyConnection) -> Schema:
    """The schema with counts, degrees and values of the rows of its tables."""
    counts: dict[tuple[str, ...], int] = {}
    nodes = []
    for node in schema.node_types:
        if node.table is None:
            nodes.append(node)
            continue
        rows, properties = _profiled(connection, node.table, node.properties)
        counts[node.labels] = rows
        nodes.append(replace(node, count=rows, properties=properties))
    edges = [_edge(connection, edge, counts) for edge in schema.edge_types]
    guess = "a property that takes few texts, many times each, is taken to take no other"
    return replace(
        schema, node_types=tuple(nodes), edge_types=tuple(edges), guesses=tuple(dict.fromkeys((*schema.guesses, guess)))
    )


def _profiled(
    connection: duckdb.DuckDBPyConnection, table: Table, properties: tuple[PropertyType, ...] | None
) -> tuple[int, tuple[PropertyType, ...] | None]:
    """The number of rows, and the properties with what their columns hold."""
    held = dict(table.columns)
    types = columns_of(connection, _whole(table))
    named = {held.get(one.name, one.name): one for one in properties or ()}
    found = profile(connection, _whole(table), {column: types[column] for column in named if column in types})
    united = {named[one.name].name: _united(named[one.name], one) for one in found.properties}
    if properties is None:
        return found.rows, None
    return found.rows, tuple(united.get(one.name, one) for one in properties)


def _whole(table: Table) -> str:
    return ".".join(map(quoted, table.path))


def _united(declared: PropertyType, found: PropertyType) -> PropertyType:
    """What the table declares, and what its rows show beside it."""
    values = declared.values if declared.values is not None else found.values
    return replace(
        found,
        name=declared.name,
        type=declared.type or found.type,
        nullable=declared.nullable if declared.nullable is not None else found.nullable,
        unique=declared.unique,
        values=values,
        examples=() if values is not None else found.examples,
        description=declared.description,
    )


def _edge(connection: duckdb.DuckDBPyConnection, edge: EdgeType, counts: dict[tuple[str, ...], int]) -> EdgeType:
    """Rows whose columns of the ends are not null are edges."""
    if edge.table is None:
        return edge
    present = _present([*edge.table.source, *edge.table.target])
    row = connection.execute(f"SELECT count(*) FROM {_whole(edge.table)}{present}").fetchone()
    rows = int(row[0]) if row else 0
    _, properties = _profiled(connection, edge.table, edge.properties)
    return replace(edge, count=rows, properties=properties, degrees=degrees(rows, edge, counts))


def _present(columns: Sequence[str]) -> str:
    return f" WHERE {' AND '.join(f'{quoted(column)} IS NOT NULL' for column in columns)}" if columns else ""


def degrees(rows: int, edge: EdgeType, counts: dict[tuple[str, ...], int]) -> tuple[float, float] | None:
    """Mean number of edges per source node and per target node, where both are counted."""
    sources, targets = (counts.get(end) if end is not None else None for end in (edge.source, edge.target))
    return (rows / sources, rows / targets) if sources and targets else None
