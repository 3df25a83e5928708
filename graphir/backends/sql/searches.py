"""Searches for paths that the target does not make itself: what a statement asks for, as data."""

from __future__ import annotations

from dataclasses import dataclass

from graphir.backends.sql.build import Sql


@dataclass(frozen=True, slots=True)
class Search:
    """The paths of one repeated edge that a selector keeps, per pair of ends.

    The SQL calls `name` with the ids of both ends, or of the start alone where `open_ended`; the result is a list of
    structures with `nodes` and `edges`, null where an end is.  `edges` is a query with the columns id, src and dst.
    `count` paths are kept, the shortest first, or with `groups` all paths of the `count` least lengths.  `mode` is
    walk, trail, acyclic or simple; `legacy`: shortestPath() and allShortestPaths(), which want two different nodes.
    `cheapest`: the walks of least cost in place of the shortest; `edges` then has a column cost.
    """

    name: str
    edges: Sql
    direction: str
    low: int
    high: int | None
    mode: str
    count: int
    groups: bool
    legacy: bool
    open_ended: bool
    cheapest: bool = False
