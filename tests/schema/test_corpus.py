"""Every schema of the corpora loads, is found out by its text, and holds what its text says."""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Callable
from functools import cache
from typing import Any

import pytest

from graphir import Schema, SyntaxFault
from graphir.schema import DataType, NodeType, PropertyType, formats
from tests.outside import rows

COUNTS = {
    "text2cypher-2024-text": 113,
    "neo4j-markdown": 15,
    "neo4j-structured-dict": 15,
    "multidomain-json": 15,
    "cypherbench-json": 11,
    "mtq": 11,
    "tugraph-json": 6,
    "r3-python-classes": 2,
    "zograscope-json": 1,
    "stockgql-json": 1,
    "spanner-markdown": 1,
    "kuzu-ddl": 1,
    "kuzu-ddl (same entities)": 1,
}


@cache
def corpus() -> dict[str, dict[str, Any]]:
    return {row["id"]: row for row in rows("corpora/schemas")}


def schema(name: str) -> Schema:
    row = corpus()[name]
    return Schema.read(row["text"], row["format"])


def node(of: Schema, label: str) -> NodeType:
    return next(one for one in of.node_types if one.labels == (label,))


def named(of: Schema, label: str, name: str) -> PropertyType:
    return next(one for one in node(of, label).properties or () if one.name == name)


def test_all_load() -> None:
    assert Counter(row["format"] for row in corpus().values()) == COUNTS
    for name, row in corpus().items():
        found = schema(name)
        assert found.node_types, name
        assert Schema.read(found.write("json"), "json") == found, name
        assert list(formats.sniff(row["text"])) == [formats.ALIASES.get(row["format"], row["format"])], name


Triples = set[tuple[str, str, str]]
PATTERN = re.compile(r"^\(:(\w+)\)-\[:(\w+)\]->\(:(\w+)\)\s*$", re.MULTILINE)
LISTED = re.compile(r"^(\w+) \{(.*)\}\s*$", re.MULTILINE)


def of_markdown(text: str) -> tuple[Counter[str], Triples]:
    nodes = text.partition("Relationship properties:")[0]
    labels = Counter({part.split("**")[0]: part.count("\n  - `") for part in nodes.split("\n- **")[1:]})
    return labels, set(PATTERN.findall(text))


def of_lists(text: str) -> tuple[Counter[str], Triples]:
    found = ast.literal_eval(text)
    labels = Counter({label: len(items) for label, items in found["node_props"].items()})
    return labels, {(item["start"], item["type"], item["end"]) for item in found["relationships"]}


def of_cypherbench(text: str) -> tuple[Counter[str], Triples]:
    found = json.loads(text)
    labels = Counter({item["label"]: len({*item["properties"], "name"}) for item in found["entities"]})
    return labels, {(item["subj_label"], item["label"], item["obj_label"]) for item in found["relations"]}


def of_multidomain(text: str) -> tuple[Counter[str], Triples]:
    found = json.loads(text)
    labels = Counter({item["Label"]: len(item["Attributes"]) for item in found if item["Type"] == "Node"})
    return labels, {(item["From"], item["Label"], item["To"]) for item in found if item["Type"] == "Relation"}


def of_zograscope(text: str) -> tuple[Counter[str], Triples]:
    found = json.loads(text)
    labels = Counter(dict.fromkeys(found["classes"], len(found["properties"])))
    return labels, {(item["domain"], type, item["range"]) for type, item in found["relations"].items()}


def of_tugraph(text: str) -> tuple[Counter[str], Triples]:
    found = json.loads(text)["schema"]
    labels = Counter({item["label"]: len(item["properties"]) for item in found if item["type"] == "VERTEX"})
    edges = [item for item in found if item["type"] == "EDGE"]
    return labels, {(a, item["label"], b) for item in edges for a, b in item.get("constraints", [["?", "?"]])}


def of_stockgql(text: str) -> tuple[Counter[str], Triples]:
    found = json.loads(text)["schema_dic_en"]
    labels = Counter({label: len(set(re.findall(r"\('(\w+)', ", item))) for label, item in found["Nodes"].items()})
    ends = re.compile(r"'start_tag': ?'(\w+)', ?'end_tag': ?'(\w+)'")
    return labels, {(a, type, b) for type, item in found["Relations"].items() for a, b in ends.findall(item)}


def of_text(text: str) -> tuple[Counter[str], Triples]:
    start = re.search(r"^Rel(?:ationship|evant relationship)", text, re.MULTILINE)
    nodes, rest = (text[: start.start()], text[start.start() :]) if start else (text, "")
    listed = {(name, one) for name, inner in LISTED.findall(nodes) for one in re.findall(r"(\w+): ", inner)}
    labels = Counter({name: 0 for name, _ in LISTED.findall(nodes)}) + Counter(name for name, _ in listed)
    excerpt = re.findall(r"\{'start': (\w+), 'type': (\w+), 'end': (\w+) \}", rest)
    return labels, {*PATTERN.findall(rest), *excerpt}


COUNTED: dict[str, Callable[[str], tuple[Counter[str], Triples]]] = {
    "neo4j-markdown": of_markdown,
    "spanner-markdown": of_markdown,
    "neo4j-structured-dict": of_lists,
    "mtq": of_lists,
    "cypherbench-json": of_cypherbench,
    "multidomain-json": of_multidomain,
    "zograscope-json": of_zograscope,
    "tugraph-json": of_tugraph,
    "stockgql-json": of_stockgql,
    "text2cypher-2024-text": of_text,
}


@pytest.mark.parametrize("format", COUNTED)
def test_nothing_is_lost(format: str) -> None:
    """Labels, numbers of properties and triples, counted in another way."""
    for name, row in corpus().items():
        listing = row["format"] != "text2cypher-2024-text" or LISTED.search(row["text"])
        if row["format"] != format or not listing:
            continue
        labels, triples = COUNTED[format](row["text"])
        found = schema(name)
        ends = {end for a, _, b in triples for end in (a, b)} - {"?"}
        assert {one.labels[0] for one in found.node_types} == set(labels) | ends, name
        assert Counter({one.labels[0]: len(one.properties or ()) for one in found.node_types}) == labels, name
        assert {((e.source or "?")[0], e.type, (e.target or "?")[0]) for e in found.edge_types} == triples, name


@pytest.mark.parametrize(
    ("name", "label", "expected"),
    [
        ("neo4j_labs:recommendations", "Movie", PropertyType("year", DataType("INTEGER"), minimum=1902, maximum=2016)),
        (
            "neo4j_labs:grandstack",
            "Business",
            PropertyType("city", DataType("STRING"), values=("Missoula", "Burlingame", "San Mateo")),
        ),
        (
            "neo4j_labs:companies",
            "Person",
            PropertyType("id", DataType("STRING"), examples=("Eaf0bpz6NNoqLVUCqNZPAew",)),
        ),
        (
            "neo4j_labs:movies:structured",
            "Person",
            PropertyType("born", DataType("INTEGER"), minimum=1929, maximum=1996, distinct=51),
        ),
        ("cypherbench:nba", "Player", PropertyType("name", DataType("STRING"))),
        ("zograscope:pole", "Crime", PropertyType("date", None, description="date")),
        ("mtq:covid", "Person", PropertyType("confirmedtime", DataType("ZONED DATETIME"))),
        ("mtq:osm", "OSMNode", PropertyType("timestamp", DataType("LOCAL DATETIME"))),
        ("multidomain:Yelp System", "Photo", PropertyType("embedding", DataType("LIST", DataType("FLOAT")))),
        ("stockgql", "stock", PropertyType("province", DataType("STRING"), description="省份")),
        ("r3nl2gql:fe4998a8", "character", PropertyType("hair")),
        ("tugraph:yago", "Person", PropertyType("phone", DataType("INTEGER16"), nullable=False)),
        ("ldbc:finbench", "Account", PropertyType("nickname", DataType("STRING"), nullable=True)),
        ("Social_Network_Twitter", "USER", PropertyType("tweet_count", DataType("INTEGER32"), nullable=True)),
        ("t2c2024:acf952a7d3", "University", PropertyType("Founded", DataType("FLOAT"))),
    ],
)
def test_properties(name: str, label: str, expected: PropertyType) -> None:
    assert named(schema(name), label, expected.name) == expected


@pytest.mark.parametrize(
    ("name", "triple"),
    [
        ("zograscope:pole", ("INVOLVED_IN", ("Vehicle",), ("Crime",))),
        ("r3nl2gql:ce13479d", ("accompany_with", ("disease",), ("disease",))),
        ("r3nl2gql:fe4998a8", ("learn_from", ("character",), ("college",))),
        ("tugraph:movie", ("acted_in", None, None)),
        ("stockgql", ("affect", ("industry",), ("industry",))),
        ("t2c2024:37f623d4f6", ("author_write_paper", ("author",), ("paper",))),
        ("t2c2024:15eb60591f", ("WROTE", ("Author",), ("Article",))),
        ("t2c2024:9602ac56f6", ("HAS_SKILL", ("Person",), ("Skill",))),
        ("mtq:wwc", ("REPRESENTS", ("Person",), ("Team",))),
    ],
)
def test_edges(name: str, triple: object) -> None:
    assert triple in [(edge.type, edge.source, edge.target) for edge in schema(name).edge_types]


def test_excerpts_are_not_complete() -> None:
    """What calls itself the relevant part of a schema, and tables of which no one says what became of them."""
    for name, row in corpus().items():
        partial = "elevant" in row["text"] or row["text"].startswith("| ")
        if row["format"] == "text2cypher-2024-text" and partial:
            coverage = schema(name).coverage
            assert not any((coverage.labels, coverage.types, coverage.endpoints, coverage.properties)), name


def test_triples_of_the_direction_suite_load() -> None:
    texts = {row["schema_inline"] for row in rows("corpora/direction_correction")}
    assert len(texts) == 10
    assert all(list(formats.sniff(text)) == ["triples"] and Schema.read(text).edge_types for text in texts)


def test_schemas_of_public_reports_load() -> None:
    """Those that are schemas; the others are remarks."""
    refused = []
    for row in rows("corpora/bug_reports"):
        if text := row.get("schema"):
            try:
                assert Schema.read(text).node_types
            except SyntaxFault:
                refused.append(row["id"])
    assert refused == []
