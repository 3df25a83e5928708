"""INSERT: which tables its elements go to, what they must say, which variables may be new."""

from __future__ import annotations

from dataclasses import dataclass, field

from graphir import ir
from graphir.passes.google import expressions
from graphir.passes.google.analysis import Analysis, Place
from graphir.passes.google.catalog import Element, Graph
from graphir.passes.google.coercion import coerces
from graphir.passes.google.labels import check_labels
from graphir.passes.google.names import Column, Table
from graphir.passes.google.places import span_of, variable
from graphir.passes.google.types import ELEMENTS, Type
from graphir.source import Span

Pattern = ir.NodePattern | ir.EdgePattern


@dataclass
class _Inserted:
    """An element of the INSERT: the table that it goes to, if that is known."""

    type: Type
    element: Element | None = None


@dataclass
class _Insert:
    state: Analysis
    graph: Graph
    place: Place
    table: Table
    made: dict[str, _Inserted] = field(default_factory=dict)

    # -------------------------------------------------------------- elements

    def node(self, node: ir.NodePattern) -> _Inserted:
        known = self._known(node)
        if known is None:
            return self._new(node, "GRAPH_NODE")
        at = variable(self.state.text, node)
        name = node.variable or ""
        if known.type.kind == "GRAPH_EDGE":
            self._report("G103", f"`{name}` is an edge and cannot be a node here", at)
        elif node.labels is not None:
            self._report("G346", f"`{name}` is there already: it takes no labels", at, "use its name alone")
        elif node.properties is not None:
            self._report("G346", f"`{name}` is there already: it takes no properties", at, "use its name alone")
        return known

    def edge(self, edge: ir.EdgePattern) -> _Inserted:
        if self._known(edge) is not None:
            at = variable(self.state.text, edge)
            self._report(
                "G346", f"`{edge.variable}` is there already: an edge is inserted once", at, "choose another name"
            )
            return _Inserted(self.graph.type_of("GRAPH_EDGE", ()))
        return self._new(edge, "GRAPH_EDGE")

    def _known(self, pattern: Pattern) -> _Inserted | None:
        if pattern.variable is None:
            return None
        column = self.table.get(pattern.variable)
        if column is not None:
            return _Inserted(column.type) if column.type.kind in (*ELEMENTS, "UNKNOWN") else None
        return self.made.get(pattern.variable.lower())

    def _new(self, pattern: Pattern, kind: str) -> _Inserted:
        what = "node" if kind == "GRAPH_NODE" else "edge"
        if pattern.labels is None:
            at = variable(self.state.text, pattern) if pattern.variable else span_of(pattern)
            self._report("G346", f"A new {what} needs a label: it says which table it goes to", at, "write (:Label)")
            return self._added(
                pattern, _Inserted(self.graph.type_of(kind, ()) if self.graph.open else Type(kind, open=True))
            )
        check_labels(self.state, pattern.labels, kind, self.graph)
        found = self._tables(pattern, kind)
        made = _Inserted(self.graph.type_of(kind, found), found[0] if len(found) == 1 else None)
        self._check_properties(pattern, made)
        return self._added(pattern, made)

    def _added(self, pattern: Pattern, made: _Inserted) -> _Inserted:
        if pattern.variable is not None:
            self.made[pattern.variable.lower()] = made
            self.table = self.table.with_([Column(pattern.variable, made.type)])
        return made

    def _tables(self, pattern: Pattern, kind: str) -> list[Element]:
        """The tables that have all the labels."""
        labels = pattern.labels.operands if isinstance(pattern.labels, ir.LabelAnd) else (pattern.labels,)
        names = {label.name.lower() for label in labels if isinstance(label, ir.LabelName)}
        if self.graph.open:
            return []
        found = [each for each in self.graph.of_kind(kind) if names <= each.held or each.dynamic_labels]
        if not found and all(name in self.graph.labels for name in names):
            what = "node" if kind == "GRAPH_NODE" else "edge"
            self._report("G346", f"No {what} table has all of these labels", span_of(pattern.labels or pattern))
        return found

    # -------------------------------------------------------------- properties

    def _check_properties(self, pattern: Pattern, made: _Inserted) -> None:
        entries = pattern.properties.entries if isinstance(pattern.properties, ir.MapOf) else ()
        seen: set[str] = set()
        for entry in entries:
            start = span_of(entry).start
            at = Span(start, start + len(entry.key))
            if entry.key.lower() in seen:
                self._report("G346", f"Property `{entry.key}` is written twice", at)
            seen.add(entry.key.lower())
            self._check_property(entry, at, made)

    def _check_property(self, entry: ir.Entry, at: Span, made: _Inserted) -> None:
        given = expressions.value(self.state, entry.value, self.place)
        key = ir.Keyword(entry.key, span=at)
        wanted = expressions.of_property(self.state, key, made.type, self.place, entry.key).type
        if wanted.kind != "UNKNOWN" and not coerces(given, wanted):
            self._report("G301", f"Property `{entry.key}` is {wanted}, and the value is {given.type}", at)
        element = made.element
        if element is not None and element.columns and not element.columns.get(entry.key.lower(), "-"):
            self._report("G346", f"Property `{entry.key}` is computed and cannot be written", at)

    # -------------------------------------------------------------- ends

    def check_ends(self, edge: ir.EdgePattern, made: _Inserted, left: _Inserted, right: _Inserted) -> None:
        """The ends of an edge are nodes of the tables that its table refers to."""
        if made.element is None:
            return
        ends = (left, right) if edge.direction != "in" else (right, left)
        wanted = (("source", made.element.source), ("destination", made.element.destination))
        for (what, name), end in zip(wanted, ends, strict=True):
            if name and not self._may_be(end, name):
                self._report("G346", f"The {what} of `{made.element.name}` is a node of `{name}`", span_of(edge))

    def _may_be(self, end: _Inserted, name: str) -> bool:
        if end.element is not None:
            return end.element.name.lower() == name.lower()
        target = next((each for each in self.graph.elements if each.name.lower() == name.lower()), None)
        if target is None or end.type.open or end.type.kind == "UNKNOWN":
            return True
        return {own.lower() for own, _ in target.properties} <= {own.lower() for own, _ in end.type.fields}

    def _report(self, code: str, message: str, at: Span, hint: str | None = None) -> None:
        self.state.report(code, message, at, hint)


def insert(state: Analysis, node: ir.Insert, graph: Graph, place: Place, table: Table) -> Table:
    """The working table after an INSERT."""
    if not state.has("TERMINAL_INSERT"):
        state.report("G345", "INSERT is no part of the language here", node, "write the rows of the tables")
        return table
    context = _Insert(state, graph, place, table)
    for path in node.paths:
        found: list[tuple[ir.Node, _Inserted]] = []
        for element in path.elements:
            if isinstance(element, ir.NodePattern):
                found.append((element, context.node(element)))
            elif isinstance(element, ir.EdgePattern):
                found.append((element, context.edge(element)))
        for at in range(1, len(found) - 1):
            edge, made = found[at]
            if isinstance(edge, ir.EdgePattern):
                context.check_ends(edge, made, found[at - 1][1], found[at + 1][1])
    return context.table
