"""What every engine offers, the embedded one as well as the drivers of others."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol, Self, runtime_checkable

from graphir.backends.engines.results import Result
from graphir.schema.model import Schema


@runtime_checkable
class Engine(Protocol):
    """A graph in an engine.  It is open when it is made; a context manager closes it."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...

    def load(self, source: Any, schema: Schema | None = None) -> Any:
        """Add the graph of a source (see `graphir.loading.sources`).  Says how many nodes and edges came."""

    def clear(self) -> None:
        """Forget all data."""

    def run(self, text: str, parameters: Mapping[str, Any] | None = None, dialect: str = "neo4j-25") -> Result:
        """Run a query of any dialect that parses; the values of the rows are those of `graphir.values`.

        Raises SyntaxFault, SemanticFault, Unsupported, RunFault, with the message of the engine in the diagnostic.
        """
        ...

    def close(self) -> None:
        """End it and give back what it holds."""
