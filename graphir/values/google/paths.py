"""Paths of GQL: what is put together of nodes and edges, and of paths."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from typing import Any

from graphir.values.documents import Json
from graphir.values.faults import invalid
from graphir.values.references import EdgeReference, NodeReference, PathReference


def make_path(*values: Any) -> PathReference:
    """Nodes and edges in turn, then the two ends of every edge: each edge has to connect its neighbours."""
    elements = values[: 2 * (len(values) // 4) + 1]
    ends = values[len(elements) :]
    if any(value is None for value in elements):
        raise invalid("the function PATH", "what is given must not be null")
    nodes: list[NodeReference] = list(elements[::2])
    edges: list[EdgeReference] = list(elements[1::2])
    for at, (before, after) in enumerate(pairwise(nodes)):
        start, end = ends[2 * at], ends[2 * at + 1]
        if (start, end) not in ((before, after), (after, before)):
            raise invalid("the function PATH", f"the edge at index {2 * at + 1} does not connect its neighbours")
    return PathReference(tuple([node.id for node in nodes]), tuple([edge.id for edge in edges]))


def elements(path: PathReference | None) -> list[NodeReference | EdgeReference] | None:
    """Nodes and edges in turn."""
    if path is None:
        return None
    found: list[NodeReference | EdgeReference] = [NodeReference(path.nodes[0])]
    for edge, node in zip(path.edges, path.nodes[1:], strict=True):
        found += [EdgeReference(edge), NodeReference(node)]
    return found


def concatenated(first: PathReference | None, second: PathReference | None) -> PathReference | None:
    """The second path begins where the first ends."""
    if first is None or second is None:
        return None
    if first.nodes[-1] != second.nodes[0]:
        raise invalid("||", "the first node of a path is not the last of the path before it")
    return PathReference((*first.nodes, *second.nodes[1:]), (*first.edges, *second.edges))


def document(nodes: Json | None, edges: Json | None) -> Json | None:
    """The documents of nodes and edges in turn."""
    if nodes is None or edges is None:
        return None
    listed = [nodes.value[0]]
    for edge, node in zip(edges.value, nodes.value[1:], strict=True):
        listed += [edge, node]
    return Json(listed)


def sorted_names(names: list[str] | None) -> list[str] | None:
    """Names in order, without regard to case."""
    return None if names is None else sorted(names, key=lambda name: (name.lower(), name))


def with_declared(properties: dict[str, Any] | None, declared: list[str] | None) -> dict[str, Any] | None:
    """The properties, and null for the others that are declared."""
    return None if properties is None else {**dict.fromkeys(declared or ()), **properties}


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "make_path": make_path,
    "path_elements": elements,
    "concat_paths": concatenated,
    "path_document": document,
    "sorted_names": sorted_names,
    "with_declared": with_declared,
}
"""Name of a bridge -> function."""
