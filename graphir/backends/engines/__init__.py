"""Engines: where queries run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, overload

from graphir.diagnostics import usage_fault
from graphir.nearest import proposals

if TYPE_CHECKING:
    from graphir.backends.engines.duckdb.session import Session
    from graphir.backends.engines.protocol import Engine


@overload
def connect(engine: Literal["duckdb"] = "duckdb", **options: Any) -> Session: ...
@overload
def connect(engine: str, **options: Any) -> Engine: ...
def connect(engine: str = "duckdb", **options: Any) -> Session | Engine:
    """A graph in an engine, empty unless the engine keeps its data; a context manager.

    `duckdb`, the embedded one, is in memory; `path` keeps it in a file.  Servers take `uri`, and what else
    `docs/engines.md` says; the others run in this process.  `graphir engines` lists them all, and says which are usable
    here; UsageFault (G620) for those that are not.

    >>> with connect() as engine:
    ...     engine.run("RETURN 1 + 1 AS two").to_dicts()
    [{'two': 2}]
    """
    from graphir.backends.engines.registry import KINDS, open_engine

    kind = KINDS.get(engine)
    if kind is None:
        told = f"unknown engine {engine!r}{proposals(engine, KINDS) or ';'} known: {', '.join(KINDS)}"
        raise usage_fault("G091", told)
    return open_engine(kind, options)
