"""What graphir says about a query: diagnostics, fixes, and the errors that carry them.

A code names one fault and is never reused.  Its page (what, why, example, fix) is `codes/<code>.md`;
`graphir explain <code>` prints it.  Knows no dialect and no IR.
"""

from __future__ import annotations

from bisect import bisect_left, insort
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Literal

from graphir.frozen import frozen
from graphir.source import Source, Span

Severity = Literal["error", "warning", "info"]


@dataclass(frozen=True, slots=True)
class Edit:
    """Replace the half-open range [start, end) of the source by `text`."""

    start: int
    end: int
    text: str


@dataclass(frozen=True, slots=True)
class Fix:
    """A repair: edits on the source text, safe when the meaning is certainly the one intended."""

    title: str
    edits: tuple[Edit, ...]
    safe: bool = False


def apply(text: str, fixes: Iterable[Fix]) -> str:
    """The text after repairs.  Of two that overlap the first counts; all edits of a fix are made, or none.

    >>> apply("RETURN 1 == 2", [Fix("replace `==` by `=`", (Edit(9, 11, "="),), safe=True)])
    'RETURN 1 = 2'
    """
    given = list(fixes)
    taken = [edit for fix, made in zip(given, made_together(given), strict=True) if made for edit in fix.edits]
    pieces: list[str] = []
    at = 0
    for edit in sorted(taken, key=lambda edit: (edit.start, edit.end)):
        pieces += (text[at : edit.start], edit.text)
        at = edit.end
    return "".join([*pieces, text[at:]])


def made_together(fixes: Iterable[Fix]) -> list[bool]:
    """Whether each fix is made when all are asked for: none of its edits touches what an earlier one edits."""
    spans: list[tuple[int, int]] = []
    made: list[bool] = []
    for fix in fixes:
        free = all(_is_free(spans, (edit.start, edit.end)) for edit in fix.edits)
        if free:
            for edit in fix.edits:
                insort(spans, (edit.start, edit.end))
        made.append(free)
    return made


def _is_free(spans: Sequence[tuple[int, int]], span: tuple[int, int]) -> bool:
    """Whether a span touches no character of sorted spans that are apart, and none of them begins where it does."""
    start, end = span
    at = bisect_left(spans, (start,))
    if at and spans[at - 1][1] > start:
        return False
    return at == len(spans) or (spans[at][0] != start and spans[at][0] >= end)


@frozen
class Diagnostic:
    """One finding.  `start` and `end` are half-open character offsets, `line` and `column` count from 1.

    `origin` is the offset where the cause began, if that is elsewhere; the message names its line and column.
    `vendor` is the code of the same error in the database that the dialect belongs to, such as ORA-40983 or 42601.
    """

    code: str
    severity: Severity
    message: str
    start: int = 0
    end: int = 0
    line: int = 1
    column: int = 1
    fix: Fix | None = None
    hint: str | None = None
    expected: tuple[str, ...] = ()
    origin: int | None = None
    vendor: str | None = None

    def to_json(self) -> dict[str, Any]:
        """The same keys as the attributes; fix is null when absent, and the others after it are left out."""
        fix = self.fix and {
            "title": self.fix.title,
            "safe": self.fix.safe,
            "edits": [{"start": e.start, "end": e.end, "text": e.text} for e in self.fix.edits],
        }
        row: dict[str, Any] = {
            "code": self.code,
            "severity": self.severity,
            "message": self.message,
            "start": self.start,
            "end": self.end,
            "line": self.line,
            "column": self.column,
            "fix": fix,
        }
        if self.hint:
            row["hint"] = self.hint
        if self.expected:
            row["expected"] = list(self.expected)
        if self.origin is not None:
            row["origin"] = self.origin
        if self.vendor is not None:
            row["vendor"] = self.vendor
        return row


def revive(row: dict[str, Any]) -> Diagnostic:
    """The diagnostic that `to_json` wrote."""
    fix = row["fix"] and Fix(
        row["fix"]["title"], tuple(Edit(**edit) for edit in row["fix"]["edits"]), row["fix"]["safe"]
    )
    return Diagnostic(**{**row, "fix": fix, "expected": tuple(row.get("expected", ()))})


def diagnose(
    source: Source,
    code: str,
    message: str,
    span: Span | None = None,
    *,
    severity: Severity = "error",
    fix: Fix | None = None,
    hint: str | None = None,
    expected: Iterable[str] = (),
    origin: int | None = None,
) -> Diagnostic:
    """A diagnostic placed in `source`; without a span it points at the start.

    In the message `{origin}` stands for the line and column of the offset `origin`.
    """
    start, end = span or Span(0, 0)
    line, column = source.position(start)
    if origin is not None:
        message = message.replace("{origin}", _place(source, origin))
    return Diagnostic(code, severity, message, start, end, line, column, fix, hint, tuple(expected), origin)


def _place(source: Source, offset: int, line: int = 1, column: int = 1) -> str:
    """Line and column of an offset, in a file where the source begins at a line and column."""
    at, along = source.position(offset)
    return f"{line + at - 1}:{along + column - 1 if at == 1 else along}"


def message_in_file(source: Source, diagnostic: Diagnostic, line: int, column: int) -> str:
    """The message with its places as they are in the file in which the source begins at a line and column."""
    if diagnostic.origin is None:
        return diagnostic.message
    here, there = (_place(source, diagnostic.origin, *begin) for begin in ((1, 1), (line, column)))
    return diagnostic.message.replace(f" {here} ", f" {there} ", 1)


class GraphirError(Exception):
    """What graphir raises, and nothing else; `diagnostics` says what, where and why."""

    def __init__(self, diagnostics: Sequence[Diagnostic]) -> None:
        super().__init__("; ".join(f"{d.code} {d.line}:{d.column} {d.message}" for d in diagnostics))
        self.diagnostics: list[Diagnostic] = list(diagnostics)

    def told(self, name: str) -> str:
        """The messages on one line, with their places in the text or file of that name."""
        return "; ".join(f"{name}:{d.line}:{d.column}: {d.code}: {d.message}" for d in self.diagnostics)

    def __reduce__(self) -> tuple[type[GraphirError], tuple[list[Diagnostic]]]:
        return type(self), (self.diagnostics,)


class SyntaxFault(GraphirError):
    """The text does not parse in the named dialect."""


class SemanticFault(GraphirError):
    """The text parses but means nothing in the named dialect."""


class Unsupported(GraphirError):
    """The query cannot be said in the target; the one diagnostic gives code, place and reason."""

    def __init__(self, diagnostics: Sequence[Diagnostic], *, feature: str = "", target: str = "") -> None:
        super().__init__(diagnostics)
        self.feature = feature
        self.target = target

    @property
    def code(self) -> str:
        return self.diagnostics[0].code

    @property
    def reason(self) -> str:
        return self.diagnostics[0].message

    def __reduce__(self) -> Any:
        return _unsupported, (self.diagnostics, self.feature, self.target)


class UsageFault(GraphirError, ValueError):
    """The call is wrong, not the query: an unknown dialect, an option that does not exist."""

    def told(self, name: str) -> str:
        """The messages on one line; a call has no place, and what it names is in them."""
        return "; ".join(f"{d.code}: {d.message}" for d in self.diagnostics)


def usage_fault(code: str, message: str) -> UsageFault:
    """The fault of a call or of what it names: it is at no place of a query."""
    return UsageFault([diagnose(Source(""), code, message)])


class RunFault(GraphirError):
    """The query fails while it runs."""


def _unsupported(diagnostics: list[Diagnostic], feature: str, target: str) -> Unsupported:
    return Unsupported(diagnostics, feature=feature, target=target)


@cache
def codes() -> dict[str, str]:
    """Every diagnostic code and its name, read off the pages' titles (`# G001 syntax-error`)."""
    found = {}
    for entry in sorted(resources.files("graphir").joinpath("codes").iterdir(), key=lambda e: e.name):
        if entry.name.endswith(".md"):
            title = entry.read_text(encoding="utf-8").split("\n", 1)[0]
            _, code, name = title.split(" ", 2)
            found[code] = name
    return found


def page(code: str) -> str | None:
    """The page of a code as Markdown, or None for an unknown code."""
    entry = resources.files("graphir").joinpath("codes", f"{code.upper()}.md")
    return entry.read_text(encoding="utf-8") if code.isalnum() and entry.is_file() else None


def render(source: Source, diagnostic: Diagnostic, *, line: int = 1, column: int = 1) -> str:
    """A diagnostic for people: place, code, message, the line with carets, what was expected, the hint.

    `line` and `column` say where the source begins in the file it is a part of.
    """
    d = diagnostic
    place = f"{line + d.line - 1}:{d.column + column - 1 if d.line == 1 else d.column}"
    message = message_in_file(source, d, line, column)
    lines = [f"{source.name}:{place}: {d.severity} {d.code}: {message}"]
    if source.text:
        lines.append(source.excerpt(Span(d.start, d.end), first_line=line))
    if d.expected:
        lines.append("     = expected: " + ", ".join(d.expected))
    if d.hint:
        lines.append("     = hint: " + d.hint)
    if d.vendor:
        lines.append("     = error of the database: " + d.vendor)
    if d.fix:
        lines.append(f"     = fix ({'safe' if d.fix.safe else 'unsafe'}): {d.fix.title}")
    return "\n".join(lines)
