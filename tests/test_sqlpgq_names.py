"""What a name means that SELECT gives to a value and that a column of FROM has as well."""

from __future__ import annotations

import pytest

import graphir
from graphir.diagnostics import GraphirError

TABLE = "GRAPH_TABLE (g MATCH (a IS p) COLUMNS (a.n AS n, a.k AS k)) t"
SQL = ("pgq-postgres", "pgq-duckpgq", "pgq-hyper", "pgq-oracle-26ai", "pgq-iso")


def translated(text: str, dialect: str) -> str:
    return str(graphir.translate(text.replace("TABLE", TABLE), read=dialect, write="neo4j-25")).lower()


def refused(text: str, dialect: str) -> str:
    with pytest.raises(GraphirError, match="G580") as raised:
        translated(text, dialect)
    return raised.value.diagnostics[0].message


@pytest.mark.parametrize("dialect", SQL)
def test_rows_are_grouped_by_the_column(dialect: str) -> None:
    text = translated("SELECT upper(t.n) AS n, COUNT(*) AS c FROM TABLE GROUP BY n", dialect)
    assert text.endswith("with c1, count(*) as a1\nreturn toupper(c1) as n, a1 as c")


def test_rows_are_grouped_by_the_alias_in_googlesql() -> None:
    text = translated("SELECT UPPER(t.n) AS n, COUNT(*) AS c FROM TABLE GROUP BY n", "pgq-googlesql")
    assert text.endswith("return toupper(c1) as n, count(*) as c")


@pytest.mark.parametrize("dialect", [*SQL, "pgq-googlesql"])
def test_an_alias_that_no_column_has_is_meant(dialect: str) -> None:
    text = translated("SELECT upper(t.n) AS m, COUNT(*) AS c FROM TABLE GROUP BY m", dialect)
    assert text.endswith("return toupper(c1) as m, count(*) as c")


@pytest.mark.parametrize("dialect", SQL)
def test_a_name_alone_is_the_alias_in_order_by(dialect: str) -> None:
    assert "order by -c2" in translated("SELECT -t.k AS k FROM TABLE ORDER BY k", dialect)


@pytest.mark.parametrize(("clause", "meant"), [("ORDER BY k + 1", "order by c2 + 1"), ("HAVING k > 1", "where c2 > 1")])
def test_expressions_mean_the_column_or_are_refused(clause: str, meant: str) -> None:
    query = f"SELECT -t.k AS k FROM TABLE GROUP BY t.k {clause}"
    for dialect in SQL[:3]:
        assert meant in translated(query, dialect)
    for dialect in SQL[3:]:
        assert f"which of them {clause[:-6].strip()} means" in refused(query, dialect)


@pytest.mark.parametrize("dialect", SQL)
@pytest.mark.parametrize(
    ("query", "reason"),
    [
        ("SELECT COUNT(*) AS c FROM TABLE GROUP BY 1", "grouped by an aggregate"),
        ("SELECT COUNT(*) AS c FROM TABLE GROUP BY c", "grouped by an aggregate"),
        ("SELECT SUM(COUNT(*)) AS c FROM TABLE GROUP BY t.n", "aggregate of an aggregate"),
        ("SELECT t.n AS x, t.k AS x FROM TABLE ORDER BY x", "two columns"),
        ("SELECT t.n AS x, t.k AS x FROM TABLE GROUP BY x", "two columns"),
    ],
)
def test_refusals(query: str, reason: str, dialect: str) -> None:
    assert reason in refused(query, dialect)


@pytest.mark.parametrize("dialect", [*SQL, "pgq-googlesql"])
def test_common_tables_that_double_are_refused(dialect: str) -> None:
    """Each names the one before it twice: written out they would grow with the power of two."""

    def doubling(tables: int) -> str:
        more = [f"w{at} AS (SELECT x.n FROM w{at - 1} x JOIN w{at - 1} y ON x.n = y.n)" for at in range(1, tables)]
        return f"WITH {', '.join(['w0 AS (SELECT t.n FROM TABLE)', *more])} SELECT n FROM w{tables - 1}"

    assert translated(doubling(5), dialect).count("match") == 16
    for tables in (12, 30):
        assert "many times as long" in refused(doubling(tables), dialect)
    chain = [f"w{at} AS (SELECT x.n FROM w{at - 1} x)" for at in range(1, 30)]
    single = f"WITH {', '.join(['w0 AS (SELECT t.n FROM TABLE)', *chain])} SELECT n FROM w29"
    assert translated(single, dialect).count("match") == 1


@pytest.mark.parametrize("dialect", ["pgq-postgres", "pgq-duckpgq"])
@pytest.mark.parametrize("value", ["random()", "gen_random_uuid()"])
def test_common_tables_of_values_that_vary_are_refused(value: str, dialect: str) -> None:
    text = f"WITH s AS (SELECT {value} AS v FROM TABLE) SELECT a.v AS x, b.v AS y FROM s AS a, s AS b"
    assert "drawn anew" in refused(text, dialect)
