"""Texts of SQL/PGQ that stand for two: with graph tables, and with joins in their place, which DuckDB runs."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import duckdb

import graphir
from graphir import connect
from graphir.backends.engines.protocol import Engine
from graphir.graphs import PropertyGraph

TABLES = """
CREATE TABLE person (id bigint PRIMARY KEY, name text);
CREATE TABLE city (id bigint PRIMARY KEY, name text);
CREATE TABLE knows (id bigint PRIMARY KEY, a bigint REFERENCES person (id), b bigint REFERENCES person (id), w bigint);
CREATE TABLE lives (id bigint PRIMARY KEY, a bigint REFERENCES person (id), b bigint REFERENCES city (id), w bigint);
"""
GRAPH = """
CREATE PROPERTY GRAPH g
  VERTEX TABLES (person LABEL "Person" PROPERTIES (id, name), city LABEL "City" PROPERTIES (id, name))
  EDGE TABLES (knows SOURCE KEY (a) REFERENCES person (id) DESTINATION KEY (b) REFERENCES person (id)
      LABEL "KNOWS" PROPERTIES (id, w),
    lives SOURCE KEY (a) REFERENCES person (id) DESTINATION KEY (b) REFERENCES city (id)
      LABEL "LIVES" PROPERTIES (id, w))
"""
SCHEMA = graphir.Schema.read(TABLES + GRAPH, format="postgres-ddl")

# name -> the graph table, and what it is of the tables
PARTS = {
    "{start}": (
        """GRAPH_TABLE (g MATCH (p IS "Person" WHERE p.id < 3) COLUMNS (p.id AS id, p.name AS name))""",
        "(SELECT id, name FROM person WHERE id < 3)",
    ),
    "{all}": (
        """GRAPH_TABLE (g MATCH (p IS "Person") COLUMNS (p.id AS id, p.name AS name))""",
        "(SELECT id, name FROM person)",
    ),
    "{knows}": (
        """GRAPH_TABLE (g MATCH (a IS "Person")-[k IS "KNOWS"]->(b IS "Person")
            COLUMNS (a.id AS src, k.id AS eid, k.w AS w, b.id AS dst, b.name AS name))""",
        "(SELECT k.a AS src, k.id AS eid, k.w, k.b AS dst, p.name FROM knows k JOIN person p ON p.id = k.b)",
    ),
    "{heavy}": (
        """GRAPH_TABLE (g MATCH (a IS "Person")-[k IS "KNOWS" WHERE k.w > 3]->(b IS "Person")
            COLUMNS (a.id AS src, k.id AS eid, b.id AS dst))""",
        "(SELECT a AS src, id AS eid, b AS dst FROM knows WHERE w > 3)",
    ),
    "{either}": (
        """GRAPH_TABLE (g MATCH (a IS "Person")-[k IS "KNOWS"]-(b IS "Person")
            COLUMNS (a.id AS src, k.id AS eid, b.id AS dst))""",
        "(SELECT a AS src, id AS eid, b AS dst FROM knows UNION ALL SELECT b, id, a FROM knows WHERE a <> b)",
    ),
    "{from r.id}": (
        """GRAPH_TABLE (g MATCH (a IS "Person" WHERE a.id = r.id)-[k IS "KNOWS"]->(b IS "Person")
            COLUMNS (b.id AS dst))""",
        "LATERAL (SELECT k.b AS dst FROM knows k WHERE k.a = r.id)",
    ),
    "{mixed}": (
        """(SELECT 'p:' || CAST(src AS TEXT) AS src, 'k:' || CAST(eid AS TEXT) AS eid, 'p:' || CAST(dst AS TEXT) AS dst
            FROM GRAPH_TABLE (g MATCH (a IS "Person")-[k IS "KNOWS"]->(b IS "Person")
              COLUMNS (a.id AS src, k.id AS eid, b.id AS dst)) t
            UNION ALL
            SELECT 'p:' || CAST(src AS TEXT), 'l:' || CAST(eid AS TEXT), 'c:' || CAST(dst AS TEXT)
            FROM GRAPH_TABLE (g MATCH (a IS "Person")-[k IS "LIVES"]->(b IS "City")
              COLUMNS (a.id AS src, k.id AS eid, b.id AS dst)) t
            UNION ALL
            SELECT 'c:' || CAST(src AS TEXT), 'l:' || CAST(eid AS TEXT), 'p:' || CAST(dst AS TEXT)
            FROM GRAPH_TABLE (g MATCH (a IS "City")<-[k IS "LIVES"]-(b IS "Person")
              COLUMNS (a.id AS src, k.id AS eid, b.id AS dst)) t)""",
        """(SELECT 'p:' || a AS src, 'k:' || id AS eid, 'p:' || b AS dst FROM knows
            UNION ALL SELECT 'p:' || a, 'l:' || id, 'c:' || b FROM lives
            UNION ALL SELECT 'c:' || b, 'l:' || id, 'p:' || a FROM lives)""",
    ),
}


def written(text: str, at: int) -> str:
    for name, both in PARTS.items():
        text = text.replace(name, both[at])
    return text


class Pair:
    """A graph, and the same in tables."""

    def __init__(self, seed: int, *, is_endless: bool) -> None:
        draw = random.Random(seed)
        people = [(at, f"n{at % 4}") for at in range(6)]
        cities = [(at, f"c{at}") for at in range(3)]
        ends = [(draw.randrange(6), draw.randrange(6)) for _ in range(8)]
        if not is_endless:
            ends = [(min(pair), max(pair)) for pair in ends if pair[0] != pair[1]]
        knows = [(at, a, b, draw.randrange(6)) for at, (a, b) in enumerate(ends)]
        lives = [(at, draw.randrange(6), draw.randrange(3), 1) for at in range(3)]
        self.tables = duckdb.connect()
        self.tables.execute(TABLES)
        for name, rows in (("person", people), ("city", cities), ("knows", knows), ("lives", lives)):
            for row in rows:
                self.tables.execute(f"INSERT INTO {name} VALUES ({', '.join('?' * len(row))})", row)
        nodes = [{"id": f"p{at}", "labels": ["Person"], "properties": {"id": at, "name": name}} for at, name in people]
        nodes += [{"id": f"c{at}", "labels": ["City"], "properties": {"id": at, "name": name}} for at, name in cities]
        edges = [_edge("KNOWS", f"k{at}", f"p{a}", f"p{b}", at, w) for at, a, b, w in knows]
        edges += [_edge("LIVES", f"l{at}", f"p{a}", f"c{b}", at, w) for at, a, b, w in lives]
        self.document = PropertyGraph.from_dict({"nodes": nodes, "edges": edges})
        self.graph = connect()
        self.graph.load(self.document)

    def rows(
        self, text: str, dialect: str, engine: Engine | None = None
    ) -> tuple[list[Sequence[Any]], list[Sequence[Any]]]:
        """What the graph gives and what the tables give, in one order."""
        asked = graphir.translate(written(text, 0), read=dialect, write="neo4j-25", schema=SCHEMA)
        found = (engine or self.graph).run(asked, dialect="neo4j-25").rows
        wanted = self.tables.execute(written(text, 1)).fetchall()
        return _sorted(found), _sorted(wanted)


def _edge(kind: str, name: str, source: str, target: str, number: int, w: int) -> dict[str, Any]:
    return {"id": name, "type": kind, "start": source, "end": target, "properties": {"id": number, "w": w}}


def _sorted(rows: Sequence[Sequence[Any]]) -> list[Sequence[Any]]:
    return sorted([tuple(row) for row in rows], key=repr)
