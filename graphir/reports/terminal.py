"""What a person at a terminal sees of a run: a progress bar while it goes on, a summary at its end."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from io import StringIO
from typing import TextIO

from rich.box import SIMPLE_HEAD
from rich.console import Console
from rich.progress import BarColumn, Progress, ProgressColumn, SpinnerColumn, Task, TextColumn, TimeRemainingColumn
from rich.table import Column, Table
from rich.text import Text

from graphir.backends.engines.results import Result
from graphir.corpora.report import OUTCOMES, Report
from graphir.diagnostics import codes
from graphir.reports.results import shown

_MOST = 12  # codes in a summary


class _Speed(ProgressColumn):
    def render(self, task: Task) -> Text:
        rows = task.fields["rows"]
        speed = f" ({rows / task.elapsed:,.0f}/s)" if task.elapsed else ""
        return Text(f"{rows:,} rows{speed}")


@contextmanager
def progress(stream: TextIO, total: int | None, position: Callable[[], int]) -> Iterator[Callable[[int], None]]:
    """A bar on the stream; gives the function to be told how many rows were finished."""
    columns = (SpinnerColumn(), BarColumn(), TextColumn("{task.percentage:>3.0f} %"), _Speed(), TimeRemainingColumn())
    with Progress(*columns, console=Console(file=stream), transient=True) as bar:
        task = bar.add_task("", total=total, rows=0)
        done = 0

        def notify(rows: int) -> None:
            nonlocal done
            done += rows
            bar.update(task, completed=position(), rows=done)

        yield notify


def summarize(stream: TextIO, report: Report, seconds: float) -> None:
    """Rows by outcome, the most frequent diagnostics, what was fixed, and the speed."""
    console = Console(file=stream, highlight=False)
    outcomes = Table(
        "outcome", Column("rows", justify="right"), Column("share", justify="right"), box=None, pad_edge=False
    )
    for name in OUTCOMES:
        if count := report.outcomes[name]:
            outcomes.add_row(name, f"{count:,}", f"{count / report.rows:.1%}")
    console.print(outcomes)
    if report.findings:
        names = codes()
        found = Table("code", "name", "severity", Column("rows", justify="right"), box=None, pad_edge=False)
        ranked = sorted(report.affected.items(), key=lambda item: (-item[1], item[0]))
        for (code, severity), count in ranked[:_MOST]:
            found.add_row(code, names.get(code, ""), severity, f"{count:,}")
        console.print()
        console.print(found)
        if len(ranked) > _MOST:
            console.print(f"and {len(ranked) - _MOST} more codes")
    if report.fixed:
        names = codes()
        fixed = Table("fixed", "name", Column("findings", justify="right"), box=None, pad_edge=False)
        for code, count in sorted(report.fixed.items(), key=lambda item: (-item[1], item[0]))[:_MOST]:
            fixed.add_row(code, names.get(code, ""), f"{count:,}")
        console.print()
        console.print(fixed)
    speed = f" ({report.rows / seconds:,.0f} rows/s)" if seconds > 0 else ""
    console.print(f"\n{report.rows:,} rows in {seconds:,.1f} s{speed}")


def tabulate(stream: TextIO, result: Result) -> None:
    """The rows as a table as wide as the terminal; numbers to the right, long cells over several lines."""
    width = Console(file=stream).width
    page = StringIO()
    console = Console(file=page, width=width, highlight=False, emoji=False, markup=False, color_system=None)
    table = Table(box=SIMPLE_HEAD, pad_edge=False, show_edge=False)
    for at, name in enumerate(result.columns):
        kinds = {type(row[at]) for row in result.rows} - {type(None)}
        numbers = bool(kinds) and kinds <= {int, float}
        table.add_column(Text(name), justify="right" if numbers else "left", overflow="fold")
    for row in result.rows:
        table.add_row(*[Text("null" if value is None else shown(value)) for value in row])
    console.print(table)
    for line in page.getvalue().splitlines():
        stream.write(f"{line.rstrip()}\n")
    stream.write(f"\n{len(result.rows):,} row{'' if len(result.rows) == 1 else 's'}\n")
