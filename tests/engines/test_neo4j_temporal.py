"""Random expressions of temporal and spatial values have the value, or the fault, that a real Neo4j gives."""

from __future__ import annotations

import math
from typing import Any

import pytest
from neo4j import Driver, Session
from neo4j.exceptions import Neo4jError

import graphir
from graphir.values import Date, DateTime, Duration, LocalDateTime, LocalTime, Path, Point, Time
from graphir.values.clocks import Clock, use_clock
from graphir.values.conversions import from_neo4j, to_neo4j
from tests.engines.temporal_expressions import Writer
from tests.outside import FULL
from tests.values.evaluation import Evaluation, to_string

COUNT = 5000 if FULL else 400
FAULT = "a fault"


def ours(expression: str) -> Any:
    try:
        with use_clock(Clock.now()):
            value = Evaluation().run(f"RETURN {expression} AS x", "neo4j-25")[1][0][0]
    except graphir.RunFault:
        return FAULT
    return value if value is None or isinstance(value, bool | int | float) else to_string(value)


def theirs(session: Session, expression: str) -> Any:
    """The value as a number or as text: the driver's types hold neither every year nor seconds of an offset."""
    plain = "x IS :: BOOLEAN | INTEGER | FLOAT"
    query = f"CYPHER 25 WITH {expression} AS x RETURN CASE WHEN {plain} THEN x ELSE toString(x) END AS x"
    try:
        return session.run(query).single(strict=True)[0]
    except Neo4jError:
        return FAULT


def same(one: Any, two: Any) -> bool:
    """Distances on the globe may differ in the last bit: sine and cosine are not the same everywhere."""
    if isinstance(one, float) and isinstance(two, float):
        return math.isclose(one, two, rel_tol=1e-14)
    return type(one) is type(two) and bool(one == two)


@pytest.mark.parametrize("seed", range(4))
def test_expressions_have_the_value_of_neo4j(neo4j: Driver, seed: int) -> None:
    writer = Writer(seed)
    wrong = []
    with neo4j.session() as session:
        for _ in range(COUNT // 4):
            expression = writer.expression()
            pair = ours(expression), theirs(session, expression)
            if not same(*pair):
                wrong.append((expression, *pair))
    assert wrong == []


ORDERINGS = (
    "UNWIND [{}] AS x WITH x ORDER BY x RETURN collect(toString(x)) AS s",
    "UNWIND [{}] AS x WITH x ORDER BY x DESC RETURN collect(toString(x)) AS s",
    "UNWIND [{}] AS x WITH DISTINCT x RETURN count(*) AS s",
    "UNWIND [{}] AS x RETURN toString(max(x)) + toString(min(x)) AS s",
    "WITH [{}] AS l UNWIND range(0, 6) AS i RETURN collect([l[i] < l[i + 1], l[i] = l[i + 1], l[i] >= l[i + 1]]) AS s",
)
TIES = (
    *(
        "datetime('2020-01-01T12:00+01:00')",
        "datetime('2020-01-01T11:00Z')",
        "datetime('2020-01-01T12:00[Europe/Paris]')",
    ),
    *("duration('P1D')", "duration('PT24H')", "duration('P1M')", "duration('P30D')", "duration('PT730H')"),
    *("time('12:00+01:00')", "time('11:00Z')", "1", "1.5", "'a'", "true", "null"),
)


def test_order_is_that_of_neo4j(neo4j: Driver) -> None:
    writer = Writer(7)
    kinds = ("date", "localtime", "time", "localdatetime", "datetime", "duration", "point")
    pool = list(TIES)
    while len(pool) < 60:
        kind = writer.random.choice(kinds)
        others = {"duration": writer.duration, "point": writer.point}
        expression = others[kind]() if kind in others else writer.value(kind)
        if ours(expression) not in (FAULT, None):
            pool.append(expression)
    wrong = []
    with neo4j.session() as session, graphir.connect("duckdb") as engine:
        for number in range(COUNT // 8):
            query = ORDERINGS[number % len(ORDERINGS)].format(", ".join(writer.random.choices(pool, k=9)))
            pair = [row[0] for row in engine.run(query).rows], session.run(f"CYPHER 25 {query}").value()
            if pair[0] != pair[1]:
                wrong.append((query, *pair))
    assert wrong == []


def test_values_go_through_the_driver(neo4j: Driver) -> None:
    values = [
        *(Date.of(1984, 10, 11), LocalTime.of(12, 0, 0, 1), Time.parse("12:00:00.5-02:30"), Time.parse("12:00Z")),
        *(LocalDateTime.parse("0001-01-01T00:00"), DateTime.parse("2020-10-25T02:30+01:00[Europe/Stockholm]")),
        *(DateTime.parse("2020-10-25T02:30+05:45"), DateTime.parse("2020-10-25T02:30Z"), Duration(-14, 3, -1, 5)),
        *(Point(4326, 1.0, 2.0), Point(4979, 1.0, 2.0, 3.0), Point(7203, 1.0, 2.0), Point(9157, 1.0, 2.0, 3.0)),
    ]
    query = "RETURN $values AS kept, [x IN $values | toString(x)] AS texts"
    with neo4j.session() as session:
        record = session.run(query, values=to_neo4j(values)).single(strict=True)
    assert from_neo4j(record["kept"]) == values
    assert record["texts"] == [to_string(value) for value in values]


def test_entities_come_from_the_driver(neo4j: Driver) -> None:
    query = "CREATE p = (a:B:A {d: date('2020-01-01')})<-[r:T {x: 1}]-(b) RETURN a, r, b, p, [a] AS l"
    with neo4j.session() as session, session.begin_transaction() as transaction:
        a, r, b, p, items = from_neo4j(transaction.run(query).single(strict=True).values())
        transaction.rollback()
    assert (a.labels, a.properties) == (("A", "B"), {"d": Date.of(2020, 1, 1)})
    assert (r.type, r.start, r.end, r.properties) == ("T", b.id, a.id, {"x": 1})
    assert p == Path((a, b), (r,))
    assert items == [a]
    assert str(p) == "<(:A:B {d: '2020-01-01'})<-[:T {x: 1}]-()>"


def test_what_the_driver_cannot_hold(neo4j_uri: str) -> None:
    """Years beyond 1 to 9999 are no values of the driver: that is said of the answer, and the engine is not lost."""
    with graphir.connect("neo4j", uri=neo4j_uri, keep=False) as engine:
        for text in ("date('-0044-03-15')", "[date('+12345-01-01')]", "datetime('9999-12-31T23:00-18:00')"):
            with pytest.raises(graphir.RunFault) as caught:
                engine.run(f"RETURN {text} AS d")
            assert caught.value.diagnostics[0].code in ("G627", "G647")
        assert engine.run("RETURN date('0001-01-01') - duration('P1D') AS d").rows == [(Date.parse("0000-12-31"),)]
