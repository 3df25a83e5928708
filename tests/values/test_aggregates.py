"""Aggregates over the values of a group."""

from __future__ import annotations

import math
from typing import Any

import pytest

import graphir
from graphir.values import Duration
from graphir.values.aggregates import aggregate

VALUES = [3, None, 1, 2.5, 1.0]
EMPTY = {"count": 0, "count_star": 0, "sum": 0, "collect": []}
NAMES = ("avg", "collect", "count", "count_star", "max", "min", "stDev", "stDevP", "sum")


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_group(name: str) -> None:
    assert aggregate(name, []) == EMPTY.get(name)
    assert aggregate(name, [None]) == (1 if name == "count_star" else EMPTY.get(name))


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        *[("count", 4), ("count_star", 5), ("sum", 7.5), ("avg", 1.875), ("min", 1), ("max", 3)],
        ("collect", [3, 1, 2.5, 1.0]),
    ],
)
def test_null_is_left_out(name: str, expected: Any) -> None:
    assert aggregate(name, VALUES) == expected


def test_distinct_goes_by_equivalence() -> None:
    assert aggregate("count", VALUES, unique=True) == 3
    assert aggregate("collect", [math.nan, math.nan, [None], [None], {"a": 1}, {"a": 1.0}], unique=True)[1:] == [
        [None],
        {"a": 1},
    ]
    assert aggregate("sum", [1, 1.0, 2], unique=True) == 3


def test_sums() -> None:
    assert aggregate("sum", [1, 2]) == 3
    assert type(aggregate("sum", [1, 2])) is int
    assert aggregate("sum", [2**63 - 1, 1]) == 2.0**63
    assert aggregate("avg", [1, 2]) == 1.5
    assert aggregate("avg", [1e308, 1e308]) == 1e308


def test_durations() -> None:
    values = [Duration(1, 2, 3), Duration(0, 3, 1)]
    assert aggregate("sum", values) == Duration(1, 5, 4)
    assert aggregate("avg", values) == Duration(0, 17, 62075)


def test_order_of_all_values() -> None:
    assert aggregate("min", [1, "a", True]) == "a"
    assert aggregate("max", [1, "a", [5]]) == 1
    assert math.isnan(aggregate("max", [1, math.nan]))


def test_deviations() -> None:
    assert aggregate("stDev", [1, 2, 4]) == pytest.approx(1.5275252316519465)
    assert aggregate("stDevP", [1, 2, 4]) == pytest.approx(1.247219128924647)
    assert aggregate("stDev", [7]) == 0.0


@pytest.mark.parametrize(
    ("name", "percentile", "expected"),
    [
        *[
            ("percentileCont", 0.5, 2.5),
            ("percentileCont", 0, 1),
            ("percentileCont", 1, 4),
            ("percentileCont", 0.1, 1.3),
        ],
        *[("percentileDisc", 0.5, 2), ("percentileDisc", 0, 1), ("percentileDisc", 1.0, 4), ("percentileDisc", 0.6, 3)],
    ],
)
def test_percentiles(name: str, percentile: float, expected: float) -> None:
    assert aggregate(name, [4, 1, None, 3, 2], percentile) == pytest.approx(expected)


@pytest.mark.parametrize(
    ("name", "values", "arguments", "code"),
    [
        ("sum", ["a"], (), "G632"),
        ("avg", [1, Duration()], (), "G632"),
        ("stDev", [True], (), "G632"),
        ("percentileCont", [1], (1.5,), "G634"),
        ("percentileDisc", [1], (-0.1,), "G634"),
        ("percentileDisc", [1], (None,), "G632"),
    ],
)
def test_faults(name: str, values: list[Any], arguments: tuple[Any, ...], code: str) -> None:
    with pytest.raises(graphir.RunFault) as raised:
        aggregate(name, values, *arguments)
    assert raised.value.diagnostics[0].code == code


@pytest.mark.parametrize("name", ["percentileCont", "percentileDisc"])
def test_an_empty_group_has_no_percentile(name: str) -> None:
    """The percentile is that of the first row, which is not there."""
    assert aggregate(name, [], None) is None
