"""Queries inside of expressions: EXISTS, COUNT, COLLECT, VALUE and pattern comprehensions, as correlated queries."""

from __future__ import annotations

from collections.abc import Callable

from sqlglot import exp

from graphir import ir
from graphir.backends.sql import build, pipeline
from graphir.backends.sql.conversions import null_term
from graphir.backends.sql.expressions import lower
from graphir.backends.sql.lowering import Scope
from graphir.backends.sql.reps import BOOLEAN, INTEGER, datatype, list_of
from graphir.backends.sql.rows import UNIT, Block, finish_page
from graphir.backends.sql.terms import Term


def _subquery(node: ir.Subquery, scope: Scope) -> Term:
    lowering = scope.lowering
    lowering.queries += 1
    block = Block(lowering, scope.names)
    rows = pipeline.lower_body(node.body, UNIT, block)
    if node.kind == "exists":
        query = rows.select([build.number(1)])
        return Term(exp.Exists(this=block.finish(query)), BOOLEAN, present=True)
    if node.kind == "count":
        query = rows.select([exp.Count(this=exp.Star())])
        return Term(build.scalar(block.finish(query)), INTEGER, present=True)
    term = next(iter(rows.names.values()), null_term())
    if node.kind == "collect":
        order = rows.ordering(lowering)
        listed = exp.Order(this=term.again(), expressions=order) if order else term.again()
        query = rows.select([exp.ArrayAgg(this=listed)])
        rep = list_of(term.rep)
        empty = build.cast(build.array([]), datatype(rep))
        return Term(exp.Coalesce(this=build.scalar(block.finish(query)), expressions=[empty]), rep, present=True)
    query = rows.select([term.again()])
    if rows.stated:
        finish_page(query, rows, lowering, None, None)
    return Term(build.scalar(block.finish(query)), term.rep)


def _pattern_comprehension(node: ir.PatternComprehension, scope: Scope) -> Term:
    """The list of the body over the embeddings of the path."""
    lowering = scope.lowering
    lowering.queries += 1
    block = Block(lowering, scope.names)
    match = ir.Match((node.path,), node.where, span=node.span)
    rows = pipeline.apply(match, UNIT, block)
    term = lower(node.body, block.scope(rows))
    rep = list_of(term.rep)
    query = rows.select([exp.ArrayAgg(this=term.sql)])
    empty = build.cast(build.array([]), datatype(rep))
    return Term(exp.Coalesce(this=build.scalar(block.finish(query)), expressions=[empty]), rep, present=True)


RULES: dict[type[ir.Expression], Callable[..., Term]] = {
    ir.Subquery: _subquery,
    ir.PatternComprehension: _pattern_comprehension,
}
