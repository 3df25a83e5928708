"""One command on one input: open it, run the job, and bring the finished rows where they belong.

Knows formats, pipeline and reports; no click and no terminal: what is not a result is handed to `log`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from io import BytesIO
from itertools import chain, islice
from pathlib import Path
from typing import Any, BinaryIO

import graphir
from graphir.corpora import formats, pipeline
from graphir.corpora.formats import Corpus, CorpusError
from graphir.corpora.pipeline import Finished
from graphir.corpora.pool import CHUNK_ROWS
from graphir.corpora.report import Report
from graphir.corpora.work import Batch, Job
from graphir.diagnostics import Diagnostic
from graphir.files import filling
from graphir.reports.place import Layout, Place, diagnostics_of
from graphir.reports.sarif import sarif_pieces
from graphir.reports.text import render_findings, render_fixes

Log = Callable[[str], None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """What is asked for.

    `source` is a file, a stream or the text itself.  `style` is rows, text or sarif; `container` the format of rows.
    `shown` is the column whose value is the result as text; without one the diagnostics are the result.  `separated`:
    results are statements, with `;` between them.
    """

    source: Path | BinaryIO | str
    input_format: str
    job: Job
    dialect: str
    shown: str | None
    separated: bool = False
    style: str
    container: str = "jsonl"
    output: Path | None = None
    label: str | None = None
    resume: bool = False
    workers: int = 0


def perform(
    request: Request,
    *,
    stdout: BinaryIO,
    log: Log,
    notify: pipeline.Notify = lambda _: None,
    opened: Callable[[Corpus], None] = lambda _: None,
) -> Finished:
    """Run the request.  Raises CorpusError, and OSError where a file cannot be read or written."""
    field, source = request.job.field, request.source
    if isinstance(source, str):
        source = BytesIO(source.encode("utf-8", "surrogatepass"))
    with formats.open_corpus(source, request.input_format, field=field, dialect=request.dialect) as found:
        if found.columns is not None and field not in found.columns:
            columns = ", ".join(found.columns)
            raise CorpusError(f"{found.name} has no column {field!r}; --field names the query's column: {columns}")
        opened(found)
        corpus, workers = _staff(found, request.workers)
        name = "<query>" if isinstance(request.source, str) else corpus.name
        work = _Work(request, corpus, workers, Layout(name, corpus.format, field, request.label), log, notify)
        if request.output is None:
            return work.stream(stdout)
        with filling(request.output):
            return _write(request, request.output, work)


def _write(request: Request, output: Path, work: _Work) -> Finished:
    """The rows into the file that was asked for."""
    if not pipeline.is_regular(output):
        if request.resume:
            raise CorpusError(f"{output} is no regular file: there is nothing to resume")
        with output.open("wb") as stream:
            return work.stream(stream)
    if request.style == "rows" and request.container == "jsonl":
        return work.write(output)
    return pipeline.write_converted(output, work.convert, work.write)


def _staff(corpus: Corpus, workers: int) -> tuple[Corpus, int]:
    """The corpus, and no workers where it is a text or a short script: that is done sooner than they start."""
    if corpus.format == "text":
        return corpus, 0
    if corpus.format != "cypher":
        return corpus, workers
    head = list(islice(corpus.rows, CHUNK_ROWS))
    rows = chain(head, corpus.rows)
    return replace(corpus, rows=rows), workers if len(head) == CHUNK_ROWS else 0


@dataclass(frozen=True, slots=True)
class _Work:
    request: Request
    corpus: Corpus
    workers: int
    layout: Layout
    log: Log
    notify: pipeline.Notify

    def write(self, target: Path) -> Finished:
        """The rows as lines of JSON."""
        job = self.request.job
        return pipeline.write_rows(
            self.corpus.rows,
            job,
            target,
            workers=self.workers,
            identity=_identity(job, self.corpus.format),
            resume=self.request.resume,
            notify=self.notify,
        )

    def stream(self, out: BinaryIO) -> Finished:
        """The rows in their style, as they come."""
        if self.request.style == "rows" and self.request.container not in ("jsonl", "json"):
            raise CorpusError(f"{self.request.container} needs a regular file as output")
        clock = pipeline.Clock()
        batches = pipeline.run(self.corpus.rows, self.request.job, self.workers)
        report = Report()
        self._render(_lines(batches, report, self.notify), out)
        out.flush()
        return Finished(report, clock.seconds())

    def convert(self, lines: Path, target: Path) -> None:
        """The rows in their style, from the finished lines of JSON."""
        container = self.request.container
        if self.request.style != "rows" or container == "json":
            with lines.open("rb") as rows, target.open("wb") as out:
                self._render(rows, out)
            return
        with lines.open("rb") as rows:
            columns = formats.columns_of(rows)
        if container == "parquet":
            formats.write_parquet(lines, columns, target, self.corpus.types)
            return
        with lines.open("rb") as rows, target.open("wb") as out:
            formats.write_csv(rows, columns, out, formats.DELIMITERS[container])

    def _render(self, lines: Iterable[bytes], out: BinaryIO) -> None:
        if self.request.style == "rows":
            if self.request.container == "json":
                formats.write_json(lines, out)
            else:
                out.writelines(lines)
            return
        placed = self._placed(lines)
        pieces = self._sarif(placed) if self.request.style == "sarif" else self._text(placed)
        for piece in pieces:
            out.write(piece.encode("utf-8", "backslashreplace"))

    def _placed(self, lines: Iterable[bytes]) -> Iterator[tuple[Place, Mapping[str, Any]]]:
        for number, line in enumerate(lines, 1):
            row = json.loads(line)
            yield self.layout.place(number, row), row

    def _sarif(self, rows: Iterator[tuple[Place, Mapping[str, Any]]]) -> Iterator[str]:
        findings: Iterator[tuple[Place, Diagnostic]] = (
            (place, found) for place, row in rows for found in diagnostics_of(row)
        )
        return sarif_pieces(findings, graphir.__version__)

    def _text(self, rows: Iterator[tuple[Place, Mapping[str, Any]]]) -> Iterator[str]:
        shown = self.request.shown
        if shown is None:
            for place, row in rows:
                yield from (found + "\n" for found in render_findings(place, diagnostics_of(row)))
            return
        statements = _Statements(";" if self.request.separated else "")
        for place, row in rows:
            for found in (*render_fixes(place, row), *render_findings(place, diagnostics_of(row))):
                self.log(found)
            yield from statements.show(row.get(shown))
        yield from statements.end()


class _Statements:
    """Results one below the other, with the mark after each where there are several."""

    def __init__(self, mark: str) -> None:
        self._mark = mark
        self._count = 0

    def show(self, value: object) -> Iterator[str]:
        if value is None:
            return
        if self._count:
            yield f"{self._mark}\n"
        self._count += 1
        if isinstance(value, list):
            yield "\n".join(json.dumps(item, ensure_ascii=False) for item in value)
        else:
            yield value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=2)

    def end(self) -> Iterator[str]:
        if self._count:
            yield f"{self._mark}\n" if self._count > 1 else "\n"


def _lines(batches: Iterable[tuple[Any, Batch]], report: Report, notify: pipeline.Notify) -> Iterator[bytes]:
    for _, batch in batches:
        report.merge(batch.report)
        yield from batch.lines
        notify(batch.report.rows)


def _identity(job: Job, format: str) -> dict[str, Any]:
    """All that decides what the rows look like, besides the input; counting constructs does not."""
    options = {key: value for key, value in job.options.items() if key != "constructs"}
    return {
        "graphir": graphir.__version__,
        "task": job.task,
        "field": job.field,
        "input format": format,
        "options": options,
    }


def describe(request: Request, finished: Finished) -> dict[str, Any]:
    """The report as JSON: what ran, what it found, how fast."""
    source = request.source
    seconds = finished.seconds
    return {
        "graphir": graphir.__version__,
        "command": request.job.task.partition(":")[2].lower(),
        "input": str(source) if isinstance(source, Path) else None,
        "output": str(request.output) if request.output else None,
        "field": request.job.field,
        "options": {key: value for key, value in request.job.options.items() if key != "constructs"},
        "jobs": request.workers,
        "seconds": round(seconds, 3),
        "rows_per_second": round(finished.report.rows / seconds, 1) if seconds > 0 else None,
        **finished.report.to_json(),
    }
