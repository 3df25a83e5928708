"""Cypher in, SQL/PGQ of GoogleSQL out: texts and refusals.  What stands in the table is GQL of Spanner (test_gql)."""

from collections.abc import Iterator

import pytest

import graphir
from graphir import Schema, Unsupported
from graphir.backends import gql
from graphir.backends.engines.protocol import Engine
from graphir.evaluation import reference, rows_equal
from graphir.passes.normalize import normalize

SUPPORTED = [
    pytest.param(
        "MATCH (n:Person)-[:KNOWS]->(m) WHERE m.age > 3 RETURN n.name AS name, m.age + 1 AS next",
        """\
SELECT name, next
FROM GRAPH_TABLE(
  g
  MATCH (n:Person)-[:KNOWS]->(m)
  WHERE m.age > 3
  RETURN n.name AS name, m.age + 1 AS next
)""",
        id="the query stands in the table, its columns outside",
    ),
    pytest.param(
        "MATCH (n) RETURN n.city AS city, count(n) AS c, sum(n.x) AS s ORDER BY c DESC, city SKIP 1 LIMIT 2",
        """\
SELECT city, c, s
FROM GRAPH_TABLE(
  g
  MATCH (n)
  RETURN n.city AS city, COUNT(ELEMENT_ID(n)) AS c, IFNULL(SUM(n.x), 0) AS s
  GROUP BY city
)
ORDER BY c DESC, city IS NULL, city
LIMIT 2
OFFSET 1""",
        id="order and page are the statement's",
    ),
    pytest.param(
        "MATCH (n) RETURN DISTINCT n.x AS x ORDER BY x + 1 SKIP 1",
        """\
SELECT x
FROM GRAPH_TABLE(
  g
  MATCH (n)
  RETURN DISTINCT n.x AS x
)
ORDER BY x + 1 IS NULL, x + 1
LIMIT 9223372036854775807
OFFSET 1""",
        id="a key of columns stands outside; an OFFSET needs a LIMIT",
    ),
    pytest.param(
        "MATCH (n) RETURN n.x AS x, n.y ORDER BY n.z DESC, n.y, n.z + 1",
        """\
SELECT x, `n.y`
FROM GRAPH_TABLE(
  g
  MATCH (n)
  RETURN n.x AS x, n.y AS `n.y`, n.z AS sort_key1, n.z + 1 AS sort_key2
)
ORDER BY sort_key1 IS NOT NULL, sort_key1 DESC, `n.y` IS NULL, `n.y`, sort_key2 IS NULL, sort_key2""",
        id="a key that is no column becomes one of the table",
    ),
    pytest.param(
        "MATCH (n) RETURN n.x AS sort_key1 ORDER BY n.y",
        """\
SELECT sort_key1
FROM GRAPH_TABLE(
  g
  MATCH (n)
  RETURN n.x AS sort_key1, n.y AS sort_key1_2
)
ORDER BY sort_key1_2 IS NULL, sort_key1_2""",
        id="the name of such a column is free",
    ),
    pytest.param(
        "MATCH (n) RETURN n.x AS x ORDER BY COUNT { (n)--() }",
        """\
SELECT x
FROM GRAPH_TABLE(
  g
  MATCH (n)
  RETURN
    n.x AS x,
    VALUE {
      MATCH (n_in)-[]-()
      WHERE n_in = n
      RETURN COUNT(*) AS count0
    } AS sort_key1
)
ORDER BY sort_key1""",
        id="a key that asks the graph",
    ),
    pytest.param(
        "MATCH (n) RETURN DISTINCT n.x AS x ORDER BY COUNT { MATCH (m) WHERE m.y = x }, x",
        """\
SELECT x
FROM GRAPH_TABLE(
  g
  MATCH (n)
  RETURN DISTINCT n.x AS x

  NEXT
  RETURN
    x,
    VALUE {
      MATCH (m)
      WHERE m.y = x
      RETURN COUNT(*) AS count0
    } AS sort_key1
)
ORDER BY sort_key1, x IS NULL, x""",
        id="a key that asks the graph about a column",
    ),
    pytest.param(
        "MATCH (n) WITH n.x + 1 + n.y + 2 + n.z + 3 AS x RETURN x * x AS y ORDER BY COUNT { MATCH (m) WHERE "
        "m.y = y }, y",
        """\
SELECT y
FROM GRAPH_TABLE(
  g
  MATCH (n)
  WITH n.x + 1 + n.y + 2 + n.z + 3 AS x
  RETURN x * x AS y

  NEXT
  RETURN
    y,
    VALUE {
      MATCH (m)
      WHERE m.y = y
      RETURN COUNT(*) AS count0
    } AS sort_key1
)
ORDER BY sort_key1, y IS NULL, y""",
        id="a key that asks the graph about a column that is computed",
    ),
    pytest.param(
        "MATCH (n) WITH n.y AS x, n RETURN n.x AS y ORDER BY x",
        """\
SELECT y
FROM GRAPH_TABLE(
  g
  MATCH (n)
  WITH n.y AS x, n
  RETURN n.x AS y, x AS sort_key1
)
ORDER BY sort_key1 IS NULL, sort_key1""",
        id="a key by the name of a column from before",
    ),
    pytest.param(
        "MATCH (a) RETURN a.x AS x, a.y AS y ORDER BY x, y LIMIT 1 UNION ALL MATCH (b) RETURN b.x AS x, b.y AS y",
        """\
SELECT x, y
FROM GRAPH_TABLE(
  g
  MATCH (a)
  RETURN a.x AS x, a.y AS y
  ORDER BY x IS NULL, x, y IS NULL, y
  LIMIT 1
  UNION ALL
  MATCH (b)
  RETURN b.x AS x, b.y AS y
)""",
        id="UNION is one table",
    ),
    pytest.param(
        "CALL { MATCH (a) RETURN a.x AS x UNION MATCH (b) RETURN b.y AS x } "
        "RETURN x, count(*) AS c ORDER BY c, x LIMIT 3",
        """\
SELECT x, c
FROM GRAPH_TABLE(
  g
  MATCH (a)
  RETURN a.x AS x
  UNION DISTINCT
  MATCH (b)
  RETURN b.y AS x

  NEXT
  RETURN x, COUNT(*) AS c
  GROUP BY x
)
ORDER BY c, x IS NULL, x
LIMIT 3""",
        id="parts are one table",
    ),
    pytest.param(
        "MATCH (n) WITH n.x AS x ORDER BY x LIMIT 3 RETURN x AS y ORDER BY y DESC",
        """\
SELECT y
FROM GRAPH_TABLE(
  g
  MATCH (n)
  ORDER BY n.x IS NULL, n.x
  LIMIT 3
  RETURN n.x AS y
)
ORDER BY y IS NOT NULL, y DESC""",
        id="an order after an order with a page",
    ),
    pytest.param(
        "MATCH (a) OPTIONAL MATCH (a)-[:R]->(b) WHERE b.x > a.x RETURN a.x AS x, COUNT { (a)--() } AS c LIMIT $k",
        """\
SELECT x, c
FROM GRAPH_TABLE(
  g
  MATCH (a)
  OPTIONAL MATCH (a)-[:R]->(b)
  WHERE b.x > a.x
  RETURN
    a.x AS x,
    VALUE {
      MATCH (a_in)-[]-()
      WHERE a_in = a
      RETURN COUNT(*) AS count0
    } AS c
)
LIMIT @k""",
        id="OPTIONAL MATCH, subqueries, a parameter",
    ),
    pytest.param(
        "MATCH (a)-[r:R]->(b) RETURN DISTINCT r.w AS current_date, a.x AS select, b.y AS A, b.z AS a",
        """\
SELECT DISTINCT `current_date`, `select`, A, a_2
FROM GRAPH_TABLE(
  g
  MATCH (a_2)-[r:R]->(b)
  RETURN r.w AS `current_date`, a_2.x AS `select`, b.y AS A, b.z AS a_2
)""",
        id="names that are words of SQL, or one in any case",
    ),
    pytest.param(
        "RETURN 1 AS x, $p AS y ORDER BY y",
        """\
SELECT 1 AS x, @p AS y
ORDER BY y IS NULL, y""",
        id="a row that asks no graph needs none",
    ),
    pytest.param(
        "UNWIND [1, 2] AS k RETURN k",
        """\
SELECT k
FROM GRAPH_TABLE(
  g
  FOR k IN [1, 2]
  RETURN k
)""",
        id="rows of a list",
    ),
    pytest.param(
        "RETURN EXISTS { (:A) } AS x",
        """\
SELECT x
FROM GRAPH_TABLE(
  g
  RETURN EXISTS {
    MATCH (:A)
  } AS x
)""",
        id="a row that asks the graph",
    ),
]


@pytest.mark.parametrize(("query", "text"), SUPPORTED)
def test_translation(query: str, text: str) -> None:
    assert graphir.translate(query, read="neo4j-25", write="pgq-googlesql") == text


REFUSED = [
    ("MATCH (n) SET n.x = 1 RETURN n.x AS x", "G520"),
    ("MATCH (a)-[*]->(b) RETURN b.x AS x", "G525"),
    ("MATCH (n) RETURN n.x / 2 AS x", "G535"),
    ("MATCH (n)-[r]->() WITH r RETURN r", "G538"),
    ("MATCH (n) RETURN n.x AS x LIMIT 1 + 1", "G541"),
    ("RETURN 1 AS x UNION RETURN 'a' AS x", "G536"),
]


@pytest.mark.parametrize(("query", "code"), REFUSED, ids=[query for query, _ in REFUSED])
def test_refusal(query: str, code: str) -> None:
    with pytest.raises(Unsupported) as refusal:
        graphir.translate(query, read="neo4j-25", write="pgq-googlesql")
    assert refusal.value.code == code
    assert refusal.value.target == "pgq-googlesql"


def test_the_name_of_the_graph() -> None:
    core = normalize(graphir.parse("MATCH (n) RETURN n.x AS x"))
    assert "GRAPH_TABLE(\n  `my graph`\n" in gql.emit(core, "pgq-googlesql", graph=("my graph",))


GRAPH = graphir.PropertyGraph(
    tuple(
        [
            graphir.Node(
                at,
                ("Person" if at % 2 else "A",),
                {"name": f"p{at}", "age": at, "city": "ABC"[at % 3], "x": at * 7 % 5, "y": at * 3 % 4, "z": -at},
            )
            for at in range(7)
        ]
    ),
    tuple([graphir.Edge(at, "KNOWS" if at % 2 else "R", at % 7, at * 5 % 7, {"w": at % 3}) for at in range(14)]),
)


@pytest.fixture(scope="module")
def engine() -> Iterator[Engine]:
    with graphir.connect() as opened:
        opened.load(GRAPH)
        yield opened


@pytest.mark.parametrize("query", [case.values[0] for case in SUPPORTED])
def test_the_text_read_again_has_the_rows_of_the_query(query: str, engine: Engine) -> None:
    text = graphir.translate(query, read="neo4j-25", write="pgq-googlesql")
    parameters = {"p": 1, "k": 3}
    wanted = reference(engine, query, parameters)
    assert wanted.rows
    assert rows_equal(wanted, engine.run(text, parameters, "pgq-googlesql"))


TRIPLES = "(Person, ACTED_IN, Movie)"
DYNAMIC = """
CREATE TABLE N (id INT64 NOT NULL, label STRING(MAX), props JSON) PRIMARY KEY (id);
CREATE PROPERTY GRAPH d NODE TABLES (N DYNAMIC LABEL (label) DYNAMIC PROPERTIES (props));
"""


@pytest.mark.parametrize(
    ("text", "query", "kept"),
    [
        (TRIPLES, "MATCH (p:Person) RETURN p.name AS n", "RETURN p.name AS n"),
        (TRIPLES, "MATCH (s:Studio)-[:OWNS]->(m) RETURN s.id AS n", "MATCH (s:Studio)-[:OWNS]->(m) RETURN s.id AS n"),
        (TRIPLES, "MATCH (p:Person) WHERE p:Star RETURN 1 AS n", "WHERE p IS LABELED Star"),
        (TRIPLES, "MATCH (p:!Star) RETURN 1 AS n", "MATCH (p:!Star)"),
        (DYNAMIC, "MATCH (a:Account {nick: 'x'}) RETURN a.id AS n", "MATCH (a:Account WHERE a.nick = 'x') RETURN a.id"),
    ],
)
def test_what_a_schema_does_not_list_may_be_there(text: str, query: str, kept: str) -> None:
    schema = Schema.read(text)
    made = graphir.translate(query, write="pgq-googlesql", schema=schema)
    assert kept in " ".join(made.split())
    with pytest.raises(Unsupported) as caught:
        graphir.translate(query, write="pgq-hyper", schema=schema)
    assert caught.value.code in ("G551", "G552")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("SELECT x BETWEEN SYMMETRIC 2 AND 1 AS y FROM {table}", "2"),
        ("SELECT x FROM {table} FOR UPDATE", "FOR"),
        ("SELECT CURRENT_TIMESTAMP AT TIME ZONE 'UTC' AS y FROM {table}", "AT"),
    ],
)
def test_the_word_is_told_that_is_not_read(text: str, word: str) -> None:
    query = text.format(table="GRAPH_TABLE (g MATCH (a IS p) COLUMNS (a.x AS x)) AS t")
    with pytest.raises(Unsupported) as refused:
        graphir.translate(query, read="pgq-postgres", write="neo4j-25")
    found = refused.value.diagnostics[0]
    assert (found.code, query[found.start : found.end]) == ("G582", word)
    assert f"`{word}` is not read here" in found.message
