"""CAST of SQL in Cypher and in GQL of Spanner, where a schema says of what type a value is."""

from __future__ import annotations

import pytest

import graphir
from graphir import Schema
from graphir.diagnostics import Unsupported
from graphir.schema import DataType, NodeType, PropertyType

TYPES = {"s": "STRING", "i": "INTEGER", "f": "FLOAT", "b": "BOOLEAN", "d": "DATE"}
PROPERTIES = tuple([PropertyType(name, DataType(kind)) for name, kind in TYPES.items()])
SCHEMA = Schema((NodeType(("item",), PROPERTIES),))


def translated(value: str, target: str, dialect: str = "pgq-postgres") -> str:
    columns = ", ".join([f'n."{name}" AS {name}' for name in TYPES])
    text = f'SELECT {value} AS v FROM GRAPH_TABLE ("graph" MATCH (n IS "item") COLUMNS ({columns})) t'
    found = graphir.translate(text, read=dialect, write=target, schema=SCHEMA)
    return found[found.index("RETURN") + len("RETURN ") :].removesuffix(" AS v").removesuffix(" AS V")


@pytest.mark.parametrize(
    ("value", "cypher", "google"),
    [
        ("CAST(i AS DOUBLE PRECISION)", "toFloat(c2)", "CAST(c2 AS FLOAT64)"),
        ("CAST(i AS TEXT)", "toString(c2)", "CAST(c2 AS STRING)"),
        ("CAST(i AS BIGINT)", "c2", "c2"),
        ("CAST(d AS TEXT)", "toString(c5)", "CAST(c5 AS STRING)"),
        ("CAST(s AS VARCHAR(3))", "substring(c1, 0, 3)", "SUBSTR(c1, 1, 3)"),
        ("CAST('0.25' AS DOUBLE PRECISION)", "0.25", "0.25"),
        ("CAST(' -3' AS DOUBLE PRECISION)", "-3.0", "-3.0"),
    ],
)
def test_casts(value: str, cypher: str, google: str) -> None:
    assert translated(value, "neo4j-25") == cypher
    assert translated(value, "gql-spanner") == google


@pytest.mark.parametrize("text", ["²", "१", "+-1", "--1", "."])
def test_texts_that_are_no_numbers_are_for_the_cast_to_refuse(text: str) -> None:
    value = f"CAST('{text}' AS DOUBLE PRECISION)"
    assert translated(value, "gql-spanner") == f"CAST('{text}' AS FLOAT64)"
    assert f"toFloat('{text}')" in translated(value, "neo4j-25")


@pytest.mark.parametrize(
    ("value", "cypher"),
    [("CAST(i AS NUMBER(19))", "c2"), ("CAST(i AS NUMBER(38, 0))", "c2"), ("CAST(NULL AS DATE)", "null")],
)
def test_casts_of_oracle(value: str, cypher: str) -> None:
    assert translated(value, "neo4j-25", "pgq-oracle-26ai") == cypher


@pytest.mark.parametrize(
    ("value", "target", "dialect", "code"),
    [
        ("CAST(f AS TEXT)", "gql-spanner", "pgq-postgres", "G534"),
        ("CAST(f AS INTEGER)", "gql-spanner", "pgq-postgres", "G534"),
        ("CAST(i AS BIGINT)", "pgq-hyper", "pgq-postgres", "G534"),
        ("CAST(s AS DATE)", "neo4j-25", "pgq-oracle-26ai", "G580"),
        ("CAST(d AS VARCHAR2(4000))", "neo4j-25", "pgq-oracle-26ai", "G580"),
        ("CAST(i AS NUMBER(5))", "neo4j-25", "pgq-oracle-26ai", "G590"),
        ("CAST(TRUNC(7 / i) + 776627963145224192 AS NUMBER(19))", "neo4j-25", "pgq-oracle-26ai", "G590"),
        ("CAST(i AS NUMBER(20, 2))", "neo4j-25", "pgq-oracle-26ai", "G590"),
    ],
)
def test_refusals(value: str, target: str, dialect: str, code: str) -> None:
    """A float has another text in each language, PostgreSQL rounds to the even neighbour, and a date of a text depends
    on the session in Oracle, whose NUMBER is exact also where it is divided."""
    with pytest.raises(Unsupported) as raised:
        translated(value, target, dialect)
    assert raised.value.diagnostics[0].code == code


def test_functions_of_duckdb_that_take_texts_and_lists() -> None:
    assert translated("LENGTH(s) + LEN([1, 2])", "neo4j-25", "pgq-duckpgq") == "size(c1) + size([1, 2])"
    assert translated("ISNAN(f)", "neo4j-25", "pgq-duckpgq") == "isNaN(c3)"


@pytest.mark.parametrize(
    ("value", "cypher"),
    [
        ("REPLACE(s, 'x', '')", "nullIf(replace(c1, 'x', ''), '')"),
        ("REPLACE(s, 'x')", "nullIf(replace(c1, 'x', ''), '')"),
        ("REPLACE(s, 'x', NULL)", "nullIf(replace(c1, 'x', ''), '')"),
        ("REPLACE(s, '', 'y')", "nullIf(c1, '')"),
        ("REPLACE(s, 'x', s)", "nullIf(replace(c1, 'x', coalesce(c1, '')), '')"),
    ],
)
def test_null_in_replace_of_oracle_is_the_empty_string(value: str, cypher: str) -> None:
    assert translated(value, "neo4j-25", "pgq-oracle-26ai") == cypher
