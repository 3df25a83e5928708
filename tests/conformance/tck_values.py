"""The values of the openCypher TCK as its tables write them, and when a value that a query gave is the one expected.

    read("[1, 2.5, 'a', null, (:A {x: 1}), <(:A)-[:T]->(:B)>]")

Entities have no ids there: two are the same when labels or type and properties are.  Temporal values and points stand
as their texts in quotes.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from graphir.values import Edge, Node, Path


@dataclass(frozen=True)
class NodeShape:
    labels: frozenset[str] = frozenset()
    properties: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class EdgeShape:
    type: str
    properties: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class PathShape:
    """`forward` says of each edge whether it points along the path."""

    nodes: tuple[NodeShape, ...]
    edges: tuple[EdgeShape, ...]
    forward: tuple[bool, ...]


# ------------------------------------------------------------------ reading

_NUMBER = re.compile(r"-?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
_NAME = re.compile(r"`((?:[^`]|``)*)`|([^\W\d]\w*)")
_TEXT = re.compile(r"'((?:[^'\\]|\\.)*)'", re.DOTALL)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_WORDS = {"null": None, "true": True, "false": False, "NaN": math.nan, "Inf": math.inf, "-Inf": -math.inf}


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def fail(self) -> ValueError:
        return ValueError(f"no value at {self.at} of {self.text!r}")

    def space(self) -> None:
        while self.at < len(self.text) and self.text[self.at].isspace():
            self.at += 1

    def take(self, token: str) -> bool:
        self.space()
        if not self.text.startswith(token, self.at):
            return False
        self.at += len(token)
        return True

    def need(self, token: str) -> None:
        if not self.take(token):
            raise self.fail()

    def match(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        self.space()
        found = pattern.match(self.text, self.at)
        if found:
            self.at = found.end()
        return found

    def name(self) -> str:
        found = self.match(_NAME)
        if not found:
            raise self.fail()
        return found[2] or found[1].replace("``", "`")

    def value(self) -> Any:
        if found := self.match(_TEXT):
            return _ESCAPE.sub(r"\1", found[1])
        for word, value in _WORDS.items():
            if self.match(re.compile(re.escape(word) + r"\b")):
                return value
        if found := self.match(_NUMBER):
            return float(found[0]) if any(mark in found[0] for mark in ".eE") else int(found[0])
        if self.take("["):
            return self.edge() if self.take(":") else self.sequence("]", self.value)
        if self.take("{"):
            return self.map()
        if self.take("("):
            return self.node()
        if self.take("<"):
            return self.path()
        raise self.fail()

    def sequence(self, end: str, item: Callable[[], Any]) -> list[Any]:
        found: list[Any] = []
        while not self.take(end):
            if found:
                self.need(",")
            found.append(item())
        return found

    def entry(self) -> tuple[str, Any]:
        key = self.name()
        self.need(":")
        return key, self.value()

    def map(self) -> dict[str, Any]:
        return dict(self.sequence("}", self.entry))

    def node(self) -> NodeShape:
        """After the bracket."""
        labels = set()
        while self.take(":"):
            labels.add(self.name())
        properties = self.map() if self.take("{") else {}
        self.need(")")
        return NodeShape(frozenset(labels), properties)

    def edge(self) -> EdgeShape:
        """After the colon."""
        kind = self.name()
        properties = self.map() if self.take("{") else {}
        self.need("]")
        return EdgeShape(kind, properties)

    def path(self) -> PathShape:
        self.need("(")
        nodes, edges, forward = [self.node()], [], []
        while not self.take(">"):
            back = self.take("<-")
            if not back:
                self.need("-")
            self.need("[")
            self.need(":")
            edges.append(self.edge())
            self.need("-" if back else "->")
            self.need("(")
            nodes.append(self.node())
            forward.append(not back)
        return PathShape(tuple(nodes), tuple(edges), tuple(forward))


def read(text: str) -> Any:
    """The value that a cell of a table spells."""
    reader = _Reader(text)
    value = reader.value()
    reader.space()
    if reader.at != len(text):
        raise reader.fail()
    return value


# ------------------------------------------------------------------ comparing


def same(expected: Any, actual: Any, *, unordered_lists: bool = False) -> bool:
    """Whether a value is the one that a table expects.  Integers and floats differ; NaN is NaN."""
    if isinstance(expected, list):
        if not isinstance(actual, (list, tuple)) or len(expected) != len(actual):
            return False
        if unordered_lists:
            return same_bag(expected, actual, lambda a, b: same(a, b, unordered_lists=True))
        return all(same(a, b) for a, b in zip(expected, actual, strict=True))
    if isinstance(expected, dict):
        if not isinstance(actual, dict) or expected.keys() != actual.keys():
            return False
        return all(same(item, actual[key], unordered_lists=unordered_lists) for key, item in expected.items())
    if isinstance(expected, NodeShape):
        return isinstance(actual, Node) and _same_node(expected, actual)
    if isinstance(expected, EdgeShape):
        return isinstance(actual, Edge) and _same_edge(expected, actual)
    if isinstance(expected, PathShape):
        return isinstance(actual, Path) and _same_path(expected, actual)
    if isinstance(expected, str):
        return expected == (actual if isinstance(actual, str) else _text(actual))
    if isinstance(expected, float) and isinstance(actual, float) and math.isnan(expected):
        return math.isnan(actual)
    return type(expected) is type(actual) and expected == actual


def _text(value: Any) -> str | None:
    """The text of a temporal value or point; None for everything that a table writes otherwise."""
    return None if value is None or isinstance(value, (bool, int, float, list, dict, Node, Edge, Path)) else str(value)


def _same_node(expected: NodeShape, actual: Node) -> bool:
    return expected.labels == frozenset(actual.labels) and same(expected.properties, dict(actual.properties))


def _same_edge(expected: EdgeShape, actual: Edge) -> bool:
    return expected.type == actual.type and same(expected.properties, dict(actual.properties))


def _same_path(expected: PathShape, actual: Path) -> bool:
    if len(expected.edges) != len(actual.edges):
        return False
    starts = [edge.start == node.id for edge, node in zip(actual.edges, actual.nodes, strict=False)]
    loops = [edge.start == edge.end for edge in actual.edges]
    return (
        all(map(_same_node, expected.nodes, actual.nodes))
        and all(map(_same_edge, expected.edges, actual.edges))
        and all(a == b or loop for a, b, loop in zip(expected.forward, starts, loops, strict=True))
    )


def same_bag(expected: Sequence[Any], actual: Sequence[Any], equal: Callable[[Any, Any], bool]) -> bool:
    """Whether two sequences hold the same items as often, in any order."""
    if len(expected) != len(actual):
        return False
    left = list(actual)
    for item in expected:
        at = next((at for at, other in enumerate(left) if equal(item, other)), None)
        if at is None:
            return False
        del left[at]
    return True


def same_rows(
    expected: Sequence[Sequence[Any]],
    actual: Sequence[Sequence[Any]],
    *,
    ordered: bool = False,
    unordered_lists: bool = False,
) -> bool:
    """Whether the rows of a result are those of a table, in order where that counts."""

    def equal(one: Sequence[Any], other: Sequence[Any]) -> bool:
        pairs = zip(one, other, strict=True) if len(one) == len(other) else ()
        return len(one) == len(other) and all(same(a, b, unordered_lists=unordered_lists) for a, b in pairs)

    if ordered:
        return len(expected) == len(actual) and all(map(equal, expected, actual))
    return same_bag(expected, actual, equal)
