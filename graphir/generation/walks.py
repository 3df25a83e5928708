"""A graph as a witness sees it: what is at the ends of edges, walks that use no edge twice."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from graphir.generation.dice import Dice
from graphir.graphs import PropertyGraph
from graphir.values import Edge, Node


class Step(NamedTuple):
    """An edge, whether it is walked from its start to its end, and the node that is reached."""

    edge: Edge
    forward: bool
    node: Node


class World:
    """A graph with an index of the edges at each node."""

    def __init__(self, graph: PropertyGraph) -> None:
        self.graph = graph
        self.nodes = {node.id: node for node in graph.nodes}
        self._steps: dict[int | str, list[Step]] = {node.id: [] for node in graph.nodes}
        for edge in graph.edges:
            self._steps[edge.start].append(Step(edge, True, self.nodes[edge.end]))
            self._steps[edge.end].append(Step(edge, False, self.nodes[edge.start]))

    def steps(self, at: Node, used: set[int | str], forward: bool | None = None) -> list[Step]:
        """The ways on from a node, without the edges in use; `forward` True: only along edges, False: only against."""
        return [
            step
            for step in self._steps[at.id]
            if step.edge.id not in used and (forward is None or step.forward is forward)
        ]

    def walk(self, dice: Dice, at: Node, used: set[int | str], most: int, forward: bool | None) -> list[Step]:
        """A walk of at most so many steps; its edges are then in use."""
        walked: list[Step] = []
        for _ in range(most):
            ways = self.steps(at, used, forward)
            if not ways:
                break
            step = dice.pick(ways)
            used.add(step.edge.id)
            walked.append(step)
            at = step.node
        return walked

    def degree(self) -> int:
        """The greatest number of ways on from a node."""
        return max(map(len, self._steps.values()), default=0)

    def __iter__(self) -> Iterator[Node]:
        return iter(self.graph.nodes)
