"""The command line: the group of commands, and what becomes of errors.  The commands are in `commands/`.

Exit codes: 0 clean, 1 findings, 2 usage; 130 interrupted, 141 when the reader of the output went away.
"""

from __future__ import annotations

import os
import sys
from io import TextIOWrapper
from types import TracebackType
from typing import Any

import click

from graphir import __version__
from graphir.commands import engines, queries, reference, running, schemas
from graphir.commands.arguments import Failure
from graphir.commands.finishing import INTERRUPTED

PIPE_CLOSED = 141


class Commands(click.Group):
    """The group of commands; nothing that happens in them ends in a traceback."""

    def invoke(self, ctx: click.Context) -> Any:
        sys.excepthook = report_fault
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            # what is still buffered has nowhere to go
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            ctx.exit(PIPE_CLOSED)
        except OSError as error:
            where = f"{error.filename}: " if error.filename else ""
            raise Failure(f"{where}{error.strerror or error}") from error
        except KeyboardInterrupt:
            click.echo("\ninterrupted; with -o FILE the same command and --resume goes on", err=True)
            ctx.exit(INTERRUPTED)


def report_fault(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
    """What nobody foresaw, in the form in which it can be reported; GRAPHIR_TRACEBACK=1 shows where it was."""
    if issubclass(kind, KeyboardInterrupt):
        print("interrupted", file=sys.stderr)
        return
    print(f"graphir failed (G092 internal-fault): {kind.__name__}: {error}; please report this", file=sys.stderr)
    if os.environ.get("GRAPHIR_TRACEBACK"):
        sys.__excepthook__(kind, error, trace)


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="graphir")
def main() -> None:
    """A compiler for property-graph queries: Cypher, GQL and SQL/PGQ in and out, or run here.

    INPUT is query text, a file (a script of statements or a corpus: .cypher .jsonl .json .csv .tsv .parquet), or - for
    standard input. A corpus comes out row by row with its diagnostics; a script comes out as text.
    """


for command in (
    *(queries.parse, queries.ir, queries.fmt, queries.check, queries.repair, queries.translate),
    *(running.load, running.run_queries, running.plan),
    *(engines.engines, engines.prove, engines.fuzz),
    schemas.schema,
    *(reference.explain, reference.dialects),
):
    main.add_command(command)


if __name__ == "__main__":
    main()
