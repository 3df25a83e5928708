"""From the surface to core: sugar goes, names come, projections become single steps.

Each pass declares what must hold before it and what holds after it, as conditions of `graphir.passes.conditions`; the
tests run them after every pass.  Core is the only form that the backends of other languages see.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import TYPE_CHECKING

from graphir import ir
from graphir.dialects import GOOGLE, GQL_DIALECTS
from graphir.ir import Node
from graphir.passes import assignments
from graphir.passes import conditions as must
from graphir.passes.columns import name_columns
from graphir.passes.conditions import Condition
from graphir.passes.elements import name_elements, quantify_hops
from graphir.passes.gql.brackets import open_brackets
from graphir.passes.gql.combinations import match_columns
from graphir.passes.gql.costs import forget_costs
from graphir.passes.gql.grouping import group_by_variables
from graphir.passes.gql.horizontal import aggregate_lists
from graphir.passes.gql.refusals import refuse_chance
from graphir.passes.gql.selectors import match_nothing
from graphir.passes.gql.settling import settle
from graphir.passes.projections import split_projections
from graphir.passes.selects.lowering import require_graph_query
from graphir.passes.sugar import desugar_expressions
from graphir.source import Source

if TYPE_CHECKING:
    from graphir.schema.model import Schema


@dataclass(frozen=True, slots=True)
class Pass:
    """A rewrite of the whole query.  What earlier passes ensured stays true."""

    name: str
    run: Callable[[ir.Query, Source], ir.Query]
    requires: tuple[Condition, ...] = ()
    ensures: tuple[Condition, ...] = ()


def forget_spelling(query: ir.Query) -> ir.Query:
    """INSERT is CREATE, ALL in front of a path chooses none, and how labels were written does not matter any more."""

    def rule(node: Node) -> Node:
        if isinstance(node, ir.Insert):
            return replace(node, keyword="CREATE")
        if isinstance(node, ir.Path):
            return replace(node, selector=None) if is_every(node) else node
        return replace(node, legacy=False) if isinstance(node, (ir.LabelAnd, ir.LabelOr)) else node

    def is_every(path: ir.Path) -> bool:
        return path.selector is not None and path.selector.kind == "all"

    spelled = ir.holds(query, ir.Insert, ir.LabelAnd, ir.LabelOr, ir.Selector)
    return ir.rewrite(query, rule, ir.Insert, ir.LabelAnd, ir.LabelOr, ir.Path) if spelled else query


PASSES: tuple[Pass, ...] = (
    Pass(
        "name-columns",
        lambda query, _: name_columns(query),
        ensures=(must.stars_are_gone, must.columns_are_named),
    ),
    Pass(
        "desugar-expressions",
        lambda query, _: desugar_expressions(query),
        requires=(must.columns_are_named,),
        ensures=(must.expressions_are_plain,),
    ),
    Pass(
        "quantify-hops",
        lambda query, _: quantify_hops(query),
        requires=(must.expressions_are_plain,),
        ensures=(must.hops_are_quantifiers,),
    ),
    Pass(
        "split-projections",
        split_projections,
        requires=(must.stars_are_gone, must.columns_are_named, must.expressions_are_plain),
        ensures=(must.projections_are_single_steps, must.aggregates_are_grouped),
    ),
    Pass(
        "name-elements",
        lambda query, _: name_elements(query),
        requires=(must.stars_are_gone,),
        ensures=(must.elements_are_named,),
    ),
    Pass("forget-spelling", lambda query, _: forget_spelling(query), ensures=(must.modes_are_stated,)),
)
"""In order.  Columns are named first, from the source text, while `*` still stands for the user's names alone.

Elements are named after the projections are split, because made-up names would make equal patterns differ.
"""


SELECTORS = Pass("match-nothing", lambda query, _: match_nothing(query))
COSTS = Pass("forget-costs", lambda query, _: forget_costs(query))
BRACKETS = Pass("open-brackets", lambda query, _: open_brackets(query))
CHANCE = Pass("refuse-chance", refuse_chance)
SETTING = Pass("set-in-order", assignments.in_order)
AT_ONCE = Pass("set-in-order", assignments.in_order_of_gql)
CONSTANTS = Pass("group-by-variables", lambda query, _: group_by_variables(query), requires=(must.columns_are_named,))
AGGREGATES = Pass("aggregate-lists", aggregate_lists)
COMBINATIONS = Pass(
    "match-columns",
    lambda query, _: match_columns(query),
    requires=(must.stars_are_gone, must.columns_are_named),
    ensures=(must.columns_meet_by_position,),
)


@cache
def passes_of(dialect: str) -> tuple[Pass, ...]:
    """The passes for a query of the dialect, in order: GQL has some that come before those that all languages share."""
    if dialect not in GQL_DIALECTS:
        return (*PASSES, SETTING) if dialect in assignments.AT_ONCE else PASSES
    settling = Pass("settle", lambda query, _: settle(query, dialect))
    selects = Pass("lower-selects", lambda query, source: require_graph_query(query, source, dialect))
    naming, *others = PASSES
    in_order = replace(naming, run=lambda query, _: name_columns(query, dialect))
    keys = (CONSTANTS,) if dialect in GOOGLE else ()
    sets = SETTING if dialect == "gql-neo4j-25" else AT_ONCE
    return (
        settling,
        selects,
        CHANCE,
        BRACKETS,
        SELECTORS,
        COSTS,
        AGGREGATES,
        in_order,
        COMBINATIONS,
        *keys,
        *others,
        sets,
    )


def normalize(
    query: ir.Query, source: Source | None = None, dialect: str = "neo4j-25", schema: Schema | None = None
) -> ir.Query:
    """The core form of a query whose names resolve.

    Raises SemanticFault where the grouping is ambiguous (G111) or an aggregate is out of place (G112), and Unsupported
    (G113) for the few scopes that have no core form.  A query in core form is returned as it is.
    """
    if schema is not None:
        query = settle(query, dialect, schema)
        query = require_graph_query(query, source or Source(""), dialect, schema)
    for each in passes_of(dialect):
        query = each.run(query, source or Source(""))
    return query
