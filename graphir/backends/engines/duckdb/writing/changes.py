"""Changes of stored elements: properties, labels, removal.  Batches, by the id of the element; knows no query."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from graphir.backends.engines.duckdb.carriers import reader, writer
from graphir.backends.engines.duckdb.storage import Storage, Stored, storable
from graphir.backends.sql.reps import NULL, list_of, rep_of, unify
from graphir.quoting import quoted

Changes = Mapping[int, Mapping[str, Any]]
"""Id -> key -> the new value, null to remove the property."""

_WANTED = "id IN (SELECT unnest(CAST($ids AS BIGINT[])))"


def present(storage: Storage, table: Stored, ids: Collection[int]) -> list[int]:
    """Those of the ids that are in the table."""
    if not ids:
        return []
    found = storage.connection.execute(f"SELECT id FROM {quoted(table.name)} WHERE {_WANTED}", {"ids": list(ids)})
    return [row[0] for row in found.fetchall()]


def located(storage: Storage, tables: Iterable[Stored], ids: Collection[int]) -> list[tuple[Stored, list[int]]]:
    """The tables that have some of the ids."""
    found = [(table, present(storage, table, ids)) for table in list(tables)]
    return [(table, here) for table, here in found if here]


def assign(storage: Storage, tables: Iterable[Stored], changes: Changes, *, replace: bool = False) -> int:
    """Set properties; with `replace` all others of the element go.  The number of properties set or removed."""
    count = 0
    for table, here in located(storage, tables, list(changes)):
        if replace:
            count += _forget(storage, table, here)
        keys = dict.fromkeys(key for each in here for key in changes[each])
        for key in keys:
            pairs = [(each, changes[each][key]) for each in here if key in changes[each]]
            count += _assign(storage, table, key, pairs)
    return count


def _forget(storage: Storage, table: Stored, ids: list[int]) -> int:
    """Remove all properties."""
    if not table.columns:
        return 0
    names = [quoted(column.name) for column in table.columns.values()]
    where = f"FROM {quoted(table.name)} WHERE {_WANTED}"
    counted = storage.connection.execute(f"SELECT {' + '.join(f'count({n})' for n in names)} {where}", {"ids": ids})
    row = counted.fetchone()
    nulls = ", ".join(f"{name} = NULL" for name in names)
    storage.connection.execute(f"UPDATE {quoted(table.name)} SET {nulls} WHERE {_WANTED}", {"ids": ids})
    return int(row[0]) if row else 0


def _assign(storage: Storage, table: Stored, key: str, pairs: list[tuple[int, Any]]) -> int:
    rep = unify(rep_of(value) for _, value in pairs)
    if rep == NULL and key not in table.columns:
        return 0
    column = table.columns[key] if rep == NULL else storage.column(table, key, storable(rep))
    write = writer(column.rep)
    where = quoted(table.name)
    storage.connection.execute(
        f"UPDATE {where} SET {quoted(column.name)} = v.value FROM (SELECT unnest(CAST($ids AS BIGINT[])) AS id, "
        f"unnest(CAST($values AS {list_of(column.rep).sql})) AS value) v WHERE {where}.id = v.id",
        {"ids": [each for each, _ in pairs], "values": [None if v is None else write(v) for _, v in pairs]},
    )
    return len(pairs)


def relabel(storage: Storage, wanted: Mapping[int, tuple[Collection[str], Collection[str]]]) -> tuple[int, int]:
    """Add and remove labels: id -> (labels to add, labels to remove).  How many were added and removed."""
    added = removed = 0
    for table, here in located(storage, storage.nodes.values(), list(wanted)):
        moved: dict[tuple[str, ...], list[int]] = {}
        for each in here:
            more, less = wanted[each]
            kept = [label for label in table.labels if label not in less]
            extra = [label for label in dict.fromkeys(more) if label not in table.labels]
            added += len(extra)
            removed += len(table.labels) - len(kept)
            if extra or len(kept) < len(table.labels):
                moved.setdefault((*kept, *extra), []).append(each)
        for labels, ids in moved.items():
            properties = fetch(storage, table, ids)
            remove(storage, [table], ids)
            storage.insert(storage.node_table(labels), {"id": list(properties)}, list(properties.values()))
    return added, removed


def fetch(storage: Storage, table: Stored, ids: Collection[int]) -> dict[int, dict[str, Any]]:
    """The properties of elements of a table."""
    columns = list(table.columns.items())
    names = ", ".join(["id", *[quoted(column.name) for _, column in columns]])
    found = storage.connection.execute(
        f"SELECT {names} FROM {quoted(table.name)} WHERE {_WANTED} ORDER BY id", {"ids": list(ids)}
    )
    readers = [(key, reader(column.rep)) for key, column in columns]
    made: dict[int, dict[str, Any]] = {}
    for row in found.fetchall():
        made[row[0]] = {
            key: value if read is None else read(value)
            for (key, read), value in zip(readers, row[1:], strict=True)
            if value is not None
        }
    return made


def remove(storage: Storage, tables: Iterable[Stored], ids: Collection[int]) -> list[int]:
    """Remove elements; the ids of those that were there."""
    gone: list[int] = []
    for table in list(tables):
        found = storage.connection.execute(
            f"DELETE FROM {quoted(table.name)} WHERE {_WANTED} RETURNING id", {"ids": list(ids)}
        )
        gone += [row[0] for row in found.fetchall()]
    return gone


def edges_at(storage: Storage, nodes: Collection[int]) -> set[int]:
    """The edges that begin or end at one of the nodes."""
    found: set[int] = set()
    for table in storage.edges.values():
        for end in ("src", "dst"):
            where = f"{end} IN (SELECT unnest(CAST($ids AS BIGINT[])))"
            rows = storage.connection.execute(
                f"SELECT id FROM {quoted(table.name)} WHERE {where}", {"ids": list(nodes)}
            )
            found.update(row[0] for row in rows.fetchall())
    return found
