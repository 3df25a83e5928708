"""The embedded engine and the reference functions give for nested expressions the values that a real Neo4j gives."""

from __future__ import annotations

from typing import Any

import pytest
from neo4j import Driver
from neo4j.exceptions import Neo4jError

import graphir
from graphir.values.conversions import from_neo4j
from tests.engines import expressions
from tests.engines.test_neo4j_functions import ERROR, same
from tests.outside import FULL
from tests.values.evaluator import run

CREATE = "UNWIND $rows AS row CREATE (r:N) SET r = row"


def theirs(driver: Driver, query: str, **parameters: Any) -> Any:
    """The values of the column, or ERROR."""
    with driver.session() as session:
        transaction: Any = session.begin_transaction()
        try:
            if rows := parameters.pop("rows", None):
                transaction.run(CREATE, rows=rows).consume()
            return [from_neo4j(record["x"]) for record in transaction.run(f"CYPHER 25 {query}", **parameters)]
        except Neo4jError:
            return ERROR
        finally:
            transaction.close()


def of_engine(engine: Any, query: str, parameters: dict[str, Any] | None = None) -> Any:
    try:
        return [row[0] for row in engine.run(query, parameters).rows]
    except (graphir.RunFault, graphir.SemanticFault, graphir.SyntaxFault):
        return ERROR


def of_reference(query: str, parameters: dict[str, Any]) -> Any:
    try:
        return [row[0] for row in run(query, parameters)]
    except graphir.RunFault:
        return ERROR


def test_values_of_unknown_type(neo4j: Driver) -> None:
    """Where Neo4j has an error, which may be one of types before the query runs, there may be a value."""
    different = []
    with graphir.connect("duckdb") as engine:
        for query, row in expressions.over_a_parameter(1, 1000 if FULL else 60):
            answer = theirs(neo4j, query, r=row)
            for mine in (of_reference(query, {"r": row}), of_engine(engine, query, {"r": row})):
                if answer != ERROR and not same(mine, answer):
                    different.append(f"{query} {row}: {mine!r}, Neo4j {answer!r}")
    assert different == []


@pytest.mark.parametrize("seed", range(1, 10 if FULL else 3))
def test_values_of_nodes(neo4j: Driver, seed: int) -> None:
    rows = expressions.nodes(seed)
    different = []
    with graphir.connect("duckdb") as engine:
        engine.run(CREATE, {"rows": rows})
        for query in expressions.over_nodes(seed, 300 if FULL else 30):
            answer = theirs(neo4j, query, rows=rows)
            mine = of_engine(engine, query)
            if answer != ERROR and not same(mine, answer):
                different.append(f"{query}: {mine!r}, Neo4j {answer!r}")
    assert different == []
