"""Queries as SQL text over the tables of a schema, for engines of others.

`tables.py` says what the tables are, `parameters.py` of what types the parameters; the text itself is made in
`backends/sql`.  Knows the schema; no engine and no connection.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from graphir import ir
from graphir.backends.sql import origins, targets
from graphir.backends.sql.reps import EDGE, NODE, PATH, ListRep, Rep
from graphir.backends.sqltext.parameters import find_types
from graphir.backends.sqltext.results import shown, tables_shown
from graphir.backends.sqltext.tables import A_FLOAT, catalog_of, format_of
from graphir.diagnostics import Diagnostic, Unsupported, diagnose
from graphir.schema.ddl.paths import Path, placed
from graphir.schema.ddl.paths import shown as shown_path
from graphir.schema.ddl.targets import TARGETS
from graphir.schema.model import Schema
from graphir.source import Source, Span

_WRITING = (ir.Insert, ir.Merge, ir.Set, ir.Remove, ir.Delete, ir.Foreach)


def emit(
    core: ir.Query,
    dialect: str,
    source: Source,
    schema: Schema | None,
    notes: list[Diagnostic] | None = None,
    elements: str = "identity",
    graph: Path | None = None,
) -> str:
    """A query in core form as a statement of a dialect `sql-..`, over the tables that `schema` has there, or of one of
    SQL/PGQ, which reads them through the property graph.

    `graph` is the name that the query has for the graph: it may say more of where that is than the schema does.
    `notes` receives what the schema leaves open and the statement takes for granted (G568), what the database has only
    nearly (G569), which tables hide their keys (G566), and which columns show the nodes and relationships of the result
    (G553) where `elements` is "expand".  "identity" leaves them as what tells them apart, "json" makes one column of
    JSON of each element, path or list of them, and "refuse" refuses them (G538).

    Raises Unsupported: G560 and G561 (what SQL, or this target, has no exact form of), G562 (no schema, or one that
    does not say what the tables are), G563 (a parameter of no known type), G564 (a property that no column holds
    exactly), G565 (a query that writes).
    """
    if schema is None:
        told = f"{dialect} is SQL over tables, and there is no schema that says which"
        raise _refusal(source, "G562", told, dialect, hint="give a schema: `--schema FILE`, or schema=")
    for node in ir.find(core, *_WRITING):
        found = diagnose(source, "G565", f"`{node.op}` writes, and the SQL dialects only read", node.span)
        raise Unsupported([found], feature=node.op, target=dialect)
    catalog = catalog_of(schema, dialect, source)
    if graph is not None and catalog.graph is not None and len(graph) > len(catalog.graph):
        catalog = replace(catalog, graph=_named(catalog.graph, graph, dialect))
    typed = find_types(core, catalog, dialect, source)
    more = shown(core, catalog) if elements == "expand" else None
    lacking = "json_object" not in targets.target(dialect).functions
    places = tables_shown(core, catalog) if elements == "json" and not lacking else None
    made = targets.emit(
        core,
        catalog,
        dialect,
        {},
        source,
        typed=typed,
        named=True,
        pretty=True,
        shown=more,
        documents=places,
        near=True,
    )
    if elements == "refuse" or (elements == "json" and lacking):
        _refuse_elements(made.columns, dialect, source)
    if notes is not None:
        for rep in (NODE, EDGE):
            expanded = [name for name in more or () if (name, rep) in made.columns]
            notes += [_expansion(source, name, made.columns, origins.result(core, name)) for name in expanded]
        for (table, key), assumed in made.assumed.items():
            notes.append(_assumption(source, table, key, assumed.taken, origins.reading(core, key, assumed.variable)))
        title = targets.target(dialect).title
        notes += [diagnose(source, "G569", f"{title} has its own {told}", severity="info") for told in made.admitted]
        for hidden, variable in made.unexposed.values():
            told = f"{hidden}: queries that have to tell its rows apart are refused"
            notes.append(diagnose(source, "G566", told, origins.element(core, variable), severity="info"))
        if targets.target(dialect).patterns is not None:
            notes += _left_out(source, (*schema.qualifier, ""), graph, catalog.graph or (), title)
    return made.text


def _named(own: Path, asked: Path, dialect: str) -> Path:
    """The name of the graph, as far as the dialect has schemas for graphs."""
    target = TARGETS[format_of(dialect)]
    return own if target.global_graphs else placed(own, asked)[-target.schemas - 1 :]


def _left_out(source: Source, known: Path, asked: Path | None, made: Path, title: str) -> list[Diagnostic]:
    """The schemas of the graph for which the dialect has no place in its name."""
    whole = max((known, asked or ()), key=len)
    left_out = shown_path(whole[: len(whole) - len(made)])
    if not left_out:
        return []
    told = f"the graph is in {left_out}, which its name in {title} does not say"
    return [diagnose(source, "G555", told, severity="info")]


def _expansion(source: Source, name: str, columns: Sequence[tuple[str, Rep]], place: Span | None) -> Diagnostic:
    names = [each for each, _ in columns]
    at = names.index(name)
    last = next((i for i in range(at + 1, len(names)) if not names[i].startswith(f"{name}_")), len(names))
    listed = ", ".join(names[at:last])
    told = f"`{name}`, a node or relationship, is shown as the columns {listed}"
    return diagnose(source, "G553", told, place, severity="info")


def _refuse_elements(columns: Sequence[tuple[str, Rep]], dialect: str, source: Source) -> None:
    for name, rep in columns:
        if rep in (NODE, EDGE, PATH) or (isinstance(rep, ListRep) and rep.element in (NODE, EDGE, PATH)):
            told = f"the result `{name}` has nodes, relationships or paths, which {dialect} shows as columns alone"
            raise _refusal(source, "G538", told, dialect, hint="return properties, or leave out `--elements`")


def _assumption(source: Source, table: str, key: str, taken: str, place: Span | None) -> Diagnostic:
    known = f"`{key}` of {table} is a decimal number"
    told = known if taken == A_FLOAT else f"the schema does not say of what type `{key}` of {table} is"
    told += f": it is taken for {taken}"
    return diagnose(source, "G568", told, place, severity="warning")


def _refusal(source: Source, code: str, told: str, dialect: str, hint: str | None = None) -> Unsupported:
    return Unsupported([diagnose(source, code, told, hint=hint)], feature=told, target=dialect)
