"""Decimal numbers of SQL/PGQ, which a graph query has as floats, in Cypher."""

from __future__ import annotations

import pytest

import graphir
from graphir.diagnostics import GraphirError
from graphir.schema import DataType, NodeType, PropertyType, Schema

SQL = ("pgq-postgres", "pgq-duckpgq", "pgq-hyper", "pgq-oracle-26ai", "pgq-iso")
PROPERTIES = (PropertyType("f", DataType("FLOAT")), PropertyType("i", DataType("INTEGER")))
SCHEMA = Schema((NodeType(("item",), PROPERTIES),))


def translated(value: str, dialect: str, schema: Schema | None = None) -> str:
    text = f"SELECT {value} AS x FROM GRAPH_TABLE (g MATCH (a IS item) COLUMNS (a.f AS f, a.i AS i)) t"
    return str(graphir.translate(text, read=dialect, write="neo4j-25", schema=schema)).partition("RETURN ")[2].lower()


@pytest.mark.parametrize("dialect", SQL)
@pytest.mark.parametrize(
    ("value", "cypher"),
    [
        ("t.f = 0.1 + 0.2", "c1 = 0.3 as x"),
        ("t.f < 1 - 0.9 * 3", "c1 < -1.7 as x"),
        ("t.i * 0.5 = 1.5", "c2 * 0.5 = 1.5 as x"),
    ],
)
def test_what_is_exact(value: str, cypher: str, dialect: str) -> None:
    assert translated(value, dialect) == cypher


@pytest.mark.parametrize("dialect", SQL)
@pytest.mark.parametrize("value", ["t.i * 0.1 = 0.3", "t.f + t.i * 1.1 > 2", "t.i - 0.1 IN (0.1, 0.2)"])
def test_what_is_compared(value: str, dialect: str) -> None:
    with pytest.raises(GraphirError, match="G580") as raised:
        translated(value, dialect)
    assert "a decimal number is exact" in raised.value.diagnostics[0].message


def test_floats_are_floats() -> None:
    assert translated("CAST(t.i AS DOUBLE PRECISION) * 0.1 = 0.3", "pgq-postgres", SCHEMA).endswith("* 0.1 = 0.3 as x")
    assert translated("t.f * 0.1 = 0.3", "pgq-postgres", SCHEMA) == "c1 * 0.1 = 0.3 as x"
    assert translated("1e-1 + 2e-1 = 3e-1", "pgq-duckpgq") != translated("1e-1 + 2e-1 = 3e-1", "pgq-postgres")
    with pytest.raises(GraphirError, match="G580"):
        translated("t.i * 0.1 = 0.3", "pgq-postgres", SCHEMA)
