"""Comments in a query that silence findings: `// graphir: ignore G140`, `/* graphir: ignore[G140, G230] */`.

A comment beside code counts for the findings that begin on its line; one that stands alone on its line counts for the
next line of code, and one in front of a statement for the whole statement.  Faults of syntax cannot be silenced, and
whether anything can is a matter of the profile.  Knows texts and codes, no IR.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from graphir.diagnostics import Diagnostic, codes, diagnose
from graphir.grammar.readers import lexer
from graphir.profiles import Profile, pass_of
from graphir.source import Source, Span

_REQUEST = re.compile(r"(?://|/\*)\s*graphir:\s*(?P<rest>.*?)\s*(?:\*/)?\Z", re.DOTALL)
_CODES = re.compile(r"ignore\s*(?:\[(?P<listed>[^\]]*)\]|(?P<bare>[\w,\s]*))\Z")


@dataclass(slots=True)
class _Request:
    """A comment that asks for silence, the codes it names, and the line or the statement (by number) it is for."""

    span: Span
    codes: tuple[str, ...]
    line: int | None
    statement: int | None
    used: set[str] = field(default_factory=set)


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
    reader = _Reader(source, lexer(dialect).comments(source.text, dialect), statements)
    requests = [request for span in reader.comments if (request := reader.read(span)) is not None]
    if not profile.suppress:
        return [*found, *[_refused(source, request) for request in requests]]
    kept = _silence(requests, statements, found)
    told = reader.told
    for request in requests:
        looked_for = [code for code in request.codes if profile.looks_for(code, with_schema=with_schema)]
        told += [_unused(source, request, code) for code in looked_for if code not in request.used]
    return kept + [graded for each in told if (graded := profile.grade("suppression", each)) is not None]


def _silence(requests: Iterable[_Request], statements: Sequence[Span], found: Iterable[Diagnostic]) -> list[Diagnostic]:
    """The findings that are left.  Of several comments that ask for the same, the first is used."""
    places: dict[tuple[str, int | None, int | None], _Request] = {}
    for request in requests:
        for code in request.codes:
            places.setdefault((code, request.line, request.statement), request)
    starts = [statement.start for statement in statements]
    kept: list[Diagnostic] = []
    for each in found:
        within = bisect_right(starts, each.start) - 1
        asked = places.get((each.code, each.line, None)) or places.get((each.code, None, within))
        if asked is None:
            kept.append(each)
        else:
            asked.used.add(each.code)
    return kept


class _Reader:
    """Reads the comments of one text; what is wrong with them goes to `told`."""

    def __init__(self, source: Source, comments: Sequence[Span], statements: Sequence[Span]) -> None:
        self.source = source
        self.comments = comments
        self.told: list[Diagnostic] = []
        self._starts = [statement.start for statement in statements]
        self._ends = [statement.end for statement in statements]
        self._after: dict[int, int] = {}
        """Where code goes on after the comment that begins there."""
        self._beside: dict[int, bool] = {}
        """Whether code stands before the comment that begins there, on its line."""
        text = source.text
        at, beside = 0, False
        for span in comments:
            gap = text[at : span.start]
            line = gap.rpartition("\n")
            beside = bool(line[2].strip()) or (beside and not line[1])
            self._beside[span.start] = beside
            beside = beside and "\n" not in text[span.start : span.end]
            at = span.end
        for span in reversed(comments):
            at = span.end
            while at < len(text) and text[at].isspace():
                at += 1
            self._after[span.start] = self._after.get(at, at)

    def read(self, span: Span) -> _Request | None:
        match = _REQUEST.match(self.source.text[span.start : span.end])
        if match is None:
            return None
        asked = _CODES.match(match["rest"])
        names = tuple(re.findall(r"\w+", asked["listed"] or asked["bare"] or "")) if asked else ()
        if not names:
            self._unknown(span, "the comment is for graphir and names no code to ignore")
            return None
        known = [name for name in names if name in codes()]
        for name in names:
            if name not in known:
                self._unknown(span, f"there is no code {name} to ignore")
            elif pass_of(name) == "syntax":
                self._unknown(span, f"{name} is a fault of syntax and cannot be ignored")
        return _Request(span, tuple(name for name in known if pass_of(name) != "syntax"), *self._place(span))

    def _unknown(self, span: Span, message: str) -> None:
        hint = "write graphir: ignore CODE, or ignore[CODE, CODE]"
        self.told.append(diagnose(self.source, "G094", message, span, severity="warning", hint=hint))

    def _place(self, span: Span) -> tuple[int | None, int | None]:
        """The line or the statement that a comment is for."""
        text, line = self.source.text, self.source.position(span.start)[0]
        before = self._beside[span.start]
        following = bisect_right(self._ends, span.start)
        if not before and following < len(self._starts) and span.end <= self._starts[following]:
            return None, following
        rest = text[span.end : self._end_of_line(span.end)]
        if before or (rest.strip() and self._after[span.start] < self._end_of_line(span.end)):
            return line, None
        return self.source.position(self._after[span.start])[0], None

    def _end_of_line(self, at: int) -> int:
        end = self.source.text.find("\n", at)
        return len(self.source.text) if end < 0 else end


def _unused(source: Source, request: _Request, code: str) -> Diagnostic:
    return diagnose(
        source,
        "G093",
        f"{code} is to be ignored here, but there is none",
        request.span,
        severity="warning",
        hint="remove the code from the comment",
    )


def _refused(source: Source, request: _Request) -> Diagnostic:
    return diagnose(
        source,
        "G095",
        "a comment cannot silence findings under this profile",
        request.span,
        severity="info",
        hint="name the code under `ignore` in the profile",
    )
