"""What a query that writes becomes: statements on tables, whose rows come from queries in core form.

`source` is such a query: its columns are named, keys `key_0`, `key_1`, .., values `value_0`, ..
"""

from __future__ import annotations

from dataclasses import dataclass, field

from graphir import ir
from graphir.schema.ddl.paths import Path


@dataclass(frozen=True, slots=True)
class Fresh:
    """A value that the database makes up: a number that no other row has."""


@dataclass(frozen=True, slots=True)
class Insert:
    """`INSERT [OR IGNORE] INTO table (columns) ..`: `values` by column, of the rows of the query `before` them."""

    table: Path
    values: dict[str, ir.Expression | Fresh]
    source: ir.Query
    ignore: bool = False


@dataclass(frozen=True, slots=True)
class Update:
    """`UPDATE table SET ..` of the rows whose key is among those of `source`; values are constants or columns of it."""

    table: Path
    key: tuple[str, ...]
    values: dict[str, ir.Expression]
    source: ir.Query


@dataclass(frozen=True, slots=True)
class Delete:
    """`DELETE FROM table` of the rows of which one of `keys` is among those of `source`; all of them without one.

    `guards` are tables and columns, of which no row may refer to one that is deleted: else the statement fails.
    """

    table: Path
    keys: tuple[tuple[str, ...], ...]
    source: ir.Query | None
    guards: tuple[tuple[Path, tuple[str, ...], tuple[str, ...]], ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Read:
    """The query for the result."""

    query: ir.Query


Statement = Insert | Update | Delete | Read
