"""Where the elements of a pattern can be: the tables of its nodes, and the ways in which its edges run.

A node is in the tables with its labels, and where the edges at it end; an edge runs between tables where its nodes can
be.  What no row can have need not be read.  Knows no IR and no SQL.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from graphir.backends.sql.lowering import Lowering
from graphir.backends.sql.scans import Names, Way, ends_of

Step = tuple[str, Sequence[Way], str]
"""The variables of the nodes at an edge, and the ways in which it may run between them."""


def narrowed(
    lowering: Lowering, nodes: Mapping[str, Names], steps: Sequence[Step]
) -> tuple[dict[str, Names], list[Sequence[Way]]]:
    """The tables where nodes can be and the ways of each step, of those that are given; as they are given if no row can
    have them all.  Costs grow linearly with the steps."""
    places = dict(nodes)
    ways = [each for _, each, _ in steps]
    at: dict[str, list[int]] = {}
    for number, (left, _, right) in enumerate(steps):
        at.setdefault(left, []).append(number)
        at.setdefault(right, []).append(number)
    pending = list(range(len(steps)))
    while pending:
        number = pending.pop()
        left, _, right = steps[number]
        one, other = places[left], places[right]
        ways[number] = [each for each in ways[number] if _fits(lowering, each, one, other)]
        if not ways[number]:
            return dict(nodes), [each for _, each, _ in steps]
        for variable, ends in zip((left, right), ends_of(lowering, ways[number]), strict=True):
            before = places[variable]
            within = before if ends is None else ends if before is None else before & ends
            if within != before:
                places[variable] = within
                pending += at[variable]
    return places, ways


def _fits(lowering: Lowering, way: Way, left: Names, right: Names) -> bool:
    """Whether edges can run so between nodes of some tables."""
    table, backwards = way
    ends = lowering.catalog.ends(table)
    if ends is None:
        return True
    return all(
        within is None or not within.isdisjoint(found)
        for within, found in zip((left, right), ends[::-1] if backwards else ends, strict=True)
    )
