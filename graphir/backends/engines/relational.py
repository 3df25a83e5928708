"""Engines over tables: a graph is loaded as typed tables, and a query is asked in SQL.

A driver says what its columns hold, makes tables, sends a statement, and turns single values; everything else is here
or in `foreign.py`.  They read: a query that writes is refused (G685).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import Any, ClassVar

from graphir import ir
from graphir.backends.engines.faults import READS, UNREAD, fault
from graphir.backends.engines.foreign import Foreign, Loaded, graph_of
from graphir.backends.engines.results import Result
from graphir.backends.engines.tables import Rule, Tables, tables_of
from graphir.backends.sql import reps, targets
from graphir.backends.sql.reps import ListRep, MapRep, Rep
from graphir.backends.sql.targets import Statement
from graphir.graphs import PropertyGraph
from graphir.passes.safety.readonly import WRITING
from graphir.schema.model import Schema
from graphir.source import Source
from graphir.values.conversions import from_standard
from graphir.values.entities import Path

Change = Callable[[Any], Any]


def exactly(kind: type[Any]) -> Change:
    """The change of a value that has that type already: one of another type is a fault, not another value."""

    def read(value: Any) -> Any:
        if type(value) is not kind:
            raise LookupError(f"{value!r} where {kind.__name__} is due")
        return value

    return read


class Relational(Foreign):
    """An engine that is asked in SQL."""

    target: ClassVar[str]
    """The target of `graphir.backends.sql.targets`, a dialect, whose SQL it runs."""
    rule: ClassVar[Rule]
    """What its columns hold."""

    def __init__(self, *, trusting: bool = False) -> None:
        """`trusting`: run queries that the engine is known to answer wrongly, too."""
        super().__init__(trusting=trusting)
        self._graphs: list[PropertyGraph] = []
        self._schema: Schema | None = None
        self.tables: Tables = tables_of((), self.rule)

    # -------------------------------------------------------------- what a driver has

    @abstractmethod
    def fill(self, tables: Tables) -> None:
        """Have these tables in place of those before, or leave all as it was."""

    @abstractmethod
    def fetch(self, statement: Statement) -> list[tuple[Any, ...]]:
        """The rows of a statement; parameters go beside its text."""

    def reader(self, rep: Rep) -> Change | None:
        """What makes a value of the contract of what a column with `rep` gives, but null; None: nothing to do.

        LookupError for a representation that the engine does not give.
        """
        if rep == reps.NODE:
            return self.tables.node
        if rep == reps.EDGE:
            return self.tables.edge
        if rep in reps.SIMPLE or rep == reps.NULL:
            return None
        raise LookupError(f"a {rep}")

    # -------------------------------------------------------------- loading

    def load(self, source: Any, schema: Schema | None = None) -> Loaded:
        """Add the graph of a source, all of it or nothing; `schema` adds tables and columns that no element needs."""
        graph = graph_of(source, schema)
        self._load([*self._graphs, graph], schema or self._schema)
        return Loaded(len(graph.nodes), len(graph.edges))

    def add(self, graph: PropertyGraph) -> None:
        self._load([*self._graphs, graph], self._schema)

    def clear(self) -> None:
        self._load([], None)

    def _load(self, graphs: list[PropertyGraph], schema: Schema | None) -> None:
        tables = tables_of(graphs, self.rule, schema)
        try:
            self.fill(tables)
        except self.errors as error:
            raise self.explain(error, Source("")) from None
        self._graphs, self._schema, self.tables = graphs, schema, tables

    # -------------------------------------------------------------- running

    def run(self, text: str, parameters: Mapping[str, Any] | None = None, dialect: str = "neo4j-25") -> Result:
        """Run a query that reads.  Raises SyntaxFault, SemanticFault, Unsupported, RunFault.

        What SQL of this target cannot say exactly is refused, and so is what the engine is known to do wrong (G625),
        unless the session is trusting.
        """
        core = self._prepare(text, dialect).core
        source = Source(text)
        values: dict[str, Any] = from_standard(parameters or {})
        self._refuse_writing(core, source)
        self._refuse(core, self.target, values, source)
        statement = targets.emit(core, self.tables.catalog(), self.target, values, source)
        if core.execution == "explain" or not statement.columns:
            return Result()
        try:
            rows = self.fetch(statement)
        except self.errors as error:
            raise self.explain(error, source) from None
        names = tuple([name for name, _ in statement.columns])
        return Result(names, self._decoded(rows, [rep for _, rep in statement.columns], source))

    def _refuse_writing(self, core: ir.Query, source: Source) -> None:
        for node in ir.walk(core):
            if (word := WRITING.get(type(node))) is not None:
                told = f"{word} writes, and the engine {self.name} only reads"
                raise fault(READS, told, engine=self.name, source=source, span=node.span, feature=word)

    def _decoded(self, rows: list[tuple[Any, ...]], columns: Sequence[Rep], source: Source) -> list[tuple[Any, ...]]:
        try:
            readers = [self.reader(rep) for rep in columns]
            if all(read is None for read in readers):
                return [tuple(row) for row in rows]
            return [
                tuple([v if v is None or read is None else read(v) for v, read in zip(row, readers, strict=True)])
                for row in rows
            ]
        except LookupError as error:
            raise fault(UNREAD, f"{self.name} gave what is no value: {error.args[0]}", source=source) from None

    # -------------------------------------------------------------- pieces for readers

    def listed(self, rep: ListRep) -> Change | None:
        """The reader of lists whose elements come one by one."""
        read = self.reader(rep.element)
        return None if read is None else lambda items: [None if item is None else read(item) for item in items]

    def mapped(self, rep: MapRep) -> Change:
        """The reader of maps whose values come in the order of the keys."""
        readers = [(key, self.reader(value)) for key, value in zip(rep.keys, rep.values, strict=True)]

        def read(values: Sequence[Any]) -> dict[str, Any]:
            return {
                key: value if value is None or change is None else change(value)
                for (key, change), value in zip(readers, values, strict=True)
            }

        return read

    def path(self, nodes: Sequence[int], edges: Sequence[int]) -> Path:
        """The path through nodes and edges with these numbers."""
        return Path(tuple(map(self.tables.node, nodes)), tuple(map(self.tables.edge, edges)))
