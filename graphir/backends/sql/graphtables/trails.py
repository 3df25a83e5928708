"""A pattern as paths: which walk over its edges is written, and what has to be written apart.

Where a dialect has one path in a GRAPH_TABLE, each path is one of its own, and they meet at the nodes that they share.
"""

from __future__ import annotations

from collections.abc import Sequence

from graphir.backends.sql.graphtables.model import Edge, Hop, Trail, Vertex


def components(vertices: Sequence[Vertex], edges: Sequence[Edge]) -> list[tuple[list[Vertex], list[Edge]]]:
    """The parts of a pattern that hang together, in the order of their first nodes."""
    leader = {id(vertex): vertex for vertex in vertices}

    def find(vertex: Vertex) -> Vertex:
        while leader[id(vertex)] is not vertex:
            vertex = leader[id(vertex)]
        return vertex

    for edge in edges:
        one, other = find(edge.source), find(edge.target)
        if one is not other:
            leader[id(other)] = one
    found: dict[int, tuple[list[Vertex], list[Edge]]] = {}
    for vertex in vertices:
        found.setdefault(id(find(vertex)), ([], []))[0].append(vertex)
    for edge in edges:
        found[id(find(edge.source))][1].append(edge)
    return list(found.values())


def trails_of(vertices: Sequence[Vertex], edges: Sequence[Edge]) -> list[Trail]:
    """Paths that have every edge of a part once, in the order of the edges where they can keep it.

    A path begins at a node with an odd number of edges while there is one, so that there are few of them.
    """
    if not edges:
        return [Trail(vertex) for vertex in vertices]
    left = list(edges)
    found: list[Trail] = []
    while left:
        at = _begin(left)
        start, hops = at, []
        while (edge := next((each for each in left if at in (each.source, each.target)), None)) is not None:
            left.remove(edge)
            backwards = edge.source is not at
            at = edge.source if backwards else edge.target
            hops.append(Hop(edge, at, backwards))
        found.append(Trail(start, tuple(hops)))
    return found


def _begin(edges: Sequence[Edge]) -> Vertex:
    """The first node where an odd number of edges ends, else the first of all."""
    counts: dict[int, int] = {}
    order: dict[int, Vertex] = {}
    for edge in edges:
        for end in (edge.source, edge.target):
            order.setdefault(id(end), end)
            counts[id(end)] = counts.get(id(end), 0) + 1
    return next((order[at] for at, count in counts.items() if count % 2), edges[0].source)
