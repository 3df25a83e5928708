"""The lexical layer under the grammar of GQL and SQL/PGQ: strings, names, comments, where a statement ends.

The same functions as `lexical.py` has for Cypher, for each lexis.  Knows no keyword; never fails.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache

from graphir.grammar.lexical import Token
from graphir.grammar.sql_lexis import DOLLARS, LEXES, Lexis
from graphir.source import Span

_STRING = "|".join(
    (
        r"'''(?>(?:[^'\\]++|\\.|'(?!''))*)(?:'''|\Z)",
        r'"""(?>(?:[^"\\]++|\\.|"(?!""))*)(?:"""|\Z)',
        r"'[^'\\]*+(?:\\.[^'\\]*+)*+(?:'|\\?\Z)",
        r'"[^"\\]*+(?:\\.[^"\\]*+)*+(?:"|\\?\Z)',
    )
)
_COMMENT = r"--[^\r\n]*+|\#[^\r\n]*+|//[^\r\n]*+|/\*[^*]*+\*++(?:[^/*][^*]*+\*++)*+/"
_NAME = r"`[^`\\]*+(?:\\.[^`\\]*+)*+`?"
_PARAMETER = r"@@?\w++|\$(?:\w++|`[^`]*+`?)"
_NUMBER = r"0[xX]\w++|(?:\d++(?:\.\d*+)?|\.\d++)(?:[eE][+-]?\d++)?"


class Lexical:
    """What is true of the characters in one lexis.

    `token` is as coarse as finding the ends of statements needs it.  A string, name or comment without its end runs to
    the end.
    """

    def __init__(self, strings: str, prefix: str, name: str, comment: str, parameter: str, word: str) -> None:
        self.token = re.compile(
            rf"(?P<blank>\s++|{comment})|(?P<open>/\*.*)|(?P<string>{strings})|(?P<name>{name})|(?P<end>;)"
            rf"|(?P<other>{word}|\w++|.)",
            re.DOTALL,
        )
        self._scanner = re.compile(
            rf"(?P<blank>\s++)|(?P<comment>{comment}|/\*.*)|(?P<string>{prefix}(?:{strings}))|(?P<name>{name})"
            rf"|(?P<parameter>{parameter})|(?P<word>{word})|(?P<number>{_NUMBER})"
            r"|(?P<punctuation><>|<=|>=|!=|\|\||::|=>|->|<-|<<|>>|\*\*|.)",
            re.DOTALL,
        )

    def scan(self, text: str, start: int = 0, end: int | None = None) -> Iterator[Token]:
        """The tokens of the text without white space.  What is unknown is punctuation of one character."""
        for match in self._scanner.finditer(text, start, len(text) if end is None else end):
            kind = _kind(match)
            if kind != "blank":
                yield Token(kind or "punctuation", match[0], match.start())

    def comments(self, text: str, dialect: str = "") -> list[Span]:
        """The spans of the comments, each with its `--`, `#`, `//` (without the end of the line) or `/*` and `*/`."""
        return [Span(*each.span()) for each in self.token.finditer(text) if _is_comment(each)]

    def statements(self, text: str, dialect: str = "") -> list[Span]:
        """The spans of the statements of a script, split at `;`, without the `;`, blanks and comments around them."""
        found: list[Span] = []
        start, end = None, 0
        for token in self.token.finditer(text):
            kind = _kind(token)
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


def _kind(match: re.Match[str]) -> str | None:
    """The group that the whole token is of."""
    kind = match.lastgroup
    return "string" if kind in ("tag", "quote") else kind


def _is_comment(match: re.Match[str]) -> bool:
    return match.lastgroup == "open" or (match.lastgroup == "blank" and not match[0].isspace())


def _of_lexis(lexis: Lexis) -> Lexical:
    """A string, name or comment without its end runs to the end here, too."""
    plain = rf"{lexis.prefixed}|'(?:[^']|'')*+(?:'|\Z)"
    strings = f"{DOLLARS}|{plain}" if lexis.dollars else plain
    comment = rf"--[^\r\n]*+|{lexis.block}"
    return Lexical(strings, "", r'"(?:[^"]|"")*+"?', comment, lexis.params, lexis.word)


_GQL = Lexical(_STRING, r"(?:[rRbB]{1,2})?", _NAME, _COMMENT, _PARAMETER, r"[^\W\d]\w*+")
TOKEN = _GQL.token


@cache
def lexical(dialect: str) -> Lexical:
    """What is true of the characters of a dialect."""
    lexis = LEXES.get(dialect)
    return _GQL if lexis is None else _of_lexis(lexis)


def scan(text: str, start: int = 0, end: int | None = None) -> Iterator[Token]:
    """The tokens of a text of GQL."""
    return _GQL.scan(text, start, end)


def comments(text: str, dialect: str = "gql-iso") -> list[Span]:
    """The spans of the comments."""
    return lexical(dialect).comments(text)


def statements(text: str, dialect: str = "gql-iso") -> list[Span]:
    """The spans of the statements of a script."""
    return lexical(dialect).statements(text)
