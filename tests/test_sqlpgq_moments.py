"""Dates, timestamps and intervals of SQL/PGQ beside each other, in Cypher."""

from __future__ import annotations

import pytest

import graphir
from graphir.diagnostics import GraphirError
from graphir.schema import DataType, NodeType, PropertyType, Schema

KINDS = {"d": "DATE", "ts": "LOCAL DATETIME", "z": "ZONED DATETIME", "i": "INTEGER"}
SCHEMA = Schema((NodeType(("item",), tuple([PropertyType(name, DataType(kind)) for name, kind in KINDS.items()])),))


def translated(value: str, dialect: str, schema: Schema | None = SCHEMA) -> str:
    columns = ", ".join([f"a.{name} AS {name}" for name in KINDS])
    text = f"SELECT {value} AS x FROM GRAPH_TABLE (g MATCH (a IS item) COLUMNS ({columns})) t"
    return str(graphir.translate(text, read=dialect, write="neo4j-25", schema=schema)).partition("RETURN ")[2]


@pytest.mark.parametrize("dialect", ["pgq-postgres", "pgq-duckpgq", "pgq-hyper"])
@pytest.mark.parametrize(
    ("value", "cypher"),
    [
        ("t.ts < DATE '2024-03-01'", "c2 < localdatetime('2024-03-01T00:00:00') AS x"),
        ("t.ts = t.d", "c2 = CASE WHEN c1 IS NOT NULL THEN localdatetime({date: c1}) END AS x"),
        ("t.d < DATE '2024-03-01'", "c1 < date('2024-03-01') AS x"),
    ],
)
def test_what_a_schema_tells(value: str, cypher: str, dialect: str) -> None:
    assert translated(value, dialect) == cypher


@pytest.mark.parametrize(
    ("value", "dialect", "reason"),
    [
        ("t.z < DATE '2024-03-01'", "pgq-postgres", "those with a zone"),
        ("t.z = t.ts", "pgq-duckpgq", "those with a zone"),
        ("t.ts < DATE '2024-03-01'", "pgq-iso", "those with a zone"),
        ("t.ts + INTERVAL '+-1 day' > t.ts", "pgq-postgres", "not one number and its unit"),
        ("t.ts + INTERVAL '² day' > t.ts", "pgq-duckpgq", "not one number and its unit"),
    ],
)
def test_refusals(value: str, dialect: str, reason: str) -> None:
    with pytest.raises(GraphirError, match="G580") as raised:
        translated(value, dialect)
    assert reason in raised.value.diagnostics[0].message


@pytest.mark.parametrize("dialect", ["pgq-postgres", "pgq-duckpgq", "pgq-hyper", "pgq-iso"])
@pytest.mark.parametrize("value", ["t.d < DATE '2024-03-01'", "t.ts >= TIMESTAMP '2024-03-01 00:00:00'"])
def test_without_a_schema(value: str, dialect: str) -> None:
    with pytest.raises(GraphirError, match="only a schema tells"):
        translated(value, dialect, None)
