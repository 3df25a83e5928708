"""Scripts on the engine, for the command line: statements one after another, and where their results go.

Knows no click; what is not a result is handed to `log`.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TextIO

from graphir import api
from graphir.backends.engines.duckdb.plans import Plan
from graphir.backends.engines.duckdb.session import Session
from graphir.backends.engines.results import Result
from graphir.diagnostics import GraphirError, render
from graphir.files import filling
from graphir.loading.faults import in_script
from graphir.reports.results import BINARY, binary, counted, write
from graphir.source import Source

Log = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Script:
    """Statements, in a dialect, with the values of their parameters; `name` is that of the file."""

    text: str
    name: str
    dialect: str
    parameters: Mapping[str, Any]


def statements(script: Script, log: Log) -> list[tuple[int, str]] | None:
    """Where the statements begin, and their texts; None, once told, where one of them does not parse."""
    found = api.parse_script(script.text, script.dialect)
    faults = [each for one in found if one.fault for each in one.fault.diagnostics]
    for each in faults:
        log(render(Source(script.text, script.name), each))
    return None if faults else [(one.span.start, script.text[one.span.start : one.span.end]) for one in found]


def run(session: Session, script: Script, format: str, output: Path | None, log: Log) -> bool:
    """Run the statements and write their results; whether all went well.

    A table or JSON is written for each statement that returns something, in CSV, Parquet and Arrow for the last one.
    """
    listed = statements(script, log)
    if listed is None:
        return False
    results: list[Result] = []
    for start, text in listed:
        try:
            result = session.run(text, script.parameters, script.dialect)
        except GraphirError as error:
            _tell(error, script, start, log)
            return False
        if result.counters:
            log(counted(result.counters))
        if not result.columns:
            continue
        if format in ("csv", *BINARY):
            results = [result]
        else:
            results.append(result)
    _write(results, format, output)
    return True


def _write(results: list[Result], format: str, output: Path | None) -> None:
    if output is None:
        _write_to(sys.stdout, results, format)
        return
    with filling(output), output.open("w", encoding="utf-8", newline="") as stream:
        _write_to(stream, results, format)


def _write_to(stream: TextIO, results: list[Result], format: str) -> None:
    if format not in BINARY:
        _write_text(results, format, stream)
        return
    stream.flush()
    for result in results:
        stream.buffer.write(binary(result, format))


def _write_text(results: list[Result], format: str, stream: TextIO) -> None:
    for at, result in enumerate(results):
        if format != "table":
            stream.write(write(result, format))
            continue
        from graphir.reports.terminal import tabulate

        if at:
            stream.write("\n")
        tabulate(stream, result)


def plan(session: Session, script: Script, analyze: bool, log: Log) -> Plan | None:
    """The plan of the one query of a script; None, once told, where there is none."""
    try:
        return session.explain(script.text, script.parameters, script.dialect, analyze=analyze)
    except GraphirError as error:
        _tell(error, script, 0, log)
        return None


def _tell(error: GraphirError, script: Script, start: int, log: Log) -> None:
    source = Source(script.text, script.name)
    for each in in_script(error, source, start).diagnostics:
        log(render(source, each))
