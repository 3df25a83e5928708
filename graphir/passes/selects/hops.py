"""What a table of steps along edges is as a pattern: one hop `(v)-[e]->(w)` and what each of its columns is of the hop.

A step of a recursion joins what it has reached with rows of such a table: one pattern of two nodes and an edge, or
several of them united.  This module finds the patterns behind the steps that make the rows, turns them so that they all
run the same way, and makes one pattern of them.  It must not know what the rows are joined with.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from graphir import ir
from graphir.ir import (
    Apply,
    Cast,
    EdgePattern,
    Expression,
    HasLabels,
    LabelExpression,
    Literal,
    Match,
    Node,
    NodePattern,
    Operator,
    Pipeline,
    Project,
    Property,
    Ref,
    SetOperation,
    SubqueryCall,
)
from graphir.passes.aggregates import find_aggregates
from graphir.passes.names import Maker, renamed
from graphir.passes.selects.elements import fits, labels_of
from graphir.passes.selects.identities import ADDED
from graphir.passes.selects.scopes import NoGraphQuery
from graphir.passes.steps import Step
from graphir.schema.model import EdgeType, NodeType, Schema

MOST = 64
"""How many hops are compared with one another."""
NO_HOP = "its step is no pattern of two nodes and an edge"
TURNED = {"out": "in", "in": "out", "any": "any"}


@dataclass(frozen=True, slots=True)
class Hop:
    """A pattern of two nodes and an edge, the conditions on it, and what its columns are of it."""

    match: Match | None = None
    filters: tuple[Expression, ...] = ()
    values: Mapping[str, Expression] = field(default_factory=dict)

    def value(self, expression: Expression) -> Expression:
        """An expression over the columns as one over the elements."""

        def choose(part: Node) -> Node | None:
            return self.values.get(part.name) if isinstance(part, Ref) else None

        _require_no_imports(expression, self.values)
        return ir.rewrite_down(expression, choose)


def _require_no_imports(expression: Node, names: Iterable[str]) -> None:
    """A subquery that is called with a column by its name cannot be given what the column is."""
    taken = set(names)
    for part in ir.walk(expression):
        if isinstance(part, SubqueryCall) and taken.intersection(part.imports or ()):
            raise NoGraphQuery("a subquery of its step reads what the recursion has reached", part.span)


def hops_of(operators: Sequence[Operator]) -> Step:
    """The hops whose rows these steps make, as a list; NoGraphQuery where they make others."""
    found = [Hop()]
    for operator in operators:
        match operator:
            case Match(optional=False, hints=(), search=None):
                found = [_matched(hop, operator) for hop in found]
            case ir.Filter(predicate):
                found = [replace(hop, filters=(*hop.filters, hop.value(predicate))) for hop in found]
            case Project() if is_plain(operator):
                found = [replace(hop, values=_projected(hop, operator)) for hop in found]
            case SubqueryCall(optional=False, transactions=None):
                inner: list[Hop] = yield _of_body(operator.body)
                found = [_joined(hop, each) for hop in found for each in inner]
            case _:
                raise NoGraphQuery(NO_HOP, operator.span)
    return found


def _of_body(body: ir.Body) -> Step:
    match body:
        case Pipeline(operators):
            return (yield hops_of(operators))
        case SetOperation("union", False, branches):
            found: list[Hop] = []
            for branch in branches:
                found += yield _of_body(branch)
            return found
    raise NoGraphQuery(NO_HOP, body.span)


def _matched(hop: Hop, match: Match) -> Hop:
    if hop.match is not None:
        raise NoGraphQuery(NO_HOP, match.span)
    where = () if match.where is None else (match.where,)
    return replace(hop, match=replace(match, where=None), filters=(*hop.filters, *where))


def is_plain(project: Project) -> bool:
    """Whether it makes one row of each."""
    if project.distinct or project.order or project.star or project.group_by is not None or project.where is not None:
        return False
    if project.skip is not None or project.limit is not None:
        return False
    return not any(next(iter(find_aggregates(item.value)), None) for item in project.items)


def _projected(hop: Hop, project: Project) -> dict[str, Expression]:
    return {item.name or "": hop.value(item.value) for item in project.items}


def _joined(hop: Hop, other: Hop) -> Hop:
    if hop.match is not None and other.match is not None:
        raise NoGraphQuery(NO_HOP, other.match.span)
    values = {**hop.values, **other.values}
    return Hop(hop.match or other.match, (*hop.filters, *other.filters), values)


# ------------------------------------------------------------------ one pattern


class Hops:
    """Hops that run from `source` over `edge` to `target`, each of them in its way."""

    def __init__(self, hops: Sequence[Hop], link: Expression, schema: Schema | None, maker: Maker) -> None:
        """`link` is what the node is found by that a hop starts at."""
        self.schema = schema
        self.source = maker.make("v")
        self.edge = maker.make("e")
        self.target = maker.make("w")
        self.all = [self._turned(hop, link) for hop in hops]
        if len(self.all) > MOST:
            raise NoGraphQuery("its step is made of too many tables", link.span)
        if len(self.all) > 1:
            self._require_apart()

    def _turned(self, hop: Hop, link: Expression) -> _Turned:
        """The hop from the node that the link is of, under the names that all hops have."""
        path = hop.match.paths[0] if hop.match is not None and len(hop.match.paths) == 1 else None
        if path is None or len(path.elements) != 3 or path.selector is not None or path.variable is not None:
            raise NoGraphQuery(NO_HOP, link.span if path is None else path.span)
        first, edge, last = path.elements
        if not (isinstance(first, NodePattern) and isinstance(edge, EdgePattern) and isinstance(last, NodePattern)):
            raise NoGraphQuery(NO_HOP, path.span)
        if first.variable == last.variable and first.variable is not None:
            raise NoGraphQuery(NO_HOP, path.span)
        if edge.quantifier is not None or edge.hops is not None or edge.mutual or edge.variable is None:
            raise NoGraphQuery(NO_HOP, edge.span)
        if any(each.properties is not None or each.cost is not None for each in (first, edge, last)):
            raise NoGraphQuery(NO_HOP, path.span)
        filters = [*hop.filters, *[each.where for each in (first, edge, last) if each.where is not None]]
        linked = names_of(hop.value(link))
        direction = edge.direction
        if last.variable in linked:
            first, last, direction = last, first, TURNED[direction]
        if first.variable not in linked or linked & {last.variable, edge.variable}:
            raise NoGraphQuery("its step does not start at one node that was reached", link.span)
        names = {first.variable: self.source, edge.variable: self.edge}
        if last.variable is not None:
            names[last.variable] = self.target
        values = {name: renamed(value, names) for name, value in hop.values.items()}
        tests = tuple([renamed(each, names) for each in filters])
        return _Turned(Hop(None, tests, values), first.labels, edge.labels, last.labels, direction, self)

    def with_filters(self, conditions: Sequence[Expression]) -> None:
        """Conditions over the columns, which every hop has to satisfy."""
        if conditions:
            self.all = [
                replace(hop, hop=replace(hop.hop, filters=(*hop.hop.filters, *map(hop.value, conditions))))
                for hop in self.all
            ]

    # -------------------------------------------------------------- what is told of the columns

    def value(self, expression: Expression) -> Expression:
        """An expression over the columns as one over the elements, whichever hop it is."""
        values = [hop.value(expression) for hop in self.all]
        if all(value == values[0] for value in values):
            return values[0]
        named = set[str]().union(*map(names_of, values)) & {self.source, self.edge, self.target}
        if len(named) != 1:
            raise NoGraphQuery("a column is computed of an edge and its ends, in several ways", expression.span)
        (name,) = named
        labels = [hop.labels(name) for hop in self.all]
        told: dict[Expression, list[LabelExpression]] = {}
        for value, label in zip(values, labels, strict=True):
            if label is None:
                raise NoGraphQuery("a column is computed in several ways of one kind of element", expression.span)
            if label not in told.setdefault(value, []):
                told[value].append(label)
        kinds = [frozenset[int]().union(*[self.kinds(name, each) for each in labels]) for labels in told.values()]
        if sum(map(len, kinds)) != len(frozenset[int]().union(*kinds)):
            raise NoGraphQuery("a column is computed in several ways of one kind of element", expression.span)
        branches = [
            ir.Branch((HasLabels(Ref(name), either(labels)),), value, span=expression.span)
            for value, labels in told.items()
        ]
        return ir.Case(None, tuple(branches), None, span=expression.span)

    def kinds(self, name: str, labels: LabelExpression | None) -> frozenset[int]:
        """The types of the schema that an element may have, as their places."""
        types = self.types(name)
        return frozenset([at for at, known in enumerate(types) if fits(labels, labels_of(known))])

    def types(self, name: str) -> Sequence[NodeType | EdgeType]:
        if self.schema is None:
            return ()
        return self.schema.edge_types if name == self.edge else self.schema.node_types

    def shapes(self, expression: Expression) -> dict[int, tuple[object, ...]] | None:
        """How a column says which element it is of, by the type of the element; None where it may be of two.

        A type is its place in the schema; without one, only what identifies the elements of a graph is known to.
        """
        found: dict[int, tuple[object, ...]] = {}
        for hop in self.all:
            value = hop.value(expression)
            name = next(iter(names_of(value)), "")
            if self.schema is None or shape_of(value, name, None) == IDENTITY:
                found.setdefault(-1, shape_of(value, name, None))
            for at in self.kinds(name, hop.labels(name)):
                if found.setdefault(at, shape := shape_of(value, name, self.types(name)[at])) != shape:
                    return None
        return found if found and are_apart(found) else None

    # -------------------------------------------------------------- several hops as one

    def _require_apart(self) -> None:
        """That no two of them are ways to tell of one edge in one direction."""
        if self.schema is None or not self.schema.coverage.labels or not self.schema.coverage.types:
            raise NoGraphQuery("whether two tables of its step have an edge in common, only a schema tells", None)
        for at, hop in enumerate(self.all):
            for other in self.all[at + 1 :]:
                if not self._is_apart(hop, other):
                    raise NoGraphQuery("two tables of its step have an edge in common", None)

    def _is_apart(self, hop: _Turned, other: _Turned) -> bool:
        for name in (self.source, self.edge, self.target):
            kinds, others = self.kinds(name, hop.labels(name)), self.kinds(name, other.labels(name))
            if kinds and others and not kinds & others:
                return True
        if {hop.direction, other.direction} != {"out", "in"}:
            return False
        if hop.has_no_loops or other.has_no_loops:
            return True
        return any(not each.may_loop for each in (hop, other))

    def labels(self) -> LabelExpression | None:
        """Those of the edges."""
        found = [hop.edges for hop in self.all if hop.edges is not None]
        return either(list(dict.fromkeys(found))) if len(found) == len(self.all) else None

    def starts(self) -> LabelExpression | None:
        """Those of the nodes that a hop starts at."""
        found = [hop.first for hop in self.all if hop.first is not None]
        return either(list(dict.fromkeys(found))) if len(found) == len(self.all) else None

    def direction(self) -> str:
        found = {hop.direction for hop in self.all}
        return found.pop() if len(found) == 1 else "any"

    def is_plain(self) -> bool:
        """Whether every edge with these labels, in this direction, is one of the hops."""
        if all(hop.is_free and hop.first is None and hop.last is None for hop in self.all) and len(self.all) == 1:
            return True
        if self.schema is None or self.schema.coverage.labels is False or self.schema.coverage.types is False:
            return False
        labels, direction = self.labels(), self.direction()
        fitting = [known for known in self.schema.edge_types if fits(labels, labels_of(known))]
        for known in fitting:
            if known.source is None or known.target is None or not self._is_covered(known, direction):
                return False
        return bool(fitting)

    def _is_covered(self, known: EdgeType, direction: str) -> bool:
        ends = {"out": (known.source or (), known.target or ()), "in": (known.target or (), known.source or ())}
        fitting = [hop for hop in self.all if fits(hop.edges, labels_of(known)) and hop.is_free]
        both: dict[str, list[_Turned]] = {}
        for way in ("out", "in") if direction == "any" else (direction,):
            both[way] = [hop for hop in fitting if hop.direction in (way, "any") and hop.joins(*ends[way])]
            if not both[way]:
                return False
        return all(any(not hop.has_no_loops for hop in found) for found in both.values()) or (
            direction == "any" and any(not hop.has_no_loops for found in both.values() for hop in found)
        )

    def test(self) -> Expression | None:
        """What an edge in this direction has to satisfy beside its labels to be one of the hops."""
        tests = [hop.test(alone=len(self.all) == 1) for hop in self.all]
        if None in tests:
            return None
        told = [test for test in tests if test is not None]
        return told[0] if len(told) == 1 else Apply("or", tuple(told), span=told[0].span)


@dataclass(frozen=True, slots=True)
class _Turned:
    """A hop from the node that it starts at, its labels apart; direction: out, in or any."""

    hop: Hop
    first: LabelExpression | None
    edges: LabelExpression | None
    last: LabelExpression | None
    direction: str
    around: Hops

    def value(self, expression: Expression) -> Expression:
        return self.hop.value(expression)

    def labels(self, name: str) -> LabelExpression | None:
        around = self.around
        return {around.source: self.first, around.edge: self.edges, around.target: self.last}.get(name)

    @property
    def has_no_loops(self) -> bool:
        """Whether it says that its ends differ."""
        return any(map(self._parts_ends, self.hop.filters))

    @property
    def is_free(self) -> bool:
        """Whether nothing is asked of it but its labels and that its ends differ."""
        return all(map(self._parts_ends, self.hop.filters))

    @property
    def may_loop(self) -> bool:
        around = self.around
        ends = (around.kinds(around.source, self.first), around.kinds(around.target, self.last))
        return not all(ends) or bool(ends[0] & ends[1])

    def _parts_ends(self, condition: Expression) -> bool:
        around = self.around
        match condition:
            case Apply("ne", (Property(Ref(one), key) as left, Property(Ref(other), also) as right)):
                if {one, other} != {around.source, around.target} or key.lower() != also.lower():
                    return False
                sides = (left, right) if one == around.source else (right, left)
                return all(self._identifies(side) for side in sides)
            case Apply("ne", (Apply("elementId", (Ref(one),)), Apply("elementId", (Ref(other),)))):
                return {one, other} == {around.source, around.target}
        return False

    def _identifies(self, side: Expression) -> bool:
        name = next(iter(names_of(side)))
        types = self.around.types(name)
        shapes = [shape_of(side, name, types[at]) for at in self.around.kinds(name, self.labels(name))]
        return len(set(shapes)) == 1 and () not in shapes and len(self.around.kinds(name, self.labels(name))) == 1

    def joins(self, first: Iterable[str], last: Iterable[str]) -> bool:
        """Whether it takes edges between nodes with these labels."""
        return fits(self.first, frozenset(first)) and fits(self.last, frozenset(last))

    def test(self, *, alone: bool) -> Expression | None:
        """What the elements have to satisfy; `alone`: their labels and the direction stand in the pattern."""
        around = self.around
        tests: list[Expression] = list(self.hop.filters)
        if not alone:
            for name in (around.source, around.edge, around.target):
                labels = self.labels(name)
                if labels is not None:
                    tests.append(HasLabels(Ref(name), labels))
            if self.direction != "any" and around.direction() == "any":
                end = Apply("startNode" if self.direction == "out" else "endNode", (Ref(around.edge),))
                tests.append(Apply("eq", (end, Ref(around.source))))
        if not tests:
            return None
        return tests[0] if len(tests) == 1 else Apply("and", tuple(tests), span=tests[0].span)


def either(labels: Sequence[LabelExpression]) -> LabelExpression:
    parts = [part for label in labels for part in (label.operands if isinstance(label, ir.LabelOr) else (label,))]
    different = tuple(dict.fromkeys(parts))
    return different[0] if len(different) == 1 else ir.LabelOr(different)


def names_of(expression: Node) -> set[str]:
    """The variables that are read."""
    return {part.name for part in ir.walk(expression) if isinstance(part, Ref)}


# ------------------------------------------------------------------ identities

IDENTITY = ("identity",)
_SPELLED = frozenset(("STRING", "INTEGER"))
"""Types whose values have one text each."""


def shape_of(value: Expression, name: str, known: NodeType | EdgeType | None) -> tuple[object, ...]:
    """How a value says which element of a type it is of; the empty tuple where it does not.

    It is what identifies it in its graph, its key, the text of either, or one of them behind a prefix.
    """
    match value:
        case Apply("elementId", (Ref(element),)) if element == name:
            return IDENTITY
        case Property(Ref(element), key) if element == name:
            keys = [ADDED] if known is None or key.lower() == ADDED else [each.lower() for each in known.key]
            return ("key",) if known is not None and keys == [key.lower()] else ()
        case Cast(Property(_, key) as inner, ir.ValueType("STRING")) if _is_spelled(key, known):
            return ("text",) if shape_of(inner, name, known) else ()
        case Apply("concat", (Literal(str(prefix)), Cast() as inner)):
            return ("prefix", prefix) if shape_of(inner, name, known) else ()
    return ()


def _is_spelled(key: str, known: NodeType | EdgeType | None) -> bool:
    if known is not None and key.lower() == ADDED:
        return True
    listed = () if known is None else known.properties or ()
    types = [each.type.name for each in listed if each.type is not None and each.name.lower() == key.lower()]
    return bool(types) and _SPELLED.issuperset(types)


def are_apart(found: Mapping[int, tuple[object, ...]]) -> bool:
    """Whether elements of different types never have the same value, and those of one type neither."""
    shapes = list(found.values())
    if () in shapes:
        return False
    if len(shapes) == 1 or all(shape == IDENTITY for shape in shapes):
        return True
    prefixes = [str(shape[1]) for shape in shapes if shape[0] == "prefix"]
    if len(prefixes) != len(shapes):
        return False
    return not any(
        one.startswith(other) for at, one in enumerate(prefixes) for place, other in enumerate(prefixes) if at != place
    )
