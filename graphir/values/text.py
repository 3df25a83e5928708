"""Values as openCypher text: the literals of a language where there are some, the notation of openCypher's tests else.

    null  true  1  1.0  'it\\'s'  [1, 2]  {name: 'x'}  '1984-10-11'  (:A:B {k: 1})  [:T {k: 1}]  <(:A)-[:T]->(:B)>

Temporal values are their text in quotes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from graphir.quoting import ticked
from graphir.values.dates import Date
from graphir.values.datetimes import DateTime, LocalDateTime
from graphir.values.documents import Json
from graphir.values.durations import Duration
from graphir.values.entities import Edge, Node, Path
from graphir.values.numbers import float_text
from graphir.values.points import Point
from graphir.values.times import LocalTime, Time

_ESCAPES = str.maketrans({"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t"})


def quoted(value: str) -> str:
    """A string as a literal in single quotes."""
    return f"'{value.translate(_ESCAPES)}'"


def name_text(name: str) -> str:
    """A name, in backticks where it needs them."""
    return name if name.isidentifier() else ticked(name)


def text(value: Any) -> str:
    """The text of a value; `str()` of one of another type, in quotes.

    >>> text({"name": "it's", "when": Date.of(1984, 10, 11), "n": [1, 2.0, None]})
    "{name: 'it\\\\'s', when: '1984-10-11', n: [1, 2.0, null]}"
    """
    write = _WRITERS.get(type(value))
    if write is not None:
        return write(value)
    if isinstance(value, Mapping):
        return _map(value)
    return _list(value) if isinstance(value, Sequence) and not isinstance(value, str | bytes) else quoted(str(value))


def _list(value: Iterable[Any]) -> str:
    return "[" + ", ".join(map(text, value)) + "]"


def _map(value: Mapping[str, Any]) -> str:
    return "{" + ", ".join(f"{name_text(key)}: {text(item)}" for key, item in value.items()) + "}"


def _body(head: str, properties: Mapping[str, Any]) -> str:
    """Labels or type, then the properties that are there."""
    shown = {key: item for key, item in properties.items() if item is not None}
    return " ".join(part for part in (head, _map(shown) if shown else "") if part)


def _node(node: Node) -> str:
    return f"({_body(''.join(f':{name_text(label)}' for label in node.labels), node.properties)})"


def _edge(edge: Edge) -> str:
    return f"[{_body(f':{name_text(edge.type)}', edge.properties)}]"


def _path(path: Path) -> str:
    pieces = [_node(path.nodes[0])]
    for before, edge, after in zip(path.nodes, path.edges, path.nodes[1:], strict=False):
        forward = edge.start == before.id and edge.end == after.id
        pieces.append(f"-{_edge(edge)}->{_node(after)}" if forward else f"<-{_edge(edge)}-{_node(after)}")
    return f"<{''.join(pieces)}>"


def _quoted_text(value: Any) -> str:
    return f"'{value}'"


_WRITERS: dict[type[Any], Callable[[Any], str]] = {
    type(None): lambda _: "null",
    bool: lambda value: "true" if value else "false",
    int: str,
    float: float_text,
    str: quoted,
    list: _list,
    tuple: _list,
    dict: _map,
    Node: _node,
    Edge: _edge,
    Path: _path,
    Point: str,
    Json: str,
    **dict.fromkeys((Date, LocalTime, Time, LocalDateTime, DateTime, Duration), _quoted_text),
}
