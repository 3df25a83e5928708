"""The lexical layer under the GQL grammar: strings, names, comments, where a statement ends.

The same functions as `lexical.py` has for Cypher.  Knows no keyword; never fails.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from graphir.grammar.lexical import Token
from graphir.source import Span

_STRING = "|".join(
    (
        r"'''(?:[^'\\]|\\.|'(?!''))*+(?:'''|\Z)",
        r'"""(?:[^"\\]|\\.|"(?!""))*+(?:"""|\Z)',
        r"'[^'\\]*+(?:\\.[^'\\]*+)*+(?:'|\\?\Z)",
        r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)',
    )
)
_COMMENT = r"--[^\r\n]*+|\#[^\r\n]*+|//[^\r\n]*+|/\*[^*]*+(?:\*(?!/)[^*]*+)*+\*/"
_NAME = r"`[^`\\]*+(?:\\.[^`\\]*+)*+`?"
_NUMBER = r"0[xX]\w++|(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][+-]?\d++)?"

TOKEN = re.compile(
    rf"(?P<blank>\s++|{_COMMENT})|(?P<open>/\*.*)|(?P<string>{_STRING})|(?P<name>{_NAME})|(?P<end>;)|(?P<other>\w++|.)",
    re.DOTALL,
)
"""As coarse as finding the ends of statements needs it.  A string, name or comment without its end runs to the end."""

_SCANNER = re.compile(
    rf"(?P<blank>\s++)|(?P<comment>{_COMMENT}|/\*.*)|(?P<string>(?:[rRbB]{{1,2}})?(?:{_STRING}))|(?P<name>{_NAME})"
    rf"|(?P<parameter>@@?\w++|\$(?:\w++|`[^`]*+`?))|(?P<word>[^\W\d]\w*+)|(?P<number>{_NUMBER})"
    r"|(?P<punctuation><>|<=|>=|!=|\|\||::|=>|->|<-|<<|>>|\*\*|.)",
    re.DOTALL,
)


def scan(text: str, start: int = 0, end: int | None = None) -> Iterator[Token]:
    """The tokens of the text without white space.  Never fails: what is unknown is punctuation of one character."""
    for match in _SCANNER.finditer(text, start, len(text) if end is None else end):
        kind = match.lastgroup
        if kind != "blank":
            yield Token(kind or "punctuation", match[0], match.start())


def comments(text: str, dialect: str = "gql-iso") -> list[Span]:
    """The spans of the comments, each with its `--`, `#`, `//` (without the end of the line) or `/*` and `*/`."""
    return [Span(*match.span()) for match in TOKEN.finditer(text) if match.lastgroup == "open" or _is_comment(match)]


def _is_comment(match: re.Match[str]) -> bool:
    return match.lastgroup == "blank" and not match[0].isspace()


def statements(text: str, dialect: str = "gql-iso") -> list[Span]:
    """The spans of the statements of a script, split at `;`, without the `;`, white space and comments around them."""
    found: list[Span] = []
    start, end = None, 0
    for token in TOKEN.finditer(text):
        kind = token.lastgroup
        if kind == "end":
            if start is not None:
                found.append(Span(start, end))
            start = None
        elif kind != "blank":
            start = token.start() if start is None else start
            end = token.end()
    if start is not None:
        found.append(Span(start, end))
    return found
