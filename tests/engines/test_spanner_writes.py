"""Queries that write, through Spanner's own client: statements on tables in one transaction, against the loopback."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

import graphir
from graphir.backends.engines import registry
from tests.engines import written_tables as tables
from tests.engines.googlesql import database as evaluator


@pytest.fixture(scope="module")
def served() -> Iterator[tuple[Any, Any]]:
    """The loopback with the tables, and the client's database."""
    evaluator().clear()
    status = registry.examine(registry.KINDS["spanner"])
    if not status.usable:
        pytest.skip(f"spanner: {status.reason}")
    from tests.engines.spanner_loopback import serving

    with serving() as server:
        server.database.define(tables.DDL)
        options = {"database": "d", "instance": "i", "project": "p", "endpoint": server.endpoint}
        with graphir.connect("spanner", **options) as engine:
            yield server, engine._database


def written(client: Any, query: str) -> list[Any]:
    """The rows of the result, after all statements in one transaction."""

    def work(transaction: Any) -> list[Any]:
        rows: list[Any] = []
        for statement in tables.statements(query):
            if statement.startswith("GRAPH"):
                rows = [tuple(row) for row in transaction.execute_sql(statement)]
            else:
                transaction.execute_update(statement)
        return rows

    found: list[Any] = client.run_in_transaction(work)
    return found


@pytest.mark.parametrize("at", [1, 9, 21, 41])
def test_the_client_leaves_the_tables_of_the_query(served: tuple[Any, Any], at: int) -> None:
    server, client = served
    graph = tables.graph_of(2)
    query = tables.filled(tables.QUERIES[at], random.Random(2), graph)
    tables.fill(server.database, graph)
    written(client, query)
    with graphir.connect() as ours:
        ours.load(graph)
        ours.run(query)
        assert tables.held_by_google(server.database) == tables.held_by_ours(ours), query


def test_the_result_comes_after_the_change(served: tuple[Any, Any]) -> None:
    server, client = served
    tables.fill(server.database, tables.graph_of(2))
    query = "CREATE (a:Person {id: 77, name: 'x'}) SET a.age = 5 RETURN 1 AS one"
    assert written(client, query) == [(1,)]
    assert written(client, "MATCH (a:Person {id: 77}) SET a.age = a.age + 1 RETURN a.age AS age") == [(6,)]
