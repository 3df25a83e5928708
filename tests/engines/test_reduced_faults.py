"""The known faults of engines: each is still there, is refused by name, and the embedded engine has none of them.

A test that fails because an engine has mended a fault says so: its row of `known_faults.py` has to go then.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest

import graphir
from graphir.backends.engines import registry
from graphir.backends.engines.features import FEATURES, Asked, Held
from graphir.backends.engines.known_faults import KNOWN_FAULTS
from graphir.backends.engines.protocol import Engine
from graphir.backends.engines.registry import KINDS
from graphir.graphs import PropertyGraph
from graphir.values.json import to_json
from tests.engines.reduced_faults import REDUCED, Reduced

ENGINES = ("neo4j", "arcadedb", "kglite", "grafeo", "hyper", "ladybug")


def named(reduced: Reduced) -> str:
    return f"{reduced.engine}: {reduced.feature}"


def graph_of(reduced: Reduced) -> PropertyGraph:
    with graphir.connect() as db:
        if reduced.graph:
            db.run(reduced.graph)
        nodes = [row[0] for row in db.run("MATCH (n) RETURN n").rows]
        return PropertyGraph(tuple(nodes), tuple([row[0] for row in db.run("MATCH ()-[r]->() RETURN r").rows]))


def answered(engine: Engine, reduced: Reduced) -> str | None:
    """The rows, as text that tells types apart; None where the query fails."""
    try:
        rows = engine.run(reduced.query, reduced.parameters, reduced.dialect).rows
    except graphir.GraphirError:
        return None
    return plain(rows)


def plain(rows: list[tuple[Any, ...]]) -> str:
    return repr([[to_json(value, "full") for value in row] for row in rows])


def usable(reduced: Reduced) -> Any:
    status = registry.examine(KINDS[reduced.engine])
    needed = pytest.mark.skipif(not status.usable, reason=f"{reduced.engine}: {status.reason}")
    return pytest.param(reduced, marks=needed, id=named(reduced))


@pytest.fixture(scope="module")
def engines(request: pytest.FixtureRequest) -> Iterator[dict[str, Engine]]:
    """Engines by name that run what they are known to get wrong, each opened when it is first asked for."""
    with ExitStack() as stack:

        class Opened(dict[str, Engine]):
            def __missing__(self, name: str) -> Engine:
                options: dict[str, Any] = {"trusting": True}
                if name == "neo4j":
                    options |= {"uri": request.getfixturevalue("neo4j_uri"), "keep": False}
                self[name] = stack.enter_context(graphir.connect(name, **options))
                return self[name]

        yield Opened()


@pytest.mark.parametrize("reduced", [usable(each) for each in REDUCED])
def test_the_fault_is_still_there(engines: dict[str, Engine], reduced: Reduced) -> None:
    engine = engines[reduced.engine]
    engine.clear()
    engine.load(graph_of(reduced))
    due = None if reduced.due is None else plain(reduced.due)
    assert answered(engine, reduced) != due, f"{reduced.engine} has mended this: {reduced.feature}"


@pytest.mark.parametrize("reduced", REDUCED, ids=named)
def test_the_embedded_engine_has_it_right(reduced: Reduced) -> None:
    with graphir.connect() as db:
        if reduced.graph:
            db.run(reduced.graph)
        assert answered(db, reduced) == (None if reduced.due is None else plain(reduced.due))


@pytest.mark.parametrize("reduced", REDUCED, ids=named)
def test_the_feature_is_found(reduced: Reduced) -> None:
    query = graphir.parse(reduced.query, reduced.dialect)
    core = graphir.api.to_core(query, reduced.query, reduced.dialect)
    asked = Asked(core, reduced.parameters, Held().joined(graph_of(reduced)))
    assert any(True for _ in FEATURES[reduced.feature](asked))


def test_each_known_fault_is_reduced() -> None:
    known = {(each.engine, each.feature) for each in KNOWN_FAULTS if each.engine in ENGINES}
    assert {(each.engine, each.feature) for each in REDUCED} == known
