"""How difficult a query is, from its IR: easy, medium, hard or extra_hard, as the sample corpus is labelled.

A stage is what one or more MATCH find together; WITH, NEXT and subquery calls end it.  Easy and medium have one stage
with at most one edge, one simple condition and no nesting; medium has an edge under a condition, or an aggregate.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from graphir import ir
from graphir.functions import AGGREGATES

COMPLEX = {"or", "xor", "not", "matches"}
NESTED = (ir.Subquery, ir.PatternExpression, ir.PatternComprehension, ir.Quantified, ir.Reduce)


@dataclass
class Features:
    stages: int = 0
    hops: int = 0
    atoms: int = 0
    aggregates: int = 0
    hard: bool = False
    small: bool = False
    """Order, page or DISTINCT."""


def difficulty(query: ir.Query) -> str:
    found = Features()
    depth = _body(query.body, found, 0)
    if found.aggregates >= 2 or found.stages >= 2 or found.hops >= 3 or depth >= 2:
        return "extra_hard"
    if found.hops == 2 or found.hard or found.atoms >= 2 or depth == 1:
        return "hard"
    if found.aggregates or (found.hops == 1 and (found.atoms or found.small)):
        return "medium"
    return "easy"


def _body(body: ir.Body, found: Features, depth: int) -> int:
    """Collect the features of a body; returns how deep its subqueries nest."""
    if isinstance(body, ir.SetOperation):
        found.hard = True
        return max(_branch(branch, found, depth) for branch in body.branches)
    if isinstance(body, ir.Next):
        return max(_body(part, found, depth) for part in body.parts)
    if not isinstance(body, ir.Pipeline):
        return depth
    deepest = depth
    open_stage: list[ir.Path] = []
    for operator in body.operators:
        if isinstance(operator, ir.Match):
            if not open_stage:
                found.stages += 1
            open_stage += operator.paths
            found.hops = max(found.hops, _hops(open_stage))
            found.hard |= operator.optional
            for path in operator.paths:
                _pattern(path, found)
            _condition(operator.where, found)
        elif isinstance(operator, ir.Project):
            open_stage = []
            _project(operator, found)
        elif isinstance(operator, ir.SubqueryCall):
            open_stage = []
            deepest = max(deepest, _body(operator.body, found, depth + 1))
        deepest = max(deepest, depth + _nesting(operator))
    return deepest


def _branch(body: ir.Body, found: Features, depth: int) -> int:
    """One branch of a set operation: its stages do not add to those of the others."""
    before, found.stages = found.stages, 0
    deepest = _body(body, found, depth)
    found.stages = max(before, found.stages)
    return deepest


def _project(operator: ir.Project, found: Features) -> None:
    found.small |= operator.distinct or bool(operator.order) or operator.limit is not None
    aggregated = any(isinstance(n, ir.Apply) and n.function in AGGREGATES for i in operator.items for n in ir.walk(i))
    found.aggregates += aggregated
    found.hard |= operator.where is not None
    _condition(operator.where, found)


def _nesting(operator: ir.Operator) -> int:
    if isinstance(operator, ir.SubqueryCall):
        return 0
    return 1 if any(isinstance(n, NESTED) for n in ir.walk(operator)) else 0


def _pattern(path: ir.Path, found: Features) -> None:
    """What a path asks besides its edges: entries of property maps are conditions, repetition is hard."""
    found.hard |= path.selector is not None
    for element in _elements(path):
        if isinstance(element.properties, ir.MapOf):
            found.atoms += len(element.properties.entries)
        found.hard |= isinstance(element, ir.EdgePattern) and (element.hops or element.quantifier) is not None
        _condition(element.where, found)


def _hops(paths: list[ir.Path]) -> int:
    """The number of edges in the largest connected part of the patterns."""
    parts: list[tuple[set[str], int]] = []
    for path in paths:
        elements = list(_elements(path))
        names = {x.variable for x in elements if isinstance(x, ir.NodePattern) and x.variable}
        edges = sum(isinstance(x, ir.EdgePattern) for x in elements)
        joined = [part for part in parts if part[0] & names]
        parts = [part for part in parts if not part[0] & names]
        parts.append((names.union(*(p[0] for p in joined)), edges + sum(p[1] for p in joined)))
    return max((edges for _, edges in parts), default=0)


def _elements(path: ir.Path) -> Iterator[ir.NodePattern | ir.EdgePattern]:
    """The nodes and edges of a path, those in groups too."""
    for element in path.elements:
        if isinstance(element, ir.PathGroup):
            yield from _elements(element.path)
        else:
            yield element


def _condition(where: ir.Expression | None, found: Features) -> None:
    if where is None:
        return
    conjuncts = where.args if isinstance(where, ir.Apply) and where.function == "and" else (where,)
    found.atoms += len(conjuncts)
    for node in ir.walk(where):
        if isinstance(node, ir.Apply):
            between = len(node.args) == 2 and all(isinstance(arg, ir.Property) for arg in node.args)
            found.hard |= node.function in COMPLEX or between
