"""The calendar: days, months, weeks, in and far outside of the years that the standard library knows."""

from __future__ import annotations

import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphir
from graphir.values import Date, Duration, civil

days = st.integers(civil.MIN_DAY, civil.MAX_DAY)
inner = st.integers(civil.MIN_DAY + 10**8, civil.MAX_DAY - 10**8)
"""Room for a hundred thousand years."""
usual = st.integers(
    (datetime.date.min - datetime.date(1970, 1, 1)).days, (datetime.date.max - datetime.date(1970, 1, 1)).days
)


@settings(deadline=None, max_examples=60)
@given(days)
def test_parts_and_number_are_inverse(day: int) -> None:
    assert civil.day_number(*civil.date_parts(day)) == day


@settings(deadline=None, max_examples=60)
@given(days)
def test_calendar_repeats_after_400_years(day: int) -> None:
    year, month, number = civil.date_parts(day)
    if year + 400 <= civil.MAX_YEAR:
        assert civil.date_parts(day + civil.CYCLE_DAYS) == (year + 400, month, number)
        assert civil.weekday(day + civil.CYCLE_DAYS) == civil.weekday(day)


@settings(deadline=None, max_examples=60)
@given(usual)
def test_weeks_are_those_of_the_standard_library(day: int) -> None:
    date = datetime.date(1970, 1, 1) + datetime.timedelta(days=day)
    year, week, weekday = date.isocalendar()
    assert (*civil.week_parts(day), civil.weekday(day)) == (year, week, weekday)
    assert civil.week_day_number(year, week, weekday) == day


@settings(deadline=None, max_examples=60)
@given(days)
def test_text_is_read_back(day: int) -> None:
    assert Date.parse(str(Date(day))) == Date(day)


@settings(deadline=None, max_examples=60)
@given(usual)
def test_standard_library_says_the_same(day: int) -> None:
    date = Date(day)
    assert str(date) == date.to_standard().isoformat()
    assert (date.year, date.month, date.day) == (
        date.to_standard().year,
        date.to_standard().month,
        date.to_standard().day,
    )


@pytest.mark.parametrize(
    ("text", "date"),
    [
        ("2015-07-21", "2015-07-21"),
        ("20150721", "2015-07-21"),
        ("2015-7-1", "2015-07-01"),
        ("2015-07", "2015-07-01"),
        ("201507", "2015-07-01"),
        ("2015", "2015-01-01"),
        ("2015-W30-2", "2015-07-21"),
        ("2015W302", "2015-07-21"),
        ("2015-W30", "2015-07-20"),
        ("2015W30", "2015-07-20"),
        ("2015-Q2-60", "2015-05-30"),
        ("2015Q260", "2015-05-30"),
        ("2015-Q2", "2015-04-01"),
        ("2015-202", "2015-07-21"),
        ("2015202", "2015-07-21"),
        ("2020-W53-7", "2021-01-03"),
        ("+2015-07-21", "2015-07-21"),
        ("+999999999-12-31", "+999999999-12-31"),
        ("-999999999-01-01", "-999999999-01-01"),
        ("-0001-12-31", "-0001-12-31"),
        ("0000-01-01", "0000-01-01"),
    ],
)
def test_forms_of_texts(text: str, date: str) -> None:
    assert str(Date.parse(text)) == date


@pytest.mark.parametrize(
    ("text", "code"),
    [
        *((text, "G640") for text in ("", "x", "2015-7", "15-07-21", "12015-07-21", "2015-07-21 ", "2015/07/21")),
        *(
            (text, "G640")
            for text in ("2015-w30", "2015-07-21T", "2015-07-211", "2015-W30-", "٢٠١٥-٠٧-٢١", "2015-07-21\n")
        ),
        *((text, "G641") for text in ("2015-13-01", "2015-00-01", "2015-02-29", "2015-04-31", "2015-W54", "2015-366")),
        *((text, "G641") for text in ("2015-000", "2016-W53-7", "2015-Q5-01", "+100000000-13-01")),
    ],
)
def test_texts_that_are_no_dates(text: str, code: str) -> None:
    with pytest.raises(graphir.RunFault) as caught:
        Date.parse(text)
    assert caught.value.diagnostics[0].code == code


def test_long_texts_are_quoted_in_part() -> None:
    with pytest.raises(graphir.RunFault) as caught:
        Date.parse("9" * 10_000)
    assert len(str(caught.value)) < 200


@settings(deadline=None, max_examples=60)
@given(inner, st.integers(-(10**6), 10**6), st.integers(-(10**6), 10**6))
def test_months_come_before_days(day: int, months: int, more: int) -> None:
    moved = Date(day) + Duration(months=months, days=more)
    year, month, number = civil.date_parts(day)
    index = year * 12 + month - 1 + months
    landed = civil.day_number(index // 12, index % 12 + 1, min(number, civil.month_length(index // 12, index % 12 + 1)))
    assert moved.days == landed + more


@pytest.mark.parametrize(
    ("hours", "date"),
    [(23, "2020-01-10"), (25, "2020-01-11"), (-23, "2020-01-10"), (-25, "2020-01-09"), (-48, "2020-01-08")],
)
def test_hours_count_as_whole_days(hours: int, date: str) -> None:
    assert str(Date.of(2020, 1, 10) + Duration(seconds=hours * 3600)) == date


@pytest.mark.parametrize("text", ["+999999999-12-31", "-999999999-01-01"])
def test_the_end_of_time(text: str) -> None:
    step = Duration(days=1 if text.startswith("+") else -1)
    for duration in (step, Duration(months=step.days)):
        with pytest.raises(graphir.RunFault) as caught:
            Date.parse(text) + duration
        assert caught.value.diagnostics[0].code == "G642"


def test_dates_are_ordered_and_hashable() -> None:
    assert sorted([Date(3), Date(-1), Date(2)]) == [Date(-1), Date(2), Date(3)]
    assert len({Date(1), Date(1), Date(2)}) == 2
