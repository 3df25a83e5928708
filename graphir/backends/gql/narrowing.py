"""Which tables the elements of a pattern may be in, as far as the ends of edge tables tell.

Knows the tables of a graph and the shape of patterns, no expression.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from graphir import ir
from graphir.backends.gql.graph import Graph, Tables

STEPS = 64
"""Steps of a repetition that are followed; after as many every table has been reached that can be."""


@dataclass(frozen=True, slots=True)
class Link:
    """An edge of a pattern between two nodes, by the variables, or a repetition of it."""

    edge: str
    left: str
    right: str
    direction: str
    low: int = 1
    high: int = 1


def links_of(match: ir.Match) -> Iterator[Link]:
    """The edges of a MATCH, whose elements all have names."""
    for path in match.paths:
        for left, edge, right in zip(path.elements, path.elements[1:], path.elements[2:], strict=False):
            match left, edge, right:
                case ir.NodePattern(a), ir.EdgePattern(), ir.NodePattern(b):
                    bounds = edge.quantifier or ir.Bounds(1, 1)
                    high = STEPS if bounds.high is None else min(bounds.high, STEPS)
                    yield Link(edge.variable or "", a or "", b or "", edge.direction, min(bounds.low, STEPS), high)


def propagate(links: Iterable[Link], tables: dict[str, Tables], graph: Graph) -> None:
    """Narrow the tables of edges and nodes by each other until nothing changes."""
    before: dict[str, Tables] = {}
    links = list(links)
    while before != tables:
        before = dict(tables)
        for link in links:
            if (link.low, link.high) == (1, 1):
                _narrow(link, tables, graph)
                continue
            edges, left, right = (tables[name] for name in (link.edge, link.left, link.right))
            forth = [way for number in edges for way in ways(graph, number, link.direction)]
            back = [(end, start) for start, end in forth]
            tables[link.right] = right & _reached(left, forth, link)
            tables[link.left] &= _reached(right, back, link)


def _narrow(link: Link, tables: dict[str, Tables], graph: Graph) -> None:
    found = [
        (number, *way)
        for number in tables[link.edge]
        for way in ways(graph, number, link.direction)
        if way[0] in tables[link.left] and way[1] in tables[link.right]
    ]
    tables[link.edge] = frozenset([number for number, _, _ in found])
    tables[link.left] &= frozenset([left for _, left, _ in found])
    tables[link.right] &= frozenset([right for _, _, right in found])


def ways(graph: Graph, number: int, direction: str) -> Iterator[tuple[int, int]]:
    """The tables at the left and right of an edge of a table."""
    table = graph.tables[number]
    assert table.source is not None
    assert table.target is not None
    ends = (table.source.table, table.target.table)
    if direction in ("out", "any"):
        yield ends
    if direction in ("in", "any"):
        yield ends[1], ends[0]


def _reached(start: Tables, steps: list[tuple[int, int]], link: Link) -> Tables:
    """The tables at the end of as many steps as the repetition allows."""
    found, at = (start if link.low == 0 else frozenset()), start
    for count in range(1, link.high + 1):
        at = frozenset([right for left, right in steps if left in at])
        if count >= link.low:
            found |= at
    return found


def longest(graph: Graph, edges: Tables) -> int | None:
    """The most edges of these tables, one behind the other in any direction that they have, that a path can have; None
    where their tables go round."""
    steps = [way for number in edges for way in ways(graph, number, "out")]
    at, count = frozenset([left for left, _ in steps]), 0
    while at and count <= len(steps):
        at = frozenset([right for left, right in steps if left in at])
        count += bool(at)
    return None if at else max(count, 1)
