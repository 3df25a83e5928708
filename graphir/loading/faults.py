"""What is wrong with a source of a graph: one fault with a code and, where there is one, the line of the file."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from graphir.diagnostics import GraphirError, UsageFault, diagnose
from graphir.source import Source

UNREADABLE = "G660"
MISTYPED = "G661"
MALFORMED = "G662"
DANGLING = "G663"


def fault(code: str, message: str, place: Path | str | None = None, line: int | None = None) -> UsageFault:
    """The fault; the message begins with the file and the line."""
    where = "" if place is None else f"{place}: " if line is None else f"{place}:{line}: "
    found = diagnose(Source(""), code, where + message)
    return UsageFault([found if line is None else replace(found, line=line)])


def placed(error: UsageFault, place: Path | str, line: int | None = None) -> UsageFault:
    """The fault of a part of a file, with its place."""
    first = error.diagnostics[0]
    return fault(first.code, first.message, place, line)


def in_script(error: GraphirError, script: Source, offset: int) -> GraphirError:
    """The error of the statement that begins at an offset, with its places in the script."""
    moved = []
    for each in error.diagnostics:
        line, column = script.position(each.start + offset)
        origin = None if each.origin is None else each.origin + offset
        here = replace(each, start=each.start + offset, end=each.end + offset, line=line, column=column)
        moved.append(replace(here, fix=None, origin=origin))
    return type(error)(moved)
