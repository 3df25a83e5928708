"""Schemas for the tests of the passes."""

from __future__ import annotations

from graphir.schema import BY_LABEL, CLOSED, Coverage, EdgeType, NodeType, PropertyType, Schema, labels


def properties(words: str) -> tuple[PropertyType, ...]:
    return tuple(PropertyType(name) for name in words.split())


def schema(nodes: dict[str, str], edges: dict[str, str], coverage: Coverage = BY_LABEL) -> Schema:
    """`nodes`: labels (`A`, `A:B`, `A < Parent`) -> properties; `edges`: `A R B` -> properties."""
    return Schema(
        tuple(_node(names, known) for names, known in nodes.items()),
        tuple(_edge(triple.split(), known) for triple, known in edges.items()),
        coverage,
    )


def _node(names: str, known: str) -> NodeType:
    own, _, parents = names.partition("<")
    return NodeType(labels(*own.strip().split(":")), properties(known), parents=labels(*parents.split()))


def _edge(triple: list[str], known: str) -> EdgeType:
    source, type, target = triple
    return EdgeType(type, labels(*source.split(":")), labels(*target.split(":")), properties(known))


MOVIES = schema(
    {"Person": "name born", "Movie": "title released", "Genre": "name", "User": "userId name"},
    {
        "Person ACTED_IN Movie": "roles",
        "Person DIRECTED Movie": "",
        "Person KNOWS Person": "since",
        "Movie IN_GENRE Genre": "",
        "User RATED Movie": "rating",
    },
)
"""Labels one by one."""

EXACT = schema(
    {"Person": "name", "Actor < Person": "awards", "Extra:Person": "name agency", "Movie": "title"},
    {"Actor ACTED_IN Movie": "roles", "Person SAW Movie": "", "Extra:Person WALKED_IN Movie": ""},
    CLOSED,
)
"""Sets of labels and inheritance."""

ALIKE = schema(
    {
        "Actor": "name born died bio url",
        "Director": "name born died bio url style",
        "Movie": "title released",
        "Book": "isbn",
    },
    {"Actor ACTED_IN Movie": "", "Director DIRECTED Movie": "", "Book INSPIRED Movie": ""},
)
"""Labels that may be of the same nodes."""
