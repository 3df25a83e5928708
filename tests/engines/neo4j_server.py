"""A real Neo4j for the tests: fetched from Maven Central once, served on the loopback address, stopped without a trace.

    python -m tests.engines.neo4j_server [--port 17687] [--heap 1g]       serves until it is interrupted

    with serving() as uri:                                                # or the server that NEO4J_URI names
        driver = neo4j.GraphDatabase.driver(uri)

One server runs Cypher 5 and Cypher 25: begin a query with `CYPHER 5` or `CYPHER 25`.  Needs Java 21 and Maven.  What a
test writes it writes in a transaction that is rolled back (`loaded`), so that many tests may share one server.
Knows nothing of graphir.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from neo4j.time import Date, DateTime, Duration, Time

VERSION = "2026.08.1"
JAVA = 21
TEMPORAL: dict[str, Any] = {
    "$date": Date,
    "$datetime": DateTime,
    "$localdatetime": DateTime,
    "$time": Time,
    "$localtime": Time,
    "$duration": Duration,
}
HERE = Path(__file__).resolve().parent / "neo4j"
OPENED = ("java.lang", "java.io", "java.nio", "sun.nio.ch")


class Unavailable(Exception):
    """The server cannot run here; the text says what is missing."""


def java_binary() -> str:
    """The newest Java, if it is new enough."""
    homes = [os.environ.get("JAVA_HOME", ""), *map(str, sorted(Path("/usr/lib/jvm").glob("*")))]
    candidates = [shutil.which("java"), *(f"{home}/bin/java" for home in homes if home)]
    newest = (0, "")
    for binary in candidates:
        if binary and os.access(binary, os.X_OK):
            shown = subprocess.run([binary, "-version"], capture_output=True, text=True, check=False).stderr
            if found := re.search(r'version "(\d+)', shown):
                newest = max(newest, (int(found[1]), binary))
    if newest[0] < JAVA:
        raise Unavailable(f"Neo4j {VERSION} needs Java {JAVA}, found {newest[0] or 'none'}")
    return newest[1]


def libraries() -> Path:
    """The folder of the server's jars; the first call fetches them (150 MB)."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "graphir"
    folder = cache / f"neo4j-{VERSION}"
    if folder.exists():
        return folder
    maven = shutil.which("mvn")
    if not maven:
        raise Unavailable("Maven is needed to fetch Neo4j")
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache) as fetched:
        command = [maven, "-q", "-B", "-f", str(HERE / "pom.xml"), f"-Dneo4j={VERSION}", "dependency:copy-dependencies"]
        options = [f"-DoutputDirectory={fetched}/jars", "-DincludeScope=runtime"]
        done = subprocess.run([*command, *options], capture_output=True, text=True, check=False)
        if done.returncode:
            raise Unavailable("Maven could not fetch Neo4j: " + done.stdout[-500:])
        if not folder.exists():
            Path(fetched, "jars").rename(folder)
    return folder


@contextmanager
def started(port: int = 0, heap: str = "1g") -> Iterator[str]:
    """Start a server of our own, yield its Bolt address, stop it and delete its data."""
    opened = [f"--add-opens=java.base/{package}=ALL-UNNAMED" for package in OPENED]
    with tempfile.TemporaryDirectory(prefix="graphir-neo4j-") as folder, open(f"{folder}/log", "w") as log:
        command = [java_binary(), f"-Xmx{heap}", "--enable-native-access=ALL-UNNAMED", *opened]
        process = subprocess.Popen(
            [*command, "-cp", f"{libraries()}/*", str(HERE / "Server.java"), f"{folder}/data", str(port)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            start_new_session=True,
        )
        assert process.stdin
        assert process.stdout
        try:
            for line in process.stdout:
                if line.startswith("listening "):
                    yield line.split()[1]
                    return
            raise Unavailable("Neo4j did not start: " + Path(log.name).read_text()[-2000:])
        finally:
            process.stdin.close()
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()


@contextmanager
def serving(heap: str = "1g") -> Iterator[str]:
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
                raise Unavailable("the server holds data already")
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
    options.add_argument("--port", type=int, default=17687)
    options.add_argument("--heap", default="1g")
    chosen = options.parse_args()
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    with started(chosen.port, chosen.heap) as uri:
        print(uri, flush=True)
        with suppress(KeyboardInterrupt):
            signal.pause()


if __name__ == "__main__":
    main()
