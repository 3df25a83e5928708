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
from graphir.passes.context import Context
from graphir.source import Source, Span

if TYPE_CHECKING:
    from graphir.schema import Schema

FORMATS = {
    "gql-spanner": "spanner-ddl",
    "gql-bigquery": "bigquery-ddl",
    "pgq-googlesql": "spanner-ddl",
    "gql-iso": "gql",
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


def _moved(found: Diagnostic, source: Source, start: int) -> Diagnostic:
    """The diagnostic at its place in the whole text."""
    placed = diagnose(
        source, found.code, found.message, Span(found.start + start, found.end + start), expected=found.expected
    )
    return replace(placed, severity=found.severity)
