"""None of the 126 queries on which published translators were measured is silently wrong in ISO GQL.

GRAPHIR_FULL=1 asks on twelve graphs each, else on three.  `tests/engines/test_ldbc_rows.py` asks Google's evaluator.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import graphir
from tests.conformance import ldbc
from tests.outside import FULL

GRAPHS = ldbc.GRAPHS if FULL else 3

REFUSED = {
    **dict.fromkeys(("s03", "k04"), "a procedure"),
    "f03": "regular expressions",
    "f06": "trim of all white space",
    "f09": "the identity of a node",
    "f10": "the type of a relationship of any type",
    **dict.fromkeys(("f05", "f11", "d03", "x03"), "needs the types that a schema tells"),
    "l04": "the item of a list at a place",
    "l05": "a collected list may hold nulls",
}
"""What ISO GQL cannot say without a schema, and why."""

GIVEN = {
    "b06": "without DIFFERENT EDGES a relationship may be met twice",
    "a04": "the sum of nothing is null in GQL, and 0 in Cypher",
    "y14": "the sum of nothing is null in GQL, and 0 in Cypher",
    "y15": "the sum of nothing is null in GQL, and 0 in Cypher",
    "a06": "the deviation of one value is null in GQL, and 0.0 in Cypher",
    "v08": "it returns one list, of the nodes alone",
    "l03": "FOR over null has no rows, and all(..) of null is null",
    "d02": "a time without a zone is compared with those that have one",
    "k06": "without DIFFERENT EDGES a relationship may be met twice",
    "f09": "it is a remark, not a query",
}
"""Texts of the list that do not have the rows of their query, and why."""


@pytest.fixture(scope="module")
def engines() -> Iterator[tuple[Any, Any]]:
    if not ldbc.PATH.exists():
        pytest.skip(f"{ldbc.PATH} is not here")
    with graphir.connect() as first, graphir.connect() as second:
        yield first, second


def test_iso_gql_has_the_rows_of_the_query(engines: tuple[Any, Any]) -> None:
    found = {each.id: ldbc.judged(each, "gql-iso", *engines, GRAPHS) for each in ldbc.entries()}
    assert [(name, each.told) for name, each in found.items() if each.status == "different"] == []
    assert {name for name, each in found.items() if each.status == "refused"} <= REFUSED.keys()
    assert sum(each.rows > 0 for each in found.values()) >= 95


def test_the_texts_of_the_list_are_read(engines: tuple[Any, Any]) -> None:
    """The embedded engine gives for them what it gives for the query, but for those that mean something else."""
    found = {each.id: ldbc.judged(each, "given", *engines, GRAPHS) for each in ldbc.entries()}
    assert {name for name, each in found.items() if each.status in ("different", "refused")} <= GIVEN.keys()
    assert sum(each.status == "same" for each in found.values()) >= 105
