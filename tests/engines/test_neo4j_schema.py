"""The schema of a graph in a real Neo4j, which is rolled back."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import neo4j.exceptions
import pytest
from neo4j import Driver, Transaction

from graphir import PropertyGraph, UsageFault
from graphir.schema import CLOSED, DataType, EdgeType, PropertyType, Schema
from graphir.schema.infer import from_graph, from_neo4j
from graphir.schema.infer.server import Inference

GRAPH = """
CREATE (a:InferPerson:`Odd ``label` {name: 'Ada', born: date('2000-01-01'), tags: ['x'], none: [], mix: 1,
    at: datetime('2020-01-01T10:00:00.5+01:00[Europe/Berlin]'), home: point({x: 1, y: 2}), wait: duration('P1D')})
CREATE (b:InferPerson {name: 'Bo', mix: 's'}), (c:InferPerson {name: 'Cy', mix: 2.5, tags: [1, 2]})
CREATE (d:InferCity {name: 'Oslo'})
CREATE (a)-[:`INFER LIVES` {since: 2010}]->(d), (b)-[:`INFER LIVES`]->(d), (a)-[:INFER_KNOWS]->(b)
"""
STRING, INTEGER = DataType("STRING"), DataType("INTEGER")


def inferred(transaction: Transaction, sample: int | None = None) -> Schema:
    return Inference(lambda query, given: transaction.run(query, given).data(), sample).schema()


def of_ours(schema: Schema) -> list[EdgeType]:
    return [edge for edge in schema.edge_types if edge.type.startswith("INFER")]


def test_all_of_a_graph(neo4j: Driver) -> None:
    with neo4j.session() as session, session.begin_transaction() as transaction:
        transaction.run(GRAPH).consume()
        schema = inferred(transaction)
        transaction.rollback()
    assert schema.coverage == CLOSED
    nodes = {node.labels: node for node in schema.node_types if "InferPerson" in node.labels}
    odd, plain = nodes["InferPerson", "Odd `label"], nodes["InferPerson",]
    assert (odd.count, plain.count) == (1, 2)
    assert {one.name: str(one.type) for one in odd.properties or ()} == {
        "at": "ZONED DATETIME",
        "born": "DATE",
        "home": "POINT",
        "mix": "INTEGER",
        "name": "STRING",
        "none": "LIST",
        "tags": "LIST<STRING>",
        "wait": "DURATION",
    }
    at = next(one for one in odd.properties or () if one.name == "at")
    assert at.minimum == "2020-01-01T10:00:00.5+01:00"
    mix, name, tags = plain.properties or ()
    assert (mix.type, mix.nullable, mix.distinct) == (None, False, 2)
    assert (name.type, set(name.examples)) == (STRING, {"Bo", "Cy"})
    assert (tags.type, tags.nullable) == (DataType("LIST", INTEGER), True)
    assert any("InferPerson.mix has values of several types" in guess for guess in schema.guesses)
    assert [(edge.type, edge.source, edge.target, edge.count) for edge in of_ours(schema)] == [
        ("INFER LIVES", ("InferPerson",), ("InferCity",), 1),
        ("INFER LIVES", ("InferPerson", "Odd `label"), ("InferCity",), 1),
        ("INFER_KNOWS", ("InferPerson", "Odd `label"), ("InferPerson",), 1),
    ]
    assert of_ours(schema)[2].degrees == (1.0, 0.5)


def test_a_sample_is_not_complete(neo4j: Driver) -> None:
    with neo4j.session() as session, session.begin_transaction() as transaction:
        transaction.run(GRAPH).consume()
        schema = inferred(transaction, sample=1)
        transaction.rollback()
    coverage = schema.coverage
    assert (coverage.labels, coverage.types) == (True, True)
    assert not any((coverage.endpoints, coverage.properties, coverage.combinations))
    assert len(of_ours(schema)) == 2
    assert all(node.count is None for node in schema.node_types if "InferCity" in node.labels)


def test_through_the_driver(neo4j: Driver) -> None:
    assert from_neo4j(neo4j).coverage == CLOSED
    with pytest.raises(UsageFault, match="G082"):
        from_neo4j(neo4j, sample=0)
    with pytest.raises(UsageFault, match="G082"):
        from_neo4j(neo4j, database="no-such-database")


def test_no_server() -> None:
    assert issubclass(neo4j.exceptions.ServiceUnavailable, neo4j.exceptions.DriverError)
    with pytest.raises(UsageFault, match="G082"):
        from_neo4j("bolt://127.0.0.1:1")
    with pytest.raises(UsageFault, match="G082"):
        from_neo4j("nonsense")


def simple(schema: Schema) -> list[object]:
    """The types that are ours, without what the server is not asked for."""
    nodes = [one for one in schema.node_types if any(label.startswith("Infer") for label in one.labels)]
    return [replace(one, properties=plain(one.properties)) for one in nodes] + [
        replace(one, properties=plain(one.properties)) for one in of_ours(schema)
    ]


def plain(properties: tuple[PropertyType, ...] | None) -> tuple[PropertyType, ...]:
    return tuple(replace(one, examples=(), unique=False, sizes=None) for one in properties or ())


def test_server_and_memory_agree(neo4j: Driver) -> None:
    draw = random.Random(3)
    sets = [["InferA"], ["InferB"], ["InferA", "InferC"]]
    nodes: list[dict[str, Any]] = [
        {"id": i, "labels": draw.choice(sets), "properties": {"x": draw.randint(0, 9), "s": draw.choice("ab")}}
        for i in range(40)
    ]
    for node in nodes[::3]:
        node["properties"] = {"x": 1.5, "l": [1]}
    edges: list[dict[str, Any]] = [
        {"type": draw.choice(["INFER R", "INFER_S"]), "start": draw.randrange(40), "end": draw.randrange(40)}
        for _ in range(90)
    ]
    for edge in edges[::2]:
        edge["properties"] = {"w": draw.random()}
    with neo4j.session() as session, session.begin_transaction() as transaction:
        for node in nodes:
            of = "".join(f":{label}" for label in node["labels"])
            transaction.run(f"CREATE (n{of} {{id: $id}}) SET n += $properties", node).consume()
        for edge in edges:
            query = (
                f"MATCH (a {{id: $start}}), (b {{id: $end}}) CREATE (a)-[r:`{edge['type']}`]->(b) SET r = $properties"
            )
            transaction.run(query, {"properties": {}, **edge}).consume()
        transaction.run("MATCH (n) REMOVE n.id").consume()
        schema = inferred(transaction)
        transaction.rollback()
    assert simple(schema) == simple(from_graph(PropertyGraph.from_dict({"nodes": nodes, "edges": edges})))
