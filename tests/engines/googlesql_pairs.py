"""Random queries on two engines: the embedded one, and GoogleSQL's evaluator through its driver.

    python -m tests.engines.googlesql_pairs [--cases 2000] [--first 0] [--source pairs|elements|generation]

Every difference is printed with graph and query; the tally has what ran and what was refused, by code and feature.
`pairs` are queries within what GQL can say, `elements` patterns of theirs whose nodes, relationships and paths are the
result; `generation` are of everything that there is, and mostly refused.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import graphir
from graphir.backends.engines.protocol import Engine
from graphir.diagnostics import GraphirError
from graphir.evaluation import Strict
from graphir.generation import Profile, case
from graphir.graphs import PropertyGraph
from tests.engines import pairs

PER_GRAPH = 12
UNORDERED = Strict(lists="unordered")
SUMMED = Strict(lists="unordered", numbers="value")
"""A column has one type there: the sum of no floats is 0.0, where Cypher has 0."""


@dataclass(frozen=True)
class Question:
    """A query over a graph."""

    seed: int
    graph: PropertyGraph
    query: str
    parameters: dict[str, Any]
    dialect: str
    ordered: bool


@dataclass(frozen=True)
class Difference:
    """A question with two answers: rows, or the fault in their place."""

    question: Question
    wanted: Any
    found: Any
    reason: str


def of_pairs(seeds: Iterable[int]) -> Iterator[Question]:
    """The pairs of those numbers; several have one graph."""
    for seed in seeds:
        pair = pairs.pair(seed)
        dialect = "neo4j-5" if seed % 2 else "neo4j-25"
        yield Question(seed, graph_of(seed // PER_GRAPH), pair.query, {}, dialect, pair.ordered)


@lru_cache(1)
def graph_of(number: int) -> PropertyGraph:
    return PropertyGraph.from_dict(pairs.graph(number))


def of_elements(seeds: Iterable[int]) -> Iterator[Question]:
    """Patterns whose variables are the result."""
    for seed in seeds:
        queries = pairs.Queries(seed)
        clauses = [queries.match()]
        if queries.chance(0.3):
            queries.hops = 1
            clauses.append(queries.match())
        scope = queries.scope
        names = list(dict.fromkeys([*scope.nodes, *scope.edges, *scope.groups, *scope.paths]))
        if not names:
            continue
        shown = queries.dice.sample(names, queries.dice.randint(1, len(names)))
        word = "DISTINCT " if queries.chance(0.2) else ""
        returned = f"RETURN {word}{', '.join(shown)}"
        if queries.chance(0.2):
            returned += f" ORDER BY {shown[0]}.i" if shown[0] in scope.nodes else ""
        yield Question(seed, graph_of(seed // PER_GRAPH), "\n".join([*clauses, returned]), {}, "neo4j-5", False)


KINDS = frozenset({"int", "str", "bool", "float", "date", "node", "edge", "nodes", "edges", "path", "none"})


def of_generation(seeds: Iterable[int]) -> Iterator[Question]:
    profile = Profile("googlesql", {"update": 0}, kinds=KINDS, clauses=3, depth=2, strange=0.02, awkward=0.02)
    for seed in seeds:
        made = case(seed, profile=profile)
        yield Question(seed, made.graph, made.query, made.parameters, made.dialect, made.ordered)


def differences(google: Engine, questions: Iterable[Question], tally: Counter[str]) -> Iterator[Difference]:
    """Ask both engines; the tally counts what happened."""
    with graphir.connect() as ours:
        before: PropertyGraph | None = None
        for question in questions:
            tally["asked"] += 1
            try:
                if question.graph is not before:
                    before = None
                    google.clear()
                    google.load(question.graph)
                    ours.clear()
                    ours.load(question.graph)
                    before = question.graph
                found = google.run(question.query, question.parameters, question.dialect)
            except GraphirError as refusal:
                code = refusal.diagnostics[0].code
                tally[f"refused: {code} {getattr(refusal, 'feature', '')}".rstrip()] += 1
                if code == "G624":
                    yield from _also_fails(ours, question, refusal)
                continue
            tally["ran"] += 1
            tally["with rows"] += bool(found.rows)
            yield from _compared(ours, question, found, tally)


def _also_fails(ours: Engine, question: Question, refusal: GraphirError) -> Iterator[Difference]:
    """What fails at run time there has to fail here."""
    try:
        wanted = ours.run(question.query, question.parameters, question.dialect)
    except GraphirError:
        return
    yield Difference(question, wanted.rows, str(refusal), "only one of them fails")


def _compared(ours: Engine, question: Question, found: Any, tally: Counter[str]) -> Iterator[Difference]:
    try:
        wanted = ours.run(question.query, question.parameters, question.dialect)
    except GraphirError as fault:
        tally["different"] += 1
        yield Difference(question, str(fault), found.rows, "only one of them fails")
        return
    verdict = graphir.rows_equal(wanted, found, UNORDERED, ordered=question.ordered)
    if not verdict and "sum(" in question.query:
        verdict = graphir.rows_equal(wanted, found, SUMMED, ordered=question.ordered)
        tally["the sum of no floats is 0.0"] += bool(verdict)
    if not verdict or wanted.columns != found.columns:
        tally["different"] += 1
        yield Difference(question, wanted.rows, found.rows, verdict.reason)


SOURCES = {"pairs": of_pairs, "elements": of_elements, "generation": of_generation}


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--cases", type=int, default=2000)
    options.add_argument("--first", type=int, default=0, help="the number of the first")
    options.add_argument("--source", choices=tuple(SOURCES), default="pairs")
    options.add_argument("--speaks", default=None, help="the one dialect in which GoogleSQL is asked")
    chosen = options.parse_args()
    seeds = range(chosen.first, chosen.first + chosen.cases)
    tally: Counter[str] = Counter()
    with graphir.connect("googlesql", speaks=chosen.speaks) as google:
        for each in differences(google, SOURCES[chosen.source](seeds), tally):
            question = each.question
            print(f"--- {question.seed} {question.dialect}: {each.reason}\n{json.dumps(question.graph.to_dict())}")
            print(f"{question.query}\n{question.parameters}\nwanted {each.wanted}\nfound  {each.found}", flush=True)
    for name, count in sorted(tally.items()):
        print(f"{count:7} {name}")


if __name__ == "__main__":
    main()
