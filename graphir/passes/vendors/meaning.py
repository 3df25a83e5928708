"""What patterns mean in DuckPGQ, where that is not what they mean elsewhere: said in words that all share, or refused.

Facts: DuckPGQ's match.cpp and tests.  A quantifier asks whether the shortest way between two vertices has such a
length, and gives one row per pair; an edge without direction is the union of both, so that a loop counts twice;
`<-[..]->` wants an edge each way; an element without label has that of its variable's name; functions of paths give
numbers of rows.
"""

from __future__ import annotations

from dataclasses import replace

from graphir import ir
from graphir.diagnostics import Unsupported, diagnose
from graphir.ir.node import Node
from graphir.source import Source

DIALECT = "pgq-duckpgq"


_NUMBERS = ("elementId", "relationships", "nodes")
"""Functions of elements and paths that are asked for by names of DuckPGQ."""


def as_meant(query: ir.Query, source: Source) -> ir.Query:
    """The query with the labels that it implies.  Raises Unsupported (G269) for what means something of its own."""
    for node in ir.walk(query):
        if isinstance(node, ir.GraphTable) and isinstance(node.body, ir.Pipeline):
            _require_shared(node.body, source)
        elif isinstance(node, ir.Apply) and node.function in _NUMBERS:
            _refuse("functions of paths give numbers of rows", node, source)
    return ir.rewrite(query, _labelled)


def _labelled(node: Node) -> Node:
    if isinstance(node, (ir.NodePattern, ir.EdgePattern)) and node.labels is None and node.variable is not None:
        return replace(node, labels=ir.LabelName(node.variable, span=node.span))
    return node


def _require_shared(body: ir.Pipeline, source: Source) -> None:
    for operator in body.operators:
        if isinstance(operator, ir.Match):
            for path in operator.paths:
                _require_path(path, source)
        if isinstance(operator, ir.Project) and operator.star:
            _refuse("`*` in COLUMNS is every property of every element", operator, source)


def _require_path(path: ir.Path, source: Source) -> None:
    selected = path.selector is not None and path.selector.kind == "any_shortest"
    for each in path.elements:
        if not isinstance(each, ir.EdgePattern):
            continue
        bounds = each.quantifier
        if bounds is not None and (not selected or bounds.low > 0):
            _refuse("a quantifier asks for the length of the shortest way, and gives one row per pair", each, source)
        if each.direction == "any" and bounds is None:
            _refuse("an edge of either direction counts loops twice, or wants an edge each way", each, source)


def _refuse(told: str, at: Node, source: Source) -> None:
    found = diagnose(source, "G269", f"in DuckPGQ {told}, which nothing else means", at.span)
    raise Unsupported([found], feature="meaning of its own")
