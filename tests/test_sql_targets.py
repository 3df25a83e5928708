"""Targets that do not run everywhere: what they refuse, and that what they print is of their dialect."""

from __future__ import annotations

import pytest
import sqlglot

import graphir
from graphir.backends.sql import build
from graphir.backends.sql.targets import target
from graphir.backends.sql.targets.rewriting import Rewriter
from graphir.backends.sqltext.constructs import schema
from graphir.source import Source
from tests.engines import sql_constructs

SPARK, TRINO, BIGQUERY = "sql-spark", "sql-trino", "sql-bigquery"


@pytest.mark.parametrize("dialect", [SPARK, TRINO, BIGQUERY])
def test_texts_read_back_in_their_dialect(dialect: str) -> None:
    for construct in sql_constructs.supported(dialect):
        text = graphir.translate(construct.query, write=dialect, schema=schema())
        assert sqlglot.parse_one(text, dialect=dialect.removeprefix("sql-")).find(sqlglot.exp.Select)


@pytest.mark.parametrize(
    ("dialect", "query", "told"),
    [
        (
            SPARK,
            "MATCH (p:Person) WHERE EXISTS { (p)-[:KNOWS]->(q) WHERE EXISTS { (q)-[:KNOWS]->(r) WHERE r.age = p.age } }"
            " RETURN p.id AS id",
            "two queries further out",
        ),
        (
            SPARK,
            "MATCH (p:Person) WITH p LIMIT 2 MATCH (p)-[:KNOWS*1..3]->(q) RETURN q.id AS id",
            "rows that LIMIT chose",
        ),
        (
            SPARK,
            "MATCH (p:Person) RETURN COUNT { MATCH (p)-[:KNOWS]->(q) OPTIONAL MATCH (q)-[:LIVES_IN]->(c) "
            "WHERE EXISTS { (q)-[:KNOWS]->(p) } } AS n",
            "inside of a subquery",
        ),
        (TRINO, "MATCH (p:Person) WHERE p.age = $age RETURN p.id AS id", "parameters"),
        (TRINO, "MATCH (p:Person)-[:KNOWS*1..2]->(q) RETURN q.id AS id", "a path that repeats an edge"),
        (TRINO, "MATCH (p:Person) RETURN min(p.height) AS m", "NaN"),
        (
            TRINO,
            "MATCH (p:Person) WITH p LIMIT 2 OPTIONAL MATCH (p)-[:KNOWS]->(q) WHERE EXISTS { (p)-[:LIVES_IN]->() } "
            "RETURN p.id AS p, q.id AS q",
            "limited",
        ),
        (TRINO, "MATCH (p:Person) RETURN toUpper(p.name) AS n", "upper"),
        (BIGQUERY, "MATCH (p:Person) RETURN collect(p.name) AS names", "list"),
        (BIGQUERY, "MATCH (p:Person) RETURN p.height % 0.5 AS a", "remainder of floats"),
        (BIGQUERY, "MATCH (p:Person) RETURN p.id AS id ORDER BY p.height", "NaN"),
    ],
)
def test_what_has_no_exact_form_is_refused(dialect: str, query: str, told: str) -> None:
    with pytest.raises(graphir.Unsupported) as caught:
        graphir.translate(query, write=dialect, schema=schema())
    assert caught.value.diagnostics[0].code in ("G560", "G561")
    assert told in caught.value.diagnostics[0].message


@pytest.mark.parametrize("dialect", [SPARK, TRINO])
def test_no_query_is_inside_of_a_function_of_elements(dialect: str) -> None:
    query = build.scalar(build.select([build.number(1)]))
    tree = build.select([build.call("list_transform", build.column("l"), build.function("x", query))])
    with pytest.raises(graphir.Unsupported, match=r"G561.*elements of a list"):
        Rewriter(target(dialect), Source(""), {}).rewrite(tree)


def test_spark_substitutes_nothing_in_texts() -> None:
    text = graphir.translate(
        "MATCH (p:Person) WHERE p.name = 'a${x}${y}' RETURN p.id AS id", write=SPARK, schema=schema()
    )
    assert "${" not in text
    assert "CONCAT('a$', '{x}$', '{y}')" in text


def test_a_table_that_is_read_twice_is_computed_once() -> None:
    query = (
        "MATCH (p:Person) WITH p LIMIT 2 OPTIONAL MATCH (p)-[:KNOWS]->(q) WHERE EXISTS { (p)-[:LIVES_IN]->() } "
        "RETURN p.id AS p, q.id AS q"
    )
    assert "MONOTONICALLY_INCREASING_ID() AS `once_" in graphir.translate(query, write=SPARK, schema=schema())


def test_joins_bind_from_the_left() -> None:
    query = "MATCH (p:Person)-[:KNOWS]->(q) OPTIONAL MATCH (q)-[:LIVES_IN]->(c:City) RETURN p.id AS p, c.name AS c"
    for dialect in (TRINO, BIGQUERY):
        tree = sqlglot.parse_one(
            graphir.translate(query, write=dialect, schema=schema()), dialect=dialect.removeprefix("sql-")
        )
        assert {join.kind or join.side for join in tree.find_all(sqlglot.exp.Join)} == {"CROSS", "LEFT"}


@pytest.mark.parametrize("closed", [(), (sqlglot.exp.Subquery,)])
def test_trees_are_walked_in_the_order_of_sqlglot(closed: tuple[type[sqlglot.exp.Expr], ...]) -> None:
    leaves = (sqlglot.exp.Identifier, sqlglot.exp.DataType)  # names and types are no nodes of their own
    constructs = sql_constructs.supported("sql-duckdb")
    for each in constructs[:: len(constructs) // 20]:
        text = graphir.translate(each.query, write="sql-duckdb", schema=schema())
        tree = sqlglot.parse_one(text, dialect="duckdb")
        found = tree.bfs(prune=lambda each: isinstance(each, (*leaves, *closed)))
        assert [id(node) for node in build.nodes(tree, closed)] == [
            id(node) for node in found if not isinstance(node, leaves)
        ]
