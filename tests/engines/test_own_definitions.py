"""Translations for property graphs as people define them give the rows of the graph that is drawn beside them."""

from __future__ import annotations

import os
from collections import Counter

import pytest

from tests.engines import gql_rows, own_definitions

CASES = int(os.environ.get("GRAPHIR_DEFINITIONS", "240"))


@pytest.mark.parametrize("dialect", ["pgq-postgres", "pgq-oracle-26ai", "pgq-duckpgq"])
def test_rows(dialect: str) -> None:
    tally: Counter[str] = Counter()
    with own_definitions.panel(dialect) as asked:
        questions = own_definitions.questions(dialect, range(CASES))
        found = ["\n".join(each.lines()) for each in gql_rows.differences(asked, questions, tally)]
    assert not found, found[0]
    assert not [name for name in tally if name.startswith("different")], tally
    assert tally[f"compared: {dialect}"] > CASES // 10, tally
