"""Rows as a table of Arrow, as dictionaries, and for people."""

from __future__ import annotations

import io
import json
import sys
from typing import Any

import pyarrow  # type: ignore[import-untyped]
import pytest

import graphir
from graphir.backends.engines.arrow import table
from graphir.backends.engines.results import Result
from graphir.reports.results import cell, document, shown
from graphir.reports.terminal import tabulate
from graphir.values import Date, DateTime, Duration, LocalDateTime, LocalTime, Point, Time

NODE = graphir.Node(1, ("A",), {"x": 1})
DAY, LONG_AGO = Date.parse("2020-01-02"), Date(-(2**40))
NANOS = LocalDateTime(0, 1)


@pytest.mark.parametrize(
    ("values", "type_"),
    [
        ([None, None], "null"),
        ([True, None], "bool"),
        ([1, None, 2**63 - 1], "int64"),
        ([1.5, float("nan")], "double"),
        ([1, 1.5], "double"),
        ([2**60, 1.5], "json"),
        (["a", ""], "string"),
        (["a", 1], "json"),
        ([DAY, None], "date32[day]"),
        ([LONG_AGO], "json"),
        ([LocalTime.parse("10:00")], "time64[ns]"),
        ([LocalDateTime.parse("2020-01-02T00:00")], "timestamp[us]"),
        ([NANOS], "json"),
        ([DateTime.parse("2020-01-02T00:00Z")], "timestamp[us, tz=UTC]"),
        ([Duration.parse("P1M2DT3S")], "month_day_nano_interval"),
        ([Time.parse("10:00+01:00")], "struct<nanos: int64, offset: int32>"),
        ([Point(7203, 1.0, 2.0)], "struct<srid: int32, x: double, y: double, z: double>"),
        ([[1, 2], [], None], "list<item: int64>"),
        ([[1, "x"]], "json"),
        ([[[DAY]]], "list<item: list<item: date32[day]>>"),
        ([{"k": 1}], "json"),
        ([NODE], "json"),
    ],
)
def test_types_of_columns(values: list[Any], type_: str) -> None:
    made = table(("c",), [(value,) for value in values])
    field = made.schema.field(0)
    is_json = field.metadata == {b"graphir": b"json"}
    assert ("json" if is_json else str(field.type)) == type_
    assert made.num_rows == len(values)
    assert [value is None for value in made.column(0).to_pylist()] == [value is None for value in values]
    if is_json:
        assert all(json.loads(text) for text in made.column(0).to_pylist())


def test_entities_in_arrow_have_all_of_them() -> None:
    [found] = table(("n",), [(NODE,)]).column(0).to_pylist()
    assert json.loads(found) == {"$node": 1, "labels": ["A"], "properties": {"x": 1}}


def test_result_of_a_session() -> None:
    with graphir.connect("duckdb") as db:
        result = db.run("UNWIND [1, 2] AS x RETURN x, date('2020-01-02') AS d")
    assert result.to_dicts() == [{"x": 1, "d": DAY}, {"x": 2, "d": DAY}]
    assert isinstance(result.to_arrow(), pyarrow.Table)
    assert Result().to_arrow().num_columns == 0


def test_without_pyarrow(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(graphir.UsageFault) as caught:
        Result(("x",), [(1,)]).to_arrow()
    assert "pip install graphir[parquet]" in caught.value.diagnostics[0].message


@pytest.mark.parametrize(
    ("value", "as_cell", "as_shown"),
    [
        (None, "", "null"),
        ("it's", "it's", "it's"),
        (True, "true", "true"),
        (1.0, "1.0", "1.0"),
        (float("nan"), "NaN", "NaN"),
        (DAY, "2020-01-02", "2020-01-02"),
        ([1, "x"], '[1, "x"]', "[1, 'x']"),
        ({"a": DAY}, '{"a": {"$date": "2020-01-02"}}', "{a: '2020-01-02'}"),
        ({"a": "b"}, '{"a": "b"}', "{a: 'b'}"),
        (NODE, '{"$node": 1}', "(:A {x: 1})"),
    ],
)
def test_values_as_text(value: Any, as_cell: str, as_shown: str) -> None:
    assert cell(value) == as_cell
    assert shown(value) == as_shown


def test_table_is_as_wide_as_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "30")
    page = io.StringIO()
    tabulate(page, Result(("name", "n"), [("x" * 50, 1), ("[bold]y", -20)]))
    lines = page.getvalue().splitlines()
    assert max(map(len, lines)) <= 30
    assert "".join(lines).count("x") == 50
    assert any(line.startswith("[bold]y") and line.endswith("-20") for line in lines)


def test_document_is_json() -> None:
    result = Result(("a", "b"), [(1, None), (NODE, "ü")], {"nodes_created": 1})
    assert json.loads(document(result)) == {
        "columns": ["a", "b"],
        "rows": [[1, None], [{"$node": 1}, "ü"]],
        "counters": {"nodes_created": 1},
    }
    assert json.loads(document(Result())) == {"columns": [], "rows": []}
