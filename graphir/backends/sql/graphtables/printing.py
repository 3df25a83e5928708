"""The text of a GRAPH_TABLE: the pattern by our own hand, what stands in it by sqlglot."""

from __future__ import annotations

from sqlglot import Dialect, exp
from sqlglot.generator import Generator

from graphir.backends.sql import build
from graphir.backends.sql.build import Sql
from graphir.backends.sql.graphtables.abilities import Patterns
from graphir.backends.sql.graphtables.model import Edge, Hop, Pattern, Trail, Vertex, pattern_of
from graphir.schema.ddl.targets import quote


def inked(tree: Sql, dialect: str, patterns: Patterns, *, pretty: bool) -> Sql:
    """The tree with the text of each GRAPH_TABLE in its place."""
    if patterns.bare:
        for name in build.nodes(tree):
            quoted = isinstance(name, exp.Identifier) and name.args.get("quoted")
            if quoted and quote(name.name, patterns.spelling) == name.name:
                name.set("quoted", False)
    generator = Dialect.get_or_raise(dialect).generator(comments=False)
    for node in build.nodes(tree):
        pattern = pattern_of(node)
        if pattern is not None:
            parts = [generator.generate(each, copy=False) for each in node.expressions]
            written = Printer(patterns, pretty=pretty).text(pattern, parts)
            node.set("expressions", [exp.Var(this=written)])
    return tree


class Printer:
    """Prints patterns in one dialect."""

    def __init__(self, patterns: Patterns, *, pretty: bool) -> None:
        self.patterns = patterns
        self.pretty = pretty

    def text(self, pattern: Pattern, parts: list[str]) -> str:
        """What stands in the brackets.  `parts`: the condition, if there is one, and the columns."""
        paths = (",\n    " if self.pretty else ", ").join([self.trail(each) for each in pattern.trails])
        lines = [self.name(pattern.graph), f"MATCH {paths}"]
        parts = [self._kept(each) for each in parts]
        if pattern.filtered:
            lines.append(f"WHERE {parts.pop(0)}")
        lines.append(f"COLUMNS ({', '.join(parts)})")
        return ("\n  " if self.pretty else " ").join(lines)

    def _kept(self, text: str) -> str:
        """A text whose line breaks, which stand in strings and names, are not those of the layout."""
        return text.replace("\n", Generator.SENTINEL_LINE_BREAK) if self.pretty else text

    def name(self, name: str) -> str:
        return self._kept(quote(name, self.patterns.spelling))

    def trail(self, trail: Trail) -> str:
        return self.element(trail.start) + "".join([self.hop(hop) for hop in trail.hops])

    def hop(self, hop: Hop) -> str:
        edge = self._inside(hop.edge)
        if hop.edge.undirected:
            return f"-[{edge}]-" + self.element(hop.to)
        return (f"<-[{edge}]-" if hop.backwards else f"-[{edge}]->") + self.element(hop.to)

    def element(self, vertex: Vertex) -> str:
        return f"({self._inside(vertex)})"

    def _inside(self, element: Vertex | Edge) -> str:
        known = element.table.element
        assert known is not None
        assert known.label is not None
        return self.name(element.variable) + self.patterns.label + self.name(known.label)
