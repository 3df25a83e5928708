"""A corpus through a job into a file: ordered, with flat memory, and able to go on after an interruption.

While a run is under way, a record beside the output (`OUT.resume`) says how far the output is certain: rows, bytes,
digests of the input read and of the output written, counts so far.  It is replaced in one step, after the output, and
removed at the end.  A resumed run checks that the output begins with exactly those bytes and the input with exactly
those rows, cuts what follows, and goes on.  Where there is no usable record, every row is done again and compared with
the output as far as it reaches.  Either way the file is what one uninterrupted run would have written.
"""

from __future__ import annotations

import json
import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from typing import IO, Any, NamedTuple

from graphir.corpora.formats import CorpusError, Row
from graphir.corpora.pool import run_here, run_workers
from graphir.corpora.report import Report
from graphir.corpora.work import Batch, Job

RECORD_VERSION = 1
RECORD_INTERVAL = 1.0  # seconds between two records
_BLOCK = 1 << 20

Notify = Callable[[int], None]
"""Told the number of rows that were finished."""


class Finished(NamedTuple):
    """The report over the whole output and the seconds that went into it, earlier attempts included."""

    report: Report
    seconds: float


def run(rows: Iterable[Row], job: Job, workers: int) -> Iterator[tuple[list[Row], Batch]]:
    """The rows and what became of them, in order; no worker means in this process."""
    return run_workers(rows, job, workers) if workers else run_here(rows, job)


def write_rows(
    rows: Iterator[Row],
    job: Job,
    target: Path,
    *,
    workers: int,
    identity: Mapping[str, Any],
    resume: bool = False,
    notify: Notify = lambda _: None,
) -> Finished:
    """Write the finished rows to a file of JSON lines.

    `identity` is all that decides what the rows look like besides the input.  Raises CorpusError where a resumed output
    belongs to another input or another run.
    """
    record = _Record(target.with_name(target.name + ".resume"), dict(identity))
    state = record.read(job) if resume else None
    if state is not None and not _begins_as(target, state):
        state = None
    if state is not None:
        return _continue(rows, job, target, workers, record, state, notify)
    if resume and target.exists():
        return _compare(rows, job, target, workers, record, notify)
    record.write(_State())
    with target.open("wb") as stream:
        return _Writer(stream, record, _State(), notify).take(run(rows, job, workers))


def write_converted(target: Path, convert: Callable[[Path, Path], None], lines: Callable[[Path], Finished]) -> Finished:
    """Write JSON lines beside the target, then the target from them in one step; a link to it stays one."""
    target = target.resolve()
    part = target.with_name(target.name + ".part")
    finished = lines(part)
    fresh = target.with_name(target.name + ".fresh")
    convert(part, fresh)
    fresh.replace(target)
    part.unlink()
    return finished


def is_regular(target: Path) -> bool:
    """Whether the path is, or would become, a file that can be read again."""
    try:
        return stat.S_ISREG(target.stat().st_mode)
    except FileNotFoundError:
        return True


class Clock:
    """Seconds since it was made."""

    def __init__(self) -> None:
        self._start = time.monotonic()

    def seconds(self) -> float:
        return time.monotonic() - self._start


# ------------------------------------------------------------------ how far a run came


class _State:
    """What is certain: rows and bytes written, with digests of the input and output up to there."""

    def __init__(self) -> None:
        self.rows = 0
        self.bytes = 0
        self.input = sha256()
        self.output = sha256()
        self.report = Report()
        self.seconds = 0.0

    def read(self, row: Row) -> None:
        self.rows += 1
        self.input.update(row.payload + b"\n")

    def wrote(self, data: bytes) -> None:
        self.bytes += len(data)
        self.output.update(data)


@dataclass(frozen=True, slots=True)
class _Certain:
    """A state as the record of an earlier run holds it."""

    rows: int
    bytes: int
    input: str
    output: str
    report: Report
    seconds: float


@dataclass(frozen=True, slots=True)
class _Record:
    path: Path
    identity: dict[str, Any]

    def write(self, state: _State) -> None:
        data = {
            "version": RECORD_VERSION,
            "identity": self.identity,
            "rows": state.rows,
            "bytes": state.bytes,
            "input": state.input.hexdigest(),
            "output": state.output.hexdigest(),
            "report": state.report.to_json(),
            "seconds": state.seconds,
        }
        fresh = self.path.with_name(self.path.name + ".fresh")
        fresh.write_text(json.dumps(data), encoding="utf-8")
        fresh.replace(self.path)

    def read(self, job: Job) -> _Certain | None:
        """What an earlier run left, None where it cannot be used.  Raises CorpusError where it was another run."""
        try:
            data = json.loads(self.path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return None
        if not isinstance(data, dict) or data.get("version") != RECORD_VERSION:
            return None
        theirs = data["identity"]
        told = ", ".join(_changes(theirs, self.identity))
        if told:
            raise CorpusError(f"the output was begun by another run ({told}): run without --resume to start again")
        report = Report.from_json(data["report"])
        if job.options.get("constructs") and report.rows and not report.constructs:
            return None  # that run did not count them
        return _Certain(data["rows"], data["bytes"], data["input"], data["output"], report, data["seconds"])


def _changes(there: Mapping[str, Any], here: Mapping[str, Any]) -> Iterator[str]:
    """What is not the same in two runs, of options each of them."""
    for key in {**here, **there}:
        was, now = there.get(key), here.get(key)
        if isinstance(was, dict) and isinstance(now, dict):
            yield from _changes(was, now)
        elif was != now:
            yield f"{key} was {was!r}, is {now!r}"


def _begins_as(target: Path, certain: _Certain) -> bool:
    digest = sha256()
    left = certain.bytes
    try:
        with target.open("rb") as stream:
            while left and (block := stream.read(min(left, _BLOCK))):
                digest.update(block)
                left -= len(block)
    except FileNotFoundError:
        return False
    return not left and digest.hexdigest() == certain.output


# ------------------------------------------------------------------ writing


class _Writer:
    """Appends batches to the output and keeps the record."""

    def __init__(self, stream: IO[bytes], record: _Record, state: _State, notify: Notify) -> None:
        self._stream, self._record, self._state, self._notify = stream, record, state, notify
        self._clock = Clock()
        self._earlier = state.seconds
        self._saved = 0.0

    def take(self, batches: Iterable[tuple[list[Row], Batch]]) -> Finished:
        for rows, batch in batches:
            self._stream.write(self.count(rows, batch))
            if self._clock.seconds() - self._saved >= RECORD_INTERVAL:
                self._save()
        self._save()
        self._record.path.unlink()
        return Finished(self._state.report, self._state.seconds)

    def count(self, rows: list[Row], batch: Batch) -> bytes:
        data = b"".join(batch.lines)
        for row in rows:
            self._state.read(row)
        self._state.wrote(data)
        self._state.report.merge(batch.report)
        self._notify(len(rows))
        return data

    def _save(self) -> None:
        self._stream.flush()
        self._saved = self._clock.seconds()
        self._state.seconds = self._earlier + self._saved
        self._record.write(self._state)


def _continue(
    rows: Iterator[Row], job: Job, target: Path, workers: int, record: _Record, certain: _Certain, notify: Notify
) -> Finished:
    state = _State()
    state.report, state.seconds = certain.report, certain.seconds
    while state.rows < certain.rows and (row := next(rows, None)) is not None:
        state.read(row)
    if state.rows < certain.rows or state.input.hexdigest() != certain.input:
        raise CorpusError(
            f"the output was begun with another input (its first {certain.rows:,} rows differ): "
            "run without --resume to start again"
        )
    notify(certain.rows)
    with target.open("r+b") as stream:
        while state.bytes < certain.bytes:
            state.wrote(stream.read(min(_BLOCK, certain.bytes - state.bytes)))
        stream.truncate()
        return _Writer(stream, record, state, notify).take(run(rows, job, workers))


def _compare(rows: Iterator[Row], job: Job, target: Path, workers: int, record: _Record, notify: Notify) -> Finished:
    batches = run(rows, job, workers)
    state = _State()
    with target.open("r+b") as stream:
        writer = _Writer(stream, record, state, notify)
        for done, batch in batches:
            first, begin = state.rows, state.bytes
            data = writer.count(done, batch)
            there = stream.read(len(data))
            if there == data:
                continue
            ended = len(there) < len(data)
            whole = there[: there.rfind(b"\n") + 1] if ended else there  # the last line may be torn
            if not (ended and data.startswith(whole)):
                raise _differs(target, first, batch.lines, there)
            stream.seek(begin)
            stream.truncate()
            stream.write(data)
            return writer.take(batches)
        rest = stream.read(_BLOCK)
        if b"\n" in rest:
            raise CorpusError(f"{target} holds more rows than the input: run without --resume to start again")
        stream.seek(state.bytes)
        stream.truncate()
        return writer.take(())


def _differs(target: Path, first: int, lines: list[bytes], there: bytes) -> CorpusError:
    number, at = first, 0
    for line in lines:
        number += 1
        if there[at : at + len(line)] != line:
            break
        at += len(line)
    return CorpusError(f"row {number:,} of {target} is not what this run gives: run without --resume to start again")


def same_file(a: Path, b: Path) -> bool:
    """Whether both paths lead to one existing file."""
    try:
        return os.path.samefile(a, b)
    except OSError:
        return False
