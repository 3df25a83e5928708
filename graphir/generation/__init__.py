"""Random cases: schemas, graphs that conform to them, and queries that are typed and know what is in scope.

    case(seed, dialect="neo4j-25", profile="reads") -> Case
    cases(seed, 10) -> list[Case]      ten queries over one graph

Everything is drawn from `dice`: from a seed, or from what `graphir.testing` draws for Hypothesis.  Knows no engine.
"""

from __future__ import annotations

from graphir.generation.cases import Case, case, cases, ground
from graphir.generation.dice import Dice, RandomDice
from graphir.generation.graphs import graph
from graphir.generation.profiles import PROFILES, Profile
from graphir.generation.queries import Query, query
from graphir.generation.schemas import schema

__all__ = [
    "PROFILES",
    "Case",
    "Dice",
    "Profile",
    "Query",
    "RandomDice",
    "case",
    "cases",
    "graph",
    "ground",
    "query",
    "schema",
]
