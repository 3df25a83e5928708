"""A real Neo4j sets the items of one element at once, as `tests/passes/test_assignments.py` states it."""

from __future__ import annotations

from typing import Any

import pytest
from neo4j import Driver

from tests.passes.test_assignments import CASES, GRAPH


@pytest.mark.parametrize("version", ["5", "25"])
@pytest.mark.parametrize(("query", "wanted"), CASES)
def test_rows_are_those_of_neo4j(neo4j: Driver, query: str, wanted: list[Any], version: str) -> None:
    with neo4j.session() as session, session.begin_transaction() as transaction:
        transaction.run(GRAPH).consume()
        found = transaction.run(f"CYPHER {version} {query}").single(strict=True).values()
        transaction.rollback()
    assert found == wanted
