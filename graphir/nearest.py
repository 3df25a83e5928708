"""The name that was meant: the same but for case, word separators or a plural, else the most similar one.

Knows no language; whether a name may be proposed is for those who ask.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

_MOST = 400
"""Of more names than these the rest is not compared letter by letter."""

_SIMILAR = 0.72
_PROPOSED = 4


def nearest(name: str, known: Iterable[str], similar: float = _SIMILAR) -> str | None:
    """The known name that `name` most likely stands for, or None.

    `similar` is the least similarity that counts, from 0 to 1 (the ratio of `difflib`).
    """
    return _nearest(name, tuple(dict.fromkeys(known)), similar)


def suggestion(name: str, known: Iterable[str]) -> str:
    """The end of a message that proposes the nearest name; empty where none is near."""
    near = nearest(name, known, 0.6)
    return f"; did you mean '{near}'?" if near else ""


def proposals(name: str, known: Iterable[str]) -> str:
    """As `suggestion`, of names with several parts: those that hold what was written come before one that is near.

    >>> proposals("oracle", ["neo4j-25", "pgq-oracle-23ai", "sql-oracle"])
    "; did you mean 'pgq-oracle-23ai' or 'sql-oracle'?"
    """
    names = tuple(known)
    holding = [repr(each) for each in names if len(name) > 2 and _plain(name) in _plain(each)][:_PROPOSED]
    if not holding:
        return suggestion(name, names)
    return f"; did you mean {' or '.join(filter(None, (', '.join(holding[:-1]), holding[-1])))}?"


@lru_cache(1024)
def _nearest(name: str, names: tuple[str, ...], similar: float) -> str | None:
    for form in (str.lower, _plain, _stem):
        wanted = form(name)
        for other in names:
            if form(other) == wanted:
                return other
    if len(name) < 3:
        return None
    from difflib import get_close_matches

    plain = {_plain(other): other for other in reversed(names[:_MOST])}
    close = get_close_matches(_plain(name), plain, 1, similar)
    return plain[close[0]] if close else None


def _plain(name: str) -> str:
    """Without case and separators: `birthDate` and `birth_date` are the same."""
    return "".join(c for c in name.lower() if c.isalnum()) or name


def _stem(name: str) -> str:
    """Without the ending of a plural."""
    plain = _plain(name)
    for ending, singular in (("ies", "y"), ("ses", "s"), ("xes", "x"), ("s", "")):
        if plain.endswith(ending) and len(plain) > len(ending) + 1:
            return plain.removesuffix(ending) + singular
    return plain
