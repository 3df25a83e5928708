"""Cypher as ISO GQL and as the GQL of Neo4j, Fabric and Grafeo: what is written, what is refused, what is noted."""

from __future__ import annotations

import pytest

import graphir
from graphir import api
from graphir.backends.iso.targets import TARGETS
from graphir.diagnostics import Diagnostic, Unsupported
from graphir.dialects import DIALECTS
from graphir.grammar import gql

SCHEMA = """Node properties:
P {name: STRING, age: INTEGER, weight: FLOAT, tags: StringArray, born: DATE}
Relationship properties:
The relationships:
(:P)-[:K]->(:P)
(:P)-[:L]->(:P)"""


def written(query: str, target: str = "gql-iso", schema: graphir.Schema | None = None) -> str:
    """The translation, which parses again where it is ISO GQL."""
    text = graphir.translate(query, read="neo4j-25", write=target, schema=schema)
    if target == "gql-iso":
        gql.parse(text, target)
    return text


def refused(query: str, target: str = "gql-iso") -> str:
    with pytest.raises(Unsupported) as raised:
        graphir.translate(query, read="neo4j-25", write=target)
    assert raised.value.diagnostics[0].message
    return raised.value.code


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("MATCH (n:P) RETURN n.x AS x", "MATCH (n:P)\nRETURN n.x AS x"),
        # relationship uniqueness
        ("MATCH (a)-->(b)<--(c) RETURN a", "MATCH DIFFERENT EDGES (a)-[]->(b)<-[]-(c)\nRETURN a"),
        ("MATCH (a)-[:R*2..3]->(b) RETURN a", "MATCH DIFFERENT EDGES (a)-[:R]->{2,3}(b)\nRETURN a"),
        ("MATCH REPEATABLE ELEMENTS (a)-->(b)-->(c) RETURN a",
         "MATCH REPEATABLE ELEMENTS (a)-[]->(b)-[]->(c)\nRETURN a"),
        ("MATCH p = shortestPath((a)-[*..4]-(b)) RETURN length(p) AS l",
         "MATCH p = ANY SHORTEST TRAIL (a)-[]-{1,4}(b)\nRETURN PATH_LENGTH(p) AS l"),
        # element conditions
        ("MATCH (a {x: 1} WHERE a.y > 2) RETURN a", "MATCH (a WHERE a.x = 1 AND a.y > 2)\nRETURN a"),
        ("MATCH (a), (b {x: a.x}) RETURN b", "MATCH (a), (b)\nWHERE b.x = a.x\nRETURN b"),
        # grouping and pipelines
        ("MATCH (n) RETURN n.x AS x, count(*) AS c", "MATCH (n)\nRETURN n.x AS x, COUNT(*) AS c\nGROUP BY x"),
        ("MATCH (n) RETURN sum(n.x) AS s", "MATCH (n)\nRETURN COALESCE(SUM(n.x), 0) AS s"),
        ("MATCH (n) WITH n.x AS n, count(*) AS c RETURN n, c",
         "MATCH (n)\nLET key1 = n.x\nRETURN key1 AS n, COUNT(*) AS c\nGROUP BY key1"),
        ("MATCH (n) WITH n.x AS x, count(*) AS c WHERE c > 1 RETURN x",
         "MATCH (n)\nRETURN n.x AS x, COUNT(*) AS c\nGROUP BY x\nNEXT\nFILTER c > 1\nRETURN x"),
        ("MATCH (n) RETURN n.x AS x ORDER BY n.y DESC SKIP 1 LIMIT 2",
         "MATCH (n)\nRETURN n.x AS x\nORDER BY n.y DESC NULLS FIRST\nOFFSET 1\nLIMIT 2"),
        ("MATCH (n) WITH n ORDER BY n.x RETURN collect(n.x) AS l",
         "MATCH (n)\nRETURN n\nORDER BY n.x NULLS LAST\nNEXT\nRETURN COLLECT_LIST(n.x) AS l"),
        ("UNWIND [1, 2] AS x RETURN x UNION UNWIND [3] AS x RETURN x",
         "FOR x IN [1, 2]\nRETURN x\nUNION\nFOR x IN [3]\nRETURN x"),
        ("CALL { MATCH (n) RETURN n.x AS x } RETURN x", "CALL () {\n  MATCH (n)\n  RETURN n.x AS x\n}\nRETURN x"),
        # expressions
        ("MATCH (n) WHERE n.x IN [1, 2] RETURN n", "MATCH (n)\nWHERE n.x = 1 OR n.x = 2\nRETURN n"),
        ("MATCH (n) WHERE n.s STARTS WITH 'a' RETURN n", "MATCH (n)\nWHERE LEFT(n.s, 1) = 'a'\nRETURN n"),
        ("MATCH (n) WHERE n.s ENDS WITH n.t RETURN n",
         "MATCH (n)\nWHERE RIGHT(n.s, CHAR_LENGTH(n.t)) = n.t\nRETURN n"),
        ("MATCH (n) WHERE any(x IN n.l WHERE x > 1) RETURN n",
         "MATCH (n)\nWHERE EXISTS {\n  FOR x IN n.l\n  FILTER x > 1\n  RETURN x\n}\nRETURN n"),
        ("MATCH (n) RETURN count { (n)-->() } AS c",
         "MATCH (n)\nRETURN VALUE {\n  MATCH (n)-[]->()\n  RETURN COUNT(*) AS count1\n} AS c"),
        ("MATCH p = (a)-->(b) RETURN [x IN nodes(p) | x] AS l",
         "MATCH p = (a)-[]->(b)\nRETURN VALUE {\n  FOR x IN NODES(p)\n  RETURN COLLECT_LIST(x) AS item1\n} AS l"),
        ("RETURN 7 / 2 AS x, 7 / 2.0 AS y", "RETURN (7 - MOD(7, 2)) / 2 AS x, 7 / 2.0e0 AS y"),
        ("RETURN 'a' + 1 AS x, [1] + [2] AS y", "RETURN 'a' || CAST(1 AS STRING) AS x, [1] || [2] AS y"),
        ("MATCH (n) WHERE n:A AND n.x IS NULL RETURN n",
         "MATCH (n)\nWHERE n IS LABELED A AND n.x IS NULL\nRETURN n"),
        ("MATCH ()-[r:A|B]->() RETURN type(r) AS t",
         "MATCH ()-[r:A|B]->()\nRETURN CASE WHEN r IS LABELED A THEN 'A' WHEN r IS LABELED B THEN 'B' END AS t"),
        ("MATCH (n) RETURN n.x AS `select`, $p AS `it's`", "MATCH (n)\nRETURN n.x AS `select`, $p AS `it's`"),
    ],
)  # fmt: skip
def test_iso(query: str, expected: str) -> None:
    assert written(query) == expected


@pytest.mark.parametrize(
    ("query", "code"),
    [
        ("MATCH (n) RETURN n.a + n.b AS x", "G535"),
        ("MATCH (n) RETURN size(n.x) AS x", "G535"),
        ("MATCH (n) WHERE n.s =~ 'a.*' RETURN n", "G534"),
        ("MATCH (n) RETURN [x IN n.l | n.y] AS x", "G529"),
        ("CALL db.labels() YIELD label RETURN label", "G522"),
        ("MATCH (n:$($l)) RETURN n", "G528"),
        ("MATCH (a), p = shortestPath((a)-[*]-(b)) WHERE length(p) > 2 RETURN p", "G527"),
        ("MATCH (n) RETURN id(n) AS x", "G534"),
    ],
)
def test_refusals(query: str, code: str) -> None:
    assert refused(query) == code


def test_extensions_are_noted() -> None:
    text = "MATCH (n) WHERE n.s CONTAINS 'a' RETURN labels(n) AS l"
    notes: list[Diagnostic] = []
    api.emit(graphir.parse(text), text, DIALECTS["neo4j-25"], DIALECTS["gql-iso"], notes=notes)
    assert [(note.code, note.severity) for note in notes] == [("G511", "info"), ("G511", "info")]
    assert notes[0].start == text.index("n.s CONTAINS")


@pytest.mark.parametrize(
    ("target", "expected"),
    [
        ("gql-iso",
         "MATCH DIFFERENT EDGES (a:A|B)-[e]->(b)-[]->(c)\nWHERE a.x = 1 OR a.x = 2\nRETURN a.x AS x, COUNT(*) AS n\n"
         "GROUP BY x\nORDER BY x NULLS LAST"),
        ("gql-neo4j-25",
         "MATCH (a:A|B)-[e]->(b)-[]->(c)\nWHERE a.x IN [1, 2]\nRETURN a.x AS x, COUNT(*) AS n\nGROUP BY x\n"
         "ORDER BY x"),
        ("gql-fabric",
         "CALL () {\n  MATCH TRAIL (a:A|B)-[e]->(b)-[]->(c)\n  WHERE a.x IN [1, 2]\n  RETURN a.x AS x, COUNT(*) AS n\n"
         "  GROUP BY x\n}\nLET absent1 = x IS NULL\nORDER BY absent1, x\nRETURN x, n"),
        ("gql-grafeo",
         "MATCH DIFFERENT EDGES (a)-[e]->(b)-[]->(c)\nWHERE (a IS LABELED A OR a IS LABELED B) AND a.x IN [1, 2]\n"
         "RETURN a.x AS x, COUNT(*) AS n\nGROUP BY x\nORDER BY x NULLS LAST"),
    ],
)  # fmt: skip
def test_dialects_say_it_each_in_its_way(target: str, expected: str) -> None:
    query = "MATCH (a:A|B)-[e]->(b)-->(c) WHERE a.x IN [1, 2] WITH a.x AS x, count(*) AS n RETURN x, n ORDER BY x"
    assert written(query, target) == expected


@pytest.mark.parametrize(
    ("query", "target", "code"),
    [
        ("MATCH p = shortestPath((a)-[*..3]-(b)) RETURN p", "gql-fabric", "G527"),
        ("MATCH (a)-[*]->(b) RETURN a", "gql-fabric", "G525"),
        ("MATCH (a)-->(b), (b)-->(c)-->(a) WHERE a.x = $p RETURN a", "gql-fabric", "G534"),
        ("CREATE (n:A)", "gql-fabric", "G520"),
        ("MATCH (n) RETURN toUpper(n.s) AS s", "gql-fabric", "G534"),
        ("MATCH (n) WHERE any(x IN n.l WHERE x > 1) RETURN n", "gql-grafeo", "G529"),
        ("RETURN 2 ^ 3 AS x", "gql-neo4j-25", "G534"),
        ("RETURN trim(' a ') AS x", "gql-iso", "G534"),
        ("MATCH p = (n) RETURN p", "gql-grafeo", "G527"),
        (
            "MATCH (a) CALL (a) { MATCH (a)-->(b) WITH b.x AS x, count(*) AS c WHERE c > 1 RETURN x } RETURN x",
            "gql-grafeo",
            "G531",
        ),
    ],
)
def test_what_a_dialect_lacks(query: str, target: str, code: str) -> None:
    assert refused(query, target) == code


def test_parts_behind_next_are_one_chain_where_there_is_no_next() -> None:
    query = "MATCH (n) RETURN n, n.x AS x NEXT MATCH (n)-->(m) RETURN n.y AS y, count(m) AS c ORDER BY c"
    assert written(query, "gql-fabric") == (
        "CALL () {\n  CALL () {\n    MATCH (n)\n    RETURN n, n.x AS x\n  }\n  MATCH (n)-[]->(m)\n"
        "  RETURN n.y AS y, COUNT(m) AS c\n  GROUP BY y\n}\nORDER BY c\nRETURN y, c"
    )


def test_a_call_in_a_call_does_not_give_what_it_has_taken() -> None:
    inner = "MATCH (n)-->(m) WITH n, m ORDER BY m.x LIMIT 2 MATCH (m)-->(k) RETURN count(k) AS c"
    text = written(f"MATCH (n) CALL (n) {{ {inner} }} RETURN c", "gql-fabric")
    assert "CALL (n) {\n    CALL (n) {\n      MATCH (n)-[]->(m)\n      RETURN m\n    }\n" in text


def test_edges_of_several_paths_differ_where_there_is_no_match_mode() -> None:
    text = written("MATCH (a)-[e:R]->(b), (c)-[f:R|S]->(b), (d)-[g:T]->(b) RETURN a", "gql-fabric")
    assert text == "MATCH (a)-[e:R]->(b), (c)-[f:R|S]->(b), (d)-[g:T]->(b)\nWHERE e <> f\nRETURN a"


@pytest.mark.parametrize(
    ("item", "expected"),
    [
        ("n.age / 2", "(n.age - MOD(n.age, 2)) / 2"),
        ("n.weight / 2", "n.weight / 2"),
        ("n.name + n.name", "n.name || n.name"),
        ("n.age + n.weight", "n.age + n.weight"),
        ("n.tags + n.tags", "n.tags || n.tags"),
        ("size(n.tags)", "SIZE(n.tags)"),
        ("size(n.name)", "CHAR_LENGTH(n.name)"),
        ("toString(n.age)", "CAST(n.age AS STRING)"),
        ("toInteger(n.age)", "n.age"),
        ("n.born.year", "n.born.`year`"),
        ("n.tags[0]", "VALUE {\n  FOR x1 IN n.tags WITH OFFSET AS at1\n  FILTER at1 = 0\n  RETURN x1\n}"),
    ],
)
def test_types_come_from_a_schema(item: str, expected: str) -> None:
    schema = graphir.Schema.read(SCHEMA, "text2cypher-2024-text")
    assert written(f"MATCH (n:P) RETURN {item} AS x", schema=schema) == f"MATCH (n:P)\nRETURN {expected} AS x"


def test_the_type_of_a_relationship_is_one_of_those_of_the_schema() -> None:
    schema = graphir.Schema.read(SCHEMA, "text2cypher-2024-text")
    text = written("MATCH (:P)-[r]->(:P) RETURN type(r) AS t", schema=schema)
    assert text.endswith("RETURN CASE WHEN r IS LABELED K THEN 'K' WHEN r IS LABELED L THEN 'L' END AS t")


@pytest.mark.parametrize("target", TARGETS)
def test_every_target_is_a_dialect(target: str) -> None:
    assert DIALECTS[target].family == "gql"
    assert DIALECTS[target].writes
