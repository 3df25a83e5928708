"""Reading and laying out SQL/PGQ of ISO SQL, Oracle, PostgreSQL, DuckPGQ and Hyper."""

from __future__ import annotations

import pytest

import graphir
from graphir import ir, sql_functions
from graphir.backends.gqltext.format import format_text
from graphir.backends.sql import targets as sql_targets
from graphir.diagnostics import SyntaxFault
from graphir.dialects import DIALECTS, SQL_PGQ
from graphir.grammar import gql, gql_words, islands, sql_lexis
from graphir.grammar.gql_lexical import comments, lexical
from graphir.ir.names import Folded
from graphir.passes.vendors import vendors
from graphir.schema.ddl import targets as ddl_targets

TABLE = "GRAPH_TABLE (g MATCH (a IS x) COLUMNS (a.k AS k))"


def body(text: str, dialect: str) -> ir.Body:
    return gql.parse(text, dialect).body


def item(text: str, dialect: str) -> ir.Expression:
    """The expression as the only column of a SELECT."""
    found = body(f"SELECT {text} FROM t", dialect)
    assert isinstance(found, ir.Select)
    (made,) = found.items
    assert isinstance(made, ir.Item)
    return made.value


def refused(text: str, dialect: str) -> tuple[str, int, int]:
    with pytest.raises(SyntaxFault) as raised:
        gql.parse(text, dialect)
    found = raised.value.diagnostics[0]
    return found.code, found.line, found.column


# ------------------------------------------------------------------ the lexis


@pytest.mark.parametrize(
    ("dialect", "held"),
    [
        ("pgq-iso", "NAME"),
        ("pgq-oracle-23ai", "NAME"),
        ("pgq-oracle-26ai", "NAME"),
        ("pgq-postgres", "name"),
        ("pgq-hyper", "name"),
        ("pgq-duckpgq", "Name"),
    ],
)
def test_a_name_without_quotes_is_folded(dialect: str, held: str) -> None:
    found = item("Name", dialect)
    assert isinstance(found, ir.Ref)
    assert isinstance(found.name, Folded)
    assert (found.name, found.name.written) == (held, "Name")
    quoted = item('"Name"', dialect)
    assert isinstance(quoted, ir.Ref)
    assert (quoted.name, type(quoted.name)) == ("Name", str)


@pytest.mark.parametrize(
    ("text", "dialect", "value"),
    [
        ("'it''s'", "pgq-iso", "it's"),
        (r"'a\n'", "pgq-postgres", r"a\n"),
        (r"E'a\n'", "pgq-postgres", "a\n"),
        ("$$it's$$", "pgq-postgres", "it's"),
        ("$q$a$$b$q$", "pgq-duckpgq", "a$$b"),
        ("q'[it's]'", "pgq-oracle-23ai", "it's"),
        ("nq'!a'b!'", "pgq-oracle-26ai", "a'b"),
        ("N'x'", "pgq-iso", "x"),
        (r"U&'\0041\+00005A\\'", "pgq-postgres", "AZ\\"),
    ],
)
def test_strings(text: str, dialect: str, value: str) -> None:
    found = item(text, dialect)
    assert isinstance(found, ir.Literal)
    assert found.value == value


@pytest.mark.parametrize(
    ("text", "dialect", "name"),
    [
        (":p", "pgq-oracle-23ai", "p"),
        (":1", "pgq-oracle-23ai", "1"),
        ("$1", "pgq-postgres", "1"),
        ("$name", "pgq-duckpgq", "name"),
        ("?", "pgq-iso", "?"),
        (":p", "pgq-iso", "p"),
    ],
)
def test_parameters(text: str, dialect: str, name: str) -> None:
    assert item(text, dialect) == ir.Parameter(name)


def test_comments_nest_where_the_database_nests_them() -> None:
    text = "SELECT 1 /* a /* b */ c */ -- d\nFROM t"
    assert [text[each.start : each.end] for each in comments(text, "pgq-postgres")] == ["/* a /* b */ c */", "-- d"]
    assert [text[each.start : each.end] for each in comments(text, "pgq-oracle-23ai")] == ["/* a /* b */", "-- d"]
    assert isinstance(body(text, "pgq-postgres"), ir.Select)


@pytest.mark.parametrize("dialect", SQL_PGQ)
def test_a_semicolon_in_quotes_ends_nothing(dialect: str) -> None:
    text = "SELECT ';' FROM \"a;b\"; SELECT 2 FROM t -- ;"
    assert [text[each.start : each.end] for each in lexical(dialect).statements(text)] == [
        "SELECT ';' FROM \"a;b\"",
        "SELECT 2 FROM t",
    ]


def test_arrows_may_have_blanks_in_them() -> None:
    spaced = body("SELECT * FROM GRAPH_TABLE (g MATCH (a)< - [e] - (b) - > (c))", "pgq-postgres")
    assert spaced == body("SELECT * FROM GRAPH_TABLE (g MATCH (a)<-[e]-(b)-[]->(c))", "pgq-postgres")


# ------------------------------------------------------------------ forms

FORMS = [
    (f"SELECT * FROM {TABLE} FETCH FIRST 5 ROWS ONLY", "pgq-oracle-23ai"),
    (f"SELECT * FROM {TABLE} ORDER BY 1 OFFSET 2 ROWS FETCH NEXT ROW WITH TIES", "pgq-iso"),
    (f"SELECT * FROM {TABLE} OFFSET 3 LIMIT 2", "pgq-postgres"),
    (f"SELECT k::int, (k + 1)::text[], -k::double precision FROM {TABLE}", "pgq-postgres"),
    (f"SELECT count(*) FILTER (WHERE k > 1), listagg(k, ',') WITHIN GROUP (ORDER BY k) FROM {TABLE}", "pgq-postgres"),
    (f"SELECT sum(k) OVER (PARTITION BY k ORDER BY k ROWS UNBOUNDED PRECEDING) FROM {TABLE}", "pgq-postgres"),
    (
        f"SELECT EXTRACT(YEAR FROM k), INTERVAL '1' DAY, INTERVAL '1 day', DATE '2020-01-01' FROM {TABLE}",
        "pgq-postgres",
    ),
    (
        f"SELECT k FROM {TABLE} WHERE k NOT ILIKE 'a%' AND k NOT SIMILAR TO 'b' AND k LIKE '!%' ESCAPE '!'",
        "pgq-postgres",
    ),
    (f"SELECT k FROM {TABLE} WHERE k IS NOT DISTINCT FROM 1 AND k = ANY ($1) AND k <> ALL (SELECT 1)", "pgq-postgres"),
    (f"SELECT k FROM {TABLE} WHERE k BETWEEN 1 AND 2 AND NOT EXISTS (SELECT 1 FROM t WHERE t.k = k)", "pgq-iso"),
    (f'SELECT k COLLATE "C" FROM {TABLE} ORDER BY k COLLATE "C" DESC NULLS LAST', "pgq-postgres"),
    (f"SELECT a || b || 'c' FROM {TABLE} NATURAL LEFT JOIN t CROSS JOIN u JOIN v USING (k)", "pgq-iso"),
    (f"SELECT * FROM t CROSS APPLY (SELECT 1 FROM {TABLE}) x OUTER APPLY (SELECT 2 FROM u) y", "pgq-oracle-23ai"),
    (f"SELECT x.a FROM t, LATERAL {TABLE} AS x (a) LEFT JOIN LATERAL (SELECT 1) AS y ON TRUE", "pgq-postgres"),
    ("SELECT * FROM (VALUES (1, 'a'), (2, 'b')) AS v (n, s)", "pgq-postgres"),
    ("VALUES (1), (2)", "pgq-iso"),
    (
        f"WITH RECURSIVE r (n) AS MATERIALIZED (SELECT k FROM {TABLE} UNION ALL SELECT n + 1 FROM r) SELECT n FROM r",
        "pgq-postgres",
    ),
    (f"SELECT k FROM {TABLE} UNION SELECT 2 EXCEPT ALL SELECT 3 INTERSECT SELECT 4", "pgq-iso"),
    (f"SELECT k FROM {TABLE} MINUS SELECT 2 FROM DUAL", "pgq-oracle-23ai"),
    (f"FROM {TABLE}", "pgq-duckpgq"),
    (f"FROM {TABLE} AS t SELECT DISTINCT t.k WHERE t.k > 1", "pgq-duckpgq"),
    ("FROM GRAPH TABLE (g MATCH (a:x) COLUMNS (a.k AS k,))", "pgq-duckpgq"),
    ("FROM GRAPH_TABLE (g MATCH p = ANY SHORTEST (a:x)-[e:y]-> *(b:x), (b:x)<-[f:y]->(c:x))", "pgq-duckpgq"),
    (
        "SELECT * FROM GRAPH_TABLE (g MATCH (a)-[e]->{,3}(b) ONE ROW PER STEP (s, t, d) COLUMNS (s.k AS k))",
        "pgq-oracle-23ai",
    ),
    (
        "SELECT * FROM GRAPH_TABLE (g MATCH (a IS x|y WHERE a.k = 1) WHERE a IS SOURCE OF e COLUMNS (a.*))",
        "pgq-oracle-23ai",
    ),
    ("WITH g AS PROPERTY GRAPH (VERTEX TABLES (t KEY (k))) SELECT * FROM GRAPH_TABLE (g MATCH (a:t)) x", "pgq-hyper"),
    (
        f"SELECT CAST(ARRAY[] AS text[]), CAST(k AS int[3][]), k[2:3], k[:2], k[1:], k[a + 1:b] FROM {TABLE}",
        "pgq-postgres",
    ),
    (f"SELECT CAST(k AS BIGINT ARRAY), k::int[] FROM {TABLE}", "pgq-iso"),
    (f"SELECT k -> 'b' ->> 2, k ->> 'a' IS NULL, k !~* '^a' || 'b', k #>> $1 FROM {TABLE}", "pgq-postgres"),
    (f"SELECT list_transform(l, x -> x + 1), k ->> '$.a', {{'n': [1], 'm p': 2}} FROM {TABLE}", "pgq-duckpgq"),
    (f"SELECT x, u.i FROM {TABLE} t, UNNEST(t.k) WITH ORDINALITY AS u (x, i)", "pgq-postgres"),
    (f"SELECT n, i FROM {TABLE} t, generate_series(1, t.k) WITH ORDINALITY AS u (n, i)", "pgq-postgres"),
    (
        f"SELECT TRIM(LEADING 'x' FROM k), TRIM(BOTH FROM k), TRIM(' ' FROM k), POSITION('a' IN k || 'b') FROM {TABLE}",
        "pgq-iso",
    ),
    (
        f"SELECT SUBSTRING(k FROM 2 FOR 3), SUBSTRING(k FROM n), OVERLAY(k PLACING 'a' FROM 2) FROM {TABLE}",
        "pgq-postgres",
    ),
    (
        f"SELECT JSON_ARRAY(k, 1 NULL ON NULL RETURNING JSON), JSON_OBJECT('a' VALUE k, 'b': 1 ABSENT ON NULL), "
        f"JSON_VALUE(k, '$.x' RETURNING VARCHAR2(10) DEFAULT 'y' ON ERROR), JSON_QUERY(k, '$' WITH ARRAY WRAPPER), "
        f"JSON_ARRAYAGG(k ORDER BY k NULL ON NULL RETURNING CLOB) FROM {TABLE}",
        "pgq-oracle-26ai",
    ),
    (f"SELECT k FROM {TABLE} WHERE k IS NOT NAN AND k IS INFINITE OR NOT k + 1 IS NAN", "pgq-oracle-23ai"),
    (
        f"SELECT j.v FROM {TABLE} t, JSON_TABLE(t.k, '$[*]' ERROR ON ERROR COLUMNS (v NUMBER PATH '$')) j",
        "pgq-oracle-23ai",
    ),
    (
        "SELECT * FROM GRAPH_TABLE (g AS OF TIMESTAMP (SYSTIMESTAMP - INTERVAL '2' MINUTE) MATCH (a) COLUMNS (a.*))",
        "pgq-oracle-23ai",
    ),
    ("SELECT * FROM GRAPH_TABLE (g AS OF SCN :scn MATCH (a IS x) COLUMNS (a.k))", "pgq-oracle-26ai"),
    (f"WITH f AS (FROM {TABLE}) SELECT * FROM f", "pgq-duckpgq"),
]


@pytest.mark.parametrize(("text", "dialect"), FORMS, ids=[text[:70] for text, _ in FORMS])
def test_forms_are_read_and_laid_out(text: str, dialect: str) -> None:
    """Laid out, they are read as the same, and do not change any more."""
    query = gql.parse(text, dialect)
    assert not isinstance(query.body, (ir.Command, ir.SqlStatement))
    out = format_text(text, dialect)
    assert gql.parse(out, dialect) == query
    assert format_text(out, dialect) == out


def test_intersect_is_first_but_for_oracle() -> None:
    text = "SELECT 1 FROM t UNION SELECT 2 FROM t INTERSECT SELECT 3 FROM t"
    found = body(text, "pgq-postgres")
    assert isinstance(found, ir.SetOperation)
    assert (found.kind, [getattr(each, "kind", "") for each in found.branches]) == ("union", ["", "intersect"])
    found = body(text, "pgq-oracle-23ai")
    assert isinstance(found, ir.SetOperation)
    assert (found.kind, [getattr(each, "kind", "") for each in found.branches]) == ("intersect", ["union", ""])


def test_concatenation_binds_less_than_addition() -> None:
    assert item("a || b + 1", "pgq-postgres") == item("a || (b + 1)", "pgq-postgres")
    assert format_text("SELECT (a || b) + 1, a || (b + 1) FROM t", "pgq-postgres") == (
        "SELECT (a || b) + 1, a || (b + 1) FROM t"
    )


def test_nulls_are_last_in_duckdb_and_greatest_elsewhere() -> None:
    def places(dialect: str) -> list[str]:
        found = body("SELECT k FROM t ORDER BY k, k DESC", dialect)
        assert isinstance(found, ir.TableQuery)
        return [key.nulls for key in found.order]

    assert {name: places(name) for name in SQL_PGQ} == {
        name: ["last", "last"] if name == "pgq-duckpgq" else ["last", "first"] for name in SQL_PGQ
    }


@pytest.mark.parametrize(
    ("text", "dialect", "expected"),
    [
        ("SELECT select FROM t", "pgq-iso", ("G074", 1, 8)),
        ("SELECT * FROM GRAPH_TABLE (g MATCH (a) RETURN a.k)", "pgq-postgres", ("G001", 1, 40)),
        ("SELECT * FROM GRAPH_TABLE (g MATCH (a)-[e]->(b) COLUMNS (a.k AS k,))", "pgq-postgres", ("G001", 1, 67)),
        ("SELECT * FROM GRAPH_TABLE (g MATCH (a)-[e]>(b) COLUMNS (a.k))", "pgq-iso", ("G001", 1, 43)),
        ("MATCH (a) RETURN a.k", "pgq-duckpgq", ("G065", 1, 1)),
        ("GRAPH_TABLE (g MATCH (a) COLUMNS (a.k))", "pgq-postgres", ("G001", 1, 1)),
        ("CREATE VIEW v AS SELECT (1", "pgq-postgres", ("G001", 1, 25)),
        ("VALUES (1), (2, 3)", "pgq-postgres", ("G001", 1, 13)),
        ("SELECT 'a FROM t", "pgq-oracle-23ai", ("G002", 1, 8)),
        (f"SELECT abs(k FROM 2) FROM {TABLE}", "pgq-postgres", ("G001", 1, 8)),
        (f"SELECT TRIM(k VALUE 2) FROM {TABLE}", "pgq-postgres", ("G001", 1, 8)),
        ("SELECT * FROM GRAPH_TABLE (g AS OF SCN 1 MATCH (a) COLUMNS (a.k))", "pgq-postgres", ("G021", 1, 30)),
        (f"SELECT {{'a': k}} FROM {TABLE}", "pgq-postgres", ("G001", 1, 9)),
    ],
)
def test_faults_have_their_place(text: str, dialect: str, expected: tuple[str, int, int]) -> None:
    assert refused(text, dialect) == expected


# ------------------------------------------------------------------ statements, and SQL that is kept


@pytest.mark.parametrize(
    ("text", "kind", "access"),
    [
        ("CREATE OR REPLACE PROPERTY GRAPH g VERTEX TABLES (t)", "create property graph", "write"),
        ("CREATE TEMP PROPERTY GRAPH g", "create property graph", "write"),
        ("ALTER PROPERTY GRAPH g DROP VERTEX TABLES (t)", "alter property graph", "write"),
        ("DROP PROPERTY GRAPH IF EXISTS g", "drop property graph", "write"),
        ("COMMENT ON PROPERTY GRAPH g IS 'x'", "comment property graph", "write"),
        ("DESCRIBE PROPERTY GRAPH g", "describe property graph", "read"),
        ("CREATE GLOBAL TEMPORARY TABLE t (a INT)", "create table", "write"),
        ("INSERT INTO t VALUES (1)", "insert", "write"),
        ("BEGIN", "begin", "read"),
    ],
)
def test_statements_are_told_by_their_first_words(text: str, kind: str, access: str) -> None:
    assert body(text, "pgq-postgres") == ir.Command(kind, access, text)


@pytest.mark.parametrize(
    ("text", "dialect", "kind"),
    [
        (f"EXPLAIN (ANALYZE) SELECT * FROM {TABLE}", "pgq-postgres", "explain analyze"),
        (f"PREPARE p (int) AS SELECT * FROM {TABLE} WHERE k = $1", "pgq-postgres", "prepare"),
        (f"CREATE OR REPLACE VIEW v (k) AS SELECT * FROM {TABLE}", "pgq-oracle-23ai", "create view"),
        (f"INSERT INTO r (FROM {TABLE} tmp)", "pgq-duckpgq", "insert"),
        (f"COPY (FROM {TABLE}) TO 'x.csv' (HEADER FALSE)", "pgq-duckpgq", "copy"),
    ],
)
def test_a_query_in_a_statement_is_read(text: str, dialect: str, kind: str) -> None:
    found = body(text, dialect)
    assert isinstance(found, ir.SqlStatement)
    (island,) = found.islands
    assert (found.kind, type(island)) == (kind, ir.Select)
    out = format_text(text, dialect)
    assert gql.parse(out, dialect).body == found


def test_sql_beyond_the_grammar_is_kept_around_graph_tables() -> None:
    text = f"SELECT a <-> 'b' AS \"x y\" -- why\nFROM t, {TABLE} AS gt, ONLY u FOR UPDATE OF t"
    found = body(text, "pgq-postgres")
    assert isinstance(found, ir.SqlStatement)
    (island,) = found.islands
    assert isinstance(island, ir.GraphTable)
    assert island.span is not None
    assert text[island.span.start : island.span.end] == TABLE
    assert "".join([found.parts[0], TABLE, found.parts[1]]) == text
    out = format_text(text, "pgq-postgres")
    assert gql.parse(out, "pgq-postgres").body == found
    assert [out[each.start : each.end] for each in comments(out, "pgq-postgres")] == ["-- why"]


def test_a_graph_table_that_is_kept_is_checked_at_its_place() -> None:
    """A fault in it is one of the statement; what neither reads is told at the place of the one that got further."""
    broken = "SELECT a <-> 'b' FROM GRAPH_TABLE (g MATCH (a)-[e]>(b) COLUMNS (a.k)) FOR UPDATE"
    assert refused(broken, "pgq-postgres") == ("G001", 1, 51)
    assert refused(f"SELECT a <-> 'b' FROM {TABLE} WHERE (", "pgq-postgres")[0] == "G001"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        (f"SELECT * FROM {TABLE} FOR UPDATE", "G582"),
        (f"EXPLAIN SELECT * FROM {TABLE}", "G582"),
        ("DROP PROPERTY GRAPH g", "G509"),
    ],
)
def test_what_is_kept_is_no_graph_query(text: str, code: str) -> None:
    assert [each for each in graphir.check(text, "pgq-postgres") if each.severity == "error"] == []
    with pytest.raises(graphir.Unsupported) as raised:
        graphir.translate(text, read="pgq-postgres", write="neo4j-25")
    assert raised.value.diagnostics[0].code == code


@pytest.mark.parametrize("write", ["neo4j-25", "gql-iso", "gql-spanner"])
@pytest.mark.parametrize("read", ["pgq-iso", "pgq-oracle-23ai", "pgq-postgres", "pgq-duckpgq", "pgq-hyper"])
def test_a_name_that_nothing_has_is_not_translated(read: str, write: str) -> None:
    text = "SELECT src FROM GRAPH_TABLE (g MATCH (p IS Person)-[k IS Knows]->(q IS Person) COLUMNS (src)) t"
    with pytest.raises(graphir.SemanticFault) as caught:
        graphir.translate(text, read, write)
    assert [(found.code, found.start) for found in caught.value.diagnostics] == [("G101", text.rindex("src"))]


def test_a_collation_without_a_name_is_no_collation() -> None:
    text = (
        "CREATE PROPERTY GRAPH g VERTEX TABLES (t KEY (a) PROPERTIES (b COLLATE AS c), u KEY (a) PROPERTIES (b AS c))"
    )
    for dialect in ("pgq-iso", "pgq-postgres", "pgq-duckpgq"):
        assert all(found.code.startswith("G") for found in graphir.check(text, dialect))


# ------------------------------------------------------------------ the tables that know dialects

READ_BY = {
    "grammar/sql_lexis.py": sql_lexis.LEXES,
    "grammar/gql_words.py": gql_words.RESERVED,
    "grammar/islands.py": islands.DIALECTS,
    "sql_functions.py": sql_functions.SQL_NAMES,
    "schema/ddl/targets.py": ddl_targets.DIALECTS,
    "passes/vendors/vendors.py": vendors.OF_DIALECT,
}


@pytest.mark.parametrize("table", READ_BY)
def test_every_dialect_of_sql_has_its_row(table: str) -> None:
    assert [dialect for dialect in SQL_PGQ if dialect not in READ_BY[table]] == []


def test_every_dialect_over_tables_has_its_target() -> None:
    assert [name for name, each in DIALECTS.items() if each.tables and name not in sql_targets.TARGETS] == []
