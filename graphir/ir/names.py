"""Names that the compiler makes up.

They begin with NUL, which no front end lets into a name, so they cannot clash with a user's name; printers drop them
where nothing refers to them and otherwise print a readable name that is free in the query.
"""

from __future__ import annotations

MARK = "\x00"


def generated(hint: str, number: int) -> str:
    """A made-up name such as NUL + `n1`."""
    return f"{MARK}{hint}{number}"


def is_generated(name: str | None) -> bool:
    return name is not None and name.startswith(MARK)
