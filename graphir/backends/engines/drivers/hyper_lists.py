"""Lists as Hyper writes them as text: `[1,NULL,3]`, `["a","b\\"c"]`, `[t,f]`, read by the kind of their items."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from graphir.backends.gql.values import Kind
from graphir.values.dates import Date

_READERS: Mapping[Kind, Callable[[str], Any]] = {
    Kind.BOOL: lambda text: {"t": True, "f": False}[text],
    Kind.INT: int,
    Kind.NULL: int,
    Kind.FLOAT: float,
    Kind.STRING: str,
    Kind.DATE: Date.parse,
}


def read(text: str, kind: Kind) -> list[Any]:
    """The list.  LookupError or ValueError for what is none.

    >>> read('["a",NULL,"b, \\\\"c\\\\""]', Kind.STRING)
    ['a', None, 'b, "c"']
    >>> read("[1.5,1e+300,NaN]", Kind.FLOAT)
    [1.5, 1e+300, nan]
    """
    if text[:1] != "[" or text[-1:] != "]":
        raise ValueError(f"{text!r} is no list")
    reader = _READERS[kind]
    return [None if item is None else reader(item) for item in _items(text[1:-1])]


def _items(text: str) -> Iterator[str | None]:
    """The items without their marks; None for NULL."""
    at = 0
    while at < len(text):
        if text[at] == '"':
            item, at = _quoted(text, at + 1)
            yield item
        else:
            end = text.find(",", at)
            end = len(text) if end < 0 else end
            yield None if text[at:end] == "NULL" else text[at:end]
            at = end
        at += 1


def _quoted(text: str, at: int) -> tuple[str, int]:
    """The item that begins behind a mark, and the place behind it."""
    parts = []
    while text[at] != '"':
        if text[at] == "\\":
            at += 1
        parts.append(text[at])
        at += 1
    return "".join(parts), at + 1
