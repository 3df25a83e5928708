"""What the builder knows besides the children of a reduction: the text, the dialect, what it has met so far."""

from __future__ import annotations

from graphir.diagnostics import Fix
from graphir.source import Span


class Refusal(Exception):
    """A form that the covering grammar reads and Cypher does not have."""

    def __init__(self, code: str, message: str, span: Span, hint: str | None = None, fix: Fix | None = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.span = span
        self.hint = hint
        self.fix = fix


class Context:
    """One parse.  `uses` are the constructs that not every dialect has, with their places, in source order; `alone`:
    what is read was cut out of a statement."""

    __slots__ = ("alone", "dialect", "text", "uses")

    def __init__(self, text: str, dialect: str) -> None:
        self.text = text
        self.dialect = dialect
        self.alone = False
        self.uses: list[tuple[str, Span]] = []

    def use(self, feature: str, span: Span) -> None:
        """Remember a construct of `graphir.dialects.FEATURES`."""
        self.uses.append((feature, span))


def refusal(
    message: str, span: Span | None, *, hint: str | None = None, code: str = "G001", fix: Fix | None = None
) -> Refusal:
    return Refusal(code, message, span or Span(0, 0), hint, fix)
