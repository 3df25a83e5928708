"""A GQL query as it is meant: one graph, functions and columns by their names, one spelling for each."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphir import ir
from graphir.dialects import CASELESS, GOOGLE, GQL_DIALECTS, SQL_PGQ
from graphir.ir.names import Folded
from graphir.passes.definitions import schema_inside
from graphir.passes.gql.blocks import return_blocks
from graphir.passes.gql.calls import call_bare, yield_all
from graphir.passes.gql.columns import name_by_path, star_first
from graphir.passes.gql.functions import name_functions
from graphir.passes.gql.graphs import without_graph
from graphir.passes.gql.grouping import group_by_items
from graphir.passes.gql.inserts import insert_once
from graphir.passes.gql.spelling import Spellings, fold_names, fold_variables, unfolded
from graphir.passes.selects.lowering import without_sql

if TYPE_CHECKING:
    from graphir.schema.model import Schema


def settle(query: ir.Query, dialect: str, schema: Schema | None = None) -> ir.Query:
    """The query that the analysis of names can read.  One that is settled, or not GQL, is returned as it is.

    Where case does not matter, labels and properties are spelled as in the schema, else as they come first.
    """
    if dialect not in GQL_DIALECTS:
        return query
    if dialect in SQL_PGQ:
        return _settle_sql(query, dialect, schema)
    query = insert_once(yield_all(star_first(return_blocks(without_graph(query)))))
    query = group_by_items(name_functions(call_bare(query) if dialect in GOOGLE else query, dialect))
    if dialect in GOOGLE:
        query = fold_variables(without_sql(name_by_path(query), dialect))
    if dialect not in CASELESS:
        return query
    return fold_names(query, None if schema is None else Spellings.of(schema))


def _settle_sql(query: ir.Query, dialect: str, schema: Schema | None) -> ir.Query:
    """SQL whose graph tables hold patterns alone.  Names that were folded are spelled as in the schema."""
    schema = schema or schema_inside(query, dialect)
    known = None if schema is None else Spellings.of(schema)
    caseless = dialect in CASELESS
    query = name_by_path(group_by_items(name_functions(query, dialect)))
    if known is not None and not caseless:
        query = fold_names(query, known, only=Folded)
    query = without_sql(unfolded(query), dialect, schema)
    return fold_names(fold_variables(query), known) if caseless else query
