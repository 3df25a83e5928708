"""SQL/PGQ of dialects in which a statement defines its graph.  `emit` prints core IR, or refuses it."""

from __future__ import annotations

from graphir import ir
from graphir.backends.gql.features import Report
from graphir.backends.gql.values import Value
from graphir.backends.sqlpgq import pages
from graphir.backends.sqlpgq.constants import typed
from graphir.backends.sqlpgq.definition import definition, needed
from graphir.backends.sqlpgq.expansion import GraphTable
from graphir.backends.sqlpgq.graph import Graph, require_whole
from graphir.backends.sqlpgq.legalize import legalize
from graphir.backends.sqlpgq.printer import PgqPrinter
from graphir.backends.sqlpgq.tables import Setting
from graphir.backends.sqlpgq.targets import TARGETS
from graphir.diagnostics import Diagnostic
from graphir.frozen import frozen
from graphir.source import Source


@frozen
class Statement:
    """A statement, and what is known of its columns, by the names that the query gives them and in its order."""

    text: str
    columns: dict[str, Value]


def emit(
    core: ir.Query,
    dialect: str = "pgq-hyper",
    source: Source | None = None,
    graph: str = "g",
    tables: Graph | None = None,
    elements: str = "expand",
    notes: list[Diagnostic] | None = None,
) -> str:
    """The text of a query in core form, for the graph of that name.  Raises `Unsupported`.

    `tables` are what the graph consists of; without them it is refused (G570).  `elements`: "expand" shows a node or a
    relationship as its identity, with its properties in columns behind it, and says so in `notes` (G553); otherwise
    such a result is refused (G538).
    """
    return statement(core, dialect, source, graph, tables, expanded=elements == "expand", notes=notes).text


def statement(
    core: ir.Query,
    dialect: str,
    source: Source | None = None,
    graph: str = "g",
    tables: Graph | None = None,
    *,
    entities: bool = False,
    expanded: bool = False,
    notes: list[Diagnostic] | None = None,
) -> Statement:
    """The same with what is known of the columns.

    `entities`: nodes, edges, lists of edges and paths may be results: they are the identity, or a text of identities
    with commas between them.  `expanded` and `notes`: see `emit`.
    """
    target, report = TARGETS[dialect], Report(source or Source(""), dialect, notes)
    if tables is None or not tables.nodes:
        raise report.refusal("query-without-a-schema", core, "a query")
    core = pages.settled(core, report)
    select, columns = legalize(core, Setting(target, report, tables, entities, expanded))
    select = typed(select)
    if any(table.shared for table in tables.tables):
        require_whole(tables, needed(list(ir.find(select, GraphTable)), tables), report.source, dialect)
    parameters = dict.fromkeys([part.name for part in ir.find(core, ir.Parameter)])
    text = PgqPrinter(select, graph, target, list(parameters)).text(select)
    return Statement(definition(graph, tables, target, select) + text, columns)
