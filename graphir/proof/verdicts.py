"""Whether several engines, or several queries, give the same rows: who agrees with whom, and who is the odd one out.

Answers are compared strictly.  Order counts where the query makes one; ties and the rows that LIMIT chose among are
asked of the engine whose answer is the measure; lists whose order is open are compared as bags.  Where a difference may
come from something that the query leaves open, the graph is loaded in another order: if an answer changes by that
alone, the difference says nothing.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from graphir.diagnostics import GraphirError
from graphir.evaluation import Comparison, Reference, Strict, reference, rows_equal
from graphir.graphs import PropertyGraph
from graphir.proof.answers import Answer
from graphir.proof.panels import Engines, Panel
from graphir.proof.questions import Question

Status = Literal["same", "different", "failing", "open", "unanswered"]
_SHUFFLES = 2
"""Orders in which a graph is loaded again, beside the reverse one."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What came of asking.

    `answers` are all of them, in order of the questions and the engines; `groups` hold the places of those that count,
    a group for each answer that was given, the largest first.  `comparison` tells how the first two groups differ.
    `notes` say how rows were compared; `opening` says what the query leaves open, where that decided.
    """

    answers: tuple[Answer, ...]
    groups: tuple[tuple[int, ...], ...]
    comparison: Comparison | None = None
    notes: tuple[str, ...] = ()
    opening: str | None = None

    @property
    def status(self) -> Status:
        """`same`; `different` rows, or some `failing` where others give rows; `open`: nothing can be said; `unanswered`
        where fewer than two answers count."""
        if sum(map(len, self.groups)) < 2:
            return "unanswered"
        if len(self.groups) == 1:
            return "same"
        if self.opening is not None:
            return "open"
        kinds = {self.answers[group[0]].kind for group in self.groups}
        return "failing" if len(self.groups) == 2 and "failed" in kinds else "different"

    @property
    def agree(self) -> bool:
        return self.status == "same"

    @property
    def disagree(self) -> bool:
        return self.status in ("different", "failing")

    @property
    def odd(self) -> tuple[Answer, ...]:
        """The answers outside of the largest group; none where no group is the largest."""
        if len(self.groups) < 2 or len(self.groups[0]) == len(self.groups[1]):
            return ()
        return tuple([self.answers[at] for group in self.groups[1:] for at in group])

    @property
    def silent(self) -> tuple[Answer, ...]:
        """The answers that do not count."""
        return tuple([answer for answer in self.answers if not answer.counts])

    @property
    def rows(self) -> int:
        """How many rows the largest group gives."""
        result = self.answers[self.groups[0][0]].result if self.groups else None
        return 0 if result is None else len(result.rows)

    @property
    def shape(self) -> frozenset[frozenset[tuple[str, int, str]]]:
        """Who is with whom: what shrinking keeps."""
        return frozenset([frozenset([self._sign(at) for at in group]) for group in self.groups])

    def _sign(self, at: int) -> tuple[str, int, str]:
        answer = self.answers[at]
        return answer.engine, answer.question, answer.kind


def judge(
    query: str | Sequence[Question],
    graph: PropertyGraph,
    engines: Panel | Engines,
    parameters: Mapping[str, Any] | None = None,
    dialect: str = "neo4j-25",
) -> Verdict:
    """Ask the engines for the rows of a query, or of several questions that should have the same.

    `engines` are names that `graphir.connect` knows, or engines by name; what was opened here is closed here.
    Raises SyntaxFault and SemanticFault where the query is none, Unsupported (G676) where it writes, UsageFault where
    an engine cannot be opened.

    >>> from graphir import PropertyGraph
    >>> graph = PropertyGraph.from_dict({"nodes": [{"id": 1, "labels": ["A"]}]})
    >>> judge("MATCH (n:A) RETURN n", graph, ["duckdb"]).status
    'unanswered'
    """
    if isinstance(engines, Panel):
        return _judged(_questions(query, parameters, dialect), graph, engines)
    with Panel(engines) as panel:
        return _judged(_questions(query, parameters, dialect), graph, panel)


def _questions(
    query: str | Sequence[Question], parameters: Mapping[str, Any] | None, dialect: str
) -> Sequence[Question]:
    return [Question(query, dialect, parameters or {})] if isinstance(query, str) else query


def _judged(questions: Sequence[Question], graph: PropertyGraph, panel: Panel) -> Verdict:
    for question in questions:
        question.examine()
    lost = panel.reopened.copy()
    answers = list(_all(questions, graph, panel))
    judgement = _Judgement(questions, graph, panel)
    groups = judgement.grouped(answers)
    for name in panel.reopened - lost:
        judgement.notes.append(f"{name} was lost and opened again")
    if len(groups) < 2:
        return Verdict(tuple(answers), groups, None, tuple(judgement.notes))
    opening = judgement.opening(answers, groups)
    first, second = (answers[group[0]] for group in groups[:2])
    comparison = judgement.compared(first, second)
    return Verdict(tuple(answers), groups, comparison, tuple(judgement.notes), opening)


def _all(questions: Sequence[Question], graph: PropertyGraph, panel: Panel) -> Iterator[Answer]:
    for number, question in enumerate(questions):
        yield from panel.ask(question, number, graph, panel.names)


class _Judgement:
    """Answers to the same questions about the same graph, compared with each other."""

    def __init__(self, questions: Sequence[Question], graph: PropertyGraph, panel: Panel) -> None:
        self._questions = questions
        self._graph = graph
        self._panel = panel
        self._references: dict[tuple[str, int], Reference | None] = {}
        self.notes: list[str] = []

    def grouped(self, answers: Sequence[Answer]) -> tuple[tuple[int, ...], ...]:
        """The places of the answers that count, the largest group of equal ones first."""
        groups: list[list[int]] = []
        for at, answer in enumerate(answers):
            if not answer.counts:
                continue
            home = next((group for group in groups if self.same(answers[group[0]], answer)), None)
            if home is None:
                groups.append([at])
            else:
                home.append(at)
        return tuple(sorted(map(tuple, groups), key=lambda group: (-len(group), group)))

    def same(self, first: Answer, second: Answer) -> bool:
        compared = self.compared(first, second)
        return first.kind == second.kind == "failed" if compared is None else compared.equal

    def compared(self, first: Answer, second: Answer) -> Comparison | None:
        """How the rows compare; None where there are not two results."""
        if first.result is None or second.result is None:
            return None
        questions = [self._questions[number] for number in {first.question, second.question}]
        ordered = all(question.ordered for question in questions)
        options = Strict(columns="position" if len(questions) == 1 else "any")
        found = rows_equal(first.result, second.result, options, ordered=ordered)
        if found.equal:
            return found
        measure: Reference | None = self._reference(first) if ordered else None
        if measure is not None:
            found = rows_equal(measure, second.result, options)
        lists = {opening.told for question in questions for opening in question.openings if opening.kind == "list"}
        if found.equal or not lists:
            return found
        loose = Strict(columns=options.columns, lists="unordered")
        again = rows_equal(measure or first.result, second.result, loose, ordered=ordered and measure is None)
        if again.equal:
            self._note(f"lists were compared as bags: {', '.join(sorted(lists))} leaves their order open")
            return again
        return found

    def _reference(self, answer: Answer) -> Reference | None:
        """What the engine might as well have said; None where it cannot be asked for that."""
        key = answer.engine, answer.question
        if key not in self._references:
            question = self._questions[answer.question]
            try:
                session = self._panel.held(answer.engine, self._graph)
                self._references[key] = reference(session, question.text, question.parameters, question.dialect)
            except GraphirError as error:
                self._references[key] = None
                self._note(f"{answer.engine} does not tell which rows are tied: {error.diagnostics[0].message}")
        return self._references[key]

    def _note(self, text: str) -> None:
        if text not in self.notes:
            self.notes.append(text)

    # -------------------------------------------------------------- what the query leaves open

    def opening(self, answers: Sequence[Answer], groups: Sequence[Sequence[int]]) -> str | None:
        """What the query leaves open and may have made the difference; None if it is one of the engines."""
        found = [opening for question in self._questions for opening in question.openings]
        for opening in found:
            if opening.kind in ("volatile", "identity"):
                return f"{opening.told} differs from run to run or from engine to engine"
        if not found:
            return None
        told = ", ".join(dict.fromkeys(opening.told for opening in found))
        most = len(groups[0])
        trusted = [answers[at] for group in groups if len(group) == most for at in group]
        for answer in trusted:
            if self._wavers(answer):
                how = f"{answer.engine} gives others when the graph is loaded in another order"
                return f"{told} leaves the rows open: {how}"
        self._note(f"the query leaves something open ({told}), but no order of the graph makes that difference")
        return None

    def _wavers(self, answer: Answer) -> bool:
        """Whether the engine says something else about the same graph, its elements loaded in another order."""
        question = self._questions[answer.question]
        for graph in _other_orders(self._graph):
            for again in self._panel.ask(question, answer.question, graph, [answer.engine]):
                if again.counts and not self.same(answer, again):
                    return True
        return False


def _other_orders(graph: PropertyGraph) -> Iterator[PropertyGraph]:
    """The same graph with its elements in other orders."""
    yield PropertyGraph(graph.nodes[::-1], graph.edges[::-1])
    dice = random.Random(len(graph.nodes))
    for _ in range(_SHUFFLES):
        yield PropertyGraph(
            tuple(dice.sample(graph.nodes, len(graph.nodes))), tuple(dice.sample(graph.edges, len(graph.edges)))
        )
