"""Formats `mtq` and `neo4j-structured-dict`: LangChain's structured schema, with and without its statistics.

    {"node_props": {"Movie": [{"property": "title", "datatype": "STRING"}]}, "rel_props": {...},
     "relationships": [{"start": "User", "type": "RATED", "end": "Movie"}]}

The second is printed by Python, calls the type `type`, and adds `values`, `min`, `max`, `distinct_count`, sizes of
lists, and `metadata` with constraints and indexes.  Labels are listed one by one; texts are cut at 50 characters.
"""

from __future__ import annotations

from dataclasses import replace

from graphir.schema.draft import Draft
from graphir.schema.literals import Literal, parse
from graphir.schema.model import BY_LABEL, EdgeType, NodeType, PropertyType, Schema, labels
from graphir.schema.readers.markdown import with_examples, with_options, with_range

CATEGORIES = 10
"""The most values that LangChain lists in full."""


def sniff(text: str) -> bool:
    start = text.lstrip()[:16]
    return start.startswith("{") and "node_props" in start


def sniff_mtq(text: str) -> bool:
    return sniff(text) and '"datatype"' in text


def sniff_structured(text: str) -> bool:
    return sniff(text) and '"datatype"' not in text


def read(text: str) -> Schema:
    draft = Draft()
    whole = parse(text)
    nodes, edges = whole["node_props"], whole["rel_props"]
    for label, items in nodes.entries():
        draft.node(NodeType(labels(label), tuple(_property(draft, label, item) for item in items.items())))
    for type, items in edges.entries():
        draft.edge_properties(type, tuple(_property(draft, type, item) for item in items.items()))
    for item in whole["relationships"].items():
        ends = labels(item["start"].name()), labels(item["end"].name())
        draft.edge(EdgeType(item["type"].name(), *ends, None))
    draft.guess("labels are listed one by one: a node may have several of them")
    if not edges.value:
        draft.guess("no relationship properties are listed: whether there are any is unknown")
    schema = draft.schema(BY_LABEL, bare=() if edges.value else None, bare_nodes=() if nodes.value else None)
    metadata = whole.get("metadata")
    return schema if metadata is None else _constrained(schema, metadata)


def _property(draft: Draft, owner: str, item: Literal) -> PropertyType:
    word = item["datatype"] if item.has("datatype") else item["type"]
    name = item["property"].name()
    one = PropertyType(name, draft.type(word.string(), f"{owner}.{name}"), distinct=_number(item, "distinct_count"))
    least, greatest = _number(item, "min_size"), _number(item, "max_size")
    if least is not None and greatest is not None:
        one = replace(one, sizes=(least, greatest))
    if (values := item.get("values")) is not None and values.value:
        texts = tuple(value.plain() for value in values.items())
        whole = one.distinct == len(texts) <= CATEGORIES
        one = (with_options if whole else with_examples)(draft, owner, one, texts)
    if (low := item.get("min")) is not None and (high := item.get("max")) is not None:
        one = with_range(draft, owner, one, low.plain(), high.plain())
    return one


def _number(item: Literal, key: str) -> int | None:
    found = item.get(key)
    return found.value if found is not None and type(found.value) is int else None


def _constrained(schema: Schema, metadata: Literal) -> Schema:
    """The schema with what its constraints say: uniqueness, existence, keys.  Labels that it does not list stay out."""
    found: list[tuple[str, str, frozenset[str], tuple[str, ...]]] = []
    constraints = metadata.get("constraint")
    for item in constraints.items() if constraints else ():
        names = frozenset(one.name() for one in item["labelsOrTypes"].items())
        of = tuple(one.name() for one in item["properties"].items())
        found.append((item["type"].string(), item["entityType"].string(), names, of))
    nodes = [
        _apply(node, [(kind, of) for kind, entity, names, of in found if entity == "NODE" and names & {*node.labels}])
        for node in schema.node_types
    ]
    edges = [
        _apply(edge, [(kind, of) for kind, entity, names, of in found if entity != "NODE" and edge.type in names])
        for edge in schema.edge_types
    ]
    return replace(schema, node_types=tuple(nodes), edge_types=tuple(edges))  # type: ignore[arg-type]


def _apply(owner: NodeType | EdgeType, constraints: list[tuple[str, tuple[str, ...]]]) -> NodeType | EdgeType:
    if owner.properties is None:
        return owner
    by_name = {one.name: one for one in owner.properties}
    key = owner.key
    for kind, of in constraints:
        if not set(of) <= set(by_name):
            continue
        if "UNIQUENESS" in kind and len(of) == 1:
            by_name[of[0]] = replace(by_name[of[0]], unique=True)
        elif "KEY" in kind:
            key = key or of
        elif "EXISTENCE" in kind:
            by_name[of[0]] = replace(by_name[of[0]], nullable=False)
    return replace(owner, properties=tuple(by_name.values()), key=key)
