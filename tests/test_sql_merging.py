"""SQL that is written over tables has no more SELECTs than it needs, and what is moved keeps its meaning."""

from __future__ import annotations

from textwrap import dedent

import pytest

import graphir

SCHEMA = graphir.Schema.read(
    """
    CREATE TABLE person (id BIGINT PRIMARY KEY, name TEXT, age BIGINT);
    CREATE TABLE knows (
      id BIGINT PRIMARY KEY, a BIGINT NOT NULL REFERENCES person, b BIGINT NOT NULL REFERENCES person
    );
    CREATE PROPERTY GRAPH people
      VERTEX TABLES (person LABEL "Person" PROPERTIES (id, name, age))
      EDGE TABLES (knows KEY (id) SOURCE KEY (a) REFERENCES person (id) DESTINATION KEY (b) REFERENCES person (id)
        LABEL "KNOWS" PROPERTIES (id));
    """
)


def translated(query: str) -> str:
    return graphir.translate(query, read="neo4j-25", write="sql-postgres", schema=SCHEMA)


def test_groups_their_condition_order_and_page_are_one_select() -> None:
    query = "MATCH (p:Person) WITH p.name AS n, count(*) AS c WHERE c > 1 RETURN n, c ORDER BY c DESC LIMIT 3"
    assert translated(query) == dedent("""\
        SELECT
          "n1"."name" AS "n",
          COUNT(*) AS "c"
        FROM "person" AS "n1"
        GROUP BY
          "n1"."name"
        HAVING
          COUNT(*) > CAST(1 AS BIGINT)
        ORDER BY
          COUNT(*) DESC
        LIMIT 3""")


def test_the_order_of_a_page_is_said_once() -> None:
    query = "MATCH (p:Person) WITH p.name AS n, p.age AS a ORDER BY a SKIP 1 LIMIT 2 RETURN n"
    assert translated(query) == dedent("""\
        SELECT
          "n1"."name" AS "n"
        FROM "person" AS "n1"
        ORDER BY
          "n1"."age" ASC
        LIMIT 2
        OFFSET 1""")


KEPT = [
    pytest.param("WITH p.age / 2 AS h RETURN h, count(*) AS c", id="a key that is computed"),
    pytest.param("WITH p.age + 1 AS h WHERE h > 3 RETURN h", id="a value that a condition reads, too"),
    pytest.param("WITH p.age + 1 AS h RETURN h + h AS s", id="a value that is read twice"),
    pytest.param("WITH p ORDER BY p.age LIMIT 3 RETURN count(*) AS c", id="a page that is counted"),
    pytest.param("WITH p ORDER BY p.age LIMIT 3 WHERE p.age > 1 RETURN p.name AS n", id="a page, then WHERE"),
    pytest.param("WITH p ORDER BY p.age LIMIT 9 RETURN 9 / p.age AS q", id="a value of the page that may fail"),
    pytest.param("WITH p ORDER BY p.age LIMIT 9 RETURN p.name AS n ORDER BY n", id="a page in another order"),
    pytest.param("WITH DISTINCT p.name AS n, p.age AS a RETURN n", id="a part of rows without duplicates"),
    pytest.param("WITH p.name AS n, count(*) AS c RETURN max(c) AS m", id="groups of groups"),
    pytest.param("WITH count(*) AS c RETURN c + c AS d", id="a count that is read twice"),
]


@pytest.mark.parametrize("rest", KEPT)
def test_what_another_select_has_to_finish_stays_apart(rest: str) -> None:
    assert translated(f"MATCH (p:Person) {rest}").count("SELECT") == 2


def test_one_is_grouped_by_a_column_and_not_by_a_place() -> None:
    text = translated("MATCH (p:Person) WITH 1 AS one, p.age AS a RETURN one, a, count(*) AS c ORDER BY one, a")
    assert 'GROUP BY\n  "n1"."age"\n' in text
    assert 'ORDER BY\n  "n1"."age" ASC' in text
