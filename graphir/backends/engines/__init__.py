"""Engines: where queries run."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from graphir.diagnostics import UsageFault, diagnose
from graphir.source import Source

if TYPE_CHECKING:
    from graphir.backends.engines.duckdb.session import Session

ENGINES = ("duckdb",)


def connect(engine: str = "duckdb", **options: Any) -> Session:
    """A session with an engine.  `duckdb`, the embedded one, is empty and in memory; `path` keeps it in a file."""
    if engine not in ENGINES:
        told = f"unknown engine {engine!r}; known: {', '.join(ENGINES)}"
        raise UsageFault([diagnose(Source(""), "G091", told)])
    from graphir.backends.engines.duckdb.session import Session

    return Session(**options)
