"""Equality, comparability and order, as Neo4j and the TCK have them."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given

from graphir.values import Date, DateTime, Duration, Node, Point, Time
from graphir.values.comparison import compare, equals
from graphir.values.functions import call
from graphir.values.references import NodeReference
from tests.values.strategies import values

NAN = math.nan
EQUALITY = [
    (1, 1.0, True),
    (2**53 + 1, float(2**53), False),
    (1, "1", False),
    (True, 1, False),
    (NAN, NAN, False),
    (NAN, "a", False),
    (None, None, None),
    ([1, None], [1, None], None),
    ([1, None], [2, None], False),
    ([1, None], [1], False),
    ([[1, None]], [[1, 2]], None),
    ({"a": None}, {"a": None}, None),
    ({"a": None}, {"b": None}, False),
    ({"a": 1, "b": None}, {"a": 2, "b": None}, False),
    ({"a": 1}, {"a": 1.0}, True),
    (Node(1, ("A",)), Node(1), True),
    (Node(1), NodeReference(1), True),
    (Time.parse("12:00+01:00"), Time.parse("11:00Z"), False),
    (Duration(days=1), Duration(seconds=86400), False),
    (Date(1), DateTime(86400), False),
]


@pytest.mark.parametrize(("one", "other", "expected"), EQUALITY)
def test_equality(one: Any, other: Any, expected: bool | None) -> None:
    assert equals(one, other) is expected
    assert equals(other, one) is expected
    assert call("ne", one, other) is (None if expected is None else not expected)


ORDER = [
    (1, 2.5, True),
    (1, "a", None),
    (False, True, True),
    (NAN, 1, False),
    (1, NAN, False),
    ("a", "b", True),
    ([1], [1, 0], True),
    ([1, 2], [1, None], None),
    ([1, 2], [3, None], True),
    ([1, "a"], [1, 2], None),
    ([NAN], [1.0], None),
    ({"a": 1}, {"a": 2}, True),
    ({"b": 1}, {"a": 1, "b": 1}, True),
    (Date(1), Date(2), True),
    (Date(1), DateTime(2), None),
    (Time.parse("11:00Z"), Time.parse("12:00+01:00"), True),
    (Duration(days=1), Duration(days=2), None),
    (Point(7203, 1.0, 1.0), Point(7203, 2.0, 2.0), None),
    (Node(1), Node(2), True),
]


@pytest.mark.parametrize(("one", "other", "less"), ORDER)
def test_comparability(one: Any, other: Any, less: bool | None) -> None:
    assert call("lt", one, other) is less
    assert call("gt", other, one) is less
    reverse = None if less is None else False
    assert call("gt", one, other) is reverse
    assert call("ge", one, other) is reverse


@pytest.mark.parametrize("value", [1, "a", True, [1, "a"], {"a": 1}, Date(1), Node(1)])
def test_equal_values_are_not_less(value: Any) -> None:
    assert [call(name, value, value) for name in ("lt", "le", "gt", "ge")] == [False, True, False, True]


@pytest.mark.parametrize("value", [Duration(days=1), Point(7203, 1.0, 2.0)])
def test_values_without_an_order(value: Any) -> None:
    assert [call(name, value, value) for name in ("lt", "le", "gt", "ge")] == [None, True, None, True]


def test_order_of_types() -> None:
    texts = ("12:00+01:00", "11:00Z")
    ordered: list[Any] = [
        *(
            {},
            {"a": "x"},
            {"a": 1},
            {"a": None},
            {"b": 1},
            {"a": 1, "b": 1},
            Node(1),
            Node(2),
            [],
            [[]],
            ["a"],
            [1],
            [None],
        ),
        *(
            Point(4326, 1.0, 2.0),
            Point(7203, 0.0, 5.0),
            DateTime(0),
            Date(0),
            Time.parse(texts[1]),
            Time.parse(texts[0]),
        ),
        *(Duration(seconds=86400), Duration(days=1), "Z", "a", "\uffff", "\U0001f600", False, True),
        *(-math.inf, -1, 0.5, 2**53, 2**53 + 1, math.inf, NAN, None),
    ]
    assert all(compare(one, other) < 0 for one, other in pairwise(ordered))


@given(values, values, values)
def test_order_is_total(one: Any, other: Any, third: Any) -> None:
    assert compare(one, other) == -compare(other, one)
    if compare(one, other) <= 0 and compare(other, third) <= 0:
        assert compare(one, third) <= 0


@given(values, values)
def test_comparisons_agree_with_the_order(one: Any, other: Any) -> None:
    if call("lt", one, other):
        assert compare(one, other) < 0
    if equals(one, other):
        assert compare(one, other) == 0
