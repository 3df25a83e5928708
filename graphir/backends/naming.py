"""The names of a graph in the database of another dialect, for one query.

A database of tables may hold a name of the schema under another: too long, of the wrong letters, of two types.  A query
that uses such a name is refused.  Knows the schema and the IR, no text of either dialect.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from weakref import finalize

from graphir import ir
from graphir.diagnostics import Unsupported, diagnose
from graphir.ir.names import written
from graphir.schema import Schema
from graphir.schema.ddl.names import ElementNames, names
from graphir.schema.ddl.paths import Path
from graphir.schema.ddl.targets import DIALECTS
from graphir.source import Source, Span


def graph_of(query: ir.Query, schema: Schema, dialect: str, source: Source) -> Path:
    """The name of the graph of a schema in a dialect.

    Raises Unsupported (G551) where the query uses a name of the schema that stands for another there.
    """
    graph, other = _held(schema, dialect)
    for name, span in _used(query) if other else ():
        if name in other:
            message = f"`{name}` has the name `{other[name]}` in the database, and the translation does not follow that"
            found = diagnose(
                source, "G551", message, span, hint=f"`graphir schema convert` shows the names of {dialect}"
            )
            raise Unsupported([found], feature="name in the database", target=dialect)
    return graph


def spelled(name: Path | None, schema: Schema | None, dialect: str) -> Path | None:
    """The name that a query has for its graph, as it is spelled beside the names of the schema.

    Those keep the spelling of their definition in the databases of others, and so do names without quotes here.
    """
    if name is None or schema is None or schema.origin is None or schema.origin.format == DIALECTS.get(dialect):
        return name
    return tuple([written(part) for part in name])


_HELD: dict[tuple[int, str], tuple[Path, dict[str, str]]] = {}
"""By the identity of the schema, as long as it lives, and the dialect."""


def _held(schema: Schema, dialect: str) -> tuple[Path, dict[str, str]]:
    """The name of the graph, and the names that are others in the database; found once."""
    key = id(schema), dialect
    found = _HELD.get(key)
    if found is None:
        held = names(schema, dialect)
        edges = [element for elements in held.edges.values() for element in elements]
        found = _HELD[key] = held.graph, _renamed([*held.nodes.values(), *edges])
        finalize(schema, _HELD.pop, key, None)
    return found


def _renamed(elements: Iterable[ElementNames]) -> dict[str, str]:
    """Name in the schema -> another name in the database."""
    found: dict[str, str] = {}
    for element in elements:
        for given in (element.labels, element.properties):
            found.update({name: there for name, there in given.items() if name != there})
    return found


def _used(query: ir.Query) -> Iterator[tuple[str, Span | None]]:
    """The labels, types and keys in a query."""
    for node in ir.walk(query.body):
        if isinstance(node, ir.LabelName):
            yield node.name, node.span
        elif isinstance(node, ir.Property | ir.Entry):
            yield node.key, node.span
