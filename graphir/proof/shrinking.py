"""A query and a graph made small while something stays true of them: delta debugging on the IR and on the elements.

What is tried is always a query that means something: every smaller one is printed, parsed and checked before it is
asked.  Deterministic, and bounded by a number of tries.  Knows no engine: `test` says whether the thing still holds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from graphir import ir
from graphir.backends.engines.constants import bind
from graphir.diagnostics import GraphirError
from graphir.dialects import DIALECTS
from graphir.graphs import PropertyGraph
from graphir.proof.cuts import cuts, plainer, runs, weight
from graphir.proof.questions import Question
from graphir.values.entities import Edge, Node

T = TypeVar("T")
Test = Callable[[Question, PropertyGraph], bool]
Holds = Callable[[PropertyGraph], bool]
TRIES = 1_500
"""Runs that one shrinking may take."""


@dataclass(frozen=True, slots=True)
class Shrunk:
    """The smallest that was found: no single cut of it keeps what was tested, unless `tries` ran out (not `done`)."""

    question: Question
    graph: PropertyGraph
    tries: int
    done: bool


def shrink(question: Question, graph: PropertyGraph, test: Test, tries: int = TRIES) -> Shrunk:
    """A question and a graph for which `test` is true, as it is for those given, and of which nothing can be left out.

    `test` is asked for queries that pass the checks of their dialect only, at most `tries` times.  It should be false
    where it cannot tell.
    """
    search = _Search(test, tries)
    question = search.plain(question, graph)
    while True:
        asked, given = question, graph
        question = search.query(question, graph)
        graph = search.graph(question, graph)
        steady = question is asked and graph is given
        if steady or search.left <= 0:
            graph = search.numbered(question, graph)
            return Shrunk(question, graph, tries - search.left, steady)


def shrink_graph(graph: PropertyGraph, test: Holds, tries: int = TRIES) -> PropertyGraph:
    """The smallest graph that was found for which `test` is true, as it is for the one given."""
    search = _Search(lambda _, smaller: test(smaller), tries)
    return search.numbered(Question(""), search.graph(Question(""), graph))


class _Search:
    """How many tries are left, and what was tried."""

    def __init__(self, test: Test, tries: int) -> None:
        self._test = test
        self.left = tries

    def holds(self, question: Question, graph: PropertyGraph) -> bool:
        if self.left <= 0:
            return False
        self.left -= 1
        return self._test(question, graph)

    # -------------------------------------------------------------- queries

    def plain(self, question: Question, graph: PropertyGraph) -> Question:
        """The question in Cypher, whose printer says everything, and with values in place of its parameters."""
        try:
            plain = question.asking(bind(question.query, question.parameters))
        except GraphirError:
            return question
        return plain if self.holds(plain, graph) else question

    def query(self, question: Question, graph: PropertyGraph) -> Question:
        """Cut until no cut keeps what is tested."""
        if DIALECTS[question.dialect].family != "cypher":
            return question
        seen = {question.text}
        at, failed = 0, 0
        while self.left > 0:
            offered = list(cuts(question.query))
            if failed >= len(offered):
                return question
            at %= len(offered)
            smaller = self._smaller(offered[at](), question, seen)
            if smaller is not None and self.holds(smaller, graph):
                question, failed = smaller, 0
                continue
            at, failed = at + 1, failed + 1
        return question

    def _smaller(self, query: ir.Query, question: Question, seen: set[str]) -> Question | None:
        """The question that a cut makes; None where it is none, no smaller, or was tried."""
        if weight(query) >= weight(question.query):
            return None
        try:
            made = question.asking(query)
            if made.text in seen:
                return None
            seen.add(made.text)
            made.examine()
        except GraphirError:
            return None
        return made

    # -------------------------------------------------------------- graphs

    def numbered(self, question: Question, graph: PropertyGraph) -> PropertyGraph:
        """The graph with ids that count from 0, if it still holds with them."""
        ids = {node.id: at for at, node in enumerate(graph.nodes)}
        nodes = tuple([replace(node, id=ids[node.id]) for node in graph.nodes])
        edges = [replace(edge, id=at, start=ids[edge.start], end=ids[edge.end]) for at, edge in enumerate(graph.edges)]
        counted = PropertyGraph(nodes, tuple(edges))
        return counted if self.holds(question, counted) else graph

    def graph(self, question: Question, graph: PropertyGraph) -> PropertyGraph:
        """Leave out nodes, edges, properties, labels, and make values plain."""

        def holds(smaller: PropertyGraph) -> bool:
            return self.holds(question, smaller)

        while True:
            before = graph
            for cut in (_fewest_nodes, _fewest_edges, _without_properties, _with_plain_values):
                graph = cut(graph, holds)
            if graph is before:
                return graph


def fewest(items: Sequence[T], test: Callable[[Sequence[T]], bool]) -> Sequence[T]:
    """Items of which none can be left out: halves are tried first, then quarters, and so on."""
    kept = list(items)
    size = len(kept)
    while size:
        end = len(kept)
        while end > 0:
            begin = max(0, end - size)
            if test([*kept[:begin], *kept[end:]]):
                del kept[begin:end]
            end = begin
        size //= 2
    return kept


def _fewest_nodes(graph: PropertyGraph, holds: Holds) -> PropertyGraph:
    nodes = fewest(graph.nodes, lambda kept: holds(_of_nodes(kept, graph)))
    return _of_nodes(nodes, graph) if len(nodes) < len(graph.nodes) else graph


def _fewest_edges(graph: PropertyGraph, holds: Holds) -> PropertyGraph:
    edges = fewest(graph.edges, lambda kept: holds(PropertyGraph(graph.nodes, tuple(kept))))
    return PropertyGraph(graph.nodes, tuple(edges)) if len(edges) < len(graph.edges) else graph


def _without_properties(graph: PropertyGraph, holds: Holds) -> PropertyGraph:
    return _first_ones(graph, _without_keys, holds)


def _with_plain_values(graph: PropertyGraph, holds: Holds) -> PropertyGraph:
    return _first_ones(graph, _plainer, holds)


def _first_ones(
    graph: PropertyGraph, make: Callable[[PropertyGraph], Iterator[PropertyGraph]], holds: Holds
) -> PropertyGraph:
    """Take what `make` offers as long as it holds: each time from where the last one stood."""
    at = 0
    while True:
        offered = list(make(graph))[at:]
        for smaller in offered:
            if holds(smaller):
                graph = smaller
                break
            at += 1
        else:
            return graph


def _of_nodes(nodes: Sequence[Node], graph: PropertyGraph) -> PropertyGraph:
    ids = {node.id for node in nodes}
    edges = [edge for edge in graph.edges if edge.start in ids and edge.end in ids]
    return PropertyGraph(tuple(nodes), tuple(edges))


def _without_keys(graph: PropertyGraph) -> Iterator[PropertyGraph]:
    """Without a key anywhere; without all properties of an element, without one, without a label."""
    keys = dict.fromkeys(key for element in graph.elements() for key in element.properties)
    for key in keys:
        yield _mapped(graph, lambda properties, key=key: {k: v for k, v in properties.items() if k != key})  # type: ignore[misc]
    for element in graph.elements():
        names = list(element.properties)
        for begin, end in runs(len(names)):
            left = [*names[:begin], *names[end:]]
            yield _replaced(graph, element, replace(element, properties={k: element.properties[k] for k in left}))
        if isinstance(element, Node):
            for begin, end in runs(len(element.labels)):
                yield _replaced(graph, element, replace(element, labels=element.labels[:begin] + element.labels[end:]))


def _plainer(graph: PropertyGraph) -> Iterator[PropertyGraph]:
    for element in graph.elements():
        for key, value in element.properties.items():
            for plain in _plain_values(value):
                yield _replaced(graph, element, replace(element, properties={**element.properties, key: plain}))


def _plain_values(value: Any) -> Iterator[Any]:
    """Plainer values, never the value itself."""
    if isinstance(value, (list, tuple)):
        items = list(value)
        for begin, end in runs(len(items)):
            yield [*items[:begin], *items[end:]]
        return
    yield from plainer(value)


def _mapped(graph: PropertyGraph, change: Callable[[Any], Any]) -> PropertyGraph:
    nodes = [replace(node, properties=change(node.properties)) for node in graph.nodes]
    return PropertyGraph(tuple(nodes), tuple(replace(edge, properties=change(edge.properties)) for edge in graph.edges))


def _replaced(graph: PropertyGraph, old: Node | Edge, new: Node | Edge) -> PropertyGraph:
    nodes = tuple([new if node is old else node for node in graph.nodes])
    return PropertyGraph(nodes, tuple([new if edge is old else edge for edge in graph.edges]))  # type: ignore[misc, arg-type]
