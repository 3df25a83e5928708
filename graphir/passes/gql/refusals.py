"""What GQL has and core has not: rows by chance."""

from __future__ import annotations

from graphir import ir
from graphir.diagnostics import Unsupported, diagnose
from graphir.source import Source


def refuse_chance(query: ir.Query, source: Source) -> ir.Query:
    """The query as it is.  Raises Unsupported (G114) for TABLESAMPLE."""
    for node in ir.walk(query):
        if isinstance(node, ir.Sample):
            told = "TABLESAMPLE takes rows by chance, and that cannot be translated or run"
            hint = "leave it out, or write ORDER BY and LIMIT"
            raise Unsupported([diagnose(source, "G114", told, node.span, hint=hint)], feature="sample", target="core")
    return query
