"""Random queries on random graphs against several engines: each disagreement made small, and told once.

Cases are numbered from a seed, several queries to a graph, so that a graph is loaded once; a number alone makes its
case again.  What is kept of a case is a count, so that memory does not grow.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from typing import Any

from graphir import ir
from graphir.diagnostics import GraphirError, Unsupported
from graphir.generation import Profile, RandomDice, query
from graphir.generation.cases import ground
from graphir.generation.profiles import profile as profile_of
from graphir.graphs import PropertyGraph
from graphir.ir.text import dumps
from graphir.proof.descriptions import document
from graphir.proof.disagreements import Disagreement, alone, minimal
from graphir.proof.panels import Panel
from graphir.proof.questions import Question
from graphir.proof.scripts import create_statement, script
from graphir.proof.verdicts import Status, Verdict, judge
from graphir.schema.model import Schema
from graphir.values.json import to_json

PER_GRAPH = 10
"""Queries to a graph."""
TRIES = 500
"""Runs that making one disagreement small may take."""
_SURELY = 0.6
"""The share of queries that surely have a row."""

_NAMES = ("name", "variable", "key", "accumulator")
_NOT_NAMES = (ir.ValueType, ir.Keyword, ir.Call, ir.ProcedureCall)


@dataclass(frozen=True, slots=True)
class Finding:
    """A disagreement that is not like those before, made small, with the number of its case and its script."""

    number: int
    original: Question
    found: Disagreement
    script: str

    def to_json(self) -> dict[str, Any]:
        """The finding as a document: the case as it was, and the disagreement."""
        question = self.original
        return {
            "case": self.number,
            "query": question.text,
            "dialect": question.dialect,
            "parameters": to_json(dict(question.parameters)),
            "tries": self.found.tries,
            "create": create_statement(self.found.graph),
            **document(self.found, self.script),
        }


@dataclass(slots=True)
class Tally:
    """Counts of cases: by status, by how many answers count, those with rows; of answers by engine; of what an engine
    does not answer by its code and feature; of engines that stood alone; of disagreements like one before."""

    cases: int = 0
    filled: int = 0
    statuses: Counter[Status] = field(default_factory=Counter)
    answers: Counter[int] = field(default_factory=Counter)
    answered: Counter[str] = field(default_factory=Counter)
    silent: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    odd: Counter[str] = field(default_factory=Counter)
    refused: int = 0
    findings: int = 0
    repeated: int = 0
    seconds: float = 0.0

    def count(self, verdict: Verdict) -> None:
        """Add a case."""
        self.cases += 1
        self.statuses[verdict.status] += 1
        self.filled += bool(verdict.agree and verdict.rows)
        self.answers[sum(answer.counts for answer in verdict.answers)] += 1
        self.odd.update(answer.engine for answer in verdict.odd if verdict.disagree)
        for answer in verdict.answers:
            if answer.counts or answer.finding is None:
                self.answered[answer.engine] += 1
            else:
                feature = answer.fault.feature if isinstance(answer.fault, Unsupported) else ""
                feature = answer.finding.message if answer.kind == "lost" else feature
                self.silent[answer.engine, answer.finding.code, feature] += 1

    def lines(self) -> Iterator[str]:
        """The counts for people."""
        speed = f", {self.cases / self.seconds:,.0f} a second" if self.seconds else ""
        told = [f"{self.statuses[status]:,} {word}" for status, word in _WORDS.items() if self.statuses[status]]
        yield f"{self.cases:,} cases{speed}: {', '.join(told) or 'none'}; {self.filled:,} with rows"
        many = [f"{count:,} by {number}" for number, count in sorted(self.answers.items(), reverse=True)]
        yield f"  answered {', '.join(many)} engines"
        for engine in dict.fromkeys([*self.answered, *[name for name, _, _ in self.silent]]):
            odd = f", alone with them in {self.odd[engine]:,}" if self.odd[engine] else ""
            yield f"  {engine}: {self.answered[engine]:,} answers{odd}"
            reasons = [
                (-count, code, feature) for (name, code, feature), count in self.silent.items() if name == engine
            ]
            yield from (f"    {-count:,} {code} {feature}".rstrip() for count, code, feature in sorted(reasons))
        if self.refused:
            yield f"  {self.refused:,} queries that were none"
        yield f"{self.findings:,} findings" + (f", {self.repeated:,} like one before" if self.repeated else "")

    def to_json(self) -> dict[str, Any]:
        """The counts as a document."""
        silent = [
            {"engine": engine, "code": code, "feature": feature, "cases": count}
            for (engine, code, feature), count in self.silent.most_common()
        ]
        return {
            "cases": self.cases,
            "with_rows": self.filled,
            "statuses": dict(self.statuses),
            "answers": {str(number): count for number, count in sorted(self.answers.items())},
            "answered": dict(self.answered),
            "silent": silent,
            "odd": dict(self.odd),
            "refused": self.refused,
            "findings": self.findings,
            "repeated": self.repeated,
            "seconds": round(self.seconds, 3),
        }


_WORDS: dict[Status, str] = {
    "same": "the same",
    "different": "different",
    "failing": "failing on some",
    "open": "left open by the query",
    "unanswered": "without two answers",
}


def fuzz(
    panel: Panel,
    count: int,
    tally: Tally,
    *,
    seed: int = 0,
    dialect: str = "neo4j-25",
    profile: str | Profile = "reads",
    seconds: float | None = None,
    tries: int = TRIES,
    per_graph: int = PER_GRAPH,
) -> Iterator[Finding]:
    """Ask the engines about the cases `seed`, `seed` + 1, ..: so many, or for so many seconds.

    `tally` is added to after each case, so that it is right whenever the run is left.  Raises UsageFault where an
    engine cannot be opened or a profile is not known.
    """
    chosen = profile_of(profile)
    start = time.monotonic()
    seen: set[str] = set()
    held: tuple[int, Schema, PropertyGraph] | None = None
    for number in range(seed, seed + count):
        if seconds is not None and time.monotonic() - start > seconds:
            break
        if held is None or held[0] != number // per_graph:
            held = number // per_graph, *_graph_of(number // per_graph, chosen)
        question = question_of(number, held[1], held[2], chosen, dialect)
        found = _case(question, held[2], panel, tally, tries)
        tally.seconds = time.monotonic() - start
        if found is None:
            continue
        key = shape_of(found)
        if key in seen:
            tally.repeated += 1
            continue
        seen.add(key)
        tally.findings += 1
        yield Finding(number, question, found, script(found, panel))


def _case(question: Question, graph: PropertyGraph, panel: Panel, tally: Tally, tries: int) -> Disagreement | None:
    """The disagreement of a case, made small."""
    try:
        question.examine()
    except GraphirError:
        tally.refused += 1
        return None
    verdict = judge([question], graph, panel)
    tally.count(verdict)
    return minimal([question], graph, verdict, panel, alone, tries) if verdict.disagree else None


def case_of(
    number: int, dialect: str = "neo4j-25", profile: str | Profile = "reads", per_graph: int = PER_GRAPH
) -> tuple[Question, PropertyGraph]:
    """The question and the graph of the case of that number."""
    chosen = profile_of(profile)
    known, elements = _graph_of(number // per_graph, chosen)
    return question_of(number, known, elements, chosen, dialect), elements


def _graph_of(number: int, profile: Profile) -> tuple[Schema, PropertyGraph]:
    return ground(RandomDice(f"graph {number}"), profile)


def question_of(number: int, known: Schema, graph: PropertyGraph, profile: Profile, dialect: str) -> Question:
    """The query of that number over a graph of a schema."""
    dice = RandomDice(f"query {number}")
    surely = graph if graph.nodes and dice.chance(_SURELY) else None
    made = query(dice, known, dialect=dialect, profile=profile, nonempty_on=surely)
    return Question(made.text, dialect, made.parameters)


# ------------------------------------------------------------------ which are alike


def shape_of(found: Disagreement) -> str:
    """What two disagreements have in common that differ in names and constants only: who is against whom, and the
    query, its names numbered and its constants by their types."""
    names: dict[str, str] = {}

    def rule(node: ir.Node) -> ir.Node:
        if isinstance(node, ir.Literal):
            return ir.Literal(type(node.value).__name__)
        if isinstance(node, _NOT_NAMES):
            return node
        changes: dict[str, Any] = {
            field: names.setdefault(value, f"n{len(names)}")
            for field in _NAMES
            if field in node.fields_ and isinstance(value := getattr(node, field), str)
        }
        return replace(node, **changes) if changes else node

    against = found.verdict.odd or [found.verdict.answers[at] for group in found.verdict.groups for at in group]
    engines = sorted({f"{answer.engine} {answer.kind}" for answer in against})
    return f"{engines} {[dumps(ir.rewrite(question.query, rule)) for question in found.questions]}"
