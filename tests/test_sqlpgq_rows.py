"""ONE ROW PER VERTEX and STEP: the rows of every walk, as they follow from the edges of the graph."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import graphir
from graphir.diagnostics import GraphirError
from tests.table_pairs import SCHEMA, Pair

Walk = tuple[list[int], list[int]]
"""The people and the edges of a walk, by their numbers."""


@pytest.fixture(scope="module", params=range(2))
def pair(request: pytest.FixtureRequest) -> Pair:
    return Pair(request.param, is_endless=True)


def walks(pair: Pair) -> Iterator[Walk]:
    """Those of up to two edges from the first people."""
    edges = pair.tables.execute("SELECT id, a, b FROM knows").fetchall()
    found: list[Walk] = [([at], []) for at in range(3)]
    for _ in range(3):
        yield from found
        found = [([*people, b], [*way, at]) for people, way in found for at, a, b in edges if a == people[-1]]


def asked(pair: Pair, rows: str, columns: str) -> list[tuple[Any, ...]]:
    table = f"""SELECT * FROM GRAPH_TABLE ("g"
        MATCH p = (s IS "Person" WHERE s."id" < 3)-[k IS "KNOWS"]->{{0,2}}(q IS "Person")
        ONE ROW PER {rows} COLUMNS ({columns}))"""
    text = graphir.translate(table, read="pgq-iso", write="neo4j-25", schema=SCHEMA)
    return sorted(map(tuple, pair.graph.run(text, dialect="neo4j-25").rows), key=repr)


def test_a_row_per_vertex(pair: Pair) -> None:
    found = asked(pair, "VERTEX (v)", 's."id" AS s, v."id" AS v, ELEMENT_NUMBER(v) AS n')
    wanted = [(people[0], each, 2 * at + 1) for people, _ in walks(pair) for at, each in enumerate(people)]
    assert found == sorted(wanted, key=repr)
    assert asked(pair, "VERTEX (v) IN (p)", 'v."id" AS v') == sorted([(v,) for _, v, _ in wanted], key=repr)


def test_a_row_per_step(pair: Pair) -> None:
    columns = (
        'v."id" AS v, e."id" AS e, w."id" AS w, ELEMENT_NUMBER(v) AS a, ELEMENT_NUMBER(e) AS b, ELEMENT_NUMBER(w) AS c'
    )
    wanted: list[tuple[Any, ...]] = []
    for people, way in walks(pair):
        if not way:
            wanted.append((people[0], None, None, 1, None, None))
        for at, edge in enumerate(way):
            wanted.append((people[at], edge, people[at + 1], 2 * at + 1, 2 * at + 2, 2 * at + 3))
    assert asked(pair, "STEP (v, e, w)", columns) == sorted(wanted, key=repr)


def test_matches_are_numbered(pair: Pair) -> None:
    found = asked(pair, "STEP (v, e, w)", 'MATCHNUM() AS m, q."id" AS q, e."id" AS e, COUNT(k."id") AS c')
    matches = [(people, way) for people, way in walks(pair)]
    assert sorted({row[0] for row in found}) == list(range(1, len(matches) + 1))
    by_match = [tuple(row[1:] for row in found if row[0] == number) for number in range(1, len(matches) + 1)]
    wanted = [tuple((people[-1], edge, len(way)) for edge in sorted(way) or [None]) for people, way in matches]
    assert sorted([tuple(sorted(each, key=repr)) for each in by_match], key=repr) == sorted(wanted, key=repr)


def test_several_paths_are_refused() -> None:
    text = """SELECT * FROM GRAPH_TABLE ("g" MATCH (p IS "Person")-[k IS "KNOWS"]->{1,2}(q), (q)-[e]->{1,2}(r)
        ONE ROW PER VERTEX (v) COLUMNS (v."id" AS v))"""
    with pytest.raises(GraphirError):
        graphir.translate(text, read="pgq-iso", write="neo4j-25", schema=SCHEMA)


@pytest.mark.parametrize("rows", ["STEP (v)", "STEP (v, e)", "VERTEX (v, w)"])
def test_as_many_variables_as_a_row_has(rows: str) -> None:
    text = f"""SELECT * FROM GRAPH_TABLE ("g" MATCH (p IS "Person")-[k IS "KNOWS"]->{{1,2}}(q)
        ONE ROW PER {rows} COLUMNS (v."id" AS v))"""
    with pytest.raises(GraphirError):
        graphir.translate(text, read="pgq-iso", write="neo4j-25", schema=SCHEMA)


def test_a_number_of_repetitions_may_begin_with_zeros() -> None:
    text = """SELECT t.i FROM GRAPH_TABLE ("g" MATCH (p IS "Person")-[k IS "KNOWS"]->{02}(q) COLUMNS (q."id" AS i)) t"""
    assert "{2}" in graphir.translate(text, read="pgq-iso", write="neo4j-25", schema=SCHEMA)
