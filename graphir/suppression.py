"""Comments in a query that silence findings: `// graphir: ignore G140`, `/* graphir: ignore[G140, G230] */`.

A comment beside code counts for the findings that begin on its line; one that stands alone on its line counts for the
next line of code, and one in front of a statement for the whole statement.  Faults of syntax cannot be silenced, and
whether anything can is a matter of the profile.  Knows texts and codes, no IR.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from graphir.diagnostics import Diagnostic, codes, diagnose
from graphir.grammar.lexical import comments
from graphir.profiles import Profile, pass_of
from graphir.source import Source, Span

MARK = "graphir:"

_REQUEST = re.compile(r"(?://|/\*)\s*graphir:\s*(?P<rest>.*?)\s*(?:\*/)?\Z", re.DOTALL)
_CODES = re.compile(r"ignore\s*(?:\[(?P<listed>[^\]]*)\]|(?P<bare>[\w,\s]*))\Z")


@dataclass(slots=True)
class _Request:
    """A comment that asks for silence: the codes it names and the half-open range where it holds."""

    span: Span
    codes: tuple[str, ...]
    where: Span
    used: set[str] = field(default_factory=set)

    def silences(self, found: Diagnostic) -> bool:
        if found.code not in self.codes or not self.where.start <= found.start < self.where.end:
            return False
        self.used.add(found.code)
        return True


def suppress(
    source: Source,
    dialect: str,
    statements: Sequence[Span],
    found: Iterable[Diagnostic],
    profile: Profile,
    *,
    with_schema: bool,
) -> list[Diagnostic]:
    """The findings that no comment silences, and what is wrong with the comments themselves."""
    told: list[Diagnostic] = []
    there = comments(source.text, dialect)
    requests = [request for span in there if (request := _read(source, span, statements, there, told)) is not None]
    if not profile.suppress:
        told = [_refused(source, request) for request in requests]
        return [*found, *told]
    kept = [each for each in found if not [request for request in requests if request.silences(each)]]
    for request in requests:
        looked_for = [code for code in request.codes if profile.looks_for(code, with_schema=with_schema)]
        told += [_unused(source, request, code) for code in looked_for if code not in request.used]
    return kept + [graded for each in told if (graded := profile.grade("suppression", each)) is not None]


def _read(
    source: Source, span: Span, statements: Sequence[Span], there: Sequence[Span], told: list[Diagnostic]
) -> _Request | None:
    match = _REQUEST.match(source.text[span.start : span.end])
    if match is None:
        return None
    asked = _CODES.match(match["rest"])
    names = tuple(re.findall(r"\w+", asked["listed"] or asked["bare"] or "")) if asked else ()
    if not names:
        hint = "write graphir: ignore CODE, or ignore[CODE, CODE]"
        told.append(_unknown(source, span, "the comment is for graphir and names no code to ignore", hint))
        return None
    for name in names:
        if name not in codes():
            told.append(_unknown(source, span, f"there is no code {name} to ignore", None))
        elif pass_of(name) == "syntax":
            told.append(_unknown(source, span, f"{name} is a fault of syntax and cannot be ignored", None))
    usable = tuple(name for name in names if name in codes() and pass_of(name) != "syntax")
    return _Request(span, usable, _range(source.text, span, statements, there))


def _range(text: str, span: Span, statements: Sequence[Span], there: Sequence[Span]) -> Span:
    """Where a comment counts: the statement that it stands in front of, its line, or the next line of code."""
    line = Span(text.rfind("\n", 0, span.start) + 1, _end_of_line(text, span.end))
    after = next((s for s in statements if s.end > span.start), None)
    if after is not None and span.end <= after.start and not _has_code(text, Span(line.start, span.start), there):
        return after
    if _has_code(text, line, there):
        return line
    at = span.end
    while at < len(text) and text[at].isspace():
        at += 1
    return Span(span.start, _end_of_line(text, at))


def _end_of_line(text: str, at: int) -> int:
    end = text.find("\n", at)
    return len(text) if end < 0 else end


def _has_code(text: str, where: Span, comments_there: Sequence[Span]) -> bool:
    """Whether anything but white space and comments stands in a part of the text."""
    at = where.start
    for comment in comments_there:
        if comment.start < where.end and at < comment.end:
            if text[at : max(at, comment.start)].strip():
                return True
            at = comment.end
    return bool(text[at : where.end].strip())


def _unused(source: Source, request: _Request, code: str) -> Diagnostic:
    return diagnose(
        source,
        "G093",
        f"{code} is to be ignored here, but there is none",
        request.span,
        severity="warning",
        hint="remove the code from the comment",
    )


def _unknown(source: Source, span: Span, message: str, hint: str | None) -> Diagnostic:
    return diagnose(source, "G094", message, span, severity="warning", hint=hint)


def _refused(source: Source, request: _Request) -> Diagnostic:
    return diagnose(
        source,
        "G095",
        "a comment cannot silence findings under this profile",
        request.span,
        severity="info",
        hint="name the code under `ignore` in the profile",
    )
