"""Durations that are held as texts, and moments months away: Google's evaluator gives the values of the reference."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest

import graphir
from graphir.backends.engines.googlesql.refusals import Refusal
from graphir.schema import Schema
from graphir.values import DateTime, Duration
from tests.engines.googlesql import database

SCHEMA = Schema.read("Node properties:\nV {i: INTEGER, d: DURATION, t: DATE_TIME}", "text2cypher-2024-text")
PARTS = ("years", "quarters", "months", "weeks", "days", "hours", "minutes", "seconds")
MOVES = [
    *("v.t + duration('P1M')", "v.t - duration('P1Y')", "v.t - duration({years: 4, days: 3, hours: 5})"),
    *("v.t + duration('P1Y2M10DT2H')", "v.t - duration('-P1M')", "v.t + duration({months: v.i})"),
]


def durations() -> list[Duration | None]:
    dice = random.Random(3)

    def drawn(most: int) -> int:
        return dice.choice([0, dice.randint(-most, most), dice.randint(0, most)])

    found: list[Duration | None] = [
        None,
        Duration(),
        Duration(0, 0, -1, 500_000_000),
        Duration(0, 0, 2**53, 999_999_999),
    ]
    while len(found) < 60:
        found.append(Duration(drawn(40), drawn(90), drawn(200_000), dice.choice([0, dice.randint(0, 999_999_999)])))
    return found


def moments() -> list[DateTime]:
    dice = random.Random(5)
    texts = ["2024-02-29T23:59:59.999999999Z", "2024-01-31T00:00:00Z", "2023-12-31T12:30:00.5Z"]
    while len(texts) < 60:
        day = f"{dice.randint(1900, 2100)}-{dice.randint(1, 12):02}-{dice.randint(1, 28):02}"
        texts.append(f"{day}T{dice.randint(0, 23):02}:{dice.randint(0, 59):02}:07Z")
    return [DateTime.parse(text) for text in texts]


@pytest.fixture(scope="module")
def google() -> Iterator[Any]:
    with database() as engine:
        engine.define(SCHEMA.write("spanner-ddl"))
        rows = zip(durations(), moments(), strict=True)
        engine.fill("V", [(at, None if d is None else str(d), at, t) for at, (d, t) in enumerate(rows)])
        yield engine


def columns(engine: Any) -> dict[int, tuple[Any, ...]]:
    """What each duration is taken apart into."""
    asked = ", ".join([f"v.d.{part} AS {part}" for part in PARTS])
    text = graphir.translate(f"MATCH (v:V) RETURN v.i AS i, {asked}", write="pgq-googlesql", schema=SCHEMA)
    return {i: tuple(values) for i, *values in engine.query(text).rows}


def test_parts_of_durations(google: Any) -> None:
    found = columns(google)
    with graphir.connect() as ours:
        asked = ", ".join([f"$d.{part} AS {part}" for part in PARTS])
        for at, held in enumerate(durations()):
            assert [found[at]] == ours.run(f"RETURN {asked}", {"d": held}).rows, str(held)


def test_what_is_no_duration_stops_the_query() -> None:
    with database() as engine:
        engine.define(SCHEMA.write("spanner-ddl"))
        engine.fill("V", [(1, "P0.5Y", 1, None)])
        with pytest.raises(Refusal, match=r"no duration: P0\.5Y"):
            columns(engine)


def test_bigquery_holds_durations_as_intervals() -> None:
    with pytest.raises(graphir.Unsupported, match="G540"):
        graphir.translate("MATCH (v:V) RETURN v.d.seconds AS s", write="gql-bigquery", schema=SCHEMA)


@pytest.mark.parametrize("move", MOVES)
def test_months_away(move: str, google: Any) -> None:
    query = f"MATCH (v:V) RETURN v.i AS i, {move} AS t ORDER BY i"
    found = google.query(graphir.translate(query, write="pgq-googlesql", schema=SCHEMA)).rows
    with graphir.connect() as ours:
        nodes = [graphir.Node(at, ("V",), {"i": at, "t": t}) for at, t in enumerate(moments())]
        ours.load(graphir.PropertyGraph(tuple(nodes)))
        assert found == ours.run(query).rows


SUMS = (
    "LET d = INTERVAL 1 DAY LET x = DATE '2020-01-31' + d",
    "LET d = INTERVAL 1 MONTH, e = DATE '2020-01-31' LET x = d + e",
    "LET e = DATE '2020-01-31' LET x = e - CASE WHEN TRUE THEN INTERVAL 1 HOUR END",
    "LET x = DATE '2020-01-31' + COALESCE(NULL, INTERVAL 1 DAY)",
    "LET x = DATE '2020-01-31' + 2 * INTERVAL 1 DAY",
    "LET x = DATE '2020-01-31' + (INTERVAL 1 DAY + INTERVAL 2 HOUR)",
    "LET x = DATE '2020-01-31' + [INTERVAL 1 DAY][OFFSET(0)]",
    "FOR d IN [INTERVAL 1 DAY, INTERVAL -1 YEAR] LET x = DATE '2020-01-31' + d",
    "LET d = INTERVAL 1 DAY RETURN d NEXT LET x = DATE '2020-01-31' + d",
    "LET d = INTERVAL 1 DAY, e = DATE '2020-01-31' FILTER e + d = DATETIME '2020-02-01 00:00:00' LET x = e",
    "LET d = INTERVAL 1 DAY LET x = DATETIME '2020-01-31 10:00:00' + d",
    "LET d = INTERVAL 1 DAY LET x = TIMESTAMP '2020-01-31 10:00:00+00' - d",
    "LET d = DATE '2020-01-31', n = 1 LET x = DATE_ADD(d, INTERVAL n DAY)",
)
"""Bindings of x, to which something is added that may be a date and an INTERVAL."""


@pytest.mark.parametrize("sum_", SUMS)
def test_a_date_and_an_interval_make_a_moment(sum_: str) -> None:
    """Wherever the INTERVAL comes from."""
    text = f"{sum_} RETURN CAST(x AS STRING) AS t"
    with database("full") as engine, graphir.connect() as ours:
        engine.define(SCHEMA.write("spanner-ddl"))
        assert ours.run(text, dialect="gql-spanner").rows == engine.query(f"GRAPH `graph` {text}").rows
