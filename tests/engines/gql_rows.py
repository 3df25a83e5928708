"""Cypher on Neo4j and on the embedded engine against its translations to GQL on the engines that speak them.

    python -m tests.engines.gql_rows [--source pairs|elements|gql|shared|reads|corpus] [--cases 1000] [--first 0]
        [--dialects gql-spanner,gql-neo4j-25,gql-grafeo] [--seconds S] [--small] [--json FILE]

Every difference is printed with graph, query and text; the tally has what was answered and what was refused, by dialect
and code.  NEO4J_URI names a running server; else one is started.  `pairs` are queries within what GQL can say,
`elements` patterns whose nodes, relationships and paths are the result, `corpus` real queries on graphs of `../shared`;
the others are profiles of `graphir.generation`.  Grafeo needs Python 3.12.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

from graphir import check, ir
from graphir.backends.engines import connect
from graphir.backends.engines.protocol import Engine
from graphir.diagnostics import GraphirError, UsageFault
from graphir.evaluation import Strict, reference, rows_equal
from graphir.graphs import PropertyGraph
from graphir.proof import Panel
from graphir.proof.disagreements import alone, minimal
from graphir.proof.fuzzing import case_of
from graphir.proof.questions import Question
from graphir.proof.verdicts import Verdict, judge
from tests.engines import googlesql_pairs, pairs
from tests.engines.neo4j_server import serving
from tests.outside import rows

SOURCES = ("pairs", "elements", "gql", "shared", "reads", "corpus")
MEASURES = ("neo4j", "duckdb")
"""The engines that are asked in Cypher."""
PER_GRAPH = 48
MOST = 60
"""Nodes of a graph of the corpora: the evaluator goes through all combinations."""
REJECTED = ("G621", "G622")
"""An engine does not take the text of a translation."""
SUMMED = Strict(columns="position", lists="unordered", numbers="value")
"""A column has one type in most engines of GQL: the sum of no floats is 0.0, where Cypher has 0."""


class Speaking:
    """An engine that is asked in one of its dialects alone; to a panel an engine like any other."""

    def __init__(self, engine: Any, dialect: str) -> None:
        self.name = dialect
        self._engine = engine
        self._dialect = dialect

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def load(self, source: Any, schema: Any = None) -> Any:
        return self._engine.load(source, schema)

    def clear(self) -> None:
        self._engine.clear()

    def run(self, text: str, parameters: Mapping[str, Any] | None = None, dialect: str = "neo4j-25") -> Any:
        with self._engine.speaking(self._dialect):
            return self._engine.run(text, parameters, dialect)

    def close(self) -> None:
        self._engine.close()


SPEAKERS: dict[str, str] = {
    "gql-spanner": "googlesql",
    "gql-bigquery": "googlesql",
    "pgq-googlesql": "googlesql",
    "gql-neo4j-25": "neo4j",
    "gql-grafeo": "grafeo",
    "gql-iso": "duckdb",
}
"""Dialect -> the engine that runs its texts."""


def opener(dialect: str, uri: str) -> Callable[[], Engine]:
    """What opens the engine of a dialect."""
    kind = SPEAKERS[dialect]
    options: dict[str, Any] = {"uri": uri, "keep": False} if kind == "neo4j" else {}
    if dialect == "gql-bigquery":
        options["profile"] = "full"
    return lambda: Speaking(connect(kind, **options), dialect)


def panel(dialects: Iterable[str], uri: str) -> Panel:
    """The measures, and an engine for each dialect."""
    openers: dict[str, Any] = {
        "neo4j": lambda: connect("neo4j", uri=uri, keep=False),
        "duckdb": connect,
        **{dialect: opener(dialect, uri) for dialect in dialects},
    }
    return Panel(openers)


# ------------------------------------------------------------------ questions


def of_numbers(source: str, numbers: Iterable[int]) -> Iterator[tuple[int, Question, PropertyGraph]]:
    """The questions of those numbers, and their graphs; several have one graph."""
    if source == "corpus":
        yield from of_corpus(numbers)
        return
    if source == "elements":
        for each in googlesql_pairs.of_elements(numbers):
            yield each.seed, Question(each.query, each.dialect, each.parameters), each.graph
        return
    if source == "pairs":
        for number in numbers:
            made = Question(pairs.pair(number).query, "neo4j-5" if number % 2 else "neo4j-25")
            yield number, made, googlesql_pairs.graph_of(number // PER_GRAPH)
        return
    held: tuple[int, PropertyGraph] | None = None
    for number in numbers:
        question, graph = case_of(number, "neo4j-5" if number % 2 else "neo4j-25", source, PER_GRAPH)
        if held is None or held[0] != number // PER_GRAPH:
            held = number // PER_GRAPH, graph
        yield number, question, held[1]


def of_corpus(numbers: Iterable[int]) -> Iterator[tuple[int, Question, PropertyGraph]]:
    """Real queries on the graphs that were generated for them, cut to what the evaluator can do."""
    graphs = {row["id"]: row for row in rows("conformance/neo4j_graphs")}
    cases = sorted(rows("conformance/neo4j_rows"), key=lambda row: row["graph"])
    held: tuple[str, PropertyGraph] | None = None
    for number in numbers:
        if number >= len(cases):
            return
        row = cases[number]
        if held is None or held[0] != row["graph"]:
            held = row["graph"], PropertyGraph.from_dict(cut(graphs[row["graph"]], MOST))
        newest = not any(found.severity == "error" for found in check(row["query"], "neo4j-25"))
        yield number, Question(row["query"], "neo4j-25" if newest else "neo4j-5"), held[1]


def cut(graph: Mapping[str, Any], most: int) -> dict[str, Any]:
    """A part of a graph with so many nodes: those of its first edges, then others."""
    ends = [
        end for edge in graph["edges"][:: max(1, len(graph["edges"]) // most)] for end in (edge["start"], edge["end"])
    ]
    wanted = [*ends, *[node["id"] for node in graph["nodes"]]]
    kept = set(list(dict.fromkeys(wanted))[:most])
    return {
        "nodes": [node for node in graph["nodes"] if node["id"] in kept],
        "edges": [edge for edge in graph["edges"] if edge["start"] in kept and edge["end"] in kept],
    }


@dataclass(frozen=True)
class Difference:
    """A question whose translation gives other rows than the query, or fails where the query does not."""

    number: int
    question: Question
    graph: PropertyGraph
    verdict: Verdict

    def lines(self) -> Iterator[str]:
        """For people."""
        yield f"--- {self.number} {self.question.dialect}"
        yield json.dumps(self.graph.to_dict(), ensure_ascii=False)
        yield self.question.text
        if self.question.parameters:
            yield f"parameters {self.question.parameters}"
        for answer in self.verdict.answers:
            if answer.counts:
                shown = answer.result.rows if answer.result is not None else str(answer.fault)
                yield f"{answer.engine}: {shown}"


def differences(
    asked: Panel, questions: Iterable[tuple[int, Question, PropertyGraph]], tally: Counter[str]
) -> Iterator[Difference]:
    """Ask all engines; the tally counts what happened."""
    for number, question, graph in questions:
        try:
            verdict = judge([question], graph, asked)
        except UsageFault:
            raise
        except GraphirError as refusal:
            tally[f"no query: {refusal.diagnostics[0].code}"] += 1
            continue
        except (RuntimeError, LookupError, AssertionError) as fault:  # ours: no refusal, and no reason to end the run
            tally["different: a fault of graphir itself"] += 1
            print(f"--- {number} {question.dialect}: {fault!r}\n{question.text}", flush=True)
            continue
        tally["cases"] += 1
        _count(question, verdict, tally)
        if not verdict.disagree:
            tally["left open by the query"] += verdict.status == "open"
            continue
        if _only_sums(question, graph, verdict, asked):
            tally["the sum of no floats is 0.0"] += 1
            continue
        for at in (at for group in verdict.groups[1:] for at in group):
            tally[f"different: {verdict.answers[at].engine}"] += 1
        yield Difference(number, question, graph, verdict)


def _count(question: Question, verdict: Verdict, tally: Counter[str]) -> None:
    tally["with rows"] += bool(verdict.rows)
    measured = sum([answer.counts for answer in verdict.answers if answer.engine in MEASURES])
    tally[f"answered by {measured} of Neo4j and the embedded engine"] += 1
    for answer in verdict.answers:
        if answer.counts:
            tally[f"answered: {answer.engine}"] += 1
            tally[f"compared: {answer.engine}"] += measured > (answer.engine in MEASURES)
        elif answer.finding is not None:
            feature = getattr(answer.fault, "feature", "") or ""
            if answer.finding.code in REJECTED and answer.engine not in MEASURES:
                print(f"rejected by {answer.engine}: {answer.finding.message}\n{question.text}", flush=True)
            tally[f"refused: {answer.engine} {answer.finding.code} {feature}".rstrip()] += 1


def _only_sums(question: Question, graph: PropertyGraph, verdict: Verdict, asked: Panel) -> bool:
    """Whether all that differs is the type of sums."""
    if not any(isinstance(node, ir.Apply) and node.function == "sum" for node in ir.walk(question.core.body)):
        return False
    answers = [verdict.answers[group[0]] for group in verdict.groups]
    first, *others = [answer.result for answer in answers]
    if all(bool(rows_equal(first, other, SUMMED, ordered=question.ordered)) for other in others):
        return True
    if not question.ordered or None in (first, *others):
        return False
    engine = asked.held(answers[0].engine, graph)
    try:
        measure = reference(engine, question.text, question.parameters, question.dialect)
    except GraphirError:
        return False
    return all(bool(rows_equal(measure, other, SUMMED)) for other in others)


def options_of(description: str | None, sources: Iterable[str], dialects: str) -> argparse.ArgumentParser:
    """The options that say what is compared."""
    options = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--cases", type=int, default=1000)
    options.add_argument("--first", type=int, default=0, help="the number of the first")
    options.add_argument("--source", choices=list(sources), default="pairs")
    options.add_argument("--dialects", default=dialects)
    options.add_argument("--seconds", type=float, default=None, help="stop then")
    options.add_argument("--small", action="store_true", help="make each difference small")
    return options


def main() -> None:
    options = options_of(__doc__, SOURCES, "gql-spanner")
    options.add_argument("--json", type=Path, help="add the tally to this file, as a line")
    chosen = options.parse_args()
    numbers = range(chosen.first, chosen.first + chosen.cases)
    tally: Counter[str] = Counter()
    start = time.monotonic()
    with serving() as uri, panel(chosen.dialects.split(","), uri) as asked:
        questions = until(chosen.seconds, of_numbers(chosen.source, numbers))
        for found in differences(asked, questions, tally):
            print("\n".join(found.lines()), flush=True)
            if chosen.small:
                small = minimal([found.question], found.graph, found.verdict, asked, alone, 200)
                shown = Difference(found.number, small.questions[0], small.graph, small.verdict)
                print("made small:", *shown.lines(), sep="\n", flush=True)
    passed = time.monotonic() - start
    for name, count in sorted(tally.items()):
        print(f"{count:7} {name}")
    print(f"{tally['cases'] / passed:.1f} cases a second, {passed:.0f} s")
    if chosen.json:
        told = {"source": chosen.source, "first": chosen.first, "dialects": chosen.dialects, **tally}
        with chosen.json.open("a", encoding="utf-8") as file:
            file.write(json.dumps(told) + "\n")


def until(
    seconds: float | None, questions: Iterator[tuple[int, Question, PropertyGraph]]
) -> Iterator[tuple[int, Question, PropertyGraph]]:
    """The questions that are begun in time; all, if there is no time."""
    start = time.monotonic()
    for each in questions:
        if seconds is not None and time.monotonic() - start > seconds:
            return
        yield each


if __name__ == "__main__":
    main()
