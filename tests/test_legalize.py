"""From one Cypher to another: each rewrite as text in, text out; each refusal with its code and feature."""

from __future__ import annotations

import pytest

from graphir import ir
from graphir.backends.cypher import print_query
from graphir.backends.cypher.features import FEATURES, SUPPORTED, unsupported
from graphir.backends.cypher.legalize import OPERATOR_RULES, RULES, legalize
from graphir.diagnostics import Diagnostic, Unsupported
from graphir.grammar.cypher import parse
from graphir.ir.names import generated
from graphir.passes.normalize import normalize
from graphir.source import Source

NAMES = {"o": "opencypher-9", "5": "neo4j-5", "25": "neo4j-25"}


def translated(text: str, direction: str, *, lossy: bool = False, notes: list[Diagnostic] | None = None) -> str:
    """The text in the other dialect, on one line, after the checks that it parses there and is legal there."""
    read, write = [NAMES[name] for name in direction.split(">")]
    legal = legalize(parse(text, read), write, Source(text), lossy=lossy, notes=notes)
    out = print_query(legal, write)
    assert legalize(legal, write) is legal
    assert [f.name for node in ir.walk(parse(out, write)) for f in unsupported(node, write) if f.name not in LEFT] == []
    return " ".join(out.split())


LEFT = {"exists-pattern", "element-as-map", "reading-the-created"}
"""Features whose rewrite leaves alone what it need not or cannot change."""

REWRITES: list[tuple[str, str, str]] = [
    # Labels and types.
    ("5>o", "MATCH (n:A|B) RETURN n", "MATCH (n) WHERE n:A OR n:B RETURN n"),
    ("5>o", "MATCH (n:A&B) RETURN n", "MATCH (n:A:B) RETURN n"),
    ("5>o", "MATCH (n:A&(B|C) {x: 1}) WHERE n.y RETURN n", "MATCH (n:A {x: 1}) WHERE n.y AND (n:B OR n:C) RETURN n"),
    ("5>o", "MATCH (:!A)--(m) RETURN m", "MATCH (n1)--(m) WHERE NOT n1:A RETURN m"),
    ("5>o", "MATCH (n:%) RETURN n", "MATCH (n) WHERE size(labels(n)) > 0 RETURN n"),
    ("5>o", "MATCH (n:A&B|C) RETURN n", "MATCH (n) WHERE n:A:B OR n:C RETURN n"),
    ("5>o", "OPTIONAL MATCH (n:A|B) RETURN n", "OPTIONAL MATCH (n) WHERE n:A OR n:B RETURN n"),
    ("5>o", "MATCH ()-[r:A|B]->() RETURN r", "MATCH ()-[r:A|B]->() RETURN r"),
    ("5>o", "MATCH ()-[:!A]->() RETURN 1 AS x", "MATCH ()-[r1]->() WHERE NOT type(r1) = 'A' RETURN 1 AS x"),
    ("5>o", "MATCH ()-[r:!(A|B)]->() RETURN r", "MATCH ()-[r]->() WHERE NOT type(r) IN ['A', 'B'] RETURN r"),
    ("5>o", "MATCH ()-[r:A&!B]->() RETURN r", "MATCH ()-[r:A]->() WHERE NOT type(r) = 'B' RETURN r"),
    ("5>o", "MATCH ()-[:%]->() RETURN *", "MATCH ()-->() RETURN *"),
    ("5>o", "MATCH ()-[r:!A]->{1,2}() RETURN r",
     "MATCH ()-[r*1..2]->() WHERE all(step1 IN r WHERE NOT type(step1) = 'A') RETURN r"),
    ("5>o", "MATCH (n) WHERE n:A|!B RETURN n", "MATCH (n) WHERE n:A OR NOT n:B RETURN n"),
    ("5>o", "MATCH (n) RETURN n:% AS x", "MATCH (n) RETURN size(labels(n)) > 0 AS x"),
    ("5>o", "MATCH ()-[r]->() RETURN r:% AS x", "MATCH ()-[r]->() RETURN true AS x"),
    ("5>o", "MATCH (n:$('A')) SET n:$(['B', 'C']) RETURN n", "MATCH (n:A) SET n:B:C RETURN n"),
    ("5>o", "MATCH (n:$any(['A', 'B'])) RETURN n", "MATCH (n) WHERE n:A OR n:B RETURN n"),
    ("5>o", "CREATE (n:$('A')) MERGE (m:$('B'))", "CREATE (n:A) MERGE (m:B)"),
    ("25>5", "MATCH (n) WHERE n:$('A') RETURN n", "MATCH (n) WHERE n:A RETURN n"),
    ("25>5", "MATCH (n) WHERE n IS NOT LABELED A RETURN n", "MATCH (n) WHERE NOT n:A RETURN n"),
    ("o>5", "MATCH (a:A:B)-[:X|:Y]->() RETURN a", "MATCH (a:A&B)-[:X|Y]->() RETURN a"),
    # Conditions inside of patterns.
    ("5>o", "MATCH (n WHERE n.x > 1)-[r WHERE r.y]->() WHERE n.z RETURN n",
     "MATCH (n)-[r]->() WHERE n.z AND n.x > 1 AND r.y RETURN n"),
    ("5>o", "MATCH (a)-[r:T WHERE r.x > a.x]->+(b) RETURN r",
     "MATCH (a)-[r:T*]->(b) WHERE all(step1 IN r WHERE step1.x > a.x) RETURN r"),
    ("5>o", "MATCH (n) RETURN [(n)-->(m:A|B WHERE m.x) | m] AS x",
     "MATCH (n) RETURN [(n)-->(m) WHERE (m:A OR m:B) AND m.x | m] AS x"),
    ("5>o", "MATCH (n) WHERE (n)-->(:A|B) RETURN n",
     "MATCH (n) WHERE size([(n)-->(n1) WHERE n1:A OR n1:B | 1]) > 0 RETURN n"),
    ("5>o", "MATCH (n) WHERE exists((n)-->(:A|B)) RETURN n",
     "MATCH (n) WHERE size([(n)-->(n1) WHERE n1:A OR n1:B | 1]) > 0 RETURN n"),
    ("5>o", "MATCH p = shortestPath((a:A|B)-[*]->(b WHERE b.x)) RETURN p",
     "MATCH p = shortestPath((a)-[*]->(b)) WHERE (a:A OR a:B) AND b.x RETURN p"),
    # Lengths and groups.
    ("5>o", "MATCH (a)-[r:T {x: 1}]->{1,3}(b)--*(c)--+(d)--{2}(e)--{2,}(f) RETURN r",
     "MATCH (a)-[r:T*1..3 {x: 1}]->(b)-[*0..]-(c)-[*]-(d)-[*2]-(e)-[*2..]-(f) RETURN r"),
    ("5>o", "MATCH (a)((x)-[r:T]->(y)){1,3}(b) RETURN r", "MATCH (a)-[r:T*1..3]->(b) RETURN r"),
    ("5>o", "MATCH (()-[r:T WHERE r.x]->() WHERE r.y){2} RETURN r",
     "MATCH ()-[r:T*2]->() WHERE all(step1 IN r WHERE step1.x AND step1.y) RETURN r"),
    ("5>o", "MATCH p = ((a)-->(b) WHERE a.x) RETURN p", "MATCH p = (a)-->(b) WHERE a.x RETURN p"),
    ("5>o", "MATCH (((a:A|B)-->(b WHERE b.x)) WHERE a.x) RETURN a",
     "MATCH (a)-->(b) WHERE a.x AND (a:A OR a:B) AND b.x RETURN a"),
    ("5>o", "MATCH p = ALL (a)-->(b) RETURN p", "MATCH p = (a)-->(b) RETURN p"),
    ("25>5", "MATCH p = WALK (a)-->+(b), TRAIL (b)--+(c) RETURN p", "MATCH p = (a)-->+(b), (b)--+(c) RETURN p"),
    ("25>5", "MATCH p = ACYCLIC (a)-->()-->(b) RETURN p",
     "MATCH p = (a)-->(n1)-->(b) WHERE a <> n1 AND a <> b AND n1 <> b RETURN p"),
    ("25>5", "MATCH REPEATABLE ELEMENTS p = WALK (a)-->(b) RETURN p", "MATCH p = (a)-->(b) RETURN p"),
    ("25>5", "MATCH REPEATABLE ELEMENTS (a)-->()-->(b), (c)-->(d) WHERE a.x RETURN a",
     "MATCH (a)-->(n1) MATCH (n1)-->(b) MATCH (c)-->(d) WHERE a.x RETURN a"),
    # Subqueries in expressions.
    ("5>o", "MATCH (n) WHERE EXISTS { (n)-[r]->(m:A) } RETURN n", "MATCH (n) WHERE (n)-->(:A) RETURN n"),
    ("5>o", "MATCH (n) RETURN EXISTS { (n)-->(m) } AS x", "MATCH (n) RETURN EXISTS { (n)-->(m) } AS x"),
    ("5>o", "MATCH (n), (m) WHERE NOT EXISTS { (n)-->(m) } RETURN n", "MATCH (n), (m) WHERE NOT (n)-->(m) RETURN n"),
    ("5>o", "MATCH (n) WHERE EXISTS { (n)-->(m) WHERE m.x } RETURN n",
     "MATCH (n) WHERE EXISTS { (n)-->(m) WHERE m.x } RETURN n"),
    ("5>o", "MATCH (n) WHERE EXISTS { (n)-->(m)-->(m) } RETURN n",
     "MATCH (n) WHERE EXISTS { (n)-->(m)-->(m) } RETURN n"),
    ("5>o", "MATCH (n) RETURN COUNT { (n)-->(m) WHERE m.x } AS x",
     "MATCH (n) RETURN size([(n)-->(m) WHERE m.x | 1]) AS x"),
    ("5>o", "MATCH (n) RETURN COLLECT { MATCH (n)-->(m) WHERE m.x RETURN m.y } AS x",
     "MATCH (n) RETURN [(n)-->(m) WHERE m.x | m.y] AS x"),
    ("o>5", "MATCH (n) WHERE size((n)-->()) > 1 RETURN n", "MATCH (n) WHERE COUNT { (n)-->() } > 1 RETURN n"),
    ("o>25", "MATCH (n) WHERE exists(n.x) AND exists((n)-->()) RETURN n",
     "MATCH (n) WHERE n.x IS NOT NULL AND exists((n)-->()) RETURN n"),
    # Other expressions.
    ("5>o", "RETURN 'a' || 'b' || 'c' AS x", "RETURN 'a' + 'b' + 'c' AS x"),
    ("5>o", "RETURN INFINITY AS x, -INF AS y, NaN AS z", "RETURN 1.0 / 0.0 AS x, -(1.0 / 0.0) AS y, 0.0 / 0.0 AS z"),
    ("5>o", "RETURN CASE 1 WHEN 1, 2 THEN 3 END AS x", "RETURN CASE 1 WHEN 1 THEN 3 WHEN 2 THEN 3 END AS x"),
    ("5>o", "UNWIND [1] AS y RETURN CASE y WHEN 0, > 2 THEN 3 WHEN IS NULL THEN 4 ELSE 5 END AS x",
     "UNWIND [1] AS y RETURN CASE WHEN y = 0 OR y > 2 THEN 3 WHEN y IS NULL THEN 4 ELSE 5 END AS x"),
    ("5>o", "MATCH p = ()-->() RETURN path_length(p) AS x", "MATCH p = ()-->() RETURN length(p) AS x"),
    ("5>o", "RETURN isEmpty([]) AS x, char_length('a') AS y, nullIf(1, 2) AS z, btrim('a') AS w",
     "RETURN size([]) = 0 AS x, size('a') AS y, CASE WHEN 1 = 2 THEN null ELSE 1 END AS z, trim('a') AS w"),
    ("5>o", "MATCH (n), (m) WHERE elementId(n) <> elementId(m) RETURN count(DISTINCT elementId(n)) AS x",
     "MATCH (n), (m) WHERE id(n) <> id(m) RETURN count(DISTINCT id(n)) AS x"),
    ("25>5", "MATCH p = ()-->() RETURN length(p) AS x, ln(1) AS y, lower('A') AS z",
     "MATCH p = ()-->() RETURN length(p) AS x, log(1) AS y, toLower('A') AS z"),
    # Clauses.
    ("25>5", "MATCH (n) FILTER n.x > 1 RETURN n", "MATCH (n) WHERE n.x > 1 RETURN n"),
    ("25>5", "OPTIONAL MATCH (n) FILTER n.x > 1 RETURN n", "OPTIONAL MATCH (n) WITH * WHERE n.x > 1 RETURN n"),
    ("25>5", "MATCH (n) WITH n.x AS c FILTER EXISTS { (n)-->() } RETURN c",
     "MATCH (n) WITH n.x AS c WITH * WHERE EXISTS { (n)-->() } RETURN c"),
    ("25>5", "WITH 1 AS x LIMIT 1 FILTER x > 1 RETURN x", "WITH 1 AS x LIMIT 1 WHERE x > 1 RETURN x"),
    ("25>5", "LET x = 1, y = 2 LET z = x RETURN z", "WITH 1 AS x, 2 AS y WITH *, x AS z RETURN z"),
    ("5>o", "MATCH (n) ORDER BY n.x SKIP 1 LIMIT 2 RETURN n", "MATCH (n) WITH * ORDER BY n.x SKIP 1 LIMIT 2 RETURN n"),
    ("5>o", "MATCH (n) LIMIT 2 LIMIT 1 RETURN n", "MATCH (n) WITH * LIMIT 2 WITH * LIMIT 1 RETURN n"),
    ("25>5", "FOR x IN [1, 2] OFFSET 1 RETURN x", "UNWIND [1, 2] AS x SKIP 1 RETURN x"),
    ("25>5", "MATCH (n) RETURN n.x AS x, count(*) AS c GROUP BY x", "MATCH (n) RETURN n.x AS x, count(*) AS c"),
    ("25>5", "MATCH (n) RETURN count(*) AS c GROUP BY n.x ORDER BY c",
     "MATCH (n) WITH count(*) AS c, n.x AS key1 RETURN c AS c ORDER BY c"),
    ("25>5", "MATCH (n) RETURN n.x AS x GROUP BY n.x", "MATCH (n) RETURN DISTINCT n.x AS x"),
    ("25>5", "MATCH (n) RETURN count(*) AS c GROUP BY ()", "MATCH (n) RETURN count(*) AS c"),
    ("25>5", "MATCH (n) RETURN n.x NEXT FILTER true RETURN 1 AS y",
     "MATCH (n) WITH n.x AS `n.x` WITH * WHERE true RETURN 1 AS y"),
    ("25>5", "RETURN 1 AS x UNION RETURN 2 AS x NEXT RETURN x + 1 AS y",
     "CALL () { RETURN 1 AS x UNION RETURN 2 AS x } WITH x RETURN x + 1 AS y"),
    ("25>5", "RETURN 1 AS x UNION ALL { RETURN 2 AS x UNION RETURN 3 AS x }",
     "RETURN 1 AS x UNION ALL CALL () { RETURN 2 AS x UNION RETURN 3 AS x } RETURN x AS x"),
    ("25>5", "CREATE (a) MATCH (b) RETURN b", "CREATE (a) WITH * MATCH (b) RETURN b"),
    ("5>o", "INSERT (n:A&B)", "CREATE (n:A:B)"),
    ("5>o", "MATCH (n) NODETACH DELETE n", "MATCH (n) DELETE n"),
    ("5>o", "CREATE (n) FINISH", "CREATE (n)"),
    ("5>o", "FOREACH (x IN [1] | CREATE (:A {x: x}))", "UNWIND [1] AS x CREATE (:A {x: x})"),
    ("5>o", "MATCH (n) SET n['x'] = 1 REMOVE n['y']", "MATCH (n) SET n.x = 1 REMOVE n.y"),
    ("5>25", "MATCH (n)-[r]->(m) SET n = m, n += r", "MATCH (n)-[r]->(m) SET n = properties(m), n += properties(r)"),
    ("5>25", "CREATE (a {id: 0}), ({num: a.id})", "CREATE (a {id: 0}) CREATE ({num: a.id})"),
    ("5>25", "MATCH (a) CREATE (b {x: a.x})-[:T]->(a), (c)", "MATCH (a) CREATE (b {x: a.x})-[:T]->(a), (c)"),
    ("5>25", "UNWIND $rows AS row CREATE (n) SET n = row", "UNWIND $rows AS row CREATE (n) SET n = row"),
    ("o>5", "MATCH (n {x: {p}}) RETURN n", "MATCH (n {x: $p}) RETURN n"),
    ("25>5", "CYPHER 25 EXPLAIN RETURN 1 AS x", "CYPHER 5 EXPLAIN RETURN 1 AS x"),
    ("5>o", "CYPHER 5 RETURN 1 AS x", "RETURN 1 AS x"),
    ("25>5", "MATCH (n) CALL (n) { RETURN n.x AS x } RETURN x", "MATCH (n) CALL (n) { RETURN n.x AS x } RETURN x"),
    # The result keeps its columns.
    ("5>25", "MATCH (n) RETURN n . x, COUNT(n)", "MATCH (n) RETURN n.x AS `n . x`, count(n) AS `COUNT(n)`"),
    ("5>o", "RETURN char_length('a')", "RETURN size('a') AS `char_length('a')`"),
    ("5>25", "MATCH (`n`) RETURN `n`", "MATCH (n) RETURN n"),
    ("5>25", "MATCH (n) RETURN n { .x }", "MATCH (n) RETURN n {.x}"),
    ("5>25", "MATCH (n) RETURN n.x, n, count(*)", "MATCH (n) RETURN n.x, n, count(*)"),
]  # fmt: skip

REFUSALS: list[tuple[str, str, str, str]] = [
    ("25>5", "RETURN 1 AS x NEXT RETURN x UNION RETURN x + 1 AS x", "G501", "next"),
    ("5>25", "CREATE ({num: a.id}), (a {id: 0})", "G501", "reading-the-created"),
    ("5>25", "MERGE (a {id: 0})-[:T]->({num: a.id})", "G501", "reading-the-created"),
    ("25>5", "WHEN true THEN RETURN 1 AS x ELSE RETURN 2 AS x", "G501", "when"),
    ("25>5", "RETURN * UNION ALL { RETURN * UNION RETURN * }", "G507", "nested-union"),
    ("25>5", "MATCH (n) SEARCH n IN (VECTOR INDEX i FOR [1] LIMIT 3) RETURN n", "G501", "vector-search"),
    ("25>5", "MATCH REPEATABLE ELEMENTS p = (a)-->(b)-->(c) RETURN p", "G503", "repeatable-elements"),
    ("25>5", "MATCH REPEATABLE ELEMENTS (a)-->{2}(b) RETURN a", "G503", "repeatable-elements"),
    ("25>5", "MATCH p = ACYCLIC (a)-->+(b) RETURN p", "G503", "path-mode"),
    ("25>5", "MATCH p = SHORTEST $k (a)-->+(b) RETURN p", "G503", "counted-by-parameter"),
    ("25>5", "MATCH (n) RETURN n.x + 1 AS y, count(*) AS c GROUP BY n.x", "G506", "group-by"),
    ("25>5", "MATCH (n) WHERE n:$($l) RETURN n", "G505", "dynamic-label-predicate"),
    ("25>5", "RETURN coll.max([1]) AS x", "G502", "function-of-cypher-25"),
    ("25>5", "RETURN allReduce(a = 0, x IN [1] | a + x, a > 0) AS y", "G502", "all-reduce"),
    ("25>5", "RETURN 1 IS :: VECTOR<INTEGER8>(3) AS x", "G504", "newer-type"),
    ("5>o", "EXPLAIN RETURN 1 AS x", "G508", "explain"),
    ("5>o", "CYPHER runtime=slotted RETURN 1 AS x", "G508", "query-options"),
    ("5>o", "MATCH (n:A) USING SCAN n:A RETURN n", "G508", "index-hint"),
    ("5>o", "SHOW INDEXES", "G509", "command"),
    ("5>o", "MATCH (n) FINISH", "G501", "finish"),
    ("5>o", "FOREACH (x IN [1] | CREATE (:A)) RETURN 1 AS x", "G501", "foreach"),
    ("5>o", "FOREACH (x IN [1] | CREATE (:A) CREATE (:B))", "G501", "foreach"),
    ("5>o", "USE g MATCH (n) RETURN n", "G501", "use"),
    ("5>o", "LOAD CSV FROM 'f' AS row RETURN row", "G501", "load-csv"),
    ("5>o", "CALL () { RETURN 1 AS x } RETURN x", "G501", "subquery-call"),
    ("5>o", "OPTIONAL CALL db.labels() YIELD label RETURN label", "G501", "optional-call"),
    ("o>5", "CALL db.labels() YIELD - RETURN 1 AS x", "G501", "yield-nothing"),
    ("5>o", "MATCH p = SHORTEST 2 (a)-->+(b) RETURN p", "G503", "path-selector"),
    ("5>o", "MATCH p = ANY SHORTEST (a)-->+(b) RETURN p", "G503", "path-selector"),
    ("5>o", "MATCH ((x:A)-->(y)){1,2} RETURN 1 AS z", "G503", "path-group"),
    ("5>o", "MATCH ((x)-->(y)){1,2} RETURN x", "G503", "path-group"),
    ("5>o", "MATCH ((x)-->()-->(y)){1,2} RETURN 1 AS z", "G503", "path-group"),
    ("5>o", "MATCH (n:$($l)) RETURN n", "G505", "dynamic-label"),
    ("5>o", "CREATE (n:$($l))", "G505", "dynamic-label-in-write"),
    ("5>o", "MATCH (n) SET n:$($l)", "G505", "dynamic-label-change"),
    ("5>o", "MATCH (n) SET n[$k] = 1", "G504", "dynamic-property"),
    ("5>o", "MATCH (:A|B) RETURN *", "G510", "label-expression"),
    ("5>o", "MATCH (:A)-[:!X]->(:B) WITH *, 1 AS x RETURN x", "G510", "type-expression"),
    ("5>o", "MATCH p = shortestPath((a)-[:A|!B]->(b)) RETURN p", "G505", "type-expression"),
    ("5>o", "MATCH (a)-[r WHERE all(x IN r.y WHERE x)]->+(b) RETURN r", "G503", "inline-where"),
    ("5>o", "WITH {x: 1} AS m RETURN m:% AS x", "G505", "label-predicate"),
    ("5>o", "MATCH (n) RETURN COUNT { MATCH (n)-->(m), (m)-->(k) } AS x", "G504", "count-subquery"),
    ("5>o", "MATCH (n) RETURN COUNT { (n) } AS x", "G504", "count-subquery"),
    ("5>o", "MATCH (n) RETURN COLLECT { MATCH (n)-->(m) RETURN m LIMIT 1 } AS x", "G504", "collect-subquery"),
    ("5>o", "RETURN 1 IS :: INTEGER AS x", "G504", "type-predicate"),
    ("5>o", "RETURN 'a' IS NORMALIZED AS x", "G504", "normalized-predicate"),
    ("5>o", "RETURN CASE rand() WHEN > 1 THEN 2 END AS x", "G504", "subject-test"),
    ("5>o", "RETURN toStringOrNull(1) AS x", "G502", "function-of-cypher-5"),
    ("5>o", "MATCH (n) RETURN elementId(n) AS x", "G502", "function-of-cypher-5"),
    ("5>o", "MATCH (n) RETURN isEmpty(n.x) AS x", "G502", "function-of-cypher-5"),
    ("5>o", "RETURN round(1.5, 1) AS x", "G502", "rounding-precision"),
    ("5>o", "RETURN ltrim('ab', 'a') AS x", "G502", "trimmed-characters"),
]  # fmt: skip


@pytest.mark.parametrize(("direction", "text", "expected"), REWRITES)
def test_rewrites(direction: str, text: str, expected: str) -> None:
    assert translated(text, direction) == expected


@pytest.mark.parametrize(("direction", "text", "code", "feature"), REFUSALS)
def test_refusals(direction: str, text: str, code: str, feature: str) -> None:
    with pytest.raises(Unsupported) as caught:
        translated(text, direction)
    assert (caught.value.code, caught.value.feature) == (code, feature)
    assert caught.value.target == NAMES[direction.partition(">")[2]]
    found = caught.value.diagnostics[0]
    assert 0 <= found.start < found.end <= len(text)
    assert found.message.startswith(("openCypher 9 has no ", "Neo4j, Cypher 5 has no ", "Neo4j, Cypher 25 has no "))


def test_every_rule_is_for_a_feature_that_some_dialect_lacks() -> None:
    lacking = {name for name in FEATURES if any(name not in supported for supported in SUPPORTED.values())}
    assert set(RULES) | set(OPERATOR_RULES) <= lacking
    assert all(supported <= set(FEATURES) for supported in SUPPORTED.values())


def test_every_feature_without_a_rule_has_a_refusal_here() -> None:
    refused = {feature for *_, feature in REFUSALS}
    nowhere_in_cypher = {"set-difference", "unwind-position", "value-subquery", *GQL_ALONE}
    everywhere = {name for name in FEATURES if all(name in supported for supported in SUPPORTED.values())}
    assert set(FEATURES) - set(RULES) - set(OPERATOR_RULES) - refused - everywhere == nowhere_in_cypher


# ------------------------------------------------------------------ what no text of the three dialects holds


def of(*operators: ir.Operator) -> ir.Query:
    return ir.Query(ir.Pipeline(operators))


RETURNED = ir.Project((ir.Item(ir.Literal(1), "x"),), final=True)


def test_set_difference_is_refused() -> None:
    with pytest.raises(Unsupported) as caught:
        legalize(ir.Query(ir.SetOperation("except", True, (of(RETURNED).body, of(RETURNED).body))), "neo4j-25")
    assert caught.value.code == "G507"


def test_positions_of_unwound_elements_are_refused() -> None:
    with pytest.raises(Unsupported) as caught:
        legalize(of(ir.Unwind(ir.ListOf(), "x", ordinality="i"), RETURNED), "neo4j-25")
    assert caught.value.code == "G501"


def test_value_subqueries_are_refused() -> None:
    value = ir.Subquery("value", of(RETURNED).body)
    with pytest.raises(Unsupported) as caught:
        legalize(of(ir.Project((ir.Item(value, "x"),), final=True)), "neo4j-25")
    assert caught.value.code == "G504"


ONE = ir.Literal(1)
EDGE = ir.EdgePattern(quantifier=ir.Bounds(1, None, None, ir.Parameter("p")))


def returning(value: ir.Expression) -> ir.Query:
    return of(ir.Project((ir.Item(value, "x"),), final=True))


def matching(*elements: ir.PathElement, kind: str | None = None) -> ir.Query:
    return of(ir.Match((ir.Path(elements, selector=kind and ir.Selector(kind)),)), RETURNED)


def selecting(table: ir.TableExpression) -> ir.Query:
    return ir.Query(ir.Select((ir.Item(ONE, "x"),), table))


GQL_ALONE: dict[str, ir.Query] = {
    "columns-by-name": ir.Query(ir.SetOperation("union", True, (of(RETURNED).body, of(RETURNED).body), "name")),
    "cheapest": matching(ir.NodePattern(), ir.EdgePattern(), ir.NodePattern(), kind="any_cheapest"),
    "cost": matching(ir.NodePattern(), ir.EdgePattern(cost=ONE), ir.NodePattern()),
    "bounded-by-parameter": matching(ir.NodePattern(), EDGE, ir.NodePattern()),
    "sql": returning(ir.Subquery("exists", ir.Sql("SELECT 1"))),
    "graph-name": of(ir.Use(ir.GraphName(("g",))), RETURNED),
    "cast": returning(ir.Cast(ONE, ir.ValueType("STRING"))),
    "record": returning(ir.Struct(())),
    "named-value": returning(ir.Apply("abs", (ir.Named("x", ONE),))),
    "record-type": returning(ir.IsTyped(ONE, ir.ValueType("RECORD", (ir.ValueType("STRING"),), fields=("a",)))),
    "lambda": returning(ir.Apply("abs", (ir.Lambda(("x",), ONE),))),
    "modified-aggregate": returning(ir.Apply("count", (ir.Modified(ONE, "ignore"),))),
    "window": returning(ir.Window(ir.Apply("count_star"), "OVER ()")),
    "filtered-aggregate": returning(ir.Filtered(ir.Apply("count_star"), ir.Literal(True))),
    "ordered-set-aggregate": returning(ir.Within(ir.Apply("collect", (ONE,)), (ir.SortKey(ONE),))),
    "collation": returning(ir.Collated(ONE, ("C",))),
    "worded-call": returning(ir.WordedCall("TRIM", (ONE,), ("BOTH", "FROM"))),
    "database-operator": returning(ir.SqlOperator("->>", ONE, ONE)),
    "array-slice": returning(ir.ArraySlice(ONE, ONE, None)),
    "sql-statement": ir.Query(ir.SqlStatement("select", "read", ("SELECT 1",))),
    "unpacking": returning(ir.Unpack(ir.Ref("x"))),
    "sample": of(ir.Sample("BERNOULLI (10 PERCENT)"), RETURNED),
    "select": ir.Query(ir.Select((ir.Item(ONE, "x"),))),
    "select-part": ir.Query(ir.Select((ir.Star(),))),
    "table": selecting(ir.TableName(("t",))),
    "derived-table": selecting(ir.DerivedTable(of(RETURNED).body)),
    "joined-table": selecting(ir.UnnestTable(ir.ListOf())),
}


@pytest.mark.parametrize("dialect", ["opencypher-9", "neo4j-5", "neo4j-25"])
@pytest.mark.parametrize("feature", GQL_ALONE)
def test_what_gql_alone_has_is_refused(feature: str, dialect: str) -> None:
    with pytest.raises(Unsupported) as caught:
        legalize(GQL_ALONE[feature], dialect)
    assert caught.value.feature == feature


@pytest.mark.parametrize(
    ("key", "expected"),
    [
        (ir.SortKey(ir.Ref("x"), False, "last"), "ORDER BY x"),
        (ir.SortKey(ir.Ref("x"), False, "first"), "ORDER BY x IS NOT NULL, x"),
        (ir.SortKey(ir.Ref("x"), True, "last"), "ORDER BY x IS NULL, x DESC"),
    ],
)
def test_nulls_at_the_other_end(key: ir.SortKey, expected: str) -> None:
    final = ir.Project((ir.Item(ir.Ref("x")),), final=True)
    made = legalize(of(ir.Unwind(ir.ListOf(), "x"), ir.Order((key,)), final), "neo4j-5")
    assert print_query(made, "neo4j-5") == f"UNWIND [] AS x\n{expected}\nRETURN x"


def test_a_projection_of_nothing_keeps_the_rows() -> None:
    made = legalize(of(ir.Unwind(ir.ListOf(), "y"), ir.Project(()), RETURNED), "neo4j-5")
    assert print_query(made, "neo4j-5") == "UNWIND [] AS y\nWITH null AS row1\nRETURN 1 AS x"


def test_a_query_of_nothing_ends_without_a_result() -> None:
    assert print_query(legalize(of(), "neo4j-5"), "neo4j-5") == "FINISH"


def test_nested_parentheses_go_at_once() -> None:
    text = f"MATCH {'(' * 60}(a)-->(b){')' * 60} RETURN a"
    assert translated(text, "5>o") == "MATCH (a)-->(b) RETURN a"


def test_generated_names_do_not_clash() -> None:
    text = "MATCH (n1)-->(:A|B)-->(:C|D) RETURN n1"
    assert translated(text, "5>o") == ("MATCH (n1)-->(n1_)-->(n2) WHERE (n1_:A OR n1_:B) AND (n2:C OR n2:D) RETURN n1")
    assert generated("n", 1) not in text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("MATCH (a)-[:X*0]->(b)-->{1,2}(c) RETURN a", "MATCH (a)-[:X*0]->(b)-[*1..2]->(c) RETURN a AS a"),
        ("MATCH (a) RETURN [p = (a)-[*]->(b) | p] AS x", "MATCH (a) RETURN [p = (a)-[*]->(b) | p] AS x"),
        ("MATCH p = shortestPath((a)-[*]-(b)) RETURN p", "MATCH p = shortestPath((a)-[*]-(b)) RETURN p AS p"),
        ("MATCH (a)-[*2]->(b) RETURN DISTINCT b.x AS x", "MATCH (a)-->{2}(b) RETURN DISTINCT b.x AS x"),
        ("MATCH (a) WITH a.x AS x, count(*) AS c WHERE c > 1 RETURN x LIMIT 1",
         "MATCH (a) WITH a.x AS x, count(*) AS c WHERE c > 1 RETURN x AS x LIMIT 1"),
    ],
)  # fmt: skip
def test_core_is_printed_too(text: str, expected: str) -> None:
    core = normalize(parse(text, "neo4j-25"), Source(text), "neo4j-25")
    out = print_query(legalize(core, "neo4j-5", Source(text)), "neo4j-5")
    assert " ".join(out.split()) == expected
    assert parse(out, "neo4j-5")


# ------------------------------------------------------------------ approximate rewrites


@pytest.mark.parametrize(
    ("text", "expected", "said"),
    [
        ("CYPHER runtime=slotted RETURN 1 AS x", "RETURN 1 AS x", "options before the query"),
        ("MATCH (n:A) USING SCAN n:A RETURN n", "MATCH (n:A) RETURN n", "planner hints"),
        ("MATCH p = ANY SHORTEST (a)-->+(b) RETURN p", "MATCH p = shortestPath((a)-[*]->(b)) RETURN p", "path s"),
        ("MATCH p = ALL SHORTEST (a)--+(b) RETURN p", "MATCH p = allShortestPaths((a)-[*]-(b)) RETURN p", "path s"),
    ],
)  # fmt: skip
def test_approximate_rewrites_are_made_when_asked_for_and_say_so(text: str, expected: str, said: str) -> None:
    notes: list[Diagnostic] = []
    assert translated(text, "5>o", lossy=True, notes=notes) == expected
    assert [note.severity for note in notes] == ["warning"]
    assert notes[0].message.startswith(said)
    with pytest.raises(Unsupported):
        translated(text, "5>o")
