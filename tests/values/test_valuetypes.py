"""`x IS :: T`, as Neo4j decides it."""

from __future__ import annotations

from typing import Any

import pytest

from graphir.ir import ValueType
from graphir.values import Date, Node
from graphir.values.valuetypes import is_typed
from tests.values.evaluator import run

INTEGER, STRING, NOTHING, NULL, ANY = (ValueType(name) for name in ("INTEGER", "STRING", "NOTHING", "NULL", "ANY"))
STORED = ValueType("PROPERTY VALUE")


@pytest.mark.parametrize(
    ("value", "wanted", "expected"),
    [
        (1, INTEGER, True),
        (1.0, INTEGER, False),
        (True, INTEGER, False),
        (None, INTEGER, True),
        (None, ValueType("INTEGER", (), True), False),
        (None, NOTHING, False),
        (None, NULL, True),
        (1, NULL, False),
        (1, ANY, True),
        (1, ValueType("UNION", (STRING, INTEGER)), True),
        ([], ValueType("LIST", (INTEGER,)), True),
        ([None], ValueType("LIST", (INTEGER,)), True),
        ([1, None], ValueType("LIST", (ValueType("INTEGER", (), True),)), False),
        ([[1]], ValueType("LIST", (ValueType("LIST", (INTEGER,)),)), True),
        ([], ValueType("LIST", (NOTHING,)), True),
        ([1, "a"], STORED, False),
        ([None], STORED, False),
        ([Date(1)], STORED, True),
        ({}, STORED, False),
        (Node(1), ValueType("NODE"), True),
        (Date(1), ValueType("DATE"), True),
    ],
)
def test_types(value: Any, wanted: ValueType, expected: bool) -> None:
    assert is_typed(value, wanted) is expected


def test_types_are_read() -> None:
    query = "UNWIND [1, 'a', null, [1], date('2020-01-01')] AS x RETURN x IS :: INTEGER | LIST<INTEGER>"
    assert [row[0] for row in run(query)] == [True, False, True, True, False]
    assert run("RETURN 'a' IS NOT :: STRING NOT NULL, null IS :: DATE NOT NULL") == [(False, False)]
