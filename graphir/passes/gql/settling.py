"""A GQL query as it is meant: one graph, columns with names, one spelling for each name."""

from __future__ import annotations

from graphir import ir
from graphir.dialects import GOOGLE, GQL_DIALECTS
from graphir.passes.gql.columns import name_by_path
from graphir.passes.gql.graphs import without_graph
from graphir.passes.gql.spelling import fold_variables


def settle(query: ir.Query, dialect: str) -> ir.Query:
    """The query that the analysis of names can read.  One that is settled, or not GQL, is returned as it is."""
    if dialect not in GQL_DIALECTS:
        return query
    query = without_graph(query)
    return fold_variables(name_by_path(query)) if dialect in GOOGLE else query
