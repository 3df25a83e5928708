"""Queries inside of expressions: EXISTS, COUNT, COLLECT, VALUE and pattern comprehensions, as correlated queries."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sqlglot import exp

from graphir import ir
from graphir.backends.sql import build, pipeline, shortest
from graphir.backends.sql.build import Sql
from graphir.backends.sql.conversions import null_term
from graphir.backends.sql.expressions import lower
from graphir.backends.sql.lowering import Scope
from graphir.backends.sql.reps import BOOLEAN, INTEGER, PATH, datatype, list_of
from graphir.backends.sql.rows import UNIT, Block, Rows, finish_page
from graphir.backends.sql.terms import Term
from graphir.ir.names import MARK


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
        return _gathered(term, rows, block)
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
    return _gathered(term, rows, block)


def _shortest(node: ir.PatternExpression, scope: Scope) -> Term:
    """shortestPath(..) as a value is a path or null, allShortestPaths(..) a list."""
    lowering = scope.lowering
    lowering.queries += 1
    block = Block(lowering, scope.names)
    name = lowering.fresh(MARK + "p")
    match = ir.Match((replace(node.path, variable=name),), span=node.span)
    rows = shortest.match_selected(match, UNIT, block, (name,), checked=False)
    path = rows.names[name]
    assert node.path.selector is not None
    if node.path.selector.kind == "all_shortest_paths":
        paths = _gathered(path, rows, block)
        return lowering.bridge("proper_paths", [paths], paths.rep, node)
    query = rows.select([path.again()])
    query.set("limit", exp.Limit(expression=build.number(1)))
    return lowering.bridge("proper_path", [Term(build.scalar(block.finish(query)), PATH)], PATH, node)


def _gathered(term: Term, rows: Rows, block: Block) -> Term:
    """The list of a term over rows, in their order, nulls too.

    It is computed in a query of its own: an aggregate of nothing but outer columns would count as the outer query's.
    """
    lowering = block.lowering
    value = lowering.fresh("y")
    columns = [build.alias(term.again(), value)]
    order: list[Sql] = []
    for key in rows.ordering(lowering):
        label = lowering.fresh("o")
        columns.append(build.alias(key.this, label))
        each = build.ordered(build.column(label), descending=key.args["desc"], nulls_first=key.args["nulls_first"])
        order.append(build.noted(each, build.note(key)))
    listed: Sql = build.column(value)
    if order:
        listed = exp.Order(this=listed, expressions=order)
    source = build.derived(block.finish(rows.select(columns)), lowering.fresh("u"))
    rep = list_of(term.rep)
    empty = build.cast(build.array([]), datatype(rep))
    gathered = build.scalar(build.select([build.noted(exp.ArrayAgg(this=listed), rep)], [source]))
    return Term(exp.Coalesce(this=gathered, expressions=[empty]), rep, present=True)


RULES: dict[type[ir.Expression], Callable[..., Term]] = {
    ir.Subquery: _subquery,
    ir.PatternComprehension: _pattern_comprehension,
    ir.PatternExpression: _shortest,
}
