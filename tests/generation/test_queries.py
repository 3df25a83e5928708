"""Random queries: valid in their dialect, with rows where they promise some, and with one answer.

GRAPHIR_CASES says how many run on the embedded engine (600).
"""

import os
from collections.abc import Iterator

import pytest

import graphir
from graphir.diagnostics import GraphirError
from graphir.dialects import CYPHER_LEVELS
from graphir.evaluation import Strict
from graphir.generation import PROFILES, Case, cases
from graphir.generation.constructs import EXPRESSIONS, GROUPS
from graphir.graphs import PropertyGraph

CASES = int(os.environ.get("GRAPHIR_CASES", "600"))
PER_GRAPH = 10


def some(count: int, start: int, dialect: str, profile: str, nonempty: bool | None = None) -> Iterator[Case]:
    for seed in range(start, start + count // PER_GRAPH):
        yield from cases(seed, PER_GRAPH, dialect, profile, nonempty)


@pytest.mark.parametrize("profile", PROFILES)
@pytest.mark.parametrize("dialect", CYPHER_LEVELS)
def test_queries_are_valid(dialect: str, profile: str) -> None:
    broken = [
        (each.query, found)
        for each in some(150, 0, dialect, profile)
        for found in graphir.check(each.query, dialect)
        if found.severity == "error"
    ]
    assert broken == []


def test_every_construct_occurs() -> None:
    registered = {each.name for found in EXPRESSIONS.values() for each in found}
    seen = {
        feature
        for profile in ("reads", "writes")
        for each in some(6000, 0, "neo4j-25", profile)
        for feature in each.features
    }
    assert len(registered - seen) <= 2, registered - seen  # the rarest are not in every few thousand
    assert set(GROUPS) - seen == {"several labels"}  # openCypher's `:A:B`


def test_profiles_name_what_there_is() -> None:
    registered = {name for found in EXPRESSIONS.values() for each in found for name in (each.name, each.group)}
    known = registered | set(GROUPS) | set(GROUPS.values())
    assert {name for profile in PROFILES.values() for name in profile.weights} - known == set()


@pytest.mark.parametrize("profile", PROFILES)
def test_what_promises_a_row_has_one(profile: str) -> None:
    empty = []
    with graphir.connect() as db:
        loaded: PropertyGraph | None = None
        for each in some(CASES // len(PROFILES), 1000, "neo4j-25", profile, nonempty=True):
            if each.graph is not loaded or profile == "writes":
                db.clear()
                db.load(each.graph)
                loaded = each.graph
            assert each.nonempty
            if not db.run(each.query, each.parameters, dialect=each.dialect).rows:
                empty.append((each.query, each.graph))
    assert empty == []


@pytest.mark.parametrize("dialect", ["neo4j-5", "neo4j-25"])
def test_the_answer_does_not_depend_on_the_order_of_the_graph(dialect: str) -> None:
    """The same elements loaded in another order: rows that are told to be in order are the same list, others a bag."""
    different = []
    with graphir.connect() as db, graphir.connect() as other:
        loaded: PropertyGraph | None = None
        for each in some(CASES // 2, 5000, dialect, "reads"):
            if each.graph is not loaded:
                loaded = each.graph
                for engine, elements in ((db, loaded), (other, turned(loaded))):
                    engine.clear()
                    engine.load(elements)
            rows = [engine.run(each.query, each.parameters, dialect=dialect) for engine in (db, other)]
            strict = Strict(columns="position", lists="unordered" if each.loose else "ordered")
            ordered = True if each.ordered else list(each.keys) or None
            if not (same := graphir.rows_equal(rows[0], rows[1], strict, ordered=ordered)):
                different.append((each.query, same.reason))
    assert different == []


def turned(elements: PropertyGraph) -> PropertyGraph:
    """The same graph, its elements in the reverse order."""
    return PropertyGraph(elements.nodes[::-1], elements.edges[::-1])


def test_queries_over_a_graph_without_a_schema() -> None:
    """A vocabulary of the graph is enough."""
    from graphir.generation import RandomDice, query
    from graphir.generation.vocabulary import Vocabulary

    elements = PropertyGraph.from_dict(
        {
            "nodes": [{"id": 1, "labels": ["Person"], "properties": {"name": "Ada", "born": 1815}}],
            "edges": [{"type": "KNOWS", "start": 1, "end": 1}],
        }
    )
    with graphir.connect() as db:
        db.load(elements)
        for seed in range(100):
            made = query(
                RandomDice(seed),
                Vocabulary.of_graph(elements),
                dialect="neo4j-25",
                profile=PROFILES["reads"],
                nonempty_on=elements,
            )
            try:
                assert db.run(made.text, made.parameters).rows
            except GraphirError as fault:  # pragma: no cover
                raise AssertionError(made.text) from fault
