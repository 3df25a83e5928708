"""Cypher on Neo4j and on the embedded engine against its translations to SQL/PGQ on what runs them.

    python -m tests.engines.pgq_rows [--source pairs|generated|pgq|elements|shared|corpus] [--cases 1000] [--first 0]
        [--dialects pgq-hyper,pgq-googlesql,read:pgq-oracle-26ai,join:pgq-duckpgq] [--seconds S] [--small]
        [--state FILE]

Every difference is printed with graph, query and text; the tally has what was answered and what was refused, by dialect
and code.  `--state` keeps the tally in a file and goes on where the file ends, source by source.  NEO4J_URI names a
running server; else one is started.  Sources are those of `gql_rows`, and `generated` those of the profile `FLAT`.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from graphir import generation
from graphir.backends.engines import connect
from graphir.backends.engines.protocol import Engine
from graphir.graphs import PropertyGraph
from graphir.proof import Panel
from graphir.proof.disagreements import alone, minimal
from graphir.proof.fuzzing import case_of
from graphir.proof.questions import Question
from tests.engines import gql_rows, graph_joins
from tests.engines.gql_rows import PER_GRAPH, Difference, Speaking
from tests.engines.neo4j_server import serving

SOURCES = ("pairs", "generated", "pgq", "elements", "shared", "corpus")
FLAT = generation.Profile(
    "flat",
    dict.fromkeys(("update", "list", "map", "temporal", "conversion", "bag", "shortest", "point"), 0),
    kinds=frozenset(["int", "str", "bool", "float", "date", "node", "edge", "edges", "path", "length", "none"]),
)
"""What can be said in SQL/PGQ, more or less."""
STEP = 480
"""Cases after which the state is written: a multiple of the cases to a graph."""

OPENERS: dict[str, Callable[[], Engine]] = {
    "pgq-hyper": lambda: connect("hyper"),
    "pgq-googlesql": lambda: Speaking(connect("googlesql"), "pgq-googlesql"),
}
"""Dialect -> what opens the engine of its texts."""


def opener(name: str) -> Callable[[], Engine]:
    """What opens the engine of a dialect, or of a way to answer its texts: `read:pgq-oracle-26ai`."""
    way, mark, dialect = name.partition(":")
    return (lambda: graph_joins.opened(way, dialect)) if mark else OPENERS[name]


def panel(dialects: Iterable[str], uri: str) -> Panel:
    """The measures, and an engine for each dialect."""
    measures: dict[str, Any] = {"neo4j": lambda: connect("neo4j", uri=uri, keep=False), "duckdb": connect}
    return Panel(measures | {dialect: opener(dialect) for dialect in dialects})


def questions(source: str, numbers: Iterable[int]) -> Iterator[tuple[int, Question, PropertyGraph]]:
    """The questions of those numbers, and their graphs; several have one graph."""
    if source != "generated":
        yield from gql_rows.of_numbers(source, numbers)
        return
    held: tuple[int, PropertyGraph] | None = None
    for number in numbers:
        question, graph = case_of(number, "neo4j-5" if number % 2 else "neo4j-25", FLAT, PER_GRAPH)
        if held is None or held[0] != number // PER_GRAPH:
            held = number // PER_GRAPH, graph
        yield number, question, held[1]


def without_empty(graph: PropertyGraph) -> PropertyGraph:
    """The graph with another string in place of the empty one, which is null in Oracle."""
    nodes = [replace(node, properties=_told_apart(node.properties)) for node in graph.nodes]
    return PropertyGraph(tuple(nodes), tuple([replace(e, properties=_told_apart(e.properties)) for e in graph.edges]))


def _told_apart(properties: Mapping[str, Any]) -> dict[str, Any]:
    return {key: "e" if value == "" else value for key, value in properties.items()}


def held_by_all(
    found: Iterable[tuple[int, Question, PropertyGraph]],
) -> Iterator[tuple[int, Question, PropertyGraph]]:
    """The questions about graphs without the empty string; those of one graph have one graph."""
    held: tuple[PropertyGraph, PropertyGraph] | None = None
    for number, question, graph in found:
        if held is None or held[0] is not graph:
            held = graph, without_empty(graph)
        yield number, question, held[1]


class State:
    """Tallies by source and dialects, with the number of the next case; in a file, if there is one."""

    def __init__(self, path: Path | None, key: str) -> None:
        self._path = path
        self._key = key
        self._all: dict[str, Any] = json.loads(path.read_text("utf-8")) if path is not None and path.exists() else {}
        found = self._all.get(key, {})
        self.next: int | None = found.get("next")
        self.seconds: float = found.get("seconds", 0.0)
        self.tally: Counter[str] = Counter(found.get("tally", {}))

    def keep(self, next: int, seconds: float, tally: Counter[str]) -> None:
        """Add what came of the cases before that number."""
        self.next = next
        self.seconds += seconds
        self.tally += tally
        if self._path is not None:
            listed = dict(sorted(self.tally.items()))
            self._all[self._key] = {"next": self.next, "seconds": round(self.seconds, 1), "tally": listed}
            self._path.write_text(json.dumps(self._all, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def told(found: Difference, asked: Panel, *, small: bool) -> Iterator[str]:
    """A difference for people; `small`: made small, too."""
    yield from found.lines()
    if small:
        made = minimal([found.question], found.graph, found.verdict, asked, alone, 200)
        yield "made small:"
        yield from Difference(found.number, made.questions[0], made.graph, made.verdict).lines()


def run(chosen: argparse.Namespace, asked: Panel, state: State) -> None:
    """Ask in steps, from where the state ends."""
    start = time.monotonic()
    first = chosen.first if state.next is None else max(chosen.first, state.next)
    last = chosen.first + chosen.cases
    for step in range(first, last, STEP):
        numbers = range(step, min(step + STEP, last))
        tally: Counter[str] = Counter()
        begun = time.monotonic()
        found_there = questions(chosen.source, numbers)
        if "oracle" in chosen.dialects:
            found_there = held_by_all(found_there)
        for found in gql_rows.differences(asked, found_there, tally):
            print("\n".join(told(found, asked, small=chosen.small)), flush=True)
        state.keep(numbers[-1] + 1, time.monotonic() - begun, tally)
        differ = sum([count for name, count in state.tally.items() if name.startswith("different")])
        print(f"{chosen.source} {numbers[-1] + 1}: {state.tally['cases']} cases, {differ} different", flush=True)
        if not tally or (chosen.seconds is not None and time.monotonic() - start > chosen.seconds):
            return


def main() -> None:
    options = gql_rows.options_of(__doc__, SOURCES, "pgq-hyper")
    options.add_argument("--state", type=Path, help="keep the tally in this file, and go on where it ends")
    chosen = options.parse_args()
    state = State(chosen.state, f"{chosen.source} {chosen.dialects}")
    with serving() as uri, panel(chosen.dialects.split(","), uri) as asked:
        run(chosen, asked, state)
    for name, count in sorted(state.tally.items()):
        print(f"{count:7} {name}")
    print(f"{state.seconds:.0f} s")


if __name__ == "__main__":
    main()
