"""SELECT over graph tables gives the rows that DuckDB and PostgreSQL give with a join in place of each graph table.

What is read of a text is run on the embedded engine; the joins are those of `graph_joins.py`.  `GT` is short for the
graph table of a node, `KT` for that of an edge.
"""

from __future__ import annotations

import decimal
from collections.abc import Iterator
from typing import Any

import pytest

from graphir.backends.engines import postgres_server
from graphir.backends.sql.targets import Statement
from graphir.diagnostics import GraphirError, UsageFault
from graphir.graphs import PropertyGraph
from tests.engines.graph_joins import Joined, OnDuckDB, OnPostgres, ReadBack, Replacing

PERSONS: list[dict[str, Any]] = [
    {"id": 1, "name": "Ann", "age": 30, "active": True, "h": 1.5, "tags": ["a", "b"]},
    {"id": 2, "name": "bob", "age": 17, "active": False, "h": -2.5, "tags": ["b"]},
    {"id": 3, "name": "Ida", "age": 30, "h": 2.5, "tags": ["c", "a", "d"]},
    {"id": 4, "name": "it's", "active": True, "h": 2.0},
    {"id": 5, "name": "", "age": -7, "h": 0.5},
    {"id": 8},
]
KNOWS = [(1, 2, 2001), (1, 2, 2001), (2, 1, 1999), (3, 3, None), (2, 3, 2010), (4, 1, 2005)]
GRAPH = PropertyGraph.from_dict(
    {
        "nodes": [{"id": str(row["id"]), "labels": ["person"], "properties": row} for row in PERSONS],
        "edges": [
            {
                "id": str(at),
                "type": "knows",
                "start": str(start),
                "end": str(end),
                "properties": {} if since is None else {"since": since},
            }
            for at, (start, end, since) in enumerate(KNOWS)
        ],
    }
)
GT = (
    'GRAPH_TABLE ("graph" MATCH (p IS person) COLUMNS '
    "(p.id AS i, p.name AS n, p.age AS a, p.active AS act, p.h AS h, p.tags AS tg))"
)
KT = (
    'GRAPH_TABLE ("graph" MATCH (p IS person)-[k IS knows]->(q IS person) COLUMNS (p.id AS i, q.id AS j, k.since AS s))'
)
SELECTS = (
    # places, types, operators and parts
    "SELECT tg[1] AS x, tg[2] AS y, tg[0] AS z, tg[-1] AS w, tg[i] AS v FROM GT AS t",
    "SELECT CAST(h AS integer) AS x, h::bigint AS y, -h::int AS z, a::text AS w FROM GT AS t",
    "SELECT CAST(h AS integer) AS x, h::int + 1 AS y FROM GT AS t WHERE h > 0.5",
    "SELECT (i | 4) & 1 AS x, i & 3 | 4 AS y, i | (1 & 6) AS z, i << 2 AS w FROM GT AS t",
    "SELECT extract(week FROM DATE '2024-12-30') AS x, extract(doy FROM DATE '2024-12-30') AS y FROM GT AS t",
    "SELECT extract(dow FROM DATE '2024-12-29') AS x, extract(year FROM DATE '2024-12-30') AS y FROM GT AS t",
    "SELECT TIMESTAMP '2024-02-29 10:00:00' < TIMESTAMP '2024-03-01 00:00:00' AS x FROM GT AS t",
    "SELECT n || a::text || 'x' LIKE 'A%' AS x, n LIKE 'A\\%' AS y, n LIKE '_n_' AS z FROM GT AS t",
    "SELECT a / 4 * 2 AS x, a % 4 AS y, mod(-a, 4) AS z, i - 1 - 1 AS w FROM GT AS t",
    "SELECT (i, a) = (1, 30) AS x, (i, a) <> (1, 30) AS y, (i, a) IN ((1, 30), (2, NULL)) AS z FROM GT AS t",
    # dates beside timestamps and intervals
    "SELECT DATE '2024-01-31' + INTERVAL '1 month' > TIMESTAMP '2024-02-28 23:00:00' AS x FROM GT AS t",
    "SELECT extract(hour FROM DATE '2024-01-31' - INTERVAL '2 hours') AS x FROM GT AS t",
    "SELECT INTERVAL '1 day' + DATE '2024-01-31' = TIMESTAMP '2024-02-01 00:00:00' AS x FROM GT AS t",
    "SELECT TIMESTAMP '2024-01-01 00:00:00' < DATE '2024-03-01' AS x FROM GT AS t",
    "SELECT DATE '2024-01-31' = TIMESTAMP '2024-01-31 00:00:00' AS x FROM GT AS t",
    "SELECT DATE '2024-01-31' IN (TIMESTAMP '2024-01-31 00:00:00', DATE '2024-02-01') AS x FROM GT AS t",
    "SELECT TIMESTAMP '2024-01-01 00:00:00' BETWEEN DATE '2024-01-01' AND DATE '2024-02-01' AS x FROM GT AS t",
    # decimal numbers
    "SELECT 0.1 + 0.2 = 0.3 AS x, 3 * 0.1 = 0.3 AS y, -0.1 - 0.2 < -0.3 AS z, 0.5 + 0.5 = 1 AS w FROM GT AS t",
    "SELECT i FROM GT AS t WHERE a * 0.5 > 8.5 OR i + 0.25 = 4.25 OR h > 0.1 + 0.2",
    "SELECT sum(2) / 5 AS x, avg(7) / 2 AS y, extract(year FROM DATE '2024-01-01') / 5 AS z FROM GT AS t",
    # null and the three truth values
    "SELECT i, 'a' = ANY(tg) AS x, 'a' <> ALL(tg) AS y, 'a' < ANY(tg) AS z, n = ANY(tg) AS w FROM GT AS t",
    "SELECT a IN (30, NULL) AS x, a NOT IN (30, NULL) AS y, a BETWEEN 17 AND 29 AS z FROM GT AS t",
    "SELECT act AND a > 18 AS x, act OR a > 18 AS y, act IS NOT TRUE AS z, act IS UNKNOWN AS w FROM GT AS t",
    "SELECT i FROM GT AS t WHERE i NOT IN (SELECT a FROM GT AS u)",
    "SELECT sum(a) AS s, avg(a) AS v, count(a) AS c, count(DISTINCT a) AS d FROM GT AS t WHERE i > 100",
    "SELECT sum(a) AS s FROM GT AS t WHERE i > 100 GROUP BY n",
    "SELECT max(a) AS m FROM GT AS t HAVING count(*) > 100",
    # names and order
    "SELECT i AS a, a AS b FROM GT AS t ORDER BY a",
    "SELECT -i AS i FROM GT AS t ORDER BY i",
    "SELECT -i AS i FROM GT AS t ORDER BY t.i",
    "SELECT a, i FROM GT AS t ORDER BY a DESC, i",
    "SELECT a, i FROM GT AS t ORDER BY a NULLS FIRST, i DESC LIMIT 3 OFFSET 1",
    "SELECT a + 1 AS a, count(*) AS n FROM GT AS t GROUP BY a",
    "SELECT act AS n, count(*) AS c FROM GT AS t GROUP BY act",
    "SELECT CASE WHEN i > 2 THEN 1 ELSE 2 END AS n, count(*) AS c FROM GT AS t GROUP BY i, n",
    "SELECT upper(u.n) AS n, count(*) AS c FROM (SELECT 'a' AS n UNION ALL SELECT 'A') AS u GROUP BY n",
    "SELECT -i AS i FROM GT AS t ORDER BY i + 0",
    "SELECT -i AS i, count(*) AS c FROM GT AS t GROUP BY t.i HAVING i > 2",
    "SELECT sum(i) AS i FROM GT AS t HAVING sum(i) > 1",
    "SELECT -i AS w, count(*) AS c FROM GT AS t GROUP BY w ORDER BY w",
    # joins, subqueries, set operations
    "SELECT t.i, u.s FROM GT AS t LEFT JOIN KT AS u ON t.i = u.i AND t.i > 1",
    "SELECT t.i, u.s FROM GT AS t LEFT JOIN KT AS u ON t.i = u.i WHERE u.s <> 2001",
    "SELECT t.i, u.s FROM KT AS u RIGHT JOIN GT AS t ON t.i = u.j",
    "SELECT * FROM GT AS t LEFT JOIN KT AS u USING (i)",
    "SELECT t.i, count(u.j) AS n, sum(u.s) AS s FROM GT AS t LEFT JOIN KT AS u ON u.i = t.i GROUP BY t.i",
    "SELECT i, (SELECT max(s) FROM KT AS u WHERE u.i = t.i) AS m FROM GT AS t",
    "SELECT i FROM GT AS t WHERE a > ALL (SELECT s FROM KT AS u WHERE u.i = t.i)",
    "SELECT t.i, s.m FROM GT AS t LEFT JOIN LATERAL (SELECT u.s AS m FROM KT AS u WHERE u.i = t.i) AS s ON true",
    "SELECT i FROM GT AS t UNION ALL SELECT j FROM KT AS u INTERSECT SELECT 1",
    "SELECT a FROM GT AS t EXCEPT ALL SELECT 30",
    "WITH t(x, y) AS (SELECT i, j FROM KT AS k) SELECT one.x, two.y FROM t AS one, t AS two WHERE one.y = two.x",
)
REFUSED = (
    ("SELECT 2 ^ i AS x FROM GT AS t", "power"),
    ("SELECT i | 4 & 1 AS x FROM GT AS t", "brackets"),
    ("SELECT (h * 0.5)::int AS x FROM GT AS t", "half"),
    ("SELECT a + '1' AS x FROM GT AS t", "'1'"),
    ("SELECT nullif(a, '30') AS x FROM GT AS t", "'30'"),
    ("SELECT act = 'true' AS x FROM GT AS t", "a boolean"),
    ("SELECT i FROM GT AS t WHERE (i, a) < (SELECT i, a FROM GT AS u)", "rows of values"),
    ("SELECT a * 0.1 = 3.0 AS x FROM GT AS t", "a decimal number"),
    ("SELECT i FROM GT AS t WHERE a * 0.1 * 3 >= 10", "a decimal number"),
    ("SELECT x = 0.3 AS y FROM (SELECT i * 0.1 AS x FROM GT AS t) AS u", "a decimal number"),
    ("SELECT n < DATE '2024-01-31' AS x FROM GT AS t", "only a schema"),
    ("SELECT n + INTERVAL '1 day' AS x FROM GT AS t", "only a schema"),
    ("SELECT string_agg(n, a::text ORDER BY i) AS x FROM GT AS t", "separator"),
    ("WITH r AS (SELECT random() AS x) SELECT a.x = b.x AS y FROM r AS a, r AS b", "drawn anew"),
    ("WITH r AS (SELECT gen_random_uuid() AS x) SELECT a.x = b.x AS y FROM r AS a, r AS b", "drawn anew"),
)


@pytest.fixture(scope="module", params=["pgq-duckpgq", "pgq-postgres"])
def both(request: pytest.FixtureRequest) -> Iterator[tuple[Joined, ReadBack]]:
    dialect: str = request.param
    if dialect == "pgq-postgres":
        try:
            postgres_server.programs()
        except UsageFault as missing:
            pytest.skip(str(missing))
    made = OnDuckDB if dialect == "pgq-duckpgq" else OnPostgres
    with made(dialect) as joined, ReadBack(dialect) as read:
        joined.load(GRAPH)
        read.load(GRAPH)
        yield joined, read


def written(text: str) -> str:
    return text.replace("GT ", f"{GT} ").replace("KT ", f"{KT} ")


def plain(value: Any) -> Any:
    """A decimal number as one that Python compares with others."""
    if isinstance(value, decimal.Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    return tuple(map(plain, value)) if isinstance(value, (list, tuple)) else value


def in_order(rows: list[Any]) -> list[Any]:
    return sorted(rows, key=lambda row: [(cell is None, str(cell)) for cell in row])


@pytest.mark.parametrize("select", SELECTS)
def test_rows(both: tuple[Joined, ReadBack], select: str) -> None:
    joined, read = both
    text = written(select)
    wanted = [
        plain(row) for row in joined.asked(Statement(Replacing(text, joined.definition, joined.laid).text(), (), ()))
    ]
    found = [plain(row) for row in read.embedded.run(text, dialect=read.dialect).rows]
    assert in_order(found) == in_order(wanted)
    assert " ORDER BY " not in select or found == wanted


@pytest.mark.parametrize(("select", "reason"), REFUSED)
def test_refusals(both: tuple[Joined, ReadBack], select: str, reason: str) -> None:
    _, read = both
    with pytest.raises(GraphirError, match="G580") as refusal:
        read.embedded.run(written(select), dialect=read.dialect)
    assert reason in refusal.value.diagnostics[0].message


@pytest.mark.parametrize(
    "select",
    [
        "SELECT sum(a) / 4 AS x FROM GT AS t",
        "SELECT s / n AS x FROM (SELECT sum(a) AS s, count(*) AS n FROM GT AS t) AS u",
    ],
)
def test_quotients_of_sums(both: tuple[Joined, ReadBack], select: str) -> None:
    """PostgreSQL's sum of big integers is a decimal number, that of others is not: without a schema it is refused."""
    joined, read = both
    text = written(select)
    rows = joined.asked(Statement(Replacing(text, joined.definition, joined.laid).text(), (), ()))
    if read.dialect != "pgq-postgres":
        assert read.embedded.run(text, dialect=read.dialect).rows == rows
        return
    assert plain(rows[0][0]) != int(rows[0][0])
    with pytest.raises(GraphirError, match="write a CAST"):
        read.embedded.run(text, dialect=read.dialect)


def test_texts_that_are_cut(both: tuple[Joined, ReadBack]) -> None:
    joined, read = both
    text = written("SELECT CAST(n AS varchar(2)) AS x FROM GT AS t WHERE i = 1")
    assert read.embedded.run(text, dialect=read.dialect).rows == [("An",) if "postgres" in joined.dialect else ("Ann",)]


@pytest.mark.parametrize("value", ["'a'", "n", "CAST(NULL AS text)"])
def test_elements_of_lists(both: tuple[Joined, ReadBack], value: str) -> None:
    """IN of DuckDB and a list: a null in it is passed over; in PostgreSQL ANY does not know."""
    joined, read = both
    among, made = ("IN {}", "[n, NULL]") if read.dialect == "pgq-duckpgq" else ("= ANY ({})", "ARRAY[n, NULL]")
    columns = f"i, {value} {among.format('tg')} AS x, {value} {among.format('l')} AS y"
    text = written(f"SELECT {columns} FROM (SELECT *, {made} AS l FROM GT AS t) AS u")
    wanted = joined.asked(Statement(Replacing(text, joined.definition, joined.laid).text(), (), ()))
    assert in_order(read.embedded.run(text, dialect=read.dialect).rows) == in_order(wanted)
