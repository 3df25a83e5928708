"""The analysis of a statement as one function."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING

from graphir import ir
from graphir.diagnostics import Diagnostic
from graphir.limits import MAX_NESTING
from graphir.passes.google.analysis import Analysis
from graphir.passes.google.catalog import NOTHING, UNNAMED, Catalog, of_data_type
from graphir.passes.google.features import PRODUCTION
from graphir.passes.google.names import Table
from graphir.passes.google.places import span_of
from graphir.passes.google.projections import check_final
from graphir.passes.google.statements import Frame, is_sql, resolve_body
from graphir.passes.google.types import has_graph
from graphir.source import Source

if TYPE_CHECKING:
    from graphir.schema import DataType


def analyze(
    query: ir.Query,
    source: Source,
    catalog: Catalog = NOTHING,
    features: frozenset[str] = PRODUCTION,
    *,
    elements: bool = False,
    parameters: Mapping[str, DataType] | None = None,
) -> list[Diagnostic]:
    """What GoogleSQL refuses in a statement, in the order in which its rules are gone through.

    `elements` says whether the result may hold nodes and edges, as that of GRAPH_TABLE may; what INSERT returns may.
    `parameters` are the types of those that have one.
    """
    types = {name.lower(): of_data_type(of) for name, of in (parameters or {}).items()}
    state = Analysis(source, catalog, features, types)
    graph = next(iter(catalog.graphs.values()), UNNAMED) if len(catalog.graphs) == 1 else UNNAMED
    if isinstance(query.body, ir.Command):
        if query.body.kind in ("create property graph", "create or replace"):
            from graphir.passes.google.definitions import check_definition

            check_definition(state, span_of(query))
        return state.found
    with _deeper():
        made = resolve_body(state, query.body, Frame(graph))
    if not elements and not any(isinstance(each, ir.Insert) for each in ir.walk(query)):
        check_result(state, query, made)
    return state.found


_FRAMES = 10 * MAX_NESTING
"""Of Python's stack: a level of nesting takes a few, and the parser limits the levels."""


@contextmanager
def _deeper() -> Iterator[None]:
    """Room for the deepest query that the parser lets through."""
    usual = sys.getrecursionlimit()
    sys.setrecursionlimit(max(usual, _FRAMES))
    try:
        yield
    finally:
        sys.setrecursionlimit(usual)


def check_result(state: Analysis, query: ir.Query, made: Table) -> None:
    """The result of a statement holds no elements: in SQL that is said of the statement, else of the column."""
    if not is_sql(query.body):
        check_final(state, made)
        return
    wrong = next((column for column in made if has_graph(column.type)), None)
    if wrong is not None:
        told = f"The result of the query cannot hold `{wrong.name}`, which is {wrong.type}"
        state.report("G340", told, query.body, "return its properties, or TO_JSON(..)")
