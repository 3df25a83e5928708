"""SELECT around a graph query: `SELECT columns FROM GRAPH_TABLE(graph query) ORDER BY .. LIMIT ..`.

The query stands in the table as GQL has it.  Rows of a table have no order, so that what sorts and cuts the result
stands outside: a sort key that is no column of the result becomes one of the table, which the SELECT leaves out.  Works
on what `legalize` has made; knows no text.
"""

from __future__ import annotations

from graphir import ir
from graphir.backends.gql.columns import aliased, tested
from graphir.backends.gql.expressions import references
from graphir.backends.gql.stages import is_plain
from graphir.ir.names import generated
from graphir.ir.node import replace
from graphir.schema.ddl.paths import Path

ALL_ROWS = ir.Literal(2**63 - 1)
"""The LIMIT that an OFFSET without LIMIT needs."""


def selected(query: ir.Query, graph: Path) -> ir.Query:
    """The query as a SELECT from the graph of that name; of one row that asks no graph, as a SELECT from nothing."""
    parts = query.body.parts if isinstance(query.body, ir.Next) else (query.body,)
    *before, last = parts
    if not isinstance(last, ir.Pipeline):
        return replace(query, body=_select(_result(last).items, graph, parts))
    final = last.operators[-1]
    assert isinstance(final, ir.Project)
    inside, keys = _sorted(last.operators[:-1], final)
    if len(parts) == len(last.operators) == len(inside) == 1 and is_plain(final) and not _asks_graph(inside[0]):
        select = ir.Select(final.items)
    else:
        distinct = final.distinct and len(inside) == 1 and not keys
        last_one = _repeating(inside[0]) if distinct else inside[-1]
        select = replace(_select(final.items, graph, (*before, *inside[:-1], last_one)), distinct=distinct)
    if not (keys or final.skip or final.limit):
        return replace(query, body=select)
    limit = final.limit if final.limit is not None or final.skip is None else ALL_ROWS
    return replace(query, body=ir.TableQuery(select, order=keys, skip=final.skip, limit=limit))


def _repeating(part: ir.Pipeline) -> ir.Pipeline:
    """The part with all its rows.  Google's evaluator fails where a statement changes what it reads from DISTINCT in a
    GRAPH_TABLE; outside of the table it does not."""
    *clauses, final = part.operators
    assert isinstance(final, ir.Project)
    return ir.Pipeline((*clauses, replace(final, distinct=False)))


def _result(body: ir.Body) -> ir.Project:
    """The projection that names the columns of a body: that of its first branch."""
    while isinstance(body, ir.SetOperation):
        body = body.branches[0]
    assert isinstance(body, ir.Pipeline)
    final = body.operators[-1]
    assert isinstance(final, ir.Project)
    return final


def _select(items: tuple[ir.Item, ...], graph: Path, parts: tuple[ir.Body, ...]) -> ir.Select:
    """These columns, by their names, of the table that the parts of a query make."""
    body = parts[0] if len(parts) == 1 else ir.Next(parts)
    named = tuple([ir.Item(ir.Ref(item.name or ""), item.name) for item in items])
    return ir.Select(named, ir.GraphTable(ir.GraphName(graph), body))


def _asks_graph(node: ir.Node) -> bool:
    return ir.holds(node, ir.Subquery, ir.NodePattern)


def _sorted(
    clauses: tuple[ir.Operator, ...], final: ir.Project
) -> tuple[tuple[ir.Pipeline, ...], tuple[ir.SortKey, ...]]:
    """The last parts of the table, with columns for the keys that have none, and the keys as the SELECT has them."""
    names = {item.name or "" for item in final.items}
    made: list[ir.Item] = []
    keys = []
    for given in final.order:
        key = aliased(given, final.items)
        by_columns = references(key.value) <= names and not _asks_graph(key.value)
        if not by_columns and aliased(key, tuple(made)) is key:
            made.append(ir.Item(tested(key.value), generated("sort_key", len(made) + 1)))
        keys.append(key if by_columns else aliased(key, tuple(made)))
    bare = replace(final, order=(), skip=None, limit=None)
    new = {item.name for item in final.items if item.value != ir.Ref(item.name or "")}
    if not made or (is_plain(final) and all(references(item.value).isdisjoint(new) for item in made)):
        return (ir.Pipeline((*clauses, replace(bare, items=(*final.items, *made)))),), tuple(keys)
    columns = [ir.Item(ir.Ref(item.name or ""), item.name) for item in final.items]
    behind = ir.Project((*columns, *made), final=True)
    return (ir.Pipeline((*clauses, bare)), ir.Pipeline((behind,))), tuple(keys)
