"""Fixtures and options that several folders of tests share.

GRAPHIR_STRICT=1 makes a skipped test a failed one: where outside data and engines are promised, none may be missing.
Hypothesis draws the same examples in every run and does not look at the clock; `--hypothesis-profile=default` explores.
"""

import os
from collections.abc import Generator, Iterator

import pytest
from hypothesis import HealthCheck, settings
from neo4j import Driver, GraphDatabase

from graphir.backends.engines import postgres_server
from tests.engines.neo4j_server import Unavailable, serving


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--update-golden", action="store_true", help="rewrite the golden files that differ")


STRICT = os.environ.get("GRAPHIR_STRICT") == "1"

settings.register_profile(
    "steady", derandomize=True, database=None, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("steady")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    declared = hasattr(report, "wasxfail") or item.get_closest_marker("skipif")  # about the platform, not about data
    if STRICT and report.skipped and not declared:
        report.outcome = "failed"
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    report = yield
    if STRICT and report.skipped:
        report.outcome = "failed"
        report.longrepr = str(report.longrepr)
    return report


@pytest.fixture(scope="session")
def neo4j_uri() -> Iterator[str]:
    """The address of a real Neo4j: the server that NEO4J_URI names, or our own for the length of the session."""
    try:
        with serving() as uri:
            yield uri
    except Unavailable as missing:
        pytest.skip(str(missing))


@pytest.fixture(scope="session")
def neo4j(neo4j_uri: str) -> Iterator[Driver]:
    """A driver of it."""
    with GraphDatabase.driver(neo4j_uri, notifications_min_severity="OFF", telemetry_disabled=True) as driver:
        yield driver


@pytest.fixture(scope="session")
def postgres_uri() -> Iterator[str]:
    """The address of a real PostgreSQL: the server that POSTGRES_URI names, or our own for the session."""
    if uri := os.environ.get("POSTGRES_URI"):
        yield uri
        return
    try:
        with postgres_server.started() as uri:
            yield uri
    except Unavailable as missing:
        pytest.skip(str(missing))
