"""Names that the compiler makes up, and names whose case was folded.

Those that are made up begin with NUL, which no front end lets into a name, so they cannot clash with a user's name;
printers drop them where nothing refers to them and otherwise print a readable name that is free in the query.
"""

from __future__ import annotations

MARK = "\x00"


class Folded(str):
    """A name that stood without quotes in a language that folds the case of such names: it is the name that they stand
    for, `written` how it stood.  It equals any str of the same value."""

    __slots__ = ("written",)
    written: str

    def __new__(cls, value: str, written: str) -> Folded:
        made = super().__new__(cls, value)
        made.written = written
        return made

    def __getnewargs__(self) -> tuple[str, str]:  # type: ignore[override]
        return str(self), self.written


def written(name: str) -> str:
    """A name as it stood in the text."""
    return name.written if isinstance(name, Folded) else name


def generated(hint: str, number: int) -> str:
    """A made-up name such as NUL + `n1`."""
    return f"{MARK}{hint}{number}"


def is_generated(name: str | None) -> bool:
    return name is not None and name.startswith(MARK)
