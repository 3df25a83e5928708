"""Data definitions of engines' own tests are read, and every schema of the corpora survives every conversion."""

from __future__ import annotations

from typing import Any

import pytest

from graphir import GraphirError, Schema
from graphir.schema import formats
from graphir.schema.ddl import script
from graphir.schema.ddl.names import names
from graphir.schema.ddl.targets import TARGETS
from graphir.schema.model import EdgeType, NodeType
from tests.outside import SHARED, rows, sample

WRITTEN = (*TARGETS, "kuzu-ddl", "gql", "neo4j", "neo4j-graph-type")

NOT_READ = {
    "pg19": (
        "expression mismatch",
        "data type mismatch",
        "mismatching",
        "collation mismatch",
        "no equality operator",
        "does not exist",
        "already exists",
    ),
    "duckpgq": ("with name", "not found in the property graph", "already exists", "is not unique", 'near ";"'),
}
"""What a database says of definitions that it refuses for what is in it or for what no schema depends on."""


@pytest.mark.parametrize(("suite", "format"), [("pg19", "postgres-ddl"), ("duckpgq", "duckpgq-ddl")])
def test_definitions_of_engines(suite: str, format: str) -> None:
    wrong = []
    read = 0
    for row in rows(f"conformance/{suite}_cases"):
        words = row["query"].upper().replace("OR REPLACE ", "").split()
        if words[:3] != ["CREATE", "PROPERTY", "GRAPH"]:
            continue
        try:
            Schema.read(";\n".join([*row["setup_sql"], row["query"]]), format)
            read += 1
            refused = None
        except GraphirError as fault:
            refused = str(fault)
        tolerated = not row["ok"] and any(words in row["error"] for words in NOT_READ[suite])
        if (refused is None) != row["ok"] and not (refused is None and tolerated):
            wrong.append((row["id"], row["error"], refused))
    assert wrong == []
    assert read > 15


def test_graphs_of_googlesql() -> None:
    catalog = SHARED / "conformance" / "sample_catalog.sql"
    if not catalog.exists():
        pytest.skip(f"{catalog} is not here")
    text = catalog.read_text(encoding="utf-8")
    found = {name: script.read(text, "spanner-ddl", name) for name in ("aml", "aml_enhanced", "aml_composite_key")}
    assert {name: (len(graph.node_types), len(graph.edge_types)) for name, graph in found.items()} == {
        "aml": (3, 2),
        "aml_enhanced": (4, 4),
        "aml_composite_key": (1, 2),
    }
    assert not script.read(text, "spanner-ddl", "aml_dynamic").coverage.labels


def corpus(count: int) -> list[dict[str, Any]]:
    return sample(rows("corpora/schemas"), count, lambda row: str(row["id"]))


@pytest.mark.parametrize("format", WRITTEN)
def test_every_schema_of_the_corpora_is_converted(format: str) -> None:
    for row in corpus(20):
        schema = formats.read(row["text"], row["format"])
        again = formats.read(formats.write(schema, format), format)
        assert formats.read(formats.write(again, format), format) == again, row["id"]
        if not format.startswith("neo4j"):
            assert again.closed


@pytest.mark.parametrize("format", TARGETS)
def test_names_survive(format: str) -> None:
    """Every label, type and property comes back, under the name that `names` tells."""
    for row in corpus(20):
        schema = formats.read(row["text"], row["format"])
        again = formats.read(formats.write(schema, format), format)
        told = names(schema, format)
        elements = [*told.nodes.values(), *(each for edges in told.edges.values() for each in edges)]
        said = {(tuple(sorted(e.labels.values())), name) for e in elements for name in e.properties.values()}
        assert said == {(_labels(type), p.name) for type in _types(again) for p in type.properties or ()}, row["id"]
        known = {(type.source is not None and type.target is not None) for type in schema.edge_types}
        if known == {True}:
            assert {(edge.type, edge.source, edge.target) for edge in schema.edge_types} == set(told.edges), row["id"]


@pytest.mark.parametrize("format", ["gql", "postgres-ddl", "oracle-ddl"])
def test_structure_survives(format: str) -> None:
    """Types and names of properties come back as they were, where they are known and the format needs no other name."""
    for row in corpus(20):
        schema = formats.read(row["text"], row["format"])
        text = formats.write(schema, format)
        if " is called " in text or " is left out" in text or "inherits" in text:
            continue
        again = formats.read(text, format)
        found = {(_labels(type), tuple(p.name for p in type.properties or ())) for type in _types(again)}
        assert {(_labels(type), tuple(p.name for p in type.properties or ())) for type in _types(schema)} <= found


def _types(schema: Schema) -> tuple[NodeType | EdgeType, ...]:
    return (*schema.node_types, *schema.edge_types)


def _labels(type: NodeType | EdgeType) -> tuple[str, ...]:
    return type.labels if isinstance(type, NodeType) else (type.type,)
