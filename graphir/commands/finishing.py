"""From a request to an exit code: it is performed with a progress bar and a summary, and what came of it is told."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from graphir.commands.arguments import Failure, read_codes
from graphir.files import write_output

if TYPE_CHECKING:
    from graphir.corpora.formats import Corpus
    from graphir.corpora.pipeline import Finished
    from graphir.corpora.session import Request

INTERRUPTED = 130
"""Exit code of what the user stopped."""


def finish(request: Request, common: Mapping[str, Any], *, verdict: bool = False) -> None:
    """Run the request, tell what came of it, and exit."""
    from graphir.corpora.formats import CorpusError

    fail_on = read_codes("--fail-on", common["fail_on"]) if common["fail_on"] else None
    try:
        finished = run(request, quiet=common["quiet"])
    except CorpusError as error:
        raise Failure(str(error)) from error
    report = finished.report
    if verdict and request.style == "text" and not report.findings:
        click.echo("OK" if report.rows == 1 else f"OK: {report.rows} statements")
    if common["report"]:
        save_report(Path(common["report"]), request, finished)
    if report.fails_on(fail_on):
        click.get_current_context().exit(1)


def run(request: Request, *, quiet: bool) -> Finished:
    """Perform the request with a progress bar and a summary, where these are for a corpus."""
    from graphir.corpora.session import perform

    told = not quiet and request.input_format not in ("cypher", "text")
    with ExitStack() as stack:
        bar = Bar(stack, sys.stderr if told and sys.stderr.isatty() else None)
        finished = perform(
            request,
            stdout=sys.stdout.buffer,
            log=lambda text: click.echo(text, err=True),
            notify=bar.tell,
            opened=bar.open,
        )
    if told:
        from graphir.reports.terminal import summarize

        summarize(sys.stderr, finished.report, finished.seconds)
    return finished


@dataclass
class Bar:
    """The progress bar, from when the corpus is open."""

    stack: ExitStack
    stream: TextIO | None
    notify: Callable[[int], None] | None = None

    def open(self, corpus: Corpus) -> None:
        if self.stream is not None:
            from graphir.reports.terminal import progress

            self.notify = self.stack.enter_context(progress(self.stream, corpus.total, corpus.position))

    def tell(self, rows: int) -> None:
        if self.notify is not None:
            self.notify(rows)


def save_report(path: Path, request: Request, finished: Finished) -> None:
    """The report as JSON."""
    import json

    from graphir.corpora.session import describe

    write_output(path, json.dumps(describe(request, finished), indent=2) + "\n")
