"""The embedded engine gives what the functions of values give, for random temporal and spatial expressions."""

from __future__ import annotations

from typing import Any

import pytest

import graphir
from tests.engines.temporal_expressions import Writer
from tests.outside import FULL
from tests.values.evaluation import Evaluation

COUNT = 400 if FULL else 60


def outcome(compute: Any) -> Any:
    """The value, or the code of the fault."""
    try:
        return compute()
    except graphir.GraphirError as fault:
        return fault.diagnostics[0].code


@pytest.mark.parametrize("seed", range(100, 102))
def test_engine_and_functions_agree(seed: int) -> None:
    writer = Writer(seed)
    wrong = []
    with graphir.connect("duckdb") as engine:
        for _ in range(COUNT):
            query = f"RETURN {writer.expression()} AS x"
            expected = outcome(lambda query=query: Evaluation().run(query, "neo4j-25")[1])
            found = outcome(lambda query=query: engine.run(query).rows)
            if found != expected or type(found) is not type(expected):
                wrong.append((query, expected, found))
    assert wrong == []


def test_stored_values_come_back() -> None:
    writer = Writer(102)
    expected: list[Any] = []
    with graphir.connect("duckdb") as engine:
        while len(expected) < COUNT:
            expression = writer.value(writer.random.choice(("date", "localtime", "time", "localdatetime", "datetime")))
            value = outcome(lambda expression=expression: Evaluation().run(f"RETURN {expression} AS x", "neo4j-25")[1])
            if not isinstance(value, str):
                expected.append(value[0][0])
        engine.run("UNWIND range(0, size($values) - 1) AS i CREATE (:T {i: i, v: $values[i]})", {"values": expected})
        assert [row[0] for row in engine.run("MATCH (t:T) RETURN t.v AS v ORDER BY t.i").rows] == expected
        found = engine.run("MATCH (t:T) WITH t ORDER BY t.i RETURN collect(toString(t.v)) AS texts").rows[0][0]
    assert found == [value.long_text() if hasattr(value, "long_text") else str(value) for value in expected]
