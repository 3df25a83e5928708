"""What is written of a query in a dialect of GQL is read as the same query: it gives the same rows."""

import os

import pytest

import graphir
from graphir.diagnostics import Unsupported
from graphir.generation import case

DIALECTS = ("gql-iso", "gql-neo4j-25", "gql-fabric", "gql-grafeo", "gql-spanner", "gql-bigquery")
CASES = 300 if os.environ.get("GRAPHIR_FULL") == "1" else 12
FIRST = 200_000


@pytest.mark.parametrize("dialect", DIALECTS)
def test_rows_of_a_translation_that_is_read_back(dialect: str) -> None:
    compared = 0
    for number in range(FIRST, FIRST + CASES):
        made = case(number, "neo4j-25", "gql")
        try:
            text = graphir.translate(made.query, "neo4j-25", dialect)
        except Unsupported:
            continue
        with graphir.connect("duckdb") as db:
            db.load(made.graph)
            expected = db.run(made.query, made.parameters, "neo4j-25")
            found = db.run(text, made.parameters, dialect)
        assert graphir.rows_equal(expected.rows, found.rows), f"{number}: {made.query}\n{text}"
        compared += 1
    assert compared > 0
