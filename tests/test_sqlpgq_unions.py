"""UNION ALL of patterns that differ in their labels alone is one pattern, where the schema says that they are apart."""

from __future__ import annotations

import pytest

import graphir
from graphir import Schema
from tests.table_pairs import SCHEMA, Pair

PERSON = """SELECT p.n, p.i, p.kind FROM GRAPH_TABLE (g MATCH (x IS "Person")
    COLUMNS (x.name AS n, x.id AS i, 'person' AS kind)) p"""
CITY = """SELECT c.n, c.i, c.kind FROM GRAPH_TABLE (g MATCH (x IS "City")
    COLUMNS (x.name AS n, x.id AS i, 'city' AS kind)) c"""
ENDS = """SELECT k.a, k.b, k.w FROM GRAPH_TABLE (g MATCH (x IS "Person")-[e IS "{edge}"]->(y IS "{to}")
    COLUMNS (x.id AS a, y.id AS b, e.w AS w)) k"""


@pytest.fixture(scope="module")
def pair() -> Pair:
    return Pair(2, is_endless=True)


def read(text: str, schema: Schema | None = SCHEMA) -> str:
    return graphir.translate(text, read="pgq-postgres", write="neo4j-25", schema=schema)


def rows(pair: Pair, text: str) -> list[tuple[object, ...]]:
    return sorted(map(tuple, pair.graph.run(text, dialect="neo4j-25").rows), key=repr)


def test_nodes(pair: Pair) -> None:
    text = read(f"SELECT t.n, t.i FROM ({PERSON} UNION ALL {CITY}) t WHERE t.i < 2")
    assert "UNION" not in text
    wanted = pair.tables.execute(
        "SELECT name, id FROM person WHERE id < 2 UNION ALL SELECT name, id FROM city WHERE id < 2"
    )
    assert rows(pair, text) == sorted(wanted.fetchall(), key=repr)


def test_a_column_that_the_label_decides(pair: Pair) -> None:
    text = read(f"SELECT t.kind, count(*) AS c FROM ({PERSON} UNION ALL {CITY}) t GROUP BY t.kind")
    assert rows(pair, text) == [("city", 3), ("person", 6)]


def test_edges(pair: Pair) -> None:
    both = f"{ENDS.format(edge='KNOWS', to='Person')} UNION ALL {ENDS.format(edge='LIVES', to='City')}"
    text = read(f"SELECT t.a, t.b, t.w FROM ({both}) t WHERE t.w > 0")
    assert "UNION" not in text
    wanted = pair.tables.execute("SELECT a, b, w FROM (SELECT * FROM knows UNION ALL SELECT * FROM lives) WHERE w > 0")
    assert rows(pair, text) == sorted(wanted.fetchall(), key=repr)


def test_what_both_may_match_is_matched_by_both(pair: Pair) -> None:
    text = read(f"SELECT t.n FROM ({PERSON} UNION ALL {PERSON}) t")
    assert "UNION ALL" in text
    assert len(rows(pair, text)) == 12


def test_what_a_schema_does_not_tell_is_united() -> None:
    assert "UNION ALL" in read(f"SELECT t.n FROM ({PERSON} UNION ALL {CITY}) t", None)


def test_a_set_is_no_union_of_patterns(pair: Pair) -> None:
    text = read(f"SELECT t.n FROM ({PERSON} UNION {CITY}) t")
    assert "UNION ALL" not in text
    assert len(rows(pair, text)) == 9
