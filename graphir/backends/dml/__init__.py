"""Writes of a property graph as DML on its tables: INSERT, UPDATE and DELETE of Spanner.

`emit` makes several statements of a query that writes, or refuses it.  The rows that a statement changes are found by
GRAPH_TABLE, and the result, where there is one, is a query of its own at the end.
"""

from __future__ import annotations

from graphir import ir
from graphir.backends.dml.planning import planned
from graphir.backends.dml.printing import printed
from graphir.backends.dml.tables import tables_of
from graphir.backends.gql.features import Report
from graphir.backends.gql.writing import WRITES
from graphir.backends.sqlpgq.graph import require_whole
from graphir.schema.ddl.paths import Path
from graphir.schema.model import Schema
from graphir.source import Source

DIALECTS = frozenset({"gql-spanner"})
"""The dialects whose graphs are changed in this way."""


def emit(core: ir.Query, dialect: str, source: Source, graph: Path, schema: Schema | None) -> list[str]:
    """The statements, in the order in which they have to be run, in one transaction.

    `core` is a query in core form that writes.  Raises Unsupported: G570 without a schema, G419 and G420 for what the
    statements cannot do exactly, and what the translation of the reading clauses raises.
    """
    report = Report(source, dialect)
    if schema is None:
        first = next(node for node in ir.walk(core) if isinstance(node, WRITES))
        raise report.refusal("write-without-a-schema", first, "a query that writes")
    tables = tables_of(schema, dialect)
    require_whole(tables.graph, range(len(tables.tables)), source, dialect)
    names = tables.names()
    return [printed(statement, graph, source, names) for statement in planned(core, tables, report)]
