"""What was written reads as an equal schema, for generated schemas that the format can hold."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from graphir.schema import formats
from graphir.schema.ddl.names import names
from graphir.schema.model import Schema
from tests.schema.generated import FORMATS, SQL, schemas

SLOW = [HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much]
SETTINGS = settings(max_examples=40, deadline=None, suppress_health_check=SLOW)


@pytest.mark.parametrize("format", FORMATS)
@SETTINGS
@given(data=st.data())
def test_reading_what_was_written_gives_an_equal_schema(format: str, data: st.DataObject) -> None:
    schema = data.draw(schemas(format))
    text = formats.write(schema, format)
    again = formats.read(text, format)
    assert again == schema, text
    assert again.fingerprint == schema.fingerprint


@pytest.mark.parametrize("format", FORMATS)
@SETTINGS
@given(data=st.data())
def test_any_schema_can_be_written_and_what_is_read_is_stable(format: str, data: st.DataObject) -> None:
    schema = data.draw(schemas(data.draw(st.sampled_from(FORMATS))))
    again = formats.read(formats.write(schema, format), format)
    assert formats.read(formats.write(again, format), format) == again


@pytest.mark.parametrize("format", SQL)
@SETTINGS
@given(data=st.data())
def test_names_are_those_that_are_written(format: str, data: st.DataObject) -> None:
    schema = data.draw(schemas(data.draw(st.sampled_from(FORMATS))))
    again = formats.read(formats.write(schema, format), format)
    assert _labels(again) == _told(schema, format)


def _labels(schema: Schema) -> set[tuple[str, tuple[str, ...]]]:
    """Label or type, with the properties that elements under it have."""
    found = {(":".join(node.labels), _properties(node)) for node in schema.node_types}
    return found | {(edge.type, _properties(edge)) for edge in schema.edge_types}


def _properties(type: object) -> tuple[str, ...]:
    return tuple(sorted(property.name for property in type.properties or ()))  # type: ignore[attr-defined]


def _told(schema: Schema, format: str) -> set[tuple[str, tuple[str, ...]]]:
    told = names(schema, format)
    elements = [*told.nodes.values(), *(each for edges in told.edges.values() for each in edges)]
    return {(":".join(sorted(each.labels.values())), tuple(sorted(each.properties.values()))) for each in elements}
