"""Lists, maps, elements as values, calls and the like: rows of the embedded engine, and of GoogleSQL's evaluator."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator

import pytest

import graphir
from graphir.backends.engines.protocol import Engine
from graphir.graphs import PropertyGraph
from graphir.schema import Schema
from tests.engines import pairs
from tests.engines.googlesql import database
from tests.engines.googlesql_pairs import Question, differences

GRAPHS = int(os.environ.get("GRAPHIR_CONSTRUCT_GRAPHS", "2"))
"""Random graphs on which each query is asked."""

QUERIES = [
    "MATCH (n:A)-[:R]->(m) WITH n, collect(m) AS ms RETURN n.i AS i, size(ms) AS c, [x IN ms | x.i] AS l",
    "MATCH (n)-[:R]->(m) WITH n, collect(DISTINCT m) AS ms RETURN n.i AS i, size(ms) AS c",
    "MATCH (n)-[:R]->(m) WITH n, collect(DISTINCT m) AS ms UNWIND ms AS x RETURN n.i AS i, x.i AS j",
    "MATCH (n)-[:R]->(m) WITH collect(m) AS ms UNWIND ms AS x MATCH (x)-[:S]->(y) RETURN x.i AS i, y.i AS j",
    "MATCH (n) OPTIONAL MATCH (n)-[:S]->(m) WITH n, collect(m) AS ms RETURN n.i AS i, size(ms) AS c",
    "MATCH (n)-[:R]->(m) WITH collect(n) AS ns, m WHERE m IN ns RETURN m.i AS i",
    "MATCH (n) WITH n ORDER BY n.i DESC WITH collect(n.i) AS l RETURN l[0] AS a, l[-1] AS b, head(l) AS c",
    "MATCH (n) WITH n ORDER BY n.x, n.i WITH collect(n) AS l RETURN head(l).i AS a, last(l).x AS b, l[1].i AS c",
    "MATCH (n) WITH n ORDER BY n.i WITH collect(n.i) AS l RETURN tail(l) AS t, l[1..3] AS s, reverse(l) AS r",
    "MATCH (n) RETURN n.i AS i, [x IN [1, 2, 3] WHERE x > n.x | x * 2] AS l",
    "MATCH (n) WHERE any(x IN [1, 2] WHERE x = n.i) AND none(x IN [2, 3] WHERE x = n.x) RETURN n.i AS i",
    "MATCH (n) RETURN n.i AS i, single(x IN [0, 1, 1] WHERE x > 0) AS b, all(x IN [1, 2] WHERE x > 0) AS c",
    "MATCH (n) RETURN n.i AS i, [1, 2] + [n.i] AS l, size([n.i]) AS s, n.i IN [0, 2] AS b",
    "MATCH (n) RETURN n.i AS i, {s: n.s, x: n.x}.x AS x, {s: n.s}.missing AS m",
    "MATCH (n) WITH n {.i, .s, double: n.i * 2} AS m RETURN m.i AS i, m.double AS d, m.s AS s",
    "MATCH (n) RETURN n.i AS i, CASE WHEN n.x > 1 THEN n END AS e",
    "MATCH (n)-[:R]->(m) RETURN count(DISTINCT CASE WHEN n.x > m.x THEN n ELSE m END) AS c",
    "MATCH (n) OPTIONAL MATCH (n)-[:R]->(m) RETURN n.i AS i, coalesce(m, n).i AS j",
    "CALL { MATCH (n:A) RETURN n UNION MATCH (n:B) RETURN n } RETURN n.i AS i",
    "CALL { MATCH (n:A)-[:R]->(m) RETURN n, m UNION ALL MATCH (n)-[:S]->(m) RETURN n, m } RETURN n.i AS i, m.i AS j",
    "CALL { MATCH (n) RETURN n ORDER BY n.i LIMIT 2 } MATCH (n)-[r]->() RETURN n.i AS i, count(r) AS c",
    "MATCH (n) CALL (n) { MATCH (n)-[:R]->(m) RETURN count(m) AS c } RETURN n.i AS i, c",
    "MATCH (n) CALL (n) { MATCH (n)-[:R]->(m) RETURN collect(m.i) AS c } RETURN n.i AS i, size(c) AS c",
    "MATCH (n) CALL (n) { MATCH (n)-[:R]->(m) WHERE m.x > 0 RETURN m, m.i + 1 AS k } RETURN n.i AS i, m.i AS j, k",
    "MATCH (n) RETURN n.i AS i, COUNT { MATCH (n)-->(m) RETURN DISTINCT m.s } AS c",
    "MATCH (n) RETURN n.i AS i, COLLECT { MATCH (n)-->(m) RETURN m.i ORDER BY m.i } AS l",
    "MATCH (n) RETURN n.i AS i, size([(n)-[:R]->(m) WHERE m.x > 0 | m.i]) AS c",
    "MATCH (n) WHERE EXISTS { MATCH (n)-->(m) WITH m, count(*) AS c WHERE c > 1 RETURN m } RETURN n.i AS i",
    "MATCH (n) WHERE COUNT { MATCH (n)-->() } > 1 RETURN n.i AS i",
    "MATCH (n) RETURN n.i AS i, count(*) AS c NEXT MATCH (m) WHERE m.i = i RETURN m.s AS s, c",
    "MATCH p = shortestPath((a:A)-[:R*..4]->(b:B)) WHERE a <> b RETURN a.i AS i, b.i AS j, length(p) AS l",
    "MATCH p = shortestPath((a:A)-[:R|S*..3]-(b:B)) WHERE a <> b RETURN a.i AS i, b.i AS j, length(p) AS l",
    "MATCH p = (a)-[:R*1..2]->(b) RETURN [x IN nodes(p) | x.i] AS l, [r IN relationships(p) | r.k] AS k",
    "MATCH p = (a)-[rs:R*1..2]->(b) RETURN a.i AS i, [r IN rs | r.k] AS k, size(nodes(p)) AS s",
    "MATCH (n) WHERE n.d IS NOT NULL RETURN n.i AS i, n.d.year AS y, n.d.month AS m, n.d.day AS d, n.d.dayOfWeek AS w",
    "MATCH (n) RETURN n.i AS i, n.d > date('2019-12-31') AS b, date('2020-01-31') + duration({months: 1}) AS e",
    "MATCH (n) WHERE n.d > date('2020-02-29') - duration('P1M30D') RETURN n.i AS i",
    "MATCH (n) RETURN n.i AS i, duration.between(n.d, date('2020-03-01')).months AS m",
    "MATCH (n) RETURN n.i AS i, duration.between(date('2021-03-30'), n.d).days AS m",
    "MATCH (n) RETURN n.i AS i, duration.inDays(n.d, date('2020-03-01')).days AS m",
    "MATCH (n) RETURN n.i AS i, toString(n.x) AS s, toFloat(n.x) AS f, toInteger(n.f) AS g, round(n.f) AS r",
    "UNWIND ['1', ' -2 ', '3.7', '.5', '1e2', 'x', '', '4 m', '+5'] AS s RETURN s, toInteger(s) AS i, toFloat(s) AS f",
    "UNWIND ['true', 'FALSE', 'x'] AS s RETURN s, toBoolean(s) AS b",
    "UNWIND [-2.5, -1.5, -0.5, 0.5, 1.5, 2.4] AS f RETURN f, round(f) AS r",
    "MATCH (n) RETURN n.i AS i, n.x / 2 AS h, n.f / 2 AS g, size(n.s) AS z, n.s = n.x AS b, n.x = '1' AS c",
    "MATCH (n) WHERE NOT n.s = 1 RETURN n.i AS i",
    "MATCH (n) RETURN n.i AS i, n.missing AS m, n.missing + 1 AS k, n:Missing AS b",
    "MATCH (n:Missing) RETURN n.i AS i",
    "MATCH (n) OPTIONAL MATCH (n)-[:NONE]->(m) RETURN n.i AS i, m.i AS j",
    "MATCH (n) RETURN labels(n) AS l, n.i AS i",
    "MATCH (n) RETURN n.i AS i, split('a,b,' + n.s, ',') AS l",
    "MATCH (n) WITH n.s AS s, collect({i: n.i, x: n.x}) AS l RETURN s, size(l) AS c, [m IN l | m.i] AS i",
]


ORDERS = [
    "MATCH (n) RETURN DISTINCT n.s AS s, collect(n.i) AS l ORDER BY s",
    "MATCH (n)-->(m) WITH n.s AS s, m.s AS t, count(*) AS c WHERE c > 1 RETURN DISTINCT t, s, c ORDER BY t, s",
    "MATCH (n)-->(m) WITH n.s AS s, m.i AS i, count(*) AS c RETURN DISTINCT s, c ORDER BY s DESC, c",
    "MATCH (n) RETURN n.s AS s ORDER BY n.x DESC, n.i",
    "MATCH (n) RETURN n.i AS x ORDER BY n.x + n.i, x SKIP 1 LIMIT 3",
    "MATCH (n) RETURN n.i AS i ORDER BY COUNT { (n)--() } DESC, i",
    "MATCH (n) RETURN DISTINCT n.x AS x ORDER BY COUNT { MATCH (m) WHERE m.x = x }, x",
    "MATCH (n) WITH n.x * 2 + n.i * 3 AS x RETURN x + x AS y ORDER BY COUNT { MATCH (m) WHERE m.i = y }, y",
    "MATCH (n) WITH n.i AS x, n RETURN n.x AS i ORDER BY x",
    "MATCH (n) RETURN DISTINCT n ORDER BY n.i",
    "MATCH (n)-->(m) RETURN n, count(m) AS c ORDER BY c, n.i",
    "CALL { MATCH (n:A) RETURN n.x AS x UNION MATCH (n:B) RETURN n.i AS x } RETURN x ORDER BY x DESC",
    "UNWIND [3, 1, null, 2] AS current_date RETURN current_date AS x ORDER BY current_date",
]


@pytest.fixture(scope="module", params=["gql-spanner", "pgq-googlesql"])
def google(request: pytest.FixtureRequest) -> Iterator[Engine]:
    database()
    with graphir.connect("googlesql", speaks=request.param) as engine:
        yield engine


@pytest.mark.parametrize("query", [*QUERIES, *ORDERS])
def test_rows_are_those_of_the_query(google: Engine, query: str) -> None:
    questions = [
        Question(seed, PropertyGraph.from_dict(pairs.graph(seed)), query, {}, "neo4j-25", query in ORDERS)
        for seed in range(GRAPHS)
    ]
    tally: Counter[str] = Counter()
    assert list(differences(google, questions, tally)) == []
    assert tally["ran"] == GRAPHS


TABLES = """
CREATE TABLE Person (id INT64 NOT NULL, name STRING(MAX), tags ARRAY<STRING(MAX)>) PRIMARY KEY (id);
CREATE TABLE Film (id INT64 NOT NULL, title STRING(MAX)) PRIMARY KEY (id);
CREATE TABLE Acted (id INT64 NOT NULL, person INT64, film INT64, year INT64) PRIMARY KEY (id);
CREATE PROPERTY GRAPH Films NODE TABLES (Person, Film)
EDGE TABLES (Acted SOURCE KEY (person) REFERENCES Person (id) DESTINATION KEY (film) REFERENCES Film (id)
  PROPERTIES (year))
"""
ROWS = {
    "Person": [[1, "Ann", ["x"]], [2, "Bob", None], [3, "Cy", []]],
    "Film": [[1, "One"], [2, "Two"]],
    "Acted": [[1, 1, 1, 1999], [2, 1, 1, 2001], [3, 2, 2, None]],
}
SHOWN = [
    ("MATCH (p:Person) RETURN p", [("Ann", ["x"]), ("Bob", None), ("Cy", [])], ("p_name", "p_tags")),
    (
        "MATCH (p:Person)-[:Acted]->(f) RETURN DISTINCT p, f.title AS film",
        [("Ann", "One"), ("Bob", "Two")],
        ("p_name", "film"),
    ),
    (
        "MATCH (p:Person)-[a:Acted]->() RETURN p, count(a) AS films ORDER BY films DESC, p.name LIMIT 1",
        [("Ann", 2)],
        ("p_name", "films"),
    ),
    ("MATCH ()-[a:Acted]->() RETURN a", [(1999,), (2001,), (None,)], ("a_year",)),
    (
        "MATCH (p:Person) OPTIONAL MATCH (p)-[:Acted]->(f:Film {id: 2}) RETURN p.name AS name, f",
        [("Ann", None), ("Bob", "Two"), ("Cy", None)],
        ("name", "f_title"),
    ),
    (
        "MATCH (n:Person {id: 1}) RETURN n UNION MATCH (n:Film {id: 1}) RETURN n",
        [("Ann", None), (None, "One")],
        ("n_name", "n_title"),
    ),
]


@pytest.mark.parametrize(("query", "rows", "columns"), SHOWN)
def test_elements_are_shown_as_columns(query: str, rows: list[tuple[object, ...]], columns: tuple[str, ...]) -> None:
    known = Schema.read(TABLES, "spanner-ddl")
    text = graphir.translate(query, "neo4j-5", "gql-spanner", known)
    with database("spanner") as engine:
        engine.define(TABLES)
        for name, filled in ROWS.items():
            engine.fill(name, filled)
        found = engine.query(text)
        places = [found.columns.index(column) for column in columns]
        assert sorted([tuple([row[at] for at in places]) for row in found.rows], key=repr) == sorted(rows, key=repr)


IN_JSON = (
    "MATCH (f:Film) RETURN f",
    "MATCH (n) RETURN n",
    "MATCH (n)-[a:Acted]->(f) RETURN a, f",
    "MATCH (p:Person) OPTIONAL MATCH (p)-[a:Acted]->(f:Film {id: 2}) RETURN p, a, f",
    "MATCH w = (p:Person)-[a:Acted]->(f) RETURN w",
    "MATCH (p:Person)-[a:Acted]->(f) RETURN DISTINCT p, f",
)


@pytest.mark.parametrize("query", IN_JSON)
def test_elements_are_shown_as_json(query: str) -> None:
    """What is written where the schema is known is what the evaluator's TO_JSON makes of an element."""
    known = Schema.read(TABLES, "spanner-ddl")
    text = graphir.translate(query, "neo4j-5", "gql-spanner", known, elements="json")
    plain = graphir.translate(query, "neo4j-5", "gql-spanner", elements="json").replace("GRAPH g", "GRAPH Films")
    found: list[list[str]] = []
    for profile, written in (("spanner", text), ("full", text), ("full", plain)):
        with database(profile) as engine:
            engine.define(TABLES)
            for name, filled in ROWS.items():
                engine.fill(name, filled)
            found.append(sorted(repr(row) for row in engine.query(written).rows))
    assert found[0] == found[1] == found[2]
    assert found[0] != []


def test_lists_of_elements_are_shown_as_json() -> None:
    known = Schema.read(TABLES, "spanner-ddl")
    query = "MATCH (p:Person) OPTIONAL MATCH (p)-[:Acted]->(f) RETURN p.id AS i, collect(f) AS fs ORDER BY i"
    text = graphir.translate(query, "neo4j-5", "gql-spanner", known, elements="json")
    with database("spanner") as engine:
        engine.define(TABLES)
        for name, filled in ROWS.items():
            engine.fill(name, filled)
        rows = engine.query(text).rows
    assert [[each["properties"]["title"] for each in row[1]] for row in rows] == [["One", "One"], ["Two"], []]
    edges = "MATCH ()-[a:Acted]->() RETURN collect(a) AS es"
    with pytest.raises(graphir.Unsupported, match="G538"):
        graphir.translate(edges, "neo4j-5", "gql-spanner", known, elements="json")
