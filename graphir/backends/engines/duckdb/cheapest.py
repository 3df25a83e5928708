"""Cheapest walks over an index of edges in memory, in order of their cost.

Of the walks from a node those that cost least go on first; no place is passed more often than paths are asked for,
since costs are positive.  A place is a node and how many steps it took, as far as the bounds ask for that.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from heapq import heappop, heappush
from itertools import count
from typing import Any

from graphir.backends.engines.duckdb.search import Found, Index
from graphir.backends.sql.searches import Search


def cheapest_paths(index: Index, search: Search, start: int | None, end: int | None) -> list[Found] | None:
    """The cheapest walks from one node to another, as many as are asked for; null where one of the nodes is."""
    return None if start is None or end is None else list(_ranked(index, search, start, end))


def _ranked(index: Index, search: Search, start: int, end: int) -> Iterator[Found]:
    passed: Counter[tuple[int, int]] = Counter()
    order = count()
    pending: list[tuple[Any, int, int, int, Any]] = [(0, next(order), start, 0, None)]
    found = 0
    while pending and found < search.count:
        cost, _, node, steps, way = heappop(pending)
        place = (node, steps if search.high is not None else min(steps, search.low))
        passed[place] += 1
        if passed[place] > search.count:
            continue
        if node == end and steps >= search.low:
            found += 1
            yield _walk(start, way)
        if search.high is not None and steps == search.high:
            continue
        for edge, other in index.out.get(node, ()):
            heappush(pending, (cost + index.costs[edge], next(order), other, steps + 1, (edge, other, way)))


def _walk(start: int, way: Any) -> Found:
    """The nodes and the edges of a walk, which is linked from its end."""
    nodes: list[int] = []
    edges: list[int] = []
    while way is not None:
        edge, node, way = way
        edges.append(edge)
        nodes.append(node)
    return [start, *reversed(nodes)], edges[::-1]
