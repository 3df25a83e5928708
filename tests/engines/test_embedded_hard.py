"""The embedded engine gives the rows that a real Neo4j gives, for random queries that are hard to get right.

GRAPHIR_PAIRS says how many are compared (120).
"""

from __future__ import annotations

import math
import os
import re
from collections.abc import Iterable
from typing import Any

from neo4j import Driver
from neo4j.exceptions import Neo4jError

import graphir
from graphir.backends.engines.duckdb.session import Session
from graphir.diagnostics import GraphirError
from graphir.values import Edge, Node, Path
from graphir.values.conversions import from_neo4j
from tests.engines import hard_graphs, hard_queries
from tests.engines.differential import VERSIONS

PAIRS = int(os.environ.get("GRAPHIR_PAIRS", "120"))
PER_GRAPH = 10
LOOSE = re.compile(r"collect\b|labels\(|keys\(|\[\(", re.IGNORECASE)
"""Queries with lists that come in no certain order."""
GROUPS = re.compile(r"DISTINCT|UNION|(count|collect|sum|avg|min|max|stDevP?|percentile\w+)\(")
PROJECTED = re.compile(r"\w+ \{\.i, \.\w, z: ")

Rows = list[tuple[Any, ...]]


def canonical(value: Any, loose: bool) -> Any:
    """What compares: integers and floats apart, elements by what they carry, lists in no order where it is `loose`."""
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return f"float {value:.10g}" if math.isfinite(value) else f"float {value}"
        case list() | tuple():
            items = [canonical(item, loose) for item in value]
            return ("list", *(sorted(items, key=repr) if loose else items))
        case dict():
            return ("map", *sorted([(key, canonical(item, loose)) for key, item in value.items()]))
        case Node():
            return ("node", tuple(sorted(value.labels)), canonical(dict(value.properties), loose))
        case Edge():
            return ("edge", value.type, canonical(dict(value.properties), loose))
        case Path():
            nodes, edges = ([canonical(each, loose) for each in part] for part in (value.nodes, value.edges))
            return ("path", tuple(nodes), tuple(edges))
        case _:
            return f"{type(value).__name__} {value}"


def comparable(rows: Iterable[Iterable[Any]], query: hard_queries.Query) -> Rows:
    loose = LOOSE.search(query.text) is not None
    found = [tuple([canonical(value, loose) for value in row]) for row in rows]
    return found if query.ordered else sorted(found, key=repr)


def is_known(query: hard_queries.Query, answers: tuple[Any, Any]) -> bool:
    """Where the two differ rightly.

    Neo4j tells one NaN from another in groups and sets; they are equivalent by CIP2016-06-14.
    Of two map projections of a variable with the same keys in the branches of a CASE it computes one alone:
    `CASE WHEN n.i > 5 THEN n {.i, .x, z: n.m} ELSE n {.i, .x, z: n.x} END` has null for `z`.
    """
    if "float nan" in repr(answers) and GROUPS.search(query.text):
        return True
    return len(PROJECTED.findall(query.text)) > 1 and "CASE" in query.text


def embedded(db: Session, query: hard_queries.Query, dialect: str) -> Rows | None:
    """The rows, or none of a query that fails."""
    try:
        return comparable(db.run(query.text, hard_graphs.PARAMETERS, dialect=dialect).rows, query)
    except GraphirError:
        return None


def served(transaction: Any, query: hard_queries.Query, dialect: str) -> Rows | None:
    try:
        answer = transaction.run(f"{VERSIONS[dialect]} {query.text}", hard_graphs.PARAMETERS)
        return comparable([[from_neo4j(value) for value in record.values()] for record in answer], query)
    except Neo4jError:
        return None


def opened(session: Any, graph: str) -> Any:
    """A transaction that sees the graph alone."""
    transaction = session.begin_transaction()
    transaction.run("MATCH (n) DETACH DELETE n").consume()
    transaction.run(graph).consume()
    return transaction


def test_rows(neo4j: Driver) -> None:
    different = []
    with graphir.connect() as db, neo4j.session() as session:
        for start in range(0, PAIRS, PER_GRAPH):
            graph = hard_graphs.graph(start // PER_GRAPH)
            db.clear()
            db.run(graph)
            transaction = None
            for seed in range(start, min(start + PER_GRAPH, PAIRS)):
                if transaction is None:  # the first, or the one before has failed
                    transaction = opened(session, graph)
                query = hard_queries.query(seed)
                dialect = "neo4j-5" if seed % 2 else "neo4j-25"
                wanted = served(transaction, query, dialect)
                found = embedded(db, query, dialect)
                if wanted is None:
                    transaction.close()
                    transaction = None
                if found != wanted and not is_known(query, (found, wanted)):
                    different.append((seed, query.text, found, wanted))
            if transaction is not None:
                transaction.close()
    assert different == []
