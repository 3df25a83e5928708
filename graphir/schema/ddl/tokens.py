"""The tokens of DDL, for all its dialects, and a position among them.

Names keep how they were written (quoted or not), because whether `Person` is the name `PERSON` is for the dialect to
say.  A syntax error is a `SyntaxFault` G085 with its place and what was expected there.  Knows no statement.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Literal, NoReturn

from graphir.diagnostics import SemanticFault, SyntaxFault, diagnose
from graphir.limits import MAX_NESTING
from graphir.source import Source, Span

Kind = Literal["name", "quoted", "string", "number", "mark", "end"]


@dataclass(frozen=True, slots=True)
class Token:
    """`text` is the name or the string meant, quotes and escapes resolved.

    A name that may have its schema before it is its last part; `within` are the parts before.
    """

    kind: Kind
    text: str
    start: int
    end: int
    within: tuple[Token, ...] = ()

    @property
    def parts(self) -> tuple[Token, ...]:
        """The name with those of its schemas, outermost first."""
        return (*self.within, self)

    @property
    def dotted(self) -> str:
        """The whole name for messages."""
        return ".".join([part.text for part in self.parts])

    @property
    def is_name(self) -> bool:
        return self.kind in ("name", "quoted")

    @property
    def word(self) -> str:
        """The keyword that this may be, in upper case."""
        return self.text.upper() if self.kind == "name" else ""


@dataclass(frozen=True, slots=True)
class Lexis:
    """What the dialects do not share: which quotes hold names, whether a backslash escapes, how comments begin."""

    name_quotes: str
    string_quotes: str = "'"
    escapes_in_strings: bool = False
    escapes_in_names: bool = False
    comments: tuple[str, ...] = ("--",)


SQL = Lexis('"')
GOOGLE = Lexis("`", "'\"", True, True, ("--", "#"))
CYPHER = Lexis("`", "'\"", True, False, ("//",))
GQL = Lexis('`"', "'", True, True, ("--", "//"))

_ESCAPE = re.compile(r"\\(u[0-9A-Fa-f]{4}|U[0-9A-Fa-f]{8}|x[0-9A-Fa-f]{2}|[0-7]{3}|.)", re.DOTALL)
_CONTROLS = {"n": "\n", "t": "\t", "r": "\r", "b": "\b", "f": "\f", "a": "\a", "v": "\v", "0": "\0"}


def unescape(text: str) -> str:
    """The text that backslash escapes stand for."""

    def character(found: re.Match[str]) -> str:
        code = found[1]
        if len(code) > 1:
            return chr(int(code[1:], 16) if code[0] in "uUx" else int(code, 8))
        return _CONTROLS.get(code, code)

    return _ESCAPE.sub(character, text)


def fail(text: str, span: Span, message: str, *, code: str = "G085", expected: tuple[str, ...] = ()) -> NoReturn:
    """Raise the fault at its place: G006 and G085 are of syntax, the others of meaning."""
    kind = SyntaxFault if code in ("G006", "G085") else SemanticFault
    raise kind([diagnose(Source(text, "<schema>"), code, message, span, expected=expected)])


def _quoted(quote: str, escapes: bool) -> str:
    body = rf"[^{quote}\\]|\\.|{quote}{quote}" if escapes else rf"[^{quote}]|{quote}{quote}"
    return rf"{quote}(?:{body})*+{quote}"


def _pattern(lexis: Lexis) -> re.Pattern[str]:
    strings = [_quoted(quote, lexis.escapes_in_strings) for quote in lexis.string_quotes]
    if lexis == GOOGLE:
        strings = [rf"{q * 3}(?>(?:[^{q}\\]++|\\.|{q}(?!{q}{q}))*){q * 3}" for q in lexis.string_quotes] + strings
    names = "|".join(_quoted(quote, lexis.escapes_in_names) for quote in lexis.name_quotes)
    line = "|".join(re.escape(mark) for mark in lexis.comments)
    dollar = r"|(?P<dollar>\$(?P<tag>\w*)\$.*?\$(?P=tag)\$)" if lexis == SQL else ""
    return re.compile(
        rf"(?P<blank>\s+|(?:{line})[^\n]*|/\*.*?\*/)"
        rf"|(?P<string>(?:[eErRbBnN]{{1,2}}(?=['\"]))?(?:{'|'.join(strings)})){dollar}"
        rf"|(?P<quoted>{names})"
        r"|(?P<number>\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)"
        r"|(?P<name>[^\W\d][\w$]*)"
        r"|(?P<mark>::|=>|.)",
        re.DOTALL,
    )


_PATTERNS = {lexis: _pattern(lexis) for lexis in (SQL, GOOGLE, CYPHER, GQL)}


def scan(text: str, lexis: Lexis, start: int = 0, end: int | None = None) -> list[Token]:
    """The tokens of a text, or of a stretch of it, with one of kind "end" behind them."""
    tokens = []
    at, last = start, len(text) if end is None else end
    match = _PATTERNS[lexis].match
    while at < last:
        found = match(text, at, last)
        assert found is not None
        kind = found.lastgroup if found.lastgroup != "tag" else "dollar"
        if kind != "blank":
            tokens.append(_token(kind or "", found[0], at, text, lexis))
        at = found.end()
    return [*tokens, Token("end", "", last, last)]


def first_at(tokens: Sequence[Token], at: int) -> int:
    """The index of the first token that begins at a place of the text or behind it."""
    return bisect_left(tokens, at, key=lambda token: token.start)


def _token(kind: str, found: str, at: int, text: str, lexis: Lexis) -> Token:
    end = at + len(found)
    if kind in ("number", "name"):
        return Token("number" if kind == "number" else "name", found, at, end)
    if kind == "dollar":
        width = found.index("$", 1) + 1
        return Token("string", found[width:-width], at, end)
    if kind == "string":
        return Token("string", _string(found, lexis), at, end)
    if kind == "quoted":
        inner = found[1:-1].replace(found[0] * 2, found[0])
        return Token("quoted", unescape(inner) if lexis.escapes_in_names else inner, at, end)
    if found in lexis.name_quotes + lexis.string_quotes or text.startswith("/*", at):
        what = "comment" if found == "/" else "name" if found in lexis.name_quotes else "string"
        fail(text, Span(at, at + 1), f"the {what} that begins here does not end")
    return Token("mark", found, at, end)


def _string(found: str, lexis: Lexis) -> str:
    prefix = found[: min(found.find(quote) for quote in lexis.string_quotes if quote in found)]
    body = found[len(prefix) :]
    quote = body[0]
    if lexis == GOOGLE and len(body) >= 6 and body.startswith(quote * 3):
        inner = body[3:-3]
    else:
        inner = body[1:-1].replace(quote * 2, quote)
    escaped = lexis.escapes_in_strings and "r" not in prefix.lower()
    return unescape(inner) if escaped or "e" in prefix.lower() else inner


@dataclass
class Cursor:
    """A position among tokens.  What was asked for and not found is remembered until the position moves.

    `dotted`: a whole path may stand between one pair of quotes.  `home`: the schema of what is made under a name
    without one, where the text says that.
    """

    text: str
    tokens: list[Token]
    at: int = 0
    wanted: list[str] = field(default_factory=list)
    depth: int = 0
    dotted: bool = False
    home: tuple[Token, ...] = ()

    @property
    def token(self) -> Token:
        return self.tokens[self.at]

    @property
    def done(self) -> bool:
        return self.token.kind == "end"

    @property
    def at_end(self) -> bool:
        """Whether the statement ends here: a semicolon, the end, or a slash alone in its line (SQL*Plus)."""
        token = self.token
        if token.kind != "mark":
            return token.kind == "end"
        if token.text == "/":
            start = self.text.rfind("\n", 0, token.start) + 1
            end = self.text.find("\n", token.end)
            return self.text[start : end if end >= 0 else None].strip() == "/"
        return token.text == ";"

    def ahead(self, distance: int = 1) -> Token:
        return self.tokens[min(self.at + distance, len(self.tokens) - 1)]

    def advance(self) -> Token:
        token = self.token
        if token.kind != "end":
            self.at += 1
        self.wanted.clear()
        return token

    def fail(self, *expected: str) -> NoReturn:
        wanted = tuple(dict.fromkeys((*expected, *self.wanted)))
        token = self.token
        found = "the end" if token.kind == "end" else f"`{self.text[token.start : min(token.end, token.start + 40)]}`"
        fail(
            self.text,
            Span(token.start, max(token.end, token.start)),
            f"expected {', '.join(wanted)}, found {found}",
            expected=wanted,
        )

    def looking_at(self, *words: str) -> bool:
        """Whether these keywords or marks follow."""
        return all(
            (token.word == word or (token.kind == "mark" and token.text == word))
            for word, token in ((word, self.ahead(i)) for i, word in enumerate(words))
        )

    def accept(self, *words: str) -> bool:
        """Past these keywords or marks, if they stand here."""
        if not self.looking_at(*words):
            self.wanted.append(" ".join(words) if words[0].isalpha() else f"`{''.join(words)}`")
            return False
        for _ in words:
            self.advance()
        return True

    @contextmanager
    def nested(self) -> Iterator[None]:
        """One level deeper, within the limit."""
        self.depth += 1
        if self.depth > MAX_NESTING:
            self.fail_too_deep()
        yield
        self.depth -= 1

    def fail_too_deep(self) -> NoReturn:
        span = Span(self.token.start, self.token.end)
        fail(self.text, span, f"types are nested more than {MAX_NESTING} deep", code="G006")

    def accept_any(self, *words: str) -> str | None:
        return next((word for word in words if self.accept(word)), None)

    def take(self, *words: str) -> None:
        if not self.accept(*words):
            self.fail()

    def name(self, what: str) -> Token:
        if not self.token.is_name:
            self.fail(what)
        return self.advance()

    def string(self, what: str) -> str:
        if self.token.kind != "string":
            self.fail(what)
        return self.advance().text

    def path(self, what: str) -> Token:
        """A name that may have those of its schemas before it: the last part, which knows the others."""
        found = self._part(what)
        while self.token.text == "." and self.ahead().is_name:
            self.advance()
            found += self._part(what)
        *within, name = found
        return replace(name, within=tuple(within)) if within else name

    def _part(self, what: str) -> list[Token]:
        """A part of a path; the parts of one that stands between one pair of back-ticks."""
        name = self.name(what)
        if not self.dotted:
            return [name]
        if name.kind != "quoted":
            return [self._dashed(name)]
        parts = name.text.split(".")
        return [Token(name.kind, part, name.start, name.end) for part in parts] if all(parts) else [name]

    def _dashed(self, name: Token) -> Token:
        """A name of BigQuery that goes on behind a dash, as those of projects may without quotes: `my-project`."""
        end = name.end
        while self.token.start == end and (self.token.text == "-" or (end > name.end and self._is_word)):
            end = self.advance().end
        return name if end == name.end else Token("quoted", self.text[name.start : end], name.start, end)

    @property
    def _is_word(self) -> bool:
        return self.token.kind in ("name", "number")

    def definition(self, what: str) -> Token:
        """The name of what is made here: in the schema that the text has chosen, where it says none itself."""
        name = self.path(what)
        return replace(name, within=self.home) if self.home and not name.within else name

    def names(self, what: str) -> tuple[Token, ...]:
        """Names in parentheses, separated by commas."""
        self.take("(")
        found = [self.name(what)]
        while self.accept(","):
            found.append(self.name(what))
        self.take(")")
        return tuple(found)

    def properties_of(self, variable: str | None) -> tuple[str, ...]:
        """The names of properties of a variable: `n.p`, or `(n.p, n.q)`."""
        several = self.accept("(")
        found: list[str] = []
        while True:
            owner = self.name("the variable")
            if owner.text != variable:
                told = f"{owner.text} is no variable here" if variable is None else f"{owner.text} is not {variable}"
                fail(self.text, Span(owner.start, owner.end), told, code="G086")
            self.take(".")
            found.append(self.name("the name of a property").text)
            if not (several and self.accept(",")):
                break
        if several:
            self.take(")")
        return tuple(found)

    def skip(self) -> None:
        """Past one token, or past everything up to the parenthesis that closes this one."""
        depth = 0
        while True:
            token = self.token
            if token.kind == "end":
                return
            if token.kind == "mark":
                depth += (token.text in "([{") - (token.text in ")]}")
            self.advance()
            if depth <= 0:
                return

    def skip_statement(self) -> None:
        """Past everything up to the end of the statement."""
        while not self.at_end:
            self.advance()
