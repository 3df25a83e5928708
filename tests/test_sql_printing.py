"""The printer of SQL trees gives, letter by letter, what sqlglot gives, whatever is in a tree."""

from __future__ import annotations

import pytest
import sqlglot
from sqlglot import exp

from graphir.backends.sql.printing import HANDLERS, printed
from graphir.backends.sql.targets import TARGETS, target

DIALECTS = sorted({target(name).dialect for name in TARGETS})
LONG = "a_rather_long_name_of_a_column_that_fills_the_line"
TEXTS = (
    "SELECT 1",
    "SELECT * FROM t",
    'SELECT a, b AS c, "d e", "f""g", "h\ni" FROM s.t AS u, v AS w WHERE a = 1',
    "SELECT DISTINCT a FROM t GROUP BY a, b HAVING COUNT(*) > 1 ORDER BY a DESC, b NULLS FIRST LIMIT 3 OFFSET 2",
    "SELECT 'it''s', 'a\nb', 'a\\b', 'ä', '', 1.5, -2, NULL, TRUE, FALSE",
    "SELECT a || b || c, (a || b) || c, a || (b || c), a = b, (a = b) = c, a <> b, a < b, a <= b, a > b, a >= b FROM t",
    "SELECT CAST(a AS INT), CAST(a AS VARCHAR(20)), CAST(a AS DECIMAL(10, 2)), CAST(a AS TEXT) FROM t",
    "SELECT CAST(a AS TIMESTAMP), CAST(a AS DATE), CAST(a AS BIGINT), CAST(a AS DOUBLE PRECISION) FROM t",
    f"SELECT f({LONG}, {LONG}, g({LONG}, '{LONG}', '{LONG}')), Fun(a), COUNT({LONG} || {LONG}) FROM t",
    "SELECT COUNT(*), COUNT(DISTINCT a), SUM(a), AVG(a), MIN(a), MAX(a), COALESCE(a, b), SUM(DISTINCT a) FROM t",
    "SELECT CASE WHEN a = 1 THEN 2 ELSE 3 END, a IS NULL, NOT a IS NULL, a IN (1, 2), EXISTS(SELECT 1 FROM u) FROM t",
    "SELECT (SELECT a FROM t LIMIT 1) AS x, (a), ((a + b) * c) / 2 - d % 3 FROM (SELECT * FROM t) AS u",
    "SELECT a FROM (SELECT a FROM t UNION ALL SELECT b FROM u) AS w JOIN x ON w.a = x.a LEFT JOIN y ON x.b = y.b",
    "SELECT a FROM t CROSS JOIN u WHERE a AND b OR (c AND NOT d)",
    "WITH a AS (SELECT 1 AS x), b(y) AS (SELECT x FROM a) SELECT y FROM b UNION SELECT x FROM a ORDER BY 1",
    "WITH RECURSIVE a AS (SELECT 1 AS x UNION ALL SELECT x + 1 FROM a WHERE x < 9) SELECT x FROM a",
    "WITH a AS MATERIALIZED (SELECT 1 AS x) SELECT x FROM a",
    "WITH a AS NOT MATERIALIZED (SELECT 1 AS x) SELECT x FROM a",
    "SELECT ROW_NUMBER() OVER (PARTITION BY a ORDER BY b DESC) AS r, SUM(a) OVER () FROM t AS u(a, b)",
    "SELECT t.* FROM s.t, LATERAL (SELECT 1 AS x) AS u",
    "SELECT a FROM t ORDER BY a FETCH FIRST 3 ROWS ONLY",
    "SELECT DISTINCT ON (a) a, b FROM t",
    "SELECT a FROM t SEMI JOIN u ON t.a = u.a",
    "SELECT a FROM t ANTI JOIN u ON t.a = u.a",
    "SELECT a FROM t QUALIFY ROW_NUMBER() OVER (PARTITION BY a ORDER BY b) = 1",
    "SELECT a FROM t TABLESAMPLE (10 PERCENT)",
    'SELECT "select", "Group", x."Order" FROM "table" AS x',
    "SELECT a FROM t ORDER BY a, b DESC, c ASC NULLS FIRST, d DESC NULLS LAST, e NULLS LAST, f DESC NULLS FIRST",
    f"SELECT a FROM t WHERE {LONG} = 1 AND ({LONG} = 2 OR NOT {LONG} = 3) AND {LONG} IS NULL OR {LONG} IS NOT NULL",
    f"SELECT CASE WHEN {LONG} = 1 THEN {LONG} WHEN a IS TRUE THEN NULL ELSE b END, CASE a WHEN 1 THEN 2 END FROM t",
    "SELECT a FROM t WHERE a IN (SELECT b FROM u) AND EXISTS (SELECT b FROM u) AND a IN (1, 2) AND NOT (TRUE)",
    "SELECT a FROM t UNION ALL (SELECT b FROM u UNION SELECT c FROM v) UNION ALL (SELECT d FROM w LIMIT 1)",
    "SELECT a FROM t UNION SELECT b FROM u EXCEPT SELECT c FROM v ORDER BY 1 LIMIT 5",
    "SELECT COUNT(DISTINCT a), COUNT(DISTINCT a, b) FROM t, u, v LIMIT 1 + 1",
    "SELECT ARRAY_AGG(a), a[1], STRING_AGG(a, ', ') FROM t",
    "SELECT ANY_VALUE(a), (ARRAY_AGG(a))[1], (a)[2], (a)[b], a[1][2] FROM t ORDER BY a COLLATE c LIMIT 5 OFFSET 1 + 1",
    "SELECT a FROM t ORDER BY a OFFSET 2 FETCH FIRST 3 ROWS ONLY",
)


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("pretty", [False, True])
def test_the_text_is_that_of_sqlglot(dialect: str, pretty: bool) -> None:
    for text in TEXTS:
        tree = sqlglot.parse_one(text, dialect="duckdb")
        expected = tree.sql(dialect=dialect, pretty=pretty, comments=False, unsupported_level=sqlglot.ErrorLevel.IGNORE)
        try:
            assert printed(tree.copy(), dialect, pretty=pretty) == expected
        except sqlglot.UnsupportedError:
            with pytest.raises(sqlglot.UnsupportedError):
                tree.sql(dialect=dialect, unsupported_level=sqlglot.ErrorLevel.RAISE)


def test_every_class_with_a_handler_is_in_the_texts() -> None:
    found = {type(node) for text in TEXTS for node in sqlglot.parse_one(text, dialect="duckdb").walk()}
    assert found >= set(HANDLERS)


@pytest.mark.parametrize("dialect", DIALECTS)
def test_parts_without_a_parent_are_printed(dialect: str) -> None:
    """Names and types stand in several places of a tree."""
    kind = exp.DataType.build("BIGINT")
    cast = exp.Cast(this=exp.Column(this=exp.Identifier(this="a", quoted=True)))
    cast.args["to"] = kind
    assert printed(cast, dialect) == cast.sql(dialect=dialect)
    assert kind.parent is None
