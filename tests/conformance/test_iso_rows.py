"""The corpus queries with the rows of a Neo4j server, in ISO GQL with the schemas of their graphs: the rows of both on
the embedded engine are the same.  A CAST may fail alone, where Cypher gives null for a text that is no number."""

from __future__ import annotations

from collections import Counter

import graphir
from tests.iso_pairs import differences, questions
from tests.outside import FULL


def test_rows_are_the_same() -> None:
    tally: Counter[str] = Counter()
    with graphir.connect() as engine:
        found = list(differences(engine, questions("rows", range(0, 1600, 1 if FULL else 60)), tally))
    assert [each for each in found if "CAST" not in str(each.found)] == []
    assert tally["translated"] >= 0.95 * tally["asked"]
    assert tally["ran"] >= 0.95 * tally["translated"]
