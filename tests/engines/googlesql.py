"""Google's own evaluator of GQL and GRAPH_TABLE for the tests: ZetaSQL as WebAssembly, from PyPI.

    python -m tests.engines.googlesql            makes its environment and compiles it, so that later starts are quick

The evaluator is driven by `tools/googlesql` of the outside data, in a Python environment of its own (its protobuf is
newer than other packages like), as one process that answers JSON lines.  Knows nothing of graphir.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.outside import SHARED

PACKAGES = ("zetasql==0.1.5", "wasmtime==50.0.1", "protobuf==7.36.2", "tzdata==2026.1")
TOOL = SHARED / "tools" / "googlesql" / "gsql.py"


class Unavailable(Exception):
    """The evaluator cannot run here; the text says what is missing."""


class Refused(Exception):
    """The evaluator refuses a statement."""


def interpreter() -> Path:
    """The Python of the environment; the first call makes it (70 MB)."""
    cache = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "graphir"
    folder = cache / "googlesql-0.1.5"
    python = folder / "bin" / "python"
    if python.exists():
        return python
    cache.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=cache) as made:
        for command in (
            [sys.executable, "-m", "venv", "--without-pip", f"{made}/venv"],
            [sys.executable, "-m", "pip", "--quiet", "--python", f"{made}/venv", "install", "--no-deps", *PACKAGES],
        ):
            done = subprocess.run(command, capture_output=True, text=True, check=False)
            if done.returncode:
                raise Unavailable("GoogleSQL's evaluator could not be installed: " + done.stderr[-500:])
        if not folder.exists():
            Path(made, "venv").rename(folder)
    return python


class GoogleSql:
    """A database with property graphs, in memory."""

    def __init__(self, profile: str) -> None:
        command = [str(interpreter()), str(TOOL), "serve", "--profile", profile]
        self.process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )

    def ask(self, **request: Any) -> dict[str, Any]:
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(json.dumps(request) + "\n")
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        if not line:
            raise Unavailable("GoogleSQL's evaluator has stopped")
        answer: dict[str, Any] = json.loads(line)
        if not answer["ok"]:
            raise Refused(answer["error"])
        return answer

    def define(self, script: str) -> None:
        """Begin anew with the tables and graphs of a script."""
        self.ask(op="setup", sql=script)

    def fill(self, tables: Mapping[str, Mapping[str, Any]]) -> None:
        """Replace tables: name -> {columns: [[name, type]], rows, pk}."""
        self.ask(op="tables", tables=tables)

    def check(self, statement: str) -> None:
        """Analyze a statement without running it."""
        self.ask(op="check", sql=statement)

    def rows(self, statement: str, parameters: Mapping[str, Sequence[Any]] | None = None) -> list[list[Any]]:
        """Run a statement; parameters are name -> (type, value)."""
        found: list[list[Any]] = self.ask(op="query", sql=statement, params=parameters)["rows"]
        return found


@contextmanager
def evaluator(profile: str = "spanner") -> Iterator[GoogleSql]:
    """An evaluator with the features of Spanner's emulator (spanner) or with all that are released (full)."""
    if not TOOL.exists():
        raise Unavailable(f"{TOOL} is not here")
    engine = GoogleSql(profile)
    try:
        yield engine
    finally:
        assert engine.process.stdin
        engine.process.stdin.close()
        engine.process.wait(30)


if __name__ == "__main__":
    with evaluator() as google:
        google.ask(op="parse", sql="SELECT 1")
        print(interpreter())
