"""The strict comparator: types, numbers, entities, order, columns, and what it says of the first difference."""

import datetime
import math
from typing import Any

import pytest

import graphir
from graphir import Edge, Node, Path
from graphir.evaluation import Reference, Strict, rows_equal
from graphir.values import Date, DateTime, Duration, LocalDateTime, Point

NAN = float("nan")
ANN, BOB = Node(1, ("P", "Q"), {"n": 1}), Node(2, ("P",), {"n": 2})
KNOWS = Edge(7, "KNOWS", 1, 2, {"w": 0.5})


def equal(left: Any, right: Any, **options: Any) -> bool:
    return rows_equal([(left,)], [(right,)], Strict(**options)).equal


@pytest.mark.parametrize(
    "value",
    [
        *(None, True, 0, 1.5, NAN, math.inf, -math.inf, "", "a", [], [1, [None]], {}, {"a": {"b": 1}}),
        *(ANN, KNOWS, Path((ANN, BOB), (KNOWS,)), Date.of(2020, 1, 1), Duration(1, 2, 3, 4), Point(7203, 1.0, 2.0)),
    ],
)
def test_a_value_equals_itself(value: Any) -> None:
    assert equal(value, value)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        *((1, 1.0), (True, 1), (False, 0), ("1", 1), (None, "null"), (None, 0), (NAN, None), (NAN, 0.0)),
        *(([1, 2], [2, 1]), ([1], 1), ([1], [1, 1]), ({"a": None}, {}), ({"a": 1}, {"b": 1}), ([True], [1])),
        *((math.inf, -math.inf), (math.inf, 1e308), (2**53, 2**53 + 1), (1.0, 1.0 + 1e-8), (0.0, 1e-11)),
        *((Date.of(2020, 1, 1), "2020-01-01"), (Date.of(2020, 1, 1), LocalDateTime.parse("2020-01-01T00:00"))),
        *((Duration(days=1), Duration(seconds=86400)), (Point(7203, 1.0, 2.0), Point(4326, 1.0, 2.0))),
        (DateTime.parse("2020-01-01T12:00+01:00"), DateTime.parse("2020-01-01T11:00Z")),
        *((ANN, BOB), (ANN, 1), (ANN, KNOWS), (KNOWS, Edge(8, "KNOWS", 1, 2, {"w": 0.5}))),
        (ANN, Node(1, ("P",), {"n": 1})),
        (KNOWS, Edge(7, "KNOWS", 2, 1, {"w": 0.5})),
    ],
)
def test_values_that_differ(left: Any, right: Any) -> None:
    assert not equal(left, right)
    assert not equal(right, left)


@pytest.mark.parametrize(
    ("left", "right"),
    [
        *((0.3, 0.1 + 0.2), (0.0, -0.0), (1e300, 1e300 * (1 + 1e-10)), (0.0, 1e-13)),
        *(
            ([0.3], [0.1 + 0.2]),
            ({"a": [0.3]}, {"a": [0.1 + 0.2]}),
            (Point(7203, 0.3, 0.0), Point(7203, 0.1 + 0.2, 0.0)),
        ),
        (Node(1, ("P",), {"x": 0.3, "gone": None}), Node(1, ("P",), {"x": 0.1 + 0.2})),
        (Node(1, ("A", "B")), Node(1, ("B", "A"))),
        (Date.of(2020, 1, 2), datetime.date(2020, 1, 2)),
        ((1, 2), [1, 2]),
    ],
)
def test_values_that_are_equal(left: Any, right: Any) -> None:
    assert equal(left, right)
    assert equal(right, left)


def test_numbers_by_value() -> None:
    assert equal(1, 1.0, numbers="value")
    assert equal([1, {"a": 2.0}], [1.0, {"a": 2}], numbers="value")
    assert not equal(True, 1, numbers="value")
    assert not equal(2**53, 2**53 + 1, numbers="value")


def test_lists_without_order() -> None:
    assert equal([1, 2, None], [None, 2, 1], lists="unordered")
    assert equal([[0.3, 1], [2.0]], [[2.0], [1, 0.1 + 0.2]], lists="unordered", numbers="value")
    assert not equal([1, 1, 2], [1, 2, 2], lists="unordered")


def test_entities_by_identity() -> None:
    assert equal(ANN, Node(1), entities="identity")
    assert equal(Path((ANN, BOB), (KNOWS,)), Path((Node(1), Node(2)), (Edge(7, "", 1, 2),)), entities="identity")
    assert not equal(ANN, Node("1"), entities="identity")


def test_entities_by_content() -> None:
    other = Node(70, ("Q", "P"), {"n": 1})
    assert equal(ANN, other, entities="content")
    assert not equal(ANN, BOB, entities="content")
    assert equal(KNOWS, Edge(1, "KNOWS", 5, 6, {"w": 0.5}), entities="content")
    there = Path((other, Node(71, ("P",), {"n": 2})), (Edge(1, "KNOWS", 70, 71, {"w": 0.5}),))
    back = Path((other, Node(71, ("P",), {"n": 2})), (Edge(1, "KNOWS", 71, 70, {"w": 0.5}),))
    assert equal(Path((ANN, BOB), (KNOWS,)), there, entities="content")
    assert not equal(Path((ANN, BOB), (KNOWS,)), back, entities="content")


def test_the_ends_of_an_edge_by_content() -> None:
    mine = [(ANN, BOB, KNOWS)]
    ann, bob = Node(20, ("P", "Q"), {"n": 1}), Node(10, ("P",), {"n": 2})
    content = Strict(entities="content")
    assert rows_equal(mine, [(ann, bob, Edge(0, "KNOWS", 20, 10, {"w": 0.5}))], content)
    assert not rows_equal(mine, [(ann, bob, Edge(0, "KNOWS", 10, 20, {"w": 0.5}))], content)


# ------------------------------------------------------------------ rows


def test_rows_are_a_bag() -> None:
    assert rows_equal([(1,), (2,), (1,)], [(1,), (1,), (2,)])
    assert not rows_equal([(1,), (2,), (1,)], [(1,), (2,), (2,)])
    assert not rows_equal([(1,)], [(1,), (1,)])


def test_floats_find_partners_by_augmenting() -> None:
    """0 may be paired with either, 1.5 with the second only."""
    loose = Strict(absolute=1.0, relative=0.0)
    assert rows_equal([(0.0,), (1.5,)], [(0.6,), (-0.9,)], loose)
    assert rows_equal([(0.6,), (-0.9,)], [(0.0,), (1.5,)], loose)
    assert not rows_equal([(0.0,), (1.5,)], [(-0.9,), (-0.8,)], loose)


def test_order() -> None:
    assert rows_equal([(1,), (2,)], [(1,), (2,)], ordered=True)
    assert not rows_equal([(1,), (2,)], [(2,), (1,)], ordered=True)


def test_ties() -> None:
    rows = [("a", 1), ("b", 1), ("c", 2)]
    assert rows_equal(rows, [("b", 1), ("a", 1), ("c", 2)], ordered=[1])
    assert not rows_equal(rows, [("b", 1), ("c", 2), ("a", 1)], ordered=[1])
    named = [{"x": x, "k": k} for x, k in rows]
    assert rows_equal(named, [named[1], named[0], named[2]], ordered=["k"])
    assert not rows_equal(named, [named[1], named[0], named[2]], ordered=["k", "x"])


def test_keys_that_are_nearly_the_same() -> None:
    rows = [("a", 0.3), ("b", 0.1 + 0.2), ("c", 1), ("d", 1.0), ("e", None), ("f", None)]
    assert rows_equal(rows, [rows[at] for at in (1, 0, 3, 2, 5, 4)], ordered=[1])
    assert not rows_equal(rows, [rows[at] for at in (0, 1, 4, 3, 2, 5)], ordered=[1])


def test_a_choice_of_rows() -> None:
    """ORDER BY k SKIP 1 LIMIT 2 over a: 0, b, c, d: 1, e: 2 gives any two of b, c, d."""
    run = (("b", 1), ("c", 1), ("d", 1))
    expected = Reference(("x", "k"), [("b", 1), ("c", 1)], ((run, 2),))
    assert rows_equal(expected, [("d", 1), ("b", 1)])
    assert not rows_equal(expected, [("d", 1), ("d", 1)])
    assert not rows_equal(expected, [("d", 1), ("a", 0)])
    assert not rows_equal(expected, [("d", 1)])
    assert rows_equal(expected, [(1, "c"), (1, "d")]).permutation == (1, 0)


# ------------------------------------------------------------------ columns


def test_columns_in_any_order() -> None:
    expected = [{"a": 1, "b": 2, "c": 3}, {"a": 2, "b": 1, "c": 3}]
    assert rows_equal(expected, [{"x": 3, "y": 2, "z": 1}, {"x": 3, "y": 1, "z": 2}]).permutation == (1, 2, 0)
    assert rows_equal(expected, [{"c": 3, "b": 2, "a": 1}, {"c": 3, "b": 1, "a": 2}]).permutation == (2, 1, 0)


def test_columns_that_match_one_by_one_but_not_together() -> None:
    assert not rows_equal([(0, 0), (1, 1)], [(0, 1), (1, 0)])
    verdict = rows_equal([(0, 0, 2), (1, 1, 2)], [(0, 1, 2), (1, 0, 2)])
    assert (verdict.row, verdict.column) == (0, "2")


def test_many_alike_columns() -> None:
    """Twelve columns with the same values: only the assignments that keep fitting are followed."""
    rows = [tuple((row >> (at % 6)) % 2 for at in range(12)) for row in range(64)]
    turned = [row[5:] + row[:5] for row in rows]
    assert rows_equal(rows, turned)
    assert not rows_equal(rows, [(*row[:-1], 1 - row[-1]) for row in rows[:32]] + rows[32:])


def test_columns_by_position_and_name() -> None:
    expected, found = [{"a": 1, "b": 2}], [{"b": 2, "a": 1}]
    assert not rows_equal(expected, found, Strict(columns="position"))
    assert rows_equal(expected, found, Strict(columns="name")).permutation == (1, 0)
    assert rows_equal(expected, [{"x": 1, "y": 2}], Strict(columns="position"))
    assert not rows_equal(expected, [{"a": 1, "y": 2}], Strict(columns="name"))
    assert not rows_equal(expected, [{"a": 2, "b": 1}], Strict(columns="name"))


def test_results_and_rows() -> None:
    result = graphir.Result(("a", "b"), [(1, 2)])
    assert graphir.rows_equal(result, [[1, 2]])
    assert graphir.rows_equal([{"b": 2, "a": 1}], result)
    assert graphir.rows_equal(graphir.Result(("a",)), graphir.Result(("b",)))
    assert not graphir.rows_equal(graphir.Result(("a",)), graphir.Result(("b",)), Strict(columns="name"))
    assert not graphir.rows_equal(result, None)
    assert not graphir.rows_equal(None, result, "pipe")


# ------------------------------------------------------------------ what is said


def test_first_difference() -> None:
    verdict = rows_equal([{"a": 1, "b": "x"}, {"a": 2, "b": "y"}], [{"a": 2, "b": "z"}, {"a": 1, "b": "x"}])
    assert not verdict
    assert (verdict.row, verdict.column, verdict.expected, verdict.found) == (1, "b", "y", "z")
    assert verdict.reason == "the values differ: row 2, column b"


def test_difference_of_a_sequence() -> None:
    verdict = rows_equal([(1,), (2,), (3,)], [(1,), (3,), (2,)], ordered=True)
    assert (verdict.row, verdict.column, verdict.expected, verdict.found) == (1, "1", 2, 3)


def test_difference_of_lengths() -> None:
    verdict = rows_equal([(1,), (2,)], [(1,)])
    assert (verdict.row, verdict.expected, verdict.found) == (1, (2,), None)
    assert verdict.reason == "2 rows are expected, 1 found"
    assert rows_equal([(1,)], [(1, 2)]).reason == "the numbers of columns differ"


def test_difference_of_counts() -> None:
    verdict = rows_equal([("a",), ("a",), ("b",)], [("a",), ("b",), ("b",)])
    assert (verdict.row, verdict.expected, verdict.found) == (1, "a", "b")


@pytest.mark.parametrize(
    "call",
    [
        lambda: rows_equal([(1,)], [(1,)], "fuzzy"),
        lambda: rows_equal([(1,), (1, 2)], [(1,)]),
        lambda: rows_equal([{"a": 1}, {"b": 1}], [(1,)]),
        lambda: rows_equal("rows", [(1,)]),
        lambda: rows_equal(["row"], [(1,)]),
        lambda: rows_equal([(1,)], [(1,)], ordered=["a"]),
        lambda: rows_equal([(1,)], [(1,)], ordered=[1]),
        lambda: rows_equal([(1,)], [(1,)], ordered="a"),
    ],
)
def test_wrong_calls(call: Any) -> None:
    with pytest.raises(graphir.UsageFault) as caught:
        call()
    assert caught.value.diagnostics[0].code == "G091"
