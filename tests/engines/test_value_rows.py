"""Values of SQL are those of the databases, in Cypher and in GQL: a sample of `value_rows.py`."""

from __future__ import annotations

import os
from collections import Counter

import pytest

from graphir.backends.engines import postgres_server
from graphir.diagnostics import UsageFault
from tests.engines import function_texts
from tests.engines.googlesql import database
from tests.engines.value_rows import Panel

TEXTS = int(os.environ.get("GRAPHIR_CASES", "150"))
STEP = 47 * 150 // TEXTS
"""Of the texts of functions every one of so many is taken."""


@pytest.mark.parametrize("typed", [True, False], ids=["schema", "no-schema"])
@pytest.mark.parametrize("dialect", ["pgq-postgres", "pgq-duckpgq"])
def test_values_in_cypher(dialect: str, typed: bool) -> None:
    _require(dialect)
    tally: Counter[str] = Counter()
    with Panel(dialect, ("embedded",)) as panel:
        assert not list(panel.differences(range(TEXTS), tally, typed=typed))
    assert tally["compared: embedded"] > tally["texts"] / 4


@pytest.mark.parametrize("dialect", ["pgq-postgres", "pgq-duckpgq"])
def test_functions_in_cypher(dialect: str) -> None:
    """A part of all functions of numbers, texts, dates and lists that are read, over all kinds of their arguments."""
    _require(dialect)
    tally: Counter[str] = Counter()
    texts = list(enumerate(function_texts.texts(dialect)))[:: max(1, STEP)]
    with Panel(dialect, ("embedded",), rows=function_texts.ROWS) as panel:
        assert not list(panel.among(texts, tally))
    assert tally["compared: embedded"] > tally["texts"] / 5


@pytest.mark.parametrize("dialect", ["pgq-postgres", "pgq-duckpgq"])
def test_values_in_gql(dialect: str) -> None:
    _require(dialect)
    database()
    tally: Counter[str] = Counter()
    with Panel(dialect, ("gql-spanner",)) as panel:
        assert not list(panel.differences(range(TEXTS), tally))
    assert tally["compared: gql-spanner"] > tally["texts"] / 5


def _require(dialect: str) -> None:
    if dialect == "pgq-postgres":
        try:
            postgres_server.programs()
        except UsageFault as missing:
            pytest.skip(str(missing))
