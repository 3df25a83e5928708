"""Nodes and relationships as results: which of their properties are shown in columns behind what tells them apart."""

from __future__ import annotations

from collections.abc import Sequence

from graphir import ir
from graphir.backends.sql.catalog import Catalog, EdgeTable, NodeTable
from graphir.backends.sql.scans import carries

Table = NodeTable | EdgeTable


def shown(core: ir.Query, catalog: Catalog) -> dict[str, list[str]]:
    """Column of the result -> the keys of the properties that the element there may have.

    Of columns that are variables of patterns alone; there are none for a result of several queries.
    """
    last = core.body.operators[-1] if isinstance(core.body, ir.Pipeline) and core.body.operators else None
    if not isinstance(last, ir.Project):
        return {}
    found: dict[str, list[str]] = {}
    for item in last.items:
        if isinstance(item.value, ir.Ref) and item.name is not None:
            keys = _keys(_tables(core, item.value.name, catalog))
            if keys:
                found[item.name] = keys
    return found


def _tables(core: ir.Query, variable: str, catalog: Catalog) -> Sequence[Table]:
    """The tables where the elements of a variable may be, by what patterns say of it."""
    found: list[Table] | None = None
    for node in ir.walk(core):
        if not isinstance(node, (ir.NodePattern, ir.EdgePattern)) or node.variable != variable:
            continue
        if isinstance(node, ir.EdgePattern) and node.quantifier is not None:
            return ()
        every: Sequence[Table] = catalog.nodes if isinstance(node, ir.NodePattern) else catalog.edges
        known = [table for table in every if carries(node.labels, _labels(table)) is not False]
        found = known if found is None else [table for table in found if table in known]
    return found or ()


def _labels(table: Table) -> Sequence[str]:
    return table.labels if isinstance(table, NodeTable) else table.carried


def _keys(tables: Sequence[Table]) -> list[str]:
    """The properties that can be read wherever an element may be."""
    every = dict.fromkeys(key for table in tables for key in table.columns)
    return [key for key in every if all(key in t.columns or not (key in t.unread or t.is_open) for t in tables)]
