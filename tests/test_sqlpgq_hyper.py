"""Cypher in, SQL/PGQ of Hyper out: what its tables make of patterns, expressions and the definition of the graph.

`tests/engines/test_hyper.py` runs such statements; the golden cases show whole ones.
"""

from __future__ import annotations

import gc
import weakref

import pytest

import graphir
from graphir import SemanticFault, Unsupported, api
from graphir.backends.sqlpgq.graph import of_schema
from graphir.diagnostics import Diagnostic
from graphir.dialects import DIALECTS
from graphir.schema import DataType, EdgeType, NodeType, PropertyType, Schema


def properties(**types: str) -> tuple[PropertyType, ...]:
    return tuple([PropertyType(name, DataType(type)) for name, type in types.items()])


SCHEMA = Schema(
    (
        NodeType(("Person",), properties(name="STRING", age="INTEGER", score="FLOAT", place="POINT")),
        NodeType(("City",), properties(name="STRING", age="FLOAT", size="INTEGER16")),
    ),
    (
        EdgeType("KNOWS", ("Person",), ("Person",), properties(since="DATE")),
        EdgeType("LIVES", ("Person",), ("City",)),
        EdgeType("NEAR", ("City",), ("City",)),
    ),
)


def translated(query: str) -> str:
    return graphir.translate(query, write="pgq-hyper", schema=SCHEMA)


def asked(query: str) -> str:
    """The statement without the definition, on one line."""
    return " ".join(translated(query).partition("\n)\n")[2].split())


def defined(query: str) -> str:
    return " ".join(translated(query).partition("\n)\n")[0].split())


@pytest.mark.parametrize(
    ("query", "text"),
    [
        pytest.param(
            "MATCH (a)-[:LIVES]->(b)-[:NEAR]-(c) RETURN c.size AS size",
            'MATCH (a IS "Person")-[IS "LIVES"]->(b IS "City")-[IS "NEAR"]-(c IS "City") COLUMNS',
            id="tables follow from the ends; edges of different tables need no inequality",
        ),
        pytest.param(
            "MATCH (a:Person)-[r]->(b) WHERE b:City RETURN type(r) AS t",
            '(a IS "Person")-[r IS "LIVES"]->(b IS "City") COLUMNS (r._type AS r_type)',
            id="a label predicate says which table",
        ),
        pytest.param(
            "MATCH (a)-[r]->(b) WHERE b:City OR b.name = 'x' RETURN type(r) AS t",
            "WHERE b._table IN (0) OR b.name = 'x'",
            id="or asks for the table",
        ),
        pytest.param(
            "MATCH (a:Person)-[r:KNOWS*0..1]->(b {name: 'x'}) RETURN b.age AS age, size(r) AS n",
            "MATCH (a IS \"Person\" WHERE a.name = 'x') COLUMNS (a.age_2 AS age, CAST(0 AS BIGINT) AS r_size)",
            id="no step: two nodes are one",
        ),
        pytest.param(
            "MATCH (p:Person) WHERE p.score > 1 AND p.score < 2.5 RETURN p.name AS name",
            "WHERE p.score > 1 AND p.score <= CAST('inf' AS DOUBLE PRECISION) AND p.score < 2.5e0",
            id="NaN is no greater than a number",
        ),
        pytest.param(
            "MATCH (p:Person), (q:Person) RETURN p.score = q.score AS same",
            "p_score = q_score AND (p_score <= CAST('inf' AS DOUBLE PRECISION) OR q_score IS NULL) AS same",
            id="NaN is not equal to itself; null stays null",
        ),
        pytest.param(
            "MATCH (p:Person) WITH 2147483647 AS x RETURN x + 1 AS y, 1 + 1 AS z",
            "SELECT x + 1 AS y, CAST(1 AS BIGINT) + 1 AS z FROM ( SELECT CAST(2147483647 AS BIGINT) AS x",
            id="integers have 64 bits",
        ),
        pytest.param(
            "MATCH (p:Person) WHERE p.name = $b AND p.score > $a OR p.name = $b RETURN p.name AS name",
            "p.name = $1 AND (p.score > $2 AND p.score <= CAST('inf' AS DOUBLE PRECISION)) OR p.name = $1",
            id="parameters in the order of their first mention",
        ),
        pytest.param(
            "MATCH (p:Person) RETURN p.name AS name ORDER BY name DESC SKIP 1",
            "ORDER BY name DESC OFFSET 1",
            id="nulls go where Cypher has them; OFFSET needs no LIMIT",
        ),
        pytest.param(
            "MATCH (p:Person) RETURN p.name AS x UNION MATCH (c:City) RETURN null AS x",
            "UNION SELECT CAST(NULL AS TEXT) AS x",
            id="null in a union has the type of the others",
        ),
        pytest.param(
            "MATCH (p:Person) WHERE p.place IS NOT NULL RETURN collect(p.age) AS ages, avg(p.age + 1) AS mean",
            "COALESCE(ARRAY_COMPACT(ARRAY_AGG(p_age_2)), CAST('[]' AS BIGINT[])) AS ages, "
            "(CAST(SUM((p_age_2 + 1)) AS DOUBLE PRECISION) / COUNT((p_age_2 + 1))) AS mean",
            id="collected without nulls; the mean of large integers",
        ),
        pytest.param("MATCH (n:Person) RETURN 'a\\'b' AS b", "'a''b' AS b", id="strings"),
    ],
)
def test_text(query: str, text: str) -> None:
    assert text in asked(query)


def test_the_definition_has_what_is_asked_for() -> None:
    assert defined("MATCH (p:Person)-[:KNOWS]->(q) RETURN q.age AS age") == (
        "WITH g AS PROPERTY GRAPH ( "
        'VERTEX TABLES ( "Person" KEY (graphir_id) LABEL "Person" PROPERTIES (age AS age_2) ) '
        'EDGE TABLES ( "KNOWS" KEY (graphir_id) SOURCE KEY ("source") REFERENCES "Person"(graphir_id) '
        'DESTINATION KEY (target) REFERENCES "Person"(graphir_id) LABEL "KNOWS" NO PROPERTIES )'
    )


def test_what_is_known_of_a_graph_goes_with_its_schema() -> None:
    schema = Schema(SCHEMA.node_types, SCHEMA.edge_types)
    graph = weakref.ref(of_schema(schema, "pgq-hyper"))
    graphir.translate("MATCH (n:Person) RETURN n.name AS x", write="pgq-hyper", schema=schema)
    assert graph() is not None
    del schema
    gc.collect()
    assert graph() is None


def test_a_name_has_one_type_in_the_definition() -> None:
    found = defined("MATCH (p:Person), (c:City) RETURN p.age AS a, c.age AS b, c.size AS s")
    assert 'LABEL "City" PROPERTIES (age, CAST(size AS BIGINT) AS size)' in found.replace('"size"', "size")
    assert 'LABEL "Person" PROPERTIES (age AS age_2)' in found


def test_a_query_without_patterns_defines_no_graph() -> None:
    assert translated("UNWIND [1, 2] AS x RETURN x") == "SELECT x\nFROM UNNEST(ARRAY[1, 2]) AS t1(x)"


def test_keys_of_several_columns_tell_elements_apart() -> None:
    node = NodeType(("A",), (*properties(x="STRING", y="STRING"),), key=("x", "y"))
    schema = Schema((node,), (EdgeType("R", ("A",), ("A",)),))
    text = graphir.translate("MATCH (a:A), (b:A) WHERE a <> b RETURN count(*) AS n", write="pgq-hyper", schema=schema)
    size = "CAST(CHAR_LENGTH(CAST(x AS TEXT)) AS TEXT)"
    assert f"'0:' || {size} || ':' || CAST(x AS TEXT) || CAST(y AS TEXT) AS _id" in text


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("MATCH (n) RETURN n.age AS age", "G572"),
        ("MATCH (p:Person) RETURN p.place AS place", "G572"),
        ("MATCH (p:Person) WHERE p.score > $x + 1 RETURN p.name AS name", "G573"),
        ("MATCH (a:Person)-[:KNOWS*1..25]->(b) RETURN b.name AS name", "G571"),
        ("MATCH (a:Person)-[:KNOWS*1..9]->(b)-[:KNOWS*1..9]->(c) RETURN c.name AS name", "G571"),
        ("MATCH (a:Person)-[:KNOWS*]->(b) RETURN b.name AS name", "G525"),
        ("MATCH (p:Person) RETURN CASE WHEN p.age > 1 THEN 1 ELSE 1.5 END AS x", "G536"),
        ("MATCH (p:Person) RETURN p.age AS x UNION MATCH (p:Person) RETURN p.score AS x", "G536"),
        ("MATCH q = (p:Person) RETURN q", "G538"),
        ("MATCH (p:Person) RETURN p UNION MATCH (p:City) RETURN p", "G538"),
    ],
)
def test_refusals(query: str, code: str) -> None:
    with pytest.raises(Unsupported) as caught:
        translated(query)
    assert caught.value.code == code
    assert caught.value.diagnostics[0].end > caught.value.diagnostics[0].start


def test_a_property_of_unknown_type_is_taken_for_a_text() -> None:
    schema = Schema.read("Node properties:\nCrime {id: STRING, date}\nThe relationships:\n", "text2cypher-2024-text")
    query = "MATCH (c:Crime) WHERE c.date = '26/08/2017' RETURN c"
    notes: list[Diagnostic] = []
    text = api.emit(graphir.parse(query), query, DIALECTS["neo4j-25"], DIALECTS["pgq-hyper"], schema, notes=notes)
    assert "'26/08/2017'" in text
    assert [note.code for note in notes] == ["G568", "G553"]
    for elements in ("json", "refuse"):
        with pytest.raises(Unsupported, match="G538"):
            graphir.translate(query, write="pgq-hyper", schema=schema, elements=elements)


def test_without_a_schema() -> None:
    with pytest.raises(Unsupported) as caught:
        graphir.translate("MATCH (n) RETURN n.x AS x", write="pgq-hyper")
    assert caught.value.code == "G570"


def test_the_schema_is_heeded() -> None:
    with pytest.raises(SemanticFault):
        translated("MATCH (n:Nope) RETURN n.x AS x")


def test_operands_that_would_be_written_too_often_are_refused() -> None:
    deep = "p.score"
    for _ in range(40):
        deep = f"CASE WHEN {deep} > q.score THEN p.score ELSE q.score END"
    with pytest.raises(Unsupported) as caught:
        translated(f"MATCH (p:Person), (q:Person) RETURN {deep} AS x")
    assert caught.value.code == "G534"


def test_an_order_is_that_of_the_statement_and_not_of_a_subquery() -> None:
    made = asked("MATCH (n:Person) WITH n RETURN n.name AS s ORDER BY n.age")
    assert made.endswith(") t2 ) t1 ORDER BY n_age_2")


@pytest.mark.parametrize(
    ("query", "text"),
    [
        (
            "CALL { MATCH (n:Person) RETURN n UNION MATCH (n:City) RETURN n } RETURN n.name AS name, n.size AS size",
            "CAST(NULL AS BIGINT)",
        ),
        ("MATCH ()-[k:KNOWS]->() RETURN k.since.year AS y", "CAST(EXTRACT(YEAR FROM"),
        ("MATCH (p:Person) RETURN toInteger(p.score) AS x", "CAST(TRUNC("),
        (
            "MATCH (p:Person) WHERE toFloat(p.name) > 1.5 RETURN p.age AS x",
            "G634: toFloat() of a text that is no plain",
        ),
        ("MATCH (p:Person) RETURN date(p.name) AS x", "G640: date() of a text that is no date"),
    ],
)
def test_what_is_written_for_calls_and_conversions(query: str, text: str) -> None:
    assert text in asked(query)


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("MATCH (p:Person) CALL (p) { RETURN p.age AS a } RETURN a", "G523"),
        ("MATCH (p:Person) CALL { WITH p RETURN p.age AS a } RETURN a", "G523"),
        ("MATCH (p:Person) OPTIONAL CALL () { MATCH (c:City) RETURN c } RETURN p.age AS a", "G523"),
        ("CALL { MATCH (p:Person) RETURN p.age AS x UNION MATCH (c:City) RETURN c.name AS x } RETURN x", "G536"),
        ("CALL { MATCH (p:Person) RETURN p AS x UNION MATCH (c:City) RETURN c.name AS x } RETURN x", "G536"),
        (
            "CALL { MATCH (a)-[r*1..2]->(b) RETURN r UNION MATCH (a)-[r*1..2]->(b) RETURN r } RETURN size(r) AS n",
            "G536",
        ),
        ("MATCH ()-[k:KNOWS]->() RETURN k.since.epochDays AS y", "G540"),
    ],
)
def test_calls_and_conversions_that_are_refused(query: str, code: str) -> None:
    with pytest.raises(Unsupported) as refusal:
        translated(query)
    assert refusal.value.diagnostics[0].code == code
