"""Reading SQL around graph patterns: what each form becomes, what is refused and where."""

from __future__ import annotations

import pytest

import graphir
from graphir import ir
from graphir.diagnostics import GraphirError, SyntaxFault
from graphir.grammar import gql

A, B, X = ir.Ref("a"), ir.Ref("b"), ir.Ref("x")
ONE, TWO = ir.Literal(1), ir.Literal(2)
TABLE = ir.TableName(("t",))


def read(text: str) -> ir.Body:
    return gql.parse(text, "pgq-googlesql").body


def select(text: str) -> ir.Select:
    body = read(text)
    assert isinstance(body, ir.Select)
    return body


def table(text: str) -> ir.TableExpression | None:
    return select(f"SELECT 1 FROM {text}").table


def refused(text: str, dialect: str = "pgq-googlesql") -> tuple[str, int, int]:
    with pytest.raises(SyntaxFault) as raised:
        gql.parse(text, dialect)
    found = raised.value.diagnostics[0]
    return found.code, found.line, found.column


def graph(text: str) -> ir.GraphTable:
    found = table(f"GRAPH_TABLE({text})")
    assert isinstance(found, ir.GraphTable)
    return found


def test_a_graph_table_is_a_graph_query_with_a_name() -> None:
    found = select("SELECT t.a FROM GRAPH_TABLE(my.g MATCH (n:P) RETURN n.a) AS t").table
    assert isinstance(found, ir.GraphTable)
    assert (found.graph, found.alias, found.open) == (ir.GraphName(("my", "g")), "t", False)
    assert found.body == gql.parse("MATCH (n:P) RETURN n.a", "gql-spanner").body


def test_columns_are_a_projection() -> None:
    found = graph("g MATCH (n) COLUMNS (n.a AS x, n.b)").body
    assert isinstance(found, ir.Pipeline)
    named = ir.Item(ir.Property(ir.Ref("n"), "a"), "x")
    assert found.operators[1] == ir.Project((named, ir.Item(ir.Property(ir.Ref("n"), "b"))), True)


def test_a_pattern_alone_says_nothing_of_its_columns() -> None:
    assert graph("g MATCH (n)").open


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("*", (ir.Star(),)),
        ("t.*, a", (ir.Star(ir.Ref("t")), ir.Item(A))),
        ("* EXCEPT (a, b)", (ir.Star(None, ("a", "b")),)),
        ("* REPLACE (1 AS a)", (ir.Star(None, (), (ir.Item(ONE, "a"),)),)),
        ("a x, b AS y", (ir.Item(A, "x"), ir.Item(B, "y"))),
        ("a IS LABELED P", (ir.Item(ir.HasLabels(A, ir.LabelName("P"))),)),
        ("a IS TYPED LOCAL TIME x", None),
    ],
)
def test_items(text: str, made: tuple[ir.Node, ...] | None) -> None:
    if made is None:
        assert refused(f"SELECT {text}")[0] == "G021"
    else:
        assert select(f"SELECT {text} FROM t").items == made


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("t", TABLE),
        ("a.b AS x", ir.TableName(("a", "b"), "x")),
        ("(SELECT 1) x", ir.DerivedTable(ir.Select((ir.Item(ONE),)), "x")),
        ("UNNEST(a) AS x WITH OFFSET AS i", ir.UnnestTable(A, "x", "i")),
        ("t, t", ir.Join("cross", TABLE, TABLE)),
        ("t JOIN t ON a", ir.Join("inner", TABLE, TABLE, A)),
        ("t LEFT OUTER JOIN t USING (a, b)", ir.Join("left", TABLE, TABLE, None, ("a", "b"))),
        ("(t RIGHT JOIN t ON a) FULL JOIN t ON b", ir.Join("full", ir.Join("right", TABLE, TABLE, A), TABLE, B)),
        ("t TABLESAMPLE SYSTEM (1 PERCENT)", ir.TableOperation("tablesample", TABLE, "TABLESAMPLE SYSTEM (1 PERCENT)")),
        ("f(1)", ir.TableOperation("call", None, "f(1)")),
        ("t PIVOT(SUM(a) FOR b IN (1))", ir.TableOperation("pivot", TABLE, "PIVOT(SUM(a) FOR b IN (1))")),
    ],
)
def test_tables(text: str, made: ir.TableExpression) -> None:
    assert table(text) == made


def test_clauses() -> None:
    found = select("SELECT DISTINCT a FROM t WHERE b GROUP BY a, 2 HAVING x QUALIFY b WINDOW w AS (ORDER BY a)")
    assert found.distinct
    assert (found.where, found.having, found.qualify) == (B, X, B)
    assert found.grouping == ir.Grouping("keys", (A, TWO))
    assert [(each.name, each.over) for each in found.windows] == [("w", "(ORDER BY a)")]
    assert select("SELECT a FROM t GROUP BY ALL").grouping == ir.Grouping("all")
    assert select("SELECT a FROM t GROUP BY ROLLUP(a)").grouping == ir.Grouping("other", (), "GROUP BY ROLLUP(a)")


def test_queries_around_queries() -> None:
    one = ir.Select((ir.Item(ONE),))
    assert read("(SELECT 1)") == one
    assert read("SELECT 1 UNION ALL (SELECT 1) UNION ALL SELECT 1") == ir.SetOperation("union", False, (one, one, one))
    paged = read("WITH t AS (SELECT 1) SELECT 1 ORDER BY 1 DESC LIMIT 1 OFFSET 2")
    key = ir.SortKey(ONE, True, "last")
    assert paged == ir.TableQuery(one, (ir.CommonTable("t", one),), False, (key,), TWO, ONE)
    nested = "SELECT ((SELECT 1) + 1), ARRAY((SELECT 1) UNION ALL SELECT 1), 1 IN ((SELECT 1), 2), EXISTS((SELECT 1))"
    assert len(select(nested).items) == 4


def test_names_and_values_of_an_expression() -> None:
    """The names of WITH(..) are written out."""
    three = ir.Apply("add", (ir.Apply("add", (A, TWO)), A))
    assert select("SELECT WITH(b AS a, c AS b + 2, c + b) AS x FROM t").items == (ir.Item(three, "x"),)
    assert refused("SELECT WITH(b AS RAND(), b + b)")[0] == "G061"


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("SELECT", ("G009", 1, 7)),
        ("SELECT 1 FROM", ("G009", 1, 14)),
        ("SELECT 1\nFROM GRAPH_TABLE(g MATCH (n)-[]->->[]->(c))", ("G001", 2, 36)),
        ("SELECT 1 FROM GRAPH_TABLE(g MATCH (n) LET x = 1)", ("G009", 1, 48)),
        ("SELECT 1 FROM GRAPH_TABLE(g OPTIONAL MATCH (n) COLUMNS (1 AS x))", ("G001", 1, 48)),
        ("SELECT 1 FROM t JOIN t", ("G009", 1, 23)),
        ("SELECT 1 FROM t CROSS JOIN t ON a", ("G001", 1, 15)),
        ("SELECT select FROM t", ("G001", 1, 8)),
        ("MATCH (n) RETURN n.x", ("G065", 1, 1)),
        ("SELECT 1 FROM GRAPH_TABLE(g MATCH (n)-[e] ->(m))", ("G028", 1, 43)),
        ("SELECT 1 FROM GRAPH_TABLE(g MATCH (n) RETURN n.*)", ("G001", 1, 48)),
    ],
)
def test_what_is_refused(text: str, where: tuple[str, int, int]) -> None:
    assert refused(text) == where


def test_a_select_statement_is_no_graph_query() -> None:
    for dialect in ("gql-spanner", "gql-bigquery", "gql-iso"):
        assert refused("SELECT 1 FROM GRAPH_TABLE(g MATCH (n) RETURN n.x)", dialect) == ("G065", 1, 1)


ISO = (
    ("$ LIKE_REGEX '^(a.*)$'", ir.SqlOperator("LIKE_REGEX", X, ir.Literal("^(a.*)$"))),
    ("$ NOT like_regex 'a'", ir.SqlOperator("NOT LIKE_REGEX", X, ir.Literal("a"))),
    ("CAST($ AS TIMESTAMP WITH TIME ZONE)", ir.Cast(X, ir.ValueType("ZONED DATETIME"))),
    ("CAST($ AS TIME  without TIME ZONE)", ir.Cast(X, ir.ValueType("LOCAL TIME"))),
    (
        "CAST($ AS TIMESTAMP WITH TIME ZONE ARRAY)",
        ir.Cast(X, ir.ValueType("LIST", (ir.ValueType("ZONED DATETIME"),))),
    ),
)


@pytest.mark.parametrize(("text", "value"), ISO)
def test_words_of_the_standard(text: str, value: ir.Expression) -> None:
    text = text.replace("$", '"x"', 1)
    query = f"SELECT {text} AS y, 1 = 1 AND ({text}) AS z FROM GRAPH_TABLE (g MATCH (a) COLUMNS (a.x AS x)) t"
    body = gql.parse(query, "pgq-iso").body
    assert isinstance(body, ir.Select)
    assert isinstance(body.items[0], ir.Item)
    assert body.items[0].value == value
    assert gql.parse(str(graphir.format(query, "pgq-iso")), "pgq-iso").body == body


def test_a_moment_in_a_zone() -> None:
    zone = "x AT TIME ZONE INTERVAL '00:00' HOUR TO MINUTE"
    query = f"SELECT {zone} AS y FROM GRAPH_TABLE (g MATCH (a) COLUMNS (a.x AS x)) t"
    body = gql.parse(query, "pgq-iso").body
    assert isinstance(body, ir.Select)
    (item,) = body.items
    assert isinstance(item, ir.Item)
    assert isinstance(item.value, ir.SqlOperator)
    assert item.value.operator == "AT TIME ZONE"
    for text, reason in ((query, "in a zone"), (query.replace(zone, "x LIKE_REGEX 'a'"), "regular expression")):
        with pytest.raises(GraphirError, match="G580") as raised:
            graphir.translate(text, read="pgq-iso", write="neo4j-25")
        assert reason in raised.value.diagnostics[0].message


@pytest.mark.parametrize(
    ("text", "kind", "access", "parts"),
    [
        ("CREATE TABLE t (a INT64) PRIMARY KEY (a)", "create table", "write", None),
        ("INSERT INTO t (a) VALUES (1)", "insert", "write", None),
        ("DELETE FROM t WHERE a = 1", "delete", "write", None),
        ("CREATE TABLE t AS SELECT x FROM GRAPH_TABLE(g MATCH (a) RETURN a.x)", "create table", "write", 2),
        (
            "EXPORT DATA OPTIONS (uri = 'x') AS SELECT x FROM GRAPH_TABLE(g MATCH (a) RETURN a.x)",
            "export data",
            "write",
            2,
        ),
        ("EXPLAIN SELECT x FROM GRAPH_TABLE(g MATCH (a) RETURN a.x)", "explain", "read", 2),
        ("UPDATE t SET a = 1 WHERE b IN (SELECT x FROM GRAPH_TABLE(g MATCH (a) RETURN a.x))", "update", "write", 2),
    ],
)
def test_a_statement_that_is_no_query_is_kept(text: str, kind: str, access: str, parts: int | None) -> None:
    found = read(text)
    assert isinstance(found, ir.Command if parts is None else ir.SqlStatement)
    assert (found.kind, found.access) == (kind, access)
    if isinstance(found, ir.SqlStatement):
        assert (len(found.parts), len(found.islands)) == (parts, 1)
    laid_out = graphir.format(text, "pgq-googlesql")
    assert graphir.format(laid_out, "pgq-googlesql") == laid_out


def test_what_is_inside_a_kept_statement_is_read_and_checked() -> None:
    made = "CREATE TABLE t AS SELECT x FROM GRAPH_TABLE(g MATCH (a:Persn) RETURN a.x)"
    assert refused(made.replace("RETURN", "")) == ("G001", 1, 64)
    tables = "CREATE TABLE Person (x INT64) PRIMARY KEY (x); CREATE PROPERTY GRAPH g NODE TABLES (Person)"
    schema = graphir.Schema.read(tables, "spanner-ddl")
    assert [each.code for each in graphir.check(made, dialect="pgq-googlesql", schema=schema)] == ["G140"]


@pytest.mark.parametrize("text", ["INSERT (:A", "DELETE a,", "CREATE TABLE t (a"])
def test_what_begins_a_statement_of_gql_is_one(text: str) -> None:
    assert refused(text)[0] in ("G001", "G009")


SUBSCRIPTS = "SELECT {} AS x FROM GRAPH_TABLE (g MATCH (p IS person) COLUMNS (p.a AS a)) AS t"


@pytest.mark.parametrize("dialect", ["pgq-postgres", "pgq-hyper"])
def test_subscripts_are_dimensions_of_an_array(dialect: str) -> None:
    """PostgreSQL 18: `('{1,2,3}'::int[])[1:2][1]` is an empty array, as `[1:2][1:1]` is; Hyper says the same."""
    for text in ("a[1:2][1]", "a[1][1:2]", "(a)[1:2][:1]", "(ARRAY[1, 2])[1:2][1]", "a[1][2][1:2]"):
        inside = f"SELECT x FROM GRAPH_TABLE (g MATCH (a IS person) COLUMNS ({text} AS x)) AS t"
        assert refused(inside, dialect)[0] == "G061"
        assert isinstance(gql.parse(SUBSCRIPTS.format(text), dialect).body, ir.SqlStatement)  # is kept
    assert isinstance(gql.parse(SUBSCRIPTS.format("a[1:2][1]"), "pgq-duckpgq").body, ir.Select)
    for text in ("(a[1:2])[1]", "((a)[1:2])[1]", "((ARRAY[1, 2])[1:2])[1:1]", "a[1][2]", "(upper(a))[1]"):
        query = gql.parse(SUBSCRIPTS.format(text), dialect)
        shown = graphir.format(SUBSCRIPTS.format(text), dialect)
        assert gql.parse(shown, dialect) == query


@pytest.mark.parametrize(
    ("dialect", "text", "shown"),
    [
        ("pgq-postgres", "((a)[1:2])[1]", "(a[1:2])[1]"),
        ("pgq-postgres", "(ARRAY[1, 2])[1]", "(ARRAY[1, 2])[1]"),
        ("pgq-postgres", "(a)[1][2]", "a[1][2]"),
        ("pgq-postgres", "(lower(a))[1]", "(LOWER(a))[1]"),
        ("pgq-duckpgq", "((a)[1:2])[1]", "a[1:2][1]"),
        ("pgq-duckpgq", "([1, 2])[1]", "[1, 2][1]"),
    ],
)
def test_brackets_before_subscripts(dialect: str, text: str, shown: str) -> None:
    assert graphir.format(SUBSCRIPTS.format(text), dialect).startswith(f"SELECT {shown} AS x\n")
