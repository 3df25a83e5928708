"""A real Neo4j gives for calls of functions the values, or the errors, that the reference functions give."""

from __future__ import annotations

import math
from typing import Any

import pytest
from neo4j import Driver
from neo4j.exceptions import Neo4jError

import graphir
from graphir.values import Duration
from graphir.values.aggregates import aggregate
from graphir.values.conversions import from_neo4j, to_neo4j
from graphir.values.functions import functions
from tests.engines import calls
from tests.outside import FULL

ERROR = "error"


def excused(call: calls.Call, mine: Any, answer: Any) -> str | None:
    """Why the two may differ."""
    values = call.values
    if call.function == "range":
        if any(type(value) is float for value in values):
            return "the TCK has an error for floats"
        return "Neo4j gives the start where the end lies behind it by less than a step" if mine == [] else None
    if call.function in ("lt", "gt", "le", "ge") and 0 in values and "-0.0" in map(str, values):
        return "for Neo4j -0.0 is less than the integer 0"
    if call.function == "replace" and len(values) == 4 and any("\U0001f600" in str(value) for value in values):
        return "Neo4j's limit cuts characters in half"
    if call.function in ("mul", "div") and any(type(value) is Duration for value in values):
        return "no factor makes a duration infinite" if mine == ERROR else None
    return None


def ours(call: calls.Call) -> Any:
    try:
        return functions("neo4j-25")[call.function](*call.values)
    except graphir.RunFault:
        return ERROR


def theirs(transaction: Any, call: calls.Call, version: str = "25") -> Any:
    values = to_neo4j([*call.values, True, 1, "mixed"])
    return from_neo4j(transaction.run(f"CYPHER {version} {call.query}", v=values).single()["x"])


def same(one: Any, other: Any) -> bool:
    """The same value of the same type; floats but for the last digits, which libraries of mathematics leave open."""
    if type(one) is not type(other):
        return False
    if isinstance(one, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, dict):
        return one.keys() == other.keys() and all(same(one[key], other[key]) for key in one)
    if isinstance(one, float):
        if math.isnan(one) or one == 0:
            return str(one) == str(other)
        return math.isclose(one, other, rel_tol=1e-15)
    return bool(one == other)


def differences(driver: Driver, function: str, count: int, seed: int = 1, version: str = "25") -> list[str]:
    found = []
    with driver.session() as session:
        for call in calls.calls(function, seed, count):
            mine = ours(call)
            transaction: Any = session.begin_transaction()
            try:
                answer = theirs(transaction, call, version)
            except Neo4jError:
                answer = ERROR
            finally:
                transaction.close()
            if not same(mine, answer) and not excused(call, mine, answer):
                found.append(f"{function}{call.values!r}: {mine!r}, Neo4j {answer!r}")
    return found


def different_aggregates(driver: Driver, function: str, count: int, seed: int = 1) -> list[str]:
    found = []
    with driver.session() as session:
        for call in calls.aggregations(function, seed, count):
            try:
                mine = aggregate(call.function, call.values, *call.arguments, unique=call.unique)
            except graphir.RunFault:
                mine = ERROR
            rows = [{"v": to_neo4j(value)} for value in call.values]
            transaction: Any = session.begin_transaction()
            try:
                record = transaction.run(call.query, v=rows, p=[*call.arguments, None][0]).single()
                assert record is not None
                answer = from_neo4j(record["x"])
            except Neo4jError:
                answer = ERROR
            finally:
                transaction.close()
            if not same(mine, answer) and not excused_aggregate(call):
                found.append(f"{call.query} {call.values!r} {call.arguments}: {mine!r}, Neo4j {answer!r}")
    return found


def excused_aggregate(call: calls.Aggregation) -> str | None:
    floats = [value for value in call.values if type(value) is float]
    if call.unique and sum(map(math.isnan, floats)) > 1:
        return "Neo4j counts every NaN; the TCK counts one"
    if call.function.startswith("percentile") and any(abs(value) >= 2**53 for value in floats):
        return "Neo4j sorts large integers and floats as floats"
    return None


@pytest.mark.parametrize("function", calls.shapes())
def test_values_are_those_of_neo4j(neo4j: Driver, function: str) -> None:
    assert differences(neo4j, function, 300 if FULL else 8) == []


@pytest.mark.parametrize("function", calls.AGGREGATES)
def test_aggregates_are_those_of_neo4j(neo4j: Driver, function: str) -> None:
    assert different_aggregates(neo4j, function, 300 if FULL else 15) == []
