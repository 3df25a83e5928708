"""Queries that write over a graph in tables, for two engines: Cypher on the embedded one, DML on Google's evaluator.

The tables have keys of the user; what a query leaves behind is compared as a graph.  `QUERIES` are texts with holes for
numbers, `REFUSED` those that are not translated.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import TYPE_CHECKING, Any

import graphir
from graphir import Edge, Node, PropertyGraph
from graphir.schema import Schema

if TYPE_CHECKING:
    from graphir.backends.engines.googlesql.database import Database

DDL = """
CREATE TABLE Person (id INT64 NOT NULL, name STRING(MAX), age INT64) PRIMARY KEY (id);
CREATE TABLE City (name STRING(MAX) NOT NULL, pop INT64) PRIMARY KEY (name);
CREATE TABLE Knows (src INT64 NOT NULL, dst INT64 NOT NULL, since INT64) PRIMARY KEY (src, dst);
CREATE TABLE LivesIn (person INT64 NOT NULL, city STRING(MAX) NOT NULL, rent FLOAT64) PRIMARY KEY (person, city);
CREATE PROPERTY GRAPH social
  NODE TABLES (Person, City)
  EDGE TABLES (
    Knows SOURCE KEY (src) REFERENCES Person (id) DESTINATION KEY (dst) REFERENCES Person (id) PROPERTIES (since),
    LivesIn SOURCE KEY (person) REFERENCES Person (id) DESTINATION KEY (city) REFERENCES City (name)
      PROPERTIES (rent)
  );
"""
SCHEMA = Schema.read(DDL)
NODES = {"Person": ("id", ("id", "name", "age")), "City": ("name", ("name", "pop"))}
EDGES = {"Knows": ("Person", "Person", "since"), "LivesIn": ("Person", "City", "rent")}

QUERIES = (
    "CREATE (:Person {id: {new}, name: 'new', age: {v}})",
    "CREATE (a:Person {id: {new}})-[:Knows {since: {v}}]->(b:Person {id: {new2}, age: null})",
    "CREATE (a:Person {id: {new}})<-[:Knows]-(b:Person {id: {new2}}), (c:City {name: 'new'}), (a)-[:LivesIn]->(c)",
    "MATCH (a:Person {id: {i}}), (c:City {name: '{c}'}) CREATE (a)-[:LivesIn {rent: 1.5}]->(c)",
    "MATCH (a:Person {id: {i}}) CREATE (a)-[:LivesIn]->(:City {name: 'new', pop: a.age + 1})",
    "MATCH (a:Person {id: {i}})-[:LivesIn]->(c:City) CREATE (b:Person {id: {new}}) SET b.age = {v}",
    "MATCH (a:Person) WHERE a.age > {v} CREATE (:City {name: 'of ' || a.name})",
    "UNWIND [{new}, {new2}] AS x CREATE (:Person {id: x, age: x + {v}})",
    "UNWIND range({new}, {new2}) AS x CREATE (:Person {id: x})",
    "MATCH (a:Person)-[:Knows]->(b) WITH a, count(b) AS friends WHERE friends > 1 SET a.age = friends",
    "MATCH (a:Person {id: {i}}) SET a.age = {v}, a.name = 'set'",
    "MATCH (a:Person {id: {i}}) SET a.age = {v}, a.age = {v} + 1",
    "MATCH (a:Person {id: {i}}), (c:City {name: '{c}'}) SET a.age = c.pop, c.pop = a.age + 1",
    "MATCH (a:Person) SET a.age = a.age + 1",
    "MATCH (a:Person {id: {i}}) SET a.age = {v}, a.age = a.age + 1",
    "MATCH (a:Person) WHERE a.age IS NOT NULL SET a.name = 'known' REMOVE a.age",
    "MATCH (a:Person)-[:LivesIn]->(c) SET c.pop = {v}",
    "MATCH (a:Person)-[k:Knows]->(b) WHERE a.id < b.id SET k.since = {v}",
    "MATCH (a:Person)-[k:Knows]->(b) SET k.since = a.id * 10 + b.id",
    "MATCH (a:Person)-[k:Knows]->(b) WHERE b.id = {i} REMOVE k.since",
    "MATCH (a:Person {id: {i}}) SET a += {name: 'more', age: null}",
    "OPTIONAL MATCH (a:Person {id: {new}}) SET a.age = 1",
    "MATCH (c:City) WHERE NOT EXISTS { (:Person)-[:LivesIn]->(c) } SET c.pop = 0",
    "MATCH (a:Person {id: {i}}) DETACH DELETE a",
    "MATCH (a:Person {id: {i}}) DELETE a",
    "MATCH (a:Person {name: '{n}'}) DETACH DELETE a",
    "MATCH (c:City {name: '{c}'}) DETACH DELETE c",
    "MATCH (a)-[k:Knows]->(b) WHERE k.since > {v} DELETE k",
    "MATCH (a:Person {id: {i}})-[r]->(c:City) DELETE r",
    "MATCH (n) DETACH DELETE n",
    "MATCH (n:City) DETACH DELETE n",
    "MATCH (n:City) DELETE n",
    "MATCH (n:Person) WHERE n.age > {v} DETACH DELETE n",
    "MERGE (a:Person {id: {i}})",
    "MERGE (a:Person {id: {new}})",
    "MERGE (a:Person {id: {i}}) ON CREATE SET a.name = 'made' ON MATCH SET a.name = 'found', a.age = {v}",
    "MERGE (a:Person {id: {new}}) ON CREATE SET a.name = 'made' ON MATCH SET a.name = 'found'",
    "MERGE (a:Person {id: {i}}) SET a.age = {v}",
    "MERGE (a:Person {id: {new}}) SET a.age = {v}",
    "UNWIND [{i}, {new}, {i}] AS x MERGE (a:Person {id: x})",
    "MATCH (a:Person {id: {i}}), (b:Person {id: {j}}) MERGE (a)-[:Knows]->(b)",
    "MATCH (a:Person {id: {i}}), (b:Person) MERGE (a)-[k:Knows]->(b) SET k.since = {v}",
    "MERGE (a:Person {id: {i}}) MERGE (c:City {name: '{c}'}) MERGE (a)-[r:LivesIn]->(c) SET r.rent = 2.5",
)
"""Texts; `{i}` and `{j}` are keys that may be there, `{new}` and `{new2}` ones that are not."""

REFUSED = (
    "MATCH (a:Person {id: {i}}) SET a:City",
    "MATCH (a:Person {id: {i}}) SET a.id = {new}",
    "MATCH (a:Person {id: {i}}) SET a = {name: 'x'}",
    "MATCH (a:Person)-[:Knows]->(b) SET a.age = a.age + 1",
    "MATCH (a:Person)-[:Knows]->(b) DETACH DELETE a",
    "MATCH (a:Person) WHERE a.age > {v} CREATE (b:Person {id: a.id + 100}) CREATE (a)-[:Knows]->(b)",
    "MATCH (a:Person) SET a.age = 1 WITH a MATCH (b:Person {age: 1}) RETURN count(*) AS c",
    "MATCH (a:Person {age: {v}}) SET a.age = 1 RETURN a.id AS id",
    "CREATE (:Person {name: 'no key'})",
    "MATCH (a:Person {id: {i}})-[r:Knows]-(b) DELETE r",
    "MERGE (a:Person {name: '{n}'})",
    "MERGE (a:Person {id: {i}, name: '{n}'})",
    "MERGE (a:Person {id: {i}})-[:Knows]->(b:Person {id: {j}})",
    "UNWIND [{i}, {i}] AS x MERGE (a:Person {id: x}) ON MATCH SET a.age = 1",
    "FOREACH (x IN [1, 2] | CREATE (:Person {id: x}))",
    "MATCH p = (a:Person {id: {i}})-[:Knows]->() DELETE p",
    "MATCH (n {id: {i}}) SET n.age = 1",
)


def filled(text: str, dice: random.Random, graph: PropertyGraph) -> str:
    """The text with numbers and names in its holes."""
    holes: dict[str, Any] = {
        "i": dice.randint(0, 5),
        "j": dice.randint(0, 5),
        "new": dice.randint(10, 11),
        "new2": dice.randint(12, 14),
        "v": dice.randint(0, 4),
        "c": dice.choice("XYZ"),
        "n": dice.choice("ab"),
    }
    for hole, value in holes.items():
        text = text.replace(f"{{{hole}}}", str(value))
    return text


def graph_of(seed: int) -> PropertyGraph:
    """A small graph: people and cities with loops and several ways between them."""
    dice = random.Random(f"written tables {seed}")
    people = [{"id": at, "name": dice.choice("ab"), "age": dice.randint(0, 4)} for at in range(dice.randint(0, 5))]
    for person in people:
        for key in ("name", "age"):
            if dice.random() < 0.2:
                del person[key]
    cities = [{"name": name, "pop": dice.randint(0, 3)} for name in "XYZ"[: dice.randint(0, 3)]]
    nodes = [Node(f"p{p['id']}", ("Person",), p) for p in people] + [Node(c["name"], ("City",), c) for c in cities]
    edges = []
    for a in people:
        for b in people:
            if dice.random() < 0.3:
                since = {"since": dice.randint(0, 4)} if dice.random() < 0.8 else {}
                edges.append(Edge(f"k{a['id']}-{b['id']}", "Knows", f"p{a['id']}", f"p{b['id']}", since))
        for c in cities:
            if dice.random() < 0.3:
                edges.append(Edge(f"l{a['id']}-{c['name']}", "LivesIn", f"p{a['id']}", c["name"], {"rent": 0.5}))
    return PropertyGraph(tuple(nodes), tuple(edges))


def fill(google: Database, graph: PropertyGraph) -> None:
    """The rows of a graph in the tables."""
    nodes = {node.id: node for node in graph.nodes}
    for table, (_, columns) in NODES.items():
        found = [node.properties for node in graph.nodes if node.labels == (table,)]
        google.fill(table, [[properties.get(column) for column in columns] for properties in found])
    for table, (start, end, value) in EDGES.items():
        keys = NODES[start][0], NODES[end][0]
        google.fill(
            table,
            [
                [nodes[edge.start].properties[keys[0]], nodes[edge.end].properties[keys[1]], edge.properties.get(value)]
                for edge in graph.edges
                if edge.type == table
            ],
        )


Held = Counter[tuple[Any, ...]]


def held_by_google(google: Database) -> Held:
    """What is in the tables."""
    found: Held = Counter()
    for table, (_, columns) in NODES.items():
        found.update([(table, *row) for row in google.query(f"SELECT {', '.join(columns)} FROM {table}").rows])
    for table in EDGES:
        found.update([(table, *row) for row in google.query(f"SELECT * FROM {table}").rows])
    return found


def held_by_ours(ours: Any) -> Held:
    """What is in the embedded engine, as rows of the tables."""
    found: Held = Counter()
    for label, (_, columns) in NODES.items():
        shown = ", ".join(f"n.{column}" for column in columns)
        found.update([(label, *row) for row in ours.run(f"MATCH (n:{label}) RETURN {shown}").rows])
    for label, (start, end, value) in EDGES.items():
        shown = f"a.{NODES[start][0]}, b.{NODES[end][0]}, r.{value}"
        found.update([(label, *row) for row in ours.run(f"MATCH (a)-[r:{label}]->(b) RETURN {shown}").rows])
    return found


def statements(query: str) -> list[str]:
    """The translation, statement by statement.  Raises Unsupported."""
    return graphir.translate(query, write="gql-spanner", schema=SCHEMA).split(";\n")
