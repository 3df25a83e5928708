"""Format `text2cypher-2024-text`: the schemas of the Text2Cypher 2024 data set, which come in seven forms.

`listing`  LangChain's older text: `Movie {title: STRING}` under headings, then `(:User)-[:RATED]->(:Movie)`;
`excerpt`  the same under "Relevant ...", with `{'start': A, 'type': R, 'end': B }`: a part of a schema;
`names`    labels alone under "Relevant node labels and their properties  are:";
`drawing`  patterns with the properties of every node in them;
`apoc`     the JSON of `apoc.meta.schema`;
`records`  what Python prints of the result of `db.schema.visualization`;
`tables`   `| database | table : column , column | ...`: relational, with no word on what became an edge.
"""

from __future__ import annotations

import re
from dataclasses import replace

from graphir.schema.draft import Draft
from graphir.schema.literals import Literal, parse, parse_at
from graphir.schema.model import (
    BY_LABEL,
    CLOSED,
    Coverage,
    DataType,
    EdgeType,
    Labels,
    NodeType,
    PropertyType,
    Schema,
    labels,
)
from graphir.schema.readers import patterns
from graphir.schema.scanner import Scanner

NOTHING = Coverage(False, False, False, False, False)
"""Of an excerpt, nothing is complete."""

_FIRST_LABELS = Coverage(labels=False, endpoints=False, properties=False, combinations=False)
"""Nodes stand under the first of their labels: others are missing, and what is under one label is not all it has."""

_HEADS = {
    "node properties:": "nodes",
    "nodes' properties and types of properties:": "nodes",
    "relevant node labels and their properties (with datatypes) are:": "nodes",
    "graph schema: relevant node labels and their properties (with datatypes) are:": "nodes",
    "graph schema: relevant node labels and their properties are:": "names",
    "node properties are the following:": "nodes",
    "relationship properties:": "edges",
    "relationship properties are the following:": "edges",
    "relationships' properties and types of properties:": "edges",
    "relevant relationship properties (with datatypes) are:": "edges",
    "the relationships:": "ends",
    "the relationships are the following:": "ends",
    "relevant relationships are:": "ends",
}
_TABLES = re.compile(r"\s*\| [^|\n]+ \| [^|:\n]+ : ")
_RECORDS = re.compile(r"\s*\[\s*<Record ")


def sniff(text: str) -> bool:
    """Whether it is one of the seven forms."""
    first = " ".join(text.lstrip().split("\n", 1)[0].split()).casefold()
    if first in _HEADS:
        return "- **" not in text
    return any(form.match(text) for form in (_TABLES, patterns.DRAWING, _RECORDS)) or sniff_apoc(text)


def sniff_apoc(text: str) -> bool:
    return text.lstrip().startswith("{") and '"type": "node"' in text and '"properties"' in text


def read(text: str) -> Schema:
    if _TABLES.match(text):
        return _tables(text)
    if _RECORDS.match(text):
        return _records(text)
    if text.lstrip().startswith("{"):
        return _apoc(text)
    if text.lstrip().startswith("("):
        return _drawing(text)
    return _listing(text)


def _listing(text: str) -> Schema:
    """Sections under headings, in any order."""
    draft = Draft()
    seen: set[str] = set()
    section, excerpt, at = "", False, 0
    for line in text.splitlines(keepends=True):
        scan = Scanner(text, at, at + len(line.rstrip()))
        at += len(line)
        head = " ".join(line.split()).casefold()
        if head in _HEADS:
            section = _HEADS[head]
            excerpt = excerpt or "relevant" in head
        elif not scan.blank().done:
            seen.add(section)
            _line(scan, draft, section)
    if not section:
        Scanner(text).fail("a heading such as `Node properties:`")
    if excerpt:
        draft.guess("the schema calls itself the relevant part: what it does not list may exist")
        return draft.schema(NOTHING)
    if draft.repeats:
        draft.guess("a property is listed twice for one label: of each set of labels only the first is listed")
        return draft.schema(_FIRST_LABELS)
    draft.guess("labels are listed one by one: a node may have several of them")
    if "edges" not in seen:
        draft.guess("no relationship properties are listed: whether there are any is unknown")
    return draft.schema(BY_LABEL, bare=() if "edges" in seen else None, bare_nodes=() if "nodes" in seen else None)


def _line(scan: Scanner, draft: Draft, section: str) -> None:
    """What a line lists: one thing, or several with commas between them."""
    _item(scan, draft, section)
    while scan.blank().accept(","):
        _item(scan.blank(), draft, section)
    if not scan.done:
        scan.fail("the end of the line")


def _item(scan: Scanner, draft: Draft, section: str) -> None:
    match section:
        case "nodes" | "edges":
            name = scan.name("a name", "{")
            if scan.looking_at("{"):
                found = patterns.properties(scan, draft, name)
            else:
                scan.fail("`{`")
            if section == "nodes":
                draft.node(NodeType(labels(name), found))
            else:
                draft.edge_properties(name, found)
        case "names":
            draft.unknown(labels(scan.name("a label")))
        case "ends" if scan.looking_at("{"):
            ends = parse_at(scan, bare=True)
            draft.edge(_edge(ends["start"], ends["type"], ends["end"]))
        case "ends":
            patterns.pattern(scan, draft)
        case _:
            scan.fail("a heading such as `Node properties:`")


def _edge(source: Literal, type: Literal, target: Literal) -> EdgeType:
    return EdgeType(type.name(), labels(source.name()), labels(target.name()), None)


def _drawing(text: str) -> Schema:
    draft = Draft()
    scan = Scanner(text)
    while not scan.blank().done:
        patterns.pattern(scan, draft, whole=True)
    return draft.schema(replace(CLOSED, combinations=False))


def _apoc(text: str) -> Schema:
    """`{"Movie": {"type": "node", "properties": {...}, "relationships": {"RATED": {"direction": "in", ...}}}}`.

    The ends come from both sides; an edge type that no node mentions is known by name alone.
    """
    draft = Draft()
    for name, item in parse(text).entries():
        kind = item["type"]
        found = _apoc_properties(draft, name, item)
        match kind.value:
            case "node":
                draft.node(NodeType(labels(name), found, count=_count(item)))
                _apoc_edges(draft, name, item)
            case "relationship":
                draft.edge_properties(name, found)
            case _:
                kind.fail('"node" or "relationship"')
    draft.guess("labels are listed one by one: a node may have several of them")
    return draft.schema(BY_LABEL)


def _count(item: Literal) -> int | None:
    count = item.get("count")
    return count.value if count is not None and type(count.value) is int else None


def _apoc_edges(draft: Draft, label: str, item: Literal) -> None:
    relationships = item.get("relationships")
    for type, one in relationships.entries() if relationships else ():
        found = _apoc_properties(draft, type, one)
        outgoing = one["direction"].string() == "out"
        for other in one["labels"].items():
            here, there = labels(label), labels(other.name())
            source, target = (here, there) if outgoing else (there, here)
            draft.edge(EdgeType(type, source, target, found))


def _apoc_properties(draft: Draft, owner: str, item: Literal) -> tuple[PropertyType, ...] | None:
    """Tools that shorten this JSON leave `properties` out: then they are unknown."""
    found = item.get("properties")
    return None if found is None else tuple(_apoc_property(draft, owner, name, one) for name, one in found.entries())


def _apoc_property(draft: Draft, owner: str, name: str, item: Literal) -> PropertyType:
    word = item["type"].string()
    of = draft.type(word, f"{owner}.{name}")
    array, unique, required = (
        (one := item.get(key)) is not None and one.value is True for key in ("array", "unique", "existence")
    )
    type = DataType("LIST", of) if array and of and of.name != "LIST" else of
    return PropertyType(name, type, nullable=False if required else None, unique=unique)


def _records(text: str) -> Schema:
    """Nodes and relationships of the visualization; their `properties` are about the schema, not the data."""
    draft = Draft()
    for record in parse(text, bare=True).items():
        for node in record["nodes"].items():
            draft.unknown(_labels_of(node))
        for edge in record["relationships"].items():
            ends = edge["nodes"].items()
            if len(ends) != 2:
                edge["nodes"].fail("two nodes")
            source, target = (_labels_of(node) for node in ends)
            draft.edge(EdgeType(edge["type"].name(), source, target, None))
    return draft.schema(BY_LABEL)


def _labels_of(node: Literal) -> Labels:
    return labels(*(one.name() for one in node["labels"].items()))


def _tables(text: str) -> Schema:
    """Tables and columns.  What is a node and what an edge is not said, nor in which case names are written."""
    draft = Draft()
    scan = Scanner(text.rstrip())
    scan.blank().take("|")
    draft.name = scan.name("the name of the database", "|")
    while scan.accept("|"):
        table = scan.name("the name of a table", " :", "|")
        scan.inline().take(":")
        columns = []
        while not scan.inline().done and not scan.looking_at("|"):
            columns.append(_column(scan))
            if not scan.inline().accept(",") and not scan.done and not scan.looking_at("|"):
                scan.fail("`,`", "`|`", "the end")
        draft.node(NodeType(labels(table), tuple(columns), open=True))
    if not scan.done:
        scan.fail("`|`", "the end")
    draft.guess("tables and columns are given, no keys and no edges: each table is read as a node type")
    draft.guess("names are in lower case, whatever they are in the graph, and a table may be an edge type there")
    return draft.schema(NOTHING)


def _column(scan: Scanner) -> PropertyType:
    """`pettype ( cat , dog )`: a column, with some of its values."""
    name = scan.name("the name of a column", " ,", " (", "|")
    examples: list[str] = []
    if scan.inline().accept("( "):
        while not scan.inline().accept(")"):
            examples.append(scan.name("a value", " ,", " )"))
            scan.inline().accept(",")
    return PropertyType(name, None, examples=tuple(examples))
