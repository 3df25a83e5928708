"""SQL/PGQ and its translations to Cypher on Neo4j and to GQL on GoogleSQL's evaluator: their rows.

    python -m tests.engines.pgq_back [--source selects|printed] [--texts 200] [--first 0]
        [--reads pgq-postgres,pgq-oracle-26ai] [--targets neo4j-25,gql-spanner]

`selects` are random SELECTs of GoogleSQL (`select_texts.py`), whose rows the evaluator has confirmed, on the embedded
engine; `printed` what graphir itself writes in the dialects of `--reads` for random queries, read with the schema that
its definition says: its rows are those of the query on the graph that it was written for.  Every difference is printed;
the tally has what was answered and what was refused, by target and code.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from typing import Any

import graphir
from graphir import connect, rows_equal
from graphir.backends.engines.protocol import Engine
from graphir.diagnostics import GraphirError
from graphir.evaluation import Strict
from graphir.graphs import PropertyGraph
from graphir.schema import Schema, formats, infer
from tests.conformance.table_graphs import columns_of, graph_of
from tests.engines import googlesql_pairs, pairs, select_texts
from tests.engines.graph_tables import Making, Written
from tests.engines.neo4j_server import serving
from tests.engines.pgq_rows import without_empty

PER_GRAPH = 24
LOOSE = Strict(columns="position", lists="unordered", numbers="value")
"""A column has one type there: the sum of no floats is 0.0."""
READS = ("pgq-postgres", "pgq-oracle-26ai", "pgq-duckpgq")
TARGETS = ("neo4j-25", "gql-spanner")


@dataclass(frozen=True)
class Text:
    """A query in a dialect of SQL/PGQ, and a graph to ask; and the query that it was written for, with its graph."""

    number: int
    dialect: str
    text: str
    graph: PropertyGraph
    ordered: bool
    query: str | None = None
    source: PropertyGraph | None = None
    schema: Schema | None = None


@cache
def tables_graph() -> PropertyGraph:
    """The graph over the tables of `select_texts`."""
    tables = {name: columns_of(columns, rows, ("id",)) for name, (columns, rows) in select_texts.TABLES.items()}
    return graph_of(select_texts.GRAPH, tables)


def selects(numbers: Iterable[int]) -> Iterator[Text]:
    for number in numbers:
        text = select_texts.text(number)
        yield Text(number, "pgq-googlesql", text, tables_graph(), " ORDER BY " in text)


def printed(numbers: Iterable[int], dialects: Sequence[str], tally: Counter[str]) -> Iterator[Text]:
    """What is written for random queries; several have one graph."""
    writers = [Written(dialect) for dialect in dialects]
    held: tuple[PropertyGraph, PropertyGraph, list[tuple[PropertyGraph, Schema]]] | None = None
    for number in numbers:
        graph = googlesql_pairs.graph_of(number // PER_GRAPH)
        if held is None or held[0] is not graph:
            held = graph, without_empty(graph), []
            for writer in writers:
                writer.load(held[1])
                read = Schema.read(formats.write(writer.schema, writer.format), format=writer.format)
                held[2].append((Making(writer.definition, writer.laid).graph(), read))
        pair = pairs.pair(number)
        for writer, (laid, read) in zip(writers, held[2], strict=True):
            try:
                statement = writer.statement(pair.query, "neo4j-25")
            except GraphirError as refusal:
                tally[f"not written: {writer.dialect} {refusal.diagnostics[0].code}"] += 1
                continue
            yield Text(number, writer.dialect, statement.text, laid, pair.ordered, pair.query, held[1], read)


def schema_of(graph: PropertyGraph) -> Schema:
    """The types of its properties, on which much depends in SQL.  Graphs of several dialects are equal, since elements
    are by their numbers, and differ in their labels."""
    held = _SCHEMAS.get(id(graph))
    if held is None or held[0] is not graph:
        held = _SCHEMAS[id(graph)] = graph, infer.from_graph(graph)
    return held[1]


_SCHEMAS: dict[int, tuple[PropertyGraph, Schema]] = {}


class Engines:
    """Those that answer, each with the graph that was asked last."""

    def __init__(self, uri: str, targets: Sequence[str]) -> None:
        self.stack = ExitStack()
        openers: dict[str, Any] = {
            "neo4j-25": lambda: connect("neo4j", uri=uri, keep=False),
            "gql-spanner": lambda: connect("googlesql", speaks="gql-spanner"),
        }
        self.ours: Engine = self.stack.enter_context(connect())
        self.plain: Engine = self.stack.enter_context(connect())
        self.targets = {target: self.stack.enter_context(openers[target]()) for target in targets}
        self.held: dict[int, PropertyGraph] = {}

    def __enter__(self) -> Engines:
        return self

    def __exit__(self, *_: object) -> None:
        self.stack.close()

    def asked(self, engine: Engine, graph: PropertyGraph, text: str, dialect: str) -> Any:
        if self.held.get(id(engine)) is not graph:
            self.held.pop(id(engine), None)
            engine.clear()
            engine.load(graph)
            self.held[id(engine)] = graph
        return engine.run(text, dialect=dialect)


def differences(engines: Engines, texts: Iterable[Text], tally: Counter[str]) -> Iterator[str]:
    """The texts whose translation has other rows, or cannot be run; the tally counts what happened."""
    for each in texts:
        tally["texts"] += 1
        try:
            wanted = _wanted(engines, each)
        except GraphirError as refusal:
            tally[f"refused: {each.dialect} {refusal.diagnostics[0].code}"] += 1
            continue
        tally["with rows"] += bool(wanted.rows)
        for target, engine in engines.targets.items():
            yield from _compared(engines, engine, target, each, wanted, tally)


def _wanted(engines: Engines, each: Text) -> Any:
    if each.query is None or each.source is None:
        return engines.asked(engines.ours, each.graph, each.text, each.dialect)
    return engines.asked(engines.plain, each.source, each.query, "neo4j-25")


def _compared(
    engines: Engines, engine: Engine, target: str, each: Text, wanted: Any, tally: Counter[str]
) -> Iterator[str]:
    text = ""
    try:
        text = graphir.translate(
            each.text, read=each.dialect, write=target, schema=each.schema or schema_of(each.graph)
        )
        found = engines.asked(engine, each.graph, text, target)
    except GraphirError as refusal:
        first = refusal.diagnostics[0]
        tally[f"refused: {each.dialect} to {target} {first.code}"] += 1
        if first.code in ("G621", "G622", "G624"):
            yield f"--- {each.number} {each.dialect} {target}: {first.message}\n{each.text}\n\n{text}"
        return
    tally[f"compared: {each.dialect} to {target}"] += 1
    verdict = rows_equal(wanted, found, LOOSE, ordered=each.ordered)
    if not verdict:
        tally[f"different: {each.dialect} to {target}"] += 1
        told = f"{json.dumps(each.graph.to_dict())}\n{each.text}\n\n{text}\nwanted {wanted.rows}\nfound  {found.rows}"
        yield f"--- {each.number} {each.dialect} {target}: {verdict.reason}\n{told}"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--source", choices=("selects", "printed"), default="selects")
    options.add_argument("--texts", type=int, default=200)
    options.add_argument("--first", type=int, default=0)
    options.add_argument("--reads", default=",".join(READS))
    options.add_argument("--targets", default=",".join(TARGETS))
    chosen = options.parse_args()
    tally: Counter[str] = Counter()
    numbers = range(chosen.first, chosen.first + chosen.texts)
    found = selects(numbers) if chosen.source == "selects" else printed(numbers, chosen.reads.split(","), tally)
    with serving() as uri, Engines(uri, chosen.targets.split(",")) as engines:
        for told in differences(engines, found, tally):
            print(told, flush=True)
    for name, count in sorted(tally.items()):
        print(f"{count:7} {name}")


if __name__ == "__main__":
    main()
