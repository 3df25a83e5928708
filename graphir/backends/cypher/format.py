"""Formatting Cypher: the printer's layout with the user's comments and spellings of numbers kept.

Formatting twice changes nothing, and the formatted text parses to the same IR.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import ClassVar

from graphir import ir
from graphir.backends.comments import Weaver, format_script
from graphir.backends.cypher.printer import CypherPrinter, printer
from graphir.backends.printing import Part
from graphir.grammar.cypher import parse_script
from graphir.grammar.lexical import comments
from graphir.source import Span


def format_text(text: str, dialect: str = "neo4j-25") -> str:
    """The script in standard layout; raises the SyntaxFault of its first broken statement."""

    def layout(query: ir.Query, start: int, found: Sequence[Span]) -> tuple[str, list[Span]]:
        made = printer(query, dialect, Formatter)
        assert isinstance(made, Formatter)
        made.annotate(text, start, found)
        return made.text(query), made.found[made.upcoming :]

    return format_script(text, parse_script(text, dialect), comments(text, dialect), layout)


class Formatter(Weaver, CypherPrinter):
    """A printer of Cypher that weaves comments in."""

    def number(self, node: ir.Literal) -> Iterable[Part]:
        kept = type(node.value) in (int, float) and node.text is not None
        return [node.text or ""] if kept else CypherPrinter.literal(self, node)

    handlers: ClassVar = {**CypherPrinter.handlers, ir.Literal: number}
