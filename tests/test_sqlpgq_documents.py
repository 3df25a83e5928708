"""JSON arrays of Oracle as lists: what graphir itself writes for repetitions is read, the JSON of a property is not."""

from __future__ import annotations

import pytest

import graphir
from graphir.diagnostics import GraphirError
from graphir.schema import formats
from tests.table_pairs import SCHEMA, Pair

LAID = graphir.Schema.read(formats.write(SCHEMA, "oracle-ddl"), format="oracle-ddl")
QUERIES = {
    "a walk": "MATCH (a:Person WHERE a.id < 3)-[:KNOWS*]->(b:Person) RETURN a.id AS a, b.id AS b",
    "its length": "MATCH p = (a:Person WHERE a.id < 3)-[:KNOWS*2..]->(b:Person) RETURN a.id, b.id, length(p) AS n",
    "none or more": "MATCH (a:Person WHERE a.id < 3)-[:KNOWS*0..]-(b) RETURN a.id AS a, b.id AS b",
    "two kinds of edges": "MATCH (a:Person WHERE a.id = 1)-[*..4]-(b) RETURN b.name AS b",
}
TEXT = """
WITH r (n, es, k) AS (
  SELECT t.n, CAST('[]' AS VARCHAR2(4000)), 0 FROM GRAPH_TABLE (g MATCH (p IS "Person") COLUMNS (VERTEX_ID(p) AS n)) t
  UNION ALL
  SELECT s.w, {grown}, r.k + 1
  FROM r CROSS JOIN GRAPH_TABLE (g MATCH (v IS "Person")-[e IS KNOWS]->(w IS "Person")
    COLUMNS (VERTEX_ID(v) AS v, EDGE_ID(e) AS e, VERTEX_ID(w) AS w)) s
  WHERE s.v = r.n AND NOT EXISTS (
    SELECT 1 FROM JSON_TABLE(r.es, '$[*]' ERROR ON ERROR COLUMNS (x VARCHAR2(4000) PATH '$')) j WHERE j.x = s.e)
)
SELECT {items} FROM r
"""
GROWN = """SUBSTR(r.es, 1, LENGTH(r.es) - 1) || CASE WHEN r.es <> '[]' THEN ',' END
    || SUBSTR(JSON_ARRAY(s.e NULL ON NULL), 2)"""


@pytest.fixture(scope="module")
def pair() -> Pair:
    return Pair(1, is_endless=True)


@pytest.mark.parametrize("name", list(QUERIES))
def test_repetitions_that_were_written_are_read(name: str, pair: Pair) -> None:
    query = QUERIES[name]
    text = graphir.translate(query, read="neo4j-25", write="pgq-oracle-26ai", schema=SCHEMA)
    assert "JSON_TABLE" in text
    back = graphir.translate(text, read="pgq-oracle-26ai", write="neo4j-25", schema=LAID)
    found, wanted = [pair.graph.run(each, dialect="neo4j-25").rows for each in (back, query)]
    assert sorted(map(tuple, found), key=repr) == sorted(map(tuple, wanted), key=repr)
    assert len(wanted) > 2


def test_a_text_that_only_json_functions_see_is_a_list() -> None:
    text = TEXT.format(grown=GROWN, items="JSON_VALUE(JSON(r.es), '$.size()' RETURNING NUMBER) AS k")
    assert "-[e1:KNOWS]->" in graphir.translate(text, read="pgq-oracle-26ai", write="neo4j-25")


@pytest.mark.parametrize(
    ("grown", "items"),
    [
        (GROWN, "r.es"),
        (GROWN, "*"),
        (GROWN, "LENGTH(r.es) AS n"),
        (GROWN.replace("','", "';'"), "r.k"),
        (GROWN.replace(", 2)", ", 1)"), "r.k"),
    ],
)
def test_a_text_that_is_seen_is_none(grown: str, items: str) -> None:
    with pytest.raises(GraphirError) as refused:
        graphir.translate(TEXT.format(grown=grown, items=items), read="pgq-oracle-26ai", write="neo4j-25")
    assert refused.value.diagnostics[0].code == "G580"


@pytest.mark.parametrize(
    "text",
    [
        "SELECT JSON_VALUE(t.n, '$.size()' RETURNING NUMBER) AS x FROM {table} t",
        "SELECT JSON_VALUE(t.n, '$[0]' RETURNING VARCHAR2(4000) ERROR ON ERROR NULL ON EMPTY) AS x FROM {table} t",
        "SELECT j.x FROM {table} t, JSON_TABLE(t.n, '$[*]' ERROR ON ERROR COLUMNS (x VARCHAR2(9) PATH '$')) j",
        "SELECT JSON(t.n) AS x FROM {table} t",
    ],
)
def test_the_json_of_a_property_is_no_list(text: str) -> None:
    asked = text.format(table='GRAPH_TABLE (g MATCH (p IS "Person") COLUMNS (p.name AS n))')
    with pytest.raises(GraphirError) as refused:
        graphir.translate(asked, read="pgq-oracle-26ai", write="neo4j-25")
    assert refused.value.diagnostics[0].code == "G580"
