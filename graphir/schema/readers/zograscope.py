"""Format `zograscope-json`: `{"classes": {...}, "properties": {...}, "relations": {...}}`.

Properties are listed for the whole graph and not by class, with the types that the questions speak of; the values in
the graph are texts.  A relation has one `domain` and one `range`.
"""

from __future__ import annotations

from graphir.schema.draft import Draft
from graphir.schema.literals import Literal, parse
from graphir.schema.model import BY_LABEL, DataType, EdgeType, NodeType, PropertyType, Schema, labels


def sniff(text: str) -> bool:
    return text.lstrip().startswith("{") and '"classes"' in text and '"domain"' in text and '"range"' in text


def read(text: str) -> Schema:
    draft = Draft()
    whole = parse(text)
    found = tuple(_property(draft, name, item) for name, item in whole["properties"].entries())
    draft.guess("properties are listed for the whole graph: every class is taken to have each of them")
    for label, item in whole["classes"].entries():
        parent = item.get("parent")
        parents = labels(parent.name()) if parent else ()
        draft.node(NodeType(labels(label), found, parents=parents, description=_description(item)))
    for type, item in whole["relations"].entries():
        ends = (tuple(labels(one) for one in _names(item[end])) for end in ("domain", "range"))
        sources, targets = ends
        for source in sources:
            for target in targets:
                draft.edge(EdgeType(type, source, target, None, description=_description(item)))
    draft.guess("the properties of relations are not listed: they are unknown")
    return draft.schema(BY_LABEL)


def _property(draft: Draft, name: str, item: Literal) -> PropertyType:
    """Only STRING is taken at its word: the queries compare dates, times and numbers of this graph with texts."""
    word = item["type"].string()
    type = draft.type(word, name)
    if type != DataType("STRING"):
        draft.guess(f"{word}, the type of {name}, is that of the questions; the graph may hold texts: it is unknown")
        type = None
    return PropertyType(name, type, description=_description(item))


def _description(item: Literal) -> str | None:
    found = item.get("description")
    return found.string() if found else None


def _names(item: Literal) -> list[str]:
    return [one.name() for one in item.items()] if isinstance(item.value, list) else [item.name()]
