"""Recursions and windows over graph tables on Neo4j: the rows are those of DuckDB over the tables."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from graphir import connect
from graphir.backends.engines.protocol import Engine
from tests.table_pairs import Pair
from tests.test_sqlpgq_recursions import BOUNDED, VISITED
from tests.test_sqlpgq_windows import TEXTS

ALL = {**BOUNDED, **VISITED, **TEXTS}


@pytest.fixture(scope="module")
def pair() -> Pair:
    return Pair(1, is_endless=True)


@pytest.fixture(scope="module")
def neo4j(pair: Pair, neo4j_uri: str) -> Iterator[Engine]:
    with connect("neo4j", uri=neo4j_uri, keep=False) as engine:
        engine.load(pair.document)
        yield engine


@pytest.mark.parametrize("name", list(ALL))
def test_neo4j_has_the_rows_of_the_tables(name: str, pair: Pair, neo4j: Engine) -> None:
    found, wanted = pair.rows(ALL[name], "pgq-postgres", neo4j)
    assert found == wanted
