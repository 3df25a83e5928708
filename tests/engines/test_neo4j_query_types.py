"""What the read-only check denies is what a real Neo4j does not call a read, with the exceptions that are listed."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from neo4j import Driver

from graphir.passes.safety.effects import names
from tests.engines.query_types import EXCEPTIONS, compare, queries
from tests.outside import FULL, sample
from tests.test_readonly import PROBES

DIALECTS = ("neo4j-5", "neo4j-25")
FRAGMENTS = (
    *("'", '"', "`", "//", "/*", "*/", "/*/", "/**/", "*", "/", "\\", "\\'", "\\\\", "\\n", "'a'", "`b`"),
    *(
        "\n",
        "\r",
        "\t",
        " ",
        "\u00a0",
        "\u2028",
        "\\u0027",
        "\\u0060",
        "\\u000a",
        "\\u000d",
        "\\u002a",
        "\\u002f",
        "\\u005c",
    ),
)
"""What begins and ends strings, names and comments, and what looks like it."""

FRAMES = (
    "MATCH (n) {} RETURN n.x AS x {} UNION MATCH (m) {} SET m.x = 1 RETURN m.x AS x {}",
    "MATCH (n) {} RETURN n.x AS x, '{}' AS y {} UNION MATCH (m) SET m.x = 1 RETURN m.x AS x, '{}' AS y",
    "MATCH (n:`{}`) {} SET n.x = 1 {} RETURN n.x AS x {}",
    "MATCH (n) WHERE n.a = '{}' SET n.x = 1 //{}' RETURN n.x AS x {} //{}",
)
"""Queries with a write that such a fragment may hide, or bring to light."""


@pytest.mark.parametrize("dialect", DIALECTS)
def test_corpora(neo4j: Driver, dialect: str) -> None:
    tally: Counter[str] = Counter()
    found = list(compare(neo4j, sample(queries(), 400), dialect, tally))
    assert tally["type r"] >= 100
    assert tally["type w"] + tally["type rw"] >= 5
    assert [each for each in found if not each.agrees and not each.exceptions] == []


@pytest.mark.parametrize("dialect", DIALECTS)
def test_probes(neo4j: Driver, dialect: str) -> None:
    """A function or procedure of a plugin is not there, and the server refuses it; the others are compared."""
    tally: Counter[str] = Counter()
    found = list(compare(neo4j, [probe.query for probe in PROBES], dialect, tally))
    assert len(found) >= 100
    assert [each for each in found if not each.agrees and not each.exceptions] == []


@pytest.mark.parametrize("dialect", DIALECTS)
def test_quotes_and_comments_end_where_they_end_for_neo4j(neo4j: Driver, dialect: str) -> None:
    random = Random(dialect)
    texts = []
    for _ in range(4000 if FULL else 500):
        counts = random.choices((0, 1, 2, 3, 4), (4, 4, 2, 2, 2), k=4)
        texts.append(random.choice(FRAMES).format(*["".join(random.choices(FRAGMENTS, k=count)) for count in counts]))
    found = list(compare(neo4j, texts, dialect, Counter()))
    assert len(found) >= 50
    assert {each.type == "r" for each in found} == {True, False}
    assert [each for each in found if not each.agrees] == []


def test_every_exception_is_one(neo4j: Driver) -> None:
    """A call of each procedure that is excepted, and the clauses and commands by the probes."""
    calls = [f"CALL {name}" for name in EXCEPTIONS if name in names("procedures")]
    texts = [*calls, *[probe.query for probe in PROBES]]
    differing = {
        name for each in compare(neo4j, texts, "neo4j-25", Counter()) if not each.agrees for name in each.exceptions
    }
    assert differing == set(EXCEPTIONS)
