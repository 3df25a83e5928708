"""Patterns of letters: what `format()` writes and what the constructors read.  The texts are those of Neo4j."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import graphir
from graphir.values import Date, DateTime, Duration, LocalDateTime, civil
from graphir.values.patterns import LETTERS, parts_of, read
from graphir.values.temporal_functions import FUNCTIONS

SUNDAY = DateTime.parse("2015-07-05T03:04:05.067089012[Europe/Paris]")
LATE = DateTime.parse("+12015-01-01T23:00:00-02:30")
EARLY = Date.parse("-0005-01-01")


@pytest.mark.parametrize(
    ("value", "pattern", "text"),
    [
        (SUNDAY, "dd MMMM yyyy", "05 July 2015"),
        (SUNDAY, "yyyy-MM-dd'T'HH:mm:ss.SSSXXX", "2015-07-05T03:04:05.067+02:00"),
        (SUNDAY, "c e ee eee eeee eeeee", "1 1 01 Sun Sunday S"),
        (SUNDAY, "E EEEE EEEEE", "Sun Sunday S"),
        (SUNDAY, "u uu uuu uuuu uuuuu", "2015 15 2015 2015 02015"),
        (SUNDAY, "Y w ww W F D DDD g gggggg", "2015 28 28 2 1 186 186 57208 057208"),
        (SUNDAY, "q qq qqq qqqq qqqqq", "3 03 Q3 3rd quarter 3"),
        (SUNDAY, "M MM MMM MMMM MMMMM", "7 07 Jul July J"),
        (SUNDAY, "G GGGG GGGGG", "AD Anno Domini A"),
        (SUNDAY, "a h hh k kk K H HH", "AM 3 03 3 03 3 3 03"),
        (SUNDAY, "m mm s ss S SS SSSSSS n A N", "4 04 5 05 0 06 067089 67089012 11045067 11045067089012"),
        (
            SUNDAY,
            "x xx xxx X XX XXX Z ZZZZ ZZZZZ O OOOO VV",
            "+02 +0200 +02:00 +02 +0200 +02:00 +0200 GMT+02:00 +02:00 GMT+2 GMT+02:00 Europe/Paris",
        ),
        (DateTime(0), "x xx xxx X XX XXX Z ZZZZ ZZZZZ O VV", "+00 +0000 +00:00 Z Z Z +0000 GMT Z GMT Z"),
        (LATE, "yyyy u h a k X O", "+12015 12015 11 PM 23 -0230 GMT-2:30"),
        (EARLY, "yyyy uuuu G yy uu GGGG", "0006 -0005 BC 06 05 Before Christ"),
        (SUNDAY, "[yyyy[-MM]]", "2015-07"),
        (SUNDAY, "yyyy''MM 'o''clock'", "2015'07 o'clock"),
        (SUNDAY, "", ""),
        (SUNDAY, None, "2015-07-05T03:04:05.067089012+02:00[Europe/Paris]"),
        (LocalDateTime.parse("2020-01-01T00:00"), None, "2020-01-01T00:00:00"),
        (Duration(1), None, "P1M"),
    ],
)
def test_writing(value: Any, pattern: str | None, text: str) -> None:
    arguments = (value,) if pattern is None else (value, pattern)
    assert FUNCTIONS["format"](*arguments) == text


@pytest.mark.parametrize(
    ("kind", "text", "pattern", "value"),
    [
        ("date", "21/07/2015", "dd/MM/yyyy", "2015-07-21"),
        ("date", "2015-7-1", "y-M-d", "2015-07-01"),
        ("date", "20150721", "yyyyMMdd", "2015-07-21"),
        ("date", "15-07-21", "yy-MM-dd", "2015-07-21"),
        ("date", "2015-02-31", "yyyy-MM-dd", "2015-02-28"),
        ("date", "2015 202", "yyyy DDD", "2015-07-21"),
        ("date", "21 July 2015", "dd MMMM yyyy", "2015-07-21"),
        ("date", "Tue 21 Jul 2015", "EEE dd MMM yyyy", "2015-07-21"),
        ("date", "2015-07-21 12:00", "yyyy-MM-dd HH:mm", "2015-07-21"),
        ("date", "AD 2015-01-01", "G yyyy-MM-dd", "2015-01-01"),
        ("date", "BC 0006-01-01", "G yyyy-MM-dd", "-0005-01-01"),
        ("date", "2015-01-01", "yyyy-MM-dd[ HH]", "2015-01-01"),
        ("date", "+12345-01-01", "uuuu-MM-dd", "+12345-01-01"),
        ("localtime", "12", "HH", "12:00"),
        ("localtime", "12:05 PM", "hh:mm a", "12:05"),
        ("localtime", "12:05 AM", "hh:mm a", "00:05"),
        ("localtime", "0:05 PM", "K:mm a", "12:05"),
        ("localtime", "24:05", "kk:mm", "00:05"),
        ("time", "12:05", "HH:mm", "12:05Z"),
        ("time", "12:05+0130", "HH:mmZ", "12:05+01:30"),
        ("time", "12:05+01:30", "HH:mmXXX", "12:05+01:30"),
        ("time", "12:05-02", "HH:mmX", "12:05-02:00"),
        ("datetime", "2015-07-21 12:00", "yyyy-MM-dd HH:mm", "2015-07-21T12:00Z"),
        ("datetime", "2015-07-21 12:00 +02:00", "yyyy-MM-dd HH:mm XXX", "2015-07-21T12:00+02:00"),
        ("datetime", "2015-07-21 12:00 Europe/Paris", "yyyy-MM-dd HH:mm VV", "2015-07-21T12:00+02:00[Europe/Paris]"),
        ("datetime", "2015-07-21 +02:00", "yyyy-MM-dd XXX", "2015-07-21T00:00Z"),
        ("localdatetime", "2015-07-21 12:13:14.567", "yyyy-MM-dd HH:mm:ss.SSS", "2015-07-21T12:13:14.567"),
        ("localdatetime", "2015-07-21 24:00", "yyyy-MM-dd HH:mm", "2015-07-22T00:00"),
        ("localdatetime", "2015-07-21 12", "yyyy-MM-dd hh", "2015-07-21T00:00"),
    ],
)
def test_reading(kind: str, text: str, pattern: str, value: str) -> None:
    assert str(FUNCTIONS[kind](text, pattern)) == value


@pytest.mark.parametrize(
    ("kind", "text", "pattern", "code"),
    [
        ("date", "2015-07", "yyyy-MM", "G633"),
        ("date", "2015", "yyyy", "G633"),
        ("date", "21 jul 2015", "dd MMM yyyy", "G633"),
        ("date", "Mon 21 Jul 2015", "EEE dd MMM yyyy", "G633"),
        ("date", "2015-07-21T12:00", "yyyy-MM-dd", "G633"),
        ("date", "12345-07-21", "yyyy-MM-dd", "G633"),
        ("date", "2015 Q3", "yyyy QQQ", "G633"),
        ("date", "12:00", "HH:mm", "G633"),
        ("date", "1 2 2015 3", "d M yyyy d", "G633"),
        ("date", "2015-02-32", "yyyy-MM-dd", "G641"),
        ("date", "2015-13-01", "yyyy-MM-dd", "G641"),
        ("localtime", "05", "mm", "G633"),
        ("localtime", "1:05 pm", "h:mm a", "G633"),
        ("localtime", "24:01", "HH:mm", "G641"),
        ("localtime", "2015-01-01", "yyyy-MM-dd", "G633"),
        ("time", "12:00 Nowhere/Town", "HH:mm VV", "G644"),
        ("date", 5, "yyyy", "G649"),
        ("date", "2015", 5, "G649"),
    ],
)
def test_texts_that_do_not_follow(kind: str, text: Any, pattern: Any, code: str) -> None:
    with pytest.raises(graphir.RunFault) as caught:
        FUNCTIONS[kind](text, pattern)
    assert caught.value.diagnostics[0].code == code


@pytest.mark.parametrize(
    "pattern", ["foo", "yyyy'", "]", "[[]]]", "{", "}", "#", "MMMMMM", "hhh", "aa", "cc", "V", "OO", "z", "v", "B", "p"]
)
def test_what_is_no_pattern(pattern: str) -> None:
    with pytest.raises(graphir.RunFault, match="G633"):
        FUNCTIONS["format"](SUNDAY, pattern)


def test_null_and_what_has_no_pattern() -> None:
    assert (
        FUNCTIONS["format"](None, "yyyy")
        is FUNCTIONS["format"](SUNDAY, None)
        is FUNCTIONS["date"]("2015", None)
        is None
    )
    for name, arguments in (("format", (Duration(1), "M")), ("duration", ("P1D", "d")), ("format", (Date(0), "HH"))):
        with pytest.raises(graphir.RunFault, match="G633"):
            FUNCTIONS[name](*arguments)
    for value, pattern in ((5, "yyyy"), (Date(0), 5)):
        with pytest.raises(graphir.RunFault, match="G649"):
            FUNCTIONS["format"](value, pattern)


@settings(deadline=None, max_examples=60)
@given(
    st.integers(-(10**6), 10**6),
    st.integers(0, civil.DAY_NANOS - 1),
    st.sampled_from(
        (
            "uuuu-MM-dd HH:mm:ss.SSSSSSSSS",
            "d MMMM u h:m:s a n",
            "EEE DDD uuuu kk'h'mm'm'ss.SSSSSSSSS",
            "uuuuMMdd HHmmss n",
        )
    ),
)
def test_what_is_written_is_read(days: int, nanos: int, pattern: str) -> None:
    value = LocalDateTime.of_parts(days, nanos)
    assert FUNCTIONS["localdatetime"](FUNCTIONS["format"](value, pattern), pattern) == value


@settings(deadline=None, max_examples=60)
@given(st.text(alphabet="yMdHmsSEaX'[]-: .", max_size=12), st.text(alphabet="0123456789-: .", max_size=12))
def test_no_pattern_breaks_anything(pattern: str, text: str) -> None:
    try:
        parts = parts_of(pattern)
        FUNCTIONS["format"](SUNDAY, pattern)
        read(text, pattern)
    except graphir.RunFault as fault:
        code = fault.diagnostics[0].code
    else:
        code = "G633" if parts is not None else ""
    assert code in ("G633", "G641")


def test_every_letter_can_be_written() -> None:
    for letter in LETTERS[DateTime]:
        assert FUNCTIONS["format"](SUNDAY, letter * (2 if letter == "V" else 1)) != ""
