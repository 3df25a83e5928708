"""Formatting GQL: the printer's layout with the user's comments, hints and spellings of numbers and types kept.

Formatting twice changes nothing, and the formatted text parses to the same IR.  A hint (`@{..}`) is part of no IR; it
stays behind the same word of the query, or the text is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import ClassVar

from graphir import ir
from graphir.backends.comments import Weaver, format_script
from graphir.backends.gqltext.printer import GqlPrinter, printer
from graphir.backends.printing import Mark, Part, Token
from graphir.diagnostics import SyntaxFault, diagnose
from graphir.dialects import SQL_PGQ
from graphir.grammar.gql import parse_script
from graphir.grammar.gql_lexical import comments, scan
from graphir.source import Source, Span


def format_text(text: str, dialect: str) -> str:
    """The script in standard layout; raises the SyntaxFault of its first broken statement, and one for a hint at a
    place that the layout does not have."""

    def layout(query: ir.Query, start: int, found: Sequence[Span]) -> tuple[str, list[Span]]:
        made = printer(query, dialect, formatter)
        assert isinstance(made, Formatter)
        made.annotate(text, start, found)
        return made.text(query), made.found[made.upcoming :]

    formatter: type[Formatter] = Formatter
    kept: list[Span] = []
    if dialect in SQL_PGQ:
        from graphir.backends.gqltext.sql import SqlFormatter

        formatter = SqlFormatter
    else:
        kept = list(hints(text))
    apart = [each for each in comments(text, dialect) if not any(each.start in range(h.start, h.end) for h in kept)]
    found = sorted([*apart, *kept], key=lambda span: span.start)
    return format_script(text, parse_script(text, dialect), found, layout)


def hints(text: str) -> Iterator[Span]:
    """The places of the hints, `@{..}` and `@1`."""
    if "@" not in text:
        return
    start: int | None = None
    open_ = False
    for token in scan(text):
        if token.kind == "parameter" and token.value[1:].isdigit():
            yield Span(token.start, token.start + len(token.value))
        elif token.value == "@":
            start = token.start
        elif start is not None and token.value == "{":
            open_ = True
        elif start is not None and open_ and token.value == "}":
            yield Span(start, token.start + 1)
            start, open_ = None, False


class Formatter(Weaver, GqlPrinter):
    """A printer of GQL that weaves comments and hints in."""

    def number(self, node: ir.Literal) -> Iterable[Part]:
        kept = type(node.value) in (int, float, type(None)) and node.text is not None
        return [node.text or ""] if kept else GqlPrinter.literal(self, node)

    def bytes(self, node: ir.Apply) -> Iterable[Part]:
        """As it was written: characters and numbers of bytes may mean the same."""
        literal = node.args[0]
        return [literal.text] if isinstance(literal, ir.Literal) and literal.text else GqlPrinter.bytes(self, node)

    def type_name(self, node: ir.ValueType) -> str:
        return GqlPrinter.type_name(self, node) if node.text is None else node.text

    waiting: list[Span]
    """The hints that no node was found for yet."""

    def tokens(self, node: ir.Node) -> list[Token]:
        self.waiting = []
        out = super().tokens(node)
        end = node.span.end if node.span is not None else 0
        self.waiting += [place for place in self.found[self.upcoming :] if self.is_hint(place)]
        self.found = [place for place in self.found if not self.is_hint(place)]
        self.upcoming = len(self.found) - sum([place.start >= end for place in self.found])
        self.place(end, out)
        if self.waiting:
            raise self.unplaced(self.waiting[0])
        return out

    def enter(self, node: ir.Node, out: list[Token]) -> None:
        if isinstance(node, (ir.Pipeline, ir.SetOperation, ir.Next)):
            return  # the name of a graph, which is printed first, stands before it in the source
        super().enter(node, out)
        if self.waiting and node.span is not None:
            self.place(node.span.start, out)

    def place(self, following: int, out: list[Token]) -> None:
        """Weave in the hints that wait, where the words between them and what follows have been printed."""
        for place in list(self.waiting):
            words = self.words_after([place], following)[0] if place.end <= following else None
            if words is not None and self.weave_hint(place, words, out):
                self.waiting.remove(place)

    def weave(self, comment: Span, words: str, out: list[Token]) -> None:
        if self.is_hint(comment):
            self.waiting.append(comment)
        else:
            super().weave(comment, words, out)

    def weave_last(self, comment: Span, words: str, out: list[Token]) -> None:
        if self.is_hint(comment):
            self.waiting.append(comment)
        else:
            super().weave_last(comment, words, out)

    def is_hint(self, place: Span) -> bool:
        return self.source.startswith("@", place.start)

    def weave_hint(self, place: Span, words: str, out: list[Token]) -> bool:
        """Put the hint before the last words that are printed, if those are the words that follow it in the source."""
        left = len(words)
        for at in range(len(out) - 1, -1, -1):
            token = out[at]
            if type(token) is not str:
                continue
            for cut in range(len(token), -1, -1):
                before = token[cut - 1 : cut]
                if not before or before.isspace():
                    continue
                if left == 0:
                    out[at : at + 1] = [token[:cut], *self.spaced(place, before, token[cut:], out[at + 1 : at + 2])]
                    return True
                if before.upper() != words[left - 1]:
                    return False
                left -= 1
        if left == 0:
            out[:0] = [self.source[place.start : place.end], Mark.LINE]
        return left == 0

    def spaced(self, place: Span, before: str, rest: str, following: Sequence[Token]) -> list[Token]:
        """The hint between what stands before it and the rest of a token, with blanks where they are needed."""
        blank = " " if before.isalnum() else ""
        has_blank = rest.startswith(" ") if rest else following == [Mark.SPACE] or following[:1] == [" "]
        return [f"{blank}{self.source[place.start : place.end]}", "" if has_blank else " ", rest]

    def unplaced(self, place: Span) -> SyntaxFault:
        message = "text with a hint at this place cannot be laid out: the layout has no such place"
        return SyntaxFault([diagnose(Source(self.source), "G061", message, place, hint="leave the hint out")])

    forms: ClassVar = {**GqlPrinter.forms, "bytes": bytes}
    handlers: ClassVar = {**GqlPrinter.handlers, ir.Literal: number}
