"""The analysis of a statement as one function."""

from __future__ import annotations

from graphir import ir
from graphir.diagnostics import Diagnostic
from graphir.passes.google.analysis import Analysis
from graphir.passes.google.catalog import NOTHING, UNNAMED, Catalog
from graphir.passes.google.features import PRODUCTION
from graphir.passes.google.statements import Frame, resolve_body
from graphir.source import Source


def analyze(
    query: ir.Query,
    source: Source,
    catalog: Catalog = NOTHING,
    features: frozenset[str] = PRODUCTION,
    *,
    elements: bool = False,
) -> list[Diagnostic]:
    """What GoogleSQL refuses in a statement, in the order in which its rules are gone through.

    `elements` says whether the result may hold nodes and edges, as that of GRAPH_TABLE may.
    """
    state = Analysis(source, catalog, features)
    graph = next(iter(catalog.graphs.values()), UNNAMED) if len(catalog.graphs) == 1 else UNNAMED
    resolve_body(state, query.body, Frame(graph, final=not elements))
    return state.found
