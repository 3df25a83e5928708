"""Random expressions of temporal and spatial values have the value, or the fault, that a real Neo4j gives."""

from __future__ import annotations

import math
from typing import Any

import pytest
from neo4j import Driver, Session
from neo4j.exceptions import Neo4jError

import graphir
from graphir.values.clocks import Clock, use_clock
from tests.engines.temporal_expressions import Writer
from tests.outside import FULL
from tests.values.evaluation import Evaluation, to_string

COUNT = 5000 if FULL else 400
FAULT = "a fault"


def ours(expression: str) -> Any:
    try:
        with use_clock(Clock.now()):
            value = Evaluation().run(f"RETURN {expression} AS x", "neo4j-25")[1][0][0]
    except graphir.RunFault:
        return FAULT
    return value if value is None or isinstance(value, bool | int | float) else to_string(value)


def theirs(session: Session, expression: str) -> Any:
    """The value as a number or as text: the driver's types hold neither every year nor seconds of an offset."""
    plain = "x IS :: BOOLEAN | INTEGER | FLOAT"
    query = f"CYPHER 25 WITH {expression} AS x RETURN CASE WHEN {plain} THEN x ELSE toString(x) END AS x"
    try:
        return session.run(query).single(strict=True)[0]
    except Neo4jError:
        return FAULT


def same(one: Any, two: Any) -> bool:
    """Distances on the globe may differ in the last bit: sine and cosine are not the same everywhere."""
    if isinstance(one, float) and isinstance(two, float):
        return math.isclose(one, two, rel_tol=1e-14)
    return type(one) is type(two) and bool(one == two)


@pytest.mark.parametrize("seed", range(4))
def test_expressions_have_the_value_of_neo4j(neo4j: Driver, seed: int) -> None:
    writer = Writer(seed)
    wrong = []
    with neo4j.session() as session:
        for _ in range(COUNT // 4):
            expression = writer.expression()
            pair = ours(expression), theirs(session, expression)
            if not same(*pair):
                wrong.append((expression, *pair))
    assert wrong == []
