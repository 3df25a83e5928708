"""Reference functions as functions of DuckDB: they are registered when a statement first needs them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from inspect import Parameter, Signature
from typing import Any

import duckdb
from duckdb.func import FunctionNullHandling

from graphir.backends.engines.duckdb.carriers import reader, writer
from graphir.backends.sql import bridges
from graphir.backends.sql.lowering import Bridge
from graphir.backends.sql.reps import Rep
from graphir.diagnostics import RunFault
from graphir.values import functions, temporal_functions
from graphir.values.clocks import Clock

Function = Callable[..., Any]


class Bridges:
    """What is registered at a connection, and the fault that a function raised last, with its name."""

    def __init__(self, connection: duckdb.DuckDBPyConnection) -> None:
        self.connection = connection
        self.clock = Clock.now()
        self.fault: tuple[RunFault, str] | None = None
        self._known: dict[str, str] = {}
        """Name in a statement -> name in the database: DuckDB takes no name again that a transaction undid."""
        self._undone: dict[str, int] = {}
        self._fresh: list[str] = []
        """Those registered since the transaction began."""
        self._types: dict[Rep, Any] = {}
        self._clocked = temporal_functions.table(lambda: self.clock)

    def register(self, needed: Mapping[str, Bridge]) -> dict[str, str]:
        """Make the functions of a statement known; those that go by another name now."""
        renamed: dict[str, str] = {}
        for name, bridge in needed.items():
            known = self._known.get(name)
            if known is None:
                times = self._undone.get(name, 0)
                known = self._known[name] = f"{name}_{times}" if times else name
                self._fresh.append(name)
                self.connection.create_function(
                    known,
                    self._wrapped(bridge),
                    [self._type(rep) for rep in bridge.arguments],
                    self._type(bridge.result),
                    null_handling=FunctionNullHandling.SPECIAL,
                    side_effects=bridge.varies,
                )
            if known != name:
                renamed[name] = known
        return renamed

    def begin(self) -> None:
        """A transaction begins."""
        self._fresh.clear()

    def undo(self) -> None:
        """The transaction was undone, and with it the functions that it was the first to need."""
        for name in self._fresh:
            del self._known[name]
            self._undone[name] = self._undone.get(name, 0) + 1
        self._fresh.clear()

    def _type(self, rep: Rep) -> Any:
        if rep not in self._types:
            self._types[rep] = duckdb.sqltype(rep.sql)
        return self._types[rep]

    def _function(self, name: str) -> Function:
        return bridges.FUNCTIONS.get(name) or self._clocked.get(name) or functions.FUNCTIONS[name]

    def _wrapped(self, bridge: Bridge) -> Function:
        """The function on columns."""
        function = self._function(bridge.function)
        readers = [reader(rep) for rep in bridge.arguments]
        write = writer(bridge.result)

        def run(*columns: Any) -> Any:
            try:
                values = [
                    value if value is None or read is None else read(value)
                    for value, read in zip(columns, readers, strict=True)
                ]
                made = function(*values)
                return None if made is None else write(made)
            except RunFault as fault:
                self.fault = (fault, bridge.function)
                raise

        # DuckDB counts the parameters of a function
        parameters = [Parameter(f"a{at}", Parameter.POSITIONAL_ONLY) for at in range(len(readers))]
        run.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
        return run
