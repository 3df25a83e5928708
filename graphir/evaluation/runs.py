"""Queries made of the IR, run on whatever runs text.  The parser and the printer are loaded when they are needed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

from graphir import ir
from graphir.backends.engines.results import Result
from graphir.dialects import DIALECTS
from graphir.source import Source

_WRITES = (ir.Insert, ir.Merge, ir.Set, ir.Remove, ir.Delete, ir.Foreach, ir.Command)


class Runner(Protocol):
    """What runs queries: a session with any engine."""

    def run(self, text: str, parameters: Mapping[str, Any] | None = None, dialect: str = "neo4j-25") -> Result: ...


def surface(text: str, dialect: str) -> ir.Query:
    """A query as it is written.  Raises SyntaxFault."""
    from graphir import api

    return api.parse(text, dialect)


def writes(query: ir.Query) -> bool:
    """Whether a clause of a query writes.  What procedures do is not looked at."""
    return any(isinstance(node, _WRITES) for node in ir.walk(query))


def core(query: ir.Query, text: str, dialect: str) -> ir.Query:
    """The core form of a query.  Raises SemanticFault, Unsupported."""
    from graphir import api

    return api.to_core(query, text, dialect)


def run(session: Runner, query: ir.Query, text: str, parameters: Mapping[str, Any] | None, dialect: str) -> Result:
    """The result of a query that was made of another one, which is `text` in a dialect.  It is sent as Cypher."""
    from graphir.backends.cypher import print_query
    from graphir.backends.cypher.legalize import legalize

    name = dialect if DIALECTS[dialect].family == "cypher" else "neo4j-25"
    return session.run(print_query(legalize(query, name, Source(text)), name), parameters, name)
