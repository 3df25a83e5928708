"""What a rule may ask of the query around it, and where it reports.  Knows no rule."""

from __future__ import annotations

from typing import TYPE_CHECKING

from graphir import ir
from graphir.diagnostics import Diagnostic, Fix, Severity, diagnose
from graphir.dialects import rules_of
from graphir.ir import Node
from graphir.source import Source, Span

if TYPE_CHECKING:
    from graphir.passes.scope import Scopes


class Scene:
    """One query: its names, the rules of its dialect, the findings so far."""

    def __init__(self, query: ir.Query, source: Source, dialect: str, scopes: Scopes) -> None:
        self.query = query
        self.source = source
        self.dialect = dialect
        self.scopes = scopes
        self.rules = rules_of(dialect)
        self.found: dict[tuple[str, Span | None], Diagnostic] = {}
        self._parents: dict[int, Node] | None = None

    def report(
        self,
        code: str,
        message: str,
        at: Node | Span | None,
        hint: str | None = None,
        fix: Fix | None = None,
        severity: Severity = "error",
    ) -> None:
        """Each fault of a place once."""
        span = at.span if isinstance(at, Node) else at
        if (code, span) not in self.found:
            self.found[code, span] = diagnose(self.source, code, message, span, severity=severity, hint=hint, fix=fix)

    # -------------------------------------------------------------- places

    def word(self, word: str, node: Node) -> Span | None:
        """The first place of a keyword in the text of a node, else all of it."""
        return self.between(node.span.start, node.span.end, word) or node.span if node.span else None

    def between(self, start: int, end: int, word: str) -> Span | None:
        """The first place of a keyword, in any case, in a stretch of the text."""
        return self.source.find(word, start, end)

    def keyword(self, node: Node) -> Span | None:
        """The word that an operator begins with."""
        if node.span is None:
            return None
        start = end = node.span.start
        while end < node.span.end and self.source.text[end].isalpha():
            end += 1
        return Span(start, max(end, start + 1))

    def text(self, node: Node) -> str:
        return self.source.text[node.span.start : node.span.end] if node.span else ""

    def parent(self, node: Node) -> Node | None:
        """The node right above; looked up only where there is something to report."""
        if self._parents is None:
            self._parents = {id(child): each for each in ir.walk(self.query) for child in ir.children(each)}
        return self._parents.get(id(node))
