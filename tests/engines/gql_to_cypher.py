"""GQL on Google's evaluator, and its translation to Cypher on a real Neo4j and on the embedded engine: the same rows.

    python -m tests.engines.gql_to_cypher [--texts 2000] [--first 0] [--graphs 4] [--targets neo4j-25,neo4j-5]
        [--json FILE] [--back]

Every difference is printed with the number of the graph and both texts; the tally ends with refusals by code and with
features.  A text is asked about on so many graphs: on the first with every target, on Neo4j and on the embedded engine,
on the others with one target and on one of the two, in turn.  A *pair* is a text and a graph on which both sides
answered.
With `--json`, the tally of every block of texts is a line of that file, and blocks that it tells of are not run again.
`--back` runs queries of Cypher that went to GQL and come back (`there_and_back`).  NEO4J_URI names a running server;
else one is started.
"""

from __future__ import annotations

import argparse
import json
import time
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping
from contextlib import ExitStack
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from neo4j import Driver, GraphDatabase
from neo4j.exceptions import ClientError

import graphir
from graphir.backends.engines.googlesql.refusals import OUT_OF_RANGE, Refusal
from graphir.backends.engines.protocol import Engine
from graphir.diagnostics import GraphirError, RunFault, SemanticFault, Unsupported
from graphir.schema import DataType, EdgeType, NodeType, PropertyType
from tests.engines import gql_texts, pairs
from tests.engines.differential import Rows, comparable, fill, schema
from tests.engines.googlesql import database
from tests.engines.neo4j_server import loaded, serving

if TYPE_CHECKING:
    from graphir.backends.engines.googlesql.database import Database

READ = "gql-bigquery"
PREFIXES = {"neo4j-25": "CYPHER 25", "neo4j-5": "CYPHER 5", "opencypher-9": "CYPHER 5"}
"""Target -> what Neo4j runs its texts with."""
RAISED = ("ArithmeticError", "ArgumentError", "TypeError")
"""How the codes of errors end that a query raises when it runs."""
WHERE_WRONG = "error"
"""In place of the rows of a query that fails when it runs."""
PER_BLOCK = 24
"""Texts that are asked about on the same graphs."""
LONG = 0.3
"""Seconds of a processor; a text that takes the evaluator longer is asked about on no other graph."""
VIA = ("gql-spanner", "gql-iso")
"""The dialects that a query goes through on its way back."""


class Difference(NamedTuple):
    """A translation that does not give the rows of the query."""

    seed: int
    graph: int
    query: str
    target: str
    text: str
    wanted: Rows | str
    found: Rows | str


class Case(NamedTuple):
    """A text, whether its rows are in order, and what it is in Cypher by target."""

    seed: int
    query: str
    ordered: bool
    texts: Mapping[str, str]

    def on(self, turn: int) -> Case:
        """What is asked about on the graph of that turn: every target on the first, then one after the other."""
        names = list(self.texts)
        return self._replace(texts={names[turn % len(names)]: self.texts[names[turn % len(names)]]}) if turn else self


class Server:
    """A Neo4j with one graph in it, which is loaded anew after a query that fails."""

    def __init__(self, driver: Driver, graph: dict[str, Any]) -> None:
        self.driver = driver
        self.graph = graph
        self.stack = ExitStack()
        self.transaction: Any = None

    def __enter__(self) -> Server:
        return self

    def __exit__(self, *_: object) -> None:
        self.stack.close()

    def rows(self, text: str) -> Rows | str:
        """The rows; WHERE_WRONG where the query fails when it runs, its message where it does not compile."""
        if self.transaction is None:
            self.transaction = self.stack.enter_context(loaded(self.driver, self.graph))
        try:
            return [tuple(record.values()) for record in self.transaction.run(text)]
        except ClientError as error:
            self.stack.close()
            self.transaction = None
            return WHERE_WRONG if (error.code or "").endswith(RAISED) else f"{error.code}: {error.message}"


class Referees:
    """What runs translations, with a graph in it: Neo4j and the embedded engine on the first turn, then one of them."""

    def __init__(self, server: Server, engine: Engine | None, turn: int) -> None:
        self.server = server if engine is None or turn % 2 == 0 else None
        self.engine = engine if turn % 2 or turn == 0 else None
        if self.engine is not None:
            self.engine.clear()
            self.engine.load(graphir.PropertyGraph.from_dict(server.graph))
        self.seen: dict[tuple[str, str, str], Rows | str] = {}

    def answers(self, text: str, target: str) -> Iterator[tuple[str, Rows | str]]:
        """(referee, its rows); equal texts are run once."""
        if self.server is not None:
            yield "neo4j", self.kept("neo4j", text, PREFIXES[target])
        if self.engine is not None:
            yield "embedded", self.kept("embedded", text, target)

    def kept(self, referee: str, text: str, how: str) -> Rows | str:
        key = referee, text, how
        if key not in self.seen:
            self.seen[key] = self._on_server(text, how) if referee == "neo4j" else self._embedded(text, how)
        return self.seen[key]

    def _on_server(self, text: str, prefix: str) -> Rows | str:
        assert self.server is not None
        return self.server.rows(f"{prefix} {text}")

    def _embedded(self, text: str, dialect: str) -> Rows | str:
        assert self.engine is not None
        try:
            return list(self.engine.run(text, {}, dialect).rows)
        except RunFault:
            return WHERE_WRONG
        except GraphirError as fault:
            return str(fault)


@cache
def known() -> graphir.Schema:
    """The schema of the graphs of `pairs`."""
    types = {"INT64": "INTEGER", "FLOAT64": "FLOAT", "BOOL": "BOOLEAN", "STRING": "STRING", "DATE": "DATE"}

    def properties(columns: dict[str, str]) -> tuple[PropertyType, ...]:
        return tuple([PropertyType(name, DataType(types[kind])) for name, kind in columns.items()])

    nodes = tuple([NodeType(labels, properties(pairs.NODE_PROPERTIES)) for labels in pairs.LABELS])
    ends = [(name, a, b) for name in pairs.TYPES for a in pairs.LABELS for b in pairs.LABELS]
    edges = tuple([EdgeType(name, a, b, properties(pairs.EDGE_PROPERTIES)) for name, a, b in ends])
    return graphir.Schema(nodes, edges)


def answer(google: Database, query: str) -> Rows | str | None:
    """The rows as the evaluator gives them; WHERE_WRONG for an error, None for a text that it does not run."""
    try:
        return google.query(query).rows
    except Refusal as refusal:
        return WHERE_WRONG if refusal.code == OUT_OF_RANGE else None


def differences(
    driver: Driver,
    google: Database,
    seeds: Iterable[int],
    tally: Counter[str],
    targets: tuple[str, ...] = tuple(PREFIXES),
    engine: Engine | None = None,
    graphs: int = 1,
) -> Iterator[Difference]:
    """Run the texts of those numbers, on an evaluator that has the schema; the tally counts what happens to them."""
    for number, several in groupby(seeds, lambda seed: seed // PER_BLOCK):
        made = [_case(seed, targets, tally) for seed in several]
        asked = [case for case in made if case.texts]
        for turn in range(graphs):
            graph = pairs.graph(number * graphs + turn)
            fill(google, graph)
            with Server(driver, graph) as server:
                referees = Referees(server, engine, turn)
                asked = yield from _on_graph(google, referees, number * graphs + turn, turn, asked, tally)


def _case(seed: int, targets: Iterable[str], tally: Counter[str]) -> Case:
    """The text of that number in Cypher; a fault in place of a translation is no Cypher, and so a difference."""
    made = gql_texts.text(seed)
    texts = {}
    for target in targets:
        try:
            texts[target] = translated(made.query, target)
        except Unsupported as refusal:
            tally[f"refused: {target} {refusal.diagnostics[0].code} {refusal.diagnostics[0].message[:60]}"] += 1
        except GraphirError as fault:
            texts[target] = str(fault)
    tally["texts"] += 1
    tally.update([f"feature: {feature}" for feature in made.features])
    return Case(seed, made.query, made.ordered, texts)


def _on_graph(
    google: Database, referees: Referees, graph: int, turn: int, asked: list[Case], tally: Counter[str]
) -> Generator[Difference, None, list[Case]]:
    """Ask about the cases; returned are those that are asked about on other graphs."""
    again = []
    for case in asked:
        start = time.process_time()
        wanted = answer(google, case.query)
        if wanted is None:
            tally["not run by the evaluator"] += 1
            continue
        if time.process_time() - start < LONG:
            again.append(case)
        else:
            tally["left out on further graphs"] += 1
        yield from _compared(referees, case.on(turn), graph, wanted, tally)
    return again


def translated(query: str, target: str) -> str:
    """The text in Cypher; under no schema where that says that nothing can match."""
    try:
        return graphir.translate(query, read=READ, write=target, schema=known())
    except SemanticFault:
        return graphir.translate(query, read=READ, write=target)


def _compared(
    referees: Referees, case: Case, graph: int, wanted: Rows | str, tally: Counter[str]
) -> Iterator[Difference]:
    counted = False
    for target, text in case.texts.items():
        for referee, found in referees.answers(text, target):
            tally[f"compared: {target} on {referee}"] += 1
            counted = True
            if not same(found, wanted, case.ordered):
                yield Difference(case.seed, graph, case.query, f"{target} on {referee}", text, wanted, found)
    tally["pairs"] += counted
    tally["pairs with rows"] += counted and bool(wanted) and wanted != WHERE_WRONG
    tally["pairs that fail"] += counted and wanted == WHERE_WRONG


def same(found: Rows | str, wanted: Rows | str, ordered: bool) -> bool:
    if isinstance(found, str) or isinstance(wanted, str):
        return found == wanted
    return comparable(found, ordered) == comparable(wanted, ordered)


# ------------------------------------------------------------------ there and back


def there_and_back(
    driver: Driver,
    seeds: Iterable[int],
    tally: Counter[str],
    targets: tuple[str, ...] = tuple(PREFIXES),
    engine: Engine | None = None,
    graphs: int = 1,
) -> Iterator[Difference]:
    """Cypher against what it is after it went to GQL and back, on the same engine."""
    for number, several in groupby(seeds, lambda seed: seed // PER_BLOCK):
        made = [case for seed in several for case in _returned(seed, targets, tally)]
        asked = [case for case in made if case.texts]
        for turn in range(graphs):
            graph = number * graphs + turn
            with Server(driver, pairs.graph(graph)) as server:
                referees = Referees(server, engine, turn)
                for case in asked:
                    _, wanted = next(referees.answers(case.query, "neo4j-5" if case.seed % 2 else "neo4j-25"))
                    if isinstance(wanted, str) and wanted != WHERE_WRONG:
                        tally["not run in Cypher"] += 1
                    else:
                        yield from _compared(referees, case.on(turn), graph, wanted, tally)


def _returned(seed: int, targets: tuple[str, ...], tally: Counter[str]) -> Iterator[Case]:
    """The query of that number in Cypher again, after each of the dialects of GQL."""
    pair = pairs.pair(seed)
    read = "neo4j-5" if seed % 2 else "neo4j-25"
    for via in VIA:
        try:
            text = graphir.translate(pair.query, read=read, write=via)
        except Unsupported as refusal:
            tally[f"refused: {via} {refusal.diagnostics[0].code}"] += 1
            continue
        tally["texts"] += 1
        texts: dict[str, str] = {}
        for target in targets:
            try:
                texts[target] = graphir.translate(text, read=via, write=target)
            except Unsupported as refusal:
                tally[f"refused: {via} to {target} {refusal.diagnostics[0].code}"] += 1
        yield Case(seed, pair.query, pair.ordered, texts)


# ------------------------------------------------------------------ runs


def blocks(first: int, texts: int, done: Path | None) -> Iterator[range]:
    """The numbers in blocks, without those that the file tells of."""
    lines = done.read_text(encoding="utf-8").splitlines() if done is not None and done.exists() else []
    told = {json.loads(line)["first"] for line in lines}
    for start in range(first, first + texts, PER_BLOCK):
        if start not in told:
            yield range(start, min(start + PER_BLOCK, first + texts))


def total(told: Path) -> Counter[str]:
    """The sum of the tallies of a file."""
    found: Counter[str] = Counter()
    for line in map(json.loads, told.read_text(encoding="utf-8").splitlines()):
        found.update({name: count for name, count in line.items() if name != "first"})
    return found


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--texts", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0, help="the number of the first text")
    parser.add_argument("--graphs", type=int, default=4, help="graphs for each text")
    parser.add_argument("--targets", default=",".join(PREFIXES))
    parser.add_argument("--json", type=Path, help="add the tally of each block to this file, and skip those it has")
    parser.add_argument("--back", action="store_true", help="Cypher there and back")
    given = parser.parse_args()
    targets = tuple(given.targets.split(","))
    sums: Counter[str] = Counter()
    with (
        serving() as uri,
        GraphDatabase.driver(uri, notifications_min_severity="OFF") as driver,
        database("full") as google,
        graphir.connect() as engine,
    ):
        google.define(schema())
        for block in blocks(given.first, given.texts, given.json):
            tally: Counter[str] = Counter()
            if given.back:
                found = there_and_back(driver, block, tally, targets, engine, given.graphs)
            else:
                found = differences(driver, google, block, tally, targets, engine, given.graphs)
            for each in found:
                tally["differences"] += 1
                print(f"--- {each.seed} graph {each.graph} {each.target}\n{each.query}\n\n{each.text}\n")
                print(f"wanted {each.wanted}\nfound {each.found}", flush=True)
            sums.update(tally)
            if given.json:
                with given.json.open("a", encoding="utf-8") as file:
                    file.write(json.dumps({"first": block.start, **tally}) + "\n")
    print(json.dumps({name: count for name, count in sorted(sums.items()) if count}, indent=1))


if __name__ == "__main__":
    main()
