"""Recursions and windows over graph tables on Neo4j: the rows are those of DuckDB over the tables."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from graphir import connect
from graphir.backends.engines.protocol import Engine
from graphir.diagnostics import Unsupported
from tests.table_pairs import Pair
from tests.test_sqlpgq_recursions import BOUNDED, VISITED
from tests.test_sqlpgq_windows import TEXTS

ALL = {**BOUNDED, **VISITED, **TEXTS}
KNOWN = {"ranks": "G625.*distinct NaN"}
"""Those in which Neo4j's own answer cannot be trusted: places among the distinct values count each NaN for itself."""


@pytest.fixture(scope="module")
def pair() -> Pair:
    return Pair(1, is_endless=True)


@pytest.fixture(scope="module")
def neo4j(pair: Pair, neo4j_uri: str) -> Iterator[Engine]:
    with connect("neo4j", uri=neo4j_uri, keep=False) as engine:
        engine.load(pair.document)
        yield engine


@pytest.mark.parametrize("name", [name for name in ALL if name not in KNOWN])
def test_neo4j_has_the_rows_of_the_tables(name: str, pair: Pair, neo4j: Engine) -> None:
    found, wanted = pair.rows(ALL[name], "pgq-postgres", neo4j)
    assert found == wanted


@pytest.mark.parametrize("name", list(KNOWN))
def test_what_neo4j_is_known_to_get_wrong_is_refused(name: str, pair: Pair, neo4j: Engine) -> None:
    with pytest.raises(Unsupported, match=KNOWN[name]):
        pair.rows(ALL[name], "pgq-postgres", neo4j)
