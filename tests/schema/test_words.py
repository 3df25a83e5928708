"""The words for types."""

from __future__ import annotations

import pytest
from hypothesis import given

from graphir.schema import DataType
from graphir.schema.words import data_type
from tests.schema.strategies import types


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("str", "STRING"),
        ("Long", "INTEGER"),
        ("INT32", "INTEGER32"),
        ("Double", "FLOAT"),
        ("DATE_TIME", "ZONED DATETIME"),
        ("LOCAL_DATE_TIME", "LOCAL DATETIME"),
        ("LocalTime", "LOCAL TIME"),
        ("StringArray", "LIST<STRING>"),
        ("list[str]", "LIST<STRING>"),
        ("LIST<LIST<INTEGER NOT NULL> NOT NULL> NOT NULL", "LIST<LIST<INTEGER>>"),
        ("float[]", "LIST<FLOAT>"),
        ("STRING( 40 )", "STRING(40)"),
        ("decimal(10, 2)", "DECIMAL(10, 2)"),
        ("Timestamp", "None"),
        ("Number", "None"),
        ("LIST<Thing>", "None"),
        ("INTEGER(3)", "None"),
        ("list[" * 500, "None"),
        ("[]" * 500, "None"),
        ("", "None"),
    ],
)
def test_words(word: str, expected: str) -> None:
    assert str(data_type(word)) == expected


@given(types())
def test_a_type_reads_as_it_is_written(type: DataType) -> None:
    assert data_type(str(type)) == type
