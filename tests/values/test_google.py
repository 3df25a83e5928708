"""What expressions of GoogleSQL are worth on the embedded engine, against what Google's evaluator says.

The values stand in googlesql.txt; the evaluator itself is asked in tests/engines/test_google_functions.py.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest

import graphir
from graphir.backends.engines.duckdb.session import Session
from graphir.gql_functions import GOOGLE_NAMES, GQL_FUNCTIONS, ISO_NAMES, SAME_MEANING, spelling
from graphir.values.functions import FUNCTIONS as CYPHER
from graphir.values.google import FUNCTIONS
from graphir.values.google.aggregates import FUNCTIONS as AGGREGATES
from tests.values.google_values import ERROR, facts, shown


@pytest.fixture(scope="module")
def db() -> Iterator[Session]:
    with graphir.connect("duckdb") as session:
        yield session


def test_values(db: Session) -> None:
    right = [(expression, value) for expression, value in facts() if value != ERROR]
    assert len(right) > 500
    differing = []
    for some in _batches(right, 25):
        columns = ", ".join([f"{expression} AS c{at}" for at, (expression, _) in enumerate(some)])
        (row,) = db.run(f"GRAPH g RETURN {columns}", dialect="gql-spanner").rows
        differing += [
            (expression, shown(found), value)
            for (expression, value), found in zip(some, row, strict=True)
            if shown(found) != value
        ]
    assert differing == []


def _batches(items: list[tuple[str, str]], size: int) -> Iterator[list[tuple[str, str]]]:
    for start in range(0, len(items), size):
        yield items[start : start + size]


def test_errors(db: Session) -> None:
    """What raises an error there raises one here, when it is checked or when it runs."""
    wrong = [expression for expression, value in facts() if value == ERROR]
    assert len(wrong) > 30
    for expression in wrong:
        with pytest.raises(graphir.GraphirError):
            db.run(f"GRAPH g RETURN {expression} AS x", dialect="gql-spanner")


def test_safe_functions(db: Session) -> None:
    columns = "SAFE.SUBSTR('a', 1, -1) AS a, SAFE.LN(0) AS b, SAFE.DIV(1, 0) AS c, SAFE_CAST('x' AS INT64) AS d"
    assert db.run(f"GRAPH g RETURN {columns}, IFERROR(1 / 0, 7.0) AS e", dialect="gql-spanner").rows == [
        (None, None, None, None, 7.0)
    ]


# Functions of the table that look at elements or at types: the engine has them, or refuses them.
ELSEWHERE = {
    *("if_error", "is_error", "element_labels", "property_names", "element_table", "make_path"),
    "path_elements",
    "type_name",
}


def test_the_table_is_whole() -> None:
    assert {name for name, row in GQL_FUNCTIONS.items() if not row.aggregate} - set(FUNCTIONS) == ELSEWHERE
    assert {name for name, row in GQL_FUNCTIONS.items() if row.aggregate} <= set(AGGREGATES)
    assert set(FUNCTIONS) <= set(GQL_FUNCTIONS)
    assert not set(FUNCTIONS) & set(CYPHER)
    assert {row.near for row in GQL_FUNCTIONS.values()} - {""} <= {*CYPHER, "sum", "stDev"}


def test_spellings() -> None:
    assert GOOGLE_NAMES["SUM"] == ISO_NAMES["SUM"] == "sum_or_null"
    assert spelling("concat", "gql-spanner") == "CONCAT"
    assert spelling("safe.substr", "gql-bigquery") == "SAFE.SUBSTR"
    assert spelling("safe.substr", "gql-iso") is None
    assert spelling("toUpper", "gql-iso") == "UPPER"
    assert spelling("no such function", "gql-iso") is None
    for name, (google, iso) in SAME_MEANING.items():
        assert google or iso, name
