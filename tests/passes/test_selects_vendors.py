"""SQL/PGQ of ISO SQL, Oracle, PostgreSQL, DuckPGQ and Hyper as the graph queries that it means: rows, and refusals."""

from __future__ import annotations

from typing import Any

import pytest

import graphir
from graphir import ir
from graphir.diagnostics import Unsupported
from graphir.passes import conditions
from graphir.passes.normalize import normalize
from graphir.source import Source
from tests import loaded

GRAPH = """
CREATE (a:p {k: 1, s: 'x_'}), (b:p {k: 2, s: 'yz'}), (c:p {k: 3, s: 'X'}),
       (a)-[:t {w: 10}]->(b), (a)-[:t {w: 20}]->(c), (b)-[:t {w: 30}]->(c), (c)-[:t {w: 40}]->(a), (b)-[:l]->(b)
"""
NODES = "GRAPH_TABLE (g MATCH (n IS p) COLUMNS (n.k AS k, n.s AS s))"
EDGES = "GRAPH_TABLE (g MATCH (n IS p)-[e IS t]->(m IS p) COLUMNS (n.k AS f, m.k AS t, e.w AS w))"
QUOTED = 'GRAPH_TABLE (g MATCH (n IS "p") COLUMNS (n."k" AS k, n."s" AS s))'
TIED = 'GRAPH_TABLE (g MATCH (n IS "p")-[e IS "t"]->(m IS "p") COLUMNS (n."k" AS f, e."w" AS w))'


db = loaded.embedded(GRAPH)


def core(text: str, dialect: str) -> ir.Query:
    return normalize(graphir.parse(text, dialect), Source(text), dialect)


CASES: list[tuple[str, str, list[tuple[Any, ...]]]] = [
    # Columns, pages and tables.
    (
        "pgq-postgres",
        f"SELECT v.a, v.s FROM {NODES} AS v (a) ORDER BY a DESC OFFSET 1 FETCH NEXT ROW ONLY",
        [(2, "yz")],
    ),
    ("pgq-postgres", "SELECT a + b FROM (VALUES (1, 2), (3, 4)) AS v (a, b) ORDER BY 1", [(3,), (7,)]),
    ("pgq-iso", 'SELECT "x" FROM (VALUES (1)) AS v ("x")', [(1,)]),
    ("pgq-postgres", f"WITH t (a) AS (SELECT k FROM {NODES}) SELECT max(a) FROM t", [(3,)]),
    (
        "pgq-postgres",
        f"SELECT k, w FROM {NODES} NATURAL JOIN (SELECT f AS k, w FROM {EDGES}) e ORDER BY w LIMIT 1",
        [(1, 10)],
    ),
    (
        "pgq-postgres",
        f"SELECT a.k, q.n FROM {NODES} a, LATERAL (SELECT count(*) AS n FROM {EDGES} e WHERE e.f = a.k) q ORDER BY 1",
        [(1, 2), (2, 1), (3, 1)],
    ),
    (
        "pgq-postgres",
        f"SELECT a.k, b.w FROM {NODES} a, GRAPH_TABLE (g MATCH (n IS p)-[e IS t]->() WHERE n.k = a.k COLUMNS (e.w)) b "
        "ORDER BY 2 DESC LIMIT 1",
        [(3, 40)],
    ),
    (
        "pgq-oracle-23ai",
        f"SELECT a.k, b.w FROM {QUOTED} a CROSS APPLY (SELECT e.w FROM {TIED} e WHERE e.f = a.k) b ORDER BY b.w "
        "FETCH FIRST 1 ROWS ONLY",
        [(1, 10)],
    ),
    (
        "pgq-duckpgq",
        "FROM GRAPH_TABLE (g MATCH (n:p) COLUMNS (n.k AS K)) SELECT k WHERE K > 1 ORDER BY k",
        [(2,), (3,)],
    ),
    ("pgq-duckpgq", "FROM GRAPH_TABLE (g MATCH (n:p) COLUMNS (n.k)) ORDER BY k LIMIT 1", [(1,)]),
    # Aggregates.
    ("pgq-postgres", f"SELECT count(*) FILTER (WHERE k > 1), sum(k) FILTER (WHERE k > 1) FROM {NODES}", [(2, 5)]),
    ("pgq-postgres", f"SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY k) FROM {NODES}", [(2.0,)]),
    ("pgq-oracle-23ai", f"SELECT LISTAGG(s, ',') WITHIN GROUP (ORDER BY k DESC) AS l FROM {QUOTED}", [("X,yz,x_",)]),
    ("pgq-postgres", f"SELECT sum(k) FROM {NODES} WHERE k > 9", [(None,)]),
    # Texts compare by the codes of their characters, as the collation "C" says.
    ("pgq-postgres", f'SELECT k FROM {NODES} ORDER BY s COLLATE "C" DESC, k', [(2,), (1,), (3,)]),
    # Operators.
    ("pgq-postgres", f"SELECT k FROM {NODES} WHERE s ILIKE 'x%' ORDER BY k", [(1,), (3,)]),
    ("pgq-postgres", f"SELECT k FROM {NODES} WHERE s LIKE 'x\\_'", [(1,)]),
    ("pgq-duckpgq", "FROM GRAPH_TABLE (g MATCH (n:p) COLUMNS (n.s)) WHERE s LIKE 'x\\_'", []),
    ("pgq-oracle-23ai", f"SELECT k FROM {QUOTED} WHERE s LIKE 'x!_' ESCAPE '!'", [(1,)]),
    ("pgq-postgres", f"SELECT k FROM {NODES} WHERE k = ANY (ARRAY[1, 3]) AND k <> ALL (ARRAY[3])", [(1,)]),
    ("pgq-postgres", f"SELECT k FROM {NODES} WHERE k < ALL (ARRAY[2, 3])", [(1,)]),
    ("pgq-postgres", f"SELECT k::text || '!' AS t FROM {NODES} WHERE k = 1", [("1!",)]),
    ("pgq-postgres", f"SELECT 7 / 2 AS q FROM {NODES} WHERE k = 1", [(3,)]),
    ("pgq-duckpgq", "FROM GRAPH_TABLE (g MATCH (n:p) COLUMNS (n.k)) SELECT 7 / 2 AS q WHERE k = 1", [(3.5,)]),
    ("pgq-oracle-23ai", "SELECT 7 / 2 AS q FROM DUAL", [(3.5,)]),
    # The empty string of Oracle is null; joined to a string it is nothing.
    ("pgq-oracle-23ai", f"SELECT k FROM {QUOTED} WHERE s <> ''", []),
    ("pgq-oracle-23ai", f"SELECT s || NULL || '!' AS t, '' || NULL AS u FROM {QUOTED} WHERE k = 2", [("yz!", None)]),
    ("pgq-postgres", f"SELECT s || NULL AS t FROM {NODES} WHERE k = 2", [(None,)]),
    # Walks repeat edges.
    (
        "pgq-oracle-23ai",
        'SELECT COUNT(*) AS n FROM GRAPH_TABLE (g MATCH (a)-[e IS "t"]->{4}(a) COLUMNS (1 AS o))',
        [(2,)],
    ),
    (
        "pgq-oracle-23ai",
        'SELECT COUNT(*) AS n FROM GRAPH_TABLE (g MATCH (a)-[e IS "l"]->{1,3}(a) COLUMNS (1 AS o))',
        [(3,)],
    ),
    # DuckPGQ: one row per pair with a shortest way of such a length, in which a way of no edge counts.
    (
        "pgq-duckpgq",
        "FROM GRAPH_TABLE (g MATCH (a:p)-[e:t]->{1,2}(b:p) WHERE a.k = 1 COLUMNS (b.k AS k)) ORDER BY k",
        [(2,), (3,)],
    ),
    (
        "pgq-duckpgq",
        "FROM GRAPH_TABLE (g MATCH o = ANY SHORTEST (a:p)-[e:t]->*(b:p)-[f:l]->(c:p) "
        "COLUMNS (a.k AS k, path_length(o) AS n)) ORDER BY k",
        [(1, 2), (2, 1), (3, 3)],
    ),
    ("pgq-duckpgq", "SELECT count(*) FROM GRAPH_TABLE (g MATCH (a:p)-[e:t]->{0,1}(b:p))", [(4,)]),
    # An edge without direction counts a loop twice there, and once elsewhere.
    ("pgq-duckpgq", "SELECT count(*) FROM GRAPH_TABLE (g MATCH (a:p)-[e:l]-(b:p) COLUMNS (a.k))", [(2,)]),
    ("pgq-postgres", "SELECT count(*) FROM GRAPH_TABLE (g MATCH (a IS p)-[e IS l]-(b IS p) COLUMNS (a.k))", [(1,)]),
    ("pgq-duckpgq", "FROM GRAPH_TABLE (g MATCH (p)-[t]->(b:p) COLUMNS (max(t.w) AS w))", [(40,)]),
]


@pytest.mark.parametrize(("dialect", "text", "rows"), CASES, ids=[text[:70] for _, text, _ in CASES])
def test_rows(db: Any, dialect: str, text: str, rows: list[tuple[Any, ...]]) -> None:
    assert [tuple(row) for row in db.run(text, dialect=dialect).rows] == rows
    assert conditions.violations(core(text, dialect)) == []


@pytest.mark.parametrize(
    ("dialect", "text", "code"),
    [
        ("pgq-oracle-23ai", f"SELECT k FROM {QUOTED} FETCH FIRST 10 PERCENT ROWS ONLY", "G580"),
        ("pgq-oracle-23ai", f"SELECT k FROM {QUOTED} ORDER BY k FETCH FIRST 1 ROWS WITH TIES", "G580"),
        ("pgq-postgres", f'SELECT s COLLATE "de_DE" FROM {NODES}', "G580"),
        ("pgq-postgres", f"SELECT s FROM {NODES} WHERE s SIMILAR TO 'a|b'", "G580"),
        ("pgq-postgres", f"SELECT s::inet FROM {NODES}", "G580"),
        ("pgq-postgres", f"SELECT ntile(4) OVER (ORDER BY k) FROM {NODES}", "G580"),
        (
            "pgq-postgres",
            f"WITH RECURSIVE r AS (SELECT k FROM {NODES} UNION SELECT k + 1 FROM r WHERE k < 9) SELECT * FROM r",
            "G580",
        ),
        ("pgq-postgres", f"SELECT * FROM {NODES} n, generate_series(1, 3)", "G580"),
        ("pgq-postgres", f"SELECT array_agg(k) FILTER (WHERE k > 1) FROM {NODES}", "G580"),
        ("pgq-postgres", f"SELECT INTERVAL '1 day 2 hours' FROM {NODES}", "G580"),
        ("pgq-postgres", f"SELECT k FROM {NODES} FOR UPDATE", "G582"),
        ("pgq-postgres", f"SELECT current_date FROM {NODES}", "G580"),
        ("pgq-oracle-23ai", f'SELECT k FROM {QUOTED} WHERE s = "x"', "G580"),
        ("pgq-postgres", f"SELECT k FROM {NODES} WHERE k = '5'", "G580"),
        ("pgq-duckpgq", "SELECT * FROM GRAPH_TABLE (g MATCH (a:p)-[e:t]->(b:p))", "G580"),
        ("pgq-duckpgq", "FROM GRAPH_TABLE (g MATCH (a:p)<-[e:t]->(b:p) COLUMNS (a.k))", "G269"),
        (
            "pgq-duckpgq",
            "FROM GRAPH_TABLE (g MATCH o = ANY SHORTEST (a:p)-[e:t]->*(b:p) COLUMNS (vertices(o)))",
            "G269",
        ),
    ],
)
def test_refusals(dialect: str, text: str, code: str) -> None:
    """They are read and checked, and no graph query says the same."""
    assert graphir.parse(text, dialect).body is not None
    with pytest.raises(Unsupported) as raised:
        core(text, dialect)
    assert raised.value.diagnostics[0].code == code


def test_names_are_those_of_the_schema() -> None:
    """An unquoted name is the one that differs in case alone; a quoted one is as it stands."""
    ddl = """
    CREATE TABLE person (id INT PRIMARY KEY, name TEXT);
    CREATE TABLE knows (a INT REFERENCES person (id), b INT REFERENCES person (id), since INT);
    CREATE PROPERTY GRAPH g VERTEX TABLES (person LABEL "Person" PROPERTIES (id, name AS "fullName"))
      EDGE TABLES (knows KEY (a, b) SOURCE KEY (a) REFERENCES person (id) DESTINATION KEY (b) REFERENCES person (id)
        LABEL "KNOWS" PROPERTIES (since))
    """
    schema = graphir.Schema.read(ddl, "postgres-ddl")
    text = (
        'SELECT * FROM GRAPH_TABLE (g MATCH (a IS "Person")-[k IS "KNOWS"]->(b) COLUMNS (a."fullName" AS n, k.SINCE))'
    )
    assert graphir.translate(text, read="pgq-postgres", write="neo4j-25", schema=schema) == (
        "MATCH (a:Person)-[k:KNOWS]->(b)\nRETURN a.fullName AS n, k.since AS since"
    )
    spread = "SELECT * FROM GRAPH_TABLE (g MATCH (a:person)-[k:knows]->(b:person) COLUMNS (k.*, a.*)) t"
    assert graphir.translate(spread, read="pgq-duckpgq", write="neo4j-25", schema=schema) == (
        "MATCH (a:Person)-[k:KNOWS]->(b:Person)\nRETURN k.since AS since, a.fullName AS fullName, a.id AS id"
    )


def test_a_text_takes_the_type_of_what_it_is_compared_with() -> None:
    """A schema tells whether it is a date."""
    ddl = "CREATE TABLE p (k INT PRIMARY KEY, born DATE, name TEXT); CREATE PROPERTY GRAPH g VERTEX TABLES (p)"
    schema = graphir.Schema.read(ddl, "postgres-ddl")
    text = "SELECT n FROM GRAPH_TABLE (g MATCH (a IS p) WHERE a.{} > '2020-01-01' COLUMNS (a.name AS n))"
    shown = [
        graphir.translate(text.format(name), read="pgq-postgres", write="neo4j-25", schema=schema)
        for name in ("born", "name")
    ]
    assert "a.born > date('2020-01-01')" in shown[0]
    assert "a.name > '2020-01-01'" in shown[1]


def test_parameters_without_a_name_have_their_place() -> None:
    text = f"SELECT k FROM {NODES} WHERE k > ? AND s <> ?"
    shown = graphir.translate(text, read="pgq-iso", write="neo4j-25")
    assert "> $1 AND" in shown
    assert "<> $2" in shown
