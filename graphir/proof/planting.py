"""Embeddings of the patterns of a query, put into a graph: nodes and edges that its MATCH clauses find.

A planted element has the labels that its pattern requires and properties that meet the comparisons with constants; what
else a query demands (between two properties, of a subquery) is left to chance.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

from graphir import ir
from graphir.generation.dice import Dice
from graphir.generation.graphs import value as random_value
from graphir.generation.kinds import kind_of
from graphir.generation.vocabulary import full_labels, full_properties
from graphir.proof.hints import Hints, constants, names_of, required, unwrapped
from graphir.schema.model import EdgeType, PropertyType, Schema
from graphir.values.entities import Edge, Node

_MOST_STEPS = 3
"""Repetitions are planted up to so many steps."""
_REUSED = 0.25
"""The share of pattern nodes that are nodes of the graph that are there already."""

Wishes = dict[str, dict[str, Any]]
"""Variable -> key -> a value that meets what the query says of it."""


@dataclass(slots=True)
class _Growing:
    """A graph that elements are planted in, and what the variables of the query are in this embedding."""

    dice: Dice
    nodes: list[Node]
    edges: list[Edge]
    bound: dict[str, Node] = field(default_factory=dict)

    def fresh(self) -> str:
        return f"planted {len(self.nodes)} {len(self.edges)}"


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a node of a path stands: its pattern, the edge before it and the node where that begins, the edge after."""

    pattern: ir.NodePattern
    before: ir.EdgePattern | None
    here: Node | None
    after: ir.EdgePattern | None


class Planter:
    """Knows the patterns of some queries, and what a graph may have."""

    def __init__(self, queries: Sequence[ir.Query], hints: Hints, schema: Schema, *, closed: bool) -> None:
        """`closed`: what is planted conforms to the schema; what the schema does not allow is not planted."""
        self._matches = [[n for n in ir.walk(query.body) if isinstance(n, ir.Match)] for query in queries]
        self._wishes = [_wishes(query, hints) for query in queries]
        self._schema = schema
        self._closed = closed
        self._types = [(frozenset(full_labels(each, schema)), each) for each in schema.node_types]

    def plant(self, dice: Dice, nodes: list[Node], edges: list[Edge]) -> None:
        """Add an embedding of the patterns of one of the queries, as far as it may be there."""
        if not self._matches:
            return
        growing = _Growing(dice, nodes, edges)
        at = dice.below(len(self._matches))
        for match in self._matches[at]:
            for path in match.paths:
                self._path(growing, path, self._wishes[at])

    # -------------------------------------------------------------- paths

    def _path(self, growing: _Growing, path: ir.Path, wishes: Wishes) -> Node | None:
        """Its last node; None where it could not be planted."""
        here: Node | None = None
        pending: ir.EdgePattern | None = None
        for element, following in zip(path.elements, (*path.elements[1:], None), strict=True):
            if isinstance(element, ir.EdgePattern):
                pending = element
                continue
            if isinstance(element, ir.PathGroup):
                here = self._group(growing, element, here, wishes)
            else:
                place = _Place(element, pending, here, following if isinstance(following, ir.EdgePattern) else None)
                there = self._node(growing, place, wishes)
                if pending is not None and here is not None and there is not None:
                    self._edge(growing, pending, here, there, wishes)
                here = there
            pending = None
            if here is None:
                return None
        return here

    def _group(self, growing: _Growing, group: ir.PathGroup, start: Node | None, wishes: Wishes) -> Node | None:
        """A few rounds of a group, one behind the other."""
        least = group.quantifier.low if group.quantifier else 1
        here = start
        for _ in range(min(_MOST_STEPS, least + growing.dice.below(2))):
            outer, growing.bound = growing.bound, {}
            first = next((e for e in group.path.elements if isinstance(e, ir.NodePattern)), None)
            if here is not None and first is not None and first.variable is not None:
                growing.bound[first.variable] = here
            here = self._path(growing, group.path, wishes)
            growing.bound = outer
            if here is None:
                return None
        return here

    def _node(self, growing: _Growing, place: _Place, wishes: Wishes) -> Node | None:
        """The node of a pattern: the one that is bound, or one that is there, or a new one."""
        name = place.pattern.variable or ""
        found = growing.bound.get(name) if name else None
        found = found or (place.here if place.before is None else None)
        wanted = required(place.pattern.labels)
        if found is None and growing.nodes and growing.dice.chance(_REUSED):
            fitting = [n for n in growing.nodes if wanted <= set(n.labels) and self._stands(frozenset(n.labels), place)]
            found = growing.dice.pick(fitting) if fitting else None
        if found is None:
            found = self._new_node(growing, wanted, wishes.get(name, {}), place)
        else:
            found = self._grown(growing, found, wanted, wishes.get(name, {}))
        if found is not None and name:
            growing.bound[name] = found
        return found

    def _stands(self, carried: frozenset[str], place: _Place) -> bool:
        """Whether a node with these labels may have the edges of its place."""
        if not self._closed:
            return True
        known = place.here.labels if place.here is not None else None
        return (place.before is None or self._joins(place.before, known, carried)) and (
            place.after is None or self._joins(place.after, carried, None)
        )

    def _joins(self, edge: ir.EdgePattern, left: Iterable[str] | None, right: Iterable[str] | None) -> bool:
        """Whether the schema has such an edge between nodes with these labels, as far as they are known."""
        named = set(names_of(edge.labels)) if edge.labels is not None else set()
        turns = {"out": [(left, right)], "in": [(right, left)]}.get(edge.direction, [(left, right), (right, left)])
        return any(
            self._fits(declared, named, start, end) for declared in self._schema.edge_types for start, end in turns
        )

    def _new_node(
        self, growing: _Growing, wanted: set[str], wished: Mapping[str, Any], place: _Place | None = None
    ) -> Node | None:
        fitting = [
            (carried, each)
            for carried, each in self._types
            if wanted <= carried and (place is None or self._stands(carried, place))
        ]
        if not fitting and (self._closed or not wanted):
            return None
        carried, declared = growing.dice.pick(fitting) if fitting else (frozenset(wanted), self._schema.node_types[0])
        properties = full_properties(declared, self._schema)
        node = Node(growing.fresh(), tuple(sorted(carried)), self._row(growing.dice, properties, wished))
        growing.nodes.append(node)
        return node

    def _grown(self, growing: _Growing, node: Node, wanted: set[str], wished: Mapping[str, Any]) -> Node:
        """The node with what one more pattern wants of it, where no schema forbids that."""
        if self._closed or (wanted <= set(node.labels) and wished.items() <= node.properties.items()):
            return node
        grown = Node(node.id, tuple(sorted({*node.labels, *wanted})), {**node.properties, **wished})
        growing.nodes[growing.nodes.index(node)] = grown  # nodes are equal by their ids
        return grown

    def _edge(self, growing: _Growing, pattern: ir.EdgePattern, start: Node, end: Node, wishes: Wishes) -> None:
        """The edges of a pattern between two nodes: several in a row where it repeats."""
        wished = wishes.get(pattern.variable or "", {})
        least = pattern.quantifier.low if pattern.quantifier else 1
        most = pattern.quantifier.high if pattern.quantifier else 1
        steps = min(_MOST_STEPS, max(1, least) + (growing.dice.below(2) if most is None or most > least else 0))
        nodes = [start]
        for _ in range(steps - 1):
            middle = self._new_node(growing, set(start.labels), {})
            if middle is None:
                return
            nodes.append(middle)
        nodes.append(end)
        for before, after in pairwise(nodes):
            turned = pattern.direction == "in" or (pattern.direction == "any" and growing.dice.chance(0.5))
            first, second = (after, before) if turned else (before, after)
            self._new_edge(growing, pattern, first, second, wished)
            if pattern.direction == "any" and growing.dice.chance(0.2):
                self._new_edge(growing, pattern, second, first, wished)

    def _new_edge(
        self, growing: _Growing, pattern: ir.EdgePattern, start: Node, end: Node, wished: Mapping[str, Any]
    ) -> None:
        named = set(names_of(pattern.labels)) if pattern.labels is not None else set()
        fitting = [each for each in self._schema.edge_types if self._fits(each, named, start.labels, end.labels)]
        if not fitting:
            return
        declared = growing.dice.pick(fitting)
        row = self._row(growing.dice, declared.properties or (), wished)
        growing.edges.append(Edge(growing.fresh(), declared.type, start.id, end.id, row))

    def _fits(
        self, declared: EdgeType, named: set[str], start: Iterable[str] | None, end: Iterable[str] | None
    ) -> bool:
        if named and declared.type not in named:
            return False
        return all(
            wanted is None or carried is None or self._family(wanted) == set(carried)
            for wanted, carried in ((declared.source, start), (declared.target, end))
        )

    def _family(self, wanted: tuple[str, ...]) -> set[str]:
        return next((set(carried) for carried, each in self._types if each.labels == wanted), set(wanted))

    def _row(self, dice: Dice, properties: Sequence[PropertyType], wished: Mapping[str, Any]) -> dict[str, Any]:
        row: dict[str, Any] = {}
        for declared in properties:
            if declared.name in wished:
                row[declared.name] = wished[declared.name]
            elif declared.nullable is False or not dice.chance(0.2):
                row[declared.name] = (
                    dice.pick(declared.values) if declared.values else random_value(dice, kind_of(declared))
                )
        return row


# ------------------------------------------------------------------ what is wished


def _wishes(query: ir.Query, hints: Hints) -> Wishes:
    """Values that meet the property maps and the comparisons with constants that stand in conjunctions."""
    found: Wishes = {}
    for node in ir.walk(query.body):
        if isinstance(node, (ir.NodePattern, ir.EdgePattern)) and isinstance(node.properties, ir.MapOf):
            for entry in node.properties.entries:
                for value in constants(entry.value, {})[:1]:
                    found.setdefault(node.variable or "", {})[entry.key] = value
        for conjunct in _conjuncts(node):
            for name, key, value in _demanded(conjunct, hints):
                found.setdefault(name, {})[key] = value
    return found


def _conjuncts(node: ir.Node) -> Iterator[ir.Expression]:
    """What has to be true for a row to be there, piece by piece."""
    match node:
        case ir.Match() | ir.NodePattern() | ir.EdgePattern() | ir.PathGroup():
            pending = [node.where]
        case ir.Filter():
            pending = [node.predicate]
        case _:
            return
    while pending:
        each = pending.pop()
        if isinstance(each, ir.Apply) and each.function == "and":
            pending += each.args
        elif each is not None:
            yield each


def _demanded(condition: ir.Expression, hints: Hints) -> Iterator[tuple[str, str, Any]]:
    """Variable, key and a value for which a comparison is true."""
    if not isinstance(condition, ir.Apply) or len(condition.args) != 2:
        return
    left, right = condition.args
    for given, other, above in ((left, right, "gt"), (right, left, "lt")):
        side = unwrapped(given)
        if not (isinstance(side, ir.Property) and isinstance(side.base, ir.Ref)):
            continue
        values = constants(other, {})
        if not values or (condition.function == "in" and above == "lt"):
            continue
        yield side.base.name, side.key, _meeting(condition.function, values[0], above, hints.values.get(side.key, ()))


def _meeting(function: str, value: Any, above: str, known: Sequence[Any]) -> Any:
    """A value that compares so with a constant, among those that are known."""
    if function in ("gt", "lt", "ne"):
        for each in known:
            if type(each) is type(value) and each != value:
                greater = each > value
                if function == "ne" or greater == (function == above):
                    return each
    return value
