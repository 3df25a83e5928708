"""Statements that change rows: what the library says of them, carried out on a table.

Knows the messages of the library and tables, no instance.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from graphir.backends.engines.googlesql import definitions
from graphir.backends.engines.googlesql.catalog import Table
from graphir.backends.engines.googlesql.protos import Cell, Message
from graphir.backends.engines.googlesql.refusals import EXISTS, INVALID, Refusal

Mode = Literal["insert", "ignore", "update"]
_INSERTED, _DELETED = 1, 2
"""Operations of a row in the answer of the library; the third is an update."""


def plain(text: str) -> tuple[str, Mode | None]:
    """A statement as one that only inserts, and what it does with rows whose key is there; None for other changes.

    Refusal where it changes nothing.
    """
    words = definitions.words(text)
    match words[:3]:
        case ("INSERT", "OR", "IGNORE" | "UPDATE" as mode):
            at = text.upper().index(mode) + len(mode)
            return f"INSERT{text[at:]}", "ignore" if mode == "IGNORE" else "update"
        case ("INSERT", *_):
            return text, "insert"
        case ("UPDATE" | "DELETE", *_):
            return text, None
    raise Refusal(INVALID, f"no statement that changes rows: {text[:60]}")


def applied(answer: Message, table: Table, mode: Mode | None) -> int:
    """Carry out what the library answered; the number of rows.

    Refusal for a key that is there; then nothing is changed.
    """
    rows: dict[Any, Sequence[Cell]] = {_key(row, table) or at: row for at, row in enumerate(table.rows)}
    count = 0
    for change in answer.content:
        cells = list(change.cell[: len(table.columns)])
        if change.operation == _INSERTED:
            key: Any = _key(cells, table) or len(rows)
            if key in rows and mode == "insert":
                raise Refusal(EXISTS, f"a row of {table.name} with that key is there already")
            if key in rows and mode == "ignore":
                continue
            rows[key] = cells
        else:
            old = tuple([cell.SerializeToString() for cell in change.old_primary_key])
            if change.operation == _DELETED:
                del rows[old]
            else:
                rows[old] = cells
        count += 1
    table.rows = list(rows.values())
    return count


def _key(row: Sequence[Cell], table: Table) -> tuple[bytes, ...]:
    """What tells the row from others; nothing, if there is no key."""
    return tuple([row[at].SerializeToString() for at in table.key])
