"""Cypher in, SQL/PGQ of GoogleSQL out: texts and refusals.  Patterns and expressions are those of GQL (test_gql)."""

import pytest

import graphir
from graphir import Unsupported
from graphir.backends import sqlpgq
from graphir.passes.normalize import normalize

SUPPORTED = [
    pytest.param(
        "MATCH (n:Person)-[:KNOWS]->(m) WHERE m.age > 3 RETURN n.name AS name, m.age + 1 AS next",
        """\
SELECT name, m_age + 1 AS next
FROM GRAPH_TABLE(
  g
  MATCH (n IS Person)-[IS KNOWS]->(m)
  WHERE m.age > 3
  COLUMNS (n.name AS name, m.age AS m_age)
)""",
        id="columns",
    ),
    pytest.param(
        "MATCH (a)-[r]->(b)-->(c), (a)-[s:T]-(d) RETURN count(*) AS n",
        """\
SELECT COUNT(*) AS n
FROM GRAPH_TABLE(
  g
  MATCH TRAIL (a)-[r]->(b)-[e1]->(c), (a)-[s IS T]-(d)
  WHERE r != s AND e1 != s
  COLUMNS (1 AS one)
)""",
        id="uniqueness; no column is wanted",
    ),
    pytest.param(
        "MATCH (n) RETURN n.city AS city, count(n) AS c, sum(n.x) AS s ORDER BY c DESC, city SKIP 1 LIMIT 2",
        """\
SELECT city, COUNT(n_id) AS c, IFNULL(SUM(n_x), 0) AS s
FROM GRAPH_TABLE(
  g
  MATCH (n)
  COLUMNS (n.city AS city, ELEMENT_ID(n) AS n_id, n.x AS n_x)
)
GROUP BY city
ORDER BY c DESC, city IS NULL, city
LIMIT 2
OFFSET 1""",
        id="grouping, order and page are the statement's",
    ),
    pytest.param(
        "MATCH (n) RETURN DISTINCT n.x AS x ORDER BY x SKIP 1",
        """\
SELECT DISTINCT x
FROM GRAPH_TABLE(
  g
  MATCH (n)
  COLUMNS (n.x AS x)
)
ORDER BY x IS NULL, x
LIMIT 9223372036854775807
OFFSET 1""",
        id="an OFFSET needs a LIMIT",
    ),
    pytest.param(
        "MATCH (n) RETURN n.x AS x ORDER BY n.y DESC",
        """\
SELECT x
FROM GRAPH_TABLE(
  g
  MATCH (n)
  COLUMNS (n.y AS n_y, n.x AS x)
)
ORDER BY n_y IS NOT NULL, n_y DESC""",
        id="an order by what is not returned",
    ),
    pytest.param(
        "MATCH (a)-[r]->(b) MATCH (a)-[s]->(c) WHERE c.x > b.x RETURN c.x AS x",
        """\
SELECT x
FROM GRAPH_TABLE(
  g
  MATCH (a)-[r]->(b), (a)-[s]->(c)
  WHERE c.x > b.x
  COLUMNS (c.x AS x)
)""",
        id="several MATCH clauses are one table, edges of different clauses may be one",
    ),
    pytest.param(
        "MATCH (n)-->(m) WITH n, count(m) AS c WHERE c > 1 MATCH (n)-->(k) WHERE k.x > c RETURN n.s AS s, k.x AS x",
        """\
SELECT s, k_x AS x
FROM (
  SELECT COUNT(m_id) AS c, n_id, s
  FROM GRAPH_TABLE(
    g
    MATCH (n)-[]->(m)
    COLUMNS (ELEMENT_ID(m) AS m_id, ELEMENT_ID(n) AS n_id, n.s AS s)
  )
  GROUP BY n_id, s
)
INNER JOIN GRAPH_TABLE(
  g
  MATCH (n)-[]->(k)
  COLUMNS (ELEMENT_ID(n) AS n_id_2, k.x AS k_x)
)
ON n_id = n_id_2 AND k_x > c
WHERE c > 1""",
        id="a MATCH after WITH is joined by identity",
    ),
    pytest.param(
        "MATCH (n) WITH DISTINCT n ORDER BY n.x LIMIT 2 RETURN n.y AS y",
        """\
SELECT y
FROM (
  SELECT DISTINCT n_id, n_x, y
  FROM GRAPH_TABLE(
    g
    MATCH (n)
    COLUMNS (ELEMENT_ID(n) AS n_id, n.x AS n_x, n.y AS y)
  )
  ORDER BY n_x IS NULL, n_x
  LIMIT 2
)""",
        id="distinct elements are told apart by identity",
    ),
    pytest.param(
        "MATCH (a) OPTIONAL MATCH (a)-[:R]->(b) WHERE b.x > a.x RETURN a.x AS x, b.x AS y",
        """\
SELECT x, y
FROM GRAPH_TABLE(
  g
  MATCH (a)
  COLUMNS (ELEMENT_ID(a) AS a_id, a.x AS x)
)
LEFT JOIN GRAPH_TABLE(
  g
  MATCH (a)-[IS R]->(b)
  WHERE b.x > a.x
  COLUMNS (ELEMENT_ID(a) AS a_id_2, b.x AS y)
)
ON a_id = a_id_2""",
        id="OPTIONAL MATCH",
    ),
    pytest.param(
        "MATCH (a), (b) WITH a, b.x AS x OPTIONAL MATCH (c {y: x}) WHERE c.z > a.z RETURN x, c.s AS s",
        """\
SELECT x, s
FROM (
  SELECT x, a_z
  FROM GRAPH_TABLE(
    g
    MATCH (a), (b)
    COLUMNS (b.x AS x, a.z AS a_z)
  )
)
LEFT JOIN GRAPH_TABLE(
  g
  MATCH (c)
  COLUMNS (c.z AS c_z, c.y AS c_y, c.s AS s)
)
ON c_z > a_z AND c_y = x""",
        id="conditions on both sides stand in ON",
    ),
    pytest.param(
        "MATCH (a) WITH a.x AS x, count(*) AS c WHERE EXISTS { (b {y: x})-->() } RETURN x, c",
        """\
SELECT x, c
FROM (
  SELECT x, COUNT(*) AS c
  FROM GRAPH_TABLE(
    g
    MATCH (a)
    COLUMNS (a.x AS x)
  )
  GROUP BY x
)
WHERE EXISTS (
  SELECT 1 AS one
  FROM GRAPH_TABLE(
    g
    MATCH (b)-[]->()
    COLUMNS (b.y AS b_y)
  )
  WHERE b_y = x
)""",
        id="EXISTS outside of a table",
    ),
    pytest.param(
        "MATCH (a) WHERE EXISTS { (a)-[:R]->() } RETURN COUNT { (a)--() } AS c",
        """\
SELECT (
  SELECT COUNT(*) AS count0
  FROM GRAPH_TABLE(
    g
    MATCH (a_in)-[]-()
    COLUMNS (ELEMENT_ID(a_in) AS a_in_id)
  )
  WHERE a_in_id = a_id
) AS c
FROM GRAPH_TABLE(
  g
  MATCH (a)
  WHERE EXISTS {
    MATCH (a_in)-[IS R]->()
    WHERE a_in = a
  }
  COLUMNS (ELEMENT_ID(a) AS a_id)
)""",
        id="EXISTS inside, COUNT outside",
    ),
    pytest.param(
        "UNWIND [1, 2] AS k MATCH (n {x: k}) RETURN n.s AS s",
        """\
SELECT s
FROM UNNEST([1, 2]) AS k
INNER JOIN GRAPH_TABLE(
  g
  MATCH (n)
  COLUMNS (n.x AS n_x, n.s AS s)
)
ON n_x = k""",
        id="UNWIND",
    ),
    pytest.param(
        "MATCH (a) RETURN a.x AS x, a.y AS y ORDER BY x LIMIT 1 UNION ALL MATCH (b) RETURN b.x AS x, b.y AS y",
        """\
(
  SELECT x, y
  FROM GRAPH_TABLE(
    g
    MATCH (a)
    COLUMNS (a.x AS x, a.y AS y)
  )
  ORDER BY x IS NULL, x
  LIMIT 1
)
UNION ALL
SELECT x, y
FROM GRAPH_TABLE(
  g
  MATCH (b)
  COLUMNS (b.x AS x, b.y AS y)
)""",
        id="UNION",
    ),
    pytest.param(
        "MATCH (n) WITH n.x AS x, n.y AS y RETURN y AS x, count(*) AS c",
        """\
SELECT y_2 AS x, COUNT(*) AS c
FROM (
  SELECT y AS y_2
  FROM (
    SELECT x, y
    FROM GRAPH_TABLE(
      g
      MATCH (n)
      COLUMNS (n.x AS x, n.y AS y)
    )
  )
)
GROUP BY x""",
        id="GROUP BY takes the column of the result, not the one from before",
    ),
    pytest.param(
        "MATCH (n) WITH n.x AS x ORDER BY x LIMIT 3 RETURN x AS y ORDER BY y DESC",
        """\
SELECT n_x AS y
FROM (
  SELECT n_x
  FROM GRAPH_TABLE(
    g
    MATCH (n)
    COLUMNS (n.x AS n_x)
  )
  ORDER BY n_x IS NULL, n_x
  LIMIT 3
)
ORDER BY y IS NOT NULL, y DESC""",
        id="an order after an order with a page",
    ),
    pytest.param(
        "MATCH (n) WITH sum(n.x) AS s, n.y AS y RETURN y AS a, y AS b",
        """\
SELECT y AS a, y AS b
FROM (
  SELECT IFNULL(SUM(n_x), 0) AS s, y
  FROM GRAPH_TABLE(
    g
    MATCH (n)
    COLUMNS (n.x AS n_x, n.y AS y)
  )
  GROUP BY y
)""",
        id="a key under two names",
    ),
    pytest.param(
        "RETURN 1 AS x, $p AS y",
        "SELECT 1 AS x, @p AS y",
        id="no table",
    ),
    pytest.param(
        "MATCH p = (a)-[r*1..2]->(b)-[s]->(c) WHERE all(e IN r WHERE e.w > 0) AND size(r) > 1 "
        "RETURN length(p) AS n, type(s) AS t, c:A AS l, a = c AS same",
        """\
SELECT p_length AS n, s_type AS t, c_is AS l, a_id = c_id AS same
FROM GRAPH_TABLE(
  g
  MATCH p = TRAIL (a)-[r]->{1,2}(b)-[s]->(c)
  WHERE NOT EXISTS (SELECT 1 FROM UNNEST(r) AS e WHERE (e.w > 0) IS NOT TRUE)
  COLUMNS (
    ARRAY_LENGTH(r) AS r_size,
    PATH_LENGTH(p) AS p_length,
    LABELS(s)[OFFSET(0)] AS s_type,
    c IS LABELED A AS c_is,
    ELEMENT_ID(a) AS a_id,
    ELEMENT_ID(c) AS c_id
  )
)
WHERE r_size > 1""",
        id="what elements, lists and paths are asked becomes columns",
    ),
]


@pytest.mark.parametrize(("query", "text"), SUPPORTED)
def test_translation(query: str, text: str) -> None:
    assert graphir.translate(query, read="neo4j-25", write="pgq-googlesql") == text


REFUSED = [
    ("MATCH (n) SET n.x = 1 RETURN n.x AS x", "G520"),
    ("MATCH (a)-[*]->(b) RETURN b.x AS x", "G525"),
    ("MATCH p = shortestPath((a)-[*..3]->(b)) RETURN length(p) AS n", "G527"),
    ("MATCH (n) WITH n.x AS x LIMIT 1 MATCH ()-[r*1..2]->(m) WHERE all(e IN r WHERE e.w > x) RETURN m.x AS x", "G529"),
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
    assert "GRAPH_TABLE(\n  `my graph`\n" in sqlpgq.emit(core, graph="my graph")
