"""Names: each rule of scoping with queries that a real Neo4j accepts or refuses for the same reason."""

from __future__ import annotations

import pytest

from graphir import ir
from graphir.diagnostics import Diagnostic
from graphir.grammar.cypher import parse
from graphir.passes.kinds import Kind
from graphir.passes.scope import Scopes, analyze
from graphir.source import Source


def scopes(text: str, dialect: str = "neo4j-25") -> Scopes:
    return analyze(parse(text, dialect), Source(text), dialect)


def found(text: str, dialect: str = "neo4j-25") -> list[Diagnostic]:
    return scopes(text, dialect).diagnostics


ACCEPTED = [
    # what patterns bind, and where
    "MATCH (a)-[r]->(b) MATCH (b)-[r]->(c) RETURN a, c",
    "MATCH (n {x: m.x})-->(m) RETURN n",
    "MATCH (n WHERE n.x = m.y)-->(m) RETURN n",
    "MATCH (n WHERE n.x = m.y), (m) RETURN n",
    "MATCH (n:$(m.x))-->(m) RETURN n",
    "MATCH p = (n {x: length(p)})-->(m) RETURN n",
    "MATCH p = (n)-->(m) WHERE length(p) > 1 RETURN n",
    "MATCH ()-[r]->()-[r]->() RETURN r",
    "MATCH ()-[r*]->() MATCH ()-[r*]->() RETURN r",
    "MATCH (a), (b), p = shortestPath((a)-[r*]-(b)) RETURN p, r",
    "MATCH (a), (b) RETURN shortestPath((a)-[*]-(b)) AS p",
    # quantified paths
    "MATCH (a) ((x)-[r]->(y) WHERE x.p > y.p){1,3} (b) RETURN x, r, y, a, b",
    "MATCH (a) ((x)-[r]->(y) WHERE x.p > a.p){1,3} (b) WHERE size(x) > 1 RETURN x",
    "MATCH (k) MATCH (a) ((x)-[r]->(y) WHERE x.p > k.p){1,3} (b) RETURN x",
    "MATCH (a) ((x)-[r]->(y) WHERE x.p > z.p){1,3} (b), (z) RETURN x",
    "MATCH ((x)-[r]->(x)){1,3} RETURN x",
    "MATCH (a)-[r WHERE r.x > a.x]->{1,3}(b) RETURN r",
    "MATCH (a)-[r]->{1,3}(b) MATCH (a)-[r*1..3]->(c) RETURN r",
    "MATCH p = SHORTEST 1 (p2 = (a) ((x)-[r]->(y)){1,3} (b) WHERE length(p2) > 1) RETURN p, p2",
    # patterns as values
    "MATCH (a)-[r]->() WHERE ()-[r]->(a) RETURN a",
    "MATCH (a) WHERE EXISTS { (a)-->(b) WHERE b.x > 1 } RETURN a",
    "MATCH (n), (p) RETURN [p = (n)-->() | p] AS l",
    "MATCH (n) RETURN [(n)-->(m) WHERE EXISTS { (m)-->(n) } | [(m)-->(z) | z.x]] AS l",
    # names of an expression's own
    "MATCH (x) RETURN [x IN [1] | x] AS l, all(x IN [1] WHERE x > 0) AS a, reduce(x = 0, y IN [1] | x + y) AS r",
    "RETURN reduce(x = 0, x IN [1] | x) AS l",
    "MATCH (n) WHERE EXISTS { MATCH (m) WHERE any(n IN [1] WHERE n > 0) } RETURN n",
    # projections
    "MATCH (a)-->(b) RETURN a.x ORDER BY b.x",
    "MATCH (a)-->(b) RETURN DISTINCT a.x ORDER BY a.x",
    "MATCH (a)-->(b) RETURN DISTINCT a AS b ORDER BY a.y, b.y",
    "MATCH (a)-->(b) RETURN DISTINCT a.x + 1 AS q ORDER BY a.x + 1 + 2",
    "MATCH (a)-->(b) RETURN a.x AS z, count(*) AS c ORDER BY z, c, a.x, count(*), count(*) + a.x",
    "MATCH (a)-->(b) RETURN a AS z, count(*) AS c ORDER BY a.y",
    "MATCH (a)-->(b) WITH a.x AS q ORDER BY b.x WHERE b.x > 1 RETURN q",
    "MATCH (a)-->(b) WITH DISTINCT a.x AS q WHERE a.x > 1 RETURN q",
    "MATCH (a)-->(b) WITH a.x AS q, count(*) AS c WHERE count(*) > 1 RETURN q",
    "MATCH (n) RETURN DISTINCT n.l AS x ORDER BY [q IN n.l | q]",
    "MATCH (n) RETURN DISTINCT * ORDER BY n.x",
    "MATCH (a)-->(b) WITH *, b AS a RETURN *",
    "MATCH (a)-->(b) WITH *, a RETURN *",
    "MATCH (n) WITH n{.x} RETURN n",
    "MATCH (a) RETURN a.x, a . x",
    "MATCH () WITH * RETURN 1",
    "WITH *, 1 AS x MATCH () RETURN 1",
    # subqueries
    "MATCH (n) RETURN EXISTS { MATCH (a) WITH a MATCH (a)--(n) RETURN n } AS l",
    "MATCH (n) RETURN COLLECT { MATCH (n)-->(m) RETURN m } AS m",
    "MATCH (n) RETURN COLLECT { WITH n.x AS z RETURN z + n.x AS u } AS m",
    "MATCH (n) RETURN COUNT { MATCH (z) WHERE z.a = n.a RETURN n AS z UNION MATCH (n)--(z) RETURN z } AS m",
    "MATCH (n) CALL { MATCH (n) RETURN n AS m } RETURN n, m",
    "MATCH (n) CALL { WITH n MATCH (n)--(m) RETURN m } RETURN n, m",
    "MATCH (n) CALL { WITH * MATCH (n)--(m) RETURN m } RETURN n, m",
    "MATCH (n) CALL { WITH n MATCH (m) RETURN m UNION MATCH (n) RETURN n AS m } RETURN m",
    "WITH 1 AS a CALL { WITH 2 AS b RETURN b } RETURN a, b",
    "MATCH (n) CALL (n) { MATCH (n)--(m) WITH m RETURN m.x + n.x AS q } RETURN q",
    "MATCH (n) CALL (n) { MATCH (m) RETURN * } RETURN n, m",
    "MATCH (n), (k) CALL (n) { MATCH (k) RETURN k AS q } RETURN q",
    "MATCH (n), (k) CALL (*) { MATCH (n) RETURN k.x AS q } RETURN q",
    "MATCH (n), (k) CALL () { MATCH (n) RETURN n.x AS q } RETURN q",
    "MATCH (a) CALL { CREATE (b) } RETURN a",
    "MATCH (a) CALL (a) { RETURN a.x AS x NEXT RETURN x + a.x AS y } RETURN y",
    # composition
    "MATCH (a) RETURN a.x AS x, a.y AS y UNION MATCH (b) RETURN b.y AS y, b.x AS x",
    "CREATE (a) UNION CREATE (b)",
    "MATCH (a)-->(b) RETURN a NEXT MATCH (b) RETURN * NEXT RETURN a, b",
    "MATCH (a)-->(b) RETURN a NEXT RETURN a.x AS b UNION MATCH (c) RETURN c.x AS b NEXT RETURN b",
    "MATCH (a) FINISH NEXT RETURN 1 AS a",
    "MATCH (a) RETURN a NEXT WHEN a.x > 1 THEN RETURN a.x AS y ELSE RETURN a.z AS y",
    # other clauses
    "MATCH (n) LET a = n.x LET b = a FILTER b > 1 RETURN b",
    "MATCH (n) LOAD CSV FROM 'x' AS n RETURN n",
    "CALL db.labels() YIELD label WHERE label > 1 RETURN label",
    "MATCH (n) FOREACH (n IN [1] | CREATE (z {a: n})) RETURN n",
    "MATCH (n) FOREACH (x IN [1] | CREATE (n {a: x})) RETURN n",
    "FOREACH (x IN [1] | MERGE (a:A {id: x}) CREATE (a))",
    "MATCH (n) CREATE (n)-[:R]->(m), (m)-[:R]->(k) RETURN k",
    "CREATE (m:A)-[:R]->(m)",
    "CREATE (m:A), (m)-[:R]->()",
    "MATCH (n) MERGE (n)-[:R]->(m) ON CREATE SET m.x = n.x RETURN m",
    "MATCH (x) SET x:$(x.label)",
    "USE neo4j MATCH (n) RETURN n",
    "MATCH (a) RETURN a.x AS z, count(*) AS c GROUP BY a.x, a.y ORDER BY a.y",
    "MATCH (a) RETURN a.x AS z, count(*) GROUP BY z",
    "MATCH (a) ORDER BY a.x LIMIT 1 RETURN a",
]


@pytest.mark.parametrize("text", ACCEPTED)
def test_valid_names_give_no_finding(text: str) -> None:
    assert found(text) == []


REFUSED = {
    "G101": [
        "RETURN x AS y, 1 AS x",
        "UNWIND x AS x RETURN x",
        "MATCH (N) RETURN n",
        "MATCH (a) WHERE a.x = b.x MATCH (b) RETURN b",
        "MATCH (a) WHERE (a)-->(b) RETURN a",
        "MATCH (a) WHERE (a)-[r]->() RETURN a",
        "MATCH (a) WHERE EXISTS { (a)-->(b) } AND b.x > 1 RETURN a",
        "MATCH (n) RETURN [(n)-->(m) | m] AS l, m",
        "MATCH (n) RETURN [(n)-->(m) WHERE m.x > k.x | m] AS l",
        "MATCH (a), (b) RETURN shortestPath((a)-[*]-(c)) AS p",
        "MATCH (a)-->(b) RETURN DISTINCT a.x ORDER BY a.y",
        "MATCH (a)-->(b) RETURN DISTINCT a.x + 1 AS b ORDER BY a.x",
        "MATCH (a)-->(b) RETURN a.x, count(*) ORDER BY a",
        "MATCH (a)-->(b) WITH DISTINCT a.x AS q WHERE b.x > 1 RETURN q",
        "MATCH (a)-->(b) WITH a.x AS q, count(*) AS c WHERE b.x > 1 RETURN q",
        "MATCH (n), (m) WITH n{.x, m} RETURN n, m",
        "MATCH (n), (k) CALL { WITH n WITH n, k MATCH (n)--(m) RETURN m } RETURN n, m",
        "MATCH (n) CALL { MATCH (m) WITH n, m RETURN m AS q } RETURN q",
        "MATCH (n), (k) CALL (n) { MATCH (n) RETURN k.x AS q } RETURN q",
        "MATCH (n) CALL (z) { RETURN 1 AS q } RETURN q",
        "MATCH (a) CALL { CREATE (b) } RETURN b",
        "MATCH (a) RETURN a.x AS x UNION MATCH (b) RETURN a.x AS x",
        "MATCH (a)-->(b) RETURN a NEXT RETURN b.x",
        "MATCH (a) CREATE (b) NEXT RETURN a",
        "WHEN a.x THEN RETURN 1 AS x",
        "MATCH (n) LET a = 1, b = a RETURN b",
        "MATCH (n) CALL db.labels() RETURN n, label",
        "MATCH (n) FOREACH (x IN [1] | CREATE (z {a: x}) SET z.q = 1) RETURN z",
        "MATCH (n) MERGE (m:A) ON MATCH SET k.x = 1",
        "MATCH (n) DELETE k",
        "MATCH (n) REMOVE k:A",
        "MATCH (n) SET k += {}",
        "MATCH (a) ORDER BY b.x LIMIT 1 RETURN a",
        "MATCH (n) USING INDEX m:L(x) RETURN n",
    ],
    "G102": [
        "MATCH (n) UNWIND [1] AS n RETURN n",
        "MATCH (p) MATCH p = ()-->() RETURN p",
        "MATCH p = (p)-->() RETURN p",
        "MATCH p = (a)-->(b), p = (c)-->(d) RETURN p",
        "MATCH (x) MATCH (a) ((x)-[r]->(y)){1,3} (b) RETURN x",
        "MATCH (a) ((x)-[r]->(y)){1,3} (b) ((x)-[q]->(z)){1,3} RETURN x",
        "MATCH (a)-[r]->{1,3}(b)-[r]->{1,3}(c) RETURN r",
        "MATCH (a) ((x)-[r]->(y)){1,3} (x) RETURN x",
        "MATCH (label) CALL db.labels() YIELD label RETURN label",
        "CALL db.labels() YIELD label, label RETURN label",
        "MATCH (n) LET n = 1 RETURN n",
        "MATCH (x) FOR x IN [1] RETURN x",
        "MATCH (n) CREATE (n:L)-[:R]->(m) RETURN m",
        "MATCH (n) CREATE (n)",
        "CREATE (m)-[:R]->(m:A)",
        "CREATE (m), (m)",
        "CREATE (m)-[:R]->(), (m:A)",
        "CREATE ()-[r:R]->(), ()-[r:R]->()",
        "MATCH (n), (p) CREATE p = (n)-[:R]->() RETURN p",
        "MATCH (n)-[r]->() MERGE (n)-[r:R]->(m) RETURN m",
        "MERGE (n:A)-[:R]->(n:B)",
        "MATCH (n) INSERT (n:A)",
        "MATCH (n) RETURN EXISTS { MATCH (n)-->(m) WITH m AS n RETURN n } AS l",
        "MATCH (n) RETURN EXISTS { UNWIND [1] AS n RETURN n } AS l",
        "MATCH (n) RETURN EXISTS { MATCH n=()-->() } AS l",
        "MATCH (n) RETURN COLLECT { RETURN n.x AS n } AS m",
        "MATCH (n) CALL { MATCH (n) RETURN n } RETURN n",
        "MATCH (n) CALL { WITH n MATCH (m) RETURN * } RETURN *",
        "MATCH (n) CALL (n) { MATCH (n)--(m) RETURN m AS n } RETURN n",
        "MATCH (n) CALL (n) { MATCH (n)--(m) WITH m AS n RETURN n AS q } RETURN q",
        "MATCH (a) CALL (a) { CREATE (a) } RETURN a",
        "MATCH (a) CALL (a) { CREATE (b) } IN TRANSACTIONS ON ERROR CONTINUE REPORT STATUS AS a RETURN a",
    ],
    "G103": [
        "MATCH ()-[r]->() MATCH (r) RETURN r",
        "MATCH ()-[r]->(r) RETURN r",
        "MATCH (r)-[r]->() RETURN r",
        "MATCH r = ()-->(), (r) RETURN r",
        "WITH 123 AS n MATCH (n) RETURN n",
        "MATCH (n) WITH n.x AS x MATCH (x) RETURN x",
        "MATCH (n) WITH count(*) AS x MATCH (x) RETURN x",
        "MATCH (n) WITH collect(n) AS x MATCH (x) RETURN x",
        "MATCH ()-[r]->() WITH head(collect(r)) AS x MATCH (x) RETURN x",
        "MATCH ()-[r*]->() UNWIND r AS x MATCH (x) RETURN x",
        "MATCH ()-[r*]->() MATCH ()-[r]->() RETURN r",
        "MATCH ()-[r]->(), ()-[r*]->() RETURN r",
        "MATCH (n)-[r]->() WITH startNode(r) AS x MATCH ()-[x]->() RETURN x",
        "MATCH (n) WITH {a: n} AS x MATCH (x) RETURN x",
        "MATCH (n) WITH [y IN [n] | y][0] AS x MATCH ()-[x]-() RETURN x",
        "MATCH (n) RETURN [m IN [1] | [(n)-->(m) | m]] AS l",
        "WITH 1 AS n CREATE (n)-[:R]->()",
    ],
    "G104": ["CREATE (m {x: m.x})", "CREATE ()-[r:R {x: r.x}]->()", "CREATE (m), (k {x: m.x})", "MERGE (n {x: n.y})"],
    "G105": ["RETURN *", "MATCH () RETURN *", "MATCH (n) CALL (n) { RETURN * } RETURN n"],
    "G106": [
        "RETURN 1 AS a, 2 AS a",
        "MATCH (a) RETURN a.x, a.x",
        "MATCH (a) RETURN a, a{.x}",
        "LET a = 1, a = 2 RETURN a",
    ],
    "G107": [
        "RETURN 1 AS a UNION RETURN 2 AS b",
        "MATCH (a) RETURN a UNION CREATE (b)",
        "WHEN true THEN RETURN 1 AS x ELSE RETURN 2 AS y",
    ],
    "G108": [
        "MATCH (n) WITH n.x RETURN 1 AS a",
        "CALL { RETURN 1 } RETURN 1 AS x",
        "MATCH (a) RETURN a.x NEXT RETURN 1 AS x",
    ],
}


@pytest.mark.parametrize(("code", "text"), [(code, text) for code, texts in REFUSED.items() for text in texts])
def test_wrong_names_are_found(code: str, text: str) -> None:
    assert [d.code for d in found(text)] == [code]


UNKNOWN_KINDS = [
    "WITH $p AS x MATCH (x) RETURN x",
    "WITH null AS x MATCH (x) RETURN x",
    "MATCH (n) WITH collect(n) AS x UNWIND x AS y MATCH (y) RETURN y",
    "MATCH (n) WITH collect(n)[0] AS x MATCH (x) RETURN x",
    "MATCH (n)-[r]->() WITH coalesce(n, r) AS x MATCH (x)-->() RETURN x",
    "MATCH (n) WITH CASE WHEN true THEN n ELSE null END AS x MATCH (x)-->() RETURN x",
    "MATCH (n) WITH {a: n}.a AS x MATCH (x) RETURN x",
    "MATCH (n) WITH max(n) AS x MATCH (x) RETURN x",
]


@pytest.mark.parametrize("text", UNKNOWN_KINDS)
def test_what_may_be_a_node_may_stand_for_one(text: str) -> None:
    assert found(text) == []


@pytest.mark.parametrize(
    ("text", "dialects"),
    [
        ("CREATE (m), (k {x: m.x})", {"neo4j-25"}),
        ("MERGE (n {x: 1})-[:R]->(m {x: n.x})", {"neo4j-25"}),
        ("MATCH (a) RETURN a.x AS x, count(*) AS c ORDER BY sum(a.y)", {"opencypher-9", "neo4j-5"}),
    ],
)
def test_dialects_differ(text: str, dialects: set[str]) -> None:
    assert {d for d in ("opencypher-9", "neo4j-5", "neo4j-25") if found(text, d)} == dialects


def test_place_hint_and_fix_of_an_undefined_variable() -> None:
    text = "MATCH (person:Person)\nRETURN persn.name, persn.age"
    (d,) = found(text)
    assert (d.code, d.line, d.column, text[d.start : d.end]) == ("G101", 2, 8, "persn")
    assert d.message == "Variable `persn` is not defined"
    assert d.hint == "did you mean `person`?"
    assert d.fix is not None
    (edit,) = d.fix.edits
    assert not d.fix.safe
    assert text[: edit.start] + edit.text + text[edit.end :] == "MATCH (person:Person)\nRETURN person.name, persn.age"


def test_case_is_named_as_the_reason() -> None:
    (d,) = found("MATCH (Person) RETURN person.name")
    assert d.hint == "did you mean `Person`? Variables are case-sensitive."


def test_place_of_a_conflict_is_the_variable() -> None:
    text = "MATCH (a)-[r]->(b) MATCH (r:City) RETURN a"
    (d,) = found(text)
    assert (text[d.start : d.end], d.column) == ("r", 27)
    assert d.message == "Variable `r` is a relationship and cannot be used as a node"


def test_each_name_is_reported_once_and_in_order() -> None:
    assert [d.message for d in found("RETURN b + a + b AS c")] == [
        "Variable `b` is not defined",
        "Variable `a` is not defined",
    ]


def test_columns_and_kinds_of_a_query() -> None:
    text = "MATCH p = (b)-[r]->(a) RETURN *, a.x, [a] AS l, [r] AS rs, 1 + 1 AS n"
    assert scopes(text).columns == {
        "a": Kind.NODE,
        "b": Kind.NODE,
        "p": Kind.PATH,
        "r": Kind.EDGE,
        "a.x": Kind.VALUE,
        "l": Kind.NODES,
        "rs": Kind.EDGES,
        "n": Kind.VALUE,
    }


@pytest.mark.parametrize(
    ("text", "columns"),
    [
        ("CREATE (n)", None),
        ("MATCH (n) FINISH", None),
        ("CALL db.labels()", None),
        ("CALL db.labels() YIELD label", ["label"]),
        ("RETURN 1 AS a UNION RETURN 2 AS a", ["a"]),
        ("RETURN 1 AS a NEXT RETURN a + 1 AS b", ["b"]),
        ("MATCH (n) RETURN n.x,  count( * )", ["n.x", "count( * )"]),
        ("SHOW INDEXES", None),
    ],
)
def test_columns_by_name(text: str, columns: list[str] | None) -> None:
    names = scopes(text).columns
    assert (names if names is None else list(names)) == columns


def test_what_is_in_scope_before_a_clause() -> None:
    made = scopes("MATCH (a) MATCH (a)-[r*]->(b) WITH a, collect(b) AS bs UNWIND bs AS b RETURN b")
    body = made.query.body
    assert isinstance(body, ir.Pipeline)
    assert [list(made.before(operator)) for operator in body.operators] == [
        [],
        ["a"],
        ["a", "r", "b"],
        ["a", "bs"],
        ["a", "bs", "b"],
    ]
    assert made.before(body.operators[2])["r"] is Kind.EDGES
    assert made.before(body.operators[4])["b"] is Kind.NODE


def test_what_a_subquery_takes_from_outside() -> None:
    made = scopes(
        "MATCH (a), (b), (c) WHERE EXISTS { (a)-->(x) WHERE COUNT { (x)-->(b) } > 1 } "
        "CALL (c) { RETURN 1 AS one } CALL { WITH b RETURN b.x AS y } RETURN a"
    )
    taken = {
        node.op + (node.kind if isinstance(node, ir.Subquery) else ""): set(made.free(node))
        for node in ir.walk(made.query)
        if isinstance(node, ir.Subquery)
    }
    assert taken == {"subqueryexists": {"a", "b"}, "subquerycount": {"x", "b"}}
    calls = [made.free(node) for node in ir.walk(made.query) if isinstance(node, ir.SubqueryCall)]
    assert calls == [{"c"}, {"b"}]


def test_deep_expressions_and_bodies_do_not_recurse() -> None:
    value: ir.Expression = ir.Ref("n")
    for _ in range(10_000):
        value = ir.Apply("neg", (value,))
    body: ir.Body = ir.Pipeline((ir.Project((ir.Item(value, "x"),), final=True),))
    for _ in range(2_000):
        body = ir.Pipeline((ir.SubqueryCall(body), ir.Project((ir.Item(ir.Ref("x"), "x"),), final=True)))
    assert [d.code for d in analyze(ir.Query(body)).diagnostics] == ["G101"]
    nested: ir.Expression = ir.Ref("n")
    for _ in range(2_000):
        inner = ir.Pipeline((ir.Project((ir.Item(nested, "x"),), final=True),))
        nested = ir.Subquery("collect", inner)
    query = ir.Query(ir.Pipeline((ir.Project((ir.Item(nested, "x"),), final=True),)))
    assert [d.code for d in analyze(query).diagnostics] == ["G101"]


def test_what_is_bound_is_known_without_reading_expressions() -> None:
    seen = 0
    for text in ACCEPTED:
        query = parse(text, "neo4j-25")
        full, quick = analyze(query), analyze(query, reading=False)
        for operator in ir.find(query, ir.Operator):
            assert quick.before(operator) == full.before(operator), text
            seen += bool(full.before(operator))
    assert seen > 100
