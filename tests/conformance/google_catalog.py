"""The catalog that Google's tests of its analyzer are about, and the features that a row of them switches on."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

import pytest

from graphir.passes.google.catalog import Catalog, Element, Graph, read_type
from graphir.passes.google.features import PRODUCTION
from graphir.passes.google.types import UNKNOWN
from tests.outside import SHARED

NEWER = frozenset(
    (
        *("TERMINAL_INSERT", "MEASURE_DDL", "MEASURE_ALLOW_COLUMNS", "ALIGN_OPERATOR"),
        *("GENERAL_QUANTIFIED_COMPARISONS", "ARRAY_OF_ARRAY", "SAFE_SAME_ALL_DIFFERENT"),
    )
)
"""Features that ZetaSQL 2025.11.2 does not have."""


@cache
def sample_catalog() -> Catalog:
    path = SHARED / "conformance" / "sample_catalog.json"
    if not path.exists():
        pytest.skip(f"{path} is not here")
    found = json.loads(path.read_text(encoding="utf-8"))
    tables = {
        name.lower(): {column.lower(): read_type(type_) for column, type_ in columns}
        for name, columns in found["tables"].items()
    }
    graphs = {name.lower(): _graph(name, graph, tables) for name, graph in found["graphs"].items()}
    return Catalog(graphs, tables, True, frozenset(("AFN_AGG", "AFN_ORDER", "AFN_NO_ORDER")))


def _graph(name: str, graph: dict[str, Any], tables: dict[str, Any]) -> Graph:
    kinds = (("GRAPH_NODE", "nodes"), ("GRAPH_EDGE", "edges"))
    return Graph(name, tuple([_element(kind, each, tables) for kind, key in kinds for each in graph[key]]))


def _element(kind: str, element: dict[str, Any], tables: dict[str, Any]) -> Element:
    columns = tables[element["table"].lower()]
    properties = [(name, columns.get(column.lower(), UNKNOWN)) for name, column in element["properties"].items()]
    if element["name"] == "Account":
        properties.append(("balance", read_type("UINT64")))  # the note of the catalog: no label exposes it
    return Element(
        element["name"],
        kind,
        tuple(element["labels"]),
        tuple(properties),
        (element.get("source") or {}).get("node", ""),
        (element.get("destination") or {}).get("node", ""),
        tuple(element["key"]),
        {name.lower(): column for name, column in element["properties"].items()},
        bool(element.get("dynamic_label")),
        bool(element.get("dynamic_properties")),
    )


def features_of(row: dict[str, Any]) -> frozenset[str]:
    """The features of a row: those of its base, and what is added and taken away."""
    base, *changes = row["feature_options"]["language_features"].split(",")
    found = set(PRODUCTION) if base == "MAXIMUM" else set()
    for change in filter(None, changes):
        name = change[1:].removeprefix("SQL_GRAPH_")
        if change[0] == "+":
            found.add(name)
        else:
            found.discard(name)
    return frozenset(found)


def is_in_scope(row: dict[str, Any]) -> bool:
    """Whether a row needs no newer feature, and no function or table beyond the catalog."""
    text = row["query"].lower()
    return not NEWER & features_of(row) and not any(word in text for word in BEYOND)


BEYOND = ("tvf", "afn_", "annotatedtable", "complexcollated", "measuretable", "pg.place", "scantableview")
"""What stands in queries about functions and tables that the catalog does not have."""
