"""Fixtures that several folders of tests share."""

from collections.abc import Iterator

import pytest
from neo4j import Driver, GraphDatabase

from tests.engines.neo4j_server import Unavailable, serving


@pytest.fixture(scope="session")
def neo4j() -> Iterator[Driver]:
    """A driver of a real Neo4j: the server that NEO4J_URI names, or our own for the length of the session."""
    try:
        with (
            serving() as uri,
            GraphDatabase.driver(uri, notifications_min_severity="OFF", telemetry_disabled=True) as driver,
        ):
            yield driver
    except Unavailable as missing:
        pytest.skip(str(missing))
