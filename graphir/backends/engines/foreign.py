"""What all engines that are not ours share: a graph is loaded as a value, and a query is checked before it is sent.

How a query reaches the engine is a matter of its language: `driver.Driver` prints a query in a dialect that the engine
speaks, `relational.Relational` makes SQL of it.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, ClassVar, NamedTuple, Self

from graphir import api, ir
from graphir.backends.engines import known_faults
from graphir.backends.engines.faults import KNOWN_FAULT, fault
from graphir.backends.engines.features import Held
from graphir.backends.engines.results import Result
from graphir.diagnostics import GraphirError, SemanticFault
from graphir.graphs import PropertyGraph
from graphir.loading import servers, sources
from graphir.loading.declarations import Declarations, conform
from graphir.passes import checks
from graphir.passes.rules.composition import writes
from graphir.passes.scope import column_name
from graphir.schema.model import Schema
from graphir.source import Source

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


class Foreign(ABC):
    """An engine that is not ours, open when it is made."""

    name: ClassVar[str]
    errors: ClassVar[tuple[type[Exception], ...]] = (RuntimeError,)
    """What the engine raises."""

    def __init__(self, *, trusting: bool = False) -> None:
        """`trusting`: run queries that the engine is known to answer wrongly, too."""
        self.trusting = trusting
        self.held = Held()
        """What is known of its data, as far as features of queries depend on it."""
        self._prepared: dict[tuple[str, str], Prepared] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @abstractmethod
    def close(self) -> None:
        """End it."""

    @abstractmethod
    def clear(self) -> None:
        """Forget all data."""
        self.held = Held()

    @abstractmethod
    def add(self, graph: PropertyGraph) -> None:
        """Write the graph."""

    @abstractmethod
    def run(self, text: str, parameters: Mapping[str, Any] | None = None, dialect: str = "neo4j-25") -> Result:
        """Run a query.  Raises SyntaxFault, SemanticFault, Unsupported, RunFault."""

    @abstractmethod
    def explain(self, error: Exception, source: Source) -> GraphirError:
        """The fault that an error of the engine stands for."""

    def load(self, source: Any, schema: Schema | None = None) -> Loaded:
        """Add the graph of a source, as the embedded engine does; ids that it gives come back in results."""
        graph = graph_of(source, schema)
        self.held = self.held.joined(graph)
        self.add(graph)
        return Loaded(len(graph.nodes), len(graph.edges))

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
        found = None if self.trusting else known_faults.find(self.name, spoken, core, parameters, self.held)
        if writes(core.body):
            self.held = replace(self.held, complete=False)
        if found is not None:
            known, node = found
            told = f"{self.name} is known to be wrong here ({known.feature}): {known.told}"
            raise fault(KNOWN_FAULT, told, engine=self.name, source=source, span=node.span, feature=known.feature)


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
