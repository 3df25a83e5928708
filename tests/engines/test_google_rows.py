"""Translations give the rows of the query: Cypher on a real Neo4j, GQL and SQL/PGQ on Google's evaluator.

GRAPHIR_PAIRS says how many random pairs of query and graph are compared (200).  The last tests take one of the things
that the translation writes out away again, to see that the comparison notices.
"""

from __future__ import annotations

import dataclasses
import os
from collections import Counter
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest
from neo4j import Driver

import graphir
from graphir import ir
from graphir.backends import gql
from graphir.passes.normalize import normalize
from tests.engines import pairs
from tests.engines.differential import TARGETS, comparable, differences, fill, schema
from tests.engines.googlesql import database
from tests.engines.neo4j_server import loaded

if TYPE_CHECKING:
    from graphir.backends.engines.googlesql.database import Database

PAIRS = int(os.environ.get("GRAPHIR_PAIRS", "200"))


@pytest.fixture(scope="module")
def google() -> Iterator[Database]:
    with database("spanner") as engine:
        engine.define(schema())
        yield engine


def test_rows_are_those_of_the_query(neo4j: Driver, google: Database) -> None:
    tally: Counter[str] = Counter()
    assert list(differences(neo4j, google, range(PAIRS), tally)) == []
    refused = sum([count for name, count in tally.items() if name.startswith("refused")])
    assert tally["pairs"] == PAIRS
    assert sum([tally[f"ran: {target}"] for target in TARGETS]) + refused == len(TARGETS) * PAIRS
    assert refused <= 0.04 * len(TARGETS) * PAIRS
    assert tally["pairs with rows"] > 0.3 * PAIRS


def test_repetition_from_zero(neo4j: Driver, google: Database) -> None:
    """The evaluator analyzes `{0,2}` but does not run it: here its rows are those of `{1,2}` and those of no step."""
    query = "MATCH (a:A)-[:R*0..2]->(b) RETURN a.i AS a, b.i AS b"
    nothing = "GRAPH g MATCH (a:A) RETURN a.i AS a, a.i AS b"
    for seed in range(5):
        graph = pairs.graph(seed)
        fill(google, graph)
        with loaded(neo4j, graph) as transaction:
            wanted = comparable([record.values() for record in transaction.run(f"CYPHER 25 {query}")], False)
        text = graphir.translate(query, write="gql-spanner")
        google.analyze(text)
        found = [*google.query(text.replace("{0,2}", "{1,2}")).rows, *google.query(nothing).rows]
        assert comparable(found, False) == wanted


def without_uniqueness(node: ir.Node) -> ir.Node:
    return dataclasses.replace(node, uniqueness="repeatable_elements") if isinstance(node, ir.Match) else node


def with_other_nulls(node: ir.Node) -> ir.Node:
    """Nulls where the target has them by itself."""
    if isinstance(node, ir.SortKey):
        return dataclasses.replace(node, nulls="last" if node.descending else "first")
    return node


def with_fewer_keys(node: ir.Node) -> ir.Node:
    """The last grouping key as the greatest of its values."""
    if not isinstance(node, ir.Aggregate) or not node.keys or isinstance(node.keys[-1].value, ir.Ref):
        return node
    key = node.keys[-1]
    greatest = dataclasses.replace(key, value=ir.Apply("max", (key.value,)))
    return ir.Aggregate(node.keys[:-1], (*node.aggregates, greatest))


def without_distinct(node: ir.Node) -> ir.Node:
    return dataclasses.replace(node, distinct=False) if isinstance(node, ir.Project) else node


def without_optional(node: ir.Node) -> ir.Node:
    return dataclasses.replace(node, optional=False) if isinstance(node, ir.Match) else node


MUTATIONS: list[Callable[[ir.Node], ir.Node]] = [
    without_uniqueness,
    with_other_nulls,
    with_fewer_keys,
    without_distinct,
    without_optional,
]


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.__name__)
def test_what_is_left_out_is_noticed(
    neo4j: Driver, google: Database, mutation: Callable[[ir.Node], ir.Node], target: str
) -> None:
    def mutilated(query: str, read: str, write: str) -> str:
        core = normalize(graphir.parse(query, read))
        return gql.emit(ir.rewrite(core, mutation), write)

    found = differences(neo4j, google, range(600), Counter(), mutilated, targets=(target,))
    assert next(found, None) is not None
