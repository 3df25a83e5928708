"""Points are GEOGRAPHY in BigQuery, whose values have no equality: what is translated is taken, the rest is refused."""

from __future__ import annotations

import pytest

import graphir
from graphir import Schema
from tests.engines.googlesql import database

SCHEMA = Schema.read(
    "Node properties:\nBusiness {name: STRING, location: POINT}\nCategory {name: STRING}\nRelationship properties:\n"
    "The relationships:\n(:Business)-[:IN_CATEGORY]->(:Category)"
)
SAID = (
    "RETURN count(b.location) AS n",
    "RETURN collect(b.location) AS n",
    "RETURN b.location IS NULL AS n",
    "RETURN DISTINCT b",
    "RETURN b, count(*) AS n",
)
REFUSED = (
    "RETURN count(DISTINCT b.location) AS n",
    "RETURN collect(DISTINCT b.location) AS n",
    "RETURN DISTINCT b.location AS n",
    "WITH b.location AS l, count(*) AS n RETURN n",
    "RETURN b.name AS n ORDER BY b.location",
    "RETURN min(b.location) AS n",
    "MATCH (c:Business) WHERE b.location = c.location RETURN b.name AS n",
    "MATCH (c:Business) WHERE b.location IN [c.location] RETURN b.name AS n",
)


def translated(end: str) -> str:
    return graphir.translate(f"MATCH (b:Business) {end}", "neo4j-5", "gql-bigquery", SCHEMA)


def test_what_is_said_of_points_is_taken() -> None:
    with database("full") as engine:
        engine.define(SCHEMA.write(format="bigquery-ddl"))
        for end in SAID:
            engine.analyze(translated(end))


@pytest.mark.parametrize("end", REFUSED)
def test_points_are_not_told_apart(end: str) -> None:
    with pytest.raises(graphir.Unsupported) as caught:
        translated(end)
    assert caught.value.code == "G537"
