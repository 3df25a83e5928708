"""What is written is read again as it was, whatever the names; and no text does worse than raise a fault of ours."""

from __future__ import annotations

import json

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from graphir import Diagnostic, GraphirError, Schema
from graphir.schema import EdgeType, NodeType, PropertyType, formats, labels
from graphir.schema.json import from_json, json_schema
from tests.schema.samples import SAMPLES
from tests.schema.strategies import AWKWARD, listed_schemas, names, schemas

READABLE = [name for name, row in formats.FORMATS.items() if row.read]


@given(schemas())
@settings(max_examples=150, deadline=None)
def test_json(schema: Schema) -> None:
    again = Schema.read(schema.write("json"), "json")
    assert again == schema
    assert (again.name, again.guesses, again.fingerprint) == (schema.name, schema.guesses, schema.fingerprint)
    assert [one.table for one in again.node_types] == [one.table for one in schema.node_types]
    assert from_json(json.loads(json.dumps(schema.to_json()))) == schema


@given(schemas())
@settings(max_examples=40, deadline=None)
def test_json_is_of_its_json_schema(schema: Schema) -> None:
    validator = pytest.importorskip("jsonschema").Draft202012Validator(json_schema())
    assert list(validator.iter_errors(schema.to_json())) == []


@given(listed_schemas(required=False))
@settings(max_examples=250, deadline=None)
def test_neo4j_markdown(schema: Schema) -> None:
    assert Schema.read(schema.write("neo4j-markdown"), "neo4j-markdown") == schema


@given(listed_schemas(required=True))
@settings(max_examples=150, deadline=None)
def test_spanner_markdown(schema: Schema) -> None:
    assert Schema.read(schema.write("spanner-markdown"), "spanner-markdown") == schema


@given(st.lists(st.tuples(names, names, names), min_size=1, max_size=3))
@settings(max_examples=150, deadline=None)
def test_triples(found: list[tuple[str, str, str]]) -> None:
    edges = {EdgeType(type, labels(source), labels(target), None) for source, type, target in found}
    schema = Schema((), tuple(edges))
    again = Schema.read(schema.write("triples"), "triples")
    assert set(again.edge_types) == edges


@pytest.mark.parametrize("name", AWKWARD)
def test_awkward_names(name: str) -> None:
    one = NodeType(labels(name), (PropertyType(name),))
    schema = Schema((one,), (EdgeType(name, one.labels, one.labels, (PropertyType(name),)),))
    for format in ("json", "neo4j-markdown", "spanner-markdown", "triples"):
        (found,) = Schema.read(schema.write(format), format).edge_types
        assert (found.type, found.source, found.target) == (name, (name,), (name,)), format


@given(st.sampled_from(READABLE), st.sampled_from(sorted(SAMPLES.values())), st.data())
@settings(max_examples=400, deadline=None)
@example("patterns", "(" * 500, None)
@example("json", "[" * 500, None)
@example("stockgql-json", '{"schema_dic_en": {"Nodes": {"a": "{\'tag\'"}, "Relations": {}}}', None)
def test_no_text_breaks_a_reader(format: str, text: str, data: st.DataObject | None) -> None:
    """Damaged samples, read as any format and found out."""
    if data is not None:
        at = data.draw(st.integers(0, len(text)))
        cut = data.draw(st.integers(0, 8))
        text = (
            text[:at]
            + data.draw(st.sampled_from(["", "`", "(", "'", '"', "{", "]", "\n", ",", "\\", "é"]))
            + text[at + cut :]
        )
    for known in (format, "auto"):
        places = [(one.line, one.start) for one in faults(text, known)]
        assert all(line >= 1 and 0 <= start <= len(text) for line, start in places)


def faults(text: str, format: str) -> list[Diagnostic]:
    try:
        Schema.read(text, format)
    except GraphirError as fault:
        return fault.diagnostics
    return []
