"""SQL/PGQ, as Google's engines read it.  `emit` prints core IR or refuses it."""

from __future__ import annotations

from graphir import ir
from graphir.backends.sqlpgq.legalize import legalize
from graphir.backends.sqlpgq.printer import PgqPrinter
from graphir.source import Source


def emit(core: ir.Query, dialect: str = "pgq-googlesql", source: Source | None = None, graph: str = "g") -> str:
    """The text of a query in core form, for the graph of that name.  Raises `Unsupported`."""
    return PgqPrinter(select := legalize(core, dialect, source or Source("")), graph).text(select)
