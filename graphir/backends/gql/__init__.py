"""GQL, as Google's engines speak it.  `emit` prints core IR or refuses it."""

from __future__ import annotations

from graphir import ir
from graphir.backends.gql.legalize import legalize
from graphir.backends.gql.printer import GqlPrinter
from graphir.source import Source


def emit(core: ir.Query, dialect: str = "gql-spanner", source: Source | None = None, graph: str = "g") -> str:
    """The text of a query in core form, for the graph of that name.  Raises `Unsupported`."""
    query = legalize(core, dialect, source or Source(""))
    return GqlPrinter(query, graph).text(query)
