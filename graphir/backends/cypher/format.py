"""Formatting Cypher: the printer's layout with the user's comments and spellings of numbers kept.

A comment goes where the source has it, to the nearest place between two nodes: trailing comments stay at the end of
their line, comments on lines of their own stay before what they stood before.  Formatting twice changes nothing, and
the formatted text parses to the same IR.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar, Literal

from graphir import ir
from graphir.backends.cypher.printer import CypherPrinter, printer
from graphir.backends.printing import Mark, Part, Token
from graphir.grammar.cypher import parse_script
from graphir.grammar.lexical import comments
from graphir.source import Span

_BREAKS = (Mark.LINE, Mark.SPACE, Mark.EDGE)
_BLANK = re.compile(r"\s+")


def format_text(text: str, dialect: str = "neo4j-25") -> str:
    """The script in standard layout; raises the SyntaxFault of its first broken statement."""
    pieces: list[_Piece] = []
    found = comments(text, dialect)
    at = 0
    for statement in parse_script(text, dialect):
        if statement.fault is not None:
            raise statement.fault
        span = statement.span
        while at < len(found) and found[at].start < span.start:
            pieces.append(_Piece(found[at], _shown(text, found[at])))
            at += 1
        inside = at
        while at < len(found) and found[at].start < span.end:
            at += 1
        assert statement.query is not None
        pieces.append(_Piece(span, _layout(statement.query, text, found[inside:at], dialect), statement=True))
    pieces += [_Piece(span, _shown(text, span)) for span in found[at:]]
    return _assemble(text, pieces)


@dataclass(slots=True)
class _Piece:
    """A statement, or a comment outside the statements."""

    span: Span
    text: str
    statement: bool = False


def _shown(text: str, span: Span) -> str:
    """A comment as it is printed: trailing blanks go."""
    return text[span.start : span.end].rstrip()


def _assemble(text: str, pieces: Sequence[_Piece]) -> str:
    """The pieces with the `;`, line ends and single empty lines that the source has between them."""
    out: list[str] = []
    ended = True
    for at, piece in enumerate(pieces):
        before = pieces[at - 1] if at else None
        if before is not None:
            gap = text[before.span.end : piece.span.start]
            same_line = not ended and not piece.statement and "\n" not in gap and "\n" not in before.text
            if not before.text.startswith("//") and "\n" not in gap and not piece.statement:
                same_line = True
            out.append(" " if same_line else "\n\n" if gap.count("\n") > 1 else "\n")
        out.append(piece.text)
        if piece.statement:
            following = next((x for x in pieces[at + 1 :] if x.statement), None)
            end = following.span.start if following else len(text)
            ended = following is not None or _has_separator(text, pieces[at:], end)
            out.append(";" if ended else "")
    return "".join(out) + ("\n" if text.endswith("\n") and out else "")


def _has_separator(text: str, pieces: Sequence[_Piece], end: int) -> bool:
    """Whether a `;` follows the last statement, the first of the pieces."""
    stops = [*[piece.span for piece in pieces[1:]], Span(end, end)]
    start = pieces[0].span.end
    for stop in stops:
        if ";" in text[start : stop.start]:
            return True
        start = stop.end
    return False


def _layout(query: ir.Query, text: str, found: Sequence[Span], dialect: str) -> str:
    made = printer(query, dialect, Formatter)
    assert isinstance(made, Formatter)
    made.annotate(text, found)
    return made.text(query)


class Formatter(CypherPrinter):
    """A printer that weaves comments in."""

    leaving: ClassVar = (ir.Query, ir.Body)

    def annotate(self, source: str, found: Sequence[Span]) -> None:
        """Set the comments that are to be kept, in order."""
        self.source = source
        self.found = list(found)
        self.upcoming = 0

    def number(self, node: ir.Literal) -> Iterable[Part]:
        kept = type(node.value) in (int, float) and node.text is not None
        return [node.text or ""] if kept else CypherPrinter.literal(self, node)

    def enter(self, node: ir.Node, out: list[Token]) -> None:
        if self.upcoming < len(self.found) and node.span is not None:
            here = list(self.before(node.span.start))
            for comment, words in zip(here, self.words_after(here, node.span.start), strict=True):
                self.weave(comment, words, out)
            if isinstance(node, ir.Command):
                for _ in self.before(node.span.end):
                    pass

    def leave(self, node: ir.Node, out: list[Token]) -> None:
        if self.upcoming < len(self.found) and node.span is not None:
            for comment in self.before(node.span.end):
                own = _place(self.source, comment) == "own"
                out += [Mark.LINE, _shown(self.source, comment)] if own else [" " + _shown(self.source, comment)]

    def before(self, offset: int) -> Iterator[Span]:
        """The comments not yet printed that begin before the offset."""
        while self.upcoming < len(self.found) and self.found[self.upcoming].start < offset:
            self.upcoming += 1
            yield self.found[self.upcoming - 1]

    def weave(self, comment: Span, words: str, out: list[Token]) -> None:
        """Put the comment among the tokens: before those of the last line that are `words`, which follow it."""
        shown = _shown(self.source, comment)
        place = _place(self.source, comment)
        cut, later = _last_line(out, len(words))
        if cut is None or not words.endswith(later):
            joined = bool(out) and type(out[-1]) is str and out[-1].endswith((" ", "(", "[", "{"))
            out.append(f"{shown} " if joined else f" {shown} ")
        elif cut < 0 or (place == "inline" and not later):
            out.append(f"{shown} ")
            if place != "inline":
                out.append(Mark.LINE)
        elif place == "own":
            out[cut : cut + 1] = [Mark.LINE, shown, Mark.LINE]
        else:
            out[cut : cut + 1] = [f" {shown}", out[cut] if place == "inline" else Mark.LINE]

    def words_after(self, here: Sequence[Span], following: int) -> list[str]:
        """For each comment the source up to the node that follows, without blanks and comments, in capitals."""
        words = ""
        found: list[str] = []
        for comment in reversed(here):
            words = _BLANK.sub("", self.source[comment.end : following]).upper() + words
            following = comment.start
            found.append(words)
        found.reverse()
        return found

    def lay(self, tokens: list[Token]) -> str:
        return super().lay(list(_ended(tokens)) if self.found else tokens)

    handlers: ClassVar = {**CypherPrinter.handlers, ir.Literal: number}


def _place(source: str, comment: Span) -> Literal["own", "inline", "trailing"]:
    """Whether a comment has its lines for itself, stands between other things, or ends a line."""
    line_start = source.rfind("\n", 0, comment.start) + 1
    line_end = source.find("\n", comment.end)
    rest = source[comment.end : line_end if line_end >= 0 else len(source)]
    if rest.strip():
        return "inline"
    return "trailing" if source[line_start : comment.start].strip() else "own"


def _last_line(out: list[Token], limit: int) -> tuple[int | None, str]:
    """The index of the last mark at which a line may end (-1: there is none) and the words after it.

    None where there are more than `limit` characters of words, so that the search costs no more than the source has.
    """
    words = ""
    for at in range(len(out) - 1, -1, -1):
        token = out[at]
        if token in _BREAKS:
            return at, words
        if type(token) is str:
            words = _BLANK.sub("", token).upper() + words
            if len(words) > limit:
                return None, words
    return -1, words


def _ended(tokens: Iterable[Token]) -> Iterator[Token]:
    """The tokens with a new line after every comment that needs one."""
    open_comment = False
    for token in tokens:
        if open_comment and (token in _BREAKS or (type(token) is str and token)):
            open_comment = False
            if token is not Mark.LINE:
                yield Mark.LINE
                if token in _BREAKS:
                    continue
        open_comment = open_comment or (type(token) is str and token.lstrip().startswith("//"))
        yield token.rstrip() if open_comment and type(token) is str else token
