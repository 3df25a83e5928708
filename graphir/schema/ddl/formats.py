"""The formats of data definitions by name: how each is recognized, read and written."""

from __future__ import annotations

import re
from collections.abc import Callable

from graphir.schema.ddl import script, writer
from graphir.schema.model import Schema

_SQL = re.compile(r"\bCREATE\b[A-Z\s]{0,60}\b(?:TABLE|PROPERTY\s+GRAPH)\b", re.IGNORECASE)
_KUZU = re.compile(r"\bCREATE\s+(?:NODE|REL)\s+TABLE\b", re.IGNORECASE)
_GQL = re.compile(
    r"\bCREATE\s+(?:OR\s+REPLACE\s+)?(?:PROPERTY\s+)?GRAPH\s+(?:TYPE\b|(?:IF\s+NOT\s+EXISTS\s+)?\w+\s*(?:TYPED|::))",
    re.IGNORECASE,
)
_NEO4J = re.compile(r"\bCREATE\s+CONSTRAINT\b[^;]*\bREQUIRE\b|\bALTER\s+CURRENT\s+GRAPH\s+TYPE\b", re.IGNORECASE)
_MARKS = {
    "spanner-ddl": r"\b(?:INT64|FLOAT64|STRING|BYTES)\b|\bNODE\s+TABLES\b|`|\)\s*PRIMARY\s+KEY\b|\bNOT\s+ENFORCED\b",
    "oracle-ddl": r"\b(?:N?VARCHAR2|NUMBER|N?CLOB|BINARY_(?:DOUBLE|FLOAT)|SDO_GEOMETRY)\b",
    "postgres-ddl": r"\b(?:JSONB|BYTEA|(?:BIG|SMALL)?SERIAL|VARYING)\b|::",
    "duckpgq-ddl": r"\b(?:U?HUGEINT|UBIGINT|UTINYINT|USMALLINT|UINTEGER)\b"
    r"|(?:\bPROPERTIES\s*\([^()]*\)|\bNO\s+PROPERTIES)\s*LABEL\s+(?:\w+|\"[^\"]+\")\s*(?:[,)]|IN\b)"
    r"|\bLABEL\s+\w+\s+IN\s+\w+\s*\(",
}
_MARK = {name: re.compile(pattern, re.IGNORECASE) for name, pattern in _MARKS.items()}
_FOREIGN = {
    "spanner-ddl": re.compile(r"[^\s(,]\s+(?:VARCHAR|CHAR|TEXT|REAL|DOUBLE|TIMESTAMPTZ)\b", re.IGNORECASE),
    "oracle-ddl": re.compile(r"[^\s(,]\s+(?:BIGINT|TEXT|DOUBLE|TIMESTAMPTZ)\b(?!\s+PRECISION\b)", re.IGNORECASE),
    "duckpgq-ddl": re.compile(r"\bLABEL\s+(?:\w+|\"[^\"]+\")\s+PROPERTIES\b", re.IGNORECASE),
}
"""What a dialect does not have: types, the label before the properties."""

_QUOTED = re.compile(r'"(?:[^"]|"")*"|--[^\n]*')


def _unquoted(found: re.Match[str]) -> str:
    return '"name"' if found[0].startswith('"') else " "


def _sniff(format: str) -> Callable[[str], bool]:
    """Whether a text is SQL that has marks of this dialect, or none of any."""

    def sniff(text: str) -> bool:
        if not _SQL.search(text) or _KUZU.search(text):
            return False
        plain = _QUOTED.sub(_unquoted, text)
        marked = {name for name, mark in _MARK.items() if mark.search(plain)}
        if not marked:
            return format not in _FOREIGN or not _FOREIGN[format].search(plain)
        return format in marked

    return sniff


def _read(format: str) -> Callable[[str], Schema]:
    return lambda text: script.read(text, format)


def _write(format: str) -> Callable[[Schema], str]:
    return lambda schema: writer.write(schema, format)


sniff_spanner, read_spanner, write_spanner = _sniff("spanner-ddl"), _read("spanner-ddl"), _write("spanner-ddl")
read_bigquery, write_bigquery = _read("bigquery-ddl"), _write("bigquery-ddl")
sniff_oracle, read_oracle, write_oracle = _sniff("oracle-ddl"), _read("oracle-ddl"), _write("oracle-ddl")
sniff_duckpgq, read_duckpgq, write_duckpgq = _sniff("duckpgq-ddl"), _read("duckpgq-ddl"), _write("duckpgq-ddl")
sniff_postgres, read_postgres, write_postgres = _sniff("postgres-ddl"), _read("postgres-ddl"), _write("postgres-ddl")


def sniff_kuzu(text: str) -> bool:
    return _KUZU.search(text) is not None


def sniff_gql(text: str) -> bool:
    return _GQL.search(text) is not None


def sniff_neo4j(text: str) -> bool:
    return _NEO4J.search(text) is not None
