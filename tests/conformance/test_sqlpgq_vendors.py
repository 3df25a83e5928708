"""Real SQL/PGQ of Oracle, PostgreSQL and DuckPGQ: what is read, laid out, and made a graph query of.

The vendors' own verdicts are compared in `test_pgq_cases.py`; here every text that a database takes has to be read.
"""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

import graphir
from graphir import ir
from graphir.backends.gqltext.format import format_text
from graphir.diagnostics import GraphirError, SyntaxFault
from graphir.grammar import gql
from graphir.grammar.gql_lexical import comments
from tests.outside import FULL, rows, sample

DIALECTS = {
    "duckpgq": "pgq-duckpgq",
    "lsqb": "pgq-duckpgq",
    "oracle23ai": "pgq-oracle-23ai",
    "postgresql19": "pgq-postgres",
}
UNREAD = {
    "sqlpgq-00556": "GRAPH_TABLE alone, without its end",
    "sqlpgq-00596": "a `/` of SQL*Plus before the statement",
    "sqlpgq-00601": "quotes doubled for a string around the statement",
    "sqlpgq-00733": "no graph",
    "sqlpgq-00735": "a template with holes",
    "sqlpgq-00736": "the beginning of a statement",
    "sqlpgq-00737": "the beginning of a statement",
}
"""Rows that no one calls wrong and that are not read, and why."""
TRANSLATED = {"pgq-duckpgq": 70, "pgq-oracle-23ai": 73, "pgq-postgres": 38}
"""At least so many of the corpus's queries are translated to Cypher without a schema."""


@cache
def texts() -> list[tuple[str, str, str, bool]]:
    """Row, dialect, text, and whether a database refuses it."""
    found = [
        (row["id"], DIALECTS[row["subdialect"]], row["query"], "error" in (row["expected"] or {}))
        for row in rows("corpora/sqlpgq")
    ]
    for name, dialect in (("pg19", "pgq-postgres"), ("duckpgq", "pgq-duckpgq")):
        found += [(row["id"], dialect, row["query"], not row["ok"]) for row in rows(f"conformance/{name}_cases")]
    return found


def test_everything_that_is_right_is_read() -> None:
    unread = set()
    for name, dialect, text, refused in texts():
        try:
            gql.parse(text, dialect)
        except SyntaxFault:
            if not refused:
                unread.add(name)
    assert unread == set(UNREAD)


def test_few_queries_are_kept_as_text() -> None:
    """Our grammar reads the SQL around graph tables; sqlglot is for the rest."""
    kept: Counter[str] = Counter()
    for _, dialect, text, refused in texts():
        if not refused and "GRAPH_TABLE" in text.upper():
            try:
                body = gql.parse(text, dialect).body
            except SyntaxFault:
                continue
            kept["all"] += 1
            kept["select"] += isinstance(body, ir.SqlStatement) and body.kind == "select"
    assert kept["all"] > 500
    assert kept["select"] <= 8


def test_layout() -> None:
    """It reads as the same, keeps the comments, and does not change any more."""
    chosen = texts() if FULL else sample(texts(), 150, lambda row: row[0])
    laid = 0
    for name, dialect, text, _ in chosen:
        script = gql.parse_script(text, dialect)
        if any(statement.fault is not None for statement in script):
            continue
        out = format_text(text, dialect)
        assert [each.query for each in gql.parse_script(out, dialect)] == [each.query for each in script], name
        assert format_text(out, dialect) == out, name
        kept = [[found[s.start : s.end].rstrip() for s in comments(found, dialect)] for found in (out, text)]
        assert kept[0] == kept[1], name
        laid += 1
    assert laid > 0.9 * len(chosen)


@pytest.mark.skipif(not FULL, reason="every query of the corpus is translated under GRAPHIR_FULL=1")
def test_translated_to_cypher() -> None:
    counted: Counter[str] = Counter()
    for name, dialect, text, refused in texts():
        if refused or not name.startswith("sqlpgq-") or "GRAPH_TABLE" not in text.upper():
            continue
        try:
            counted[dialect] += bool(graphir.translate(text, read=dialect, write="neo4j-25"))
        except GraphirError:
            continue
    assert all(counted[dialect] >= least for dialect, least in TRANSLATED.items()), counted
