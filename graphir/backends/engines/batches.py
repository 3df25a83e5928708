"""A graph as statements with parameters, for engines that are loaded through Cypher.

Rows that are written in the same way go together.  Values that a parameter may not hold everywhere are sent as text and
made by the constructor of their type.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from graphir.backends.engines.constants import CONSTRUCTORS, point_parts
from graphir.backends.engines.faults import UNHELD, fault
from graphir.quoting import ticked
from graphir.values.entities import Edge, Node
from graphir.values.points import Point

Way = tuple[tuple[str, str, bool], ...]
"""Properties that are sent as text: key, constructor, whether it is a list."""

BATCH = 1_000
"""Rows that go together at most."""


class Batch(NamedTuple):
    """A statement that returns `at` and `id` per row, and its rows: `at`, `plain`, `made`; those of edges have ends."""

    text: str
    rows: list[dict[str, Any]]


def node_batches(nodes: Iterable[Node], identity: str) -> Iterator[Batch]:
    """Statements that create the nodes; `at` is the place of a node.  `identity` is the function that gives an id."""
    groups: dict[tuple[tuple[str, ...], Way], list[dict[str, Any]]] = {}
    for at, node in enumerate(nodes):
        plain, made, way = _split(node.properties)
        groups.setdefault((node.labels, way), []).append({"at": at, "plain": plain, "made": made})
    for (labels, way), rows in groups.items():
        words = "".join(f":{ticked(label)}" for label in labels)
        text = f"UNWIND $rows AS row CREATE (n{words}) SET n = row.plain{_settings('n', way)} "
        yield from _cut(f"{text}RETURN row.at AS at, {identity}(n) AS id", rows)


def edge_batches(edges: Iterable[Edge], ends: Mapping[Any, Any], identity: str) -> Iterator[Batch]:
    """Statements that create the edges between nodes that are there; `ends` are the engine's ids of the nodes."""
    groups: dict[tuple[str, Way], list[dict[str, Any]]] = {}
    for at, edge in enumerate(edges):
        plain, made, way = _split(edge.properties)
        row = {"at": at, "plain": plain, "made": made, "source": ends[edge.start], "target": ends[edge.end]}
        groups.setdefault((edge.type, way), []).append(row)
    for (word, way), rows in groups.items():
        text = (
            f"UNWIND $rows AS row MATCH (a) WHERE {identity}(a) = row.source "
            f"MATCH (b) WHERE {identity}(b) = row.target "
            f"CREATE (a)-[r:{ticked(word)}]->(b) SET r = row.plain{_settings('r', way)} "
        )
        yield from _cut(f"{text}RETURN row.at AS at, {identity}(r) AS id", rows)


def _cut(text: str, rows: list[dict[str, Any]]) -> Iterator[Batch]:
    for start in range(0, len(rows), BATCH):
        yield Batch(text, rows[start : start + BATCH])


def _settings(variable: str, way: Way) -> str:
    """The clause that makes values of their texts."""
    if not way:
        return ""
    made = []
    for at, (key, constructor, many) in enumerate(way):
        source = f"row.made[{at}]"
        value = f"[x IN {source} | {constructor}(x)]" if many else f"{constructor}({source})"
        name = key if key.isascii() and key.isidentifier() else ticked(key)  # not every engine takes quotes there
        made.append(f"{variable}.{name} = {value}")
    return " SET " + ", ".join(made)


def _split(properties: Mapping[str, Any]) -> tuple[dict[str, Any], list[Any], Way]:
    """The properties that go as they are, the texts of the others, and how those are made."""
    plain: dict[str, Any] = {}
    made: list[Any] = []
    way = []
    for key, value in properties.items():
        many = isinstance(value, (list, tuple))
        items = list(value) if many else [value]
        kinds = {_constructor(item) for item in items}
        if kinds <= {None}:
            plain[key] = items if many else value
            continue
        if len(kinds) > 1:
            raise fault(UNHELD, f"the list of property {key!r} holds values of several types", feature="mixed list")
        texts = [point_parts(item) if isinstance(item, Point) else str(item) for item in items]
        made.append(texts if many else texts[0])
        way.append((key, str(kinds.pop()), many))
    return plain, made, tuple(way)


def _constructor(value: Any) -> str | None:
    if isinstance(value, Point):
        return "point"
    found = CONSTRUCTORS.get(type(value))
    if found is None and not (value is None or isinstance(value, (bool, int, float, str))):
        raise fault(UNHELD, f"a {type(value).__name__} cannot be stored in this engine", feature="property type")
    return found
