"""GQL, as Google's engines speak it, and their SELECT around it.  `emit` prints core IR or refuses it."""

from __future__ import annotations

from graphir import ir
from graphir.backends.gql.features import Report
from graphir.backends.gql.graph import SchemaGraph, of_schema
from graphir.backends.gql.legalize import legalize
from graphir.backends.gql.printer import GqlPrinter
from graphir.backends.gql.selects import selected
from graphir.backends.gql.setting import Options, Setting
from graphir.diagnostics import Diagnostic
from graphir.schema import Schema
from graphir.schema.ddl.paths import Path, placed
from graphir.source import Source


def emit(
    core: ir.Query,
    dialect: str = "gql-spanner",
    source: Source | None = None,
    graph: Path = ("g",),
    tables: SchemaGraph | None = None,
    options: Options | None = None,
    notes: list[Diagnostic] | None = None,
) -> str:
    """The text of a query in core form, for the graph of that name, its schemas before it.  Raises `Unsupported`.

    `tables` are what the graph consists of, where that is known: types, names in the database, and what an element has
    are theirs.  `notes` receives what is to be said about the translation.
    """
    report = Report(source or Source(""), dialect, notes)
    setting = Setting(report, tables, options or Options())
    query = legalize(core, setting)
    if setting.in_select:
        query = selected(query, graph)
    return GqlPrinter(query, graph).text(query)


def translated(
    core: ir.Query,
    dialect: str,
    source: Source,
    graph: Path,
    schema: Schema | None,
    options: Options,
    notes: list[Diagnostic] | None = None,
) -> str:
    """The same for a schema, whose definition in the dialect names the graph; where it is, a query may say more."""
    tables = None if schema is None else of_schema(schema, dialect)
    named = graph if tables is None else placed(tables.name, graph)
    return emit(core, dialect, source, named, tables, options, notes)
