"""Patterns that differ in their labels alone, united: one pattern with either of them.

`SELECT a.x FROM GRAPH_TABLE (g MATCH (a IS A) ..) UNION ALL SELECT b.x FROM GRAPH_TABLE (g MATCH (b IS B) ..)` is
`MATCH (n:A|B)` where no type has both labels, which only a schema tells: that is what tables of a graph are united for.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from graphir import ir
from graphir.ir import (
    Body,
    Cast,
    EdgePattern,
    Expression,
    HasLabels,
    Item,
    LabelExpression,
    Literal,
    Match,
    Node,
    NodePattern,
    Pipeline,
    Project,
    Property,
    Ref,
)
from graphir.passes.names import Maker, renamed
from graphir.passes.selects.elements import fits, labels_of
from graphir.passes.selects.hops import MOST, Hop, either, hops_of, names_of
from graphir.passes.selects.scopes import NoGraphQuery
from graphir.passes.steps import run
from graphir.schema.model import EdgeType, NodeType, Schema

Elements = tuple[NodePattern | EdgePattern, ...]


@dataclass(frozen=True, slots=True)
class _Part:
    """A pattern of the union: its elements, its conditions and its columns, under the variables that all have."""

    elements: Elements
    filters: tuple[Expression, ...]
    values: tuple[Expression, ...]
    kinds: tuple[frozenset[int], ...]
    """The types of the schema that each element may have, as their places."""


def united(bodies: Sequence[Body], names: Sequence[str], schema: Schema | None, maker: Maker) -> Pipeline | None:
    """One pattern for bodies that return the columns `names`; None where they are not that much alike."""
    if schema is None or not (schema.coverage.labels and schema.coverage.types and schema.coverage.properties):
        return None
    hops: list[Hop] = []
    for body in bodies:
        try:
            hops += run(hops_of([ir.SubqueryCall(body)]))
        except NoGraphQuery:
            return None
    if len(hops) > MOST:
        return None
    variables = [maker.make(hint) for hint in "vew"]
    parts = [_part(hop, names, variables, schema) for hop in hops]
    known = [part for part in parts if part is not None]
    if len(known) != len(parts) or len({len(part.elements) for part in known}) != 1:
        return None
    return _Union(known, variables[: len(known[0].elements)], schema).pipeline(names)


def _part(hop: Hop, names: Sequence[str], variables: Sequence[str], schema: Schema) -> _Part | None:
    path = hop.match.paths[0] if hop.match is not None and len(hop.match.paths) == 1 else None
    if path is None or len(path.elements) not in (1, 3) or path.selector is not None or path.variable is not None:
        return None
    elements: list[NodePattern | EdgePattern] = []
    filters = list(hop.filters)
    renaming: dict[str, str] = {}
    for element, variable in zip(path.elements, variables, strict=False):
        if not isinstance(element, (NodePattern, EdgePattern)) or not _is_simple(element):
            return None
        if element.variable in renaming:
            return None
        if element.variable is not None:
            renaming[element.variable] = variable
        filters += [] if element.where is None else [element.where]
        elements.append(element)
    kinds = tuple([_kinds(element, schema) for element in elements])
    if not all(kinds) or any(name not in hop.values for name in names):
        return None
    if any(isinstance(node, ir.Subquery) for each in (*filters, *hop.values.values()) for node in ir.walk(each)):
        return None
    tests = tuple([renamed(each, renaming) for each in filters])
    values = tuple([renamed(hop.values[name], renaming) for name in names])
    return _Part(tuple(elements), tests, values, kinds)


def _is_simple(element: NodePattern | EdgePattern) -> bool:
    if element.properties is not None or element.cost is not None:
        return False
    return isinstance(element, NodePattern) or (
        element.quantifier is None and element.hops is None and not element.mutual and element.direction != "any"
    )


def _types(element: NodePattern | EdgePattern, schema: Schema) -> Sequence[NodeType | EdgeType]:
    return schema.node_types if isinstance(element, NodePattern) else schema.edge_types


def _kinds(element: NodePattern | EdgePattern, schema: Schema) -> frozenset[int]:
    found = enumerate(_types(element, schema))
    return frozenset([at for at, known in found if fits(element.labels, labels_of(known))])


class _Union:
    """Patterns of the same elements."""

    def __init__(self, parts: Sequence[_Part], variables: Sequence[str], schema: Schema) -> None:
        self.parts = parts
        self.variables = variables
        self.schema = schema

    def pipeline(self, names: Sequence[str]) -> Pipeline | None:
        elements = self._elements()
        if elements is None or not self._are_apart() or not self._is_all(elements):
            return None
        filters = self._alike([_all_of(part.filters) for part in self.parts])
        if filters is None:
            return None
        values: list[Expression] = []
        for at in range(len(names)):
            found = self._value([part.values[at] for part in self.parts])
            if found is None:
                return None
            values.append(found)
        where = None if filters == Literal(True) else filters
        match = Match((ir.Path(elements),), where, uniqueness="repeatable_elements")
        items = tuple([Item(value, name) for value, name in zip(values, names, strict=True)])
        return Pipeline((match, Project(items, True)))

    def _elements(self) -> Elements | None:
        """The elements with all labels; None where they run in several directions."""
        made: list[NodePattern | EdgePattern] = []
        for at, variable in enumerate(self.variables):
            several = [part.elements[at] for part in self.parts]
            labels = [each.labels for each in several]
            wanted = None if None in labels else either([each for each in labels if each is not None])
            first = several[0]
            if isinstance(first, NodePattern):
                made.append(NodePattern(variable, wanted))
                continue
            directions = {each.direction for each in several if isinstance(each, EdgePattern)}
            if len(directions) != 1:
                return None
            made.append(EdgePattern(variable, wanted, direction=directions.pop()))
        return tuple(made)

    def _are_apart(self) -> bool:
        """Whether no element is matched by two of them."""
        pairs = [(part, other) for at, part in enumerate(self.parts) for other in self.parts[at + 1 :]]
        return all(any(not a & b for a, b in zip(part.kinds, other.kinds, strict=True)) for part, other in pairs)

    def _is_all(self, elements: Elements) -> bool:
        """Whether every edge between nodes with these labels is matched by one of them."""
        if len(elements) == 1:
            return True
        first, edge, last = elements
        assert isinstance(edge, EdgePattern)
        for known in self.schema.edge_types:
            if known.source is None or known.target is None:
                return False
            ends = (known.source, known.target) if edge.direction == "out" else (known.target, known.source)
            held = (frozenset(ends[0]), labels_of(known), frozenset(ends[1]))
            if not all(fits(each.labels, labels) for each, labels in zip((first, edge, last), held, strict=True)):
                continue
            if not any(_fit(part.elements, held) for part in self.parts):
                return False
        return True

    # -------------------------------------------------------------- expressions

    def _alike(self, several: Sequence[Expression]) -> Expression | None:
        """The expression that all of them are, each for its types; None where there is none."""
        for candidate in dict.fromkeys(several):
            pairs = zip(self.parts, several, strict=True)
            if all(self._known(candidate, part) == self._known(value, part) for part, value in pairs):
                return candidate
        return None

    def _value(self, several: Sequence[Expression]) -> Expression | None:
        """A column: what all are alike, or one of them by the labels of the element that they are of."""
        found = self._alike(several)
        if found is not None:
            return found
        named = {name for value in several for name in names_of(value) if name in self.variables}
        places = [at for at, name in enumerate(self.variables) if name in named or not named]
        if len(named) > 1:
            return None
        return next((made for at in places if (made := self._by_label(several, at)) is not None), None)

    def _by_label(self, several: Sequence[Expression], at: int) -> Expression | None:
        """One of the values by the labels of an element; None where these do not tell which."""
        told: dict[Expression, list[LabelExpression]] = {}
        kinds: dict[Expression, frozenset[int]] = {}
        for part, value in zip(self.parts, several, strict=True):
            labels = part.elements[at].labels
            if labels is None:
                return None
            told.setdefault(value, []).append(labels)
            kinds[value] = kinds.get(value, frozenset()) | part.kinds[at]
        if sum(map(len, kinds.values())) != len(frozenset[int]().union(*kinds.values())):
            return None
        element = Ref(self.variables[at])
        branches = [ir.Branch((HasLabels(element, either(labels)),), value) for value, labels in told.items()]
        return ir.Case(None, tuple(branches), None)

    def _known(self, expression: Expression, part: _Part) -> Expression:
        """The expression with null for properties that the types of a part do not have."""

        def rule(node: Node) -> Node:
            match node:
                case Property(Ref(name), key) if name in self.variables and self._lacks(part, name, key):
                    return Literal(None)
                case Cast(Literal(None)):
                    return Literal(None)
            return node

        return ir.rewrite(expression, rule)

    def _lacks(self, part: _Part, name: str, key: str) -> bool:
        """Whether no type of an element has a property."""
        at = self.variables.index(name)
        types = _types(part.elements[at], self.schema)
        for place in part.kinds[at]:
            known = types[place]
            if known.properties is None or known.open:
                return False
            if any(each.name.lower() == key.lower() for each in known.properties):
                return False
        return True


def _fit(elements: Elements, held: Sequence[frozenset[str]]) -> bool:
    return all(fits(each.labels, labels) for each, labels in zip(elements, held, strict=True))


def _all_of(filters: Sequence[Expression]) -> Expression:
    if not filters:
        return Literal(True)
    return filters[0] if len(filters) == 1 else ir.Apply("and", tuple(filters))
