"""Names and texts between marks, with the marks inside doubled: what SQL, GQL and Cypher share.

Which names need marks differs, and is for those who write a language.
"""

from __future__ import annotations


def quoted(name: str) -> str:
    """A delimited identifier of SQL."""
    return _between(name, '"')


def ticked(name: str) -> str:
    """A name in back-ticks."""
    return _between(name, "`")


def literal(text: str) -> str:
    """A string literal of SQL, where the backslash is a character like others."""
    return _between(text, "'")


def _between(text: str, mark: str) -> str:
    return mark + text.replace(mark, mark + mark) + mark
