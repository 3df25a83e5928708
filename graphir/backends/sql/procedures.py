"""The procedures that the engine has: they read off the tables what is in the graph.

A label, type or key is listed where something has it now.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace

from sqlglot import exp

from graphir import ir
from graphir.backends.sql import build
from graphir.backends.sql.build import Sql
from graphir.backends.sql.catalog import Catalog, EdgeTable, NodeTable
from graphir.backends.sql.patterns import conjuncts, lower_conjuncts
from graphir.backends.sql.reps import BOOLEAN, STRING
from graphir.backends.sql.rows import Block, Rows
from graphir.backends.sql.scans import source_of
from graphir.backends.sql.terms import Term

Found = tuple[str, Sql]
"""A name, and the condition under which it is listed."""


def _labels(catalog: Catalog) -> Iterable[Found]:
    for label in dict.fromkeys(label for table in catalog.nodes for label in table.labels):
        yield label, build.disjunction([_some(table) for table in catalog.nodes if label in table.labels])


def _types(catalog: Catalog) -> Iterable[Found]:
    for table in catalog.edges:
        yield table.type, _some(table)


def _keys(catalog: Catalog) -> Iterable[Found]:
    tables: list[NodeTable | EdgeTable] = [*catalog.nodes, *catalog.edges]
    for key in dict.fromkeys(key for table in tables for key in table.columns):
        holders = [_some(table, table.columns[key].name) for table in tables if key in table.columns]
        yield key, build.disjunction(holders)


def _some(table: NodeTable | EdgeTable, column: str | None = None) -> Sql:
    """Whether a table has a row, with a value in a column."""
    conditions = [] if column is None else [build.is_not_null(build.column(column))]
    return exp.Exists(this=build.select([build.number(1)], [source_of(table)], conditions))


_LISTS: dict[str, tuple[str, Callable[[Catalog], Iterable[Found]]]] = {
    "db.labels": ("label", _labels),
    "db.relationshipTypes": ("relationshipType", _types),
    "db.propertyKeys": ("propertyKey", _keys),
}
"""Procedure -> its column, and what it lists."""


def columns_of(call: ir.ProcedureCall) -> dict[str, str]:
    """Column of the procedure -> variable.  Empty for a procedure that the engine does not have."""
    name = ".".join(call.name)
    known = [_LISTS[name][0]] if name in _LISTS else ["success"] if name == "db.ping" else []
    if call.yields is None or call.star:
        return {column: column for column in known}
    return {item.name: item.alias or item.name for item in call.yields if item.name in known}


def lower_procedure(call: ir.ProcedureCall, rows: Rows, block: Block) -> Rows:
    """The rows of a procedure beside the rows at hand."""
    lowering = block.lowering
    name = ".".join(call.name)
    variables = columns_of(call)
    if not variables or call.args or call.optional:
        lowering.refuse("G602", f"the engine has no procedure {name}()", call)
    alias = lowering.fresh("p")
    column, variable = next(iter(variables.items()))
    if name == "db.ping":
        query: Sql = build.select([build.alias(build.boolean(True), column)])
    else:
        listed = [
            build.select([build.alias(build.text(each), column)], [], [condition])
            for each, condition in _LISTS[name][1](lowering.catalog)
        ]
        query = build.union(listed) if listed else _nothing(column)
    term = Term(build.column(column, alias), BOOLEAN if name == "db.ping" else STRING, present=True)
    made = replace(rows, sources=(*rows.sources, build.derived(query, alias)), names={**rows.names, variable: term})
    tests = lower_conjuncts(conjuncts(call.where), block.scope(made), made.conditions, made.sources)
    return replace(made, conditions=(*made.conditions, *tests))


def _nothing(column: str) -> Sql:
    return build.select([build.alias(build.text(""), column)], [], [build.boolean(False)])
