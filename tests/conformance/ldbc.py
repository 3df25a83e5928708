"""The 126 queries on which published translators were measured: our translations judged by the rows of the query.

    python -m tests.conformance.ldbc [--graphs 12]       the table of `docs/differential.md`

Each is asked in Cypher on the embedded engine, about random graphs that have what it names.  GQL of Spanner and its SQL
run on GoogleSQL's evaluator, SQL/PGQ of Hyper on Hyper, that of PostgreSQL, DuckPGQ and Oracle with joins in place of
graph tables (`tests.engines.graph_joins`); ISO GQL on the embedded engine, and so does the right text of the list.
"""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import graphir
from graphir.diagnostics import GraphirError
from graphir.evaluation import Strict, rows_equal
from graphir.graphs import PropertyGraph
from graphir.proof.hints import hints_of
from graphir.proof.questions import Question
from graphir.proof.samples import guessed, samples
from graphir.schema import DataType, PropertyType, Schema
from tests.engines.pgq_rows import without_empty
from tests.outside import SHARED

PATH = SHARED / "spec" / "ldbc_queries.json"
TABLES = ("pgq-iso", "pgq-postgres", "pgq-duckpgq", "pgq-oracle-23ai", "pgq-oracle-26ai")
"""Dialects over the tables of a schema, which is that of each graph."""
TARGETS = ("gql-spanner", "pgq-googlesql", "gql-iso", "given", "pgq-hyper", *TABLES)
"""The dialects, and the text that the list gives as right ISO GQL."""
_STRINGS = "name city sex nick email code plate first last note title type"
_FLOATS = "score delta price km2 weight"
_INTEGERS = "age id city_id pop since qty balance x c d value a b"
_TYPES: dict[str, DataType] = {
    **{name: DataType("STRING") for name in _STRINGS.split()},
    **{name: DataType("FLOAT") for name in _FLOATS.split()},
    **{name: DataType("INTEGER") for name in _INTEGERS.split()},
    "tags": DataType("LIST", DataType("STRING")),
    "scores": DataType("LIST", DataType("INTEGER")),
    "born": DataType("DATE"),
    "ts": DataType("ZONED DATETIME"),
    "ok": DataType("BOOLEAN"),
}
"""Types of properties: a query that returns one says nothing of it."""
_OTHERS = {
    "x06": {"a": DataType("BOOLEAN"), "b": DataType("BOOLEAN")},
    "d03": {"a": DataType("ZONED DATETIME"), "b": DataType("ZONED DATETIME")},
    "y09": {"boss": DataType("INTEGER")},
}
PARAMETERS = {"name": "Ann", "min": 1, "k": 2}
GRAPHS = 12
REJECTED = "G621"
"""An engine does not take the text of a translation."""
LOOSE = Strict(columns="any", lists="unordered", numbers="value")
"""Lists that are collected have no order, and a column of GoogleSQL has one type: the sum of no floats is 0.0."""


@dataclass(frozen=True)
class Entry:
    """A query of the list; `given` is None where the list says that ISO GQL cannot say it."""

    id: str
    group: str
    cypher: str
    given: str | None

    @property
    def dialect(self) -> str:
        """`exists(n.p)`, `CALL { WITH ..`, `|:` and the like are of older Cyphers."""
        for dialect in ("neo4j-25", "neo4j-5", "opencypher-9"):
            if not any(found.severity == "error" for found in graphir.check(self.cypher, dialect)):
                return dialect
        return "neo4j-25"


@cache
def entries() -> tuple[Entry, ...]:
    """The list; it has to be there."""
    found = []
    for row in json.loads(PATH.read_text(encoding="utf-8")):
        given = row["gql_example"]
        noted = given.startswith("(no") or given.startswith("(list") or given.startswith("(field")
        found.append(Entry(row["id"], row["group"], row["cypher"], None if noted else given))
    return tuple(found)


def used(entry: Entry) -> dict[str, Any]:
    """The parameters of the query."""
    return {name: value for name, value in PARAMETERS.items() if f"${name}" in entry.cypher}


def graphs(entry: Entry, count: int) -> Iterator[PropertyGraph]:
    """Graphs on which the query finds something."""
    question = Question(entry.cypher, entry.dialect, used(entry))
    types = _TYPES | _OTHERS.get(entry.id, {})
    schema = guessed(hints_of(question))

    def typed(properties: tuple[PropertyType, ...] | None) -> tuple[PropertyType, ...] | None:
        return properties and tuple([replace(p, type=types.get(p.name, p.type), values=None) for p in properties])

    nodes = tuple([replace(each, properties=typed(each.properties)) for each in schema.node_types])
    edges = tuple([replace(each, properties=typed(each.properties)) for each in schema.edge_types])
    yield from samples([question], count, schema=Schema(nodes, edges))


@dataclass(frozen=True)
class Judged:
    """What became of a query in a target: `same`, `refused` with its diagnostic, `absent` where there is no text, or
    `different` with what differs.  `rows` counts those of the query."""

    status: str
    told: str = ""
    rows: int = 0


def judged(entry: Entry, target: str, engine: Any, ours: Any, count: int = GRAPHS) -> Judged:
    """Judge by rows; `engine` runs what is written for `target`, `ours` the Cypher."""
    text = translated(entry, target)
    if isinstance(text, Judged):
        return text
    total = 0
    for made in graphs(entry, count):
        graph = without_empty(made) if "oracle" in target else made
        try:
            wanted = _asked(ours, graph, entry.cypher, used(entry), entry.dialect)
        except GraphirError as error:
            wanted = error.diagnostics[0].code
        try:
            asked, dialect = (text, "gql-iso") if target in ("gql-iso", "given") else (entry.cypher, entry.dialect)
            found = _asked(engine, graph, asked, used(entry), dialect)
        except GraphirError as error:
            first = error.diagnostics[0]
            if first.code == REJECTED:
                return Judged("different", f"{first.code} {first.message} {first.hint}", total)
            if not _at_run_time(first.code):
                return Judged("refused", f"{first.code} {first.message}", total)
            found = first.code
        if isinstance(wanted, str) or isinstance(found, str):
            if isinstance(wanted, str) and isinstance(found, str):
                continue
            return Judged("different", f"{wanted} against {found}: {text}", total)
        total += len(wanted.rows)
        verdict = rows_equal(wanted, found, LOOSE)
        if not verdict:
            return Judged(
                "different", f"{verdict.reason}: {text}: {wanted.rows} {found.rows}: {graph.to_dict()}", total
            )
    return Judged("same", text, total)


def translated(entry: Entry, target: str) -> str | Judged:
    """The text in the target, or what stands in its place."""
    if target in (*TABLES, "pgq-hyper"):
        return ""  # the engine writes it, for the tables that it has
    if target == "given":
        return entry.given if entry.given is not None else Judged("absent")
    try:
        return graphir.translate(entry.cypher, read=entry.dialect, write=target)
    except GraphirError as error:
        first = error.diagnostics[0]
        if first.code == "G538":
            return ""  # elements as results: the driver of the engine asks for what identifies them
        return Judged("refused", f"{first.code} {first.message}")


def _at_run_time(code: str) -> bool:
    """Whether it is a fault of values and not of the query."""
    return code == "G624" or code.startswith("G60")


def _asked(engine: Any, graph: PropertyGraph, text: str, parameters: dict[str, Any], dialect: str) -> Any:
    engine.clear()
    engine.load(graph)
    return engine.run(text, parameters, dialect)


def engine_of(target: str) -> Any:
    """An engine that runs texts of the target."""
    if target in TABLES:
        from tests.engines import graph_joins

        return graph_joins.opened("join", target)
    if target == "pgq-hyper":
        return graphir.connect("hyper")
    return graphir.connect() if target in ("gql-iso", "given") else graphir.connect("googlesql", speaks=target)


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--graphs", type=int, default=GRAPHS)
    options.add_argument("--targets", default=",".join(TARGETS))
    options.add_argument("--only", default="")
    chosen = options.parse_args()
    with graphir.connect() as ours:
        for target in chosen.targets.split(","):
            tally: Counter[str] = Counter()
            with engine_of(target) as engine:
                for entry in entries():
                    if chosen.only and entry.id not in chosen.only.split(","):
                        continue
                    found = judged(entry, target, engine, ours, chosen.graphs)
                    tally[found.status] += 1
                    tally["with rows"] += found.status == "same" and found.rows > 0
                    if found.status in ("refused", "different"):
                        print(f"{target} {entry.id} {found.status}: {found.told[:600]}", flush=True)
            print(target, dict(tally), flush=True)


if __name__ == "__main__":
    main()
