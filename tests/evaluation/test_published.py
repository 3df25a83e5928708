"""The quirks of the published comparators, one by one, as their code has them."""

from typing import Any

import pytest

from graphir import Edge, Node, Path
from graphir.evaluation import COMPARATORS, PRESETS, answer_scores, rows_equal
from graphir.values import Date, DateTime, Duration, LocalTime, Point

ANN, BOB = Node(1, ("P",), {"n": 1}), Node(2, ("P",), {"n": 2})
TWIN = Node(3, ("Q",), {"n": 1})
KNOWS = Edge(7, "KNOWS", 1, 2, {"w": 1})
NAN = float("nan")


def equal(left: Any, right: Any, comparator: str, **more: Any) -> bool:
    return rows_equal([{"a": left}], [{"a": right}], comparator, **more).equal


def test_every_preset_names_its_source() -> None:
    assert ("strict", *PRESETS) == COMPARATORS
    assert set(PRESETS) == {"cypherbench", "t2gq_driver", "tugraph_legacy", "cypherturn", "pipe"}
    assert all(preset.source and preset.summary and preset.notes for preset in PRESETS.values())


@pytest.mark.parametrize("comparator", PRESETS)
def test_both_empty_and_one_empty(comparator: str) -> None:
    assert rows_equal([], [], comparator)
    assert not rows_equal([{"a": 1}], [], comparator)
    assert not rows_equal([], [{"a": 1}], comparator)


class TestCypherbench:
    def test_the_text_decides_on_order(self) -> None:
        rows, turned = [(1,), (2,)], [(2,), (1,)]
        assert rows_equal(rows, turned, "cypherbench", query="MATCH (n) RETURN n.x")
        assert not rows_equal(rows, turned, "cypherbench", query="MATCH (n) RETURN n.x Order By n.x")
        assert not rows_equal(rows, turned, "cypherbench", query="MATCH (n {t: 'order by'}) RETURN n.x")
        assert not rows_equal(rows, turned, "cypherbench", query="MATCH (n) WITH n ORDER BY n.x LIMIT 2 RETURN n.x")

    def test_values(self) -> None:
        assert equal([1, [3, 2]], [[2, 3], 1], "cypherbench") is False  # Python cannot sort an integer and a tuple
        assert equal([[3, 2], [1]], [[1], [2, 3]], "cypherbench")
        assert equal({"k": [2, 1]}, {"k": [1, 2]}, "cypherbench")
        assert equal(Date.of(2020, 1, 2), "2020-01-02", "cypherbench")
        assert not equal(LocalTime.of(12), LocalTime.of(12), "cypherbench")
        assert not equal(Point(7203, 1.0, 2.0), Point(4326, 1.0, 2.0), "cypherbench")
        assert equal(Duration(days=1), Duration(days=1), "cypherbench")
        assert not equal([1, None], [1, None], "cypherbench")
        assert not equal(NAN, NAN, "cypherbench")

    def test_entities(self) -> None:
        assert equal(ANN, TWIN, "cypherbench")
        assert not equal(KNOWS, KNOWS, "cypherbench")
        assert not equal(Path((ANN, BOB), (KNOWS,)), Path((ANN, BOB), (KNOWS,)), "cypherbench")
        assert equal(Path((ANN,)), Path((TWIN,)), "cypherbench")

    def test_columns_and_rows(self) -> None:
        rows = [(1, 2, 3, 4, "a"), (5, 6, 7, 8, "b")]
        assert rows_equal(rows, [row[::-1] for row in rows], "cypherbench").permutation == (4, 3, 2, 1, 0)
        assert not rows_equal([(0, 0), (1, 1)], [(0, 1), (1, 0)], "cypherbench")
        assert not rows_equal([(1,), (1,), (2,)], [(1,), (2,), (2,)], "cypherbench")
        assert not rows_equal([(1,)], [(1, 1)], "cypherbench")

    def test_rows_are_first_sorted_by_texts(self) -> None:
        """A texts-first check of the evaluator rejects what its comparison proper would accept."""
        assert rows_equal([("a", True)], [("a", 1)], "cypherbench")
        assert not rows_equal([("1", True)], [("1", 1)], "cypherbench")

    def test_what_fails_is_told(self) -> None:
        assert "cannot hash a found value" in rows_equal([(1,)], [(KNOWS,)], "cypherbench").reason
        assert "fails on an expected value" in rows_equal([(KNOWS,)], [(1,)], "cypherbench").reason


class TestDriver:
    def test_values(self) -> None:
        assert equal(0.1234567891, 0.1234567894, "t2gq_driver")
        assert not equal(0.12345678, 0.12345679, "t2gq_driver")
        assert equal([1, 2.0], [True, 2], "t2gq_driver")
        assert not equal([1, 2], [2, 1], "t2gq_driver")
        assert equal(LocalTime.of(12), "12:00:00.000000000", "t2gq_driver")
        assert equal(Point(7203, 1.0, 2.0), Point(4326, 1, 2), "t2gq_driver")
        assert equal(Duration(days=1), [0, 1, 0, 0], "t2gq_driver")
        assert equal({"a": 1, "b": 2}, {"b": 2, "a": 1}, "t2gq_driver")
        assert not equal(NAN, NAN, "t2gq_driver")

    def test_rows(self) -> None:
        assert rows_equal([(1,), (1,), (2,)], [(2,), (1,)], "t2gq_driver", ordered=True)
        assert not rows_equal([(1, 2)], [(2, 1)], "t2gq_driver")

    def test_entities(self) -> None:
        assert equal(ANN, TWIN, "t2gq_driver")
        assert equal(KNOWS, Edge(9, "KNOWS", 3, 4, {"w": 2}), "t2gq_driver")
        assert not rows_equal([(ANN, KNOWS)], [(ANN, Edge(7, "KNOWS", 2, 1))], "t2gq_driver")


class TestLegacy:
    def test_paged_queries_compare_numbers_of_rows(self) -> None:
        assert rows_equal([(1,)], [(2,)], "tugraph_legacy", query="MATCH (n) RETURN n.x LIMIT 1")
        assert rows_equal([(1,)], [("a", "b")], "tugraph_legacy", query="MATCH (n) RETURN n.x SKIP 1")
        assert not rows_equal([(1,)], [(2,)], "tugraph_legacy", query="MATCH (n) RETURN n.x limit 1")
        assert not rows_equal([(1,)], [(2,), (3,)], "tugraph_legacy", query="MATCH (n) RETURN n.x LIMIT 1")

    def test_texts(self) -> None:
        assert rows_equal([{"a": 1}, {"a": 2}], [{"a": 2}, {"a": 1}], "tugraph_legacy", ordered=True)
        assert not rows_equal([{"a": 1}], [{"b": 1}], "tugraph_legacy")
        assert not rows_equal([{"a": 1, "b": 2}], [{"b": 2, "a": 1}], "tugraph_legacy")
        assert not rows_equal([{"a": 1}, {"a": 1}], [{"a": 1}], "tugraph_legacy")
        assert not equal(1, 1.0, "tugraph_legacy")
        assert not equal(1, "1", "tugraph_legacy")
        assert not equal(None, "None", "tugraph_legacy")
        assert equal(NAN, NAN, "tugraph_legacy")


class TestCypherturn:
    def test_values_are_texts(self) -> None:
        assert equal(1, "1", "cypherturn")
        assert equal(None, "None", "cypherturn")
        assert equal([1, None], "[1, None]", "cypherturn")
        assert equal(True, "True", "cypherturn")
        assert not equal(1, 1.0, "cypherturn")
        assert not equal(True, 1, "cypherturn")
        assert equal(NAN, NAN, "cypherturn")
        assert equal(Date.of(2020, 1, 2), "2020-01-02", "cypherturn")
        assert equal(
            DateTime.parse("2020-01-01T12:00[Europe/Paris]"), "2020-01-01T12:00:00.000000000+01:00", "cypherturn"
        )
        assert not equal([Date.of(2020, 1, 2)], ["2020-01-02"], "cypherturn")

    def test_entities_are_told_apart(self) -> None:
        assert equal(ANN, Node(1, ("P",), {"n": 1}), "cypherturn")
        assert not equal(ANN, TWIN, "cypherturn")
        assert not equal([ANN], [TWIN], "cypherturn")
        assert not equal(KNOWS, Edge(8, "KNOWS", 1, 2, {"w": 1}), "cypherturn")
        assert equal(Path((ANN, BOB), (KNOWS,)), Path((ANN, BOB), (Edge(8, "T", 1, 2),)), "cypherturn")

    def test_columns_and_rows(self) -> None:
        assert rows_equal([{"a": 1, "b": 2}], [{"b": 2, "a": 1}], "cypherturn")
        assert not rows_equal([{"a": 1}], [{"b": 1}], "cypherturn")
        assert not rows_equal([(1,), (1,)], [(1,)], "cypherturn")
        assert rows_equal([(1,), (2,)], [(2,), (1,)], "cypherturn", query="RETURN x ORDER BY x")


class TestPipe:
    def test_rows(self) -> None:
        assert rows_equal([{"a": 1}], [{"z": "1"}], "pipe")
        assert not rows_equal([{"a": 1, "b": 2}], [{"x": 1, "y": 2}], "pipe")
        assert rows_equal([{"a": 1, "b": 2}], [{"b": 2, "a": 1}], "pipe")
        assert rows_equal([{"a": 1}, {"a": 1}], [{"a": 1}], "pipe")
        assert not equal(ANN, TWIN, "pipe")

    def test_scores(self) -> None:
        scores = answer_scores([{"a": 1}, {"a": 2}, {"a": 3}], [{"a": 3}, {"a": 4}])
        assert (scores.precision, scores.recall, scores.jaccard) == (1 / 2, 1 / 3, 1 / 4)
        assert scores.f1 == pytest.approx(0.4)


def test_the_first_difference_is_told() -> None:
    verdict = rows_equal([(1,), (2,)], [(1,), (3,)], "pipe")
    assert (verdict.row, verdict.expected, verdict.found) == (1, (2,), None)
    verdict = rows_equal([(1,)], [(3,), (1,)], "t2gq_driver")
    assert (verdict.row, verdict.expected, verdict.found) == (0, None, (3,))
    verdict = rows_equal([(1,), (2,)], [(2,), (1,)], "cypherbench", ordered=True)
    assert (verdict.row, verdict.expected, verdict.found) == (0, (1,), (2,))
