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
from graphir.generation import Profile, RandomDice, graph, query, schema
from graphir.generation.profiles import profile as profile_of
from graphir.graphs import PropertyGraph
from graphir.ir.text import dumps
from graphir.proof.disagreements import Disagreement, alone, minimal
from graphir.proof.panels import Panel
from graphir.proof.questions import Question
from graphir.proof.scripts import script
from graphir.proof.verdicts import Status, Verdict, judge
from graphir.schema.model import Schema

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


@dataclass(slots=True)
class Tally:
    """Counts of cases: by status, those with rows, answers that count by engine; answers that do not, by engine and
    kind; known faults by engine and feature; disagreements that were like one before."""

    cases: int = 0
    filled: int = 0
    statuses: Counter[Status] = field(default_factory=Counter)
    answered: Counter[str] = field(default_factory=Counter)
    silent: Counter[tuple[str, str]] = field(default_factory=Counter)
    known: Counter[tuple[str, str]] = field(default_factory=Counter)
    refused: int = 0
    findings: int = 0
    repeated: int = 0
    odd: Counter[str] = field(default_factory=Counter)
    seconds: float = 0.0

    def count(self, verdict: Verdict) -> None:
        """Add a case."""
        self.cases += 1
        self.statuses[verdict.status] += 1
        self.filled += bool(verdict.agree and verdict.rows)
        self.odd.update(answer.engine for answer in verdict.odd if verdict.disagree)
        for answer in verdict.answers:
            if answer.counts:
                self.answered[answer.engine] += 1
                continue
            self.silent[answer.engine, answer.kind] += 1
            if answer.kind == "known" and isinstance(answer.fault, Unsupported):
                self.known[answer.engine, answer.fault.feature] += 1

    def lines(self) -> Iterator[str]:
        """The counts for people."""
        speed = f", {self.cases / self.seconds:,.0f} a second" if self.seconds else ""
        told = [f"{self.statuses[status]:,} {word}" for status, word in _WORDS.items() if self.statuses[status]]
        yield f"{self.cases:,} cases{speed}: {', '.join(told) or 'none'}; {self.filled:,} with rows"
        for engine, count in self.answered.items():
            silent = [f"{n:,} {kind}" for (name, kind), n in sorted(self.silent.items()) if name == engine]
            odd = f", the odd one in {self.odd[engine]:,}" if self.odd[engine] else ""
            yield f"  {engine}: {count:,} answers{odd}{'; ' if silent else ''}{', '.join(silent)}"
        for (engine, feature), count in sorted(self.known.items(), key=lambda item: (-item[1], item[0])):
            yield f"  known fault of {engine}: {feature}, {count:,} cases"
        if self.refused:
            yield f"  {self.refused:,} queries that were none"
        yield f"{self.findings:,} findings" + (f", {self.repeated:,} like one before" if self.repeated else "")


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
        if held is None or held[0] != number // PER_GRAPH:
            held = number // PER_GRAPH, *_graph_of(number // PER_GRAPH, chosen)
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


def case_of(number: int, dialect: str = "neo4j-25", profile: str | Profile = "reads") -> tuple[Question, PropertyGraph]:
    """The question and the graph of the case of that number."""
    chosen = profile_of(profile)
    known, elements = _graph_of(number // PER_GRAPH, chosen)
    return question_of(number, known, elements, chosen, dialect), elements


def _graph_of(number: int, profile: Profile) -> tuple[Schema, PropertyGraph]:
    dice = RandomDice(f"graph {number}")
    kinds = None if profile.kinds is None else tuple(sorted(profile.kinds))
    known = schema(dice, kinds=kinds, awkward=profile.awkward, single_labels=profile.single_labels)
    made = graph(dice, known, nodes=profile.nodes, edges=profile.edges, strange=profile.strange, ids=profile.ids)
    return known, made


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

    groups = sorted(sorted(f"{engine} {kind}" for engine, _, kind in group) for group in found.verdict.shape)
    return f"{groups} {[dumps(ir.rewrite(question.query, rule)) for question in found.questions]}"
