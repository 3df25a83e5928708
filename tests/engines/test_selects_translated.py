"""SELECT over graph tables as people write it: Neo4j and Google's evaluator give the rows that DuckDB finds with joins.

`$P`, `$K`, `$C` and `$L` are short for the graph tables of persons, of who knows whom, of cities and of who lives
where.  What a target has no words for is listed with it; everything else has to have them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest

import graphir
from graphir import connect
from graphir.backends.sql.targets import Statement
from graphir.diagnostics import GraphirError
from graphir.graphs import PropertyGraph
from graphir.schema import infer
from tests.engines.graph_joins import OnDuckDB, Replacing
from tests.engines.graph_tables import Making
from tests.engines.test_select_joins import in_order, plain

PERSONS: list[dict[str, Any]] = [
    {"id": 1, "name": "Ann", "age": 30, "active": True, "h": 1.5, "ts": 10},
    {"id": 2, "name": "bob", "age": 17, "active": False, "h": -2.5, "ts": 20},
    {"id": 3, "name": "Ida", "age": 30, "h": 2.5, "ts": 20},
    {"id": 4, "name": "it's", "active": True, "h": 2.0, "ts": 30},
    {"id": 5, "name": "x", "age": -7, "h": 0.5},
    {"id": 6, "name": "bob", "age": 44, "active": True, "ts": 10},
    {"id": 8},
]
CITIES: list[dict[str, Any]] = [
    {"id": 1, "name": "Rome", "country": "IT", "pop": 100},
    {"id": 2, "name": "Bonn", "country": "DE", "pop": 50},
    {"id": 3, "name": "Oslo", "pop": 70},
]
KNOWS = [(1, 2, 2001), (1, 2, 2001), (2, 1, 1999), (3, 3, None), (2, 3, 2010), (4, 1, 2005), (1, 6, 2010)]
LIVES = [(1, 1, 5), (2, 1, 6), (3, 2, 7), (4, 2, None), (6, 1, 8)]
NODES = {"person": PERSONS, "city": CITIES}
EDGES = {"knows": ("person", "since", KNOWS), "lives": ("city", "nr", LIVES)}
GRAPH = PropertyGraph.from_dict(
    {
        "nodes": [
            {"id": f"{label}{row['id']}", "labels": [label], "properties": row}
            for label, rows in NODES.items()
            for row in rows
        ],
        "edges": [
            {
                "id": f"{kind}{at}",
                "type": kind,
                "start": f"person{start}",
                "end": f"{to}{end}",
                "properties": {} if value is None else {name: value},
            }
            for kind, (to, name, rows) in EDGES.items()
            for at, (start, end, value) in enumerate(rows)
        ],
    }
)
TABLES = {
    "P": "(p IS person) COLUMNS (p.id AS i, p.name AS n, p.age AS a, p.active AS act, p.h AS h, p.ts AS ts)",
    "K": "(p IS person)-[k IS knows]->(q IS person) COLUMNS (p.id AS i, q.id AS j, k.since AS s, q.name AS m)",
    "C": "(c IS city) COLUMNS (c.id AS i, c.name AS n, c.country AS co, c.pop AS pop)",
    "L": "(p IS person)-[k IS lives]->(c IS city) COLUMNS (p.id AS i, c.id AS c, k.nr AS nr, c.name AS cn)",
}
EVERYWHERE = (
    # windows
    "SELECT i, rank() OVER (ORDER BY a) AS r, dense_rank() OVER (PARTITION BY act ORDER BY a DESC) AS d FROM $P AS t",
    "SELECT i, percent_rank() OVER (ORDER BY ts) AS r, cume_dist() OVER (ORDER BY ts) AS q FROM $P AS t",
    "SELECT i, row_number() OVER (w ORDER BY i) AS r, sum(a) OVER w AS s FROM $P AS t WINDOW w AS (PARTITION BY act)",
    "SELECT i, SUM(i) OVER (ORDER BY ts) AS r, COUNT(*) OVER (PARTITION BY act ORDER BY ts, i) AS q FROM $P AS t",
    "SELECT i, SUM(i) OVER (ORDER BY i ROWS BETWEEN 1 PRECEDING AND 1 FOLLOWING) AS r FROM $P AS t",
    "SELECT i, COUNT(*) OVER (ORDER BY ts RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS r FROM $P AS t",
    "SELECT i, LAG(a, 1, i) OVER (ORDER BY i) AS r, LEAD(a, 2, i * 10) OVER (ORDER BY i) AS q FROM $P AS t",
    "SELECT i, first_value(n) OVER (ORDER BY i ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS r FROM $P AS t",
    "SELECT act, COUNT(*) AS c, rank() OVER (ORDER BY COUNT(*) DESC) AS r FROM $P AS t GROUP BY act",
    "SELECT x.i FROM (SELECT i, rank() OVER (PARTITION BY act ORDER BY a) AS r FROM $P AS t) AS x WHERE x.r = 1",
    "SELECT l.cn, p.n, rank() OVER (PARTITION BY l.cn ORDER BY p.a DESC) AS r FROM $L AS l JOIN $P AS p ON p.i = l.i",
    "SELECT DISTINCT ON (act) act, i FROM $P AS t ORDER BY act, i DESC",
    # subqueries
    "SELECT i FROM $P AS t WHERE a >= ALL (SELECT a FROM $P AS u WHERE a IS NOT NULL)",
    "SELECT i FROM $P AS t WHERE a > ANY (SELECT a FROM $P AS u)",
    "SELECT i FROM $P AS t WHERE a < ALL (SELECT s FROM $K AS k WHERE k.i = t.i)",
    "SELECT i FROM $P AS t WHERE i NOT IN (SELECT a FROM $P AS u)",
    "SELECT i FROM $P AS t WHERE a NOT IN (SELECT s FROM $K AS u WHERE FALSE)",
    "SELECT i, (i, a) IN (SELECT j, s FROM $K AS k) AS x FROM $P AS t",
    "SELECT i, (i, a) NOT IN (SELECT j, s FROM $K AS k) AS x FROM $P AS t",
    "SELECT i FROM $P AS t WHERE (i, a) NOT IN (SELECT j, 30 FROM $K AS k)",
    "SELECT i FROM $P AS t WHERE (a, i) NOT IN (SELECT s, j FROM $K AS k WHERE FALSE)",
    "SELECT i FROM $P AS t WHERE (i, a) IN (VALUES (1, 30), (2, 99))",
    "SELECT i FROM $P AS t WHERE EXISTS (SELECT 1 FROM $K AS k WHERE k.i = t.i AND k.s > 2000)",
    "SELECT i, (SELECT COUNT(*) FROM $K AS k WHERE k.i = t.i) AS x FROM $P AS t",
    "SELECT i, (SELECT k.s FROM $K AS k WHERE k.i = t.i ORDER BY k.s DESC LIMIT 1) AS x FROM $P AS t",
    "SELECT t.i, (SELECT SUM(u.i) FROM $P AS u WHERE u.i <= t.i) AS run FROM $P AS t",
    # joins that keep rows, and tables that are asked for each row
    "SELECT t.i, l.cn, l.nr FROM $P AS t LEFT JOIN $L AS l ON l.i = t.i AND l.nr > 5",
    "SELECT t.i, l.cn FROM $P AS t LEFT JOIN $L AS l ON l.i = t.i WHERE l.cn IS NULL",
    "SELECT l.cn, COUNT(k.j) AS c FROM $L AS l LEFT JOIN $K AS k ON k.i = l.i GROUP BY l.cn",
    "SELECT t.i, l.cn, k.j FROM $P AS t LEFT JOIN ($L AS l JOIN $K AS k ON k.i = l.i) ON l.i = t.i",
    "SELECT t.i, u.s FROM $P AS t RIGHT JOIN $K AS u ON t.i = u.i AND t.i > 1",
    """SELECT t.i, x.s FROM $P AS t LEFT JOIN LATERAL
        (SELECT k.s FROM $K AS k WHERE k.i = t.i ORDER BY k.s NULLS LAST LIMIT 2) AS x ON TRUE""",
    """WITH d AS (SELECT i, COUNT(*) AS c FROM $K AS k GROUP BY i)
        SELECT t.n, d.c FROM $P AS t LEFT JOIN d ON d.i = t.i""",
    "SELECT t.i, (SELECT COUNT(*) FROM $P AS p LEFT JOIN $L AS l ON l.i = p.i WHERE p.a = t.a) AS x FROM $P AS t",
    """SELECT u.i, v.j FROM (SELECT i FROM $P AS p UNION ALL SELECT i FROM $C AS c) AS u
        JOIN (SELECT j FROM $K AS p UNION ALL SELECT i FROM $C AS c) AS v ON u.i = v.j""",
    """SELECT t.i, u.x FROM $P AS t LEFT JOIN
        (SELECT i, n AS x FROM $P AS p WHERE i > 3 UNION ALL SELECT i, n FROM $C AS c) AS u ON u.i = t.i""",
    """SELECT t.n, u.w FROM $P AS t JOIN LATERAL
        (SELECT t.n || 'x' AS w UNION ALL SELECT k.m FROM $K AS k WHERE k.i = t.i) AS u ON TRUE""",
    # rows that are written out
    "SELECT t.i, v.x FROM $P AS t JOIN (VALUES (1, 'a'), (3, 'b'), (3, NULL)) AS v(i, x) ON v.i = t.i",
    "SELECT v.a, v.b FROM (VALUES (1, 2.5), (2, 3)) AS v(a, b)",
    "SELECT col0 AS a, col1 AS b FROM (VALUES (1, 'x'), (2, 'y')) AS v",
    # aggregates
    "SELECT act, string_agg(n, ',' ORDER BY i DESC) FILTER (WHERE i <> 6) AS x FROM $P AS t GROUP BY act",
    "SELECT string_agg(n, ',' ORDER BY i) FILTER (WHERE i > 100) AS x FROM $P AS t",
    "SELECT act, array_agg(n ORDER BY i) FILTER (WHERE n IS NOT NULL) AS x FROM $P AS t GROUP BY act",
    "SELECT sum(a) AS x, bool_or(act) AS y, stddev_samp(a) AS z, sum(a) FILTER (WHERE i > 2) AS v FROM $P AS t",
    "SELECT co, SUM(pop) AS x FROM $C AS c GROUP BY co HAVING SUM(pop) > 60",
    "SELECT SUM(a) AS s, COUNT(*) AS c, MIN(n) AS m FROM $P AS t WHERE i > 100",
    # functions
    "SELECT greatest(a, i) AS x, least(a, i) AS y, greatest(i, NULL, 4) AS z FROM $P AS t",
    "SELECT left(n, 2) AS x, right(n, 2) AS y, concat(n, '-', a) AS z, concat(NULL, n) AS w FROM $P AS t",
    "SELECT n LIKE '_o_' AS x, strpos(n, 'o') AS y, replace(n, 'o', '') AS z, lpad(n, 4, '-') AS w FROM $P AS t",
    "SELECT trim(n) AS x, repeat(n, 2) AS y, upper(n) || '!' AS z FROM $P AS t",
    "SELECT a IS DISTINCT FROM 30 AS x, n IS DISTINCT FROM NULL AS y, act IS NOT DISTINCT FROM TRUE AS z FROM $P AS t",
    "SELECT i / 2.0 AS x, a * 1.0 / i AS y, h / i AS z, trunc(h) AS u FROM $P AS t",
)
WITHOUT = {
    "gql-spanner": (
        "SELECT t.i FROM $P AS t JOIN (SELECT i FROM $P AS p UNION SELECT i FROM $C AS c) AS u ON u.i = t.i",
        "SELECT i FROM $P AS t INTERSECT SELECT i FROM $C AS c",
        "SELECT var_pop(a) AS x FROM $P AS t",
    ),
    "neo4j-25": (
        "SELECT bit_or(i) AS x FROM $P AS t",
        "SELECT array_agg(n ORDER BY i) AS x, string_agg(n, ';' ORDER BY n, i) AS y FROM $P AS t",
    ),
}


def written(text: str) -> str:
    return re.sub(r"\$(\w)", lambda found: f'GRAPH_TABLE ("graph" MATCH {TABLES[found[1]]})', text)


class Asked:
    """The joins, and an engine that is asked in its own words."""

    def __init__(self, target: str, engine: Any) -> None:
        self.target = target
        self.engine = engine
        self.joined = OnDuckDB("pgq-duckpgq")
        self.joined.load(GRAPH)
        graph = Making(self.joined.definition, self.joined.laid).graph()
        self.schema = infer.from_graph(graph)
        engine.clear()
        engine.load(graph)

    def wanted(self, text: str) -> list[Any]:
        made = Replacing(written(text), self.joined.definition, self.joined.laid).text()
        return [plain(row) for row in self.joined.asked(Statement(made, (), ()))]

    def translated(self, text: str) -> str:
        return graphir.translate(written(text), read="pgq-duckpgq", write=self.target, schema=self.schema)

    def found(self, text: str) -> list[Any]:
        return [plain(tuple(row)) for row in self.engine.run(self.translated(text), dialect=self.target).rows]


@pytest.fixture(scope="module", params=["neo4j-25", "gql-spanner"])
def asked(request: pytest.FixtureRequest) -> Iterator[Asked]:
    if request.param == "neo4j-25":
        opened = connect("neo4j", uri=request.getfixturevalue("neo4j_uri"), keep=False)
    else:
        opened = connect("googlesql", speaks="gql-spanner")
    with opened as engine:
        made = Asked(request.param, engine)
        yield made
        made.joined.close()


@pytest.mark.parametrize("text", EVERYWHERE)
def test_rows(asked: Asked, text: str) -> None:
    assert in_order(asked.found(text)) == in_order(asked.wanted(text))


def test_what_a_target_has_no_words_for_is_refused(asked: Asked) -> None:
    for text in WITHOUT[asked.target]:
        assert asked.wanted(text)
        with pytest.raises(GraphirError) as refused:
            asked.translated(text)
        assert refused.value.diagnostics[0].code.startswith("G5")
