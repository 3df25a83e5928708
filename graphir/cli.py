"""The command line: the group of commands, and what becomes of errors.  The commands are in `commands/`.

Exit codes: 0 clean, 1 findings, 2 usage, or a file that cannot be read or written; 130 interrupted, 141 when the
reader of the output went away.
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

    def main(self, *args: Any, **extra: Any) -> Any:
        sys.excepthook = report_fault
        open_closed_streams()
        for stream in (sys.stdout, sys.stderr):
            if isinstance(stream, TextIOWrapper):
                stream.reconfigure(errors="backslashreplace")
        try:
            return super().main(*args, **extra)
        except OSError as error:  # of help, which is no command
            failure = failure_of(error)
            failure.show()
            sys.exit(failure.exit_code)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            done = super().invoke(ctx)
            sys.stdout.flush()
            return done
        except BrokenPipeError:
            drop_output()
            ctx.exit(PIPE_CLOSED)
        except OSError as error:
            raise failure_of(error) from error
        except KeyboardInterrupt:
            command = self.get_command(ctx, ctx.invoked_subcommand or "")
            resumes = command is not None and any(each.name == "resume" for each in command.params)
            more = "; with -o FILE the same command and --resume goes on" if resumes else ""
            click.echo(f"\ninterrupted{more}", err=True)
            ctx.exit(INTERRUPTED)


def open_closed_streams() -> None:
    """Give the process what its caller closed, before another file takes the number: nothing to read, nowhere to go."""
    for name, mode in (("stdin", "r"), ("stdout", "w"), ("stderr", "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(os.open(os.devnull, os.O_RDWR), mode, encoding="utf-8"))


def drop_output() -> None:
    """Let what is still to be written to standard output go nowhere, since it cannot be written."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def failure_of(error: OSError) -> Failure:
    """The message about a file that cannot be read or written."""
    name = error.filename
    try:
        sys.stdout.flush()
    except OSError:
        drop_output()
        name = name or "standard output"
    return Failure(f"{name}: {error.strerror or error}" if name else str(error.strerror or error))


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
