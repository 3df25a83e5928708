"""What a query asks of a schema that the schema does not have; and what looks like it and is not."""

from __future__ import annotations

import pytest

import graphir
from graphir.profiles import pass_of
from graphir.schema import Schema
from tests.passes.graphs import ALIKE, EXACT, MOVIES

CLEAN = [
    "MATCH (p:Person)-[r:ACTED_IN]->(m:Movie) RETURN p.name, r.roles, m.title",
    "MATCH (n) RETURN n.name, n.title",
    "MATCH (n) WHERE n:Person OR n:Movie RETURN n.name, n.title",
    "MATCH (n:Person|Movie) RETURN n.born, n.released",
    "MATCH (n:!Person) RETURN n.title",
    "MATCH (n:Person) RETURN CASE WHEN n:User THEN n.userId ELSE n.born END",
    "MATCH (n:Person&User) RETURN n.born, n.userId",
    "MATCH (n:Person) MATCH (n:User) RETURN n.born, n.userId",
    "MATCH (n:Person|Movie) MATCH (n:Movie|User)-[:ACTED_IN]->(x) RETURN n.userId, n.born",
    "MATCH (n) WHERE EXISTS { (n:User)-[:RATED]->() } MATCH (n:Person) RETURN n.userId",
    "MATCH (n:Person) SET n:User RETURN n.userId",
    "MATCH (n:Person) OPTIONAL MATCH (n:User)-[:RATED]->(m) RETURN n.name, m.title",
    "MATCH (n:$($label)) RETURN n.userId, n.title",
    "MATCH (n:$('Person')) RETURN n.born",
    "MATCH (n) RETURN n[$key], n['title']",
    "MATCH (p:Person) RETURN properties(p), keys(p), p {.*}",
    "MATCH (p:Person) WITH p.born AS title RETURN title.year",
    "MATCH (p:Person) WITH {title: p.name} AS p RETURN p.title",
    "WITH {title: 1} AS p RETURN p.title",
    "MATCH (p:Person) WITH p.name AS p RETURN p",
    "CALL db.index.fulltext.queryNodes('i', 'x') YIELD node RETURN node.title",
    "CALL { MATCH (m:Movie) RETURN m UNION MATCH (p:Person) RETURN p AS m } RETURN m.title, m.born",
    "MATCH (p:Person) RETURN date(p.born).year, point({x: 1, y: 2}).x",
    "MATCH p = (:Person)-[*]-(:Movie) UNWIND nodes(p) AS n RETURN n.title, n.born, n.userId",
    "MATCH p = (:Person)-[:ACTED_IN]->(:Movie) RETURN head(nodes(p)).born, last(nodes(p)).title, nodes(p)[-1].title",
    "MATCH p = (:Person)-[:ACTED_IN]->(:Movie) RETURN reverse(nodes(p))[0].title, tail(nodes(p))[0].title",
    "MATCH p = (:Person)-[:ACTED_IN]->(:Movie) WITH [n IN nodes(p) WHERE n:Movie] AS ns RETURN ns[0].title",
    "MATCH p = (:Person)-[:ACTED_IN]->(:Movie) RETURN nodes(p)[1..][0].title, nodes(p)[2].title",
    "MATCH p = (:Person)-[:KNOWS*]->()-[:ACTED_IN]->(:Movie) RETURN last(nodes(p)).title, nodes(p)[1].title",
    "MATCH (p:Person)-[rs*]->(m) RETURN [r IN rs | r.roles]",
    "UNWIND $rows AS row MATCH (p:Person {name: row.title}) RETURN p",
    "MATCH (p:Person) RETURN [x IN collect(p) | x.born]",
    "MATCH (p:Person) WHERE p.born IS NULL RETURN count(*)",
    "MATCH (p:Person {name: $name, born: 1}) RETURN p",
    "MATCH (a:Person)-[:KNOWS*1..3]-(b:Person) RETURN b.born",
    "MATCH (a:Person) ((x)-[:KNOWS]->(y)){1,3} (b:Person) RETURN [n IN x | n.born]",
    "RETURN 1 AS n",
    "MATCH (n)-[r]->() RETURN r.rating, r.roles, n.title",
    "MATCH (n) WHERE 'User' IN labels(n) RETURN n.userId",
    "MATCH ()-[r]->() WHERE type(r) = 'RATED' RETURN r.rating",
    "MERGE (p:Person {name: 'a'}) ON CREATE SET p.born = 1 RETURN p",
    "MATCH (p:Person), (m:Movie) CREATE (p)-[:ACTED_IN {roles: ['x']}]->(m)",
    "MATCH (p:Person) REMOVE p.born",
    "MATCH ()-[r:RATED]-() RETURN startNode(r).userId, endNode(r).title",
    "MATCH ()-[r:RATED]-() RETURN startNode(r).title",
    "MATCH (p:Person) RETURN properties(p).born, properties(p)['name']",
]


@pytest.mark.parametrize("query", CLEAN)
def test_what_fits_is_not_reported(query: str) -> None:
    assert told(query, MOVIES) == []


FOUND = [
    # labels and types
    ("MATCH (n:Persn) RETURN n", [("G140", "Persn", "Person")]),
    ("MATCH (n:person) RETURN n", [("G140", "person", "Person")]),
    ("MATCH (n:Movies) RETURN n", [("G140", "Movies", "Movie")]),
    ("MATCH (n:Zebra {stripes: 1}) RETURN n.colour", [("G140", "Zebra", None)]),
    ("MATCH (n:Person&!Mvie) RETURN n", [("G140", "Mvie", "Movie")]),
    ("MATCH (n:Person|Zebra) RETURN n", [("G140", "Zebra", None)]),
    ("MATCH (n) WHERE n:Zebra RETURN n", [("G140", "Zebra", None)]),
    ("MATCH (n) WHERE n IS Zebra RETURN n", [("G140", "Zebra", None)]),
    ("MATCH (n) RETURN n:Zebra", [("G140", "Zebra", None)]),
    ("MATCH (n:`Zeb ra`) RETURN n", [("G140", "`Zeb ra`", None)]),
    ("MATCH (n:$('Zebra')) RETURN n", [("G140", "Zebra", None)]),
    ("MATCH (n) WHERE 'Zebra' IN labels(n) RETURN n", [("G140", "Zebra", None)]),
    ("MATCH (p:Person) WHERE EXISTS { (p)--(:Zebra) } RETURN p", [("G140", "Zebra", None)]),
    ("MATCH (p:Person) REMOVE p:Zebra", [("G140", "Zebra", None)]),
    ("MATCH ()-[:ACTEDIN]->() RETURN 1", [("G141", "ACTEDIN", "ACTED_IN")]),
    ("MATCH ()-[:acted_in]->() RETURN 1", [("G141", "acted_in", "ACTED_IN")]),
    ("MATCH ()-[:RATED|FOO]->() RETURN 1", [("G141", "FOO", None)]),
    ("MATCH ()-[:!FOO]->() RETURN 1", [("G141", "FOO", None)]),
    ("MATCH ()-[r]->() WHERE r:FOO RETURN 1", [("G141", "FOO", None)]),
    ("MATCH ()-[r]->() WHERE type(r) = 'FOO' RETURN 1", [("G141", "FOO", None)]),
    ("MATCH ()-[r]->() WHERE type(r) IN ['RATED', 'FOO'] RETURN 1", [("G141", "FOO", None)]),
    ("MATCH (:Person)-[:FOO]->(:Genre) RETURN 1", [("G141", "FOO", None)]),
    ("RETURN COUNT { (:Person)-[:FOO]->() }", [("G141", "FOO", None)]),
    ("MATCH (:ACTED_IN) RETURN 1", [("G145", "ACTED_IN", None)]),
    ("MATCH ()-[:Movie]->() RETURN 1", [("G145", "Movie", None)]),
    # properties that nothing has
    ("MATCH (p:Person) RETURN p.nmae", [("G142", "nmae", "name")]),
    ("MATCH (p:Person) RETURN p.Born", [("G142", "Born", "born")]),
    ("MATCH (p:Person) RETURN p.names", [("G142", "names", "name")]),
    ("MATCH (p:Person {nam: 1}) RETURN 1", [("G142", "nam", "name")]),
    ("MATCH (p:Person) WHERE p['nam'] = 1 RETURN 1", [("G142", "nam", "name")]),
    ("MATCH (p:Person) RETURN p {.nam}", [("G142", "nam", "name")]),
    ("MATCH (p:Person) RETURN p.`nam`", [("G142", "nam", "name")]),
    ("MATCH (n) RETURN n.zebra", [("G142", "zebra", None)]),
    ("MATCH ()-[r:RATED]->() RETURN r.ratng", [("G142", "ratng", "rating")]),
    ("MATCH ()-[r:RATED {ratng: 1}]->() RETURN 1", [("G142", "ratng", "rating")]),
    ("MATCH ()-[r:RATED*]->() WHERE all(x IN r WHERE x.ratng > 1) RETURN 1", [("G142", "ratng", "rating")]),
    # of another type
    ("MATCH (p:Person) RETURN p.title", [("G143", "title", None)]),
    ("MATCH (p:Person)-[r:ACTED_IN]->(m) RETURN p.roles", [("G143", "roles", None)]),
    ("MATCH (p:Person)-[r:ACTED_IN]->(m) RETURN m.roles", [("G143", "roles", None)]),
    ("MATCH (p:Person)-[r:ACTED_IN]->(m) RETURN r.title", [("G143", "title", None)]),
    ("MATCH (p)-[r:ACTED_IN]->(m) RETURN p.title", [("G143", "title", None)]),
    ("MATCH (p)-[:KNOWS]-(q) RETURN q.title", [("G143", "title", None)]),
    ("MATCH (p)-[:RATED]->()-[:IN_GENRE]->(g) RETURN g.userId", [("G143", "userId", None)]),
    ("MATCH (p:Person)-[]->(m) WHERE m.userId = 1 RETURN m", [("G143", "userId", None)]),
    # through clauses, aliases, subqueries, lists, paths
    ("MATCH (p:Person) WITH p AS q RETURN q.title", [("G143", "title", None)]),
    ("MATCH (p:Person) WITH *, 1 AS x RETURN p.title", [("G143", "title", None)]),
    ("MATCH (p:Person) WITH DISTINCT p ORDER BY p.title LIMIT 1 RETURN p", [("G143", "title", None)]),
    ("MATCH (p:Person) WITH p WHERE p.title = 1 RETURN p", [("G143", "title", None)]),
    ("MATCH (p:Person) LET q = p RETURN q.title", [("G143", "title", None)]),
    ("MATCH (p:Person) FILTER p.title = 1 RETURN p", [("G143", "title", None)]),
    ("MATCH (p:Person) WITH collect(p) AS ps UNWIND ps AS q RETURN q.title", [("G143", "title", None)]),
    ("MATCH (p:Person) WITH collect(p) AS ps RETURN head(ps).title", [("G143", "title", None)]),
    ("MATCH (p:Person) WITH collect(p) AS ps RETURN ps[0].title", [("G143", "title", None)]),
    ("MATCH (p:Person) WITH collect(p) AS ps RETURN [q IN ps[1..] | q.title]", [("G143", "title", None)]),
    ("MATCH (p:Person) WITH collect(p) AS ps RETURN any(q IN ps WHERE q.title = 1)", [("G143", "title", None)]),
    ("MATCH (p:Person) RETURN reduce(s = 0, q IN collect(p) | s + q.title)", [("G143", "title", None)]),
    ("MATCH (p:Person) WITH {who: p} AS m RETURN m.who.title", [("G143", "title", None)]),
    ("MATCH (p:Person) WITH p {.name, who: p} AS m RETURN m.who.title", [("G143", "title", None)]),
    ("MATCH ()-[r:RATED]->() RETURN startNode(r).title", [("G143", "title", None)]),
    ("MATCH ()<-[r:RATED]-() RETURN endNode(r).userId", [("G143", "userId", None)]),
    ("MATCH (p:Person) RETURN properties(p).title", [("G143", "title", None)]),
    ("MATCH (p:Person) RETURN coalesce(p, null).title", [("G143", "title", None)]),
    ("MATCH (p:Person) RETURN COLLECT { MATCH (p)-[:KNOWS]->(q) RETURN q.title }", [("G143", "title", None)]),
    ("MATCH (p) WITH COLLECT { MATCH (q:Movie) RETURN q } AS ms RETURN [q IN ms | q.born]", [("G143", "born", None)]),
    ("MATCH (p:Person) WHERE EXISTS { MATCH (p)-[:KNOWS]->(q) WHERE q.title = 1 } RETURN p", [("G143", "title", None)]),
    ("MATCH (p:Person) RETURN [(p)-[:ACTED_IN]->(m) | m.born]", [("G143", "born", None)]),
    ("MATCH (p:Person) RETURN [(p)-[:ACTED_IN]->(m) WHERE m.born = 1 | m.title]", [("G143", "born", None)]),
    ("MATCH (p:Person) CALL (p) { MATCH (p)-[:ACTED_IN]->(m) RETURN m } RETURN m.born", [("G143", "born", None)]),
    ("MATCH (p:Person) CALL { WITH p MATCH (p) RETURN p.title AS t } RETURN t", [("G143", "title", None)]),
    ("CALL { MATCH (m:Movie) RETURN m UNION MATCH (m:Genre) RETURN m } RETURN m.born", [("G143", "born", None)]),
    ("MATCH (p:Person) RETURN p UNION MATCH (p:Movie) RETURN p.born AS p", [("G143", "born", None)]),
    ("MATCH (p:Person) FOREACH (q IN [p] | SET q.born = q.title)", [("G143", "title", None)]),
    ("MATCH p = (:Person)-[:KNOWS]->(:Person) RETURN [n IN nodes(p) | n.title]", [("G143", "title", None)]),
    ("MATCH p = (:Person)-[:ACTED_IN]->(:Movie) RETURN last(nodes(p)).born", [("G143", "born", None)]),
    ("MATCH p = (:Person)-[:ACTED_IN]->(:Movie) RETURN nodes(p)[-2].title", [("G143", "title", None)]),
    ("MATCH p = (:Person)-[:ACTED_IN]->(:Movie) WITH nodes(p) AS ns RETURN ns[1].born", [("G143", "born", None)]),
    ("MATCH p = (:Person)-[:RATED|KNOWS]-() RETURN [r IN relationships(p) | r.title]", [("G143", "title", None)]),
    ("MATCH (a:Person) ((x)-[e:KNOWS]->(y)){1,3} (b) RETURN [n IN x | n.title]", [("G143", "title", None)]),
    ("MATCH (a:Person) ((x)-[e:KNOWS]->(y) WHERE y.title = 1){1,3} (b) RETURN 1", [("G143", "title", None)]),
    ("MATCH (a:Person)-[:KNOWS*1..3]->(b) RETURN b.title", [("G143", "title", None)]),
    ("MATCH (p:Person) RETURN p NEXT RETURN p.title", [("G143", "title", None)]),
    ("MATCH (p:Person WHERE p.title = 1) RETURN p", [("G143", "title", None)]),
    ("MATCH ()-[r:RATED WHERE r.title = 1]->() RETURN r", [("G143", "title", None)]),
    # ends
    ("MATCH (:Person)-[:KNOWS]->(:Movie) RETURN 1", [("G144", "-[:KNOWS]->", None)]),
    ("MATCH (:Person)-[:RATED]-(:Genre) RETURN 1", [("G144", "-[:RATED]-", None)]),
    ("MATCH (:Genre)-->(:Person) RETURN 1", [("G144", "-->", None)]),
    ("MATCH (:Genre)-[:KNOWS*]->() RETURN 1", [("G144", "-[:KNOWS*]->", None)]),
    ("MATCH (g:Genre) WHERE NOT (g)-[:KNOWS]->() RETURN 1", [("G144", "-[:KNOWS]->", None)]),
    ("MATCH (:Genre) (()-[:KNOWS]->()){1,2} () RETURN 1", [("G144", "-[:KNOWS]->", None)]),
    ("MATCH (p:Person) MATCH (p)-[:RATED]->() RETURN 1", [("G144", "-[:RATED]->", None)]),
    # writes
    ("CREATE (n:Zebra)", [("G150", "Zebra", None)]),
    ("MATCH (p:Person) SET p:Zebra", [("G150", "Zebra", None)]),
    ("MATCH (p:Person) CREATE (p)-[:FOO]->(p)", [("G151", "FOO", None)]),
    ("CREATE (n:Person {nam: 1})", [("G152", "nam", "name")]),
    ("MATCH (p:Person) SET p.nam = 1", [("G152", "nam", "name")]),
    ("MATCH (p:Person) SET p += {nam: 1}", [("G152", "nam", "name")]),
    ("MERGE (p:Person) ON MATCH SET p.title = 1", [("G152", "title", None)]),
    ("MATCH (p:Person), (m:Movie) CREATE (m)-[:ACTED_IN]->(p)", [("G153", "-[:ACTED_IN]->", None)]),
]


def told(query: str, schema: Schema) -> list[tuple[str, str, str | None]]:
    """Code, text under the place and the new name of the repair, if there is one."""
    found = [d for d in graphir.check(query, schema=schema) if pass_of(d.code) in ("schema", "direction")]
    return [(d.code, query[d.start : d.end], d.fix.edits[0].text if d.fix else None) for d in found]


@pytest.mark.parametrize(("query", "expected"), FOUND, ids=[query for query, _ in FOUND])
def test_what_the_schema_does_not_have(query: str, expected: list[tuple[str, str, str | None]]) -> None:
    assert told(query, MOVIES) == expected


@pytest.mark.parametrize(("query", "expected"), FOUND, ids=[query for query, _ in FOUND])
def test_renames_are_never_safe(query: str, expected: list[tuple[str, str, str | None]]) -> None:
    assert graphir.repair(query, schema=MOVIES).text == query


SETS = [
    ("MATCH (n:Person) RETURN n.awards, n.agency", []),
    ("MATCH (n:Actor) RETURN n.name, n.awards", []),
    ("MATCH (n:Actor)-[:SAW]->(m) RETURN m.title", []),
    ("MATCH (n:Extra&Person)-[:SAW|WALKED_IN]->(m) RETURN n.agency", []),
    ("MATCH (n:Actor) RETURN n.agency", [("G143", "agency", None)]),
    ("MATCH (n:Person)-[:ACTED_IN]->() RETURN n.agency", [("G143", "agency", None)]),
    ("MATCH (n:Actor&Movie) RETURN n", [("G146", "(n:Actor&Movie)", None)]),
    ("MATCH (n:Actor)-->() WHERE n:Movie RETURN n", [("G146", "n:Movie", None)]),
    ("MATCH (n:Extra&!Person) RETURN n", [("G146", "(n:Extra&!Person)", None)]),
    ("MATCH (n:Person&!Extra) RETURN n.agency", [("G143", "agency", None)]),
    ("MATCH (n:!Actor&!Movie) RETURN n.name", []),
    ("MATCH (n)-[:SAW]->(n) RETURN n", [("G144", "-[:SAW]->", None)]),
    ("MATCH (n)-[:SAW*2]-(n) RETURN n", []),
    ("MATCH (n)-[:SAW*]->(n) RETURN n", [("G144", "-[:SAW*]->", None)]),
    ("MATCH (n)-[:SAW]->(m) OPTIONAL MATCH (m:Person)-[:SAW]->(x) RETURN x", [("G144", "-[:SAW]->", None)]),
]


@pytest.mark.parametrize(("query", "expected"), SETS, ids=[query for query, _ in SETS])
def test_sets_of_labels_and_inheritance(query: str, expected: list[tuple[str, str, str | None]]) -> None:
    assert told(query, EXACT) == expected


MANY = [
    ("MATCH (n)-[:ACTED_IN]->(n) RETURN n", []),
    ("MATCH (n:Actor) RETURN n.style", []),
    ("MATCH (n:Actor)-[:DIRECTED]->(m:Movie) RETURN n.style", []),
    ("MATCH (n)-[:ACTED_IN]->(m:Movie) RETURN n.style", []),
    ("MATCH (n:Actor) RETURN n.title", [("G143", "title", None)]),
    ("MATCH (n:Book)-[:DIRECTED]->(m:Movie) RETURN n", [("G144", "-[:DIRECTED]->", None)]),
    ("MATCH (n:Book&Actor)-[:ACTED_IN]->(m) RETURN n.isbn, n.bio", []),
]


@pytest.mark.parametrize(("query", "expected"), MANY, ids=[query for query, _ in MANY])
def test_labels_of_nodes_that_look_alike_may_meet(query: str, expected: list[tuple[str, str, str | None]]) -> None:
    assert told(query, ALIKE) == expected


@pytest.mark.parametrize(
    ("text", "codes"),
    [
        ("MATCH (n) RETURN n", []),
        ("MATCH (n:A) RETURN n", ["G140"]),
        ("CREATE (n:A)", ["G150"]),
    ],
)
def test_an_empty_schema_has_nothing(text: str, codes: list[str]) -> None:
    assert [found.code for found in graphir.check(text, schema=Schema())] == codes
