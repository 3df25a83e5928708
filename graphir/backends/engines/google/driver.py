"""A driver of an engine that speaks Google's graph languages over tables.

Queries are made core, ask for the numbers of elements, and go as GQL, or as SELECT from GRAPH_TABLE.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from decimal import Decimal
from typing import Any, ClassVar

from graphir import ir
from graphir.backends import gql
from graphir.backends.engines.constants import bind
from graphir.backends.engines.driver import Driver
from graphir.backends.engines.faults import MISSING, UNREAD, fault
from graphir.backends.engines.foreign import Answer
from graphir.backends.engines.google.elements import Shape, numbered
from graphir.backends.engines.google.known import known
from graphir.backends.engines.google.layout import GRAPH, Layout
from graphir.backends.engines.google.needs import without_unlabelled
from graphir.backends.engines.google.values import parameter_type
from graphir.backends.engines.results import Result
from graphir.backends.gql.setting import Options
from graphir.diagnostics import RunFault, diagnose
from graphir.passes.kinds import Kind
from graphir.source import Source
from graphir.values.conversions import from_standard

MISSING_PARAMETER = "G604"

Typed = Mapping[str, tuple[str, Any]]
"""Parameters: name -> (type, value)."""


class Google(Driver):
    """An engine that is asked in GQL of Google, or in its SQL/PGQ."""

    dialects: ClassVar[tuple[str, ...]] = ("gql-spanner", "pgq-googlesql")

    def __init__(self, *, speaks: str | None = None, trusting: bool = False) -> None:
        """`speaks`: the one of its dialects in which it is asked.  Unsupported (G623) for any other."""
        super().__init__(trusting=trusting)
        if speaks is not None and speaks not in self.dialects:
            told = f"{self.name} cannot be asked in {speaks}; it speaks {', '.join(self.dialects)}"
            raise fault(MISSING, told, engine=self.name, feature=speaks)
        self._only = speaks
        self.graph = GRAPH
        self.layout: Layout | None = None
        """The tables that were made of what was loaded; None where the graph is another's."""

    @abstractmethod
    def ask(self, text: str, parameters: Typed, core: ir.Query, source: Source) -> Answer:
        """Run a statement of the engine, which was made of that query of the user's.  Raises faults."""

    def send(self, text: str, parameters: Mapping[str, Any], dialect: str) -> Answer:
        """A statement of the engine's own; parameters are name -> (type, value)."""
        return self.ask(text, parameters, ir.Query(ir.Pipeline(())), Source(text))

    def run(self, text: str, parameters: Mapping[str, Any] | None = None, dialect: str = "neo4j-25") -> Result:
        """Run a query.  Raises SyntaxFault, SemanticFault, Unsupported, RunFault.

        What the engine is known to do wrong is refused (G625), unless the session is trusting.
        """
        prepared = self._prepare(text, dialect)
        source = Source(text)
        values = _used(prepared.core, from_standard(parameters or {}), source)
        typed = {name: (of, value) for name, value in values.items() if (of := parameter_type(value)) is not None}
        core = bind(prepared.core, {name: value for name, value in values.items() if name not in typed})
        asked, shape = core, None
        if self.layout is not None:
            asked, shape = numbered(without_unlabelled(core, self.layout), self.layout.identity)
        spoken, sent = self._printed(asked, source)
        self._refuse(prepared.core, spoken, values, source)
        answer = self.ask(sent, typed, core, source)
        return self._shown(answer, prepared.columns, shape, source)

    def _printed(self, core: ir.Query, source: Source) -> tuple[str, str]:
        """The dialect in which the engine is asked, and the text."""
        tables = None if self.layout is None else known(self.layout, self.graph)
        spoken = self._only or _dialect_for(core)
        return spoken, gql.emit(core, spoken, source, (self.graph,), tables, Options("refuse"))

    def _shown(self, answer: Answer, columns: tuple[str, ...] | None, shape: Shape | None, source: Source) -> Result:
        names = answer.columns if columns is None else columns
        shape = shape or Shape(tuple([Kind.VALUE for _ in names]))
        if len(answer.columns) != shape.width:
            told = f"{self.name} gave {len(answer.columns)} columns where {shape.width} are due"
            raise fault(UNREAD, told, source=source)
        tables = self.layout.tables if self.layout is not None else None
        try:
            rows = [shape.row([self.decode(value) for value in row], tables) for row in answer.rows]
        except LookupError as error:
            raise fault(UNREAD, f"{self.name} gave what is no value: {error.args[0]}", source=source) from None
        return Result(names, rows, counters=answer.counters)

    def decode(self, value: Any) -> Any:
        """NUMERIC is a float, as Cypher sees it; bytes are no value (LookupError)."""
        match value:
            case list():
                return [self.decode(item) for item in value]
            case dict():
                return {name: self.decode(item) for name, item in value.items()}
            case Decimal():
                return float(value)
            case bytes():
                raise LookupError("BYTES")
            case _:
                return value


def _dialect_for(core: ir.Query) -> str:
    """GQL; but a row without a pattern needs no graph in SQL, and none may be there."""
    graphical = any(isinstance(node, ir.NodePattern) for node in ir.walk(core))
    return Google.dialects[0 if graphical else 1]


def _used(core: ir.Query, values: Mapping[str, Any], source: Source) -> dict[str, Any]:
    """The parameters that the query has, with their values.  RunFault (G604) where one is missing."""
    found = {}
    for node in ir.walk(core):
        if isinstance(node, ir.Parameter):
            if node.name not in values:
                told = f"the parameter ${node.name} has no value"
                raise RunFault([diagnose(source, MISSING_PARAMETER, told, node.span)])
            found[node.name] = values[node.name]
    return found
