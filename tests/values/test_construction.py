"""Constructors from maps, other values and the clock; truncation; components."""

from __future__ import annotations

from typing import Any

import pytest

import graphir
from graphir.values import Date, DateTime, Duration, LocalDateTime, LocalTime, Point, Time
from graphir.values.clocks import Clock, current_clock, use_clock
from graphir.values.components import COMPONENTS, component
from graphir.values.temporal_functions import CLOCKED, FUNCTIONS, table

NOON = Clock.fixed("2024-02-29T12:30:45.123456789Z")
OTHER = DateTime.parse("1984-11-11T12:31:14.645876123[Europe/Stockholm]")


def call(name: str, *arguments: Any) -> str:
    with use_clock(NOON):
        return str(FUNCTIONS[name](*arguments))


@pytest.mark.parametrize(
    ("kind", "parts", "text"),
    [
        ("date", {"year": 1984}, "1984-01-01"),
        ("date", {"year": 1984, "month": 10, "day": 11}, "1984-10-11"),
        ("date", {"year": 1984, "week": 10, "dayOfWeek": 3}, "1984-03-07"),
        ("date", {"year": 1984, "week": 10, "weekday": 3}, "1984-03-07"),
        ("date", {"year": 2021, "week": 53}, "2022-01-03"),
        ("date", {"year": 1984, "quarter": 3, "dayOfQuarter": 45}, "1984-08-14"),
        ("date", {"year": 2020, "quarter": 2, "dayOfQuarter": 92}, "2020-07-01"),
        ("date", {"year": 1984, "ordinalDay": 202}, "1984-07-20"),
        ("date", {"YEAR": 1984, "month": None}, "1984-01-01"),
        ("date", {"date": OTHER, "year": 28}, "0028-11-11"),
        ("date", {"date": OTHER, "day": 28}, "1984-11-28"),
        ("date", {"date": OTHER, "week": 1}, "1984-01-08"),
        ("date", {"date": OTHER, "quarter": 3}, "1984-08-11"),
        ("date", {"date": Date.of(2021, 12, 31), "quarter": 2}, "2021-06-30"),
        ("date", {"date": OTHER, "dayOfQuarter": 1}, "1984-10-01"),
        ("date", {"date": OTHER, "ordinalDay": 28}, "1984-01-28"),
        ("date", {"date": OTHER, "dayOfWeek": 1}, "1984-11-05"),
        ("localtime", {"hour": 12}, "12:00"),
        (
            "localtime",
            {"hour": 1, "minute": 2, "second": 3, "millisecond": 4, "microsecond": 5, "nanosecond": 6},
            "01:02:03.004005006",
        ),
        ("localtime", {"time": OTHER, "second": 42}, "12:31:42.645876123"),
        ("localtime", {"time": OTHER, "nanosecond": 5}, "12:31:14.000000005"),
        ("time", {"hour": 12}, "12:00Z"),
        ("time", {"hour": 12, "timezone": "-02:05:07"}, "12:00-02:05:07"),
        ("time", {"hour": 12, "timezone": "Europe/Stockholm"}, "12:00+01:00"),
        ("time", {"time": OTHER}, "12:31:14.645876123+01:00"),
        ("time", {"time": OTHER, "second": 42, "timezone": "+05:00"}, "16:31:42.645876123+05:00"),
        ("localdatetime", {"year": 2020}, "2020-01-01T00:00"),
        ("localdatetime", {"date": OTHER, "time": LocalTime.of(4)}, "1984-11-11T04:00"),
        ("localdatetime", {"datetime": OTHER, "day": 1, "hour": 3}, "1984-11-01T03:31:14.645876123"),
        ("datetime", {"year": 2020, "timezone": "europe/stockholm"}, "2020-01-01T00:00+01:00[Europe/Stockholm]"),
        ("datetime", {"datetime": OTHER, "month": 7}, "1984-07-11T12:31:14.645876123+02:00[Europe/Stockholm]"),
        ("datetime", {"datetime": OTHER, "timezone": "+05:00"}, "1984-11-11T16:31:14.645876123+05:00"),
        ("datetime", {"datetime": LocalDateTime(0), "timezone": "+05:00"}, "1970-01-01T00:00+05:00"),
        ("datetime", {"date": OTHER, "hour": 1}, "1984-11-11T01:00Z"),
        (
            "datetime",
            {"date": Date.of(2020, 7, 1), "time": Time.parse("23:00+01:00"), "timezone": "+05:00"},
            "2020-07-02T03:00+05:00",
        ),
        ("datetime", {"epochSeconds": 1, "nanosecond": 5}, "1970-01-01T00:00:01.000000005Z"),
        ("datetime", {"epochMillis": -1}, "1969-12-31T23:59:59.999Z"),
        ("datetime", {"epochSeconds": 1, "timezone": "+01:00"}, "1970-01-01T01:00:01+01:00"),
    ],
)
def test_maps(kind: str, parts: dict[str, Any], text: str) -> None:
    assert call(kind, parts) == text


@pytest.mark.parametrize(
    ("kind", "parts", "code"),
    [
        ("date", {}, "G648"),
        ("date", {"month": 3}, "G648"),
        ("date", {"year": 2020, "day": 3}, "G648"),
        ("date", {"year": 2020, "dayOfWeek": 3}, "G648"),
        ("date", {"year": 2020, "month": 3, "week": 3}, "G648"),
        ("date", {"year": 2020, "hour": 1}, "G648"),
        ("date", {"year": 2020, "timezone": "Z"}, "G648"),
        ("date", {"year": 2020, "foo": 1}, "G648"),
        ("date", {"year": 2020, "Year": 2021}, "G648"),
        ("date", {"year": "2020"}, "G649"),
        ("date", {"year": 2020.0}, "G649"),
        ("date", {"year": True}, "G649"),
        ("date", {"date": LocalTime(0)}, "G649"),
        ("date", {"date": "2020-01-01"}, "G649"),
        ("date", {"year": 2020, "month": 13}, "G641"),
        ("date", {"year": 10**9}, "G641"),
        ("date", {"date": Date.of(2020, 1, 31), "month": 2}, "G641"),
        ("date", {"date": Date.of(2020, 2, 29), "year": 2021}, "G641"),
        ("date", {"year": 2021, "ordinalDay": 366}, "G641"),
        ("localtime", {"minute": 12}, "G648"),
        ("localtime", {"hour": 12, "second": 3}, "G648"),
        ("localtime", {"hour": 12, "minute": 3, "nanosecond": 1}, "G648"),
        ("localtime", {"hour": 24}, "G641"),
        ("localtime", {"hour": 1, "minute": 1, "second": 1, "millisecond": 1, "microsecond": 1000}, "G641"),
        ("localtime", {"time": Date(0)}, "G649"),
        ("localdatetime", {"year": 2020, "hour": 1}, "G648"),
        ("localdatetime", {"year": 2020, "week": 1, "hour": 1}, "G648"),
        ("localdatetime", {"year": 2020, "timezone": "Z"}, "G648"),
        ("datetime", {"hour": 1}, "G648"),
        ("datetime", {"date": OTHER, "datetime": OTHER}, "G648"),
        ("datetime", {"epochMillis": 1, "epochSeconds": 1}, "G648"),
        ("datetime", {"year": 2020, "timezone": 1}, "G649"),
        ("datetime", {"year": 2020, "timezone": "+1"}, "G644"),
        ("date", 5, "G649"),
        ("date", LocalTime(0), "G649"),
        ("datetime", Date(0), "G649"),
    ],
)
def test_maps_that_make_nothing(kind: str, parts: Any, code: str) -> None:
    with pytest.raises(graphir.RunFault) as caught:
        call(kind, parts)
    assert caught.value.diagnostics[0].code == code


@pytest.mark.parametrize(
    ("kind", "value", "text"),
    [
        ("date", OTHER, "1984-11-11"),
        ("localtime", OTHER, "12:31:14.645876123"),
        ("time", OTHER, "12:31:14.645876123+01:00"),
        ("time", LocalTime.of(12), "12:00Z"),
        ("localdatetime", OTHER, "1984-11-11T12:31:14.645876123"),
        ("datetime", LocalDateTime(0), "1970-01-01T00:00Z"),
        ("date", None, "None"),
    ],
)
def test_other_values(kind: str, value: Any, text: str) -> None:
    assert call(kind, value) == text


@pytest.mark.parametrize(
    ("name", "arguments", "text"),
    [
        ("date", (), "2024-02-29"),
        ("localtime", (), "12:30:45.123456789"),
        ("time", (), "12:30:45.123456789Z"),
        ("localdatetime", (), "2024-02-29T12:30:45.123456789"),
        ("datetime", (), "2024-02-29T12:30:45.123456789Z"),
        ("datetime", ({"timezone": "Europe/Stockholm"},), "2024-02-29T13:30:45.123456789+01:00[Europe/Stockholm]"),
        ("date", ({"timezone": "+14:00"},), "2024-03-01"),
        ("datetime.transaction", ("+01:00",), "2024-02-29T13:30:45.123456789+01:00"),
        ("localtime.realtime", ("Europe/Stockholm",), "13:30:45.123456789"),
        ("date.statement", (None,), "None"),
        ("timestamp", (), "1709209845123"),
        ("date.truncate", ("year",), "2024-01-01"),
        ("datetime.fromepoch", (416779, 999999999), "1970-01-05T19:46:19.999999999Z"),
        ("datetime.fromepochmillis", (237821673987,), "1977-07-15T13:34:33.987Z"),
        ("datetime.fromepoch", (None, 0), "None"),
        ("duration.between", (None, Date(0)), "None"),
    ],
)
def test_clock_and_epoch(name: str, arguments: tuple[Any, ...], text: str) -> None:
    assert call(name, *arguments) == text


def test_a_session_has_a_clock_of_its_own() -> None:
    functions = table(lambda: NOON)
    assert str(functions["date"]()) == "2024-02-29"
    assert all(functions[name]() is not None for name in CLOCKED)
    moving = Clock.now("Europe/Stockholm")
    assert moving.nanos("realtime") >= moving.statement
    assert moving.read().zone == "Europe/Stockholm"
    assert current_clock() != NOON


@pytest.mark.parametrize(
    ("name", "arguments", "text"),
    [
        ("date.truncate", ("millennium", OTHER), "1000-01-01"),
        ("date.truncate", ("century", OTHER), "1900-01-01"),
        ("date.truncate", ("decade", OTHER), "1980-01-01"),
        ("date.truncate", ("weekYear", Date.of(2021, 1, 1)), "2019-12-30"),
        ("date.truncate", ("century", Date.parse("-0101-02-01")), "-0100-01-01"),
        ("date.truncate", ("quarter", OTHER, {"dayOfQuarter": 5}), "1984-10-05"),
        ("date.truncate", ("week", OTHER, {"dayOfWeek": 2}), "1984-11-06"),
        ("date.truncate", ("day", OTHER, None), "1984-11-11"),
        ("date.truncate", ("day", None), "None"),
        ("localdatetime.truncate", ("hour", OTHER), "1984-11-11T12:00"),
        ("localdatetime.truncate", ("millisecond", OTHER, {"nanosecond": 2}), "1984-11-11T12:31:14.645000002"),
        ("localdatetime.truncate", ("microsecond", OTHER, {"nanosecond": 2}), "1984-11-11T12:31:14.645876002"),
        ("localdatetime.truncate", ("second", OTHER, {"nanosecond": 2}), "1984-11-11T12:31:14.000000002"),
        ("datetime.truncate", ("month", OTHER), "1984-11-01T00:00+01:00[Europe/Stockholm]"),
        ("datetime.truncate", ("month", OTHER, {"month": 7}), "1984-07-01T00:00+02:00[Europe/Stockholm]"),
        ("datetime.truncate", ("hour", OTHER, {"timezone": "+05:00"}), "1984-11-11T12:00+05:00"),
        ("datetime.truncate", ("day", Date(0)), "1970-01-01T00:00Z"),
        ("localtime.truncate", ("day", OTHER), "00:00"),
        ("time.truncate", ("hour", OTHER), "12:00+01:00"),
        ("time.truncate", ("minute", LocalTime.of(12, 13, 14), {"timezone": "Europe/Stockholm"}), "12:13+01:00"),
    ],
)
def test_truncation(name: str, arguments: tuple[Any, ...], text: str) -> None:
    assert call(name, *arguments) == text


@pytest.mark.parametrize(
    ("name", "arguments", "code"),
    [
        ("date.truncate", ("foo", OTHER), "G645"),
        ("date.truncate", ("YEAR", OTHER), "G645"),
        ("date.truncate", ("hour", OTHER), "G645"),
        ("localdatetime.truncate", ("hour", Date(0)), "G645"),
        ("localtime.truncate", ("month", OTHER), "G645"),
        ("date.truncate", ("day", LocalTime(0)), "G649"),
        ("localtime.truncate", ("hour", Date(0)), "G649"),
        ("date.truncate", (5, OTHER), "G649"),
        ("date.truncate", ("day", OTHER, 5), "G649"),
        ("date.truncate", ("year", OTHER, {"hour": 5}), "G648"),
    ],
)
def test_units_that_do_not_fit(name: str, arguments: tuple[Any, ...], code: str) -> None:
    with pytest.raises(graphir.RunFault) as caught:
        call(name, *arguments)
    assert caught.value.diagnostics[0].code == code


COMPONENTS_OF_OTHER = {
    "year": 1984,
    "quarter": 4,
    "month": 11,
    "week": 45,
    "weekYear": 1984,
    "dayOfQuarter": 42,
    "quarterDay": 42,
    "day": 11,
    "ordinalDay": 316,
    "weekDay": 7,
    "dayOfWeek": 7,
    "hour": 12,
    "minute": 31,
    "second": 14,
    "millisecond": 645,
    "microsecond": 645876,
    "nanosecond": 645876123,
    "timezone": "Europe/Stockholm",
    "offset": "+01:00",
    "offsetMinutes": 60,
    "offsetSeconds": 3600,
    "epochSeconds": 469020674,
    "epochMillis": 469020674645,
}
OF_DURATION = {
    "years": -1,
    "quarters": -5,
    "months": -16,
    "weeks": -1,
    "days": -10,
    "hours": -1,
    "minutes": -61,
    "seconds": -3662,
    "milliseconds": -3661112,
    "microseconds": -3661111112,
    "nanoseconds": -3661111111111,
    "quartersOfYear": -1,
    "monthsOfQuarter": -1,
    "monthsOfYear": -4,
    "daysOfWeek": -3,
    "minutesOfHour": -1,
    "secondsOfMinute": -2,
    "millisecondsOfSecond": 888,
    "microsecondsOfSecond": 888888,
    "nanosecondsOfSecond": 888888889,
}
VALUES: list[Any] = [
    *(Date(OTHER.days), LocalTime(OTHER.nanos), Time.of_local(OTHER.nanos, OTHER.offset), OTHER.local, OTHER),
    *(Duration(-16, -10, -3661, -111111111), Point(4979, 1.0, 2.0, 3.0)),
]


def test_components_of_temporal_values() -> None:
    assert {key: component(OTHER, key) for key in COMPONENTS_OF_OTHER} == COMPONENTS_OF_OTHER
    assert {key: component(VALUES[5], key) for key in OF_DURATION} == OF_DURATION
    assert set(COMPONENTS[DateTime]) == set(COMPONENTS_OF_OTHER)
    assert set(COMPONENTS[Duration]) == set(OF_DURATION)
    for value in VALUES[:4]:
        for key in COMPONENTS[type(value)]:
            expected = "+01:00" if key == "timezone" else COMPONENTS_OF_OTHER[key]
            assert component(value, key) == expected
            assert component(value, key.upper()) == expected


@pytest.mark.parametrize("value", VALUES)
def test_what_is_no_component(value: Any) -> None:
    missing = {key for table in COMPONENTS.values() for key in table} - set(COMPONENTS[type(value)])
    for key in {*missing, "foo", ""}:
        with pytest.raises(graphir.RunFault, match="G643"):
            component(value, key)


def test_components_of_points() -> None:
    assert [component(VALUES[6], key) for key in ("x", "longitude", "y", "latitude", "z", "height")] == [
        1,
        1,
        2,
        2,
        3,
        3,
    ]
    flat = Point(7203, 1.0, 2.0)
    assert [component(flat, key) for key in ("X", "y", "crs", "srid")] == [1, 2, "cartesian", 7203]
    for key in ("z", "height", "latitude", "longitude"):
        with pytest.raises(graphir.RunFault, match="G643"):
            component(flat, key)


@pytest.mark.parametrize(
    ("kind", "parts", "text"),
    [
        ("date", {"year": None}, "0000-01-01"),
        ("date", {"year": 2000, "month": None, "day": 3}, "2000-01-03"),
        ("date", {"year": 2000, "week": None}, "2000-01-03"),
        ("date", {"date": Date.of(1999, 5, 6), "year": None, "day": 3}, "0000-05-03"),
        ("localtime", {"hour": 5, "minute": None, "second": 3}, "05:00:03"),
    ],
)
def test_null_is_the_least_value_of_a_component(kind: str, parts: Any, text: str) -> None:
    assert str(call(kind, parts)) == text


@pytest.mark.parametrize("parts", [{"datetime": None, "year": 2000}, {"year": 2000, "timezone": None}])
def test_a_base_and_a_timezone_are_not_null(parts: Any) -> None:
    with pytest.raises(graphir.RunFault) as caught:
        call("datetime", parts)
    assert caught.value.diagnostics[0].code == "G649"
