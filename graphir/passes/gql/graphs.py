"""The graph that a query names: it works on one, so that its name is no step of the query."""

from __future__ import annotations

from dataclasses import replace

from graphir import ir
from graphir.ir import Node


def graph_of(query: ir.Query) -> tuple[str, ...] | None:
    """The name of the one graph of the query, part by part; None where it names none, or several."""
    graphs = [node.graph for node in ir.find(query, ir.Use, ir.GraphTable)]
    names = {graph.name for graph in graphs if isinstance(graph, ir.GraphName)}
    folded = {tuple([part.lower() for part in name]) for name in names}
    return min(names) if len(folded) == 1 else None


def without_graph(query: ir.Query) -> ir.Query:
    """The query without the name of its one graph, and without the braces that held a body together behind it.

    A query that names several graphs is left as it is: nothing that comes after takes it.
    """
    named = graph_of(query) is not None

    def rule(node: Node) -> Node:
        if not isinstance(node, ir.Pipeline):
            return node
        operators = tuple([each for each in node.operators if not (named and isinstance(each, ir.Use))])
        if len(operators) == 1 and isinstance(operators[0], ir.SubqueryCall) and _is_braced(operators[0]):
            return operators[0].body
        return node if len(operators) == len(node.operators) else replace(node, operators=operators)

    return ir.rewrite(query, rule)


def _is_braced(call: ir.SubqueryCall) -> bool:
    return not call.optional and not call.star and call.imports == () and call.transactions is None
