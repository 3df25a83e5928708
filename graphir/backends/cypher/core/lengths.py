"""Walks of varying length, written out length by length, for dialects that cannot repeat an edge within a clause.

Each length is a branch of a UNION ALL in a subquery: a clause for every edge, and lists of the edges for the variables
of repeated parts.  Knows no mode.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from itertools import product

from graphir import ir
from graphir.backends.cypher.core.terms import Tools
from graphir.ir import EdgePattern, Expression, Item, ListOf, NodePattern, Operator, Ref

LONGEST, MOST = 8, 12
"""The greatest number of edges of a walk that is written out, and of lengths."""

Steps = Callable[[ir.Path], list[Operator]]


def by_length(path: ir.Path, before: frozenset[str], tools: Tools, steps: Steps) -> ir.SubqueryCall:
    """The walk as a subquery.  `before` are the variables that are bound already."""
    lengths = list(product(*[_range(element, path, tools) for element in path.elements]))
    if len(lengths) > MOST or max(sum(each) for each in lengths) > LONGEST:
        raise tools.report.refusal("walk", path, "a walk of so many lengths")
    found = tools.maker.make("found")
    branches = [_branch(path, each, before, tools, steps, found) for each in lengths]
    used = {name for branch in branches for name in _mentioned(branch)}
    body = branches[0] if len(branches) == 1 else ir.SetOperation("union", False, tuple(branches))
    imports = tuple([name for name in sorted(before) if name in used])
    return ir.SubqueryCall(body, imports, span=path.span)


def _range(element: ir.PathElement, path: ir.Path, tools: Tools) -> range:
    """How many edges an element may stand for."""
    if isinstance(element, NodePattern):
        return range(1)
    bounds = element.quantifier
    if isinstance(element, EdgePattern) and bounds is None:
        return range(1, 2)
    plain = isinstance(element, EdgePattern) and bounds is not None
    if not plain or bounds is None or bounds.low < 1 or bounds.high is None or bounds.low_parameter is not None:
        raise tools.report.refusal("walk", path, "a path whose edges may repeat, of varying length")
    return range(bounds.low, bounds.high + 1)


def _branch(
    path: ir.Path, lengths: tuple[int, ...], before: frozenset[str], tools: Tools, steps: Steps, found: str
) -> ir.Pipeline:
    elements: list[ir.PathElement] = []
    columns: dict[str, Expression] = {}
    for element, length in zip(path.elements, lengths, strict=True):
        if isinstance(element, EdgePattern) and element.quantifier is not None:
            edges = [_single(element, tools) for _ in range(length)]
            for at, edge in enumerate(edges):
                elements += [edge] if at == 0 else [NodePattern(tools.maker.make("n")), edge]
            if element.variable is not None:
                columns[element.variable] = ListOf(tuple([Ref(edge.variable or "") for edge in edges]))
            continue
        assert not isinstance(element, ir.PathGroup)
        if element.variable is not None:
            columns[element.variable] = Ref(element.variable)
        elements.append(element)
    clauses = steps(dataclasses.replace(path, elements=tuple(elements)))
    new = [Item(value, name) for name, value in columns.items() if name not in before and name in tools.read]
    result = ir.Project(tuple(new) or (Item(ir.Literal(True), found),), final=True)
    return ir.Pipeline((*clauses, result), span=path.span)


def _single(edge: EdgePattern, tools: Tools) -> EdgePattern:
    """One of the edges of a repetition, under a name of its own."""
    name = tools.maker.make("e")

    def rule(part: ir.Node) -> ir.Node:
        return Ref(name, span=part.span) if isinstance(part, Ref) and part.name == edge.variable else part

    where = None if edge.where is None else ir.rewrite(edge.where, rule)
    properties = None if edge.properties is None else ir.rewrite(edge.properties, rule)
    return dataclasses.replace(edge, variable=name, quantifier=None, where=where, properties=properties)


def _mentioned(body: ir.Node) -> Iterator[str]:
    for node in ir.walk(body):
        if isinstance(node, Ref):
            yield node.name
        elif isinstance(node, NodePattern) and node.variable is not None:
            yield node.variable
