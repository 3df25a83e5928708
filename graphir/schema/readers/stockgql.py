"""Format `stockgql-json`: `{"schema_dic_en": {"Nodes": {...}, "Relations": {...}}, "schema_dic_cn": {...}}`.

Each member is a text that looks like a dict of Python but for its comments: `('name', 'string')#名称`.  The two
dictionaries describe the same graph, one with comments; they are united.  Properties of edges have no type.
"""

from __future__ import annotations

from dataclasses import replace

from graphir.diagnostics import SyntaxFault
from graphir.schema.draft import Draft
from graphir.schema.literals import Literal, parse
from graphir.schema.model import BY_LABEL, DataType, EdgeType, NodeType, PropertyType, Schema, labels


def sniff(text: str) -> bool:
    return text.lstrip().startswith("{") and '"schema_dic_' in text and '"Relations"' in text


def read(text: str) -> Schema:
    draft = Draft()
    for name, dictionary in parse(text).entries():
        if not name.startswith("schema_dic_"):
            dictionary.fail("the key `schema_dic_en` or `schema_dic_cn`")
        for _, item in dictionary["Nodes"].entries():
            _node(draft, _inner(item))
        for _, item in dictionary["Relations"].entries():
            _edge(draft, _inner(item))
    draft.guess("what follows `#` is a comment up to the next quoted text, parenthesis or closing bracket")
    draft.guess("the properties of edges have no types: they are unknown")
    return draft.schema(BY_LABEL)


def _inner(item: Literal) -> Literal:
    """The dict in the text.  A fault in it is placed where the text begins."""
    try:
        return parse(item.string(), comments=True)
    except SyntaxFault as fault:
        item.fail("a dict of Python in quotes: " + fault.diagnostics[0].message)


def _node(draft: Draft, item: Literal) -> None:
    tag = item["tag"]
    found = []
    for one in item["properties"].items():
        if len(one.items()) != 2:
            one.fail("a pair of name and type")
        name, word = (part.name() for part in one.items())
        found.append(PropertyType(name, _type(draft, word, f"{tag.name()}.{name}"), description=one.comment))
    draft.node(NodeType(labels(tag.name()), tuple(found), description=tag.comment))


def _type(draft: Draft, word: str, of: str) -> DataType | None:
    """Nebula's `datetime` has no zone."""
    type = draft.type(word, of)
    return replace(type, name="LOCAL DATETIME") if type and type.name == "ZONED DATETIME" else type


def _edge(draft: Draft, item: Literal) -> None:
    edge = item["edge"]
    found = tuple(PropertyType(one.name(), description=one.comment) for one in item["properties"].items())
    ends = labels(item["start_tag"].name()), labels(item["end_tag"].name())
    draft.edge(EdgeType(edge.name(), *ends, found, description=edge.comment))
