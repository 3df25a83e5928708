"""What a query becomes is as long as it: every construct, inside of itself and side by side, in every dialect.

The texts are measured without blanks, which a nested text has more of.  A construct may be refused.
"""

from __future__ import annotations

import pytest

import graphir
from graphir.dialects import DIALECTS
from tests.outside import FULL
from tests.properties.growth import SCHEMA, SPECIMENS, Maker

TARGETS = [dialect.name for dialect in DIALECTS.values() if dialect.writes]
PART = 1 if FULL else 8
"""Each dialect gets one in so many of the constructs, another one than the dialect before it."""
COUNTS = (3, 6, 12)
MOST = 2.6
"""How many times what the last steps add is what the steps before them do, half as many: 2 where growth is linear, 4
where it is quadratic."""
SHORT = 1500
"""Characters that are no growth yet."""
BOUNDED = {
    **dict.fromkeys(("pgq-oracle-23ai", "pgq-oracle-26ai", "sql-oracle", "sql-spark"), ("repetitions",)),
    "gql-iso": ("any() of a test", "all() of a test", "none() of a test"),
}
"""Dialect -> what does grow, up to a bound: the edges of a path are compared in pairs, and a condition on the elements
of a list that may be null is written three times, as long as it is short."""
AT_ONCE = 12
"""How many times as long twice as much may be; what is longer is not written again twice as long."""


def sizes(make: Maker, dialect: str) -> list[int] | None:
    """The lengths of the texts; None if one is refused."""
    found: list[int] = []
    for count in COUNTS:
        try:
            text = graphir.translate(make(count), read="neo4j-25", write=dialect, schema=SCHEMA)
        except graphir.GraphirError:
            return None
        found.append(len("".join(text.split())))
        if len(found) == 2 and found[1] > SHORT and found[1] > AT_ONCE * found[0]:
            return found
    return found


def grows(found: list[int]) -> bool:
    """Whether the texts grow faster than the queries do."""
    if len(found) < len(COUNTS):
        return True
    first, second, third = found
    return third > SHORT and third - second > MOST * (second - first)


@pytest.mark.parametrize("dialect", TARGETS)
def test_texts_grow_with_the_query(dialect: str) -> None:
    place = TARGETS.index(dialect)
    bounded = BOUNDED.get(dialect, ())
    chosen = [name for at, name in enumerate(SPECIMENS) if (at + place) % PART == 0 and name not in bounded]
    found = {name: sizes(SPECIMENS[name], dialect) for name in chosen}
    assert {name: each for name, each in found.items() if each is not None and grows(each)} == {}
    assert sum(each is not None for each in found.values()) > len(chosen) / 4


def test_growth_is_seen() -> None:
    assert grows([30, 300, 300_000])
    assert grows([2_000, 8_000, 32_000])
    assert grows([100, 2_000])
    assert not grows([1_000, 2_000, 4_100])
