"""Format `multidomain-json`: `[{"Type": "Node", "Label", "Attributes"}, {"Type": "Relation", ..., "From", "To"}]`."""

from __future__ import annotations

from graphir.schema.draft import Draft
from graphir.schema.literals import Literal, parse
from graphir.schema.model import BY_LABEL, EdgeType, NodeType, PropertyType, Schema, labels


def sniff(text: str) -> bool:
    return text.lstrip().startswith("[") and '"Attributes"' in text and '"Label"' in text


def read(text: str) -> Schema:
    draft = Draft()
    for item in parse(text).items():
        name = item["Label"].name()
        found = _properties(draft, name, item)
        match item["Type"].value:
            case "Node":
                draft.node(NodeType(labels(name), found))
            case "Relation":
                ends = labels(item["From"].name()), labels(item["To"].name())
                draft.edge(EdgeType(name, *ends, found))
            case _:
                item["Type"].fail('"Node" or "Relation"')
    draft.guess("labels are listed one by one: a node may have several of them")
    return draft.schema(BY_LABEL)


def _properties(draft: Draft, owner: str, item: Literal) -> tuple[PropertyType, ...]:
    return tuple(
        PropertyType(name, draft.type(word.string(), f"{owner}.{name}")) for name, word in item["Attributes"].entries()
    )
