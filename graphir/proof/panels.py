"""Several engines that hold the same graph and are asked the same questions.

Each is opened when it is first needed and kept; a graph is loaded once, however many questions follow.  An engine that
is lost is opened again and asked once more.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from typing import Any, Protocol, Self, runtime_checkable

from graphir.backends.engines.faults import MISSING, fault
from graphir.backends.engines.protocol import Engine
from graphir.backends.engines.relational import Relational
from graphir.diagnostics import GraphirError, UsageFault, usage_fault
from graphir.graphs import PropertyGraph
from graphir.proof.answers import Answer, kind_of
from graphir.proof.apart import Apart
from graphir.proof.questions import Question


@runtime_checkable
class Speaker(Protocol):
    """An engine that speaks some dialects, and can be held to one of them: a `Driver`, here or in its own process."""

    dialects: tuple[str, ...]

    def speaking(self, dialect: str) -> AbstractContextManager[None]: ...

    def spoken(self, dialect: str) -> tuple[str, ...]: ...


Opener = Callable[[], Engine]
Engines = Mapping[str, Engine | Opener] | Iterable[str]
"""Engines by name: open ones, functions that open one, or names that `graphir.connect` knows."""


class Panel:
    """The engines of a comparison.  A context manager; it closes the engines that it has opened itself."""

    def __init__(
        self,
        engines: Engines,
        options: Mapping[str, Mapping[str, Any]] | None = None,
        *,
        apart: Collection[str] = (),
        patience: float | None = None,
    ) -> None:
        """`options` are those of `graphir.connect`, by name of the engine.

        Engines that are `apart` run in processes of their own, and are lost if a query takes longer than
        `patience` seconds.  UsageFault (G091) where there is no engine.
        """
        given = engines if isinstance(engines, Mapping) else dict.fromkeys(_names(engines))
        if not given:
            raise usage_fault("G091", "there is no engine to ask")
        self._options = dict(options or {})
        self._apart = frozenset(apart)
        self._patience = patience
        self._openers: dict[str, Opener] = {}
        self._open: dict[str, Engine] = {}
        self._own: set[str] = set()
        for name, engine in given.items():
            if isinstance(engine, Engine) and not isinstance(engine, type):
                self._open[name] = engine
            else:
                self._openers[name] = engine or self._opener(name)
        self.names = tuple(given)
        self.reopened: Counter[str] = Counter()
        """How often each engine was lost and opened again."""
        self.loads = 0
        """How many graphs were loaded, over all engines."""
        self._held: dict[str, PropertyGraph] = {}
        self._unheld: dict[str, tuple[PropertyGraph, GraphirError]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        for name in self._own:
            self._open.pop(name).close()
        self._own.clear()

    def _opener(self, name: str) -> Opener:
        if name in self._apart:
            return lambda: Apart(name, self.options(name), self._patience)
        from graphir.backends.engines import connect

        return lambda: connect(name, **self.options(name))

    def options(self, name: str) -> Mapping[str, Any]:
        """What the engine is opened with."""
        return self._options.get(name, {})

    def engine(self, name: str) -> Engine:
        """The engine, open.  Raises UsageFault where it cannot be opened."""
        if name not in self._open:
            self._open[name] = self._openers[name]()
            self._own.add(name)
        return self._open[name]

    def ask(self, question: Question, number: int, graph: PropertyGraph, names: Iterable[str]) -> list[Answer]:
        """What those engines say to the question about the graph."""
        asked = [name for name in names if question.among is None or name in question.among]
        return [self._asked(name, question, number, graph) for name in asked]

    def _asked(self, name: str, question: Question, number: int, graph: PropertyGraph) -> Answer:
        answer = self._answer(name, question, number, graph)
        if answer.kind == "lost" and self._reopen(name):
            return self._answer(name, question, number, graph)
        return answer

    def _answer(self, name: str, question: Question, number: int, graph: PropertyGraph) -> Answer:
        try:
            engine = self.held(name, graph)
            with _speaking(engine, question.spoken):
                result = engine.run(question.text, question.parameters, question.dialect)
        except UsageFault:
            raise
        except GraphirError as error:
            return Answer(name, number, fault=error)
        return Answer(name, number, result)

    def held(self, name: str, graph: PropertyGraph) -> Engine:
        """The engine with that graph in it and nothing else.  Raises what loading raises."""
        engine = self.engine(name)
        if self._held.get(name) is graph:
            return engine
        known, error = self._unheld.get(name, (None, None))
        if known is graph and error is not None:
            raise error
        self._held.pop(name, None)
        engine.clear()
        self.loads += 1
        try:
            engine.load(graph)
        except GraphirError as error:
            if kind_of(error) != "lost":
                self._unheld[name] = graph, error
            raise
        self._held[name] = graph
        return engine

    def _reopen(self, name: str) -> bool:
        """A fresh engine in place of one that was lost; whether there is one."""
        if name not in self._openers:
            return False
        self._held.pop(name, None)
        lost = self._open.pop(name)
        self._own.discard(name)
        with suppress(GraphirError, RuntimeError, OSError):  # what is gone need not close well
            lost.close()
        self.engine(name)
        self.reopened[name] += 1
        return True


@contextmanager
def _speaking(engine: Engine, dialect: str | None) -> Iterator[None]:
    """While an engine that speaks several dialects is spoken to in this one alone.  Unsupported (G623)."""
    if dialect is not None and not speaks(engine, dialect):
        raise fault(MISSING, f"the engine is not asked in {dialect}", feature=dialect)
    if dialect is not None and isinstance(engine, Speaker):
        with engine.speaking(dialect):
            yield
        return
    yield


def speaks(engine: Engine, dialect: str) -> bool:
    """Whether the engine can be asked in the dialect."""
    if isinstance(engine, Speaker) and engine.dialects:
        return dialect in engine.dialects
    return isinstance(engine, (Relational, Apart)) and dialect == engine.target


def _names(engines: Iterable[str]) -> list[str]:
    names = [engines] if isinstance(engines, str) else list(engines)
    return [name.strip() for name in names if name.strip()]
