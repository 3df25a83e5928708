"""A question: a query in a dialect, with what has to be known of it before its answers can be compared.

Knows the IR and its normal form, no engine.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from graphir import api, ir
from graphir.backends.cypher import print_query
from graphir.backends.cypher.legalize import legalize
from graphir.diagnostics import SemanticFault, Unsupported, diagnose
from graphir.dialects import DIALECTS
from graphir.evaluation.runs import writes
from graphir.passes import checks
from graphir.proof import openness
from graphir.proof.openness import Source as Opening
from graphir.source import Source

WRITES = "G676"


@dataclass(frozen=True)
class Question:
    """A query as it is asked.

    `spoken` is the dialect in which it has to reach an engine; None leaves that to the engine.  `among` are the engines
    that are asked; None asks all.
    """

    text: str
    dialect: str = "neo4j-25"
    parameters: Mapping[str, Any] = field(default_factory=dict)
    spoken: str | None = None
    among: tuple[str, ...] | None = None

    @cached_property
    def query(self) -> ir.Query:
        """As it is written.  Raises SyntaxFault."""
        return api.parse(self.text, self.dialect)

    @cached_property
    def core(self) -> ir.Query:
        """Its core form.  Raises SyntaxFault, SemanticFault, Unsupported."""
        return api.to_core(self.query, self.text, self.dialect)

    @cached_property
    def ordered(self) -> bool:
        """Whether the result as a whole has an order or is cut by LIMIT or SKIP."""
        last = self.query.body.operators[-1] if isinstance(self.query.body, ir.Pipeline) else None
        return isinstance(last, ir.Project) and bool(last.order or last.skip is not None or last.limit is not None)

    @cached_property
    def openings(self) -> tuple[Opening, ...]:
        """What leaves the result open to the engine, beyond order and cut of the result as a whole."""
        return tuple(openness.sources(self.core, ordered=self.ordered))

    def asking(self, query: ir.Query) -> Question:
        """The same question for another query: in the dialect of this one, or in Cypher 25 if that is none of Cypher's.

        Raises Unsupported.
        """
        dialect = self.dialect if DIALECTS[self.dialect].family == "cypher" else "neo4j-25"
        text = print_query(legalize(query, dialect, Source(self.text)), dialect)
        used = {node.name for node in ir.walk(query) if isinstance(node, ir.Parameter)}
        parameters = {name: value for name, value in self.parameters.items() if name in used}
        return replace(self, text=text, dialect=dialect, parameters=parameters)

    def examine(self) -> None:
        """Raise what is wrong with it: SyntaxFault, SemanticFault, or Unsupported (G676) where it writes."""
        _ = self._sound

    @cached_property
    def _sound(self) -> bool:
        source = Source(self.text)
        faults = [d for d in checks.find_faults(self.query, source, self.dialect) if d.severity == "error"]
        if faults:
            raise SemanticFault(faults)
        if writes(self.query):
            told = "the query writes, and only what queries read is compared"
            raise Unsupported([diagnose(source, WRITES, told)], feature="update", target="proof")
        return True
