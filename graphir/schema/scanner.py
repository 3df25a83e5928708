"""A text read from left to right, with the place of what was not expected.

The readers of schema formats stand on it: they ask for marks, names and words, and what they do not find is a
`SyntaxFault` G080 with line, column and what was expected there.  Knows no format.
"""

from __future__ import annotations

import re
from functools import cache
from typing import NoReturn

from graphir.diagnostics import SyntaxFault, diagnose
from graphir.quoting import ticked
from graphir.source import Source, Span

_BLANK = re.compile(r"\s*")
_INLINE = re.compile(r"[^\S\n]*")
_PLAIN = re.compile(r"[^\W\d]\w*")


@cache
def _any(marks: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(re.escape(mark) for mark in marks))


def fail(text: str, offset: int, expected: str, *more: str) -> NoReturn:
    """Raise G080: at `offset` of the text something else was expected."""
    source = Source(text, "<schema>")
    offset = min(offset, len(text))
    found = _excerpt(text, offset)
    message = f"expected {', '.join((expected, *more))}, found {found}"
    span = Span(offset, min(offset + 1, len(text)))
    raise SyntaxFault([diagnose(source, "G080", message, span, expected=(expected, *more))])


def _excerpt(text: str, offset: int) -> str:
    if offset >= len(text):
        return "the end"
    if text[offset] == "\n":
        return "the end of the line"
    word = re.compile(r"\w{1,40}|.").match(text, offset)
    assert word is not None
    return f"`{word[0]}`"


def is_plain(name: str) -> bool:
    """Whether a name stands without quotes in every format: a letter or `_`, then letters, digits, `_`."""
    return _PLAIN.fullmatch(name) is not None


def quote(name: str) -> str:
    """The name as it stands in text: as it is where plain, else in back-ticks with those inside doubled."""
    return name if is_plain(name) else ticked(name)


class Scanner:
    """A position in a text.  All methods move it forward and never back, but for `at` being set."""

    def __init__(self, text: str, start: int = 0, end: int | None = None) -> None:
        self.text = text
        self.at = start
        self.end = len(text) if end is None else end

    def fail(self, expected: str, *more: str, at: int | None = None) -> NoReturn:
        fail(self.text, self.at if at is None else at, expected, *more)

    @property
    def done(self) -> bool:
        return self.at >= self.end

    def blank(self) -> Scanner:
        """Past white space, line ends included."""
        self.at = self._match(_BLANK)
        return self

    def inline(self) -> Scanner:
        """Past white space of this line."""
        self.at = self._match(_INLINE)
        return self

    def _match(self, pattern: re.Pattern[str]) -> int:
        found = pattern.match(self.text, self.at, self.end)
        assert found is not None
        return found.end()

    def looking_at(self, *marks: str) -> bool:
        return any(self.text.startswith(mark, self.at, self.end) for mark in marks)

    def accept(self, mark: str) -> bool:
        """Past the mark, if it stands here."""
        if not self.looking_at(mark):
            return False
        self.at += len(mark)
        return True

    def take(self, mark: str) -> None:
        if not self.accept(mark):
            self.fail(f"`{mark}`")

    def match(self, pattern: re.Pattern[str], expected: str) -> re.Match[str]:
        found = pattern.match(self.text, self.at, self.end)
        if found is None:
            self.fail(expected)
        self.at = found.end()
        return found

    def until(self, *marks: str) -> str:
        """The text up to the first of the marks, or to the end; the mark is left."""
        found = _any(marks).search(self.text, self.at, self.end)
        stop = found.start() if found else self.end
        text = self.text[self.at : stop]
        self.at = stop
        return text

    def ticked(self) -> str:
        """A name in back-ticks; two in a row inside stand for one."""
        start = self.at
        self.take("`")
        parts = []
        while True:
            parts.append(self.until("`"))
            if self.done:
                self.fail("a closing back-tick", at=start)
            self.at += 1
            if not self.accept("`"):
                return "".join(parts)
            parts.append("`")

    def name(self, what: str, *stops: str) -> str:
        """A name: in back-ticks, or everything up to one of the marks, white space around it left out."""
        self.inline()
        if self.looking_at("`"):
            name = self.ticked()
            self.inline()
            return name
        start = self.at
        name = self.until(*stops, "\n").strip()
        if not name:
            self.fail(what, at=start)
        return name
