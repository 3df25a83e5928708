"""Oracle's SQL/PGQ in the wild: 122 texts of its manuals, notebooks and tests that hold a GRAPH_TABLE.

All but those that are listed by name (`known_misses.toml`, suite pgq-oracle) are taken: pieces of texts and templates
are no statements, and a few contradict a rule of the manual.  The published errors of models get Oracle's code, and the
repair that is sure.
"""

from __future__ import annotations

from typing import Any

import pytest

import graphir
from graphir import Schema
from graphir.profiles import pass_of
from tests.conformance import misses
from tests.outside import rows

DIALECTS = ("pgq-oracle-23ai", "pgq-oracle-26ai")


def written() -> dict[str, str]:
    return {
        row["id"]: row["query"]
        for row in rows("corpora/sqlpgq")
        if row["subdialect"] == "oracle23ai" and "GRAPH_TABLE" in row["query"].upper()
    }


@pytest.mark.parametrize("dialect", DIALECTS)
def test_texts(dialect: str) -> None:
    texts = written()
    assert len(texts) == 122
    refused = {
        (name, "taken")
        for name, text in texts.items()
        if any(each.severity == "error" for each in graphir.check(text, dialect))
    }
    assert refused == misses.known("pgq-oracle", dialect, texts)


TABLES = {
    "USER": ("id", "bio", "username"),
    "Vendor": ("id", "name", "rating"),
    "Contract": ("id", "value"),
    "WorkOrder": ("id", "WorkOrder_id"),
    "Product": ("id", "sku"),
    "HAS_CONTRACT": ("id", "a", "b"),
    "USES": ("id", "a", "b", "quantity"),
}
GRAPHS = {
    "pgq-1": ('"TW_GRAPH"', ("USER",), ()),
    "pgq-2": ('"TW_GRAPH"', ("USER",), ()),
    "pgq-3": ('"G"', ("Vendor", "Contract"), (("HAS_CONTRACT", "Vendor", "Contract"),)),
    "pgq-4": ('"G"', ("WorkOrder", "Product"), (("USES", "WorkOrder", "Product"),)),
}
"""Name, vertex tables and edge tables of the graphs, as their right queries name them."""


def schema(case: str) -> Schema:
    """The graph that the case is about."""
    name, nodes, edges = GRAPHS[case]
    made = []
    for table in (*nodes, *(edge for edge, _, _ in edges)):
        columns = ", ".join(f'"{column}" VARCHAR2(100)' for column in TABLES[table])
        made.append(f'CREATE TABLE "{table}" ({columns}, PRIMARY KEY ("id"));')
    listed = ", ".join(f'"{node}"' for node in nodes)
    between = ", ".join(
        f'"{edge}" SOURCE KEY ("a") REFERENCES "{start}" ("id") DESTINATION KEY ("b") REFERENCES "{end}" ("id")'
        for edge, start, end in edges
    )
    more = f" EDGE TABLES ({between})" if edges else ""
    made.append(f"CREATE PROPERTY GRAPH {name} VERTEX TABLES ({listed}){more};")
    return Schema.read("\n".join(made), "oracle-ddl")


def cases() -> list[dict[str, Any]]:
    return [row for row in rows("spec/error_cases") if row["language"].startswith("pgq-")]


def test_errors_of_models_get_the_code_of_oracle() -> None:
    found = {row["id"]: row for row in cases()}
    assert found.keys() == GRAPHS.keys()
    for name, row in found.items():
        told = graphir.check(row["predicted"], row["language"], schema(name))
        assert row["vendor_code"] in [each.vendor for each in told], name
        right = graphir.check(row["gold"], row["language"], schema(name))
        assert [each for each in right if each.severity == "error"] == [], name


def test_errors_of_models_are_repaired() -> None:
    """What is left is nothing; the repaired text is taken."""
    for row in cases():
        mended = graphir.repair(row["predicted"], dialect=row["language"], schema=schema(row["id"]))
        assert mended.changed
        assert [each for each in mended.remaining if each.severity == "error"] == [], row["id"]
        assert all(pass_of(each.code) != "syntax" for each in mended.remaining)
