"""GQL that Google's parser and analyzer, Google's documentation and samples of ISO GQL have: read, or refused at the
same place.

SELECT statements among them are SQL around a graph query, which is another front end's.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from graphir import ir
from graphir.diagnostics import Diagnostic, SyntaxFault
from graphir.grammar import gql
from tests.outside import rows


def fault(text: str, dialect: str = "gql-spanner") -> Diagnostic | None:
    """The first syntax fault of a script, or that it says nothing."""
    statements = gql.parse_script(text, dialect)
    for statement in statements:
        if statement.fault is not None:
            return statement.fault.diagnostics[0]
    if not statements:
        with pytest.raises(SyntaxFault) as raised:
            gql.parse(text, dialect)
        return raised.value.diagnostics[0]
    return None


def cases(name: str) -> Iterator[tuple[str, str, str]]:
    """Name, text and error of the rows that are graph queries and no SQL."""
    for row in rows(f"conformance/{name}"):
        if row.get("kind", "graph_query") == "graph_query" and "SELECT " not in row["query"].upper().split("(")[0]:
            yield row["id"], row["query"], row.get("error") or row.get("full") or ""


SQL_BESIDE = {"parser/graph_query_statement/497", "parser/graph_query_statement/624"}
"""Scripts with a SELECT statement behind the graph query."""


def test_verdicts_of_the_parser() -> None:
    verdicts = {
        row["id"]: (row["ok"], fault(row["query"]))
        for row in rows("conformance/gql_parser")
        if row["kind"] == "graph_query"
    }
    assert len(verdicts) == 118
    assert {name for name, (accepted, found) in verdicts.items() if accepted != (found is None)} == SQL_BESIDE


def test_places_of_errors() -> None:
    """At the same line and column as Google's, or, where `|>` breaks, at its second character."""
    found = {
        row["id"]: (row["error_pos"], [problem.line, problem.column])
        for row in rows("conformance/gql_parser")
        if row["kind"] == "graph_query" and not row["ok"] and (problem := fault(row["query"])) is not None
    }
    assert len(found) >= 9
    apart = {name: places for name, places in found.items() if places[0] != places[1]}
    assert apart == {"parser/statement_with_pipe_operators/468": ([4, 1], [4, 2])}


def test_what_the_analyzer_reads_is_read() -> None:
    """Whatever else is wrong with them: errors of syntax, and only those, are refused."""
    wrong = [
        name for name, text, error in cases("gql_analyzer") if (fault(text) is None) != ("Syntax error" not in error)
    ]
    assert wrong == []


@pytest.mark.parametrize("dialect", ["gql-spanner", "gql-bigquery"])
def test_documentation(dialect: str) -> None:
    read = dict.fromkeys((True, False), 0)
    wrong = []
    for name, text, error in cases("gql_docs"):
        found = fault(text, dialect)
        read[found is None] += 1
        if (found is None) != (not error.startswith("ERR Syntax error")):
            wrong.append(name)
    assert wrong == []
    assert read[True] > 170
    assert read[False] == 6


def test_compliance_queries() -> None:
    texts = [row["query"] for row in rows("conformance/gql_compliance")]
    found = [text for text in texts if "GRAPH_TABLE" not in text.upper()]
    assert len(found) == 81
    assert [text for text in found if fault(text) is not None] == []


def test_samples_of_iso_gql() -> None:
    samples: list[dict[str, Any]] = list(rows("conformance/gql_iso_samples"))
    assert len(samples) == 14
    assert [row["id"] for row in samples if fault(row["text"], "gql-iso") is not None] == []


def test_the_iso_gql_of_published_queries() -> None:
    import json

    from tests.outside import SHARED

    path = SHARED / "spec" / "ldbc_queries.json"
    if not path.exists():
        pytest.skip(f"{path} is not here")
    texts = [row["gql_example"] for row in json.loads(path.read_text(encoding="utf-8"))]
    read = [text for text in texts if fault(text, "gql-iso") is None]
    refused = [text for text in texts if fault(text, "gql-iso") is not None]
    assert len(read) == 117
    assert all("ISO GQL" in text for text in refused), "the others say in words that there is no such query"


def test_the_meaning_of_what_is_read() -> None:
    query = gql.parse("GRAPH g MATCH (a:P)-[e:T WHERE e.w > 1]->{1,3}(b) RETURN b.x ORDER BY b.x DESC", "gql-spanner")
    assert isinstance(query.body, ir.Pipeline)
    use, match, project = query.body.operators
    assert use == ir.Use(ir.GraphName(("g",)))
    assert isinstance(match, ir.Match)
    assert match.uniqueness == "repeatable_elements"
    assert isinstance(project, ir.Project)
    assert project.order[0].nulls == "last"
