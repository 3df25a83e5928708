"""What the drivers share: a query goes to the engine in its own dialect, its answer comes back as values.

A driver says which dialects its engine speaks, sends text, and decodes; everything else is here.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple, Self

from graphir import api, ir
from graphir.backends.engines import known_faults
from graphir.backends.engines.batches import Batch, edge_batches, node_batches
from graphir.backends.engines.constants import bind, is_plain
from graphir.backends.engines.faults import KNOWN_FAULT, UNREAD, fault
from graphir.backends.engines.results import Result
from graphir.diagnostics import GraphirError, SemanticFault, Unsupported
from graphir.dialects import DIALECTS
from graphir.graphs import PropertyGraph
from graphir.loading import servers, sources
from graphir.loading.declarations import Declarations, conform
from graphir.passes import checks
from graphir.passes.scope import column_name
from graphir.schema.model import Schema
from graphir.source import Source
from graphir.values.conversions import from_standard
from graphir.values.entities import Edge, Node

_REMEMBERED = 1_000
"""Queries whose analysis is kept."""


@dataclass(frozen=True, slots=True)
class Loaded:
    """How many nodes and edges came."""

    nodes: int
    edges: int
    notes: tuple[str, ...] = ()


class Answer(NamedTuple):
    """What an engine gives: names of columns, rows of its own values, what was written."""

    columns: tuple[str, ...]
    rows: list[tuple[Any, ...]]
    counters: dict[str, int]


@dataclass(frozen=True, slots=True)
class Prepared:
    """A query that means something: as it was written, in core form, and the names of its columns if they are known."""

    query: ir.Query
    core: ir.Query
    columns: tuple[str, ...] | None


class Driver(ABC):
    """An engine that is not ours."""

    name: ClassVar[str]
    dialects: ClassVar[tuple[str, ...]]
    """The dialects that it speaks, the best one first."""
    identity: ClassVar[str] = "id"
    """The function that gives the id of an element."""

    def __init__(self, *, trusting: bool = False) -> None:
        """`trusting`: run queries that the engine is known to answer wrongly, too."""
        self.trusting = trusting
        self._prepared: dict[tuple[str, str], Prepared] = {}
        self._ids: dict[tuple[str, Any], Any] = {}
        """The ids that elements were given, by kind and by the engine's own id."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # -------------------------------------------------------------- what a driver has

    @abstractmethod
    def close(self) -> None:
        """End it."""

    @abstractmethod
    def clear(self) -> None:
        """Forget all data."""

    @abstractmethod
    def send(self, text: str, parameters: Mapping[str, Any], dialect: str) -> Answer:
        """Run a text of the engine's dialect.  Raises what `explain` understands."""

    @abstractmethod
    def explain(self, error: Exception, source: Source) -> GraphirError:
        """The fault that an error of the engine stands for."""

    @abstractmethod
    def decode(self, value: Any) -> Any:
        """A value of the contract; elements by `node` and `edge`.  LookupError for what is none."""

    errors: ClassVar[tuple[type[Exception], ...]] = (RuntimeError,)
    """What the engine raises."""

    # -------------------------------------------------------------- loading

    def load(self, source: Any, schema: Schema | None = None) -> Loaded:
        """Add the graph of a source, as the embedded engine does; ids that it gives come back in results."""
        graph = graph_of(source, schema)
        self.add(graph)
        return Loaded(len(graph.nodes), len(graph.edges))

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

    def _prepare(self, text: str, dialect: str) -> Prepared:
        found = self._prepared.get((text, dialect))
        if found is None:
            query = api.parse(text, dialect)
            faults = [each for each in checks.find_faults(query, Source(text), dialect) if each.severity == "error"]
            if faults:
                raise SemanticFault(faults)
            core = api.to_core(query, text, dialect)
            if len(self._prepared) >= _REMEMBERED:
                self._prepared.clear()
            found = self._prepared[text, dialect] = Prepared(with_names(query), core, columns_of(core))
        return found

    def _refuse(self, core: ir.Query, spoken: str, parameters: Mapping[str, Any], source: Source) -> None:
        found = None if self.trusting else known_faults.find(self.name, spoken, core, parameters)
        if found is not None:
            known, node = found
            told = f"{self.name} is known to be wrong here ({known.feature}): {known.told}"
            raise fault(KNOWN_FAULT, told, engine=self.name, source=source, span=node.span, feature=known.feature)

    def _spell(self, query: ir.Query, text: str, dialect: str) -> tuple[str, str]:
        """The dialect in which the engine gets the query, and its text: the first that can say it."""
        first: Unsupported | None = None
        for spoken in self.spoken(dialect):
            try:
                return spoken, api.emit(query, text, DIALECTS[dialect], DIALECTS[spoken])
            except Unsupported as refusal:
                first = first or refusal
        assert first is not None, "an engine speaks some dialect"
        raise first

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


def columns_of(core: ir.Query) -> tuple[str, ...] | None:
    """The names of the columns of a query in core form; None where only the engine knows them."""
    body: ir.Body = core.body
    while not isinstance(body, ir.Pipeline):
        match body:
            case ir.SetOperation():
                body = body.branches[0]
            case ir.Next():
                body = body.parts[-1]
            case ir.Conditional():
                body = body.branches[0].body
            case _:
                return None
    for operator in reversed(body.operators):
        if isinstance(operator, ir.Project) and operator.final:
            return tuple([item.name or "" for item in operator.items])
    last = body.operators[-1] if body.operators else None
    return None if isinstance(last, ir.ProcedureCall) else ()


def with_names(query: ir.Query) -> ir.Query:
    """The query with a name for every column, so that engines cannot name them as they like."""

    def rule(node: ir.Node) -> ir.Node:
        if not (isinstance(node, ir.Project) and node.final):
            return node
        return replace(node, items=tuple([_named(item) for item in node.items]))

    return ir.rewrite(query, rule)


def _named(item: ir.Item) -> ir.Item:
    name = column_name(item, by_text=True)
    if item.name is not None or name is None or isinstance(item.value, ir.Ref):
        return item
    return replace(item, name=name)


def graph_of(source: Any, schema: Schema | None) -> PropertyGraph:
    """The graph of a source as a value; tables and scripts are read by the embedded engine."""
    found = sources.find(source)
    match found:
        case PropertyGraph():
            return conform(found, Declarations(schema))
        case sources.Server():
            return conform(servers.read(found), Declarations(schema))
    from graphir.backends.engines.duckdb.session import Session

    with Session() as session:
        session.load(found, schema)
        nodes = [row[0] for row in session.run("MATCH (n) RETURN n").rows]
        edges = [row[0] for row in session.run("MATCH ()-[r]->() RETURN r").rows]
    return PropertyGraph(tuple(nodes), tuple(edges))
