"""The work on one row: decode it, run a task on its query, and write the row with what came out.

A task is named as `module:function`, so that a job is plain data and any process can do it.  A class in its place is
made once per process, of the options, and called on each row.  Nothing about a row raises: what is wrong with it is a
diagnostic in its line.
"""

from __future__ import annotations

import dataclasses
import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple

from graphir.corpora.formats import Row
from graphir.corpora.report import CRASHED, UNREADABLE, Report
from graphir.diagnostics import Diagnostic, diagnose
from graphir.source import Source, Span

_ESCAPE = 0xDC00
_ESCAPED = re.compile("[\udc80-\udcff]")
"""A byte that is not UTF-8, as `surrogateescape` has it."""


class Outcome(NamedTuple):
    """What a task says about a query: diagnostics, the columns the row gains, the constructs the query uses, and the
    codes of the findings that were fixed in it."""

    diagnostics: list[Diagnostic]
    columns: Mapping[str, Any] = {}
    constructs: Collection[str] = ()
    fixed: Collection[str] = ()


Task = Callable[[str, Mapping[str, Any]], Outcome]
"""What is done to the query of a row, given the values of the row."""


@dataclasses.dataclass(frozen=True, slots=True)
class Job:
    """A task for every row: its name, the key of the query, the task's options, and the columns that each row gains
    (null where the task gives none)."""

    task: str
    field: str = "query"
    options: Mapping[str, Any] = dataclasses.field(default_factory=dict)
    columns: tuple[str, ...] = ()


class Batch(NamedTuple):
    """Finished rows as lines of JSON, with their part of the report."""

    lines: list[bytes]
    report: Report


def load_task(job: Job) -> Task:
    """The function that the job names."""
    module, _, name = job.task.partition(":")
    found: Any = getattr(import_module(module), name)
    if isinstance(found, type):
        made: Task = found(job.options)
        return made
    return lambda text, _: found(text, job.options)


def do_rows(rows: Sequence[Row], job: Job, task: Task) -> Batch:
    """Every row with its diagnostics and columns, in order."""
    batch = Batch([], Report())
    for row in rows:
        values, fault = _decode(row, job.field)
        if fault is None:
            text = values[job.field]
            outcome = task(text, values)
            _finish(batch, job, values, outcome, len(text))
        else:
            _finish(batch, job, values, Outcome([fault]), 0)
    return batch


def give_up(row: Row, job: Job, reason: str) -> Batch:
    """The row on which the worker died."""
    batch = Batch([], Report())
    values, fault = _decode(row, job.field)
    fault = fault or diagnose(
        Source(""),
        CRASHED,
        f"graphir itself failed on this row: {reason}",
        hint="this is a fault of graphir, please report it",
    )
    _finish(batch, job, values, Outcome([fault]), 0)
    return batch


def _finish(batch: Batch, job: Job, values: dict[str, Any], outcome: Outcome, characters: int) -> None:
    values["diagnostics"] = [d.to_json() for d in outcome.diagnostics]
    for name in job.columns:
        values[name] = outcome.columns.get(name)
    batch.lines.append(encode_line(values))
    batch.report.add(characters, outcome.diagnostics, outcome.constructs, outcome.fixed)


def encode_line(values: Mapping[str, Any]) -> bytes:
    """A line of JSON; escaped where the text holds half a surrogate pair, which UTF-8 cannot hold."""
    try:
        return json.dumps(values, ensure_ascii=False).encode("utf-8") + b"\n"
    except UnicodeEncodeError:
        return json.dumps(values).encode("ascii") + b"\n"


def _decode(row: Row, key: str) -> tuple[dict[str, Any], Diagnostic | None]:
    """The values of the row, or its text as it came under `row`, with the diagnostic that says why.

    Bytes that are not UTF-8 are kept as half surrogate pairs, as Python does (`surrogateescape`).
    """
    if row.fault is not None:
        return _keep(row), _unreadable(row.fault)
    try:
        values = json.loads(row.payload.decode("utf-8", "surrogateescape"), parse_float=_finite, parse_constant=_refuse)
    except json.JSONDecodeError as error:
        return _keep(row), _unreadable(f"the row is not JSON: {error.msg} at character {error.pos + 1}")
    except ValueError as error:
        return _keep(row), _unreadable(f"the row is not JSON: {error}")
    except RecursionError:
        return _keep(row), _unreadable("the row is nested too deeply")
    if isinstance(values, str):
        values = {key: values}
    if not isinstance(values, dict):
        return _keep(row), _unreadable("the row is not a JSON object")
    if key not in values:
        keys = ", ".join(map(repr, values)) or "none"
        return values, _unreadable(f"the row has no {key!r}", hint=f"its keys: {keys}; --field names the query's key")
    if not isinstance(values[key], str):
        return values, _unreadable(f"{key!r} holds no text")
    return values, _foreign_bytes(row.payload, values[key])


def _foreign_bytes(payload: bytes, query: str) -> Diagnostic | None:
    """The first byte that is not UTF-8: at its place where it is in the query."""
    try:
        payload.decode("utf-8")
    except UnicodeDecodeError as error:
        found = _ESCAPED.search(query)
        if found is None:
            return _unreadable(f"the row is not UTF-8 (byte {error.start + 1})")
        told = f"the text is not UTF-8: the byte {ord(found[0]) - _ESCAPE:02X} is none of it"
        return diagnose(Source(query), UNREADABLE, told, Span(*found.span()), hint="save it in UTF-8")
    return None


def _keep(row: Row) -> dict[str, Any]:
    return {"row": row.payload.decode("utf-8", "surrogateescape")}


def _unreadable(message: str, hint: str | None = None) -> Diagnostic:
    return diagnose(Source(""), UNREADABLE, message, hint=hint)


def _finite(text: str) -> float:
    value = float(text)
    if value in (float("inf"), float("-inf")):
        raise ValueError(f"{text} is out of range")
    return value


def _refuse(name: str) -> float:
    raise ValueError(f"{name} is no JSON number")
