"""Durations: text, fractions, arithmetic, order, and what lies between two values."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphir
from graphir.values import Date, DateTime, Duration, LocalDateTime, LocalTime, Time, civil
from graphir.values.construction import duration_of
from graphir.values.differences import between, in_days, in_months, in_seconds

counts = st.integers(-(10**9), 10**9)
durations = st.builds(Duration, counts, counts, counts, st.integers(-(10**12), 10**12))
days = st.integers(-(10**8), 10**8)


@settings(deadline=None, max_examples=60)
@given(durations)
def test_texts_are_read_back(value: Duration) -> None:
    assert Duration.parse(str(value)) == value
    assert Duration.parse(f"-{value}") == -value


@settings(deadline=None, max_examples=60)
@given(durations)
def test_nanoseconds_are_never_negative(value: Duration) -> None:
    assert 0 <= value.nanos < civil.NANOS
    assert (-value).clock_nanos == -value.clock_nanos
    assert value + -value == Duration()


@settings(deadline=None, max_examples=60)
@given(durations, durations)
def test_addition_is_by_part(one: Duration, two: Duration) -> None:
    total = one + two
    assert (total.months, total.days) == (one.months + two.months, one.days + two.days)
    assert total.clock_nanos == one.clock_nanos + two.clock_nanos
    assert total - two == one
    assert one * 3 == one + one + one == 3 * one


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Duration(), "PT0S"),
        (Duration(14, 3, -90, 500_000_000), "P1Y2M3DT-1M-29.5S"),
        (Duration(-14), "P-1Y-2M"),
        (Duration(12), "P1Y"),
        (Duration(seconds=3600), "PT1H"),
        (Duration(seconds=-3600), "PT-1H"),
        (Duration(seconds=-61, nanos=-1), "PT-1M-1.000000001S"),
        (Duration(nanos=-1), "PT-0.000000001S"),
        (Duration(seconds=-60, nanos=-1_000_000), "PT-1M-0.001S"),
        (Duration(seconds=1, nanos=-1), "PT0.999999999S"),
        (Duration(days=-1, seconds=1), "P-1DT1S"),
    ],
)
def test_forms_of_values(value: Duration, text: str) -> None:
    assert str(value) == value.long_text() == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("P14DT16H12M", "P14DT16H12M"),
        ("P5M1.5D", "P5M1DT12H"),
        ("P0.75M", "P22DT19H51M49.5S"),
        ("PT0.75M", "PT45S"),
        ("P2.5W", "P17DT12H"),
        ("P1.5Y", "P1Y6M"),
        ("P-1.5Y", "P-1Y-6M"),
        ("-P1.5Y", "P-1Y-6M"),
        ("P1,5D", "P1DT12H"),
        ("p1dt1s", "P1DT1S"),
        ("PT-0.5S", "PT-0.5S"),
        ("PT1.123456789S", "PT1.123456789S"),
        ("P12Y5M14DT16H12M70S", "P12Y5M14DT16H13M10S"),
        ("P2012-02-02T14:37:21.545", "P2012Y2M2DT14H37M21.545S"),
        ("P20120202T143721", "P2012Y2M2DT14H37M21S"),
        ("P2012-02-02", "P2012Y2M2D"),
        ("-P2012-02-02", "P-2012Y-2M-2D"),
    ],
)
def test_forms_of_texts(text: str, shown: str) -> None:
    assert str(Duration.parse(text)) == shown


@pytest.mark.parametrize(
    ("text", "code"),
    [
        *((text, "G640") for text in ("", "P", "PT", "P1DT", "1D", "P1D ", "P1.5D1M", "P1.5DT1H", "P1M1Y", "PT1D")),
        *((text, "G640") for text in ("P1.1234567890D", "P2012-2-2", "--P1D")),
        *((text, "G641") for text in ("P0001-13-02", "P0001-10-32", "P0001-10-02T24:00:00")),
        *((text, "G642") for text in (f"P{2**63}D", f"P{10**18}Y", f"PT{2**63}S")),
    ],
)
def test_texts_that_are_no_durations(text: str, code: str) -> None:
    with pytest.raises(graphir.RunFault) as caught:
        Duration.parse(text)
    assert caught.value.diagnostics[0].code == code


@pytest.mark.parametrize(
    ("parts", "text"),
    [
        ({"years": 12.5, "months": 5.5, "days": 14.5, "hours": 16.5}, "P12Y11M29DT33H44M33S"),
        ({"seconds": -1, "nanoseconds": 1}, "PT-0.999999999S"),
        ({"seconds": 61, "milliseconds": 1.5}, "PT1M1.0015S"),
        ({"months": 0.75}, "P22DT19H51M49.5S"),
        ({"weeks": 1.5}, "P10DT12H"),
        ({"nanoseconds": 1.7}, "PT0.000000001S"),
        ({"months": 70.1, "years": 199, "days": -0.75}, "P204Y10M2DT7H2M54.59999976S"),
        ({"months": 14.25, "nanoseconds": 1, "days": -433}, "P1Y2M-425DT-9H-22M-43.499999996S"),
        ({"Days": 1, "hours": None}, "P1D"),
        ({"years": 0}, "PT0S"),
    ],
)
def test_maps_of_amounts(parts: dict[str, float | None], text: str) -> None:
    assert str(duration_of(parts)) == text


@pytest.mark.parametrize(
    ("parts", "code"),
    [
        ({}, "G648"),
        ({"quarters": 1}, "G648"),
        ({"days": "1"}, "G649"),
        ({"days": True}, "G649"),
        ({"days": float("nan")}, "G642"),
        ({"hours": 2**62}, "G642"),
        ({"hours": 1e300}, "G642"),
        (5, "G649"),
    ],
)
def test_maps_that_are_no_durations(parts: object, code: str) -> None:
    with pytest.raises(graphir.RunFault) as caught:
        duration_of(parts)
    assert caught.value.diagnostics[0].code == code


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (Duration(1) * 0.5, "P15DT5H14M33S"),
        (Duration(1) / 3, "P10DT3H29M42S"),
        (Duration(days=1) / 2, "PT12H"),
        (Duration(1, 1, 1) / -3, "P-10DT-11H-29M-42.333333333S"),
        (Duration(seconds=-1, nanos=-1) / 2, "PT-0.500000001S"),
        (Duration(13) / 12.0, "P1M2DT12H52M25.499999999S"),
    ],
)
def test_products_and_quotients(value: Duration, text: str) -> None:
    assert str(value) == text


@pytest.mark.parametrize(("value", "divisor"), [(Duration(1), 0), (Duration(1), 0.0), (Duration(), 0)])
def test_no_quotient_by_zero(value: Duration, divisor: float) -> None:
    with pytest.raises(graphir.RunFault, match="G642"):
        value / divisor


@pytest.mark.parametrize(
    ("value", "factor"), [(Duration(1), float("inf")), (Duration(1), 10**18), (Duration(days=1), 1e300)]
)
def test_no_endless_product(value: Duration, factor: float) -> None:
    with pytest.raises(graphir.RunFault, match="G642"):
        value * factor


def test_order_is_by_average_length() -> None:
    texts = ["PT24H", "P1D", "P30D", "PT730H", "P1M", "P31D"]
    assert [str(value) for value in sorted(map(Duration.parse, reversed(texts)), key=lambda value: value.key)] == [
        *("PT24H", "P1D", "P30D", "PT730H", "P1M", "P31D")
    ]


def test_equality_is_of_every_part() -> None:
    assert Duration(days=1) != Duration(seconds=86400)
    assert len({Duration(12), Duration.parse("P1Y"), Duration(days=365)}) == 2


def test_standard_library() -> None:
    assert Duration(0, 1, 2, 3000).to_standard() == datetime.timedelta(1, 2, 3)
    with pytest.raises(ValueError, match="months"):
        Duration(1).to_standard()


@settings(deadline=None, max_examples=60)
@given(days, days)
def test_the_difference_leads_from_one_date_to_the_other(one: int, two: int) -> None:
    start, end = Date(one), Date(two)
    assert start + between(start, end) == end
    assert in_days(start, end) == Duration(days=two - one)
    assert in_seconds(start, end) == Duration(seconds=(two - one) * civil.DAY_SECONDS)
    months = in_months(start, end).months
    assert abs((start + Duration(months)).days - two) <= 31
    assert between(start, start) == Duration()


@settings(deadline=None, max_examples=60)
@given(
    st.integers(-(10**10), 10**10),
    st.integers(-(10**10), 10**10),
    st.sampled_from(("Europe/Stockholm", "Asia/Kolkata")),
)
def test_the_difference_leads_from_one_datetime_to_the_other(one: int, two: int, zone: str) -> None:
    start, end = DateTime.at(one, 0, None, zone), DateTime.at(two, 0, 7200, None)
    reached = start + between(start, end)
    assert (reached.second, reached.nano) == (end.second, end.nano)
    assert in_seconds(start, end) == Duration(seconds=two - one)


STOCKHOLM = DateTime.parse("2017-10-29T00:00[Europe/Stockholm]")


@pytest.mark.parametrize(
    ("start", "end", "text"),
    [
        (Date.of(1984, 10, 11), Date.of(2015, 6, 24), "P30Y8M13D"),
        (Date.of(1984, 10, 11), LocalDateTime.parse("2016-07-21T21:45:22.142"), "P31Y9M10DT21H45M22.142S"),
        (Date.of(1984, 10, 11), LocalTime.of(16, 30), "PT16H30M"),
        (LocalTime.of(14, 30), Date.of(2015, 6, 24), "PT-14H-30M"),
        (DateTime.parse("2014-07-21T21:40:36.143+0200"), Time.parse("16:30+0100"), "PT-4H-10M-36.143S"),
        (LocalTime.of(14, 30), Time.parse("16:30+0100"), "PT2H"),
        (Time.parse("14:30Z"), Time.parse("16:30+0100"), "PT1H"),
        (STOCKHOLM, LocalDateTime.parse("2017-10-29T04:00"), "PT5H"),
        (STOCKHOLM, LocalTime.of(4), "PT5H"),
        (LocalTime.of(0), DateTime.parse("2017-10-29T04:00[Europe/Stockholm]"), "PT5H"),
        (Date.of(2017, 10, 29), DateTime.parse("2017-10-29T04:00[Europe/Stockholm]"), "PT5H"),
        (DateTime.parse("2020-01-31T12:00Z"), DateTime.parse("2020-03-01T12:00+05:00"), "P29DT19H"),
        (LocalDateTime.parse("2019-03-31T01:00"), LocalDateTime.parse("2019-07-01T00:30"), "P2M30DT23H30M"),
        (LocalDateTime.parse("2019-01-31T10:00"), Date.of(2019, 3, 1), "P28DT14H"),
        (Date.parse("-999999999-01-01"), Date.parse("+999999999-12-31"), "P1999999998Y11M30D"),
    ],
)
def test_differences(start: object, end: object, text: str) -> None:
    assert str(between(start, end)) == text


def test_times_have_no_days_between_them() -> None:
    for function in (in_days, in_months):
        with pytest.raises(graphir.RunFault, match="G649"):
            function(LocalTime(0), LocalTime(1))
    with pytest.raises(graphir.RunFault, match="G649"):
        between(Date(0), 5)
    assert str(in_days(DateTime.parse("2000-03-01T00:00[Asia/Kolkata]"), Time.parse("20Z"))) == "P1D"
