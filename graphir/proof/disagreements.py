"""A disagreement made small: the question and the graph cut down while the same engines stand against each other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from graphir.diagnostics import GraphirError, UsageFault
from graphir.graphs import PropertyGraph
from graphir.proof.panels import Panel
from graphir.proof.questions import Question
from graphir.proof.shrinking import TRIES, shrink, shrink_graph
from graphir.proof.verdicts import Verdict, judge

Asking = Callable[[Question], Sequence[Question]]
"""The questions that follow from one: itself, or itself and its translation."""

_WITNESSES = 2
"""Engines of a group that are asked while a disagreement is made small."""


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Questions that should have the same rows on a graph, and have not.

    `verdict` is that of all engines on these; `tries` is how many runs it took to get there.
    """

    questions: tuple[Question, ...]
    graph: PropertyGraph
    verdict: Verdict
    tries: int = 0


def alone(question: Question) -> Sequence[Question]:
    """A question that several engines are asked."""
    return (question,)


def minimal(
    questions: Sequence[Question],
    graph: PropertyGraph,
    verdict: Verdict,
    panel: Panel,
    asking: Asking | None = None,
    tries: int = TRIES,
) -> Disagreement:
    """The smallest disagreement of the same kind that was found.

    `asking` makes the questions of the first one, which is then cut as well as the graph; without it the questions stay
    as they are.
    """
    kept = _witnesses(verdict)
    asked = [_among(question, kept) for question in questions]
    wanted = judge(asked, graph, panel).shape
    count = 0

    def holds(smaller: Sequence[Question], elements: PropertyGraph) -> bool:
        nonlocal count
        count += 1
        try:
            found = judge(smaller, elements, panel)
        except UsageFault:
            raise
        except GraphirError:
            return False
        return found.disagree and found.shape == wanted

    def test(question: Question, elements: PropertyGraph) -> bool:
        assert asking is not None
        try:
            following = asking(question)
        except GraphirError:  # the smaller query has no translation
            return False
        return holds([_among(each, kept) for each in following], elements)

    if asking is None:
        small = shrink_graph(graph, lambda elements: holds(asked, elements), tries)
        return Disagreement(tuple(questions), small, judge(questions, small, panel), count)
    shrunk = shrink(questions[0], graph, test, tries)
    final = tuple(asking(shrunk.question))
    return Disagreement(final, shrunk.graph, judge(final, shrunk.graph, panel), count)


def _witnesses(verdict: Verdict) -> tuple[str, ...]:
    """The engines that it takes: a few of the largest group, one of each other."""
    kept: dict[str, None] = {}
    for at, group in enumerate(verdict.groups):
        for place in group[: 1 if at else _WITNESSES]:
            kept[verdict.answers[place].engine] = None
    return tuple(kept)


def _among(question: Question, names: Sequence[str]) -> Question:
    allowed = names if question.among is None else [name for name in names if name in question.among]
    return replace(question, among=tuple(allowed))
