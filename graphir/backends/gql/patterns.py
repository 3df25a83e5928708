"""MATCH for GoogleSQL: what Cypher leaves to its match mode and to the order of its clauses is written out.

- Relationship uniqueness: a path whose edges could coincide is a TRAIL; edges of different paths are compared pair by
  pair.  Types that cannot meet need neither.
- An element has a property map or a WHERE of its own, not both, and they see no other variable: what does moves to the
  WHERE of the clause, the only place that sees the variables of earlier clauses.

Knows no clause but MATCH.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import TypeVar

from graphir import ir
from graphir.backends.gql.expressions import FALSE, Scope, Translator, references
from graphir.backends.gql.graph import NEVER
from graphir.backends.gql.selection import selected
from graphir.backends.gql.values import Kind, Value
from graphir.frozen import frozen
from graphir.ir.names import generated
from graphir.ir.node import replace

N = TypeVar("N", bound=ir.Node)
MODES = ("trail", "acyclic", "simple")
BINDERS = (
    *(ir.NodePattern, ir.EdgePattern, ir.Path),
    *(ir.Unwind, ir.Quantified, ir.ListComprehension, ir.Reduce),
)
"""Classes with a variable of their own."""


@frozen
class Edge:
    """An edge of a MATCH: its variable, the path it is in, the types it can have (None: any), whether it is a group."""

    variable: str
    path: int
    types: frozenset[str] | None
    group: bool
    repeats: bool

    def meets(self, other: Edge) -> bool:
        """Whether the two could be bound to one relationship."""
        return self.types is None or other.types is None or bool(self.types & other.types)


def types(labels: ir.LabelExpression | None) -> frozenset[str] | None:
    """The types that satisfy a label expression, where they are listed.  A relationship has exactly one type."""
    found: set[str] = set()
    pending = [labels]
    while pending:
        label = pending.pop()
        if isinstance(label, ir.LabelName):
            found.add(label.name)
        elif isinstance(label, ir.LabelOr):
            pending.extend(label.operands)
        else:
            return None
    return frozenset(found)


class Patterns:
    """Rewrites one MATCH.

    `before` are the variables in front of it, `after` those behind it.  Of the former only the `visible` ones may be
    mentioned in the clause (None: all of them); conditions on others are left, untranslated, in `outer`, and so are
    those that have to stand behind the clause.
    """

    def __init__(
        self,
        match: ir.Match,
        before: Mapping[str, Value],
        translator: Translator,
        visible: Iterable[str] | None = None,
    ) -> None:
        self.match = match
        self.translator = translator
        self.report = translator.report
        self.before = before
        self.after = dict(before)
        self.visible = set(before if visible is None else visible)
        self.conditions: list[ir.Expression] = []
        self.outer: list[ir.Expression] = []
        self.bound: dict[str, Value] = {}
        """What the patterns bind; inside of the clause it is never null."""
        self.made = 0

    def rewritten(self) -> ir.Match:
        """The MATCH as it is printed."""
        for path in self.match.paths:
            self.bind(path)
        self.narrow()
        if self.match.where is not None:
            self.conditions.extend(conjuncts(self.match.where))
        paths = tuple([self.path(path) for path in self.match.paths])
        translator = self.translator.spawn(Scope({**self.after, **self.bound}))
        inner: list[ir.Expression] = []
        for condition in self.conditions:
            if self.is_inner(condition):
                inner.extend(conjuncts(translator.predicate(condition)))
            else:
                self.outer.append(condition)
        if self.match.uniqueness == "different_edges":
            edges = [list(edges_of(path, at)) for at, path in enumerate(paths)]
            paths = self.unique(paths, edges)
            inner.extend(self.distinctions([edge for each in edges for edge in each]))
        else:
            paths = tuple([path if path.selector is None else selected(path, self.report) for path in paths])
        return ir.Match(paths, conjunction(inner), self.match.optional, span=self.match.span)

    def is_inner(self, condition: ir.Expression) -> bool:
        """Whether a condition stands in the clause."""
        if not references(condition) & self.after.keys() <= self.visible:
            return False
        if not self.translator.maps and ir.holds(condition, ir.Subquery):
            return False
        return self.match.optional or not asks_length(condition, self.after)

    # -------------------------------------------------------------- variables

    def bind(self, path: ir.Path) -> None:
        """Add the variables of a path to the scope."""
        optional = self.match.optional
        for element in path.elements:
            if not isinstance(element, (ir.NodePattern, ir.EdgePattern)):
                raise self.report.refusal("quantified-path", element, "this path")
            name = element.variable or ""
            kind = kind_of(element)
            known = self.before.get(name)
            self.visible.add(name)
            tables = self.translator.tables(element, self.bound.get(name, known))
            self.bound[name] = bound = Value(kind, False, tables)
            if known is None:
                self.after[name] = Value(kind, True, tables) if optional else bound
            elif known.kind is not kind or kind is Kind.EDGES:
                raise self.report.refusal("redeclared-variable", element, f"matching {known.kind.value} again")
            elif not optional:
                self.after[name] = bound
        if path.variable is not None:
            self.after[path.variable] = Value(Kind.PATH, optional)
            self.visible.add(path.variable)
            self.bound[path.variable] = Value(Kind.PATH, False)

    def narrow(self) -> None:
        """Heed what the edges say of the tables of elements."""
        tables = {name: value.tables for name, value in self.bound.items()}
        for name, found in self.translator.narrowed(self.match, tables).items():
            if found == tables[name]:
                continue
            self.bound[name] = self.bound[name].within(found)
            if name not in self.before or not self.match.optional:
                self.after[name] = self.after[name].within(found)
        for path in self.match.paths:
            if path.variable is not None and tables:
                along = self.along(path)
                for known in (self.bound, self.after):
                    known[path.variable] = known[path.variable].within(along)

    def along(self, path: ir.Path) -> frozenset[int] | None:
        """The tables of all nodes and relationships of a path."""
        found: frozenset[int] = frozenset()
        for element in path.elements:
            assert isinstance(element, (ir.NodePattern, ir.EdgePattern))
            own = self.bound[element.variable or ""].tables
            if own is None:
                return None
            found |= own
            if isinstance(element, ir.EdgePattern) and element.quantifier is not None:
                found |= self.translator.every_table(Kind.NODE) or frozenset()
        return found

    # -------------------------------------------------------------- elements

    def path(self, path: ir.Path) -> ir.Path:
        elements: list[ir.PathElement] = []
        for element in path.elements:
            assert isinstance(element, (ir.NodePattern, ir.EdgePattern))
            elements.append(self.element(element))
        allowed = MODES if self.match.uniqueness == "different_edges" else ("walk", *MODES)
        if path.mode is not None and path.mode not in allowed:
            raise self.report.refusal("path-mode", path, f"the path mode {path.mode.upper()}")
        if path.selector is not None:
            self.check_selected(path)
        return replace(path, elements=tuple(elements))

    def check_selected(self, path: ir.Path) -> None:
        """Refuse conditions on what a selection is made of: in Cypher they hold before it, in the target after it."""
        inner = {path.variable, *[element.variable for element in path.elements if isinstance(element, ir.EdgePattern)]}
        for condition in self.conditions:
            if references(condition) & inner:
                raise self.report.refusal("path-selector", condition, "a condition on a shortest path")

    def element(self, element: ir.NodePattern | ir.EdgePattern) -> ir.NodePattern | ir.EdgePattern:
        """The element with its own conditions; those on other variables go to the conditions of the clause."""
        name = element.variable or ""
        kind = Kind.EDGE if isinstance(element, ir.EdgePattern) else Kind.NODE
        bare = element.properties is None and element.where is None
        inside = Value(kind, False, self.bound[name].tables)
        translator = self.translator if bare else self.translator.spawn(Scope({name: inside}))
        entries: list[ir.Entry] = []
        local: list[ir.Expression] = []
        for entry in self.entries(element):
            made = None
            if self.translator.maps and not references(entry.value):
                made = translator.entry(name, entry)
            if made is not None:
                entries.append(made)
                continue
            equal = ir.Apply("eq", (ir.Property(ir.Ref(name), entry.key), entry.value), span=entry.span)
            self.put(equal, element, local)
        if element.where is not None:
            for condition in conjuncts(element.where):
                self.put(condition, element, local)
        labels = self.translator.spelled(element.labels, edge=kind is not Kind.NODE)
        if labels == NEVER:
            labels = None
            if isinstance(element, ir.EdgePattern) and element.quantifier is not None and element.quantifier.low == 0:
                raise self.report.refusal("unheld-name", element, "a repetition of what is not there")
            self.conditions.append(FALSE)
        if isinstance(element, ir.EdgePattern) and element.quantifier is not None:
            if element.quantifier.low_parameter is not None or element.quantifier.high_parameter is not None:
                raise self.report.refusal("construct", element, "a number of repetitions that a parameter gives")
            element = self.translator.bounded(element, self.bound[name])
        conditions = [part for condition in local for part in conjuncts(translator.predicate(condition))]
        if conditions and entries:
            given = [ir.Apply("eq", (ir.Property(ir.Ref(name), e.key), e.value), span=e.span) for e in entries]
            conditions = [*given, *conditions]
            entries = []
        properties = ir.MapOf(tuple(entries)) if entries else None
        return replace(element, labels=labels, properties=properties, where=conjunction(conditions))

    def entries(self, element: ir.NodePattern | ir.EdgePattern) -> tuple[ir.Entry, ...]:
        if element.properties is None:
            return ()
        if not isinstance(element.properties, ir.MapOf):
            raise self.report.refusal("construct", element.properties, "a property map that is not written out")
        return element.properties.entries

    def put(
        self, condition: ir.Expression, element: ir.NodePattern | ir.EdgePattern, local: list[ir.Expression]
    ) -> None:
        """Into the element what sees nothing else; the rest into the clause, where a group has it for each edge."""
        name = element.variable or ""
        if references(condition) <= {name} and not ir.holds(condition, ir.Subquery):
            local.append(condition)
        elif kind_of(element) is Kind.EDGES:
            each = self.fresh()
            every = ir.Quantified("all", each, ir.Ref(name), renamed(condition, {name: each}), span=condition.span)
            self.conditions.append(every)
        else:
            self.conditions.append(condition)

    def fresh(self) -> str:
        """A variable for the edges of a group."""
        self.made += 1
        return generated("each", self.made)

    # -------------------------------------------------------------- uniqueness

    def unique(self, paths: tuple[ir.Path, ...], edges_in: list[list[Edge]]) -> tuple[ir.Path, ...]:
        """The paths whose edges could coincide as trails."""
        out = []
        for path, edges in zip(paths, edges_in, strict=True):
            pairs = any(a.meets(b) for i, a in enumerate(edges) for b in edges[:i])
            trail = pairs or any(edge.repeats for edge in edges)
            out.append(replace(path, mode="trail") if trail and path.mode is None else path)
        return tuple([path if path.selector is None else selected(path, self.report) for path in out])

    def distinctions(self, edges: list[Edge]) -> Iterator[ir.Expression]:
        """The conditions that edges of different paths are different."""
        for i, a in enumerate(edges):
            for b in edges[i + 1 :]:
                if a.path != b.path and a.meets(b):
                    yield self.apart(a, b)

    def apart(self, a: Edge, b: Edge) -> ir.Expression:
        """The condition that two edges, or groups of edges, have no relationship in common."""
        if a.group and b.group:
            first, second = self.fresh(), self.fresh()
            same = ir.Apply("eq", (ir.Ref(first), ir.Ref(second)))
            inner = ir.Quantified("any", second, ir.Ref(b.variable), same)
            return ir.Quantified("none", first, ir.Ref(a.variable), inner)
        if a.group or b.group:
            group, single = (a, b) if a.group else (b, a)
            each = self.fresh()
            same = ir.Apply("eq", (ir.Ref(each), ir.Ref(single.variable)))
            return ir.Quantified("none", each, ir.Ref(group.variable), same)
        return ir.Apply("ne", (ir.Ref(a.variable), ir.Ref(b.variable)))


def kind_of(element: ir.PathElement) -> Kind:
    """What the variable of a pattern element is outside of the element."""
    if isinstance(element, ir.EdgePattern):
        return Kind.EDGE if element.quantifier is None else Kind.EDGES
    return Kind.NODE


def edges_of(path: ir.Path, at: int) -> Iterator[Edge]:
    for element in path.elements:
        if isinstance(element, ir.PathGroup):
            yield from edges_of(element.path, at)
        if isinstance(element, ir.EdgePattern):
            high = 1 if element.quantifier is None else element.quantifier.high
            repeats = high is None or high > 1
            yield Edge(element.variable or "", at, types(element.labels), element.quantifier is not None, repeats)


def asks_length(condition: ir.Expression, values: Mapping[str, Value]) -> bool:
    """Whether a condition asks a group or path for its length.

    Google's reference implementation may test such a condition where the list is not there yet ("Failed to find
    column"); behind the clause it is.
    """
    for part in ir.find(condition, ir.Apply):
        if part.function in ("size", "length"):
            known = values.get(part.args[0].name) if isinstance(part.args[0], ir.Ref) else None
            if known is not None and known.kind in (Kind.EDGES, Kind.PATH):
                return True
    return False


def conjuncts(condition: ir.Expression) -> tuple[ir.Expression, ...]:
    return condition.args if isinstance(condition, ir.Apply) and condition.function == "and" else (condition,)


def conjunction(conditions: list[ir.Expression]) -> ir.Expression | None:
    if len(conditions) < 2:
        return conditions[0] if conditions else None
    return ir.Apply("and", tuple(conditions))


def renamed(node: N, names: Mapping[str, str]) -> N:
    """The same with other variables, wherever they are bound or mentioned: what hides one of them goes on hiding it."""

    def rule(part: ir.Node) -> ir.Node:
        if isinstance(part, ir.Ref):
            return replace(part, name=names[part.name]) if part.name in names else part
        if isinstance(part, BINDERS) and (to := names.get(part.variable or "")):
            return replace(part, variable=to)
        return part

    return ir.rewrite(node, rule, ir.Ref, *BINDERS)
