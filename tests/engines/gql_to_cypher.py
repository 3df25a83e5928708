"""GQL on Google's evaluator, and its translation to Cypher on a real Neo4j: the same rows.

    python -m tests.engines.gql_to_cypher [--texts 2000] [--first 0]

Every difference is printed with the graph and both texts; the tally ends with refusals by code and with features.
NEO4J_URI names a running server; else one is started.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import ExitStack
from functools import cache
from itertools import groupby
from typing import TYPE_CHECKING, Any, NamedTuple

from neo4j import Driver, GraphDatabase
from neo4j.exceptions import ClientError

import graphir
from graphir.backends.engines.googlesql.refusals import OUT_OF_RANGE, Refusal
from graphir.diagnostics import GraphirError, SemanticFault, Unsupported
from graphir.schema import DataType, EdgeType, NodeType, PropertyType
from tests.engines import gql_texts, pairs
from tests.engines.differential import PER_GRAPH, VERSIONS, Rows, comparable, fill, schema
from tests.engines.googlesql import database
from tests.engines.neo4j_server import loaded, serving

if TYPE_CHECKING:
    from graphir.backends.engines.googlesql.database import Database

READ = "gql-bigquery"
RAISED = ("ArithmeticError", "ArgumentError", "TypeError")
"""How the codes of errors end that a query raises when it runs."""
WHERE_WRONG = "error"
"""In place of the rows of a query that fails when it runs."""


class Difference(NamedTuple):
    """A translation that does not give the rows of the query."""

    seed: int
    query: str
    target: str
    text: str
    wanted: Rows | str
    found: Rows | str


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
    targets: tuple[str, ...] = tuple(VERSIONS),
) -> Iterator[Difference]:
    """Run the texts of those numbers, on an evaluator that has the schema; the tally counts what happens to them."""
    for number, several in groupby(seeds, lambda seed: seed // PER_GRAPH):
        graph = pairs.graph(number)
        fill(google, graph)
        with Server(driver, graph) as server:
            for seed in several:
                made = gql_texts.text(seed)
                tally["texts"] += 1
                wanted = answer(google, made.query)
                if wanted is None:
                    tally["not run by the evaluator"] += 1
                    continue
                tally.update([f"feature: {feature}" for feature in made.features])
                tally["with rows"] += bool(wanted) and wanted != WHERE_WRONG
                tally["failing"] += wanted == WHERE_WRONG
                for target in targets:
                    yield from _compared(server, seed, made, target, wanted, tally)


def translated(query: str, target: str) -> str:
    """The text in Cypher; under no schema where that says that nothing can match."""
    try:
        return graphir.translate(query, read=READ, write=target, schema=known())
    except SemanticFault:
        return graphir.translate(query, read=READ, write=target)


def _compared(
    server: Server,
    seed: int,
    made: gql_texts.Text,
    target: str,
    wanted: Rows | str,
    tally: Counter[str],
) -> Iterator[Difference]:
    try:
        text = translated(made.query, target)
    except Unsupported as refusal:
        tally[f"refused: {target} {refusal.diagnostics[0].code} {refusal.diagnostics[0].message[:60]}"] += 1
        return
    except GraphirError as fault:
        yield Difference(seed, made.query, target, "", wanted, str(fault))
        return
    found = server.rows(f"{VERSIONS[target]} {text}")
    tally[f"ran: {target}"] += 1
    if isinstance(found, str) or isinstance(wanted, str):
        same = found == wanted
    else:
        same = comparable(found, made.ordered) == comparable(wanted, made.ordered)
    if not same:
        yield Difference(seed, made.query, target, text, wanted, found)


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--texts", type=int, default=2000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--targets", default=",".join(VERSIONS))
    arguments = parser.parse_args()
    tally: Counter[str] = Counter()
    with serving() as uri, GraphDatabase.driver(uri) as driver, database("full") as google:
        google.define(schema())
        seeds = range(arguments.first, arguments.first + arguments.texts)
        for found in differences(driver, google, seeds, tally, tuple(arguments.targets.split(","))):
            tally["differences"] += 1
            print(f"--- {found.seed} {found.target}\n{found.query}\n\n{found.text}\n")
            print(f"wanted {found.wanted}\nfound {found.found}", flush=True)
    print(json.dumps({name: count for name, count in sorted(tally.items()) if count}, indent=1))


if __name__ == "__main__":
    main()
