"""The machine under every printer: nodes become parts, parts become text, without recursion.

A printer has one handler per node class.  A handler returns parts: text, nodes still to be printed, and layout marks.
It never calls another handler, so that nesting costs no stack and printing is linear.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from enum import Enum, auto
from typing import ClassVar

from graphir.ir import Node


class Mark(Enum):
    """Layout between the parts: a new line, and one step of indentation for the lines that begin after it."""

    LINE = auto()
    INDENT = auto()
    DEDENT = auto()


Part = str | Node | Mark
Handler = Callable[..., Iterable[Part]]


def separated(items: Iterable[Part | Sequence[Part]], separator: Part | Sequence[Part] = ", ") -> list[Part]:
    """The items with the separator between them; an item or separator may itself be a sequence of parts."""
    out: list[Part] = []
    for item in items:
        if out:
            out.extend([separator] if isinstance(separator, (str, Node, Mark)) else separator)
        out.extend([item] if isinstance(item, (str, Node, Mark)) else item)
    return out


class Printer:
    """Base of the printers of all dialects: `handlers` maps a node class to a method of the subclass."""

    handlers: ClassVar[dict[type[Node], Handler]] = {}
    indent: ClassVar[str] = "  "

    def parts(self, node: Node) -> Iterable[Part]:
        """The parts of one node.  A class without a handler is a KeyError: a fault of the printer, not of the query."""
        return self.handlers[type(node)](self, node)

    def enter(self, node: Node, out: list[str]) -> None:
        """Called before a node is printed, with the text so far; formatters put comments here."""

    def text(self, node: Node) -> str:
        """The printed node, lines joined by newlines, without a final one."""
        out: list[str] = []
        level = 0
        pending: list[Part] = [node]
        while pending:
            part = pending.pop()
            if type(part) is str:
                out.append(part)
            elif isinstance(part, Node):
                self.enter(part, out)
                pending.extend(reversed(list(self.parts(part))))
            elif part is Mark.LINE:
                out.append("\n" + self.indent * level)
            else:
                level += 1 if part is Mark.INDENT else -1
        return "".join(out)
