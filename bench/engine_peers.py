"""One engine in a process of its own: loads a graph, then answers timed runs.

    python engine_peers.py NAME      reads one JSON object a line: {"graph": [kind, size]}, {"run": [texts]}

Each answer is a line of JSON: the seconds it took, and the rows of the last text as sorted text, or the error.  The
parent (`engines.py`) alternates between engines, so that all are timed under the same load.
"""

from __future__ import annotations

import csv
import importlib
import json
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Protocol

import graphs

BATCH = 5000


class Engine(Protocol):
    def load(self, graph: graphs.Graph) -> None: ...

    def run(self, text: str) -> list[Sequence[Any]]: ...


def batches(items: list[Any]) -> Iterator[list[Any]]:
    for at in range(0, len(items), BATCH):
        yield items[at : at + BATCH]


class Graphir:
    def __init__(self) -> None:
        import graphir

        self.connection = graphir.connect("duckdb")

    def load(self, graph: graphs.Graph) -> None:
        import graphir

        nodes = [
            {"id": row["id"], "labels": [label], "properties": row}
            for label, rows in graph.nodes.items()
            for row in rows
        ]
        edges: list[dict[str, Any]] = []
        for (_, kind, _), rows in graph.edges.items():
            for start, end, properties in rows:
                edges.append({"id": len(edges), "type": kind, "start": start, "end": end, "properties": properties})
        self.connection.load(graphir.PropertyGraph.from_dict({"nodes": nodes, "edges": edges}))

    def run(self, text: str) -> list[Sequence[Any]]:
        return list(self.connection.run(text).rows)


def load_by_statements(graph: graphs.Graph, ask: Callable[[str, dict[str, Any] | None], Any]) -> None:
    """Through Cypher, in batches: for engines without a loader of their own."""
    for label, rows in graph.nodes.items():
        for batch in batches(rows):
            ask(f"UNWIND $b AS r CREATE (n:{label}) SET n = r", {"b": batch})
    for (source, kind, target), edges in graph.edges.items():
        for batch in batches([[start, end, properties] for start, end, properties in edges]):
            ask(
                f"UNWIND $b AS r MATCH (a:{source} {{id: r[0]}}), (b:{target} {{id: r[1]}}) "
                f"CREATE (a)-[e:{kind}]->(b) SET e = r[2]",
                {"b": batch},
            )


class Neo4j:
    """A server that is already there: NEO4J_URI, by default bolt://127.0.0.1:7687."""

    def __init__(self) -> None:
        import neo4j

        self.driver = neo4j.GraphDatabase.driver(os.environ.get("NEO4J_URI", "bolt://127.0.0.1:7687"), auth=None)

    def ask(self, text: str, parameters: dict[str, Any] | None = None) -> list[Sequence[Any]]:
        return [record.values() for record in self.driver.execute_query(text, parameters or {}).records]

    def load(self, graph: graphs.Graph) -> None:
        self.clear()
        for label in graph.nodes:
            self.ask(f"CREATE INDEX bench_{label} IF NOT EXISTS FOR (n:{label}) ON (n.id)")
        self.ask("CALL db.awaitIndexes(120)")
        load_by_statements(graph, self.ask)

    def clear(self) -> None:
        while self.ask("MATCH (n) WITH n LIMIT 20000 DETACH DELETE n RETURN count(*) AS n")[0][0]:
            pass

    def run(self, text: str) -> list[Sequence[Any]]:
        return self.ask(text)


class ArcadeDB:
    """The engine in its own JVM."""

    def __init__(self) -> None:
        import arcadedb_embedded

        self.database = arcadedb_embedded.create_database(tempfile.mkdtemp() + "/bench")

    def load(self, graph: graphs.Graph) -> None:
        for label in graph.nodes:
            self.database.command("sql", f"CREATE VERTEX TYPE {label}")
            self.database.command("sql", f"CREATE PROPERTY {label}.id LONG")
            self.database.command("sql", f"CREATE INDEX ON {label} (id) UNIQUE")
        load_by_statements(graph, self.ask)

    def ask(self, text: str, parameters: dict[str, Any] | None = None) -> list[Sequence[Any]]:
        with self.database.transaction():
            found = self.database.command("opencypher", text, *([parameters] if parameters else []))
            return [] if found is None else [self.values(row._java_result) for row in found]

    def values(self, row: Any) -> list[Any]:
        return [self.value(row.getProperty(name)) for name in row.getPropertyNames()]

    def value(self, found: Any) -> Any:
        kind = found.getClass().getSimpleName() if hasattr(found, "getClass") else ""
        if kind in ("Long", "Integer"):
            return int(found)
        return float(found) if kind in ("Double", "Float") else found if found is None else str(found)

    def run(self, text: str) -> list[Sequence[Any]]:
        return self.ask(text)


class Grafeo:
    def __init__(self) -> None:
        import grafeo

        self.database = grafeo.GrafeoDB()

    def load(self, graph: graphs.Graph) -> None:
        ids: dict[int, int] = {}
        for label, rows in graph.nodes.items():
            made = self.database.batch_create_nodes_with_props(label, rows)
            ids.update(zip((row["id"] for row in rows), made, strict=True))
        for (_, kind, _), edges in graph.edges.items():
            for start, end, properties in edges:
                self.database.create_edge(ids[start], ids[end], kind, properties)

    def run(self, text: str) -> list[Sequence[Any]]:
        return [list(row.values()) for row in self.database.execute_cypher(text).to_list()]


class Kglite:
    def __init__(self) -> None:
        import kglite

        self.graph = kglite.KnowledgeGraph()

    def ask(self, text: str, parameters: dict[str, Any] | None = None) -> Any:
        return self.graph.cypher(text, **({"params": parameters} if parameters else {}))

    def load(self, graph: graphs.Graph) -> None:
        for label, rows in graph.nodes.items():
            for batch in batches(rows):
                columns = ", ".join(f"{key}: r.{key}" for key in rows[0])
                self.ask(f"UNWIND $b AS r CREATE (:{label} {{{columns}}})", {"b": batch})
            self.graph.create_index(label, "id")
        for (source, kind, target), edges in graph.edges.items():
            keys = list(edges[0][2])
            columns = ", ".join(f"{key}: r.{key}" for key in keys)
            for batch in batches([{"s": s, "t": t, **properties} for s, t, properties in edges]):
                self.ask(
                    f"UNWIND $b AS r MATCH (a:{source} {{id: r.s}}), (b:{target} {{id: r.t}}) "
                    f"CREATE (a)-[:{kind} {{{columns}}}]->(b)",
                    {"b": batch},
                )

    def run(self, text: str) -> list[Sequence[Any]]:
        found = self.ask(text)
        return [list(row.values()) for row in (found.to_list() if hasattr(found, "to_list") else found)]


class Ladybug:
    def __init__(self) -> None:
        module = importlib.import_module("ladybug")
        self.database = module.Database(":memory:", buffer_pool_size=2 << 30)
        self.connection = module.Connection(self.database)

    def load(self, graph: graphs.Graph) -> None:
        folder = Path(tempfile.mkdtemp())
        for label, rows in graph.nodes.items():
            columns = ", ".join(f"{key} {self.type(value)}" for key, value in rows[0].items())
            self.connection.execute(f"CREATE NODE TABLE {label}({columns}, PRIMARY KEY(id))")
            self.copy(folder / f"{label}.csv", label, [list(row.values()) for row in rows])
        for (source, kind, target), edges in graph.edges.items():
            columns = "".join(f", {key} {self.type(value)}" for key, value in edges[0][2].items())
            self.connection.execute(f"CREATE REL TABLE {kind}(FROM {source} TO {target}{columns})")
            self.copy(folder / f"{kind}.csv", kind, [[s, t, *properties.values()] for s, t, properties in edges])

    def copy(self, path: Path, table: str, rows: list[list[Any]]) -> None:
        with path.open("w", newline="") as file:
            csv.writer(file).writerows(rows)
        self.connection.execute(f"COPY {table} FROM '{path}'")

    @staticmethod
    def type(value: object) -> str:
        return {int: "INT64", float: "DOUBLE", str: "STRING"}[type(value)]

    def run(self, text: str) -> list[Sequence[Any]]:
        found = self.connection.execute(in_ladybugs_words(text))
        return list(found.get_all())


def in_ladybugs_words(text: str) -> str:
    """Ladybug's variable length walks unless told TRAIL, and it writes shortest paths in the pattern."""
    text = text.replace("*1..3]", "* TRAIL 1..3]")
    if "shortestPath(" not in text:
        return text
    return text.replace("shortestPath(", "").replace(")) RETURN", ") RETURN").replace("[:R*]", "[:R* SHORTEST 1..30]")


ENGINES: dict[str, Callable[[], Engine]] = {
    "graphir": Graphir,
    "neo4j": Neo4j,
    "arcadedb": ArcadeDB,
    "grafeo": Grafeo,
    "kglite": Kglite,
    "ladybug": Ladybug,
}


def plain(value: Any) -> Any:
    return round(value, 6) if isinstance(value, float) else value


def answer(engine: Engine, order: dict[str, Any]) -> dict[str, Any]:
    began = time.perf_counter()
    if "graph" in order:
        kind, size = order["graph"]
        graph = getattr(graphs, kind)(size)
        began = time.perf_counter()
        engine.load(graph)
        return {"seconds": time.perf_counter() - began}
    rows: list[Sequence[Any]] = []
    for text in order["run"]:
        rows.extend(engine.run(text))
    seconds = time.perf_counter() - began
    return {"seconds": seconds, "rows": sorted(repr([plain(value) for value in row]) for row in rows)}


def main() -> None:
    engine = ENGINES[sys.argv[1]]()
    print(json.dumps({"ready": True}), flush=True)
    for line in sys.stdin:
        try:
            said = answer(engine, json.loads(line))
        except Exception as error:  # noqa: BLE001 - what an engine cannot do is part of the result, told in its words
            said = {"error": (str(error).splitlines() or [type(error).__name__])[0][:200]}
        print(json.dumps(said), flush=True)


if __name__ == "__main__":
    main()
