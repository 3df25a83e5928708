"""GoogleSQL in this process: the parser, analyzer and evaluator that Google publishes, on a graph in memory.

It is a reference implementation, experimental and slow: a judge of texts and of rows on small graphs.
"""

from __future__ import annotations

from typing import Any, ClassVar

from graphir import ir
from graphir.backends.engines.faults import LOST, UNHELD, UNREAD, fault
from graphir.backends.engines.foreign import Answer
from graphir.backends.engines.google.driver import Google, Typed
from graphir.backends.engines.google.layout import Layout, layout_of
from graphir.backends.engines.google.needs import Needs, hinted, missing
from graphir.backends.engines.google.statuses import code_of
from graphir.backends.engines.googlesql.database import Database
from graphir.backends.engines.googlesql.features import Profile
from graphir.backends.engines.googlesql.refusals import CRASHED, Refusal
from graphir.backends.engines.googlesql.values import Struct
from graphir.diagnostics import GraphirError
from graphir.graphs import PropertyGraph
from graphir.source import Source

_NODES = 100
"""The evaluator goes through all combinations."""
_GUESSES = ("INT64", "STRING", "FLOAT64", "BOOL", "DATE", "TIMESTAMP", "ARRAY<INT64>", "ARRAY<STRING>")
"""Types for a key that no element has, where the query does not tell it: the first with which it is one."""


class GoogleSql(Google):
    """A graph in memory, with the features of Spanner (`profile="spanner"`) or with all that are released (`full`)."""

    name: ClassVar[str] = "googlesql"
    errors: ClassVar[tuple[type[Exception], ...]] = (Refusal,)

    def __init__(
        self, *, profile: Profile = "spanner", limit: int = _NODES, speaks: str | None = None, trusting: bool = False
    ) -> None:
        """`limit`: a graph with more nodes is refused (G626)."""
        super().__init__(speaks=speaks, trusting=trusting)
        self.limit = limit
        self._database = Database(profile)
        self.clear()

    def close(self) -> None:
        self._database.clear()

    def clear(self) -> None:
        super().clear()
        self._graphs: list[PropertyGraph] = []
        self._lay_out(PropertyGraph())

    def add(self, graph: PropertyGraph) -> None:
        """Add the graph.  Unsupported (G626) for one that is too large, or that GoogleSQL cannot hold."""
        graphs = [*self._graphs, graph]
        size = sum([len(each.nodes) for each in graphs])
        if size > self.limit:
            told = f"{size} nodes: the evaluator is meant for graphs of about {_NODES}; `limit` allows {self.limit}"
            raise fault(UNHELD, told, engine=self.name, hint="its time grows with the product of what is matched")
        self._lay_out(*graphs)
        self._graphs = graphs

    def _lay_out(self, *graphs: PropertyGraph) -> None:
        self._own = layout_of(graphs, self.name)
        self._define(self._own)

    def _define(self, layout: Layout) -> None:
        """Make the tables and the graph of a layout.  Unsupported (G626) where GoogleSQL does not take them."""
        self.layout = layout
        self._database.clear()
        try:
            for element in layout.elements():
                columns = layout.columns_of(element)
                self._database.create_table(element.name, columns, layout.rows_of(element), element.fixed[:1])
            self._database.define(layout.create_graph(self.graph))
        except Refusal as refusal:
            raise fault(UNHELD, f"googlesql: {refusal.message}", engine=self.name, feature="name") from None

    # -------------------------------------------------------------- asking

    def analyze(self, text: str, parameters: Typed | None = None) -> None:
        """Whether GoogleSQL takes a statement for the graph that is loaded: raises as `run` does, and runs nothing."""
        try:
            self._database.analyze(text, {name: of for name, (of, _) in (parameters or {}).items()})
        except Refusal as refusal:
            raise self.explain(refusal, Source(text)) from None

    def ask(self, text: str, parameters: Typed, core: ir.Query, source: Source) -> Answer:
        guessed = self._accommodate(core)
        hints = hinted(core, {name: of for name, (of, _) in parameters.items()}) if guessed else {}
        first: Refusal | None = None
        for of in _GUESSES if guessed else _GUESSES[:1]:
            self._retype({key: hints.get(key, of) for key in guessed})
            try:
                found = self._database.query(text, parameters)
                return Answer(found.columns, found.rows, {})
            except Refusal as refusal:
                first = first or refusal
            except LookupError as error:
                raise fault(UNREAD, f"googlesql gave what is no value: {error.args[0]}", source=source) from None
        assert first is not None
        raise self._fault(first, source, text)

    def _accommodate(self, core: ir.Query) -> tuple[str, ...]:
        """Add what the query names and the graph lacks; what was added stays.  The keys whose types are guesses."""
        assert self.layout is not None
        needs: Needs = missing(core, self.layout, self.name)
        if needs:
            keys = dict.fromkeys(needs.keys, _GUESSES[0])
            self._define(self.layout.extended(needs.nodes, needs.edges, keys))
        mentioned = set(missing(core, self._own, self.name).keys)
        return tuple([key for key in self.layout.types if key in mentioned])

    def _retype(self, types: dict[str, str]) -> None:
        assert self.layout is not None
        if any(self.layout.types[key] != of for key, of in types.items()):
            self._define(self.layout.extended((), (), types))

    # -------------------------------------------------------------- what comes back

    def decode(self, value: Any) -> Any:
        """A STRUCT is a map, if its fields have names."""
        if not isinstance(value, Struct):
            return super().decode(value)
        names = {name for name, _ in value.fields}
        if "" in names or len(names) < len(value.fields):
            raise LookupError("a STRUCT whose fields have no names of their own")
        return {name: self.decode(item) for name, item in value.fields}

    def explain(self, error: Exception, source: Source) -> GraphirError:
        assert isinstance(error, Refusal)
        return self._fault(error, source, source.text)

    def _fault(self, refusal: Refusal, source: Source, text: str) -> GraphirError:
        """The place that GoogleSQL tells is one of the text that it was asked."""
        hint = f"it was asked: {text}"
        code = LOST if refusal.code == CRASHED else code_of(refusal.code, refusal.message)
        return fault(code, f"googlesql: {refusal.message}", engine=self.name, source=source, hint=hint)
