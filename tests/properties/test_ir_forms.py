"""The text and the JSON form give back the node they were made from, for every class."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from graphir.diagnostics import GraphirError
from graphir.ir import REGISTRY, Node
from graphir.ir import json as ir_json
from graphir.ir import text as ir_text

from .ir_strategies import nodes

VALIDATOR = jsonschema.Draft202012Validator(ir_json.schema())


def attempt(read: Callable[[Any], Node], value: Any) -> tuple[Node | None, str | None]:
    """The node, or the code of the fault."""
    try:
        return read(value), None
    except GraphirError as error:
        return None, error.diagnostics[0].code


@pytest.mark.parametrize("op", REGISTRY)
@given(data=st.data())
@settings(max_examples=10, deadline=None)
def test_both_forms_of_every_class_read_back(op: str, data: st.DataObject) -> None:
    node = data.draw(nodes(REGISTRY[op]))
    assert ir_text.loads(ir_text.dumps(node)) == node
    document = json.loads(json.dumps(ir_json.to_json(node)))
    assert ir_json.from_json(document) == node
    assert hash(ir_json.from_json(document)) == hash(node)
    VALIDATOR.validate(document)


@given(node=nodes(), data=st.data())
@settings(max_examples=100, deadline=None)
def test_damaged_text_raises_our_error_or_reads(node: Node, data: st.DataObject) -> None:
    text = ir_text.dumps(node)
    at = data.draw(st.integers(0, len(text)))
    damaged = text[:at] + data.draw(st.sampled_from(["", "(", ")", "[", '"', ":x", " 1", "%", "\\"])) + text[at + 1 :]
    read, code = attempt(ir_text.loads, damaged)
    assert code == "G130" or (read is not None and ir_text.loads(ir_text.dumps(read)) == read)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5) | st.sampled_from([*REGISTRY]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["op", "name", "value", "args", "items", "float", "span"]), inner, max_size=3)
    ),
    max_leaves=12,
)


@given(value=JSON)
@settings(max_examples=150, deadline=None)
def test_any_json_raises_our_error_or_reads(value: Any) -> None:
    read, code = attempt(ir_json.from_json, {"version": 1, "root": value})
    assert code == "G131" or (read is not None and ir_json.from_json(ir_json.to_json(read)) == read)
