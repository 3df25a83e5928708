"""Which tables the elements of a pattern may be in, as far as the ends of edge tables tell.

Knows the tables of a graph and the shape of patterns, no expression.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from graphir import ir
from graphir.backends.gql.graph import Graph, Tables
from graphir.frozen import frozen

STEPS = 64
"""Steps of a repetition that are followed; after as many every table has been reached that can be."""


@frozen
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
            if not (
                isinstance(edge, ir.EdgePattern)
                and isinstance(left, ir.NodePattern)
                and isinstance(right, ir.NodePattern)
            ):
                continue
            ends = edge.variable or "", left.variable or "", right.variable or ""
            if edge.quantifier is None:
                yield Link(*ends, edge.direction)
            else:
                low, high = edge.quantifier.low, edge.quantifier.high
                yield Link(*ends, edge.direction, min(low, STEPS), STEPS if high is None else min(high, STEPS))


def propagate(links: Iterable[Link], tables: dict[str, Tables], graph: Graph) -> None:
    """Narrow the tables of edges and nodes by each other until nothing changes."""
    links = list(links)
    changed = True
    while changed:
        changed = False
        for link in links:
            names = link.edge, link.left, link.right
            before = [tables[name] for name in names]
            if (link.low, link.high) == (1, 1):
                _narrow(link, tables, graph)
            else:
                _narrow_repeated(link, tables, graph)
            changed = changed or before != [tables[name] for name in names]


def _narrow(link: Link, tables: dict[str, Tables], graph: Graph) -> None:
    lefts, rights = tables[link.left], tables[link.right]
    found = [
        (number, *way)
        for number in tables[link.edge]
        for way in graph.ways[link.direction][number]
        if way[0] in lefts and way[1] in rights
    ]
    tables[link.edge] = frozenset([number for number, _, _ in found])
    tables[link.left] = frozenset([left for _, left, _ in found])
    tables[link.right] = tables[link.right] & frozenset([right for _, _, right in found])


def _narrow_repeated(link: Link, tables: dict[str, Tables], graph: Graph) -> None:
    left, right = tables[link.left], tables[link.right]
    forth = [way for number in tables[link.edge] for way in graph.ways[link.direction][number]]
    back = [(end, start) for start, end in forth]
    tables[link.right] = right & _reached(left, forth, link)
    tables[link.left] &= _reached(right, back, link)


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
    steps = [way for number in edges for way in graph.ways["out"][number]]
    at, count = frozenset([left for left, _ in steps]), 0
    while at and count <= len(steps):
        at = frozenset([right for left, right in steps if left in at])
        count += bool(at)
    return None if at else max(count, 1)
