"""Results as the neo4j driver for Python hands them to an evaluator: what `Result.data()` makes of the values, and what
`str()` makes of them.  The published comparators inherit their treatment of entities from it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from graphir.evaluation.rows import Row, Table
from graphir.values.dates import Date
from graphir.values.datetimes import DateTime, LocalDateTime
from graphir.values.entities import Edge, Node, Path
from graphir.values.points import Point
from graphir.values.times import LocalTime, Time

Known = dict[int | str, Node]
"""Nodes that came in a row, by id."""


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
            known[value.id] = value
        case Path():
            known.update({node.id: node for node in value.nodes})
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
            start, end = [dict(known[node].properties) if node in known else {} for node in (value.start, value.end)]
            return (start, value.type, end)
        case Path():
            steps: list[Any] = [dict(value.start.properties)]
            for edge, node in zip(value.edges, value.nodes[1:], strict=True):
                steps += [edge.type, dict(node.properties)]
            return steps
        case list():
            return [_plain(item, known) for item in value]
        case dict():
            return {key: _plain(item, known) for key, item in value.items()}
        case _:
            return value


def texts(given: Table) -> list[tuple[str, ...]]:
    """`str()` of every value of the records: an edge shows its ends as far as the driver knows them."""
    known: Known = {}
    rows = []
    for row in given.rows:
        for value in row:
            _learn(value, known)
        rows.append(tuple([str(_shown(value, known, inner=False)) for value in row]))
    return rows


@dataclass(frozen=True, slots=True, repr=False)
class _Shown:
    """A value with the driver's `repr`."""

    text: str

    def __repr__(self) -> str:
        return self.text


def _shown(value: Any, known: Known, *, inner: bool = True) -> Any:
    """A value that `str()` makes the driver's text of; `inner`: as part of another, where `repr` counts."""
    match value:
        case Node():
            return _Shown(_node_text(value.id, value, known))
        case Edge():
            ends = ", ".join([_node_text(end, known.get(end), known) for end in (value.start, value.end)])
            properties = _shown(dict(value.properties), known)
            identity = f"element_id={str(value.id)!r} nodes=({ends}) type={value.type!r}"
            return _Shown(f"<Relationship {identity} properties={properties}>")
        case Path():
            first, last = [_node_text(node.id, node, known) for node in (value.start, value.end)]
            return _Shown(f"<Path start={first} end={last} size={len(value)}>")
        case Point():
            kind = "WGS84Point" if value.geographic else "CartesianPoint"
            return _Shown(f"{kind}({', '.join(map(repr, value.coordinates))})")
        case list():
            return [_shown(item, known) for item in value]
        case dict():
            return {key: _shown(item, known) for key, item in value.items()}
        case _:
            return value if inner else iso(value)


def _node_text(key: int | str, node: Node | None, known: Known) -> str:
    labels = ", ".join(map(repr, sorted(node.labels))) if node else ""
    properties = _shown(dict(node.properties), known) if node else {}
    shown = f"{{{labels}}}" if labels else ""
    return f"<Node element_id={str(key)!r} labels=frozenset({shown}) properties={properties}>"


def iso(value: Any) -> Any:
    """Times with nine digits, and with their offset but not the name of their zone; everything else as it is."""
    match value:
        case LocalTime():
            return _clock(value.nanos)
        case Time():
            return f"{_clock(value.nanos)}{_offset(value.offset)}"
        case LocalDateTime():
            return f"{Date(value.days)}T{_clock(value.nanos)}"
        case DateTime():
            local = LocalDateTime(value.second + value.offset, value.nano)
            return f"{Date(local.days)}T{_clock(local.nanos)}{_offset(value.offset)}"
        case _:
            return value


def _clock(nanos: int) -> str:
    seconds, nano = divmod(nanos, 1_000_000_000)
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}.{nano:09d}"


def _offset(seconds: int) -> str:
    hours, minutes = divmod(abs(seconds) // 60, 60)
    return f"{'-' if seconds < 0 else '+'}{hours:02d}:{minutes:02d}"
