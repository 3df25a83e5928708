"""What depends on the types of values in SQL/PGQ: said as it is meant, told, or refused.

The rows of PostgreSQL and DuckDB are compared in `tests/engines`; Oracle's verdicts are those of its reference.
"""

from __future__ import annotations

import pytest

import graphir
from graphir import api
from graphir.diagnostics import Diagnostic, GraphirError
from graphir.dialects import DIALECTS
from graphir.schema import Schema

SCHEMA = Schema.read(
    "Node properties:\n"
    "person {i: INTEGER, a: INTEGER, h: FLOAT, n: STRING, d: DATE, ts: LOCAL_DATE_TIME, z: DATE_TIME}",
    "text2cypher-2024-text",
)
PLAIN = (
    "GRAPH_TABLE (g MATCH (p IS person) COLUMNS "
    "(p.i AS i, p.a AS a, p.h AS h, p.n AS n, p.d AS d, p.ts AS ts, p.z AS z))"
)
QUOTED = (
    'GRAPH_TABLE (g MATCH (p IS "person") COLUMNS '
    '(p."i" AS i, p."a" AS a, p."h" AS h, p."n" AS n, p."d" AS d, p."ts" AS ts, p."z" AS z))'
)
POSTGRES, DUCKDB, ORACLE, HYPER = "pgq-postgres", "pgq-duckpgq", "pgq-oracle-26ai", "pgq-hyper"


def written(select: str, dialect: str, *, typed: bool = True, notes: list[Diagnostic] | None = None) -> str:
    text = select.replace("GT", f"{QUOTED if dialect == ORACLE else PLAIN} t")
    query = graphir.parse(text, dialect)
    schema = SCHEMA if typed else None
    return api.emit(query, text, DIALECTS[dialect], DIALECTS["neo4j-25"], schema, notes=notes)


@pytest.mark.parametrize(
    ("dialect", "select", "shown"),
    [
        (POSTGRES, "SELECT i FROM GT WHERE d = '2020-01-01'", "p.d = date('2020-01-01')"),
        (POSTGRES, "SELECT i FROM GT WHERE ts >= '2020-01-01'", "p.ts >= localdatetime('2020-01-01T00:00:00')"),
        (POSTGRES, "SELECT i FROM GT WHERE d < ts", "localdatetime({date: p.d})"),
        (POSTGRES, "SELECT coalesce(ts, d) AS x FROM GT", "localdatetime({date: "),
        (POSTGRES, "SELECT coalesce(h, a) / 2 AS x FROM GT", "toFloat(c2)"),
        (POSTGRES, "SELECT i FROM GT WHERE a = '30'", "p.a = 30"),
        (POSTGRES, "SELECT n || a AS x FROM GT", "toString(c2)"),
        (POSTGRES, "SELECT sum(a) / 4 AS x FROM GT", "toFloat("),
        (POSTGRES, "SELECT a / 4 AS x FROM GT", "c2 / 4 AS x"),
        (POSTGRES, "SELECT CAST(d AS timestamp) AS x FROM GT", "localdatetime({date: "),
        (POSTGRES, "SELECT avg(a) > 3.5 AS x FROM GT", "avg(c2) > 3.5"),
        (POSTGRES, "SELECT i FROM GT WHERE a / 3.0 >= 10", "p.a / 3.0 >= 10"),
        (POSTGRES, "SELECT sign(a) AS x FROM GT", "toFloat(sign(c2))"),
        (POSTGRES, "SELECT 7 / sign(a) AS x FROM GT", "7 / toFloat(sign(c2))"),
        (POSTGRES, "SELECT i FROM GT WHERE sign(i) = '1'", "toFloat(sign(p.i)) = 1.0"),
        (DUCKDB, "SELECT sign(h) AS x FROM GT", "sign(c3) AS x"),
        (DUCKDB, "SELECT i FROM GT WHERE a / sign(i) = '1'", "= 1.0"),
        (HYPER, "SELECT sign(i) AS x, sign(h) AS y FROM GT", "sign(c1) AS x, toFloat(sign(c3)) AS y"),
        (ORACLE, "SELECT sign(a) AS x FROM GT", "sign(c2)"),
        # the first value of NULLIF, and percentiles
        (POSTGRES, "SELECT nullif(a, h) / 2 AS x FROM GT", "nullIf(toFloat(c2), c3) / 2"),
        (POSTGRES, "SELECT nullif(a, 2.5) / 2 AS x FROM GT", "nullIf(toFloat(c2), 2.5)"),
        (POSTGRES, "SELECT nullif(a, 0) / 2 AS x FROM GT", "nullIf(c2, 0) / 2"),
        (DUCKDB, "SELECT nullif(a, h) AS x FROM GT", "nullIf(c2, c3) AS x"),
        (POSTGRES, "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY a) AS x FROM GT", "percentileCont(toFloat("),
        (DUCKDB, "SELECT median(a) AS x FROM GT", "percentileCont(toFloat("),
        (DUCKDB, "SELECT count_if(a > 1) AS x FROM GT", "WHEN true THEN 1 WHEN false THEN 0 END"),
        # seconds have a fraction, and smaller parts have the seconds
        (
            POSTGRES,
            "SELECT extract(seconds FROM ts) AS x FROM GT",
            "toFloat(c6.second * 1000000 + c6.microsecond) / 1000000",
        ),
        (POSTGRES, "SELECT extract(millisecond FROM ts) AS x FROM GT", "c6.microsecond) / 1000"),
        (ORACLE, "SELECT extract(second FROM ts) AS x FROM GT", "c6.microsecond) / 1000000"),
        (DUCKDB, "SELECT extract(second FROM ts) AS x FROM GT", "c6.second AS x"),
        (DUCKDB, "SELECT extract(millisecond FROM ts) AS x FROM GT", "c6.second * 1000 + c6.millisecond"),
        (HYPER, "SELECT extract(microseconds FROM ts) AS x FROM GT", "c6.second * 1000000 + c6.microsecond"),
        (POSTGRES, "SELECT ARRAY[ARRAY[1, 2], ARRAY[3, 4]] AS x FROM GT", "[[1, 2], [3, 4]]"),
        (DUCKDB, "SELECT a IN [1, NULL] AS x FROM GT", "coalesce(c2 IN [1, null], false)"),
        (DUCKDB, "SELECT a IN (1, NULL) AS x FROM GT", "c2 IN [1, null] AS x"),
        (DUCKDB, "SELECT i / a AS x FROM GT", "toFloat(c1) / toFloat(c2)"),
        (ORACLE, "SELECT i FROM GT WHERE a / 3 > 0.5", "toFloat(P.a) / 3 > 0.5"),
        (ORACLE, "SELECT 'x' || a AS x FROM GT", "toString("),
    ],
)
def test_as_it_is_meant(dialect: str, select: str, shown: str) -> None:
    assert shown in written(select, dialect)


@pytest.mark.parametrize(
    ("dialect", "select", "reason"),
    [
        # decimal numbers
        (POSTGRES, "SELECT i FROM GT WHERE a * 0.1 = 3.0", "a decimal number"),
        (POSTGRES, "SELECT floor(a * 0.1) AS x FROM GT", "a decimal number"),
        (POSTGRES, "SELECT sum(a * 0.1) AS x FROM GT ORDER BY x", "a decimal number"),
        (POSTGRES, "SELECT DISTINCT a * 0.1 + i * 0.3 AS x FROM GT", "a decimal number"),
        (POSTGRES, "SELECT a * 0.1 + i * 0.3 AS x, count(*) AS c FROM GT GROUP BY 1", "a decimal number"),
        (POSTGRES, "SELECT CAST(a * 0.1 AS text) AS x FROM GT", "the digits of its type"),
        (POSTGRES, "SELECT CAST(a * 0.1 AS integer) AS x FROM GT", "a half is rounded"),
        (POSTGRES, "SELECT avg(a) = avg(h) AS x FROM GT", "a decimal number"),
        (ORACLE, "SELECT i FROM GT WHERE a / 3 * 3 = a", "a decimal number"),
        (ORACLE, "SELECT i FROM GT WHERE a / 3 = i / 6", "a decimal number"),
        (ORACLE, "SELECT floor(a / 3 * 3) AS x FROM GT", "a decimal number"),
        (POSTGRES, "SELECT h::real AS x FROM GT", "32 bits"),
        (DUCKDB, "SELECT h::float AS x FROM GT", "32 bits"),
        # zones and formats of sessions
        (POSTGRES, "SELECT CAST(ts AS timestamptz) AS x FROM GT", "the zone of the session"),
        (POSTGRES, "SELECT CAST(n AS timestamptz) AS x FROM GT", "the zone of the session"),
        (DUCKDB, "SELECT CAST('2020-01-01' AS timestamptz) AS x FROM GT", "the zone of the session"),
        (POSTGRES, "SELECT z::date AS x FROM GT", "the zone of the session"),
        (POSTGRES, "SELECT extract(hour FROM z) AS x FROM GT", "the zone of the session"),
        (POSTGRES, "SELECT i FROM GT WHERE z > ts", "with a zone"),
        (POSTGRES, "SELECT CAST(ts AS timestamp(0)) AS x FROM GT", "rounded"),
        (ORACLE, "SELECT 'x' || d AS x FROM GT", "as the database does"),
        (ORACLE, "SELECT CAST(d AS VARCHAR2(4000)) AS x FROM GT", "the format of the session"),
        (ORACLE, "SELECT i FROM GT WHERE d = '2020-01-01'", "as the database reads it"),
        # what becomes a decimal number of a whole one is exact, too
        (POSTGRES, "SELECT coalesce(a, 0.1) + 0.2 = 0.3 AS x FROM GT", "a decimal number"),
        (POSTGRES, "SELECT CASE WHEN i = 1 THEN a ELSE 0.1 END + 0.2 = 0.3 AS x FROM GT", "a decimal number"),
        (POSTGRES, "SELECT nullif(d, ts) AS x FROM GT", "NULLIF gives its first value"),
        (DUCKDB, "SELECT median(a * 0.1) AS x FROM GT", "the digits of their type"),
        (
            POSTGRES,
            "SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY n) AS x FROM GT",
            "a text stands where a number is taken",
        ),
        # signs, and values of no known type
        (ORACLE, "SELECT sign(h) AS x FROM GT", "the sign of 0 is 1"),
        (POSTGRES, "SELECT i FROM GT WHERE atan2(i, a) % '2' = '1'", "takes the type"),
        # arrays of two dimensions
        (POSTGRES, "SELECT (ARRAY[ARRAY[1, 2], ARRAY[3, 4]])[1] AS x FROM GT", "two dimensions"),
        (POSTGRES, "SELECT cardinality(ARRAY[ARRAY[1, 2], ARRAY[3, 4]]) AS x FROM GT", "two dimensions"),
        (POSTGRES, "SELECT 3 = ANY(ARRAY[ARRAY[1, 2], ARRAY[3, 4]]) AS x FROM GT", "no type in common"),
        # types that do not meet
        (POSTGRES, "SELECT i FROM GT WHERE n = a", "no type in common"),
        (POSTGRES, "SELECT i FROM GT WHERE d = n", "no type in common"),
        (POSTGRES, "SELECT upper(a) AS x FROM GT", "a number stands where a text is taken"),
        (POSTGRES, "SELECT i FROM GT WHERE a", "a number stands where a boolean is taken"),
        (POSTGRES, "SELECT d + ts AS x FROM GT", "not added"),
        (POSTGRES, "SELECT a || i AS x FROM GT", "none of the values"),
        (POSTGRES, "SELECT i FROM GT WHERE a = max(a)", "an aggregate stands in WHERE"),
        (DUCKDB, "SELECT [1, a] = [1, 2] AS x FROM GT", "null is equal to null"),
    ],
)
def test_refused(dialect: str, select: str, reason: str) -> None:
    with pytest.raises(GraphirError, match="G580") as refusal:
        written(select, dialect)
    assert reason in refusal.value.diagnostics[0].message


@pytest.mark.parametrize(
    ("dialect", "text"),
    [
        *((POSTGRES, text) for text in ("30", "true", "t", "yes", "off", "10:30", "today", "31/12/2020")),
        *((DUCKDB, text) for text in ("30", "f")),
        *((ORACLE, text) for text in ("30", "y", "2020-01-01", "01-JAN-20")),
    ],
)
def test_texts_that_only_a_schema_tells(dialect: str, text: str) -> None:
    select = f"SELECT i FROM GT WHERE n = '{text}'"
    assert f"'{text}'" in written(select, dialect)
    with pytest.raises(GraphirError, match="only a schema tells"):
        written(select, dialect, typed=False)


def test_nullif_of_what_no_schema_tells() -> None:
    """PostgreSQL 18: `nullif(1, 2.5) / 2` is 0.5, and `nullif(1, 2) / 2` is 0."""
    assert "nullIf(c2, 2)" in written("SELECT nullif(a, 2) AS x FROM GT", POSTGRES, typed=False)
    with pytest.raises(GraphirError, match="only a schema tells"):
        written("SELECT nullif(a, 2.5) AS x FROM GT", POSTGRES, typed=False)


@pytest.mark.parametrize(("shown", "is_taken"), [("q % 2 = '1'", False), ("q || 'x' = 'y'", True), ("q = 'yy'", True)])
def test_texts_beside_what_no_schema_lists(shown: str, is_taken: bool) -> None:
    """A constant may be of the type of a property that is not known; what cannot be one stays a text."""
    text = f"SELECT i FROM GRAPH_TABLE (g MATCH (p IS person) COLUMNS (p.i AS i, p.q AS q)) t WHERE {shown}"
    if is_taken:
        assert written(text, POSTGRES)
        return
    with pytest.raises(GraphirError, match="a number that '1' meets, which only a schema tells"):
        written(text, POSTGRES)


@pytest.mark.parametrize(
    ("dialect", "select", "told"),
    [
        (POSTGRES, "SELECT 0.1 * a AS x FROM GT", ["x"]),
        (POSTGRES, "SELECT avg(a) AS x, avg(h) AS y, sum(a) AS z FROM GT", ["x"]),
        (POSTGRES, "SELECT a * 0.5 AS x, 0.1 AS y, h * 0.1 AS z FROM GT", []),
        (ORACLE, "SELECT a / 3 AS x FROM GT", ["X"]),
        (DUCKDB, "SELECT a / 3 AS x, avg(a) AS y FROM GT GROUP BY a", []),
        (DUCKDB, "SELECT sum(a * 0.1) AS x FROM GT", ["x"]),
    ],
)
def test_digits_are_told(dialect: str, select: str, told: list[str]) -> None:
    notes: list[Diagnostic] = []
    written(select, dialect, notes=notes)
    assert [each.message.split("`")[1] for each in notes] == told
    assert {each.code for each in notes} <= {"G578"}


@pytest.mark.parametrize(
    ("dialect", "codes"), [(POSTGRES, ["G569"]), (DUCKDB, ["G569"]), (ORACLE, ["G569"]), (HYPER, [])]
)
def test_the_case_of_rare_letters_is_told(dialect: str, codes: list[str]) -> None:
    """PostgreSQL 18 and DuckDB 2.0: upper('ß') is no 'SS', by the collation or ever; in Hyper it is."""
    notes: list[Diagnostic] = []
    written("SELECT upper(n) AS x, lower(n) AS y FROM GT", dialect, notes=notes)
    assert [each.code for each in notes] == codes


@pytest.mark.parametrize(
    ("select", "is_told"),
    [
        ("SELECT i FROM GT WHERE d < ts", True),
        ("SELECT coalesce(ts, d) AS x FROM GT", True),
        ("SELECT d AS x FROM GT UNION SELECT ts FROM GT", True),
        ("SELECT i FROM GT WHERE d = d OR n = 'x' OR a < 3", False),
        ("SELECT coalesce(n, '') AS x FROM GT", False),
    ],
)
def test_types_that_are_taken_alike(select: str, is_told: bool) -> None:
    """Without a schema, and once."""
    notes: list[Diagnostic] = []
    written(select, POSTGRES, typed=False, notes=notes)
    assert [each.code for each in notes] == ["G579"] * is_told
    notes.clear()
    written(select, POSTGRES, notes=notes)
    assert not notes
