"""Queries of Cypher and what they are in ISO GQL, both on the embedded engine: the rows have to be the same.

    python -m tests.iso_pairs [--cases 2000] [--first 0] [--source pairs|elements|generation|rows]

Every difference is printed with its texts; the tally has what ran and what was refused, by code and feature.  `rows`
are the queries of the corpora with the rows of a Neo4j server.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Any

import graphir
from graphir import api
from graphir.backends.engines.protocol import Engine
from graphir.diagnostics import GraphirError
from graphir.evaluation import Strict
from graphir.graphs import PropertyGraph
from tests import outside
from tests.engines.googlesql_pairs import SOURCES, Question

UNORDERED = Strict(lists="unordered")
REFUSED = (graphir.Unsupported, graphir.SemanticFault)


@dataclass(frozen=True)
class Difference:
    """A query whose translation has other rows, or fails alone."""

    question: Question
    translation: str
    wanted: Any
    found: Any
    reason: str


def of_rows(seeds: Iterable[int]) -> Iterator[tuple[Question, graphir.Schema | None]]:
    """The queries with the rows of a Neo4j server, over their graphs, with their schemas."""
    graphs = {row["id"]: row for row in outside.rows("conformance/neo4j_graphs")}
    schemas = {row["id"]: row for row in outside.rows("corpora/schemas")}

    @cache
    def graph(name: str) -> PropertyGraph:
        return PropertyGraph.from_dict({key: graphs[name][key] for key in ("nodes", "edges")})

    @cache
    def schema(name: str | None) -> graphir.Schema | None:
        row = schemas.get(name or "")
        return None if row is None else graphir.Schema.read(row["text"], format=row["format"])

    chosen = set(seeds)
    found = sorted(outside.rows("conformance/neo4j_rows"), key=lambda row: row["graph"])
    for number, row in enumerate(found):
        if number in chosen:
            question = Question(number, graph(row["graph"]), row["query"], {}, "neo4j-5", row["ordered"])
            yield question, schema(graphs[row["graph"]].get("schema"))


def differences(
    engine: Engine,
    questions: Iterable[tuple[Question, graphir.Schema | None]],
    tally: Counter[str],
    target: str = "gql-iso",
) -> Iterator[Difference]:
    """Ask in Cypher and in the translation; the tally counts what happened."""
    before: PropertyGraph | None = None
    for question, schema in questions:
        tally["asked"] += 1
        try:
            text = api.translate(question.query, question.dialect, target, schema)
        except REFUSED as refusal:
            tally[f"refused: {refusal.diagnostics[0].code} {getattr(refusal, 'feature', '')}".rstrip()] += 1
            continue
        tally["translated"] += 1
        if question.graph is not before:
            engine.clear()
            engine.load(question.graph)
            before = question.graph
        yield from _compared(engine, question, text, tally, target)


def _compared(engine: Engine, question: Question, text: str, tally: Counter[str], target: str) -> Iterator[Difference]:
    try:
        wanted: Any = engine.run(question.query, question.parameters, question.dialect)
    except GraphirError as fault:
        wanted = fault
    try:
        found: Any = engine.run(text, question.parameters, target)
    except GraphirError as fault:
        found = fault
    failed = isinstance(wanted, GraphirError), isinstance(found, GraphirError)
    if any(failed):
        tally["both fail" if all(failed) else "only Cypher fails" if failed[0] else "only GQL fails"] += 1
        if failed == (False, True):
            yield Difference(question, text, wanted.rows, f"{found.diagnostics[0]}", "only GQL fails")
        return
    tally["ran"] += 1
    tally["with rows"] += bool(found.rows)
    verdict = graphir.rows_equal(wanted, found, UNORDERED, ordered=question.ordered)
    if not verdict or wanted.columns != found.columns:
        tally["different"] += 1
        yield Difference(question, text, wanted.rows, found.rows, verdict.reason)


def questions(source: str, seeds: Iterable[int]) -> Iterator[tuple[Question, graphir.Schema | None]]:
    if source == "rows":
        yield from of_rows(seeds)
    else:
        yield from ((question, None) for question in SOURCES[source](seeds))


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--cases", type=int, default=2000)
    options.add_argument("--first", type=int, default=0, help="the number of the first")
    options.add_argument("--source", choices=(*SOURCES, "rows"), default="pairs")
    chosen = options.parse_args()
    seeds = range(chosen.first, chosen.first + chosen.cases)
    tally: Counter[str] = Counter()
    with graphir.connect() as engine:
        for each in differences(engine, questions(chosen.source, seeds), tally):
            question = each.question
            print(f"--- {question.seed} {question.dialect}: {each.reason}")
            if len(question.graph.nodes) < 20:
                print(json.dumps(question.graph.to_dict()))
            print(f"{question.query}\n{question.parameters}\n{each.translation}")
            print(f"wanted {str(each.wanted)[:600]}\nfound  {str(each.found)[:600]}", flush=True)
    for name, count in sorted(tally.items()):
        print(f"{count:7} {name}")


if __name__ == "__main__":
    main()
