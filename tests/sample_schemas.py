"""Schemas for tests: a small one of people and films with all kinds of properties, and those of the sample corpus."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import graphir
from graphir.schema import Coverage, DataType, EdgeType, NodeType, PropertyType, Schema

SAMPLES = Path(graphir.__file__).parent / "corpora" / "samples"


def prop(name: str, type: str, *values: object, element: str | None = None) -> PropertyType:
    """A property; with values it has these and no others."""
    inner = None if element is None else DataType(element)
    return PropertyType(name, DataType(type, inner), values=values or None)


PERSON = NodeType(
    ("Person",),
    (
        prop("name", "STRING"),
        prop("age", "INTEGER"),
        prop("height", "FLOAT"),
        prop("born", "DATE"),
        prop("seen", "ZONED DATETIME"),
        prop("shift", "LOCAL TIME"),
        prop("stay", "DURATION"),
        prop("active", "BOOLEAN"),
        prop("role", "STRING", "Actor", "Director", "Film Editor"),
        prop("level", "INTEGER", 1, 2, 3),
        prop("tags", "LIST", element="STRING"),
        PropertyType("note"),
    ),
)
FILM = NodeType(
    ("Film",),
    (
        prop("title", "STRING"),
        PropertyType("released", DataType("STRING"), examples=("1999-03-31", "100%")),
        prop("age", "INTEGER"),
    ),
)
FILMS = Schema(
    (PERSON, FILM),
    (
        EdgeType(
            "ACTED_IN", ("Person",), ("Film",), (prop("year", "INTEGER"), prop("roles", "LIST", element="STRING"))
        ),
        EdgeType("KNOWS", ("Person",), ("Person",), ()),
    ),
)


@cache
def sample(name: str) -> Schema:
    """The schema of one of the two graphs of the sample corpus; labels are listed one by one."""
    told = json.loads((SAMPLES / "schemas.json").read_text(encoding="utf-8"))[name]

    def properties(row: dict[str, dict[str, str]]) -> tuple[PropertyType, ...]:
        return tuple(prop(key, type) for key, type in row["properties"].items())

    return Schema(
        tuple(NodeType((row["label"],), properties(row)) for row in told["nodes"]),
        tuple(EdgeType(row["type"], (row["from"],), (row["to"],), properties(row)) for row in told["edges"]),
        Coverage(combinations=False),
        name,
    )
