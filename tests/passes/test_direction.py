"""Relationships that run the other way in the schema, and those that must be left alone."""

from __future__ import annotations

import dataclasses

import pytest

import graphir
from graphir.passes.schema.direction import flip
from graphir.profiles import LINT, Options, pass_of
from graphir.schema import Schema
from graphir.source import Source
from tests.passes.graphs import ALIKE, EXACT, MOVIES

REVERSED = [
    # the forms of an arrow
    ("MATCH (m:Movie)-[:ACTED_IN]->(p:Person) RETURN 1", "MATCH (m:Movie)<-[:ACTED_IN]-(p:Person) RETURN 1"),
    ("MATCH (p:Person)<-[:ACTED_IN]-(m:Movie) RETURN 1", "MATCH (p:Person)-[:ACTED_IN]->(m:Movie) RETURN 1"),
    ("MATCH (g:Genre)-->(m:Movie) RETURN 1", "MATCH (g:Genre)<--(m:Movie) RETURN 1"),
    ("MATCH (m:Movie)<--(g:Genre) RETURN 1", "MATCH (m:Movie)-->(g:Genre) RETURN 1"),
    ("MATCH (m:Movie)<-[]-(g:Genre) RETURN 1", "MATCH (m:Movie)-[]->(g:Genre) RETURN 1"),
    ("MATCH (m:Movie)<-[r]-(g:Genre) RETURN r", "MATCH (m:Movie)-[r]->(g:Genre) RETURN r"),
    (
        "MATCH (m:Movie) - [ r :RATED /* -> */ {rating: '->'} ] - > (u:User) RETURN 1",
        "MATCH (m:Movie) <- [ r :RATED /* -> */ {rating: '->'} ] -  (u:User) RETURN 1",
    ),
    ("MATCH (m:Movie)-[:`ACTED_IN`]->(p:Person) RETURN 1", "MATCH (m:Movie)<-[:`ACTED_IN`]-(p:Person) RETURN 1"),
    ("MATCH (m:Movie)-[`]->`:RATED]->(:User) RETURN 1", "MATCH (m:Movie)<-[`]->`:RATED]-(:User) RETURN 1"),
    ("MATCH (m:Movie)\u2013[:RATED]-\u27e9(:User) RETURN 1", "MATCH (m:Movie)<\u2013[:RATED]-(:User) RETURN 1"),
    ("MATCH (:User)\u27e8-[:RATED]-(:Movie) RETURN 1", "MATCH (:User)-[:RATED]->(:Movie) RETURN 1"),
    ("MATCH (m:Movie)-[:RATED|ACTED_IN]->(p) RETURN 1", "MATCH (m:Movie)<-[:RATED|ACTED_IN]-(p) RETURN 1"),
    ("MATCH (m:Movie)-[:!IN_GENRE]->(p) RETURN 1", "MATCH (m:Movie)<-[:!IN_GENRE]-(p) RETURN 1"),
    # one end known
    ("MATCH ()-[:ACTED_IN]->(p:Person) RETURN 1", "MATCH ()<-[:ACTED_IN]-(p:Person) RETURN 1"),
    ("MATCH (m:Movie)-[:ACTED_IN]->(x) RETURN x", "MATCH (m:Movie)<-[:ACTED_IN]-(x) RETURN x"),
    # chains, commas
    (
        "MATCH (p:Person)<-[:ACTED_IN]-(m:Movie)<-[:IN_GENRE]-(g) RETURN 1",
        "MATCH (p:Person)-[:ACTED_IN]->(m:Movie)-[:IN_GENRE]->(g) RETURN 1",
    ),
    (
        "MATCH (p:Person)-[:ACTED_IN]->(m)<-[:IN_GENRE]-(g:Genre) RETURN 1",
        "MATCH (p:Person)-[:ACTED_IN]->(m)-[:IN_GENRE]->(g:Genre) RETURN 1",
    ),
    (
        "MATCH (p:Person), (p)<-[:ACTED_IN]-(m) RETURN 1",
        "MATCH (p:Person), (p)-[:ACTED_IN]->(m) RETURN 1",
    ),
    (
        "MATCH (g)<-[:IN_GENRE]-(m), (m)-[:RATED]->(u) RETURN 1",
        "MATCH (g)<-[:IN_GENRE]-(m), (m)<-[:RATED]-(u) RETURN 1",
    ),
    # across clauses
    (
        "MATCH (u:User)-[:RATED]->(m) MATCH (m)-[:ACTED_IN]->(p) RETURN 1",
        "MATCH (u:User)-[:RATED]->(m) MATCH (m)<-[:ACTED_IN]-(p) RETURN 1",
    ),
    (
        "MATCH (m)-[:ACTED_IN]->(p) MATCH (m:Movie) RETURN 1",
        "MATCH (m)<-[:ACTED_IN]-(p) MATCH (m:Movie) RETURN 1",
    ),
    (
        "MATCH (m)-[:ACTED_IN]->(p) WHERE m:Movie RETURN 1",
        "MATCH (m)<-[:ACTED_IN]-(p) WHERE m:Movie RETURN 1",
    ),
    (
        "MATCH (m:Movie) WITH m AS x MATCH (x)-[:ACTED_IN]->(p) RETURN 1",
        "MATCH (m:Movie) WITH m AS x MATCH (x)<-[:ACTED_IN]-(p) RETURN 1",
    ),
    (
        "MATCH (m:Movie) WITH collect(m) AS ms UNWIND ms AS x MATCH (x)-[:ACTED_IN]->(p) RETURN 1",
        "MATCH (m:Movie) WITH collect(m) AS ms UNWIND ms AS x MATCH (x)<-[:ACTED_IN]-(p) RETURN 1",
    ),
    (
        "MATCH (m:Movie) OPTIONAL MATCH (m)-[:ACTED_IN]->(p) RETURN 1",
        "MATCH (m:Movie) OPTIONAL MATCH (m)<-[:ACTED_IN]-(p) RETURN 1",
    ),
    # inside of expressions and subqueries
    (
        "MATCH (m:Movie) WHERE (m)-[:ACTED_IN]->() RETURN 1",
        "MATCH (m:Movie) WHERE (m)<-[:ACTED_IN]-() RETURN 1",
    ),
    (
        "MATCH (m:Movie) WHERE NOT EXISTS { (m)-[:ACTED_IN]->() } RETURN 1",
        "MATCH (m:Movie) WHERE NOT EXISTS { (m)<-[:ACTED_IN]-() } RETURN 1",
    ),
    (
        "MATCH (m:Movie) RETURN COUNT { (m)-[:RATED]->(u:User) }",
        "MATCH (m:Movie) RETURN COUNT { (m)<-[:RATED]-(u:User) }",
    ),
    (
        "MATCH (m:Movie) RETURN [(m)-[:RATED]->(u) | u.name]",
        "MATCH (m:Movie) RETURN [(m)<-[:RATED]-(u) | u.name]",
    ),
    (
        "MATCH (m:Movie) CALL (m) { MATCH (m)-[:RATED]->(u) RETURN u } RETURN u",
        "MATCH (m:Movie) CALL (m) { MATCH (m)<-[:RATED]-(u) RETURN u } RETURN u",
    ),
    # paths of several edges
    (
        "MATCH (m:Movie)-[:ACTED_IN*1..1]->(p:Person) RETURN 1",
        "MATCH (m:Movie)<-[:ACTED_IN*1..1]-(p:Person) RETURN 1",
    ),
    (
        "MATCH (m:Movie)-[:KNOWS|ACTED_IN*]->(p:Person) RETURN 1",
        "MATCH (m:Movie)<-[:KNOWS|ACTED_IN*]-(p:Person) RETURN 1",
    ),
    (
        "MATCH (m:Movie)-[:ACTED_IN|KNOWS]->{1,3}(p:Person) RETURN 1",
        "MATCH (m:Movie)<-[:ACTED_IN|KNOWS]-{1,3}(p:Person) RETURN 1",
    ),
    (
        "MATCH (p:Person)<-[:ACTED_IN|KNOWS]-+(m:Movie) RETURN 1",
        "MATCH (p:Person)-[:ACTED_IN|KNOWS]->+(m:Movie) RETURN 1",
    ),
    (
        "MATCH (a:Movie) ((m)-[:RATED]->(u)){1,1} (b:User) RETURN 1",
        "MATCH (a:Movie) ((m)<-[:RATED]-(u)){1,1} (b:User) RETURN 1",
    ),
    (
        "MATCH ((m:Movie)-[:RATED]->(u) WHERE u.name = 'x'){1,2} RETURN 1",
        "MATCH ((m:Movie)<-[:RATED]-(u) WHERE u.name = 'x'){1,2} RETURN 1",
    ),
    (
        "MATCH p = shortestPath((m:Movie)-[:ACTED_IN*1..1]->(:Person)) RETURN p",
        "MATCH p = shortestPath((m:Movie)<-[:ACTED_IN*1..1]-(:Person)) RETURN p",
    ),
    (
        "MATCH p = ANY SHORTEST (m:Movie)-[:ACTED_IN]->(:Person) RETURN p",
        "MATCH p = ANY SHORTEST (m:Movie)<-[:ACTED_IN]-(:Person) RETURN p",
    ),
]


@pytest.mark.parametrize(("query", "wanted"), REVERSED, ids=[query for query, _ in REVERSED])
def test_the_arrow_is_turned_and_nothing_else(query: str, wanted: str) -> None:
    repair = graphir.repair(query, schema=MOVIES)
    assert repair.text == wanted
    assert {found.code for found in repair.applied} == {"G230"}
    assert told(repair.text, MOVIES) == []


ALONE = [
    "MATCH (a:Person)-[:KNOWS]->(b:Person) RETURN 1",
    "MATCH (a:Person)<-[:KNOWS]-(b) RETURN 1",
    "MATCH (a)-[:ACTED_IN]->(b) RETURN 1",
    "MATCH (a)-->(b) RETURN 1",
    "MATCH (m:Movie)-[:ACTED_IN]-(p:Person) RETURN 1",
    "MATCH (m:Movie)--(p:Person) RETURN 1",
    "MATCH (m:Movie)<-->(p:Person) RETURN 1",
    "MATCH (m:Movie), (p:Person) RETURN 1",
    "MATCH (m:Movie), (p:Person)-[:ACTED_IN]->(m) RETURN 1",
    "MATCH (p:Person)-[:KNOWS*0..2]->(q) RETURN 1",
    "MATCH (x:Person|Movie)-[:IN_GENRE]->(g) RETURN 1",
    "MATCH (x:!Movie)-[:ACTED_IN]->(m) RETURN 1",
    "MATCH (x:Person&User)-[:RATED]->(m) RETURN 1",
    "MATCH (p:Person)-[:ACTED_IN*]-(q:Person) RETURN 1",
    "MATCH (p:Person) (()-[:ACTED_IN]->()<-[:ACTED_IN]-()){1,3} (q:Person) RETURN 1",
    "MATCH (x:$($label))-[:ACTED_IN]->(p:Movie) RETURN 1",
    "MATCH (m:Movie) OPTIONAL MATCH (p)-[:RATED]->(m) RETURN 1",
    "MATCH (x) WHERE x:Movie OR x.title = 'y' MATCH (x)-[:ACTED_IN]->(y) RETURN 1",
    "UNWIND $list AS x MATCH (x)-[:ACTED_IN]->(y) RETURN 1",
    "CALL db.index.fulltext.queryNodes('i', 'x') YIELD node MATCH (node)-[:ACTED_IN]->(m:Movie) RETURN m",
]


@pytest.mark.parametrize("query", ALONE)
def test_what_fits_is_left_alone(query: str) -> None:
    assert told(query, MOVIES) == []
    assert graphir.repair(query, schema=MOVIES).text == query


UNDECIDED = [
    # either of the two may be meant the other way
    ("MATCH (a)-[:ACTED_IN]->(b)-[:DIRECTED]->(c) RETURN 1", ["G231"]),
    ("MATCH (a)-[:ACTED_IN]->(b) MATCH (b)-[:DIRECTED]->(c) RETURN 1", ["G231"]),
    # what is outside of OPTIONAL MATCH is satisfied as it is
    ("MATCH (a)-[:ACTED_IN]->(b) OPTIONAL MATCH (b:Person)-[:KNOWS]->(c) RETURN 1", ["G144"]),
    ("MATCH (a)-[:ACTED_IN]->(b) WHERE EXISTS { (b)-[:KNOWS]->(c) } RETURN 1", ["G144"]),
    # nothing helps
    ("MATCH (a:Genre)-[:ACTED_IN]->(b:User) RETURN 1", ["G144"]),
    ("MATCH (a:Person)-[:ACTED_IN]->(b)-[:KNOWS]->(c) RETURN 1", ["G144"]),
    # a label that is not there says nothing
    ("MATCH (a:Zebra)-[:ACTED_IN]->(b:Person) RETURN 1", ["G140", "G230"]),
    ("MATCH (a:Movie)-[:ZEBRA]->(b:Person) RETURN 1", ["G141"]),
    # what is written is not turned
    ("MATCH (m:Movie), (p:Person) MERGE (m)-[:ACTED_IN]->(p)", ["G153"]),
]


@pytest.mark.parametrize(("query", "codes"), UNDECIDED, ids=[query for query, _ in UNDECIDED])
def test_what_is_not_certain(query: str, codes: list[str]) -> None:
    assert told(query, MOVIES) == codes
    if "G230" not in codes:
        assert graphir.repair(query, schema=MOVIES).text == query


def test_inherited_labels_count() -> None:
    assert told("MATCH (a:Actor)-[:SAW]->(m) RETURN 1", EXACT) == []
    assert told("MATCH (a:Person)-[:ACTED_IN]->(m) RETURN 1", EXACT) == []
    assert told("MATCH (m:Movie)-[:SAW]->(a:Actor) RETURN 1", EXACT) == ["G230"]


def test_labels_of_nodes_that_look_alike_count() -> None:
    assert told("MATCH (a:Actor)-[:DIRECTED]->(m) RETURN 1", ALIKE) == []
    assert told("MATCH (m:Movie)-[:DIRECTED]->(a:Actor) RETURN 1", ALIKE) == ["G230"]


@pytest.mark.parametrize("text", ["(Person, ACTED_IN, Movie)"])
def test_triples_are_silent_on_what_they_do_not_list(text: str) -> None:
    known = Schema.read(text, "triples")
    assert told("MATCH (x:Studio)-[:OWNS]->(y:Person) RETURN y.anything", known) == []
    assert told("MATCH (x:Studio)-[:ACTED_IN]->(m:Movie) RETURN m.anything", known) == []
    assert told("MATCH (m:Movie)-[:ACTED_IN]->(x:Studio) RETURN 1", known) == ["G230"]


def test_a_direction_is_missing_only_where_it_is_asked_for() -> None:
    query = "MATCH (a)--(b)-[r]-(c)-->(d)<-->(e) RETURN [(a)-[]-(d) | 1]"
    asked = dataclasses.replace(LINT, options=Options(require_directed=True))
    places = [query[d.start : d.end] for d in graphir.check(query, profile=asked) if d.code == "G232"]
    assert places == ["--", "-[r]-", "<-->", "-[]-"]
    assert told(query, MOVIES) == []


def test_an_arrow_behind_a_comment_is_not_touched() -> None:
    query = "MATCH (m:Movie)<-[:IN_GENRE]-// -\n{1,2}(g:Genre) RETURN 1"
    (found,) = (d for d in graphir.check(query, schema=MOVIES) if d.code == "G230")
    assert found.fix is None
    edge = graphir.parse("MATCH (a)--(b) RETURN 1").body.operators[0].paths[0].elements[1]  # type: ignore[attr-defined]
    assert flip(Source("MATCH (a)--(b) RETURN 1"), edge) is None


def told(query: str, schema: Schema) -> list[str]:
    return [d.code for d in graphir.check(query, schema=schema) if pass_of(d.code) in ("schema", "direction")]
