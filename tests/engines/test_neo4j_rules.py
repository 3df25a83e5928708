"""A real Neo4j gives the verdicts that rules/neo4j.txt states."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from neo4j import Driver
from neo4j.exceptions import GqlError, Neo4jError

from tests.rules.verdicts import Verdict, sections


def status(driver: Driver, query: str, dialect: str) -> str:
    """`ok`, or the GQL status of the innermost cause."""
    with driver.session() as session:
        try:
            session.run(f"CYPHER {dialect.removeprefix('neo4j-')} EXPLAIN {query}").consume()
        except Neo4jError as error:
            cause: GqlError = error
            while isinstance(cause.__cause__, GqlError):
                cause = cause.__cause__
            return cause.gql_status
    return "ok"


def differences(driver: Driver, verdicts: list[Verdict]) -> Iterator[str]:
    for verdict in verdicts:
        for dialect, stated in verdict.statuses.items():
            said = status(driver, verdict.query, dialect)
            if said != stated:
                yield f"{dialect} {stated} is {said}: {verdict.query}"


@pytest.mark.parametrize("title", list(sections()))
def test_verdicts_are_those_of_neo4j(neo4j: Driver, title: str) -> None:
    assert list(differences(neo4j, sections()[title])) == []
