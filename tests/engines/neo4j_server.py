"""A real Neo4j for the tests: the server that NEO4J_URI names, or graphir's own for the occasion.

    python -m tests.engines.neo4j_server [--port 17687] [--heap 1g]       serves until it is interrupted

    with serving() as uri:
        driver = neo4j.GraphDatabase.driver(uri)

One server runs Cypher 5 and Cypher 25: begin a query with `CYPHER 5` or `CYPHER 25`.  Needs Java 21 and Maven.  What a
test writes it writes in a transaction that is rolled back (`loaded`), so that many tests may share one server.
Of graphir it knows the starter alone.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from neo4j.time import Date, DateTime, Duration, Time

from graphir.backends.engines.neo4j_server import HEAP, PORT, serve, started, unavailable
from graphir.diagnostics import UsageFault

Unavailable = UsageFault
"""What is raised where no server can run here; its text says what is missing."""

TEMPORAL: dict[str, Any] = {
    "$date": Date,
    "$datetime": DateTime,
    "$localdatetime": DateTime,
    "$time": Time,
    "$localtime": Time,
    "$duration": Duration,
}


@contextmanager
def serving(heap: str = HEAP) -> Iterator[str]:
    """The address of the server that NEO4J_URI names, or of one started for the occasion."""
    if uri := os.environ.get("NEO4J_URI"):
        yield uri
    else:
        with started(heap=heap) as uri:
            yield uri


@contextmanager
def loaded(driver: Any, graph: dict[str, Any]) -> Iterator[Any]:
    """A transaction that sees `graph` ({nodes: [{id, labels, properties}], edges: [{type, start, end, properties}]}).

    It is rolled back at the end: nothing reaches the store.
    """
    with driver.session() as session:
        transaction = session.begin_transaction()
        try:
            graph = value(graph)
            if transaction.run("MATCH (n) RETURN n LIMIT 1").single():
                raise unavailable("the server holds data already")
            for batch in by_key(graph["nodes"], lambda node: tuple(node["labels"])):
                labels = "".join(f":{quoted(label)}" for label in batch[0]["labels"])
                transaction.run(
                    f"UNWIND $rows AS row CREATE (n{labels}) SET n = row.properties, n.`graphir id` = row.id",
                    rows=batch,
                ).consume()
            ids = {
                r["id"]: r["at"] for r in transaction.run("MATCH (n) RETURN n.`graphir id` AS id, elementId(n) AS at")
            }
            for batch in by_key(graph["edges"], lambda edge: edge["type"]):
                rows = [{**edge, "start": ids[edge["start"]], "end": ids[edge["end"]]} for edge in batch]
                transaction.run(
                    "UNWIND $rows AS row MATCH (a), (b) WHERE elementId(a) = row.start AND elementId(b) = row.end "
                    f"CREATE (a)-[r:{quoted(batch[0]['type'])}]->(b) SET r = row.properties",
                    rows=rows,
                ).consume()
            transaction.run("MATCH (n) REMOVE n.`graphir id`").consume()
            yield transaction
        finally:
            transaction.close()


def by_key(rows: list[dict[str, Any]], key: Any) -> Iterator[list[dict[str, Any]]]:
    """The rows in batches of equal key."""
    batches: dict[Any, list[dict[str, Any]]] = {}
    for row in rows:
        batches.setdefault(key(row), []).append(row)
    yield from batches.values()


def value(json: Any) -> Any:
    """The value with {"$date": text} and the like turned into the driver's."""
    if isinstance(json, list):
        return [value(item) for item in json]
    if isinstance(json, dict):
        if len(json) == 1:
            ((key, text),) = json.items()
            if kind := TEMPORAL.get(key):
                return kind.from_iso_format(text)
        return {key: value(item) for key, item in json.items()}
    return json


def quoted(name: str) -> str:
    return "`" + name.replace("`", "``") + "`"


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("--port", type=int, default=PORT)
    options.add_argument("--heap", default=HEAP)
    chosen = options.parse_args()
    serve(chosen.port, chosen.heap, lambda uri: print(uri, flush=True))


if __name__ == "__main__":
    main()
