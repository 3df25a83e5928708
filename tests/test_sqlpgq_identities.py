"""The key that our data definition adds to a table without one is what identifies an element, where SQL is read."""

from __future__ import annotations

import pytest

import graphir
from graphir import Schema
from graphir.diagnostics import Unsupported
from graphir.schema import DataType, EdgeType, NodeType, PropertyType, formats, labels


def person(name: str, kind: str) -> NodeType:
    return NodeType(("Person",), (PropertyType(name, DataType(kind)),))


KNOWS = EdgeType("KNOWS", labels("Person"), labels("Person"), (PropertyType("since", DataType("INTEGER")),))
SCHEMA = Schema((person("name", "STRING"),), (KNOWS,))
FORMATS = {"pgq-postgres": "postgres-ddl", "pgq-duckpgq": "duckpgq-ddl", "pgq-oracle-26ai": "oracle-ddl"}


def defined(dialect: str) -> Schema:
    """The schema that the definition in that dialect says."""
    return Schema.read(formats.write(SCHEMA, FORMATS[dialect]), FORMATS[dialect])


@pytest.mark.parametrize("dialect", FORMATS)
def test_what_is_written_is_read_back(dialect: str) -> None:
    query = "MATCH (a:Person)-[:KNOWS]->(b:Person)-[:KNOWS]->(c:Person) RETURN b.name AS name, count(DISTINCT c) AS n"
    text = graphir.translate(query, read="neo4j-25", write=dialect, schema=SCHEMA)
    assert "graphir_id" in text
    back = graphir.translate(text, read=dialect, write="neo4j-25", schema=defined(dialect))
    assert "elementId(" in back
    assert "graphir_id" not in back
    assert "'Person:'" not in back


def read(text: str, schema: Schema | None) -> str:
    return graphir.translate(text, read="pgq-postgres", write="neo4j-25", schema=schema)


def test_the_name_of_the_table_is_not_needed() -> None:
    text = (
        'SELECT \'Person:\' || CAST(t.id AS TEXT) AS id FROM GRAPH_TABLE ("graph" MATCH (a IS "Person") '
        "COLUMNS (a.graphir_id AS id)) AS t"
    )
    assert read(text, defined("pgq-postgres")) == "MATCH (a:Person)\nRETURN elementId(a) AS id"


NAMED = (
    'SELECT t.name FROM GRAPH_TABLE ("graph" MATCH (a IS "Person") COLUMNS (a.graphir_id AS id, a.name)) AS t WHERE '
)


@pytest.mark.parametrize("test", ["t.id = 5", "t.id = $1", "t.id IN (1, 2)"])
def test_a_key_that_is_compared_with_a_value_is_left_as_it_is(test: str) -> None:
    """It has another value in every database."""
    text = read(NAMED + test, defined("pgq-postgres"))
    assert "a.graphir_id" in text
    assert "elementId" not in text


def test_a_key_with_the_name_of_its_table_is_left_as_it_is_too() -> None:
    with pytest.raises(Unsupported):
        read(NAMED + "'Person:' || CAST(t.id AS TEXT) = 'Person:5'", defined("pgq-postgres"))


def test_a_property_of_that_name_is_one() -> None:
    schema = Schema((person("graphir_id", "INTEGER"),))
    text = 'SELECT graphir_id FROM GRAPH_TABLE ("graph" MATCH (a IS "Person") COLUMNS (a.graphir_id))'
    assert read(text, schema) == read(text, None) == "MATCH (a:Person)\nRETURN a.graphir_id AS graphir_id"


def test_the_label_that_a_table_alone_has_is_the_labels_of_its_type() -> None:
    both = Schema((NodeType(("A",), ()), NodeType(("A", "B"), ()), NodeType(("B",), ())))
    text = graphir.translate("MATCH (n:A&!B) RETURN count(*) AS c", read="neo4j-25", write="pgq-postgres", schema=both)
    assert "graphir_A" in text
    laid = Schema.read(formats.write(both, "postgres-ddl"), "postgres-ddl")
    assert "(:A&!B)" in graphir.translate(text, read="pgq-postgres", write="neo4j-25", schema=laid).replace("n:", ":")
    own = text.replace("graphir_A", "graphir_A_B")
    assert "A&B" in graphir.translate(own, read="pgq-postgres", write="neo4j-25", schema=laid)


def test_a_value_that_a_query_selects_is_no_key_that_it_asks_by() -> None:
    query = "MATCH (a:Person) WHERE COUNT { (a)-[:KNOWS]->(:Person) } < 2 RETURN count(DISTINCT a) AS n"
    text = graphir.translate(query, read="neo4j-25", write="pgq-postgres", schema=SCHEMA)
    assert "graphir_id" in text
    back = graphir.translate(text, read="pgq-postgres", write="neo4j-25", schema=defined("pgq-postgres"))
    assert "graphir_id" not in back
