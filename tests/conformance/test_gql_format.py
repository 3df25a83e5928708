"""All GQL that Google's tests, its documentation and samples of ISO GQL have keeps its meaning when it is laid out."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from graphir.backends.gqltext.format import format_text, hints
from graphir.diagnostics import SyntaxFault
from graphir.grammar import gql
from graphir.grammar.gql_lexical import comments
from tests.outside import SHARED, rows

SOURCES = {
    "gql_parser": ("query", "gql-spanner"),
    "gql_analyzer": ("query", "gql-spanner"),
    "gql_docs": ("query", "gql-bigquery"),
    "gql_compliance": ("query", "gql-spanner"),
    "gql_iso_samples": ("text", "gql-iso"),
}
READ = {"gql_parser": 106, "gql_analyzer": 418, "gql_docs": 176, "gql_compliance": 82, "gql_iso_samples": 14}


def readable(texts: Iterator[str], dialect: str) -> list[str]:
    """The texts that are graph queries throughout."""
    found = []
    for text in texts:
        statements = gql.parse_script(text, dialect)
        if statements and all(statement.fault is None for statement in statements):
            found.append(text)
    return found


def check(text: str, dialect: str) -> None:
    out = format_text(text, dialect)
    assert [s.query for s in gql.parse_script(out, dialect)] == [s.query for s in gql.parse_script(text, dialect)]
    assert [out[s.start : s.end].rstrip() for s in comments(out, dialect)] == [
        text[s.start : s.end].rstrip() for s in comments(text, dialect)
    ]
    assert [out[s.start : s.end] for s in hints(out)] == [text[s.start : s.end] for s in hints(text)]
    assert format_text(out, dialect) == out


@pytest.mark.parametrize(
    ("name", "count", "refused"), [("gql_parser", 270, 2), ("gql_analyzer", 1300, 2), ("gql_compliance", 385, 0)]
)
def test_sql_around_them_is_laid_out(name: str, count: int, refused: int) -> None:
    """But for hints in patterns before COLUMNS, which have no place in the layout."""
    texts = readable((row["query"] for row in rows(f"conformance/{name}")), "pgq-googlesql")
    assert len(texts) >= count
    without_place = 0
    for text in texts:
        try:
            check(text, "pgq-googlesql")
        except SyntaxFault:
            without_place += 1
    assert without_place == refused


@pytest.mark.parametrize("name", SOURCES)
def test_texts_are_laid_out(name: str) -> None:
    field, dialect = SOURCES[name]
    texts = readable((row[field] for row in rows(f"conformance/{name}")), dialect)
    assert len(texts) >= READ[name]
    for text in texts:
        check(text, dialect)


def test_published_queries_are_laid_out() -> None:
    path = SHARED / "spec" / "ldbc_queries.json"
    if not path.exists():
        pytest.skip(f"{path} is not here")
    examples = (row["gql_example"] for row in json.loads(path.read_text(encoding="utf-8")))
    texts = readable(examples, "gql-iso")
    assert len(texts) == 117
    for text in texts:
        check(text, "gql-iso")
