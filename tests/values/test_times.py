"""Times of day, local datetimes and datetimes: text, zones, arithmetic across changes of the clock."""

from __future__ import annotations

import datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphir
from graphir.values import DateTime, Duration, LocalDateTime, LocalTime, Time, civil
from graphir.values.zones import canonical_zone, offset_at, offset_of_local, offset_text, parse_offset, parse_zone

nanos = st.integers(0, civil.DAY_NANOS - 1)
offsets = st.integers(-18 * 3600, 18 * 3600)
seconds = st.integers((civil.MIN_DAY + 10**6) * civil.DAY_SECONDS, (civil.MAX_DAY - 10**6) * civil.DAY_SECONDS)
fractions = st.integers(0, civil.NANOS - 1)
zones = st.sampled_from(
    (
        "Europe/Stockholm",
        "America/New_York",
        "Australia/Lord_Howe",
        "Pacific/Apia",
        "Africa/Monrovia",
        "UTC",
        "Asia/Kolkata",
    )
)
moments = st.one_of(
    st.builds(DateTime, seconds, fractions, offsets),
    st.builds(lambda second, nano, zone: DateTime.at(second, nano, None, zone), seconds, fractions, zones),
)
near = st.integers(-5_000_000_000, 4_000_000_000)
"""Seconds from 1811 to 2096, where the zones have their history."""


@settings(deadline=None, max_examples=60)
@given(nanos, offsets)
def test_texts_of_times_are_read_back(nano: int, offset: int) -> None:
    assert LocalTime.parse(str(LocalTime(nano))) == LocalTime(nano)
    assert LocalTime.parse(LocalTime(nano).long_text()) == LocalTime(nano)
    time = Time.of_local(nano, offset)
    assert Time.parse(str(time)) == Time.parse(time.long_text()) == time
    assert time.nanos == nano


@settings(deadline=None, max_examples=60)
@given(seconds, fractions)
def test_texts_of_local_datetimes_are_read_back(second: int, nano: int) -> None:
    value = LocalDateTime(second, nano)
    assert LocalDateTime.parse(str(value)) == LocalDateTime.parse(value.long_text()) == value
    assert LocalDateTime.of_parts(value.days, value.nanos) == value


@settings(deadline=None, max_examples=60)
@given(moments)
def test_texts_of_datetimes_are_read_back(value: DateTime) -> None:
    assert DateTime.parse(str(value)) == DateTime.parse(value.long_text()) == value


@settings(deadline=None, max_examples=60)
@given(near, zones)
def test_offsets_are_those_of_the_rules(second: int, zone: str) -> None:
    moment = DateTime.at(second, 0, None, zone)
    standard = moment.to_standard()
    assert standard.astimezone(datetime.UTC) == datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC) + datetime.timedelta(
        seconds=second
    )
    assert DateTime.of_local(second + moment.offset, 0, moment.offset, zone) == moment


@settings(deadline=None, max_examples=60)
@given(seconds, zones)
def test_far_years_follow_the_cycle(second: int, zone: str) -> None:
    offset = offset_at(zone, second)
    assert -18 * 3600 <= offset <= 18 * 3600
    cycle = civil.CYCLE_DAYS * civil.DAY_SECONDS
    if second > 4_000_000_000:
        assert offset_at(zone, second + cycle) == offset


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("21:40:32.142", "21:40:32.142"),
        ("214032.142", "21:40:32.142"),
        ("21:40:32,5", "21:40:32.5"),
        ("21:40", "21:40"),
        ("2140", "21:40"),
        ("21", "21:00"),
        ("1:1:1", "01:01:01"),
        ("T21:40", "21:40"),
        ("21:40:00.000000001", "21:40:00.000000001"),
    ],
)
def test_forms_of_times(text: str, shown: str) -> None:
    assert str(LocalTime.parse(text)) == shown
    assert str(Time.parse(text)) == shown + "Z"
    assert str(LocalDateTime.parse(f"2015-07-21T{text.removeprefix('T')}")) == f"2015-07-21T{shown}"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        *((text, "G640") for text in ("", "123", "12:00:00.", "12:00:00.1234567890", "12.5", "12:00Z", "12:00 ", "x")),
        *((text, "G641") for text in ("24:00", "12:60", "12:00:60")),
    ],
)
def test_texts_that_are_no_times(text: str, code: str) -> None:
    with pytest.raises(graphir.RunFault) as caught:
        LocalTime.parse(text)
    assert caught.value.diagnostics[0].code == code


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("2015-07-21T21:40:32.142+0100", "2015-07-21T21:40:32.142+01:00"),
        ("2015-W30-2T214032.142Z", "2015-07-21T21:40:32.142Z"),
        ("20150721T21:40-01:30", "2015-07-21T21:40-01:30"),
        ("2015-202T21-18:00", "2015-07-21T21:00-18:00"),
        ("2015-07-21T21:40:32+02:05:59", "2015-07-21T21:40:32+02:05:59"),
        ("2015-07-21", "2015-07-21T00:00Z"),
        ("2015", "2015-01-01T00:00Z"),
        ("2015-07-21T21:40[Z]", "2015-07-21T21:40Z"),
        ("2015-07-21t21:40z", "2015-07-21T21:40Z"),
        ("2015-07-21T21:40:32.142[Europe/London]", "2015-07-21T21:40:32.142+01:00[Europe/London]"),
        ("2015-07-21T21:40[europe/london]", "2015-07-21T21:40+01:00[Europe/London]"),
        ("1818-07-21T21:40:32.142[Europe/Stockholm]", "1818-07-21T21:40:32.142+00:53:28[Europe/Stockholm]"),
        ("2020-10-25T02:30[Europe/Stockholm]", "2020-10-25T02:30+02:00[Europe/Stockholm]"),
        ("2020-10-25T02:30+01:00[Europe/Stockholm]", "2020-10-25T02:30+01:00[Europe/Stockholm]"),
        ("2020-03-29T02:30[Europe/Stockholm]", "2020-03-29T03:30+02:00[Europe/Stockholm]"),
        ("+12020-07-01T00:00[Europe/Stockholm]", "+12020-07-01T00:00+02:00[Europe/Stockholm]"),
        ("-12020-07-01T00:00[Europe/Stockholm]", "-12020-07-01T00:00+00:53:28[Europe/Stockholm]"),
    ],
)
def test_forms_of_datetimes(text: str, shown: str) -> None:
    assert str(DateTime.parse(text)) == shown


@pytest.mark.parametrize(
    ("text", "code"),
    [
        *((text, "G640") for text in ("2015-07-21T", "2015-07-21 21:40", "2015-07-21+01:00", "2015-07-21T21:40+1")),
        *((text, "G640") for text in ("2015-07-21T21:40 +01:00", "2015-07-21T21:40[]", "2015-07-21T21:40[+01:00]")),
        *((f"2015-07-21T21:40{zone}", "G644") for zone in ("[Europe/Nowhere]", "[../../etc/passwd]", "[EST]")),
        *((f"2015-07-21T21:40{zone}", "G644") for zone in ("+19:00", "-18:01", "+01:60", "+03:00[Europe/Stockholm]")),
        ("2020-03-29T02:30+01:00[Europe/Stockholm]", "G644"),
    ],
)
def test_texts_that_are_no_datetimes(text: str, code: str) -> None:
    with pytest.raises(graphir.RunFault) as caught:
        DateTime.parse(text)
    assert caught.value.diagnostics[0].code == code


def test_a_time_takes_no_named_zone() -> None:
    with pytest.raises(graphir.RunFault, match="G640"):
        Time.parse("12:00[Europe/Stockholm]")


@pytest.mark.parametrize(
    ("start", "duration", "end"),
    [
        ("2020-03-28T02:30[Europe/Stockholm]", Duration(days=1), "2020-03-29T03:30+02:00[Europe/Stockholm]"),
        ("2020-03-28T02:30[Europe/Stockholm]", Duration(seconds=86400), "2020-03-29T03:30+02:00[Europe/Stockholm]"),
        ("2020-10-24T02:30[Europe/Stockholm]", Duration(days=1), "2020-10-25T02:30+02:00[Europe/Stockholm]"),
        (
            "2020-10-24T02:30[Europe/Stockholm]",
            Duration(days=1, seconds=3600),
            "2020-10-25T02:30+01:00[Europe/Stockholm]",
        ),
        ("2020-10-24T12:00[Europe/Stockholm]", Duration(days=1), "2020-10-25T12:00+01:00[Europe/Stockholm]"),
        ("2020-10-24T12:00[Europe/Stockholm]", Duration(seconds=86400), "2020-10-25T11:00+01:00[Europe/Stockholm]"),
        ("2020-10-25T02:30+01:00[Europe/Stockholm]", Duration(12), "2021-10-25T02:30+02:00[Europe/Stockholm]"),
        ("2020-01-31T12:00+05:00", Duration(months=1, days=1), "2020-03-01T12:00+05:00"),
        ("2020-01-01T00:00Z", Duration(nanos=-1), "2019-12-31T23:59:59.999999999Z"),
    ],
)
def test_days_are_of_the_calendar_and_seconds_of_the_time_line(start: str, duration: Duration, end: str) -> None:
    assert str(DateTime.parse(start) + duration) == end


@settings(deadline=None, max_examples=60)
@given(moments, st.integers(-(10**10), 10**10), st.integers(-(10**10), 10**10))
def test_seconds_are_added_to_the_instant(value: DateTime, more: int, nano: int) -> None:
    duration = Duration(seconds=more, nanos=nano)
    moved = value + duration
    assert moved.second * civil.NANOS + moved.nano == value.second * civil.NANOS + value.nano + duration.clock_nanos
    assert moved.zone == value.zone
    assert moved - duration == value


@settings(deadline=None, max_examples=60)
@given(nanos, offsets, st.integers(-(10**12), 10**12), st.integers(-100, 100))
def test_clocks_go_round(nano: int, offset: int, more: int, days: int) -> None:
    duration = Duration(days=days, seconds=more)
    moved = Time.of_local(nano, offset) + duration
    assert moved.offset == offset
    assert moved.nanos == (LocalTime(nano) + duration).nanos == (nano + more * civil.NANOS) % civil.DAY_NANOS


def test_equality_is_of_instant_and_zone_order_of_the_instant_first() -> None:
    texts = (
        "2020-01-01T12:00+01:00",
        "2020-01-01T11:00Z",
        "2020-01-01T12:00[Europe/Stockholm]",
        "2020-01-01T13:00+02:00",
    )
    values = [DateTime.parse(text) for text in texts]
    assert len(set(values)) == 4
    assert [str(value) for value in sorted(values)] == [
        "2020-01-01T11:00Z",
        "2020-01-01T12:00+01:00",
        "2020-01-01T12:00+01:00[Europe/Stockholm]",
        "2020-01-01T13:00+02:00",
    ]
    assert DateTime.parse("2020-01-01T12:00+02:00") < values[0]
    assert Time.parse("12:00+01:00") > Time.parse("11:00Z") > Time.parse("11:30+01:00")
    assert Time.parse("12:00+01:00") != Time.parse("11:00Z")


@settings(deadline=None, max_examples=60)
@given(offsets)
def test_offsets_are_read_back(offset: int) -> None:
    assert parse_offset(offset_text(offset)) == offset
    assert parse_zone(offset_text(offset)) == (offset, None)


@pytest.mark.parametrize(
    ("text", "offset"), [("+0130", 5400), ("-01", -3600), ("+010203", 3723), ("z", 0), ("x", None)]
)
def test_compact_offsets(text: str, offset: int) -> None:
    assert parse_offset(text) == offset


def test_zones_have_one_spelling() -> None:
    assert canonical_zone("EUROPE/paris") == "Europe/Paris"
    assert parse_zone("utc") == (None, "UTC")
    for wrong in ("+01", "+0100", "Paris", "", "GMT+1"):
        with pytest.raises(graphir.RunFault, match="G644"):
            parse_zone(wrong)


def test_an_hour_that_is_left_out_or_comes_twice() -> None:
    gap = LocalDateTime.parse("2020-03-29T02:30").second
    assert offset_of_local("Europe/Stockholm", gap) == 3600
    assert offset_of_local("Europe/Stockholm", gap, 7200) == 3600
    twice = LocalDateTime.parse("2020-10-25T02:30").second
    assert [offset_of_local("Europe/Stockholm", twice, wish) for wish in (None, 3600, 7200, 0)] == [
        7200,
        3600,
        7200,
        7200,
    ]


def test_standard_library_keeps_the_zone() -> None:
    value = DateTime.parse("2020-10-25T02:30+01:00[Europe/Stockholm]").to_standard()
    assert value.fold == 1
    assert value.utcoffset() == datetime.timedelta(hours=1)
    assert isinstance(value.tzinfo, ZoneInfo)
    assert value.tzinfo.key == "Europe/Stockholm"
    assert Time.parse("12:00+01:00").to_standard().utcoffset() == datetime.timedelta(hours=1)
    assert LocalDateTime.parse("2020-01-01T12:00:00.1234567").to_standard().microsecond == 123456
