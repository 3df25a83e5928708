"""PSJS in both variants on cases worked by hand.

ann:Person -KNOWS-> bob:Person -KNOWS-> cid:Person        ann, bob -LIVES_IN-> rome:City      cid -LIVES_IN-> oslo:City
"""

from collections.abc import Iterator

import pytest

import graphir
from graphir.backends.engines.duckdb.session import Session
from graphir.evaluation import Similarity, psjs

GRAPH = (
    "CREATE (ann:Person {name: 'Ann', age: 30}), (bob:Person {name: 'Bob', age: 40}),"
    " (cid:Person {name: 'Cid', age: 50}),"
    " (rome:City {name: 'Rome'}), (oslo:City {name: 'Oslo'}), (ann)-[:KNOWS]->(bob), (bob)-[:KNOWS]->(cid),"
    " (ann)-[:LIVES_IN]->(rome), (bob)-[:LIVES_IN]->(rome), (cid)-[:LIVES_IN]->(oslo)"
)
PERSONS = "MATCH (p:Person) RETURN p.name"


@pytest.fixture(scope="module")
def session() -> Iterator[Session]:
    with Session() as db:
        db.run(GRAPH)
        yield db


def names(session: Session, ids: frozenset[str]) -> set[str]:
    rows = session.run("MATCH (n) RETURN elementId(n), n.name").rows
    return {name for key, name in rows if key in ids}


LOOKED_AT = {
    PERSONS: "Ann Bob Cid",
    "MATCH (:Person {name: 'Ann'})-[:KNOWS]->(:Person) RETURN 1": "Ann Bob",
    "MATCH (p:Person)-[:LIVES_IN]->() RETURN count(*) AS n": "Ann Bob Cid Rome Oslo",
    "MATCH (p:Person) WHERE p.age > 35 RETURN p.name ORDER BY p.age LIMIT 1": "Bob Cid",
    "MATCH (p:Person) MATCH (p)-[:KNOWS]->(q) RETURN q": "Ann Bob Cid",
    "MATCH (p:Person {name: 'Cid'}) OPTIONAL MATCH (p)-[:KNOWS]->(q) RETURN q": "Cid",
    "MATCH (p:Person)-[:KNOWS]->(q) WITH p WHERE p.age > 35 MATCH (p)-[:LIVES_IN]->(c) RETURN c": "Bob Cid Rome",
    "MATCH (p:Person) WITH p, count(*) AS n MATCH (p)-[:LIVES_IN]->(c) RETURN c": "Ann Bob Cid",
    "MATCH (p:Person {name: 'Ann'}) WITH p.name AS x MATCH (c:City) RETURN x, c": "Ann",
    "MATCH (p:Person) WITH p ORDER BY p.age LIMIT 1 MATCH (p)-[:LIVES_IN]->(c) RETURN c": "Ann Bob Cid",
    "MATCH (p:Person {name: 'Ann'})-[:KNOWS*2]->(q) RETURN q": "Ann Cid",
    "MATCH (p {name: 'Ann'})((a)-[:KNOWS]->(b)){2}(q) RETURN q": "Ann Cid",
    "MATCH (a:City) RETURN a.name UNION MATCH (a:Person {name: 'Ann'}) RETURN a.name": "Rome Oslo Ann",
    "CALL { MATCH (a:City) RETURN a UNION MATCH (a:Person {name: 'Ann'}) RETURN a } RETURN a.name": "Rome Oslo Ann",
    "MATCH (p:Person) WHERE EXISTS { (p)-[:LIVES_IN]->(:City {name: 'Oslo'}) } RETURN p": "Cid",
    "MATCH (p:Person), (c:City {name: 'Oslo'}) WHERE false RETURN p": "",
    "UNWIND [1] AS x MATCH (p:Person) RETURN p": "",
    "OPTIONAL MATCH (p:Person) RETURN p": "",
    "RETURN 1": "",
}
"""Query -> the nodes of its prefix."""


@pytest.mark.parametrize("query", LOOKED_AT)
def test_what_is_looked_at(session: Session, query: str) -> None:
    similarity = psjs(query, "MATCH (n:Nothing) RETURN n", session)
    assert names(session, similarity.expected) == set(LOOKED_AT[query].split())
    assert similarity.score == 0.0


def test_a_name_that_with_drops_is_still_bound(session: Session) -> None:
    """`WITH p` counts as `WITH *`: the second q is the first."""
    query = "MATCH (p:Person {name: 'Ann'})-[:KNOWS]->(q) WITH p MATCH (p)-[:LIVES_IN]->(q) RETURN q"
    assert session.run(query).rows != []
    assert psjs(query, PERSONS, session).expected == frozenset()


@pytest.mark.parametrize(
    ("expected", "found", "score"),
    [
        (PERSONS, PERSONS, 1.0),
        (PERSONS, "MATCH (n:Person) RETURN count(n) AS n", 1.0),
        (PERSONS, "MATCH (p:Person) WHERE p.age > 35 RETURN p.name", 2 / 3),
        (PERSONS, "MATCH (p:Person)-[:LIVES_IN]->(c:City) RETURN p.name", 3 / 5),
        ("MATCH (a)-[:KNOWS]->(b {name: 'Bob'}) RETURN a", "MATCH (a)-[:KNOWS]->(b {name: 'Cid'}) RETURN a", 1 / 3),
        (PERSONS, "MATCH (c:City) RETURN c.name", 0.0),
        ("RETURN 1", "RETURN 2", 0.0),
        ("RETURN 1", "RETURN 1", 1.0),
        (PERSONS, "MATCH (p:Person RETURN p", 0.0),
        (PERSONS, "MATCH (p:Person) WHERE q.age > 1 RETURN p", 0.0),
    ],
)
def test_cypherbench(session: Session, expected: str, found: str, score: float) -> None:
    assert psjs(expected, found, session).score == pytest.approx(score)
    assert float(psjs(found, expected, session)) == pytest.approx(score)


@pytest.mark.parametrize(
    ("expected", "found", "score"),
    [
        (PERSONS, "MATCH (q:Person) RETURN q.name AS `p.name`", 1.0),
        (PERSONS, "MATCH (n:Person) RETURN n.name AS other", 1.0),
        (PERSONS, "MATCH (p:Person) WHERE p.age > 35 RETURN p.name", 2 / 3),
        (PERSONS, "MATCH (p:Person) RETURN p.name ORDER BY p.age DESC SKIP 1 LIMIT 1", 1.0),
        (PERSONS, "MATCH (p:Person) WITH p ORDER BY p.age LIMIT 1 RETURN p.name", 1.0),
        (PERSONS, "MATCH (p:Person)-[:LIVES_IN]->(c:City) RETURN c.name", 1.0),
        (PERSONS, "MATCH (c:City)<-[:LIVES_IN]-(p:Person) RETURN p.age", 0.0),
        ("MATCH (p:Person)-[:KNOWS]->(q) RETURN q.name", "MATCH (q)<-[:KNOWS]-(p:Person) RETURN p.name", 1.0),
        (PERSONS, "MATCH (n) RETURN n.name", 0.0),
        (PERSONS, "MATCH (:Person)-[:KNOWS]->(q) RETURN q.age", 0.0),
        (PERSONS, "MATCH (p:Person) WITH count(p) AS n RETURN n", 0.0),
        (PERSONS, "MATCH (p:Person) RETURN p.age UNION MATCH (c:City) RETURN c.name AS `p.age`", 1.0),
        (PERSONS, "MATCH (p:Person RETURN p", 0.0),
        ("MATCH (n:No) RETURN n", "MATCH (n:No) RETURN n AS x", 1.0),
        ("MATCH (n:No) RETURN n", "MATCH (n:No) RETURN count(n) AS x", 0.0),
        ("MATCH (p:Person) OPTIONAL MATCH (n:No) RETURN 1", "OPTIONAL MATCH (n:No) RETURN 2", 0.0),
        (
            "OPTIONAL MATCH (n:No) RETURN 1 AS x",
            "OPTIONAL MATCH (n:Nope) RETURN 2 AS x",
            1.0,
        ),
    ],
)
def test_cypherturn(session: Session, expected: str, found: str, score: float) -> None:
    assert psjs(expected, found, session, "cypherturn").score == pytest.approx(score)


def test_the_variants_differ(session: Session) -> None:
    """The same rows from other nodes: one variant stops at the rows."""
    expected, found = "MATCH (c:City) RETURN count(*) > 1 AS many", "MATCH (p:Person) RETURN count(*) > 1 AS many"
    assert psjs(expected, found, session, "cypherturn") == Similarity(1.0, "the results are equal")
    assert psjs(expected, found, session).score == 0.0


def test_nothing_is_written(session: Session) -> None:
    query = "MATCH (p:Person) SET p.age = 0 RETURN p.name"
    assert psjs(PERSONS, query, session, "cypherturn") == Similarity(0.0, "a query that writes is not run")
    assert psjs(PERSONS, query, session).score == 1.0
    assert session.run("MATCH (p:Person {age: 0}) RETURN count(*)").rows == [(0,)]


def test_a_failure_is_told(session: Session) -> None:
    similarity = psjs(PERSONS, "MATCH (p:Person) WHERE p.age / 0 = 1 RETURN p", session)
    assert similarity.reason.startswith("the found query fails: G63")
    similarity = psjs(PERSONS, "MATCH (p:Person RETURN p", session, "cypherturn")
    assert similarity.reason.startswith("0 of 3 nodes in common; the found query fails: G0")
    with pytest.raises(graphir.UsageFault):
        psjs(PERSONS, PERSONS, session, "other")  # type: ignore[arg-type]
