"""openCypher's temporal scenarios, evaluated on the functions of values alone."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from graphir.values.clocks import Clock, use_clock
from graphir.values.text import text
from tests.outside import rows
from tests.values.evaluation import Evaluation


def temporal() -> list[dict[str, Any]]:
    return [row for row in rows("conformance/opencypher_tck") if "expressions/temporal/" in row["id"]]


def got(scenario: dict[str, Any]) -> list[tuple[str, ...]]:
    evaluation = Evaluation()
    with use_clock(Clock.now()):
        for query in scenario["setup"]:
            evaluation.run(query)
        return [tuple(map(text, row)) for row in evaluation.run(scenario["query"])[1]]


@pytest.mark.parametrize("feature", [f"Temporal{number}" for number in range(1, 11)])
def test_every_scenario_gives_its_rows(feature: str) -> None:
    scenarios = [row for row in temporal() if f"/{feature}#" in row["id"]]
    assert scenarios
    wrong = {
        row["id"]: (row["query"], found, row["expect"]["rows"])
        for row in scenarios
        if Counter(found := got(row)) != Counter(map(tuple, row["expect"]["rows"]))
    }
    assert wrong == {}
