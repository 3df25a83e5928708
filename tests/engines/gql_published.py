"""Google's compliance rows and documentation examples in Cypher, on a real Neo4j: what comes of each.

    python -m tests.engines.gql_published [--target neo4j-25] [--every 1]

A row is `right` (Neo4j gives the rows of Google), `wrong`, `refused`, `raised` where Google raises an error too, or
`apart` where the graph has edges with several labels or values that Neo4j does not store.
NEO4J_URI names a running server; else one is started.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

import graphir
from graphir import Edge, Node, PropertyGraph
from graphir.backends.engines.drivers.neo4j import Neo4j
from graphir.diagnostics import Diagnostic, GraphirError, RunFault
from graphir.schema import DataType, EdgeType, NodeType, PropertyType
from graphir.values import Date, DateTime
from tests.conformance.gql_rows import NAMED, agree, compliance, documentation, graphs, parameters, plain
from tests.engines.neo4j_server import serving

READ = {"(": "pgq-googlesql", "": "gql-bigquery"}
TYPES: dict[type, str] = {
    **{bool: "BOOLEAN", int: "INTEGER", float: "FLOAT", str: "STRING", Date: "DATE", DateTime: "ZONED DATETIME"}
}


@dataclass(frozen=True)
class Outcome:
    """What came of a row, and what is to be said about it."""

    verdict: str
    told: str = ""
    text: str = ""


def outcomes(uri: str, rows: Iterable[Mapping[str, Any]], target: str) -> Iterator[tuple[str, Outcome]]:
    """What comes of each row, by its id; a server holds one graph at a time."""
    for row in sorted(rows, key=lambda row: (row["setup"], str(NAMED.search(row["query"])))):
        yield row["id"], outcome(uri, row, target)


def outcome(uri: str, row: Mapping[str, Any], target: str) -> Outcome:
    found = NAMED.search(row["query"])
    graph = graphs().get((row["setup"], found[2].lower().strip("`"))) if found else None
    if found is None or graph is None:
        return Outcome("apart", "names no graph that is known")
    if not is_storable(graph):
        return Outcome("apart", "a graph that Neo4j does not hold")
    read = READ["(" if "(" in found[1] else ""]
    try:
        text = graphir.translate(row["query"], read=read, write=target, schema=schema_of(graph))
    except GraphirError as fault:
        first: Diagnostic = fault.diagnostics[0]
        return Outcome("refused", f"{first.code} {first.message[:80]}")
    with Neo4j(uri, keep=False, trusting=True) as server:
        server.load(graph)
        try:
            result = server.run(text, parameters(row), target)
        except GraphirError as fault:
            raised = bool(row["error"]) and isinstance(fault, RunFault)
            return Outcome("raised" if raised else "wrong", str(fault), text)
    if row["error"]:
        return Outcome("wrong", f"no error, but {result.rows[:3]}", text)
    given = [[plain(value) for value in each] for each in result.rows]
    if agree(given, row["rows"], ordered=bool(row["ordered"])):
        return Outcome("right")
    return Outcome("wrong", f"{given[:6]} not {row['rows'][:6]}", text)


def is_storable(graph: PropertyGraph) -> bool:
    """Whether edges have one label and properties have types of Neo4j."""
    values = [value for element in (*graph.nodes, *graph.edges) for value in element.properties.values()]
    return all(len(edge.labels) < 2 for edge in graph.edges) and all(type(value) in TYPES for value in values)


@cache
def schema_of(graph: PropertyGraph) -> graphir.Schema:
    """The schema that the elements of a graph show, with the properties that their definitions declare."""
    labels = {node.id: node.labels for node in graph.nodes}
    nodes: dict[tuple[str, ...], list[Node]] = {}
    edges: dict[tuple[str, tuple[str, ...], tuple[str, ...]], list[Edge]] = {}
    for node in graph.nodes:
        nodes.setdefault(tuple(sorted(node.labels)), []).append(node)
    for edge in graph.edges:
        ends = [tuple(sorted(labels[end])) for end in (edge.start, edge.end)]
        edges.setdefault((edge.type, ends[0], ends[1]), []).append(edge)
    return graphir.Schema(
        tuple([NodeType(key, properties(found)) for key, found in nodes.items()]),
        tuple([EdgeType(*key, properties(found)) for key, found in edges.items()]),
    )


def properties(elements: Iterable[Node | Edge]) -> tuple[PropertyType, ...]:
    found: dict[str, DataType | None] = {}
    for element in elements:
        for name in element.definition.properties if element.definition is not None else ():
            found.setdefault(name, None)
        for name, value in element.properties.items():
            found[name] = DataType(TYPES[type(value)]) if type(value) in TYPES else found.get(name)
    return tuple([PropertyType(name, kind) for name, kind in found.items()])


def every(step: int = 1) -> list[dict[str, Any]]:
    """The rows of both files, or every so many of them."""
    return [*compliance(), *documentation()][::step]


def main() -> None:
    parser = argparse.ArgumentParser()
    parser.add_argument("--target", default="neo4j-25")
    parser.add_argument("--every", type=int, default=1)
    arguments = parser.parse_args()
    tally: Counter[str] = Counter()
    with serving() as uri:
        for name, found in outcomes(uri, every(arguments.every), arguments.target):
            refusal = f"{found.verdict}: {found.told}" if found.verdict in ("refused", "apart") else found.verdict
            tally[refusal] += 1
            if found.verdict == "wrong":
                print(f"--- {name}\n{found.text}\n{found.told}", flush=True)
    for verdict, count in tally.most_common():
        print(count, verdict)


if __name__ == "__main__":
    main()
