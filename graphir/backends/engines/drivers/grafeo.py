"""Grafeo in this process, in memory."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any, ClassVar

from graphir.backends.engines.driver import Driver
from graphir.backends.engines.drivers.standard import check_storable
from graphir.backends.engines.faults import FAILED, MISSING, SEMANTICS, SYNTAX, UNHELD, fault
from graphir.backends.engines.foreign import Answer
from graphir.diagnostics import GraphirError
from graphir.graphs import PropertyGraph
from graphir.source import Source
from graphir.values.conversions import from_standard
from graphir.values.durations import Duration
from graphir.values.entities import Path
from graphir.values.points import Point

grafeo: Any = import_module("grafeo")

_RESERVED = frozenset(("_id", "_labels", "_type", "_source", "_target"))
_CODES = (
    ("Unknown function", MISSING),
    ("X001", MISSING),  # an internal error: `MATCH (), (:!A)-->()--(), (m)` without a match, "Column not found"
    ("Q001", SYNTAX),
    ("Q002", SEMANTICS),
)


class Grafeo(Driver):
    """A graph in memory."""

    name: ClassVar[str] = "grafeo"
    dialects: ClassVar[tuple[str, ...]] = ("opencypher-9", "neo4j-25", "gql-grafeo")
    errors: ClassVar[tuple[type[Exception], ...]] = (grafeo.GrafeoError,)

    def __init__(self, *, trusting: bool = False) -> None:
        super().__init__(trusting=trusting)
        self._graph = grafeo.GrafeoDB()

    def close(self) -> None:
        self._graph.close()

    def clear(self) -> None:
        super().clear()
        self._graph.close()
        self._graph = grafeo.GrafeoDB()
        self._ids.clear()

    def add(self, graph: PropertyGraph) -> None:
        for element in graph.elements():
            if taken := _RESERVED & set(element.properties):
                told = f"`{min(taken)}` is a key that grafeo uses itself in results"
                raise fault(UNHELD, told, engine=self.name, feature="reserved property")
            if any(isinstance(value, Point) for value in element.properties.values()):
                raise fault(UNHELD, "grafeo has no points", engine=self.name, feature="point")
        check_storable(graph, self.name)
        super().add(graph)

    def send(self, text: str, parameters: Mapping[str, Any], dialect: str) -> Answer:
        execute = self._graph.execute if dialect == "gql-grafeo" else self._graph.execute_cypher
        found = execute(text, *([dict(parameters)] if parameters else []))
        columns = tuple(found.columns)
        return Answer(columns, [tuple([row.get(name) for name in columns]) for row in found.to_list()], {})

    def decode(self, value: Any) -> Any:
        if isinstance(value, list):
            return [self.decode(item) for item in value]
        if not isinstance(value, dict):
            return from_standard(value)
        own = {name: item for name, item in value.items() if name not in _RESERVED}
        if "_labels" in value:
            return self.node(value["_id"], value["_labels"], own)
        if "_type" in value:
            return self.edge(value["_id"], value["_type"], value["_source"], value["_target"], own)
        if set(value) == {"months", "days", "nanos"}:
            return Duration(value["months"], value["days"], *divmod(value["nanos"], 10**9))
        if set(value) == {"nodes", "edges"}:
            nodes, edges = (tuple([self.decode(each) for each in value[key]]) for key in ("nodes", "edges"))
            return Path(nodes, edges)
        return {name: self.decode(item) for name, item in value.items()}

    def explain(self, error: Exception, source: Source) -> GraphirError:
        message = str(error)
        code = next((code for words, code in _CODES if words in message), FAILED)
        return fault(code, f"grafeo: {message}", engine=self.name, source=source)
