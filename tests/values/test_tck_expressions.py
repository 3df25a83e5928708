"""The TCK's scenarios that need no graph give the expected rows, or the expected error."""

from __future__ import annotations

from typing import Any

import pytest

import graphir
from tests.conformance.suites import scenarios
from tests.conformance.tck_values import read, same_rows
from tests.outside import sample
from tests.values.evaluator import Unknown, run


def chosen(kind: str) -> list[dict[str, Any]]:
    """Of an expectation; those that have columns and no graph to begin with."""
    found = [row for row in scenarios() if row["expect"]["kind"] == kind and not row["setup"]]
    return [row for row in found if row["expect"].get("columns") or kind == "error"]


def verdict(row: dict[str, Any]) -> str:
    """Whether the rows are right; `unknown` when a graph is needed, the error when there is one."""
    expect = row["expect"]
    parameters = {name: read(text) for name, text in (row["params"] or {}).items()}
    try:
        found = run(row["query"], parameters)
    except (Unknown, graphir.SyntaxFault, graphir.SemanticFault):
        return "unknown"
    except graphir.RunFault as fault:
        return fault.diagnostics[0].code
    wanted = [[read(cell) for cell in cells] for cells in expect["rows"]]
    lists = expect.get("unordered_lists", False)
    return "right" if same_rows(wanted, found, ordered=expect["ordered"], unordered_lists=lists) else "wrong"


def test_rows() -> None:
    verdicts = {row["id"]: verdict(row) for row in sample(chosen("rows"), 900, lambda row: row["id"])}
    assert {name: found for name, found in verdicts.items() if found not in ("right", "unknown")} == {}
    assert list(verdicts.values()).count("right") > len(verdicts) * 0.9


def test_errors_at_run_time() -> None:
    late = [row for row in chosen("error") if row["expect"]["phase"] in ("runtime", "any time")]
    verdicts = {row["id"]: error(row) for row in late}
    assert {name: found for name, found in verdicts.items() if found == "rows"} == {}
    assert sum(found.startswith("G6") for found in verdicts.values()) > 40


def error(row: dict[str, Any]) -> str:
    """The code of the fault, or what came instead."""
    parameters = {name: read(text) for name, text in (row["params"] or {}).items()}
    try:
        run(row["query"], parameters)
    except (Unknown, graphir.SyntaxFault, graphir.SemanticFault):
        return "unknown"
    except graphir.RunFault as fault:
        return fault.diagnostics[0].code
    return "rows"


def test_evaluator() -> None:
    assert run("UNWIND [1, 2, 2, null] AS x RETURN x, count(*) AS c ORDER BY c DESC, x LIMIT 2") == [(2, 2), (1, 1)]
    with pytest.raises(Unknown):
        run("MATCH (n) RETURN n")
