"""The truth table of comparators: every case of the outside data, and the same decisions of the strict one."""

import json
from typing import Any

import pytest

from graphir.evaluation import answer_scores, rows_equal
from tests.outside import SHARED

PATH = SHARED / "spec" / "golden_vectors.json"
PUBLISHED = ("cypherbench", "t2gq_driver", "cypherturn", "pipe")
CASES: dict[str, Any] = json.loads(PATH.read_text(encoding="utf-8"))["ex_truth_table"] if PATH.exists() else {}

STRICT = {
    "same",
    "one_column_renamed",
    "two_columns_renamed",
    "columns_reordered_same_names",
    "columns_reordered_and_renamed",
    "rows_reordered_no_order_by",
    "float_noise_1e-17",
    "both_empty",
}
"""The cases that are equal strictly."""


@pytest.mark.skipif(not CASES, reason="the golden vectors are not here")
def test_every_case_is_there() -> None:
    assert len(CASES) == 20
    assert set(CASES) >= STRICT


@pytest.mark.parametrize("comparator", PUBLISHED)
@pytest.mark.parametrize("name", CASES)
def test_published(name: str, comparator: str) -> None:
    case = CASES[name]
    verdict = rows_equal(case["gold"], case["pred"], comparator, ordered=case["gold_has_order_by"])
    assert verdict.equal == bool(case[comparator]), verdict


@pytest.mark.parametrize("name", CASES)
def test_answer_f1(name: str) -> None:
    case = CASES[name]
    assert answer_scores(case["gold"], case["pred"]).f1 == pytest.approx(case["pipe_f1"])


@pytest.mark.parametrize("name", CASES)
def test_strict(name: str) -> None:
    case = CASES[name]
    verdict = rows_equal(case["gold"], case["pred"], ordered=case["gold_has_order_by"])
    assert verdict.equal == (name in STRICT), verdict
    assert verdict.reason
