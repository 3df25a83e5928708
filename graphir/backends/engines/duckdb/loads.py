"""What is loaded into a session: a graph, tables, a script, the graph of a server."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from graphir import api, ir
from graphir.backends.engines.duckdb import folders
from graphir.backends.engines.duckdb.columns import rep_declared
from graphir.backends.engines.duckdb.creations import Creations
from graphir.backends.engines.duckdb.storage import Storage, Stored
from graphir.diagnostics import GraphirError
from graphir.grammar.cypher import Statement
from graphir.loading import servers, sources
from graphir.loading.declarations import Declarations, conform
from graphir.loading.faults import in_script
from graphir.schema.model import PropertyType, Schema
from graphir.source import Source

if TYPE_CHECKING:
    from graphir.backends.engines.duckdb.session import Session


@dataclass(frozen=True, slots=True)
class Loaded:
    """How many nodes and edges came, and what had to be assumed or was left out."""

    nodes: int
    edges: int
    notes: tuple[str, ...] = ()


def load(session: Session, source: Any, schema: Schema | None) -> Loaded:
    """Add the graph of a source.  It is in a transaction of the session."""
    found = sources.find(source)
    storage = session.storage
    before = _counts(storage)
    declarations = Declarations(schema)
    notes: tuple[str, ...] = ()
    if schema is not None:
        declare(storage, schema)
    match found:
        case sources.Tables():
            notes = folders.load(storage, found.path, declarations)
        case sources.Script():
            notes = run_script(session, found)
        case sources.Server():
            storage.load(conform(servers.read(found), declarations))
        case _:
            storage.load(conform(found, declarations))
    storage.changed()
    nodes, edges = (after - earlier for after, earlier in zip(_counts(storage), before, strict=True))
    return Loaded(nodes, edges, notes)


def _counts(storage: Storage) -> tuple[int, int]:
    return _count(storage, storage.nodes.values()), _count(storage, storage.edges.values())


def _count(storage: Storage, tables: Iterable[Stored]) -> int:
    return sum(storage.size(table) for table in tables)


def declare(storage: Storage, schema: Schema) -> None:
    """The tables and columns of a schema, empty."""
    for node in schema.node_types:
        _columns(storage, storage.node_table((*node.labels, *node.parents)), node.properties)
    for edge in schema.edge_types:
        _columns(storage, storage.edge_table(edge.type), edge.properties)


def _columns(storage: Storage, table: Stored, properties: Iterable[PropertyType] | None) -> None:
    for each in properties or ():
        rep = rep_declared(each.type)
        if rep is not None:
            storage.column(table, each.name, rep)


def run_script(session: Session, script: sources.Script) -> tuple[str, ...]:
    """Run the statements of a script one after another; those about indexes and constraints are left out.

    Raises what they raise, with places in the script.
    """
    left_out = 0
    creations = Creations(session.storage)
    for statement in api.parse_script(script.text):
        start, end = statement.span
        text = script.text[start:end]
        try:
            query = statement.query
            if query is None and _is_of_shell(statement):
                text = _without_commands(text)
                if not text.strip():
                    continue
                query = api.parse(text)
            if query is not None and _is_of_indexes(query):
                left_out += 1
                continue
            if not creations.take(session.core(text, "neo4j-25")):
                creations.settle()
                session.run_within(text, {}, "neo4j-25")
        except GraphirError as error:
            raise in_script(error, Source(script.text), start) from None
    creations.settle()
    return (f"statements about indexes and constraints that were left out: {left_out}",) if left_out else ()


def _is_of_shell(statement: Statement) -> bool:
    """Whether a statement follows `:begin` or the like, which exports have on lines of their own."""
    return statement.fault is not None and statement.fault.diagnostics[0].code == "G016"


def _without_commands(text: str) -> str:
    """The text with spaces in place of the lines of the shell before it."""
    lines = text.split("\n")
    for at, line in enumerate(lines):
        if line.strip() and not line.startswith(":"):
            break
        lines[at] = " " * len(line)
    return "\n".join(lines)


def _is_of_indexes(query: ir.Query) -> bool:
    """Whether it is about indexes or constraints: they change how fast a graph is, not what is in it."""
    match query.body:
        case ir.Command():
            return query.body.kind.partition(" ")[2].startswith(("index", "constraint"))
        case ir.Pipeline((ir.ProcedureCall() as call,)):
            return ".".join(call.name).casefold() in ("db.awaitindexes", "db.awaitindex")
        case _:
            return False
