"""The text of a GRAPH_TABLE: the pattern by our own hand, what stands in it by sqlglot."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from graphir.backends.sql.graphtables.abilities import Patterns
from graphir.backends.sql.graphtables.model import Edge, Hop, Pattern, Trail, Vertex
from graphir.schema.ddl.targets import quote, quote_path


class Printer:
    """Prints patterns in one dialect.  `break_` is written for a line break in a string or a name."""

    def __init__(self, patterns: Patterns, *, pretty: bool, break_: str) -> None:
        self.patterns = patterns
        self.pretty = pretty
        self.break_ = break_

    def text(self, pattern: Pattern, parts: list[str]) -> str:
        """What stands in the brackets.  `parts`: the condition, if there is one, and the columns."""
        paths = (",\n    " if self.pretty else ", ").join([self.trail(each, pattern.labels) for each in pattern.trails])
        lines = [self._kept(quote_path(pattern.graph, self.patterns.spelling)), f"MATCH {paths}"]
        parts = [self._kept(each) for each in parts]
        if pattern.filtered:
            lines.append(f"WHERE {parts.pop(0)}")
        lines.append(f"COLUMNS ({', '.join(parts)})")
        return ("\n  " if self.pretty else " ").join(lines)

    def _kept(self, text: str) -> str:
        """A text whose line breaks, which stand in strings and names, are not those of the layout."""
        return text.replace("\n", self.break_) if self.pretty else text

    def name(self, name: str) -> str:
        return self._kept(quote(name, self.patterns.spelling))

    def trail(self, trail: Trail, labels: Mapping[int, Sequence[str]]) -> str:
        start = f"({self._inside(trail.start, labels)})"
        return start + "".join([self.hop(hop, labels) for hop in trail.hops])

    def hop(self, hop: Hop, labels: Mapping[int, Sequence[str]]) -> str:
        edge, node = (self._inside(each, labels) for each in (hop.edge, hop.to))
        if hop.edge.undirected:
            return f"-[{edge}]-({node})"
        return f"<-[{edge}]-({node})" if hop.backwards else f"-[{edge}]->({node})"

    def _inside(self, element: Vertex | Edge, labels: Mapping[int, Sequence[str]]) -> str:
        return self.name(element.variable) + self.patterns.label + "|".join(map(self.name, labels[id(element)]))
