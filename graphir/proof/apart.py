"""An engine in a process of its own: one that crashes, or does not come back, is lost and nothing else is.

The other process opens the engine and answers one call after the other; calls and answers are pickled over its standard
streams.  To a panel it is an engine like any other.
"""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from threading import Timer
from typing import IO, Any, Self

from graphir.backends.engines.faults import LOST, fault
from graphir.backends.engines.results import Result
from graphir.diagnostics import GraphirError
from graphir.schema.model import Schema

_START = "import sys, json; sys.path[:] = json.loads(sys.argv[1]); from graphir.proof.apart import serve; serve()"

_LAST_WORDS = 2_000
"""Bytes at the end of what a process that ended has written about itself."""


class Apart:
    """An engine that `graphir.connect` opens elsewhere.

    `patience` is how many seconds a query may take; the process of one that takes longer is ended.
    """

    def __init__(self, name: str, options: Mapping[str, Any] | None = None, patience: float | None = None) -> None:
        """Raises what opening the engine raises."""
        self.name = name
        self._patience = patience
        self._log = tempfile.TemporaryFile()  # noqa: SIM115 closed with the process
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-c", _START, json.dumps(sys.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self._log,
        )
        self.dialects: tuple[str, ...] = ()
        self.target: str | None = None
        try:
            self.dialects, self.target = self._call("open", name, dict(options or {}))
        except GraphirError:
            self.close()
            raise

    @property
    def process(self) -> int:
        """The number of the process."""
        return self._process.pid

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def load(self, source: Any, schema: Schema | None = None) -> Any:
        return self._call("load", source, schema)

    def clear(self) -> None:
        self._call("clear")

    def run(self, text: str, parameters: Mapping[str, Any] | None = None, dialect: str = "neo4j-25") -> Result:
        found: Result = self._call("run", text, dict(parameters or {}), dialect)
        return found

    @contextmanager
    def speaking(self, dialect: str) -> Iterator[None]:
        """As `Driver.speaking`."""
        self._call("speak", dialect)
        try:
            yield
        finally:
            with suppress(GraphirError):  # the engine may be lost by now, and its dialect with it
                self._call("speak", None)

    def spoken(self, dialect: str) -> tuple[str, ...]:
        """As `Driver.spoken`."""
        found: tuple[str, ...] = self._call("spoken", dialect)
        return found

    def close(self) -> None:
        """End the engine, and its process if that does not go by itself."""
        with suppress(GraphirError):
            self._call("close")
        for stream in (self._process.stdin, self._process.stdout):
            with suppress(OSError):
                _there(stream).close()
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._log.close()

    def _call(self, *call: Any) -> Any:
        """What the engine gives, or raises.  RunFault (G628) where it is gone."""
        with self._bounded(call[0]):
            try:
                _send(_there(self._process.stdin), call)
                well, answer = pickle.load(_there(self._process.stdout))
            except (OSError, EOFError, pickle.UnpicklingError, ValueError):
                raise fault(LOST, f"{self.name}: its process ended{self._how()}", engine=self.name) from None
        if not well:
            raise answer
        return answer

    def _how(self) -> str:
        try:
            code = self._process.wait(5)
        except subprocess.TimeoutExpired:
            return ""
        if code < 0:
            return f" by signal {-code}"
        self._log.seek(max(0, self._log.seek(0, os.SEEK_END) - _LAST_WORDS))
        words = self._log.read().decode("utf-8", "replace").strip().splitlines()
        return f" with status {code}: {words[-1]}" if words else f" with status {code}"

    @contextmanager
    def _bounded(self, call: str) -> Iterator[None]:
        """Opening and loading take the time that they take."""
        if self._patience is None or call != "run":
            yield
            return
        timer = Timer(self._patience, self._process.kill)
        timer.start()
        try:
            yield
        finally:
            timer.cancel()


def _there(stream: IO[bytes] | None) -> IO[bytes]:
    assert stream is not None, "the process was started with pipes"
    return stream


def _send(stream: IO[bytes], value: Any) -> None:
    pickle.dump(value, stream, pickle.HIGHEST_PROTOCOL)
    stream.flush()


# ------------------------------------------------------------------ the other process


def serve() -> None:
    """Answer calls from standard input until it ends."""
    import signal

    signal.signal(signal.SIGINT, signal.SIG_IGN)  # an interrupt is for the one that asks
    calls = sys.stdin.buffer
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # nothing that an engine prints may get between the answers
    server = _Server()
    try:
        while (call := _next(calls)) is not None:
            name, *arguments = call
            try:
                answer = True, getattr(server, name)(*arguments)
            except GraphirError as error:
                answer = False, error
            _send(answers, answer)
    finally:  # also when whoever asked is gone
        server.close()


def _next(calls: IO[bytes]) -> tuple[Any, ...] | None:
    """The next call; None where there is none any more."""
    try:
        call: tuple[Any, ...] = pickle.load(calls)
    except EOFError:
        return None
    return call


class _Server:
    """The calls of `Apart`, on the engine itself."""

    def __init__(self) -> None:
        self._engine: Any = None
        self._held: Any = None

    def open(self, name: str, options: Mapping[str, Any]) -> tuple[tuple[str, ...], str | None]:
        from graphir.backends.engines import connect

        self._engine = connect(name, **options)
        return getattr(self._engine, "dialects", ()), getattr(self._engine, "target", None)

    def load(self, source: Any, schema: Schema | None) -> None:
        self._engine.load(source, schema)

    def clear(self) -> None:
        self._engine.clear()

    def run(self, text: str, parameters: Mapping[str, Any], dialect: str) -> Result:
        found: Result = self._engine.run(text, parameters, dialect)
        return found

    def speak(self, dialect: str | None) -> None:
        if self._held is not None:
            self._held.__exit__(None, None, None)
            self._held = None
        if dialect is not None:
            self._held = self._engine.speaking(dialect)
            self._held.__enter__()

    def spoken(self, dialect: str) -> tuple[str, ...]:
        found: tuple[str, ...] = self._engine.spoken(dialect)
        return found

    def close(self) -> None:
        engine, self._engine = self._engine, None
        if engine is not None:
            engine.close()
