"""The values of strings and quoted names of GQL.

Facts: GoogleSQL's lexical structure (escapes, triple quotes, prefixes r and b); ISO GQL doubles a quote to write it.
"""

from __future__ import annotations

import re

from graphir.grammar.builder.context import refusal
from graphir.ir.names import MARK
from graphir.source import Span

_ESCAPE = re.compile(
    r"\\(?:[xX](?P<two>[0-9a-fA-F]{2})|(?P<octal>[0-3][0-7]{2})|u(?P<four>[0-9a-fA-F]{4})|U(?P<eight>[0-9a-fA-F]{8})|(?P<one>.))",
    re.DOTALL,
)
_SIMPLE = {
    "a": "\a", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t", "v": "\v", "\\": "\\", "?": "?", '"': '"',
    "'": "'", "`": "`",
}  # fmt: skip


def decode(token: str, span: Span, *, raw: bool = False) -> str:
    """The value of a string with its quotes.  Raises Refusal where an escape is none."""
    width = 3 if len(token) >= 6 and token[:3] in ("'''", '"""') else 1
    inner = token[width:-width]
    return inner if raw or "\\" not in inner else _decoded(inner, span)


def unquote(token: str, span: Span) -> str:
    """The name in back-ticks."""
    inner = token[1:-1].replace("``", "`")
    if not inner:
        raise refusal("a name cannot be empty", span)
    name = _decoded(inner, span) if "\\" in inner else inner
    if MARK in name:
        raise refusal("a name cannot hold the character NUL", span)
    return name


def decode_sql(token: str, span: Span) -> str:
    """The value of a string of SQL: doubled quotes, `$$`, and the letters that may stand before it."""
    if token[0] == "$":
        width = token.index("$", 1) + 1
        return token[width:-width]
    head, inner = token[: token.index("'")].upper(), token[token.index("'") + 1 : -1]
    if "Q" in head:
        return inner[1:-1]
    if head == "X":
        return _bytes(inner, span)
    if head == "U&":
        return _unicode(inner.replace("''", "'"), span)
    plain = inner.replace("''", "'")
    return _decoded(plain, span) if head == "E" and "\\" in plain else plain


def _bytes(digits: str, span: Span) -> str:
    if len(digits) % 2:
        raise refusal("a string of bytes has an even number of digits", span, code="G005")
    return bytes.fromhex(digits).decode("latin-1")


_UNICODE = re.compile(r"\\(?:(?P<four>[0-9a-fA-F]{4})|\+(?P<six>[0-9a-fA-F]{6})|(?P<self>\\)|(?P<none>.?))", re.DOTALL)


def _unicode(inner: str, span: Span) -> str:
    def replaced(found: re.Match[str]) -> str:
        if found["self"]:
            return "\\"
        digits = found["four"] or found["six"]
        if not digits or int(digits, 16) > 0x10FFFF:
            raise refusal(f"`{found[0]}` is no escape sequence", span, code="G005")
        return chr(int(digits, 16))

    return _UNICODE.sub(replaced, inner)


def unquote_sql(token: str, span: Span) -> str:
    """The name in `"`."""
    name = token[1:-1].replace('""', '"')
    if MARK in name:
        raise refusal("a name cannot hold the character NUL", span)
    return name


def _decoded(inner: str, span: Span) -> str:
    def replaced(found: re.Match[str]) -> str:
        digits = found["two"] or found["four"] or found["eight"]
        code = int(digits, 16) if digits else int(found["octal"], 8) if found["octal"] else None
        if code is None:
            character = _SIMPLE.get(found["one"])
        else:
            character = chr(code) if code <= 0x10FFFF and not 0xD800 <= code < 0xE000 else None
        if character is None:
            raise refusal(f"`{found[0]}` is no escape sequence", span, code="G005")
        return character

    return _ESCAPE.sub(replaced, inner)
