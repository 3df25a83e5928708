"""The core form of Google's own queries: what holds of every query in core form holds of theirs, too."""

from collections import Counter
from collections.abc import Iterator

import pytest

from graphir import api
from graphir.diagnostics import GraphirError
from graphir.ir import Query, text
from graphir.ir import json as ir_json
from graphir.passes.conditions import violations
from graphir.passes.normalize import normalize
from tests.outside import rows, sample

SQL = ("select", "with", "(")


def dialect_of(query: str) -> str:
    is_sql = "graph_table" in query.lower() or query.strip().lower().startswith(SQL)
    return "pgq-googlesql" if is_sql else "gql-bigquery"


def queries(file: str) -> list[str]:
    """The queries that Google accepts."""
    accepted = [row["query"] for row in rows(f"conformance/{file}") if not row["error"]]
    return sample(accepted, 150)


def cores(file: str) -> Iterator[tuple[str, Query]]:
    for query in queries(file):
        dialect = dialect_of(query)
        try:
            yield query, api.to_core(api.parse(query, dialect), query, dialect)
        except GraphirError:
            continue


@pytest.mark.parametrize("file", ["gql_compliance", "gql_analyzer"])
def test_core_of_googles_queries(file: str) -> None:
    broken: Counter[str] = Counter()
    seen = 0
    for query, core in cores(file):
        seen += 1
        found = [each for each in violations(core) if "PER()" not in query and ").PROPERTY_EXISTS" not in query]
        broken.update(f"{each} | {' '.join(query.split())[:200]}" for each in found)
        assert normalize(core) == core
        assert text.loads(text.dumps(core)) == core
        assert ir_json.from_json(ir_json.to_json(core)) == core
    assert broken == Counter()
    assert seen > 80
