"""Cypher in, GQL of Spanner Graph out: texts, refusals, and the data that decides about them."""

import pytest

import graphir
from graphir import Unsupported, ir
from graphir.backends import gql
from graphir.backends.gql import features, names
from graphir.passes.normalize import normalize
from tests.golden_files import OF_GQL

SUPPORTED = [
    pytest.param(
        "UNWIND [1, null] AS x RETURN [1] + x AS more, [1] + null AS none",
        "FOR x IN [1, NULL]\nRETURN ARRAY_CONCAT([1], IF(x IS NULL, NULL, [x])) AS more, NULL AS none",
        id="a list and null are null",
    ),
    pytest.param(
        "MATCH (n) WHERE EXISTS { MATCH (n)-->(m) WITH m WHERE n.x > m.x } RETURN n.x AS x",
        "MATCH (n)\nWHERE EXISTS {\n  MATCH (n_in)-[]->(m)\n  WHERE n_in = n\n  WITH m\n  FILTER n.x > m.x\n"
        "  RETURN 1 AS one0\n}\nRETURN n.x AS x",
        id="behind a projection of a subquery the outer variable is meant",
    ),
    pytest.param(
        "MATCH (n:Person {age: 3})-[:KNOWS]->(m) WHERE m.name STARTS WITH 'A' RETURN n.name AS name, m.age + 1 AS next",
        "MATCH (n:Person {age: 3})-[:KNOWS]->(m)\nWHERE STARTS_WITH(m.name, 'A')\n"
        "RETURN n.name AS name, m.age + 1 AS next",
        id="pattern, condition, columns",
    ),
    pytest.param(
        "MATCH (a)-[:R]->(b)-[:R]->(c) RETURN count(*) AS n",
        "MATCH TRAIL (a)-[:R]->(b)-[:R]->(c)\nRETURN COUNT(*) AS n",
        id="edges of one path that could be one are a trail",
    ),
    pytest.param(
        "MATCH (a)-[:R]->(b)-[:S]->(c) RETURN count(*) AS n",
        "MATCH (a)-[:R]->(b)-[:S]->(c)\nRETURN COUNT(*) AS n",
        id="edges of different types differ anyway",
    ),
    pytest.param(
        "MATCH REPEATABLE ELEMENTS (a)-[:R]->(b)-[:R]->(c) RETURN count(*) AS n",
        "MATCH (a)-[:R]->(b)-[:R]->(c)\nRETURN COUNT(*) AS n",
        id="repeatable elements",
    ),
    pytest.param(
        "MATCH (a)-[r]->(b), (a)-[:R|S]-(c), (c)-[:T]->(d) RETURN count(*) AS n",
        "MATCH (a)-[r]->(b), (a)-[e1:R|S]-(c), (c)-[e2:T]->(d)\nWHERE r != e1 AND r != e2\nRETURN COUNT(*) AS n",
        id="edges of different paths are compared where they could meet",
    ),
    pytest.param(
        "MATCH (a)-[r*1..3 {w: 1}]->(b), (b)-[s]->(c), (c)-[t*2]-(d) RETURN size(r) AS n",
        "MATCH TRAIL (a)-[r {w: 1}]->{1,3}(b), (b)-[s]->(c), TRAIL (c)-[t]-{2}(d)\n"
        "WHERE NOT EXISTS (SELECT 1 FROM UNNEST(r) AS each1 WHERE each1 = s)\n"
        "  AND NOT EXISTS (SELECT 1 FROM UNNEST(r) AS each2 WHERE EXISTS (SELECT 1 FROM UNNEST(t) AS each3 WHERE"
        " each2 = each3))\n"
        "  AND NOT EXISTS (SELECT 1 FROM UNNEST(t) AS each4 WHERE each4 = s)\n"
        "RETURN ARRAY_LENGTH(r) AS n",
        id="groups have no edge in common with others",
    ),
    pytest.param(
        "MATCH (a)-[r]->(b) MATCH (a)-[s]->(c) RETURN count(*) AS n",
        "MATCH (a)-[r]->(b)\nMATCH (a)-[s]->(c)\nRETURN COUNT(*) AS n",
        id="edges of different clauses may be one",
    ),
    pytest.param(
        "MATCH (a) MATCH (b {x: a.x} WHERE b.y > 1)-[r WHERE r.w = a.w]->(c {z: 1}) RETURN c.z AS z",
        "MATCH (a)\nMATCH (b WHERE b.y > 1)-[r]->(c {z: 1})\nWHERE b.x = a.x AND r.w = a.w\nRETURN c.z AS z",
        id="what looks at other variables moves to WHERE",
    ),
    pytest.param(
        "MATCH (a {x: 1} WHERE a.y > 1) RETURN a.z AS z",
        "MATCH (a WHERE a.x = 1 AND a.y > 1)\nRETURN a.z AS z",
        id="not a property map and a WHERE at once",
    ),
    pytest.param(
        "MATCH (a)-[r*1..2 {w: a.x}]->(b) RETURN b.x AS x",
        "MATCH TRAIL (a)-[r]->{1,2}(b)\nWHERE NOT EXISTS (SELECT 1 FROM UNNEST(r) AS each1 WHERE (each1.w = a.x) IS NOT"
        " TRUE)\nRETURN b.x AS x",
        id="a condition of a group on others holds for each edge",
    ),
    pytest.param(
        "MATCH (n:A&!(B|C)) WHERE n:D RETURN n.x AS x",
        "MATCH (n:A&!(B|C))\nWHERE n IS LABELED D\nRETURN n.x AS x",
        id="label expressions",
    ),
    pytest.param(
        "MATCH (n) RETURN n.city AS city, count(*) AS c, sum(n.x) AS s, count(DISTINCT n) AS d",
        "MATCH (n)\n"
        "RETURN n.city AS city, COUNT(*) AS c, IFNULL(SUM(n.x), 0) AS s, COUNT(DISTINCT ELEMENT_ID(n)) AS d\n"
        "GROUP BY city",
        id="grouping keys; the sum of nothing; elements are counted by identity",
    ),
    pytest.param(
        "MATCH (n) RETURN n.name ORDER BY n.age DESC, n.name SKIP 1 LIMIT 2",
        "MATCH (n)\nRETURN n.name AS `n.name`\nORDER BY n.age IS NOT NULL, n.age DESC, `n.name` IS NULL, `n.name`\n"
        "OFFSET 1\nLIMIT 2",
        id="null is the greatest; a column without AS keeps its name",
    ),
    pytest.param(
        "MATCH (n) RETURN count(*) AS c ORDER BY c DESC",
        "MATCH (n)\nRETURN COUNT(*) AS c\nORDER BY c DESC",
        id="no null, no place for it",
    ),
    pytest.param(
        "MATCH (n) RETURN DISTINCT n.x AS x ORDER BY x",
        "MATCH (n)\nRETURN DISTINCT n.x AS x\nORDER BY x IS NULL, x",
        id="distinct and ordered",
    ),
    pytest.param(
        "MATCH (n) RETURN n.x AS x ORDER BY 1, x",
        "MATCH (n)\nRETURN n.x AS x\nORDER BY x IS NULL, x",
        id="a constant sorts nothing",
    ),
    pytest.param(
        "MATCH (n)-->(m) WITH n, count(m) AS c WHERE c > 1 MATCH (n)-->(k) RETURN k.x AS x, c",
        "MATCH (n)-[]->(m)\nWITH n, COUNT(ELEMENT_ID(m)) AS c\nGROUP BY n\nFILTER c > 1\nMATCH (n)-[]->(k)\n"
        "RETURN k.x AS x, c",
        id="WITH",
    ),
    pytest.param(
        "MATCH (n) WITH n ORDER BY n.x LIMIT 3 RETURN n.y AS y",
        "MATCH (n)\nWITH n\nRETURN n.y AS y\nORDER BY n.x IS NULL, n.x\nLIMIT 3",
        id="an order and a page of WITH",
    ),
    pytest.param(
        "MATCH (n) WITH n.x AS x ORDER BY x LIMIT 3 WHERE x > 1 RETURN x",
        "MATCH (n)\nORDER BY n.x IS NULL, n.x\nLIMIT 3\nFILTER n.x > 1\nRETURN n.x AS x\nORDER BY x IS NULL, x",
        id="rows stay sorted behind a condition",
    ),
    pytest.param(
        "MATCH (n) RETURN n.x AS n ORDER BY n",
        "MATCH (n)\nRETURN n.x AS n\nORDER BY n IS NULL, n",
        id="a column with the name of a variable",
    ),
    pytest.param(
        "MATCH (N)-->(n) RETURN N.x AS a, n.x AS A",
        "MATCH (N)-[]->(n_2)\nRETURN N.x AS a, n_2.x AS A_2",
        id="names that differ in case only",
    ),
    pytest.param(
        "MATCH (select:Order)-[:`IN`]->(n {group: 1}) RETURN select.`from` AS `order`, n.`two words` AS x",
        "MATCH (`select`:`Order`)-[:`IN`]->(n {`group`: 1})\nRETURN `select`.`from` AS `order`, n.`two words` AS x",
        id="keywords",
    ),
    pytest.param(
        "MATCH (n) WHERE (n.a XOR n.b) OR NOT (n.x = 1 AND n.y <> 2) "
        "RETURN n.s + 'a' AS s, n.x % 2 AS m, n.f / 2.0 AS d",
        "MATCH (n)\nWHERE n.a != n.b OR NOT (n.x = 1 AND n.y != 2)\n"
        "RETURN n.s || 'a' AS s, MOD(n.x, 2) AS m, n.f / 2.0 AS d",
        id="operators",
    ),
    pytest.param(
        "MATCH (n) WHERE n.x IN [1, null] AND n.s CONTAINS 'a' AND n.y IN $list AND NOT n.z IN $list RETURN n.x AS x",
        "MATCH (n)\nWHERE n.x IN (1, NULL)\n  AND STRPOS(n.s, 'a') > 0\n  AND n.y IN UNNEST(@list)\n"
        "  AND NOT IF(@list IS NULL, NULL, n.z IN UNNEST(@list))\nRETURN n.x AS x",
        id="membership; a null list matters only where null does",
    ),
    pytest.param(
        "MATCH (n) WHERE n.x = null OR n.x IN [] OR 1 < n.x <= 3 RETURN -n.x AS a, null + 1 AS b",
        "MATCH (n)\nWHERE NULLIF(TRUE, TRUE) OR FALSE OR 1 < n.x AND n.x <= 3\nRETURN -n.x AS a, NULL AS b",
        id="null and empty lists are folded",
    ),
    pytest.param(
        "MATCH (n)-[r]->() RETURN type(r) AS t, count(*) / 2 AS half, coalesce(n.x, 0) AS x, toUpper(n.s) AS s",
        "MATCH (n)-[r]->()\nWITH LABELS(r)[OFFSET(0)] AS t, COALESCE(n.x, 0) AS x, UPPER(n.s) AS s, COUNT(*) AS a1\n"
        "GROUP BY t, x, s\nRETURN t, DIV(a1, 2) AS half, x, s",
        id="functions; an expression of an aggregate",
    ),
    pytest.param(
        "MATCH (n) "
        "RETURN CASE n.x WHEN 1, 2 THEN 'a' WHEN > 5 THEN 'b' ELSE 'c' END AS c, CASE n.x WHEN 1 THEN 2 END AS d",
        "MATCH (n)\nRETURN\n  CASE WHEN n.x = 1 OR n.x = 2 THEN 'a' WHEN n.x > 5 THEN 'b' ELSE 'c' END AS c,\n"
        "  CASE n.x WHEN 1 THEN 2 END AS d",
        id="CASE",
    ),
    pytest.param(
        "MATCH p = (a)-[r*1..2]->(b) WHERE all(e IN r WHERE e.w > 0) AND length(p) > 1 RETURN length(p) AS n",
        "MATCH p = TRAIL (a)-[r]->{1,2}(b)\n"
        "WHERE NOT EXISTS (SELECT 1 FROM UNNEST(r) AS e WHERE (e.w > 0) IS NOT TRUE)\n"
        "FILTER PATH_LENGTH(p) > 1\nRETURN PATH_LENGTH(p) AS n",
        id="lists of edges and lengths of paths",
    ),
    pytest.param(
        "MATCH (a)-[r]->(b) WHERE id(a) = id(b) AND a <> b AND 'A' IN labels(a) RETURN count(id(a)) AS n",
        "MATCH (a)-[r]->(b)\nWHERE ELEMENT_ID(a) = ELEMENT_ID(b) AND a != b AND a IS LABELED A\n"
        "RETURN COUNT(ELEMENT_ID(a)) AS n",
        id="identities",
    ),
    pytest.param(
        "MATCH (a) WHERE NOT (a)-[:R]->() AND COUNT { (a)--(b) WHERE b.x > a.x } > 1 RETURN a.x AS x",
        "MATCH (a)\nWHERE NOT EXISTS {\n    MATCH (a_in)-[:R]->()\n    WHERE a_in = a\n  }\n  AND VALUE {\n"
        "    MATCH (a_in)-[]-(b)\n    WHERE a_in = a AND b.x > a_in.x\n    RETURN COUNT(*) AS count0\n  } > 1\n"
        "RETURN a.x AS x",
        id="subqueries have variables of their own",
    ),
    pytest.param(
        "MATCH (a) OPTIONAL MATCH (a)-[:R]->(b) WHERE b.x > a.x RETURN a.x AS x, b.x AS y",
        "MATCH (a)\nOPTIONAL MATCH (a)-[:R]->(b)\nWHERE b.x > a.x\nRETURN a.x AS x, b.x AS y",
        id="OPTIONAL MATCH",
    ),
    pytest.param(
        "UNWIND [1, 2] AS x WITH x AS y, count(*) AS c RETURN y, c",
        "FOR x IN [1, 2]\nRETURN x AS y, COUNT(*) AS c\nGROUP BY y",
        id="UNWIND",
    ),
    pytest.param(
        "UNWIND range(1, 3) AS x WITH DISTINCT x MATCH (n {x: x}) RETURN n.s AS s",
        "FOR x IN GENERATE_ARRAY(1, 3) WITH OFFSET AS at1\nWITH DISTINCT x\nMATCH (n)\nWHERE n.x = x\nRETURN n.s AS s",
        id="a WITH behind FOR is no WITH OFFSET",
    ),
    pytest.param(
        "MATCH (a) RETURN a.x AS x UNION MATCH (b) RETURN b.y AS x",
        "MATCH (a)\nRETURN a.x AS x\nUNION DISTINCT\nMATCH (b)\nRETURN b.y AS x",
        id="UNION",
    ),
    pytest.param(
        r"RETURN 'it\'s `a`\n' AS a, 1e30 AS b, -9223372036854775808 AS c, 1.0 AS d, true AS e",
        r"RETURN 'it\'s `a`\n' AS a, 1e+30 AS b, -9223372036854775808 AS c, 1.0 AS d, TRUE AS e",
        id="literals",
    ),
]


@pytest.mark.parametrize(("query", "text"), SUPPORTED)
def test_translation(query: str, text: str) -> None:
    assert graphir.translate(query, read="neo4j-25", write="gql-spanner") == "GRAPH g\n" + text


REFUSED = [
    ("MATCH (n) SET n.x = 1 RETURN n.x AS x", "G570"),
    ("EXPLAIN MATCH (n) RETURN n.x AS x", "G521"),
    ("SHOW INDEXES", "G521"),
    ("CALL db.labels() YIELD label RETURN label", "G522"),
    ("MATCH (a)-[*]->(b) RETURN b.x AS x", "G525"),
    ("MATCH (a)-[:R]->+(b) RETURN b.x AS x", "G525"),
    ("MATCH (a)((x)-[:R]->(y)){1,2}(b) RETURN b.x AS x", "G526"),
    ("MATCH p = ALL SHORTEST (a)-[:R]->{1,3}(b) RETURN length(p) AS n", "G527"),
    ("MATCH (n:$($l)) RETURN n.x AS x", "G528"),
    ("MATCH (n) RETURN n.tags[0] AS x", "G529"),
    ("MATCH (a)-[r*1..2]->() RETURN all(e IN r WHERE e.w > 0) AS x", "G529"),
    ("MATCH p = (a)-->() RETURN [e IN relationships(p)] AS x", "G538"),
    ("MATCH p = (a)-->() RETURN [n IN nodes(p) | n] AS x", "G538"),
    ("MATCH (n) CALL (n) { MATCH (n)--(m) RETURN m.x AS x LIMIT 1 } RETURN x", "G523"),
    ("WHEN true THEN RETURN 1 AS x ELSE RETURN 2 AS x", "G524"),
    ("MATCH p = shortestPath((a)-[*..3]->(b)) WHERE all(r IN relationships(p) WHERE r.w > 1) RETURN a.x AS x", "G527"),
    ("MATCH (n) RETURN [n.x, [1]] AS x", "G537"),
    ("MATCH (n) RETURN {} AS x", "G530"),
    ("MATCH (n) RETURN n {.*} AS x", "G552"),
    ("MATCH (n) RETURN COUNT { MATCH (n)--(m) RETURN m.x AS x UNION MATCH (n) RETURN n.x AS x } AS x", "G531"),
    ("MATCH (n) WITH n ORDER BY n.x RETURN collect(DISTINCT n.s) AS x", "G548"),
    ("MATCH (n) RETURN reduce(s = 0, x IN n.xs | s + x) AS x", "G529"),
    ("MATCH (n) RETURN apoc.text.clean(n.s) AS x", "G532"),
    ("MATCH (n) WHERE n.x IS :: INTEGER RETURN n.x AS x", "G533"),
    ("MATCH (n) RETURN round(n.x, 2) AS x", "G534"),
    ("MATCH (n) RETURN toFloat(n.x) AS x", "G535"),
    ("MATCH (n) RETURN stDev(n.x) AS x", "G534"),
    ("MATCH (n) WITH n.y AS y, collect(n.x) AS l RETURN DISTINCT l", "G537"),
    ("MATCH (n) WHERE n.s =~ $p RETURN n.x AS x", "G547"),
    ("MATCH (n) RETURN n.x ^ 2 AS x", "G534"),
    ("RETURN localdatetime('2020-01-01T10:00') AS x", "G534"),
    ("RETURN {a: [localdatetime('2020-01-01T10:00')]} AS x", "G534"),
    ("MATCH (n) RETURN n.x + n.y AS x", "G535"),
    ("MATCH (n) RETURN n.x / 2 AS x", "G535"),
    ("MATCH (n) RETURN size(n.x) AS x", "G535"),
    ("MATCH (n) RETURN 1 + 'a' AS x", "G536"),
    ("MATCH (n) RETURN n.x IN [1, 'a'] AS x", "G536"),
    ("MATCH (n) RETURN CASE WHEN n.x THEN 1 ELSE 'a' END AS x", "G536"),
    ("MATCH (n) RETURN n.x AS x ORDER BY n", "G537"),
    ("MATCH (n)-[r]-() WHERE n = r RETURN n.x AS x", "G537"),
    ("MATCH (n) RETURN n", "G538"),
    ("MATCH (n)-[r]->() RETURN r AS x", "G538"),
    ("MATCH p = (n)-[r*1..2]->() RETURN p AS x", "G538"),
    ("MATCH (n) RETURN id(n) AS x", "G539"),
    ("MATCH (n) WHERE id(n) < 3 RETURN n.x AS x", "G539"),
    ("MATCH (n) RETURN n.date.year AS x", "G535"),
    ("MATCH (n) RETURN date('2020-01-02').epochDays AS x", "G540"),
    ("MATCH (n) RETURN n.x AS x LIMIT 1 + 1", "G541"),
    ("MATCH (n) WHERE n.x = 1 RETURN n.X AS x", "G542"),
    ("MATCH (n:a)--(m:A) RETURN n.x AS x", "G542"),
    ("MATCH WALK (n)-[:R]->(m) RETURN n.x AS x", "G545"),
    ("WITH $n AS n MATCH (n)-->(m) RETURN m.x AS x", "G546"),
    ("MATCH (n) FINISH", "G550"),
]


@pytest.mark.parametrize(("query", "code"), REFUSED, ids=[query for query, _ in REFUSED])
def test_refusal(query: str, code: str) -> None:
    with pytest.raises(Unsupported) as refusal:
        graphir.translate(query, read="neo4j-25", write="gql-spanner")
    assert refusal.value.code == code
    assert refusal.value.target == "gql-spanner"
    assert refusal.value.feature
    found = refusal.value.diagnostics[0]
    assert 0 <= found.start < found.end <= len(query)


def test_a_literal_without_counterpart() -> None:
    item = ir.Item(ir.Literal(2**63), name="x")
    with pytest.raises(Unsupported) as refusal:
        gql.emit(ir.Query(ir.Pipeline((ir.Project((item,), final=True),))))
    assert refusal.value.code == "G534"


def test_the_name_of_the_graph() -> None:
    core = normalize(graphir.parse("MATCH (n) RETURN n.x AS x"))
    assert gql.emit(core, graph=("my graph",)).startswith("GRAPH `my graph`\n")


def test_every_operator_of_the_ir_is_classified() -> None:
    """A class without a feature is one that every dialect has; a class in neither list would be refused as unknown."""
    listed = set(features.UNIVERSAL) | {kind for feature in features.FEATURES for kind in feature.classes}
    beside = {ir.YieldItem, ir.MergeAction, ir.SetProperty, ir.SetProperties, ir.SetLabels, ir.RemoveProperty}
    inside = {ir.RemoveLabels, ir.Comparison}
    assert set(ir.REGISTRY.values()) - listed == beside | inside | (
        OF_GQL - {ir.Cast, ir.Modified, ir.Struct, ir.Named}
    )


def test_features_have_names_and_codes_of_their_own() -> None:
    every = [*features.FEATURES, *features.LIMITS.values()]
    assert len({feature.name for feature in every}) == len(every)
    assert all(feature.code.startswith(("G4", "G5")) for feature in every)
    assert all(supported <= {feature.name for feature in every} for supported in features.SUPPORTED.values())


@pytest.mark.parametrize(
    ("name", "text"),
    [("n", "n"), ("order", "`order`"), ("a b", "`a b`"), ("é", "`é`"), ("1a", "`1a`"), ("a`\\\n", "`a\\`\\\\\\n`")],
)
def test_identifier(name: str, text: str) -> None:
    assert names.identifier(name) == text
