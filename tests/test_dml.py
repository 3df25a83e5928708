"""Queries that write, as statements on the tables of Spanner: texts, order, refusals.

`tests/engines/test_written_tables.py` runs them.
"""

from __future__ import annotations

import pytest

import graphir
from graphir import SemanticFault, Unsupported
from graphir.schema import Schema

DDL = """
CREATE TABLE Person (id INT64 NOT NULL, name STRING(MAX), age INT64) PRIMARY KEY (id);
CREATE TABLE City (name STRING(MAX) NOT NULL, pop INT64) PRIMARY KEY (name);
CREATE TABLE Knows (src INT64 NOT NULL, dst INT64 NOT NULL, since INT64) PRIMARY KEY (src, dst);
CREATE TABLE LivesIn (person INT64 NOT NULL, city STRING(MAX) NOT NULL) PRIMARY KEY (person, city);
CREATE PROPERTY GRAPH social
  NODE TABLES (Person, City)
  EDGE TABLES (
    Knows SOURCE KEY (src) REFERENCES Person (id) DESTINATION KEY (dst) REFERENCES Person (id) PROPERTIES (since),
    LivesIn SOURCE KEY (person) REFERENCES Person (id) DESTINATION KEY (city) REFERENCES City (name)
  );
"""
SCHEMA = Schema.read(DDL)
UNKEYED = Schema.read("CREATE GRAPH TYPE films { (:Film {title STRING}), (:Film)-[:SEQUEL_OF]->(:Film) }", "gql")


def statements(query: str, schema: Schema = SCHEMA) -> list[str]:
    return graphir.translate(query, write="gql-spanner", schema=schema).split(";\n")


def heads(query: str, schema: Schema = SCHEMA) -> list[str]:
    """The first lines of the statements."""
    return [statement.split("\n")[0] for statement in statements(query, schema)]


def test_rows_of_nodes_come_before_those_of_edges() -> None:
    assert statements("CREATE (a:Person {id: 1})-[:Knows {since: 2000}]->(b:Person {id: 2})") == [
        "INSERT INTO Person (id)\nSELECT 1 AS value_0",
        "INSERT INTO Person (id)\nSELECT 2 AS value_0",
        "INSERT INTO Knows (since, src, dst)\nSELECT 2000 AS value_0, 1 AS value_1, 2 AS value_2",
    ]


def test_rows_are_found_by_a_graph_table() -> None:
    (found,) = statements("MATCH (a:Person {id: 1}), (b:Person {id: $b}) CREATE (b)-[:Knows]->(a)")
    assert found == (
        "INSERT INTO Knows (src, dst)\nSELECT value_0, value_1\nFROM GRAPH_TABLE(\n  social\n"
        "  MATCH (a:Person {id: 1}), (b:Person {id: @b})\n  RETURN b.id AS value_0, a.id AS value_1\n)"
    )


def test_set_and_remove_are_an_update() -> None:
    (found,) = statements("MATCH (a:Person {id: 1}) SET a.age = 4, a.name = null")
    assert found == (
        "UPDATE Person AS changed\nSET age = 4, name = NULL\nWHERE changed.id IN (\n  SELECT DISTINCT key_0\n"
        "  FROM GRAPH_TABLE(\n    social\n    MATCH (a:Person {id: 1})\n    RETURN a.id AS key_0\n  )\n)"
    )
    assert statements("MATCH (a:Person {id: 1}) REMOVE a.age, a.name") == statements(
        "MATCH (a:Person {id: 1}) SET a.age = null, a.name = null"
    )


def test_what_an_item_reads_of_another_is_set_before() -> None:
    assert heads("MATCH (a:Person {id: 1}), (c:City {name: 'X'}) SET a.age = c.pop, c.pop = a.age") == [
        "UPDATE Person AS changed",
        "UPDATE City AS changed",
    ]


def test_items_of_one_element_read_what_was_there_before() -> None:
    (found,) = statements("MATCH (a:Person {id: 1}) SET a.age = 1, a.name = CASE a.age WHEN 1 THEN 'one' END")
    assert found.count("UPDATE") == 1
    assert len(statements("MATCH (a:Person {id: 1}) SET a.age = 1 SET a.name = CASE a.age WHEN 1 THEN 'one' END")) == 2


def test_edges_are_deleted_before_their_nodes() -> None:
    assert heads("MATCH (a:Person {id: 1}) DETACH DELETE a") == [
        "DELETE FROM Knows AS changed",
        "DELETE FROM LivesIn AS changed",
        "DELETE FROM Person AS changed",
    ]


def test_a_node_with_edges_is_not_deleted_alone() -> None:
    (found,) = statements("MATCH (c:City {name: 'X'}) DELETE c")
    assert "IF(EXISTS (SELECT 1 FROM LivesIn AS edge WHERE edge.city = changed.name), ERROR(" in found


def test_foreign_keys_of_written_definitions_look_after_edges() -> None:
    (found,) = statements("MATCH (f:Film {title: 'X'}) DELETE f", UNKEYED)
    assert "ERROR" not in found


def test_everything_is_deleted_table_by_table() -> None:
    assert statements("MATCH (n) DETACH DELETE n") == [
        f"DELETE FROM {table} AS changed\nWHERE TRUE" for table in ("LivesIn", "Knows", "City", "Person")
    ]


def test_merge_is_an_insert_that_ignores_its_key() -> None:
    assert heads("MERGE (a:Person {id: 1}) ON CREATE SET a.age = 0 ON MATCH SET a.age = 1") == [
        "UPDATE Person AS changed",
        "INSERT OR IGNORE INTO Person (id, age)",
    ]
    assert heads("MATCH (a:Person {id: 1}), (b:Person {id: 2}) MERGE (a)-[k:Knows]->(b) SET k.since = 3") == [
        "INSERT OR IGNORE INTO Knows (src, dst)",
        "UPDATE Knows AS changed",
    ]


def test_a_key_that_is_no_property_is_made_up() -> None:
    (found,) = statements("CREATE (f:Film {title: 'X'})", UNKEYED)
    assert found == (
        "INSERT INTO Film (title, graphir_id)\nSELECT found.value_0, FARM_FINGERPRINT(GENERATE_UUID())\nFROM (\n"
        "  SELECT 'X' AS value_0\n) AS found"
    )


def test_the_result_is_a_query_at_the_end() -> None:
    assert statements("MATCH (a:Person {id: 1}) SET a.age = 4 RETURN a.age AS age")[-1] == (
        "GRAPH social\nMATCH (a:Person {id: 1})\nRETURN a.age AS age"
    )
    assert statements("CREATE (a:Person {id: 1, name: 'A'}) RETURN a.name AS name, a.age AS age")[-1] == (
        "GRAPH social\nRETURN 'A' AS name, NULL AS age"
    )


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("MATCH (a:Person {id: 1}) SET a:City", "G420"),
        ("MATCH (a:Person {id: 1}) REMOVE a:Person", "G420"),
        ("MATCH (a:Person {id: 1}) SET a.id = 2", "G420"),
        ("MATCH (a:Person {id: 1}) SET a += $values", "G419"),
        ("MATCH (a:Person {id: 1}) SET a[$key] = 1", "G419"),
        ("MATCH (a:Person)-[:Knows]->(b) SET a.age = a.age + 1", "G420"),
        ("MATCH (a:Person)-[:Knows]->(b) DETACH DELETE a", "G420"),
        ("MATCH (a:Person)-[k:Knows]-(b) DELETE k", "G420"),
        ("MATCH p = (a:Person)-[:Knows]->(b) DELETE p", "G419"),
        ("MATCH (a:Person {age: 1}) SET a.age = 2 RETURN a.id AS id", "G420"),
        ("MATCH (a:Person {id: 1}) SET a.age = 2 WITH a MATCH (b:Person {age: 2}) RETURN b.id AS id", "G420"),
        ("CREATE (a:Person {name: 'A'})", "G420"),
        ("CREATE (a:Person $values)", "G419"),
        ("MERGE (a:Person {id: 1, name: 'A'})", "G420"),
        ("UNWIND [1, 1] AS x MERGE (a:Person {id: x}) ON CREATE SET a.age = 1", "G420"),
        ("FOREACH (x IN [1] | CREATE (:Person {id: x}))", "G419"),
    ],
)
def test_what_tables_cannot_do_is_refused(query: str, code: str) -> None:
    with pytest.raises(Unsupported) as caught:
        statements(query)
    assert caught.value.diagnostics[0].code == code


def test_the_tables_have_to_be_known() -> None:
    with pytest.raises(Unsupported) as caught:
        graphir.translate("CREATE (a:Person {id: 1})", write="gql-spanner")
    assert caught.value.diagnostics[0].code == "G570"
    with pytest.raises(SemanticFault):
        statements("CREATE (a:Person {id: 1, size: 2})")
