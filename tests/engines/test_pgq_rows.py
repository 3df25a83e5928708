"""SQL/PGQ has the rows of the query that it is written for: on Hyper, on GoogleSQL's evaluator, with joins in place of
graph tables on DuckDB and PostgreSQL, and read back on the embedded engine.

GRAPHIR_CASES says how many random queries of each kind are asked (24), and a tenth of that of the corpora's.
"""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

import pytest

from graphir.backends.engines import postgres_server, registry
from graphir.diagnostics import GraphirError, UsageFault
from graphir.graphs import PropertyGraph
from tests.engines import gql_rows, graph_joins, pgq_rows
from tests.engines.googlesql import database
from tests.outside import SHARED

CASES = int(os.environ.get("GRAPHIR_CASES", "24"))
JOINED = ("pgq-duckpgq", "pgq-postgres")
READ = ("pgq-postgres", "pgq-duckpgq", "pgq-oracle-26ai")


def differences(uri: str, dialects: list[str], source: str, first: int, count: int) -> tuple[list[str], Counter[str]]:
    tally: Counter[str] = Counter()
    with pgq_rows.panel(dialects, uri) as asked:
        questions = pgq_rows.questions(source, range(first, first + count))
        if any("oracle" in dialect for dialect in dialects):
            questions = pgq_rows.held_by_all(questions)
        found = list(gql_rows.differences(asked, questions, tally))
    return ["\n".join(each.lines()) for each in found], tally


def here() -> list[str]:
    """The dialects whose engine is here; Google's has to be."""
    database().clear()
    hyper = registry.examine(registry.KINDS["hyper"]).usable
    return ["pgq-googlesql", *(["pgq-hyper"] if hyper else [])]


@pytest.mark.parametrize(
    ("source", "first", "least"),
    [("pairs", 5_000_000, 0.8), ("elements", 5_000_000, 0.8), ("pgq", 5_000_000, 0.1), ("corpus", 0, 0.6)],
)
def test_on_engines(neo4j_uri: str, source: str, first: int, least: float) -> None:
    if source == "corpus" and not (SHARED / "conformance" / "neo4j_rows.jsonl").exists():
        pytest.skip("the corpora are not here")
    count = CASES // 10 + 3 if source == "corpus" else CASES
    dialects = here()
    found, tally = differences(neo4j_uri, dialects, source, first, count)
    assert found == []
    assert tally["different: a fault of graphir itself"] == 0
    for dialect in dialects:
        assert tally[f"compared: {dialect}"] >= least * tally["cases"]


@pytest.mark.parametrize("dialect", JOINED)
def test_with_joins(neo4j_uri: str, dialect: str) -> None:
    if dialect == "pgq-postgres":
        try:
            postgres_server.programs()
        except UsageFault as missing:
            pytest.skip(str(missing))
    name = f"join:{dialect}"
    found, tally = differences(neo4j_uri, [name], "pairs", 6_000_000, CASES)
    assert found == []
    assert tally["different: a fault of graphir itself"] == 0
    assert tally[f"refused: {name} G621"] == 0
    assert tally[f"compared: {name}"] >= 0.7 * tally["cases"]


def test_read_back(neo4j_uri: str) -> None:
    """What graphir writes it reads, if it is a graph query; no row of what is read is another one."""
    names = [f"read:{dialect}" for dialect in READ]
    found, tally = differences(neo4j_uri, names, "pairs", 7_000_000, CASES)
    assert found == []
    assert tally["different: a fault of graphir itself"] == 0
    for name in names:
        assert tally[f"compared: {name}"] >= 0.2 * tally["cases"]


# ------------------------------------------------------------------ the ways themselves

GRAPH = PropertyGraph.from_dict(
    {
        "nodes": [
            {"id": "a", "labels": ["P"], "properties": {"n": 1, "s": "GRAPH_TABLE ("}},
            {"id": "b", "labels": ["P", "Q"], "properties": {"n": 2}},
            {"id": "c", "labels": [], "properties": {"n": 3, "s": "it's \""}},
        ],
        "edges": [
            {"id": "a", "type": "R", "start": "a", "end": "b", "properties": {"w": 1}},
            {"id": "b", "type": "R", "start": "b", "end": "b", "properties": {"w": 2}},
            {"id": "c", "type": "S", "start": "b", "end": "c", "properties": {}},
        ],
    }
)
UNREAD = ("G580", "G582", "G602")
"""Codes of SQL that is no graph query to graphir, and of functions that the embedded engine does not have."""
QUERIES = (
    ("MATCH (n) RETURN n.n AS n, n.s AS s ORDER BY n", [(1, "GRAPH_TABLE ("), (2, None), (3, "it's \"")]),
    (
        "MATCH (a)-[r]->(b) RETURN a.n AS a, type(r) AS t, b.n AS b ORDER BY a, b",
        [(1, "R", 2), (2, "R", 2), (2, "S", 3)],
    ),
    ("MATCH (a)-[r]-(b) WHERE a = b RETURN count(*) AS c", [(1,)]),
    ("MATCH (a)-[r:R]->(b), (c)-[s:R]->(d) RETURN count(*) AS c", [(2,)]),
    ("MATCH (n) WHERE n.s = 'GRAPH_TABLE (' RETURN n.n AS n", [(1,)]),
    ("MATCH (n:P) WHERE NOT EXISTS { (n)-->(n) } RETURN n.n AS n", [(1,)]),
    ("MATCH (n:P) OPTIONAL MATCH (n)-[:S]->(m) RETURN n.n AS n, m.n AS m ORDER BY n", [(1, None), (2, 3)]),
)


@pytest.mark.parametrize("way", ["read", "join"])
@pytest.mark.parametrize(("query", "rows"), QUERIES, ids=[query for query, _ in QUERIES])
def test_ways(way: str, query: str, rows: list[tuple[object, ...]]) -> None:
    with graph_joins.opened(way, "pgq-duckpgq") as engine:
        engine.load(GRAPH)
        found = answered(engine, query)
    assert found == rows or (way == "read" and found in UNREAD)
    assert engine.texts[0].count("GRAPH_TABLE")
    assert way == "read" or "MATCH" not in engine.texts[1]


def answered(engine: graph_joins.Emitted, query: str) -> list[tuple[Any, ...]] | str:
    """The rows, or the code of the refusal."""
    try:
        return engine.run(query).rows
    except GraphirError as refusal:
        return refusal.diagnostics[0].code


def test_elements_come_back() -> None:
    """A node and an edge with the same number are told apart."""
    with graph_joins.opened("join", "pgq-duckpgq") as engine:
        engine.load(GRAPH)
        ((node, edge, path),) = engine.run("MATCH p = (n:Q)-[r:S]->() RETURN n, r, p").rows
    assert (node.id, edge.id, [each.id for each in path.nodes]) == ("b", "c", ["b", "c"])
