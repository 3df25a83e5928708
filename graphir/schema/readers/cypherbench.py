"""Format `cypherbench-json`: `{"name": ..., "entities": [{"label", "properties"}], "relations": [...]}`.

CypherBench makes its graphs from Wikidata: every entity has one label and a `name`, which the format does not list.
"""

from __future__ import annotations

from graphir.schema.draft import Draft
from graphir.schema.literals import Literal, parse
from graphir.schema.model import CLOSED, DataType, EdgeType, NodeType, PropertyType, Schema, labels


def sniff(text: str) -> bool:
    return text.lstrip().startswith("{") and '"entities"' in text and '"relations"' in text and '"subj_label"' in text


def read(text: str) -> Schema:
    whole = parse(text)
    name = whole.get("name")
    draft = Draft(name.string() if name else None)
    for item in whole["entities"].items():
        label = item["label"].name()
        found = _properties(draft, label, item)
        if all(one.name != "name" for one in found):
            draft.guess("every entity has the property `name`, which this format leaves out")
            found = (*found, PropertyType("name", DataType("STRING")))
        description = item.get("description")
        draft.node(NodeType(labels(label), found, description=description.string() if description else None))
    for item in whole["relations"].items():
        type = item["label"].name()
        ends = labels(item["subj_label"].name()), labels(item["obj_label"].name())
        draft.edge(EdgeType(type, *ends, _properties(draft, type, item)))
    return draft.schema(CLOSED)


def _properties(draft: Draft, owner: str, item: Literal) -> tuple[PropertyType, ...]:
    return tuple(
        PropertyType(name, draft.type(word.string(), f"{owner}.{name}")) for name, word in item["properties"].entries()
    )
