"""KGLite in this process, in memory."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, ClassVar

from graphir.backends.engines.driver import Driver
from graphir.backends.engines.drivers.standard import check_storable
from graphir.backends.engines.faults import FAILED, MISSING, SEMANTICS, SYNTAX, UNHELD, UNREAD, fault
from graphir.backends.engines.foreign import Answer
from graphir.diagnostics import GraphirError
from graphir.graphs import PropertyGraph
from graphir.source import Source
from graphir.values.conversions import from_standard
from graphir.values.durations import Duration
from graphir.values.entities import Path
from graphir.values.points import WGS_84, Point

kglite: Any = import_module("kglite")

_RESERVED = frozenset(("id", "title", "type"))
_NODE = {"id", "labels", "properties"}
_EDGE = {"id", "start", "end", "type", "properties"}
_PATH = {"nodes", "relationships"}
_MISSING = ("Unknown function", "not supported", "requires 1 argument")
_DURATION = {"months", "days", "seconds", "nanoseconds"}


class KGLite(Driver):
    """A graph in memory."""

    name: ClassVar[str] = "kglite"
    dialects: ClassVar[tuple[str, ...]] = ("opencypher-9", "neo4j-25")
    errors: ClassVar[tuple[type[Exception], ...]] = (kglite.KgError,)

    def __init__(self, *, trusting: bool = False) -> None:
        super().__init__(trusting=trusting)
        self._graph = kglite.KnowledgeGraph()

    def close(self) -> None:
        self._graph = kglite.KnowledgeGraph()

    def clear(self) -> None:
        super().clear()
        self._graph = kglite.KnowledgeGraph()
        self._ids.clear()

    def add(self, graph: PropertyGraph) -> None:
        for node in graph.nodes:
            if not node.labels:
                raise fault(UNHELD, f"kglite has no nodes without a label: {node.id!r}", engine=self.name)
            if taken := _RESERVED & set(node.properties):
                told = f"`{min(taken)}` of node {node.id!r} is a property that kglite gives its nodes itself"
                raise fault(UNHELD, told, engine=self.name, feature="reserved property")
        check_storable(graph, self.name)
        super().add(graph)

    def send(self, text: str, parameters: Mapping[str, Any], dialect: str) -> Answer:
        found: Any = self._graph.cypher(text, params=dict(parameters) or None)
        columns = tuple(getattr(found, "columns", ()))
        try:
            rows = [tuple([row.get(name) for name in columns]) for row in (found.to_dicts() if columns else ())]
        except ValueError as error:  # a date that Python's cannot hold
            raise fault(UNREAD, f"kglite gave what is no value: {error}", engine=self.name) from None
        return Answer(columns, rows, {})

    def decode(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self.decode(item) for item in value]
        if not isinstance(value, dict):
            return from_standard(value)
        match set(value):
            case keys if keys == _NODE:
                own = {name: item for name, item in value["properties"].items() if name not in _RESERVED}
                return self.node(value["id"], value["labels"], own)
            case keys if keys == _EDGE:
                return self.edge(value["id"], value["type"], value["start"], value["end"], value["properties"])
            case keys if keys == _PATH:
                nodes, edges = (tuple([self.decode(each) for each in value[key]]) for key in ("nodes", "relationships"))
                return Path(nodes, edges)
            case keys if {"months", "days", "seconds"} <= keys <= _DURATION:
                return Duration(value["months"], value["days"], value["seconds"], value.get("nanoseconds", 0))
            case keys if keys == {"latitude", "longitude"}:
                return Point(WGS_84, value["longitude"], value["latitude"])
        return {name: self.decode(item) for name, item in value.items()}

    def explain(self, error: Exception, source: Source) -> GraphirError:
        message = str(error)
        code = FAILED
        if isinstance(error, kglite.CypherSyntaxError):
            code = SYNTAX
        elif isinstance(error, kglite.SchemaError):
            code = SEMANTICS
        elif any(words in message for words in _MISSING):
            code = MISSING
        return fault(code, f"kglite: {message}", engine=self.name, source=source)
