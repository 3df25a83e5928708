"""Format `tugraph-json`: `{"schema": [{"label", "type": "VERTEX", "primary", "properties"}, {"type": "EDGE"}]}`.

TuGraph keeps to its schema: properties are complete and required unless `optional`.  `constraints` are the pairs of
labels that an edge type may connect; without them it may connect any, and the ends are unknown.
"""

from __future__ import annotations

from collections.abc import Iterator

from graphir.schema.draft import Draft
from graphir.schema.literals import Literal, parse
from graphir.schema.model import CLOSED, EdgeType, Labels, NodeType, PropertyType, Schema, labels


def sniff(text: str) -> bool:
    return text.lstrip().startswith("{") and '"schema"' in text and ('"VERTEX"' in text or '"EDGE"' in text)


def read(text: str) -> Schema:
    whole = parse(text)
    name = whole.get("db_id")
    draft = Draft(name.string() if name else None)
    for item in whole["schema"].items():
        label = item["label"].name()
        found = _properties(draft, label, item)
        match item["type"].value:
            case "VERTEX":
                primary = item.get("primary")
                draft.node(NodeType(labels(label), found, key=(primary.name(),) if primary else ()))
            case "EDGE":
                for source, target in _ends(draft, label, item):
                    draft.edge(EdgeType(label, source, target, found))
            case _:
                item["type"].fail('"VERTEX" or "EDGE"')
    return draft.schema(CLOSED)


def _ends(draft: Draft, type: str, item: Literal) -> Iterator[tuple[Labels | None, Labels | None]]:
    constraints = item.get("constraints")
    if constraints is None or not constraints.items():
        draft.guess(f"the ends of the edge type {type} are not given: they are unknown")
        yield None, None
        return
    for pair in constraints.items():
        if len(pair.items()) != 2:
            pair.fail("two labels")
        source, target = pair.items()
        yield labels(source.name()), labels(target.name())


def _properties(draft: Draft, owner: str, item: Literal) -> tuple[PropertyType, ...]:
    found = item.get("properties")
    return tuple(_property(draft, owner, one) for one in found.items()) if found else ()


def _property(draft: Draft, owner: str, item: Literal) -> PropertyType:
    name = item["name"].name()
    optional, unique, description = (item.get(key) for key in ("optional", "unique", "description"))
    return PropertyType(
        name,
        draft.type(item["type"].string(), f"{owner}.{name}"),
        nullable=optional is not None and optional.value is True,
        unique=unique is not None and unique.value is True,
        description=description.string() if description else None,
    )
