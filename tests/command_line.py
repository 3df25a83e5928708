"""The command line for tests: called in this process, or as a process of its own, and what it prints."""

from __future__ import annotations

import json
import resource
import subprocess
import sys
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from graphir.cli import main

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = [sys.executable, "-m", "graphir"]
MEMORY = 4 << 30
"""Bytes that a bounded process may take: one that reads what never ends comes to an end."""


def graphir(*arguments: str | Path, input: str | bytes | None = None) -> Result:
    """What a command does in this process; an error that nobody handles is raised."""
    result = CliRunner().invoke(main, [str(a) for a in arguments], input=input)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def process(*arguments: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
    """What a command does in a process of its own."""
    command = [*PROGRAM, *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, **options)


def bounded(*arguments: str | Path, **options: Any) -> subprocess.CompletedProcess[str]:
    """The same with as much memory as MEMORY."""

    def bound() -> None:
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    return process(*arguments, preexec_fn=bound, **options)


def rows(text: str | bytes) -> list[dict[str, Any]]:
    """The rows that lines of JSON are."""
    return [json.loads(line) for line in text.splitlines()]


def codes(row: dict[str, Any]) -> list[str]:
    """The codes of the findings of a row."""
    return [found["code"] for found in row["diagnostics"]]
