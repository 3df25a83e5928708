"""Graph patterns: which variables a MATCH declares, of what types, and what its conditions see.

A variable of a repeated part is a group variable: outside of that part an array.  In a condition of an element only its
own variable is visible, in that of a parenthesized path those of the path, in that behind the MATCH all, and there
alone those of earlier statements.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field

from graphir import ir
from graphir.passes.google import expressions
from graphir.passes.google.analysis import Analysis, Place, no_tables
from graphir.passes.google.catalog import Graph
from graphir.passes.google.coercion import Typed, coerces, supertype
from graphir.passes.google.labels import check_labels, type_of_labels
from graphir.passes.google.names import EMPTY, Column, Scope, Table
from graphir.passes.google.operators import compare
from graphir.passes.google.places import span_of, variable
from graphir.passes.google.shapes import check_shape, nodes_at_ends
from graphir.passes.google.types import ELEMENTS, Type, array_of, is_groupable, path_of
from graphir.source import Span


@dataclass
class Variable:
    """A variable of a MATCH: all the elements that have its name."""

    name: str
    kind: str
    elements: list[ir.NodePattern | ir.EdgePattern] = field(default_factory=list)
    group: bool = False
    type: Type | None = None


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What a pattern stands in: the graph, the working table, what is outside of the statement."""

    graph: Graph
    table: Table
    outer: Scope | None
    common: Mapping[str, Table] = field(default_factory=no_tables)


def match(state: Analysis, node: ir.Match, around: Surroundings) -> Table:
    """The working table after a MATCH."""
    pattern = _Pattern(state, node, around)
    for path in node.paths:
        if check_shape(state, path):
            pattern.check_costs(path)
    pattern.declare()
    pattern.check_selected()
    for path in node.paths:
        pattern.costs = []
        pattern.check_path(path)
        pattern.check_cost_types(path)
    table = pattern.table()
    if node.where is not None:
        inner = pattern.table(inside=True)
        place = Place(Scope(inner, around.outer), around.graph, "WHERE", "horizontal", common=around.common)
        expressions.condition(state, node.where, place, "WHERE")
    return table


Elements = Iterator[tuple[ir.NodePattern | ir.EdgePattern, bool]]


def elements_of(path: ir.Path, group: bool = False) -> Elements:
    """The nodes and edges of a path, and whether they are of a repeated part."""
    for element in path.elements:
        if isinstance(element, ir.PathGroup):
            yield from elements_of(element.path, group or element.quantifier is not None)
        else:
            yield element, group or getattr(element, "quantifier", None) is not None


def kind_of(element: ir.Node) -> str:
    return "GRAPH_NODE" if isinstance(element, ir.NodePattern) else "GRAPH_EDGE"


class _Pattern:
    """The pattern of one MATCH."""

    def __init__(self, state: Analysis, node: ir.Match, around: Surroundings) -> None:
        self.state = state
        self.node = node
        self.around = around
        self.graph = around.graph
        self.variables: dict[str, Variable] = {}
        self.paths: dict[str, ir.Path] = {}
        self.where = span_of(node.paths[0])
        self.costs: list[Typed] = []

    def report(self, code: str, message: str, hint: str | None = None, at: Span | None = None) -> None:
        self.state.report(code, message, at or self.where, hint)

    # -------------------------------------------------------------- declaring

    def declare(self) -> None:
        """Collect the variables, and say which of them clash."""
        for path in self.node.paths:
            here: dict[str, bool] = {}
            for element, group in elements_of(path):
                check_labels(self.state, element.labels, kind_of(element), self.graph)
                if element.variable is not None:
                    self._declare(element, group, here)
        for path in self.node.paths:
            if path.variable is not None:
                self._declare_path(path)
        for found in self.variables.values():
            self._check_outer(found)
            found.type = self._type_of(found)

    def _declare(self, element: ir.NodePattern | ir.EdgePattern, group: bool, here: dict[str, bool]) -> None:
        name = (element.variable or "").lower()
        kind = kind_of(element)
        known = self.variables.get(name)
        if known is None:
            self._check_subquery(element)
            self.variables[name] = Variable(element.variable or "", kind, [element], group)
        elif known.group and group and name in here and self._in_one_group(known, element):
            if known.kind != kind:
                self._refuse_kind(known.name, kind)
            known.elements.append(element)
        elif known.group and group:
            self.report("G103", f"`{known.name}` is a variable of two repeated parts", "name them apart")
        elif known.group or group:
            self.report("G103", f"`{known.name}` is used in a repeated part and outside of it", "name them apart")
        elif known.kind != kind:
            self._refuse_kind(known.name, kind)
        else:
            known.elements.append(element)
        here[name] = group

    def _refuse_kind(self, name: str, kind: str) -> None:
        what = ("a node", "an edge") if kind == "GRAPH_EDGE" else ("an edge", "a node")
        self.report("G103", f"`{name}` is {what[0]}, and stands for {what[1]} as well", "name them apart")

    def _in_one_group(self, known: Variable, element: ir.Node) -> bool:
        """Whether two elements are of the same repeated part: then they are the same element."""
        return any(
            any(other is part for part, _ in elements_of(group.path))
            and any(element is part for part, _ in elements_of(group.path))
            for path in self.node.paths
            for group in _repeated(path)
            for other in known.elements
        )

    def _declare_path(self, path: ir.Path) -> None:
        name = (path.variable or "").lower()
        column = self.around.table.get(name)
        if name in self.paths or name in self.variables or column is not None:
            self.report("G103", f"`{path.variable}` is a path and cannot be declared again", "choose another name")
        self.paths[name] = path

    def _check_subquery(self, element: ir.NodePattern | ir.EdgePattern) -> None:
        """An element of an outer query cannot be declared again, unless a CALL imports it."""
        name = element.variable or ""
        outer = self.around.outer
        if outer is None or name in self.around.table or name.lower() in outer.reserved:
            return
        try:
            column = outer.find(name)
        except LookupError:
            return
        if column is not None and column.type.kind in ELEMENTS:
            self.report(
                "G102",
                f"`{name}` is a variable of the outer query and cannot be declared again",
                f"choose another name and add `WHERE other = {name}`",
                variable(self.state.text, element),
            )

    def _check_outer(self, found: Variable) -> None:
        column = self.around.table.get(found.name) or self._imported(found.name)
        if column is None or column.type.kind == "UNKNOWN":
            return
        if found.group:
            if column.group:
                self.report("G103", f"`{found.name}` is a variable of two repeated parts", "choose another name")
            else:
                self.report(
                    "G103", f"`{found.name}` is used in a repeated part and outside of it", "choose another name"
                )
        elif column.group and column.type.kind == "ARRAY" and found.name in self.around.table:
            self.report("G103", f"`{found.name}` is used in a repeated part and outside of it", "choose another name")
        elif column.type.kind not in ELEMENTS:
            self.report("G103", f"`{found.name}` is no node or edge and cannot be one here", "choose another name")
        elif column.type.kind != found.kind:
            what = "a node" if column.type.kind == "GRAPH_NODE" else "an edge"
            self.report("G103", f"`{found.name}` is {what} and cannot be declared as the other", "choose another name")

    def _imported(self, name: str) -> Column | None:
        outer = self.around.outer
        if outer is None or name.lower() not in outer.reserved:
            return None
        return outer.table.get(name)

    def _type_of(self, found: Variable) -> Type:
        imported = self._imported(found.name)
        if imported is not None and imported.type.kind == found.kind and not found.group:
            return imported.type
        labels = [element.labels for element in found.elements if element.labels is not None]
        return type_of_labels(self.graph, found.kind, labels)

    # -------------------------------------------------------------- the columns

    def table(self, *, inside: bool = False) -> Table:
        """The working table with the variables; `inside`: for the condition behind the MATCH.

        OPTIONAL leaves an element that was there the type that it had.
        """
        columns: list[Column] = []
        for found in self.variables.values():
            of = found.type
            assert of is not None
            before = self.around.table.get(found.name)
            if before is not None and self.node.optional and not inside and before.type.kind in ELEMENTS:
                continue
            columns.append(Column(found.name, array_of(of), True) if found.group else Column(found.name, of))
        columns += [Column(path.variable or "", self._path_type(path)) for path in self.paths.values()]
        return self.around.table.with_(columns)

    def _path_type(self, path: ir.Path) -> Type:
        nodes = self._joined("GRAPH_NODE", path)
        return path_of(self.graph.name, nodes, self._joined("GRAPH_EDGE", path))

    def _joined(self, kind: str, path: ir.Path) -> Type:
        """Of what types the nodes or the edges of a path are."""
        types = [self._element_type(each) for each, _ in elements_of(path) if kind_of(each) == kind]
        if kind == "GRAPH_NODE" and _has_hidden_nodes(path):
            types.append(self.graph.type_of(kind, self.graph.of_kind(kind)))
        if not types:
            return self.graph.type_of(kind, ())
        return supertype([Typed(each) for each in types]) or types[0]

    def _element_type(self, element: ir.NodePattern | ir.EdgePattern) -> Type:
        known = self.variables.get((element.variable or "").lower()) if element.variable else None
        if known is not None and known.type is not None and known.kind == kind_of(element):
            return known.type
        return type_of_labels(self.graph, kind_of(element), [element.labels] if element.labels is not None else [])

    # -------------------------------------------------------------- paths under a selector

    def check_selected(self) -> None:
        """Inner variables of a path under a selector belong to it alone."""
        for path in self.node.paths:
            if path.selector is None or path.selector.kind == "all":
                continue
            ends = nodes_at_ends(path)
            inner = {(each.variable or "").lower() for each, _ in elements_of(path) if each.variable} - ends
            for other in self.node.paths:
                if other is path:
                    continue
                reused = next((each for each, _ in elements_of(other) if (each.variable or "").lower() in inner), None)
                if reused is not None:
                    self._refuse_reuse(path, reused)
                    return

    def _refuse_reuse(self, path: ir.Path, element: ir.NodePattern | ir.EdgePattern) -> None:
        assert path.selector is not None
        kind = path.selector.kind.upper().replace("_", " ")
        self.report(
            "G124",
            f"`{element.variable}` is inside of a path under {kind} and cannot be used in another path of this MATCH",
            "use it in a MATCH of its own, or only as an end of the path",
        )

    # -------------------------------------------------------------- conditions inside

    def check_path(self, path: ir.Path) -> None:
        """The conditions, properties and costs of what a path holds."""
        for element in path.elements:
            if isinstance(element, ir.PathGroup):
                self.check_path(element.path)
                self._check_group(element)
            else:
                self._check_element(element)

    def _place(self, columns: Iterable[Column], clause: str, aggregates: str) -> Place:
        own = EMPTY.with_(columns)
        scope = Scope(own, self.around.outer, self.around.table)
        return Place(scope, self.graph, clause, aggregates, common=self.around.common)

    def _check_group(self, group: ir.PathGroup) -> None:
        if group.where is None:
            return
        columns: dict[str, Column] = {}
        for element, grouped in elements_of(group.path):
            if element.variable is not None:
                of = self._element_type(element)
                columns.setdefault(
                    element.variable.lower(), Column(element.variable, array_of(of) if grouped else of, grouped)
                )
        place = self._place(columns.values(), "WHERE", "horizontal")
        expressions.condition(self.state, group.where, place, "WHERE")

    def _check_element(self, element: ir.NodePattern | ir.EdgePattern) -> None:
        own = [Column(element.variable, self._element_type(element))] if element.variable is not None else []
        place = self._place(own, "WHERE of an element", "none")
        if isinstance(element.properties, ir.MapOf):
            for entry in element.properties.entries:
                self._check_entry(element, entry, place.but(clause="a property of a pattern"))
        expressions.condition(self.state, element.where, place, "WHERE")
        if element.cost is not None and isinstance(element, ir.EdgePattern):
            self._check_cost(element.cost, place.but(clause="COST"))

    def _check_entry(self, element: ir.Node, entry: ir.Entry, place: Place) -> None:
        assert isinstance(element, (ir.NodePattern, ir.EdgePattern))
        state = self.state
        base = self._element_type(element)
        at = entry.span or span_of(element)
        key = ir.Keyword(entry.key, span=Span(at.start, at.start + len(entry.key)))
        wanted = expressions.of_property(state, key, base, place, entry.key)
        given = expressions.value(state, entry.value, place)
        if wanted.type.kind == "UNKNOWN":
            if base.field(entry.key) is None and base.open and not is_groupable_scalar(given.type):
                state.report("G301", f"A property of the data cannot be compared with {given.type}", entry.value)
            return
        if not compare(wanted, given):
            state.report("G301", f"Property `{entry.key}` is {wanted.type}, and the value is {given.type}", entry)

    def _check_cost(self, cost: ir.Expression, place: Place) -> None:
        state = self.state
        given = expressions.value(state, cost, place)
        if given.constant == "null":
            state.report("G255", "A COST cannot be NULL", cost)
        elif not coerces(given, Type("DOUBLE")):
            state.report("G255", f"A COST is a number, and this is {given.type}", cost)
        else:
            self.costs.append(given)

    def check_cost_types(self, path: ir.Path) -> None:
        """The costs of a path are added: they have a type in common."""
        if self.costs and supertype(self.costs) is None:
            shown = ", ".join(dict.fromkeys(str(each.type) for each in self.costs))
            self.report("G255", f"The costs of a path have no type in common: {shown}", "CAST them", span_of(path))

    def check_costs(self, path: ir.Path) -> None:
        """An edge with a cost is declared once, and the costs of a MATCH are of types that have one in common."""
        state = self.state
        seen: dict[str, ir.EdgePattern] = {}
        for other in self.node.paths:
            for element, _ in elements_of(other):
                if element.variable is None:
                    continue
                before = seen.get(element.variable.lower())
                if before is None:
                    seen[element.variable.lower()] = element  # type: ignore[assignment]
                elif before.cost is not None or element.cost is not None:
                    state.report("G255", f"`{element.variable}` has a COST and is declared again", element)
            if other is path:
                break


def is_groupable_scalar(of: Type) -> bool:
    return is_groupable(of) and of.kind not in ("STRUCT", "ARRAY")


def _repeated(path: ir.Path) -> Iterator[ir.PathGroup]:
    for element in path.elements:
        if isinstance(element, ir.PathGroup):
            if element.quantifier is not None:
                yield element
            yield from _repeated(element.path)


def _has_hidden_nodes(path: ir.Path) -> bool:
    """Whether an edge of the path has an end that is not written."""
    before: ir.Node | None = None
    for element in path.elements:
        if isinstance(element, ir.PathGroup) and _has_hidden_nodes(element.path):
            return True
        if isinstance(element, ir.EdgePattern) and (before is None or isinstance(before, ir.EdgePattern)):
            return True
        before = element
    return isinstance(before, ir.EdgePattern)
