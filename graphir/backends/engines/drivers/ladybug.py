"""Ladybug (the successor of Kuzu) in this process, in memory.  It reads; its tables are made of the graph.

A label is a table of nodes, a type is a table of edges.  Its keys are numbers of ours in a column of every table.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from typing import Any, ClassVar

from graphir.backends.engines.constants import is_plain
from graphir.backends.engines.driver import Driver
from graphir.backends.engines.drivers.standard import check_storable
from graphir.backends.engines.faults import FAILED, MISSING, SEMANTICS, SYNTAX, UNHELD, UNREAD, fault
from graphir.backends.engines.foreign import Answer
from graphir.diagnostics import GraphirError
from graphir.graphs import PropertyGraph
from graphir.quoting import ticked
from graphir.source import Source
from graphir.values.conversions import from_standard, to_standard
from graphir.values.dates import Date
from graphir.values.datetimes import LocalDateTime
from graphir.values.entities import Edge, Node, Path

ladybug: Any = import_module("ladybug")

_KEY = "graphir_key"
_WORDS: dict[type[Any], str] = {
    bool: "BOOLEAN",
    int: "INT64",
    float: "DOUBLE",
    str: "STRING",
    Date: "DATE",
    LocalDateTime: "TIMESTAMP",
}
_CODES = (
    ("Parser exception", SYNTAX),
    ("Catalog exception", MISSING),
    ("does not exist", UNHELD),
    ("Cannot find property", UNHELD),
    ("Binder exception", SEMANTICS),
)


class Ladybug(Driver):
    """A graph in memory, whose tables are made when it is loaded; it is loaded once."""

    name: ClassVar[str] = "ladybug"
    dialects: ClassVar[tuple[str, ...]] = ("opencypher-9",)
    errors: ClassVar[tuple[type[Exception], ...]] = (RuntimeError,)

    def __init__(self, *, trusting: bool = False) -> None:
        super().__init__(trusting=trusting)
        self._open()

    def _open(self) -> None:
        self._database = ladybug.Database(":memory:")
        self._connection = ladybug.Connection(self._database)
        self._filled = False
        self._ids.clear()

    def close(self) -> None:
        self._connection.close()
        self._database.close()

    def clear(self) -> None:
        super().clear()
        self.close()
        self._open()

    def add(self, graph: PropertyGraph) -> None:
        if self._filled:
            raise fault(UNHELD, "the tables of ladybug are made of one graph: clear it first", engine=self.name)
        for node in graph.nodes:
            if len(node.labels) != 1:
                told = f"a node of ladybug has one label; {node.id!r} has {len(node.labels)}"
                raise fault(UNHELD, told, engine=self.name, feature="several labels")
        shared = {node.labels[0] for node in graph.nodes} & {edge.type for edge in graph.edges}
        if shared:
            told = f"ladybug has one set of names for labels and types: {', '.join(sorted(shared))} would be both"
            raise fault(UNHELD, told, engine=self.name, feature="label and type of one name")
        check_storable(graph, self.name)
        try:
            self._fill(graph)
        except RuntimeError as error:
            raise self.explain(error, Source("")) from None
        self._filled = True

    def _fill(self, graph: PropertyGraph) -> None:
        keys = {node.id: at for at, node in enumerate(graph.nodes)}
        labels = {node.id: node.labels[0] for node in graph.nodes}
        for label in dict.fromkeys(labels.values()):
            rows = [node for node in graph.nodes if node.labels[0] == label]
            columns = _columns(rows)
            listed = "".join(f", {ticked(name)} {word}" for name, word in columns.items())
            self._connection.execute(f"CREATE NODE TABLE {ticked(label)}({_KEY} INT64 PRIMARY KEY{listed})")
            for node in rows:
                self._ids["node", keys[node.id]] = node.id
                self._create(f"CREATE (n:{ticked(label)} ", node.properties, keys[node.id], ")")
        for kind in dict.fromkeys(edge.type for edge in graph.edges):
            between = [(at, edge) for at, edge in enumerate(graph.edges) if edge.type == kind]
            pairs = dict.fromkeys((labels[edge.start], labels[edge.end]) for _, edge in between)
            ends = ", ".join(f"FROM {ticked(start)} TO {ticked(end)}" for start, end in pairs)
            columns = _columns(edge for _, edge in between)
            listed = "".join(f", {ticked(name)} {word}" for name, word in columns.items())
            self._connection.execute(f"CREATE REL TABLE {ticked(kind)}({ends}, {_KEY} INT64{listed})")
            for at, edge in between:
                self._ids["edge", at] = edge.id
                start, end = (f"(:{ticked(labels[each])} {{{_KEY}: {keys[each]}}})" for each in (edge.start, edge.end))
                matched = f"MATCH {start.replace('(', '(a', 1)}, {end.replace('(', '(b', 1)} "
                self._create(f"{matched}CREATE (a)-[:{ticked(kind)} ", edge.properties, at, "]->(b)")

    def _create(self, begun: str, properties: Mapping[str, Any], key: int, ended: str) -> None:
        """Write one element; its values are parameters."""
        given = {f"p{at}": (name, value) for at, (name, value) in enumerate(properties.items())}
        listed = "".join(f", {ticked(name)}: ${parameter}" for parameter, (name, _) in given.items())
        values = {parameter: to_standard(value) for parameter, (_, value) in given.items()}
        self._connection.execute(f"{begun}{{{_KEY}: {key}{listed}}}{ended}", values)

    def takes(self, value: Any) -> bool:
        """Lists and maps become constants: as parameters they have one type of elements."""
        return is_plain(value) and not isinstance(value, (list, dict))

    def send(self, text: str, parameters: Mapping[str, Any], dialect: str) -> Answer:
        found = self._connection.execute(text, dict(parameters))
        if isinstance(found, list):
            raise fault(UNREAD, "ladybug answered several statements", engine=self.name)
        columns = tuple(found.get_column_names())
        return Answer(columns, [tuple(row) for row in found.get_all()], {})

    def decode(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self.decode(item) for item in value]
        if isinstance(value, datetime.timedelta):
            raise LookupError("an interval, whose months are lost")
        if not isinstance(value, dict):
            return from_standard(value)
        if "_NODES" in value and "_RELS" in value:
            nodes, edges = value["_NODES"], value["_RELS"]
            places = {_place(node["_ID"]): node[_KEY] for node in nodes}
            return Path(tuple(map(self._node, nodes)), tuple([self._edge(edge, places) for edge in edges]))
        if "_SRC" in value:
            return self._edge(value, {})
        if "_LABEL" in value:
            return self._node(value)
        return {name: self.decode(item) for name, item in value.items()}

    def _node(self, value: Mapping[str, Any]) -> Node:
        return self.node(value[_KEY], [value["_LABEL"]], _own(value))

    def _edge(self, value: Mapping[str, Any], places: Mapping[tuple[int, int], int]) -> Edge:
        start, end = (self._end(_place(value[end]), places) for end in ("_SRC", "_DST"))
        return self.edge(value[_KEY], value["_LABEL"], start, end, _own(value))

    def _end(self, place: tuple[int, int], places: Mapping[tuple[int, int], int]) -> int:
        """Our key of the node that lies there."""
        if place in places:
            return places[place]
        found: Any = self._connection.execute(
            f"MATCH (n) WHERE id(n) = internal_id({place[0]}, {place[1]}) RETURN n.{_KEY}"
        )
        return int(found.get_all()[0][0])

    def explain(self, error: Exception, source: Source) -> GraphirError:
        message = str(error)
        code = next((code for words, code in _CODES if words in message), FAILED)
        return fault(code, f"ladybug: {message}", engine=self.name, source=source)


def _own(value: Mapping[str, Any]) -> dict[str, Any]:
    """The properties of an element: a column that it has no value in is none of them."""
    hidden = ("_ID", "_LABEL", "_SRC", "_DST", _KEY)
    return {name: item for name, item in value.items() if name not in hidden and item is not None}


def _place(found: Mapping[str, int]) -> tuple[int, int]:
    return found["table"], found["offset"]


def _columns(elements: Iterable[Node | Edge]) -> dict[str, str]:
    """The columns of a table, each with the type that all its values have.  Unsupported (G626) where they differ."""
    found: dict[str, str] = {}
    for element in elements:
        for name, word in _types(element):
            if found.setdefault(name, word) != word:
                told = f"a column of ladybug has one type; property {name!r} is {found[name]} and {word}"
                raise fault(UNHELD, told, engine="ladybug", feature="property of several types")
    return found


def _types(element: Node | Edge) -> Iterator[tuple[str, str]]:
    for name, value in element.properties.items():
        items = list(value) if isinstance(value, (list, tuple)) else [value]
        words = {_WORDS.get(type(item)) for item in items}
        word = words.pop() if len(words) == 1 else None
        if word is None:
            told = f"ladybug has no column for property {name!r} of {element.id!r}: {value!r}"
            raise fault(UNHELD, told, engine="ladybug", feature="property type")
        yield name, f"{word}[]" if isinstance(value, (list, tuple)) else word
