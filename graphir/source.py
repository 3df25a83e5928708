"""Source text and places in it.  Knows nothing of any language."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import field
from string import ascii_lowercase
from typing import NamedTuple

from graphir.frozen import frozen

_CAPITALS = {ord(small): small.upper() for small in ascii_lowercase}


class Span(NamedTuple):
    """A half-open range of character offsets."""

    start: int
    end: int


@frozen
class Source:
    """A text with its line starts; `name` is shown in messages (a file, or `<query>`)."""

    text: str
    name: str = "<query>"
    _starts: list[int] = field(default_factory=list, init=False, repr=False, compare=False)
    _capital: list[str] = field(default_factory=list, init=False, repr=False, compare=False)

    def _line_starts(self) -> list[int]:
        if not self._starts:
            starts = [0]
            at = self.text.find("\n")
            while at >= 0:
                starts.append(at + 1)
                at = self.text.find("\n", at + 1)
            self._starts.extend(starts)
        return self._starts

    def position(self, offset: int) -> tuple[int, int]:
        """Line and column of an offset, both from 1."""
        starts = self._line_starts()
        line = bisect_right(starts, offset)
        return line, offset - starts[line - 1] + 1

    def line(self, number: int) -> str:
        """The text of a line (from 1), without its end."""
        starts = self._line_starts()
        end = starts[number] - 1 if number < len(starts) else len(self.text)
        return self.text[starts[number - 1] : end].rstrip("\r")

    def find(self, word: str, start: int = 0, end: int | None = None) -> Span | None:
        """Where a word stands first, whatever the case of its ASCII letters."""
        return _span(self._capitals().find(word.translate(_CAPITALS), start, end), word)

    def find_last(self, word: str, start: int = 0, end: int | None = None) -> Span | None:
        """Where a word stands last, whatever the case of its ASCII letters."""
        return _span(self._capitals().rfind(word.translate(_CAPITALS), start, end), word)

    def _capitals(self) -> str:
        """The text with ASCII letters as capitals, which is as long as the text; `upper` makes two letters of some."""
        if not self._capital:
            self._capital.append(self.text.translate(_CAPITALS))
        return self._capital[0]

    def excerpt(self, span: Span, *, width: int = 100, first_line: int = 1) -> str:
        """The line of `span.start` with carets under the span; long lines are cut around it.

        `first_line` is the number of the first line, where the text is a part of a longer one.
        """
        number, column = self.position(span.start)
        text = self.line(number)
        begin = column - 1
        length = max(1, min(span.end, span.start + len(text) - begin) - span.start)
        first = max(0, begin - width // 2) if len(text) > width else 0
        shown = text[first : first + width]
        length = max(1, min(length, len(shown) - (begin - first)))
        lead = "…" if first else ""
        tail = "…" if first + width < len(text) else ""
        margin = f"{number + first_line - 1:>4} | "
        pad = "".join("\t" if c == "\t" else " " for c in shown[: begin - first])
        return f"{margin}{lead}{shown}{tail}\n{' ' * (len(margin) - 2)}| {' ' * len(lead)}{pad}{'^' * length}"


def _span(at: int, word: str) -> Span | None:
    return Span(at, at + len(word)) if at >= 0 else None
