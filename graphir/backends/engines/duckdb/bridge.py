"""Reference functions as functions of DuckDB: they are registered when a statement first needs them."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from inspect import Parameter, Signature
from typing import Any

import duckdb
from duckdb.func import FunctionNullHandling

from graphir.backends.engines.duckdb.carriers import reader, writer
from graphir.backends.engines.duckdb.cheapest import cheapest_paths
from graphir.backends.engines.duckdb.search import Index, paths_between, paths_from
from graphir.backends.sql import bridges
from graphir.backends.sql.lowering import Bridge
from graphir.backends.sql.reps import NODE, PATH, Rep, list_of
from graphir.backends.sql.searches import Search
from graphir.diagnostics import RunFault
from graphir.gql_functions import SAFE
from graphir.values import functions, google, temporal_functions
from graphir.values.clocks import Clock
from graphir.values.google.arguments import safe

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
        self._searched: dict[str, tuple[Search, Index]] = {}
        self._types: dict[Rep, Any] = {}
        self._clocked = temporal_functions.table(lambda: self.clock)

    def register(self, needed: Mapping[str, Bridge]) -> dict[str, str]:
        """Make the functions of a statement known; those that go by another name now."""
        renamed: dict[str, str] = {}
        for name, bridge in needed.items():
            if name not in self._known:
                self._create(name, self._wrapped(bridge), bridge.arguments, bridge.result, varies=bridge.varies)
            if self._known[name] != name:
                renamed[name] = self._known[name]
        return renamed

    def register_searches(self, needed: Iterable[tuple[Search, Index]]) -> dict[str, str]:
        """Make the searches of a statement known, each with the index that it works on this time."""
        renamed: dict[str, str] = {}
        for search, index in needed:
            name = search.name
            self._searched[name] = (search, index)
            if name not in self._known:
                ends = (NODE,) if search.open_ended else (NODE, NODE)
                self._create(name, self._searching(name, len(ends)), ends, list_of(PATH), varies=True)
            if self._known[name] != name:
                renamed[name] = self._known[name]
        return renamed

    def _create(
        self, name: str, function: Function, arguments: Sequence[Rep], result: Rep, *, varies: bool = False
    ) -> None:
        times = self._undone.get(name, 0)
        known = self._known[name] = f"{name}_{times}" if times else name
        self._fresh.append(name)
        self.connection.create_function(
            known,
            function,
            [self._type(rep) for rep in arguments],
            self._type(result),
            null_handling=FunctionNullHandling.SPECIAL,
            side_effects=varies,
        )

    def _searching(self, name: str, arity: int) -> Function:
        def run(*ends: int | None) -> list[dict[str, list[int]]] | None:
            search, index = self._searched[name]
            try:
                if search.cheapest:
                    found = cheapest_paths(index, search, *ends)
                else:
                    found = paths_from(index, search, *ends) if arity == 1 else paths_between(index, search, *ends)
            except RunFault as fault:
                self.fault = (fault, name)
                raise
            return None if found is None else [{"nodes": nodes, "edges": edges} for nodes, edges in found]

        return _with_arity(run, arity)

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
        found = bridges.FUNCTIONS.get(name) or self._clocked.get(name) or functions.FUNCTIONS.get(name)
        if found is not None:
            return found
        return safe(self._function(name.removeprefix(SAFE))) if name.startswith(SAFE) else google.FUNCTIONS[name]

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

        return _with_arity(run, len(readers))


def _with_arity(function: Function, arity: int) -> Function:
    """DuckDB counts the parameters of a function."""
    parameters = [Parameter(f"a{at}", Parameter.POSITIONAL_ONLY) for at in range(arity)]
    function.__signature__ = Signature(parameters)  # type: ignore[attr-defined]
    return function
