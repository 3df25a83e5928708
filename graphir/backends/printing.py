"""The machine under every printer: nodes become parts, parts become text, without recursion.

A printer has one handler per node class.  A handler returns parts: text, nodes still to be printed, and layout marks.
It never calls another handler, so that nesting costs no stack.  Printing is linear: the first pass turns nodes into
text and marks and measures the groups, the second lays the lines out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from enum import Enum, auto
from itertools import chain
from typing import ClassVar

from graphir.ir import Node


class Mark(Enum):
    """Layout between the parts.

    LINE is a new line, INDENT and DEDENT one step for the lines that begin after them.  A group from OPEN to CLOSE is
    printed on one line where it fits; otherwise each of its own SPACE (a blank) and EDGE (nothing) is a new line.
    """

    LINE = auto()
    INDENT = auto()
    DEDENT = auto()
    OPEN = auto()
    CLOSE = auto()
    SPACE = auto()
    EDGE = auto()


LINE, INDENT, DEDENT, OPEN, CLOSE, SPACE, EDGE = Mark
"""The marks by name: asking the class for one costs many times as much."""

Part = str | Node | Mark
Token = str | Mark
Handler = Callable[..., Iterable[Part]]


def separated(items: Iterable[Part | Sequence[Part]], separator: Part | Sequence[Part] = ", ") -> list[Part]:
    """The items with the separator between them; an item or separator may itself be a sequence of parts."""
    between = [separator] if isinstance(separator, (str, Node, Mark)) else separator
    out: list[Part] = []
    for item in items:
        if out:
            out += between
        if isinstance(item, (str, Node, Mark)):
            out.append(item)
        else:
            out += item
    return out


def listed(word: str, items: Sequence[Part | Sequence[Part]]) -> list[Part]:
    """A keyword and its comma list; two items or more go to a line each where they do not fit on one."""
    if len(items) < 2:
        return [word, " ", *separated(items)]
    return [OPEN, word, INDENT, SPACE, *separated(items, [",", SPACE]), DEDENT, CLOSE]


class _Leave:
    """A node whose parts are all printed."""

    __slots__ = ("node",)

    def __init__(self, node: Node) -> None:
        self.node = node


class Printer:
    """Base of the printers of all dialects: `handlers` maps a node class to a method of the subclass.

    A class without a handler is a KeyError: a fault of the printer, not of the query.
    """

    handlers: ClassVar[dict[type[Node], Handler]] = {}
    leaving: ClassVar[tuple[type[Node], ...]] = ()
    """The classes for which `leave` is called."""
    indent: ClassVar[str] = "  "
    width: ClassVar[int] = 100

    def enter(self, node: Node, out: list[Token]) -> None:
        """Called before a node is printed, with the tokens so far; formatters put comments here."""

    def leave(self, node: Node, out: list[Token]) -> None:
        """Called after the last part of a node of one of the classes in `leaving`."""

    def text(self, node: Node) -> str:
        """The printed node, lines joined by newlines, without a final one."""
        return self.lay(self.tokens(node))

    def tokens(self, node: Node) -> list[Token]:
        """The text and marks of a node, in order."""
        out: list[Token] = []
        enters = type(self).enter is not Printer.enter
        leaving, handlers = self.leaving, self.handlers
        outer: list[Iterator[Part | _Leave]] = []
        parts: Iterator[Part | _Leave] = iter((node,))
        while True:
            for part in parts:
                cls = type(part)
                if cls is str or cls is Mark:
                    if part:
                        out.append(part)  # type: ignore[arg-type]
                elif isinstance(part, Node):
                    if enters:
                        self.enter(part, out)
                    outer.append(parts)
                    parts = iter(handlers[cls](self, part))  # type: ignore[index]
                    if leaving and isinstance(part, leaving):
                        parts = chain(parts, (_Leave(part),))
                    break
                elif cls is _Leave:
                    self.leave(part.node, out)  # type: ignore[union-attr]
                else:
                    out.append(str(part))  # a name that was folded
            else:
                if not outer:
                    return out
                parts = outer.pop()

    def lay(self, tokens: list[Token]) -> str:
        """The tokens as lines."""
        marks = [at for at, token in enumerate(tokens) if type(token) is not str]
        texts = _between(tokens, marks)
        out: list[str] = [texts[0]]
        level = column = measured = 0  # `column` is that behind the first `measured` pieces of the text
        broken = [True]
        wide = _widths([tokens[at] for at in marks], texts)
        for at, text in zip(marks, texts[1:], strict=True):
            token = tokens[at]
            if token is OPEN:
                piece = "".join(out[measured:])
                cut = piece.rfind("\n")
                column = column + len(piece) if cut < 0 else len(piece) - cut - 1
                measured = len(out)
                broken.append(column + wide.pop() > self.width)
            elif token is CLOSE:
                broken.pop()
            elif token is INDENT:
                level += 1
            elif token is DEDENT:
                level -= 1
            elif token is LINE or broken[-1]:
                out.append("\n" + self.indent * level)
            elif token is SPACE:
                out.append(" ")
            out.append(text)
        return "".join(out)


_FOREVER = 1 << 60


def _between(tokens: list[Token], marks: list[int]) -> list[str]:
    """The text before, between and after the marks at these places."""
    texts: list[str] = []
    start = 0
    for at in (*marks, len(tokens)):
        texts.append("".join(tokens[start:at]))  # type: ignore[arg-type]
        start = at + 1
    return texts


def _widths(marks: Iterable[Token], texts: list[str]) -> list[int]:
    """For every OPEN, the last one first, how wide its group is on one line; a group with a new line in it never
    fits.  `texts` stand before the marks."""
    wide: list[int] = []
    opened: list[tuple[int, int, int]] = []
    total = lines = 0
    for mark, text in zip(marks, texts, strict=False):
        total += len(text)
        lines += "\n" in text
        if mark is SPACE:
            total += 1
        elif mark is LINE:
            lines += 1
        elif mark is OPEN:
            opened.append((len(wide), total, lines))
            wide.append(_FOREVER)
        elif mark is CLOSE:
            start, before, above = opened.pop()
            if lines == above:
                wide[start] = total - before
    wide.reverse()
    return wide
