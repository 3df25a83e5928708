"""What the drivers of engines that speak a graph language share: a query goes to the engine in its own dialect.

A driver says which dialects its engine speaks, sends text, and decodes; everything else is here or in `foreign.py`.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any, ClassVar

from graphir import api, ir
from graphir.backends.engines.batches import Batch, edge_batches, node_batches
from graphir.backends.engines.constants import bind, is_plain
from graphir.backends.engines.faults import MISSING, UNREAD, fault
from graphir.backends.engines.foreign import Answer, Foreign
from graphir.backends.engines.results import Result
from graphir.diagnostics import Unsupported
from graphir.dialects import DIALECTS
from graphir.graphs import PropertyGraph
from graphir.source import Source
from graphir.values.conversions import from_standard
from graphir.values.entities import Edge, Node


class Driver(Foreign):
    """An engine that is asked in a dialect that graphir prints."""

    dialects: ClassVar[tuple[str, ...]]
    """The dialects that it speaks, the best one first."""
    identity: ClassVar[str] = "id"
    """The function that gives the id of an element."""

    def __init__(self, *, trusting: bool = False) -> None:
        """`trusting`: run queries that the engine is known to answer wrongly, too."""
        super().__init__(trusting=trusting)
        self._ids: dict[tuple[str, Any], Any] = {}
        """The ids that elements were given, by kind and by the engine's own id."""
        self._only: str | None = None
        """The one dialect that is spoken for now."""

    # -------------------------------------------------------------- what a driver has

    @abstractmethod
    def send(self, text: str, parameters: Mapping[str, Any], dialect: str) -> Answer:
        """Run a text of the engine's dialect.  Raises what `explain` understands."""

    @abstractmethod
    def decode(self, value: Any) -> Any:
        """A value of the contract; elements by `node` and `edge`.  LookupError for what is none."""

    # -------------------------------------------------------------- loading

    def add(self, graph: PropertyGraph) -> None:
        """Write the graph."""
        ends: dict[Any, Any] = {}
        for batch in node_batches(graph.nodes, self.identity):
            for at, found in self._write(batch):
                node = graph.nodes[at]
                ends[node.id] = found
                self._ids["node", found] = node.id
        for batch in edge_batches(graph.edges, ends, self.identity):
            for at, found in self._write(batch):
                self._ids["edge", found] = graph.edges[at].id

    def _write(self, batch: Batch) -> list[tuple[int, Any]]:
        """The place of each row, and the id that the engine gave it."""
        answer = self._sent(batch.text, {"rows": batch.rows}, self.dialects[0], Source(""))
        pairs = [(self.decode(at), self.key(found)) for at, found in answer.rows]
        if len(pairs) != len(batch.rows):
            raise fault(UNREAD, f"{self.name} made {len(pairs)} elements of {len(batch.rows)}", engine=self.name)
        return pairs

    def key(self, found: Any) -> Any:
        """An id of the engine as a key."""
        return self.decode(found)

    def node(
        self, key: Any, labels: Iterator[str] | tuple[str, ...] | list[str], properties: Mapping[str, Any]
    ) -> Node:
        """The node with that id of the engine."""
        values = {name: self.decode(value) for name, value in properties.items()}
        return Node(self._ids.get(("node", key), key), tuple(sorted(labels)), values)

    def edge(self, key: Any, kind: str, start: Any, end: Any, properties: Mapping[str, Any]) -> Edge:
        """The edge with that id of the engine, between nodes with those."""
        values = {name: self.decode(value) for name, value in properties.items()}
        start, end = (self._ids.get(("node", each), each) for each in (start, end))
        return Edge(self._ids.get(("edge", key), key), kind, start, end, values)

    # -------------------------------------------------------------- running

    def run(self, text: str, parameters: Mapping[str, Any] | None = None, dialect: str = "neo4j-25") -> Result:
        """Run a query.  Raises SyntaxFault, SemanticFault, Unsupported, RunFault.

        What the engine is known to do wrong is refused (G625), unless the session is trusting.
        """
        prepared = self._prepare(text, dialect)
        source = Source(text)
        values: dict[str, Any] = from_standard(parameters or {})
        made = {name: value for name, value in values.items() if not self.takes(value)}
        query = bind(prepared.query, made) if made else prepared.query
        spoken, sent = self._spell(query, text, dialect)
        self._refuse(prepared.core, spoken, values, source)
        rest = {name: value for name, value in values.items() if name not in made}
        answer = self._sent(sent, rest, spoken, source)
        return self._result(answer, prepared.columns, source)

    def takes(self, value: Any) -> bool:
        """Whether the engine takes the value as a parameter; others become constants of the query."""
        return is_plain(value)

    def _spell(self, query: ir.Query, text: str, dialect: str) -> tuple[str, str]:
        """The dialect in which the engine gets the query, and its text: the first that can say it."""
        first: Unsupported | None = None
        for spoken in (self._only,) if self._only else self.spoken(dialect):
            try:
                return spoken, api.emit(query, text, DIALECTS[dialect], DIALECTS[spoken])
            except Unsupported as refusal:
                first = first or refusal
        assert first is not None, "an engine speaks some dialect"
        raise first

    @contextmanager
    def speaking(self, dialect: str) -> Iterator[None]:
        """Queries go to the engine in this one of its dialects.  Unsupported (G623) where it is none of them."""
        if dialect not in self.dialects:
            told = f"{self.name} cannot be asked in {dialect}; it speaks {', '.join(self.dialects)}"
            raise fault(MISSING, told, engine=self.name, feature=dialect)
        before, self._only = self._only, dialect
        try:
            yield
        finally:
            self._only = before

    def spoken(self, dialect: str) -> tuple[str, ...]:
        """The dialects to try for a query of that dialect."""
        return self.dialects

    def _sent(self, text: str, parameters: Mapping[str, Any], dialect: str, source: Source) -> Answer:
        try:
            return self.send(text, parameters, dialect)
        except self.errors as error:
            raise self.explain(error, source) from None

    def _result(self, answer: Answer, columns: tuple[str, ...] | None, source: Source) -> Result:
        names = answer.columns if columns is None else columns
        order = _order(names, answer, source, self.name)
        try:
            rows = [tuple([self.decode(row[at]) for at in order]) for row in answer.rows]
        except LookupError as error:
            raise fault(UNREAD, f"{self.name} gave what is no value: {error.args[0]}", source=source) from None
        return Result(names, rows, counters=answer.counters)


def _order(names: tuple[str, ...], answer: Answer, source: Source, engine: str) -> list[int]:
    """Where in the engine's rows each column is: by name, for `*` has no order that all share; else by place."""
    if set(names) == set(answer.columns) and len(set(names)) == len(names):
        return [answer.columns.index(name) for name in names]
    if not answer.rows or len(names) == len(answer.columns):
        return list(range(len(names)))
    told = f"{engine} gave {len(answer.columns)} columns where {len(names)} are due"
    raise fault(UNREAD, told, source=source)
