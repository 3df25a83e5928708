"""Fixtures of modules: an engine with a graph in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pytest

import graphir
from graphir.backends.engines import postgres_server
from graphir.backends.engines.duckdb.session import Session
from graphir.diagnostics import UsageFault
from tests.engines import graph_joins
from tests.engines.graph_joins import Joined


def embedded(graph: Any) -> Callable[..., Iterator[Session]]:
    """The embedded engine with a graph, a value or a script."""

    @pytest.fixture(scope="module")
    def engine() -> Iterator[Session]:
        with graphir.connect("duckdb") as session:
            session.load(graph)
            yield session

    return engine


def joined(graph: Any, dialects: Sequence[str]) -> Callable[..., Iterator[Joined]]:
    """A database for each of some dialects of SQL/PGQ, with joins in place of graph tables; skipped without it."""

    @pytest.fixture(scope="module", params=dialects)
    def database(request: pytest.FixtureRequest) -> Iterator[Joined]:
        dialect: str = request.param
        if dialect != "pgq-duckpgq":
            try:
                postgres_server.programs()
            except UsageFault as missing:
                pytest.skip(str(missing))
        with graph_joins.opened("join", dialect) as made:
            assert isinstance(made, Joined)
            made.load(graph)
            yield made

    return database
