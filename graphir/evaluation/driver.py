"""Results as the neo4j driver for Python hands them to an evaluator: what `Result.data()` makes of the values, and what
`str()` makes of them.  The published comparators inherit their treatment of entities from it.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from graphir.evaluation.rows import Row, Table
from graphir.values.entities import Edge, Node, Path
from graphir.values.points import Point

Known = dict[int | str, Mapping[str, Any]]


def data(given: Table) -> list[Row]:
    """The rows of `Result.data()`: a node is the map of its properties, an edge the tuple of its start, its type and
    its end, a path the list of nodes and types.

    Of the ends of an edge the driver knows the properties only if the nodes came in that row or before.
    """
    known: Known = {}
    rows = []
    for row in given.rows:
        for value in row:
            _learn(value, known)
        rows.append(tuple([_plain(value, known) for value in row]))
    return rows


def _learn(value: Any, known: Known) -> None:
    match value:
        case Node():
            known[value.id] = value.properties
        case Path():
            known.update({node.id: node.properties for node in value.nodes})
        case list():
            for item in value:
                _learn(item, known)
        case dict():
            for item in value.values():
                _learn(item, known)
        case _:
            pass


def _plain(value: Any, known: Known) -> Any:
    match value:
        case Node():
            return dict(value.properties)
        case Edge():
            return (dict(known.get(value.start, {})), value.type, dict(known.get(value.end, {})))
        case Path():
            steps: list[Any] = [dict(value.start.properties)]
            for edge, node in zip(value.edges, value.nodes[1:], strict=True):
                steps += [edge.type, dict(node.properties)]
            return steps
        case Point():
            return value.coordinates
        case list():
            return [_plain(item, known) for item in value]
        case dict():
            return {key: _plain(item, known) for key, item in value.items()}
        case _:
            return value


def displayed(value: Any) -> str:
    """`str()` of a value of the driver: Python's text for what Python has, ISO texts for temporal values."""
    return str(_shown(value))


@dataclass(frozen=True, slots=True, repr=False)
class _Shown:
    """A value with the driver's `repr`."""

    text: str

    def __repr__(self) -> str:
        return self.text


def _shown(value: Any) -> Any:
    match value:
        case Node():
            return _Shown(_node_text(value))
        case Edge():
            ends = f"<Node element_id={str(value.start)!r}>, <Node element_id={str(value.end)!r}>"
            properties = _shown(dict(value.properties))
            identity = f"element_id={str(value.id)!r} nodes=({ends}) type={value.type!r}"
            return _Shown(f"<Relationship {identity} properties={properties}>")
        case Path():
            ends = f"start={_node_text(value.start)} end={_node_text(value.end)}"
            return _Shown(f"<Path {ends} size={len(value)}>")
        case list():
            return [_shown(item) for item in value]
        case dict():
            return {key: _shown(item) for key, item in value.items()}
        case _:
            return value


def _node_text(node: Node) -> str:
    labels = ", ".join(map(repr, sorted(node.labels)))
    return (
        f"<Node element_id={str(node.id)!r} labels=frozenset({{{labels}}}) properties={_shown(dict(node.properties))}>"
    )
