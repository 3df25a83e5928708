"""Statements that define graphs: the schema that one of them says, and what is wrong with it.

`CREATE PROPERTY GRAPH` over tables and `CREATE GRAPH TYPE` are read by the readers of data definitions; what they say
of tables that stand elsewhere is taken as it is.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

from graphir import ir
from graphir.diagnostics import Diagnostic, GraphirError, diagnose
from graphir.source import Source, Span

if TYPE_CHECKING:
    from graphir.passes.context import Context
    from graphir.schema import Schema

FORMATS = {
    "gql-spanner": "spanner-ddl",
    "gql-bigquery": "bigquery-ddl",
    "pgq-googlesql": "spanner-ddl",
    "gql-iso": "gql",
    "pgq-hyper": "postgres-ddl",
}
"""Dialect -> the format of schemas that its definitions are written in."""

DEFINING = ("create property graph", "create graph", "create graph type", "create property graph type")
"""Kinds of commands that define a graph or a type of graphs."""


def schema_of(query: ir.Query, dialect: str) -> Schema | None:
    """The schema that a statement defines, None where it defines none.

    Raises SyntaxFault (G085) and SemanticFault (G086 to G089), whose places are those of the command's own text.
    """
    from graphir.schema import Schema

    command = query.body
    format_ = FORMATS.get(dialect)
    if not isinstance(command, ir.Command) or command.kind not in DEFINING or format_ is None:
        return None
    if format_ == "gql" and "{" not in command.text:
        return None  # of a graph type that is defined elsewhere
    return Schema.read(command.text, format_)


def find_broken(query: ir.Query, context: Context) -> Iterable[Diagnostic]:
    """What keeps a definition from being one."""
    try:
        schema_of(query, context.dialect)
    except GraphirError as fault:
        start = query.body.span.start if query.body.span is not None else 0
        return [_moved(each, context.source, start) for each in fault.diagnostics]
    return ()


def graph_inside(query: ir.Query) -> ir.CommonGraph | None:
    """The graph that a query defines for itself, if it is one: `WITH g AS PROPERTY GRAPH (..) SELECT ..`."""
    common = query.body.common if isinstance(query.body, ir.TableQuery) else ()
    graphs = [each for each in common if isinstance(each, ir.CommonGraph)]
    return graphs[0] if len(graphs) == 1 else None


_HEAD = "CREATE PROPERTY GRAPH g "


def schema_inside(query: ir.Query, dialect: str) -> Schema | None:
    """The schema of the graph that a query defines for itself, as far as the definition says it; None without one, and
    where it is broken."""
    from graphir.schema import Schema

    graph, format_ = graph_inside(query), FORMATS.get(dialect)
    if graph is None or format_ is None:
        return None
    try:
        return replace(Schema.read(_HEAD + graph.text, format_), name=str(graph.name))
    except GraphirError:
        return None


def find_broken_inside(query: ir.Query, source: Source, dialect: str) -> Iterable[Diagnostic]:
    """What keeps the definition in a query from being one."""
    from graphir.schema import Schema

    graph, format_ = graph_inside(query), FORMATS.get(dialect)
    if graph is None or graph.span is None or format_ is None:
        return ()
    try:
        Schema.read(_HEAD + graph.text, format_)
    except GraphirError as fault:
        start = source.text.index(graph.text, graph.span.start) - len(_HEAD)
        return [_moved(each, source, start) for each in fault.diagnostics]
    return ()


def _moved(found: Diagnostic, source: Source, start: int) -> Diagnostic:
    """The diagnostic at its place in the whole text."""
    placed = diagnose(
        source, found.code, found.message, Span(found.start + start, found.end + start), expected=found.expected
    )
    return replace(placed, severity=found.severity)
