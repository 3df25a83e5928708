"""Functions over windows: what they are as lists has the rows that DuckDB finds in the tables."""

from __future__ import annotations

import pytest

import graphir
from graphir.diagnostics import GraphirError
from tests.table_pairs import SCHEMA, Pair, written

TEXTS = {
    "the first of each group": """SELECT src, dst, w FROM (SELECT k.src, k.dst, k.w,
        row_number() OVER (PARTITION BY k.src ORDER BY k.w, k.eid) AS n FROM {knows} k) t WHERE n = 1""",
    "numbers of all rows": "SELECT k.eid, row_number() OVER (ORDER BY k.w DESC, k.eid) AS n FROM {knows} k",
    "a number beside a total": """SELECT k.eid, row_number() OVER (PARTITION BY k.src ORDER BY k.eid) AS n,
        count(*) OVER (PARTITION BY k.src) AS c, sum(k.w) OVER () AS s, k.w FROM {knows} k""",
    "a share of a total": "SELECT k.eid, k.w * 100 AS x, max(k.w) OVER (PARTITION BY k.name) AS m FROM {knows} k",
    "windows over groups": """SELECT k.src, count(*) AS c, sum(count(*)) OVER () AS s,
        row_number() OVER (ORDER BY count(*) DESC, k.src) AS n FROM {knows} k GROUP BY k.src""",
    "a window behind HAVING": """SELECT k.src, row_number() OVER (ORDER BY k.src) AS n FROM {knows} k
        GROUP BY k.src HAVING count(*) > 1""",
    "a window in an expression": """SELECT k.eid, CASE WHEN row_number() OVER (PARTITION BY k.src ORDER BY k.eid) = 1
        THEN 'first' ELSE 'other' END AS x FROM {knows} k""",
    "a window that is sorted by": """SELECT k.eid FROM {knows} k
        ORDER BY row_number() OVER (PARTITION BY k.src ORDER BY k.eid), k.eid LIMIT 5""",
    "the row before and behind": """SELECT k.eid, lag(k.eid) OVER (PARTITION BY k.src ORDER BY k.eid) AS b,
        lead(k.eid) OVER (PARTITION BY k.src ORDER BY k.eid) AS a,
        first_value(k.w) OVER (PARTITION BY k.src ORDER BY k.eid) AS f FROM {knows} k""",
    "DISTINCT ON": "SELECT DISTINCT ON (k.src) k.src, k.eid, k.w FROM {knows} k ORDER BY k.src, k.w DESC, k.eid",
    "DISTINCT ON an alias": "SELECT DISTINCT ON (v) k.src AS v, k.eid FROM {knows} k ORDER BY v DESC, k.eid",
    "no rows": "SELECT k.eid, count(*) OVER () AS n FROM {knows} k WHERE k.w > 100",
    "a frame that is all": """SELECT k.eid, sum(k.w) OVER (ORDER BY k.eid
        ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS s FROM {knows} k""",
    "nulls": """SELECT p.name, count(k.w) OVER (PARTITION BY k.w) AS c, k.w FROM {all} p
        LEFT JOIN {knows} k ON k.src = p.id""",
    "ranks": """SELECT k.eid, rank() OVER (ORDER BY k.w) AS a,
        dense_rank() OVER (PARTITION BY k.src ORDER BY k.w DESC) AS b,
        percent_rank() OVER (ORDER BY k.src, k.w) AS c, cume_dist() OVER (PARTITION BY k.src ORDER BY k.dst) AS d
        FROM {knows} k""",
    "ranks of groups": """SELECT k.src, count(*) AS c, rank() OVER (ORDER BY count(*) DESC) AS n
        FROM {knows} k GROUP BY k.src""",
    "a running sum": """SELECT k.eid, sum(k.w) OVER (ORDER BY k.eid) AS s,
        avg(k.w) OVER (PARTITION BY k.src ORDER BY k.eid) AS a FROM {knows} k""",
    "a running sum of equal rows": """SELECT k.eid, sum(k.eid) OVER (ORDER BY k.w) AS s,
        count(*) OVER (PARTITION BY k.src ORDER BY k.dst DESC) AS c, rank() OVER (ORDER BY k.w) AS r FROM {knows} k""",
    "frames of rows": """SELECT k.eid,
        sum(k.w) OVER (ORDER BY k.eid ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS a,
        count(*) OVER (ORDER BY k.eid ROWS BETWEEN 3 PRECEDING AND 2 PRECEDING) AS b,
        count(k.w) OVER (ORDER BY k.eid ROWS BETWEEN 1 FOLLOWING AND 2 FOLLOWING) AS c,
        max(k.w) OVER (PARTITION BY k.src ORDER BY k.eid ROWS BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS d,
        min(k.w) OVER (ORDER BY k.eid ROWS 2 PRECEDING) AS e FROM {knows} k""",
    "frames of equal rows": """SELECT k.eid,
        count(*) OVER (ORDER BY k.w RANGE BETWEEN CURRENT ROW AND UNBOUNDED FOLLOWING) AS a,
        sum(k.eid) OVER (ORDER BY k.w RANGE BETWEEN CURRENT ROW AND CURRENT ROW) AS b FROM {knows} k""",
    "FILTER in a frame": "SELECT k.eid, sum(k.w) FILTER (WHERE k.src > 1) OVER (ORDER BY k.eid) AS s FROM {knows} k",
    "rows further away": """SELECT k.eid, lag(k.w, 2) OVER w AS a, lead(k.w, 1, -1) OVER w AS b,
        lag(k.w, 3, k.eid) OVER w AS c, lag(k.w, 0) OVER w AS d FROM {knows} k
        WINDOW w AS (PARTITION BY k.src ORDER BY k.eid)""",
    "rows of the frame": """SELECT k.eid, last_value(k.w) OVER (PARTITION BY k.src ORDER BY k.eid) AS a,
        nth_value(k.w, 2) OVER (ORDER BY k.eid) AS b,
        first_value(k.w) OVER (ORDER BY k.eid ROWS BETWEEN 1 PRECEDING AND CURRENT ROW) AS c,
        first_value(k.w) OVER (ORDER BY k.eid ROWS BETWEEN 2 FOLLOWING AND 3 FOLLOWING) AS d,
        last_value(k.w) OVER (ORDER BY k.eid ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING) AS e
        FROM {knows} k""",
    "windows by their names": """SELECT k.eid, row_number() OVER (v ORDER BY k.eid) AS a, sum(k.w) OVER w AS b,
        count(*) OVER v AS c FROM {knows} k WINDOW v AS (PARTITION BY k.src), w AS (v ORDER BY k.eid)""",
}
REFUSED = {
    "a frame of values": """SELECT sum(k.w) OVER (ORDER BY k.eid RANGE BETWEEN 1 PRECEDING AND CURRENT ROW) AS s
        FROM {knows} k""",
    "a frame of groups": "SELECT sum(k.w) OVER (ORDER BY k.w GROUPS 1 PRECEDING) AS s FROM {knows} k",
    "a frame without a row": """SELECT sum(k.w) OVER (ORDER BY k.eid ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW
        EXCLUDE CURRENT ROW) AS s FROM {knows} k""",
    "a computed number of rows": "SELECT lag(k.w, k.src) OVER (ORDER BY k.eid) AS s FROM {knows} k",
    "a text that grows": "SELECT string_agg(k.name, ',') OVER (ORDER BY k.eid) AS s FROM {knows} k",
    "an aggregate of nothing": "SELECT max() OVER (PARTITION BY k.src) AS s FROM {knows} k",
    "a group of nothing": "SELECT k.src, max() AS s FROM {knows} k GROUP BY k.src",
    "parts of equal size": "SELECT ntile(2) OVER (ORDER BY k.w) AS s FROM {knows} k",
    "an unknown name": "SELECT sum(k.w) OVER v AS s FROM {knows} k WINDOW w AS (PARTITION BY k.src)",
}


@pytest.fixture(scope="module", params=range(2))
def pair(request: pytest.FixtureRequest) -> Pair:
    return Pair(request.param, is_endless=True)


@pytest.mark.parametrize("name", list(TEXTS))
def test_a_window_is_a_list(name: str, pair: Pair) -> None:
    found, wanted = pair.rows(TEXTS[name], "pgq-postgres")
    assert found == wanted


def test_qualify_keeps_rows_by_their_windows(pair: Pair) -> None:
    text = "SELECT k.src, k.eid FROM {knows} k QUALIFY row_number() OVER (PARTITION BY k.src ORDER BY k.eid DESC) = 1"
    asked = written(text, 0).replace(" IS ", ":").replace('"', "")
    found = pair.graph.run(graphir.translate(asked, read="pgq-duckpgq", write="neo4j-25", schema=SCHEMA)).rows
    assert sorted(map(tuple, found)) == sorted(pair.tables.execute(written(text, 1)).fetchall())


@pytest.mark.parametrize("name", list(REFUSED))
def test_what_no_list_tells_is_refused(name: str) -> None:
    with pytest.raises(GraphirError) as refused:
        graphir.translate(written(REFUSED[name], 0), read="pgq-postgres", write="neo4j-25", schema=SCHEMA)
    assert refused.value.diagnostics[0].code == "G580"
