"""Recursive common tables over graph tables: what they are as paths has the rows that DuckDB finds in the tables."""

from __future__ import annotations

import pytest

import graphir
from graphir.diagnostics import GraphirError
from tests.table_pairs import SCHEMA, Pair, written

STEP = "FROM r JOIN {knows} k ON k.src = r.id"
BOUNDED = {
    "a number of steps": f"""WITH RECURSIVE r(id, n) AS (SELECT p.id, 0 FROM {{start}} p
        UNION ALL SELECT k.dst, r.n + 1 {STEP} WHERE r.n < 3) SELECT id, n FROM r""",
    "from a number on": f"""WITH RECURSIVE r(id, n) AS (SELECT p.id, 1 FROM {{start}} p
        UNION ALL SELECT k.dst, 1 + r.n {STEP} WHERE 4 >= r.n + 1) SELECT id, n FROM r WHERE n > 2""",
    "an exact number": f"""WITH RECURSIVE r(id, n) AS (SELECT p.id, 0 FROM {{start}} p
        UNION ALL SELECT k.dst, r.n + 1 {STEP} WHERE r.n < 3) SELECT x.id FROM r AS x WHERE x.n = 2""",
    "no step at all": f"""WITH RECURSIVE r(id, n) AS (SELECT p.id, 0 FROM {{start}} p
        UNION ALL SELECT k.dst, r.n + 1 {STEP} WHERE r.n < 0) SELECT id, n FROM r""",
    "a constant start": f"""WITH RECURSIVE r(id, n) AS (SELECT 1, 0
        UNION ALL SELECT k.dst, r.n + 1 {STEP} WHERE r.n < 2) SELECT id, n FROM r""",
    "a start that is no node": f"""WITH RECURSIVE r(id, n) AS (SELECT -5, 0
        UNION ALL SELECT k.dst, r.n + 1 {STEP} WHERE r.n < 2) SELECT id, n FROM r""",
    "what it started with": f"""WITH RECURSIVE r(root, id, n) AS (SELECT p.name, p.id, 0 FROM {{start}} p
        UNION ALL SELECT r.root, k.dst, r.n + 1 {STEP} WHERE r.n < 3)
        SELECT root, count(*) AS c FROM r GROUP BY root""",
    "what is last": f"""WITH RECURSIVE r(id, name, n) AS (SELECT p.id, p.name, 0 FROM {{start}} p
        UNION ALL SELECT k.dst, k.name, r.n + 1 {STEP} WHERE r.n < 3) SELECT name, n FROM r""",
    "another value at first": f"""WITH RECURSIVE r(id, name, n) AS (SELECT p.id, 'none', 0 FROM {{start}} p
        UNION ALL SELECT k.dst, k.name, r.n + 1 {STEP} WHERE r.n < 2) SELECT name, n FROM r""",
    "a sum": f"""WITH RECURSIVE r(id, w, n) AS (SELECT p.id, 0, 0 FROM {{start}} p
        UNION ALL SELECT k.dst, r.w + k.w, r.n + 1 {STEP} WHERE r.n < 3) SELECT id, w FROM r""",
    "rows that differ": f"""WITH RECURSIVE r(id, n) AS (SELECT p.id, 0 FROM {{start}} p
        UNION SELECT k.dst, r.n + 1 {STEP} WHERE r.n < 4) SELECT id, n FROM r""",
    "a condition on each step": f"""WITH RECURSIVE r(id, n) AS (SELECT p.id, 0 FROM {{start}} p
        UNION ALL SELECT k.dst, r.n + 1 {STEP} WHERE r.n < 3 AND k.w > 2) SELECT id, n FROM r""",
    "a condition on the start": f"""WITH RECURSIVE r(root, id, n) AS (SELECT p.id, p.id, 0 FROM {{start}} p
        UNION ALL SELECT r.root, k.dst, r.n + 1 {STEP} WHERE r.n < 3 AND k.dst <> r.root) SELECT root, id, n FROM r""",
    "backwards": """WITH RECURSIVE r(id, n) AS (SELECT p.id, 0 FROM {start} p
        UNION ALL SELECT k.src, r.n + 1 FROM {knows} k JOIN r ON k.dst = r.id WHERE r.n < 3) SELECT id, n FROM r""",
    "the start inside": """WITH RECURSIVE r(id, n) AS (SELECT p.id, 0 FROM {start} p
        UNION ALL SELECT k.dst, r.n + 1 FROM r, {from r.id} k WHERE r.n < 3) SELECT id, n FROM r""",
    "joined around": f"""WITH RECURSIVE r(id, n) AS (SELECT p.id, 0 FROM {{start}} p
        UNION ALL SELECT k.dst, r.n + 1 {STEP} WHERE r.n < 2)
        SELECT q.name, r.n FROM {{all}} q LEFT JOIN r ON r.id = q.id""",
    "sorted and cut": f"""WITH RECURSIVE r(id, n) AS (SELECT p.id, 0 FROM {{start}} p
        UNION SELECT k.dst, r.n + 1 {STEP} WHERE r.n < 3) SELECT id, n FROM r ORDER BY n DESC, id LIMIT 7""",
}
VISITED = {
    "no node twice": f"""WITH RECURSIVE r(id, path) AS (SELECT p.id, ARRAY[p.id] FROM {{start}} p
        UNION ALL SELECT k.dst, array_append(r.path, k.dst) {STEP} WHERE NOT k.dst = ANY(r.path))
        SELECT id, path FROM r""",
    "no node twice, from two of them": f"""WITH RECURSIVE r(a, id, path) AS (SELECT s.src, s.dst, ARRAY[s.src, s.dst]
        FROM {{knows}} s UNION ALL SELECT r.a, k.dst, array_append(r.path, k.dst) {STEP} WHERE k.dst <> ALL(r.path))
        SELECT a, id FROM r""",
    "no edge twice": f"""WITH RECURSIVE r(id, edges, n) AS (SELECT p.id, CAST(ARRAY[] AS BIGINT[]), 0 FROM {{start}} p
        UNION ALL SELECT k.dst, array_append(r.edges, k.eid), r.n + 1 {STEP} WHERE NOT k.eid = ANY(r.edges))
        SELECT id, edges FROM r WHERE n >= 1""",
    "no edge twice, from one of them": """WITH RECURSIVE step AS (SELECT * FROM {knows} t), p(a, b, es) AS (
        SELECT src, dst, ARRAY[eid] FROM step
        UNION ALL SELECT p.a, s.dst, array_append(p.es, s.eid) FROM p JOIN step AS s ON s.src = p.b
        WHERE s.eid <> ALL(p.es)) SELECT a, b FROM p""",
    "no edge twice, either way": """WITH RECURSIVE r(id, edges) AS (SELECT p.id, CAST(ARRAY[] AS BIGINT[])
        FROM {start} p UNION ALL SELECT k.dst, array_append(r.edges, k.eid) FROM r JOIN {either} k ON k.src = r.id
        WHERE NOT k.eid = ANY(r.edges)) SELECT id, edges FROM r""",
    "no edge twice, of two kinds": """WITH RECURSIVE r(id, edges) AS (
        SELECT 'p:' || CAST(p.id AS TEXT), CAST(ARRAY[] AS TEXT[]) FROM {start} p
        UNION ALL SELECT k.dst, array_append(r.edges, k.eid) FROM r JOIN {mixed} k ON k.src = r.id
        WHERE NOT k.eid = ANY(r.edges)) SELECT id, edges FROM r""",
    "what can be reached": f"""WITH RECURSIVE r(id) AS (SELECT p.id FROM {{start}} p
        UNION SELECT k.dst {STEP}) SELECT id FROM r""",
    "what can be reached either way": """WITH RECURSIVE r(root, id) AS (SELECT p.id, p.id FROM {start} p
        UNION SELECT r.root, k.dst FROM r JOIN {either} k ON k.src = r.id) SELECT root, id FROM r""",
    "what can be reached over some": """WITH RECURSIVE r(id) AS (SELECT p.id FROM {start} p
        UNION SELECT k.dst FROM r JOIN {heavy} k ON k.src = r.id) SELECT count(*) AS n FROM r""",
}
ENDING = {
    "names on the way": f"""WITH RECURSIVE r(id, names) AS (SELECT p.id, p.name FROM {{start}} p
        UNION ALL SELECT k.dst, r.names || '>' || k.name {STEP}) SELECT names FROM r""",
    "numbers on the way": f"""WITH RECURSIVE r(id, w, n) AS (SELECT p.id, 0, 0 FROM {{start}} p
        UNION ALL SELECT k.dst, r.w + k.w, r.n + 1 {STEP}) SELECT id, w, n FROM r""",
}
REFUSED = {
    "no key": """WITH RECURSIVE r(name, n) AS (SELECT p.name, 0 FROM {start} p
        UNION ALL SELECT k.name, r.n + 1 FROM r JOIN GRAPH_TABLE (g
          MATCH (x IS "Person")-[y IS "KNOWS"]->(z IS "Person") COLUMNS (x.name AS src, z.name AS name)) k
          ON k.src = r.name WHERE r.n < 3) SELECT name FROM r""",
    "what was reached is not where it goes on": f"""WITH RECURSIVE r(id, n) AS (SELECT p.id, 0 FROM {{start}} p
        UNION ALL SELECT k.src, r.n + 1 {STEP} WHERE r.n < 3) SELECT id FROM r""",
    "a list of something else": f"""WITH RECURSIVE r(id, ws) AS (SELECT p.id, ARRAY[p.id] FROM {{start}} p
        UNION ALL SELECT k.dst, array_append(r.ws, k.w) {STEP} WHERE NOT k.w = ANY(r.ws)) SELECT id FROM r""",
    "a condition on a sum": f"""WITH RECURSIVE r(id, w) AS (SELECT p.id, 0 FROM {{start}} p
        UNION ALL SELECT k.dst, r.w + k.w {STEP} WHERE r.w < 9) SELECT id FROM r""",
    "what adds up and goes round": f"""WITH RECURSIVE r(id, w) AS (SELECT p.id, 0 FROM {{start}} p
        UNION SELECT k.dst, greatest(r.w, k.w) {STEP}) SELECT id, w FROM r""",
    "twice": """WITH RECURSIVE r(id, n) AS (SELECT p.id, 0 FROM {start} p
        UNION ALL SELECT x.id, r.n + 1 FROM r JOIN r AS x ON x.id = r.id WHERE r.n < 3) SELECT id FROM r""",
    "a table that is no graph": """WITH RECURSIVE r(id, n) AS (SELECT p.id, 0 FROM {start} p
        UNION ALL SELECT k.b, r.n + 1 FROM r JOIN knows k ON k.a = r.id WHERE r.n < 3) SELECT id FROM r""",
}


@pytest.fixture(scope="module", params=range(3))
def endless(request: pytest.FixtureRequest) -> Pair:
    """A graph with cycles, loops and parallel edges."""
    return Pair(request.param, is_endless=True)


@pytest.fixture(scope="module", params=range(2))
def ending(request: pytest.FixtureRequest) -> Pair:
    """A graph without cycles."""
    return Pair(request.param, is_endless=False)


@pytest.mark.parametrize("name", [*BOUNDED, *VISITED])
def test_a_recursion_is_paths(name: str, endless: Pair) -> None:
    found, wanted = endless.rows({**BOUNDED, **VISITED}[name], "pgq-postgres")
    assert found == wanted


@pytest.mark.parametrize("name", list(ENDING))
def test_a_recursion_that_nothing_stops_is_paths_of_a_graph_without_cycles(name: str, ending: Pair) -> None:
    found, wanted = ending.rows(ENDING[name], "pgq-postgres")
    assert found == wanted
    assert len(wanted) > 3


@pytest.mark.parametrize("name", list(REFUSED))
def test_what_is_no_path_is_refused(name: str) -> None:
    with pytest.raises(GraphirError) as refused:
        graphir.translate(written(REFUSED[name], 0), read="pgq-postgres", write="neo4j-25", schema=SCHEMA)
    assert refused.value.diagnostics[0].code == "G580"


def test_what_identifies_a_node_is_told_by_a_schema_alone() -> None:
    text = written(BOUNDED["a number of steps"], 0)
    with pytest.raises(GraphirError, match="schema with keys"):
        graphir.translate(text, read="pgq-postgres", write="neo4j-25")
