"""Shortest paths over an index of edges in memory: what a recursive query would find too late.

A search takes one kind of edge between two nodes and gives the paths that a selector keeps, in order of length.
Lengths are tried one after the other; a set of nodes for each number of steps that are left says from where the end can
still be reached, so that walks never run into a dead end.  Breadth first from both ends where one path is enough.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphir.backends.sql.searches import Search

Found = tuple[list[int], list[int]]
"""The nodes and the edges of a path, by id."""

Neighbours = dict[int, list[tuple[int, int]]]
"""Node -> (edge, next node) for each edge that can be walked from it."""


@dataclass(slots=True)
class Index:
    """The edges of a search, from either side."""

    out: Neighbours = field(default_factory=dict)
    back: Neighbours = field(default_factory=dict)
    size: int = 0
    costs: dict[int, Any] = field(default_factory=dict)
    """The cost of each edge, where a search asks for them."""

    @classmethod
    def of(cls, edges: Sequence[tuple[Any, ...]], direction: str) -> Index:
        """Edges are (id, source, target), with a cost behind it for the cheapest walks; a loop can be walked once in
        either direction, which is the same walk."""
        made = cls()
        out, back = made.out, made.back
        for edge, source, target, *cost in edges:
            if cost:
                made.costs[edge] = cost[0]
            if direction != "in":
                out.setdefault(source, []).append((edge, target))
                back.setdefault(target, []).append((edge, source))
            if direction == "in" or (direction == "any" and source != target):
                out.setdefault(target, []).append((edge, source))
                back.setdefault(source, []).append((edge, target))
        made.size = len(edges)
        return made


def paths_between(index: Index, search: Search, start: int | None, end: int | None) -> list[Found] | None:
    """The paths from one node to another; null where one of them is.

    shortestPath() from a node to itself is a path of no length here; who asked decides what to make of it.
    """
    if start is None or end is None:
        return None
    if search.legacy and start == end:
        return [([start], [])]
    if search.count == 1 and search.low <= 1 and (start != end or search.low == 0):
        if not search.groups:
            return _one(index, start, end, search.high)
        return list(_all_shortest(index, start, end, search.high))
    return list(_ranked(index, search, start, end))


def paths_from(index: Index, search: Search, start: int | None) -> list[Found] | None:
    """The shortest paths from one node to every node that it reaches."""
    if start is None:
        return None
    made: list[Found] = []
    levels = _levels(index.out, start, search.high)
    for end, distance in levels.items():
        if end == start:
            made += paths_between(index, search, start, end) or []
        elif search.groups:
            made += _back_to(index, levels, end, distance)
        else:
            made.append(next(_back_to(index, levels, end, distance)))
    return made


def _levels(neighbours: Neighbours, start: int, high: int | None) -> dict[int, int]:
    """Node -> its distance from the start."""
    levels = {start: 0}
    frontier = [start]
    distance = 0
    while frontier and (high is None or distance < high):
        distance += 1
        following: list[int] = []
        for node in frontier:
            for _, other in neighbours.get(node, ()):
                if other not in levels:
                    levels[other] = distance
                    following.append(other)
        frontier = following
    return levels


def _back_to(index: Index, levels: dict[int, int], end: int, distance: int) -> Iterator[Found]:
    """The paths of least length to a node, by the distances from the start."""
    pending: list[tuple[int, int, tuple[int, ...], tuple[int, ...]]] = [(end, distance, (end,), ())]
    while pending:
        node, left, nodes, edges = pending.pop()
        if left == 0:
            yield list(nodes), list(edges)
            continue
        for edge, other in index.back.get(node, ()):
            if levels.get(other) == left - 1:
                pending.append((other, left - 1, (other, *nodes), (edge, *edges)))


# ------------------------------------------------------------------ one pair


def _one(index: Index, start: int, end: int, high: int | None) -> list[Found]:
    """A shortest path, searched for from both ends."""
    if start == end:
        return [([start], [])]
    ahead: dict[int, tuple[int, int] | None] = {start: None}
    behind: dict[int, tuple[int, int] | None] = {end: None}
    front, rear = [start], [end]
    steps = 0
    while front and rear and (high is None or steps < high):
        steps += 1
        forward = len(front) <= len(rear)
        known, other_side = (ahead, behind) if forward else (behind, ahead)
        neighbours = index.out if forward else index.back
        following: list[int] = []
        for node in front if forward else rear:
            for edge, other in neighbours.get(node, ()):
                if other in known:
                    continue
                known[other] = (edge, node)
                if other in other_side:
                    return [_joined(ahead, behind, other)]
                following.append(other)
        if forward:
            front = following
        else:
            rear = following
    return []


def _joined(ahead: dict[int, tuple[int, int] | None], behind: dict[int, tuple[int, int] | None], middle: int) -> Found:
    nodes = [middle]
    edges: list[int] = []
    while (step := ahead[nodes[0]]) is not None:
        edges.insert(0, step[0])
        nodes.insert(0, step[1])
    while (step := behind[nodes[-1]]) is not None:
        edges.append(step[0])
        nodes.append(step[1])
    return nodes, edges


def _all_shortest(index: Index, start: int, end: int, high: int | None) -> Iterator[Found]:
    """Every shortest path: levels from the start until the end is met."""
    levels = {start: 0}
    frontier = [start]
    distance = 0
    while frontier and end not in levels and (high is None or distance < high):
        distance += 1
        following: list[int] = []
        for node in frontier:
            for _, other in index.out.get(node, ()):
                if other not in levels:
                    levels[other] = distance
                    following.append(other)
        frontier = following
    if end in levels:
        yield from _back_to(index, levels, end, levels[end])


def _ranked(index: Index, search: Search, start: int, end: int) -> Iterator[Found]:
    """Paths in order of length until the selector has enough."""
    reach = [{end}]
    nodes = len(index.out.keys() | index.back.keys() | {start})
    longest = _longest(search, index, nodes)
    kept = groups = 0
    empty = 0
    length = 0
    while longest is None or length <= longest:
        while len(reach) <= length:
            reach.append({other for node in reach[-1] for _, other in index.back.get(node, ())})
        if not reach[length]:
            return
        found = False
        if length >= search.low and start in reach[length]:
            for each in _of_length(index, search, start, reach, length):
                if not found:
                    found = True
                    groups += 1
                    if search.groups and groups > search.count:
                        return
                yield each
                kept += 1
                if not search.groups and kept == search.count:
                    return
        empty = 0 if start in reach[length] else empty + 1
        if empty > nodes:
            return
        length += 1


def _longest(search: Search, index: Index, nodes: int) -> int | None:
    """The length that no path exceeds; None: walks have none."""
    bounds = {"trail": index.size, "acyclic": nodes - 1, "simple": nodes}
    by_mode = bounds.get(search.mode)
    known = [each for each in (by_mode, search.high) if each is not None]
    return min(known) if known else None


def _of_length(index: Index, search: Search, start: int, reach: list[set[int]], length: int) -> Iterator[Found]:
    """The paths of one length that the mode allows, depth first."""
    mode = search.mode
    nodes = [start]
    edges: list[int] = []
    pending = [iter(index.out.get(start, ()))]
    if length == 0:
        yield [start], []
        return
    while pending:
        left = length - len(edges)
        step = next(pending[-1], None)
        if step is None:
            pending.pop()
            if edges:
                edges.pop()
                nodes.pop()
            continue
        edge, node = step
        if node not in reach[left - 1] or not _allowed(mode, nodes, edges, edge, node, left == 1):
            continue
        if left == 1:
            yield [*nodes, node], [*edges, edge]
            continue
        edges.append(edge)
        nodes.append(node)
        pending.append(iter(index.out.get(node, ())))


def _allowed(mode: str, nodes: list[int], edges: list[int], edge: int, node: int, last: bool) -> bool:
    if mode == "walk":
        return True
    if mode == "trail":
        return edge not in edges
    if mode == "simple" and last and node == nodes[0]:
        return True
    return node not in nodes
