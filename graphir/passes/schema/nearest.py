"""The name that was meant: the same but for case, word separators or a plural, else the most similar one."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from functools import lru_cache

_MOST = 400
"""Of more names than these the rest is not compared letter by letter."""

_SIMILAR = 0.72


def nearest(name: str, known: Iterable[str]) -> str | None:
    """The known name that `name` most likely stands for, or None."""
    return _nearest(name, tuple(dict.fromkeys(known)))


@lru_cache(1024)
def _nearest(name: str, names: tuple[str, ...]) -> str | None:
    for form in (str.lower, _plain, _stem):
        wanted = form(name)
        for other in names:
            if form(other) == wanted:
                return other
    if len(name) < 3:
        return None
    plain = {_plain(other): other for other in reversed(names[:_MOST])}
    close = get_close_matches(_plain(name), plain, 1, _SIMILAR)
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
