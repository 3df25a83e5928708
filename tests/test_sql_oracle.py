"""SQL of Oracle as text: what it looks like, that it can be read, and what the empty string does to it.

`tests/engines/test_oracle_texts.py` runs it, as far as another server can.
"""

from __future__ import annotations

import logging

import pytest
import sqlglot
from sqlglot import exp

import graphir
from graphir.backends.sql.targets.oracle_pieces import ABOVE, BELOW
from graphir.backends.sqltext.constructs import constructs, schema
from graphir.schema import Schema

TABLES = "sql-oracle"
GRAPHS = ("pgq-oracle-23ai", "pgq-oracle-26ai")
PEOPLE = Schema.read(
    """CREATE TABLE person (id NUMBER(19) PRIMARY KEY, name VARCHAR2(100), age NUMBER(19), ok BOOLEAN);
    CREATE TABLE knows (id NUMBER(19) PRIMARY KEY, a NUMBER(19), b NUMBER(19), since NUMBER(19));
    CREATE PROPERTY GRAPH people
      VERTEX TABLES (person KEY (id) LABEL "Person"
        PROPERTIES (id AS "id", name AS "name", age AS "age", ok AS "ok"))
      EDGE TABLES (knows KEY (id) SOURCE KEY (a) REFERENCES person (id) DESTINATION KEY (b) REFERENCES person (id)
        LABEL "KNOWS" PROPERTIES (id AS "id", since AS "since"))""",
    "oracle-ddl",
)


@pytest.fixture(autouse=True)
def _quiet(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.ERROR, "sqlglot")  # it knows few JSON paths, and keeps the others as texts


def translated(query: str, dialect: str = TABLES) -> str:
    laid_out = " ".join(graphir.translate(query, write=dialect, schema=PEOPLE).split())
    return laid_out.replace("( ", "(").replace(" )", ")")


def column(value: str, dialect: str = TABLES) -> str:
    """What stands for a value of a person `p`."""
    text = translated(f"MATCH (p:Person) RETURN {value} AS x", dialect)
    begin, end = ('WITH "q4" AS (SELECT ', ' AS "c3"') if text.startswith("WITH") else ("SELECT ", ' AS "x"')
    return text.removeprefix(begin).rpartition(end)[0].replace('"n1".', "")


def condition(test: str) -> str:
    text = translated(f"MATCH (p:Person) WHERE {test} RETURN p.id AS x")
    return text.partition(" WHERE ")[2].replace('"n1".', "")


def supported(dialect: str) -> list[str]:
    """The texts of the constructs that a dialect has."""
    found = []
    for construct in constructs():
        try:
            found.append(graphir.translate(construct.query, write=dialect, schema=schema()))
        except graphir.Unsupported:
            continue
    return found


# ------------------------------------------------------------------ it can be read


def test_sqlglot_reads_every_text_as_it_was_written() -> None:
    texts = supported(TABLES)
    assert len(texts) > 90
    for text in texts:
        read = sqlglot.parse_one(text, dialect="oracle")
        assert not list(read.find_all(exp.Command))
        assert sqlglot.parse_one(read.sql(dialect="oracle"), dialect="oracle") == read


@pytest.mark.parametrize("dialect", GRAPHS)
def test_our_own_reader_and_its_checks_accept_every_text(dialect: str) -> None:
    texts = supported(dialect)
    assert len(texts) == len(supported(TABLES))
    for text in texts:
        assert [each for each in graphir.check(text, dialect=dialect) if each.severity == "error"] == [], text


def test_a_pattern_is_in_one_graph_table_with_its_conditions() -> None:
    text = translated(
        "MATCH (p:Person)-[k:KNOWS]->(q:Person) WHERE q.age > $age AND p.ok RETURN q.name AS q", GRAPHS[0]
    )
    assert text == (
        'SELECT "g1"."q_name" AS "q" FROM GRAPH_TABLE(PEOPLE MATCH ("p" IS "Person")-["k" IS KNOWS]->("q" IS "Person") '
        'WHERE "q"."age" > :age AND "p"."ok" COLUMNS ("q"."name" AS "q_name")) "g1"'
    )


def test_names_of_tables_have_no_as_before_them_and_recursion_no_word_for_it() -> None:
    text = translated("MATCH (p:Person {id: 1})-[:KNOWS*]->(q) UNWIND [1, q.id] AS x RETURN x ORDER BY x")
    assert "RECURSIVE" not in text
    assert ' AS "' not in text.partition(" FROM ")[2].partition(" WHERE ")[0].replace('AS "c', "").replace('AS "n"', "")
    assert 'JSON_TABLE(JSON_ARRAY(1, "' in text


def test_long_names_of_columns_are_replaced() -> None:
    text = translated("MATCH (p:Person) RETURN p.id AS `" + "x" * 129 + "`, p.age AS `" + "y" * 128 + "`")
    assert f'AS "c0", "n1"."AGE" AS "{"y" * 128}"' in text


# ------------------------------------------------------------------ numbers, booleans, order


def test_integers_beyond_64_bits_are_faults() -> None:
    def within(value: int) -> bool:
        """What the two casts to 19 digits let pass."""
        return abs(value + ABOVE) < 10**19 and abs(value - BELOW) < 10**19

    assert ABOVE - (ABOVE + BELOW) + BELOW == 0
    assert within(2**63 - 1)
    assert not within(2**63)
    assert within(-(2**63))
    assert not within(-(2**63) - 1)
    added = f'CAST(CAST("AGE" + "ID" + {ABOVE} AS NUMBER(19)) - {ABOVE + BELOW} AS NUMBER(19)) + {BELOW}'
    assert column("p.age + p.id") == added


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("p.age / 2", 'TRUNC("AGE" / 2)'),
        ("p.age % 2", 'MOD("AGE", 2)'),
        ("p.age % p.id", '"AGE" - ("ID" * TRUNC("AGE" / "ID"))'),
        ("p.age > 1", 'CASE WHEN "AGE" > 1 THEN TRUE WHEN NOT ("AGE" > 1) THEN FALSE END'),
        ("p.age IS NULL", 'CASE WHEN "AGE" IS NULL THEN TRUE ELSE FALSE END'),
        ("toFloat(p.age)", 'CAST("AGE" AS BINARY_DOUBLE)'),
        ("toString(p.age)", 'TO_CHAR("AGE")'),
        ("date('2020-02-29')", "TO_DATE('2020-02-29', 'YYYY-MM-DD')"),
    ],
)
def test_values(value: str, said: str) -> None:
    assert column(value) == said


def test_booleans_are_conditions_where_those_are_wanted() -> None:
    assert condition("p.ok") == '"OK"'
    assert condition("p.ok = (p.age > 1)") == (
        '"OK" = (CASE WHEN "AGE" > 1 THEN TRUE WHEN NOT ("AGE" > 1) THEN FALSE END)'
    )
    assert condition("CASE p.age WHEN 1 THEN p.ok END").endswith("END = TRUE")


def test_text_is_sorted_by_code_point() -> None:
    text = translated("MATCH (p:Person) RETURN p.name AS name ORDER BY name")
    assert text.endswith("""ORDER BY NLSSORT("n1"."NAME", 'NLS_SORT=BINARY') ASC""")


# ------------------------------------------------------------------ the empty string, which is null there


@pytest.mark.parametrize(
    ("test", "said"),
    [
        ("p.name = ''", 'CASE WHEN NOT "NAME" IS NULL THEN FALSE END = TRUE'),
        ("p.name <> ''", 'CASE WHEN NOT "NAME" IS NULL THEN TRUE END = TRUE'),
        ("p.name IN ['', 'a']", "\"NAME\" IN ('a')"),
        ("p.name CONTAINS ''", 'CASE WHEN NOT "NAME" IS NULL THEN TRUE END = TRUE'),
        ("p.name ENDS WITH 'x'", "NVL(SUBSTR(\"NAME\", -LENGTH('x')), \"NAME\") = 'x'"),
        ("replace(p.name, 'a', '') IS NULL", 'NOT (NOT "NAME" IS NULL)'),
    ],
)
def test_conditions_on_texts_that_may_be_empty(test: str, said: str) -> None:
    assert condition(test) == said


def test_texts_that_may_be_empty_are_compared_behind_a_character() -> None:
    test = """('.' || REPLACE("NAME", 'a', '')) = '.b'"""
    known = f'CASE WHEN NOT "NAME" IS NULL THEN CASE WHEN {test} THEN TRUE WHEN NOT ({test}) THEN FALSE END END'
    assert condition("replace(p.name, 'a', '') = 'b'") == f"{known} = TRUE"


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("p.name + '-'", """CASE WHEN NOT "NAME" IS NULL THEN "NAME" || '-' END"""),
        ("p.name + ''", 'CASE WHEN NOT "NAME" IS NULL THEN "NAME" END'),
        ("size('')", "NVL(LENGTH(''), 0)"),
        ("size(coalesce(p.name, ''))", """NVL(LENGTH(COALESCE("NAME", '')), 0)"""),
        ("substring(p.name, 0, 3)", 'SUBSTR("NAME", 1, 3)'),
        ("count(replace(p.name, 'a', ''))", 'COUNT(CASE WHEN NOT "NAME" IS NULL THEN 1 END)'),
    ],
)
def test_values_of_texts_that_may_be_empty(value: str, said: str) -> None:
    assert column(value) == said


@pytest.mark.parametrize(
    "value",
    [
        *("''", "trim(p.name)", "substring(p.name, 3)", "coalesce(p.name, '')", "[p.name, '']"),
        *("collect(trim(p.name))", "min(trim(p.name))", "{a: ltrim(p.name)}", "CASE WHEN p.ok THEN '' ELSE p.name END"),
    ],
)
@pytest.mark.parametrize("dialect", [TABLES, *GRAPHS])
def test_a_value_that_may_be_the_empty_string_is_refused(value: str, dialect: str) -> None:
    with pytest.raises(graphir.Unsupported) as caught:
        column(value, dialect)
    assert caught.value.code == "G561"
    assert "text that may be the empty string, which is null there" in str(caught.value)


# ------------------------------------------------------------------ lists


def test_lists_are_json() -> None:
    assert column("[p.id, null]") == 'JSON_ARRAY("ID", CAST(NULL AS NUMBER) NULL ON NULL RETURNING JSON)'
    assert column("collect(p.name)") == ("NVL(JSON_ARRAYAGG(\"NAME\" ABSENT ON NULL RETURNING JSON), JSON('[]'))")
    assert column("range(1, 7, 3)") == "JSON('[1, 4, 7]')"
    assert "FROM DUAL CONNECT BY LEVEL <= (FLOOR((1000 - 1) / 1) + 1)" in column("range(1, 1000)")


def test_a_distinct_list_is_made_of_the_list() -> None:
    text = translated("MATCH (p:Person) RETURN p.age AS age, collect(DISTINCT p.name) AS names")
    (gathered,) = [
        each for each in sqlglot.parse_one(text, dialect="oracle").find_all(exp.Select) if each.args.get("distinct")
    ]
    assert gathered.find(exp.JSONTable) is not None
    assert "JSON_ARRAYAGG(DISTINCT" not in text
    assert 'GROUP BY "n1"."AGE"' in text


def test_what_a_recursive_query_carries_along_is_text_and_read_as_json() -> None:
    text = translated("MATCH r = (p:Person)-[:KNOWS*1..3]->(q) RETURN nodes(r) AS n")
    recursive, _, rest = text.partition('), "r')
    assert "CAST('[]' AS VARCHAR2(4000)) AS \"edges\"" in text
    assert 'JSON("edges") AS "edges"' in text
    assert recursive
    assert "JSON_ARRAYAGG" not in rest.partition(") SELECT ")[0].partition("UNION ALL")[0]


def test_lists_and_paths_are_grouped_by_as_texts() -> None:
    text = translated("MATCH r = (p:Person)-[:KNOWS]->() RETURN r, count(*) AS n")
    assert 'GROUP BY JSON_SERIALIZE("' in text
    assert 'SELECT JSON(JSON_SERIALIZE("' in text
    assert "COUNT(DISTINCT JSON_SERIALIZE(" in translated("MATCH r = (p:Person)-[:KNOWS]->() RETURN count(DISTINCT r)")
    assert "SELECT DISTINCT JSON_SERIALIZE(" in translated("MATCH (p:Person) RETURN DISTINCT [p.id, p.age] AS x")
    with pytest.raises(graphir.Unsupported):
        translated("MATCH (p:Person) RETURN DISTINCT [toFloat(p.id)] AS x")
