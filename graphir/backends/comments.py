"""Weaving comments into printed text: what the formatters of all languages share.

A comment goes where the source has it, to the nearest place between two nodes: trailing comments stay at the end of
their line, comments on lines of their own stay before what they stood before.  Knows no language but the marks that
begin a comment to the end of the line.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from graphir import ir
from graphir.backends.printing import Mark, Printer, Token
from graphir.source import Span

if TYPE_CHECKING:
    from graphir.grammar.cypher import Statement

_Place = Literal["own", "inline", "trailing"]
_BREAKS = (Mark.LINE, Mark.SPACE, Mark.EDGE)
_BLANK = re.compile(r"\s+")
_TO_THE_END = ("//", "--", "#")
"""What begins a comment that reaches to the end of its line, in one language or another."""

Layout = Callable[[ir.Query, int, Sequence[Span]], tuple[str, list[Span]]]
"""A statement, where it begins, its comments -> its text, and those comments that belong after it."""


def format_script(text: str, statements: Iterable[Statement], found: Sequence[Span], layout: Layout) -> str:
    """The script in standard layout, with all comments `found` in it; raises the SyntaxFault of its first broken
    statement."""
    pieces: list[_Piece] = []
    at = 0
    for statement in statements:
        if statement.fault is not None:
            raise statement.fault
        span = statement.span
        while at < len(found) and found[at].start < span.start:
            pieces.append(_Piece(found[at], shown(text, found[at])))
            at += 1
        inside = at
        while at < len(found) and found[at].start < span.end:
            at += 1
        assert statement.query is not None
        made, left = layout(statement.query, span.start, found[inside:at])
        pieces.append(_Piece(span, made, statement=True))
        pieces += [_Piece(comment, shown(text, comment)) for comment in left]
    pieces += [_Piece(span, shown(text, span)) for span in found[at:]]
    return _assemble(text, pieces)


@dataclass(slots=True)
class _Piece:
    """A statement, or a comment outside the statements."""

    span: Span
    text: str
    statement: bool = False


def shown(text: str, span: Span) -> str:
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
            if not before.text.startswith(_TO_THE_END) and "\n" not in gap and not piece.statement:
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


class Weaver(Printer):
    """A printer that weaves comments in: the base of formatters, before the printer of the language."""

    leaving: ClassVar = (ir.Query, ir.Body)

    source: str
    found: list[Span]
    places: dict[Span, _Place]
    upcoming: int
    ends: dict[int, int]
    """Where the braces around a body end, by the identity of the body."""

    def annotate(self, source: str, start: int, found: Sequence[Span]) -> None:
        """Set the comments to keep, in order, of the statement at `start` of the source."""
        self.source = source
        self.found = list(found)
        self.places = _places(source, start, found)
        self.upcoming = 0
        self.ends = {}

    def enter(self, node: ir.Node, out: list[Token]) -> None:
        if self.upcoming < len(self.found) and node.span is not None:
            here = list(self.before(node.span.start))
            for comment, words in zip(here, self.words_after(here, node.span.start), strict=True):
                self.weave(comment, words, out)
            if isinstance(node, ir.Command):
                for _ in self.before(node.span.end):
                    pass
            if isinstance(node, ir.SqlStatement):
                self.found = [each for each in self.found if not _in_text(each, node)]
            if isinstance(node, (ir.Subquery, ir.SubqueryCall, ir.When)):
                self.ends[id(node.body)] = node.span.end

    def leave(self, node: ir.Node, out: list[Token]) -> None:
        end = self.ends.get(id(node))
        if end is not None and self.upcoming < len(self.found):
            here = list(self.before(end))
            for comment, words in zip(here, self.words_after(here, end), strict=True):
                self.weave_last(comment, words, out)

    def weave_last(self, comment: Span, words: str, out: list[Token]) -> None:
        """Put the comment behind what is printed of a body; in the source, `words` are still to come."""
        text = shown(self.source, comment)
        own = self.places[comment] == "own" or _stands_alone(out, len(out) - 1)
        out += [Mark.LINE, text] if own else [f" {text}"]

    def before(self, offset: int) -> Iterator[Span]:
        """The comments not yet printed that begin before the offset."""
        while self.upcoming < len(self.found) and self.found[self.upcoming].start < offset:
            self.upcoming += 1
            yield self.found[self.upcoming - 1]

    def weave(self, comment: Span, words: str, out: list[Token]) -> None:
        """Put the comment among the tokens: before those last ones that are `words`, which follow it in the source."""
        text = shown(self.source, comment)
        place = self.places[comment]
        cut = _line_before(out, words)
        if cut is None:
            joined = type(out[-1]) is str and out[-1].endswith((" ", "(", "[", "{"))
            out.append(f"{text} " if joined else f" {text} ")
        elif place == "inline" and not words:
            out.append(f"{text} ")
        elif place == "own" or _stands_alone(out, cut - 1):
            out[cut : cut + 1] = [Mark.LINE, text, Mark.LINE]
        else:
            out[cut : cut + 1] = [f" {text}", out[cut] if place == "inline" else Mark.LINE]

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


def _places(source: str, start: int, found: Sequence[Span]) -> dict[Span, _Place]:
    """Whether each comment has its lines for itself, stands between other things, or ends a line."""
    code_before: list[bool] = []
    for at, comment in enumerate(found):
        gap = source[found[at - 1].end if at else start : comment.start]
        code = bool(gap.rpartition("\n")[2].strip())
        joined = "\n" not in gap
        code_before.append(code or (joined and (code_before[-1] if at else True)))
    places: dict[Span, _Place] = {}
    code_after = False
    for at in range(len(found) - 1, -1, -1):
        end = found[at].end
        line_end = source.find("\n", end) if at == len(found) - 1 else found[at + 1].start
        gap = source[end : line_end if line_end >= 0 else len(source)]
        code_after = bool(gap.partition("\n")[0].strip()) or ("\n" not in gap and code_after)
        places[found[at]] = "inline" if code_after else "trailing" if code_before[at] else "own"
    return places


def _in_text(comment: Span, statement: ir.SqlStatement) -> bool:
    """Whether a comment stands in what is kept of a statement as text."""
    inside = [island.span for island in statement.islands if island.span is not None]
    return not any(span.start <= comment.start < span.end for span in inside)


def _is_comment(token: Token) -> bool:
    """Whether a token is a comment that reaches to the end of its line."""
    return type(token) is str and token.lstrip().startswith(_TO_THE_END)


def _stands_alone(out: list[Token], at: int) -> bool:
    """Whether a token is a comment that nothing can follow on its line, or that has its lines for itself."""
    token = out[at]
    alone = type(token) is str and token.startswith("/*") and out[at - 1] is Mark.LINE
    return alone or _is_comment(token)


def _line_before(out: list[Token], words: str) -> int | None:
    """The mark at which the line ends that is followed by nothing but `words`, or by their end.

    None where there is none; the search costs no more than the words are long.
    """
    found: int | None = None
    before: str | None = None
    later = ""
    for at in range(len(out) - 1, -1, -1):
        token = out[at]
        if token in _BREAKS:
            if later != before:
                found, before = at, later
        elif type(token) is str:
            later = _BLANK.sub("", token).upper() + later
            if not words.endswith(later):
                break
    return found


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
        open_comment = open_comment or (_is_comment(token))
        yield token.rstrip() if open_comment and type(token) is str else token
