"""The machine under every printer: nodes become parts, parts become text, without recursion.

A printer has one handler per node class.  A handler returns parts: text, nodes still to be printed, and layout marks.
It never calls another handler, so that nesting costs no stack.  Printing is linear: the first pass turns nodes into
text and marks and measures the groups, the second lays the lines out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import Enum, auto
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
    return [Mark.OPEN, word, Mark.INDENT, Mark.SPACE, *separated(items, [",", Mark.SPACE]), Mark.DEDENT, Mark.CLOSE]


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
        pending: list[Part | _Leave] = [node]
        enters = type(self).enter is not Printer.enter
        leaving, handlers = self.leaving, self.handlers
        while pending:
            part = pending.pop()
            cls = type(part)
            if cls is str or cls is Mark:
                if part:
                    out.append(part)  # type: ignore[arg-type]
            elif cls is _Leave:
                self.leave(part.node, out)  # type: ignore[union-attr]
            elif isinstance(part, str):
                out.append(str(part))  # a name that was folded
            else:
                assert isinstance(part, Node)
                if enters:
                    self.enter(part, out)
                if leaving and isinstance(part, leaving):
                    pending.append(_Leave(part))
                found = handlers[cls](self, part)  # type: ignore[index]
                pending += found[::-1] if type(found) is list else list(found)[::-1]
        return out

    def lay(self, tokens: list[Token]) -> str:
        """The tokens as lines."""
        out: list[str] = []
        level = column = measured = 0  # `column` is that behind the first `measured` pieces of the text
        broken = [True]
        wide = _widths(tokens)
        for at, token in enumerate(tokens):
            if type(token) is str:
                out.append(token)
            elif token is Mark.OPEN:
                piece = "".join(out[measured:])
                cut = piece.rfind("\n")
                column = column + len(piece) if cut < 0 else len(piece) - cut - 1
                measured = len(out)
                broken.append(column + wide[at] > self.width)
            elif token is Mark.CLOSE:
                broken.pop()
            elif token is Mark.INDENT or token is Mark.DEDENT:
                level += 1 if token is Mark.INDENT else -1
            elif token is Mark.LINE or broken[-1]:
                out.append("\n" + self.indent * level)
            elif token is Mark.SPACE:
                out.append(" ")
        return "".join(out)


_FOREVER = 1 << 60


def _widths(tokens: list[Token]) -> dict[int, int]:
    """For every OPEN, by index, how wide its group is on one line; a group with a new line in it never fits."""
    wide: dict[int, int] = {}
    opened: list[tuple[int, int, int]] = []
    total = lines = 0
    for at, token in enumerate(tokens):
        if type(token) is str:
            total += len(token)
            lines += "\n" in token
        elif token is Mark.SPACE:
            total += 1
        elif token is Mark.LINE:
            lines += 1
        elif token is Mark.OPEN:
            opened.append((at, total, lines))
        elif token is Mark.CLOSE:
            start, before, above = opened.pop()
            wide[start] = total - before if lines == above else _FOREVER
    return wide
