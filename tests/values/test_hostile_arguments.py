"""Whatever temporal and spatial functions are given, they answer with a value or a fault; values have all forms."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphir
from graphir.values import Date, DateTime, Duration, Edge, LocalDateTime, LocalTime, Node, Point, Time
from graphir.values.conversions import from_standard
from graphir.values.json import from_json, to_json
from graphir.values.temporal_functions import FUNCTIONS
from graphir.values.text import text

KEYS = (
    *("year", "month", "day", "week", "dayOfWeek", "quarter", "dayOfQuarter", "ordinalDay", "hour", "minute", "second"),
    *(
        "millisecond",
        "nanosecond",
        "timezone",
        "date",
        "time",
        "datetime",
        "epochSeconds",
        "epochMillis",
        "x",
        "y",
        "z",
    ),
    *("longitude", "latitude", "crs", "srid", "months", "days", "seconds", "nanoseconds", "$date", "foo", ""),
)
WORDS = (
    "",
    "2020-01-01",
    "12:00",
    "2020-01-01T12:00",
    "P1D",
    "Europe/Stockholm",
    "+01:00",
    "day",
    "year",
    "hour",
    "yyyy",
)
ATOMS: tuple[Any, ...] = (
    *(None, True, 0, 1, -1, 12, 31, 2020, 2**31, 2**63 - 1, -(2**63), 0.0, 1.5, float("nan"), float("inf"), 1e308),
    *(*WORDS, "wgs-84", "\ud800", Date(0), Date.of(999_999_999, 12, 31), Date.of(-999_999_999), LocalTime(0)),
    *(Time(-3_600_000_000_000, 3600), LocalDateTime(0, 1), LocalDateTime.parse("+999999999-12-31T23:59")),
    *(DateTime(0, 0, 3600), DateTime.at(0, 0, None, "Europe/Paris"), DateTime.parse("+999999999-12-31T23:59-18:00")),
    *(DateTime.parse("-999999999-01-01T00:00[Europe/Paris]"), Duration(1, 2, 3, 4), Duration(-(10**12))),
    *(Duration(seconds=2**62), Point(4326, 1.0, 2.0), Point(9157, 1.0, 2.0, 3.0), Node(1), Edge(1, "T", 1, 2)),
)
atoms = st.sampled_from(ATOMS)
values = st.one_of(
    *(atoms, atoms, st.lists(atoms, max_size=3)),
    *[st.dictionaries(st.sampled_from(KEYS), atoms, max_size=4)] * 2,
)
ARGUMENTS = {
    **dict.fromkeys(("duration.between", "duration.inDays", "duration.inMonths", "duration.inSeconds"), (2,)),
    **{"point": (1,), "point.distance": (2,), "point.withinBBox": (3,), "datetime.fromepoch": (2,), "timestamp": (0,)},
    **{"datetime.fromepochmillis": (1,), "duration": (1, 2), "format": (1, 2)},
}


def counts(name: str) -> tuple[int, ...]:
    return ARGUMENTS.get(name) or ((1, 2, 3) if name.endswith("truncate") else (0, 1) if "." in name else (0, 1, 2))


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
@settings(deadline=None, max_examples=60)
@given(data=st.data())
def test_functions_answer(name: str, data: st.DataObject) -> None:
    count = data.draw(st.sampled_from(counts(name)))
    arguments = data.draw(st.tuples(*[values] * count))
    try:
        value = FUNCTIONS[name](*arguments)
    except graphir.RunFault as fault:
        code = fault.diagnostics[0].code
    else:
        assert from_json(to_json(value)) == value
        code = "" if text(value) else "no text"
    assert code == "" or code in {"G633", *(f"G{number}" for number in range(640, 650))}


@settings(deadline=None, max_examples=200)
@given(values)
def test_documents_and_parameters_answer(value: Any) -> None:
    for read in (from_json, from_standard):
        try:
            made = read(value)
        except graphir.RunFault as fault:
            made = fault.diagnostics[0].code
        assert made is None or made is not Ellipsis
