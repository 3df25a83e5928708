"""The same query in three languages on two engines: Cypher on a real Neo4j, its translations on Google's evaluator.

    python -m tests.engines.differential [--pairs 2000] [--first 0]

Every difference is printed with the graph, the query and both texts; the tally ends with refusals by code, features and
rows.  NEO4J_URI names a running server; else one is started.
"""

from __future__ import annotations

import argparse
import json
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

from neo4j import Driver, GraphDatabase
from neo4j.time import Date

import graphir
from graphir.backends.engines.googlesql.refusals import Refusal
from graphir.diagnostics import Unsupported
from graphir.values import Date as GoogleDate
from tests.engines import pairs
from tests.engines.googlesql import database
from tests.engines.neo4j_server import loaded, serving

if TYPE_CHECKING:
    from graphir.backends.engines.googlesql.database import Database

TARGETS = ("gql-spanner", "pgq-googlesql")
VERSIONS = {"neo4j-25": "CYPHER 25", "neo4j-5": "CYPHER 5"}
PER_GRAPH = 12
"""Queries per graph."""

Translate = Callable[[str, str, str], str]
Rows = list[tuple[Any, ...]]


class Difference(NamedTuple):
    """A translation that does not give the rows of the query."""

    seed: int
    query: str
    target: str
    text: str
    wanted: Rows
    found: Rows | str


def translate(query: str, read: str, write: str) -> str:
    return graphir.translate(query, read=read, write=write)


# ------------------------------------------------------------------ graphs

NODE_TABLES = {"".join(labels): labels for labels in pairs.LABELS}
EDGE_TABLES = {f"{t}_{a}_{b}": (t, a, b) for t in pairs.TYPES for a in NODE_TABLES for b in NODE_TABLES}
NODE_COLUMNS = {"id": "INT64", **pairs.NODE_PROPERTIES}
EDGE_COLUMNS = {"id": "INT64", "source": "INT64", "target": "INT64", **pairs.EDGE_PROPERTIES}


def schema() -> str:
    """Tables for every set of labels and for every type between them, and the property graph over them."""
    statements, nodes, edges = [], [], []
    properties = f"PROPERTIES ({', '.join(pairs.NODE_PROPERTIES)})"
    for table, labels in NODE_TABLES.items():
        statements.append(_table(table, NODE_COLUMNS))
        nodes.append(f"{table} {' '.join(f'LABEL {label} {properties}' for label in labels)}")
    for table, (label, a, b) in EDGE_TABLES.items():
        statements.append(_table(table, EDGE_COLUMNS))
        ends = f"SOURCE KEY (source) REFERENCES {a} (id) DESTINATION KEY (target) REFERENCES {b} (id)"
        edges.append(f"{table} {ends} LABEL {label} PROPERTIES ({', '.join(pairs.EDGE_PROPERTIES)})")
    graph = f"CREATE PROPERTY GRAPH g NODE TABLES ({', '.join(nodes)}) EDGE TABLES ({', '.join(edges)})"
    return ";\n".join([*statements, graph])


def _table(name: str, columns: dict[str, str]) -> str:
    return f"CREATE TABLE {name} ({', '.join(f'{c} {t}' for c, t in columns.items())}) PRIMARY KEY (id)"


def fill(google: Database, graph: dict[str, Any]) -> None:
    """The rows of a graph in those tables.  Ids collide between tables, as they do in real ones."""
    place = {}
    nodes: dict[str, list[list[Any]]] = {name: [] for name in NODE_TABLES}
    edges: dict[str, list[list[Any]]] = {name: [] for name in EDGE_TABLES}
    for node in graph["nodes"]:
        table = "".join(node["labels"])
        place[node["id"]] = (table, len(nodes[table]))
        nodes[table].append([len(nodes[table]), *[_cell(node["properties"].get(p)) for p in pairs.NODE_PROPERTIES]])
    for edge in graph["edges"]:
        (a, source), (b, target) = place[edge["start"]], place[edge["end"]]
        rows = edges[f"{edge['type']}_{a}_{b}"]
        rows.append([len(rows), source, target, *[edge["properties"].get(p) for p in pairs.EDGE_PROPERTIES]])
    for name, filled in (*nodes.items(), *edges.items()):
        google.fill(name, filled)


def _cell(value: Any) -> Any:
    """A property as the evaluator takes it."""
    return GoogleDate.parse(value["$date"]) if isinstance(value, dict) else value


# ------------------------------------------------------------------ rows


def comparable(rows: Iterable[Iterable[Any]], ordered: bool) -> Rows:
    """Rows as values that compare: floats rounded, whole ones as integers; a bag is sorted."""
    found = [tuple([_value(value) for value in row]) for row in rows]
    return found if ordered else sorted(found, key=repr)


def _value(value: Any) -> Any:
    if isinstance(value, Date):
        return value.iso_format()
    if isinstance(value, GoogleDate):
        return str(value)
    if isinstance(value, list):  # collected in no certain order
        return tuple(sorted([_value(item) for item in value], key=repr))
    if isinstance(value, bool) or not isinstance(value, float):
        return value
    if not math.isfinite(value):
        return str(value)
    return int(value) if value == int(value) else round(value, 9)


# ------------------------------------------------------------------ runs


def differences(
    driver: Driver,
    google: Database,
    seeds: range,
    tally: Counter[str],
    translation: Translate = translate,
    targets: tuple[str, ...] = TARGETS,
) -> Iterator[Difference]:
    """Run the pairs of those numbers, on an evaluator that has the schema; the tally counts what happens to them."""
    for start in range(seeds.start, seeds.stop, PER_GRAPH):
        graph = pairs.graph(start // PER_GRAPH)
        fill(google, graph)
        with loaded(driver, graph) as transaction:
            for seed in range(start, min(start + PER_GRAPH, seeds.stop)):
                pair = pairs.pair(seed)
                read = "neo4j-5" if seed % 2 else "neo4j-25"
                texts = dict(_translations(pair.query, read, targets, tally, translation))
                answer = transaction.run(f"{VERSIONS[read]} {pair.query}")
                wanted = comparable([record.values() for record in answer], pair.ordered)
                tally.update([f"feature: {feature}" for feature in pair.features])
                tally.update({"pairs": 1, "rows": len(wanted), "pairs with rows": int(bool(wanted))})
                for target, text in texts.items():
                    tally[f"ran: {target}"] += 1
                    found = _found(google, text, pair.ordered)
                    if found != wanted:
                        tally[f"different: {target}"] += 1
                        yield Difference(seed, pair.query, target, text, wanted, found)


def _found(google: Database, text: str, ordered: bool) -> Rows | str:
    try:
        return comparable(google.query(text).rows, ordered)
    except Refusal as refusal:
        return str(refusal)


def _translations(
    query: str, read: str, targets: tuple[str, ...], tally: Counter[str], translation: Translate
) -> Iterator[tuple[str, str]]:
    for target in targets:
        try:
            yield target, translation(query, read, target)
        except Unsupported as refusal:
            tally[f"refused: {target} {refusal.code} {refusal.feature}"] += 1


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--pairs", type=int, default=2000)
    options.add_argument("--first", type=int, default=0, help="the number of the first pair")
    chosen = options.parse_args()
    tally: Counter[str] = Counter()
    seeds = range(chosen.first, chosen.first + chosen.pairs)
    with (
        serving() as uri,
        GraphDatabase.driver(uri, notifications_min_severity="OFF", telemetry_disabled=True) as driver,
        database("spanner") as google,
    ):
        google.define(schema())
        for found in differences(driver, google, seeds, tally):
            print(f"--- {found.seed} {found.target}\n{json.dumps(pairs.graph(found.seed // PER_GRAPH))}")
            print(f"{found.query}\n{found.text}\nwanted {found.wanted}\nfound  {found.found}", flush=True)
    for name, count in sorted(tally.items()):
        print(f"{count:7} {name}")
    print(f"{sum(count for name, count in tally.items() if name.startswith('different'))} differences")


if __name__ == "__main__":
    main()
