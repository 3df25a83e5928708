"""The lexical layer under the Cypher grammar: strings, back-ticked names, comments, `\\u` escapes, scripts.

One linear scanner reads any text at all.  Knows no keyword and no rule of the grammar; the grammar's own terminals and
this scanner agree on where a string, a name or a comment ends.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from graphir.diagnostics import Diagnostic, SyntaxFault, diagnose
from graphir.dialects import DIALECTS
from graphir.source import Source, Span

_STRING = r"""'[^'\\]*+(?:\\.[^'\\]*+)*+(?:'|\\?\Z)|"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)"""
_NAME = r"`[^`]*+(?:``[^`]*+)*+`?"
_COMMENT = r"//[^\r\n]*+|/\*(?>[^*]*+\*++(?:[^/*][^*]*+\*++)*+/|.*)"
_NUMBER = r"0[xX]\w++|(?:\d\w*+(?:\.\d\w*+)?|\.\d\w*+)(?:(?<=[eE])[+-]\d++)?"
_PUNCTUATION = r"=~|=>|==|<>|<=|>=|!=|\+=|\|\||::|\.\.|->|<-|--|."

# A string or name without its closing quote runs to the end of the text, as does a comment without its `*/`.
_SCANNER = re.compile(
    rf"(?P<blank>\s++)|(?P<comment>{_COMMENT})|(?P<string>{_STRING})|(?P<name>{_NAME})|(?P<word>[^\W\d]\w*+)"
    rf"|(?P<parameter>\$(?:\w++|{_NAME}))|(?P<number>{_NUMBER})|(?P<punctuation>{_PUNCTUATION})",
    re.DOTALL,
)
_QUOTED = re.compile(rf"(?P<comment>{_COMMENT})|(?P<string>{_STRING})|(?P<name>{_NAME})", re.DOTALL)
_SEPARATOR = re.compile(rf"{_COMMENT}|{_STRING}|{_NAME}|(?P<semicolon>;)", re.DOTALL)
_CONTENT = re.compile(rf"(?>(?:\s++|{_COMMENT})*)", re.DOTALL)


class Token(NamedTuple):
    """A piece of text.  kind: comment, string, name (back-ticked), word, parameter, number, punctuation."""

    kind: str
    value: str
    start: int

    @property
    def end(self) -> int:
        return self.start + len(self.value)

    @property
    def span(self) -> Span:
        return Span(self.start, self.start + len(self.value))


def scan(text: str, start: int = 0, end: int | None = None) -> Iterator[Token]:
    """The tokens of the text without white space.  Never fails: what is unknown is punctuation of one character."""
    for match in _SCANNER.finditer(text, start, len(text) if end is None else end):
        kind = match.lastgroup
        if kind != "blank":
            yield Token(kind or "punctuation", match[0], match.start())


# ------------------------------------------------------------------ comments and scripts


def comments(text: str, dialect: str = "neo4j-25") -> list[Span]:
    """The spans of the comments, each with its `//` (without the end of the line) or `/*` and `*/`."""
    if "//" not in text and "/*" not in text:
        return []
    resolved, offsets = resolve_escapes(text, dialect)
    return [offsets.span(Span(*m.span())) for m in _QUOTED.finditer(resolved) if m.lastgroup == "comment"]


def statements(text: str, dialect: str = "neo4j-25") -> list[Span]:
    """The spans of the statements of a script, split at `;`, without the `;`, white space and comments around them.

    Blank statements are dropped.  A `;` in a string, a back-ticked name or a comment does not split.
    """
    resolved, offsets = resolve_escapes(text, dialect)
    return [offsets.span(span) for span in split(resolved)]


def split(text: str) -> list[Span]:
    """`statements` on a text whose escapes are resolved."""
    found = []
    start = 0
    cuts = [m.start() for m in _SEPARATOR.finditer(text) if m.lastgroup == "semicolon"] if ";" in text else []
    for cut in [*cuts, len(text)]:
        span = _trim(text, start, cut)
        if span is not None:
            found.append(span)
        start = cut + 1
    return found


def _trim(text: str, start: int, end: int) -> Span | None:
    """The statement without white space and comments at its ends; None where nothing is left.

    A comment without its end is kept: it is a fault that has to be reported.
    """
    lead = _CONTENT.match(text, start, end)
    begin = lead.end() if lead else start
    if begin >= end:
        open_comment = _last_comment(text, start, end)
        return open_comment if open_comment and not closed(text, open_comment) else None
    if "//" not in text[begin:end] and "/*" not in text[begin:end]:
        return Span(begin, begin + len(text[begin:end].rstrip()))
    stop = begin
    for token in scan(text, begin, end):
        if token.kind != "comment" or not closed(text, token.span):
            stop = token.end
    return Span(begin, stop)


def _last_comment(text: str, start: int, end: int) -> Span | None:
    last = None
    for token in scan(text, start, end):
        last = token.span
    return last


def closed(text: str, span: Span) -> bool:
    """Whether the string, back-ticked name or comment at `span` has its end; true of any other token."""
    value = text[span.start : span.end]
    if value[:2] == "//":
        return True
    if value[:2] == "/*":
        return len(value) >= 4 and value.endswith("*/")
    pattern = _CLOSED.get(value[:1])
    return pattern is None or value == "$" or pattern.fullmatch(value) is not None


_CLOSED = {
    "'": re.compile(r"'[^'\\]*+(?:\\.[^'\\]*+)*+'", re.DOTALL),
    '"': re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"', re.DOTALL),
    "`": re.compile(r"`[^`]*+(?:``[^`]*+)*+`"),
    "$": re.compile(r"\$(?:\w++|`[^`]*+(?:``[^`]*+)*+`)"),
}


def unterminated(text: str, start: int = 0, end: int | None = None) -> Span | None:
    """The string, back-ticked name or comment that is never closed.  There is at most one, and it is the last token."""
    last = None
    for match in _QUOTED.finditer(text, start, len(text) if end is None else end):
        last = match
    if last is None:
        return None
    span = Span(*last.span())
    return None if closed(text, span) else span


_OPENINGS = {
    "'": ("G002", "string without its closing quote", "close the string with `'`; a quote inside it is written `\\'`"),
    '"': ("G002", "string without its closing quote", 'close the string with `"`; a quote inside it is written `\\"`'),
    "`": ("G003", "back-ticked name without its closing back-tick", "close the name with a back-tick"),
    "/": ("G004", "comment without its end", "close the comment with `*/`"),
}


def describe_unterminated(source: Source, opening: str, span: Span) -> Diagnostic:
    """The diagnostic of a string, name or comment that `opening` (a quote, a back-tick, `/`) begins at `span`."""
    code, message, hint = _OPENINGS[opening]
    return diagnose(source, code, message, span, hint=hint)


# ------------------------------------------------------------------ escapes


@dataclass(frozen=True, slots=True)
class OffsetMap:
    """Offsets of a text with resolved escapes, back in the original.

    `broken` are the spans (in the original) of `\\u` escapes that are none; they stay as they stand.
    """

    _resolved: tuple[int, ...] = ()
    _original: tuple[int, ...] = ()
    broken: tuple[Span, ...] = field(default=())

    @property
    def identity(self) -> bool:
        return not self._resolved

    def original(self, offset: int) -> int:
        """The offset in the original text of what stands at `offset`."""
        at = bisect_right(self._resolved, offset) - 1
        return offset if at < 0 else self._original[at] + offset - self._resolved[at]

    def span(self, span: Span) -> Span:
        """The span in the original text."""
        return Span(self.original(span.start), self.original(span.end)) if self._resolved else span


IDENTITY = OffsetMap()

# A backslash before a backslash is a pair everywhere, also in a name or a comment, so that `\\u0041` is no escape.
_UNICODE = re.compile(r"\\(?:u(?P<hex>[0-9a-fA-F]{4})?|.)", re.DOTALL)


def resolve_escapes(text: str, dialect: str = "neo4j-25") -> tuple[str, OffsetMap]:
    """The text with every `\\uXXXX` replaced by its character, as Neo4j does before it reads tokens.

    The character may be part of a keyword, or a quote that ends a string.  Two escapes of a surrogate pair are one
    character.  openCypher 9 knows the escape in strings only: its texts are returned as they are (`decode_string`).
    """
    if "\\u" not in text or not DIALECTS[dialect].escapes_first:
        return text, IDENTITY
    pieces: list[str] = []
    resolved: list[int] = []
    original: list[int] = []
    broken: list[Span] = []
    at = length = 0
    matches = [m for m in _UNICODE.finditer(text) if m[0][1] == "u"]
    index = 0
    while index < len(matches):
        match = matches[index]
        index += 1
        start, end = match.span()
        code = int(match["hex"], 16) if match["hex"] else -1
        if 0xD800 <= code < 0xDC00 and index < len(matches) and matches[index].start() == end:
            low = int(matches[index]["hex"] or "0", 16)
            if 0xDC00 <= low < 0xE000:
                code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00)
                end = matches[index].end()
                index += 1
        if code < 0 or 0xD800 <= code < 0xE000:
            broken.append(_broken_span(text, start, end))
            continue
        pieces += (text[at:start], chr(code))
        length += start - at + 1
        at = end
        resolved.append(length)
        original.append(end)
    pieces.append(text[at:])
    return "".join(pieces), OffsetMap(tuple(resolved), tuple(original), tuple(broken))


def _broken_span(text: str, start: int, end: int) -> Span:
    """The escape with the hexadecimal digits that it has, if fewer than four."""
    while end < start + 6 and text[end : end + 1].isalnum():
        end += 1
    return Span(start, end)


class BrokenEscape(Exception):
    """An escape that is none, at `span`.  Never leaves the grammar."""

    def __init__(self, span: Span) -> None:
        super().__init__(span)
        self.span = span


_ESCAPED = {
    "\\": "\\", "'": "'", '"': '"', "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t",
}  # fmt: skip
_ESCAPE_NEO4J = re.compile(r"\\(.)", re.DOTALL)
_ESCAPE_OPENCYPHER = re.compile(
    r"\\(?:[uU](?:(?<=u)(?P<four>[0-9a-fA-F]{4})|(?<=U)(?P<eight>[0-9a-fA-F]{8}))?|.)", re.DOTALL
)


def decode_string(token: str, dialect: str = "neo4j-25", start: int = 0) -> str:
    """The value of a string literal, given with its quotes and, for Neo4j, with its `\\u` escapes resolved.

    Neo4j keeps the backslash of an escape that it does not know (`'\\d'` is a backslash and a d); openCypher 9
    refuses it.  Raises BrokenEscape, placed by the `start` of the token.
    """
    if "\\" not in token:
        return token[1:-1]
    if DIALECTS[dialect].escapes_first:
        return _ESCAPE_NEO4J.sub(lambda m: _ESCAPED.get(m[1], m[0]), token[1:-1])
    return _decode_opencypher(token, start)


def _decode_opencypher(token: str, start: int) -> str:
    units: list[str] = []
    at = 1
    for match in _ESCAPE_OPENCYPHER.finditer(token, 1, len(token) - 1):
        units.append(token[at : match.start()])
        at = match.end()
        digits = match["four"] or match["eight"]
        if digits is None:
            character = _ESCAPED.get(match[0][1])
        else:
            code = int(digits, 16)
            character = chr(code) if code <= 0x10FFFF else None
        if character is None:
            begin, end = _broken_span(token, match.start(), match.end())
            raise BrokenEscape(Span(begin + start, end + start))
        units.append(character)
    units.append(token[at:-1])
    value = "".join(units)
    # Two halves of a surrogate pair are one character; a half alone is none.
    try:
        return value.encode("utf-16", "surrogatepass").decode("utf-16")
    except UnicodeDecodeError:
        raise BrokenEscape(Span(start, start + len(token))) from None


def describe_escape(source: Source, span: Span) -> Diagnostic:
    """The diagnostic of a broken escape at `span` of the source."""
    text = source.text[span.start : span.end]
    letter = text[1:2]
    if letter == "u":
        hint = "write `\\u` and four hexadecimal digits (`\\u00e9`), or `\\\\u` for a backslash and a u"
    elif letter == "U":
        hint = "write `\\U` and eight hexadecimal digits (`\\U0001F600`), or `\\\\U` for a backslash and a U"
    else:
        hint = "a backslash itself is written `\\\\`"
    return diagnose(source, "G005", f"`{text[:12]}` is no escape sequence", span, hint=hint)


def check_escapes(source: Source, offsets: OffsetMap, within: Span | None = None) -> None:
    """Raise the SyntaxFault of the first broken `\\u` escape (of those in the span `within`)."""
    for span in offsets.broken:
        if within is None or within.start <= span.start < within.end:
            raise SyntaxFault([describe_escape(source, span)])


SURROGATE = re.compile("[\ud800-\udfff]")
"""Half of a character of UTF-16: no text by itself, and not to be written in UTF-8."""


def check_surrogates(source: Source, within: Span) -> None:
    """Raise the SyntaxFault of the first lone surrogate in the span."""
    if found := SURROGATE.search(source.text, within.start, within.end):
        shown = f"U+{ord(found[0]):04X}"
        raise SyntaxFault([diagnose(source, "G015", f"{shown} is half a character", Span(*found.span()))])
