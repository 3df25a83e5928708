"""The sample corpus is what docs/corpora.md says: valid or marked, over its schemas, with the right difficulty."""

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

import graphir
from graphir import ir
from tests.difficulty import difficulty

FOLDER = Path(graphir.__file__).parent / "corpora" / "samples"
ROWS: list[dict[str, Any]] = [json.loads(line) for line in (FOLDER / "queries.jsonl").open(encoding="utf-8")]
SCHEMAS: dict[str, Any] = json.loads((FOLDER / "schemas.json").read_text(encoding="utf-8"))
VALID = [row for row in ROWS if row["valid"]]
DIALECTS = ("neo4j-5", "neo4j-25")


def name(row: dict[str, Any]) -> str:
    return str(row["id"])


def test_size_and_mixture() -> None:
    assert len(ROWS) == 202
    assert len({row["id"] for row in ROWS}) == len(ROWS)
    assert len({row["question"] for row in ROWS}) == len(ROWS)
    assert Counter(row["schema"] for row in ROWS) == {"library": 100, "supply": 102}
    levels = Counter(row["difficulty"] for row in VALID)
    assert set(levels) == {"easy", "medium", "hard", "extra_hard"}
    assert min(levels.values()) >= 15
    assert len(ROWS) - len(VALID) == 10


@pytest.mark.parametrize("row", VALID, ids=name)
def test_valid_row(row: dict[str, Any]) -> None:
    assert [graphir.check(row["query"], dialect) for dialect in DIALECTS] == [[], []]
    assert row["difficulty"] == difficulty(graphir.parse(row["query"]))
    assert row["fault"] is None


@pytest.mark.parametrize("row", [row for row in ROWS if not row["valid"]], ids=name)
def test_invalid_row(row: dict[str, Any]) -> None:
    for dialect in DIALECTS:
        assert [found.severity for found in graphir.check(row["query"], dialect)] == ["error"]
    assert row["difficulty"] is None
    assert row["fault"]


@pytest.mark.parametrize("row", VALID, ids=name)
def test_row_speaks_of_its_schema(row: dict[str, Any]) -> None:
    schema = SCHEMAS[row["schema"]]
    labels = {node["label"] for node in schema["nodes"]}
    types = {edge["type"] for edge in schema["edges"]}
    keys = {key for element in (*schema["nodes"], *schema["edges"]) for key in element["properties"]}
    query = graphir.parse(row["query"])
    made = {item.name for node in ir.walk(query) if isinstance(node, ir.Project) for item in node.items}
    for node in ir.walk(query):
        if isinstance(node, ir.LabelName):
            assert node.name in labels | types
        if isinstance(node, ir.Property) and isinstance(node.base, ir.Ref) and node.base.name not in made:
            assert node.key in keys | {"years", "name"}


def test_schemas_are_closed() -> None:
    for schema in SCHEMAS.values():
        labels = {node["label"] for node in schema["nodes"]}
        assert {edge[end] for edge in schema["edges"] for end in ("from", "to")} <= labels
        assert schema["about"]


@pytest.mark.parametrize("target", ["neo4j-5", "opencypher-9", "gql-spanner", "pgq-googlesql"])
def test_every_row_is_translated_or_refused(target: str) -> None:
    done, refused = [], []
    for row in VALID:
        try:
            done.append(graphir.translate(row["query"], read="neo4j-25", write=target))
        except graphir.Unsupported as refusal:
            refused.append(refusal.code)
    assert all(done)
    assert all(code.startswith("G5") for code in refused)
    assert len(done) > len(refused)
