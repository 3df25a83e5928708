"""Neo4j accepts every random query, as Cypher 5 and as Cypher 25, and gives a row where one is promised.

GRAPHIR_PAIRS says how many queries of each profile are sent (200).
"""

from __future__ import annotations

import os

import pytest

import graphir
from graphir.diagnostics import GraphirError
from graphir.generation import PROFILES, cases

COUNT = int(os.environ.get("GRAPHIR_PAIRS", "200"))
PER_GRAPH = 10


@pytest.mark.parametrize("profile", PROFILES)
def test_neo4j_accepts(neo4j_uri: str, profile: str) -> None:
    refused, empty = [], []
    with graphir.connect("neo4j", uri=neo4j_uri, keep=False, trusting=True) as server:
        for seed in range(90_000, 90_000 + COUNT // PER_GRAPH):
            found = cases(seed, PER_GRAPH, "neo4j-5" if seed % 2 else "neo4j-25", profile)
            server.clear()
            server.load(found[0].graph)
            for each in found:
                if profile == "writes":
                    server.clear()
                    server.load(each.graph)
                try:
                    rows = server.run(each.query, each.parameters, dialect=each.dialect).rows
                except GraphirError as fault:
                    refused.append((each.query, str(fault)))
                    continue
                if each.nonempty and not rows:
                    empty.append(each.query)
    assert refused == []
    assert empty == []
